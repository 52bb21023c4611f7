"""Find magic factors by laying copies, with a place of its own for every blocker.

    copy      a bit of the factor: it brings the whole occupancy up by its own number of squares
    window    the top bits of the product, which are the index
    place     of a blocker: the lowest bit of the window to which a copy brings it
    spill     what the copies leave below the window, of all blockers together
    step      of the index: the lowest bit of the window

If all blockers have different places, and the spill is less than a step, then no two occupancies share an index: of the
blockers in which they differ, take the one with the lowest place; no other is brought to that bit or to one below it,
and nothing carries into it. So a factor need not be guessed. It is an exact cover of the places by copies, and a small
one, since one copy serves a whole rank.

The search always serves the blocker that has the fewest copies to choose from, and takes one of them at random. It
comes upon a cover of most squares after five to thirty nodes, where three random words ANDed are a factor once in
20,000 tries. Every cover is injective; it is tried on all occupancies all the same. Only a black one can fail, for the
squares that it fills add a constant to the product, which may carry; then the search goes on.

Searches are *dives* of `NODES` nodes at most, numbered: the n-th of a seed can be done again without those before it.
All 128 squares take 135 dives on average: only rooks a1 and h8 need more than one.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from magics import DIVES
from rookery.bitboards.bits import isolate_ls1b, mixed
from rookery.kernel import (
    U64,
    UNIVERSE,
    Bits,
    Square,
    Word,
    array_of,
    entry,
    kernel,
    popcount,
    trailing_zeros,
    tuple_of,
)

Words = NDArray[np.uint64]

GOLDEN = 0x9E3779B97F4A7C15  # by which SplitMix64 counts on
NODES = 240  # of 60, 120 and 240 the quickest
SLICE = 200  # dives between two looks for Ctrl-C: less than 0.2 s, and enough for all 128 squares

_NODES = NODES
_GOLDEN = GOLDEN
_CASE, _DIVE, _EPOCH = 0, 1, 2


class Cases(NamedTuple):
    """The input of a search: the occupancies of all cases, end to end."""

    blockers: Words  # by case: the squares that matter
    shift: Words  # by case: 64 less the index width
    start: Words  # by case, and one more: where its occupancies begin
    occupied: Words
    marks: Words  # by occupancy: those with equal marks may share an index


class Search(NamedTuple):
    """The progress of a search, and its working memory."""

    counts: Words  # case, dive, epoch
    magic: Words  # by case: the factor
    tries: Words  # by case: the number of dives it took, 0 if there is no factor
    taken: Words  # by index: the mark there
    epoch: Words  # by index: when it was written
    factor: Words  # by node: the copies laid
    placed: Words  # by node: the blockers that have their place
    free: Words  # by node: the places of no blocker
    spill: Words  # by node
    choices: Words  # by node: the copies to lay yet


class Case(NamedTuple):
    """One case: a square's blockers, its index width and its occupancies."""

    blockers: int
    bits: int  # the index width
    occupied: Words
    marks: Words


def cases_of(rows: Iterable[Case]) -> Cases:
    """Join cases end to end."""
    blockers, bits, occupied, marks = zip(*rows, strict=True)
    return Cases(
        np.array(blockers, U64),
        np.array([64 - n for n in bits], U64),
        np.cumsum([0, *map(len, occupied)]).astype(U64),
        np.concatenate(occupied),
        np.concatenate(marks),
    )


def search_for(cases: Cases) -> Search:
    """Allocate the memory of a search that has not begun."""
    width = 64 - int(cases.shift.min())
    by_case, by_index, by_node = len(cases.blockers), 1 << width, 65
    sizes = (3, by_case, by_case, by_index, by_index, *[by_node] * 5)
    return Search(*(np.zeros(size, U64) for size in sizes))


@kernel
def place_of(blocker: Square, factor: Word, window: Word) -> Word:
    """Return the lowest bit of the window to which the factor's copies bring a blocker, or 0 if there is none."""
    return isolate_ls1b((factor << blocker) & window)


@kernel
def may_lay(copy: Word, factor: Word, placed: Bits, free: Word, blockers: Bits, window: Word, strict: Word) -> Word:
    """Check whether laying a copy keeps every placed blocker in its place.

    With `strict`, the other blockers it brings into the window must also come to free places.
    """
    n = trailing_zeros(copy)
    brought = blockers & (window >> n)
    if strict != 0 and ((brought & ~placed) << n) & ~free != 0:
        return 0
    settled = brought & placed
    while settled != 0:
        blocker = trailing_zeros(settled)
        if copy << blocker < place_of(blocker, factor, window):
            return 0
        settled &= settled - 1
    return 1


@kernel
def fewest_choices(
    factor: Word, placed: Bits, free: Word, spill: Word, blockers: Bits, window: Word, strict: Word
) -> Word:
    """Return the copies that bring one blocker to a free place, for the blocker with the fewest such copies.

    Of several such blockers the highest is taken: the copies that place it bring lower blockers below the window more
    often than into it.
    """
    step = -window
    best = UNIVERSE
    fewest = UNIVERSE
    waiting = blockers & ~placed
    while waiting != 0:
        blocker = trailing_zeros(waiting)
        waiting &= waiting - 1
        # A copy above the present place of a blocker would not change it.
        copies = ((free & (place_of(blocker, factor, window) - 1)) >> blocker) & ~factor
        good = 0
        while copies != 0:
            copy = isolate_ls1b(copies)
            copies ^= copy
            spilled = spill + ((blockers * copy) & (step - 1))
            if spilled < step and may_lay(copy, factor, placed, free, blockers, window, strict) != 0:
                good |= copy
        number = popcount(good)
        if number <= fewest:
            fewest = number
            best = good
            if number == 0:
                break
    return best


