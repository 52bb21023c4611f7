"""Random games, replayed move by move: each must end when and as the rules say, and not before."""

import functools
import signal
import sys
import threading
import time
from typing import Final

import chess
import numpy as np
import pytest

from corpus import EDGES, STRANGE, corpus
from rookery.board.board import Board
from rookery.board.endings import Outcome, Termination
from rookery.board.moves import Move
from rookery.positions.kernels.moves import move_room
from rookery.positions.layout import MARKED
from rookery.positions.positions import Positions
from rookery.positions.rollouts import GUESS, MOST_KEYS, Rollouts, TerminationCode, play_games
from rookery.rules.compiled import default_technique

# Each replayed by the scalar generator, 30,000 moves per second, and some by python-chess, 4,000 per second.
MANY: Final = 300
SLOW: Final = 20_000

ENDS: Final = {
    "checkmate": TerminationCode.CHECKMATE,
    "stalemate": TerminationCode.STALEMATE,
    "insufficient material": TerminationCode.INSUFFICIENT_MATERIAL,
    "fifty moves": TerminationCode.FIFTY_MOVES,
    "seventy-five moves": TerminationCode.FIFTY_MOVES,  # only of a position with such a clock to begin with
    "threefold repetition": TerminationCode.THREEFOLD_REPETITION,
}
# Repetitions and fifty moves, soon; en passant that is legal, or is not, when a position comes up first; castling
# rights that are lost on the way; material that is insufficient, or just not.
SOON: Final = (
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "8/8/8/8/8/1k6/8/K6R w - - 90 100",
    "7k/8/8/8/8/8/8/K6R b - - 99 100",
    "7k/8/8/8/8/8/8/K6R b - - 100 100",
    "7k/8/8/8/8/8/8/K6R b - - 150 100",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 150 100",
    "4k3/8/8/8/1pP1p3/1P2P3/8/4K3 b - c3 0 1",
    "8/8/8/8/1RpPk3/8/8/4K3 b - d3 0 1",
    "7k/p7/P7/8/8/p7/P7/7K w - - 0 1",
    "7k/8/8/8/8/8/8/KB6 w - - 0 1",
    "6bk/8/8/8/8/8/8/KB6 w - - 0 1",
    "7k/6b1/8/8/8/8/8/KB6 w - - 0 1",
    "6nk/8/8/8/8/8/8/KN6 w - - 0 1",
    "7k/8/8/8/8/8/8/KNN5 w - - 0 1",
    "6qk/8/8/8/8/8/8/KN6 w - - 0 1",
    "4k3/8/8/8/8/8/8/B1B1K1B1 w - - 0 1",
)


