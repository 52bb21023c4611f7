"""Origins of pieces, sets collected over a game, repeated placements, and sets turned over, against naive code.

python-chess replays the games, and dictionaries follow the pieces.
"""

import functools
import random
from collections.abc import Iterator, Sequence
from typing import Any, Final

import chess
import numpy as np
import pytest

from clean_games import games_of, pgn_of, replayed
from rookery import read_pgn
from rookery.games.positions.game_positions import GamePositions

GAMES: Final = 60


@functools.cache
def games() -> list[chess.Board]:
    """Games at their ends."""
    rng = random.Random(23)
    return [*games_of(rng, GAMES), kings_in_corners(rng)]


def kings_in_corners(rng: random.Random) -> chess.Board:
    """A game of two kings, each on one of four squares: most placements recur, with either side to move."""
    board = chess.Board("k7/8/8/8/8/8/8/K7 w - - 0 1")
    corners = chess.SquareSet(0x0303_0000_0000_0303)
    for _ in range(60):
        board.push(rng.choice([move for move in board.legal_moves if move.to_square in corners]))
    return board


@functools.cache
def positions() -> GamePositions:
    """The positions of these games, as rookery reads them."""
    return read_pgn(pgn_of(games())).positions("all")


def followed(board: chess.Board) -> Iterator[dict[int, int]]:
    """For each position of a game, the square on which the piece of each occupied square began."""
    now = board.root()
    began = {square: square for square in now.piece_map()}
    yield dict(began)
    for move in board.move_stack:
        if now.is_castling(move):
            rank = move.from_square & 56
            short = now.is_kingside_castling(move)
            rooks = now.castling_rights & chess.BB_RANKS[move.from_square // 8]
            rook_from = chess.msb(rooks) if short else chess.lsb(rooks)
            king, rook = began.pop(move.from_square), began.pop(rook_from)
            began[rank + (6 if short else 2)], began[rank + (5 if short else 3)] = king, rook
        else:
            if now.is_en_passant(move):
                del began[move.to_square ^ 8]
            began[move.to_square] = began.pop(move.from_square)
        now.push(move)
        assert set(began) == set(now.piece_map())
        yield dict(began)


def assert_same(query: str, expected: Sequence[int]) -> None:
    found: Any = positions().evaluate(query)
    assert found.astype(np.uint64).tolist() == expected, query


def bits(squares: Any) -> int:
    return sum(1 << square for square in set(squares))


def test_origins() -> None:
    expected = [
        bits(start for square, start in began.items() if now.color_at(square))
        for board in games()
        for began, now in zip(followed(board), replayed(board), strict=True)
    ]
    assert_same("origins(white)", expected)
    expected = [bits(began.get(square, 64) for square in (0, 27)) % 2**64 for b in games() for began in followed(b)]
    assert_same("origins(a1 | d4)", expected)


def test_collected_sets_and_values_at_the_start() -> None:
    kings, starts, moves = [], [], []
    for board in games():
        n = len(board.move_stack) + 1
        kings += [bits(now.king(chess.BLACK) for now in replayed(board))] * n
        starts += [board.root().pawns] * n
        moves += [board.root().turn] * n
    assert_same("collected(black.king)", kings)
    assert_same("at_start(pawns)", starts)
    assert_same("at_start(white_to_move)", moves)
    assert_same("at_start(count(pawns))", [pawns.bit_count() for pawns in starts])


@pytest.mark.parametrize("plies", [1, 3, 10])
def test_placements_seen_before(plies: int) -> None:
    anywhere, handed_over = [], []
    for board in games():
        earlier: list[tuple[str, bool]] = []
        for now in replayed(board):
            place = now.board_fen()
            seen = [turn for fen, turn in earlier[: max(0, len(earlier) - plies + 1)] if fen == place]
            anywhere.append(bool(seen))
            handed_over.append(chess.WHITE in seen)
            earlier.append((place, now.turn))
    assert any(anywhere)
    assert_same(f"seen_before(plies={plies})", anywhere)
    assert_same(f"seen_before(white_to_move, {plies})", handed_over)


def test_sets_turned_over() -> None:
    boards = [now.pawns for board in games() for now in replayed(board)]
    assert_same("flip(pawns)", [chess.flip_vertical(board) for board in boards])
    assert_same("mirror(pawns)", [chess.flip_horizontal(board) for board in boards])
    assert positions().evaluate("flip(e4) == e5 and mirror(e4) == d4").all()


def test_the_empty_array() -> None:
    nothing = positions()[:0]
    for query in ("origins(white)", "collected(white)", "at_start(white)", "seen_before()", "flip(white)"):
        assert nothing.evaluate(query).size == 0
