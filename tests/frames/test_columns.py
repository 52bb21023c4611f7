"""Columns of every kind: slices, indices, concatenation, equality, sizes and values, on a few rows."""

import datetime
import itertools
from typing import Any, NamedTuple

import numpy as np
import pytest

from rookery import Board, Positions
from rookery.frames.columns import (
    Categorical,
    Lists,
    Numbers,
    Texts,
    alike,
    array_of,
    chosen,
    chosen_from,
    cut,
    decoded,
    is_table,
    joined,
    joined_offsets,
    nbytes_of,
    values_of,
)

NAN = float("nan")


def numbers(*values: int | None, dtype: Any = np.int16) -> Numbers:
    """Return numbers, with 7 in memory where one is missing."""
    valid = np.array([value is not None for value in values], bool)
    return Numbers(np.array([7 if value is None else value for value in values], dtype), valid)


def lists(*values: list[int] | None) -> Lists:
    """Return lists of numbers, those that are None missing."""
    parts = [value or [] for value in values]
    offsets = np.cumsum([0, *map(len, parts)])
    valid = np.array([value is not None for value in values], bool)
    return Lists(offsets, {"n": np.array(list(itertools.chain(*parts)), int)}, None if valid.all() else valid)


def indices(*rows: int) -> np.ndarray:
    return np.array(rows, np.int64)


# Each column of three rows, with its values as Python objects.
COLUMNS: dict[str, tuple[Any, list[Any]]] = {
    "numbers": (numbers(5, None, -3), [5, None, -3]),
    "dates": (numbers(0, None, 20_000, dtype="M8[D]"), [datetime.date(1970, 1, 1), None, datetime.date(2024, 10, 4)]),
    "times": (
        numbers(0, None, 86_399, dtype="m8[s]"),
        [datetime.time(0), None, datetime.time(23, 59, 59)],
    ),
    "texts": (Texts.of(["e4", None, "Ærø"]), ["e4", None, "Ærø"]),
    "names": (Categorical(np.array([1, 0, 1], np.int32), ("a", "b")), ["b", "a", "b"]),
    "lists": (lists([1, 2], [], [3]), [[1, 2], [], [3]]),
    "lists with gaps": (lists([1], None, [2, 3]), [[1], None, [2, 3]]),
    "lists of two columns": (
        Lists(np.array([0, 1, 1, 3]), {"n": np.array([1, 2, 3]), "t": Texts.of(["a", None, "c"])}),
        [[{"n": 1, "t": "a"}], [], [{"n": 2, "t": None}, {"n": 3, "t": "c"}]],
    ),
    "floats": (np.array([0.5, NAN, -1.0]), [0.5, None, -1.0]),
    "ints": (np.array([1, 2, 3], np.uint8), [1, 2, 3]),
    "objects": (np.array(["a", None, 5], object), ["a", None, 5]),
}


@pytest.fixture(params=COLUMNS)
def case(request: pytest.FixtureRequest) -> Any:
    return COLUMNS[request.param]


def test_values(case: Any) -> None:
    column, values = case
    assert column.size == 3
    assert values_of(column) == values
    assert values_of(cut(column, 0, 0)) == []


@pytest.mark.parametrize(("start", "stop"), [(0, 3), (0, 2), (1, 3), (1, 2), (2, 2), (0, 0), (3, 3)])
def test_slices(case: Any, start: int, stop: int) -> None:
    column, values = case
    part = cut(column, start, stop)
    assert type(part) is type(column)
    assert part.size == stop - start
    assert values_of(part) == values[start:stop]
    assert values_of(cut(cut(column, 1, 3), 1, 2)) == values[2:3]


@pytest.mark.parametrize("rows", [(), (0,), (2, 0), (1, 1, 2), (0, 1, 2)])
def test_chosen_rows(case: Any, rows: tuple[int, ...]) -> None:
    column, values = case
    part = chosen(column, indices(*rows))
    assert type(part) is type(column)
    assert values_of(part) == [values[i] for i in rows]
    assert values_of(chosen(cut(column, 1, 3), indices(1, 0))) == [values[2], values[1]]


def test_concatenations(case: Any) -> None:
    column, values = case
    assert values_of(joined([column])) == values
    assert values_of(joined([cut(column, 1, 3), cut(column, 0, 0), column])) == values[1:] + values
    assert values_of(joined([cut(column, 2, 3), cut(column, 1, 2)])) == [values[2], values[1]]
    assert values_of(joined([cut(column, 1, 1)] * 2)) == []


def test_equal_columns(case: Any) -> None:
    column, values = case
    assert alike(column, chosen(column, indices(0, 1, 2)))
    for rows in [(0, 1), (2, 1, 0), (0, 0, 2), (0, 1, 1), (0, 1, 2, 2)]:
        part = chosen(column, indices(*rows))
        assert alike(column, part) == (values_of(part) == values)
        assert alike(part, column) == (values_of(part) == values)


