"""A small frame of each kind of column: rows, slices, names, equality, concatenation, shared attributes and pickles."""

import pickle
from typing import Any, ClassVar

import numpy as np
import pytest

from rookery.frames.columns import Numbers, Texts
from rookery.frames.frame import Frame


class People(Frame):
    """A table with a missing number, texts, an attribute that all parts share, and a column made on first use."""

    __slots__ = ("born", "double", "name", "place")
    _COLUMNS = ("born", "name", "double")
    _SHARED = ("place",)
    _ROWS = ("person", "people")
    born: Any
    name: Any
    double: Any
    place: str

    def _make_double(self) -> Any:
        return self.born.values * 2


class Plain(Frame):
    """The class of the parts of `Whole`."""

    __slots__ = ("n",)
    _COLUMNS: ClassVar[tuple[str, ...]] = ("n",)
    n: Any


class Whole(Plain):
    """A table whose parts are of another class."""

    __slots__ = ("more",)
    _COLUMNS = ("n", "more")
    _PARTS: ClassVar[type[Frame] | None] = Plain
    more: Any


def people(*names: str | None, place: str | None = "Oslo") -> People:
    """Return people who were born in 1901 and later; in which year the second was is unknown."""
    table = object.__new__(People)
    n = len(names)
    table.born = Numbers(np.arange(1901, 1901 + n, dtype=np.int16), np.arange(n) != 1)
    table.name = Texts.of(names)
    if place is not None:
        table.place = place
    return table


def names(table: People) -> list[str | None]:
    return list(table.name)


TABLE = people("Anna", "Bert", None, "Dora")


@pytest.mark.parametrize("index", [0, 1, 3, -1, -4, np.int8(2)])
def test_one_row(index: Any) -> None:
    row = TABLE[index]
    assert type(row) is People
    assert names(row) == [["Anna", "Bert", None, "Dora"][index]]
    assert row.place == "Oslo"


@pytest.mark.parametrize("index", [4, -5, 2**70])
def test_rows_outside(index: int) -> None:
    with pytest.raises(IndexError, match=f"^index: {index} is outside the 4 people$"):
        TABLE[index]


@pytest.mark.parametrize(
    "selection",
    [
        slice(None),
        slice(1, 3),
        slice(3, 1),
        slice(-2, None),
        slice(0, 9),
        slice(9, 12),
        slice(None, None, 2),
        slice(None, None, -1),
        slice(2, 0, -1),
        slice(1, 3, 5),
    ],
)
def test_slices(selection: slice) -> None:
    part = TABLE[selection]
    assert names(part) == ["Anna", "Bert", None, "Dora"][selection]
    assert part.born.valid.tolist() == [True, False, True, True][selection]
    assert len(part) == len(names(part))
    is_view = selection.step in (None, 1)
    assert np.shares_memory(part.born.values, TABLE.born.values) == (is_view and len(part) > 0)


def test_selections() -> None:
    assert names(TABLE[[3, 0, -1]]) == ["Dora", "Anna", "Dora"]
    assert names(TABLE[np.array([False, True, False, True])]) == ["Bert", "Dora"]
    assert names(TABLE[[]]) == []
    with pytest.raises(TypeError, match=r"^index: 1.5: expected an int, a name, a slice, a boolean mask or a"):
        TABLE[1.5]  # type: ignore[call-overload]
    with pytest.raises(IndexError, match=r"^index: a mask of 1 values for 4 people$"):
        TABLE[[True]]


def test_columns_by_name() -> None:
    assert TABLE["born"].tolist() == [1901, None, 1903, 1904]
    assert TABLE.column("name").tolist() == ["Anna", "Bert", None, "Dora"]
    assert TABLE.column("double").tolist() == [3802, 3804, 3806, 3808]
    with pytest.raises(KeyError, match=r"index: 'age': expected one of born, name, double"):
        TABLE["age"]
    with pytest.raises(KeyError, match=r"name: 5: expected one of born, name, double"):
        TABLE.column(5)  # type: ignore[arg-type]


def test_columns_made_on_first_use_are_kept() -> None:
    table = people("Anna", "Bert")
    assert not table._is_set("double")
    double = table.double
    assert double.tolist() == [3802, 3804]
    assert table._is_set("double")
    assert table.double is double
    assert not table._is_set("age")
    assert table._is_set("place")
    with pytest.raises(AttributeError, match=r"^'People' object has no attribute 'age'$") as raised:
        table.age  # type: ignore[attr-defined]  # noqa: B018
    assert (raised.value.name, raised.value.obj) == ("age", table)


