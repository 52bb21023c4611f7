"""The kernels of each technique, called by themselves with tables that are built anew, beside rays that are walked."""

import functools
import random
from typing import Any, Final

import numpy as np
import pytest

from rookery import geometry
from rookery.bitboards.lines import LINES
from rookery.bitboards.squares import parse_direction
from rookery.techniques import ALL, _filler, technique
from rookery.techniques.base.card import itself

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
    for wrong in (64, 127, -1):
        with pytest.raises(ValueError, match=rf"^square.*{wrong}"):
            t.bishop(np.array([0, wrong]), np.zeros(2, U64))
