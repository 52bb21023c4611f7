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
from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import bit
from rookery.bitboards.squares import A1, A8, H1, H8
from rookery.data.training import limits
from rookery.data.training.binary import decoding
from rookery.data.training.binary.encoding import EntryEncoder
from rookery.data.training.binary.nibbles import store_word
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
_QUEEN, _PIECE_BITS = 4, 5
_UPSIDE_DOWN = 56
_KINGS_END = 13  # the bits before those of the squares
_HELD, _WHOLE_BYTES = 40, ~7 & 0xFFFF  # bits that are held before they are written; a mask of places
_LONGEST_RUN = 50  # empty squares: more than five of 57 bits are left for a piece
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


@cold_kernel
def _unpacked(data: Any, at: Word, t: Any) -> tuple[Position, Word, Word, Word]:
    """Return the position at `at`, its clock, its full-move number, and its fault."""
    head = _bits(data, at, 0)
    turn, white_king, black_king = head & 1, head >> 1 & SIX_BITS, head >> 7 & SIX_BITS
    place = U64(13)
    kings = bit(white_king) | bit(black_king)
    pawns = knights = diagonals = orthogonals = invalid = U64(0)
    white = bit(white_king)
    # Squares in the order of the bits, without the kings': `i` of them are read.
    first_king, second_king = white_king ^ _UPSIDE_DOWN, black_king ^ _UPSIDE_DOWN
    first_king, second_king = min(first_king, second_king), max(first_king, second_king)
    others = U64(64) - popcount(kings)
    i = U64(0)
    while i < others and place < _POSITION_BITS:
        code = _bits(data, at, place)
        # A run of empty squares, as far as the bits at hand tell.
        empty = min(trailing_zeros(code), _LONGEST_RUN)
        run = min(empty, min(others - i, _POSITION_BITS - place))
        i += run
        place += run
        if empty == _LONGEST_RUN or i == others or place == _POSITION_BITS:
            continue
        code >>= run
        sq = i + (1 if i >= first_king else 0)
        sq += 1 if sq >= second_king and others == 62 else 0
        sq ^= _UPSIDE_DOWN
        i += 1
        place += _PIECE_BITS
        kind = code >> 1 & 7
        pawns |= (1 if kind == 0 else 0) << sq
        knights |= (1 if kind == 1 else 0) << sq
        diagonals |= (1 if kind in (2, _QUEEN) else 0) << sq
        orthogonals |= (1 if kind in (3, _QUEEN) else 0) << sq
        white |= (code >> 4 & 1 ^ 1) << sq
        invalid |= 1 if kind > _QUEEN else 0
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
def _append(out: Any, n: Word, held: Word, base: Word, place: Word, bits: Word) -> tuple[Word, Word]:
    """Add bits, at most 23, at `place` of an entry to those that are held from bit `base` on; return these and `base`.

    Places grow. The held bits are written when there is no room for more; eight bytes are written each time, of which
    later ones overwrite those behind the place.
    """
    if place - base > _HELD:
        store_word(out, n + (base >> 3), held, 8)
        shift = (place & _WHOLE_BYTES) - base
        held = held >> shift if shift < 64 else U64(0)
        base += shift
    return held | bits << (place - base), base


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
        kings = _king_square(p.kings & now.white) << 1 | _king_square(p.kings & ~now.white) << 7
        held, base = p.turn | kings, U64(0)
        first, kings = U64(_KINGS_END), byteswap(p.kings)
        left = byteswap((p.us | p.them) ^ p.kings)  # in the order of the bits
        while left:
            k = trailing_zeros(left)
            left &= left - 1
            sq = k ^ _UPSIDE_DOWN
            diagonal, orthogonal = p.diagonals >> sq & 1, p.orthogonals >> sq & 1
            kind = (p.knights >> sq & 1) | (2 * diagonal + 3 * orthogonal - (diagonal & orthogonal))
            piece = 1 | kind << 1 | (now.white >> sq & 1 ^ 1) << 4
            place = first + k - popcount(kings & ((U64(1) << k) - 1))
            held, base = _append(out, n, held, base, place, piece)
            first += _PIECE_BITS - 1
        place = first + 64 - popcount(kings)
        rights = U64(0)
        for k in range(4):
            rights |= (p.castling >> _CORNERS[k] & 1) << U64(k)
        target = legal_en_passant_target(p, t)
        held, base = _append(out, n, held, base, place, rights)
        place += 4
        held, base = _append(out, n, held, base, place, 1 | _king_square(target) << 1 if target else 0)
        place += 7 if target else 1
        clock, number = now.state >> CLOCK_SHIFT & COUNTER, now.state >> NUMBER_SHIFT & COUNTER
        held, base = _append(
            out, n, held, base, place, (clock & SIX_BITS) | (number & _SIXTEEN) << 6 | clock >> 6 << 22
        )
        store_word(out, n + (base >> 3), held, 8)
        rest = U64(scores[i]) | _swapped(U64(moves[i])) << 16 | (U64(plies[i]) & _SIXTEEN) << 32
        store_word(out, n + 32, rest | U64(results[i]) << 48, 8)


ENCODER: Final = functools.partial(EntryEncoder, encode, ENTRY, ("moves", "scores", "results", "plies"))
