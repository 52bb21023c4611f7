"""Files of games whose columns are random, with right digests, and everything that is done with such files.

Run as a program, ``hostile_games.py FOLDER FIRST LAST`` writes and reads files number FIRST to LAST. It prints the
number of each before it begins, so that a crash tells which file it was. Errors that are not clear are printed, and
the status is then 1.
"""

import contextlib
import functools
import io
import itertools
import json
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import rookery
from rookery.games.errors import GameError
from rookery.games.interchange import checked_moves
from rookery.games.interchange.schema import ABOUT, FORMAT, report_type
from rookery.games.write.writer import texts_of
from rookery.positions.positions import Positions

FENS: Final = [
    None,
    "4k2r/8/8/8/8/8/8/4R2K w k - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "r3k2r/1P6/8/8/8/8/6p1/R3K2R b KQkq - 11 42",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/KQQQQQQk b - - 999 99999",
    "kkkkkkkk/pppppppp/8/3Pp3/8/8/PPPPPPPP/KKKKKKKK w - e6 0 1",
    "PPPPPPPP/8/8/8/8/8/8/pppppppp b - - 0 1",
    "no FEN",
]
TEXTS: Final = [
    "",
    "Anna",
    'a "b" \\',
    "line\nbreak",
    "[%clk 1:00:00] } {",
    "\x00\x1a",
    "é" * 50,
    ";",
    "(",
    "x" * 300,
    None,
]
QUERIES: Final = (
    "is_mate", "is_check", "legal_moves > 60", "attacks(us) & them", "count(us.pawns) > 9", "ply > 3", "passed",
    "count(white.queens) >= 2", "fork",
)  # fmt: skip
VERBOSE = bool(os.environ.get("HOSTILE_VERBOSE"))
CLEAR: Final = (ValueError, TypeError, OSError, KeyError)


