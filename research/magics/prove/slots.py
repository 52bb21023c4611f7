"""Which slots a node's occupancies take, and which of the next level's children that forbids: bitmaps of slots.

Children at the same position differ by whole slots: they are a *plane*, and have one bitmap. What an occupancy that
the new blocker joins rules out in a plane is a run of the bits of `forbidden`, from the slot of its first child on.
`p` is the plan (`schedule`) and `s` the state (`branch`) of a search.
"""

from typing import Any

from rookery.kernel import UNIVERSE, Word, kernel, union_of_windows

SIX = 6
LOW_SIX = 63
_VECTOR_WORDS = 8
CHUNK = 32  # looks between two looks at what is left of a plane
_CHUNK = CHUNK

# Columns of State.counts, of State.layout, and of the entries of a plan.
DEPTH, NODES, TESTED, EPOCH = 0, 1, 2, 3
STRIDE, LENGTH, ROW = 0, 1, 2
OCCUPIED, ADDED, SET, KIND = 0, 1, 2, 3


@kernel
def words_of_plane(inner: Word) -> Word:
    """Return how many words the bitmap of a plane of ``2**inner`` children takes."""
    return 1 << (inner - SIX) if inner > SIX else 1


@kernel
def all_of_word(inner: Word) -> Word:
    """Return the bits that each word of such a bitmap uses."""
    return UNIVERSE if inner >= SIX else (1 << (1 << inner)) - 1


# A mark is an epoch, which is a multiple of 256, and the number of an attack set: a square has 144 at most. What was
# written in another epoch counts as nothing, so that `marks` need not be cleared.
_EPOCH_STEP = 256
_OTHERS = 255


@kernel
def next_epoch(s: Any) -> Word:
    """Start a new epoch and return it."""
    s.counts[EPOCH] += _EPOCH_STEP
    return s.counts[EPOCH]


@kernel
def place_sure(p: Any, s: Any, node: Word, value: Word) -> tuple[Word, Word, bool]:
    """Place the sure subsets of a node; return their number, the slots they take, and whether they conflict.

    The slots and their attack sets go to `slots` and `sets`. A conflict is two different attack sets in one slot, or a
    slot that is too high.
    """
    shift = p.shift[0]
    below = (1 << shift) - 1
    epoch = next_epoch(s)
    sure = taken = 0
    for n in range(p.sure_start[node], p.sure_start[node + 1]):
        product = p.sure[n, OCCUPIED] * value
        if (product & below) + p.sure[n, ADDED] > below:
            continue
        slot = product >> shift
        attacks = p.sure[n, SET]
        difference = s.marks[slot] ^ (epoch | attacks)
        if difference - 1 < _OTHERS or slot > p.highest[0]:
            return sure, taken, True
        s.marks[slot] = epoch | attacks
        if difference:
            s.slots[taken] = slot
            s.sets[taken] = attacks
            taken += 1
        sure += 1
    return sure, taken, False


@kernel
def lay(p: Any, s: Any, depth: Word, stride: Word, widest: Word, taken: Word) -> None:
    """Write the bitmaps of forbidden slots.

    Row 0 is for attacks that hold no slot yet: it forbids every slot that is taken or too high. Each row is repeated,
    so that as many words as the widest plane has can be read from any bit on. Planes of two words or more are read as
    vectors.
    """
    row = 64 - p.shift[0] - stride  # log2
    row_words = words_of_plane(row)
    length = row_words + (_VECTOR_WORDS if 1 < widest < _VECTOR_WORDS else widest)
    words = length << stride
    s.layout[STRIDE] = stride
    s.layout[LENGTH] = length
    s.layout[ROW] = words
    residues = (1 << stride) - 1
    pattern = 1  # a row shorter than a word is repeated within it
    bits = 1 << row
    while bits < 64:
        pattern |= pattern << bits
        bits += bits
    for k in range(words):
        s.forbidden[k] = 0
    slots = 1 << (64 - p.shift[0])
    too_high = p.highest[0] + 1
    for n in range(taken + slots - too_high):
        slot = s.slots[n] if n < taken else too_high + n - taken
        column = slot >> stride
        bit = pattern << (column & LOW_SIX)
        at = (slot & residues) * length
        k = at + (column >> SIX)
        while k < at + length:
            s.forbidden[k] |= bit
            k += row_words
    for kind in range(1, p.kinds[depth] + 1):
        at = kind * words
        for k in range(words):
            s.forbidden[at + k] = s.forbidden[k]
    for n in range(taken):
        column = s.slots[n] >> stride
        bit = ~(pattern << (column & LOW_SIX))
        at = p.rows[depth, s.sets[n]] * words + (s.slots[n] & residues) * length
        k = at + (column >> SIX)
        while k < at + length:
            s.forbidden[k] &= bit
            k += row_words


@kernel
def first_bit(s: Any, kind: Word, slot: Word) -> Word:
    """Return the position in `forbidden` of a slot's bit."""
    stride = s.layout[STRIDE]
    row = kind * s.layout[ROW] + (slot & ((1 << stride) - 1)) * s.layout[LENGTH]
    return (row << SIX) + (slot >> stride)


@kernel
def window(s: Any, start: Word) -> Word:
    """Return 64 bits of `forbidden`."""
    word, down = start >> SIX, start & LOW_SIX
    return s.forbidden[word] >> down | s.forbidden[word + 1] << 1 << (LOW_SIX - down)


@kernel
def try_plane(p: Any, s: Any, entries: Any, first: Word, last: Word, value: Word, position: Word, inner: Word) -> bool:
    """Mark the dead children of a plane in `dead`; return whether all are dead.

    The level's bits count as known in the new blocker's copy alone, where they are `position`.
    """
    shift = p.shift[0]
    below = (1 << shift) - 1
    words = words_of_plane(inner)
    all_bits = all_of_word(inner)
    for k in range(words if words > _VECTOR_WORDS else _VECTOR_WORDS):
        s.dead[k] = 0
    epoch = next_epoch(s)
    n = first
    while n < last:
        looks = 0
        chunk = n + _CHUNK if last - n > _CHUNK else last
        while n < chunk:
            product = entries[n, OCCUPIED] * value + position
            if (product & below) + entries[n, ADDED] <= below:
                slot = product >> shift
                mark = epoch | entries[n, SET]
                if (s.marks[slot] ^ mark) - 1 < _OTHERS:
                    return True
                s.marks[slot] = mark
                s.starts[looks] = first_bit(s, entries[n, KIND], slot)
                looks += 1
            n += 1
        everywhere = all_bits
        if words == 1:
            union = s.dead[0]
            for look in range(looks):
                union |= window(s, s.starts[look])
            s.dead[0] = union
        else:
            for k in range(0, words, _VECTOR_WORDS):
                union_of_windows(s.dead[k:], s.forbidden, s.starts, looks, k << SIX)
        for k in range(words):
            everywhere &= s.dead[k]
        if everywhere == all_bits:
            return True
    return False