@functools.cache
def starts(n: int) -> tuple[Board, ...]:
    special = [*map(Board.unchecked, (*STRANGE, *EDGES)), *[Board(fen) for fen in SOON for _ in range(8)]]
    return (*special, *[Board()] * (n // 3), *corpus(max(n, 5_000))[:: max(5_000 // n, 1)])


@functools.cache
def games(n: int, max_plies: int | None = None) -> Rollouts:
    return Positions.from_boards(starts(n)).rollouts(11, moves=True, max_plies=max_plies)


def ending_of(board: Board) -> Outcome | None:
    """Return how a game has ended, a draw that may be claimed included; one that the next move would bring is not."""
    end = board.outcome()
    if end is None and board.halfmove_clock >= 100:
        return board.outcome(claim_draw=True)
    if end is None and board.is_repetition(3):
        return Outcome(Termination.THREEFOLD_REPETITION, None)
    return end


def check_games(n: int) -> None:
    played = games(n)
    assert played.moves is not None
    assert (played.plies == np.diff(played.moves.offsets)).all()
    assert {*played.termination.tolist()} == {TerminationCode.NONE, *ENDS.values()}
    rows = zip(starts(n), played.moves, played.termination, played.outcome, played.final, strict=True)
    for start, moves, termination, outcome, final in rows:
        board = start.copy()
        for word in moves.tolist():
            assert ending_of(board) is None, (start.fen(), board.fen())
            board.push(Move(word))
        end = ending_of(board)
        if end is None:  # nothing ends it, but a side without a king that has no move
            assert (board.king(board.turn), board.count_legal_moves()) == (None, 0), (start.fen(), board.fen())
            assert (termination, outcome) == (TerminationCode.NONE, 0)
        else:
            assert ENDS[end.termination] == termination, (start.fen(), board.fen())
            assert outcome == (0 if end.winner is None else 1 if end.winner else -1)
        assert final.words().tolist() == board.words().tolist()
        assert final.fen(shredder=True) == board.fen(shredder=True)


def test_games_end_as_the_scalar_generator_says() -> None:
    check_games(MANY)


@pytest.mark.slow
def test_many_games_end_as_the_scalar_generator_says() -> None:
    check_games(SLOW)


def ending(board: chess.Board) -> TerminationCode:
    """By the rules, in their order; python-chess would also let a player claim what his next move will bring about."""
    if not any(board.legal_moves):
        return TerminationCode.CHECKMATE if board.is_check() else TerminationCode.STALEMATE
    if board.is_insufficient_material():
        return TerminationCode.INSUFFICIENT_MATERIAL
    if board.is_fifty_moves():
        return TerminationCode.FIFTY_MOVES
    return TerminationCode.THREEFOLD_REPETITION if board.is_repetition(3) else TerminationCode.NONE


def test_games_end_as_python_chess_says() -> None:
    played = games(MANY)
    assert played.moves is not None
    seen = set()
    for i in range(len(STRANGE), len(played.plies), 2):
        start = starts(MANY)[i]
        board = chess.Board(start.fen(en_passant="fen", shredder=True), chess960=True)
        for word in played.moves[i].tolist():
            assert ending(board) == TerminationCode.NONE, board.fen()
            board.push(board.parse_uci(Move.from_word(word, chess960=True).uci()))
        assert ending(board) == played.termination[i], (start.fen(), board.fen())
        winner = {"1-0": 1, "0-1": -1}.get(board.result(), 0)
        assert winner == played.outcome[i]
        assert played.final[i].fen(en_passant="fen", shredder=True) == board.shredder_fen(en_passant="fen")
        seen.add(ending(board))
    assert len(seen) == 5


@pytest.mark.parametrize("most", [0, 1, 40])
def test_games_of_so_many_moves(most: int) -> None:
    whole, short = games(MANY), games(MANY, most)
    assert whole.moves is not None
    assert short.moves is not None
    assert (short.plies == np.minimum(whole.plies, most)).all()
    for long, brief in zip(whole.moves, short.moves, strict=True):
        assert long[: brief.size].tolist() == brief.tolist()
    cut = whole.plies > most
    assert (short.termination[cut] == TerminationCode.MAX_PLIES).all()
    assert (short.outcome[cut] == 0).all()
    assert (short.termination[~cut] == whole.termination[~cut]).all()
    assert (short.outcome[~cut] == whole.outcome[~cut]).all()


def test_games_without_their_moves_on_threads_and_again() -> None:
    whole = games(MANY)
    positions = Positions.from_boards(starts(MANY))
    for other in (
        positions.rollouts(11),
        positions.rollouts(11, threads=3),
        positions.rollouts(np.random.default_rng(11), threads=2, moves=True),
    ):
        assert other.outcome.dtype == np.int8
        assert np.array_equal(other.outcome, whole.outcome)
        assert np.array_equal(other.termination, whole.termination)
        assert np.array_equal(other.plies, whole.plies)
        assert other.final == whole.final
        assert other.moves in (None, whole.moves)
    assert not np.array_equal(positions.rollouts(12).plies, whole.plies)


def test_games_longer_than_the_room_for_their_moves() -> None:
    """A game for which there was no room is played again from its start."""
    positions = Positions.from_boards([Board()] * 30)
    played = positions.rollouts(3, moves=True)
    assert played.moves is not None
    assert played.plies.sum() > GUESS * 30, "the room grows at least once"
    room = np.empty(int(played.plies[0]) - 1, np.uint16)
    offsets, ends = np.zeros(2, np.int64), np.zeros(1, np.uint8)
    seeds = np.random.default_rng(3).integers(0, 1 << 64, 30, np.uint64)[:1]
    arguments = positions[:1].columns, seeds, 0, np.uint64(10**6), np.uint64(10**6), ends, positions[:1].copy().columns
    scratch = move_room(), np.empty(MOST_KEYS, np.uint64), default_technique().tables()
    assert play_games(*arguments, offsets, room, *scratch) == 0
    room = np.empty(int(played.plies[0]), np.uint16)
    assert play_games(*arguments, offsets, room, *scratch) == 1
    assert room.tolist() == played.moves[0].tolist()


def test_a_line_that_could_not_be_read_plays_no_game() -> None:
    positions = Positions.from_boards([Board(), Board(None)])
    positions.columns.state[1] |= MARKED
    played = positions.rollouts(1)
    assert played.termination[1] == TerminationCode.NONE
    assert played.plies.tolist()[1] == 0
    assert played.outcome.tolist()[1] == 0
    assert played.final.marked.tolist() == [False, True]


def test_no_games_and_no_numbers() -> None:
    none = Positions.from_boards([]).rollouts(1, moves=True)
    assert none.plies.size == 0
    assert none.moves is not None
    assert len(none.moves) == 0
    one = Positions.from_boards([Board()])
    for strange in (-1, 1.5, True, "7"):
        with pytest.raises(ValueError, match=r"max_plies: .*: expected an int of at least 0, or None"):
            one.rollouts(1, max_plies=strange)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="rng: None: expected"):
        one.rollouts(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threads: 0: expected"):
        one.rollouts(1, threads=0)


def test_first_moves_of_games_are_even() -> None:
    played = Positions.from_boards([Board()])[np.zeros(20_000, np.intp)].rollouts(5, max_plies=2, moves=True)
    assert played.moves is not None
    words = played.moves.moves.reshape(-1, 2)
    for column in words.T:
        _, times = np.unique(column, return_counts=True)
        assert times.size == 20
        assert abs(((times - 1000.0) ** 2 / 1000.0).sum() - 19) < 4 * 38**0.5
    # The reply does not depend on the move: 20 x 20 cells of 50 each.
    _, times = np.unique(words[:, 0].astype(np.uint32) << 16 | words[:, 1], return_counts=True)
    assert times.size == 400
    assert abs(((times - 50.0) ** 2 / 50.0).sum() - 399) < 4 * 798**0.5


def test_games_are_played_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two slices Python looks for Ctrl-C; the games do not change."""
    monkeypatch.setattr("rookery.positions.rollouts.SLICE", 1000)
    again = Positions.from_boards(starts(MANY)).rollouts(11, moves=True)
    assert again.moves == games(MANY).moves


@pytest.mark.skipif(sys.platform == "win32", reason="no signal to a thread")
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_walk_ends_with_its_slice(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery.positions.rollouts.SLICE", 1000)
    calls = []

    def interrupting(*arguments: object) -> int:
        calls.append(arguments)
        if len(calls) == 3:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        time.sleep(0.02)  # else all would be over before the main thread wakes up
        return int(play_games(*arguments))

    monkeypatch.setattr("rookery.positions.rollouts.play_games", interrupting)
    positions = Positions.from_boards([Board()] * 2000)
    with pytest.raises(KeyboardInterrupt):
        positions.rollouts(1, threads=threads)
    assert len(calls) < 200, "of some 700 slices"
