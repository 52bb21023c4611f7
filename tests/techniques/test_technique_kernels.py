"""The kernels of each technique, called by themselves with tables that are built anew, beside rays that are walked."""

import copy
import dataclasses
import functools
import json
import pickle
import random
from typing import Any, Final

import numpy as np
import pytest

from rookery import geometry
from rookery.bitboards.lines import LINES
from rookery.bitboards.squares import parse_direction
from rookery.rules.compiled import default_technique
from rookery.techniques import ALL, _filler, _magics, reduced, technique
from rookery.techniques.base import protocol
from rookery.techniques.base.card import Card, Needs, itself

U64 = np.uint64
SQUARES = range(64)
NAMES: Final = [t.name for t in ALL]
DIRECTIONS: Final = [direction for line in LINES.values() for direction in line]


@functools.cache
def boards_of(square: int) -> list[int]:
    """Return a few occupancies: empty, full, sparse and dense, with pieces next to the square and at the edges."""
    rng = random.Random(square)
    sparse = rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64)
    return [sparse, 0, (1 << 64) - 1, rng.getrandbits(64) & rng.getrandbits(64), 1 << square | 0xFF818181818181FF]


walked = functools.cache(geometry.ray)
expected = functools.cache(geometry.attacks)


def built_anew(name: str) -> Any:
    """Return tables of a technique that are built now, not those that it keeps."""
    t = technique(name)
    return t.tables_class._make(t.card.tables())


@pytest.mark.parametrize("name", NAMES)
def test_kernels_answer_as_rays_are_walked(name: str) -> None:
    t = technique(name)
    tables = built_anew(name)
    assert sum(table.nbytes for table in tables) == CARDS[name][1]
    questions = [question for question in t.offers if question in ("rook", "bishop", *LINES)]
    for square in SQUARES:
        for occupied in boards_of(square)[: 5 if square % 3 == 0 else 2]:
            state = t.prepare_kernel(U64(occupied), tables)
            for question in questions:
                answer = t.kernel_of(question)(square, state, tables)
                assert int(answer) == expected(question, square, occupied), (question, square, hex(occupied))


@pytest.mark.parametrize("name", NAMES)
def test_states_follow_pieces_that_come_and_go(name: str) -> None:
    t = technique(name)
    tables = t.tables()

    def words(state: Any) -> list[int]:
        return [int(word) for word in (state if isinstance(state, tuple) else [state])]

    for square in range(0, 64, 3):
        occupied = boards_of(square)[0]
        before = t.prepare_kernel(U64(occupied), tables)
        after = t.prepare_kernel(U64(occupied ^ 1 << square), tables)
        assert words(t.toggle_kernel(before, square, tables)) == words(after)
        assert words(t.toggle_kernel(after, square, tables)) == words(before)
        assert words(itself(before, tables)) == words(before)


@pytest.mark.parametrize("name", [name for name in NAMES if technique(name).card.kernels.ray])
def test_kernels_of_rays(name: str) -> None:
    t = technique(name)
    tables, ray = t.tables(), t.card.kernels.ray
    assert ray is not None
    for direction in DIRECTIONS:
        for square in SQUARES:
            occupied = boards_of(square)[square % 4]
            answer = ray(parse_direction(direction), square, U64(occupied), tables)
            assert int(answer) == walked(direction, square, occupied)


@pytest.mark.parametrize("name", [name for name in NAMES if technique(name).card.kernels.fill])
def test_kernels_of_fills(name: str) -> None:
    t = technique(name)
    rng = random.Random(name)
    for direction in DIRECTIONS:
        for _ in range(12):
            sliders = rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64)
            empty = rng.getrandbits(64) & ~sliders | rng.getrandbits(64) & ~sliders
            filled = sliders
            for square in SQUARES:
                if sliders >> square & 1:
                    filled |= walked(direction, square, ~empty & (1 << 64) - 1) & empty
            answer = t.fill_kernel(parse_direction(direction), U64(sliders), U64(empty), t.tables())
            assert int(answer) == filled


