"""Decide what a step shows: formulas, from left to right with all their operands, and the numbers besides.

`wording` writes expressions of exported code as in source: ``(o * magic) >> shift``.
"""

from typing import Final, NamedTuple

from rookery.explain.export import ir
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
        is_function = self.operator in ir.INSTRUCTIONS or self.operator[0].isalpha() or self.operator == "~"
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


def table_name(table: str) -> str:
    """Return the name that the kernels use for a table."""
    return table.lower().removesuffix("_table")


def wording(e: ir.Expression) -> str:
    """Return the text of an expression.

    >>> wording(ir.Binary(">>", ir.Binary("*", ir.Name("o"), ir.Name("magic")), ir.Int(52)))
    '(o * magic) >> 52'
    """
    match e:
        case ir.Int(value):
            return str(value) if value < 1 << 16 else f"0x{value:x}"
        case ir.Name(name):
            return name
        case ir.Constant(name, _):
            return name
        case ir.Load(table, index):
            return f"{table_name(table)}[{wording(index)}]"
        case ir.Invert(value):
            return f"~{_inner(value)}"
        case ir.Binary(operator, left, right) | ir.Compare(operator, left, right):
            return f"{_inner(left)} {operator} {_inner(right)}"
        case ir.ToWord(truth):
            return wording(truth)
        case ir.Select(truth, yes, no):
            return f"{_inner(yes)} if {wording(truth)} else {_inner(no)}"
        case ir.Call(function, arguments):
            return f"{function}({', '.join(map(wording, arguments))})"


def _inner(e: ir.Expression) -> str:
    text = wording(e)
    return f"({text})" if isinstance(e, ir.Binary | ir.Compare | ir.Select | ir.ToWord) else text
