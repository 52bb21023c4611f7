"""Names, ranks, files, diagonals and directions of the 64 squares.

Squares are ints in little-endian rank-file order: a1 = 0, b1 = 1, h8 = 63. `rookery.bitboards.mappings` has others.
"""

import sys
from typing import TYPE_CHECKING, Any, Final, Literal, SupportsIndex, TypeAlias, get_args

from rookery.arguments import AnySquareSet, is_number, shown
from rookery.kernel.native import bind_from_wheel, native, provide

if TYPE_CHECKING:
    import numpy as np

FILE_NAMES: Final = "abcdefgh"
RANK_NAMES: Final = "12345678"
SQUARE_NAMES: Final = tuple(f + r for r in RANK_NAMES for f in FILE_NAMES)

_BY_NAME: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}

A1, B1, C1, D1, E1, F1, G1, H1 = range(8)
A2, B2, C2, D2, E2, F2, G2, H2 = range(8, 16)
A3, B3, C3, D3, E3, F3, G3, H3 = range(16, 24)
A4, B4, C4, D4, E4, F4, G4, H4 = range(24, 32)
A5, B5, C5, D5, E5, F5, G5, H5 = range(32, 40)
A6, B6, C6, D6, E6, F6, G6, H6 = range(40, 48)
A7, B7, C7, D7, E7, F7, G7, H7 = range(48, 56)
A8, B8, C8, D8, E8, F8, G8, H8 = range(56, 64)

Square: TypeAlias = int
# One square or board: functions return one value.
if TYPE_CHECKING:
    Integer: TypeAlias = int | np.integer[Any]
else:
    Integer = int | SupportsIndex  # a board needs no NumPy, and the class of its integers is not known without it

AnyBoard: TypeAlias = Integer | AnySquareSet

Endian: TypeAlias = Literal["little", "big"]
# The names of `rookery.bitboards.mappings.MAPPINGS`, which needs NumPy; the command line shows them in its help.
_ENDS: Final = ("little", "big")
MAPPING_NAMES: Final = tuple(f"{major}-{a}-{b}" for major in ("rank", "file") for a in _ENDS for b in _ENDS)