def test_the_filler_refuses_what_is_in_a_slot_already() -> None:
    table = np.zeros(4, U64)
    _filler.place(table, np.array([0, 0, 2]), np.array([5, 5, 7], U64))
    assert table.tolist() == [5, 0, 7, 0]
    _filler.place(table, np.array([2, 3]), np.array([7, 9], U64))
    assert table.tolist() == [5, 0, 7, 9]
    for indices, values in (([0], [6]), ([1, 1], [3, 4]), ([3, 0], [9, 4])):
        with pytest.raises(_filler.DestructiveCollision, match="two occupancies with different attacks share a slot"):
            _filler.place(table.copy(), np.array(indices), np.array(values, U64))


def test_names_that_are_near() -> None:
    for name, near in (
        ("magic", ["'magic-plain'", "'magic-fancy'"]),
        ("PEXT ", ["'pext'", "'split-pext'"]),
        ("kogge_stone", ["'kogge-stone'"]),
        ("rotated", ["'rotated-hyatt'", "'rotated-heinz'", "'rotated-compact'"]),
    ):
        try:
            technique(name)
        except ValueError as error:
            said = str(error)
        assert "did you mean" in said
        for one in near:
            assert said.count(one) == 1
        assert said.count(" or ") <= 5
    with pytest.raises(ValueError, match=r"the name that looks most like it is '.*'; known are rays, classical, "):
        technique("zzzzzz")


def test_questions_of_kernels_are_names() -> None:
    t = technique("rays")
    for wrong, said in ((7, "7"), (None, "None"), ("fill", "fill"), ("king", "king")):
        with pytest.raises(ValueError, match=f"^ask: technique 'rays' has no answer for a {said}$"):
            t.kernel_of(wrong)  # type: ignore[arg-type]


def test_ints_at_the_ends_and_beyond() -> None:
    t = technique("kindergarten")
    for square in (0, 63):
        for occupied in (0, (1 << 64) - 1):
            assert t.rook(square, occupied) == expected("rook", square, occupied)
    for square in (-1, 64):
        with pytest.raises(ValueError, match=rf"^square: {square} is off the board: expected 0 \(a1\) to 63 \(h8\)$"):
            t.rook(square, 0)
    for occupied in (-1, 1 << 64):
        with pytest.raises(ValueError, match=rf"^occupied: {occupied} is outside 0 to 2\*\*64 - 1$"):
            t.rook(0, occupied)


def test_arrays_of_each_shape() -> None:
    t = technique("kindergarten")
    squares, occupied = np.arange(12, dtype=np.int64), np.array([boards_of(square)[0] for square in range(12)], U64)
    answers = [expected("bishop", square, int(board)) for square, board in zip(squares, occupied, strict=True)]
    for shape in ((12,), (3, 4), (2, 3, 2), (12, 1)):
        for _ in range(2):  # the second call knows the code
            found = t.bishop(squares.reshape(shape), occupied.reshape(shape))
            assert isinstance(found, np.ndarray)
            assert found.shape == shape
            assert found.reshape(-1).tolist() == answers
    out = np.zeros(12, U64)
    assert t.bishop(squares, occupied, out) is out
    assert out.tolist() == answers
    assert t.bishop(squares[::-1], occupied[::-1]).tolist() == answers[::-1]
    for length in (1, 3):
        for _ in range(2):
            alone = np.full(length, 64)  # with no other square, whose bits would count too
            with pytest.raises(ValueError, match=r"^square\[0\]: 64 is off the board"):
                t.bishop(alone, np.zeros(length, U64))
            with pytest.raises(ValueError, match=r"^square\[0\]: 64 is off the board"):
                t.bishop(alone, np.zeros((2, length), U64)[:, ::-1])
    for wrong in (64, 127, -1):
        with pytest.raises(ValueError, match=rf"^square.*{wrong}"):
            t.bishop(np.array([0, wrong]), np.zeros(2, U64))


