"""In which order a proof decides the bits of a factor: the plan that `branch` follows, made of arrays.

    M         the factor; its product with an occupancy is a sum of copies of M, one shifted to each blocker
    window    of a blocker: the top bits of its copy of M, as many as the index has and `EXTRA` for the carries
    known     the bits of M that are decided; the others may be anything

A level decides one run of neighbouring bits. Most levels *place* a blocker: they complete its window, so that from
then on the indices of the occupancies with this blocker are known, but for carries. Windows overlap, so a level often
decides fewer bits than a window has. When all blockers are placed the bits that are left follow one by one, the
weightiest first.

The index of an occupancy is *sure* when the unknown bits cannot carry into it: its product lies between that of the
known bits and that plus its copies of the unknown ones, and this whole range has the same top bits.

A level that places a blocker also looks *ahead* to the blocker of the next: which windows that one could have if the
level's own were not there yet, and which of those agree with a child. Most children leave it none.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magics.prove.orders import placing_order
from rookery.bitboards.squares import check_square
from rookery.kernel import U64
from rookery.techniques._filler import relevant_cases

Words = NDArray[np.uint64]

# With 1 bit more than the index has the tree of bishop c1 had 7.7 M nodes, with 2 it has 0.7 M, with 3 0.4 M of which
# each costs twice as much; rooks are alike.
EXTRA = 2

_ALL = (1 << 64) - 1
_AHEAD = ("ahead_low", "ahead_width", "ahead_planes", "ahead_stride")  # the columns of a look ahead
_WIDEST = 9  # of a level that is looked ahead to: the bitmap of a plane is then one vector of eight words


class Plan(NamedTuple):
    """The arrays that `branch` needs to answer a question.

    Subsets of the blockers are entries of four words: the occupancy, what the unknown bits may add to its product, the
    number of its attack set, and the row of the bitmap with the slots forbidden to that set (0 if no sure subset leads
    to it). The entries of a level are stored end to end, and a column of starts locates them. There is one node more
    than there are levels; the last row of each column is unused.
    """

    shift: Words  # (1,): 64 less the index width
    subsets: Words  # (1,): how many subsets there are
    highest: Words  # (1,): the highest index that is allowed
    low: Words  # by level: the lowest bit it decides
    width: Words  # by level: how many bits it decides
    placing: Words  # by level: 1 where it places a blocker
    square: Words  # by level: that blocker
    planes: Words  # by level, log2: how many positions a slot has for the new blocker
    stride: Words  # by level, log2: how many slots lie between two positions of a plane
    ahead_low: Words  # by level: the lowest unknown bit in the window of the next level's blocker
    ahead_width: Words  # by level: how many bits up to the highest; 0 where it does not look ahead
    ahead_planes: Words
    ahead_stride: Words
    rows: Words  # (levels, sets): the row of an attack set
    kinds: Words  # by level: how many rows there are besides row 0
    sure: Words  # (entries, 4): the subsets that may be sure at a node
    sure_start: Words  # by node: where its entries begin
    joined: Words  # the same for the subsets that a level's blocker joins
    joined_start: Words  # by level
    ahead: Words  # for those that the next level's blocker joins, without the level's own
    ahead_start: Words
    pair: Words  # and for those that both join
    pair_start: Words

    def digest(self) -> str:
        """Return a digest of the plan: node counts of different plans must not be added."""
        digest = hashlib.sha256()
        for name, array in zip(self._fields, self, strict=True):
            if name != "highest" or int(array[0]) != (1 << 64 - int(self.shift[0])) - 1:
                digest.update(f"{name} {array.shape} ".encode() + array.astype("<u8").tobytes())
        return digest.hexdigest()[:16]


class Level(NamedTuple):
    """One run of bits to decide, and the blocker whose window it completes."""

    low: int
    width: int
    blocker: int | None


def copies_of(unknown: int, occupied: int) -> int:
    """Return the most that unknown bits can add to a product.

    This is the sum of their copies, each cut at 64 bits.

    >>> copies_of(0b11, 0b101)
    15
    """
    total = 0
    while occupied:
        lowest = occupied & -occupied
        total += unknown * lowest & _ALL
        occupied ^= lowest
    return total


def levels(blockers: list[int], window: int) -> list[Level]:
    """Return the levels for blockers placed in this order."""
    known: set[int] = set()
    rows: list[Level] = []
    for square in blockers:
        top = 63 - square
        wanted = [p for p in range(top, max(top - window, -1), -1) if p not in known]
        known.update(wanted)
        runs: list[list[int]] = [[]]
        for p in wanted:
            if runs[-1] and runs[-1][-1] != p + 1:
                runs.append([])
            runs[-1].append(p)
        rows += [Level(run[-1], len(run), None) for run in runs[:-1]]
        rows.append(Level(runs[-1][-1], len(runs[-1]), square) if runs[-1] else Level(0, 0, square))
    rest = {*range(64 - min(blockers))} - known
    return rows + [
        Level(p, 1, None) for p in sorted(rest, key=lambda p: (-max(p + s for s in blockers if p + s < 64), p))
    ]


def _shape(low: int, width: int, blocker: int, shift: int) -> tuple[int, int]:
    """Return planes and stride (log2) of a run of bits in the window of a blocker."""
    step = low + blocker - shift if width else 0
    return min(width, max(0, -step)), max(0, step)


def _sums(unknown: int, blockers: Iterable[int]) -> list[int]:
    """Return what the unknown bits may add, by subset of the blockers."""
    sums = [0]
    for square in blockers:
        one = copies_of(unknown, 1 << square)
        sums += [a + one for a in sums]
    return sums


def _without(bits: int, low: int, width: int) -> int:
    return bits & ~(((1 << width) - 1) << low)


def _ahead_of(level: Level, unknown: int, bits: int) -> tuple[int, int]:
    """Return the lowest and the number of unknown bits in a level's window if they are adjacent, else (0, 0)."""
    if level.blocker is None or level.width > _WIDEST:
        return 0, 0
    top = 63 - level.blocker
    window = [p for p in range(top, max(top - bits, -1), -1) if unknown >> p & 1]
    if not window or window[0] - window[-1] >= len(window):
        return 0, 0
    return window[-1], len(window)


