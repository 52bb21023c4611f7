"""The compiled writer of FEN, for single positions and for the arrays of `rookery.positions`."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import RANK_1, RANK_8, flip_diagonal, isolate_ls1b, isolate_ms1b
from rookery.bitboards.sets import black_pawn_any_attacks, white_pawn_any_attacks
from rookery.kernel import (
    U64,
    Bits,
    Word,
    array_of,
    entry,
    kernel,
    leading_zeros,
    once_compiled,
    trailing_zeros,
    write_word,
)
from rookery.rules.constants import WORDS
from rookery.rules.position import Position, read

ROOM: Final = 128  # bytes for any FEN: 71 of pieces, 16 castling rooks, two counters of 10 digits; 116 in all

_SLASH, _DASH, _SPACE = b"/- "
_A, _B, _K, _Q, _W, _DIGIT_0, _DIGIT_1 = b"abkqw01"
_LOWER = 32
_TWO_DIGITS = 100
_BYTE = 0xFF


def _rank_words() -> Any:
    """Return words of eight bytes for each set of occupied squares of a rank: its digits, and which bytes move.

    The digit of a run of empty squares is at the first of them. The second word has the bytes that then move down by 1,
    the third those that move by 2 after that, and the last those that move by 4, so that no gaps are left.
    """
    words = np.zeros((256, 4), np.uint64)
    for occupied in range(256):
        rank = f"{occupied:08b}"[::-1]
        rows = np.zeros((4, 8), np.uint8)
        gaps = 0
        for file in range(8):
            empty = len(rank[file:]) - len(rank[file:].lstrip("0"))
            if empty and rank[:file].endswith("0"):
                gaps += 1  # the run has its digit already
                continue
            rows[0, file] = _DIGIT_0 + empty if empty else 0
            place = file
            for k, step in enumerate((1, 2, 4), 1):
                rows[k, place] = _BYTE if gaps & step else 0
                place -= gaps & step
        words[occupied] = rows.view("<u8")[:, 0]
    return words


_RANK_WORDS: Final = _rank_words()


@kernel
def sign_planes(p: Any, occupied: Bits, black: Bits) -> Any:
    """Return seven boards: bit i of the letter of each square's piece, 0 where there is none."""
    sliders = p.diagonals ^ p.orthogonals  # that are not queens
    royal = p.knights | p.kings
    lowest = (p.diagonals & p.orthogonals) | p.kings
    return lowest, royal | sliders, p.knights, royal, p.pawns | p.orthogonals, black, occupied


@kernel
def signs_of_rank(planes: Any, shift: Word) -> Word:
    """Return the letters of a rank, a byte each, 0 for an empty square; `shift` is 8 times the rank."""
    rows: Bits = 0
    for i in range(7):
        rows |= ((planes[i] >> shift) & RANK_1) << (8 * i)
    return flip_diagonal(rows)


@kernel
def write_rank(out: Any, n: Word, signs: Word, occupied: Word) -> Word:
    """Write a rank, and a slash, from byte `n` on. Return where the next one begins; nine bytes are written."""
    moved = signs | _RANK_WORDS[occupied, 0]
    for k in range(3):
        moving = moved & _RANK_WORDS[occupied, k + 1]
        moved = (moved ^ moving) | moving >> (8 << k)
    write_word(out, n, moved)
    n += 8 - (leading_zeros(moved) >> 3)
    out[n] = _SLASH
    return n + 1


@kernel
def write_pieces(out: Any, n: Word, p: Position) -> Word:
    """Write the first field from byte `n` on, and up to eight bytes behind it. Return where the field ends."""
    occupied = p.us | p.them
    planes = sign_planes(p, occupied, p.us if p.turn else p.them)
    shift = 64
    while shift:
        shift -= 8
        n = write_rank(out, n, signs_of_rank(planes, shift), (occupied >> shift) & RANK_1)
    return n - 1


