"""Laws of rows: methods that work by rows commute with concatenation, ``f(a + b) == f(a) + f(b)``, in all tables.

`BY_ROWS` and `OTHERWISE` name every public method and property of each class, which a test checks: a new one must say
whether it goes by rows.
"""

import dataclasses
import functools
import pickle
import random
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import rookery
from game_samples import ugly
from meeting_games import made_games
from random_positions import random_position
from rookery import Board, Games, Positions, ScoredPositions, read_pgn
from rookery.data.index.answers import IndexHits
from rookery.data.training.row_positions import RowPositions
from rookery.frames.columns import Categorical, Lists, Numbers, Texts, values_of
from rookery.frames.frame import Frame
from rookery.games.openings.tables import OpeningTable
from rookery.games.positions.game_positions import GamePositions
from rookery.games.positions.later_positions import LaterPositions, LaterRows
from rookery.games.search.hits import Hits
from rookery.positions.moves import Moves
from rookery.positions.positions import MarkedPositions
from thinning import examples
from training_samples import games as entries
from training_samples import rows_of

Call = Callable[[Any], Any]


# Rows to put together.


@functools.cache
def positions(seed: int) -> Positions:
    rng = random.Random(seed)
    boards = [random_position(rng, chess960=seed % 2 == 1) for _ in range(9)]
    return Positions.from_boards([Board(board.fen(en_passant="fen"), board.chess960) for board in boards])


@functools.cache
def games(seed: int) -> Games:
    if seed == 0:
        return ugly()
    return read_pgn(made_games(5, seed).encode(), headers="all", comments=True, nags=True, variations=True)


@functools.cache
def training(seed: int) -> ScoredPositions:
    return rows_of(entries(12)[seed * 40 : seed * 40 + 30])


def hits(seed: int) -> Hits:
    return games(seed).search("white_to_move", headers=["White", "ECO"], context=1, sort_by="material")


class Case(NamedTuple):
    """A class of rows: how to make some, what goes by rows, and what does not, with the reason."""

    make: Callable[[int], Any]
    by_rows: dict[str, Call]
    otherwise: dict[str, str]


def plainly(names: str) -> dict[str, Call]:
    """Return calls without arguments, by their names."""

    def call(name: str) -> Call:
        def called(rows: Any) -> Any:
            value = getattr(rows, name)
            return value() if callable(value) else value

        return called

    return {name: call(name) for name in names.split()}


def without(*names: str) -> Call:
    """Return a call that drops columns which number what is put together."""
    return lambda rows: {name: values for name, values in rows.to_dict().items() if name not in names}


def first_moves(rows: Positions) -> Any:
    """Return a legal move of each position, the null move where there is none."""
    return np.array([moves[0] if len(moves) else 0 for moves in rows.legal_moves()], np.uint16)


def can_move(rows: Positions) -> Positions:
    return rows[rows.legal_move_counts() > 0]


def every_move(call: Callable[[Positions, Moves], Any]) -> Call:
    return lambda rows: call(rows, rows.legal_moves())


