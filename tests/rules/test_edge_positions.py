"""Special moves in a game, and boards that no game has: they must neither crash nor write out of bounds."""

import random

import chess
import numpy as np
import pytest

from rookery import Bitboard
from rookery.bitboards.squares import parse_square
from rookery.board.board import Board
from rookery.board.kernels.compiled import compiled
from rookery.rules.constants import MOST_MOVES


def pushed(fen: str, *moves: str) -> Board:
    board = Board(fen)
    for move in moves:
        board.push_uci(move)
    return board


def test_en_passant_gives_check_through_the_square_of_the_captured_pawn() -> None:
    # . . . k . . . .
    # . . . . . . . .
    # . . . . . . . .
    # . . . p P . . .
    # . . . . . . . .    both pawns leave; the rook on d1 is blocked again by the pawn on d6,
    # . . . . . . . .    the one on d-file sees nothing, but a bishop does
    # . . . . . . . .
    # K . . R . . . .
    board = Board("3k4/8/8/3pP3/8/8/8/K2R4 w - d6 0 1")
    assert board.san(board.parse_uci("e5d6")) == "exd6"
    # . . . . . . . .
    # . . . . . k . .
    # . . . . . . . .
    # . . . p P . . .
    # . . . . . . . .
    # . B . . . . . .
    # . . . . . . . .
    # K . . . . . . .
    board = Board("8/5k2/8/3pP3/8/1B6/8/K7 w - d6 0 1")
    move = board.parse_uci("e5d6")
    assert board.san(move) == "exd6+"
    board.push(move)
    assert board.checkers().names() == ["b3"]


def test_en_passant_counts_only_where_it_is_legal() -> None:
    illegal, legal, alone = (
        Board("7k/8/8/K1pP3r/8/8/8/8 w - c6 0 1"),
        Board("7k/8/8/2pP3r/8/8/8/K7 w - c6 0 1"),
        Board("7k/8/8/2p4r/8/8/8/K7 w - c6 0 1"),
    )
    assert [board.ep_square for board in (illegal, legal, alone)] == [parse_square("c6")] * 3
    assert [board.has_legal_en_passant() for board in (illegal, legal, alone)] == [False, True, False]
    assert [board.fen().split()[3] for board in (illegal, legal, alone)] == ["-", "c6", "-"]
    assert [board.fen(en_passant="xfen").split()[3] for board in (illegal, legal, alone)] == ["c6", "c6", "-"]
    assert [board.fen(en_passant="fen").split()[3] for board in (illegal, legal, alone)] == ["c6", "c6", "c6"]
    for board, same in ((illegal, True), (legal, False), (alone, True)):
        without = Board(board.fen(en_passant="fen").replace("c6", "-"))
        assert (board == without) is same
        assert (board.key == without.key) is same


def test_promotion_by_taking_a_castling_rook_takes_its_right() -> None:
    # r . . . k . . r
    # . P . . . . . .
    # . . . . . . . .
    # . . . . . . . .
    # . . . . . . . .
    # . . . . . . . .
    # . . . . . . p .
    # R . . . K . . R
    fen = "r3k2r/1P6/8/8/8/8/6p1/R3K2R w KQkq - 0 1"
    board = pushed(fen, "b7a8n")
    assert board.fen() == "N3k2r/8/8/8/8/8/6p1/R3K2R b KQk - 0 1"
    board = pushed(fen, "b7a8q")
    assert board.fen() == "Q3k2r/8/8/8/8/8/6p1/R3K2R b KQk - 0 1"
    assert board.is_check()
    board = pushed(fen, "b7b8n", "g2h1r")
    assert board.fen() == "rN2k2r/8/8/8/8/8/8/R3K2r w Qkq - 0 2"
    assert board.castling_rights.names() == ["a1", "a8", "h8"]
    board.pop()
    assert board.castling_rights.names() == ["a1", "h1", "a8", "h8"]


