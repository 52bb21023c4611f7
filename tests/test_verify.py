"""The proof must be able to fail: techniques with a fault each, and what it says of them."""

from dataclasses import replace
from typing import Any, NamedTuple

import chess
import numpy as np
import pytest

from rookery import geometry, verify
from rookery.bitboards.bits import file_mask, hardware_reverse, isolate_ls1b, reset_ls1b
from rookery.bitboards.squares import STEPS
from rookery.kernel import U64, UNIVERSE, Bits, Square, Word, kernel
from rookery.techniques import kogge_stone, magic, technique
from rookery.techniques._filler import DestructiveCollision, line_cases, place
from rookery.techniques.base import Card, Kernels, Technique, Upkeep
from rookery.techniques.classical import LSB, MSB, ray_table
from rookery.techniques.obstruction_difference import OBSTRUCTION_DIFFERENCE


class Misprinted(NamedTuple):
    """Tables of the generalised getter as the wiki page has it."""

    rays: Any
    dir_bit: Any
    dir_mask: Any


CARD: dict[str, Any] = {"authors": ("nobody",), "year": 2026, "source": "a test", "summary": "wrong"}
rank, file, diagonal, antidiagonal = map(OBSTRUCTION_DIFFERENCE.kernel_of, ("rank", "file", "diagonal", "antidiagonal"))
LINES = Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal)


@kernel
def short_sighted_rank(sq: Square, occupied: Bits, t: Any) -> Bits:
    return rank(sq, occupied & ~U64(0x4040404040404040), t)


@kernel
def forgetful_toggle(state: Bits, sq: Square, t: Any) -> Bits:
    return reset_ls1b(state ^ (1 << sq))


@kernel
def leaky_fill(direction: Word, g: Bits, p: Bits, t: Any) -> Bits:
    return kogge_stone.fill(direction, g, p, t) | (g << 1)


@kernel
def misprinted_ray(direction: Word, sq: Square, occupied: Bits, t: Misprinted) -> Bits:
    attacks = t.rays[direction, sq]
    blocker = attacks & occupied
    blocker &= -blocker | t.dir_mask[direction]
    blocker |= t.dir_bit[direction]
    return attacks ^ t.rays[direction, hardware_reverse(blocker)]


@kernel
def file_that_sees_itself(sq: Square, occupied: Bits, t: Any) -> Bits:
    return file(sq, occupied, t) & ~(isolate_ls1b(occupied & (1 << sq)) << 8)


def misprinted_tables() -> Misprinted:
    negative = np.array(STEPS) < 0
    return Misprinted(ray_table(), np.where(negative, U64(LSB), U64(MSB)), np.where(negative, U64(UNIVERSE), U64(0)))


def failures(t: Technique) -> dict[str, verify.Result]:
    return {r.check: r for r in verify.verify([t]) if r.mismatches}


def test_a_wrong_line_is_found_in_all_that_is_made_of_it() -> None:
    t = Technique(Card(name="short-sighted", kernels=LINES._replace(rank=short_sighted_rank), **CARD))
    found = failures(t)
    assert {"rank", "rook", "queen"} <= set(found)
    assert not {"file", "bishop", "diagonal", "antidiagonal"} & set(found)
    first = found["rank"].first
    assert first is not None
    assert first.expected == geometry.attacks("rank", chess.parse_square(first.square), first.occupied)
    assert first.got != first.expected
    assert "expected 0x" in str(first)


def test_the_sliders_own_square_is_tried_set_and_clear() -> None:
    t = Technique(Card(name="sees-itself", kernels=LINES._replace(file=file_that_sees_itself), **CARD))
    assert "file" in failures(t)


def test_a_state_that_drifts_is_found() -> None:
    t = Technique(Card(name="forgetful", kernels=LINES, upkeep=Upkeep(toggle=forgetful_toggle), **CARD))
    assert set(failures(t)) == {"toggling"}


def test_a_fill_that_wraps_is_found() -> None:
    t = Technique(Card(name="leaky", kernels=Kernels(ray=kogge_stone.ray, fill=leaky_fill), **CARD))
    assert set(failures(t)) == {"fills"}


def test_the_misprinted_generalised_getter_is_wrong_on_positive_rays() -> None:
    """The wiki sets the direction's bit after the lowest blocker is isolated: bit 63 then wins every scan."""
    t = Technique(Card(name="misprinted", tables=misprinted_tables, kernels=Kernels(ray=misprinted_ray), **CARD))
    wrong = set(failures(t))
    assert {"north", "northeast", "east", "northwest"} <= wrong
    assert not {"south", "southwest", "west", "southeast"} & wrong


def test_tables_of_one_name_are_refused() -> None:
    """Numba's dispatcher could not tell them apart, and would answer for one with the other's machine code."""
    Technique(Card(name="twin", kernels=LINES, **CARD))
    with pytest.raises(TypeError, match="another technique's tables are named NoTables_twin"):
        Technique(Card(name="twin", kernels=LINES, **CARD))


