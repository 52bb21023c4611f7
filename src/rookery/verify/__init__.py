"""The proof: compare every technique with the oracle on every square and every subset of the whole rays.

The attacks of a slider depend only on its rays. `geometry` walks every subset of them: 1,048,576 cases for the rook,
71,168 for the bishop, and those of each line and ray. A technique answers each case four times: with the slider's own
square clear or set, and with all other squares empty or filled with random bits. A case of the queen joins a rook's and
a bishop's on the same square. Set-wise fills are compared with unions of the oracle's rays over random sets of sliders,
and states updated by toggling squares with states prepared from scratch.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery import geometry
from rookery.bitboards.squares import DIRECTIONS, square_name
from rookery.techniques.base import Technique

Boards = NDArray[np.uint64]

U64 = np.uint64
SEED = 20261121
FILLS = 500  # random slider sets per direction
TOGGLES = 500
ONE_BY_ONE = 500  # calls with two ints per question


class Cases(NamedTuple):
    """Squares and occupancies with the oracle's answers, one case per element."""

    squares: NDArray[np.uint8]
    occupied: Boards
    expected: Boards
    rays: Boards  # the squares that may affect the answer


class Mismatch(NamedTuple):
    """A wrong answer."""

    question: str
    square: str
    occupied: int
    expected: int
    got: int

    def __str__(self) -> str:
        return (
            f"{self.question} on {self.square}, occupied 0x{self.occupied:016x}: "
            f"expected 0x{self.expected:016x}, got 0x{self.got:016x}"
        )


class Result(NamedTuple):
    """The result of one check."""

    technique: str
    check: str
    cases: int
    mismatches: int
    first: Mismatch | None


@functools.cache
def cases(mover: str) -> Cases:
    """Return every case of a rook, a bishop, a line or a ray (named by its direction), from the oracle."""
    per_square = []
    for sq in range(64):
        if mover in geometry.COMPASS:
            pairs = geometry.ray_cases(mover, sq)
            rays = geometry.ray(mover, sq, 0)
        else:
            pairs = list(geometry.cases(mover, sq))
            rays = geometry.attacks(mover, sq, 0)
        occupied, expected = np.array(pairs, U64).T
        n = len(pairs)
        per_square.append((np.full(n, sq, np.uint8), occupied, expected, np.full(n, rays, U64)))
    return Cases(*map(np.concatenate, zip(*per_square, strict=True)))


@functools.cache
def queen_cases() -> Cases:
    """Join each case of the rook with a case of the bishop on the same square; every case of both occurs."""
    rook, bishop = cases("rook"), cases("bishop")
    start = np.searchsorted(bishop.squares, np.arange(64))
    count = np.bincount(bishop.squares)
    nth = np.arange(len(rook.squares)) % (1 << 14)  # a rook has 2**14 cases on every square
    pick = start[rook.squares] + nth % count[rook.squares]
    return Cases(
        rook.squares,
        rook.occupied | bishop.occupied[pick],
        rook.expected | bishop.expected[pick],
        rook.rays | bishop.rays[pick],
    )


def variants(given: Cases) -> Iterator[Boards]:
    """Yield four occupancies of each case.

    First the case's own, then with the slider's square set, then both with random bits on the squares off the rays.
    """
    rng = np.random.default_rng(SEED)
    own = U64(1) << given.squares.astype(U64)
    noise = rng.integers(0, 1 << 64, len(own), dtype=U64) & ~given.rays & ~own
    yield given.occupied
    yield given.occupied | own
    yield given.occupied | noise
    yield given.occupied | noise | own


def _compare(technique: Technique, check: str, given: Cases, answer: Callable[[Any, Any], Any]) -> Result:
    total = wrong = 0
    first = None
    for occupied in variants(given):
        got = answer(given.squares, occupied)
        bad = got != given.expected
        total += len(bad)
        count = int(np.count_nonzero(bad))
        if count and first is None:
            i = int(np.argmax(bad))
            first = Mismatch(
                check, square_name(int(given.squares[i])), int(occupied[i]), int(given.expected[i]), int(got[i])
            )
        wrong += count
    return Result(technique.name, check, total, wrong, first)


def _check_one_by_one(technique: Technique) -> Result:
    """Check calls with two ints, which reach the kernels through other code than arrays do."""
    rng = np.random.default_rng(SEED)
    wrong = total = 0
    first = None
    for mover in technique.offers:
        if mover in ("ray", "fill"):
            continue
        given = queen_cases() if mover == "queen" else cases(mover)
        for i in rng.integers(0, len(given.squares), ONE_BY_ONE).tolist():
            sq, occupied, expected = int(given.squares[i]), int(given.occupied[i]), int(given.expected[i])
            got = int(technique.ask(mover, sq, occupied))
            total += 1
            if got != expected:
                wrong += 1
                first = first or Mismatch(mover, square_name(sq), occupied, expected, got)
    return Result(technique.name, "one by one", total, wrong, first)


