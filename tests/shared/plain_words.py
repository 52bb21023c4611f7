"""Kernels evaluated in plain Python, without NumPy and without the compiler: the meaning of an integer in a kernel.

A number is one of these:

- a `Word`: an argument, an element of an array of words, and the result of any operation with one, modulo 2**64;
- a `Literal`: an int in the source or a constant of the module, which takes the kind of what it meets;
- a Python int: a signed number, such as a length, which becomes a word where it meets one, and must not be negative;
- a `Negative`: a negative constant, which may meet a word where only the result modulo 2**64 matters;
- a bool.
"""

import ast
import builtins
import operator
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

MASK: Final = 2**64 - 1
_SHIFTS: Final = (operator.lshift, operator.rshift)
_LOGICAL: Final = (operator.and_, operator.or_, operator.xor)
_DIVISIONS: Final = (operator.floordiv, operator.mod, operator.pow)


class Undefined(Exception):
    """An operation without a defined result in compiled code."""


class Word(int):
    """A 64-bit word."""

    def __new__(cls, value: int = 0) -> "Word":
        return super().__new__(cls, int(value) & MASK)


class Literal(int):
    """An int of the source."""


class Negative(int):
    """A negative constant."""


def _is_signed(number: Any) -> bool:
    return type(number) in (int, Negative)


def binary(function: Callable[[int, int], int], left: Any, right: Any) -> Any:
    """Return the result of an operator."""
    if isinstance(left, float | tuple) or isinstance(right, float) or function is operator.truediv:
        return function(left, right)
    if isinstance(left, bool) and isinstance(right, bool) and function in _LOGICAL:
        return function(left, right)
    if function in _SHIFTS and not 0 <= right < 64:
        raise Undefined(f"a shift by {right}")
    if function is operator.pow and right < 0:
        raise Undefined(f"a power with the exponent {right}")
    is_by_zero = right == 0 and function in (operator.floordiv, operator.mod)
    value = 0 if is_by_zero else function(int(left), int(right))
    others = (left,) if function in _SHIFTS and not _is_literal_shift(left, right) else (left, right)
    if any(isinstance(n, Word) for n in others):
        for n in others:
            if n < 0 and (function in _DIVISIONS or not isinstance(n, Negative)):
                raise AssertionError(f"a word meets {n}, and the compiler has not noticed")
        return Word(value)
    # Two bools make a signed number, except where a bool is shifted.
    are_bools = all(isinstance(n, bool) for n in others) and function not in _SHIFTS
    if are_bools or any(_is_signed(n) for n in others):
        if not -(2**63) <= value < 2**63:
            raise Undefined("an overflow of a signed number")
        return value
    return Word(value)


def _is_literal_shift(left: Any, right: Any) -> bool:
    return isinstance(left, Literal) and isinstance(right, Word)


def unary(function: Callable[[int], int], number: Any) -> Any:
    """Return the result of `-`, `~` or `+`."""
    if isinstance(number, Word | Literal):
        return Word(function(int(number)))
    return function(number)


def _in_words(value: Any) -> Any:
    """Return a value that a call passes on: a literal becomes a word."""
    if isinstance(value, tuple):
        parts = [_in_words(part) for part in value]
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    return Word(value) if isinstance(value, Literal) else value


def _as_literals(value: Any) -> Any:
    """Return a constant of a module as its kernels read it. A tuple with negative numbers is signed."""
    if isinstance(value, tuple):
        if any(type(part) is int and part < 0 for part in value):
            return tuple(Negative(part) if part < 0 else part for part in value)
        parts = [_as_literals(part) for part in value]
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    if type(value) is not int:
        return value
    return Literal(value) if value >= 0 else Negative(value)


def kernel(function: Any) -> Any:
    """Return a kernel that runs in plain Python."""

    def call(*args: Any) -> Any:
        return _in_words(function(*map(_in_words, args)))

    return call


def _range(*args: int) -> Iterator[int]:
    is_signed = not any(isinstance(n, Word) for n in args) and any(_is_signed(n) for n in args)
    numbers = builtins.range(*map(builtins.int, args))
    return iter(numbers) if is_signed else map(Word, numbers)


def _divmod(left: Any, right: Any) -> Any:
    return binary(operator.floordiv, left, right), binary(operator.mod, left, right)


def _abs(number: Any) -> Any:
    return Word(number) if isinstance(number, Word | Literal) else abs(number)


def _extreme(function: Any) -> Any:
    def call(*args: Any) -> Any:
        found = function(*args)
        return Word(found) if any(isinstance(n, Word | Literal) for n in args) else found

    return call


def _int(number: Any) -> Any:
    return number if isinstance(number, Word) else Word(number) if isinstance(number, Literal) else int(number)


