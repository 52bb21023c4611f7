"""Reading games, compared with the peers that are installed: bare games, and games with clocks as Lichess writes them.

The games are random games of this library, so every reader gets the same moves, and the text belongs to nobody. The
Rust reader returns the board of every ply, as rookery does in the rows that say so; python-chess builds a tree of
nodes.
"""

import functools
import io
import operator
import os
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rookery.bench.machine import describe
from rookery.bench.turns import TimedRow, TimedWork, compare_all, installed
from rookery.board.board import Board
from rookery.games.games import Games
from rookery.games.interchange.parquet import scan_parquet, write_parquet
from rookery.games.read.reader import read_pgn, scan_pgn
from rookery.games.write.writer import write_pgn
from rookery.results import DRAWN

RUST: Final = "rust_pgn_reader_python_binding"
PYTHON_CHESS: Final = "chess"
DISTINCT: Final = 400  # games, repeated up to the requested length
_CHOSEN: Final = DISTINCT // 100
_FEW: Final = 100  # games for python-chess
_BATCH: Final = 5000
_BLOCK: Final = 1 << 14  # positions at once


def game_text(rng: random.Random, *, clocks: bool) -> str:
    """Return a random game of up to 160 plies, with the headers of a game from Lichess."""
    board = Board()
    moves: list[str] = []
    for _ in range(rng.randrange(20, 160)):
        legal = list(board.legal_moves)
        if not legal:
            break
        moves.append(board.san_and_push(rng.choice(legal)))
    return text_of(moves, rng, clocks=clocks)


def text_of(moves: Sequence[str], rng: random.Random, *, clocks: bool, result: str = DRAWN, seconds: int = 600) -> str:
    """Return a game as PGN, with random headers and clocks like those of a game from Lichess.

    `moves` are in SAN, and both players begin with so many seconds.
    """
    words: list[str] = []
    left = [seconds, seconds]
    for ply, san in enumerate(moves):
        black = ply % 2
        if not black or clocks:
            words.append(f"{ply // 2 + 1}{'...' if black else '.'}")
        words.append(san)
        if clocks:
            left[black] = max(left[black] - rng.randrange(12), 0)
            words.append(f"{{ [%clk 0:{left[black] // 60:02}:{left[black] % 60:02}] }}")
    headers = {
        "Event": "Rated Blitz game",
        "Site": f"https://lichess.org/{rng.randrange(16**8):08x}",
        "Date": "2025.05.01",
        "Round": "-",
        "White": f"player{rng.randrange(10**6)}",
        "Black": f"player{rng.randrange(10**6)}",
        "Result": result,
        "UTCDate": "2025.05.01",
        "UTCTime": f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}",
        "WhiteElo": str(rng.randrange(600, 2800)),
        "BlackElo": str(rng.randrange(600, 2800)),
        "WhiteRatingDiff": f"{rng.randrange(-9, 10):+}",
        "BlackRatingDiff": f"{rng.randrange(-9, 10):+}",
        "ECO": "A00",
        "Opening": "A random opening",
        "TimeControl": f"{seconds}+0",
        "Termination": "Normal",
    }
    tags = "".join(f'[{name} "{value}"]\n' for name, value in headers.items())
    return f"{tags}\n{' '.join(words)} {result}\n"


@functools.cache
def texts(clocks: bool) -> tuple[str, ...]:
    """Return some games, the same in every run."""
    rng = random.Random(1)
    return tuple(game_text(rng, clocks=clocks) for _ in range(DISTINCT))


def _plies(source: Any, **options: Any) -> int:
    return sum(int(games.moves.moves.size) for games in scan_pgn(source, games=_BATCH, **options))


def _boards(source: Any) -> int:
    batches = scan_pgn(source, games=_BATCH)
    return sum(len(positions) for games in batches for positions in games.position_blocks(_BLOCK))


