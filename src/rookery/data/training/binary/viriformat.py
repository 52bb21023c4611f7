"""Viriformat: games, each a first position and moves with scores, in 4 bytes a position.

    file      games, one after the other; all numbers have the lowest byte first
    game      first position (32 bytes), then a move (2) and a score (2) for each half-move, then four zero bytes
    position  the occupied squares (8 bytes); 4 bits for each piece in the order of the squares, the lower half of a
              byte first: pawn 0 to king 5, 6 for a rook that may castle, plus 8 for black (16); the en-passant square,
              or 64, plus 128 with black to move (1); half-move clock (1); full-move number (2); score (2, not used);
              result (1): 0 black won, 1 drawn, 2 white won; an unused byte
    move      source, target, promotion (knight 0 to queen 3), kind (en passant 1, castling 2, promotion 3): 6, 6, 2 and
              2 bits, the first lowest; castling goes to the rook's square
    score     from white's side, of the position before the move

The format was designed by Cosmo Bobak for the engine Viridithas; https://github.com/cosmobobak/viriformat has the
specification. The first position is that of marlinformat, of the engine Marlinflow's trainer.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import bit
from rookery.data.training import limits
from rookery.data.training.binary import decoding
from rookery.data.training.binary.chains import follows
from rookery.data.training.binary.encoding import ChainEncoder, words_of
from rookery.data.training.binary.nibbles import (
    INVALID,
    KINDS,
    MARKED,
    ROOK,
    WHITE,
    codes_of,
    nibbles_of,
    pack,
    store_word,
    unpack,
)
from rookery.data.training.samples import ScoredPositions
from rookery.kernel import U64, Bits, Word, array_of, cold_kernel, entry, kernel, trailing_zeros, word_at
from rookery.positions.kernels.lanes import load, position
from rookery.positions.kernels.moves import zeroing
from rookery.positions.layout import CLOCK_SHIFT, COUNTER, NUMBER_SHIFT, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.constants import BECOMES_SHIFT
from rookery.rules.legality import is_legal, legal_en_passant_target
from rookery.rules.position import Position, make, prepared, write
from rookery.techniques.base.protocol import prepare

LIMITS: Final = (
    limits.NO_SCORE,
    limits.NO_RESULT,
    limits.NO_MOVE,
    limits.INVALID,
    limits.ILLEGAL,
    limits.clock_over(255),
    limits.number_over((1 << 16) - 1),
)
CODES: Final = codes_of(
    *(kind | WHITE for kind in KINDS), ROOK | WHITE | MARKED, INVALID, *KINDS, ROOK | MARKED, INVALID
)
_NIBBLES: Final = nibbles_of(CODES)
HEADER, PLY = 32, 4  # bytes
_BAD_SQUARE = decoding.OWN_FAULTS
_IN_GAME, _PLIES, _CLOCK, _NUMBER, _WHITE_RESULT, _CHESS960 = range(decoding.OWN, decoding.OWN + 6)
_KIND_SHIFT, _TWO_BITS = 14, 3
# The kinds of moves: of the format by those of `rookery.board.moves`, and the other way round, two bits each.
_KINDS_OF_FORMAT, _KINDS_OF_MOVES = 0b10_01_11_00, 0b01_11_10_00
_PROMOTION = 3
_NO_SQUARE, _BYTE, _SIXTEEN = 64, 0xFF, 0xFFFF


@kernel
def _move_of(stored: Word) -> Word:
    kind = stored >> _KIND_SHIFT
    becomes = stored >> BECOMES_SHIFT & _TWO_BITS if kind == _PROMOTION else 0
    squares = stored & ((1 << BECOMES_SHIFT) - 1)
    return squares | becomes << BECOMES_SHIFT | (_KINDS_OF_MOVES >> 2 * kind & _TWO_BITS) << _KIND_SHIFT


@kernel
def _stored_move(move: Word) -> Word:
    kind = move >> _KIND_SHIFT
    return (move & ((1 << _KIND_SHIFT) - 1)) | (_KINDS_OF_FORMAT >> 2 * kind & _TWO_BITS) << _KIND_SHIFT


@cold_kernel
def _first_position(occupied: Bits, low: Word, high: Word, side: Word, t: Any) -> tuple[Position, Word]:
    """Return the first position of a game, and its fault."""
    found = unpack(occupied, low, high, CODES)
    turn = side >> 7
    square = side & 127
    us = occupied & ~found.white if turn else found.white
    en_passant = bit(square & 63) if square < _NO_SQUARE else 0
    p = Position(*found.pieces, us, occupied ^ us, found.marked, en_passant, turn, prepare(occupied, t))
    fault = decoding.BAD_PIECES if found.invalid else (0 if decoding.is_playable(p, t) else decoding.BAD_POSITION)
    return p, _BAD_SQUARE if square > _NO_SQUARE else fault


@entry(examples=decoding.decoder_example)
def decode(data: Any, state: Any, row: Any, c: Any, moves: Any, scores: Any, results: Any, plies: Any, t: Any) -> Any:
    """Fill rows from games; see `rookery.data.training.binary.decoding`."""
    at, stop, last, room, n = (
        state[decoding.AT],
        state[decoding.STOP],
        state[decoding.LAST],
        state[decoding.ROOM],
        state[decoding.N],
    )
    in_game, made, clock, number = state[_IN_GAME], state[_PLIES], state[_CLOCK], state[_NUMBER]
    result, chess960 = state[_WHITE_RESULT], state[_CHESS960]
    p = prepared(row, t)
    code = decoding.FULL
    while n < room:
        available = stop - at
        if available < HEADER and not last:
            code = decoding.MORE
            break
        if not in_game:
            if not available:
                code = decoding.MORE
                break
            if available < HEADER:
                code = decoding.CUT_SHORT
                break
            rest = word_at(data, at + 24)
            p, fault = _first_position(
                word_at(data, at), word_at(data, at + 8), word_at(data, at + 16), rest & _BYTE, t
            )
            clock, number, result = rest >> 8 & _BYTE, rest >> 16 & _SIXTEEN, rest >> 48 & _BYTE
            fault = decoding.BAD_RESULT if not fault and result > 2 else fault
            if fault:
                code = fault
                break
            number = number if number else U64(1)
            made = 2 * (number - 1) + p.turn
            chess960 = decoding.is_chess960(p)
            in_game = U64(1)
            at += HEADER
            continue
        if available < PLY:
            code = decoding.CUT_SHORT
            break
        stored = word_at(data, at) & 0xFFFF_FFFF
        if not stored:
            in_game = U64(0)
            at += PLY
            continue
        move, score = _move_of(stored & _SIXTEEN), stored >> 16
        if not move or not is_legal(p, move, t):
            code = decoding.BAD_MOVE
            break
        decoding.put(c, n, p, clock, number, chess960)
        moves[n] = np.uint16(move)
        scores[n] = np.uint16((-score if p.turn else score) & _SIXTEEN)
        results[n] = np.uint8((1 - result if p.turn else result - 1) & _BYTE)
        plies[n] = np.int32(made)
        n += 1
        at += PLY
        made += 1
        number += p.turn
        clock = 0 if zeroing(p, move) else clock + 1
        p = make(p, move, t)
    state[decoding.AT], state[decoding.N] = at, n
    state[_IN_GAME], state[_PLIES], state[_CLOCK], state[_NUMBER] = in_game, made, clock, number
    state[_WHITE_RESULT], state[_CHESS960] = result, chess960
    write(row, p)
    return code


DECODER: Final = decoding.Decoder(decode, {_BAD_SQUARE: "an en-passant square over 64"})


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.uint16),
        array_of(np.uint16),
        array_of(np.uint8),
        U64(0),
        U64(0),
        array_of(np.uint8),
        default_technique().tables(),
    )
)
def encode(c: Any, moves: Any, scores: Any, results: Any, i: Any, is_open: Any, out: Any, t: Any) -> Any:
    """Write rows from `i` on, each as a half-move of the game before it or as the first one of a new game.

    The row before the first is the one written last, whose game is open. Return the number of bytes.
    """
    n = U64(0)
    while i < moves.size:
        now = load(c, i)
        p = position(now, t)
        score, result = U64(scores[i]), U64(results[i])
        goes_on = U64(0)
        if is_open and (-U64(results[i - 1])) & _BYTE == result:
            goes_on = follows(load(c, i - 1), U64(moves[i - 1]), now, 1, t)
        if not goes_on:
            if is_open:
                store_word(out, n, 0, PLY)
                n += PLY
            occupied = p.us | p.them
            low, high = pack(p[:5], now.white, p.castling, _NIBBLES)
            target = legal_en_passant_target(p, t)
            side = (trailing_zeros(target) if target else _NO_SQUARE) | p.turn << 7
            clock, number = now.state >> CLOCK_SHIFT & COUNTER, now.state >> NUMBER_SHIFT & COUNTER
            of_white = (1 - result if p.turn else result + 1) & _BYTE
            store_word(out, n, occupied, 8)
            store_word(out, n + 8, low, 8)
            store_word(out, n + 16, high, 8)
            store_word(out, n + 24, side | clock << 8 | number << 16 | of_white << 48, 8)
            n += HEADER
            is_open = U64(1)
        score = (-score if p.turn else score) & _SIXTEEN
        store_word(out, n, _stored_move(U64(moves[i])) | score << 16, PLY)
        n += PLY
        i += 1
    return n


class GameEncoder(ChainEncoder):
    """A writer of viriformat: rows that follow each other make a game."""

    def written(self, rows: ScoredPositions, first: int) -> Iterator[bytes]:
        """Yield the bytes of rows."""
        out = np.empty(len(rows) * (HEADER + 2 * PLY), np.uint8)
        words = words_of(rows, ("moves", "scores", "results"))
        yield out[: int(encode(*words, U64(first), U64(first), out, self.tables))].tobytes()

    def end(self) -> Iterator[bytes]:
        """Yield the end of the last game."""
        if self.last is not None:
            yield bytes(PLY)
