"""Where CPython and NumPy keep what wrappers read and write, in bytes from the beginning of an object.

These places are the same in CPython 3.11 to 3.14 with the global lock. They are not promised to stay, so machine code
compares them with real objects before it is used (see `units.layouts_fit`). Where they differ, as in builds without the
lock, Python functions answer.
"""

from typing import Final

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

# The slots of a board.
HISTORY_SLOT: Final = FIRST_SLOT
ROW_SLOT: Final = FIRST_SLOT + 8
CHESS960_SLOT: Final = FIRST_SLOT + 16
BOARD_SLOTS: Final = ("_history", "_row", "chess960")