def rows(megabytes: int, folder: Path) -> Iterator[TimedRow]:
    """Yield the comparisons with the peers that are installed."""
    rust, chess, arrow = installed(RUST), installed(PYTHON_CHESS), installed("pyarrow")
    for name, clocks in (("with clocks", True), ("bare", False)):
        some = texts(clocks)
        times = max(megabytes * 10**6 // sum(map(len, some)), 1)
        data = ("\n".join(some) + "\n").encode() * times
        plies = int(read_pgn(data[: len(data) // times]).moves.moves.size) * times
        games = DISTINCT * times

        def right(answer: int, plies: int = plies) -> bool:
            return answer == plies

        moves = TimedWork(functools.partial(_plies, data), games, right)
        boards = TimedWork(functools.partial(_boards, data), games, right)
        theirs = None
        if rust and arrow:
            column = arrow.chunked_array([arrow.array(some * times)])
            parse: Callable[[], int] = functools.partial(_theirs, rust, column)
            theirs = TimedWork(parse, games, right)
        peer = (theirs, RUST, "boards of every ply, one thread") if theirs else (None, None, None)
        yield TimedRow(f"games {name}: the board of every ply", "games", boards, *peer)
        yield TimedRow(f"games {name}: moves, headers, clocks", "games", moves, *peer)
        if chess:
            few = "\n".join(some[:_FEW])
            their_few = TimedWork(functools.partial(_their_games, few), _FEW, lambda n: bool(n == _FEW))
            yield TimedRow(
                f"games {name}: moves, headers, clocks",
                "games",
                moves,
                their_few,
                PYTHON_CHESS,
                "a tree of nodes",
                "speed",
            )
        if clocks:
            yield TimedRow(f"{megabytes} MB {name}", "bytes", TimedWork(moves.call, len(data), right))
            headers = functools.partial(_count, data, moves=False)
            counted = functools.partial(operator.eq, games)
            yield TimedRow("headers alone", "bytes", TimedWork(headers, len(data), counted))
            sites = re.findall(r'\[Site "(.*?)"\]', "".join(some[:: DISTINCT // _CHOSEN]))
            chosen = functools.partial(_count, data, where=f"Site in {sites}")
            one_in_hundred = functools.partial(operator.eq, _CHOSEN * times)
            yield TimedRow(
                "one game in a hundred, by its headers", "bytes", TimedWork(chosen, len(data), one_in_hundred)
            )
            two = TimedWork(functools.partial(_plies, data, threads=2), games, right)
            yield TimedRow("two threads compared with one", "games", two, moves, "rookery, one thread")
            if packer := installed("zstandard"):
                path = folder / "games.pgn.zst"
                # A frame for each copy of the games: one that held them all would be packed to next to nothing.
                path.write_bytes(packer.ZstdCompressor(3).compress(data[: len(data) // times]) * times)
                packed = TimedWork(functools.partial(_plies, path, threads=2), games, right)
                yield TimedRow(
                    "packed by zstd compared with plain, two threads", "games", packed, two, "rookery, plain"
                )
        read = read_pgn(data)
        positions = functools.partial(_positions_of, read)
        yield TimedRow(f"positions from the moves of games {name}", "positions", TimedWork(positions, plies, right))
        written = functools.partial(write_pgn, read, os.devnull)
        yield TimedRow(
            f"games {name} written as PGN", "games", TimedWork(written, games, functools.partial(operator.eq, games))
        )
        if arrow and clocks:
            yield from _parquet(data, read, folder / "games.parquet")


def _parquet(data: bytes, games: Games, path: Path) -> Iterator[TimedRow]:
    n, plies = len(games), int(games.moves.moves.size)

    def converted() -> int:
        with scan_pgn(data, games=_BATCH) as scan:
            return write_parquet(scan, path)

    def replayed(check: bool) -> int:
        with scan_parquet(path, columns=[], check=check) as scan:
            return sum(map(_positions_of, scan))

    yield TimedRow("PGN to Parquet", "bytes", TimedWork(converted, len(data), functools.partial(operator.eq, n)))
    for name, check in (("Parquet to positions", False), ("the same, every move checked again", True)):
        work = TimedWork(functools.partial(replayed, check), plies, functools.partial(operator.eq, plies))
        yield TimedRow(name, "positions", work)


def _count(source: Any, **options: Any) -> int:
    return sum(len(games) for games in scan_pgn(source, games=_BATCH, **options))


def _positions_of(games: Any) -> int:
    return sum(len(positions) for positions in games.position_blocks(_BLOCK))


def _theirs(rust: Any, column: Any) -> int:
    return int(rust.parse_games(column, num_threads=1).num_moves)


def _their_games(text: str) -> int:
    pgn = installed("chess.pgn")
    file = io.StringIO(text)
    n = 0
    while pgn.read_game(file) is not None:
        n += 1
    return n


def measure(
    *, megabytes: int = 50, rounds: int = 7, progress: Callable[[str], None] = lambda what: None
) -> dict[str, Any]:
    """Time all rows; `progress` is called with each."""
    with tempfile.TemporaryDirectory() as folder:
        return {
            "benchmark": "games",
            "command": f"rookery bench games --megabytes {megabytes}",
            "machine": describe(),
            "rounds": rounds,
            "rows": compare_all(rows(megabytes, Path(folder)), rounds, progress),
        }
