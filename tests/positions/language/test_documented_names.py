"""The reference of the language lists every name, and names nothing that the language does not have."""

import re
from pathlib import Path

from rookery.bitboards.squares import DIRECTIONS
from rookery.positions.language.functions.patterns import SYMMETRIES
from rookery.positions.language.functions.written import RELATIVE
from rookery.positions.language.headers import KINDS
from rookery.positions.language.vocabulary import (
    ATTRIBUTES_OF_MOVE,
    METHODS,
    OPERATORS,
    PIECES_OF_SIDES,
    PUBLIC_NAMES,
    SIDES,
)

PAGE = (Path(__file__).parents[3] / "docs" / "queries.md").read_text(encoding="utf-8")


def first_cells(heading: str) -> set[str]:
    """Return the code in the first cells of all tables whose heading begins with a word."""
    cells = set()
    for table in re.findall(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE):
        for row in table.splitlines():
            cells |= set(re.findall(r"`((?:[^`\\]|\\.)+)`", row.replace("\\|", "\x00").split("|")[1]))
    return {cell.replace("\x00", "|") for cell in cells}


def test_every_name_has_its_row() -> None:
    listed = {re.split(r"[( ]", cell)[0] for cell in first_cells("name")}
    assert listed == PUBLIC_NAMES | {f"move.{name}" for name in ATTRIBUTES_OF_MOVE}


def test_methods_and_headers_have_their_rows() -> None:
    assert first_cells("method") == set(METHODS)
    assert first_cells("header") == set(KINDS)
    assert first_cells("symmetry") == set(SYMMETRIES)


def test_operators_have_their_rows() -> None:
    signs = {*OPERATORS.values(), "~", "in", "not in", "is None", "is not None", "and", "or", "not"}
    assert first_cells("operator") == signs


def test_sides_and_directions_are_named() -> None:
    named = set(re.findall(r'`"?([\w.]+)"?`', PAGE))
    pieces = {f"us.{name}" for name in PIECES_OF_SIDES if name != "kings"}
    assert {*SIDES, *pieces, *DIRECTIONS, *RELATIVE} <= named
