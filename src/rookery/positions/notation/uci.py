"""Moves in UCI notation: four or five characters, of four bytes each as in NumPy's texts, or one behind the other."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.board.moves import PROMOTIONS
from rookery.frames.columns import Texts
from rookery.kernel import U64, array_of, entry
from rookery.positions.threads import over
from rookery.rules.constants import BECOMES_SHIFT, SIX_BITS, TO_SHIFT
from rookery.rules.notation.uci import LONGEST, move_of_word, write_uci

_A, _DIGIT_0, _DIGIT_1 = U64(ord("a")), np.uint32(ord("0")), U64(ord("1"))
_PADDING = np.uint32(0)
_PROMOTION_LETTERS: Final = np.array([ord(letter) for letter in PROMOTIONS], np.uint32)


@entry(examples=lambda: (array_of(np.uint16), array_of(np.bool_), array_of(np.uint32, 2)))
def write_moves(moves: Any, chess960: Any, out: Any) -> None:
    """Write each move into a row of `out`, as `Move.uci` does."""
    for i in range(moves.size):
        move = move_of_word(U64(moves[i]), U64(1) if chess960[i] else U64(0))
        source, target, null = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS, not move
        out[i, 0] = _DIGIT_0 if null else np.uint32(_A + (source & 7))
        out[i, 1] = _DIGIT_0 if null else np.uint32(_DIGIT_1 + (source >> 3))
        out[i, 2] = _DIGIT_0 if null else np.uint32(_A + (target & 7))
        out[i, 3] = _DIGIT_0 if null else np.uint32(_DIGIT_1 + (target >> 3))
        out[i, 4] = _PROMOTION_LETTERS[(move >> BECOMES_SHIFT) & 3] if move >> BECOMES_SHIFT else _PADDING


@entry(examples=lambda: (array_of(np.uint16), array_of(np.bool_), array_of(np.uint8), array_of(np.int64)))
def write_column(moves: Any, chess960: Any, out: Any, offsets: Any) -> None:
    """Write the text of each move behind the one before, and where it ends; 0 has none. A byte is room at the end."""
    n = U64(0)
    for i in range(moves.size):
        if moves[i]:
            n = write_uci(out, n, move_of_word(U64(moves[i]), U64(1) if chess960[i] else U64(0)))
        offsets[i + 1] = n


def column_of(moves: NDArray[np.uint16], chess960: NDArray[np.bool_]) -> Texts:
    """Return the texts of moves as a column, in which 0, no move, is missing."""
    data, offsets = np.empty(LONGEST * moves.size + 1, np.uint8), np.zeros(moves.size + 1, np.int64)
    write_column(moves, chess960, data, offsets)
    return Texts(offsets, data[: offsets[-1]], moves != 0)


def texts_of(moves: NDArray[np.uint16], chess960: NDArray[np.bool_], threads: int) -> NDArray[np.str_]:
    """Return the texts of moves; `chess960` holds the chess variant of each."""
    out = np.empty((moves.size, LONGEST), np.uint32)
    over(write_moves, threads, moves.size, moves, chess960, out)
    return out.view(f"U{LONGEST}").reshape(moves.shape)
