"""A hash table of counted positions, shared by threads without locks.

The key of a position is two words of 64 bits. The first selects a bucket of four entries, which is one cache line; the
second is the check. An entry is two words, ``check ^ data`` and ``data``. If two threads write the same entry at once,
the words do not match, and the entry counts as empty (Robert Hyatt and Timothy Mann, "A lock-less transposition table
implementation for parallel search", 2002). A wrong count would take two positions that agree in the check and in the
bits that select the bucket: 84 bits in a table of 2**20 buckets.

The top six bits of ``data`` are the depth, the others the number of leaves.
"""

from typing import Any

from rookery.counting.visitors import BUCKET, UNKNOWN
from rookery.kernel import U64, Word, kernel, shared_load, shared_store
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.position import Position
from rookery.rules.zobrist import position_hash

_DEPTH_SHIFT = 58
_MOST_LEAVES = (1 << 58) - 1
_WORDS = BUCKET


@kernel
def keys(p: Position, t: Any) -> tuple[Word, Word]:
    """Return the two words of a position's key."""
    target = legal_en_passant_target(p, t)
    return position_hash(p, target, 0), position_hash(p, target, 1)


@kernel
def look_up(words: Any, p: Position, depth: Word, t: Any) -> Word:
    """Return the number of leaves `depth` plies below a position, or `UNKNOWN`."""
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
    """Store the number of leaves of a position in place of the bucket's entry with the least depth."""
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
