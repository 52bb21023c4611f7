"""Keys for the types of arguments, as fine as Numba's types, without importing Numba.

Machine code is looked up by these keys.
"""

import enum
from typing import Any, Final

import numpy as np

_CONTIGUOUS, _WRITEABLE = 0x3, 0x400  # in `flags.num`, with names in NumPy's C API
_TYPE_FLAGS: Final = _CONTIGUOUS | _WRITEABLE  # of two arrays that differ in these, the types differ
_NUMBERS: Final = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()
_SCALARS: Final[frozenset[type]] = frozenset((bool, float, type(None), *(np.dtype(name).type for name in _NUMBERS)))
_ARRAYS: Final[frozenset[type]] = frozenset((np.ndarray, np.recarray))
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1


class Unkeyed(TypeError):
    """A value whose type only Numba knows."""


def key_of(value: Any) -> Any:
    """Return a cheap key for a dictionary in memory: equal keys mean equal types."""
    kind = type(value)
    if kind in _ARRAYS:
        return value.dtype, value.ndim, value.flags.num & _TYPE_FLAGS
    if kind in _SCALARS:
        return kind
    if isinstance(value, tuple):
        return kind, *[key_of(item) for item in value]
    if isinstance(value, int) and not isinstance(value, enum.Enum):
        if _LEAST <= value <= _MOST:
            return int
        if _MOST < value < 1 << 64:
            return np.uint64
    raise Unkeyed(kind)


def _array(dtype: Any, ndim: int, layout: str, writeable: bool) -> str:
    if dtype.fields:
        name = str(dtype.descr)
        if not all(field.kind in "biuf" for field, *_ in dtype.fields.values()):
            raise Unkeyed(dtype)
    elif dtype.kind in "biuf":
        name = dtype.str
    else:
        raise Unkeyed(dtype)
    return f"array({name}, {ndim}d, {layout}{'' if writeable else ', readonly'})"


def _tuple(kind: type, items: list[str]) -> str:
    if kind is tuple:
        return f"({', '.join(items)})"
    if "<locals>" in kind.__qualname__ or not hasattr(kind, "_fields"):
        raise Unkeyed(kind)  # the name may stand for another class in the next run
    named = (f"{name}: {item}" for name, item in zip(kind._fields, items, strict=True))
    return f"{kind.__module__}.{kind.__qualname__}({', '.join(named)})"


def text_of(value: Any) -> str:
    """Return the type of a value as text that is the same in every process."""
    kind = type(value)
    if kind in _ARRAYS:
        flags = value.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return _array(value.dtype, value.ndim, layout, flags.writeable)
    if isinstance(value, tuple):
        return _tuple(kind, [text_of(item) for item in value])
    key = key_of(value)
    return "none" if value is None else "int64" if key is int else np.dtype(key).name


def modules_of(value: Any) -> set[str]:
    """Return the modules that define the NamedTuple classes in a value."""
    if not isinstance(value, tuple):
        return set()
    own = set() if type(value) is tuple else {type(value).__module__}
    return own.union(*map(modules_of, value))


def classes_of(example: Any) -> list[Any]:
    """Return the objects that a wrapper compares while it reads an argument: classes and dtypes, in their order."""
    if isinstance(example, np.ndarray):
        return [np.ndarray, example.dtype]
    if isinstance(example, tuple):
        return [type(example), *(found for part in example for found in classes_of(part))]
    return []


def symbol_of(module: str, function: str, flavour: str, types: str) -> str:
    """Return what the symbols of a function's machine code begin with, for arguments of some types.

    >>> symbol_of("rookery.positions.queries.questions", "counts", "apart", "(uint64)")
    'rookery.positions.queries.questions.counts.bb175095de3c36c2'
    """
    # FNV-1a: `hashlib` takes 2 ms to import, and the few types of one function are all that has to differ.
    digest = 0xCBF2_9CE4_8422_2325
    for byte in f"{flavour} {types}".encode():
        digest = (digest ^ byte) * 0x100_0000_01B3 & 0xFFFF_FFFF_FFFF_FFFF
    return f"{module}.{function}.{digest:016x}"