FRAME: Final = plainly("copy to_arrow to_dict to_pandas to_polars")
FRAME_OTHERWISE: Final = {"concatenate": "is the law", "nbytes": "two tables may share what one has"}
CASES: Final[dict[type[Frame], Case]] = {
    Positions: Case(
        positions,
        FRAME
        | plainly(
            "attack_counts attacks captures checkers chess960 columns discoverers fullmove_number halfmove_clock "
            "is_check is_checkmate is_stalemate is_valid keys king_danger king_square legal_move_counts "
            "legal_moves marked material named_mates outcomes pieces pinned pinners planes policy_mask "
            "polyglot_keys signature tags to_epds to_fens to_numpy turn"
        )
        | {
            "attack_maps": lambda rows: rows.attack_maps().T,
            "mobility": lambda rows: rows.mobility().T,
            "attacks_from": lambda rows: rows.attacks_from("e4", "queen"),
            "can_mate": lambda rows: rows.can_mate(limit=50),
            "is_dead": lambda rows: rows.is_dead(limit=50),
            "column": lambda rows: rows.column("knights"),
            "evaluate": lambda rows: rows.evaluate("attacks(us) & them.pieces"),
            "forks": lambda rows: rows.forks("queen", "rn"),
            "from_arrow": lambda rows: Positions.from_arrow(rows.to_arrow()),
            "from_boards": lambda rows: Positions.from_boards(list(map(Board, rows.to_fens()))),
            "from_fens": lambda rows: Positions.from_fens(rows.to_fens()),
            "from_numpy": lambda rows: Positions.from_numpy(rows.to_numpy()),
            "motif": lambda rows: rows.motif("isolated"),
            "captured_pieces": every_move(lambda rows, moves: rows.captured_pieces(moves)),
            "moving_pieces": every_move(lambda rows, moves: rows.moving_pieces(moves)),
            "see": every_move(lambda rows, moves: rows.see(moves)),
            "play": lambda rows: rows.play(first_moves(rows)),
            "uci": every_move(lambda rows, moves: rows.uci(moves)),
            "san": every_move(lambda rows, moves: rows.san(moves)),
            "parse_san": lambda rows: rows.parse_san(rows.san(first_moves(rows))),
            "policy_index": lambda rows: can_move(rows).policy_index(first_moves(can_move(rows))),
            "policy_moves": lambda rows: can_move(rows).policy_moves(
                can_move(rows).policy_index(first_moves(can_move(rows)))
            ),
            "progressive_mobility": lambda rows: rows.progressive_mobility("bishop", 2),
            "scan_fens": lambda rows: Positions.concatenate(Positions.scan_fens("\n".join(rows.to_fens()).encode())),
            "select": lambda rows: rows.select("material", check="is_check"),
            "taken": lambda rows: rows.taken(np.arange(len(rows))),
            "where": lambda rows: rows.where("white_to_move"),
        },
        FRAME_OTHERWISE
        | {
            "bad_lines": "numbers the lines of one text",
            "random_moves": "is random",
            "rollouts": "is random",
            "unique": "looks at all rows",
        },
    ),
    ScoredPositions: Case(
        training,
        FRAME
        | plainly("has_result has_score moves plies positions results scores white_results white_scores")
        | {
            "column": lambda rows: rows.column("score"),
            "evaluate": lambda rows: rows.evaluate("score > 0 and move.captures"),
            "from_arrow": lambda rows: ScoredPositions.from_arrow(rows.to_arrow()),
            "where": lambda rows: rows.where("result == 1"),
        },
        FRAME_OTHERWISE | {"from_games": "is a law of games"},
    ),
    Moves: Case(
        lambda seed: positions(seed).legal_moves(),
        FRAME
        | plainly("from_square hash kind lists moves promotion to_square")
        | {"column": lambda rows: rows.column("moves"), "from_arrow": lambda rows: Moves.from_arrow(rows.to_arrow())},
        FRAME_OTHERWISE
        | {
            "chess960": "is None if all are classical",
            "offsets": "count on",
            "missing": "is None where nothing is missing",
        },
    ),
    Games: Case(
        games,
        plainly("copy to_arrow to_dict to_polars")
        | plainly(
            "captured_pieces clocks date emts evals files is_bad moves moving_pieces nags numbers offsets "
            "parse_errors plies results scores starts tags variations comments warning_counts"
        )
        | {
            "board": lambda rows: [rows.board(i).fen() for i in range(len(rows))],
            "column": lambda rows: rows.column("Result"),
            "from_arrow": lambda rows: Games.from_arrow(rows.to_arrow()),
            "headers": lambda rows: dict(rows.headers),
            "summaries": lambda rows: dict(rows.summaries().columns),
            "positions": lambda rows: without("game")(rows.positions("all", every=2)),
            "position_blocks": lambda rows: without("game")(
                GamePositions.concatenate([rows.positions()[:0], *rows.position_blocks(7)])
            ),
            "search": lambda rows: without("game")(rows.search("is_check or ply == plies", headers=["White"])),
            "starts_of": lambda rows: rows.starts_of(np.arange(len(rows))),
            "warnings": lambda rows: [warning for _, warning in rows.warnings],
            "with_opening_names": lambda rows: rows.with_opening_names(b"eco\tname\tpgn\nB00\tKing's Pawn\t1. e4\n"),
        },
        FRAME_OTHERWISE
        | {
            "to_pandas": "has no missing whole numbers: values decide the types",
            "columns": "has what `to_arrow` has, with the places of starts",
            "start_places": "are places in a table of starts",
            "errors": "numbers the games",
            "duplicates": "looks at all rows",
            "unique": "looks at all rows",
            "opening_tree": "sums rows: tests/laws/test_laws.py",
            "rows": "is None for games that were not read from a column",
            "texts": "is None for games that were read without texts",
        },
    ),
    Hits: Case(
        hits,
        FRAME
        | plainly("ended fens file game moves number ply positions san squares uci value")
        | {"column": lambda rows: rows.column("White"), "from_arrow": lambda rows: Hits.from_arrow(rows.to_arrow())},
        FRAME_OTHERWISE
        | {
            "context": "has two tables of its own, and is in `to_dict`",
            "empty": "makes a table",
            "files": "is `file`, as a table stores it",
            "groups": "are there for --by only",
            "headers": "are columns of `to_dict`",
        },
    ),
}
BY_ROWS: Final = [(cls, name) for cls, case in CASES.items() for name in case.by_rows]


