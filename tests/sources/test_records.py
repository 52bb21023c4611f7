"""Tests of named tuples that are read from JSON."""

from typing import Any, NamedTuple, Union

import pytest

from rookery.sources.files import Damaged
from rookery.sources.records import record


class Part(NamedTuple):
    """Some fields."""

    name: str
    sizes: list[int]
    limit: int | None = None


class Whole(NamedTuple):
    """Fields with others in them."""

    parts: tuple[Part, ...]
    by_name: dict[str, Part]
    other: Any = None


def test_fields_are_read_by_name_and_in_order() -> None:
    content = {"parts": [["a", [1]], {"name": "b", "sizes": [], "limit": 3}], "by_name": {"x": ["c", [2], None]}}
    expected = Whole((Part("a", [1]), Part("b", [], 3)), {"x": Part("c", [2])})
    assert record(Whole, content, "file") == expected


class Numbers(NamedTuple):
    """Fields of several types."""

    whole: int
    real: float = 0.5
    either: Union[int, str] = ""  # noqa: UP007  # the older form
    pair: tuple[int, ...] = ()
    is_good: bool = False


def test_values_of_each_type() -> None:
    for content, expected in (
        ([1], Numbers(1)),
        ((1, 2.5, 3, [4, 5], True), Numbers(1, 2.5, 3, (4, 5), True)),
        ({"whole": 1, "either": "a"}, Numbers(1, either="a")),
    ):
        found = record(Numbers, content, "file")
        assert found == expected
        assert list(map(type, found)) == list(map(type, expected))
    part = Part("a", [1])
    assert record(Whole, {"parts": [part], "by_name": {"x": part}}, "file").parts == (part,)
    assert record(Whole, {"parts": [], "by_name": {}, "other": [object]}, "file").other == [object]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([True], "whole: True: expected int"),
        ([1.0], "whole: 1.0: expected int"),
        ([None], "whole: None: expected int"),
        ([1, 2], "real: 2: expected float"),
        ([1, 2.0, None], "either: None: expected "),
        ([1, 2.0, 3, 4], "pair: 4: expected tuple[int, ...]"),
        ([1, 2.0, 3, [4, "5"]], "pair[1]: '5': expected int"),
        ([1, 2.0, 3, [], 1], "is_good: 1: expected bool"),
        ([1, 2.0, 3, [], True, 6], "[1, 2.0, 3, [], True, 6]: expected the fields of Numbers"),
        ([], "whole: is missing"),
        ("text", "'text': expected the fields of Numbers"),
    ],
)
def test_values_of_other_types_are_refused(content: Any, message: str) -> None:
    with pytest.raises(Damaged) as caught:
        record(Numbers, content, "file: a")
    assert str(caught.value).startswith(f"file: a: {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (7, "file: 7: expected the fields of Whole"),
        ({"parts": []}, "file: by_name: is missing"),
        ({"parts": [], "by_name": {}, "more": 1}, "file: more: unknown: expected parts, by_name, other"),
        ({"parts": 3, "by_name": {}}, r"file: parts: 3: expected tuple\["),
        ({"parts": [["a", [1, True]]], "by_name": {}}, r"file: parts\[0\]\.sizes\[1\]: True: expected int"),
        ({"parts": [["a", [1], "2"]], "by_name": {}}, r"file: parts\[0\]\.limit: '2': expected int \| None"),
        ({"parts": [3], "by_name": {}}, r"file: parts\[0\]: 3: expected the fields of Part"),
        ({"parts": [], "by_name": {"x": {"name": 1, "sizes": []}}}, r"file: by_name\['x'\]\.name: 1: expected str"),
    ],
)
def test_wrong_fields_are_named(content: dict[str, Any], message: str) -> None:
    with pytest.raises(Damaged, match=message):
        record(Whole, content, "file")
