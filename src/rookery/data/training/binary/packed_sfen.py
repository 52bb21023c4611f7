"""Packed sfen: positions in 40 bytes each, with their moves; the ``.bin`` files of Stockfish's training tools.

    position (32 bytes), score (2), move (2), number of plies (2), result from the side to move (1), an unused byte

    position  bits, the lowest of a byte first: black to move (1), the kings' squares (6 each); for each other square
              from a8 to h8, down to h1: 0 if it is empty, else 1, three bits for the piece (pawn 0 to queen 4) and one
              for black; white's and black's castling rights, king's side first (4); 1 and the en-passant square (7), or
              0; half-move clock (6), full-move number (16), the clock's seventh bit
    move      target, source, promotion (knight 0 to queen 3), kind (promotion 1, en passant 2, castling 3): 6, 6, 2 and
              2 bits, the first lowest; castling goes to the rook's square

All numbers have the lowest byte first. The position is the packed SFEN of computer shogi, which Hisayori Noda (nodchip)
brought to Stockfish with its first networks in 2020.
"""

import functools
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bitboards.bits import bit
from rookery.bitboards.squares import A1, A8, H1, H8
from rookery.data.training import limits
from rookery.data.training.binary import decoding
from rookery.data.training.binary.encoding import EntryEncoder
from rookery.kernel import (
    U64,
    Bits,
    Square,
    Word,
    array_of,
    byteswap,
    cold_kernel,
    entry,
    kernel,
    popcount,
    trailing_zeros,
    word_at,
    write_word,
)
from rookery.positions.kernels.lanes import load, position
from rookery.positions.layout import CLOCK_SHIFT, COUNTER, NUMBER_SHIFT, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.constants import SIX_BITS, TO_SHIFT
from rookery.rules.legality import is_legal, legal_en_passant_target
from rookery.rules.position import Position
from rookery.techniques.base.protocol import prepare

LIMITS: Final = (
    limits.NO_SCORE,
    limits.NO_RESULT,
    limits.INVALID,
    limits.NOT_STANDARD,
    limits.ILLEGAL,
    limits.clock_over(127),
    limits.number_over((1 << 16) - 1),
    limits.plies_over((1 << 16) - 1),
)
ENTRY, _POSITION_BITS = 40, 256
_PIECE_BITS = 5
_UPSIDE_DOWN = 56
_KINGS_END = 13  # the bits before those of the squares
_LOADED = 57  # bits that are read at once, or more
_BYTE, _SIXTEEN = 0xFF, 0xFFFF
_CORNERS: Final = np.array([H1, A1, H8, A8], np.uint64)  # in the order of the castling rights


@kernel
def _swapped(move: Word) -> Word:
    """Exchange the source and the target of a move."""
    return (move & 0xF000) | (move & SIX_BITS) << TO_SHIFT | (move >> TO_SHIFT & SIX_BITS)


@kernel
def _bits(data: Any, at: Word, place: Word) -> Word:
    """Return the bits from `place` on, 57 or more."""
    return word_at(data, at + (place >> 3)) >> (place & 7)


class _Squares(NamedTuple):
    """The pieces on the squares read so far: the bits of their kinds from the lowest, black pieces, and all pieces."""

    kind_0: Bits
    kind_1: Bits
    kind_2: Bits
    black: Bits
    all: Bits


@kernel
def _with_piece(on: _Squares, code: Word, i: Word) -> _Squares:
    """Return the squares with the piece of a code on square `i`."""
    return _Squares(
        on.kind_0 | (code >> 1 & 1) << i,
        on.kind_1 | (code >> 2 & 1) << i,
        on.kind_2 | (code >> 3 & 1) << i,
        on.black | (code >> 4 & 1) << i,
        on.all | bit(i),
    )


@kernel
def _pieces(data: Any, at: Word, others: Word) -> tuple[_Squares, Word]:
    """Return what is on all squares but the kings', `others` of them, in the order of the bits, and where these end.

    Up to four pieces are read with each load: the place of the next load is known only when they are, so it takes long.
    """
    place, i = U64(_KINGS_END), U64(0)
    on = _Squares(U64(0), U64(0), U64(0), U64(0), U64(0))
    while i < others:
        code, left, before = _bits(data, at, place), U64(_LOADED), i
        for _ in range(4):
            length = trailing_zeros(code) + _PIECE_BITS
            if length <= left and i + length < others + _PIECE_BITS:
                code >>= length - _PIECE_BITS
                i += length - _PIECE_BITS
                on = _with_piece(on, code, i)
                code >>= _PIECE_BITS
                i += 1
                left -= length
                place += length
        if i == before:  # empty squares alone
            run = min(trailing_zeros(code), min(others - i, _LOADED - _PIECE_BITS))
            i += run
            place += run
    return on, place


