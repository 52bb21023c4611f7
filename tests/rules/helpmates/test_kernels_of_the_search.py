"""Kernels of the search for a helpmate, each called by itself in plain Python: steps, prices, buckets and nodes."""

import chess
import numpy as np
import pytest

from kernel_positions import TABLES, move_word, plain, position_of
from rookery.rules.helpmates import search
from rookery.rules.helpmates.possibility import IMPOSSIBLE, POSSIBLE, UNKNOWN
from rookery.rules.helpmates.space import ANSWER, DONE, EXPANDED, FOUND, GREEDY, HIGHEST, LEAST, SIZE, Space, new_space

PROGRESS, USUAL, HARMFUL = range(3)
NEAR_H8, NEAR_A8 = 0, 4


@pytest.mark.parametrize(
    ("fen", "uci", "near_h8", "near_a8"),
    [
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a3", PROGRESS, PROGRESS),
        ("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1", "e4d5", PROGRESS, PROGRESS),
        ("4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1", "d1d5", PROGRESS, PROGRESS),
        ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d5", USUAL, USUAL),
        ("4k3/8/8/8/8/8/8/3BK3 w - - 0 1", "d1a4", USUAL, USUAL),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2", PROGRESS, PROGRESS),
        ("4k3/8/8/4K3/8/8/8/8 w - - 0 1", "e5f6", PROGRESS, USUAL),
        ("4k3/8/8/4K3/8/8/8/8 w - - 0 1", "e5d6", USUAL, PROGRESS),
        ("4k3/8/8/4K3/8/8/8/8 w - - 0 1", "e5e4", USUAL, USUAL),
        ("8/8/8/4k3/8/8/8/4K3 b - - 0 1", "e5d6", USUAL, PROGRESS),
        ("8/8/8/4k3/8/8/8/4K3 b - - 0 1", "e5f6", PROGRESS, USUAL),
        ("8/8/8/4k3/8/8/8/4K3 b - - 0 1", "e5f5", USUAL, USUAL),
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "a1b3", PROGRESS, USUAL),
        ("4k3/8/8/4N3/8/8/8/4K3 w - - 0 1", "e5g4", USUAL, PROGRESS),
        ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", "e4g3", USUAL, USUAL),
        ("4k3/8/8/8/8/8/8/n3K3 b - - 0 1", "a1b3", PROGRESS, PROGRESS),
        ("4k3/p7/8/8/8/8/8/4K3 b - - 0 1", "a7a6", USUAL, USUAL),
        ("4k3/8/8/3p4/4R3/8/8/4K3 b - - 0 1", "d5e4", HARMFUL, HARMFUL),
        ("4k3/8/8/3q4/8/8/8/3QK3 b - - 0 1", "d5d1", HARMFUL, HARMFUL),
        ("4k3/8/8/8/8/8/5k2/4RK2 b - - 0 1", "f2e1", HARMFUL, HARMFUL),
    ],
)
def test_what_a_move_brings(fen: str, uci: str, near_h8: int, near_a8: int) -> None:
    board = chess.Board(fen)
    p, word = position_of(board), move_word(board, chess.Move.from_uci(uci))
    step = plain(search.step_of)
    assert [int(step(p, word, NEAR_H8)), int(step(p, word, NEAR_A8))] == [near_h8, near_a8]


def test_what_a_move_costs() -> None:
    price = plain(search.price)
    costs = {(step, after): int(price(step, after)) for step in (PROGRESS, USUAL, HARMFUL) for after in (0, 1)}
    assert costs == {(PROGRESS, 0): 0, (PROGRESS, 1): 0, (USUAL, 0): 1, (USUAL, 1): 0, (HARMFUL, 0): 4, (HARMFUL, 1): 4}


@pytest.mark.parametrize(
    ("fen", "far"),
    [
        ("7k/8/8/8/8/8/8/K6R b - - 0 1", 4 * 2),  # g8 and g7 are free
        ("7k/8/8/8/8/8/8/K5RR b - - 0 1", 0),
        ("7k/6pp/8/8/8/8/8/K6R w - - 0 1", 4 * 1),  # g8, for its pawns take it the others
        ("7k/8/8/8/8/8/8/KN6 b - - 0 1", 4 * 3 + 4 * 2),  # white has neither a rook nor a pawn
        ("7k/8/8/8/8/P7/8/K7 b - - 0 1", 4 * 3 + 4 * 5),  # the pawn has five ranks to go
        ("7k/8/P7/8/8/P7/8/K7 w - - 0 1", 4 * 3 + 4 * 2),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", 4 * 3 + 4 * 1),
        ("7k/8/5K2/8/8/8/8/Q7 b - - 0 1", 4 * 2),
        ("8/8/8/3k4/8/8/8/K6R w - - 0 1", 4 * 8),
    ],
)
def test_how_far_a_mate_seems(fen: str, far: int) -> None:
    board = chess.Board(fen)
    assert int(plain(search.remoteness)(position_of(board), TABLES)) == far


