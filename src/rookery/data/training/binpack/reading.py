"""The decoder of binpacks."""

from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import RANK_4
from rookery.data.training.binpack.moves import (
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
from rookery.data.training.decoding import (
    AT,
    BAD_MOVE,
    BAD_PIECES,
    BAD_POSITION,
    BAD_RESULT,
    CORNERS,
    CUT_SHORT,
    END,
    FULL,
    LAST,
    MORE,
    OWN,
    OWN_FAULTS,
    ROOM,
    STOP,
    Decoder,
    N,
    decoder_example,
    is_chess960,
    is_playable,
    put,
)
from rookery.data.training.nibbles import KINDS, KING, MARKED, PAWN, ROOK, WHITE, codes_of, unpack
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
_NOT_BINPACK, _TOO_LARGE, _BLOCK_ENDS, _NO_MOVE, _LONG_CHANGE, _BAD_ROOK = range(OWN_FAULTS, OWN_FAULTS + 6)
_SCORE, _PLY, _RESULT, _CLOCK, _MOVE, _LEFT, _BIT, _CHESS960 = range(OWN, OWN + 8)
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
    fault = (
        BAD_PIECES
        if found.invalid
        else (_BAD_ROOK if rights & (UNIVERSE ^ CORNERS) else (0 if is_playable(p, t) else BAD_POSITION))
    )
    return p, is_chess960(p), fault


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
def header_fault(word: Word) -> Word:
    """Return what is wrong with the first word of a block, or 0."""
    if word & 0xFFFF_FFFF != MAGIC:
        return _NOT_BINPACK
    return _TOO_LARGE if word >> 32 > LARGEST_BLOCK else 0


@kernel
def stem_fault(p: Position, result: Word, move: Word, left: Word, t: Any) -> Word:
    """Return what is wrong with the result and the move of the first position of a chain, or 0."""
    if result == _NO_RESULT:
        return BAD_RESULT
    if move and not is_legal(p, move, t):
        return BAD_MOVE
    return _NO_MOVE if left and not move else 0


@entry(examples=decoder_example)
def decode(data: Any, state: Any, row: Any, c: Any, moves: Any, scores: Any, results: Any, plies: Any, t: Any) -> Any:
    """Fill rows from the chains of a binpack; see `rookery.data.training.decoding`."""
    at, stop, last, room, end = state[AT], state[STOP], state[LAST], state[ROOM], state[END]
    n, score, ply, result, clock = state[N], state[_SCORE], state[_PLY], state[_RESULT], state[_CLOCK]
    move, left, used, chess960 = state[_MOVE], state[_LEFT], state[_BIT], state[_CHESS960]
    p = prepared(row, t)
    code = FULL
    while n < room:
        available = stop - at
        if not last and available < _STEP:
            code = MORE
            break
        if left:
            clock = 0 if zeroing(p, move) else clock + 1
            p = made(p, move, t)
            bits = byteswap(word_at(data, at)) << used
            move, width, fault = next_move(p, bits, t)
            used += width
            if fault:
                code = BAD_MOVE
                break
            change, width = change_of(bits << width)
            used += width
            if not width:
                used += LONGEST_CHANGE
                code = _LONG_CHANGE
                break
            score = (signed_word(change) - score) & _SIXTEEN
            ply += 1
            result = -result & _BYTE
            left -= 1
            following = at + (used >> 3)
            used &= 7
            if following + (1 if used else 0) > end:
                code = _BLOCK_ENDS
                break
            if following + (1 if used else 0) > stop:
                code = CUT_SHORT
                break
            at = following
            if not left:
                at += 1 if used else 0
                used = U64(0)
        elif at == end:
            if not available:
                code = MORE
                break
            word = word_at(data, at)
            if available < HEADER:
                code = CUT_SHORT
                break
            fault = header_fault(word)
            if fault:
                code = fault
                break
            at += HEADER
            end = at + (word >> 32)
            continue
        else:
            if end - at < STEM + COUNT:
                code = _BLOCK_ENDS
                break
            if available < STEM + COUNT:
                code = CUT_SHORT
                break
            p, chess960, fault = _stem_position(
                byteswap(word_at(data, at)), word_at(data, at + 8), word_at(data, at + 16), t
            )
            if fault:
                code = fault
                break
            move = move_of(_two_bytes(data, at + 24))
            score = signed_word(_two_bytes(data, at + 26))
            outcome = _two_bytes(data, at + 28)
            clock = _two_bytes(data, at + 30)
            left = _two_bytes(data, at + STEM)
            ply, result = outcome & MOST_PLY, _result_of(outcome >> PLY_BITS)
            fault = stem_fault(p, outcome >> PLY_BITS, move, left, t)
            if fault:
                code = fault
                break
            at += STEM + COUNT
        put(c, n, p, clock, (ply >> 1) + 1, chess960)
        moves[n] = np.uint16(move)
        scores[n] = np.uint16(score)
        results[n] = np.uint8(result)
        plies[n] = np.int32(ply)
        n += 1
    if code in (BAD_MOVE, _LONG_CHANGE) and left and at + (used + 7 >> 3) > stop:
        code = CUT_SHORT  # the fault is in what is missing
    state[AT], state[END], state[N] = at, end, n
    state[_SCORE], state[_PLY], state[_RESULT], state[_CLOCK] = score, ply, result, clock
    state[_MOVE], state[_LEFT], state[_BIT], state[_CHESS960] = move, left, used, chess960
    write(row, p)
    return code


DECODER: Final = Decoder(
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
