"""Names, ranks, files, diagonals and directions of the 64 squares, and the eight square mappings.

Squares are ints in little-endian rank-file order unless a mapping is named: a1 = 0, b1 = 1, h8 = 63.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import (
    AnySquareSet,
    bad_square,
    board_array,
    board_number,
    is_number,
    is_set,
    shown,
    square_array,
)
from rookery.bitboards.bits import flip_diagonal, flip_vertical, mirror_horizontal

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
Integer: TypeAlias = int | np.integer[Any]  # one square or board: functions return one value
# Several squares or boards: functions return an array.
Integers: TypeAlias = NDArray[np.integer[Any]] | Sequence[int] | Sequence[Sequence[int]]

AnyBoard: TypeAlias = Integer | AnySquareSet

# The compass rose, clockwise from north. Opposite directions are four apart; 3 to 6 step to lower squares.
Direction: TypeAlias = Literal["nort", "noEa", "east", "soEa", "sout", "soWe", "west", "noWe"]
DIRECTIONS: Final[tuple[Direction, ...]] = ("nort", "noEa", "east", "soEa", "sout", "soWe", "west", "noWe")
NORT, NOEA, EAST, SOEA, SOUT, SOWE, WEST, NOWE = range(8)
_DIRECTION_INDICES: Final[dict[str, int]] = {name: index for index, name in enumerate(DIRECTIONS)}
STEPS: Final = (8, 9, 1, -7, -8, -9, -1, 7)


def check_square(square: int, name: str = "square") -> int:
    """Return `square` as an int from 0 to 63; an error names the argument."""
    if type(square) is int and 0 <= square <= 63:  # takes a fifth of the time of the checks below
        return square
    if isinstance(square, bool) or not isinstance(square, (int, np.integer)):
        raise TypeError(f"{name}: {shown(square)} is not a square: expected an int from 0 (a1) to 63 (h8)")
    if not 0 <= square <= 63:
        raise ValueError(f"{name}: {shown(int(square))} is off the board: expected 0 (a1) to 63 (h8)")
    return int(square)


def parse_square(name: str) -> int:
    """Return the square with a name.

    >>> parse_square("e4")
    28
    """
    try:
        return _BY_NAME[name]
    except (KeyError, TypeError):  # TypeError: a list has no hash
        raise ValueError(f"square: {shown(name)}: expected a file a-h and a rank 1-8, like 'e4'") from None


def square_name(square: int) -> str:
    """Return the name of a square.

    >>> square_name(28)
    'e4'
    """
    return SQUARE_NAMES[check_square(square)]


def parse_direction(name: str) -> int:
    """Return the index of a direction of the compass rose.

    >>> [parse_direction(name) for name in ("nort", "noEa", "noWe")]
    [0, 1, 7]
    """
    try:
        return _DIRECTION_INDICES[name]
    except (KeyError, TypeError):  # TypeError: a list has no hash
        raise ValueError(f"direction: {shown(name)}: expected one of {', '.join(DIRECTIONS)}") from None


SQUARES: Final = tuple(range(64))


def square(file: int, rank: int) -> int:
    """Return the square of a file and a rank, both 0 to 7.

    >>> square(4, 3)
    28
    """
    for name, index in (("file", file), ("rank", rank)):
        if not is_number(index):
            raise TypeError(f"{name}: {shown(index)}: expected an int from 0 to 7")
        if not 0 <= index <= 7:
            raise ValueError(f"{name}: {shown(index)}: expected an int from 0 to 7")
    return square_at(int(rank), int(file))


def square_file(square: int) -> int:
    """Return the file of a square: 0 for the a-file to 7 for the h-file.

    >>> square_file(28)
    4
    """
    return file_index(check_square(square))


def square_rank(square: int) -> int:
    """Return the rank of a square: 0 for the first to 7 for the eighth.

    >>> square_rank(28)
    3
    """
    return rank_index(check_square(square))


def square_mirror(square: int) -> int:
    """Return the square mirrored vertically: e5 for e4.

    >>> square_mirror(28)
    36
    """
    return check_square(square) ^ 56


def _steps(a: int, b: int) -> tuple[int, int]:
    """Return the numbers of files and ranks between two squares."""
    a, b = check_square(a, "a"), check_square(b, "b")
    return abs(file_index(a) - file_index(b)), abs(rank_index(a) - rank_index(b))


def square_distance(a: int, b: int) -> int:
    """Return how many moves a king needs from one square to another: the Chebyshev distance.

    >>> square_distance(0, 63)
    7
    >>> square_distance(0, 7)
    7
    """
    return max(_steps(a, b))


def square_manhattan_distance(a: int, b: int) -> int:
    """Return the sum of the files and ranks between two squares: the Manhattan distance.

    >>> square_manhattan_distance(0, 63)
    14
    """
    return sum(_steps(a, b))


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


Endian: TypeAlias = Literal["little", "big"]


@dataclass(frozen=True)
class Mapping:
    """A numbering of the squares by the bits of a word.

    `major` is what eight consecutive bits hold, a rank or a file. `ranks` is little if rank 1 comes before rank 8, and
    `files` is little if the a-file comes before the h-file.
    """

    major: Literal["rank", "file"]
    ranks: Endian
    files: Endian

    def __post_init__(self) -> None:
        for name, allowed in (("major", ("rank", "file")), ("ranks", ("little", "big")), ("files", ("little", "big"))):
            value = getattr(self, name)
            if not (isinstance(value, str) and value in allowed):
                raise ValueError(f"{name}: {shown(value)}: expected {' or '.join(allowed)}")

    def __str__(self) -> str:
        return f"{self.major}-{self.ranks}-{self.files}"

    @overload
    def index(self, square: Integer) -> int: ...
    @overload
    def index(self, square: Integers) -> NDArray[np.integer[Any]]: ...
    def index(self, square: Any) -> Any:
        """Return the bit index of a little-endian rank-file square (an int or an array of integers)."""
        return self._index(_squares("square", square))

    def _index(self, square: Any) -> Any:
        rank = square >> 3 if self.ranks == "little" else 7 - (square >> 3)
        file = square & 7 if self.files == "little" else 7 - (square & 7)
        return 8 * rank + file if self.major == "rank" else 8 * file + rank

    @overload
    def square(self, index: Integer) -> int: ...
    @overload
    def square(self, index: Integers) -> NDArray[np.integer[Any]]: ...
    def square(self, index: Any) -> Any:
        """Return the little-endian rank-file square of a bit index (an int or an array of integers)."""
        return self._square(_squares("index", index))

    def _square(self, index: Any) -> Any:
        high, low = index >> 3, index & 7
        rank, file = (high, low) if self.major == "rank" else (low, high)
        rank = rank if self.ranks == "little" else 7 - rank
        file = file if self.files == "little" else 7 - file
        return 8 * rank + file


MAPPINGS: Final = {
    str(mapping): mapping
    for mapping in itertools.starmap(Mapping, itertools.product(("rank", "file"), ("little", "big"), ("little", "big")))
}
LITTLE_ENDIAN_RANK_FILE: Final = MAPPINGS["rank-little-little"]  # a1 = 0, b1 = 1: the mapping of this library
LITTLE_ENDIAN_FILE_RANK: Final = MAPPINGS["file-little-little"]  # a1 = 0, a2 = 1
BIG_ENDIAN_FILES: Final = MAPPINGS["rank-little-big"]  # h1 = 0, g1 = 1: DarkThought, Elephant


def _squares(name: str, square: Any) -> Any:
    """Return an int or an array of integers, checked to be squares of the board."""
    values = square_array(name, square)
    if values.size and (values.min() < 0 or values.max() > 63):
        raise bad_square(name, values)
    return int(square) if is_number(square) else values


def _mapping(name: str, mapping: str | Mapping) -> Mapping:
    if isinstance(mapping, Mapping):
        return mapping
    try:
        return MAPPINGS[mapping]
    except (KeyError, TypeError):  # TypeError: a list has no hash
        raise ValueError(f"{name}: {shown(mapping)}: expected one of {', '.join(MAPPINGS)}") from None


@overload
def convert_square(square: Integer, source: str | Mapping, target: str | Mapping) -> int: ...
@overload
def convert_square(square: Integers, source: str | Mapping, target: str | Mapping) -> NDArray[np.integer[Any]]: ...
def convert_square(square: Any, source: str | Mapping, target: str | Mapping) -> Any:
    """Return the number in `target` of the square that `source` numbers `square` (an int or an array of integers).

    >>> square_name(convert_square(0, "rank-little-big", "rank-little-little"))
    'h1'
    """
    old, new = _mapping("source", source), _mapping("target", target)
    return new._index(old._square(_squares("square", square)))


@overload
def convert_board(board: AnyBoard, source: str | Mapping, target: str | Mapping) -> int: ...
@overload
def convert_board(board: Integers, source: str | Mapping, target: str | Mapping) -> NDArray[np.uint64]: ...
def convert_board(board: Any, source: str | Mapping, target: str | Mapping) -> Any:
    """Renumber a board (an int from 0 to 2**64 - 1, or an array of uint64) from one mapping to another.

    Two mappings differ in up to three ways, each of which is one flip: of the bytes of a word, of the bits of each
    byte, and a transposition.

    >>> hex(convert_board(0xFF, "rank-little-little", "file-little-little"))
    '0x101010101010101'
    """
    board = board_number("board", board) if is_number(board) or is_set(board) else board_array("board", board)
    old, new = _mapping("source", source), _mapping("target", target)
    flip_ranks, flip_files = flip_vertical, mirror_horizontal
    if old.major == "file":
        flip_ranks, flip_files = flip_files, flip_ranks
    if old.ranks != new.ranks:
        board = flip_ranks(board)
    if old.files != new.files:
        board = flip_files(board)
    if old.major != new.major:
        board = flip_diagonal(board)
    return board
