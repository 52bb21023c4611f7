"""The eight square mappings, and conversion of squares and boards from one to another, for ints and arrays."""

from dataclasses import dataclass
from typing import Any, Final, Literal, cast, overload

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import board_number, is_number, is_set, shown
from rookery.bitboards.bits import flip_diagonal, flip_vertical, mirror_horizontal
from rookery.bitboards.squares import MAPPING_NAMES, AnyBoard, Endian, Integer
from rookery.frames.array_arguments import Integers, bad_square, board_array, square_array


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


MAPPINGS: Final = {name: Mapping(*cast(Any, name.split("-"))) for name in MAPPING_NAMES}
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

    >>> from rookery import square_name
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
