"""Variants: published formulas that are another technique in a different form, compared with it in every case."""

import numpy as np
import pytest

import rookery
from rookery.techniques import ALL
from rookery.techniques.black import filled_index
from rookery.techniques.obstruction_difference import line_short
from rookery.techniques.titboards import moves_to
from rookery.techniques.titboards import tables as titboards
from thinning import few
from variant_formulas import (
    FORMULAS,
    ONE,
    PIECES,
    every_line,
    inside,
    squares_along,
    subsets,
    union,
    united_by_matrix,
    walked,
)

U64 = np.uint64
# Compared in a way of their own, each by a test below.
OTHERS = {"fill-by-subtraction", "hypercube", "spectral-magic"}
CASES = {"rank": 64 << 7, "file": 64 << 7, "diagonal": 2_562, "antidiagonal": 2_562}  # 21,508 in all


def test_every_variant_is_compared() -> None:
    names = [variant.name for t in ALL for variant in t.card.variants]
    assert len(names) == len(set(names))
    assert set(names) == FORMULAS.keys() | OTHERS
    assert not set(names) & {t.name for t in ALL}


@pytest.mark.parametrize("name", few(FORMULAS, 8))
def test_a_variant_equals_its_technique_in_every_case(name: str) -> None:
    formula, lines = FORMULAS[name]
    technique = rookery.technique(name)
    assert name in {variant.name for variant in technique.card.variants}
    cases = 0
    for line in every_line():
        if line.name in lines:
            got = getattr(technique, line.name)(line.sq, line.o)
            assert np.array_equal(got, formula(line)), (line.name, line.sq)
            cases += len(line.o)
    assert cases == sum(CASES[name] for name in lines)


def test_fill_by_subtraction_equals_kogge_stone_on_every_rank() -> None:
    """Every set of rooks and empty squares of a rank, the same on one rank and others on the next seven."""
    rooks, empty = (x.ravel() for x in np.meshgrid(np.arange(256, dtype=U64), np.arange(256, dtype=U64)))
    for rank in range(1, 8):
        shift = U64(8 * rank)
        rooks = rooks | (rooks[:: (-1) ** rank] & U64(255)) << shift
        empty = empty | (np.roll(empty & U64(255), 977 * rank)) << shift
    h_file = U64(0x8080808080808080)
    with_rooks = rooks | ~empty | h_file
    inner = rooks & ~h_file
    east = (with_rooks ^ inner) - inner ^ with_rooks
    technique = rookery.technique("fill-by-subtraction")
    assert np.array_equal(technique.ray_attacks("east", rooks, empty & ~rooks), east)


def test_a_product_of_bit_matrices_unites_eight_words() -> None:
    """All 256 values of one square's bits in the eight lanes, on each square; and words at random."""
    values = np.arange(256, dtype=U64)
    for sq in range(64):
        lanes = np.stack([(values >> U64(lane) & ONE) << U64(sq) for lane in range(8)], axis=1)
        assert np.array_equal(united_by_matrix(lanes), np.where(values > 0, U64(1 << sq), U64(0)))
    lanes = np.bitwise_and.reduce(np.random.default_rng(0).integers(0, 1 << 64, (3, 1000, 8), U64))
    assert np.array_equal(united_by_matrix(lanes), np.bitwise_or.reduce(lanes, axis=1))


@pytest.mark.parametrize("piece", PIECES)
def test_hypercube_keeps_the_index_of_pext(piece: str) -> None:
    """Each piece that is placed changes one bit of the index of each square that it blocks."""
    technique, cases = rookery.technique("hypercube"), 0
    for sq in range(64):
        lines = tuple(squares_along(line, sq) for line in PIECES[piece])
        relevant = tuple(sorted(s for line in lines for s in inside(line, sq)))
        o = subsets(relevant)
        index = np.zeros(len(o), np.int64)
        for k, s in enumerate(relevant):
            index ^= (o >> U64(s) & ONE).astype(np.int64) << k
        assert np.array_equal(getattr(technique, piece)(sq, o), walked(sq, lines, o)[index])
        cases += len(o)
    assert cases == {"rook": 102_400, "bishop": 5_248}[piece]


@pytest.mark.parametrize("piece", PIECES)
def test_spectral_magic_has_the_index_of_black_magic(piece: str) -> None:
    """A factor of three bits is three shifts: the same index for every relevant occupancy."""
    rng = np.random.default_rng(0)
    for sq in range(64):
        lines = [squares_along(line, sq) for line in PIECES[piece]]
        relevant = tuple(sorted(s for line in lines for s in inside(line, sq)))
        o, fill = subsets(relevant), ~union(relevant)
        a, b, c = rng.choice(46, 3, replace=False).astype(U64)
        offset = U64(sq)
        records = np.tile(np.array([fill, ONE << a | ONE << b | ONE << c, 46, offset], U64), 64)
        index = (((o | fill) << a) + ((o | fill) << b) + ((o | fill) << c) >> U64(46)) + offset
        assert np.array_equal(filled_index(U64(sq), o, records), index)


def test_a_variant_has_authors_a_year_and_a_source() -> None:
    for variant in (variant for t in ALL for variant in t.card.variants):
        assert all(variant.authors)
        assert 1967 <= variant.year <= 2026
        assert variant.source
        assert variant.difference


def test_both_forms_of_the_obstruction_difference_are_equal() -> None:
    long_, short = map(rookery.technique, ("obstruction-difference", "obstruction-difference-short"))
    for line in every_line():
        expected = getattr(long_, line.name)(line.sq, line.o)
        assert np.array_equal(expected, getattr(short, line.name)(line.sq, line.o))
        got = line_short(U64(line.sq), line.o, line.mask | U64(1 << line.sq))
        assert np.array_equal(got, expected), (line.name, line.sq)


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
