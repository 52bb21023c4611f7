"""Cases: squares and occupancies with the right answers, taken from those of the ordinary proof."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery import verify
from rookery.kernel import U64

Words = NDArray[np.uint64]

_SEED: Final = 20261124
_SQUARES: Final = (27, 36, 20, 45, 18, 0, 7, 56, 63, 3, 31, 60, 24, 9, 54, 33)


class Cases(NamedTuple):
    """One case per element. `lines` has the squares of the pieces' rays, without the slider's own."""

    movers: NDArray[np.str_]
    squares: Words
    occupied: Words
    lines: Words
    expected: Words

    def __len__(self) -> int:
        return len(self.squares)

    def take(self, index: NDArray[np.int64] | NDArray[np.bool_]) -> "Cases":
        """Return the cases at an index."""
        columns: Any = (column[index] for column in self)
        return Cases(*columns)

    def joined(self, other: "Cases") -> "Cases":
        """Return these cases, and others after them."""
        return _concatenated([self, other])


def _concatenated(parts: list[Cases]) -> Cases:
    columns: Any = map(np.concatenate, zip(*parts, strict=True))
    return Cases(*columns)


def all_cases(movers: tuple[str, ...]) -> Cases:
    """Return every case of the ordinary proof: all subsets of the rays, in four occupancies each.

    `movers` are names of lines, rays or pieces, as `rookery.verify.cases` takes them.
    """
    parts = []
    for mover in movers:
        given = verify.queen_cases() if mover == "queen" else verify.cases(mover)
        for occupied in verify.variants(given):
            names = np.full(len(occupied), mover)
            parts.append(Cases(names, given.squares.astype(U64), occupied, given.rays, given.expected))
    return _concatenated(parts)


def _scores(every: Cases) -> NDArray[np.int64]:
    """Return for each case how well it tells programs apart."""
    own = U64(1) << every.squares
    below = own - U64(1)
    parts = [every.expected & below, every.expected & ~below]
    score = np.zeros(len(every), np.int64)
    for part in parts:
        score += np.minimum(np.bitwise_count(part), 3) + 2 * ((part & every.occupied) != 0)
    score += (every.occupied & every.lines & ~every.expected) != 0
    return score


def first_cases(every: Cases, count: int) -> Cases:
    """Choose the cases with which a search begins.

    Most have blockers at some distance on both sides of the slider, because their answers tell most programs apart. The
    search adds cases in which a program fails that was right on these.
    """
    rng = np.random.default_rng(_SEED)
    chosen: list[int] = []
    movers = list(dict.fromkeys(every.movers.tolist()))
    score = _scores(every)
    for number in range(count):
        mover, square = movers[number % len(movers)], _SQUARES[number // len(movers) % len(_SQUARES)]
        of_both = np.flatnonzero((every.movers == mover) & (every.squares == U64(square)))
        if not len(of_both):  # a ray that has no squares there
            of_both = np.flatnonzero(every.movers == mover)
        sample = rng.choice(of_both, min(len(of_both), 400), replace=False)
        chosen.append(int(sample[np.argmax(score[sample])]))
    return every.take(np.array(chosen))


def cases_by_square(every: Cases, squares: int, count: int) -> Cases:
    """Choose `count` cases on each of some squares: what a table for each square returns differs only between these.

    Their answers differ as far as there are different ones, and the first of them tell most programs apart.
    """
    rng = np.random.default_rng(_SEED)
    chosen: list[int] = []
    score = _scores(every)
    for mover in dict.fromkeys(every.movers.tolist()):
        for square in _SQUARES[:squares]:
            of_both = np.flatnonzero((every.movers == mover) & (every.squares == U64(square)))
            sample = rng.permutation(of_both)[:400]
            sample = sample[np.argsort(-score[sample], kind="stable")]
            _, firsts = np.unique(every.expected[sample], return_index=True)
            order = np.concatenate([np.sort(firsts), np.setdiff1d(np.arange(len(sample)), firsts)])
            chosen += sample[order[:count]].tolist()
    return every.take(np.array(chosen))
