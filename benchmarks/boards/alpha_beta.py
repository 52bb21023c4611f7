"""An alpha-beta search in Python, as most programs on a board are: written once with python-chess's names.

Captures come first, and moves are sorted by their squares, so that every library searches the same tree. The score is
the material, counted by `pieces`. bulletchess, which has other names, has a translation.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from boards.libraries import C

MATE = 1_000_000
VALUES = ((1, 100), (2, 300), (3, 320), (4, 500), (5, 900))  # kinds of pieces, in hundredths of a pawn


class Found(NamedTuple):
    """The score of a search for the side to move, and the number of positions that it visited."""

    score: int
    nodes: int


def search(name: str, names: dict[str, Any], fen: str, depth: int) -> Callable[[], Found]:
    """Return a function that searches a position with a library; `names` are the library's."""
    if name == C:
        board, alpha_beta = names["Board"].from_fen(fen), _with_names_of_bulletchess(names)
    else:
        board, alpha_beta = names["Board"](fen), _alpha_beta
    return lambda: Found(*alpha_beta(board, depth, -2 * MATE, 2 * MATE))


def _alpha_beta(board: Any, depth: int, alpha: int, beta: int) -> tuple[int, int]:
    """Return the score of a position for the side to move, and the number of positions visited."""
    if not depth:
        return _material(board), 1
    moves = sorted(
        board.legal_moves, key=lambda move: (not board.is_capture(move), move.from_square, move.to_square)
    )  # fmt: skip
    if not moves:
        return (-MATE if board.is_check() else 0), 1
    nodes = 1
    for move in moves:
        board.push(move)
        score, below = _alpha_beta(board, depth - 1, -beta, -alpha)
        board.pop()
        nodes += below
        alpha = max(alpha, -score)
        if alpha >= beta:
            break
    return alpha, nodes


def _material(board: Any) -> int:
    us = board.turn
    return sum(
        value * (len(board.pieces(kind, us)) - len(board.pieces(kind, not us))) for kind, value in VALUES
    )  # fmt: skip


def _with_names_of_bulletchess(names: dict[str, Any]) -> Callable[[Any, int, int, int], tuple[int, int]]:
    check = names["CHECK"]
    kinds = [(names["PIECE_TYPES"][kind - 1], value) for kind, value in VALUES]

    def alpha_beta(board: Any, depth: int, alpha: int, beta: int) -> tuple[int, int]:
        if not depth:
            return material(board), 1
        moves = sorted(
            board.legal_moves(),
            key=lambda move: (not move.is_capture(board), move.origin.index(), move.destination.index()),
        )
        if not moves:
            return (-MATE if board in check else 0), 1
        nodes = 1
        for move in moves:
            board.apply(move)
            score, below = alpha_beta(board, depth - 1, -beta, -alpha)
            board.undo()
            nodes += below
            alpha = max(alpha, -score)
            if alpha >= beta:
                break
        return alpha, nodes

    def material(board: Any) -> int:
        us = board.turn
        them = us.opposite
        return sum(value * (len(board[us, kind]) - len(board[them, kind])) for kind, value in kinds)

    return alpha_beta
