"""A table of counted positions that threads share without locks.

A position's key is two words of 64 bits. The first chooses a bucket of four entries, a line of the cache; the second
is the check. An entry is two words, `check ^ data` and `data`: where two threads write the same entry at once the words
do not fit each other, and the entry counts as empty (Robert Hyatt and Timothy Mann, "A lock-less transposition table
implementation for parallel search", 2002). So a wrong answer takes two positions that agree in the check and in the
bits that choose the bucket: at 2**20 buckets, 84 bits.

data: the depth in the top six bits, the leaves below.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.counting.walk import UNKNOWN
from rookery.kernel import U64, Word, kernel, shared_load, shared_store
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.position import Position
from rookery.rules.zobrist import position_hash

_BUCKET = 8  # words
_DEPTH_SHIFT = 58
_MOST_LEAVES = (1 << 58) - 1
_WORDS = _BUCKET


def table(megabytes: int) -> NDArray[np.uint64]:
    """An empty table: the largest power of two of buckets that fits, each a line of the cache and no part of two.
    Of 0 megabytes it has no room at all.
    """
    buckets = megabytes * 2**20 // (_BUCKET * 8)
    size = _BUCKET << (buckets.bit_length() - 1) if buckets else 0
    words = np.zeros(size + _BUCKET, np.uint64)
    first = -words.ctypes.data % (_BUCKET * 8) // 8
    return words[first : first + size]


@kernel
def keys(p: Position, t: Any) -> tuple[Word, Word]:
    """Return the two words of a position's key."""
    target = legal_en_passant_target(p, t)
    return position_hash(p, target, 0), position_hash(p, target, 1)


@kernel
def look_up(words: Any, p: Position, depth: Word, t: Any) -> Word:
    """The leaves `depth` plies below a position, or `UNKNOWN`."""
    a, check = keys(p, t)
    first = (a * _WORDS) & (U64(words.size) - 1)
    for k in range(4):
        i = first + 2 * k
        data = shared_load(words, i + 1)
        if shared_load(words, i) ^ data == check and data >> _DEPTH_SHIFT == depth:
            return data & _MOST_LEAVES
    return UNKNOWN


@kernel
def enter(words: Any, p: Position, depth: Word, leaves: Word, t: Any) -> None:
    """Keep the leaves of a position, in place of the bucket's entry of the least depth."""
    if leaves > _MOST_LEAVES:
        return
    a, check = keys(p, t)
    first = (a * _WORDS) & (U64(words.size) - 1)
    chosen, least = first, UNKNOWN
    for k in range(4):
        i = first + 2 * k
        data = shared_load(words, i + 1)
        kept = data >> _DEPTH_SHIFT
        if kept == depth and shared_load(words, i) ^ data == check:
            kept = 0  # the same once more
        if kept < least:
            chosen, least = i, kept
    data = depth << _DEPTH_SHIFT | leaves
    shared_store(words, chosen, check ^ data)
    shared_store(words, chosen + 1, data)