@kernel
def _in_order(white_king: Square, black_king: Square) -> tuple[Word, Word]:
    """Return the places of the kings in the order of the bits, the lower first."""
    white, black = white_king ^ _UPSIDE_DOWN, black_king ^ _UPSIDE_DOWN
    return min(white, black), max(white, black)


@kernel
def _with_gap(squares: Bits, gap: Word) -> Bits:
    """Move the squares from `gap` on up by one."""
    above = squares & -bit(gap)
    return squares + above


@kernel
def _on_board(squares: Bits, first: Word, second: Word) -> Bits:
    """Return squares, in the order of the bits, as a board; `first` and `second` are those of the kings."""
    return byteswap(_with_gap(_with_gap(squares, first), second))


@cold_kernel
def _unpacked(data: Any, at: Word, t: Any) -> tuple[Position, Word, Word, Word]:
    """Return the position at `at`, its clock, its full-move number, and its fault."""
    head = _bits(data, at, 0)
    turn, white_king, black_king = head & 1, head >> 1 & SIX_BITS, head >> 7 & SIX_BITS
    kings = bit(white_king) | bit(black_king)
    on, place = _pieces(data, at, U64(64) - popcount(kings))
    first_king, second_king = _in_order(white_king, black_king)
    # Kinds from pawn 0 to queen 4.
    queens, others = on.kind_2, on.all & ~on.kind_2
    invalid = on.kind_2 & (on.kind_0 | on.kind_1)
    pawns = _on_board(others & ~(on.kind_0 | on.kind_1), first_king, second_king)
    knights = _on_board(on.kind_0 & ~on.kind_1, first_king, second_king)
    diagonals = _on_board((on.kind_1 & ~on.kind_0) | queens, first_king, second_king)
    orthogonals = _on_board((on.kind_1 & on.kind_0) | queens, first_king, second_king)
    white = _on_board(on.all & ~on.black, first_king, second_king) | bit(white_king)
    rest = _bits(data, at, place)
    rights = U64(0)
    for k in range(4):
        rights |= (rest >> U64(k) & 1) << _CORNERS[k]
    place += 4
    rest >>= 4
    en_passant = bit(rest >> 1 & SIX_BITS) if rest & 1 else 0
    shift = 7 if rest & 1 else 1
    place += shift
    rest >>= shift
    clock, number = (rest & SIX_BITS) | (rest >> 22 & 1) << 6, rest >> 6 & _SIXTEEN
    place += 23
    occupied = pawns | knights | diagonals | orthogonals | kings
    us = occupied & ~white if turn else white
    p = Position(
        pawns, knights, diagonals, orthogonals, kings, us, occupied ^ us, rights, en_passant, turn, prepare(occupied, t)
    )
    fault = (
        decoding.BAD_PIECES
        if invalid or place > _POSITION_BITS
        else (0 if decoding.is_playable(p, t) else decoding.BAD_POSITION)
    )
    return p, clock, number, fault


@entry(examples=decoding.decoder_example)
def decode(data: Any, state: Any, row: Any, c: Any, moves: Any, scores: Any, results: Any, plies: Any, t: Any) -> Any:
    """Fill rows from entries; see `rookery.data.training.binary.decoding`."""
    at, stop, n, room = state[decoding.AT], state[decoding.STOP], state[decoding.N], state[decoding.ROOM]
    code = decoding.FULL
    while n < room:
        if stop - at < ENTRY:
            code = decoding.CUT_SHORT if state[decoding.LAST] and stop - at else decoding.MORE
            break
        p, clock, number, fault = _unpacked(data, at, t)
        if fault:
            code = fault
            break
        rest = word_at(data, at + 32)
        move = _swapped(rest >> 16 & _SIXTEEN)
        result = rest >> 48 & _BYTE
        if move and not is_legal(p, move, t):
            code = decoding.BAD_MOVE
            break
        if (result + 1) & _BYTE > 2:
            code = decoding.BAD_RESULT
            break
        decoding.put(c, n, p, clock, number if number else 1, decoding.is_chess960(p))
        moves[n] = np.uint16(move)
        scores[n] = np.uint16(rest & _SIXTEEN)
        results[n] = np.uint8(result)
        plies[n] = np.int32(rest >> 32 & _SIXTEEN)
        n += 1
        at += ENTRY
    state[decoding.AT], state[decoding.N] = at, n
    return code


