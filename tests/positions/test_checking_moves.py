"""Moves that may give check: none that does is missed, and few others are named."""

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from corpus import corpus
from rookery import Positions
from rookery.positions.moves import Moves
from rookery.positions.queries.questions import may_check
from scattered import FAMILIES, scattered


def named(positions: Positions, moves: Moves) -> NDArray[np.bool_]:
    out = np.empty(moves.moves.size, np.bool_)
    may_check(positions.columns, moves.offsets, moves.moves, out)
    return out


def test_every_check_of_games_and_edges_is_named() -> None:
    boards = corpus(1500)
    positions = Positions.from_boards(boards)
    moves = positions.legal_moves()
    maybe = named(positions, moves)
    gives = []
    for board, words in zip(boards, moves, strict=True):
        theirs = chess.Board(board.fen(shredder=True), chess960=True)
        for uci in Positions.from_boards([board] * len(words)).uci(words).tolist():
            theirs.push(theirs.parse_uci(uci))
            gives.append(theirs.is_check())
            theirs.pop()
    checks = np.array(gives)
    assert checks.sum() > 1000
    assert not (checks & ~maybe).any()
    # Castling, promotions, en passant, and the edges with a side in check that is not to move.
    assert (maybe & ~checks).sum() < 0.05 * checks.size


@pytest.mark.parametrize("name", FAMILIES)
def test_every_check_of_scattered_pieces_is_named(name: str) -> None:
    """No king or several, both kings in check: judged by the positions after the moves."""
    positions = scattered(FAMILIES[name], 3000, 5)
    moves = positions.legal_moves()
    parents = np.repeat(np.arange(len(positions)), np.diff(moves.offsets))
    checks = positions[parents].play(moves.moves, check=False).is_check()
    assert checks.any()
    assert not (checks & ~named(positions, moves)).any()


def test_possible_checks_and_mates_are_found() -> None:
    positions = Positions.from_boards(corpus(1500))
    moves = positions.legal_moves()
    parents = np.repeat(np.arange(len(positions)), np.diff(moves.offsets))
    after = positions[parents].play(moves.moves, check=False)
    for query, holds in (
        ("move.is_check", after.is_check()),
        ("after(is_mate)", after.is_checkmate()),
        ("move.is_mate and move.captures", after.is_checkmate() & (positions.captured_pieces(moves) != 0)),
    ):
        expected = np.bincount(parents[holds], minlength=len(positions))
        assert positions.evaluate(f"count_possible({query})").tolist() == expected.tolist()
        assert expected.any()
