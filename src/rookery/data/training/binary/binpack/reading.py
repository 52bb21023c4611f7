"""The decoder of binpacks."""

from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import RANK_4
from rookery.data.training.binary import decoding
from rookery.data.training.binary.binpack.moves import (
    LONGEST_CHANGE,
    MOST_PLY,
    PLY_BITS,
    bits_for,
    change_of,
    choices_of,
    count_of,
    made,
    move_at,
    move_of,
    nth_square,
    signed_word,
)
from rookery.data.training.binary.nibbles import KINDS, KING, MARKED, PAWN, ROOK, WHITE, codes_of, unpack
from rookery.kernel import U64, UNIVERSE, Bits, Word, byteswap, cold_kernel, entry, kernel, popcount, word_at
from rookery.positions.kernels.moves import zeroing
from rookery.rules.legality import is_legal
from rookery.rules.position import Position, prepared, write
from rookery.techniques.base.protocol import prepare

HEADER, STEM, COUNT = 8, 32, 2  # bytes
MAGIC = 0x504E_4942  # BINP, the first letter lowest
LARGEST_BLOCK = 100 << 20  # bytes, as in Stockfish's reader
CODES: Final = codes_of(*(kind | side for kind in KINDS for side in (WHITE, 0)), PAWN | MARKED, ROOK | WHITE | MARKED,
                        ROOK | MARKED, KING | MARKED)  # fmt: skip
_STEP: Final = HEADER + STEM + COUNT
_NOT_BINPACK, _TOO_LARGE, _BLOCK_ENDS, _NO_MOVE, _LONG_CHANGE, _BAD_ROOK = range(
    decoding.OWN_FAULTS, decoding.OWN_FAULTS + 6
)
_SCORE, _PLY, _RESULT, _CLOCK, _MOVE, _LEFT, _BIT, _CHESS960 = range(decoding.OWN, decoding.OWN + 8)
_NO_RESULT = 3
_BYTE, _SIXTEEN = 0xFF, 0xFFFF


@kernel
def _two_bytes(data: Any, at: Word) -> Word:
    return U64(data[at]) << 8 | U64(data[at + 1])


@kernel
def _take(bits: Word, count: Word) -> Word:
    """Return the highest `count` bits of a word, none to 63."""
    return bits >> 1 >> (63 - count)


@kernel
def _result_of(stored: Word) -> Word:
    """Return a result, as a byte, from its two bits."""
    return _BYTE if stored == 1 else stored >> 1


@cold_kernel
def _stem_position(occupied: Bits, low: Word, high: Word, t: Any) -> tuple[Position, Word, Word]:
    """Return the position of a stem, whether castling is that of Chess960, and its fault."""
    found = unpack(occupied, low, high, CODES)
    pawns, knights, diagonals, orthogonals, kings = found.pieces
    jumped = found.marked & pawns
    of_white = jumped & RANK_4
    white = found.white | of_white
    en_passant = of_white >> 8 | (jumped ^ of_white) << 8
    turn = U64(1) if found.marked & kings else U64(0)
    rights = found.marked & orthogonals
    us = occupied & ~white if turn else white
    p = Position(
        pawns, knights, diagonals, orthogonals, kings, us, occupied ^ us, rights, en_passant, turn, prepare(occupied, t)
    )
    # Only the corner that a rook stands on says which right it has.
    fault = 0 if decoding.is_playable(p, t) else decoding.BAD_POSITION
    fault = _BAD_ROOK if rights & (UNIVERSE ^ decoding.CORNERS) else fault
    fault = decoding.BAD_PIECES if found.invalid else fault
    return p, decoding.is_chess960(p), fault


@kernel
def _stem_numbers(data: Any, at: Word) -> tuple[Word, Word, Word, Word, Word]:
    """Return the move, the score, the ply with the result, the clock and the number of half-moves of a stem."""
    return (
        move_of(_two_bytes(data, at + 24)),
        signed_word(_two_bytes(data, at + 26)),
        _two_bytes(data, at + 28),
        _two_bytes(data, at + 30),
        _two_bytes(data, at + STEM),
    )


@kernel
def next_move(p: Position, bits: Bits, t: Any) -> tuple[Word, Word, Word]:
    """Return the move that the upper bits name, how many bits it takes, and 1 if they name no legal move."""
    pieces = popcount(p.us)
    width = bits_for(pieces)
    piece = _take(bits, width)
    if piece >= pieces:
        return U64(0), width, U64(1)
    source = nth_square(p.us, piece)
    choices = choices_of(p, source, t)
    count = count_of(choices)
    more = bits_for(count)
    index = _take(bits << width, more)
    if index >= count:
        return U64(0), width + more, U64(1)
    move = move_at(p, source, choices, index)
    return move, width + more, U64(0) if is_legal(p, move, t) else U64(1)


