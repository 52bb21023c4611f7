"""The stored magic factors, in sets: each with how it was found.

    factors        one a piece and square, of the natural index width, by ``rookery magics find --json``
    narrow         with one bit less than the relevant occupancy has, published by others
    found          more of these, by ``rookery magics prove``
    packed         black ones with the offsets at which their squares lie in one table, by ``rookery magics pack``
    fixed_shift    the same for 12 bits (rooks) and 9 bits (bishops), by ``rookery magics pack --form fixed-shift``

Those of our own finder can be found again from their seeds. ``rookery magics check`` does so, tries all on every
occupancy, and builds the packed tables. Here a file is read, and refused if anything in it cannot be.
"""

import functools
import json
import re
from collections.abc import Callable
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64
from rookery.squares import SQUARE_NAMES

SETS: Final = ("factors", "narrow", "found")
INCOMPLETE: Final = ("narrow", "found")
PACKINGS: Final = {"packed": "black", "fixed_shift": "fixed-shift"}  # and their form
CASES: Final = tuple((piece, square) for piece in ("rook", "bishop") for square in SQUARE_NAMES)


class Factor(NamedTuple):
    """A magic factor and how it was found: in which of the tries that a seed makes. A published one has 0 tries."""

    piece: str
    square: str
    magic: int
    bits: int
    seed: int = 0
    tries: int = 0


def _whole(least: int, most: int) -> tuple[str, Callable[[Any], bool]]:
    return f"an integer from {least:,} to {most:,}", lambda value: type(value) is int and least <= value <= most


# What a field of a record has to be, in words and as a test.
_EXPECTED: Final[dict[str, tuple[str, Callable[[Any], Any]]]] = {
    "piece": ("rook or bishop", lambda value: value in ("rook", "bishop")),
    "square": ("a name from a1 to h8", lambda value: value in SQUARE_NAMES),
    "magic": (
        "0x and up to 16 hexadecimal digits",
        lambda value: isinstance(value, str) and re.fullmatch("0x[0-9a-f]{1,16}", value),
    ),
    "bits": _whole(1, 24),
    "seed": _whole(0, 2**64 - 1),
    "tries": _whole(0, 2**64 - 1),
    "offset": _whole(-(2**24), 2**24),
    "entries": _whole(1, 2**24),
    "finder": ("a text", lambda value: isinstance(value, str)),
}


def _checked(label: str, name: str, value: Any) -> Any:
    words, right = _EXPECTED[name]
    if not right(value):
        raise ValueError(f"{label}: {name}: {value!r}: expected {words}")
    return value


@functools.cache
def document(which: str) -> dict[str, Any]:
    """A set as it is stored: its `factors` or `records`, their `finder`, and the `source` of published ones."""
    try:
        data = resources.files(__name__).joinpath(f"{which}.json").read_bytes()
    except OSError as error:
        raise ValueError(f"{which}.json: {error.strerror}") from error
    return _parsed(f"{which}.json", data)


def _parsed(file: str, data: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file}: no JSON document: {error}") from error
    if not isinstance(parsed, dict):
        raise ValueError(f"{file}: expected an object with a list of records")
    _checked(file, "finder", parsed.get("finder"))
    return parsed


def _records(file: str, rows: Any, kind: Any) -> tuple[Any, ...]:
    """The records of a file as NamedTuples of a kind."""
    if not isinstance(rows, list):
        raise ValueError(f"{file}: expected a list of records")
    found = []
    for number, row in enumerate(rows, 1):
        label = f"{file}: record {number}"
        required = {*kind._fields} - {*kind._field_defaults}
        if not isinstance(row, dict) or not required <= row.keys() <= {*kind._fields}:
            raise ValueError(f"{label}: {str(row)[:80]}: expected {', '.join(kind._fields)}")
        for name, value in row.items():
            _checked(label, name, value)
        found.append(kind(**{**row, "magic": int(row["magic"], 16)}))
    return tuple(found)


def read_factors(file: str, data: bytes) -> tuple[Factor, ...]:
    """The factors of a file by ``rookery magics find --json``, of any squares; a ValueError names what is wrong."""
    return _records(file, _parsed(file, data).get("factors"), Factor)


def _check_order(which: str, records: tuple[Any, ...]) -> None:
    cases = [(record.piece, record.square) for record in records]
    for piece, square in CASES:
        times = cases.count((piece, square))
        if times > 1 or (times == 0 and which not in INCOMPLETE):
            raise ValueError(f"{which}.json: {piece} {square}: {times} records: expected one")
    if cases != [case for case in CASES if case in cases]:
        raise ValueError(f"{which}.json: records out of order: expected rooks a1 to h8 and then bishops")


@functools.cache
def stored(which: str = "factors") -> tuple[Factor, ...]:
    """The records of a set, rooks a1 to h8 and then bishops; each of the 128 once, of ``narrow`` and ``found`` some."""
    records = _records(f"{which}.json", document(which).get("factors"), Factor)
    _check_order(which, records)
    return records


def factors(piece: str, which: str = "factors") -> NDArray[np.uint64]:
    """The 64 factors of a piece, by square."""
    return np.array([factor.magic for factor in stored(which) if factor.piece == piece], U64)


def narrowest(piece: str) -> tuple[Factor, ...]:
    """By square, the factor with the fewest index bits: of ``narrow``, ``found`` or ``factors``.

    >>> [factor.bits for factor in narrowest("bishop")[:4]]
    [5, 4, 5, 5]
    """
    known = [factor for which in INCOMPLETE for factor in stored(which) if factor.piece == piece]
    narrow = {factor.square: factor for factor in known}
    return tuple(narrow.get(factor.square, factor) for factor in stored() if factor.piece == piece)


class Packed(NamedTuple):
    """A factor, and where index 0 of its square lies in a packed table (before its start, if the first slots are free
    and a neighbour's).
    """

    piece: str
    square: str
    magic: int
    bits: int
    offset: int


@functools.cache
def packed(which: str = "packed") -> tuple[int, tuple[Packed, ...]]:
    """The entries of a packed table and its 128 records, rooks a1 to h8 and then bishops."""
    file = f"{which}.json"
    entries: int = _checked(file, "entries", document(which).get("entries"))
    records = _records(file, document(which).get("records"), Packed)
    _check_order(which, records)
    return entries, records


def packed_columns(piece: str, which: str = "packed") -> tuple[NDArray[np.uint64], ...]:
    """The factors, shifts and offsets of a piece, by square. An offset below zero comes round."""
    rows = [p for p in packed(which)[1] if p.piece == piece]
    return (
        np.array([p.magic for p in rows], U64),
        np.array([64 - p.bits for p in rows], U64),
        np.array([p.offset for p in rows], np.int64).view(U64),
    )
