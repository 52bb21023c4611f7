"""The smallest range of indices: how short a square's part of a table can be.

A factor of n index bits leads to indices from 0, that of the empty board, up to some highest. `ranges.json` holds the
factors whose highest index is proved to be the lowest possible, for squares where the proof takes seconds. Niklas
Fiekas published ten such squares (talkchess 65187, 2017), by trying every factor. `rookery magics ranges --prove`
proves them again.
"""

import functools
from importlib import resources
from typing import NamedTuple

from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.kernel import U64
from rookery.magics.forms import is_magic
from rookery.sources import files
from rookery.techniques._filler import relevant_cases
from rookery.techniques._magics import Factor


class Range(NamedTuple):
    """The smallest range of indices on a square.

    `magic` leads to no index above `highest`, and no factor has all its indices below `highest`. Proving the latter
    visited `nodes` nodes (none where there are as many attack sets as indices).
    """

    piece: str
    square: str
    bits: int
    highest: int
    magic: int
    nodes: int
    seconds: float


@functools.cache
def ranges() -> tuple[Range, ...]:
    """Return the stored ranges."""
    return parse("ranges: damaged", resources.files(__package__).joinpath("ranges.json").read_bytes())


def parse(label: str, text: bytes) -> tuple[Range, ...]:
    """Parse a file of ranges; the label begins the message of a ValueError."""
    try:
        document = files.parse_json(text)
        if not {"ranges"} <= {*document} <= {"command", "ranges"}:
            raise ValueError("expected ranges, and nothing else but a command")
        found = tuple(Range(**{**r, "magic": int(r["magic"], 16)}) for r in document["ranges"])
        for r in found:
            parse_square(r.square)
            if r.piece not in ("rook", "bishop") or type(r.seconds) not in (int, float):
                raise ValueError(f"{r.piece} {r.square}: expected a rook or bishop, and seconds")
            if not all(type(n) is int and n >= 0 for n in (r.bits, r.highest, r.nodes)):
                raise ValueError(f"{r.piece} {r.square}: expected whole numbers of bits, indices and nodes")
        return found
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{label}: {error}") from error


def highest_index(piece: str, square: str, bits: int, magic: int) -> int:
    """Return the highest index that a factor leads to. The lowest is 0, that of the empty board.

    >>> highest_index("bishop", "d8", 9, 0x84030)
    60
    """
    occupied, _ = relevant_cases(piece, SQUARE_NAMES.index(square))
    return int(((occupied * U64(magic)) >> U64(64 - bits)).max())


def faults() -> list[str]:
    """Return an error for each stored factor whose range is not the recorded one."""
    return [
        f"ranges: {r.piece} {r.square}: 0x{r.magic:016x} does not have the indices 0 to {r.highest} of {r.bits} bits"
        for r in ranges()
        if not is_magic(Factor(r.piece, r.square, r.magic, r.bits))
        or highest_index(r.piece, r.square, r.bits, r.magic) != r.highest
    ]
