"""Squares and occupancies for each use, with what a loop over them returns, by the oracle."""

import functools
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery import verify
from rookery.bench.uses.loops import LINES_READ, PASSES
from rookery.bitboards.bits import SPLITMIX_STEP, squares_of

Boards = NDArray[np.uint64]

CHANGES: Final = 2048
BOARDS: Final = 256
OTHER_WORDS: Final = 1 << 18  # 2 MB of other data: more than the second cache of most cores
HARNESS_CHECK: Final = 0xE94B57081311A561  # the XOR after 2,000 positions that Chess_Movegen's own programs print
HARNESS_BOARDS: Final = 2000
_WORD: Final = (1 << 64) - 1


class Changes(NamedTuple):
    """Look-ups after changes of one occupancy: the squares looked up, those that change, and the first occupancy."""

    squares: NDArray[np.uint8]
    changed: NDArray[np.uint8]
    first: int


class OnBoards(NamedTuple):
    """Look-ups on boards: squares (n, k) and occupancies (n,), and the XOR of all attacks."""

    squares: NDArray[np.uint8]
    occupied: Boards
    right: int


class Sliders(NamedTuple):
    """All sliders of boards: their squares and the occupancies (n,), and what `look_for_all_sliders` returns."""

    sliders: Boards
    occupied: Boards
    right: int


@functools.cache
def changes(seed: int = 0) -> Changes:
    """Return changes of an occupancy that is a quarter full: a piece leaves a square and arrives at another."""
    rng = np.random.default_rng(seed)
    first = int(np.bitwise_and.reduce(rng.integers(0, 1 << 64, 2, dtype=np.uint64)))
    squares = rng.integers(0, 64, CHANGES).astype(np.uint8)
    occupied, changed = first, []
    for _ in range(CHANGES // 2):
        full, empty = ([sq for sq in range(64) if (occupied >> sq & 1) == wanted] for wanted in (1, 0))
        changed += [int(rng.choice(full)), int(rng.choice(empty))]
        occupied ^= 1 << changed[-2] ^ 1 << changed[-1]
    return Changes(squares, np.array(changed, np.uint8), first)


def _answers(work: Changes, passes: int) -> list[int]:
    """Return the oracle's answers to all look-ups of some passes."""
    occupied, answers = work.first, []
    for sq, other in zip([*work.squares.tolist()] * 2, [*work.changed.tolist()] * 2, strict=True):
        occupied ^= 1 << other
        answers.append(verify.oracle("queen", sq, occupied))
    return answers[: CHANGES * passes] if passes < 2 else answers * (passes // 2)


@functools.cache
def after_changes(seed: int = 0) -> int:
    """Return what `change_and_look` returns, by the oracle."""
    total = 0
    for answer in _answers(changes(seed), PASSES):
        total = (total << 1 | total >> 63) + answer & _WORD
    return total


@functools.cache
def other_data() -> Boards:
    """Return the words that are read between look-ups in busy caches."""
    return np.random.default_rng(1).integers(0, 1 << 64, OTHER_WORDS, dtype=np.uint64)


@functools.cache
def in_busy_caches(seed: int = 0) -> int:
    """Return what `look_in_busy_caches` returns, by the oracle."""
    total, other = 0, other_data()
    for i, answer in enumerate(_answers(changes(seed), 1)):
        place, read = total ^ i, 0
        for _ in range(LINES_READ):
            place = place * SPLITMIX_STEP + 1 & _WORD
            read += int(other[place >> 20 & OTHER_WORDS - 1])
        total = total + read & _WORD
        total = (total << 1 | total >> 63) + answer & _WORD
    return total


def random_occupancies(n: int, words: int, seed: int = 0) -> Boards:
    """Return occupancies, each the intersection of so many random words: 1 is half full, 2 a quarter, 3 an eighth."""
    rng = np.random.default_rng(seed)
    found: Boards = np.bitwise_and.reduce(rng.integers(0, 1 << 64, (words, n), dtype=np.uint64))
    return found


def xor_of(pairs: Iterable[tuple[int, int]]) -> int:
    """Return the XOR of the oracle's answers for squares and occupancies."""
    return functools.reduce(int.__xor__, (verify.oracle("queen", sq, occupied) for sq, occupied in pairs), 0)


def on_boards(squares: NDArray[np.uint8], occupied: Boards) -> OnBoards:
    """Return a workload with its right answer."""
    pairs = ((sq, int(o)) for row, o in zip(squares.tolist(), occupied, strict=True) for sq in row)
    return OnBoards(squares, occupied, xor_of(pairs))


@functools.cache
def at_density(words: int) -> OnBoards:
    """Return 16 random squares on each of many boards, with the density of `random_occupancies`."""
    squares = np.random.default_rng(words).integers(0, 64, (BOARDS, 16)).astype(np.uint8)
    return on_boards(squares, random_occupancies(BOARDS, words, words))


@functools.cache
def all_squares() -> OnBoards:
    """Return all 64 squares of boards."""
    squares = np.tile(np.arange(64, dtype=np.uint8), (BOARDS, 1))
    return on_boards(squares, random_occupancies(BOARDS, 2))


def positions_of_games() -> Any:
    """Return the positions of a few games between simple players, each a hundred half-moves or so long."""
    from rookery.bench.played_games import played_games
    from rookery.games.read.reader import read_pgn

    return read_pgn(played_games(6 * 65, seed=27)).positions()


@functools.cache
def sliders_of_games() -> Sliders:
    """Return all sliders of positions of games."""
    positions = positions_of_games()
    c = positions[np.linspace(0, len(positions) - 1, BOARDS).astype(np.int64)].columns
    sliders = c.diagonals | c.orthogonals
    occupied = sliders | c.pawns | c.knights | c.kings
    total = 0
    for squares, o in zip(sliders.tolist(), occupied.tolist(), strict=True):
        attacked = 0
        for sq in squares_of(squares):
            attacked |= verify.oracle("queen", sq, o)
        total = (total << 1 | total >> 63) + attacked & _WORD
    return Sliders(sliders, occupied, total)


@functools.cache
def squares_of_games() -> OnBoards:
    """Return the squares of sliders in positions of games: sixteen on each board, some of them several times."""
    work = sliders_of_games()
    rows = [(list(squares_of(s)) * 16)[:16] for s in work.sliders.tolist() if s]
    return on_boards(np.array(rows, np.uint8), work.occupied[work.sliders != 0])


def _harness_numbers() -> Iterator[int]:
    """Yield the numbers of the 32-bit xorshift generator of Chess_Movegen."""
    x, y, z = 123_456_789, 362_436_069, 521_288_629
    while True:
        x ^= x << 16 & 0xFFFF_FFFF
        x ^= x >> 5
        x ^= x << 1 & 0xFFFF_FFFF
        x, y, z = y, z, x ^ y ^ z
        yield z


@functools.cache
def harness() -> OnBoards:
    """Return the first positions of Chess_Movegen's own benchmark: an occupancy and twelve squares each.

    Its check value, printed by programs in C++, is the right answer, and the oracle's.
    """
    numbers = _harness_numbers()

    def word() -> int:
        return next(numbers) << 32 | next(numbers)

    occupied, squares = [], []
    for _ in range(HARNESS_BOARDS):
        occupied.append(word() & word())
        squares.append([next(numbers) % 64 for _ in range(12)])
    return OnBoards(np.array(squares, np.uint8), np.array(occupied, np.uint64), HARNESS_CHECK)