CARDS: Final = {  # year, bytes of tables, whether loops over arrays use gathers, and the instructions it needs
    "rays": (1967, 0, True, "nothing"),
    "classical": (1973, 4_096, True, "scan forward, scan reverse"),
    "classical-branchless": (2018, 4_096, False, "scan forward, scan reverse"),
    "classical-generalized": (2018, 4_096, True, "scan reverse"),
    "classical-generalized-branchless": (2018, 4_224, True, "scan reverse"),
    "classical-zero-count": (2018, 4_160, False, "scan forward, scan reverse"),
    "classical-one-run": (2018, 5_120, True, "scan forward, scan reverse"),
    "classical-sherwin": (2018, 9_216, False, "scan forward, scan reverse"),
    "dumb7fill": (2002, 0, True, "nothing"),
    "kogge-stone": (2002, 0, True, "nothing"),
    "exploding": (2006, 2_624, True, "multiply"),
    "hyperbola": (2007, 512, True, "byteswap"),
    "hyperbola-bitreverse": (2008, 0, True, "bitreverse"),
    "obstruction-difference": (2009, 0, True, "scan reverse"),
    "obstruction-difference-short": (2022, 0, True, "scan reverse"),
    "sbamg": (2016, 0, True, "scan reverse"),
    "slide-arithmetic": (2021, 0, True, "scan reverse"),
    "qbb": (2020, 0, True, "scan forward, scan reverse"),
    "first-rank-256": (2008, 2_048, True, "multiply"),
    "first-rank-64": (2008, 512, True, "multiply"),
    "titboards": (2006, 21_592, True, "multiply"),
    "dictionary": (2007, 692_352, False, "multiply"),
    "rotated-hyatt": (1995, 526_848, True, "nothing"),
    "rotated-heinz": (1997, 524_288, True, "nothing"),
    "rotated-hyatt-64": (1998, 133_632, True, "nothing"),
    "rotated-heinz-64": (1998, 131_072, True, "nothing"),
    "rotated-compact": (2008, 10_752, True, "nothing"),
    "kindergarten": (2006, 8_192, True, "multiply"),
    "kindergarten-split": (2007, 132_608, True, "multiply"),
    "congruent-modulo": (2008, 527_360, True, "modulo"),
    "congruent-modulo-dense": (2008, 84_800, True, "modulo"),
    "sherwin": (2020, 1_435_648, True, "nothing"),
    "sherwin-bytes": (2020, 1_435_648, True, "nothing"),
    "sissy": (2020, 1_049_600, True, "nothing"),
    "magic-plain": (2006, 2_362_368, True, "multiply"),
    "magic-fancy": (2007, 865_280, False, "multiply"),
    "magic-shared": (2006, 2_363_392, False, "multiply"),
    "magic-reduced": (2008, 726_528, False, "multiply"),
    "magic-fixed-shift": (2017, 628_624, False, "multiply"),
    "magic-index16": (2008, 270_000, False, "multiply"),
    "magic-byte": (2010, 163_392, False, "multiply"),
    "magic-folded-2": (2026, 318_208, True, "multiply, byteswap"),
    "magic-folded-4": (2026, 157_056, True, "multiply, byteswap"),
    "magic-folded-8": (2026, 89_344, True, "multiply, byteswap"),
    "magic-black": (2010, 593_664, False, "multiply"),
    "pext": (2013, 863_232, True, "pext"),
    "pext-pdep16": (2013, 218_368, False, "pext, pdep"),
    "split-pext": (2023, 132_608, True, "pext"),
    "pext-line-pdep": (2016, 3_072, True, "pext, pdep"),
    "ray-space": (2026, 2_048, True, "bitreverse, pext, pdep"),
}


YEARS_OF_VARIANTS: Final = {
    "tinker": 2000,
    "blockers-and-beyond": 2014,
    "shifted-bitboards": 2002,
    "avx-shift": 2022,
    "set-wise-gfni": 2026,
    "fill-by-subtraction": 2018,
    "hyperbola-no-double": 2026,
    "hyperbola-dual": 2026,
    "reverse-bitboards": 2000,
    "bitrotation": 2022,
    "galois-field": 2023,
    "leorik": 2022,
    "a-b-bitboards": 2015,
    "cfish-avx2": 2020,
    "genetic-8-ray": 2022,
    "genetic-qbb": 2022,
    "switch": 2018,
    "rotated-indices": 1997,
    "sse2-movemask": 2018,
    "folding-hash": 2022,
    "spectral-magic": 2023,
    "hypercube": 2021,
}