@kernel
def _header_fault(word: Word, available: Word) -> Word:
    """Return what is wrong with the first word of a block, of which so many bytes are there; `FULL` for nothing."""
    if available < HEADER:
        return decoding.CUT_SHORT if available else decoding.MORE
    if word & 0xFFFF_FFFF != MAGIC:
        return _NOT_BINPACK
    return _TOO_LARGE if word >> 32 > LARGEST_BLOCK else decoding.FULL


@kernel
def _place_fault(place: Word, end: Word, stop: Word) -> Word:
    """Return the fault of what ends at a place: behind its block, or behind the file; `FULL` for none."""
    return _BLOCK_ENDS if place > end else (decoding.CUT_SHORT if place > stop else decoding.FULL)


@kernel
def stem_fault(p: Position, result: Word, move: Word, left: Word, t: Any) -> Word:
    """Return what is wrong with the result and the move of the first position of a chain, or 0."""
    if result == _NO_RESULT:
        return decoding.BAD_RESULT
    if move and not is_legal(p, move, t):
        return decoding.BAD_MOVE
    return _NO_MOVE if left and not move else 0


@entry(examples=decoding.decoder_example)
def decode(data: Any, state: Any, row: Any, c: Any, moves: Any, scores: Any, results: Any, plies: Any, t: Any) -> Any:
    """Fill rows from the chains of a binpack; see `rookery.data.training.binary.decoding`."""
    at, stop, last, room, end = (
        state[decoding.AT],
        state[decoding.STOP],
        state[decoding.LAST],
        state[decoding.ROOM],
        state[decoding.END],
    )
    n, score, ply, result, clock = state[decoding.N], state[_SCORE], state[_PLY], state[_RESULT], state[_CLOCK]
    move, left, used, chess960 = state[_MOVE], state[_LEFT], state[_BIT], state[_CHESS960]
    p = prepared(row, t)
    code = decoding.FULL
    while n < room:
        available = stop - at
        if not last and available < _STEP:
            code = decoding.MORE
            break
        if left:
            clock = 0 if zeroing(p, move) else clock + 1
            p = made(p, move, t)
            bits = byteswap(word_at(data, at)) << used
            move, width, fault = next_move(p, bits, t)
            used += width
            if fault:
                code = decoding.BAD_MOVE
                break
            change, width = change_of(bits << width)
            used += width
            if not width:
                used += LONGEST_CHANGE
                code = _LONG_CHANGE
                break
            score = (signed_word(change) - score) & _SIXTEEN
            ply, left = ply + 1, left - 1
            result = -result & _BYTE
            following = at + (used >> 3)
            used &= 7
            code = _place_fault(following + (1 if used else 0), end, stop)
            if code != decoding.FULL:
                break
            at = following
            if not left:
                at += 1 if used else 0
                used = U64(0)
        elif at == end:
            word = word_at(data, at)
            code = _header_fault(word, available)
            if code != decoding.FULL:
                break
            at += HEADER
            end = at + (word >> 32)
            continue
        else:
            code = _place_fault(at + STEM + COUNT, end, stop)
            if code != decoding.FULL:
                break
            p, chess960, fault = _stem_position(
                byteswap(word_at(data, at)), word_at(data, at + 8), word_at(data, at + 16), t
            )
            move, score, outcome, clock, left = _stem_numbers(data, at)
            ply, result = outcome & MOST_PLY, _result_of(outcome >> PLY_BITS)
            fault = fault if fault else stem_fault(p, outcome >> PLY_BITS, move, left, t)
            if fault:
                code = fault
                break
            at += STEM + COUNT
        decoding.put(c, n, p, clock, (ply >> 1) + 1, chess960)
        moves[n] = np.uint16(move)
        scores[n] = np.uint16(score)
        results[n] = np.uint8(result)
        plies[n] = np.int32(ply)
        n += 1
    if code in (decoding.BAD_MOVE, _LONG_CHANGE) and left and at + (used + 7 >> 3) > stop:
        code = decoding.CUT_SHORT  # the fault is in what is missing
    state[decoding.AT], state[decoding.END], state[decoding.N] = at, end, n
    state[_SCORE], state[_PLY], state[_RESULT], state[_CLOCK] = score, ply, result, clock
    state[_MOVE], state[_LEFT], state[_BIT], state[_CHESS960] = move, left, used, chess960
    write(row, p)
    return code


DECODER: Final = decoding.Decoder(
    decode,
    {
        _NOT_BINPACK: "expected a block that begins with BINP",
        _TOO_LARGE: f"a block of more than {LARGEST_BLOCK:,} bytes",
        _BLOCK_ENDS: "a block that ends in the middle of a chain",
        _NO_MOVE: "half-moves after a position without a move",
        _LONG_CHANGE: "a score's change of more than 16 bits",
        _BAD_ROOK: "a rook that may castle and stands in no corner",
    },
)
