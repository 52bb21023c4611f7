"""The places at which CPython and NumPy keep what wrappers read and write, in bytes from the beginning of an object.

These places are the same in CPython 3.11 to 3.14 with the global lock. They are not promised to stay, so they are
compared with real objects before machine code is used: `fit`, `fit_board`, `fit_slot`, `fit_arrays`. Where they differ,
as in builds without the lock, Python functions answer.
"""

import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

REFERENCES: Final = 0
TYPE: Final = 8
SIZE: Final = 16  # of bytes, lists and tuples
HASH: Final = 24  # of bytes
BYTES: Final = 32  # the first byte
LIST_ITEMS: Final = 24  # the address of the first item
TUPLE_ITEMS: Final = 24  # the first item
INT: Final = 16  # sign and number of digits in one word, then the digits
DIGIT_BITS: Final = 30
FIRST_SLOT: Final = 16  # of a class with __slots__, in alphabetical order
FIELDS: Final = 3  # of a move: behind an int of one digit, see `holders`
FIRST_FIELD: Final = 32
WITH_FIELDS: Final = FIRST_FIELD + 8 * FIELDS  # bytes
WITH_WORD: Final = FIRST_SLOT + 8  # bytes of an object that holds a word
MEMBER_SIZE: Final = 40  # of a PyMemberDef
OBJECT_MEMBER, WORD_MEMBER, READ_ONLY = (
    16,
    18,
    1,
)  # of an attribute that reads an object, or a word; that nobody assigns

ARRAY_DATA: Final = 16
ARRAY_DIMENSIONS: Final = 24  # their number
ARRAY_SHAPE: Final = 32
ARRAY_STRIDES: Final = 40
ARRAY_DTYPE: Final = 56
ARRAY_FLAGS: Final = 64
C_CONTIGUOUS: Final = 0x1
F_CONTIGUOUS: Final = 0x2
WRITEABLE: Final = 0x400

TYPE_FLAGS: Final = 168  # of a class
TYPE_FREE: Final = 320
TYPE_VECTORCALL_OFFSET: Final = 56
TYPE_VECTORCALL: Final = 400  # what a call of the class calls
TYPE_VERSION: Final = 384  # of 32 bits: 0 when an attribute of the class has changed, another one when it is used next
COLLECTED: Final = 1 << 14  # in the flags: the garbage collector knows the objects of the class
NEW_NUMBER, FREE_NUMBER = 65, 74  # by which `PyType_GetSlot` knows ``__new__``, and `TYPE_FREE`

DOCUMENTATION: Final = 24  # in PyMethodDef, and in PyGetSetDef


class TypeSlot(NamedTuple):
    """The place in a class of an operator's function."""

    structure: int  # where the class has the address of the structure with the slot, or 0 for the class itself
    offset: int  # in that structure
    number: int  # by which `PyType_GetSlot` knows the slot


_NUMBERS, _SEQUENCES = 96, 104
TYPE_SLOTS: Final = {
    "__bool__": TypeSlot(_NUMBERS, 72, 9),
    "__contains__": TypeSlot(_SEQUENCES, 56, 41),
    "__eq__": TypeSlot(0, 200, 67),
    "__invert__": TypeSlot(_NUMBERS, 80, 27),
    "__iter__": TypeSlot(0, 216, 62),
    "__len__": TypeSlot(_SEQUENCES, 0, 45),
    "__str__": TypeSlot(0, 136, 70),
}
# Operators of two objects: the function in their slot answers the reflected one, too. They need no place, because the
# class gets attributes that are like those of int, from which Python takes the function.
OPERATORS: Final = {"__and__": "__rand__", "__or__": "__ror__", "__sub__": "__rsub__", "__xor__": "__rxor__"}
WRAPPER_BASE: Final = 40  # in an attribute such as ``int.__or__``: what Python knows of it
WRAPPER_FUNCTION: Final = 48
# What machine code for a slot is made of: see `wrapping.define_slot`.
SLOT_STRUCTURE: Final = 0
SLOT_OFFSET: Final = 8
SLOT_FUNCTION: Final = 16
SLOT_BEFORE: Final = 32  # what was in the slot; the documentation, which is not used, comes before it
SLOT_NUMBER: Final = 40

# The slots of a board. Some follow its row, see `rows`.
BOARD_SLOTS: Final = ("_clock", "_ep_square", "_history", "_number", "_row", "_turn", "chess960")
CLOCK_SLOT, EN_PASSANT_SLOT, HISTORY_SLOT, NUMBER_SLOT, ROW_SLOT, TURN_SLOT, CHESS960_SLOT = range(
    FIRST_SLOT, FIRST_SLOT + 8 * len(BOARD_SLOTS), 8
)

FOLLOWING: Final = (CLOCK_SLOT, EN_PASSANT_SLOT, NUMBER_SLOT, TURN_SLOT)  # those that follow the row

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
        and _has_orderly_digits(peek)
        and _behind(peek, [one, data], LIST_ITEMS) == id(one)
    )


def _has_orderly_digits(peek: Peek) -> bool:
    """Check that the word before the digits is no greater than that of 1 for ints of at most one digit alone."""
    few, others = (0, 1, 5, (1 << DIGIT_BITS) - 1), (-1, -5, 1 << DIGIT_BITS, -(1 << DIGIT_BITS), 1 << 300)
    one = peek(1, INT)
    return all(peek(n, INT) <= one for n in few) and all(peek(n, INT) > one for n in others)


def fit_operators(peek: Peek) -> bool:
    """Check that the attributes of int for an operator and its reflection have one function."""
    pairs = [[vars(int)[name] for name in pair] for pair in OPERATORS.items()]
    functions = [peek(a, WRAPPER_FUNCTION) for a, _ in pairs]
    bases = [peek(value, WRAPPER_BASE) for pair in pairs for value in pair]
    return (
        functions == [peek(b, WRAPPER_FUNCTION) for _, b in pairs]
        and len({*functions}) == len(pairs)
        and len({*bases}) == 2 * len(pairs)
        and all(peek(a, FIRST_SLOT) == id(int) for a, _ in pairs)
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
    return [peek(sample, FIRST_SLOT + 8 * i) for i in range(len(values))] == [id(value) for value in values]


def fit_slot(peek: Peek, owner: Any, name: str) -> bool:
    """Check that a class keeps its only slot where wrappers read it."""
    sample, value = owner.__new__(owner), object()
    setattr(sample, name, value)
    return peek(sample, FIRST_SLOT) == id(value)


def fit_word(peek: Peek, owner: Any, name: str) -> bool:
    """Check that a class keeps a word where wrappers read it, and not an object."""
    sample, value = owner.__new__(owner), 0xFEDC_BA98_7654_3210
    setattr(sample, name, value)
    return peek(sample, FIRST_SLOT) == value


def slots_fit(peek: Peek, owner: Any) -> bool:
    """Check that a class keeps its slots where machine code reads them."""
    slots = getattr(owner, "__slots__", ())
    if "_row" in slots:
        return fit_board(peek, owner)
    if "_board" in slots:
        return fit_slot(peek, owner, "_board")
    return not hasattr(owner, "_board") or fit_word(peek, owner, "_board")


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
