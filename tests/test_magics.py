"""The finder, and the factors it has found."""

import numpy as np
import pytest

from rookery.lines import relevant_occupancy
from rookery.magics import find as finder
from rookery.magics.find import all_squares, candidate, counts, find, find_widening, is_magic
from rookery.magics.fixed_shift import find_fixed_shift
from rookery.squares import SQUARE_NAMES, parse_square
from rookery.techniques._magics import Factor, factors, stored


def test_the_stored_factors_are_found_again_from_their_seeds() -> None:
    assert [(f.piece, parse_square(f.square)) for f in stored()] == list(all_squares())
    for f in stored():
        assert f.bits == len(relevant_occupancy(f.piece, parse_square(f.square)))
        assert find(f.piece, parse_square(f.square), seed=f.seed, limit=f.tries) == f
        assert is_magic(f)


def test_factors_for_a_fixed_shift() -> None:
    for piece, square in (("rook", 0), ("rook", 27), ("bishop", 1), ("bishop", 27)):
        f = find_fixed_shift(piece, square, seed=3)
        assert f is not None
        assert f.bits == {"rook": 12, "bishop": 9}[piece]
        assert is_magic(f)
        assert find_fixed_shift(piece, square, seed=3, limit=f.tries) == f
    assert find_fixed_shift("rook", 0, limit=1) is None
    with pytest.raises(ValueError, match="piece: 'queen'"):
        find_fixed_shift("queen", 0)


def test_the_narrow_factors_have_one_bit_less() -> None:
    assert len(stored("narrow")) == 39
    for f in stored("narrow"):
        assert f.bits == len(relevant_occupancy(f.piece, parse_square(f.square))) - 1
        assert is_magic(f)


@pytest.mark.parametrize("seed", [1, 2**64 - 1])
def test_any_seed_finds_all_128(seed: int) -> None:
    found = [find(piece, square, seed=seed, limit=10_000_000) for piece, square in all_squares()]
    assert all(f is not None and is_magic(f) for f in found)
    assert {f.magic for f in found if f} != {f.magic for f in stored()}


def test_a_factor_is_checked_by_brute_force_too() -> None:
    """`is_magic` itself, against a dictionary."""
    from rookery.techniques._filler import relevant_cases

    for f in (stored()[0], stored()[27], stored()[91]):
        for magic, injective in ((f.magic, False), (f.magic, True), (f.magic ^ 1 << 40, False), (1, False)):
            slots: dict[int, int] = {}
            occupied, attacks = (a.tolist() for a in relevant_cases(f.piece, parse_square(f.square)))
            marks = occupied if injective else attacks
            good = all(
                slots.setdefault((o * magic & 2**64 - 1) >> 64 - f.bits, m) == m
                for o, m in zip(occupied, marks, strict=True)
            )
            assert is_magic(f._replace(magic=magic), injective) == good


def test_a_search_may_be_cut_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = find("rook", 0, seed=0, limit=10_000_000)
    assert whole is not None
    assert whole.tries > 2000
    tries: list[int] = []
    monkeypatch.setattr(finder, "SLICE", 1000)
    assert find("rook", 0, seed=0, limit=10_000_000, progress=tries.append) == whole
    assert tries == list(range(1000, whole.tries, 1000))
    assert find("rook", 0, seed=0, limit=whole.tries - 1) is None
    assert candidate(0, whole.tries - 1) == whole.magic


def test_injective_factors_need_extra_bits_somewhere() -> None:
    # b1's one long ray works kindergarten like, one occupancy a slot; from the centre that is rare.
    b1 = find_widening("bishop", parse_square("b1"), injective=True, limit=200_000)
    assert (b1.bits, is_magic(b1, injective=True)) == (5, True)
    h8 = find_widening("rook", parse_square("h8"), injective=True, limit=2_000)
    assert h8.bits > 12
    assert is_magic(h8, injective=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"piece": "queen", "square": 0}, "piece: 'queen'"),
        ({"piece": "rook", "square": 64}, "square: 64 is off the board"),
        ({"piece": "rook", "square": 0, "bits": 5}, "bits: 5 bits have 32 slots; rook a1 needs 49"),
        ({"piece": "bishop", "square": 0, "bits": 5, "injective": True}, "bishop a1 needs 64"),
        ({"piece": "rook", "square": 0, "bits": 0}, "bits: 0: expected 1 to 24"),
        ({"piece": "rook", "square": 0, "bits": 25}, "bits: 25"),
    ],
)
def test_impossible_requests(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find(**arguments)  # type: ignore[arg-type]


def test_counts_are_those_of_the_literature() -> None:
    rows = counts()
    totals = {
        piece: (sum(c.occupancies for c in rows if c.piece == piece), sum(c.sets for c in rows if c.piece == piece))
        for piece in ("rook", "bishop")
    }
    assert totals == {"rook": (102_400, 4_900), "bishop": (5_248, 1_428)}
    by_case = {(c.piece, SQUARE_NAMES[c.square]): (c.occupancies, c.sets) for c in rows}
    assert by_case["rook", "a8"] == (4096, 49)
    assert by_case["rook", "b2"] == (1024, 36)
    assert by_case["rook", "d4"] == (1024, 144)
    assert by_case["bishop", "b1"] == (32, 6)
    assert by_case["bishop", "d5"] == (512, 108)


def test_factors_by_piece() -> None:
    assert factors("rook").shape == factors("bishop").shape == (64,)
    assert factors("rook").dtype == np.uint64
    assert isinstance(stored()[0], Factor)
