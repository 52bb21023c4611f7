"""The kinds of words: a board, a number, or the number of a square. The kernels declare them.

Parameters, answers and variables are declared by annotations: `Bits` and `State` are boards, `Square` is a square,
`Word` is a number. Elements of 64-bit tables are boards where nothing else is declared for them. The other values
follow from these by the operators, before any code runs.
"""

import ast
from collections.abc import Callable
from typing import Any, Final, Literal

from rookery.explain.export import ir
from rookery.explain.export.kernel_values import parsed
from rookery.kernel import once

Kind = Literal["board", "number", "square"]
WORD: Final = 2**64 - 1
NARROW: Final = 256  # a literal below this is a number
_KINDS: Final[dict[str, Kind]] = {"Bits": "board", "State": "board", "Square": "square", "Word": "number"}
INSTRUCTION_KINDS: Final[dict[str, Kind]] = {
    "byteswap": "board",
    "popcount": "number",
    "trailing_zeros": "number",
    "leading_zeros": "number",
    "pext": "number",
    "pdep": "board",
}


def annotated_kind(python: Callable[..., Any] | None, name: str) -> Kind | None:
    """Return the declared kind of a parameter, or of the answer (``return``).

    A parameter that the function does not name is one of the boards of another parameter.
    """
    if python is None:
        return None
    # The names of words are Any to the type checker, and at run time: the source alone tells them apart.
    texts = _annotation_texts(python)
    if name != "return" and name not in texts:
        return "board"
    return _KINDS.get(texts.get(name, ""))


def declared_kind(python: Callable[..., Any], name: str) -> Kind | None:
    """Return the declared kind of a variable as in ``offset: Word = ...``, or None.

    >>> from rookery.techniques.pext import rook_index
    >>> declared_kind(rook_index, "offset"), declared_kind(rook_index, "mask")
    ('number', None)
    """
    return _KINDS.get(_declarations(python).get(name, ""))


@once
def _declarations(python: Callable[..., Any]) -> dict[str, str]:
    nodes = [node for node in ast.walk(parsed(python)) if isinstance(node, ast.AnnAssign)]
    return {node.target.id: ast.unparse(node.annotation) for node in nodes if isinstance(node.target, ast.Name)}


@once
def _annotation_texts(python: Callable[..., Any]) -> dict[str, str]:
    tree = parsed(python)
    texts = {a.arg: ast.unparse(a.annotation) if a.annotation else "" for a in tree.args.args}
    return texts | ({"return": ast.unparse(tree.returns)} if tree.returns else {})


def computed_kind(operator: str, kinds: tuple[Kind, Kind], left: ir.Expression, declared: Kind | None) -> Kind:
    """Return the kind of an operator's result, if it is `declared` so, or by the kinds of its operands.

    >>> computed_kind("*", ("board", "number"), ir.Int(0), None)
    'board'
    """
    if declared:
        return declared
    if operator == "%" or (operator == "*" and "square" in kinds):
        return "number"
    if operator == "<<":
        is_bit = isinstance(left, ir.Int) and left.value == 1  # a shifted 1 is a square's bit
        return "board" if kinds[0] == "board" or is_bit else "number"
    if operator == ">>":
        return "board" if kinds[0] == "board" else "number"
    return "board" if "board" in kinds else "number"


def inner_kind(operator: str, operand: ir.Expression, declared: Kind | None) -> Kind | None:
    """Return the kind that an operand must have for its result to be `declared` so, or None."""
    return declared if operator in "+-" or (declared == "number" and isinstance(operand, ir.Load)) else None


class Kinds:
    """The kinds of a function's variables, as far as its statements have been read."""

    def __init__(self, program: ir.Program, parameters: dict[str, Kind], function: ir.Function) -> None:
        self.program = program
        self.of = dict(parameters)
        self.function = function

    def kind(self, e: ir.Expression, declared: Kind | None = None) -> Kind:
        """Return the kind of an expression; `declared` is that of the variable, parameter or answer it is for."""
        match e:
            case ir.Int(value) | ir.Constant(_, value):
                return "number" if value < NARROW or declared == "number" else "board"
            case ir.Name(name):
                return self.of.get(name, "number")
            case ir.Load():
                return "number" if self.program.tables[e.table].bits < 64 else declared or "board"
            case ir.Invert(value):
                return self.kind(value)
            case ir.Binary("&", left, ir.Int(mask) | ir.Constant(_, mask)) if (
                0 < mask < NARROW and mask & (mask + 1) == 0
            ):
                return declared or "number"
            case ir.Binary(operator, left, right) if not ir.is_truth(e):
                first, second = (self.kind(o, inner_kind(operator, o, declared)) for o in (left, right))
                return computed_kind(operator, (first, second), left, declared)
            case ir.Select(_, yes, no):
                return "board" if "board" in (self.kind(yes, declared), self.kind(no, declared)) else "number"
            case ir.Call(name, _):
                f = self.program.functions.get(name)
                return (annotated_kind(f.python, "return") if f else INSTRUCTION_KINDS[name]) or "number"
        return "number"

    def declared(self, s: ir.Statement) -> Kind | None:
        """Return the kind that the kernel declares for what a statement sets or returns."""
        if isinstance(s, ir.Return):
            return annotated_kind(self.function.python, "return")
        return declared_kind(s.origin.python, s.name.rstrip("_")) if isinstance(s, ir.Assign) and s.origin else None

    def assign(self, s: ir.Assign) -> Kind:
        """Read an assignment, and return the kind of its variable."""
        declared = self.declared(s)
        self.of[s.name] = declared or self.kind(s.value, declared)
        return self.of[s.name]


def parameter_kinds(
    program: ir.Program, functions: dict[str, ir.Function], entries: tuple[str, ...]
) -> dict[str, dict[str, Kind]]:
    """Return the kinds of all parameters: a `Word` that is handed a board is looked at as one."""
    kinds = {name: {p: annotated_kind(f.python, p) or "number" for p in f.parameters} for name, f in functions.items()}
    for name in entries:
        kinds[name] = dict(zip(functions[name].parameters, ("square", "board"), strict=True))
    for f in reversed(functions.values()):  # each stands after the functions that it calls
        found = Kinds(program, kinds[f.name], f)
        for s in ir.statements(f.body):
            for e in (inner for own in ir.expressions(s) for inner in ir.walk(own)):
                if isinstance(e, ir.Call) and e.function in functions:
                    called = functions[e.function]
                    for p, argument in zip(called.parameters, e.arguments, strict=True):
                        is_word = kinds[e.function][p] == "number" and not isinstance(argument, ir.Load)
                        if is_word and found.kind(argument) == "board":
                            kinds[e.function][p] = "board"
            if isinstance(s, ir.Assign):
                found.assign(s)
    return kinds
