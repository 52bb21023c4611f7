"""The finder, judged by dictionaries and by a ray walk written from the definition of a rider."""

import itertools
import random

import numpy as np
import pytest

from magics.find import cover
from magics.find import factors as finder
from magics.find.factors import cases_for, find, find_all, find_widening
from magics.find.riders import Rider, check_masks, find_rider, mask, parse_deltas, rider
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.kernel import U64
from rookery.magics import FORMS
from rookery.magics.forms import all_squares, index_bits, is_magic
from rookery.techniques._magics import Factor, stored

pytestmark = pytest.mark.compiler  # wheels have no machine code of searches for factors

ROOK = [(1, 0), (-1, 0), (0, 1), (0, -1)]
BISHOP = [(1, 1), (-1, 1), (1, -1), (-1, -1)]


def reflections(x: int, y: int) -> list[tuple[int, int]]:
    return [(sx * a, sy * b) for a, b in ((x, y), (y, x)) for sx in (1, -1) for sy in (1, -1)]


def attacked(deltas: list[tuple[int, int]], width: int, height: int, square: int, occupied: int) -> int:
    """By the definition: step, attack, stop at a piece."""
    attacks = 0
    for x, y in deltas:
        file, rank = square % width + x, square // width + y
        while 0 <= file < width and 0 <= rank < height:
            here = 1 << rank * width + file
            attacks |= here
            if occupied & here:
                break
            file, rank = file + x, rank + y
    return attacks


def subsets_of(squares: int) -> list[int]:
    bits = [1 << s for s in range(64) if squares >> s & 1]
    return [sum(chosen) for n in range(len(bits) + 1) for chosen in itertools.combinations(bits, n)]


def index_of(form: str, squares: int, magic: int, bits: int, occupied: int) -> int:
    filled = occupied | ~squares if form == "black" else occupied & squares
    return (filled * magic & 2**64 - 1) >> 64 - bits


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_all_128_of_every_form(form: str, seed: int) -> None:
    """On all occupancies, by a walk and a dictionary of its own."""
    found = find_all(form, seed=seed)
    assert [(f.piece, parse_square(f.square)) for f in found] == list(all_squares())
    for f in found:
        square = parse_square(f.square)
        assert f.bits == {"rook": 12, "bishop": 9}[f.piece] if form == "fixed-shift" else index_bits(f.piece, square)
        assert is_magic(f, form=form)
    for f in random.Random(seed).sample(found, 8):
        squares = int(relevant_occupancy(f.piece, parse_square(f.square)))
        slots: dict[int, int] = {}
        for occupied in subsets_of(squares):
            attacks = attacked(ROOK if f.piece == "rook" else BISHOP, 8, 8, parse_square(f.square), occupied)
            assert slots.setdefault(index_of(form, squares, f.magic, f.bits, occupied), attacks) == attacks
        assert len(slots) > 1


def test_seeds_give_other_factors_and_the_same_again() -> None:
    runs = [find_all(seed=seed) for seed in (3, 4, 3)]
    assert runs[0] == runs[2]
    differing = sum(a.magic != b.magic for a, b in zip(runs[0], runs[1], strict=True))
    assert differing > 64


def test_any_of_many_seeds_finds_all() -> None:
    cases = cases_for("fancy", tuple(all_squares()))
    for seed in range(100):
        assert cover.run(cases, seed).tries.all()


def test_one_square_is_found_as_among_all() -> None:
    for f in stored()[::9]:
        assert find(f.piece, parse_square(f.square), seed=f.seed) == f
    assert find_all(which=[("bishop", 0), ("rook", 63)]) == [stored()[64], stored()[63]]
    assert find_all(which=[]) == []


def test_a_search_may_be_cut_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = next(f for f in (find("rook", 0, seed=seed) for seed in range(100)) if f and f.tries > 4)
    tries: list[int] = []
    monkeypatch.setattr(cover, "SLICE", 2)
    assert find("rook", 0, seed=whole.seed, progress=tries.append) == whole
    assert tries == list(range(2, whole.tries, 2))
    assert find("rook", 0, seed=whole.seed, limit=whole.tries - 1) is None
    assert find("rook", 0, seed=whole.seed, limit=whole.tries) == whole
    steps: list[int] = []
    assert find_all(seed=whole.seed, progress=lambda done, dives: steps.append(done))[0] == whole
    assert steps == sorted(steps)
    assert steps[-1] > 120


def test_what_cannot_be_covered_is_given_up() -> None:
    """Two blockers, four different marks, one bit."""
    occupied = np.arange(4, dtype=U64)
    s = cover.run(
        cover.cases_of([cover.Case(3, 1, occupied, occupied), cover.Case(1, 1, *[occupied[:2]] * 2)]), limit=50
    )
    assert s.tries.tolist()[0] == 0
    assert s.tries.tolist()[1] == 1
    assert int(s.magic[1]) == 1 << 63


def test_covers_are_injective() -> None:
    """Also h8's rook, which took more than twelve bits by trial and error."""
    found = [find_widening(piece, square, injective=True) for piece, square in all_squares()]
    assert all(f.bits == index_bits(f.piece, parse_square(f.square)) for f in found)
    for f in found[::7]:
        squares = int(relevant_occupancy(f.piece, parse_square(f.square)))
        indices = {index_of("fancy", squares, f.magic, f.bits, occupied) for occupied in subsets_of(squares)}
        assert len(indices) == 1 << f.bits


