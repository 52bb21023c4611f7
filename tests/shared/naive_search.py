"""Searches of games by python-chess, position by position: what the searches of this library are compared with."""

import io
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import chess
import chess.pgn

import played_games

Condition = Callable[["Place"], bool]


class Place(NamedTuple):
    """One position of a game."""

    number: int  # of the game, from 1
    ply: int
    board: chess.Board
    move: chess.Move | None  # the move that was played

    def row(self) -> tuple[int, int, str]:
        return self.number, self.ply, self.board.fen()

    def san(self) -> str:
        """The move in SAN: two hyphens for a null move, empty at the end of the game."""
        return "" if self.move is None else self.board.san(self.move) if self.move else "--"


def places(board: chess.Board, moves: list[chess.Move], number: int) -> Iterator[Place]:
    board = board.copy(stack=False)
    for ply, move in enumerate([*moves, None]):
        yield Place(number, ply, board.copy(stack=False), move)
        if move is not None:
            board.push(move)


def places_of_text(text: str) -> list[Place]:
    """Return all positions of all games; those of a bad game up to its fault."""
    file, number = io.StringIO(text), 1
    found: list[Place] = []
    while (game := chess.pgn.read_game(file)) is not None:
        found += places(game.board(), list(game.mainline_moves()), number)
        number += 1
    return found


def random_games(n: int, seed: int) -> tuple[str, list[Place]]:
    """Return random games, some of Chess960, with FENs or null moves, as text and as positions."""
    rng = random.Random(seed)
    games = [played_games.play(rng) for _ in range(n)]
    found = [place for i, game in enumerate(games) for place in places(game.board.root(), game.board.move_stack, i + 1)]
    return "".join(game.text for game in games), found


def _attacked_by_knights(board: chess.Board) -> bool:
    us, them = board.turn, not board.turn
    for square in board.pieces(chess.KNIGHT, us):
        kinds = {board.piece_type_at(target) for target in board.attacks(square) if board.color_at(target) is them}
        if {chess.KING, chess.QUEEN} <= kinds:
            return True
    return False


def _passed(board: chess.Board) -> bool:
    """Whether the side to move has a pawn that no pawn of the other side can stop or capture on its way."""
    us, them = board.turn, not board.turn
    for square in board.pieces(chess.PAWN, us):
        x, y = chess.square_file(square), chess.square_rank(square)
        if not any(
            abs(chess.square_file(other) - x) <= 1
            and (chess.square_rank(other) > y if us else chess.square_rank(other) < y)
            for other in board.pieces(chess.PAWN, them)
        ):
            return True
    return False


def _material(board: chess.Board, colour: bool) -> int:
    values = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
    return sum(values[piece.piece_type] for piece in board.piece_map().values() if piece.color == colour)


def _moves(board: chess.Board, holds: Callable[[chess.Board], bool]) -> bool:
    for move in board.legal_moves:
        board.push(move)
        found = holds(board)
        board.pop()
        if found:
            return True
    return False


def _pinned(board: chess.Board) -> bool:
    squares = chess.SquareSet(board.occupied_co[board.turn])
    return any(board.is_pinned(board.turn, square) for square in squares if board.piece_type_at(square) != chess.KING)


# Queries about one position and the move played there, and the same in python-chess.
CONDITIONS: dict[str, Condition] = {
    "is_check": lambda p: p.board.is_check(),
    "is_mate": lambda p: p.board.is_checkmate(),
    "us.knights & knight_attacks(them.king) & knight_attacks(them.queens)": lambda p: _attacked_by_knights(p.board),
    "passed(us)": lambda p: _passed(p.board),
    "pinned(us)": lambda p: _pinned(p.board),
    "imbalance >= 4": lambda p: _material(p.board, p.board.turn) - _material(p.board, not p.board.turn) >= 4,
    "white.pawns & e4 and not black.queens": lambda p: (
        p.board.piece_at(chess.E4) == chess.Piece.from_symbol("P") and not p.board.pieces(chess.QUEEN, chess.BLACK)
    ),
    'move.captures and move.piece == "N"': lambda p: bool(
        p.move and p.board.is_capture(p.move) and p.board.piece_type_at(p.move.from_square) == chess.KNIGHT
    ),
    "move.promotes or move.castles": lambda p: bool(
        p.move and (p.move.promotion or (p.move and p.board.is_castling(p.move)))
    ),
    "count(occupied) <= 6 or ply == 3": lambda p: len(p.board.piece_map()) <= 6 or p.ply == 3,
    "possible(move.is_mate)": lambda p: _moves(p.board, chess.Board.is_checkmate),
}


def hits(found: list[Place], query: str) -> list[Place]:
    condition = CONDITIONS[query]
    return [place for place in found if condition(place)]
