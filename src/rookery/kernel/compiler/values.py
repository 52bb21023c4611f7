"""Values while a function is translated: what is known of each, and the operands that stand for it in LLVM's language.

A tuple is its items, and an array a pointer and its lengths: neither exists in memory as a whole. So a field of a
tuple, a slice of it and an array's size are found without an instruction.
"""

from collections.abc import Iterator
from typing import Any, Final

from rookery.kernel.compiler.kinds import BOOL, NONE, SIGNED, WORD, Array, Nothing, Number, Record, Tuple, Type

MOST_CONSTANTS: Final = 16  # of the numbers that one value may be
SIGN: Final = 1 << 63


class Unsupported(Exception):
    """Something that is not translated: Numba may compile it, or say what is wrong with it."""

    place = ""  # the file and the line, as Numba's messages have them


class Num:
    """A number.

    `constants` are the ints that it can be, if each of them is a constant. A natural number is never negative.
    """

    __slots__ = ("code", "constants", "kind", "natural")

    def __init__(self, kind: Number, code: str, constants: frozenset[int] | None = None, natural: bool = False):
        self.kind = kind
        self.code = code
        self.constants = constants
        self.natural = natural or kind.kind in "bu"

    @property
    def is_flexible(self) -> bool:
        """Check whether a constant takes the kind of what it meets: not if only a word can hold it."""
        return self.constants is not None and max(self.constants) < SIGN

    @property
    def constant(self) -> int | None:
        """Return the only int that this value can be, or None."""
        return next(iter(self.constants)) if self.constants is not None and len(self.constants) == 1 else None


class Tup:
    """A tuple of values, or a NamedTuple."""

    __slots__ = ("cls", "items")

    def __init__(self, items: list[Any], cls: type = tuple) -> None:
        self.items = items
        self.cls = cls

    @property
    def kind(self) -> Tuple:
        return Tuple(tuple(item.kind for item in self.items), self.cls)


class Arr:
    """An array. Only one that is not contiguous in the order of C has strides, in bytes."""

    __slots__ = ("data", "kind", "shape", "strides")

    def __init__(self, kind: Array, data: str, shape: list[str], strides: list[str]) -> None:
        self.kind = kind
        self.data = data
        self.shape = shape
        self.strides = strides


class Rec:
    """A record in memory."""

    __slots__ = ("data", "kind")

    def __init__(self, kind: Record, data: str) -> None:
        self.kind = kind
        self.data = data


class Static:
    """A Python object that is known when the function is translated: a module, a function, a class, None, a table."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def kind(self) -> Type:
        if self.value is not None:
            raise Unsupported(f"{self.value!r:.60} as a value")
        return NONE


Value = Num | Tup | Arr | Rec | Static
CONFLICT: Final = Static("a variable of two types")


def in_llvm(kind: Number) -> str:
    """Return the name of a number's type in LLVM's language."""
    if kind.kind == "f":
        return "float" if kind.bits == 32 else "double"
    return f"i{kind.bits}"


def in_memory(kind: Number | Record) -> str:
    """Return the name of the type that an array's element has: a bool is a byte."""
    if isinstance(kind, Record):
        return f"[{kind.size} x i8]"
    return "i8" if kind == BOOL else in_llvm(kind)


