"""The branch and bound of a proof: all factors at once, cut down level by level.

A node knows some bits of the factor (see `schedule`). Two sure occupancies in one slot whose attacks differ end it:
whatever the other bits are, the factor is no magic. Otherwise the next level's bits are tried, ``2**width`` children
of which most are dead, and all are tested at once. The level's blocker joins each occupancy: for every child that is
a slot, some bits of a bitmap of slots that attacks of another kind hold, cut out where the new index may lie. What
remains zero in the union of these bitmaps is alive.

A slot has several positions for the new blocker (its window has extra bits). Children at the same position differ by
whole slots: they are a *plane*, and have one bitmap. Where two joined occupancies share a slot, but not their attacks,
they do so in every child of the plane, and 64 children or more die at once.
"""

from typing import Any, NamedTuple

import numpy as np

from rookery.kernel import ONE, U64, UNIVERSE, ZERO, entry, trailing_zeros
from rookery.magics.schedule import Plan, Words

# Part of what a node count means: to be raised when the search visits other nodes than before.
VERSION = 1

_SIX = U64(6)
_LOW_SIX = U64(63)
_SIXTY_FOUR = U64(64)

OUT_OF_BUDGET, FOUND, EXHAUSTED = 0, 1, 2
_GO_ON = U64(OUT_OF_BUDGET)
_FOUND = U64(FOUND)
_EXHAUSTED = U64(EXHAUSTED)

_DEPTH, _NODES, _TESTED, _EPOCH = U64(0), U64(1), U64(2), U64(3)


class State(NamedTuple):
    """Where a search stands, and its scratch paper."""

    counts: Words  # depth, nodes visited, children tested, epoch
    value: Words  # by node: the known bits
    cursor: Words  # by level: the word of `alive` to look at next
    alive: Words  # (levels, words): children to visit yet, one plane after the other
    taken: Words  # by slot: the attack set there
    epoch: Words  # by slot: when it was written
    occupied: Words  # bitmap of the slots taken, `stride` apart ones side by side
    own: Words  # the same by attack set
    forbidden: Words  # by attack set: the slots that others have taken
    dead: Words  # of one plane

    @property
    def nodes(self) -> int:
        """How many nodes were visited."""
        return int(self.counts[1])

    @property
    def tested(self) -> int:
        """How many children were tested, visited or not."""
        return int(self.counts[2])

    @property
    def found(self) -> int:
        """The factor, after `search` has answered FOUND."""
        return int(self.value[int(self.counts[0])])