def test_arrays_of_columns(case: Any) -> None:
    column, values = case
    array = array_of(column)
    assert isinstance(array, np.ndarray)
    assert values_of(array) == values


def test_values_of_masked_arrays() -> None:
    assert values_of(np.ma.MaskedArray([0.5, 1.5, NAN], [False, True, False])) == [0.5, None, None]
    assert values_of(np.ma.MaskedArray([1, 2], [True, False])) == [None, 2]


def test_numbers_as_arrays() -> None:
    array = numbers(5, None).to_numpy()
    assert array.mask.tolist() == [False, True]
    assert array.dtype == np.int16
    dates = numbers(1, None, dtype="M8[D]")
    assert np.isnat(dates.to_numpy()).tolist() == [False, True]
    assert dates.values.astype(int).tolist() == [1, 7], "the column keeps its memory"
    assert np.isnat(numbers(1, None, dtype="m8[s]").to_numpy()).tolist() == [False, True]


def test_texts() -> None:
    texts = Texts.of(["", None, "Ærø", "e4"])
    assert texts.offsets.tolist() == [0, 0, 0, 5, 7]
    assert texts.data.tobytes() == "Ærøe4".encode()
    assert texts.valid.tolist() == [True, False, True, True]
    assert [texts.text(i) for i in range(4)] == list(texts) == ["", None, "Ærø", "e4"]
    assert texts.to_numpy().tolist() == list(texts)
    assert Texts.of([]).size == 0
    assert Texts.of([]).to_numpy().shape == (0,)
    assert np.shares_memory(texts.cut(1, 3).data, texts.data)
    assert texts.cut(2, 4).offsets.tolist() == [0, 5, 7]
    assert texts.cut(2, 3).data.tobytes() == "Ærø".encode()


def test_texts_that_are_not_utf_8() -> None:
    texts = Texts(np.array([0, 1, 2]), np.frombuffer(b"a\xff", np.uint8), np.ones(2, bool))
    assert texts.text(0) == "a"
    with pytest.raises(ValueError, match=r"^row 1: b'\\xff': expected a text in UTF-8$"):
        texts.text(1)
    with pytest.raises(ValueError, match=r"^x: b'\\xc3': expected"):
        decoded("x", b"\xc3")
    assert decoded("x", "Æ".encode()) == "Æ"


@pytest.mark.parametrize(
    "texts",
    [
        ["e4", "", "O-O-O"],
        ["", ""],
        [],
        ["\x7f", "\x01"],
        ["\x80", "a"],
        ["a\x00b", "c"],
        ["\x00", "c"],
        ["ab", "Ærø"],
        ["\U0001f600", "x"],
    ],
)
def test_texts_of_arrays(texts: list[str]) -> None:
    array = np.array(texts, str)
    expected = array.tolist()  # NumPy drops NUL at the end
    assert list(Texts.of_array(array)) == expected
    assert alike(Texts.of_array(array), Texts.of(expected))
    for missing in range(len(texts)):
        valid = np.arange(len(texts)) != missing
        column = Texts.of_array(array, valid)
        assert list(column) == [text if i != missing else None for i, text in enumerate(expected)]
        assert column.data.tobytes() == "".join(text or "" for text in column).encode()
        assert valid.sum() == len(texts) - 1


def test_texts_of_arrays_that_are_not_contiguous() -> None:
    assert list(Texts.of_array(np.array(["a", "bc", "d", "ef"])[::2])) == ["a", "d"]
    assert list(Texts.of_array(np.array([["a", "bc"], ["d", ""]]).ravel())) == ["a", "bc", "d", ""]


def test_categories() -> None:
    names = Categorical(np.array([1, 0, 1], np.int32), ("a", "b"))
    assert [names.text(i) for i in range(3)] == ["b", "a", "b"]
    assert names.to_numpy().tolist() == ["b", "a", "b"]
    assert list(names.renamed(str.upper)) == ["B", "A", "B"]
    assert list(Categorical.of("x", 0)) == []
    assert list(Categorical.of("x", 3)) == ["x"] * 3
    assert Categorical(np.zeros(0, np.int32), ()).to_numpy().tolist() == []


def test_joined_categories_have_each_name_once() -> None:
    one = Categorical(np.array([1, 0], np.int32), ("a", "b"))
    two = Categorical(np.array([0, 1], np.int32), ("c", "b"))
    both = Categorical.joined([one, two])
    assert both.names == ("a", "b", "c")
    assert both.codes.tolist() == [1, 0, 2, 1]
    assert both.codes.dtype == np.int32
    unused = Categorical(np.zeros(0, np.int32), ("z",))
    assert Categorical.joined([unused, one]).names == ("a", "b")
    nothing = Categorical.joined([unused, unused])
    assert (nothing.size, nothing.names) == (0, ())
    assert nothing.codes.dtype == np.int32