def test_a_rook_that_takes_a_rook_ends_both_rights() -> None:
    # r . . . k . . r
    # . . . . . . . .
    #       ...
    # . . . . . . . .
    # R . . . K . . R
    board = pushed("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8")
    assert board.fen() == "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1"
    assert board.castling_rights.names() == ["h1", "h8"]
    # Another rook that comes to a8 has no right to castle.
    board = pushed("r3k3/8/8/2r5/8/8/8/R3K3 w Qq - 0 1", "a1a8", "e8d7", "a8a1", "c5a5", "a1b1", "a5a8", "e1d1", "d7e8")
    assert not board.castling_rights
    assert board.fen() == "r3k3/8/8/8/8/8/8/1R1K4 w - - 7 5"


def test_a_promoted_rook_in_the_corner_may_not_castle() -> None:
    # . . . . k . . .
    # . . . . . . P .     the pawn becomes a rook on h8; later another stands on h1
    # . . . . . . . .
    #       ...
    # . . . . K . . .
    board = pushed("4k3/7P/8/8/8/8/p7/4K3 w - - 0 1", "h7h8r", "e8d7", "h8h1", "a2a1r")
    assert board.is_check()
    assert not any(board.is_castling(move) for move in board.legal_moves)
    assert board.fen().split()[2] == "-"


