"""Moves in UCI notation: four or five characters, of four bytes each as in NumPy's texts."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.board.moves import PROMOTIONS
from rookery.kernel import U64, entry
from rookery.positions.threads import over
from rookery.rules.position import (
    BACK_RANK,
    BECOMES_SHIFT,
    C_FILE,
    CASTLING,
    G_FILE,
    KIND_MASK,
    PROMOTION,
    SIX_BITS,
    TO_SHIFT,
)

_LENGTH: Final = 5
_A, _DIGIT_0, _DIGIT_1 = U64(ord("a")), np.uint32(ord("0")), U64(ord("1"))
_E1, _E8 = 4, 60
_PADDING = np.uint32(0)
_BOTH_SQUARES = (1 << 12) - 1  # the bits of source and target
_PROMOTION_LETTERS: Final = np.array([ord(letter) for letter in PROMOTIONS], np.uint32)


@entry
def write_moves(moves: Any, chess960: Any, out: Any) -> None:
    """Write each move into a row of `out`, as `Move.uci` does."""
    for i in range(moves.size):
        move = U64(moves[i])
        source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
        kind = move & KIND_MASK
        # Classical chess writes castling as the king's two steps.
        classical = source in (_E1, _E8) and target in (source - 4, source + 3)
        if kind == CASTLING and classical and not chess960[i]:
            target = (source & BACK_RANK) | (G_FILE if target > source else C_FILE)
        null = not move & _BOTH_SQUARES and kind != PROMOTION
        out[i, 0] = _DIGIT_0 if null else np.uint32(_A + (source & 7))
        out[i, 1] = _DIGIT_0 if null else np.uint32(_DIGIT_1 + (source >> 3))
        out[i, 2] = _DIGIT_0 if null else np.uint32(_A + (target & 7))
        out[i, 3] = _DIGIT_0 if null else np.uint32(_DIGIT_1 + (target >> 3))
        out[i, 4] = _PROMOTION_LETTERS[(move >> BECOMES_SHIFT) & 3] if kind == PROMOTION else _PADDING


def texts_of(moves: NDArray[np.uint16], chess960: NDArray[np.bool_], threads: int) -> NDArray[np.str_]:
    """Return the texts of moves; `chess960` holds the chess variant of each."""
    out = np.empty((moves.size, _LENGTH), np.uint32)
    over(write_moves, threads, moves.size, moves, chess960, out)
    return out.view(f"U{_LENGTH}").reshape(moves.shape)
