"""Moves in UCI notation, as kernels: read, written, and the squares that they state."""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, Word, kernel
from rookery.rules.constants import BECOMES_SHIFT, CASTLING, KIND_MASK, PROMOTION, SIX_BITS, TO_SHIFT
from rookery.rules.position import castling_squares

NO_MOVE: Final = 0xFFFF_FFFF_FFFF_FFFF  # in place of a move: the text is none
LONGEST: Final = 5
SQUARES: Final = (1 << BECOMES_SHIFT) - 1  # the bits of a move's squares

_E1, _E8 = 4, 60
_TO_H_FILE, _TO_A_FILE = 3, 4  # steps between a king on the e-file and its rooks
_A, _DIGIT_0, _DIGIT_1 = b"a01"
_PROMOTION_LETTERS: Final = np.array([ord(letter) for letter in "nbrq"], np.uint8)
_BECOMES: Final = np.zeros(256, np.uint8)  # by a letter: 1 and what a pawn becomes, or 0
_BECOMES[_PROMOTION_LETTERS] = (1, 2, 3, 4)


@kernel
def castles_in_classical_chess(king: Word, rook: Word) -> Any:
    """Check whether a king on e1 or e8 castles with a rook on a corner of its rank."""
    return king in (_E1, _E8) and (rook == king + _TO_H_FILE or rook + _TO_A_FILE == king)


@kernel
def move_of_word(word: Word, chess960: Word) -> Word:
    """Return the number of the `Move` of a word, whose squares are those of its UCI text: see `rookery.board.moves`.

    Castling goes to the king's square in classical chess, and to the rook's square in Chess960.
    """
    kind = word & KIND_MASK
    if kind == PROMOTION:
        return word
    king, rook = word & SIX_BITS, (word >> TO_SHIFT) & SIX_BITS
    if kind == CASTLING and castles_in_classical_chess(king, rook) and not chess960:
        king_to, _ = castling_squares(king, rook)
        return king | king_to << TO_SHIFT
    return word & SQUARES


@kernel
def write_uci(out: Any, n: Word, move: Word) -> Word:
    """Write a `Move`, given as its number, from byte `n` on. Return where the text ends; five bytes are written."""
    source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
    out[n] = _A + (source & 7) if move else _DIGIT_0
    out[n + 1] = _DIGIT_1 + (source >> 3) if move else _DIGIT_0
    out[n + 2] = _A + (target & 7) if move else _DIGIT_0
    out[n + 3] = _DIGIT_1 + (target >> 3) if move else _DIGIT_0
    out[n + 4] = _PROMOTION_LETTERS[(move >> BECOMES_SHIFT) & 3]
    return n + 4 + (1 if move >> BECOMES_SHIFT else 0)


@kernel
def read_uci(text: Any, i: Word, length: Word) -> Word:
    """Return the number of the `Move` that a text states, or `NO_MOVE`. The null move is 0."""
    if length != 4 and length != LONGEST:
        return NO_MOVE
    from_file, from_rank = U64(text[i]) - _A, U64(text[i + 1]) - _DIGIT_1
    file, rank = U64(text[i + 2]) - _A, U64(text[i + 3]) - _DIGIT_1
    source, target = from_rank << 3 | from_file, rank << 3 | file
    becomes = U64(_BECOMES[text[i + 4]]) if length == LONGEST else U64(0)
    if from_file > 7 or from_rank > 7 or file > 7 or rank > 7 or source == target:
        zeros = U64(text[i]) == U64(text[i + 1]) == U64(text[i + 2]) == U64(text[i + 3]) == _DIGIT_0
        return U64(0) if zeros and length == 4 else U64(NO_MOVE)
    move = source | target << TO_SHIFT
    if length == 4:
        return move
    return move | PROMOTION | (becomes - 1) << BECOMES_SHIFT if becomes else U64(NO_MOVE)
