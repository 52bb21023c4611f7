"""The smallest range of indices: how short a square's part of a table can be.

A factor of n index bits leads to indices from 0, that of the empty board, up to some highest. `ranges.json` holds the
factors whose highest index is proved to be the lowest possible, for squares where the proof takes seconds. Niklas
Fiekas published ten such squares (talkchess 65187, 2017), by trying every factor.
"""

import functools
import json
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rookery.bitboards.squares import parse_square
from rookery.magics.forms import is_magic
from rookery.magics.prove.ledger import Ledger
from rookery.magics.prove.proof import Proof, highest_index, prove
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


def smallest_range(
    piece: str,
    square: int,
    bits: int | None = None,
    *,
    ledger: Ledger | None = None,
    threads: int = 1,
    progress: Callable[[Proof], None] = lambda proof: None,
) -> Range | None:
    """Find the factor with the lowest possible highest index; return None if no factor has this many bits.

    The range is bisected until it cannot shrink. The arguments are those of `prove`.

    >>> smallest_range("bishop", 59, 9)[1:5]
    ('d8', 9, 60, 540720)
    """

    def within(highest: int | None) -> Proof:
        return prove(piece, square, bits, ledger=ledger, threads=threads, highest=highest, progress=progress)

    proof = within(None)
    if proof.magic is None:
        return None
    magic = proof.magic
    highest = highest_index(piece, proof.square, proof.bits, magic)
    too_low = len(np.unique(relevant_cases(piece, square)[1])) - 2  # each attack set takes an index
    nodes, seconds = 0, 0.0
    while highest - too_low > 1:
        proof = within((highest + too_low) // 2)
        if proof.magic is None:
            too_low, nodes, seconds = proof.highest, proof.nodes, proof.seconds
        else:
            magic = proof.magic
            highest = highest_index(piece, proof.square, proof.bits, magic)
    return Range(piece, proof.square, proof.bits, highest, magic, nodes, round(seconds, 3))


@functools.cache
def ranges() -> tuple[Range, ...]:
    """Return the stored ranges."""
    return _parse("ranges: damaged", resources.files(__package__).joinpath("ranges.json").read_bytes())


def _parse(label: str, text: bytes) -> tuple[Range, ...]:
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


def read(path: Path) -> tuple[Range, ...]:
    """Read a file of ranges, or return the stored ones if the file does not exist.

    Raises a ValueError if the file holds anything else.
    """
    text = files.read("ranges", path)
    return ranges() if text is None else _parse(f"ranges: {path}: not a file of ranges", text)


def write(path: Path, found: Sequence[Range]) -> None:
    """Add ranges to a file, replacing those found again.

    A new file starts with the stored ranges. A file of anything else is a ValueError and stays unchanged.
    """
    known = {(r.piece, r.square, r.bits): r for r in [*read(path), *found]}
    rows = sorted(known.values(), key=lambda r: (r.piece != "rook", r.bits, parse_square(r.square)))
    records = [{**r._asdict(), "magic": f"0x{r.magic:016x}"} for r in rows]
    document = {"command": "rookery magics ranges --prove --square SQUARE --bits N --out FILE", "ranges": records}
    files.write(path, json.dumps(document, indent=1) + "\n")


def faults() -> list[str]:
    """Return an error for each stored factor whose range is not the recorded one."""
    return [
        f"ranges: {r.piece} {r.square}: 0x{r.magic:016x} does not have the indices 0 to {r.highest} of {r.bits} bits"
        for r in ranges()
        if not is_magic(Factor(r.piece, r.square, r.magic, r.bits))
        or highest_index(r.piece, r.square, r.bits, r.magic) != r.highest
    ]
