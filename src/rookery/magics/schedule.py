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
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64
from rookery.lines import relevant_occupancy
from rookery.squares import check_square
from rookery.techniques._filler import relevant_cases

Words = NDArray[np.uint64]

# With 1 bit more than the index has the tree of bishop c1 had 7.7 M nodes, with 2 it has 0.7 M, with 3 0.4 M of which
# each costs twice as much; rooks are alike.
EXTRA = 2

_ALL = (1 << 64) - 1


class Plan(NamedTuple):
    """All that `branch` needs to know of a question.

    Subsets of the blockers are numbered by the order in which the blockers are placed: those of the first n are the
    first ``2**n``. There is one node more than there are levels; the last row of each column says nothing.
    """

    shift: Words  # (1,): 64 less the index width
    subsets: Words  # by number: the occupancy
    marks: Words  # by number: which attack set it leads to
    low: Words  # by level: the lowest bit it decides
    width: Words  # by level: how many bits it decides
    placing: Words  # by level: 1 where it places a blocker
    square: Words  # by level: that blocker
    planes: Words  # by level, log2: how many positions a slot has for the new blocker
    stride: Words  # by level, log2: how many slots lie between two positions of a plane
    sure: Words  # (entries, 2): a subset that may be sure at a node, and what the unknown bits may add
    sure_start: Words  # by node: where its entries begin
    joined: Words  # the same for the subsets that a level's blocker joins
    joined_start: Words  # by level
    classes: Words  # the attack sets in either list of a level
    classes_start: Words  # by level

    def digest(self) -> str:
        """What tells plans apart: node counts of different plans do not belong together."""
        digest = hashlib.sha256()
        for name, array in zip(self._fields, self, strict=True):
            digest.update(f"{name} {array.shape} ".encode() + array.astype("<u8").tobytes())
        return digest.hexdigest()[:16]


class Level(NamedTuple):
    """One run of bits to decide, and the blocker whose window it completes."""

    low: int
    width: int
    blocker: int | None


def copies_of(unknown: int, occupied: int) -> int:
    """The most that unknown bits can add to a product: their copies, each cut at 64 bits, and summed.

    >>> copies_of(0b11, 0b101)
    15
    """
    total = 0
    while occupied:
        lowest = occupied & -occupied
        total += unknown * lowest & _ALL
        occupied ^= lowest
    return total


def placing_order(blockers: Iterable[int], square: int) -> list[int]:
    """The blockers of the square's own rank, whose windows overlap most; those above; those below from the nearest.

    Without a rank (a bishop) from the lowest up. Rook e6 took 80 s this way, and would have taken hours from the
    lowest up.
    """
    ascending = sorted(blockers)
    beside = [s for s in ascending if s // 8 == square // 8]
    if not beside:
        return ascending
    return beside + [s for s in ascending if s > beside[-1]] + [s for s in ascending if s < beside[0]][::-1]


def levels(blockers: list[int], window: int) -> list[Level]:
    """The levels for blockers placed in this order."""
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


class _Lists:
    """Lists of entries laid end to end."""

    def __init__(self) -> None:
        self.entries: list[object] = []
        self.starts = [0]

    def add(self, entries: Iterable[object]) -> None:
        self.entries += entries
        self.starts.append(len(self.entries))


def plan(blockers: list[int], bits: int, attacks: Mapping[int, int], extra: int = EXTRA) -> Plan:
    """The plan that places `blockers` in the given order; `attacks` has the attack set of each subset of them."""
    rows = levels(blockers, bits + extra)
    subsets = [0]
    for square in blockers:
        subsets += [s | 1 << square for s in subsets]
    number = {a: i for i, a in enumerate(sorted(set(attacks.values())))}
    marks = [number[attacks[s]] for s in subsets]
    shift = 64 - bits

    unknown = (1 << 64 - min(blockers)) - 1
    placed: list[int] = []
    planes, stride = [], []
    sure, joined, classes = _Lists(), _Lists(), _Lists()
    for low, width, blocker in [*rows, Level(0, 0, None)]:
        added = [0]  # by subset: what the bits may add that are unknown at the node before this level
        for s in placed:
            one = copies_of(unknown, 1 << s)
            added += [a + one for a in added]
        before = [(i, a) for i, a in enumerate(added) if a < 1 << shift]
        sure.add(before)
        unknown &= ~(((1 << width) - 1) << low)
        after: list[tuple[int, int]] = []
        step = 0
        if blocker is not None:
            one = copies_of(unknown, 1 << blocker)
            after = [(i + len(added), a + one) for i, a in enumerate(added) if a + one < 1 << shift]
            placed.append(blocker)
            step = low + blocker - shift if width else 0
        joined.add(after)
        classes.add(sorted({marks[i] for i, _ in before + after}) if after else [])
        planes.append(min(width, max(0, -step)))
        stride.append(max(0, step))

    def column(values: Iterable[int]) -> Words:
        return np.array([*values, 0], U64)

    return Plan(
        shift=np.array([shift], U64),
        subsets=np.array(subsets, U64),
        marks=np.array(marks, U64),
        low=column(row.low for row in rows),
        width=column(row.width for row in rows),
        placing=column(int(row.blocker is not None) for row in rows),
        square=column(row.blocker or 0 for row in rows),
        planes=np.array(planes, U64),
        stride=np.array(stride, U64),
        sure=np.array(sure.entries, U64).reshape(-1, 2),
        sure_start=np.array(sure.starts, U64),
        joined=np.array(joined.entries, U64).reshape(-1, 2),
        joined_start=np.array(joined.starts, U64),
        classes=np.array(classes.entries, U64),
        classes_start=np.array(classes.starts, U64),
    )


def plan_for(piece: str, square: int, bits: int, extra: int = EXTRA) -> Plan:
    """The plan for a rook or bishop on a square of the board."""
    occupied, attacks = relevant_cases(piece, check_square(square))
    blockers = placing_order(relevant_occupancy(piece, square), square)
    return plan(blockers, bits, dict(zip(occupied.tolist(), attacks.tolist(), strict=True)), extra)
