"""Variants: published formulas that are another technique in a different form, compared with it in every case.

Each formula is written here as its author published it, on arrays of every occupancy of a line.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import rookery
from rookery.techniques import ALL
from rookery.techniques.obstruction_difference import line_short
from rookery.techniques.titboards import moves_to
from rookery.techniques.titboards import tables as titboards

U64 = np.uint64
Boards = NDArray[np.uint64]
STEPS = {"rank": (1, 0), "file": (0, 1), "diagonal": (1, 1), "antidiagonal": (-1, 1)}
ONE = U64(1)


def squares_of_line(line: str, sq: int) -> list[int]:
    """Return the other squares of a line, by coordinates."""
    dx, dy = STEPS[line]
    points = [(sq % 8 + k * dx, sq // 8 + k * dy) for k in range(-7, 8) if k]
    return [x + 8 * y for x, y in points if 0 <= x < 8 and 0 <= y < 8]


def every_line() -> Iterator[tuple[str, int, int, Boards]]:
    """Yield each line of each square: its name, the square, the mask without it, and all occupancies of the mask."""
    for line in STEPS:
        for sq in range(64):
            squares = squares_of_line(line, sq)
            bits = np.arange(1 << len(squares), dtype=U64)
            occupied = np.zeros_like(bits)
            for k, square in enumerate(squares):
                occupied |= (bits >> U64(k) & ONE) << U64(square)
            yield line, sq, sum(1 << s for s in squares), occupied


def highest_bit(x: Boards) -> Boards:
    """Return the number of the highest bit of each word, by smearing and counting."""
    for shift in (1, 2, 4, 8, 16, 32):
        x = x | x >> U64(shift)
    highest: Boards = np.bitwise_count(x).astype(U64) - ONE
    return highest


def leorik(sq: int, mask: int, o: Boards) -> Boards:
    """MaskLow(blockers above) ^ MaskHigh(blockers below), as in Leorik."""
    below = U64((1 << sq) - 1)
    above_ = o & ~below
    mask_low = above_ ^ above_ - ONE
    mask_high = U64((1 << 63) - 1) >> U64(63) - highest_bit(o & below | ONE)
    found: Boards = (mask_low ^ mask_high) & U64(mask)
    return found


def bytes_reversed(x: Any) -> Any:
    return x.byteswap()


def hyperbola_with_double(sq: int, mask: int, o: Boards) -> Boards:
    """o ^ (o - 2r) on both boards, with the slider in the occupancy: the form that PR 6870 replaced by ``o - r``."""
    r = U64(1 << sq)
    both = o | r
    forward = both - r - r
    back: Boards = bytes_reversed(bytes_reversed(both) - bytes_reversed(r) - bytes_reversed(r))
    return (forward ^ back) & U64(mask)


def hyperbola_in_lanes(sq: int, mask: int, o: Boards) -> Boards:
    """``(o & m) - r`` and its reverse in a lane for each line, as in PR 6845."""
    r = np.full(4, 1 << sq, U64)
    lanes = np.stack([o, o, o, o], axis=1) & U64(mask)
    found = (lanes - r ^ (lanes.byteswap() - r.byteswap()).byteswap()) & U64(mask)
    assert (found == found[:, :1]).all()
    return np.ascontiguousarray(found[:, 0])


FORMULAS: dict[str, tuple[Callable[[int, int, Boards], Boards], tuple[str, ...]]] = {
    "leorik": (leorik, tuple(STEPS)),
    "hyperbola-no-double": (hyperbola_with_double, ("file", "diagonal", "antidiagonal")),
    "hyperbola-dual": (hyperbola_in_lanes, ("file", "diagonal", "antidiagonal")),
}


def test_every_variant_is_compared() -> None:
    assert {variant.name for t in ALL for variant in t.card.variants} == set(FORMULAS)


@pytest.mark.parametrize("name", FORMULAS)
def test_a_variant_equals_its_technique_in_every_case(name: str) -> None:
    formula, lines = FORMULAS[name]
    technique = rookery.technique(name)
    assert name in {variant.name for variant in technique.card.variants}
    assert technique.name != name
    cases = 0
    for line, sq, mask, occupied in every_line():
        if line in lines:
            assert np.array_equal(getattr(technique, line)(sq, occupied), formula(sq, mask, occupied)), (line, sq)
            cases += len(occupied)
    assert cases == {4: 21_508, 3: 13_316}[len(lines)]


def test_a_variant_has_authors_a_year_and_a_source() -> None:
    for variant in (variant for t in ALL for variant in t.card.variants):
        assert all(variant.authors)
        assert 1967 <= variant.year <= 2026
        assert variant.source
        assert variant.difference


def test_both_forms_of_the_obstruction_difference_are_equal() -> None:
    long_, short = map(rookery.technique, ("obstruction-difference", "obstruction-difference-short"))
    for line, sq, mask, occupied in every_line():
        assert np.array_equal(getattr(long_, line)(sq, occupied), getattr(short, line)(sq, occupied))
        got = line_short(U64(sq), occupied, U64(mask | 1 << sq))
        assert np.array_equal(got, getattr(long_, line)(sq, occupied)), (line, sq)


def test_titboards_tell_own_pieces_from_enemies() -> None:
    """Every placement of both sides on a rank, by walking from the slider to the first piece."""
    t = titboards()
    for file in range(8):
        for own in range(256):
            for enemy in (e for e in range(256) if not e & own):
                if (own | enemy) >> file & 1:
                    continue
                expected = 0
                for walk in (range(file + 1, 8), range(file - 1, -1, -1)):
                    for here in walk:
                        if own >> here & 1:
                            break
                        expected |= 1 << here
                        if enemy >> here & 1:
                            break
                assert int(moves_to(own, enemy, file, t)) == expected
