"""The stored magic factors, in sets: each with how it was found.

    factors        128 of the natural index width, by ``rookery magics find --json``
    fixed_shift    128 of 12 bits (rooks) and 9 bits (bishops), by ``python tools/fixed_shift.py``
    narrow         39 with one bit less than the relevant occupancy has, published by others

Those of our own finder can be found again from their seeds. ``rookery magics check`` does so, and tries all on every
occupancy.
"""

import functools
import json
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64

SETS: Final = ("factors", "fixed_shift", "narrow")


class Factor(NamedTuple):
    """A magic factor and how it was found: in which of the tries that a seed makes. A published one has 0 tries."""

    piece: str
    square: str
    magic: int
    bits: int
    seed: int = 0
    tries: int = 0


@functools.cache
def document(which: str) -> dict[str, Any]:
    """A set as it is stored: its `factors`, their `finder`, and the `source` of published ones."""
    text = resources.files(__name__).joinpath(f"{which}.json").read_text(encoding="utf-8")
    parsed: dict[str, Any] = json.loads(text)
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
    """A black magic factor, and where its square begins in the packed table (before its start, if slots are free)."""

    piece: str
    square: str
    magic: int
    bits: int
    offset: int


@functools.cache
def packed() -> tuple[int, tuple[Packed, ...]]:
    """The entries of the packed table and its 128 records, rooks a1 to h8 and then bishops.

    `packed.json` is written by ``rookery magics pack --out FILE`` and checked by ``rookery magics check``.
    """
    text = resources.files(__name__).joinpath("packed.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    records = (Packed(**{**record, "magic": int(record["magic"], 16)}) for record in document["records"])
    return document["entries"], tuple(records)
