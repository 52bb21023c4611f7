"""Run a look-up that is written to be watched, and read its notes as steps.

A step is an assignment, a call with its arguments, or an answer. It holds its line, its value and the parts of the
value. Its sentence is the comment at that line, or the meaning that the module gives to the letter.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from rookery.explain.export.ir import Program
from rookery.explain.export.watched import watched_python
from rookery.explain.formulas import Row
from rookery.explain.kinds import WORD, Kind
from rookery.explain.noting import ENTRY, with_notes
from rookery.explain.sites import Site, Term, What


class StepPart(NamedTuple):
    """An expression that a value was made of, in words, and its result.

    `marked` holds the bits of it that become an index, `slot` where in which table it was read.
    `turn` is what a square's bit number is XORed with on a board that is turned over, -1 where no square has a place.
    """

    text: str
    value: int
    kind: Kind
    marked: int = 0
    table: str = ""
    slot: int = 0
    slots: int = 0
    turn: int = 0


class Step(NamedTuple):
    """One step: `variable` took `value`, or was `called`, or `returned` it, in a line of the kernel's source.

    `previous` is the value it held before. `rows` are the formulas that join the parts to the value, see `formulas`.
    """

    what: What
    variable: str
    value: int
    kind: Kind
    parts: tuple[StepPart, ...]
    sentence: str
    code: str
    function: str
    module: str
    line: int
    depth: int
    round: int  # how often this call has been here before: over 0 in the later rounds of a loop
    previous: int | None = None
    rows: tuple[Row, ...] = ()
    numbers: Row = ()
    site: int = -1
    turn: int = 0


class Recorded:
    """The look-ups of a program, written so that they record their steps."""

    def __init__(self, program: Program, entries: tuple[str, ...]) -> None:
        self.watched, self.sites = with_notes(program, entries)
        self._code = compile(watched_python(self.watched), f"<steps of {', '.join(entries)}>", "exec")
        self._tables = {name: table.values for name, table in self.watched.tables.items()}

    def run(self, entry: str, square: int, occupied: int) -> tuple[tuple[Step, ...], int]:
        """Return the steps of a look-up, and the number of its operations."""
        notes: list[tuple[int, ...]] = []
        operations: list[int] = []
        names: dict[str, Any] = {
            **self._tables,
            "_note": lambda *values: notes.append(values),
            "_tally": operations.append,
        }
        exec(self._code, names)  # the text comes from our own kernels
        look_up: Callable[[int, int], int] = names[f"{ENTRY}{entry}"]
        look_up(square, occupied)
        return steps_of(self.sites, notes), sum(operations)


def steps_of(sites: list[Site], notes: list[tuple[int, ...]]) -> tuple[Step, ...]:
    """Return the steps that notes record: each note is the number of its site, and the values there."""
    steps: list[Step] = []
    been: list[Counter[int]] = []  # how often each function that is running has been at a site
    for number, *values in notes:
        site = sites[number]
        if site.what in ("given", "called"):
            been.append(Counter())
        here = been[-1]
        steps.append(
            Step(
                site.what, site.variable, values[site.own], site.kind,
                tuple(_part(term, values) for term in site.terms),
                site.sentence, site.code, site.function, site.module, site.line, len(been) - 1, here[number],
                None if site.previous < 0 else values[site.previous], site.rows, site.numbers, number, site.turn,
            )
        )  # fmt: skip
        here[number] += 1
        if site.what == "returned":
            been.pop()
    return tuple(steps)


def _part(term: Term, values: list[int]) -> StepPart:
    marked = 0
    if term.mark:
        by = values[term.mark_at]
        marked = WORD >> by << by if term.mark == ">>" else by
    slot = 0 if term.slot_at < 0 else values[term.slot_at]
    return StepPart(term.text, values[term.at], term.kind, marked, term.table, slot, term.slots, term.turn)
