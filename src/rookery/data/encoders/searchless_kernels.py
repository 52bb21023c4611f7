"""The kernel that spells positions in the tokens of searchless chess."""

from typing import Any

import numpy as np

from rookery.games.kernels.mailboxes import code_on
from rookery.kernel import Bits, Word, array_of, entry, kernel, trailing_zeros
from rookery.positions.kernels.lanes import load, occupied_of, position
from rookery.positions.layout import BLACK_TO_MOVE, CLOCK_SHIFT, COUNTER, NUMBER_SHIFT, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.legality import legal_en_passant_target

# Indices into ``0123456789abcdefghpnrkqPBNRQKw.``: a digit is its own.
_A, _B, _BLANK, _W = 10, 11, 30, 29
# By the code of a piece, P N B R Q K p n b r q k.
_PIECES = np.array([_BLANK, 23, 25, 24, 26, 27, 28, 18, 19, 11, 20, 22, 21], np.uint8)
_H1, _A1, _H8, _A8 = 1 << 7, 1, 1 << 63, 1 << 56
_KINGSIDE, _QUEENSIDE, _KINGSIDE_BLACK, _QUEENSIDE_BLACK = 28, 27, 21, 22


@kernel
def write_number(out: Any, i: Any, at: Word, number: Word) -> None:
    """Write a number of up to three digits from `at` on, and fill up with blanks."""
    hundreds, tens, ones = number // 100, number // 10 % 10, number % 10
    if number >= 100:
        out[i, at], out[i, at + 1], out[i, at + 2] = np.uint8(hundreds), np.uint8(tens), np.uint8(ones)
    elif number >= 10:
        out[i, at], out[i, at + 1], out[i, at + 2] = np.uint8(tens), np.uint8(ones), np.uint8(_BLANK)
    else:
        out[i, at], out[i, at + 1], out[i, at + 2] = np.uint8(ones), np.uint8(_BLANK), np.uint8(_BLANK)


@kernel
def write_right(out: Any, i: Any, at: Word, right: Bits, token: Word) -> Word:
    """Write a right to castle if there is one. Return the next place."""
    if right:
        out[i, at] = np.uint8(token)
    return at + 1 if right else at


@entry(examples=lambda: (empty_columns(1), 0, array_of(np.uint8, 2), default_technique().tables()))
def write_tokens(c: Any, is_legal: Any, out: Any, t: Any) -> None:
    """Write the 77 tokens of each position: `out` is (n, 77)."""
    for i in range(out.shape[0]):
        p = load(c, i)
        out[i, 0] = np.uint8(_B if p.state & BLACK_TO_MOVE else _W)
        occupied = occupied_of(p)
        for k in range(64):
            square = 1 << (k ^ 56)
            out[i, 1 + k] = _PIECES[code_on(p, square)] if occupied & square else np.uint8(_BLANK)
        for k in range(65, 71):
            out[i, k] = np.uint8(_BLANK)
        at = write_right(out, i, 65, p.castling & _H1, _KINGSIDE)
        at = write_right(out, i, at, p.castling & _A1, _QUEENSIDE)
        at = write_right(out, i, at, p.castling & _H8, _KINGSIDE_BLACK)
        write_right(out, i, at, p.castling & _A8, _QUEENSIDE_BLACK)
        target = legal_en_passant_target(position(p, t), t) if is_legal else p.en_passant
        if target:
            out[i, 69] = np.uint8(_A + (trailing_zeros(target) & 7))
            out[i, 70] = np.uint8((trailing_zeros(target) >> 3) + 1)
        write_number(out, i, 71, (p.state >> CLOCK_SHIFT) & COUNTER)
        write_number(out, i, 74, (p.state >> NUMBER_SHIFT) & COUNTER)
