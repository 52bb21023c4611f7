"""Tables of every kind: slices, selections, concatenation, equality, pickles, Arrow, and columns made on first use."""

import importlib
import pickle
import pkgutil
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rookery
from rookery import Board, Games, Positions, read_pgn
from rookery.data.index.answers import IndexHits
from rookery.data.index.rows import END, ROW
from rookery.data.training.samples import ScoredPositions
from rookery.frames.frame import Frame
from rookery.games.game_columns import Starts
from rookery.games.openings.tables import OpeningTable
from rookery.games.search.hits import Hits
from rookery.positions.moves import Moves

PGN = b"""[White "Anna"]
[WhiteElo "2100"]

1. e4 { [%eval 0.3] [%clk 0:03:00] } e5 2. Nf3 Nc6 3. Bb5 1-0

[White "Bert"]

1. d4 { good } d5 (1... Nf6) 2. c4 $1 *

[FEN "bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1"]
[SetUp "1"]
[Variant "Chess960"]

1. e4 e5 0-1

1. c4 c5 2. Nc3 Nc6 3. g3 g6 1/2-1/2
"""


def tables() -> dict[str, Frame]:
    """Return a table of every kind, with different rows."""
    games = read_pgn(PGN)
    return {
        "Positions": Positions.from_boards(list(games.positions("all"))),
        "GamePositions": games.positions("all"),
        "Moves": games.moves,
        "Games": games,
        "Hits": games.search("ply > 1", headers=["White", "WhiteElo"], context=1),
        "ScoredPositions": ScoredPositions.from_games(games),
        "MarkedPositions": Positions.from_fens(["bad", *games.positions("last").to_fens(), ""], errors="mark"),
        "IndexHits": IndexHits.of_rows(np.array([(7, 0, 2, 1804), (7, 1, 2, 5), (7, 1, 4, END), (9, 2, 3, 0)], ROW)),
        "opening moves": games.opening_tree().table(),
        "opening positions": games.opening_tree().table("positions"),
    }


KINDS = list(tables())


@pytest.fixture(params=KINDS)
def table(request: pytest.FixtureRequest) -> Any:
    return tables()[request.param]


def test_every_table_of_the_library_is_listed() -> None:
    """Other classes are bases of these, positions that only queries see, or books.

    A `Book` is a file of Polyglot: it keeps the order of keys, so its concatenation sorts, and it has its own tests.
    """
    for module in pkgutil.walk_packages(rookery.__path__, "rookery."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)

    def below(kind: type) -> set[type]:
        return {kind}.union(*map(below, kind.__subclasses__()))

    listed = tuple(map(type, tables().values()))
    assert {Positions, Moves, Games, Hits, ScoredPositions, OpeningTable} <= set(listed)
    others = {kind for kind in below(Frame) if kind.__module__.startswith("rookery.")} - set(listed)
    own = {kind.__name__ for kind in others if not any(issubclass(one, kind) for one in listed)}
    assert own <= {"LaterPositions", "LaterRows", "RowPositions", "Book", "MemoryMappedReader"}


def test_slices_are_views_and_selections_are_copies(table: Any) -> None:
    def arrays(value: Any) -> list[np.ndarray]:
        if isinstance(value, np.ndarray):
            return [value]
        if isinstance(value, Starts):
            return [value.places]  # all parts share the table of starts
        if isinstance(value, Frame):
            return [array for name in value._COLUMNS for array in arrays(getattr(value, name))]
        if isinstance(value, dict):
            return [array for part in value.values() for array in arrays(part)]
        if isinstance(value, tuple):
            return [array for part in value for array in arrays(part)]
        if hasattr(value, "__slots__"):
            return [array for name in value.__slots__ for array in arrays(getattr(value, name, None))]
        return []

    n = len(table)
    assert n > 3
    whole = arrays(table)
    view, copied = arrays(table[1:3]), arrays(table[np.array([2, 1])])
    assert any(np.shares_memory(a, b) for a, b in zip(whole, view, strict=True))
    values = [(a, b) for a, b in zip(whole, copied, strict=True) if a.size and b.size]
    assert values
    assert not any(np.shares_memory(a, b) for a, b in values)


