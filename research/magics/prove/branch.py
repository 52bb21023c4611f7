"""The branch and bound of a proof: all factors at once, cut down level by level.

A node knows some bits of the factor (see `schedule`). Two sure occupancies in one slot whose attacks differ end it:
whatever the other bits are, the factor is no magic. Otherwise the next level's bits are tried, ``2**width`` children
of which most are dead, and all are tested at once. The level's blocker joins each occupancy: for every child that is
a slot, some bits of a bitmap of slots that attacks of another kind hold, cut out where the new index may lie. What
remains zero in the union of these bitmaps is alive.

A slot has several positions for the new blocker (its window has extra bits). Children at the same position differ by
whole slots: they are a *plane*, and have one bitmap (see `slots`). Where two joined occupancies share a slot, but not
their attacks, they do so in every child of the plane, and 64 children or more die at once.

The same test, *ahead*: which places could the blocker after the next have, were the next not there? Its few survivors
are then tried in pairs with the children, by the occupancies that both blockers join. Only children to which one is
left are visited: one in a thousand of the 577,000 in the first prefixes of rook b2.
"""

from typing import Any, NamedTuple

import numpy as np

from magics.prove.schedule import Plan, Words
from magics.prove.slots import (
    ADDED,
    CHUNK,
    DEPTH,
    KIND,
    LOW_SIX,
    NODES,
    OCCUPIED,
    SIX,
    STRIDE,
    TESTED,
    all_of_word,
    first_bit,
    lay,
    place_sure,
    try_plane,
    window,
    words_of_plane,
)
from rookery.kernel import U64, Word, array_of, entry, kernel, trailing_zeros, tuple_of
from rookery.magics.atlas import SEARCH_VERSION

VERSION = SEARCH_VERSION  # part of what a node count means

OUT_OF_BUDGET, FOUND, EXHAUSTED = 0, 1, 2
_GO_ON = OUT_OF_BUDGET
_FOUND = FOUND
_EXHAUSTED = EXHAUSTED


class State(NamedTuple):
    """The position of a search in the tree, and its working memory."""

    counts: Words  # depth, nodes visited, children tested, epoch
    value: Words  # by node: the known bits
    cursor: Words  # by level: the word of `alive` to look at next
    alive: Words  # (levels, words): children to visit yet, one plane after the other
    marks: Words  # by slot: when it was written, and for which attack set
    slots: Words  # those that sure subsets take at a node
    sets: Words  # and the attack set in each
    layout: Words  # of `forbidden`: stride, words a row and its repetition take, words a kind takes
    forbidden: Words  # bitmaps: slots `stride` apart side by side, row after row, kind after kind
    starts: Words  # bits of `forbidden` from which a child's slots are read
    dead: Words  # of one plane
    ahead: Words  # places left to the blocker after the next: its bits in the factor
    beside: Words  # these places as bitmaps of the next level's planes, by the bits that a child shares

    @property
    def nodes(self) -> int:
        """Return how many nodes were visited."""
        return int(self.counts[1])

    @property
    def tested(self) -> int:
        """Return how many children, visited or not, and places of the next blockers were tested."""
        return int(self.counts[2])

    @property
    def found(self) -> int:
        """Return the factor, after `search` has returned FOUND."""
        return int(self.value[int(self.counts[0])])


def _examples() -> tuple[Plan, State]:
    words, rows = array_of(U64), array_of(U64, 2)
    of_plan = tuple_of(Plan, words)._replace(rows=rows, sure=rows, joined=rows, ahead=rows, pair=rows)
    return of_plan, tuple_of(State, words)._replace(alive=rows)


def _plane_words(width: int, planes: int) -> int:
    return 1 << max(0, width - planes - 6)


