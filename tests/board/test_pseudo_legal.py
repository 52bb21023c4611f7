"""Pseudo-legal moves and XBoard's notation, as python-chess has them."""

import random

import chess
import pytest

from rookery.board.board import Board
from rookery.board.moves import IllegalMoveError, Move
from test_like_python_chess import pairs


def their_moves(moves: list[chess.Move], board: chess.Board) -> list[str]:
    """The moves in the form that ours have: castling as king takes rook."""
    return sorted(board.uci(move) for move in moves)


def our_moves(moves: list[Move]) -> list[str]:
    return sorted(move.uci() for move in moves)


def test_lists_are_those_of_python_chess() -> None:
    rng = random.Random(5)
    exposed = 0
    for ours, theirs in pairs():
        mine, peers = ours.generate_pseudo_legal_moves(), list(theirs.generate_pseudo_legal_moves())
        assert our_moves(mine) == their_moves(peers, theirs)
        exposed += len(mine) - len(ours.legal_moves)
        masks = rng.getrandbits(64), rng.getrandbits(64)
        peers = list(theirs.generate_pseudo_legal_moves(*masks))
        assert our_moves(ours.generate_pseudo_legal_moves(*masks)) == their_moves(peers, theirs)
        assert our_moves(ours.generate_pseudo_legal_captures()) == their_moves(
            list(theirs.generate_pseudo_legal_captures()), theirs
        )
        assert our_moves(ours.generate_pseudo_legal_ep()) == their_moves(
            list(theirs.generate_pseudo_legal_ep()), theirs
        )
        assert ours.pseudo_legal_moves.count() == len(ours.pseudo_legal_moves) == theirs.pseudo_legal_moves.count()
    assert exposed > 300


def test_each_move_is_judged_as_by_python_chess() -> None:
    for ours, theirs in pairs()[:60]:
        for source in chess.SquareSet(theirs.occupied):
            for target in range(64):
                peer = chess.Move(
                    source, target, chess.QUEEN if target // 8 in (0, 7) and theirs.piece_type_at(source) == 1 else None
                )
                move = Move.from_uci(peer.uci()) if source != target else Move.null()
                if source == target:
                    continue
                # Ours takes castling as the king's two steps in Chess960, too.
                if theirs.chess960 and theirs.piece_type_at(source) == chess.KING and theirs.castling_rights:
                    continue
                assert ours.is_pseudo_legal(move) == theirs.is_pseudo_legal(peer), (theirs.fen(), peer)
                assert (move in ours.pseudo_legal_moves) == theirs.is_pseudo_legal(peer)
                if theirs.is_pseudo_legal(peer):
                    assert ours.is_into_check(move) == theirs.is_into_check(peer)
        for move in ours.generate_pseudo_legal_moves():
            assert ours.is_pseudo_legal(move)
            assert ours.is_into_check(move) != ours.is_legal(move)
            if ours.is_into_check(move):
                with pytest.raises(IllegalMoveError):
                    ours.push(move)


def test_a_repr_names_all_moves() -> None:
    board = Board("r3k1nr/ppq1pp1p/2p3p1/8/1PPR4/2N5/P3QPPP/5RK1 b kq b3 0 16")
    assert "Qxh2+" in repr(board.pseudo_legal_moves)
    assert "e8d7" in repr(board.pseudo_legal_moves)
    assert not board.is_pseudo_legal(Move.null())
    assert not board.is_pseudo_legal(1 << 20)


def test_xboard() -> None:
    for ours, theirs in pairs()[:150]:
        for move in ours.legal_moves:
            peer = theirs.parse_uci(ours.uci(move))
            assert ours.xboard(move) == theirs.xboard(peer)
            assert ours.xboard(move, chess960=True) == theirs.xboard(peer, chess960=True)
            assert ours.parse_xboard(ours.xboard(move)) == move or theirs.chess960
            assert ours.parse_xboard(ours.xboard(move, chess960=True)) == move
    board = Board()
    assert board.push_xboard("g1f3") is board.peek()
    assert (Move.null().xboard(), chess.Move.null().xboard()) == ("@@@@", "@@@@")


def test_set_epd_and_shredder_fen() -> None:
    for ours, theirs in pairs()[:100]:
        assert ours.shredder_fen() == theirs.shredder_fen()
        board = Board(chess960=ours.chess960)
        board.push_san("e4")
        assert board.set_epd(theirs.epd(shredder=True, hmvc=5, id="x")) == {"hmvc": 5, "id": "x"}
        assert board.epd(shredder=True) == theirs.epd(shredder=True)
        assert (board.halfmove_clock, board.move_stack) == (5, [])
    before = board.fen()
    with pytest.raises(ValueError, match="EPD"):
        board.set_epd("nonsense")
    assert board.fen() == before


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/4r3/8/b7/8/8/3NB3/4K2R w K - 0 1",  # two pins
        "3k4/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
        "3K4/8/8/8/k2Pp2R/8/8/8 b - d3 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/8/7b/8/4r3/R3K2R w KQ - 0 1",
        "r3k2r/1P6/8/8/8/8/1p6/R3K2R b KQkq - 0 1",
    ],
)
def test_small_boards(fen: str) -> None:
    ours, theirs = Board(fen), chess.Board(fen)
    for masks in ((), (0xFFFF,), (0xF0F0F0F0F0F0F0F0, 0x0FFFFFFFFFFFFFFF), (theirs.kings,)):
        for name in ("generate_pseudo_legal_moves", "generate_pseudo_legal_captures", "generate_pseudo_legal_ep"):
            expected = their_moves(list(getattr(theirs, name)(*masks)), theirs)
            found = our_moves(getattr(ours, name)(*masks))
            if not theirs.castling_rights or not masks:  # their masks take the king's target for castling
                assert found == expected, (name, masks)
    for source in chess.SquareSet(theirs.occupied_co[theirs.turn]):
        for target in set(chess.SQUARES) - {source}:
            last = target // 8 in (0, 7) and theirs.piece_type_at(source) == chess.PAWN
            peer = chess.Move(source, target, chess.KNIGHT if last else None)
            move = Move.from_uci(peer.uci())
            if theirs.piece_type_at(source) == chess.KING and theirs.castling_rights:
                continue  # castling also as the king takes its rook
            assert ours.is_pseudo_legal(move) == (move in ours.pseudo_legal_moves) == theirs.is_pseudo_legal(peer), peer
            assert ours.is_into_check(move) == (theirs.is_pseudo_legal(peer) and not theirs.is_legal(peer)), peer
    assert len(ours.pseudo_legal_moves) == ours.pseudo_legal_moves.count() == theirs.pseudo_legal_moves.count()
    assert not ours.is_pseudo_legal(0)
    assert not ours.is_pseudo_legal(1 << 16)
    assert not ours.is_into_check(0)
