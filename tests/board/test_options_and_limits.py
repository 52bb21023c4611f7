"""Defaults, options and limits of methods of boards and moves, and the whole text of errors."""

import pickle
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest

from rookery.board.board import Board
from rookery.board.endings import Outcome, Termination
from rookery.board.moves import IllegalMoveError, InvalidMoveError, Move, as_move, parse_uci_parts, read_promotion
from rookery.board.playing import legal_word
from rookery.board.rows import MOST_COUNTED, packed, replaced, unpack

KINGS = "4k3/8/8/8/8/8/8/4K3"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
UNREACHABLE = "k3r3/8/8/8/1b5b/8/8/4K3 w - - 0 1"  # three pieces give check


def message_of(ask: Callable[..., object], *arguments: Any, **options: Any) -> str:
    with pytest.raises((ValueError, TypeError)) as error:
        ask(*arguments, **options)
    return str(error.value)


# Setting up.


def test_positions_that_no_game_reaches_are_accepted_unless_strict_is_set() -> None:
    for fen in (UNREACHABLE, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"):
        board = Board()
        board.set_fen(fen)
        assert board == Board(fen) == Board(fen, strict=False) == Board.from_epd(fen.rsplit(" ", 2)[0])[0]
    reason = "check from b4 and h4 and e8: no move gives check with three pieces"
    board = Board()
    for ask in (
        lambda: Board(UNREACHABLE, strict=True),
        lambda: Board(UNREACHABLE, None, True),
        lambda: board.set_fen(UNREACHABLE, strict=True),
    ):
        assert message_of(ask) == f"FEN: {UNREACHABLE!r}: {reason}"
    assert board == Board()


def test_an_error_without_strict_leaves_out_what_can_be_played_on() -> None:
    fen = "3qk3/8/8/8/8/8/PPPPPPPP/QQ1QK2P w - - 0 1"
    pawns = ["white has 9 pawns, at most 8", "white pawn on h1: pawns never stand on a back rank"]
    promoted = Board.unchecked(fen).status()[-1]
    assert message_of(lambda: Board(fen)) == f"FEN: {fen!r}: {'; '.join(pawns)}"
    if promoted.strict:
        assert message_of(lambda: Board(fen, strict=True)) == f"FEN: {fen!r}: {'; '.join([*pawns, str(promoted)])}"


@pytest.mark.parametrize("chess960", [False, True])
def test_the_start_is_of_the_kind_of_chess_that_is_given(chess960: bool) -> None:
    for board in (Board(chess960=chess960), Board(chess.STARTING_FEN, chess960), Board.empty(chess960=chess960)):
        assert board.chess960 is chess960
    assert (Board(None).chess960, Board(None, chess960).chess960) == (False, chess960)
    board = Board(chess960=not chess960)
    board.set_fen(chess.STARTING_FEN, chess960)
    assert board.chess960 is chess960
    board.reset()
    assert board.chess960 is False
    assert Board.from_words(Board().words(), chess960=chess960).chess960 is chess960
    assert Board(f"{KINGS} w - - 0 1", chess960).copy().chess960 is chess960


def test_words_have_defaults_and_limits() -> None:
    words = Board().words().tolist()
    assert (len(words), words[10:]) == (14, [0, 0, 0, 0])
    board = Board.from_words(words)
    assert (board.halfmove_clock, board.fullmove_number, board.chess960, board.move_stack) == (0, 1, False, [])
    board = Board.from_words(np.array(words[:10], np.uint64), halfmove_clock=7, fullmove_number=9)
    assert board.fen() == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 9"
    assert Board.from_words([*words[:9], 1]).turn is False
    for number in (9, 11, 13, 15):
        wrong = (words * 2)[:number]
        assert message_of(lambda wrong=wrong: Board.from_words(wrong)).endswith(
            "expected 10 words, or the 14 of `Board.words`"
        )
    assert message_of(lambda: Board.from_words([*words[:9], 2])) == (
        "words[9]: 2: expected 0, white to move, or 1, black to move"
    )
    assert "10 words" in message_of(Board.from_words, np.zeros((2, 5), np.uint64))
    assert "halfmove_clock: -1" in message_of(lambda: Board.from_words(words, halfmove_clock=-1))


def test_ten_words_forget_what_fourteen_remember() -> None:
    board = Board("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")
    board.turn = True
    for words, target in ((board.words(), 20), (board.words()[:10], None)):
        again = Board.from_words(words)
        again.turn = False
        assert again.ep_square == target


def test_a_board_is_cleared() -> None:
    board = Board("4k3/8/8/3pP3/8/8/8/4K3 b - - 7 9")
    board.push_san("Kd7")
    board.clear()
    assert (board.fen(), board.move_stack) == ("8/8/8/8/8/8/8/8 w - - 0 1", [])
    board.push_san("--")
    board.set_chess960_pos(0)
    assert (board.fen(), board.move_stack) == (chess.Board.from_chess960_pos(0).fen(), [])
    assert board.chess960
    board.push_san("e4")
    board.reset()
    assert (board == Board(), board.move_stack) == (True, [])


def test_a_start_of_chess960_is_recognised_with_all_options() -> None:
    board = Board.from_chess960_pos(17)
    assert board.chess960_pos() == board.chess960_pos(ignore_counters=False) == 17
    board.halfmove_clock = 1
    assert (board.chess960_pos(), board.chess960_pos(ignore_counters=False)) == (17, None)
    board = Board.from_chess960_pos(17)
    board.fullmove_number = 2
    assert (board.chess960_pos(), board.chess960_pos(ignore_counters=False)) == (17, None)
    board.castling_rights = 0
    assert (board.chess960_pos(), board.chess960_pos(ignore_castling=True)) == (None, 17)
    board.turn = False
    assert board.chess960_pos(ignore_castling=True) is None
    assert board.chess960_pos(ignore_castling=True, ignore_turn=True) == 17
    assert Board(f"{KINGS} w - - 0 1").chess960_pos() is None
    assert Board("rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 1").chess960_pos() is None
    assert Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").chess960_pos(ignore_turn=True) is None


# Rights and counters.


def test_a_castling_field_is_set_alone() -> None:
    board = Board(CASTLING.replace("KQkq", "-"))
    board.push_san("Rb1")
    for field, rights in (("Kq", 1 << 7 | 1 << 56), ("k", 1 << 63), ("-", 0)):
        board.set_castling_fen(field)
        assert (board.castling_rights, board.move_stack, board.turn) == (rights, [], False)
        assert board.halfmove_clock == 1
    before = board.fen()
    for wrong in ("", "K Q", "K" * 17, None, 5):
        message = message_of(board.set_castling_fen, wrong)
        assert message.startswith("FEN field 3 (castling): ")
        assert message.endswith(": expected this field alone, like 'KQ' or '-'")
    assert "says again" in message_of(lambda: board.set_castling_fen("K" * 16))
    assert board.fen() == before


def test_a_castling_field_keeps_the_en_passant_square_and_the_kind_of_chess() -> None:
    board = Board("4k3/8/8/3p4/8/8/8/1R2K2R w - d6 4 9")
    board.set_castling_fen("K")
    assert (board.fen(en_passant="fen"), board.chess960) == ("4k3/8/8/3p4/8/8/8/1R2K2R w K d6 4 9", False)
    board.set_castling_fen("B")
    assert board.chess960
    board.set_castling_fen("K")
    assert board.chess960
    board = Board("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    board.set_castling_fen("H")
    assert (board.chess960, board.fen()) == (False, "4k3/8/8/8/8/8/8/4K2R w K - 0 1")


@pytest.mark.parametrize(
    ("fen", "only"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", False),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", True),
        ("1r2k3/8/8/8/8/8/8/4K3 w b - 0 1", True),
        ("4k3/8/8/8/8/8/8/R2K4 w A - 0 1", True),
        ("r2k4/8/8/8/8/8/8/4K3 w a - 0 1", True),
        ("r3k3/8/8/8/8/8/8/R2K4 w a - 0 1", False),
        ("r2k4/8/8/8/8/8/8/R3K3 w A - 0 1", False),
        ("4k2r/8/8/8/8/8/8/3K3R w h - 0 1", False),
        ("3k4/8/8/8/8/8/8/3K4 w - - 0 1", False),
    ],
)
def test_rights_that_only_chess960_has(fen: str, only: bool) -> None:
    assert Board(fen, chess960=True).has_chess960_castling_rights() is only
    assert chess.Board(fen, chess960=True).has_chess960_castling_rights() is only


def test_a_side_without_a_king_castles_with_no_rook() -> None:
    board = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    words = board.words()[:10].tolist()
    words[4] ^= 1 << 4
    words[5] ^= 1 << 4
    without = Board.from_words(words)
    for ask in (
        without.has_castling_rights,
        without.has_kingside_castling_rights,
        without.has_queenside_castling_rights,
    ):
        assert (ask("white"), ask("black")) == (False, False)


@pytest.mark.parametrize(("name", "least"), [("halfmove_clock", 0), ("fullmove_number", 1)])
def test_counters_have_limits(name: str, least: int) -> None:
    board = Board()
    for value in (least, least + 1, MOST_COUNTED, np.int64(7)):
        setattr(board, name, value)
        assert (getattr(board, name), type(getattr(board, name))) == (value, int)
    for value in (least - 1, MOST_COUNTED + 1):
        wrong = message_of(lambda value=value: setattr(board, name, value))
        assert wrong == f"{name}: {value}: expected {least} to 999,999,999"
    wrong = message_of(lambda: setattr(board, name, "5"))
    assert wrong == f"{name}: '5': expected an int from {least} to 999,999,999"
    assert getattr(board, name) == 7


def test_plies_are_counted_from_one() -> None:
    for fen, ply in ((f"{KINGS} w - - 0 1", 0), (f"{KINGS} b - - 0 1", 1), (f"{KINGS} w - - 0 7", 12)):
        assert Board(fen).ply() == chess.Board(fen).ply() == ply


def test_a_word_of_a_row_is_replaced() -> None:
    words = list(range(100, 114))
    for i in range(14):
        expected = [*words[:i], 7, *words[i + 1 :]]
        assert list(unpack(replaced(packed(words), i, 7))) == expected


# Moves.


def test_words_and_moves_have_limits() -> None:
    assert (as_move(0), as_move((1 << 16) - 1).uci()) == (Move.null(), Move(0xFFFF).uci())
    castling = 4 | 7 << 6 | 3 << 14
    assert (as_move(castling).uci(), as_move(castling, chess960=True).uci()) == ("e1g1", "e1h1")
    for wrong in (-1, 1 << 16):
        assert message_of(lambda wrong=wrong: as_move(wrong)) == f"move: {wrong}: expected an int from 0 to 65535"
        assert message_of(lambda wrong=wrong: Move(wrong)) == f"move: {wrong}: expected an int from 0 to 65535"
        assert message_of(Move.from_word, wrong) == f"word: {wrong}: expected an int from 0 to 65535"
        with pytest.raises(InvalidMoveError):
            as_move(wrong, "reply")
    for value in (True, 1.0, "e2e4"):
        with pytest.raises(TypeError, match=r"^word: .*: expected an int from 0 to 65535$"):
            Move.from_word(value)  # type: ignore[arg-type]
    assert message_of(lambda: as_move("e2e4", "reply")).startswith("reply: 'e2e4': expected a Move")  # type: ignore[arg-type]
    assert "promotion: 5: expected a to_square before it" in message_of(lambda: Move(5, promotion=5))
    assert Move() is Move(0) is Move.null() is Move.from_word(0)
    assert Move.from_word((1 << 16) - 1) is Move((1 << 16) - 1)


@pytest.mark.parametrize("promotion", [None, "n", "b", "r", "q"])
def test_promotions_are_read_in_each_form(promotion: str | None) -> None:
    kind = chess.PIECE_SYMBOLS.index(promotion) if promotion else None
    name = chess.PIECE_NAMES[kind] if kind else None
    for form in (promotion, kind, name):
        assert read_promotion(form) == promotion
        assert Move.of(48, 56, promotion=form).uci() == f"a7a8{promotion or ''}"
        assert Move(48, 56, form).promotion == kind
    text = f"a7a8{promotion or ''}"
    assert parse_uci_parts(text) == (48, 56, promotion)
    assert pickle.loads(pickle.dumps(Move.from_uci(text))) is Move.from_uci(text)


@pytest.mark.parametrize("text", ["", "e2e", "e2e4qq", "e2e4x", "e2e4Q", "i2e4", "e2e9", "e2e2", "0001", 5, None])
def test_texts_that_are_no_squares_are_refused(text: Any) -> None:
    message = message_of(lambda: parse_uci_parts(text))
    assert message.startswith("UCI move: ")
    assert message.endswith("expected two squares and perhaps a promotion, like 'e2e4' or 'e7e8q'")
    with pytest.raises(ValueError, match=r"^UCI move: "):
        Move.from_uci(text)


def test_a_picture_of_a_move_has_its_options() -> None:
    picture = Move.of(12, 28).svg()
    assert "Move e2e4" in picture
    assert 'width="240"' in picture
    assert (
        Move.of(12, 28)._repr_svg_() == picture == Move.of(12, 28).svg(orientation="white", coordinates=True, size=240)
    )
    assert (
        len(
            {
                picture,
                *(Move.of(12, 28).svg(**o) for o in ({"orientation": "black"}, {"coordinates": False}, {"size": 99})),
            }
        )
        == 4
    )
    assert "arrow" in picture
    assert "arrow" not in Move.null().svg()


def test_castling_is_written_and_read_in_both_forms() -> None:
    for fen, king, forms in (
        (CASTLING, "e1", ("e1g1", "e1h1", "O-O")),
        (CASTLING, "e1", ("e1c1", "e1a1", "O-O-O")),
        (CASTLING.replace(" w ", " b "), "e8", ("e8g8", "e8h8", "O-O")),
        (CASTLING.replace(" w ", " b "), "e8", ("e8c8", "e8a8", "O-O-O")),
    ):
        board = Board(fen)
        steps, takes, san = forms
        for text in (steps, takes):
            move = Move.from_uci(text)
            assert (board.uci(move, chess960=False), board.uci(move, chess960=True)) == (steps, takes)
            assert board.xboard(move, True) == san
            assert board.is_legal(move)
            assert text in board.legal_moves
            assert board.parse_uci(text).uci() == steps
            assert board.parse_uci(text).from_square == chess.parse_square(king)
        chess960 = Board(fen, chess960=True)
        assert (chess960.is_legal(Move.from_uci(steps)), chess960.is_legal(Move.from_uci(takes))) == (False, True)
        assert chess960.uci(chess960.parse_san(san)) == takes
        assert chess960.xboard(chess960.parse_san(san)) == san
    rooks = Board("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1")
    assert rooks.uci(Move.from_uci("a1b1"), chess960=True) == rooks.xboard(Move.from_uci("a1b1"), True) == "a1b1"


def test_lines_begin_with_either_side() -> None:
    line = [Move.from_uci(text) for text in ("e7e5", "g1f3", "b8c6")]
    board = Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7")
    assert board.variation_san(line) == "7...e5 8. Nf3 Nc6"
    assert board.variation_san([]) == ""
    assert board.variation_san([Move.null(), line[1], line[0]]) == "7...-- 8. Nf3 e5"
    message = message_of(lambda: board.variation_san([line[0], line[2]]))
    assert message.startswith("variation[1]: illegal move b8c6 in ")
    assert "variation: 5: expected an iterable of moves" in message_of(lambda: board.variation_san(5))  # type: ignore[arg-type]


def test_a_pawn_becomes_a_queen_where_nothing_is_said() -> None:
    board = Board("1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1")
    assert (board.find_move(48, 56).uci(), board.find_move(48, 57, "n").uci()) == ("a7a8q", "a7b8n")
    board.push_san("Kd1")
    assert (board.find_move(8, 0).uci(), board.find_move(8, 1, chess.ROOK).uci()) == ("a2a1q", "a2b1r")
    rook = Board("4k3/R7/8/8/8/8/8/4K3 w - - 0 1")
    assert rook.find_move(48, 56).uci() == "a7a8"
    with pytest.raises(IllegalMoveError, match=r"^move: a7b8 is not legal in "):
        rook.find_move(48, 57)
    with pytest.raises(IllegalMoveError, match=r"^move: a7a8q is not legal in "):
        rook.find_move(48, 56, "q")
    assert (legal_word(rook, Move.null()), legal_word(rook, 48 | 56 << 6)) == (0, 48 | 56 << 6)


# Ends.


@pytest.mark.parametrize(
    ("fen", "claim", "expected"),
    [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", False, Outcome(Termination.CHECKMATE, True)),
        ("4k3/8/8/8/8/8/5PPP/r5K1 w - - 150 1", False, Outcome(Termination.CHECKMATE, False)),
        ("k7/2Q5/8/8/8/8/8/4K3 b - - 150 1", False, Outcome(Termination.STALEMATE, None)),
        (f"{KINGS} w - - 150 1", False, Outcome(Termination.INSUFFICIENT_MATERIAL, None)),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 150 99", False, Outcome(Termination.SEVENTYFIVE_MOVES, None)),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 149 99", False, None),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 149 99", True, Outcome(Termination.FIFTY_MOVES, None)),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 99", True, Outcome(Termination.FIFTY_MOVES, None)),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 98 99", True, None),
    ],
)
def test_outcomes(fen: str, claim: bool, expected: Outcome | None) -> None:
    board = Board(fen)
    assert board.outcome(claim_draw=claim) == expected
    assert board.is_game_over(claim_draw=claim) is (expected is not None)
    assert board.result(claim_draw=claim) == (expected.result() if expected else "*")
    if not claim:
        assert board.outcome() == expected
        assert board.result() == board.result(claim_draw=False)
        assert board.is_game_over() is (expected is not None)


def test_repetitions_end_games() -> None:
    board = Board()
    ended = {}
    for i, san in enumerate(5 * "Nf3 Nf6 Ng1 Ng8 ".split()):
        board.push_san(san)
        ended[i + 1] = (board.outcome(), board.outcome(claim_draw=True), board.is_repetition(2), board.is_repetition(4))
    assert {i: [bool(one) for one in four] for i, four in ended.items() if i in (3, 4, 6, 7, 8, 11, 12, 15, 16)} == {
        3: [False, False, False, False],
        4: [False, False, True, False],
        6: [False, False, True, False],
        7: [False, True, True, False],
        8: [False, True, True, False],
        11: [False, True, True, False],
        12: [False, True, True, True],
        15: [False, True, True, True],
        16: [True, True, True, True],
    }
    assert ended[16][0] == Outcome(Termination.FIVEFOLD_REPETITION, None)
    assert ended[7][1] == Outcome(Termination.THREEFOLD_REPETITION, None)
    assert repr(ended[7][1]) == "Outcome(termination=Termination.THREEFOLD_REPETITION, winner=None)"
    assert board.is_repetition(1)
    assert board.is_repetition(0)
    assert not board.is_repetition(7)