def test_lists() -> None:
    column = Lists(np.array([0, 2, 2, 3]), {"n": np.array([4, 5, 6]), "t": Texts.of(["a", None, "c"])})
    assert column.rows(0) == [(4, "a"), (5, None)]
    assert column.rows(1) == []
    assert column.rows(2) == [(6, "c")]
    assert column.lists_of(indices(0, 1, 2)).tolist() == [0, 0, 2]
    part = column.cut(1, 3)
    assert part.offsets.tolist() == [0, 0, 1]
    assert np.shares_memory(part.columns["n"], column.columns["n"])


def test_rows_of_lists() -> None:
    column = Lists(np.array([0, 2, 2, 5]), {"tag": Texts.of(["a", "ab", "b", "", "a"]), "n": np.arange(5)})
    assert column.rows_where("tag", "a").tolist() == [0, 4]
    assert column.rows_where("tag", "ab").tolist() == [1]
    assert column.rows_where("tag", "ba").tolist() == []
    assert column.rows_where("tag", "").tolist() == [3]
    kept = column.with_rows(indices(1, 3, 4))
    assert kept.offsets.tolist() == [0, 1, 1, 3]
    assert kept.columns["n"].tolist() == [1, 3, 4]
    assert column.with_rows(indices()).offsets.tolist() == [0, 0, 0, 0]


def test_joined_lists_of_which_some_may_be_missing() -> None:
    with_gaps, whole = lists([1], None), lists([2, 3], [])
    for parts in ([with_gaps, whole], [whole, with_gaps]):
        both = Lists.joined(parts)
        assert values_of(both) == values_of(parts[0]) + values_of(parts[1])
        assert both.valid is not None
        assert both.valid.tolist() == [value is not None for value in values_of(both)]
    assert Lists.joined([whole, whole]).valid is None


def test_columns_of_columns() -> None:
    table = Positions.from_boards([Board(), Board()])
    assert is_table(table)
    assert not is_table(np.zeros(1))
    columns = {"n": np.array([1, 2]), "table": table, "none": None}
    part = cut(columns, 1, 2)
    assert part["n"].tolist() == [2]
    assert np.shares_memory(part["n"], columns["n"])
    assert len(part["table"]) == 1
    assert part["none"] is None
    part = chosen(columns, indices(1, 1, 0))
    assert part["n"].tolist() == [2, 2, 1]
    assert len(part["table"]) == 3
    assert part["none"] is None
    both = joined([columns, columns])
    assert both["n"].tolist() == [1, 2, 1, 2]
    assert len(both["table"]) == 4
    assert both["none"] is None
    assert joined([np.zeros(1), None]) is None
    assert joined([{"a": np.zeros(1)}, {"a": np.ones(1), "b": None}])["a"].tolist() == [0, 1]


def test_bytes_of_columns() -> None:
    assert nbytes_of(np.zeros(3, np.int16)) == 6
    assert nbytes_of(Positions.from_boards([Board()])) == 72
    assert nbytes_of({"a": np.zeros(2), "b": None}) == 16
    assert nbytes_of((np.zeros(2), "text", np.zeros(1, np.int8))) == 17
    assert nbytes_of(numbers(1, 2)) == 4 + 2
    assert nbytes_of(lists([1], [2])) == 3 * 8 + 2 * 8
    assert nbytes_of(lists([1], None)) == 3 * 8 + 8 + 2
    assert nbytes_of(None) == nbytes_of("text") == 0


def test_columns_of_different_lengths_are_not_cut_in_silence() -> None:
    uneven = Lists(np.array([0, 2]), {"a": np.arange(2), "b": Texts.of(["x"])})
    for wrong in (
        lambda: values_of(uneven),
        lambda: uneven.rows(0),
        lambda: values_of(Lists(np.array([0, 1, 2]), {"a": np.arange(2)}, np.ones(1, bool))),
        lambda: Texts.of_array(np.array(["\x80", "a"]), np.ones(1, bool)),
    ):
        with pytest.raises(ValueError, match=r"zip\(\)"):
            wrong()


def test_arrays_of_lists() -> None:
    array = array_of(lists([1, 2], [3, 4]))
    assert array.shape == (2,), "lists of one length are still lists"
    assert array.tolist() == [[1, 2], [3, 4]]
    column = np.arange(3)
    assert array_of(column) is column