# The compass rose, clockwise from north. Opposite directions are four apart; 3 to 6 step to lower squares. Kernels have
# the short names of the literature, such as `NOEA`.
Direction: TypeAlias = Literal["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
DIRECTIONS: Final[tuple[Direction, ...]] = get_args(Direction)
NORT, NOEA, EAST, SOEA, SOUT, SOWE, WEST, NOWE = range(8)
_DIRECTION_INDICES: Final[dict[str, int]] = {name: index for index, name in enumerate(DIRECTIONS)}
STEPS: Final = (8, 9, 1, -7, -8, -9, -1, 7)


def check_square(square: int, name: str = "square") -> int:
    """Return `square` as an int from 0 to 63; an error names the argument."""
    if type(square) is int and 0 <= square <= 63:  # takes a fifth of the time of the checks below
        return square
    if not is_number(square):
        raise TypeError(f"{name}: {shown(square)} is not a square: expected an int from 0 (a1) to 63 (h8)")
    if not 0 <= square <= 63:
        raise ValueError(f"{name}: {shown(int(square))} is off the board: expected 0 (a1) to 63 (h8)")
    return int(square)


@native
def parse_square(name: str) -> int:
    """Return the square with a name.

    >>> parse_square("e4")
    28
    """
    try:
        return _BY_NAME[name]
    except (KeyError, TypeError):  # TypeError: a list has no hash
        raise ValueError(f"square: {shown(name)}: expected a file a-h and a rank 1-8, like 'e4'") from None


@native
def square_name(square: int) -> str:
    """Return the name of a square.

    >>> square_name(28)
    'e4'
    """
    if type(square) is int and 0 <= square <= 63:
        return SQUARE_NAMES[square]
    return SQUARE_NAMES[check_square(square)]


def parse_direction(name: str) -> int:
    """Return the index of a direction of the compass rose.

    >>> [parse_direction(name) for name in ("north", "northeast", "northwest")]
    [0, 1, 7]
    """
    try:
        return _DIRECTION_INDICES[name]
    except (KeyError, TypeError):  # TypeError: a list has no hash
        raise ValueError(f"direction: {shown(name)}: expected one of {', '.join(DIRECTIONS)}") from None


SQUARES: Final = tuple(range(64))

# Each of the functions below first looks for ints in range, which takes a fifth of the time of all checks.


@native
def square(file: int, rank: int) -> int:
    """Return the square of a file and a rank, both 0 to 7.

    >>> square(4, 3)
    28
    """
    if type(file) is int and type(rank) is int and 0 <= file <= 7 and 0 <= rank <= 7:
        return 8 * rank + file
    for name, index in (("file", file), ("rank", rank)):
        if not is_number(index):
            raise TypeError(f"{name}: {shown(index)}: expected an int from 0 to 7")
        if not 0 <= index <= 7:
            raise ValueError(f"{name}: {shown(index)}: expected an int from 0 to 7")
    return 8 * int(rank) + int(file)


@native
def square_file(square: int) -> int:
    """Return the file of a square: 0 for the a-file to 7 for the h-file.

    >>> square_file(28)
    4
    """
    if type(square) is int and 0 <= square <= 63:
        return square & 7
    return check_square(square) & 7


@native
def square_rank(square: int) -> int:
    """Return the rank of a square: 0 for the first to 7 for the eighth.

    >>> square_rank(28)
    3
    """
    if type(square) is int and 0 <= square <= 63:
        return square >> 3
    return check_square(square) >> 3


@native
def square_mirror(square: int) -> int:
    """Return the square mirrored vertically: e5 for e4.

    >>> square_mirror(28)
    36
    """
    if type(square) is int and 0 <= square <= 63:
        return square ^ 56
    return check_square(square) ^ 56


@native
def square_distance(a: int, b: int) -> int:
    """Return how many moves a king needs from one square to another: the Chebyshev distance.

    >>> square_distance(0, 63)
    7
    >>> square_distance(0, 7)
    7
    """
    if not (type(a) is int and type(b) is int and 0 <= a <= 63 and 0 <= b <= 63):
        a, b = check_square(a, "a"), check_square(b, "b")
    files, ranks = (a & 7) - (b & 7), (a >> 3) - (b >> 3)
    files, ranks = (files if files >= 0 else -files), (ranks if ranks >= 0 else -ranks)
    return files if files > ranks else ranks


@native
def square_manhattan_distance(a: int, b: int) -> int:
    """Return the sum of the files and ranks between two squares: the Manhattan distance.

    >>> square_manhattan_distance(0, 63)
    14
    """
    if not (type(a) is int and type(b) is int and 0 <= a <= 63 and 0 <= b <= 63):
        a, b = check_square(a, "a"), check_square(b, "b")
    files, ranks = (a & 7) - (b & 7), (a >> 3) - (b >> 3)
    return (files if files >= 0 else -files) + (ranks if ranks >= 0 else -ranks)


def square_at(rank: int, file: int) -> int:
    """Return the square at a rank index and a file index, both 0 to 7; other numbers are a ValueError.

    >>> square_at(3, 4)
    28
    """
    return 8 * _line("rank", rank) + _line("file", file)


def _line(name: str, index: int) -> int:
    if not is_number(index):
        raise TypeError(f"{name}: {shown(index)}: expected an int from 0 to 7")
    if not 0 <= index <= 7:
        raise ValueError(f"{name}: {shown(int(index))}: expected 0 to 7")
    return int(index)


def rank_index(square: int) -> int:
    """Return the rank of a square: 0 for the first to 7 for the eighth."""
    return check_square(square) >> 3


def file_index(square: int) -> int:
    """Return the file of a square: 0 for the a-file to 7 for the h-file."""
    return check_square(square) & 7


def diagonal_index(square: int) -> int:
    """Return ``(rank - file) & 15``: 0 for a1-h8, 1 to 7 above it, 15 down to 9 below it."""
    return (rank_index(square) - file_index(square)) & 15


def antidiagonal_index(square: int) -> int:
    """Return ``(rank + file) ^ 7``: 0 for a8-h1, 1 to 7 below it, 15 down to 9 above it."""
    return (rank_index(square) + file_index(square)) ^ 7


provide("names of squares", SQUARE_NAMES)
bind_from_wheel(sys.modules[__name__])
