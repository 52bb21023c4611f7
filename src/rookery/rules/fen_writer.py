"""FEN written: one compiled writer, for one position here, and for many in `rookery.positions`."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.bits import isolate_ls1b, isolate_ms1b, reset_ls1b
from rookery.kernel import ONE, U64, ZERO, Bits, Word, entry, kernel, once_compiled, trailing_zeros
from rookery.placement import SIGNS
from rookery.rules.position import WORDS, Position, read
from rookery.sets import black_pawn_any_attacks, white_pawn_any_attacks

ROOM: Final = 128  # bytes for any FEN: 71 of pieces, 16 castling rooks, two counters of 10 digits; 116 in all

_RANK_1, _RANK_8 = U64(0xFF), U64(0xFF << 56)
_SLASH, _DASH, _SPACE = (U64(ord(sign)) for sign in "/- ")
_A, _B, _K, _Q, _W, _DIGIT_0, _DIGIT_1 = (U64(ord(sign)) for sign in "abkqw01")
_LOWER = U64(32)
_TWO, _SEVEN, _EIGHT, _TEN = (U64(n) for n in (2, 7, 8, 10))


def _written_signs() -> Any:
    """The letter of a piece by the boards it is on: 1 knights, 2 diagonals, 4 orthogonals, 8 kings, 16 black."""
    signs = np.full(32, ord("?"), np.uint8)  # on boards that no piece shares
    for i, sign in enumerate(SIGNS):
        signs[(0, 1, 2, 4, 6, 8)[i % 6] + 16 * (i // 6)] = ord(sign)
    return signs


_SIGN_OF_BOARDS: Final = _written_signs()


@kernel
def _write_pieces(out: Any, n: Word, p: Position) -> Word:
    black = p.us if p.turn else p.them
    rank = _EIGHT
    while rank:
        rank -= ONE
        shift = rank * _EIGHT
        occupied = ((p.us | p.them) >> shift) & _RANK_1
        file = ZERO
        while occupied:
            f = trailing_zeros(occupied)
            occupied = reset_ls1b(occupied)
            s = shift + f
            boards = ((p.knights >> s) & ONE) | ((p.diagonals >> s) & ONE) << 1 | ((p.orthogonals >> s) & ONE) << 2
            boards |= ((p.kings >> s) & ONE) << 3 | ((black >> s) & ONE) << 4
            out[n] = _DIGIT_0 + f - file
            n += ONE if f != file else ZERO  # the next character takes the place of a digit 0
            out[n] = _SIGN_OF_BOARDS[boards]
            n += ONE
            file = f + ONE
        out[n] = _DIGIT_0 + _EIGHT - file
        n += ONE if file != _EIGHT else ZERO
        out[n] = _SLASH
        n += ONE
    return n - ONE


@kernel
def _write_rights(out: Any, n: Word, p: Position, black: Word, shredder: Word) -> Word:
    """The rights of a side, by files, or as K and Q with a file where an outer rook has no rights."""
    side = p.us if black == p.turn else p.them
    king = isolate_ms1b(p.kings & side)
    rooks = p.orthogonals & ~p.diagonals & side & (_RANK_8 if black else _RANK_1)
    rights = p.castling & rooks
    while rights:
        rook = isolate_ms1b(rights)
        rights ^= rook
        right = rook > king
        outermost = isolate_ms1b(rooks) if right else isolate_ls1b(rooks)
        sign = _K if right else _Q
        if shredder or rook != outermost:
            sign = _A + (trailing_zeros(rook) & _SEVEN)
        out[n] = sign if black else sign - _LOWER
        n += ONE
    return n


@kernel
def _write_number(out: Any, n: Word, value: Word) -> Word:
    above = _TEN
    end = n + ONE
    while value >= above:
        above *= _TEN
        end += ONE
    n = end
    while n > ZERO:
        n -= ONE
        out[n] = _DIGIT_0 + value % _TEN
        value //= _TEN
        if not value:
            break
    return end


@kernel
def write_fields(out: Any, n: Word, p: Position, target: Bits, shredder: Word) -> Word:
    """Write four fields from byte `n` on, the last `target` whatever the position says. Returns where they end."""
    n = _write_pieces(out, n, p)
    out[n] = _SPACE
    out[n + ONE] = _B if p.turn else _W
    out[n + _TWO] = _SPACE
    n += _TWO + ONE
    start = n
    n = _write_rights(out, n, p, ZERO, shredder)
    n = _write_rights(out, n, p, ONE, shredder)
    if n == start:
        out[n] = _DASH
        n += ONE
    out[n] = _SPACE
    n += ONE
    if not target:
        out[n] = _DASH
        return n + ONE
    square = trailing_zeros(target)
    out[n] = _A + (square & _SEVEN)
    out[n + ONE] = _DIGIT_1 + (square >> 3)
    return n + _TWO


@kernel
def write_counters(out: Any, n: Word, clock: Word, number: Word) -> Word:
    """Write the two counters from byte `n` on, each after a blank. Returns where they end."""
    out[n] = _SPACE
    n = _write_number(out, n + ONE, clock)
    out[n] = _SPACE
    return _write_number(out, n + ONE, number)


@entry
def write(out: Any, row: Any, target: Any, shredder: Any) -> Any:
    """Write the four fields of a position; returns their length."""
    p = read(row, ZERO)
    return write_fields(out, ZERO, p, target, shredder)


@once_compiled
def _writer() -> Callable[..., int]:
    return write.resolve(np.empty(ROOM, np.uint8), np.zeros(WORDS, U64), ZERO, ZERO)


def four_fields(row: Any, target: int, *, shredder: bool = False) -> str:
    """The first four fields of a FEN: of the words of a position, `target` written as its en-passant square, castling
    rights by files (Shredder-FEN), or by sides with a file where an outer rook has no rights (X-FEN).
    """
    out = np.empty(ROOM, np.uint8)
    length = _writer()(out, row, U64(target), ONE if shredder else ZERO)
    return out[:length].tobytes().decode("ascii")


@kernel
def target_beside_a_pawn(pawns: Bits, us: Bits, target: Bits, turn: Word) -> Bits:
    """An en-passant square if a pawn of the side to move attacks it, be it pinned or not; else the empty board."""
    attacked = black_pawn_any_attacks(pawns & us) if turn else white_pawn_any_attacks(pawns & us)
    return attacked & target
