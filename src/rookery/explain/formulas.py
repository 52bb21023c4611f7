"""Decide what a step shows: formulas, from left to right with all their operands, and the numbers besides."""

from typing import Final, NamedTuple

from rookery.explain.export.ir import INSTRUCTIONS
from rookery.explain.kinds import Kind

OWN: Final = -1  # the value of the step, among the places of terms
Row = tuple[int | str, ...]  # places of terms, with the operators between them


class Equation(NamedTuple):
    """An operator or a function with its operands and its result, as places among the terms."""

    operator: str
    operands: tuple[int, ...]
    result: int

    def row(self) -> Row:
        """Return the formula: ``o - r = o - r``, or ``byteswap o = byteswap(o)`` where a function stands first.

        >>> Equation("-", (0, 1), OWN).row()
        (0, '-', 1, '=', -1)
        """
        is_function = self.operator in INSTRUCTIONS or self.operator[0].isalpha() or self.operator == "~"
        between = "," if is_function else self.operator
        items: list[int | str] = [self.operator] if is_function else []
        for i, operand in enumerate(self.operands):
            items += [between, operand] if i else [operand]
        return (*items, "=", self.result)


def shown(kinds: list[Kind], own: Kind | None, whole: int, equations: list[Equation]) -> tuple[tuple[Row, ...], Row]:
    """Return the formulas of a step, and the numbers that are in none of them.

    `kinds` are those of the terms, `own` that of the step's value, or None where it has none. `whole` is the term that
    is the whole value, or -1. Boards that no formula has stand in a row of their own. ``byteswap(o)`` needs
    no formula if ``o`` and its result are in others.

    >>> shown(["board", "number", "number"], "board", -1, [Equation("<<", (0, 1), OWN)])
    (((0, '<<', 1, '=', -1),), (2,))
    """
    equations = [eq for eq in equations if not _is_said_by_its_name(eq, equations)]
    used = {place for eq in equations for place in (*eq.operands, eq.result)}
    rest = [i for i in range(len(kinds)) if i not in used and i != whole]
    places = [*rest, *([OWN] if own and OWN not in used else [])]
    kind_at = dict(enumerate(kinds)) | ({OWN: own} if own else {})
    boards = tuple(i for i in places if kind_at[i] == "board")
    rows = [eq.row() for eq in equations]
    return (*rows, *([boards] if boards else [])), tuple(i for i in places if kind_at[i] != "board")


def _is_said_by_its_name(eq: Equation, equations: list[Equation]) -> bool:
    others = [other for other in equations if other is not eq]
    seen = {place for other in others for place in (*other.operands, other.result)}
    return len(eq.operands) == 1 and {*eq.operands, eq.result} <= seen
