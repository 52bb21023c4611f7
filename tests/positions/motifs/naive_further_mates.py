"""The mates that Lichess' puzzles lack, defined a second time with files and ranks on python-chess."""

from collections.abc import Callable
from typing import Final

import chess

Place = tuple[int, int]  # file and rank


def place(square: int) -> Place:
    return chess.square_file(square), chess.square_rank(square)


def at(board: chess.Board, where: Place) -> chess.Piece | None:
    return board.piece_at(chess.square(*where)) if min(where) >= 0 and max(where) <= 7 else None


def is_own(board: chess.Board, where: Place) -> bool:
    piece = at(board, where)
    return piece is not None and piece.color == board.turn


def step(king: Place, piece: Place) -> Place:
    return piece[0] - king[0], piece[1] - king[1]


def straight_next_to(king: Place, piece: Place) -> bool:
    return sorted(map(abs, step(king, piece))) == [0, 1]


def epaulette(board: chess.Board, king: Place, piece: int) -> bool:
    """The edge on which the king is has a normal: the queen is two steps along it."""
    if board.piece_type_at(piece) != chess.QUEEN or (king[0] in (0, 7)) == (king[1] in (0, 7)):
        return False
    x, y = step(king, place(piece))
    if king[1] in (0, 7):
        return x == 0 and abs(y) == 2 and all(is_own(board, (king[0] + d, king[1])) for d in (-1, 1))
    return y == 0 and abs(x) == 2 and all(is_own(board, (king[0], king[1] + d)) for d in (-1, 1))


def swallows_tail(board: chess.Board, king: Place, piece: int) -> bool:
    if board.piece_type_at(piece) != chess.QUEEN or not straight_next_to(king, place(piece)):
        return False
    x, y = step(king, place(piece))
    return all(is_own(board, (king[0] - x + side * y, king[1] - y + side * x)) for side in (-1, 1))


def opera(board: chess.Board, king: Place, piece: int) -> bool:
    back = 7 if board.turn == chess.BLACK else 0
    if board.piece_type_at(piece) != chess.ROOK or king[1] != back or abs(step(king, place(piece))[0]) != 1:
        return False
    bishops = board.pieces(chess.BISHOP, not board.turn)
    return place(piece)[1] == back and bool(board.attackers(not board.turn, piece) & bishops)


def corner(board: chess.Board, king: Place, piece: int) -> bool:
    if board.piece_type_at(piece) != chess.KNIGHT or king[0] not in (0, 7) or king[1] not in (0, 7):
        return False
    inward, upward = 1 if king[0] == 0 else -1, 1 if king[1] == 0 else -1
    for where in ((king[0] + inward, king[1]), (king[0] + inward, king[1] + upward)):
        kinds = {board.piece_type_at(s) for s in board.attackers(not board.turn, chess.square(*where))}
        if not kinds & {chess.ROOK, chess.QUEEN}:
            return False
    return is_own(board, (king[0], king[1] + upward))


def kill_box(board: chess.Board, king: Place, piece: int) -> bool:
    if board.piece_type_at(piece) != chess.ROOK or not straight_next_to(king, place(piece)):
        return False
    queens = board.pieces(chess.QUEEN, not board.turn)
    near = [q for q in queens if chess.square_distance(q, piece) == 1]
    return any(chess.square_distance(q, chess.square(*king)) == 2 for q in near)


def vukovic(board: chess.Board, king: Place, piece: int) -> bool:
    rook = place(piece)
    edge = not {0, 7}.isdisjoint(king) and {0, 7}.isdisjoint(rook)
    if board.piece_type_at(piece) != chess.ROOK or not edge or not straight_next_to(king, rook):
        return False
    x, y = step(king, rook)
    knight = chess.Piece(chess.KNIGHT, not board.turn)
    return at(board, (rook[0] + x, rook[1] + y)) == knight and bool(board.attackers(not board.turn, piece))


FURTHER: Final[dict[str, Callable[[chess.Board, Place, int], bool]]] = {
    "epaulette_mate": epaulette,
    "swallows_tail_mate": swallows_tail,
    "opera_mate": opera,
    "corner_mate": corner,
    "kill_box_mate": kill_box,
    "vukovic_mate": vukovic,
}