def same(a: Any, b: Any) -> bool:
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)


def test_rows_of_selections(table: Any) -> None:
    n = len(table)
    rows = list(table)
    assert len(rows) == n
    mask = np.arange(n) % 2 == 0
    index = np.array([n - 1, 0, 1, 1, -1])
    cases = [
        (slice(1, 3), [1, 2]),
        (slice(None, None, -1), range(n)[::-1]),
        (slice(n, None), []),
        (slice(2, 1), []),
        (mask, np.flatnonzero(mask)),
        (mask.tolist(), np.flatnonzero(mask)),
        (index, index % n),
        ([], []),
        ([2], [2]),
    ]
    for selection, expected in cases:
        part = table[selection]
        assert len(part) == len(expected)
        assert all(same(a, rows[i]) for a, i in zip(part, expected, strict=True)), selection
    assert same(table[-1], rows[n - 1])
    assert same(table[np.int64(1)], rows[1])


@pytest.mark.parametrize(
    ("index", "error", "text"),
    [
        (10_000, IndexError, "index: 10000 is outside the "),
        (-10_000, IndexError, "index: -10000 is outside the "),
        ([0, 10_000], IndexError, r"index\[1\]: 10000 is outside the "),
        (np.ones(3, bool)[:2], IndexError, "index: a mask of 2 values for "),
        (1.5, TypeError, "index: 1.5: expected an int, a "),
        (None, TypeError, "index: None: expected an int, a "),
    ],
)
def test_wrong_indices(table: Any, index: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        table[index]


def test_concatenation(table: Any) -> None:
    kind = type(table)
    parts = [table[:1], table[1:1], table[1:]]
    assert kind.concatenate(parts) == table
    assert kind.concatenate(iter(parts)) == table
    twice = kind.concatenate([table, table])
    assert len(twice) == 2 * len(table)
    assert twice[len(table) :] == table
    with pytest.raises(TypeError, match=rf"parts\[1\]: 5: expected {kind.__name__}"):
        kind.concatenate([table, 5])
    with pytest.raises(TypeError, match="parts: 5: expected an iterable of"):
        kind.concatenate(5)


def test_equality(table: Any) -> None:
    assert table == table.copy()
    assert table != table[:-1]
    assert table != table[::-1]
    assert table != 5
    with pytest.raises(TypeError, match="unhashable"):
        hash(table)


def test_hits_with_other_columns_are_not_equal() -> None:
    games = read_pgn(PGN)
    plain, with_context = games.search("ply > 1"), games.search("ply > 1", context=1)
    assert plain != with_context
    assert with_context != plain
    assert with_context == games.search("ply > 1", context=1)


def test_a_copy_has_memory_of_its_own(table: Any) -> None:
    copied = table.copy()
    assert type(copied) is type(table)
    assert copied == table
    if isinstance(table, Positions):
        copied.columns.pawns[1] = 0
        assert copied != table


def test_pickles(table: Any) -> None:
    for part in (table, table[2:], table[:0]):
        again = pickle.loads(pickle.dumps(part))
        assert type(again) is type(table)
        assert again == part
        assert repr(again) == repr(part)


def test_arrow(table: Any) -> None:
    pa = pytest.importorskip("pyarrow")
    whole = table.to_arrow()
    assert whole.num_rows == len(table)
    whole.validate(full=True)
    selected = np.arange(len(table)) % 2 == 1
    assert table[selected].to_arrow().to_pylist() == whole.filter(pa.array(selected)).to_pylist()
    assert table[:0].to_arrow().schema.equals(whole.schema)
    assert pa.table(table).equals(whole)
    assert pa.schema(table).equals(whole.schema)
    for name in whole.column_names:
        if pa.types.is_floating(whole[name].type):
            assert not any(value != value for value in whole[name].to_pylist())  # NaN


def test_arrow_and_back(table: Any) -> None:
    pytest.importorskip("pyarrow")
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    kind = type(table)
    for part in (table, table[1:3], table[:0]):
        again = kind.from_arrow(part.to_arrow())
        assert again == part
        assert len(again) == len(part)
        assert again.to_arrow().equals(part.to_arrow()) or kind.__name__ in ("GamePositions", "Games")
    assert kind.from_arrow(table.to_polars()) == table
    if kind.__name__ == "MarkedPositions":  # pandas makes floats of words with nulls
        with pytest.raises(TypeError, match="pawns: a column of double: expected uint64"):
            kind.from_arrow(table.to_pandas())
    else:
        assert kind.from_arrow(table.to_pandas()) == table
    assert isinstance(table.to_polars(), polars.DataFrame)
    assert isinstance(table.to_pandas(), pandas.DataFrame)
    with pytest.raises(ValueError, match="no column"):
        kind.from_arrow(table.to_arrow().select([]))
    with pytest.raises(TypeError, match="table: int: expected an Arrow table"):
        kind.from_arrow(5)


def test_data_frames(table: Any) -> None:
    pytest.importorskip("polars")
    pytest.importorskip("pandas")
    assert table.to_polars().height == len(table)
    assert len(table.to_pandas()) == len(table)
    with pytest.raises(TypeError, match="a table, not an array: expected a call of to_pandas, to_polars, to_arrow"):
        np.asarray(table)


def test_notebooks(table: Any) -> None:
    html = table._repr_html_()
    assert html.startswith("<div")
    assert html.count("<div") == html.count("</div>")


@pytest.mark.parametrize("name", KINDS)
def test_numbers_of_rows_in_texts(name: str) -> None:
    table = tables()[name]
    assert repr(table[:1]).startswith("<1 ") or name == "Moves"
    one, many = table._ROWS
    assert one in repr(table[:1])
    assert many in repr(table[:2])


def test_columns_made_on_first_use() -> None:
    class Squares(Frame):
        __slots__ = ("calls", "number", "square")
        _COLUMNS = ("number", "square")
        calls: int
        number: Any
        square: Any

        def _make_square(self) -> Any:
            self.calls += 1
            return self.number**2

    table = object.__new__(Squares)
    table.number, table.calls = np.arange(5), 0
    assert not table._is_set("square")
    assert table[2:4].square.tolist() == [4, 9]
    assert table.square.tolist() == [0, 1, 4, 9, 16]
    assert table.calls == 1
    assert table.to_arrow().to_pydict() == {"number": [0, 1, 2, 3, 4], "square": [0, 1, 4, 9, 16]}
    with pytest.raises(AttributeError, match="'Squares' object has no attribute 'cube'"):
        table.cube  # type: ignore[attr-defined]  # noqa: B018


def test_positions_of_several_arrays_of_games_are_not_concatenated_silently() -> None:
    a, b = read_pgn(PGN).positions(), read_pgn(PGN).positions()
    with pytest.raises(ValueError, match="positions of several arrays of games: expected those of one"):
        type(a).concatenate([a, b])
    assert len(Positions.concatenate([a, b])) == 2 * len(a)
    assert type(a.play([next(iter(Board(fen).legal_moves)) for fen in a.to_fens()])) is Positions


def test_offsets_out_of_their_arrays_are_refused() -> None:
    offsets = pa.py_buffer(np.array([0, 1 << 20, 1], np.int32).tobytes())
    moves = pa.Array.from_buffers(pa.list_(pa.uint16()), 2, [None, offsets], children=[pa.array([1], pa.uint16())])
    fens = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"8")])
    for kind, columns in ((Moves, {"moves": moves}), (ScoredPositions, {"fen": fens})):
        with pytest.raises(ValueError, match="table: damaged: "):
            kind.from_arrow(pa.table(columns))


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_without_columns_has_no_attributes(kind: str) -> None:
    made = type(tables()[kind])
    empty = made.__new__(made)
    names = {*made._COLUMNS, *(name.removeprefix("_make_") for name in dir(made) if name.startswith("_make_"))}
    for name in names:
        with pytest.raises(AttributeError):
            getattr(empty, name)
