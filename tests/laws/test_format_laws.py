"""Laws of formats: reading returns what was written. A table lists the formats; tests compare it with the library's.

Where a format loses something of each row, what was read once is written and read again without a change.
"""

import inspect
import pickle
import random
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import chess
import chess.polyglot
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import rookery
from damaged_games import GAMES
from game_samples import UGLY
from meeting_games import made_games
from played_games import play
from random_plans import any_plan, done
from random_positions import random_position
from random_queries import Allowed, any_query, refused
from rookery import (
    Bitboard,
    Board,
    Games,
    Move,
    Piece,
    Placement,
    Plan,
    Positions,
    Query,
    ScoredPositions,
    pgn,
    read_pgn,
    scan,
)
from rookery.aliases import PolicyLayout
from rookery.bitboards.squares import MAPPING_NAMES
from rookery.data.pipeline.outputs import SUFFIXES
from rookery.data.training.formats import FORMATS
from rookery.sources import files
from thinning import examples
from training_samples import games as entries
from training_samples import rows_of

Law = Callable[[random.Random, Path], None]
LAWS: Final[dict[str, Law]] = {}
SOUND: Final = UGLY.partition('[Event "No moves"]')[0]
# Names of functions and methods that read, with the law that holds of each.
READ_BY: Final[dict[str, str]] = {}


def law(name: str, *read_by: str) -> Callable[[Law], Law]:
    """Enter a law of a format in the table, with the functions that read it."""

    def enter(function: Law) -> Law:
        LAWS[name] = function
        READ_BY.update(dict.fromkeys(read_by, name))
        return function

    return enter


# Some of each kind.


def board_of(rng: random.Random) -> Board:
    board = random_position(rng, chess960=rng.random() < 0.5)
    return Board(board.fen(en_passant="fen"), board.chess960)


def boards_of(rng: random.Random) -> list[Board]:
    return [board_of(rng) for _ in range(8)]


def games_of(rng: random.Random) -> Games:
    texts = [play(rng).text.encode(), *rng.sample(GAMES, 2), made_games(3, rng.randrange(99)).encode(), UGLY.encode()]
    return read_pgn(b"\n\n".join(texts), headers="all", comments=True, nags=True, variations=True)


def training_of(rng: random.Random) -> ScoredPositions:
    first = rng.randrange(400)
    return rows_of(entries(12)[first : first + rng.randrange(1, 90)])


# Positions.


@law("FEN", "Positions.from_fens", "Positions.scan_fens", "Positions.from_boards")
def fens(rng: random.Random, folder: Path) -> None:
    del folder
    boards = boards_of(rng)
    for board in boards:
        for shredder in (False, True):
            # Files of rooks are those of Chess960: a reader refuses them for a classical board.
            again = Board(
                board.fen(shredder=shredder, en_passant="fen"), board.chess960 or (None if shredder else False)
            )
            assert again.words().tolist()[:10] == board.words().tolist()[:10]
            assert again == board
            assert again.fen(shredder=shredder) == board.fen(shredder=shredder)
    positions = Positions.from_boards(boards)
    for chess960 in (False, True):
        some = positions[positions.chess960 == chess960]
        assert Positions.from_fens(some.to_fens(), chess960=chess960) == some
        lines = "\n".join(some.to_fens()).encode()
        assert Positions.concatenate([some[:0], *Positions.scan_fens(lines, chess960=chess960)]) == some
    assert [board.fen() for board in positions] == [board.fen() for board in boards]


@law("EPD", "Board.from_epd")
def epds(rng: random.Random, folder: Path) -> None:
    del folder
    for board in boards_of(rng):
        moves = rng.sample(list(board.legal_moves), min(2, board.count_legal_moves()))
        moves.sort(key=board.san)
        operations: dict[str, Any] = {"id": 'a "b" \\ c;', "c0": "", "acd": rng.randrange(99), "ce": -rng.randrange(99)}
        operations |= {"bm": moves, "pm": moves[0]} if moves else {}
        text = board.epd(hmvc=board.halfmove_clock, fmvn=board.fullmove_number, **operations)
        again, found = Board.from_epd(text, board.chess960)
        assert again == board
        assert {name: found[name] for name in operations} == operations
        assert again.epd(**found) == text


@law("pieces of a FEN", "Placement.from_fen", "Piece.from_symbol")
def placements(rng: random.Random, folder: Path) -> None:
    del folder
    for board in boards_of(rng):
        assert Placement.from_fen(board.board_fen()) == board.placement
        other = Board.empty(chess960=board.chess960)
        other.set_board_fen(board.board_fen())
        assert other.piece_map() == board.piece_map()
        assert {
            square: Piece.from_symbol(str(piece)) for square, piece in board.piece_map().items()
        } == board.piece_map()