def _check_toggling(technique: Technique) -> Result:
    """Compare a state updated square by square with one prepared from scratch, and its answers with the oracle."""
    rng = np.random.default_rng(SEED)
    occupied, wrong = 0, 0
    first = None
    state = technique.prepare(0)
    for sq, slider in rng.integers(0, 64, (TOGGLES, 2)).tolist():
        occupied ^= 1 << sq
        state = technique.toggle(state, sq)
        expected = geometry.attacks("rook", slider, occupied) | geometry.attacks("bishop", slider, occupied)
        got = int(technique.queen(slider, state))
        if state != technique.prepare(occupied) or got != expected:
            wrong += 1
            first = first or Mismatch("queen", square_name(slider), occupied, expected, got)
    return Result(technique.name, "toggling", TOGGLES, wrong, first)


@functools.cache
def fill_cases(direction: str) -> tuple[Boards, Boards, Boards, Boards]:
    """Return random sliders and empty squares with the oracle's fills and attacks."""
    rng = np.random.default_rng(SEED)

    def sparse(n: int) -> Boards:
        return np.asarray(np.bitwise_and.reduce(rng.integers(0, 1 << 64, (n, FILLS), dtype=U64)))

    # Zero to about 32 sliders, on crowded to empty boards. A slider may stand on an "empty" square.
    sliders = np.concatenate([sparse(n) for n in (1, 2, 3, 5)] + [np.zeros(1, U64)])
    empty = np.concatenate([sparse(1), ~sparse(2), ~sparse(3), ~sparse(4), ~np.zeros(1, U64)])
    fills, attacks = [], []
    for s, e in zip(sliders.tolist(), empty.tolist(), strict=True):
        attacked = 0
        for sq in range(64):
            if s >> sq & 1:
                attacked |= geometry.ray(direction, sq, ~e)
        attacks.append(attacked)
        fills.append(s | (attacked & e))
    return sliders, empty, np.array(fills, U64), np.array(attacks, U64)


def _check_fills(technique: Technique) -> Result:
    total = wrong = 0
    first = None
    for direction in DIRECTIONS:
        sliders, empty, fills, attacks = fill_cases(direction)
        for name, expected, got in (
            ("fill", fills, technique.fill(direction, sliders, empty)),
            ("ray attacks", attacks, technique.ray_attacks(direction, sliders, empty)),
        ):
            bad = got != expected
            total += len(bad)
            wrong += int(np.count_nonzero(bad))
            if bad.any() and first is None:
                i = int(np.argmax(bad))
                question = f"{name} {direction} of sliders 0x{int(sliders[i]):016x}"
                first = Mismatch(question, "-", int(~empty[i]), int(expected[i]), int(got[i]))
    return Result(technique.name, "fills", total, wrong, first)


def oracle(piece: str, square: int, occupied: int) -> int:
    """Return the oracle's attacks of a rook, bishop or queen."""
    pieces = ("rook", "bishop") if piece == "queen" else (piece,)
    return functools.reduce(int.__or__, (geometry.attacks(p, square, occupied) for p in pieces))


def look_ups(technique: Technique) -> Result:
    """Check the tables of a look-up technique on all cases of the rook and the bishop.

    These cases read each of the 107,648 entries that can be read. The kernels run in NumPy, uncompiled.
    """
    t = technique.tables()

    def compare(piece: str) -> Result:
        kernel = technique.kernel_of(piece)
        return _compare(technique, piece, cases(piece), lambda sq, occupied: kernel(sq.astype(U64), occupied, t))

    rook, bishop = compare("rook"), compare("bishop")
    total, wrong = rook.cases + bishop.cases, rook.mismatches + bishop.mismatches
    return Result(technique.name, "look-ups", total, wrong, rook.first or bishop.first)


def checks(technique: Technique) -> list[tuple[str, Callable[[], Result]]]:
    """Return the checks of one technique by name, each to be called."""
    plan: list[tuple[str, Callable[[], Result]]] = []

    def add(check: str, given: Callable[[], Cases], answer: Callable[[Any, Any], Any]) -> None:
        plan.append((check, lambda: _compare(technique, check, given(), answer)))

    for offer in technique.offers:
        if offer == "ray":
            for direction in DIRECTIONS:
                add(direction, functools.partial(cases, direction), functools.partial(technique.ray, direction))
        elif offer == "fill":
            plan.append(("fills", lambda: _check_fills(technique)))
        else:
            given = queen_cases if offer == "queen" else functools.partial(cases, offer)
            add(offer, given, functools.partial(technique.ask, offer))
    plan.append(("one by one", lambda: _check_one_by_one(technique)))
    plan.append(("toggling", lambda: _check_toggling(technique)))
    return plan


def verify(techniques: Sequence[Technique]) -> Iterator[Result]:
    """Run all checks of some techniques and yield their results."""
    for technique in techniques:
        for _, check in checks(technique):
            yield check()
