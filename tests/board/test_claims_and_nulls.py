"""Claims of draws, repetitions across null moves, boards as keys, variants: the same games in python-chess."""

import random
from typing import Any

import chess
import chess.variant
import numpy as np
import pytest

from rookery.board import queries
from rookery.board.board import Board
from rookery.board.moves import IllegalMoveError, Move

KNIGHTS = "Nf3 Nf6 Ng1 Ng8".split()


def played(sans: list[str], fen: str = chess.STARTING_FEN) -> tuple[Board, chess.Board]:
    ours, theirs = Board(fen), chess.Board(fen)
    for san in sans:
        ours.push_san(san)
        theirs.push_san(san)
    return ours, theirs


def assert_ends_alike(ours: Board, theirs: chess.Board) -> None:
    for claim_draw in (False, True):
        outcome = theirs.outcome(claim_draw=claim_draw)
        found = ours.outcome(claim_draw=claim_draw)
        name = found and found.termination.upper().replace("-", "").replace(" ", "_")
        assert name == (outcome.termination.name if outcome else None), ours
        assert ours.is_game_over(claim_draw=claim_draw) == theirs.is_game_over(claim_draw=claim_draw)
        assert ours.result(claim_draw=claim_draw) == theirs.result(claim_draw=claim_draw)
    assert ours.can_claim_draw() == theirs.can_claim_draw()
    assert ours.can_claim_threefold_repetition() == theirs.can_claim_threefold_repetition()
    assert ours.can_claim_fifty_moves() == theirs.can_claim_fifty_moves()
    for count in range(1, 7):
        assert ours.is_repetition(count) == theirs.is_repetition(count), (ours, count)


def test_a_claim_of_what_the_next_move_brings_ends_the_game() -> None:
    ours, theirs = played([*KNIGHTS, *KNIGHTS[:3]])
    assert ours.can_claim_draw()
    assert not ours.is_game_over()
    assert ours.is_game_over(claim_draw=True)
    assert ours.result(claim_draw=True) == "1/2-1/2"
    assert_ends_alike(ours, theirs)


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/R3K3 w - - 98 80",
        "4k3/8/8/8/8/8/8/R3K3 w - - 99 80",
        "4k3/8/8/8/8/8/8/R3K3 w - - 100 80",
        "7k/8/8/8/8/p7/P7/K7 w - - 99 80",  # only the king moves
        "k7/P7/K7/8/8/8/8/8 w - - 99 80",  # a quiet move that stalemates
        "4k3/8/8/8/8/8/8/R3K3 w - - 150 99",
    ],
)
def test_claims_of_fifty_moves(fen: str) -> None:
    assert_ends_alike(*played([], fen))


@pytest.mark.parametrize(
    "sans",
    [
        ["--", "--"],
        ["--", "--"] * 2,
        ["--", "--"] * 4,
        ["Nf3", "--", "Ng1", "--"] * 2,
        [*KNIGHTS, "--", "--", *KNIGHTS],
        ["e4", "--", "--", "Nf6", "Nf3", "Ng8", "Ng1"],
        ["Nf3", "--", "Ng1", "Nf6", "--", "Ng8", *KNIGHTS],
    ],
)
def test_repetitions_count_through_null_moves(sans: list[str]) -> None:
    for plies in range(len(sans) + 1):
        assert_ends_alike(*played(sans[:plies]))


@pytest.mark.parametrize("seed", range(6))
def test_random_games_with_null_moves(seed: int) -> None:
    rng = random.Random(seed)
    fen = ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", chess.STARTING_FEN)[seed % 3]
    ours, theirs = Board(fen), chess.Board(fen)
    for _ in range(60):
        moves = list(theirs.legal_moves)
        if not moves:
            break
        back = [m for m in moves if len(theirs.move_stack) > 1 and m.from_square == theirs.move_stack[-2].to_square]
        move = rng.choice(back or moves) if rng.random() < 0.7 else rng.choice(moves)
        if rng.random() < 0.25 and not theirs.is_check():
            move = chess.Move.null()
        ours.push_uci(move.uci())
        theirs.push(move)
        assert_ends_alike(ours, theirs)


def test_a_board_has_no_hash_and_a_key() -> None:
    board = Board()
    with pytest.raises(TypeError, match="unhashable"):
        hash(board)
    with pytest.raises(TypeError, match="unhashable"):
        _ = {board}
    seen = {board.key}
    board.push_san("e4")
    assert board.key not in seen
    board.pop()
    assert board.key in seen
    assert Board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 9").key in seen