@law("words, and numbers of Chess960", "Board.from_words", "Board.from_chess960_pos")
def words(rng: random.Random, folder: Path) -> None:
    del folder
    for board in boards_of(rng):
        options = {"halfmove_clock": board.halfmove_clock, "fullmove_number": board.fullmove_number}
        again = Board.from_words(board.words().tolist(), chess960=board.chess960, **options)
        assert (again, again.fen(en_passant="fen")) == (board, board.fen(en_passant="fen"))
    number = rng.randrange(960)
    assert Board.from_chess960_pos(number).chess960_pos() == number


@law("boards of python-chess", "Board.from_chess")
def boards_of_python_chess(rng: random.Random, folder: Path) -> None:
    del folder
    theirs = play(rng).board
    assert Board.from_chess(theirs).to_chess() == theirs
    assert Board.from_chess(theirs).to_chess().move_stack == theirs.move_stack


@law(
    "Arrow and NumPy", "Positions.from_arrow", "Positions.from_numpy", "Games.from_arrow", "ScoredPositions.from_arrow"
)
def tables(rng: random.Random, folder: Path) -> None:
    del folder
    positions, games, rows = Positions.from_boards(boards_of(rng)), games_of(rng), training_of(rng)
    assert Positions.from_numpy(positions.to_numpy()) == positions
    for frame in (
        positions,
        games,
        rows,
        games.search("is_check", headers=["White"]),
        positions.legal_moves(),
        games.moves,
    ):
        assert type(frame).from_arrow(frame.to_arrow()) == frame
        buffer = pa.BufferOutputStream()
        with pa.ipc.new_stream(buffer, frame.to_arrow().schema) as writer:
            writer.write_table(frame.to_arrow())
        assert type(frame).from_arrow(pa.ipc.open_stream(buffer.getvalue()).read_all()) == frame


# Moves.


@law("SAN, LAN, UCI and XBoard", "Board.parse_san", "Board.parse_uci", "Board.parse_xboard", "Positions.parse_san")
def moves(rng: random.Random, folder: Path) -> None:
    del folder
    for board in boards_of(rng):
        for move in board.legal_moves:
            assert board.parse_san(board.san(move)) == board.parse_san(board.lan(move)) == move
            assert board.parse_xboard(board.xboard(move)) == board.parse_uci(board.uci(move)) == move
    positions = Positions.from_boards(boards_of(rng))
    found = positions.legal_moves()
    rows = np.repeat(np.arange(len(positions)), np.diff(found.offsets))
    assert positions[rows].parse_san(positions.san(found)).tolist() == found.moves.tolist()


@law("words of moves", "Move.from_uci", "Move.from_word")
def words_of_moves(rng: random.Random, folder: Path) -> None:
    del folder
    for board in boards_of(rng):
        for move in board.legal_moves:
            assert Move.from_word(board.move_word(move), chess960=board.chess960) is move
            assert Move.from_uci(str(move)).uci() == move.uci()


def layout_law(layout: Any) -> Law:
    def policy(rng: random.Random, folder: Path) -> None:
        del folder
        boards = [
            board for board in (random_position(rng, chess960=False) for _ in range(20)) if any(board.legal_moves)
        ]
        positions = Positions.from_fens([board.fen() for board in boards])
        chosen = np.array([rng.choice(list(found)) for found in positions.legal_moves()], np.uint16)
        indices = positions.policy_index(chosen, layout)
        assert positions.policy_index(positions.policy_moves(indices, layout), layout).tolist() == indices.tolist()
        differs = positions.policy_moves(indices, layout) != chosen
        assert not differs.any() or layout == "pawn", positions[differs].to_fens()

    return policy


LAYOUTS: Final = typing.get_args(PolicyLayout)
for _layout in LAYOUTS:
    law(f"policy: {_layout}")(layout_law(_layout))


# Sets of squares.


@law("sets of squares", "Bitboard.from_squares", "parse_square", "SquareSet.from_square")
def sets(rng: random.Random, folder: Path) -> None:
    del folder
    board = Bitboard(rng.getrandbits(64) & rng.getrandbits(64))
    assert Bitboard.from_squares(list(board)) == board
    assert [rookery.parse_square(name) for name in board.names()] == list(board)
    assert [rookery.parse_square(rookery.square_name(square)) for square in range(64)] == list(range(64))
    square = rng.randrange(64)
    assert list(rookery.SquareSet.from_square(square)) == [square]
    for source in MAPPING_NAMES:
        target = rng.choice(MAPPING_NAMES)
        assert rookery.convert_board(rookery.convert_board(int(board), source, target), target, source) == board
        assert rookery.convert_square(rookery.convert_square(square, source, target), target, source) == square


# Games.


