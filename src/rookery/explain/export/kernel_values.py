"""The values of a translation: words, tables and rows of them, records of words, functions that are known by then."""

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from rookery.explain.export import ir

# Kernels made there only pass questions on: they are written out where they are called.
PLUMBING = "rookery.techniques.base.answers"
WORD = 2**64 - 1


class Untranslatable(ValueError):
    """The error for a kernel that exported code cannot express."""


@dataclass(frozen=True)
class TableRow:
    """A table, or a row of one: where it begins, and what is left of its shape."""

    table: str
    shape: tuple[int, ...]
    start: ir.Expression = field(default_factory=lambda: ir.Int(0))


@dataclass(frozen=True)
class StateWords:
    """A NamedTuple of words that a technique keeps of an occupancy.

    Each word is a variable here, or a parameter.
    """

    kind: type
    words: tuple[ir.Name, ...]

    def word(self, name: str) -> ir.Name | None:
        """Return one of the words."""
        return dict(zip(self.kind._fields, self.words, strict=True)).get(name)  # type: ignore[attr-defined]


class Tables:
    """The stand-in for the argument `t`: its fields enter the program when a kernel first reads them."""

    def __init__(self, t: Any) -> None:
        self.t = t


Value = Any  # an Expression, an Array, a Record, Tables, an int, a Function or a Python function


def is_word(value: Value) -> bool:
    """Return whether a value is an expression."""
    return isinstance(value, ir.Expression)


@functools.cache
def parsed(python: Callable[..., Any]) -> ast.FunctionDef:
    """Return the syntax tree of a function."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(python))).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise Untranslatable(f"{python.__name__} is not a plain function")
    return tree


def shapes(arguments: Iterable[Value]) -> tuple[Value, ...]:
    """Return the key of a translation: None for a word, the class of a record, anything else as it is."""
    return tuple(None if is_word(a) else a.kind if isinstance(a, StateWords) else a for a in arguments)


def first_line(python: Callable[..., Any]) -> str:
    """Return the first sentence of a function's docstring, or an empty text."""
    text = " ".join((python.__doc__ or "").split())
    return text.partition(". ")[0].rstrip(".").replace("`", "") + "." if text else ""


def table_suffix(fixed: tuple[Value, ...]) -> str:
    """Return the names of the tables that a function is built around."""
    return "_".join(a.table.lower().removesuffix("_table") for a in fixed if isinstance(a, TableRow))


def is_record(value: Value) -> bool:
    """Return whether a value is the class of a NamedTuple."""
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


def gives_record(python: Callable[..., Any]) -> bool:
    """Check whether a function ends with a NamedTuple made of words."""
    match parsed(python).body[-1]:
        case ast.Return(value=ast.Call(func=ast.Name(id=name))):
            return is_record(inspect.getclosurevars(python).globals.get(name))
    return False


def word_of(value: Value) -> ir.Expression:
    """Return a value as a word: a number as a literal, a comparison as 0 or 1."""
    if isinstance(value, int):
        return ir.Int(value & WORD)
    return ir.ToWord(value) if ir.is_truth(value) else value


def _number(e: ir.Expression) -> int | None:
    return e.value if isinstance(e, ir.Int | ir.Constant) else None


def plus(a: ir.Expression, b: ir.Expression) -> ir.Expression:
    """Return a sum, computed where both are known."""
    left, right = _number(a), _number(b)
    if left is not None and right is not None:
        return ir.Int(left + right)
    if left == 0:
        return b
    return a if right == 0 else ir.Binary("+", a, b)


def times(a: ir.Expression, factor: int) -> ir.Expression:
    """Return a product, computed where both factors are known."""
    number = _number(a)
    if number is not None and factor != 1:
        return ir.Int(number * factor)
    return a if factor == 1 else ir.Binary("*", a, ir.Int(factor))
