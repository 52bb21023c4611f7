"""The stored magic factors, in sets: each with how it was found.

    factors        128 of the natural index width, by ``rookery magics find --json``
    narrow         39 with one bit less than the relevant occupancy has, published by others
    packed         128 black ones with the offsets at which their squares lie in one table, by ``rookery magics pack``
    fixed_shift    the same for 12 bits (rooks) and 9 bits (bishops), by ``rookery magics pack --form fixed-shift``

Those of our own finder can be found again from their seeds. ``rookery magics check`` does so, tries all on every
occupancy, and builds the packed tables.
"""

import functools
import json
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64

SETS: Final = ("factors", "narrow")
PACKINGS: Final = {"packed": "black", "fixed_shift": "fixed-shift"}  # and their form


class Factor(NamedTuple):
    """A magic factor and how it was found: a published one has no seed, and 0 tries."""

    piece: str
    square: str
    magic: int
    bits: int
    seed: int = 0
    tries: int = 0


@functools.cache
def document(which: str) -> dict[str, Any]:
    """A set as it is stored: its `factors` (of a packing, `records`), their `finder`, the `source` of published ones.

    A ValueError says which file is damaged.
    """
    text = resources.files(__name__).joinpath(f"{which}.json").read_text(encoding="utf-8")
    try:
        parsed: dict[str, Any] = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{which}.json: damaged: {error}") from error
    return parsed


@functools.cache
def stored(which: str = "factors") -> tuple[Factor, ...]:
    """The records of a set, rooks a1 to h8 and then bishops."""
    records: list[dict[str, Any]] = document(which)["factors"]
    return tuple(Factor(**{**record, "magic": int(record["magic"], 16)}) for record in records)


def factors(piece: str, which: str = "factors") -> NDArray[np.uint64]:
    """The 64 factors of a piece, by square."""
    return np.array([factor.magic for factor in stored(which) if factor.piece == piece], U64)


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
    described = document(which)
    try:
        records = [Packed(**{**record, "magic": int(record["magic"], 16)}) for record in described["records"]]
        entries = described["entries"]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{which}.json: damaged: {error!r}") from error
    squares = [(piece, file + rank) for piece in ("rook", "bishop") for rank in "12345678" for file in "abcdefgh"]
    if [(p.piece, p.square) for p in records] != squares:
        raise ValueError(f"{which}.json: damaged: expected rooks a1 to h8 and then bishops a1 to h8")
    return entries, tuple(records)


def packed_columns(piece: str, which: str = "packed") -> tuple[NDArray[np.uint64], ...]:
    """The factors, shifts and offsets of a piece, by square. An offset below zero comes round."""
    rows = [p for p in packed(which)[1] if p.piece == piece]
    return (
        np.array([p.magic for p in rows], U64),
        np.array([64 - p.bits for p in rows], U64),
        np.array([p.offset for p in rows], np.int64).view(U64),
    )
