"""The smallest ranges of indices, against those that are published."""

import pytest

from rookery.magics import prove, ranges
from rookery.squares import parse_square

# Niklas Fiekas, talkchess 65187, September 2017: the highest index by square and index bits.
PUBLISHED_RANGES = {
    9: {"d8": 60, "e8": 31, "d7": 60, "c8": 35, "e7": 31, "f8": 31, "h2": 61, "c7": 35, "b8": 61, "d6": 132},
    5: {"d8": 31, "e8": 29, "d7": 31, "c8": 29, "e7": 29, "f8": 26, "h2": 22, "c7": 29, "b8": 22},
    4: {"h2": 15, "b8": 15},
    7: {"d6": 127},
}


def test_the_published_ranges_are_stored() -> None:
    stored = {(r.bits, r.square): r for r in ranges.ranges() if r.piece == "bishop"}
    for bits, squares in PUBLISHED_RANGES.items():
        for square, highest in squares.items():
            assert stored[bits, square].highest == highest
    assert ranges.faults() == []


@pytest.mark.parametrize(("square", "bits"), [("d8", 9), ("e8", 9), ("d7", 5)])
def test_a_smallest_range_is_found_again(square: str, bits: int) -> None:
    found = ranges.smallest_range("bishop", parse_square(square), bits)
    assert found is not None
    assert found.highest == PUBLISHED_RANGES[bits][square]
    stored = next(r for r in ranges.ranges() if (r.piece, r.square, r.bits) == ("bishop", square, bits))
    assert found._replace(seconds=stored.seconds) == stored


def test_no_range_without_a_factor() -> None:
    assert ranges.smallest_range("bishop", parse_square("d1"), 4) is None


@pytest.mark.parametrize("highest", [-1, 32])
def test_a_highest_index_off_the_table(highest: int) -> None:
    with pytest.raises(ValueError, match=f"highest: {highest}: expected 0 to 31, the indices of 5 bits"):
        prove.prove("bishop", 3, 5, highest=highest)
