"""Games played by python-chess and written in every way that files have them, read back move by move."""

import io
import math
import random

import chess
import chess.pgn
import numpy as np
import pytest

from played_games import Played, play
from rookery import Games, read_pgn


def assert_read(games: Games, played: list[Played]) -> None:
    assert [str(error) for error in games.errors] == []
    assert len(games) == len(played)
    ends = games.positions("last").to_fens(en_passant="legal")
    offsets = games.moves.offsets
    for i, game in enumerate(played):
        stack = game.board.move_stack
        assert games.plies[i] == len(stack), game.text
        replayed = games.board(i)
        for move, word in zip(stack, games.moves[i].tolist(), strict=True):
            made = replayed.parse_uci(move.uci())
            assert (replayed.move_word(made) if made else 0) == word, game.text
            replayed.push(made)
        if not game.board.chess960:
            assert ends[i] == game.board.fen(), game.text
        assert ends[i].split()[0] == game.board.board_fen(), game.text
        a, b = offsets[i], offsets[i + 1]
        np.testing.assert_array_equal(games.clocks[a:b], np.array(game.clocks, np.float32))
        np.testing.assert_array_equal(games.evals[a:b], np.array(game.evals, np.float32))
        assert games.results[i] == game.result


def test_games_of_python_chess() -> None:
    rng = random.Random(1)
    played = [play(rng) for _ in range(150)]
    assert_read(read_pgn("".join(game.text for game in played).encode()), played)


@pytest.mark.slow
def test_20_000_games_of_python_chess() -> None:
    rng = random.Random(2)
    for _ in range(20):
        played = [play(rng) for _ in range(1000)]
        assert_read(read_pgn("".join(game.text for game in played).encode(), threads=2), played)


def test_python_chess_reads_the_same() -> None:
    rng = random.Random(3)
    text = "".join(play(rng).text for _ in range(60)).replace("\r\n", "\n")
    games = read_pgn(text.encode(), headers="all", comments=True)
    file = io.StringIO(text)
    for i in range(len(games)):
        ours, theirs = games[i], chess.pgn.read_game(file)
        assert theirs is not None
        # The letter P of a pawn is unknown there, and so is "e.p." joined to the move.
        if theirs.errors:
            continue
        unescaped = {name: value.replace('\\"', '"') for name, value in theirs.headers.items()}
        assert ours.headers == unescaped
        board = theirs.board()
        uci = []
        for move in theirs.mainline_moves():
            uci.append(board.uci(move))
            board.push(move)
        assert [move.uci() for move in ours.moves] == uci
        nodes: list[chess.pgn.GameNode] = [theirs, *theirs.mainline()]
        clocks = [node.clock() for node in nodes[1:]]
        mine = games.clocks[games.moves.offsets[i] : games.moves.offsets[i + 1]].tolist()
        assert [None if math.isnan(clock) else clock for clock in mine] == clocks
    assert chess.pgn.read_game(file) is None
