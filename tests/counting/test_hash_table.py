"""The hash table of perft: what it answers, what a torn entry is, and many threads at once."""

import threading
from typing import Any

import numpy as np
import pytest

from corpus import corpus
from rookery.board.board import Board
from rookery.counting.hash_table import enter, look_up
from rookery.counting.visitors import UNKNOWN, table
from rookery.kernel import U64, entry
from rookery.rules.compiled import default_technique
from rookery.rules.constants import WORDS
from rookery.rules.position import prepared


@entry
def remember(words: Any, row: Any, depth: Any, leaves: Any, t: Any) -> None:
    enter(words, prepared(row, t), depth, leaves, t)


@entry
def recall(words: Any, row: Any, depth: Any, t: Any) -> Any:
    return look_up(words, prepared(row, t), depth, t)


@pytest.mark.parametrize("number", [500, 40])
def test_a_table_returns_what_was_stored_and_nothing_else(number: int) -> None:
    t = default_technique().tables()
    words = table(1)
    assert words.size * 8 == 2**20
    boards = corpus(number)
    for i, board in enumerate(boards):
        remember(words, board.words(), U64(3 + i % 5), U64(i), t)
    known = {(board.words()[:WORDS].tobytes(), 3 + i % 5): i for i, board in enumerate(boards)}
    for board in boards:
        for depth in range(3, 9):
            expected = known.get((board.words().tobytes(), depth), UNKNOWN)
            assert recall(words, board.words(), U64(depth), t) == expected


def test_a_torn_entry_counts_as_none() -> None:
    t = default_technique().tables()
    words = np.zeros(8, np.uint64)
    row = Board().words()
    remember(words, row, U64(3), U64(8902), t)
    assert recall(words, row, U64(3), t) == 8902
    (data,) = np.flatnonzero(words)[1:]
    words[data] ^= 1  # as if another thread's data had come between
    assert recall(words, row, U64(3), t) == UNKNOWN


def test_en_passant_squares_count_where_a_pawn_may_take() -> None:
    t = default_technique().tables()
    words = table(1)
    plain, jumped = Board("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"), Board("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")
    remember(words, plain.words(), U64(4), U64(7), t)
    assert recall(words, jumped.words(), U64(4), t) == 7
    beside = Board("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), Board("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1")
    remember(words, beside[0].words(), U64(4), U64(7), t)
    assert recall(words, beside[1].words(), U64(4), t) == UNKNOWN


def entries(words: Any) -> list[int]:
    """Return the depths of the entries of a table of one bucket, sorted."""
    return sorted(int(data) >> 58 for data in words[1::2])


def test_the_entry_with_the_least_depth_is_replaced() -> None:
    t = default_technique().tables()
    words = np.zeros(8, np.uint64)
    rows = [board.words() for board in corpus(6, seed=3)]
    for row, depth in zip(rows, (9, 4, 6, 8, 5, 7), strict=True):
        remember(words, row, U64(depth), U64(depth * 100), t)
    assert entries(words) == [6, 7, 8, 9]  # 5 replaced 4, and 7 replaced 5
    kept = [recall(words, row, U64(depth), t) for row, depth in zip(rows, (9, 4, 6, 8, 5, 7), strict=True)]
    assert kept == [900, UNKNOWN, 600, 800, UNKNOWN, 700]


def test_an_entry_is_replaced_by_the_same_position_at_the_same_depth() -> None:
    t = default_technique().tables()
    words = np.zeros(8, np.uint64)
    first, second = (board.words() for board in corpus(2, seed=3))
    remember(words, first, U64(9), U64(1), t)
    remember(words, second, U64(3), U64(2), t)
    remember(words, first, U64(9), U64(7), t)
    assert recall(words, first, U64(9), t) == 7
    assert recall(words, second, U64(3), t) == 2
    assert entries(words) == [0, 0, 3, 9]


@pytest.mark.parametrize(("leaves", "kept"), [((1 << 58) - 1, (1 << 58) - 1), (1 << 58, UNKNOWN)])
def test_counts_of_58_bits_are_stored_and_greater_ones_are_not(leaves: int, kept: int) -> None:
    t = default_technique().tables()
    words = np.zeros(8, np.uint64)
    remember(words, Board().words(), U64(5), U64(leaves), t)
    assert recall(words, Board().words(), U64(5), t) == kept


@pytest.mark.parametrize(
    ("megabytes", "words"), [(0, 0), (1, 2**17), (2, 2**18), (3, 2**18), (4, 2**19), (5, 2**19), (8, 2**20)]
)
def test_a_table_is_a_power_of_two_of_whole_cache_lines(megabytes: int, words: int) -> None:
    found = table(megabytes)
    assert found.size == words
    assert not found.any()
    assert not words or found.ctypes.data % 64 == 0


@pytest.mark.compiler
def test_threads_hammering_one_bucket_never_read_what_none_wrote() -> None:
    """The lock-less table under fire: each thread enters its own counts of shared positions, and recalls them all."""
    t = default_technique().tables()
    words = np.zeros(8, np.uint64)
    boards = corpus(12, seed=3)
    wrong: list[tuple[int, int]] = []

    def fire(thread: int) -> None:
        for round_ in range(4000):
            for i, board in enumerate(boards):
                remember(words, board.words(), U64(3 + round_ % 3), U64(i << 20 | thread), t)
                for depth in (3, 4, 5):
                    found = recall(words, board.words(), U64(depth), t)
                    if found != UNKNOWN and (int(found) >> 20 != i or int(found) & 0xFFFFF > 3):
                        wrong.append((i, int(found)))

    threads = [threading.Thread(target=fire, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