@pytest.mark.parametrize(
    ("fen", "uci", "king", "rook", "san"),
    [
        ("7k/8/8/8/8/8/4PPPP/5KR1 w G - 0 1", "f1g1", "g1", "f1", "O-O"),  # they swap
        ("7k/8/8/8/8/8/5PPP/6KR w H - 0 1", "g1h1", "g1", "f1", "O-O"),  # the king stays
        ("7k/8/8/8/8/8/3PPP2/3RKR2 w DF - 0 1", "e1f1", "g1", "f1", "O-O"),  # the rook stays
        ("7k/8/8/8/8/8/3PPP2/3RKR2 w DF - 0 1", "e1d1", "c1", "d1", "O-O-O"),
        ("7k/8/8/8/8/8/PPP5/1K2R3 w E - 0 1", "b1e1", "g1", "f1", "O-O"),  # the king jumps over the rook
        ("7k/8/8/8/8/8/8/R1K5 w A - 0 1", "c1a1", "c1", "d1", "O-O-O"),  # the rook jumps over the king
        ("7k/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "c1", "d1", "O-O-O"),
        ("1rk5/8/8/8/8/8/8/K7 b b - 0 1", "c8b8", "c8", "d8", "O-O-O"),
    ],
)
def test_where_king_and_rook_come_to_stand(fen: str, uci: str, king: str, rook: str, san: str) -> None:
    board = Board(fen)
    before = board.fen(shredder=True)
    assert board.chess960
    side = board.turn
    pieces = len(board.occupied)
    move = board.parse_uci(uci)
    assert board.is_castling(move)
    assert board.san(move).rstrip("+#") == san
    board.push(move)
    assert board.king(side) == parse_square(king)
    assert board.piece_at(parse_square(rook)) == ("R" if side else "r")
    assert len(board.occupied) == pieces
    assert not board.castling_rights
    theirs = chess.Board(before, chess960=True)
    theirs.push_uci(uci)
    assert board.fen() == theirs.fen()
    board.pop()
    assert board.fen(shredder=True) == before


def test_the_king_s_step_and_castling_differ() -> None:
    board = Board("k7/8/8/8/8/8/4PPP1/5K1R w H - 0 1")
    assert not board.is_castling(board.parse_uci("f1g1"))
    assert board.is_castling(board.parse_uci("f1h1"))
    assert board.san(board.parse_uci("f1g1")) == "Kg1"
    assert board.san(board.parse_uci("f1h1")) == "O-O"
    # With rook and king side by side, the king's step to the rook is castling.
    board = Board("7k/8/8/8/8/8/4PPP1/5KR1 w G - 0 1")
    assert board.is_castling(board.parse_uci("f1g1"))


def by_squares(pieces: dict[int, str], turn: bool = True) -> tuple[Board, chess.Board]:
    """The same pieces on both libraries' boards, whatever they are."""
    ours, theirs = Board.empty(), chess.Board.empty()
    for square, piece in pieces.items():
        ours.set_piece_at(square, piece)
        theirs.set_piece_at(square, chess.Piece.from_symbol(piece))
    if not turn:
        ours.push(ours.parse_uci("0000"))
        theirs.turn = False
    return ours, theirs


def check_count(ours: Board, theirs: chess.Board) -> int:
    """The moves are those of python-chess, none twice, and nothing is written behind the last."""
    moves = ours.generate_legal_moves()
    number = len(moves)
    assert number == len(set(moves)) == len(ours.legal_moves) == theirs.legal_moves.count() <= MOST_MOVES
    assert {move.uci() for move in moves} == {move.uci() for move in theirs.legal_moves}
    room = np.full(MOST_MOVES + 4096, 0xFFFF, np.uint16)
    code = compiled()
    assert code.generate_legal_moves(ours.words(), room, code.tables) == number
    assert (room[number:] == 0xFFFF).all()
    assert room[:number].tolist() == moves
    return number


def test_the_most_moves_a_game_can_offer() -> None:
    # R . . . . . . R
    # . . . Q . . . .
    # . Q . . . . Q .
    # . . . . Q . . .
    # . . Q . . . . Q
    # Q . . . . Q . .
    # p p . Q . . . .
    # k B N N . K B .    (Petrović 1964)
    fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
    board = Board(fen)
    assert check_count(board, chess.Board(fen)) == 218
    assert board.is_valid()


def test_more_moves_than_any_game_offers() -> None:
    # Q Q Q Q Q Q Q Q     queens around the edge, one king of each side in the middle
    # Q . . . . . . Q
    # Q . . . . . . Q
    # Q . . . . . . Q
    # Q . . K . . . Q
    # Q . . . . . . Q
    # Q . . . . . . Q
    # Q Q Q Q Q Q Q Q
    edge = [s for s in range(64) if s >> 3 in (0, 7) or s & 7 in (0, 7)]
    ours, theirs = by_squares(dict.fromkeys(edge, "Q"))
    assert check_count(ours, theirs) > 218
    ours, theirs = by_squares({**dict.fromkeys(edge, "Q"), parse_square("d4"): "K"})
    assert check_count(ours, theirs) > 218


@pytest.mark.parametrize("piece", "QRBN")
@pytest.mark.parametrize("colour", [True, False])
def test_boards_full_of_one_piece(piece: str, colour: bool) -> None:
    own = piece if colour else piece.lower()
    for empty in ("a1", "d4", "h8", "a1 d4 h8 e5"):
        ours, theirs = by_squares(
            {s: own for s in range(64) if s not in [parse_square(name) for name in empty.split()]}, colour
        )
        check_count(ours, theirs)


def test_every_pawn_promotes_three_ways() -> None:
    # r n b q . b n r     every file's pawn takes left and right, the one below the gap goes straight, too
    # P P P P P P P P
    # . . . . . . . .
    pieces = {48 + file: "P" for file in range(8)}
    pieces |= {56 + file: sign for file, sign in enumerate("rnbq.bnr") if sign != "."}
    ours, theirs = by_squares(pieces)
    assert check_count(ours, theirs) == 4 * (7 + 7 - 2 + 1)


@pytest.mark.parametrize("seed", range(40))
def test_arbitrary_pieces_without_kings(seed: int) -> None:
    rng = random.Random(seed)
    share = rng.choice((0.1, 0.3, 0.6, 0.9))
    signs = rng.choice(("QQQQQp", "PNBRQpnbrq", "NNNNNNNQ", "QRBNqrbn", "PPPPPppppp"))
    pieces = {}
    for square in range(64):
        sign = rng.choice(signs)
        if rng.random() < share and (sign not in "Pp" or 0 < square >> 3 < 7):
            pieces[square] = sign
    for turn in (True, False):
        ours, theirs = by_squares(pieces, turn)
        check_count(ours, theirs)
        assert not ours.is_check()
        assert not ours.checkers()
        # Neither a king nor a rule is there, and yet nothing crashes.
        assert ours.status()
        assert not ours.is_valid()
        assert ours.generate_evasions() == []
        ours.generate_checks()
        ours.generate_captures()
        ours.generate_quiet_moves()
        ours.outcome(claim_draw=True)
        assert isinstance(ours.fen(), str)
        for move in list(ours.legal_moves)[:10]:
            theirs.push_uci(move.uci())
            ours.push(move)
            assert ours.board_fen() == theirs.board_fen()
            check_count(ours, theirs)
            ours.pop()
            theirs.pop()


@pytest.mark.parametrize("seed", range(20))
def test_one_king_only(seed: int) -> None:
    rng = random.Random(seed)
    pieces = {s: rng.choice("QRBNqrbn") for s in range(64) if rng.random() < 0.3}
    pieces[rng.randrange(64)] = rng.choice("Kk")
    for turn in (True, False):
        ours, theirs = by_squares(pieces)
        if not turn:
            if ours.is_check():
                continue
            ours, theirs = by_squares(pieces, turn)
        check_count(ours, theirs)


def test_pawns_on_back_ranks_do_not_crash() -> None:
    # P P P P P P P P     no position of chess, but `set_piece_at` lets one stand there
    # . . . . . . . .
    #       ...
    # . . . . . . . .
    # P P P P P P P P
    ours, _ = by_squares(dict.fromkeys((*range(8), *range(56, 64)), "P"))
    assert {move.uci() for move in ours.legal_moves} == {f"{file}1{file}2" for file in "abcdefgh"}
    ours, _ = by_squares({s: "Pp"[s % 2] for s in range(64) if s % 5})
    assert len(ours.legal_moves) <= MOST_MOVES
    assert all(fault.reason for fault in ours.status())


def test_several_kings_do_not_crash() -> None:
    ours = Board.empty()
    for square in range(0, 64, 3):
        ours.set_piece_at(square, "K" if square % 2 else "k")
    assert 0 < len(ours.legal_moves) <= MOST_MOVES
    assert len(ours.status()) >= 2
    assert ours.castling_rights == Bitboard(0)


def test_an_empty_board() -> None:
    board = Board.empty()
    assert list(board.legal_moves) == []
    assert board.fen() == "8/8/8/8/8/8/8/8 w - - 0 1"
    assert [fault.reason for fault in board.status()] == [
        "white has no king, expected one",
        "black has no king, expected one",
    ]


def test_rights_end_when_a_piece_is_set_up_elsewhere() -> None:
    board = Board()
    board.remove_piece_at(parse_square("h1"))
    assert board.fen().split()[2] == "Qkq"
    board.set_piece_at(parse_square("h1"), "R")
    assert board.fen().split()[2] == "Qkq"
    board.set_piece_at(parse_square("a8"), "n")
    assert board.fen().split()[2] == "Qk"
    board.remove_piece_at(parse_square("e1"))
    assert board.castling_rights.names() == ["h8"]


def test_the_king_moved_by_hand_leaves_no_right() -> None:
    # . . . . k . . .
    #       ...
    # . . . . . . . .
    # R . . . K . . R    the king is put on f1 by hand: castling rights were those of e1
    board = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    board.remove_piece_at(parse_square("e1"))
    board.set_piece_at(parse_square("f1"), "K")
    assert not board.castling_rights
    assert not any(board.is_castling(move) for move in board.legal_moves)