@pytest.mark.parametrize("name", NAMES)
def test_what_cards_say(name: str) -> None:
    t = technique(name)
    assert (t.year, t.table_bytes, t.card.gathers, str(t.needs)) == CARDS[name]
    for variant in t.card.variants:
        assert variant.year == YEARS_OF_VARIANTS[variant.name]
        assert technique(variant.name) is t
    assert int(t.kernel_of("rook")(0, t.prepare_kernel(U64(0x10100), t.tables()), t.tables())) == 0x1FE
    assert t.loop is (protocol.answer_arrays if t.card.gathers else protocol.answer_arrays_one_by_one)


def test_a_card_names_the_module_that_makes_it() -> None:
    card = technique("rays").card
    assert card.module == "rookery.techniques.rays"
    fields: dict[str, Any] = {
        "name": "mine",
        "summary": "s",
        "authors": ("a",),
        "year": 1,
        "source": "s",
        "kernels": card.kernels,
    }
    assert Card(**fields).module == __name__
    assert dataclasses.replace(card, name="mine").module == __name__
    assert copy.copy(card).module == "rookery.techniques.rays"
    assert (str(Needs.NOTHING), str(Needs.PEXT | Needs.BYTESWAP)) == ("nothing", "byteswap, pext")


def test_one_technique_is_pickled_by_its_name() -> None:
    t = technique("rays")
    assert reduced(t) == (technique, ("rays",))
    assert pickle.loads(pickle.dumps(t)) is t
    with pytest.raises(pickle.PicklingError, match=r"^technique '.*' is not part of rookery: only its own can be"):
        reduced(default_technique())


RECORD: Final[dict[str, Any]] = {"piece": "rook", "square": "a1", "magic": "0x1f", "bits": 12, "seed": 0, "tries": 0}


def read(**changes: Any) -> tuple[_magics.Factor, ...]:
    rows = [{**RECORD, **changes}]
    return _magics.read_factors("mine.json", json.dumps({"finder": "me", "factors": rows}).encode())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("piece", "bishop"),
        ("square", "h8"),
        ("magic", "0x0"),
        ("magic", "0xffffffffffffffff"),
        ("bits", 1),
        ("bits", 24),
        ("seed", 2**64 - 1),
        ("tries", 0),
        ("tries", 1),
        ("tries", 2**64 - 1),
    ],
)
def test_records_of_factors(name: str, value: Any) -> None:
    (found,) = read(**{name: value})
    expected_value = int(value, 16) if name == "magic" else value
    assert found == _magics.Factor(**{**RECORD, "magic": 31, name: expected_value})


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("piece", "queen", "expected rook or bishop"),
        ("square", "a9", "expected a name from a1 to h8"),
        ("magic", "0x", "expected 0x and up to 16 hexadecimal digits"),
        ("magic", "0x10000000000000000", "expected 0x and up to 16 hexadecimal digits"),
        ("magic", 31, "expected 0x and up to 16 hexadecimal digits"),
        ("bits", 0, "expected an integer from 1 to 24"),
        ("bits", 25, "expected an integer from 1 to 24"),
        ("bits", True, "expected an integer from 1 to 24"),
        ("seed", -1, "expected an integer from 0 to 18,446,744,073,709,551,615"),
        ("seed", 2**64, "expected an integer from 0 to 18,446,744,073,709,551,615"),
        ("tries", -1, "expected an integer from 0 to 18,446,744,073,709,551,615"),
        ("tries", 2**64, "expected an integer from 0 to 18,446,744,073,709,551,615"),
    ],
)
def test_records_that_are_refused(name: str, value: Any, said: str) -> None:
    with pytest.raises(ValueError, match=f"^mine.json: record 1: {name}: {value!r}: {said}$"):
        read(**{name: value})


def test_documents_that_are_refused() -> None:
    for data, said in (
        (b"[]", "expected an object with a list of records"),
        (b"{", "not a JSON document"),
        (b'{"finder": 5, "factors": []}', "finder: 5: expected a text"),
        (b'{"finder": "me"}', "expected a list of records"),
        (b'{"finder": "me", "factors": [5]}', "record 1: 5: expected piece, square, magic, bits, seed, tries"),
    ):
        with pytest.raises(ValueError, match=f"^mine.json: {said}"):
            _magics.read_factors("mine.json", data)
    with pytest.raises(ValueError, match=r"^mine.json: record 1: .*: expected piece, square, magic, bits"):
        read(colour="white")
    assert _magics.read_factors("mine.json", b'{"finder": "me", "factors": []}') == ()
