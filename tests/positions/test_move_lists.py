"""Lists of moves: their words against published digests, and the indices of legal moves against formulas."""

import hashlib
from typing import Final, get_args

import chess
import numpy as np
import pytest

from corpus import corpus
from rookery import Positions
from rookery.aliases import PolicyLayout
from rookery.positions.features import move_lists

LISTS: Final[tuple[PolicyLayout, ...]] = get_args(PolicyLayout)
OTHERS: Final = [name for name in LISTS if name not in ("alphazero", "leela")]  # see test_policy.py

# SHA-256 of the words, joined by line ends.
DIGESTS: Final = {
    "leela": "4a901f49851725496e39e34648dd58f240950fa6b72a0bbf6b2816b9af767cc7",
    "uci": "0c85cec259a31318539a7171623ab73b01e25cd6d71fd43475e54d6e14f02e09",
    "maia2": "35df6667cd1fed1747a4b52b3f76a4662e7241c827d01980e14a88cd60cd4e40",
    "maia3": "76faf28929858b20379ef3c34009bddf6c329872fd95e0a8c857c4ec39d3284d",
}
SIZES: Final = {"openspiel": 4674, "pgx": 4672, "lczero": 4672, "gym-chess": 4672, "pawn": 1980}


@pytest.mark.parametrize("name", DIGESTS)
def test_words_have_the_published_digest(name: str) -> None:
    words = move_lists.move_list(name).texts
    assert hashlib.sha256("\n".join(words).encode()).hexdigest() == DIGESTS[name]


def test_every_list_has_its_size() -> None:
    assert {name: move_lists.move_list(name).size for name in SIZES} == SIZES
    assert move_lists.move_list("pawn").texts[:1968] == move_lists.move_list("uci").texts
    assert move_lists.move_list("pawn").meaning(1969) == "white mates"
    assert move_lists.move_list("openspiel").meaning(4672) == "O-O-O"


# The formulas, with files to the right and ranks up as the mover sees them.

CLOCKWISE: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
LEAPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
LEAPS_BY_FILE: Final = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (2, -1), (2, 1), (1, -2), (1, 2))
PIECES: Final = {"n": chess.KNIGHT, "b": chess.BISHOP, "r": chess.ROOK, "q": chess.QUEEN}


def rays(x: int, y: int) -> tuple[tuple[int, int], int]:
    distance = max(abs(x), abs(y))
    return (x // distance, y // distance), distance


def clockwise(x: int, y: int, promotion: int | None, pieces: str) -> int:
    """The kind of a step in gym-chess and in Leela's training."""
    if promotion and promotion in [PIECES[p] for p in pieces]:
        return 64 + 3 * (x + 1) + [PIECES[p] for p in pieces].index(promotion)
    if (x, y) in LEAPS:
        return 56 + LEAPS.index((x, y))
    way, distance = rays(x, y)
    return 7 * CLOCKWISE.index(way) + distance - 1


def by_distance(x: int, y: int, promotion: int | None, pgx: bool) -> int:
    """The kind of a step in OpenSpiel and pgx."""
    if promotion in (chess.ROOK, chess.BISHOP, chess.KNIGHT):
        return 3 * [chess.ROOK, chess.BISHOP, chess.KNIGHT].index(promotion) + [0, 1, -1].index(x)
    if (x, y) in LEAPS_BY_FILE:
        return 65 + LEAPS_BY_FILE.index((x, y))
    (right, up), distance = rays(x, y)
    if pgx:
        far = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, 1), (-1, 1), (1, -1)].index((right, up))
        return 9 + 7 * far + (7 - distance if far % 2 == 0 else distance - 1)
    line = [(0, 1), (1, 0), (1, 1), (1, -1)].index((0, 1) if not right else (1, right * up))
    signed = distance * (right or up)
    return 9 + 14 * line + (signed + 7 if signed < 0 else signed + 6)


def index_of(name: str, board: chess.Board, move: chess.Move) -> int:
    """The index of a legal move of a board that writes castling as king takes rook."""
    castles, turn = board.is_castling(move), 0 if board.turn else {"gym-chess": 63, "uci": 0, "pawn": 0}.get(name, 56)
    source, target = move.from_square, move.to_square
    if castles:
        side = target > source
        if name == "openspiel":
            return 4672 + side
        goal = chess.square(6 if side else 2, chess.square_rank(source))
        target = goal if abs(goal - source) > 1 else target
    source, target = source ^ turn, target ^ turn
    x, y = target % 8 - source % 8, target // 8 - source // 8
    match name:
        case "gym-chess":
            return 73 * source + clockwise(x, y, move.promotion, "nbr")
        case "lczero":
            return 64 * clockwise(x, y, move.promotion, "rbq") + source
        case "openspiel" | "pgx":
            return 73 * (source % 8 * 8 + source // 8) + by_distance(x, y, move.promotion, name == "pgx")
    words = {word: k for k, word in enumerate(move_lists.move_list("uci" if name == "pawn" else name).texts)}
    return words[chess.Move(source, target, move.promotion).uci()]


@pytest.mark.parametrize("name", OTHERS)
def test_masks_and_indices_are_those_of_the_formula(name: PolicyLayout) -> None:
    boards = corpus(400)
    positions = Positions.from_boards(boards)
    mask = positions.policy_mask(name)
    for i, board in enumerate(boards):
        theirs = chess.Board(board.fen(en_passant="fen", shredder=True), chess960=True)
        moves = list(theirs.legal_moves)
        expected = [index_of(name, theirs, move) for move in moves]
        assert len({*expected}) == len(moves)
        assert np.flatnonzero(mask[i]).tolist() == sorted(expected), board.fen()
        if moves:
            one = positions[i : i + 1]
            ours = [move for move in board.legal_moves if move.uci() == board.parse_uci(moves[0].uci()).uci()]
            assert one.policy_index(ours, name).tolist() == expected[:1]
            assert one.policy_moves(expected[:1], name).tolist() == [board.move_word(ours[0])]


def test_the_docstring_names_every_list() -> None:
    assert move_lists.__doc__ is not None
    assert all(f"``{name}``" in move_lists.__doc__ for name in LISTS)
