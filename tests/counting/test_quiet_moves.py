"""Moves that change nothing for the opponent: each such move of many positions is made, and replies are counted."""

from typing import Any

import numpy as np
import pytest

from corpus import corpus
from rookery.board.board import Board
from rookery.counting.quiet_moves import indifferent
from rookery.kernel import entry
from rookery.positions.kernels.lanes import View
from rookery.positions.queries.count_kernels import checks_and_pins

KINDS = {"p": "pawns", "n": "knights", "b": "bishops", "r": "rooks", "k": "kings"}


def flipped(word: int) -> int:
    return int.from_bytes(word.to_bytes(8, "little"), "big")


@entry
def indifferent_moves(boards: Any, out: Any) -> None:
    for i in range(boards.shape[0]):
        b = boards[i]
        v = View(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], 0)
        found = indifferent(v, checks_and_pins(v))
        out[i, 0] = found.pawns
        out[i, 1] = found.knights
        out[i, 2] = found.bishops
        out[i, 3] = found.rooks
        out[i, 4] = found.kings
        out[i, 5] = found.seen
        out[i, 6] = found.replies


def seen_by_those_who_reply(board: Board) -> list[int]:
    """The words of a `View` in which the other side is `us`, and moves up."""
    pawns, knights, diagonals, orthogonals, kings, us, them, castling = board.words().tolist()[:8]
    words = [pawns, knights, diagonals, orthogonals, kings, them, us, castling]
    return [flipped(word) for word in words] if board.turn else words


@pytest.mark.parametrize(("number", "step", "least"), [(4000, 1, 20_000), (300, 15, 50)])
def test_moves_that_change_nothing_change_nothing(number: int, step: int, least: int) -> None:
    boards = [b for b in corpus(number)[::step] if not b.chess960]
    found = np.zeros((len(boards), 7), np.uint64)
    indifferent_moves(np.array([seen_by_those_who_reply(b) for b in boards], np.uint64), found)
    tried = 0
    for board, (*calm, seen, replies) in zip(boards, found.tolist(), strict=True):
        flip = 56 if board.turn else 0
        for move in board.generate_legal_moves():
            kind = board.kind_at(move.from_square)
            where = calm[2] & calm[3] if kind == "q" else calm[list(KINDS).index(str(kind))]
            squares = 1 << (move.from_square ^ flip) | 1 << (move.to_square ^ flip)
            if board.move_word(move) >> 14 or board.is_capture(move) or squares & (~where | seen):
                continue
            board.push(move)
            if board.ep_square is None or not board.has_legal_en_passant():
                assert board.count_legal_moves() == replies, (board.fen(), move)
                tried += 1
            board.pop()
    assert tried > least