def test_widening(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def narrow_fails(piece: str, square: int, *, bits: int, limit: int) -> Factor | None:
        seen.append(bits)
        return Factor(piece, SQUARE_NAMES[square], 1, bits) if bits == 8 else None

    monkeypatch.setattr(finder, "find", narrow_fails)
    assert find_widening("bishop", 0, limit=5).bits == 8
    assert seen == [6, 7, 8]


def test_narrow_ones_by_branch_and_bound() -> None:
    a1 = find("bishop", 0, bits=5)
    assert a1 is not None
    assert (a1.bits, is_magic(a1)) == (5, True)
    assert find("bishop", 0, bits=5, limit=a1.tries) == a1
    assert find("bishop", parse_square("h8"), bits=5, limit=1) is None
    assert find("bishop", parse_square("d1"), bits=4) is None


RIDERS = {
    "rook": (ROOK, 8, 8),
    "nightrider": (reflections(1, 2), 8, 8),
    "bishop-5x7": (BISHOP, 5, 7),
    "nightrider-10x6": (reflections(1, 2), 10, 6),
    "camelrider": (reflections(1, 3), 8, 8),
    "lame": ([(1, 0), (2, 0), (3, 0), (-2, 1), (-1, 1), (0, 1)], 9, 5),
    "one-file": ([(0, 1), (0, -1), (0, 2), (0, -3)], 1, 12),
    "two-ranks": ([(1, 0), (-3, 1)], 32, 2),
}


@pytest.mark.parametrize("name", RIDERS)
def test_riders(name: str) -> None:
    deltas, width, height = RIDERS[name]
    piece = rider(deltas, width, height)
    check = random.Random(name)
    for square in range(width * height):
        if (width, height) == (32, 2) and square % 32 < 14:  # masks of up to 30 squares
            continue
        f = find_rider(piece, square)
        assert f is not None
        assert f.square == piece.squares[square]
        assert f.bits == max(1, f.mask.bit_count())
        slots: dict[int, int] = {}
        subsets = subsets_of(f.mask)
        for occupied in subsets if len(subsets) <= 1024 else check.sample(subsets, 512):
            attacks = attacked(deltas, width, height, square, occupied)
            slot = index_of("fancy", f.mask, f.magic, f.bits, occupied)
            assert slots.setdefault(slot, attacks) == attacks
            # What is not in the mask changes nothing; the square itself is not on its own rays.
            noise = check.getrandbits(width * height) & ~f.mask
            assert attacked(deltas, width, height, square, occupied | noise) == attacks
        for blocker in range(64):  # and all that is in it can
            if f.mask >> blocker & 1:
                assert any(
                    attacked(deltas, width, height, square, occupied | 1 << blocker)
                    != attacked(deltas, width, height, square, occupied & ~(1 << blocker))
                    for occupied in itertools.chain(subsets[:200], (check.choice(subsets) for _ in range(2000)))
                )


def test_a_rook_rider_has_the_usual_masks() -> None:
    for deltas, name in ((ROOK, "rook"), (BISHOP, "bishop")):
        piece = rider(deltas)
        assert [mask(piece, s) for s in range(64)] == [int(relevant_occupancy(name, s)) for s in range(64)]


def test_masks_are_minimal_where_rays_lie_on_each_other() -> None:
    """By all subsets of the board: a square matters if and only if it changes the attacks of some occupancy."""
    for deltas, width, height in (
        ([(1, 0), (2, 0)], 7, 1),
        ([(1, 0), (2, 0), (3, 0)], 8, 1),
        ([(1, 0), (2, 0), (0, 1), (1, 1), (2, 1)], 4, 3),
        ([(2, 0), (3, 0), (5, 0)], 13, 1),
        ([(1, 0), (-1, 0), (2, 1), (-2, -1), (1, 1), (3, 1)], 4, 3),
    ):
        piece = rider(deltas, width, height)
        squares = width * height
        for square in range(squares):
            attacks = [attacked(deltas, width, height, square, occupied) for occupied in range(1 << squares)]
            matters = sum(
                1 << b for b in range(squares) if any(attacks[o] != attacks[o ^ 1 << b] for o in range(1 << squares))
            )
            assert mask(piece, square) == matters & ~(1 << square)


def test_large_boards_have_names() -> None:
    names = Rider(((1, 0),), 64, 1).squares
    assert (names[0], names[25], names[26], names[63]) == ("a1", "z1", "aa1", "bl1")
    assert len({*names}) == 64
    assert rider(ROOK, 10, 6).parse_square("j6") == 59


@pytest.mark.parametrize(
    ("deltas", "width", "height", "message"),
    [
        ("", 8, 8, "deltas: none"),
        ("0,0", 8, 8, "deltas: 0,0 moves nowhere"),
        ("1,2 2,1 1,2", 8, 8, "deltas: 1,2 is given twice"),
        ("1,2 x", 8, 8, "deltas: 'x': expected files and ranks"),
        ("1,2,3", 8, 8, "deltas: '1,2,3'"),
        ("1.5,2", 8, 8, "deltas: '1.5,2'"),
        ("8,0", 8, 8, "deltas: 8,0 leaves a board of 8 x 8 from every square"),
        ("1,2", 0, 8, "width: 0: expected 1 or more"),
        ("1,2", 8, -1, "height: -1"),
        ("1,2", 9, 8, "width and height: 9 x 8 is 72 squares: expected up to 64"),
        ("1,0 -1,0", 64, 1, "deltas: 62 squares matter on a1: a table takes up to 20"),
    ],
)
def test_impossible_riders(deltas: str, width: int, height: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_masks(rider(parse_deltas(deltas), width, height))
    with pytest.raises(ValueError, match="square: 'i1': expected a1 to h8"):
        rider(ROOK).parse_square("i1")
