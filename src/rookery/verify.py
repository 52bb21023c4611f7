"""The proof: every technique against the oracle, on every square and every subset of the whole rays.

What a slider attacks depends on its rays alone. `geometry` walks every subset of them: 1,048,576 cases of the rook,
71,168 of the bishop, and those of each line and ray. Each case is put to a technique four times, with the
slider's own square clear and set, and with nothing and with random bits on all other squares. A queen's case is
a rook's and a bishop's on the same square. Set-wise fills are compared with unions of the oracle's rays over random
sets of sliders; states that are kept up by toggling squares, with states prepared anew.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery import geometry
from rookery.squares import DIRECTIONS, square_name
from rookery.technique import Technique

Boards = NDArray[np.uint64]

U64 = np.uint64
SEED = 20261121
FILLS = 500  # random slider sets a direction
TOGGLES = 500
ONE_BY_ONE = 500  # calls with two ints a question


class Cases(NamedTuple):
    """Questions with the oracle's answers, one an element."""

    squares: NDArray[np.uint8]
    occupied: Boards
    expected: Boards
    rays: Boards  # the squares that the answer may depend on


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
    """What one check found."""

    technique: str
    check: str
    cases: int
    mismatches: int
    first: Mismatch | None


@functools.cache
def cases(mover: str) -> Cases:
    """Every case of a rook, a bishop, a line or a ray (by its direction), from the oracle."""
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
    """Each case of the rook with one of the bishop on the same square; all of both occur."""
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
    """The occupancies of the cases, then with the slider's own square set, then both with noise off the rays."""
    rng = np.random.default_rng(SEED)
    own = U64(1) << given.squares.astype(U64)
    noise = rng.integers(0, 1 << 64, len(own), dtype=U64) & ~given.rays & ~own
    yield given.occupied
    yield given.occupied | own
    yield given.occupied | noise
    yield given.occupied | noise | own


def _judge(technique: Technique, check: str, given: Cases, ask: Callable[[Any, Any], Any]) -> Result:
    total = wrong = 0
    first = None
    for occupied in variants(given):
        got = ask(given.squares, occupied)
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


def _one_by_one(technique: Technique) -> Result:
    """The call with two ints takes another way into the same kernels."""
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


def _toggling(technique: Technique) -> Result:
    """A state kept up square by square, against one prepared anew, and what is asked of it."""
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
    """Random sliders and empty squares; the oracle's fills and attacks."""
    rng = np.random.default_rng(SEED)

    def sparse(n: int) -> Boards:
        return np.asarray(np.bitwise_and.reduce(rng.integers(0, 1 << 64, (n, FILLS), dtype=U64)))

    # From none to about 32 sliders, from crowded to empty boards; a slider may stand on an "empty" square.
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


def _filling(technique: Technique) -> Result:
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
    """What the oracle says of a rook, bishop or queen."""
    pieces = ("rook", "bishop") if piece == "queen" else (piece,)
    return functools.reduce(int.__or__, (geometry.attacks(p, square, occupied) for p in pieces))


def look_ups(technique: Technique) -> Result:
    """What the tables of a look-up technique hold: all cases of rook and bishop, which ask for each of the 107,648
    entries that can be asked for. The kernels run in NumPy, uncompiled.
    """
    t = technique.tables()

    def judge(piece: str) -> Result:
        kernel = technique.kernel_of(piece)
        return _judge(technique, piece, cases(piece), lambda sq, occupied: kernel(sq.astype(U64), occupied, t))

    rook, bishop = judge("rook"), judge("bishop")
    cases_, wrong = rook.cases + bishop.cases, rook.mismatches + bishop.mismatches
    return Result(technique.name, "look-ups", cases_, wrong, rook.first or bishop.first)


def checks(technique: Technique) -> list[tuple[str, Callable[[], Result]]]:
    """The checks of one technique, by name; none runs before it is called."""
    plan: list[tuple[str, Callable[[], Result]]] = []

    def judge(check: str, given: Callable[[], Cases], ask: Callable[[Any, Any], Any]) -> None:
        plan.append((check, lambda: _judge(technique, check, given(), ask)))

    for offer in technique.offers:
        if offer == "ray":
            for direction in DIRECTIONS:
                judge(direction, functools.partial(cases, direction), functools.partial(technique.ray, direction))
        elif offer == "fill":
            plan.append(("fills", lambda: _filling(technique)))
        else:
            given = queen_cases if offer == "queen" else functools.partial(cases, offer)
            judge(offer, given, functools.partial(technique.ask, offer))
    plan.append(("one by one", lambda: _one_by_one(technique)))
    plan.append(("toggling", lambda: _toggling(technique)))
    return plan


def verify(techniques: Sequence[Technique]) -> Iterator[Result]:
    """Run all checks of some techniques, one result each."""
    for technique in techniques:
        for _, check in checks(technique):
            yield check()