DECODER: Final = decoding.Decoder(decode, {})


@kernel
def _append(out: Any, n: Word, held: Word, byte: Word, place: Word, bits: Word) -> tuple[Word, Word]:
    """Add bits, at most 23, at `place` of an entry to those that are held from its byte `byte` on; return both.

    Places grow. Eight bytes are written each time, of which later ones overwrite those behind the place.
    """
    passed = 8 * ((place >> 3) - byte)
    held = (held >> passed if passed < 64 else U64(0)) | bits << (place & 7)
    write_word(out, n + (place >> 3), held)
    return held, place >> 3


@kernel
def _without_gap(squares: Bits, gap: Word) -> Bits:
    """Move the squares above `gap`, which is empty, down by one."""
    above = squares & -bit(gap)
    return (squares ^ above) | above >> 1


@kernel
def _off_board(b: Bits, first: Word, second: Word) -> Bits:
    """Return a board without kings in the order of the bits: the inverse of `_on_board`."""
    return _without_gap(_without_gap(byteswap(b), second), first)


@kernel
def _king_square(kings: Bits) -> Square:
    return trailing_zeros(kings) & SIX_BITS


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.uint16),
        array_of(np.uint16),
        array_of(np.uint8),
        array_of(np.int32),
        array_of(np.uint8),
        default_technique().tables(),
    )
)
def encode(c: Any, moves: Any, scores: Any, results: Any, plies: Any, out: Any, t: Any) -> None:
    """Write an entry for each row to an array of zeros."""
    for i in range(moves.size):
        now = load(c, i)
        p = position(now, t)
        n = U64(i) * ENTRY
        white_king, black_king = _king_square(p.kings & now.white), _king_square(p.kings & ~now.white)
        held, byte = _append(out, n, 0, 0, 0, p.turn | white_king << 1 | black_king << 7)
        first_king, second_king = _in_order(white_king, black_king)
        # Kinds from pawn 0 to queen 4.
        queens = p.diagonals & p.orthogonals
        kind_0 = _off_board(p.knights | (p.orthogonals ^ queens), first_king, second_king)
        kind_1 = _off_board((p.diagonals ^ queens) | (p.orthogonals ^ queens), first_king, second_king)
        kind_2 = _off_board(queens, first_king, second_king)
        left = (p.us | p.them) ^ p.kings
        black = _off_board(left & ~now.white, first_king, second_king)
        left = _off_board(left, first_king, second_king)
        first = U64(_KINGS_END)
        while left:
            k = trailing_zeros(left)
            left &= left - 1
            kind = (kind_0 >> k & 1) << 1 | (kind_1 >> k & 1) << 2 | (kind_2 >> k & 1) << 3
            held, byte = _append(out, n, held, byte, first + k, 1 | kind | (black >> k & 1) << 4)
            first += _PIECE_BITS - 1
        place = first + 64 - popcount(p.kings)
        rights = U64(0)
        for k in range(4):
            rights |= (p.castling >> _CORNERS[k] & 1) << U64(k)
        target = legal_en_passant_target(p, t)
        held, byte = _append(out, n, held, byte, place, rights)
        place += 4
        held, byte = _append(out, n, held, byte, place, 1 | _king_square(target) << 1 if target else 0)
        place += 7 if target else 1
        clock, number = now.state >> CLOCK_SHIFT & COUNTER, now.state >> NUMBER_SHIFT & COUNTER
        counters = (clock & SIX_BITS) | (number & _SIXTEEN) << 6 | clock >> 6 << 22
        held, byte = _append(out, n, held, byte, place, counters)
        rest = U64(scores[i]) | _swapped(U64(moves[i])) << 16 | (U64(plies[i]) & _SIXTEEN) << 32
        write_word(out, n + 32, rest | U64(results[i]) << 48)


ENCODER: Final = functools.partial(EntryEncoder, encode, ENTRY, ("moves", "scores", "results", "plies"))
