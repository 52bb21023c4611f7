"""The compiled writer of FEN, for single positions and for the arrays of `rookery.positions`."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import RANK_1, RANK_8, isolate_ls1b, isolate_ms1b, reset_ls1b
from rookery.bitboards.placement import SIGNS
from rookery.bitboards.sets import black_pawn_any_attacks, white_pawn_any_attacks
from rookery.kernel import U64, Bits, Word, array_of, entry, kernel, once_compiled, trailing_zeros
from rookery.rules.constants import WORDS
from rookery.rules.position import Position, read

ROOM: Final = 128  # bytes for any FEN: 71 of pieces, 16 castling rooks, two counters of 10 digits; 116 in all

_SLASH, _DASH, _SPACE = b"/- "
_A, _B, _K, _Q, _W, _DIGIT_0, _DIGIT_1 = b"abkqw01"
_LOWER = 32


def _written_signs() -> Any:
    """Return the letters of pieces by their boards: 1 knights, 2 diagonals, 4 orthogonals, 8 kings, 16 black."""
    signs = np.full(32, ord("?"), np.uint8)  # on boards that no piece shares
    for i, sign in enumerate(SIGNS):
        signs[(0, 1, 2, 4, 6, 8)[i % 6] + 16 * (i // 6)] = ord(sign)
    return signs


_SIGN_OF_BOARDS: Final = _written_signs()


@kernel
def write_pieces(out: Any, n: Word, p: Position) -> Word:
    """Write the first field from byte `n` on, and one byte behind it. Return where the field ends."""
    black = p.us if p.turn else p.them
    rank = 8
    while rank:
        rank -= 1
        shift = rank * 8
        occupied = ((p.us | p.them) >> shift) & RANK_1
        file = 0
        while occupied:
            f = trailing_zeros(occupied)
            occupied = reset_ls1b(occupied)
            s = shift + f
            boards = ((p.knights >> s) & 1) | ((p.diagonals >> s) & 1) << 1 | ((p.orthogonals >> s) & 1) << 2
            boards |= ((p.kings >> s) & 1) << 3 | ((black >> s) & 1) << 4
            out[n] = _DIGIT_0 + f - file
            n += 1 if f != file else 0  # the next character takes the place of a digit 0
            out[n] = _SIGN_OF_BOARDS[boards]
            n += 1
            file = f + 1
        out[n] = _DIGIT_0 + 8 - file
        n += 1 if file != 8 else 0
        out[n] = _SLASH
        n += 1
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
    above = 10
    end = n + 1
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
    n = write_pieces(out, n, p)
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