def moves_of(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return `n` words of one of several kinds: any, ordinary moves, moves of a game with some words changed."""
    kind = rng.choice([0, 1, 1, 1, 2, 3, 4])
    words = rng.integers(0, 1 << 16, n)
    if kind == 1:
        words &= 0xFFF
    elif kind == 2:
        words = (words & 0xFFF) | rng.integers(1, 4, n) << 14
    elif kind >= 3:
        board = rookery.Board()
        legal: list[int] = []
        while len(legal) < n and (moves := board.generate_legal_moves()):
            move = moves[int(rng.integers(len(moves)))]
            legal.append(int(move))
            board.push(move)
        words[: len(legal)] = legal
        changed = rng.integers(0, max(n, 1), 0 if kind == 4 or not n else int(rng.integers(1, 4)))
        words[changed] = rng.integers(0, 1 << (12 if rng.integers(2) else 16), changed.size)
        words = words[: max(len(legal), 1)] if rng.integers(2) else words
    return words.astype(np.uint16)


def lists_of(rng: np.random.Generator, lengths: list[int], make: Callable[[int], Any], kind: pa.DataType) -> pa.Array:
    return pa.array([make(n) for n in lengths], pa.list_(kind))


def floats(rng: np.random.Generator, n: int) -> list[float]:
    odd = [np.nan, np.inf, -np.inf, -1.0, 0.0, 1e-30, 1e15, 3e38, 999.0, -997.0, 0.05, 12345.678, 1e14]
    return [float(np.float32(odd[i])) for i in rng.integers(0, len(odd), n)]


def any_of(rng: np.random.Generator, values: list[Any], n: int) -> list[Any]:
    return [values[i] for i in rng.integers(0, len(values), n)]


# Columns of types that no column of ours has.
WRONG_TYPES: Final[tuple[Callable[[int], tuple[Any, ...]], ...]] = (
    lambda n: ([None] * n,),
    lambda n: ([1] * n, pa.int8()),
    lambda n: ([[1, None]] * n, pa.list_(pa.int64())),
    lambda n: ([[1 << 40]] * n, pa.list_(pa.int64())),
    lambda n: ([["a"]] * n, pa.list_(pa.string())),
    lambda n: ([{"ply": 1}] * n,),
    lambda n: ([[{"ply": "x", "text": 1}]] * n,),
    lambda n: ([b"x"] * n, pa.binary()),
    lambda n: ([1.5] * n, pa.float64()),
)


def table_of(rng: np.random.Generator) -> pa.Table:
    """Return a table of games with random columns."""
    n = int(rng.integers(0, 12))
    moves = [moves_of(rng, int(rng.choice([0, 1, 5, 60, 300]))) for _ in range(n)]
    lengths = [words.size for words in moves]
    columns: dict[str, Any] = {"moves": pa.array(moves, pa.list_(pa.uint16()))}
    ints = [0, 1, -1, 2, 3, 7, 1 << 20, -(1 << 31), (1 << 31) - 1]
    wide = [*ints, 1 << 62, -(1 << 63), (1 << 63) - 1]

    def given(chance: float = 0.5) -> bool:
        return bool(rng.random() < chance)

    for name in ("clocks", "evals", "emts"):
        if given():
            own = lengths if given(0.95) else [length + 1 for length in lengths]
            columns[name] = lists_of(rng, own, lambda length: floats(rng, length), pa.float32())
    for name in ("White", "Black", "Event", "ECO", "Opening", "TimeControl", "odd name", ""):
        if given(0.4):
            columns[name] = pa.array(any_of(rng, TEXTS, n), pa.string())
    for name in ("WhiteElo", "BlackElo", "WhiteRatingDiff", "number", "offset", "row", "Round"):
        if given(0.4):
            columns[name] = pa.array(any_of(rng, [*wide, None], n), pa.int64())
    for name in ("UTCDate", "date", "Date"):
        if given(0.3):
            columns[name] = pa.array(any_of(rng, [*ints, None], n), pa.int32()).cast(pa.date32())
    if given(0.7):
        columns["Result"] = pa.array(any_of(rng, ["1-0", "0-1", "1/2-1/2", "*", None, *(["?"] * given(0.1))], n))
    if given():
        columns["start"] = pa.array(any_of(rng, FENS[: -1 if given(0.8) else None], n), pa.string())
        columns["chess960"] = pa.array(any_of(rng, [True, False, None], n), pa.bool_())
    for name in ("comments", "variations"):
        if given(0.4):
            kind = pa.struct([("ply", pa.int32()), ("text", pa.string())])
            rows = [{"ply": ply, "text": text} for ply in ints for text in TEXTS[:-1]]
            columns[name] = pa.array([any_of(rng, rows, int(rng.integers(4))) for _ in range(n)], pa.list_(kind))
    if given(0.4):
        kind = pa.struct([("ply", pa.int32()), ("nag", pa.int32())])
        rows = [{"ply": ply, "nag": nag} for ply in ints for nag in ints]
        columns["nags"] = pa.array([any_of(rng, rows, int(rng.integers(4))) for _ in range(n)], pa.list_(kind))
    if given(0.4):
        tags = [(name, text) for name in ("FEN", "Date", "White", "x", "") for text in TEXTS[:-1]]
        columns["tags"] = pa.array(
            [any_of(rng, tags, int(rng.integers(4))) for _ in range(n)], pa.map_(pa.string(), pa.string())
        )
    if given(0.1):  # as no Arrow library writes them
        data = pa.array(any_of(rng, [b"\xff\xfe", b"Anna", b"\xc3", None], n), pa.binary())
        columns[str(rng.choice(["White", "ECO", "x"]))] = pa.Array.from_buffers(pa.string(), n, data.buffers())
    if given(0.1):
        name = str(
            rng.choice(["moves", "clocks", "tags", "nags", "comments", "start", "fault", "plies", "Result", "x"])
        )
        columns[name] = pa.array(*WRONG_TYPES[rng.integers(len(WRONG_TYPES))](n))
    if given(0.2):
        fault = GameError("file", 1, 2, 3, "move 1.", "e5", "bad")._asdict()
        columns["fault"] = pa.array(any_of(rng, [fault, None], n), report_type())
    if given(0.3):
        columns["text"] = pa.array(any_of(rng, [b"1. e4 *\n\n", b"\xff\x00", b"", None], n), pa.binary())
    if given():  # summaries that say anything
        columns["plies"] = pa.array(any_of(rng, [*ints, None], n), pa.int32())
        texts = ["KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP", "KvK", "v", "vv", "", "x" * 300 + "v", "Q" * 300 + "v", None]
        columns["final_signature"] = pa.array(any_of(rng, texts, n), pa.string())
        columns["promotions"] = pa.array(any_of(rng, ["", "Q", "q" * 300, "x", None], n), pa.string())
        for name in ("white_pawn_squares", "black_pawn_squares"):
            columns[name] = pa.array(any_of(rng, [0, 1, (1 << 64) - 1, None], n), pa.uint64())
    return pa.table(columns)


def write_file(rng: np.random.Generator, path: Path) -> None:
    """Write a file of games with random columns, whose digests say that all moves are legal."""
    table = table_of(rng)
    size = int(rng.integers(1, max(table.num_rows, 1) + 1))
    groups = [table.slice(start, size) for start in range(0, table.num_rows, size)] if table.num_rows else []
    digests = [[checked_moves.digest(part) for part in checked_moves._batches(group)] for group in groups]
    metadata = {checked_moves._KEY: json.dumps(digests).encode()}
    if rng.integers(2):
        metadata[ABOUT] = json.dumps({"format": FORMAT}).encode()
    if rng.random() < 0.1:
        keys = (ABOUT, checked_moves._KEY, b"rookery games left out", b"rookery games warnings left out")
        texts = (b"", b"[", b"null", b"[[[]]]", b'{"format": 9}', b'{"number": 1, "errors": [{}]}', b"\xff")
        metadata[keys[rng.integers(len(keys))]] = texts[rng.integers(len(texts))]
    pq.write_table(table.replace_schema_metadata(metadata), path, row_group_size=size)


def uses_of(games: Any, out: Path, rng: np.random.Generator) -> Iterator[Callable[[], Any]]:
    """Yield what is done with games in memory."""
    some = rng.integers(0, max(len(games), 1), min(len(games), 3))
    yield lambda: [repr(games), games._repr_html_()]
    yield lambda: games.positions("all").legal_moves()
    yield lambda: games.positions("last").to_fens()
    yield lambda: about(games.positions("all", every=3), rng)
    yield lambda: games.summaries().final_signature
    yield lambda: games.opening_tree().to_arrow()
    yield lambda: games.opening_tree(4).root.moves
    yield lambda: b"".join(texts_of(games))
    yield lambda: b"".join(texts_of(games, export=True))
    yield lambda: games.to_arrow()
    yield lambda: games.duplicates()
    yield lambda: games.unique()
    yield lambda: [games.moving_pieces(), games.captured_pieces()]
    yield lambda: [games[int(i)] for i in some]
    yield lambda: games[some[::-1]].positions("after").to_epds()
    yield lambda: [games.positions("all").tracked(square) for square in (0, 12, 60)]
    yield lambda: [games.positions("all").clock(), games.positions("all").eval_before("us")]
    for name in ("binpack", "viriformat", "bulletformat", "bin", "plain"):
        yield functools.partial(write_rows, games, out / f"out.{name}")
    for query in QUERIES:
        yield functools.partial(games.search, query, context=3)
    yield lambda: games.search("is_check", sort_by="legal_moves", limit=3)


def write_rows(games: Any, path: Path) -> None:
    """Write games as training data."""
    rookery.write_training(rookery.ScoredPositions.from_games(games), path)


def about(p: Positions, rng: np.random.Generator) -> None:
    """Ask all that can be asked of positions."""
    words = rng.integers(0, 1 << 16, len(p)).astype(np.uint16)
    p.attack_maps(), p.attacks(), p.checkers(), p.pinned(), p.king_danger(), p.keys(), p.is_checkmate()
    p.is_stalemate(), p.is_valid(), p.legal_move_counts(), p.legal_moves(), p.captures(), p.material(), p.mobility()
    p.motif("passed"), p.named_mates(), p.outcomes(), p.pieces(), p.planes(), p.policy_mask(), p.signature(), p.tags()
    p.to_fens(), p.to_fens(shredder=True), p.to_epds(), p.unique(), p.rollouts(1, max_plies=20, moves=True)
    p.policy_mask("leela"), p.random_moves(3), p.discoverers(), p.pinners(), p.king_square("us"), p.forks("knight", "q")
    p.moving_pieces(words), p.captured_pieces(words), p.uci(words)
    for layout in ("alphazero", "leela"):
        with contextlib.suppress(ValueError):
            p.policy_index(words, layout)
    with contextlib.suppress(ValueError):
        p.san(words)
    with contextlib.suppress(ValueError):
        p.play(words)
    with contextlib.suppress(ValueError):
        p.play(words, check=False)
    Positions.from_numpy(p.to_numpy(), check=False).to_fens()


def uses_of_file(path: Path, out: Path) -> Iterator[Callable[[], Any]]:
    """Yield what is done with a file of games."""
    yield lambda: list(rookery.scan_pgn(path))
    yield lambda: rookery.read_pgn(path, where="WhiteElo > 0 or plies > 3", headers=["White"])
    yield lambda: rookery.read_parquet(path, where="White == 'Anna'")
    for query in QUERIES:
        yield functools.partial(rookery.search, path, query, headers=["White", "x"])
    yield lambda: rookery.write_pgn(rookery.scan_pgn(path), out / "out.pgn")
    yield lambda: rookery.write_parquet(rookery.scan_pgn(path), out / "out.parquet")
    yield lambda: rookery.annotate(path, out / f"out-{next(NUMBERS)}.csv", "legal_moves")
    yield lambda: rookery.make_dataset(path, out / f"dataset-{next(NUMBERS)}", split=[1])


NUMBERS: Final = itertools.count()


def uses(number: int, folder: Path) -> Iterator[Callable[[], Any]]:
    """Write a file, and yield what is done with it."""
    rng = np.random.default_rng(number)
    path = folder / f"{number}.parquet"
    write_file(rng, path)
    yield from uses_of_file(path, folder)
    read: list[Any] = []
    yield lambda: read.append(rookery.read_parquet(path))
    for games in read:
        yield from uses_of(games, folder, rng)
    path.unlink()


def main(uses: Callable[[int, Path], Iterator[Callable[[], Any]]], folder: str, first: str, last: str) -> None:
    """Use files number `first` to `last`; end with status 1 if an error is not a clear one."""
    warnings.simplefilter("ignore")
    done = refused = faults = 0
    for number in range(int(first), int(last)):
        print(number, flush=True)  # before a crash
        for use in uses(number, Path(folder)):
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    use()
                done += 1
            except CLEAR as error:
                refused += 1
                if isinstance(error, (UnicodeError, json.JSONDecodeError)) or not str(error):
                    print(f"file {number}:", traceback.format_exc(limit=-6), file=sys.stderr)
                    faults += 1
                if VERBOSE:
                    print("R", type(error).__name__, str(error)[:160].replace("\n", " "), file=sys.stderr)
            except Exception:  # an error out of the depths
                print(f"file {number}:", traceback.format_exc(limit=-6), file=sys.stderr)
                faults += 1
    print(f"{done} done, {refused} refused, {faults} faults")
    sys.exit(int(faults > 0))


if __name__ == "__main__":
    main(uses, *sys.argv[1:])