def test_rows_in_turn() -> None:
    assert [names(row) for row in TABLE] == [["Anna"], ["Bert"], [None], ["Dora"]]


def test_equality() -> None:
    assert people("Anna", "Bert") == people("Anna", "Bert")
    assert people("Anna", "Bert") == people("Anna", "Bert", place="Bergen"), "only columns count"
    assert people("Anna", "Bert") != people("Anna", "Carl")
    assert people("Anna") != people("Anna", "Bert")
    assert people("Anna") != 5
    other = object.__new__(Plain)
    other.n = np.arange(1)
    assert people("Anna") != other
    assert TABLE.copy() == TABLE
    assert TABLE.copy().place == "Oslo"
    assert not np.shares_memory(TABLE.copy().born.values, TABLE.born.values)


def test_concatenation() -> None:
    both = People.concatenate([people("Anna"), people("Bert", "Carl", place="Bergen")])
    assert names(both) == ["Anna", "Bert", "Carl"]
    assert both.born.valid.tolist() == [True, True, False]
    assert both.place == "Oslo", "what the first shares"
    assert both.double.tolist() == [3802, 3802, 3804]
    for parts in ([people("Anna", place=None), people("Bert")], [people("Anna", place=None)]):
        assert not hasattr(People.concatenate(parts), "place")
    with pytest.raises(ValueError, match=r"^parts: expected at least one People$"):
        People.concatenate([])
    with pytest.raises(TypeError, match=r"^parts\[1\]: 'Bert': expected People$"):
        People.concatenate([people("Anna"), "Bert"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"^parts: 5: expected an iterable of People$"):
        People.concatenate(5)  # type: ignore[arg-type]


def test_a_column_that_one_part_lacks_is_lacking() -> None:
    one, two = (object.__new__(Plain) for _ in range(2))
    one.n = np.arange(2)
    assert not Plain.concatenate([one, two])._is_set("n")
    assert Plain.concatenate([one, one]).n.tolist() == [0, 1, 0, 1]


def test_parts_of_another_class() -> None:
    whole = object.__new__(Whole)
    whole.n, whole.more = np.arange(3), np.arange(3)
    part = whole[1:]
    assert type(part) is Plain
    assert part.n.tolist() == [1, 2]
    assert type(pickle.loads(pickle.dumps(whole.__reduce__()[1][1]))) is dict
    assert whole.__reduce__()[1][0] is Plain


def test_sizes_and_texts() -> None:
    assert TABLE[:2].nbytes == (4 + 2) + (3 * 8 + 8 + 2) + 2 * 2
    assert [repr(table) for table in (people(), people("A"), people("A", "B"))] == [
        "<0 people>",
        "<1 person>",
        "<2 people>",
    ]
    many = object.__new__(Plain)
    many.n = np.zeros(1234, np.int8)
    assert repr(many) == "<1,234 rows>"


def test_pickles() -> None:
    again = pickle.loads(pickle.dumps(TABLE))
    assert again == TABLE
    assert again.place == "Oslo"
    assert pickle.loads(pickle.dumps(people("Anna", place=None))) == people("Anna")


def test_values() -> None:
    assert TABLE[1:3].to_dict() == {"born": [None, 1903], "name": ["Bert", None], "double": [3804, 3806]}
    assert TABLE[:0].to_dict() == {"born": [], "name": [], "double": []}


def test_arrow() -> None:
    pa = pytest.importorskip("pyarrow")
    assert TABLE.to_arrow().to_pydict() == TABLE.to_dict()
    assert pa.table(TABLE).equals(TABLE.to_arrow())
    assert pa.schema(TABLE).equals(TABLE.to_arrow().schema)


def test_notebooks() -> None:
    html = people(*map(str, range(12)))._repr_html_()
    assert [i for i in range(12) if f"<tr><th>{i}</th><td>" in html] == [*range(5), *range(7, 12)]
    assert "<tr><th>7</th><td>1908</td><td>7</td><td>3816</td></tr>" in html
    assert "<th></th><th>born</th><th>name</th><th>double</th>" in html
    assert html.endswith("<p>12 people</p></div>")
