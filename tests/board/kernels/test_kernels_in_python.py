"""Every kernel of boards, compiled and in plain Python: both must answer alike, and write the same."""

from typing import Any

import numpy as np
import pytest

from kernel_rows import addresses, ours, padded, row_of, their_boards
from rookery.board.board import Board
from rookery.board.kernels.compiled import compiled, twins
from rookery.kernel import U64
from rookery.kernel.compiling import wrapping
from rookery.native_methods.kinds import REFUSED, Twin

BOARDS = their_boards(1, seed=3)
TEXTS = ("e4", "Nf3", "O-O", "e2e4", "--", "no")


def words_of(kind: str, board: Board, turn: int) -> list[Any]:
    """Return examples of one argument, as words."""
    moves = board.generate_legal_moves()
    return {
        "chess960": [int(board.chess960)],
        "square": [turn * 29 % 13],  # also a piece's number
        "colour": [turn & 1],
        "piece type": [turn % 6 + 1],
        "self int": [int(moves[0]) if moves else turn],
        "move": [int(moves[turn % len(moves)]) if moves and turn % 5 else turn],
        "board": [0xFF00FF00FFFFFF],
        "piece": [ord("\0Pnq?"[turn % 5])],
        "flag": [turn & 1],
    }[kind]


def asked(twin: Twin, board: Board, turn: int, *, in_python: bool) -> tuple[int, list[Any]]:
    """Return what a kernel answers, and the buffers that it has written."""
    row = row_of(board)
    arguments: list[Any] = []
    buffers: list[Any] = []
    held = [row.tobytes()] * 6
    for kind in twin.arguments:
        if kind.is_buffer:
            buffers.append(np.zeros_like(kind.examples[0]))
            arguments.append(buffers[-1])
        elif kind.name in ("row", "other row"):
            arguments.append(row)
        elif kind.name == "history":
            arguments += [[row] * 6 if in_python else addresses(held), U64(len(held))]
        elif kind.name == "text":
            texts = [*TEXTS, board.fen()] if twin.name != "set_fen" else [board.fen(), board.fen()[2:]]
            signs, length = padded(texts[turn % len(texts)])
            arguments += [signs, U64(length)]
        elif kind.examples:
            arguments += map(U64, words_of(kind.name, board, turn))
    tables = (compiled().tables,) if twin.tables else ()
    if in_python:
        with wrapping():
            answer = twin.entry.function(*arguments, *tables)
    else:
        answer = getattr(compiled(), twin.entry.function.__name__)(*arguments, *tables)
    return int(answer) & REFUSED, buffers


@pytest.mark.parametrize("name", twins())
def test_compiled_and_in_python(name: str) -> None:
    twin = twins()[name]
    for theirs in BOARDS:
        board = ours(theirs)
        for turn in range(5 if len(twin.arguments) > 1 else 1):
            answer, buffers = asked(twin, board, turn, in_python=False)
            in_python, written = asked(twin, board, turn, in_python=True)
            assert answer == in_python, (board.fen(), turn)
            if answer != REFUSED and name not in ("see", "pseudo_legal_see", "generate_captures"):  # of work space
                for buffer, other in zip(buffers, written, strict=True):
                    assert buffer.tolist() == other.tolist()