def plain(value: Any) -> Any:
    """Return a value of any kind as lists, one item a row, and dicts of such lists."""
    if isinstance(value, Frame):
        return plain(value.to_dict())
    if isinstance(value, pa.Table):
        return value.to_pylist()
    if hasattr(value, "to_dict"):  # of pandas and Polars
        return plain(value.to_dict("list") if type(value).__module__.startswith("pandas") else value.to_dicts())
    if value is None:
        return None
    if isinstance(value, (Categorical, Lists, Numbers, Texts)):
        return values_of(value)
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if one is not None}
    return value if isinstance(value, list) else value.tolist() if hasattr(value, "tolist") else list(value)


def joined(values: list[Any], sizes: list[int]) -> Any:
    """Return plain values one after the other; a column that one lacks is None there. None is nothing at all."""
    if isinstance(values[0], dict):
        names = list(dict.fromkeys(name for value in values for name in value))
        return {
            name: joined([one.get(name, [None] * n) for one, n in zip(values, sizes, strict=True)], sizes)
            for name in names
        }
    return None if None in values else [row for value in values for row in value]


@pytest.mark.parametrize(("cls", "name"), BY_ROWS, ids=[f"{cls.__name__}.{name}" for cls, name in BY_ROWS])
@examples(30, 2, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.integers(0, 3), st.slices(9)), min_size=2, max_size=4))
def test_what_goes_by_rows_commutes_with_concatenation(
    cls: type[Frame], name: str, cuts: list[tuple[int, slice]]
) -> None:
    case = CASES[cls]
    parts = [case.make(seed)[cut] for seed, cut in cuts]
    call = case.by_rows[name]
    found, expected = (
        plain(call(cls.concatenate(parts))),
        joined([plain(call(p)) for p in parts], list(map(len, parts))),
    )
    assert repr(found) == repr(expected)  # NaN is equal to itself there


MADE: Final[dict[type[Frame], Callable[[int], Any]]] = {cls: case.make for cls, case in CASES.items()} | {
    GamePositions: lambda _: games(1).positions("all"),  # they are of one array of games
}
TESTED_ELSEWHERE: Final = {
    rookery.Book: "tests/games/openings/test_books.py: the entries of joined books are sorted again",
    IndexHits: "tests/data/index/test_game_index.py",
    OpeningTable: "tests/games/openings",
    MarkedPositions: "tests/positions/test_missing_positions.py",
}


@pytest.mark.parametrize("cls", MADE)
@examples(100, 8, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.integers(0, 3), st.slices(9)), min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_parts_are_slices_of_what_they_make(
    cls: type[Frame], cuts: list[tuple[int, slice]], rng: random.Random
) -> None:
    parts = [MADE[cls](seed)[cut] for seed, cut in cuts]
    whole = cls.concatenate(parts)
    assert len(whole) == sum(map(len, parts))
    assert pickle.loads(pickle.dumps(whole)) == whole == whole.copy()
    assert cls.concatenate([parts[0], cls.concatenate(parts[1:])]) == whole
    stops = np.cumsum([len(part) for part in parts]).tolist()
    for start, stop, part in zip([0, *stops], stops, parts, strict=False):
        of_whole = joined([plain(whole[start:stop])], [len(part)])
        padded = joined([plain(part), plain(whole[:0])], [len(part), 0])
        assert {name: repr(of_whole[name]) for name in of_whole} == {name: repr(padded[name]) for name in of_whole}
    rows = [rng.randrange(len(whole)) for _ in range(5 if len(whole) else 0)]
    assert cls.concatenate([whole[:0], *(whole[i : i + 1] for i in rows)]) == cls.concatenate([whole[rows]])


def test_every_table_has_a_case() -> None:
    def classes(cls: type[Frame]) -> set[type[Frame]]:
        return {cls}.union(*map(classes, cls.__subclasses__()))

    bare = {"PositionArray", "GameArray", "Frame", "MissingAnswers"}  # what tables are made of
    found = {cls for cls in classes(Frame) if not cls.__name__.endswith("Methods") and cls.__name__ not in bare}
    found = {cls for cls in found if cls.__module__.startswith("rookery.")}  # other tests make tables, too
    lazy = {
        cls
        for cls in found
        if issubclass(cls, (LaterPositions, LaterRows, RowPositions)) or cls.__module__ == "rookery.compat.polyglot"
    }
    assert found - lazy == {*MADE, *TESTED_ELSEWHERE}


@pytest.mark.parametrize("cls", CASES)
def test_every_public_name_is_classified(cls: type[Frame]) -> None:
    case = CASES[cls]
    assert not case.by_rows.keys() & case.otherwise.keys()
    assert {*case.by_rows, *case.otherwise} == {name for name in dir(cls) if not name.startswith("_")}