def state_for(p: Plan) -> State:
    """Allocate the memory of a search."""
    slots = 1 << 64 - int(p.shift[0])
    shapes = [(int(w), int(planes), int(s)) for w, planes, s in zip(p.width, p.planes, p.stride, strict=True)]
    aheads = zip(p.ahead_width, p.ahead_planes, p.ahead_stride, strict=True)
    both = [*shapes, *((int(w), int(planes), int(s)) for w, planes, s in aheads)]
    reach = max(8, *(_plane_words(w, planes) for w, planes, _ in both))
    kind = max((max(1, (slots >> stride) // 64) + reach) << stride for _, _, stride in both)
    nodes = len(p.low)
    return State(
        counts=np.zeros(4, U64),
        value=np.zeros(nodes, U64),
        cursor=np.zeros(nodes, U64),
        alive=np.zeros((nodes, max(_plane_words(w, planes) << planes for w, planes, _ in shapes)), U64),
        marks=np.zeros(slots, U64),
        slots=np.zeros(slots, U64),
        sets=np.zeros(slots, U64),
        layout=np.zeros(3, U64),
        forbidden=np.zeros(kind * (int(p.kinds.max()) + 1), U64),
        starts=np.zeros(CHUNK, U64),
        dead=np.zeros(reach, U64),
        ahead=np.zeros(1 << int(p.ahead_width.max()), U64),
        beside=np.zeros(1 << int(p.ahead_width.max()), U64),
    )


def name_of(p: Plan) -> str:
    """Return the version and plan: node counts may be added only where this name is equal."""
    return f"{VERSION}-{p.digest()}"


def prefixes(p: Plan) -> int:
    """Return the number of children of the root.

    Each one is a search of its own.
    """
    return 1 << int(p.width[0])


def stand_at(p: Plan, s: State, prefix: int) -> None:
    """Set the state to the root, with one child to visit and all counts zero.

    Prefixes are numbered with their bits reversed. Neighbours then have trees of similar size, so the time for the
    first n predicts the time for the rest.
    """
    width, planes = int(p.width[0]), int(p.planes[0])
    child = int(format(prefix, f"0{width}b")[::-1], 2)
    place = child >> planes
    words = 1 << max(0, width - planes - 6)
    s.alive[0] = 0
    s.alive[0, (child & (1 << planes) - 1) * words + place // 64] = U64(1 << place % 64)
    s.counts[:3] = 0
    s.cursor[0] = s.value[0] = 0


@kernel
def widest_plane(p: Any, depth: Word, stride: Word) -> Word:
    """Return the most words read at once where a node looks ahead in this layout; 0 if it does not."""
    if p.ahead_width[depth] == 0 or p.ahead_stride[depth] != stride:
        return 0
    words = words_of_plane(p.ahead_width[depth] - p.ahead_planes[depth])
    if p.stride[depth + 1] == stride:
        words = max(words, words_of_plane(p.width[depth + 1] - p.planes[depth + 1]))
    return words


@kernel
def look_ahead(p: Any, s: Any, depth: Word, value: Word, taken: Word) -> None:
    """Remove the children of a node that leave no place for the blocker after the next."""
    after = depth + 1
    square = p.square[after]

    # The places it has without the next.
    low, width, planes = p.ahead_low[depth], p.ahead_width[depth], p.ahead_planes[depth]
    inner = width - planes
    words = words_of_plane(inner)
    if p.ahead_stride[depth] != s.layout[STRIDE]:
        lay(p, s, depth, p.ahead_stride[depth], widest_plane(p, depth, p.ahead_stride[depth]), taken)
    places = 0
    for plane in range(1 << planes):
        position = plane << (low + square)
        if try_plane(p, s, p.ahead, p.ahead_start[depth], p.ahead_start[after], value, position, inner):
            continue
        for k in range(words):
            bits = all_of_word(inner) & ~s.dead[k]
            while bits:
                place = (k << SIX) + trailing_zeros(bits)
                bits &= bits - 1
                s.ahead[places] = ((place << planes) + plane) << low
                places += 1

    # Sorted by the bits that a child decides.
    child_low, child_planes = p.low[depth], p.planes[depth]
    child_words = words_of_plane(p.width[depth] - child_planes)
    shared = (((1 << p.width[depth]) - 1) << child_low) & (((1 << width) - 1) << low)
    shared_low = trailing_zeros(shared) if shared else 0
    low, planes = p.low[after], p.planes[after]
    inner = p.width[after] - planes
    words = words_of_plane(inner)
    each = words << planes
    for k in range(each << (width - p.width[after])):
        s.beside[k] = 0
    for n in range(places):
        bits = (s.ahead[n] >> low) & ((1 << p.width[after]) - 1)
        plane, place = bits & ((1 << planes) - 1), bits >> planes
        at = ((s.ahead[n] & shared) >> shared_low) * each + plane * words
        s.beside[at + (place >> SIX)] |= 1 << (place & LOW_SIX)

    # In pairs.
    if p.stride[after] != s.layout[STRIDE]:
        lay(p, s, depth, p.stride[after], words, taken)
    for w in range(child_words << child_planes):
        left = s.alive[depth, w]
        bits = left
        while bits:
            bit = bits & -bits
            bits ^= bit
            place = ((w & (child_words - 1)) << SIX) + trailing_zeros(bit)
            child = ((place << child_planes) + w // child_words) << child_low
            at = ((child & shared) >> shared_low) * each
            if not place_left(p, s, depth, value | child, at, words):
                left ^= bit
        s.alive[depth, w] = left


@kernel
def place_left(p: Any, s: Any, depth: Word, value: Word, at: Word, words: Word) -> bool:
    """Check whether one of the places in `beside`, from word `at` on, is compatible with a child."""
    shift = p.shift[0]
    below = (1 << shift) - 1
    after = depth + 1
    for plane in range(1 << p.planes[after]):
        some = 0
        for k in range(words):
            s.dead[k] = s.beside[at + plane * words + k]  # in this loop these are alive yet
            some |= s.dead[k]
        if some == 0:
            continue
        position = plane << (p.low[after] + p.square[after])
        for n in range(p.pair_start[depth], p.pair_start[after]):
            product = p.pair[n, OCCUPIED] * value + position
            # No branch here: that half of them are unsure is not a pattern a CPU can predict.
            unsure = -U64((product & below) + p.pair[n, ADDED] > below)
            start = first_bit(s, p.pair[n, KIND], product >> shift)
            if words == 1:
                some &= unsure | ~window(s, start)
            else:
                some = 0
                for k in range(words):
                    s.dead[k] &= unsure | ~window(s, start + (k << SIX))
                    some |= s.dead[k]
            if some == 0:
                break
        if some:
            return True
    return False


@kernel
def next_child(p: Any, s: Any, depth: Word) -> tuple[bool, Word]:
    """Remove the next child from the list and return its value; return False if there is none."""
    planes = p.planes[depth]
    words = words_of_plane(p.width[depth] - planes)
    word = s.cursor[depth]
    end = words << planes
    while word < end and s.alive[depth, word] == 0:
        word += 1
    s.cursor[depth] = word
    if word == end:
        return False, 0
    bits = s.alive[depth, word]
    s.alive[depth, word] = bits & (bits - 1)
    place = ((word & (words - 1)) << SIX) + trailing_zeros(bits)
    child = (place << planes) + word // words
    return True, s.value[depth] | (child << p.low[depth])


@kernel
def children(p: Any, s: Any, depth: Word, value: Word, taken: Word) -> Word:
    """List the live children of a node; return about how many looks at an occupancy that took."""
    s.cursor[depth] = 0
    planes = p.planes[depth]
    inner = p.width[depth] - planes
    words = words_of_plane(inner)
    s.counts[TESTED] += 1 << p.width[depth]
    if p.placing[depth] == 0:
        for k in range(words << planes):
            s.alive[depth, k] = all_of_word(inner)
        return words << planes
    lay(p, s, depth, p.stride[depth], max(words, widest_plane(p, depth, p.stride[depth])), taken)
    first, last = p.joined_start[depth], p.joined_start[depth + 1]
    some = 0
    for plane in range(1 << planes):
        position = plane << (p.low[depth] + p.square[depth])
        all_dead = try_plane(p, s, p.joined, first, last, value, position, inner)
        for k in range(words):
            left = 0 if all_dead else all_of_word(inner) & ~s.dead[k]
            s.alive[depth, plane * words + k] = left
            some |= left
    spent = (last - first) << planes
    if some and p.ahead_width[depth]:
        s.counts[TESTED] += 1 << p.ahead_width[depth]
        look_ahead(p, s, depth, value, taken)
        spent += spent << 2
    return spent


@entry(examples=lambda: (*_examples(), U64(0)))
def search(p: Any, s: Any, budget: Any) -> Any:
    """Continue a search: return FOUND, EXHAUSTED, or OUT_OF_BUDGET after about `budget` looks at an occupancy."""
    last = U64(p.low.size) - 1
    depth = s.counts[DEPTH]
    spent = 0
    result = _GO_ON
    while spent < budget:
        there, value = next_child(p, s, depth)
        if not there:
            if depth == 0:
                result = _EXHAUSTED
                break
            depth -= 1
            continue
        s.counts[NODES] += 1
        sure, taken, conflict = place_sure(p, s, depth + 1, value)
        spent += sure + 64
        if conflict:
            continue
        depth += 1
        s.value[depth] = value
        if sure == p.subsets[0] or depth == last:
            result = _FOUND
            break
        spent += children(p, s, depth, value, taken)
    s.counts[DEPTH] = depth
    return result