def size_of(kind: Number | Record) -> int:
    """Return the number of bytes of an array's element."""
    if isinstance(kind, Record):
        return kind.size
    return max(kind.bits // 8, 1)


def leaves(kind: Type) -> Iterator[str]:
    """Yield the types in LLVM's language of the operands of a value."""
    if isinstance(kind, Number):
        yield in_llvm(kind)
    elif isinstance(kind, Array):
        yield "ptr"
        yield from ["i64"] * (kind.ndim if kind.layout == "C" else 2 * kind.ndim)
    elif isinstance(kind, Record):
        yield "ptr"
    elif isinstance(kind, Tuple):
        for item in kind.items:
            yield from leaves(item)


def operands(value: Any) -> Iterator[str]:
    """Yield the operands of a value."""
    if isinstance(value, Num):
        yield value.code
    elif isinstance(value, Arr):
        yield value.data
        yield from value.shape
        yield from value.strides
    elif isinstance(value, Rec):
        yield value.data
    elif isinstance(value, Tup):
        for item in value.items:
            yield from operands(item)


def rebuilt(kind: Type, codes: Iterator[str]) -> Any:
    """Return the value of a type with these operands."""
    if isinstance(kind, Number):
        return Num(kind, next(codes))
    if isinstance(kind, Array):
        data = next(codes)
        shape = [next(codes) for _ in range(kind.ndim)]
        return Arr(kind, data, shape, [] if kind.layout == "C" else [next(codes) for _ in range(kind.ndim)])
    if isinstance(kind, Tuple):
        return Tup([rebuilt(item, codes) for item in kind.items], kind.instance_class)
    if isinstance(kind, Record):
        return Rec(kind, next(codes))
    assert isinstance(kind, Nothing)
    return Static(None)


def common_number(a: Number, b: Number) -> Number | None:
    """Return the type that holds numbers of both types, or None if it would be a float made of integers."""
    if a == b:
        return a
    if a.kind == b.kind:
        return a if a.bits > b.bits else b
    kinds = a.kind + b.kind
    if "b" in kinds:
        return b if a.kind == "b" else a
    if "f" in kinds:
        return Number("f", 64)
    signed, unsigned = (a, b) if a.kind == "i" else (b, a)
    if unsigned.bits < signed.bits:
        return signed
    return None if unsigned.bits == 64 else SIGNED


def common(a: Any, b: Any) -> Any:
    """Return a value like both, without operands of its own: what a variable is where two paths meet."""
    if a is b:
        return a
    if isinstance(a, Static) and isinstance(b, Static) and a.value is b.value:
        return a
    if isinstance(a, Num) and isinstance(b, Num):
        kind = common_number(a.kind, b.kind)
        if kind is None:
            return CONFLICT
        constants = None
        if a.constants is not None and b.constants is not None and len(a.constants | b.constants) <= MOST_CONSTANTS:
            constants = a.constants | b.constants
        return Num(kind, "", constants, a.natural and b.natural)
    if isinstance(a, Tup) and isinstance(b, Tup) and a.cls is b.cls and len(a.items) == len(b.items):
        items = [common(x, y) for x, y in zip(a.items, b.items, strict=True)]
        return CONFLICT if CONFLICT in items else Tup(items, a.cls)
    if isinstance(a, Arr) and isinstance(b, Arr) and (a.kind.item, a.kind.ndim) == (b.kind.item, b.kind.ndim):
        layout = a.kind.layout if a.kind.layout == b.kind.layout else "A"
        kind_of_both = Array(a.kind.item, a.kind.ndim, layout, a.kind.is_writeable and b.kind.is_writeable)
        return Arr(kind_of_both, "", a.shape, a.strides)
    if isinstance(a, Rec) and isinstance(b, Rec) and a.kind == b.kind:
        return Rec(a.kind, "")
    return CONFLICT


def same(a: Any, b: Any) -> bool:
    """Check whether the same is known of two values."""
    if isinstance(a, Num) and isinstance(b, Num):
        return (a.kind, a.constants, a.natural) == (b.kind, b.constants, b.natural)
    if isinstance(a, Tup) and isinstance(b, Tup):
        return a.cls is b.cls and len(a.items) == len(b.items) and all(map(same, a.items, b.items))
    if isinstance(a, Arr | Rec) and isinstance(b, Arr | Rec):
        return a.kind == b.kind
    return isinstance(a, Static) and isinstance(b, Static) and a.value is b.value


def bit(code: str) -> Num:
    """Return a bool."""
    return Num(BOOL, code)


def word(code: str) -> Num:
    """Return a word."""
    return Num(WORD, code)


def length(code: str) -> Num:
    """Return a signed number that is never negative."""
    return Num(SIGNED, code, None, True)
