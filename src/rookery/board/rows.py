"""The row of a board: a position, its counters and the move that led to it, as 14 words of 64 bits in `bytes`.

Words 0 to 9 are those of `rookery.rules.position.Position`: pawns, knights, diagonals (bishops and queens),
orthogonals (rooks and queens), kings, the pieces of the side to move (`US`) and of the other side (`THEM`), the rooks
that may still castle, the en-passant square as a board, and the turn (0 is white). The others are

`CLOCK`      plies since the last capture or pawn move
`RETURNING`  the en-passant square, as a board, that applies when the turn is assigned back
`NUMBER`     the number of the next move
`MOVE`       the word of the move that led here, with its kind; 0 for none and for the null move

A row is never changed: each move makes a new one. Copies of a board and histories share rows, and any number of threads
may read them.
"""

import sys
from collections.abc import Callable, Iterable
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rookery.notation.fen import Parsed

PAWNS, KNIGHTS, DIAGONALS, ORTHOGONALS, KINGS, US, THEM, CASTLING, EN_PASSANT, TURN = range(10)
CLOCK, RETURNING, NUMBER, MOVE = range(10, 14)
WORDS: Final = 14
POSITION: Final = 10  # words of a position alone

_LAYOUT: Final = Struct(f"={WORDS}Q")
_WORD: Final = 8  # bytes
unpack: Final[Callable[[bytes], tuple[int, ...]]] = _LAYOUT.unpack
MASKS: Final = tuple(1 << square for square in range(64))  # an index takes less time than a shift


def packed(words: Iterable[int]) -> bytes:
    """Return the row of 14 words.

    >>> len(packed([0] * WORDS))
    112
    """
    return _LAYOUT.pack(*words)


def row_of(position: Iterable[int], clock: int = 0, number: int = 1, returning: int = 0) -> bytes:
    """Return the row of the ten words of a position, to which no move has led."""
    return _LAYOUT.pack(*position, clock, returning, number, 0)


def row_of_parsed(parsed: "Parsed") -> bytes:
    """Return the row of a FEN that has been read."""
    return row_of(parsed.words.tolist()[:POSITION], parsed.halfmove_clock, parsed.fullmove_number)


def replaced(row: bytes, index: int, word: int) -> bytes:
    """Return a row with another word at an index.

    >>> unpack(replaced(bytes(112), CLOCK, 7))[CLOCK]
    7
    """
    begin = index * _WORD
    return row[:begin] + word.to_bytes(_WORD, sys.byteorder) + row[begin + _WORD :]


def is_same_but_target(a: bytes, b: bytes) -> bool:
    """Check whether pieces, castling rights and turn of two rows are equal."""
    target = EN_PASSANT * _WORD
    return a[:target] == b[:target] and a[TURN * _WORD : CLOCK * _WORD] == b[TURN * _WORD : CLOCK * _WORD]


def as_array(row: bytes) -> Any:
    """Return a new array of uint64 with the words of a row, as compiled functions take them.

    They may write to it: `tobytes` makes a row of the result.
    """
    import numpy as np  # boards that only run native code do not import it

    return np.frombuffer(bytearray(row), np.uint64)
