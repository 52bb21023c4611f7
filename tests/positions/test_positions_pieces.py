"""Queries about pieces, compared with python-chess position by position."""

import random
from collections import Counter
from typing import Any

import chess
import numpy as np
import pytest

from corpus import STRANGE, corpus
from rookery.board.board import Board
from rookery.positions.positions import Positions
from thinning import slow

KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
SIDES = ("us", "them", "white", "black")


@pytest.fixture(scope="module", params=[700, slow(20_000)])
def boards(request: pytest.FixtureRequest) -> list[chess.Board]:
    """Games, odd positions, and boards without kings or with several."""
    strange = [Board.unchecked(fen) for fen in STRANGE]
    strange += [board.mirror() for board in strange]
    return [chess.Board(board.fen(shredder=True), chess960=True) for board in (*corpus(request.param), *strange)]


@pytest.fixture(scope="module")
def positions(boards: list[chess.Board]) -> Positions:
    return Positions.from_boards([Board.unchecked(board.fen()) for board in boards])


def colour(board: chess.Board, side: str) -> chess.Color:
    return {"us": board.turn, "them": not board.turn, "white": chess.WHITE, "black": chess.BLACK}[side]


@pytest.mark.parametrize("side", SIDES)
def test_pieces(boards: list[chess.Board], positions: Positions, side: Any) -> None:
    for kind, name in enumerate(KINDS, 1):
        expected = [int(board.pieces_mask(kind, colour(board, side))) for board in boards]
        assert positions.pieces(name, side).tolist() == expected  # type: ignore[arg-type]
    assert positions.pieces(side=side).tolist() == [board.occupied_co[colour(board, side)] for board in boards]


@pytest.mark.parametrize("side", SIDES)
def test_king_squares(boards: list[chess.Board], positions: Positions, side: Any) -> None:
    kings = [list(board.pieces(chess.KING, colour(board, side))) for board in boards]
    assert positions.king_square(side).tolist() == [squares[0] if squares else 64 for squares in kings]
    assert side in ("them", "black") or max(map(len, kings)) > 1


@pytest.mark.parametrize("values", [(1, 3, 3, 5, 9), (100, -320, 330, 0, 1_000_000)])
def test_material(boards: list[chess.Board], positions: Positions, values: tuple[int, ...]) -> None:
    for side in SIDES:
        expected = [
            sum(value * len(board.pieces(kind, colour(board, side))) for kind, value in enumerate(values, 1))
            for board in boards
        ]
        assert positions.material(side, values).tolist() == expected  # type: ignore[arg-type]


def test_signatures(boards: list[chess.Board], positions: Positions) -> None:
    def letters(board: chess.Board, side: chess.Color) -> str:
        return "".join(chess.piece_symbol(k).upper() * len(board.pieces(k, side)) for k in (6, 5, 4, 3, 2, 1))

    expected = [f"{letters(board, chess.WHITE)}v{letters(board, chess.BLACK)}" for board in boards]
    assert positions.signature().tolist() == expected
    assert positions[:0].signature().size == 0


def test_attacks_from_any_square(boards: list[chess.Board], positions: Positions) -> None:
    rng = np.random.default_rng(1)
    for kind, name in enumerate(KINDS, 1):
        squares = rng.integers(0, 65, len(positions))
        for side in ("us", "black"):
            found = positions.attacks_from(squares, name, side)  # type: ignore[arg-type]
            for board, square, attacked in zip(boards, squares.tolist(), found.tolist(), strict=True):
                if square == 64:
                    assert attacked == 0
                    continue
                alone = board.copy(stack=False)
                alone.set_piece_at(square, chess.Piece(kind, colour(board, side)))
                assert attacked == alone.attacks_mask(square), (board.fen(), name, square)
    by_name = positions.attacks_from("d4", "queen")
    assert np.array_equal(by_name, positions.attacks_from(27, "queen"))
    assert np.array_equal(by_name, positions.attacks_from(np.full(len(positions), 27, np.uint8), "queen", threads=2))


def test_forks(boards: list[chess.Board], positions: Positions) -> None:
    rng = random.Random(2)
    some = 0
    for name in KINDS:
        for side in SIDES:
            targets = [rng.choice(KINDS) for _ in range(rng.choice((1, 2, 2, 3)))]
            found = positions.forks(name, targets, side).tolist()  # type: ignore[arg-type]
            wanted = Counter(KINDS.index(target) + 1 for target in targets)
            for board, forking in zip(boards, found, strict=True):
                own = colour(board, side)
                expected = 0
                for square in board.pieces(KINDS.index(name) + 1, own):
                    pieces = [board.piece_at(target) for target in board.attacks(square)]
                    hit = Counter(piece.piece_type for piece in pieces if piece and piece.color != own)
                    expected |= (hit >= wanted) << square
                assert forking == expected, (board.fen(), name, targets)
                some += expected != 0
    assert some > 200
    assert np.array_equal(positions.forks("knight", "kq"), positions.forks("n", ["king", "queen"], threads=2))


def test_moves_have_squares_kinds_and_promotions(positions: Positions) -> None:
    valid = positions[positions.is_valid()]
    moves = valid.legal_moves()
    singles = [move for board in valid for move in board.legal_moves]
    assert moves.from_square.tolist() == [move.from_square for move in singles]
    assert moves.to_square.tolist() == [move.to_square for move in singles]
    assert moves.kind.tolist() == [board.move_word(move) >> 14 for board in valid for move in board.legal_moves]
    assert moves.promotion.tolist() == [move.promotion or 0 for move in singles]
    assert set(moves.kind.tolist()) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda p: p.pieces("wizard"), "piece: 'wizard': expected PAWN"),
        (lambda p: p.pieces(side="green"), "side: 'green': expected"),
        (lambda p: p.material(values=(1, 3, 3, 5)), r"values: \(1, 3, 3, 5\): expected five ints"),
        (lambda p: p.material(values=(1, 3, 3, 5, 1.5)), r"values: \(1, 3, 3, 5, 1.5\): expected five ints"),
        (lambda p: p.material(values=7), "values: 7: expected five ints"),
        (lambda p: p.material(values=(1, 3, 3, 5, 10**7)), r"values\[4\]: 10000000: expected -1,000,000 to"),
        (lambda p: p.attacks_from(65, "rook"), "squares: 65: expected 0 to 64"),
        (lambda p: p.attacks_from("z9", "rook"), "squares: 'z9': expected a square like 'e4'"),
        (lambda p: p.attacks_from([1], "rook"), r"squares: shape \(1,\): expected \(3,\)"),
        (lambda p: p.attacks_from([1, 2, 70], "rook"), r"squares\[2\]: 70: expected 0 to 64"),
        (lambda p: p.attacks_from([0.5] * 3, "rook"), "squares: an array of float64: expected integers"),
        (lambda p: p.forks("knight", ["king", "wizard"]), "targets: 'wizard': expected PAWN"),
        (lambda p: p.forks("knight", 5), "targets: 5: expected kinds of pieces"),
        (lambda p: p.forks("knight", b"kq"), "targets: b'kq': expected kinds of pieces"),
    ],
)
def test_bad_arguments(ask: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ask(Positions.from_boards([Board()] * 3))