def _reversed_order(count: int) -> list[int]:
    """Return the numbers below a power of two in the order of their reversed bits.

    Subsets without the blockers placed first come first. The others are the same, shifted: where these do not collide
    those do not either, as a rule. The fourth part of a pair's looks is enough this way.
    """
    width = count.bit_length() - 1
    return sorted(range(count), key=lambda i: int(format(i, f"0{width}b")[::-1], 2))


class _Column:
    """Lists of entries laid end to end."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, ...]] = []
        self.starts = [0]

    def add(self, entries: Iterable[tuple[int, ...]]) -> None:
        self.entries += entries
        self.starts.append(len(self.entries))


def plan(
    blockers: list[int], bits: int, attacks: Mapping[int, int], extra: int = EXTRA, highest: int | None = None
) -> Plan:
    """Return the plan that places `blockers` in the given order.

    `attacks` holds the attack set of each subset of the blockers. No index may exceed `highest`, by default the highest
    of `bits` bits.
    """
    steps = levels(blockers, bits + extra)
    subsets = [0]
    for square in blockers:
        subsets += [s | 1 << square for s in subsets]
    number = {a: i for i, a in enumerate(sorted(set(attacks.values())))}
    marks = [number[attacks[s]] for s in subsets]
    shift = 64 - bits

    unknown = (1 << 64 - min(blockers)) - 1
    placed: list[int] = []
    shapes: list[tuple[int, int]] = []
    aheads: list[tuple[int, int, int, int]] = []
    rows = np.zeros((len(steps) + 1, len(number)), U64)
    sure, joined, ahead, pair = (_Column() for _ in range(4))
    end = Level(0, 0, None)
    for depth, (step, following) in enumerate(zip([*steps, end], [*steps[1:], end, end], strict=True)):
        now = _sums(unknown, placed)
        n = len(now)
        left = _without(unknown, step.low, step.width)
        for row, mark in enumerate(sorted({marks[i] for i in range(n)}) if step.blocker is not None else (), 1):
            rows[depth, mark] = row

        def entries(first: int, added: list[int], depth: int = depth) -> list[tuple[int, ...]]:
            numbers = ((first + i, added[i]) for i in _reversed_order(len(added)) if added[i] < 1 << shift)
            return [(subsets[i], a, marks[i], int(rows[depth, marks[i]])) for i, a in numbers]

        sure.add(entries(0, now))
        shapes.append((0, 0) if step.blocker is None else _shape(step.low, step.width, step.blocker, shift))
        low, width = (0, 0) if step.blocker is None else _ahead_of(following, unknown, bits + extra)
        alone: list[tuple[int, ...]] = []
        together: list[tuple[int, ...]] = []
        neighbours: list[tuple[int, ...]] = []
        if step.blocker is not None:
            one = copies_of(left, 1 << step.blocker)
            neighbours = entries(n, [a + one for a in now])
            placed.append(step.blocker)
        if width and following.blocker is not None:
            one = copies_of(_without(unknown, low, width), 1 << following.blocker)
            alone = entries(2 * n, [a + one for a in now])
            one = copies_of(_without(left, following.low, following.width), 1 << following.blocker)
            together = entries(3 * n, [a + one for a in _sums(left, placed)[n:]])
            aheads.append((low, width, *_shape(low, width, following.blocker, shift)))
        else:
            aheads.append((0, 0, 0, 0))
        joined.add(neighbours)
        ahead.add(alone)
        pair.add(together)
        unknown = left

    def column(values: Iterable[int]) -> Words:
        return np.array([*values, 0], U64)

    planes, stride = np.array(shapes, U64).T.copy()
    tables = {"sure": sure, "joined": joined, "ahead": ahead, "pair": pair}
    return Plan(
        shift=np.array([shift], U64),
        subsets=np.array([len(subsets)], U64),
        highest=np.array([(1 << bits) - 1 if highest is None else highest], U64),
        low=column(step.low for step in steps),
        width=column(step.width for step in steps),
        placing=column(int(step.blocker is not None) for step in steps),
        square=column(step.blocker or 0 for step in steps),
        planes=planes,
        stride=stride,
        **dict(zip(_AHEAD, np.array(aheads, U64).T.copy(), strict=True)),
        rows=rows,
        kinds=rows.max(axis=1),
        **{name: np.array(table.entries, U64).reshape(-1, 4) for name, table in tables.items()},
        **{f"{name}_start": np.array(table.starts, U64) for name, table in tables.items()},
    )


def plan_of(piece: str, square: int, bits: int, order: list[int], highest: int | None = None) -> Plan:
    """Return the plan for a rook or bishop on a square with its blockers in this order."""
    occupied, attacks = relevant_cases(piece, check_square(square))
    return plan(order, bits, dict(zip(occupied.tolist(), attacks.tolist(), strict=True)), highest=highest)


def plan_for(piece: str, square: int, bits: int, highest: int | None = None) -> Plan:
    """Return the plan of a proof, with the blockers in the best known order."""
    return plan_of(piece, square, bits, placing_order(piece, check_square(square), bits), highest)
