"""The places at which CPython and NumPy keep what wrappers read and write, in bytes from the beginning of an object.

These places are the same in CPython 3.11 to 3.14 with the global lock. They are not promised to stay, so they are
compared with real objects before machine code is used: `fit`, `fit_board`, `fit_slot`, `fit_arrays`. Where they differ,
as in builds without the lock, Python functions answer.
"""

import sys
from collections.abc import Callable
from typing import Any, Final

REFERENCES: Final = 0
TYPE: Final = 8
SIZE: Final = 16  # of bytes, lists and tuples
BYTES: Final = 32  # the first byte
LIST_ITEMS: Final = 24  # the address of the first item
TUPLE_ITEMS: Final = 24  # the first item
INT: Final = 16  # sign and number of digits in one word, then the digits
DIGIT_BITS: Final = 30
FIRST_SLOT: Final = 16  # of a class with __slots__, in alphabetical order

ARRAY_DATA: Final = 16
ARRAY_DIMENSIONS: Final = 24  # their number
ARRAY_SHAPE: Final = 32
ARRAY_STRIDES: Final = 40
ARRAY_DTYPE: Final = 56
ARRAY_FLAGS: Final = 64
C_CONTIGUOUS: Final = 0x1
F_CONTIGUOUS: Final = 0x2
WRITEABLE: Final = 0x400

DOCUMENTATION: Final = 24  # in PyMethodDef, and in PyGetSetDef

# The slots of a board.
HISTORY_SLOT: Final = FIRST_SLOT
ROW_SLOT: Final = FIRST_SLOT + 8
CHESS960_SLOT: Final = FIRST_SLOT + 16
BOARD_SLOTS: Final = ("_history", "_row", "chess960")


Peek = Callable[[Any, int], int]  # eight bytes of an object, from an offset on, as a number


def fit(peek: Peek) -> bool:
    """Check that Python keeps bytes, ints, lists and tuples where wrappers read them."""
    if sys.implementation.name != "cpython" or sys.byteorder != "little" or sys.maxsize >> 62 != 1:
        return False
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False
    one, data, number = object(), b"\1\2\3\4\5\6\7\10", (5 << DIGIT_BITS) + 3
    return (
        peek(data, BYTES) == int.from_bytes(data, "little")
        and [peek(value, SIZE) for value in (data, [one, one], (one, one, one))] == [8, 2, 3]
        and peek((one, data), TUPLE_ITEMS + 8) == id(data)
        and peek(one, TYPE) == id(object)
        and _is_counted(peek)
        and peek(number, INT + 8) == (5 << 32) + 3
        and _behind(peek, [one, data], LIST_ITEMS) == id(one)
    )


def _is_counted(peek: Peek) -> bool:
    """Check that an object counts its references in its first 32 bits."""
    one = object()
    before = peek(one, REFERENCES) & 0xFFFF_FFFF
    held = [one] * 5
    return (peek(one, REFERENCES) & 0xFFFF_FFFF) - before == len(held) and before < 1 << 31


def _behind(peek: Peek, value: Any, offset: int) -> int:
    """Return eight bytes from the address that lies in an object."""
    return peek(value, peek(value, offset) - id(value))


def fit_board(peek: Peek, board: Any) -> bool:
    """Check that a class keeps the slots of a board where wrappers read them."""
    sample = board.__new__(board)
    values = [object() for _ in BOARD_SLOTS]
    for name, value in zip(BOARD_SLOTS, values, strict=True):
        setattr(sample, name, value)
    return [peek(sample, FIRST_SLOT + 8 * i) for i in range(3)] == [id(value) for value in values]


def fit_slot(peek: Peek, owner: Any, name: str) -> bool:
    """Check that a class keeps its only slot where wrappers read it."""
    sample, value = owner.__new__(owner), object()
    setattr(sample, name, value)
    return peek(sample, FIRST_SLOT) == id(value)


def slots_fit(peek: Peek, owner: Any) -> bool:
    """Check that a class keeps its slots where machine code reads them."""
    slots = getattr(owner, "__slots__", ())
    if "_row" in slots:
        return fit_board(peek, owner)
    return "_board" not in slots or fit_slot(peek, owner, "_board")


def fit_arrays(peek: Peek) -> bool:
    """Check that NumPy keeps the parts of an array where wrappers read them."""
    import numpy as np

    array = np.zeros((3, 5), np.uint16)
    flags = peek(array, ARRAY_FLAGS) & 0xFFFF_FFFF
    return (
        peek(array, ARRAY_DATA) == array.ctypes.data
        and [_behind(peek, array, place) for place in (ARRAY_SHAPE, ARRAY_STRIDES)] == [3, 10]
        and peek(array, ARRAY_DIMENSIONS) & 0xFFFF_FFFF == 2
        and peek(array, ARRAY_DTYPE) == id(array.dtype)
        and flags & (C_CONTIGUOUS | F_CONTIGUOUS | WRITEABLE) == C_CONTIGUOUS | WRITEABLE
    )
