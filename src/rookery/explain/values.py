"""Words and their kinds: the squares of a board, a number, or the number of a square."""

import ast
from collections.abc import Callable
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from rookery import kernel
from rookery.export.ir import Table
from rookery.export.translate import parsed
from rookery.kernel import U64, once, wrapping

Kind = Literal["board", "number", "square"]
WORD: Final = 2**64 - 1
NARROW: Final = 256  # a mask of so few bits makes a number
WIDE: Final = 1 << 20  # a table holds boards if any of its elements is as large
FAR: Final = 40  # and so does a right shift this far
_KINDS: Final[dict[str, Kind]] = {"Bits": "board", "State": "board", "Square": "square", "Word": "number"}
_BOARDS: Final = ("byteswap", "pdep")  # of the bit instructions, those that give boards


class Value(NamedTuple):
    """A word and its kind."""

    word: int
    kind: Kind


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


def holds_boards(table: Table, slot: int) -> bool:
    """Check whether a table's elements are more than small numbers.

    For 64 records of four, only elements in the same place count.
    """
    alike = table.values[slot % 4 :: 4] if table.values.size == 256 else table.values[: 1 << 12]
    return int(alike.max(initial=0)) >= WIDE


def computed(operator: str, a: Value, b: Value, literal: bool = False) -> Value:
    """Return the result of an operator on two words, wrapping.

    `literal` means that the first is a number in the code: a shifted 1 is a square's bit.
    """
    x, y = a.word, b.word
    word = {
        "+": lambda: x + y,
        "-": lambda: x - y,
        "*": lambda: x * y,
        "%": lambda: x % y,
        "&": lambda: x & y,
        "|": lambda: x | y,
        "^": lambda: x ^ y,
        "<<": lambda: x << y,
        ">>": lambda: x >> y,
    }[operator]() & WORD
    kind: Kind = "board" if "board" in (a.kind, b.kind) else "number"
    if operator == "<<":
        kind = "board" if a.kind == "board" or (literal and x == 1) else "number"
    elif operator == ">>":
        kind = "number" if a.kind != "board" or y >= FAR else "board"
    elif (
        operator == "%"
        or (operator == "*" and "square" in (a.kind, b.kind))
        or (operator == "&" and min(x, y) < NARROW and "number" in (a.kind, b.kind))
    ):
        kind = "number"
    return Value(word, kind)


def instruction(name: str, values: tuple[Value, ...]) -> Value:
    """Return the result of a bit instruction, from its portable version."""
    with wrapping():
        word = int(np.asarray(getattr(kernel, name)(*(U64(value.word) for value in values))))
    return Value(word, "board" if name in _BOARDS else "number")
