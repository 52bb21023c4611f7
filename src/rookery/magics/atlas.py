"""The atlas: for each piece and square, the narrowest index known, and whether one bit less is possible.

`atlas.json` holds the answers that cannot be derived: those proved here, with node counts, and those taken from
Niklas Fiekas' list (github niklasf/magics, May 2026). ``rookery magics atlas --ledger FILE --out FILE`` writes it anew
with what a ledger of proofs has to add, ``--factors FILE`` with what ``rookery magics find --json`` has found;
``rookery magics prove`` does a proof again.
"""

import functools
import json
from importlib import resources
from typing import Any, Final, NamedTuple

from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.magics.forms import all_squares, is_magic
from rookery.techniques._magics import Factor, factors, stored

PUBLISHED = "Niklas Fiekas, github niklasf/magics, 2026"
PROVED, FOUND = "proved here", "found here"
# Of the branch and bound: to be raised when it visits other nodes than before, since node counts are then others.
SEARCH_VERSION: Final = 2


class Cell(NamedTuple):
    """The state of knowledge about one square: whether `bits` index bits, one less than its occupancy has, suffice.

    `answer` is ``factor`` (one exists; `magic` holds it if it is known here), ``none`` or ``open``. `source` says who
    settled it: ``proved here``, ``found here`` (on `date`), or a publication.

    `prefixes` counts the values of the first bits, `done` those that are exhausted, and `nodes` the nodes visited for
    them. All three are 0 for a factor that no proof has found. `search` is `SEARCH_VERSION` of the program that
    searched, since another version visits other nodes. The counts of a factor come from one thread: with several
    threads, chance decides which factor is found first.
    """

    piece: str
    square: str
    bits: int
    answer: str
    source: str
    magic: int | None
    date: str
    prefixes: int
    done: int
    nodes: int
    tested: int
    seconds: float
    search: int

    @property
    def best(self) -> tuple[int, int]:
        """Return the narrowest index with a stored factor, found here or published, and that factor."""
        known = narrow().get((self.piece, self.square)) if self.magic is None else self.magic
        if known is not None:
            return self.bits, known
        return self.bits + 1, int(factors(self.piece)[parse_square(self.square)])


@functools.cache
def narrow() -> dict[tuple[str, str], int]:
    """Return the published factors that use one bit less, by piece and square."""
    return {(f.piece, f.square): f.magic for f in stored("narrow")}


@functools.cache
def atlas() -> tuple[Cell, ...]:
    """Return all 128 cells: rooks a1 to h8, then bishops.

    >>> cell = next(c for c in atlas() if (c.piece, c.square) == ("bishop", "c1"))
    >>> cell.bits, cell.answer, cell.source
    (4, 'none', 'proved here')
    """
    return read(resources.files(__package__).joinpath("atlas.json").read_text(encoding="utf-8"))


def read(text: str) -> tuple[Cell, ...]:
    """Parse an atlas file.

    Raises a ValueError if the file is damaged.
    """
    try:
        records: list[dict[str, Any]] = json.loads(text)["cells"]
        cells = tuple(Cell(**{**r, "magic": r["magic"] and int(r["magic"], 16)}) for r in records)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"atlas: damaged: {error}") from error
    if [(c.piece, c.square) for c in cells] != [(p, SQUARE_NAMES[s]) for p, s in all_squares()]:
        raise ValueError("atlas: damaged: expected 128 cells, rooks a1 to h8 and then bishops")
    return cells


def faults() -> list[str]:
    """Return the errors in the stored atlas, as far as they can be checked without repeating the proofs."""
    found = []
    for cell in atlas():
        label = f"atlas: {cell.piece} {cell.square}"
        if cell.bits != len(relevant_occupancy(cell.piece, parse_square(cell.square))) - 1:
            found.append(f"{label}: {cell.bits} is not one bit less than natural")
        if cell.magic is not None and not is_magic(Factor(cell.piece, cell.square, cell.magic, cell.bits, 0, 0)):
            found.append(f"{label}: 0x{cell.magic:016x} is not a magic factor")
        if cell.answer == "none" and (
            cell.magic is not None or (cell.source != PUBLISHED and cell.done < cell.prefixes)
        ):
            found.append(f"{label}: called impossible without a proof")
        if not (1 if cell.nodes else 0) <= cell.search <= (SEARCH_VERSION if cell.nodes else 0):
            found.append(f"{label}: {cell.nodes} nodes by version {cell.search} of the search")
    return found
