"""Programs: sequences of operations, evaluated with NumPy and written as formulas."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formulas import operations as ops
from formulas.operations import Operation
from rookery.kernel import (
    U64,
    bitreverse,
    byteswap,
    leading_zeros,
    pdep_portable,
    pext_portable,
    popcount,
    trailing_zeros,
    wrapping,
)

Words = NDArray[np.uint64]


class Step(NamedTuple):
    """An operation and its operands: positions among the inputs and the steps before, counted together."""

    operation: Operation
    left: int
    right: int


class Program(NamedTuple):
    """The names of the inputs, and the steps. The last step is the answer."""

    inputs: tuple[str, ...]
    steps: tuple[Step, ...]

    @classmethod
    def parse(cls, text: str, inputs: tuple[str, ...], operations: tuple[Operation, ...]) -> "Program":
        """Read the steps of a program: assignments separated by semicolons, and an expression at the end.

        Raises ValueError for a step that is not one of the operations on values that are there.

        >>> Program.parse("a = o - r; o ^ a", ("o", "r"), (ops.sub, ops.xor)).formula()
        'o ^ (o - r)'
        """
        names = list(inputs)
        steps = []
        for line in text.split("; "):
            name, _, expression = line.rpartition(" = ")
            found = [
                Step(operation, left, right)
                for operation in operations
                for left in range(len(names))
                for right in (range(len(names)) if operation.operands == 2 else (left,))
                if operation.text.format(x=names[left], y=names[right]) == expression
            ]
            if not found:
                raise ValueError(f"text: {line!r}: expected an operation on {', '.join(names)}")
            steps.append(found[0])
            names.append(name)
        return cls(inputs, tuple(steps))

    def __str__(self) -> str:
        return "; ".join(self.lines())

    def lines(self) -> list[str]:
        """Return the steps as assignments, the last one as an expression.

        >>> Program(("o", "r"), (Step(ops.sub, 0, 1), Step(ops.xor, 0, 2))).lines()
        ['t1 = o - r', 'o ^ t1']
        """
        names = list(self.inputs)
        lines = []
        for number, (operation, left, right) in enumerate(self.steps, 1):
            text = operation.text.format(x=names[left], y=names[right])
            names.append(f"t{number}")
            lines.append(text if number == len(self.steps) else f"t{number} = {text}")
        return lines

    def formula(self) -> str:
        """Return the program as one expression; what several steps share is repeated.

        >>> Program(("o", "r"), (Step(ops.sub, 0, 1), Step(ops.xor, 0, 2))).formula()
        'o ^ (o - r)'
        """
        texts = list(self.inputs)
        for operation, left, right in self.steps:
            in_call = operation.text.endswith((")", "]"))
            x, y = (t if in_call or _is_atom(t) else f"({t})" for t in (texts[left], texts[right]))
            texts.append(operation.text.format(x=x, y=y))
        return texts[-1]

    def run(self, inputs: Sequence[Words] | Words) -> Words:
        """Return the answers, one a case; `inputs` has an array of words for each input."""
        answers: Words = self.every_value(inputs)[-1]
        return answers

    def every_value(self, inputs: Sequence[Words] | Words) -> list[Any]:
        """Return the inputs and the result of each step."""
        values: list[Any] = list(inputs)
        with wrapping():
            for operation, left, right in self.steps:
                values.append(_FUNCTIONS[operation.code](values[left], values[right], U64(operation.constant)))
        return values


def _is_atom(text: str) -> bool:
    """Return whether a formula is a name, a call, a look-up or one of these negated, and needs no brackets."""
    depth = 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if depth == 0 and letter == " ":
            return False
    return True


def _in_lanes(shift: Callable[[Any, Any], Any], beyond: Callable[[Any], Any]) -> Callable[[Any, Any, Any], Any]:
    return lambda x, y, c: np.where(y < U64(64), shift(x, y & U64(63)), beyond(x))


def _arithmetic(x: Any, y: Any) -> Any:
    return (x.astype(np.int64) >> y.astype(np.int64)).astype(U64)


# Written apart from the compiled forms in `operations`; the tests compare both.
_FUNCTIONS: Final[dict[int, Callable[[Any, Any, Any], Any]]] = {
    ops.ADD: lambda x, y, c: x + y,
    ops.XOR: lambda x, y, c: x ^ y,
    ops.AND: lambda x, y, c: x & y,
    ops.OR: lambda x, y, c: x | y,
    ops.SUB: lambda x, y, c: x - y,
    ops.ANDN: lambda x, y, c: ~x & y,
    ops.SHL: lambda x, y, c: x << (y & U64(63)),
    ops.SHR: lambda x, y, c: x >> (y & U64(63)),
    ops.SHL_LANE: _in_lanes(lambda x, y: x << y, lambda x: x & U64(0)),
    ops.SHR_LANE: _in_lanes(lambda x, y: x >> y, lambda x: x & U64(0)),
    ops.SAR_LANE: _in_lanes(_arithmetic, lambda x: _arithmetic(x, np.full_like(x, 63))),
    ops.PEXT: lambda x, y, c: pext_portable(x, y),
    ops.PDEP: lambda x, y, c: pdep_portable(x, y),
    ops.MUL: lambda x, y, c: x * y,
    ops.NOT: lambda x, y, c: ~x,
    ops.NEG: lambda x, y, c: U64(0) - x,
    ops.BYTESWAP: lambda x, y, c: byteswap(x),
    ops.BITREVERSE: lambda x, y, c: bitreverse(x),
    ops.POPCOUNT: lambda x, y, c: popcount(x),
    ops.LZCNT: lambda x, y, c: leading_zeros(x),
    ops.TZCNT: lambda x, y, c: trailing_zeros(x),
    ops.BLSI: lambda x, y, c: x & (U64(0) - x),
    ops.BLSR: lambda x, y, c: x & (x - U64(1)),
    ops.BLSMSK: lambda x, y, c: x ^ (x - U64(1)),
    ops.SHL_BY: lambda x, y, c: x << c,
    ops.SHR_BY: lambda x, y, c: x >> c,
    ops.MUL_BY: lambda x, y, c: x * c,
}
