"""Keys are those of boards, and positions are the same if boards say so, whatever their keys."""

import random
from typing import Any

import chess
import chess.polyglot
import numpy as np
import pytest

from corpus import EDGES, STRANGE, corpus, random_game
from rookery.board.board import Board
from rookery.positions import keys as key_loops
from rookery.positions.positions import Positions
from rookery.rules.notation.start import START
from scattered import FAMILIES, scattered
from thinning import few

# Once the square counts, and once it does not: no pawn, a pinned one, a king in check from elsewhere.
EN_PASSANT = (
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1",
    "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1",
)


def all_kinds(n: int) -> Positions:
    odd = [Board.unchecked(fen) for fen in (*EDGES, *STRANGE, *EN_PASSANT)]
    parts = [scattered(family, n // 10, 50 + i) for i, family in enumerate(FAMILIES.values())]
    return Positions.concatenate([Positions.from_boards([*odd, *corpus(n)]), *parts])


def test_keys_are_those_of_boards() -> None:
    p = all_kinds(20_000)
    keys = p.keys()
    assert keys.dtype == np.uint64
    assert keys.tolist() == [board.key for board in p]
    assert len(np.unique(keys)) > 15_000


def splitmix(n: int) -> int:
    """Return the n-th word of SplitMix64 (Steele, Lea, Flood 2014) from the seed "rookery"."""
    z = (int.from_bytes(b"rookery") + (n + 1) * 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def test_keys_are_those_of_python_chess_for_our_random_words() -> None:
    """python-chess' hasher gets our words in Polyglot's order, which has black pieces first and white to move."""
    words = [
        splitmix(64 * (kind + 6 * (not white)) + square)
        for kind in range(6)
        for white in (0, 1)
        for square in range(64)
    ]
    words += [splitmix(12 * 64 + square) for square in (chess.H1, chess.A1, chess.H8, chess.A8)]
    words += [splitmix(13 * 64 + file) for file in range(8)] + [splitmix(13 * 64 + 8)]
    hasher = chess.polyglot.ZobristHasher(words)
    rng, boards = random.Random(5), []
    for _ in range(40):
        board = chess.Board()
        for _ in range(100):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
            boards.append(board.copy(stack=False))
    boards += [chess.Board(fen) for fen in EN_PASSANT]
    expected = []
    for board in boards:
        board.ep_square = board.ep_square if board.has_legal_en_passant() else None
        expected.append(hasher(board) ^ words[-1])
    order = rng.sample(range(len(boards)), len(boards))
    p = Positions.from_fens([board.fen(en_passant="fen") for board in boards])
    assert p.keys().tolist() == expected
    assert p[order].keys().tolist() == [expected[i] for i in order]
    assert sum(board.ep_square is not None for board in boards) > 20


@pytest.mark.parametrize("n", [1, 31, 32, 33, 95])
def test_keys_of_any_number_of_positions(n: int) -> None:
    p = Positions.from_boards(list(all_kinds(400))[:n])
    out = np.full(n + 2, 7, np.uint64)
    p.keys(out=out[1:-1])
    assert out.tolist() == [7, *[board.key for board in p], 7]


def test_keys_follow_a_game() -> None:
    """What a board adds to its key move by move is what the loop finds from nothing."""
    rng = random.Random(9)
    for chess960 in (False, True):
        board = Board(chess.Board.from_chess960_pos(rng.randrange(960)).fen()) if chess960 else Board()
        keys, seen = [], random_game(rng, board, 0)
        for _ in range(150):
            moves = board.generate_legal_moves()
            if not moves:
                break
            board.push(rng.choice(moves))
            keys.append(board.key)
            seen.append(board.copy())
        assert Positions.from_boards(seen).keys().tolist() == keys


def test_key_of_no_position_and_of_none() -> None:
    assert Positions.from_fens([START, "bad"], errors="mark").keys().tolist() == [Board().key, None]
    assert Positions.from_boards([Board(None)]).keys().tolist() == [Board(None).key]
    assert Positions.from_fens([]).keys().shape == (0,)
    p = all_kinds(5000)
    out = np.empty(len(p), np.uint64)
    assert p.keys(out=out, threads=3) is out
    assert np.array_equal(out, p.keys())


def same(a: Board, b: Board) -> bool:
    """By the definition."""
    placement = a.placement == b.placement and a.turn == b.turn and a.castling_rights == b.castling_rights
    squares = [board.ep_square if board.has_legal_en_passant() else None for board in (a, b)]
    return placement and squares[0] == squares[1]


def with_repetitions(seed: int) -> Positions:
    """Positions many of which come again: with other counters, other squares that no pawn may take on, as Chess960."""
    rng = np.random.default_rng(seed)
    boards = [Board.unchecked(fen) for fen in (*EDGES, *STRANGE, *EN_PASSANT)]
    p = Positions.from_boards(boards)[rng.integers(0, len(boards), 3000)]
    p.columns.state[:] ^= rng.integers(0, 2, 3000).astype(np.uint64) << np.uint64(1)
    p.columns.state[:] ^= rng.integers(0, 2, 3000).astype(np.uint64) << np.uint64(4)
    return p


@pytest.mark.parametrize("bits", [64, 3, 0])
@pytest.mark.parametrize("counters", few([False, True], 1))
def test_unique_is_exact(counters: bool, bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With keys of three bits, or none, nearly all positions have the key of others."""
    exact = key_loops.keys

    def coarse(*operands: Any) -> None:
        exact(*operands)
        operands[2][:] &= np.uint64((1 << bits) - 1)

    monkeypatch.setattr(key_loops, "keys", coarse)
    p = with_repetitions(bits)
    boards = list(p)
    expected: list[int] = []
    inverse = []
    for i, board in enumerate(boards):
        for j, first in enumerate(expected):
            if (board == boards[first]) if counters else same(board, boards[first]):
                inverse.append(j)
                break
        else:
            inverse.append(len(expected))
            expected.append(i)
    counts = np.bincount(inverse).tolist()
    different, index, back, number = p.unique(
        return_index=True, return_inverse=True, return_counts=True, counters=counters
    )
    assert index.tolist() == expected
    assert back.tolist() == inverse
    assert number.tolist() == counts
    assert different == p[index]
    assert different == p.unique(counters=counters)
    assert len(expected) > (len(EDGES) if not counters else 2 * len(EDGES))
    assert max(counts) > 1


def test_unique_returns_what_is_requested() -> None:
    p = with_repetitions(5)
    different, index, inverse, counts = p.unique(return_index=True, return_inverse=True, return_counts=True)
    assert (index.dtype, inverse.dtype, counts.dtype) == (np.int64, np.int64, np.int64)  # type: ignore[comparison-overlap]
    for names in ([], ["return_index"], ["return_counts"], ["return_inverse", "return_counts"]):
        answer = p.unique(**dict.fromkeys(names, True))  # type: ignore[call-overload]
        expected = {"return_index": index, "return_inverse": inverse, "return_counts": counts}
        if not names:
            assert answer == different
            continue
        assert answer[0] == different
        assert len(answer) == 1 + len(names)
        for numbers, name in zip(answer[1:], names, strict=True):
            assert np.array_equal(numbers, expected[name])
    assert np.array_equal(different[inverse].keys(), p.keys())
    assert len(different) == len(np.unique(p.keys()))
    assert p.unique(threads=3) == different


def test_unique_of_none_one_and_of_bad_lines() -> None:
    nothing = Positions.from_fens([]).unique(return_index=True, return_inverse=True, return_counts=True)
    assert [len(part) for part in nothing] == [0, 0, 0, 0]
    assert Positions.from_fens([START]).unique() == Positions.from_fens([START])
    empty = "8/8/8/8/8/8/8/8 w - - 0 1"
    p = Positions.from_fens([empty, "bad", START, "worse", empty], errors="mark")
    different, counts = p.unique(return_counts=True)
    assert different.marked.tolist() == [False, True, False]  # a bad line is no empty board
    assert counts.tolist() == [2, 2, 1]


def test_unique_of_many_is_that_of_their_keys() -> None:
    p = all_kinds(50_000)
    p = Positions.concatenate([p, p[::-1], p[::3]])
    different, inverse, counts = p.unique(return_inverse=True, return_counts=True)
    _, first, back, number = np.unique(p.keys(), return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first)
    assert different == p[first[order]]
    assert np.array_equal(counts, number[order])
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    assert np.array_equal(inverse, rank[back])


PASSING = [
    "7k/8/8/K1pP3r/8/8/8/8 w - c6 0 1",  # the capture would leave the king in check
    "7k/8/8/2pP3r/8/8/8/K7 w - c6 0 1",
    "7k/8/8/2p4r/8/8/8/K7 w - c6 0 1",
    "3r3k/8/8/2pP4/8/8/8/3K4 w - c6 0 1",  # pinned on its file
    "7k/8/8/2pP4/8/8/6b1/7K w - c6 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 2",
]


def test_positions_are_equal_as_boards_are() -> None:
    fens = PASSING + [fen.replace(" c6 ", " - ").replace(" e6 ", " - ") for fen in PASSING]
    fens += ["7k/8/8/2p4r/8/8/8/K7 w - - 1 1", "7k/8/8/2p4r/8/8/8/K7 w - - 0 2", "7k/8/8/2p4r/8/8/8/K7 b - - 0 1"]
    boards = [Board(fen) for fen in fens]
    for a in boards:
        for b in boards:
            one, other = Positions.from_boards([boards[0], a]), Positions.from_boards([boards[0], b])
            assert (one == other) == (a == b), (a, b)
            assert (len(Positions.concatenate([one[1:], other[1:]]).unique(counters=True)) == 1) == (a == b), (a, b)
            theirs = [chess.Board(board.fen(en_passant="fen")) for board in (a, b)]
            assert (a == b) == (theirs[0] == theirs[1])
    positions = Positions.from_boards(boards)
    assert positions != positions[:-1]
    assert positions != positions[::-1]
    assert positions == positions.copy()


def test_a_round_trip_through_fens_is_equal() -> None:
    starts = Positions.from_boards([Board(), Board.from_chess960_pos(7), *map(Board, PASSING)] * 500)
    for seed in range(4):
        p = Positions(starts.rollouts(seed, max_plies=5 + 20 * seed).final.columns)
        for en_passant in ("legal", "fen", "xfen"):
            assert Positions.from_fens(p.to_fens(en_passant=en_passant)) == p
        assert any(p.columns.en_passant != Positions.from_fens(p.to_fens()).columns.en_passant)


def test_bad_lines_equal_bad_lines_only() -> None:
    p = Positions.from_fens([PASSING[0], "x", PASSING[1]], errors="mark")
    assert p == Positions.from_fens([PASSING[0], "y", PASSING[1]], errors="mark")
    assert p != Positions.from_fens([PASSING[0], PASSING[0], PASSING[1]])
