"""The atlas: for each piece and square, the narrowest index known, and whether one bit less is possible.

`atlas.json` holds the answers that cannot be derived: those proved here, with node counts, and those taken from
Niklas Fiekas' list (github niklasf/magics, May 2026). ``rookery magics atlas --ledger FILE --out FILE`` writes it anew
with what a ledger of proofs has to add, ``--factors FILE`` with what ``rookery magics find --json`` has found;
``rookery magics prove`` does a proof again.
"""

import functools
import json
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.magics.forms import all_squares, is_magic
from rookery.magics.prove import branch
from rookery.magics.prove.ledger import Ledger, Question
from rookery.magics.prove.schedule import plan_for
from rookery.sources import files
from rookery.techniques._magics import Factor, factors, stored

PUBLISHED = "Niklas Fiekas, github niklasf/magics, 2026"
PROVED, FOUND = "proved here", "found here"


class Cell(NamedTuple):
    """The state of knowledge about one square: whether `bits` index bits, one less than its occupancy has, suffice.

    `answer` is ``factor`` (one exists; `magic` holds it if it is known here), ``none`` or ``open``. `source` says who
    settled it: ``proved here``, ``found here`` (on `date`), or a publication.

    `prefixes` counts the values of the first bits, `done` those that are exhausted, and `nodes` the nodes visited for
    them. All three are 0 for a factor that no proof has found. `search` is `branch.VERSION` of the program that
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


def write(path: Path, cells: tuple[Cell, ...]) -> None:
    """Write an atlas file."""
    records = [{**c._asdict(), "magic": None if c.magic is None else f"0x{c.magic:016x}"} for c in cells]
    document = {"command": "rookery magics atlas --ledger FILE --out FILE", "cells": records}
    files.write(path, json.dumps(document, indent=1) + "\n")


def with_ledger(cells: tuple[Cell, ...], ledger: Ledger) -> tuple[Cell, ...]:
    """Return the cells, updated with what a ledger has proved.

    Raises a ValueError where the ledger contradicts an answer that stands.
    """
    known = {question[:3] for question in ledger.questions()}
    return tuple(_with_rows(c, ledger) if (c.piece, c.square, c.bits) in known else c for c in cells)


def _with_rows(cell: Cell, ledger: Ledger) -> Cell:
    plan = plan_for(cell.piece, parse_square(cell.square), cell.bits)
    question = Question(cell.piece, cell.square, cell.bits, branch.name_of(plan), branch.prefixes(plan))
    finished = ledger.finished(question)
    if not finished:
        return cell
    if any(f.number >= question.prefixes for f in finished):
        raise ValueError(f"ledger: {cell.piece} {cell.square}: its prefixes cannot be: the file was tampered with")
    magic = next((f.magic for f in finished if f.magic is not None), None)
    if magic is not None and not is_magic(Factor(cell.piece, cell.square, magic, cell.bits, 0, 0)):
        raise ValueError(f"ledger: {cell.piece} {cell.square}: {magic:#x} is not a magic factor")
    answer = "factor" if magic is not None else "none" if len(finished) == question.prefixes else "open"
    if answer != "open" and cell.answer not in ("open", answer):
        raise ValueError(f"{cell.piece} {cell.square}: the ledger says {answer}, the atlas {cell.answer}")
    stands = cell.magic is not None and cell.search in (0, branch.VERSION)  # else its figures are another program's
    if cell.source in (PROVED, FOUND) and (answer == "open" or stands):
        return cell
    return cell._replace(
        answer=cell.answer if answer == "open" else answer,
        source={"open": cell.source, "none": PROVED, "factor": FOUND}[answer],
        magic=cell.magic if magic is None else magic,
        date=ledger.last_date(question),
        prefixes=question.prefixes,
        done=len(finished),
        nodes=sum(f.nodes for f in finished),
        tested=sum(f.tested for f in finished),
        seconds=round(sum(f.seconds for f in finished), 3),
        search=branch.VERSION,
    )


def with_factors(cells: tuple[Cell, ...], found: Iterable[Factor], date: str) -> tuple[Cell, ...]:
    """Return the cells, updated with factors found on `date`.

    Factors of other widths and those already published are skipped. A factor that is not magic, or belongs to a square
    that can have none, is a ValueError.
    """
    by_case: dict[tuple[str, str, int], int] = {}
    for factor in found:
        if not is_magic(factor):
            raise ValueError(f"factors: {factor.piece} {factor.square}: 0x{factor.magic:016x} is not a magic factor")
        if narrow().get((factor.piece, factor.square)) != factor.magic:
            by_case.setdefault((factor.piece, factor.square, factor.bits), factor.magic)
    return tuple(_with_factor(cell, by_case.get((cell.piece, cell.square, cell.bits)), date) for cell in cells)


def _with_factor(cell: Cell, magic: int | None, date: str) -> Cell:
    if magic is None or cell.magic is not None:
        return cell
    if cell.answer == "none":
        raise ValueError(f"{cell.piece} {cell.square}: a factor of {cell.bits} bits, where the atlas says none")
    return cell._replace(answer="factor", source=FOUND, magic=magic, date=date)


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
        if not (1 if cell.nodes else 0) <= cell.search <= (branch.VERSION if cell.nodes else 0):
            found.append(f"{label}: {cell.nodes} nodes by version {cell.search} of the search")
    return found
