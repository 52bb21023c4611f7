"""Sums, means, files, ranks, values and castling rooks, and paths of pieces on a set, against the plain interpreter."""

import functools
import math
import random
from typing import Any

import numpy as np
import pytest

from clean_games import games_of, pgn_of
from plain_queries import Row, evaluate, rows_of_game
from rookery import Positions, read_pgn
from rookery.games.positions.game_positions import GamePositions


@functools.cache
def games() -> tuple[GamePositions, list[Row]]:
    """The positions of some games, as rookery and python-chess replay them."""
    boards = games_of(random.Random(7), 12)
    rows = [
        row
        for board in boards
        for row in rows_of_game(board, "", [math.nan] * len(board.move_stack), [math.nan] * len(board.move_stack), "*")
    ]
    return read_pgn(pgn_of(boards)).positions("all"), rows


@pytest.mark.parametrize(
    "query",
    [
        "total(count(us))",
        "total(file_number(move.to_square))",
        "average(rank_number(white.queens))",
        "average(material)",
        "average(rank_number(no_squares))",
        "sqrt(value(us) - value(them))",
        "sqrt(total(value(attacks(us) & them)))",
        "castling_rooks(white)",
        "castling_rooks | castling_rooks(them)",
        'path(white.knights, "g1-f3")',
        'path(us, "g1-f3")',
        'path(black, "b8-c6-b8")',
        'path(occupied, "e2-e4")',
        'path(empty, "e2-e4")',
        'path(piece(e2), "e2-e4")',
        'path(e4, "e2-e4")',
        'steps(pawns, "north-north")',
        'steps(occupied, "south")',
        'steps(kings, "east-west")',
        'steps(us.king, "northeast")',
        'steps(piece(e1), "west")',
    ],
)
def test_games(query: str) -> None:
    positions, rows = games()
    ours: Any = positions.evaluate(query)
    theirs = evaluate(query, rows)
    expected = [sum(1 << s for s in value) if isinstance(value, frozenset) else value for value in theirs]
    np.testing.assert_allclose(ours.astype(float), np.array(expected, float), rtol=1e-12)


def test_missing_values_do_not_count() -> None:
    positions = read_pgn(b"1. e4 {[%eval 0.5]} e5 2. Nf3 {[%eval 0.25]} *").positions("all")
    assert positions.evaluate("total(eval(white))").tolist() == [0.75] * 4
    assert positions.evaluate("average(eval(white))").tolist() == [0.375] * 4
    assert positions.evaluate("total(clock)").tolist() == [0] * 4
    assert np.isnan(positions.evaluate("average(clock)")).all()


def test_the_empty_array() -> None:
    nothing = games()[0][:0]
    for query in (
        "total(count(us))",
        "average(count(us))",
        'path(us, "e2-e4")',
        "rank_number(us.king)",
        "value(us)",
        'steps(us, "east")',
    ):
        assert nothing.evaluate(query).size == 0


def test_courses_longer_than_the_game() -> None:
    positions = read_pgn(b"1. e4 *").positions("all")
    for query in ('path(piece(e2), "e2-e4-e5-e6")', 'path(us, "e2-e4-e5-e6")', 'steps(us, "north-north-north-north")'):
        assert positions.evaluate(query).tolist() == [False, False]


def test_files_and_ranks_of_every_square() -> None:
    start = Positions.from_fens(["8/8/8/8/8/8/8/K1k5 w - - 0 1"])
    for square in range(64):
        name = "abcdefgh"[square % 8] + str(square // 8 + 1)
        assert start.evaluate(f"10 * file_number({name}) + rank_number({name})").tolist() == [
            10 * (square % 8 + 1) + square // 8 + 1
        ]
