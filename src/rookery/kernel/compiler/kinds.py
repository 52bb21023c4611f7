"""The types of values in compiled code, and how a function in LLVM's language takes them as arguments."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np


class Type:
    """The type of a value in compiled code."""


@dataclass(frozen=True)
class Number(Type):
    """A number: ``b`` a bool, ``i`` a signed integer, ``u`` an unsigned one, ``f`` a float, ``V`` several."""

    kind: str
    bits: int


@dataclass(frozen=True)
class Nothing(Type):
    """The type of None."""


@dataclass(frozen=True)
class Record(Type):
    """An element of an array of records: a place in memory with a number in each field, so many bytes behind it."""

    fields: tuple[tuple[str, Number, int], ...]
    size: int
    kind = "V"

    @property
    def bits(self) -> int:
        return self.size * 8


@dataclass(frozen=True)
class Array(Type):
    """An array of numbers or records, as NumPy lays it out: ``C``, ``F`` or ``A``, which is any other way."""

    item: Number | Record
    ndim: int
    layout: str = "C"
    is_writeable: bool = True
    notes_reads: bool = False  # see `NotedReads`


@dataclass(frozen=True)
class Tuple(Type):
    """A tuple, or a NamedTuple of `instance_class`."""

    items: tuple[Type, ...]
    instance_class: type = tuple


class NotedReads(np.ndarray[Any, Any]):
    """An array that compiled code does not read: an element is 0, and its index is stored where the array points to.

    So the code of a look-up tells which slot it reads.
    """


BOOL: Final = Number("b", 1)
WORD: Final = Number("u", 64)
SIGNED: Final = Number("i", 64)
FLOAT: Final = Number("f", 64)
NONE: Final = Nothing()


def of_dtype(dtype: Any) -> Any:
    """Return the type of the elements of an array: a `Number` or a `Record`."""
    dtype = np.dtype(dtype)
    if dtype.fields and not dtype.hasobject:
        fields = ((name, of_dtype(dtype.fields[name][0]), dtype.fields[name][1]) for name in dtype.names)
        return Record(tuple(fields), dtype.itemsize)
    return _number(dtype)


def _number(dtype: Any) -> Number:
    if dtype.fields or dtype.kind not in "biuf" or not dtype.isnative:
        raise TypeError(f"an array of {dtype}: expected numbers in the order of this machine's bytes")
    return Number(dtype.kind, 1 if dtype.kind == "b" else dtype.itemsize * 8)


def type_of(value: Any) -> Type:
    """Return the type of a value: an int is a signed number, unless only a word can hold it.

    >>> type_of(np.zeros(3, np.uint8))
    Array(item=Number(kind='u', bits=8), ndim=1, layout='C', is_writeable=True, notes_reads=False)
    """
    if value is None:
        return NONE
    if isinstance(value, np.ndarray):
        flags = value.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return Array(of_dtype(value.dtype), value.ndim, layout, flags.writeable, isinstance(value, NotedReads))
    if isinstance(value, np.generic):
        return _number(value.dtype)
    if isinstance(value, tuple):
        return Tuple(tuple(map(type_of, value)), type(value))
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 64:
        return SIGNED if value < 1 << 63 else WORD
    if isinstance(value, float):
        return FLOAT
    raise TypeError(f"{value!r:.60}: expected a number, an array of numbers, None, or a tuple of these")


def flattened(kind: Type) -> Iterator[str]:
    """Yield the types in LLVM's language of the arguments that pass a value of a type.

    An array passes the pointer to its first element, its shape and, unless it is laid out as in C, its strides in
    bytes. A tuple passes its items. A bool passes a byte, and None nothing.
    """
    if isinstance(kind, Number):
        floats = {32: "float", 64: "double"}
        yield "i8" if kind.kind == "b" else floats[kind.bits] if kind.kind == "f" else f"i{kind.bits}"
    elif isinstance(kind, Array):
        yield from ("ptr", *["i64"] * (kind.ndim if kind.layout == "C" else 2 * kind.ndim))
    elif isinstance(kind, Tuple):
        for item in kind.items:
            yield from flattened(item)