def signed_of(bits: int) -> Callable[[Any], int]:
    """Return what makes a signed number of so many bits of any number."""
    return lambda number: (int(number) + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def unsigned_of(bits: int) -> Callable[[Any], Word]:
    """Return what makes an unsigned number of so many bits, which is a word, of any number."""
    return lambda number: Word(int(number) % 2**bits)


class _NumPy(NamedTuple):
    """What kernels use of NumPy."""

    int8: Any = signed_of(8)
    int16: Any = signed_of(16)
    int64: Any = signed_of(64)
    uint8: Any = unsigned_of(8)
    uint32: Any = unsigned_of(32)
    uint64: Any = Word


NAMES: Final = {
    "range": _range,
    "min": _extreme(min),
    "max": _extreme(max),
    "int": _int,
    "abs": _abs,
    "divmod": _divmod,
    "pow": lambda left, right: binary(operator.pow, left, right),
    "binary": binary,
    "unary": unary,
    "operator": operator,
    "U64": Word,
    "np": _NumPy(),
    "kernel": kernel,
    "called_kernel": kernel,
    "cold_kernel": kernel,
    "entry": lambda function: function,
    "signed": lambda function: function,
}


class Array:
    """A one-dimensional array of words, signed numbers or bools, or a part of one.

    `kind` makes an element of any number.
    """

    ndim = 1

    def __init__(self, values: Any, kind: Callable[[int], Any] = Word, places: range | None = None) -> None:
        self.values = values if places is not None else [kind(v) for v in values]
        self._kind = kind
        self._places = range(len(self.values)) if places is None else places

    def __len__(self) -> int:
        return len(self._places)

    @property
    def size(self) -> int:
        return len(self)

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)

    def __iter__(self) -> Iterator[Any]:
        return (self.values[place] for place in self._places)

    def _place(self, place: int) -> int:
        if not 0 <= place < len(self):
            raise Undefined(f"element {place}")
        return self._places[place]

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            if any(n is not None and n < 0 for n in (place.start, place.stop)):
                raise Undefined("a slice from the end")
            return Array(self.values, self._kind, self._places[place])
        return self.values[self._place(place)]

    def __setitem__(self, place: Any, value: Any) -> None:
        places = self[place]._places if isinstance(place, slice) else [self._place(place)]
        for one in places:
            self.values[one] = self._kind(value)


class Rows:
    """A two-dimensional array."""

    ndim = 2

    def __init__(self, rows: list[Array]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    def _row(self, place: int) -> Array:
        if not 0 <= place < len(self.rows):
            raise Undefined(f"row {place}")
        return self.rows[place]

    def __getitem__(self, place: Any) -> Any:
        return self._row(place[0])[place[1]] if isinstance(place, tuple) else self._row(place)

    def __setitem__(self, place: tuple[int, int], value: Any) -> None:
        self._row(place[0])[place[1]] = value


_NAMES: Final[dict[type[ast.AST], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.Div: "truediv",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Invert: "invert",
}


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [*args], [])


def _operator(node: ast.AST) -> ast.expr:
    return ast.Attribute(ast.Name("operator", ast.Load()), _NAMES[type(node)], ast.Load())


class _Rewritten(ast.NodeTransformer):
    """Literals as `Literal`, operations as calls of `binary` and `unary`. The names of the methods are those of ast."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is not int:
            return node
        return _call("Literal" if node.value >= 0 else "Negative", node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if _is_constant(node):
            return self._folded(node)
        return _call("binary", _operator(node.op), self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.Not):
            return self.generic_visit(node)
        if _is_constant(node):
            return self._folded(node)
        return _call("unary", _operator(node.op), self.visit(node.operand))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        value = _call("binary", _operator(node.op), self.visit(read), self.visit(node.value))
        return ast.Assign([self.visit(node.target)], value)

    def _folded(self, node: ast.expr) -> ast.AST:
        """Compute a constant expression, as Python does before it compiles a function."""
        return self.visit_Constant(ast.Constant(eval(ast.unparse(node))))


def _is_constant(node: ast.AST) -> bool:
    parts = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    return all(isinstance(part, parts) for part in ast.walk(node))


def evaluated(source: str, **constants: Any) -> dict[str, Any]:
    """Run the source of a module of kernels in plain Python, without its imports, and return its names.

    Calls of its entries are calls of plain functions, which take `Array` and `Word`.
    """
    tree = ast.parse(source)
    names: dict[str, Any] = {"Literal": Literal, "Negative": Negative, **NAMES, "NamedTuple": NamedTuple, "Any": Any}
    names |= {name: _as_literals(value) for name, value in constants.items()}
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        changed = _Rewritten().visit(node) if isinstance(node, ast.FunctionDef) else node
        exec(compile(ast.fix_missing_locations(ast.Module([changed], [])), "<plain>", "exec"), names)
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    names[target.id] = _as_literals(names[target.id])
    return names
