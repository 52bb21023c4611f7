"""Add what was proved and found to the atlas, and write it."""

import json
from collections.abc import Iterable
from pathlib import Path

from magics.prove import branch
from magics.prove.ledger import Ledger, Question
from magics.prove.schedule import plan_for
from rookery.bitboards.squares import parse_square
from rookery.magics.atlas import FOUND, PROVED, Cell, narrow
from rookery.magics.forms import is_magic
from rookery.sources import files
from rookery.techniques._magics import Factor


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
