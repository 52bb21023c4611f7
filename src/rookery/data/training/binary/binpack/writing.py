"""The writer of binpacks."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import RANK_4, RANK_5, bit
from rookery.data.training import limits
from rookery.data.training.binary.binpack.moves import (
    MOST_PLY,
    PLY_BITS,
    bits_for,
    change_bits,
    choices_of,
    count_of,
    index_of,
    stored_move,
    unsigned,
    with_legal_en_passant,
)
from rookery.data.training.binary.binpack.reading import CODES, COUNT, MAGIC, STEM
from rookery.data.training.binary.chains import follows
from rookery.data.training.binary.encoding import ChainEncoder, words_of
from rookery.data.training.binary.nibbles import nibbles_of, pack, store_word
from rookery.data.training.samples import ScoredPositions
from rookery.kernel import U64, Word, array_of, byteswap, cold_kernel, entry, kernel, popcount
from rookery.positions.kernels.lanes import load, position
from rookery.positions.layout import CLOCK_SHIFT, COUNTER, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.position import Position

LIMITS: Final = (
    limits.NO_SCORE,
    limits.NO_RESULT,
    limits.INVALID,
    limits.NOT_STANDARD,
    limits.ILLEGAL,
    limits.clock_over(255),  # what programs that read the format keep
    limits.plies_over(MOST_PLY),
)
_NIBBLES: Final = nibbles_of(CODES)
_BLOCK: Final = 1 << 20  # bytes after which a block ends with its chain
_MOST_FOLLOWING = (1 << 16) - 1
_ROOM: Final = _BLOCK + STEM + COUNT + 5 * _MOST_FOLLOWING + 64  # at most 30 bits a half-move, and 26 in practice
_SIXTEEN, _BYTE = 0xFFFF, 0xFF
_BYTES, _PLACE, _FOLLOWING, _BIT, _OPEN = range(5)  # the fields of the state


@kernel
def _put_two(out: Any, n: Word, word: Word) -> None:
    out[n] = np.uint8(word >> 8 & _BYTE)
    out[n + 1] = np.uint8(word & _BYTE)


@cold_kernel
def _put_stem(out: Any, n: Word, p: Position, clock: Word, move: Word, score: Word, result: Word, ply: Word) -> None:
    occupied = p.us | p.them
    white = p.them if p.turn else p.us
    passed = U64(p.en_passant)  # not a plain 0, whose complement is -1 in Python
    jumped = (passed << 8 & RANK_4) | (passed >> 8 & RANK_5)
    marked = p.castling | jumped | (p.kings & p.us if p.turn else 0)
    # A pawn that has just jumped is of one code for both sides.
    low, high = pack(p[:5], white & ~jumped, marked, _NIBBLES)
    store_word(out, n, byteswap(occupied), 8)
    store_word(out, n + 8, low, 8)
    store_word(out, n + 16, high, 8)
    _put_two(out, n + 24, stored_move(move))
    _put_two(out, n + 26, unsigned(score))
    _put_two(out, n + 28, ply | (U64(1) if result == _BYTE else result << 1) << PLY_BITS)
    _put_two(out, n + 30, clock)


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.uint16),
        array_of(np.uint16),
        array_of(np.uint8),
        array_of(np.int32),
        U64(0),
        array_of(U64),
        array_of(np.uint8),
        default_technique().tables(),
    )
)
def encode(c: Any, moves: Any, scores: Any, results: Any, plies: Any, i: Any, state: Any, out: Any, t: Any) -> Any:
    """Write rows from `i` on, each as a half-move of the chain before it or as the stem of a new one.

    The first row is the one written last, or any if no chain is open. Return the row before which the block is full.
    """
    n, place, following, used, is_open = state[_BYTES], state[_PLACE], state[_FOLLOWING], state[_BIT], state[_OPEN]
    while i < moves.size:
        now = load(c, i)
        p = with_legal_en_passant(position(now, t), t)
        move, score, result = U64(moves[i]), U64(scores[i]), U64(results[i])
        ply = U64(plies[i])
        goes_on = U64(0)
        if is_open and move and moves[i - 1] and following < _MOST_FOLLOWING:
            before = (-U64(results[i - 1])) & _BYTE
            if before == result and ply == U64(plies[i - 1]) + 1:
                goes_on = follows(load(c, i - 1), U64(moves[i - 1]), now, 0, t)
        if goes_on:
            source = move & 63
            choices = choices_of(p, source, t)
            bits, width = change_bits(unsigned((score + U64(scores[i - 1])) & _SIXTEEN))
            for_move = bits_for(count_of(choices))
            bits = bits >> for_move | index_of(choices, move) << 1 << (63 - for_move)
            for_piece = bits_for(popcount(p.us))
            bits = bits >> for_piece | popcount(p.us & (bit(source) - 1)) << 1 << (63 - for_piece)
            word = bits >> used | (U64(out[n]) << 56 if used else 0)
            store_word(out, n, byteswap(word), 8)
            used += width + for_move + for_piece
            n += used >> 3
            used &= 7
            following += 1
            _put_two(out, place, following)
        else:
            n += 1 if used else 0
            used = U64(0)
            if n >= _BLOCK:
                is_open = U64(0)
                break
            _put_stem(out, n, p, now.state >> CLOCK_SHIFT & COUNTER, move, score, result, ply)
            place = n + STEM
            following = U64(0)
            _put_two(out, place, following)
            n = place + COUNT
            is_open = U64(1)
        i += 1
    state[_BYTES], state[_PLACE], state[_FOLLOWING], state[_BIT], state[_OPEN] = n, place, following, used, is_open
    return i


class BlockEncoder(ChainEncoder):
    """A writer of binpack: turns rows into bytes, block by block."""

    def __init__(self) -> None:
        super().__init__()
        self._out = np.zeros(_ROOM, np.uint8)
        self._state = np.zeros(5, np.uint64)

    def written(self, rows: ScoredPositions, first: int) -> Iterator[bytes]:
        """Yield the blocks that are full after some rows."""
        words = words_of(rows, ("moves", "scores", "results", "plies"))
        while first < len(rows):
            first = int(encode(*words, U64(first), self._state, self._out, self.tables))
            if first < len(rows):
                yield self._block()

    def end(self) -> Iterator[bytes]:
        """Yield the last block, if it has any rows."""
        if self._state[_BYTES]:
            yield self._block()

    def _block(self) -> bytes:
        n = int(self._state[_BYTES]) + (1 if self._state[_BIT] else 0)
        self._state[:] = 0
        return MAGIC.to_bytes(4, "little") + n.to_bytes(4, "little") + self._out[:n].tobytes()
