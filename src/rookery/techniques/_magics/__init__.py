"""The stored magic factors: 64 a piece, each with the seed that finds it again.

`factors.json` is written by ``rookery magics find --json`` and checked by ``rookery magics check``.
"""

import functools
import json
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64


class Factor(NamedTuple):
    """A magic factor and how it was found."""

    piece: str
    square: str
    magic: int
    bits: int
    seed: int
    tries: int


@functools.cache
def stored() -> tuple[Factor, ...]:
    """All 128 records, rooks a1 to h8 and then bishops."""
    text = resources.files(__name__).joinpath("factors.json").read_text(encoding="utf-8")
    records: list[dict[str, Any]] = json.loads(text)["factors"]
    return tuple(Factor(**{**record, "magic": int(record["magic"], 16)}) for record in records)


def factors(piece: str) -> NDArray[np.uint64]:
    """The 64 factors of a piece, by square."""
    return np.array([factor.magic for factor in stored() if factor.piece == piece], U64)


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
