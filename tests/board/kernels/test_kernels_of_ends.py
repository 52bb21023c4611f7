"""The kernels that compare positions and say how games end, judged by python-chess."""

import random
from typing import Any

import chess
import numpy as np
import pytest

from kernel_rows import addresses, call, ours, padded, row_of, their_boards
from rookery.board.board import Board
from rookery.native_methods.kinds import MOST_MOVES, ROW_WORDS

BOARDS = their_boards(150)
TERMINATIONS = {
    chess.Termination.STALEMATE: 3,
    chess.Termination.INSUFFICIENT_MATERIAL: 4,
    chess.Termination.SEVENTYFIVE_MOVES: 5,
    chess.Termination.FIVEFOLD_REPETITION: 6,
    chess.Termination.FIFTY_MOVES: 7,
    chess.Termination.THREEFOLD_REPETITION: 8,
}


class Played:
    """A game whose rows are kept, as a board keeps them, beside the board of python-chess."""

    def __init__(self, theirs: chess.Board) -> None:
        self.theirs = theirs
        self.rows = [row_of(ours(theirs))]

    def push(self, move: chess.Move) -> None:
        out = np.zeros(ROW_WORDS, np.uint64)
        assert call("push_uci", self.rows[-1], *padded(self.theirs.uci(move)), out) < 1 << 16
        self.theirs.push(move)
        self.rows.append(out)

    def ask(self, name: str, *arguments: Any) -> int:
        row = self.rows[-1].copy()
        row.flags.writeable = False
        held = [earlier.tobytes() for earlier in self.rows[:-1]]
        return call(name, row, addresses(held), len(held), *arguments)


def item_of(outcome: chess.Outcome | None) -> int:
    if outcome is None:
        return 0
    if outcome.termination == chess.Termination.CHECKMATE:
        return 1 if outcome.winner else 2
    return TERMINATIONS[outcome.termination]


def check(game: Played) -> int:
    board, moves = game.theirs, np.zeros(MOST_MOVES, np.uint16)
    for count in range(1, 7):
        repeated = board.is_repetition(count)
        assert game.ask("is_repetition_of", count) == repeated, (board.fen(), count)
        assert (game.ask("repetitions") >= count) == repeated
    assert game.ask("is_repetition") == board.is_repetition()
    assert game.ask("is_fivefold_repetition") == board.is_fivefold_repetition()
    assert game.ask("can_claim_threefold_repetition", moves) == board.can_claim_threefold_repetition(), board.fen()
    assert call("can_claim_fifty_moves", game.rows[-1], moves) == board.can_claim_fifty_moves()
    assert game.ask("can_claim_draw", moves) == board.can_claim_draw()
    end = item_of(board.outcome())
    assert game.ask("outcome") == end, board.fen()
    assert game.ask("is_game_over") == (end > 0)
    claimed = item_of(board.outcome(claim_draw=True))
    assert game.ask("outcome_with_claims", moves) == claimed, board.fen()
    return claimed


def test_games_that_go_back_and_forth_end_as_by_python_chess() -> None:
    rng = random.Random(4)
    seen: set[int] = set()
    for number in range(60):
        board = BOARDS[number].copy(stack=False)
        if board.is_game_over():
            continue
        board.halfmove_clock = rng.choice((0, 0, 90, 93, 97, 138, 145, 146))
        game = Played(board)
        for _ in range(rng.choice((12, 24))):
            moves = list(board.legal_moves)
            if not moves:
                break
            stack = board.move_stack
            back = [m for m in moves if len(stack) > 1 and (m.to_square, m.from_square) == _squares(stack[-2])]
            quiet = [m for m in moves if not board.is_zeroing(m)]
            game.push(rng.choice(back if back and rng.random() < 0.8 else quiet or moves))
            if rng.random() < 0.05 and not board.is_check():
                game.push(chess.Move.null())
        seen.add(check(game))
        game.theirs = game.theirs.copy()
    assert seen >= {0, 5, 7, 8}


def _squares(move: chess.Move) -> tuple[int, int]:
    return move.from_square, move.to_square


def test_a_fivefold_repetition() -> None:
    game = Played(chess.Board())
    seen = []
    for text in 4 * ["g1f3", "g8f6", "f3g1", "f6g8"]:
        game.push(chess.Move.from_uci(text))
        seen.append(check(game))
    assert seen[-1] == 6
    assert {0, 8} <= set(seen)


def test_an_en_passant_square_without_a_legal_capture_does_not_make_a_position_different() -> None:
    for fen, capturable in [("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", True), ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", False)]:
        game = Played(chess.Board(fen))
        for text in ["d2d4", "e8d8", "e1d1", "d8e8", "d1e1"]:
            game.push(chess.Move.from_uci(text))
        assert game.ask("is_repetition_of", 2) == (not capturable) == game.theirs.is_repetition(2)


@pytest.mark.parametrize(
    "fen",
    [
        "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
        "r5K1/5PPP/8/8/8/8/8/4k3 w - - 0 1",
        "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/N3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 150 99",
        "4k3/8/8/8/8/8/8/R3K3 w - - 99 80",
        "R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 99",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 99 80",
    ],
)
def test_ends_without_a_history(fen: str) -> None:
    check(Played(chess.Board(fen)))


def test_a_side_without_a_king_has_not_lost() -> None:
    game = Played(chess.Board())
    game.rows = [row_of(Board.unchecked("8/8/8/8/8/8/8/QQQ4K b - - 0 1"))]
    assert game.ask("outcome") == 0
    game.rows = [row_of(Board.empty())]
    assert game.ask("outcome") == 4


def test_material_agrees_with_python_chess() -> None:
    fens = ["4k3/8/8/8/8/8/8/QN2K3 w - - 0 1", "4k3/8/8/8/8/8/8/N3K3 b - - 0 1", "2b1k3/8/8/8/8/8/8/4KB2 b - - 0 1"]
    for board in (*BOARDS, *map(chess.Board, fens)):
        row = row_of(ours(board))
        assert call("is_insufficient_material", row) == board.is_insufficient_material()
        for colour in (chess.WHITE, chess.BLACK):
            expected = board.has_insufficient_material(colour)
            assert call("has_insufficient_material", row, int(colour)) == expected
        assert call("is_fifty_moves", row) == board.is_fifty_moves()
        assert call("is_seventyfive_moves", row) == board.is_seventyfive_moves()


def test_keys_and_equality_are_those_of_positions() -> None:
    keys: dict[str, int] = {}
    for board in BOARDS:
        mine = ours(board)
        row = row_of(mine)
        assert keys.setdefault(board.epd(), call("key", row)) == call("key", row) == mine.key
        assert call("has_legal_en_passant", row) == board.has_legal_en_passant()
        for other in BOARDS[:20]:
            assert call("is_equal", row, row_of(ours(other))) == (mine == ours(other))
        changed = row.copy()
        changed.flags.writeable = False
        assert call("is_equal", row, changed)
        for i in range(13):
            changed = row.copy()
            changed[i] ^= np.uint64(1) << np.uint64(0 if i in (9, 10, 11, 12) else 63)
            changed.flags.writeable = False
            assert call("is_equal", row, changed) == (i == 11 or (i == 8 and not board.has_legal_en_passant())), i
    assert len(set(keys.values())) == len(keys)
