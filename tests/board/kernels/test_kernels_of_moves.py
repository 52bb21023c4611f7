"""The kernels that list, count and make moves, judged by python-chess."""

import chess
import numpy as np
import pytest

from kernel_rows import call, is_refused, listed, lists_of, ours, row_of, their_boards
from rookery.board.moves import CHESS960, CLASSICAL, EN_PASSANT, NULL, Move
from rookery.native_methods.kinds import MOST_MOVES, ROW_WORDS

BOARDS = 150


def as_theirs(board: chess.Board, words: list[int]) -> list[str]:
    moves = CHESS960 if board.chess960 else CLASSICAL
    return [moves[word].uci() for word in words]


def test_lists_agree_with_python_chess() -> None:
    for board in their_boards(BOARDS):
        row = row_of(ours(board))
        legal, _, of = lists_of(board)
        for name, expected in of.items():
            found = as_theirs(board, listed(name, row))
            assert len(found) == len(set(found)), (name, board.fen())
            assert set(found) == expected, (name, board.fen())
        assert call("count_legal_moves", row) == len(legal)


def test_lists_have_the_order_of_the_board() -> None:
    for board in their_boards(BOARDS):
        mine = ours(board)
        row = row_of(mine)
        for name in ("generate_legal_moves", "generate_captures", "generate_legal_captures", "generate_checks"):
            expected = [move.uci() for move in getattr(mine, name)()]
            assert as_theirs(board, listed(name, row)) == expected, (name, board.fen())
        found = as_theirs(board, listed("legal_moves_within", row, 0xFFFF, 0xFF00FF00FF00FF00))
        assert found == [move.uci() for move in mine.generate_legal_moves(0xFFFF, 0xFF00FF00FF00FF00)]


def test_rows_that_are_no_positions_have_room() -> None:
    row = np.full(ROW_WORDS, (1 << 64) - 1, np.uint64)  # every piece of both sides on every square, but for kings
    row[4] = 0
    row[9:] = 0
    moves = np.zeros(MOST_MOVES, np.uint16)
    for name in ("generate_legal_moves", "generate_pseudo_legal_moves", "generate_captures"):
        assert call(name, row, moves) == 8 * 42 + 420 + 140  # of knights, of sliders, of pawns


def test_checks_and_mates_agree_with_python_chess() -> None:
    mates = stalemates = 0
    ends = [chess.Board(fen) for fen in ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1")]
    for board in (*their_boards(BOARDS), *ends):
        row = row_of(ours(board))
        assert call("checkers", row) == int(board.checkers())
        assert call("is_check", row) == board.is_check()
        assert call("is_checkmate", row) == board.is_checkmate()
        assert call("is_stalemate", row) == board.is_stalemate()
        mates += board.is_checkmate()
        stalemates += board.is_stalemate()
    assert mates
    assert stalemates


def test_a_side_without_a_king_is_not_stalemated() -> None:
    assert call("is_stalemate", row_of(type(ours(chess.Board())).empty())) == 0


def test_push_agrees_with_python_chess() -> None:
    for board in their_boards(BOARDS):
        mine = ours(board)
        row = row_of(mine)
        for theirs in list(board.legal_moves):
            move = Move.from_uci(board.uci(theirs))
            out = np.ones(ROW_WORDS, np.uint64)
            word = call("push", row, int(move), out)
            assert (CHESS960 if board.chess960 else CLASSICAL)[word] is move
            unchecked = np.ones(ROW_WORDS, np.uint64)
            assert call("row_after", row, word, unchecked) == word
            assert unchecked.tolist() == out.tolist()
            board.push(theirs)
            expected = row_of(ours(board)).copy()
            expected[13] = word
            board.pop()
            assert out.tolist() == expected.tolist(), (board.fen(), move)


def test_push_takes_castling_in_both_forms() -> None:
    row = row_of(ours(chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")))
    for texts in (("e1g1", "e1h1"), ("e1c1", "e1a1")):
        out = [np.zeros(ROW_WORDS, np.uint64) for _ in texts]
        words = [call("push", row, int(Move.from_uci(text)), new) for text, new in zip(texts, out, strict=True)]
        assert words[0] == words[1]
        assert words[0] >> 14 == 3
        assert out[0].tolist() == out[1].tolist()


def test_push_records_the_word_of_an_en_passant_capture() -> None:
    row = row_of(ours(chess.Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 7 9")))
    out = np.zeros(ROW_WORDS, np.uint64)
    assert call("push", row, int(Move.from_uci("e5d6")), out) >> 14 == EN_PASSANT
    assert out[10:].tolist() == [0, 0, 9, int(out[13])]


def test_push_refuses_every_illegal_move() -> None:
    out = np.zeros(ROW_WORDS, np.uint64)
    for board in their_boards(BOARDS)[:5]:
        row = row_of(ours(board))
        legal = {board.uci(move) for move in board.legal_moves}
        if not board.chess960:  # castling as the king takes its rook
            legal |= {chess.Move(m.from_square, m.to_square).uci() for m in map(rook_form(board), board.legal_moves)}
        for word in [*range(1, 1 << 12), *range(1 << 14, 2 << 14, 5)]:
            move = CLASSICAL[word]
            if move.from_square != move.to_square:
                refused = is_refused(call("push", row, int(move), out))
                assert refused == (move.uci() not in legal), (board.fen(), move)


def rook_form(board: chess.Board):  # type: ignore[no-untyped-def]
    def of(move: chess.Move) -> chess.Move:
        if not board.is_castling(move):
            return move
        rook = 7 if board.is_kingside_castling(move) else 0
        return chess.Move(move.from_square, chess.square(rook, chess.square_rank(move.from_square)))

    return of


@pytest.mark.parametrize(
    ("fen", "refused"), [("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", True), ("4k3/8/8/8/8/8/8/4K3 b - - 5 9", False)]
)
def test_the_null_move_passes_the_turn_unless_in_check(fen: str, refused: bool) -> None:
    out = np.zeros(ROW_WORDS, np.uint64)
    board = chess.Board(fen)
    result = call("push", row_of(ours(board)), int(NULL), out)
    assert is_refused(result) == refused
    if not refused:
        board.push(chess.Move.null())
        assert out.tolist() == row_of(ours(board)).tolist()