class Pair(NamedTuple):
    """A named tuple of columns."""

    a: Any
    b: Any


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (numbers(1, None), Numbers(np.array([1, 99], np.int16), np.array([True, False]))),
        (np.array([1.0, NAN]), np.array([1.0, NAN])),
        (np.array(["NaT", 5], "M8[D]"), np.array(["NaT", 5], "M8[D]")),
        (np.array([[1, 2]]), np.array([[1, 2]])),
        (np.array(["a", None], object), np.array(["a", None], object)),
        (Categorical(np.array([0, 1], np.int32), ("a", "b")), Categorical(np.array([1, 0], np.int32), ("b", "a", "c"))),
        (lists([1], [2]), Lists(np.array([0, 1, 2]), {"n": np.array([1, 2])}, np.ones(2, bool))),
        (lists([1], None), lists([1], None)),
        ({"a": np.arange(2), "b": None}, {"b": None, "a": np.arange(2)}),
        (Pair(np.arange(2), None), Pair(np.arange(2), None)),
        ((), ()),
        (None, None),
        ("pgn", "pgn"),
    ],
)
def test_columns_that_are_alike(a: Any, b: Any) -> None:
    assert alike(a, b)
    assert alike(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (numbers(1, 2), numbers(1, 3)),
        (numbers(1, 2), numbers(1, 2, dtype=np.int32)),
        (numbers(1, 7), numbers(1, None)),
        (Texts.of(["a", "bc"]), Texts.of(["ab", "c"])),
        (Texts.of(["a", ""]), Texts.of(["a", None])),
        (Texts.of(["a", "b"]), Texts.of(["a", "c"])),
        (Categorical.of("a", 2), Categorical.of("b", 2)),
        (Categorical.of("a", 2), Categorical.of("a", 3)),
        (lists([1], []), lists([1], None)),
        (lists([1], None), lists([1], [])),
        (lists([1, 2], []), lists([1], [2])),
        (lists([1]), lists([2])),
        (np.array([1.0]), np.array([2.0])),
        (np.array([1, 2]), np.array([1])),
        ({"a": np.arange(2)}, {"b": np.arange(2)}),
        ({"a": np.arange(2)}, {"a": np.arange(2), "b": None}),
        ({"a": np.arange(2)}, {"a": np.ones(2)}),
        (Pair(np.arange(2), None), Pair(np.ones(2), None)),
        (Pair(np.arange(2), None), (np.arange(2),)),
        ((np.arange(2),), (np.arange(2), None)),
        (np.zeros(2), None),
        (lists([1]), None),
        (numbers(1), None),
        (Texts.of(["a"]), None),
        (Categorical.of("a", 1), None),
        ({"a": None}, None),
        ((None,), None),
        (numbers(1), lists([1])),
        (Texts.of(["a"]), Categorical.of("a", 1)),
        (lists([1]), {"n": np.array([1])}),
        ("pgn", "fen"),
    ],
)
def test_columns_that_differ(a: Any, b: Any) -> None:
    assert not alike(a, b)
    assert not alike(b, a)


def test_chosen_elements_of_lists() -> None:
    offsets, flat = chosen_from(indices(3, 5, 5, 8), indices(2, 0, 1, 0))
    assert offsets.tolist() == [0, 3, 5, 5, 7]
    assert flat.tolist() == [5, 6, 7, 3, 4, 3, 4]
    offsets, flat = chosen_from(indices(0, 1), indices())
    assert (offsets.tolist(), flat.tolist()) == ([0], [])


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([[0, 2, 3]], [0, 2, 3]),
        ([[0, 2], [0, 1, 4]], [0, 2, 3, 6]),
        ([[5, 7], [2, 3, 3]], [0, 2, 3, 3]),
        ([[0], [1, 3]], [0, 2]),
        ([[4, 4], [9, 9, 9]], [0, 0, 0, 0]),
        ([[0], [0]], [0]),
    ],
)
def test_joined_offsets(parts: list[list[int]], expected: list[int]) -> None:
    assert joined_offsets([indices(*part) for part in parts]).tolist() == expected


def test_texts_and_lists_among_other_data() -> None:
    """Offsets need not begin at 0, nor end with the data."""
    texts = Texts(np.array([2, 4, 4, 5]), np.frombuffer(b"xxabcyy", np.uint8), np.array([True, True, True]))
    lists = Lists(np.array([1, 1, 4]), {"n": np.arange(6), "t": Texts.of(list("abcdef"))})
    assert list(Texts.joined([texts, Texts.of(["d"]), texts])) == ["ab", "", "c", "d", "ab", "", "c"]
    both = Lists.joined([lists, lists])
    assert [both.rows(i) for i in range(4)] == 2 * [[], [(1, "b"), (2, "c"), (3, "d")]]
    assert alike(texts, Texts.of(["ab", "", "c"]))
    assert not alike(texts, Texts.of(["ab", "", "d"]))
    assert alike(lists, Lists(np.array([0, 0, 3]), {"n": np.array([1, 2, 3]), "t": Texts.of(list("bcd"))}))
    assert not alike(lists, Lists(np.array([0, 0, 3]), {"n": np.array([1, 2, 4]), "t": Texts.of(list("bcd"))}))
