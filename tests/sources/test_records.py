"""Tests of named tuples that are read from JSON."""

from typing import Any, NamedTuple

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