def state_for(p: Plan) -> State:
    """Room for a search, standing nowhere."""
    slots = 1 << 64 - int(p.shift[0])
    sets = int(p.marks.max()) + 1
    bitmap = max(slots // 64, *(1 << int(s) for s in p.stride), 1)
    children = max(
        1 << int(planes) + max(0, int(width) - int(planes) - 6) for width, planes in zip(p.width, p.planes, strict=True)
    )
    nodes = len(p.low)
    return State(
        counts=np.zeros(4, U64),
        value=np.zeros(nodes, U64),
        cursor=np.zeros(nodes, U64),
        alive=np.zeros((nodes, children), U64),
        taken=np.zeros(slots, U64),
        epoch=np.zeros(slots, U64),
        occupied=np.zeros(bitmap, U64),
        own=np.zeros(bitmap * sets, U64),
        forbidden=np.zeros(bitmap * sets, U64),
        dead=np.zeros(children, U64),
    )


def prefixes(p: Plan) -> int:
    """How many children the root has. Each is a search of its own."""
    return 1 << int(p.width[0])


def stand_at(p: Plan, s: State, prefix: int) -> None:
    """Stand at the root, with one child to visit and all counts zero.

    Prefixes are numbered with their bits reversed: neighbours have trees of like size, and the share of the first n
    then tells how long the others will take.
    """
    width, planes = int(p.width[0]), int(p.planes[0])
    child = int(format(prefix, f"0{width}b")[::-1], 2)
    place = child >> planes
    words = 1 << max(0, width - planes - 6)
    s.alive[0] = ZERO
    s.alive[0, (child & (1 << planes) - 1) * words + place // 64] = U64(1 << place % 64)
    s.counts[:3] = ZERO
    s.cursor[0] = s.value[0] = ZERO


@entry
def search(p: Any, s: Any, budget: Any) -> Any:
    """Go on with a search: FOUND, EXHAUSTED, or OUT_OF_BUDGET after about `budget` looks at an occupancy."""
    shift = p.shift[0]
    below = (ONE << shift) - ONE
    index_width = _SIXTY_FOUR - shift
    last = U64(p.low.size) - ONE
    every = U64(p.subsets.size)
    depth, nodes, tested, epoch = s.counts[_DEPTH], s.counts[_NODES], s.counts[_TESTED], s.counts[_EPOCH]
    spent = ZERO
    result = _GO_ON
    while spent < budget:
        # The next child alive.
        planes = p.planes[depth]
        inner = p.width[depth] - planes
        plane_words = inner - _SIX if inner > _SIX else ZERO  # log2
        word = s.cursor[depth]
        end = ONE << (planes + plane_words)
        while word < end and s.alive[depth, word] == ZERO:
            word += ONE
        s.cursor[depth] = word
        if word == end:
            if depth == ZERO:
                result = _EXHAUSTED
                break
            depth -= ONE
            continue
        bits = s.alive[depth, word]
        s.alive[depth, word] = bits & (bits - ONE)
        place = ((word & ((ONE << plane_words) - ONE)) << _SIX) + trailing_zeros(bits)
        child = (place << planes) + (word >> plane_words)
        value = s.value[depth] | (child << p.low[depth])
        t = depth + ONE
        nodes += ONE

        # Where the sure subsets fall.
        placing = p.placing[t] != ZERO
        stride = p.stride[t]
        row = index_width - stride  # log2 of a bitmap row's bits
        row_words = row - _SIX if row > _SIX else ZERO  # log2
        words = ONE << (stride + row_words)
        first_class, last_class = p.classes_start[t], p.classes_start[t + ONE]
        if placing:
            for k in range(words):
                s.occupied[k] = ZERO
            for c in range(first_class, last_class):
                at = p.classes[c] * words
                for k in range(words):
                    s.own[at + k] = ZERO
        a, b = p.sure_start[t], p.sure_start[t + ONE]
        spent += b - a + _SIXTY_FOUR
        epoch += ONE
        sure = ZERO
        conflict = False
        for n in range(a, b):
            subset = p.sure[n, 0]
            product = p.subsets[subset] * value
            if (product & below) + p.sure[n, 1] > below:
                continue
            sure += ONE
            slot = product >> shift
            mark = p.marks[subset]
            if s.epoch[slot] != epoch:
                s.epoch[slot] = epoch
                s.taken[slot] = mark
                if placing:
                    column = slot >> stride
                    k = ((slot & ((ONE << stride) - ONE)) << row_words) + (column >> _SIX)
                    bit = ONE << (column & _LOW_SIX)
                    s.occupied[k] |= bit
                    s.own[mark * words + k] |= bit
            elif s.taken[slot] != mark:
                conflict = True
                break
        if conflict:
            continue
        depth = t
        s.value[depth] = value
        if sure == every or depth == last:
            result = _FOUND
            break

        # Which of its children are alive.
        s.cursor[depth] = ZERO
        planes = p.planes[depth]
        inner = p.width[depth] - planes
        plane_words = inner - _SIX if inner > _SIX else ZERO
        nw = ONE << plane_words
        full = UNIVERSE if inner >= _SIX else (ONE << (ONE << inner)) - ONE
        tested += ONE << p.width[depth]
        if not placing:
            for k in range(nw << planes):
                s.alive[depth, k] = full
            continue
        for c in range(first_class, last_class):
            at = p.classes[c] * words
            for k in range(words):
                x = s.occupied[k] & ~s.own[at + k]
                repeat = ONE << row
                while repeat < _SIXTY_FOUR:  # a short row comes round within its word
                    x |= x << repeat
                    repeat += repeat
                s.forbidden[at + k] = x
        a, b = p.joined_start[depth], p.joined_start[depth + ONE]
        round_row = (ONE << row_words) - ONE
        for plane in range(ONE << planes):
            # The level's bits count as known in the new blocker's copy alone.
            position = plane << (p.low[depth] + p.square[depth])
            epoch += ONE
            spent += b - a
            dead = ZERO
            for k in range(nw):
                s.dead[k] = ZERO
            for n in range(a, b):
                subset = p.joined[n, 0]
                product = p.subsets[subset] * value + position
                if (product & below) + p.joined[n, 1] > below:
                    continue
                slot = product >> shift
                mark = p.marks[subset]
                if s.epoch[slot] != epoch:
                    s.epoch[slot] = epoch
                    s.taken[slot] = mark
                elif s.taken[slot] != mark:
                    dead = full
                    for k in range(nw):
                        s.dead[k] = full
                    break
                column = slot >> stride
                at = mark * words + ((slot & ((ONE << stride) - ONE)) << row_words)
                k = column >> _SIX
                down = column & _LOW_SIX
                up = _LOW_SIX - down  # and one more: 64 places at once would be undefined
                if nw == ONE:
                    after = s.forbidden[at + ((k + ONE) & round_row)]
                    dead |= (s.forbidden[at + k] >> down) | ((after << ONE) << up)
                    if dead & full == full:
                        break
                else:
                    all_dead = full
                    for i in range(nw):
                        here = s.forbidden[at + ((k + i) & round_row)]
                        after = s.forbidden[at + ((k + i + ONE) & round_row)]
                        s.dead[i] |= (here >> down) | ((after << ONE) << up)
                        all_dead &= s.dead[i]
                    if all_dead == full:
                        break
            if nw == ONE:
                s.dead[0] = dead
            for k in range(nw):
                s.alive[depth, (plane << plane_words) + k] = full & ~s.dead[k]
    s.counts[_DEPTH] = depth
    s.counts[_NODES] = nodes
    s.counts[_TESTED] = tested
    s.counts[_EPOCH] = epoch
    return result