@kernel
def newly_placed(copy: Word, factor: Word, placed: Bits, free: Word, blockers: Bits, window: Word) -> Bits:
    """Return the blockers that a copy places: it brings them to a free place, lower than their present one."""
    n = trailing_zeros(copy)
    waiting = blockers & (window >> n) & ~placed
    found = 0
    while waiting != 0:
        blocker = trailing_zeros(waiting)
        waiting &= waiting - 1
        place = copy << blocker
        if place & free & (place_of(blocker, factor, window) - 1) != 0:
            found |= 1 << blocker
    return found


@kernel
def pick(choices: Word, random: Word) -> Word:
    """Return one of the copies, chosen at random."""
    below = (popcount(choices) * (random >> 32)) >> 32
    while below != 0:
        choices &= choices - 1
        below -= 1
    return isolate_ls1b(choices)


@kernel
def is_factor(magic: Word, shift: Word, first: Word, last: Word, cases: Any, taken: Any, epoch: Any, now: Word) -> Word:
    """Check whether all occupancies with different marks have different indices.

    A slot is free until it is written in the epoch `now`, so the table need not be cleared between tries.
    """
    i = first
    while i < last:
        index = (cases.occupied[i] * magic) >> shift
        mark = cases.marks[i]
        if epoch[index] != now:
            epoch[index] = now
            taken[index] = mark
        elif taken[index] != mark:
            return 0
        i += 1
    return 1


@kernel
def begin_dive(s: Any, blockers: Bits, window: Word, strict: Word) -> Word:
    """Write the first node of a dive, which has no copies, and return its depth, 0."""
    s.factor[0] = 0
    s.placed[0] = 0
    s.spill[0] = 0
    s.free[0] = window
    s.choices[0] = fewest_choices(0, 0, window, 0, blockers, window, strict)
    return 0


@kernel
def lay_copy(s: Any, deepest: Word, random: Word, blockers: Bits, window: Word, strict: Word) -> Word:
    """Lay one more copy, chosen at random, and return the depth of its node; return 0 if no copies are left to try.

    The copy is laid at the deepest node, or, if it has no choices, at the nearest one above that has.
    """
    depth = deepest
    choices = s.choices[depth]
    while choices == 0:
        if depth == 0:
            return 0
        depth -= 1
        choices = s.choices[depth]
    factor, placed, free, spill = s.factor[depth], s.placed[depth], s.free[depth], s.spill[depth]
    copy = pick(choices, random)
    s.choices[depth] = choices ^ copy
    more = newly_placed(copy, factor, placed, free, blockers, window)
    depth += 1
    factor |= copy
    placed |= more
    free &= ~(more * copy)
    spill += (blockers * copy) & ~window
    s.factor[depth] = factor
    s.placed[depth] = placed
    s.free[depth] = free
    s.spill[depth] = spill
    left = 0
    if placed != blockers:
        left = fewest_choices(factor, placed, free, spill, blockers, window, strict)
    s.choices[depth] = left
    return depth


@entry(examples=lambda: (tuple_of(Cases, array_of(U64)), tuple_of(Search, array_of(U64)), U64(0), U64(0), U64(0)))
def search(cases: Any, s: Any, seed: Any, limit: Any, budget: Any) -> Any:
    """Continue a search for `budget` dives and return how many cases are finished.

    A case is given up after `limit` dives.
    """
    case, dive, now = s.counts[_CASE], s.counts[_DIVE], s.counts[_EPOCH]
    spent = 0
    while case < U64(cases.blockers.size) and spent < budget:
        blockers, shift = cases.blockers[case], cases.shift[case]
        first, last = cases.start[case], cases.start[case + 1]
        window = UNIVERSE << shift
        # A blocker without a place may be brought to one that is taken, if it comes to a lower one later. Rooks a1 and
        # h8 are found only so, and rook h1 only in dives that forbid it.
        strict = ~dive & 1
        random = mixed(seed + _GOLDEN) + dive * _NODES * _GOLDEN
        depth = begin_dive(s, blockers, window, strict)
        found = 0
        for node in range(1, _NODES + 2):  # the last pass only checks the last copy
            if s.placed[depth] == blockers:
                now += 1
                found = is_factor(s.factor[depth], shift, first, last, cases, s.taken, s.epoch, now)
                if found != 0:
                    break
            depth = lay_copy(s, depth, mixed(random + node * _GOLDEN), blockers, window, strict)
            if depth == 0:
                break
        spent += 1
        dive += 1
        if found != 0:
            s.magic[case] = s.factor[depth]
            s.tries[case] = dive
        if found != 0 or dive >= limit:
            case += 1
            dive = 0
    s.counts[_CASE], s.counts[_DIVE], s.counts[_EPOCH] = case, dive, now
    return case


def compile_for(cases: Cases) -> None:
    """Compile the search ahead of `run`."""
    search(cases, search_for(cases), U64(0), U64(0), U64(0))


def run(
    cases: Cases, seed: int = 0, limit: int = DIVES, progress: Callable[[int, int], None] = lambda done, dives: None
) -> Search:
    """Search for the factors of all cases.

    Each compiled call runs `SLICE` dives. Between calls, `progress` receives the number of finished cases and the
    number of dives spent on the current one. A case is given up after `limit` dives.
    """
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed: {seed}: expected 0 to 2**64 - 1")
    s = search_for(cases)
    while search(cases, s, U64(seed), U64(limit), U64(SLICE)) < len(cases.blockers):
        progress(int(s.counts[_CASE]), int(s.counts[_DIVE]))
    return s