def nodes_of(space: Space, bucket: int) -> list[int]:
    """Return the nodes that wait in a bucket, first to last."""
    found, n = [], int(space.heads[bucket])
    while n:
        found.append(n - 1)
        n = int(space.nodes[n - 1, 4]) >> 32
    return found


def test_nodes_wait_in_the_bucket_of_their_cost() -> None:
    work, push, swap = new_space(8), plain(search.push), plain(search.swap_first)
    work.nodes[:] = 0
    for n, cost in ((0, 3), (1, 3), (2, 0), (3, 3), (4, 5000), (5, 4095)):
        push(work, n, cost)
    assert [nodes_of(work, bucket) for bucket in (0, 3, 4095)] == [[2], [3, 1, 0], [5, 4]]
    assert [int(work.nodes[n, 4]) >> 8 & 0xFFF for n in range(6)] == [3, 3, 0, 3, 4095, 4095]
    assert int(work.state[HIGHEST]) == 4095
    swap(work, 3, 1)
    assert nodes_of(work, 3) == [1, 3, 0]
    swap(work, 1, 0)  # 0 does not follow 1
    assert nodes_of(work, 3) == [1, 3, 0]
    assert [int(work.nodes[n, 4]) & 0xFF for n in range(6)] == [0] * 6


def test_a_greedy_search_goes_back_to_lower_costs() -> None:
    work, push = new_space(4), plain(search.push)
    work.nodes[:] = 0
    for greedy, least in ((0, 7), (1, 2)):
        work.state[:] = 0
        work.state[LEAST], work.state[GREEDY] = 7, greedy
        push(work, 0, 2)
        assert int(work.state[LEAST]) == least
        assert int(work.state[HIGHEST]) == 2
        push(work, 1, 9)
        assert int(work.state[LEAST]) == least


def searched(fen: str, limit: int, steps: int, greedy: int = 0) -> Space:
    work = new_space(limit)
    p = position_of(chess.Board(fen))
    plain(search.begin)(p, greedy, work, TABLES)
    plain(search.proceed)(work, steps, TABLES)
    return work


MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
FEW_MOVES = "k1K5/P7/8/8/8/8/8/8 b - - 0 1"  # stalemate


def test_the_state_of_a_search() -> None:
    begun = searched(MATE_IN_ONE, 10, 0)
    assert [int(begun.state[i]) for i in (SIZE, DONE, EXPANDED, ANSWER)] == [1, 0, 0, IMPOSSIBLE]
    found = searched(MATE_IN_ONE, 10, 1)
    assert [int(found.state[i]) for i in (SIZE, FOUND, DONE, ANSWER)] == [2, 1, 1, POSSIBLE]
    full = searched("8/8/8/8/8/8/1k6/3K3R b - - 0 1", 3, 100)
    assert [int(full.state[i]) for i in (SIZE, DONE, ANSWER)] == [4, 1, UNKNOWN]
    over = searched(FEW_MOVES, 10, 100)
    assert [int(over.state[i]) for i in (SIZE, DONE, ANSWER)] == [1, 1, IMPOSSIBLE]
    mate = searched("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", 10, 0)
    assert [int(mate.state[i]) for i in (SIZE, FOUND, DONE, ANSWER)] == [1, 0, 1, POSSIBLE]


@pytest.mark.parametrize("greedy", [0, 1])
def test_a_search_of_all_positions_sees_each_once(greedy: int) -> None:
    fen = "8/8/8/8/8/1k6/p7/K7 w - - 0 1"
    work = searched(fen, 30, 30, greedy)
    size = int(work.state[SIZE])
    keys = {(*map(int, work.nodes[n, :4]), int(work.nodes[n, 4]) & 1) for n in range(size)}
    assert len(keys) == size
    assert np.count_nonzero(work.slots) == size
    plain(search.forget)(work)
    assert not work.slots.any()
    assert not work.heads.any()


@pytest.mark.parametrize(
    ("fen", "mated"),
    [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", True),
        ("R5k1/5pp1/8/8/8/8/8/4K3 b - - 0 1", False),
        ("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", False),
        ("4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1", False),  # it is white who is mated
    ],
)
def test_only_black_is_mated(fen: str, mated: bool) -> None:
    assert bool(plain(search.is_mated)(position_of(chess.Board(fen)), new_space(1), TABLES)) is mated
