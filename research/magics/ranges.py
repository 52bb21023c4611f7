"""Find the smallest range of indices of a square, and add it to a file: see `rookery.magics.ranges`."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from magics.prove.ledger import Ledger
from magics.prove.proof import Proof, prove
from rookery.bitboards.squares import parse_square
from rookery.magics.ranges import Range, highest_index, parse, ranges
from rookery.sources import files
from rookery.techniques._filler import relevant_cases


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


def read(path: Path) -> tuple[Range, ...]:
    """Read a file of ranges, or return the stored ones if the file does not exist.

    Raises a ValueError if the file holds anything else.
    """
    text = files.read("ranges", path)
    return ranges() if text is None else parse(f"ranges: {path}: not a file of ranges", text)


def write(path: Path, found: Sequence[Range]) -> None:
    """Add ranges to a file, replacing those found again.

    A new file starts with the stored ranges. A file of anything else is a ValueError and stays unchanged.
    """
    known = {(r.piece, r.square, r.bits): r for r in [*read(path), *found]}
    rows = sorted(known.values(), key=lambda r: (r.piece != "rook", r.bits, parse_square(r.square)))
    records = [{**r._asdict(), "magic": f"0x{r.magic:016x}"} for r in rows]
    document = {"command": "rookery magics ranges --prove --square SQUARE --bits N --out FILE", "ranges": records}
    files.write(path, json.dumps(document, indent=1) + "\n")