@kernel
def _write_rights(out: Any, n: Word, p: Position, black: Word, shredder: Word) -> Word:
    """Write the rights of a side, by files, or as K and Q with a file where an outer rook has no right."""
    side = p.us if black == p.turn else p.them
    king = isolate_ms1b(p.kings & side)
    rooks = p.orthogonals & ~p.diagonals & side & (RANK_8 if black else RANK_1)
    rights = p.castling & rooks
    while rights:
        rook = isolate_ms1b(rights)
        rights ^= rook
        right = rook > king
        outermost = isolate_ms1b(rooks) if right else isolate_ls1b(rooks)
        sign = _K if right else _Q
        if shredder or rook != outermost:
            sign = _A + (trailing_zeros(rook) & 7)
        out[n] = sign if black else sign - _LOWER
        n += 1
    return n


@kernel
def _write_number(out: Any, n: Word, value: Word) -> Word:
    if value < _TWO_DIGITS:
        tens = value // 10
        out[n] = _DIGIT_0 + tens  # the next digit takes the place of a 0
        n += 1 if tens else 0
        out[n] = _DIGIT_0 + value - 10 * tens
        return n + 1
    above = 10 * _TWO_DIGITS
    end = n + 3
    while value >= above:
        above *= 10
        end += 1
    n = end
    while n > 0:
        n -= 1
        out[n] = _DIGIT_0 + value % 10
        value //= 10
        if not value:
            break
    return end


@kernel
def write_fields(out: Any, n: Word, p: Position, target: Bits, shredder: Word) -> Word:
    """Write four fields from byte `n` on, the last `target` whatever the position says. Returns where they end."""
    return write_other_fields(out, write_pieces(out, n, p), p, target, shredder)


@kernel
def write_other_fields(out: Any, n: Word, p: Position, target: Bits, shredder: Word) -> Word:
    """Write the second to the fourth field from byte `n` on, each after a blank. Returns where they end."""
    out[n] = _SPACE
    out[n + 1] = _B if p.turn else _W
    out[n + 2] = _SPACE
    n += 2 + 1
    start = n
    n = _write_rights(out, n, p, 0, shredder)
    n = _write_rights(out, n, p, 1, shredder)
    if n == start:
        out[n] = _DASH
        n += 1
    out[n] = _SPACE
    n += 1
    if not target:
        out[n] = _DASH
        return n + 1
    square = trailing_zeros(target)
    out[n] = _A + (square & 7)
    out[n + 1] = _DIGIT_1 + (square >> 3)
    return n + 2


@kernel
def write_counters(out: Any, n: Word, clock: Word, number: Word) -> Word:
    """Write the two counters from byte `n` on, each after a blank. Returns where they end."""
    out[n] = _SPACE
    n = _write_number(out, n + 1, clock)
    out[n] = _SPACE
    return _write_number(out, n + 1, number)


@entry(examples=lambda: (array_of(np.uint8), array_of(U64), U64(0), U64(0)))
def write(out: Any, row: Any, target: Any, shredder: Any) -> Any:
    """Write the four fields of a position; returns their length."""
    p = read(row, 0)
    return write_fields(out, 0, p, target, shredder)


@once_compiled
def _writer() -> Callable[..., int]:
    return write.resolve(np.empty(ROOM, np.uint8), np.zeros(WORDS, U64), U64(0), U64(0))


def four_fields(row: Any, target: int, *, shredder: bool = False) -> str:
    """Return the first four fields of the FEN of a row, with `target` as the en-passant square.

    Castling rights are written by files with `shredder` (Shredder-FEN), else by sides, with a file where an outer rook
    has no right (X-FEN).
    """
    out = np.empty(ROOM, np.uint8)
    length = _writer()(out, row, target, int(shredder))
    return out[:length].tobytes().decode("ascii")


@kernel
def target_next_to_pawn(pawns: Bits, us: Bits, target: Bits, turn: Word) -> Bits:
    """Return the en-passant square if a pawn of the side to move attacks it, pinned or not, else the empty board."""
    attacked = black_pawn_any_attacks(pawns & us) if turn else white_pawn_any_attacks(pawns & us)
    return attacked & target