@law("PGN", "read_pgn", "scan_pgn")
def games_as_pgn(rng: random.Random, folder: Path) -> None:
    games = games_of(rng)
    for suffix in ("pgn", "pgn.gz", "pgn.zst"):
        rookery.write_pgn(games, folder / f"games.{suffix}")
        again = read_pgn(folder / f"games.{suffix}", headers="all", comments=True, nags=True, variations=True)
        assert list(map(str, again)) == list(map(str, games))
        rookery.write_pgn(again, folder / f"again.{suffix}")
        assert read_pgn(
            folder / f"again.{suffix}", headers="all", comments=True, nags=True, variations=True
        ) == Games.concatenate(
            rookery.scan_pgn(folder / f"games.{suffix}", headers="all", comments=True, nags=True, variations=True)
        )


@law("PGN as trees", "pgn.read", "pgn.read_game", "pgn.read_tree")
def trees(rng: random.Random, folder: Path) -> None:
    del folder
    for text in (play(rng).text, *(game.decode("utf-8", "replace") for game in rng.sample(GAMES, 2)), UGLY):
        for game in pgn.read(text):
            if isinstance(game, pgn.Game):
                assert pgn.read_game(str(game)) == game
                assert str(pgn.read_game(str(game))) == str(game)


@law("Parquet and Arrow files", "read_parquet", "scan_parquet")
def games_as_tables(rng: random.Random, folder: Path) -> None:
    games = games_of(rng)
    rookery.write_parquet(games, folder / "games.parquet")
    assert rookery.read_parquet(folder / "games.parquet") == games
    assert Games.concatenate(rookery.scan_parquet(folder / "games.parquet")) == games
    rookery.write_parquet(games, folder / "games.arrow")
    assert read_pgn(folder / "games.arrow") == games


@law("books of Polyglot", "read_book")
def books(rng: random.Random, folder: Path) -> None:
    book = read_pgn(made_games(30, rng.randrange(99)).encode()).opening_tree().to_book()
    book.write(folder / "book.bin")
    again = rookery.read_book(folder / "book.bin")
    assert again == book
    again.write(folder / "again.bin")
    assert (folder / "again.bin").read_bytes() == (folder / "book.bin").read_bytes()
    with chess.polyglot.open_reader(folder / "book.bin") as reader:
        assert [(entry.key, entry.weight) for entry in reader] == list(
            zip(book.key.tolist(), book.weight.tolist(), strict=True)
        )


@law("indices", "open_index", "GameIndex.read_games")
def indices(rng: random.Random, folder: Path) -> None:
    (folder / "games.pgn").write_text(made_games(9, rng.randrange(99)), encoding="utf-8")
    games = read_pgn(folder / "games.pgn")
    rookery.index_games(folder / "games.pgn", folder / "index", force=True)
    index = rookery.open_index(folder / "index")
    assert index.games == len(games)
    assert list(map(str, index.read_games(range(len(games))))) == list(map(str, games))


# Training data.


def training_law(name: str) -> Law:
    def written(rng: random.Random, folder: Path) -> None:
        rows, first, second = training_of(rng), folder / "first", folder / "second"
        result = rookery.write_training(rows, first, name)
        again = rookery.read_training(first, name)
        assert len(again) == result.written == len(rows) - sum(result.dropped.values())
        if not result.lost and not result.dropped:
            assert again == rows
        if "moves" not in result.lost and "exact scores: they become Q" not in result.lost:
            rookery.write_training(again, second, name, no_result="draw")
            assert rookery.read_training(second, name).positions == again.positions
            assert rookery.read_training(second, name).moves.tolist() == again.moves.tolist()
        if not result.lost:
            assert second.read_bytes() == first.read_bytes()
        rookery.write_training(rows, folder / "packed.zst", name)
        assert rookery.read_training(folder / "packed.zst", name) == again
        parts = list(rookery.scan_training(first, name, batch=1 + rng.randrange(9)))
        assert ScoredPositions.concatenate([rows[:0], *parts]) == again

    return written


WRITTEN: Final = [found.name for found in FORMATS if found.writing is not None]
for _format in WRITTEN:
    law(f"training data: {_format}", "read_training", "scan_training")(training_law(_format))


@law("datasets", "open_dataset")
def datasets(rng: random.Random, folder: Path) -> None:
    rows = training_of(rng)
    rookery.write_training(rows, folder / "rows.plain")
    made = folder / f"set {rng.random()}"
    rookery.make_dataset(folder / "rows.plain", made, split=[1.0], shards=2)
    assert rookery.open_dataset(made).read() == rows


# Rows of plans.


