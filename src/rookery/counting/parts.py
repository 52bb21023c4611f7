"""The parts of a tree of legal moves: positions a few plies below its root, which are counted independently."""

from typing import Final, NamedTuple

from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.counting.visitors import UNIT

MOST_TASKS: Final = 512


class Part(NamedTuple):
    """A position below the root, and the number of plies left there."""

    board: Board
    depth: int


def parts(board: Board, depth: int) -> list[Part]:
    """Return the tree in parts, in an order that never changes.

    There are enough of them to keep threads busy, and to lose little of a long count.
    """
    boards, left = [board], depth
    while left > UNIT + 1 and (len(boards) < 256 or (left > 6 and len(boards) < 2000)):
        boards = [_after(parent, move) for parent in boards for move in parent.generate_legal_moves()]
        left -= 1
    return [Part(b, left) for b in boards]


def _after(board: Board, move: Move) -> Board:
    child = board.copy()
    child.push(move)
    return child
