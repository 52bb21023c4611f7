"""The stored magic factors, in sets, each with a record of how it was found.

    factors        one for each piece and square, of the natural index width, by ``rookery magics find --json``
    narrow         factors with one index bit less than the relevant occupancy, published by others
    found          more of these, by ``rookery magics prove``
    packed         factors of black magics with the offsets of their squares in one table, by ``rookery magics pack``
    fixed_shift    the same for 12 bits (rooks) and 9 bits (bishops), by ``rookery magics pack --form fixed-shift``

Factors of our own finder can be found again from their seeds. ``rookery magics check`` does that, tests all factors on
every occupancy, and builds the packed tables. This module reads the files and rejects invalid ones.
"""

import functools
import json
import re
from collections.abc import Callable
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.squares import SQUARE_NAMES
from rookery.kernel import U64

SETS: Final = ("factors", "narrow", "found")
INCOMPLETE: Final = ("narrow", "found")
PACKINGS: Final = {"packed": "black", "fixed_shift": "fixed-shift"}  # the form of each packing
CASES: Final = tuple((piece, square) for piece in ("rook", "bishop") for square in SQUARE_NAMES)


class Factor(NamedTuple):
    """A magic factor, with the seed and the number of tries that found it. A published factor has 0 tries."""

    piece: str
    square: str
    magic: int
    bits: int
    seed: int = 0
    tries: int = 0


def _whole(least: int, most: int) -> tuple[str, Callable[[Any], bool]]:
    return f"an integer from {least:,} to {most:,}", lambda value: type(value) is int and least <= value <= most


# The expected values of each field, as text and as a test.
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
    expected, is_valid = _EXPECTED[name]
    if not is_valid(value):
        raise ValueError(f"{label}: {name}: {value!r}: expected {expected}")
    return value


@functools.cache
def document(which: str) -> dict[str, Any]:
    """Return a set as it is stored: its `factors` or `records`, their `finder`, and the `source` of published ones."""
    try:
        data = resources.files(__name__).joinpath(f"{which}.json").read_bytes()
    except OSError as error:
        raise ValueError(f"{which}.json: {error.strerror}") from error
    return _parsed(f"{which}.json", data)


def _parsed(file: str, data: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file}: not a JSON document: {error}") from error
    if not isinstance(parsed, dict):
        raise ValueError(f"{file}: expected an object with a list of records")
    _checked(file, "finder", parsed.get("finder"))
    return parsed


def _records(file: str, rows: Any, kind: Any) -> tuple[Any, ...]:
    """Return the records of a file as NamedTuples of a kind."""
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
    """Return the factors of a file written by ``rookery magics find --json``, for any squares.

    A ValueError describes what is wrong with the file.
    """
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
    """Return the records of a set, rooks a1 to h8 and then bishops.

    Each of the 128 cases occurs once; ``narrow`` and ``found`` have only some of them.
    """
    records = _records(f"{which}.json", document(which).get("factors"), Factor)
    _check_order(which, records)
    return records


def factors(piece: str, which: str = "factors") -> NDArray[np.uint64]:
    """Return the 64 factors of a piece, by square."""
    return np.array([factor.magic for factor in stored(which) if factor.piece == piece], U64)


def narrowest(piece: str) -> tuple[Factor, ...]:
    """Return the factor with the fewest index bits for each square, from ``narrow``, ``found`` or ``factors``.

    >>> [factor.bits for factor in narrowest("bishop")[:4]]
    [5, 4, 5, 5]
    """
    known = [factor for which in INCOMPLETE for factor in stored(which) if factor.piece == piece]
    narrow = {factor.square: factor for factor in known}
    return tuple(narrow.get(factor.square, factor) for factor in stored() if factor.piece == piece)


class Packed(NamedTuple):
    """A factor, and the place of its square's index 0 in a packed table.

    The place is negative if the square's first slots are unused and so lie before the start of the table.
    """

    piece: str
    square: str
    magic: int
    bits: int
    offset: int


@functools.cache
def packed(which: str = "packed") -> tuple[int, tuple[Packed, ...]]:
    """Return the number of entries of a packed table and its 128 records, rooks a1 to h8 and then bishops."""
    file = f"{which}.json"
    entries: int = _checked(file, "entries", document(which).get("entries"))
    records = _records(file, document(which).get("records"), Packed)
    _check_order(which, records)
    return entries, records


def packed_columns(piece: str, which: str = "packed") -> tuple[NDArray[np.uint64], ...]:
    """Return the factors, shifts and offsets of a piece, by square. Negative offsets wrap to 64 bits."""
    rows = [p for p in packed(which)[1] if p.piece == piece]
    return (
        np.array([p.magic for p in rows], U64),
        np.array([64 - p.bits for p in rows], U64),
        np.array([p.offset for p in rows], np.int64).view(U64),
    )