def test_file_modulo_258_collides_off_the_a_file() -> None:
    def remainders(file_index: int) -> None:
        occupied, attacks = line_cases("file", file_index)
        place(np.zeros(258, U64), (occupied & file_mask(file_index)) % U64(258), attacks)

    remainders(0)
    for file_index in range(1, 8):
        with pytest.raises(DestructiveCollision):
            remainders(file_index)


def spoilt_tables() -> magic.Records:
    rook, bishop, attacks = (table.copy() for table in technique("magic-reduced").tables())
    attacks[np.flatnonzero(attacks)[-1]] ^= 1  # of the bishop on h8
    return magic.Records(rook, bishop, attacks)


def test_one_wrong_entry_is_found_without_compiling() -> None:
    good = verify.look_ups(technique("magic-reduced"))
    assert (good.cases, good.mismatches, good.first) == (4 * (1_048_576 + 71_168), 0, None)
    spoilt = Technique(replace(technique("magic-reduced").card, name="spoilt", tables=spoilt_tables))
    bad = verify.look_ups(spoilt)
    assert (bad.cases, bad.mismatches > 0) == (good.cases, True)
    assert bad.first is not None
    assert (bad.first.question, bad.first.square, bad.first.got ^ bad.first.expected) == ("bishop", "h8", 1)


def test_the_filler_refuses_a_bad_magic() -> None:
    from rookery.techniques._filler import fill
    from rookery.techniques.magic import Plain, hash_index, plain_tables

    t: Plain = plain_tables()

    def index(sq: Square, occupied: Bits, _: Any) -> Bits:
        return sq * U64(4096) + hash_index(occupied, t.rook_mask[sq], 1, t.rook_shift[sq])

    with pytest.raises(DestructiveCollision, match="rook on square"):
        fill(np.zeros(64 * 4096, U64), index, t, "rook")


# The oracle itself has a judge: python-chess.


def python_chess(mover: str, sq: int, occupied: int) -> int:
    parts = {
        "rank": chess.BB_RANK_ATTACKS[sq][chess.BB_RANK_MASKS[sq] & occupied],
        "file": chess.BB_FILE_ATTACKS[sq][chess.BB_FILE_MASKS[sq] & occupied],
        "both diagonals": chess.BB_DIAG_ATTACKS[sq][chess.BB_DIAG_MASKS[sq] & occupied],
    }
    movers = {"rook": parts["rank"] | parts["file"], "bishop": parts["both diagonals"]}
    return {**parts, **movers}[mover]


@pytest.mark.parametrize("mover", ["rank", "file", "rook", "bishop"])
def test_the_oracle_agrees_with_python_chess(mover: str) -> None:
    rng = np.random.default_rng(7)
    for occupied in np.bitwise_and(*rng.integers(0, 1 << 64, (2, 200), dtype=U64)).tolist():
        for sq in range(64):
            assert geometry.attacks(mover, sq, occupied) == python_chess(mover, sq, occupied)


def test_the_cases_are_all_the_subsets_of_the_rays() -> None:
    rook, bishop = verify.cases("rook"), verify.cases("bishop")
    assert (len(rook.squares), len(bishop.squares)) == (1_048_576, 71_168)
    for given in (rook, bishop):
        keys = np.stack([given.squares.astype(U64), given.occupied])
        assert np.unique(keys, axis=1).shape == keys.shape
        assert not np.any(given.occupied & ~given.rays)
    queen = verify.queen_cases()
    assert set(
        zip(queen.squares.tolist(), (queen.occupied & bishop_lines(queen.squares)).tolist(), strict=True)
    ) == set(zip(bishop.squares.tolist(), bishop.occupied.tolist(), strict=True))


def bishop_lines(squares: Any) -> Any:
    return np.array([geometry.attacks("bishop", sq, 0) for sq in range(64)], U64)[squares]


def test_noise_spares_the_rays_and_own_squares_come_both_ways() -> None:
    given = verify.cases("bishop")
    plain, own, noisy, noisy_own = verify.variants(given)
    own_bits = 1 << given.squares.astype(U64)
    assert np.array_equal(plain, given.occupied)
    assert np.array_equal(own, plain | own_bits)
    assert np.array_equal(noisy & given.rays, plain)
    assert not np.any(noisy & own_bits)
    assert np.mean(np.bitwise_count(noisy) > np.bitwise_count(plain) + 10) > 0.99
    assert np.array_equal(noisy_own, noisy | own_bits)


def test_results_tell_what_they_did() -> None:
    results = list(verify.verify([technique("pext")]))
    assert [r.check for r in results] == ["rook", "bishop", "queen", "one by one", "toggling"]
    assert all(r.technique == "pext" and r.cases > 0 for r in results)