def rows_law(suffix: str) -> Law:
    def written(rng: random.Random, folder: Path) -> None:
        text = f"{made_games(4, rng.randrange(99))}\n\n{SOUND}"  # an opening is missing, and one is an empty text
        (folder / "games.pgn").write_text(text, encoding="utf-8")
        plan = scan(folder / "games.pgn").select(
            "fen", "number", "White", "Opening", "WhiteElo", value="count(occupied) / 3"
        )
        plan.write(folder / f"rows{suffix}", force=True)
        table = scan(folder / f"rows{suffix}").collect().select(plan.collect().column_names)
        assert table.to_pylist() == plan.collect().to_pylist()

    return written


for _suffix in SUFFIXES:
    law(f"rows: {_suffix}")(rows_law(_suffix))


# Objects and texts.


@law("pickles")
def pickles(rng: random.Random, folder: Path) -> None:
    del folder
    board = board_of(rng)
    for move in list(board.legal_moves)[:1]:
        board.push(move)
    games = games_of(rng)
    same: list[Any] = [
        *(board, *board.legal_moves, board.placement, board.occupied, *board.piece_map().values()),
        *(games, games.moves, games.positions("all"), games.search("is_check", context=1), training_of(rng)),
        *(Positions.from_boards(boards_of(rng)), board.outcome(), rookery.SquareSet(5)),
        *(pgn.read_game(str(game)) for game in games[:2]),
    ]
    for value in same:
        again = pickle.loads(pickle.dumps(value))
        assert type(again) is type(value)
        assert again == value
    for technique in rng.sample(list(rookery.techniques()), 3):
        assert pickle.loads(pickle.dumps(technique)) is technique


@law("documents with a digest")
def documents(rng: random.Random, folder: Path) -> None:
    kind = files.Kind("test", "a test 1")
    content = {
        "é": [rng.random(), rng.getrandbits(80), None, {"a": [True, "\n😀"]}],
        "": -rng.random() * 1e300,
    }
    files.save(folder / "document", kind, content)
    assert files.load(folder / "document", kind) == content


@examples(200, 30, suppress_health_check=list(HealthCheck))
@given(any_query(Allowed(3, games=True, move=True, sequences=2)))
def test_texts_of_queries_are_read_back(text: str) -> None:
    if refused(text):
        return
    query = Query(text)
    for again in (Query(query.text), eval(repr(query)), pickle.loads(pickle.dumps(query))):
        assert (again.text, str(again.plan.root), again.headers) == (query.text, str(query.plan.root), query.headers)


@examples(200, 30, suppress_health_check=list(HealthCheck))
@given(any_plan())
def test_a_plan_prints_as_python_that_makes_it(verbs: list[Any]) -> None:
    plan = done(scan("games.pgn"), *verbs)
    again = eval(repr(plan), {"scan": scan})
    assert isinstance(again, Plan)
    assert (repr(again), again._steps) == (repr(plan), plan._steps)
    assert repr(pickle.loads(pickle.dumps(plan))) == repr(plan)


@pytest.mark.parametrize("name", LAWS)
@examples(50, 2, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**20))
def test_what_is_written_is_read(name: str, seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    LAWS[name](random.Random(seed), tmp_path_factory.mktemp("formats"))


# The table is complete.

NOT_OF_A_FORMAT: Final = {
    "ScoredPositions.from_games": "computes rows",
    "Games.parse_errors": "is a column",
    "Move.from_square": "is a square",
    "read_opening_names": "is written by others",
    "pgn.Game.from_board": "makes a game of a board",
    "pgn.read_headers": "reads a part of a game: tests/pgn",
}


def test_every_function_that_reads_has_a_law() -> None:
    def of(module: Any, prefix: str) -> set[str]:
        begins = ("from_", "parse_", "read_", "open_", "scan_")
        found = set()
        for name, value in {name: getattr(module, name) for name in dir(module)}.items():
            if inspect.isclass(value):
                own = {attribute for attribute in dir(value) if attribute not in dir(int) and attribute not in dir(str)}
                found |= {f"{prefix}{name}.{attribute}" for attribute in own if attribute.startswith(begins)}
            elif inspect.isfunction(value) and name.startswith(begins):
                found.add(prefix + name)
        return found

    public = of(rookery, "") | of(rookery.pgn, "pgn.")
    for name in dir(rookery):  # some are imported on first use
        value = getattr(rookery, name)
        if not name.startswith("_") and inspect.isclass(value):
            public |= {
                f"{name}.{a}" for a in dir(value) if a.startswith(("from_", "parse_", "read_")) and a not in dir(int)
            }
        elif name.startswith(("read_", "open_", "parse_", "scan_")):
            public.add(name)
    assert public - READ_BY.keys() - NOT_OF_A_FORMAT.keys() == set()


def test_every_format_has_a_law() -> None:
    kinds = {"training data": WRITTEN, "policy": LAYOUTS, "rows": SUFFIXES}
    for kind, names in kinds.items():
        assert {name for name in LAWS if name.startswith(f"{kind}: ")} == {f"{kind}: {name}" for name in names}