def test_equality_is_that_of_python_chess() -> None:
    fens = [
        chess.STARTING_FEN,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
        "7k/8/8/K1pP3r/8/8/8/8 w - c6 0 1",  # the capture would leave the king in check
        "7k/8/8/K1pP3r/8/8/8/8 w - - 0 1",
        "7k/8/8/2pP3r/8/8/8/K7 w - c6 0 1",
        "7k/8/8/2pP3r/8/8/8/K7 w - - 0 1",
        "7k/8/8/2p4r/8/8/8/K7 w - c6 0 1",
        "7k/8/8/2p4r/8/8/8/K7 w - - 0 1",
        "3r3k/8/8/2pP4/8/8/8/3K4 w - c6 0 1",  # pinned on its file
        "3r3k/8/8/2pP4/8/8/8/3K4 w - - 0 1",
    ]
    boards = [(Board(fen, chess960), chess.Board(fen, chess960=chess960)) for fen in fens for chess960 in (False, True)]
    for ours, theirs in boards:
        for other, their_other in boards:
            assert (ours == other) == (theirs == their_other), (ours, other)
            if ours == other:
                assert ours.key == other.key


def test_the_null_move_has_no_san_in_check() -> None:
    board = Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    for write in (board.san, board.lan, board.push, board.san_and_push):
        for move in (0, Move.null()):
            with pytest.raises(IllegalMoveError, match=r"^null move: the king is in check$"):
                write(move)
    assert Board().san(0) == Board().lan(Move.null()) == "--"


@pytest.mark.parametrize("variant", [v for v in chess.variant.VARIANTS if v.uci_variant != "chess"])
def test_variants_are_refused(variant: Any) -> None:
    with pytest.raises(ValueError, match=rf"^board: variant '{variant.uci_variant}': expected classical chess or"):
        Board.from_chess(variant())
    with pytest.raises(ValueError, match=rf"^board_class: variant '{variant.uci_variant}'"):
        Board().to_chess(variant)


def test_what_is_not_of_python_chess_is_refused() -> None:
    for wrong in ("x", None, Board()):
        with pytest.raises(TypeError, match=r"^board: .*: expected a board of python-chess$"):
            Board.from_chess(wrong)
    assert Board.from_chess(chess.Board.from_chess960_pos(7)).chess960


def test_repetitions_are_counted_as_far_back_as_the_clock_says() -> None:
    board = Board()
    for san in 2 * "Nf3 Nf6 Ng1 Ng8 ".split():
        board.push_san(san)
    counts = {}
    for clock in (0, 1, 2, 3, 4, 5, 7, 8, 9):
        board.halfmove_clock = clock
        counts[clock] = (board.repetitions(), board.is_repetition(2), board.is_repetition())
    assert counts == {
        **dict.fromkeys((0, 1, 2, 3), (1, False, False)),
        **dict.fromkeys((4, 5, 7), (2, True, False)),
        **dict.fromkeys((8, 9), (3, True, True)),
    }
    board.clear_stack()
    assert board.repetitions() == 1


def test_null_moves_repeat_a_position_every_two_plies() -> None:
    board = Board()
    for ply in range(1, 10):
        board.push(Move.null())
        assert board.repetitions() == 1 + ply // 2
        assert [board.is_repetition(count) for count in range(1, 6)] == [1 + ply // 2 >= count for count in range(1, 6)]
        assert board.is_fivefold_repetition() == (ply >= 8)


def test_what_is_no_move_or_square_is_named_by_every_question() -> None:
    board = Board()
    asked: list[Any] = [
        board.move_word, board.gives_check, board.is_irreversible, board.check_after, board.see, board.pseudo_legal_see,
        board.push, board.san, board.uci, board.is_capture, board.is_castling, board.is_en_passant, board.is_zeroing,
    ]  # fmt: skip
    for ask in asked:
        with pytest.raises(TypeError, match=r"^move: 'e2e4': expected a Move"):
            ask("e2e4")
    for ask in (board.piece_at, board.piece_type_at, board.kind_at, board.color_at, board.attacks):
        for wrong in (64, -1):
            with pytest.raises(ValueError, match=rf"^square: {wrong} is off the board"):
                ask(wrong)
        for other in (True, "e4", 1.0, None):
            with pytest.raises(TypeError, match=r"^square: "):
                ask(other)  # type: ignore[arg-type]
        assert ask(63) == ask(np.int64(63))  # type: ignore[arg-type]
    for see in (queries.see, queries.pseudo_legal_see):
        with pytest.raises(TypeError, match=r"^board: 'x': expected a rookery.Board"):
            see("x", 5)  # type: ignore[arg-type]
    assert board.see(Move.from_uci("e2e4")) == board.pseudo_legal_see(Move.from_uci("e2e4")) == 0
