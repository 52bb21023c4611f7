"""The kernels that answer questions about one move, judged by python-chess."""

import chess
import pytest

from kernel_rows import call, is_refused, ours, row_of, their_boards
from rookery.board.moves import CHESS960, CLASSICAL, NULL, Move

BOARDS = their_boards(80)
IN_CHECK = chess.Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
EN_PASSANT = chess.Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")


def legal(board: chess.Board) -> list[tuple[chess.Move, int]]:
    return [(move, int(Move.from_uci(board.uci(move)))) for move in board.legal_moves]


def test_what_a_legal_move_does_agrees_with_python_chess() -> None:
    for board in BOARDS:
        row = row_of(ours(board))
        for theirs, move in legal(board):
            found = {name: bool(call(name, row, move)) for name in QUESTIONS}
            assert found == {name: getattr(board, name)(theirs) for name in QUESTIONS}, (board.fen(), theirs)
            board.push(theirs)
            after = 2 if board.is_checkmate() else int(board.is_check())
            board.pop()
            assert call("check_after", row, move) == after


QUESTIONS = (
    "is_capture",
    "is_en_passant",
    "is_castling",
    "is_kingside_castling",
    "is_queenside_castling",
    "is_zeroing",
    "is_irreversible",
    "gives_check",
)


def test_legality_of_every_move_agrees_with_python_chess() -> None:
    for board in BOARDS[::27]:
        row = row_of(ours(board))
        # python-chess writes castling of Chess960 as the king taking its rook, and takes it in classical chess, too.
        forms = set(board.legal_moves) | {m for m in board.legal_moves if board.is_castling(m)}
        legal_texts = {board.uci(move) for move in forms}
        pseudo = {board.uci(move) for move in board.pseudo_legal_moves}
        if not board.chess960:
            rooks = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}
            castling = [board.uci(m) for m in board.legal_moves if board.is_castling(m)]
            legal_texts |= {rooks[text] for text in castling}
            pseudo |= {rooks[text] for text in castling}
        for word in [*range(1 << 12), *range(1 << 14, 2 << 14, 7)]:
            move = CLASSICAL[word]
            text = move.uci()
            is_legal = call("is_legal", row, int(board.chess960), int(move))
            assert is_legal == (text in legal_texts), (board.fen(), text)
            is_pseudo = call("is_pseudo_legal", row, int(board.chess960), int(move))
            assert is_pseudo == (text in pseudo), (board.fen(), text)
            assert call("is_into_check", row, int(board.chess960), int(move)) == (is_pseudo and not is_legal)


def test_chess960_has_castling_to_the_rook_only() -> None:
    row = row_of(ours(chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")))
    for text, chess960, expected in [("e1g1", 0, 1), ("e1h1", 0, 1), ("e1g1", 1, 0), ("e1h1", 1, 1)]:
        assert call("is_legal", row, chess960, int(Move.from_uci(text))) == expected


def test_words_of_legal_moves_give_the_moves_back() -> None:
    for board in BOARDS:
        row = row_of(ours(board))
        moves = CHESS960 if board.chess960 else CLASSICAL
        for theirs, move in legal(board):
            word = call("move_word", row, move)
            assert int(moves[word]) == move
            assert call("word_of_move", row, move) == word
            assert call("word_of_move", row, word) == word
            assert word >> 14 == (
                1 if theirs.promotion else 2 if board.is_en_passant(theirs) else 3 if board.is_castling(theirs) else 0
            )
            if theirs.promotion in (None, chess.QUEEN):
                chess960 = int(board.chess960)
                assert call("find_move", row, chess960, int(move) & 63, int(move) >> 6 & 63) == word


@pytest.mark.parametrize("name", ["move_word", "check_after", "gives_check", "is_irreversible"])
def test_illegal_moves_are_left_to_python(name: str) -> None:
    assert is_refused(call(name, row_of(ours(chess.Board())), int(Move.from_uci("e2e5"))))


def test_null_moves() -> None:
    for name, board, expected in [
        ("move_word", chess.Board(), 0),
        ("gives_check", chess.Board(), 0),
        ("is_irreversible", chess.Board(), 0),
        ("is_irreversible", EN_PASSANT, 1),
        ("is_capture", IN_CHECK, 0),
        ("is_zeroing", chess.Board(), 0),
        ("word_of_move", chess.Board(), 0),
    ]:
        assert call(name, row_of(ours(board)), int(NULL)) == expected, name
    for name in ("move_word", "gives_check", "is_irreversible"):
        assert is_refused(call(name, row_of(ours(IN_CHECK)), int(NULL)))
    assert is_refused(call("check_after", row_of(ours(chess.Board())), int(NULL)))
    # A null move is none, even where a piece on a1 could be thought to stay there.
    assert not call("is_legal", row_of(ours(chess.Board())), 0, int(NULL))
    assert not call("is_pseudo_legal", row_of(ours(chess.Board())), 0, int(NULL))


def test_moves_that_do_not_exist_are_not_found() -> None:
    row = row_of(ours(chess.Board()))
    assert is_refused(call("find_move", row, 0, 12, 36))
    assert is_refused(call("find_move", row, 0, 0, 0))
