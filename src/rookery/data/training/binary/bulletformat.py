"""Bulletformat: positions in 32 bytes each, turned so that white is to move.

    occupied squares (8 bytes), 4 bits for each piece in the order of the squares, the lower half of a byte first: pawn
    0 to king 5, plus 8 for the other side (16); score (2); result: 0 lost, 1 drawn, 2 won (1); the square of the king,
    and of the other king with its rank turned round (2); three unused bytes

All numbers have the lowest byte first. Where black is to move the board is turned upside down and the colours change
places, so what is read has white to move. The format has no castling rights, en-passant squares, counters and moves.

The format was designed by Jamie Whiting for the trainer bullet; https://github.com/jw1912/bulletformat has it.
"""

import functools
from typing import Any, Final

import numpy as np

from rookery.data.training import limits
from rookery.data.training.binary import decoding
from rookery.data.training.binary.encoding import EntryEncoder
from rookery.data.training.binary.nibbles import INVALID, KINDS, WHITE, codes_of, nibbles_of, pack, store_word, unpack
from rookery.kernel import U64, array_of, entry, trailing_zeros, word_at
from rookery.positions.kernels.lanes import black_mask, load, position, turned, turned_pieces
from rookery.positions.layout import empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.position import Position
from rookery.techniques.base.protocol import prepare

LIMITS: Final = (limits.NO_SCORE, limits.NO_RESULT, limits.INVALID)
CODES: Final = codes_of(*(kind | WHITE for kind in KINDS), INVALID, INVALID, *KINDS)
_NIBBLES: Final = nibbles_of(CODES)
ENTRY = 32  # bytes
_BYTE, _SIXTEEN = 0xFF, 0xFFFF
_UPSIDE_DOWN = 56


@entry(examples=decoding.decoder_example)
def decode(data: Any, state: Any, row: Any, c: Any, moves: Any, scores: Any, results: Any, plies: Any, t: Any) -> Any:
    """Fill rows from entries; see `rookery.data.training.binary.decoding`."""
    at, stop, n, room = state[decoding.AT], state[decoding.STOP], state[decoding.N], state[decoding.ROOM]
    code = decoding.FULL
    while n < room:
        if stop - at < ENTRY:
            code = decoding.CUT_SHORT if state[decoding.LAST] and stop - at else decoding.MORE
            break
        occupied, rest = word_at(data, at), word_at(data, at + 24)
        found = unpack(occupied, word_at(data, at + 8), word_at(data, at + 16), CODES)
        white = found.white
        p = Position(*found.pieces, white, occupied ^ white, 0, 0, 0, prepare(occupied, t))
        result = rest >> 16 & _BYTE
        if found.invalid:
            code = decoding.BAD_PIECES
            break
        if not decoding.is_playable(p, t):
            code = decoding.BAD_POSITION
            break
        if result > 2:
            code = decoding.BAD_RESULT
            break
        decoding.put(c, n, p, 0, 1, 0)
        moves[n] = np.uint16(0)
        scores[n] = np.uint16(rest & _SIXTEEN)
        results[n] = np.uint8((result - 1) & _BYTE)
        plies[n] = np.int32(0)
        n += 1
        at += ENTRY
    state[decoding.AT], state[decoding.N] = at, n
    return code


DECODER: Final = decoding.Decoder(decode, {})


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.uint16),
        array_of(np.uint8),
        array_of(np.uint8),
        default_technique().tables(),
    )
)
def encode(c: Any, scores: Any, results: Any, out: Any, t: Any) -> None:
    """Write an entry for each row."""
    for i in range(scores.size):
        now = load(c, i)
        black = black_mask(now)
        p = position(now, t)
        pieces = turned_pieces(now, black)
        us = turned(p.us, black)
        low, high = pack(pieces, us, 0, _NIBBLES)
        n = U64(i) * ENTRY
        king, other = trailing_zeros(pieces[4] & us), trailing_zeros(pieces[4] & ~us) ^ _UPSIDE_DOWN
        store_word(out, n, turned(p.us | p.them, black), 8)
        store_word(out, n + 8, low, 8)
        store_word(out, n + 16, high, 8)
        result = (U64(results[i]) + 1) & _BYTE
        store_word(out, n + 24, U64(scores[i]) | result << 16 | king << 24 | other << 32, 8)


ENCODER: Final = functools.partial(EntryEncoder, encode, ENTRY, ("scores", "results"))
