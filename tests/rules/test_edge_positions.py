"""Positions in which move generators go wrong, each drawn, with the moves expected.

A drawing is what the test reads. Every position is tried with the colours swapped, too, and the whole set of its
legal moves is compared with python-chess.
"""

import random
from typing import Final, NamedTuple

import chess
import numpy as np
import pytest

from rookery import Bitboard
from rookery.kernel import UNIVERSE
from rookery.rules.board import Board
from rookery.rules.engine import engine
from rookery.rules.generate import MOST_MOVES
from rookery.squares import parse_square


class Case(NamedTuple):
    """White to move. `moves` are all legal moves from the squares named in `of`."""

    name: str
    drawing: str
    fields: str  # castling and en passant
    of: str
    moves: str
    chess960: bool = False


def fen_of(drawing: str, fields: str, turn: str = "w") -> str:
    """The FEN of a drawing."""
    ranks = ["".join(line.split()) for line in drawing.strip().splitlines()]
    text = "/".join(ranks)
    for empty in range(8, 0, -1):
        text = text.replace("." * empty, str(empty))
    return f"{text} {turn} {fields} 0 1"


def swapped(text: str) -> str:
    """Squares or moves with the ranks counted from the other side."""
    return "".join(str(9 - int(c)) if c.isdigit() else c for c in text)


EN_PASSANT: Final = [
    Case(
        "both pawns leave the king's rank",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        K . p P . . . r
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- c6",
        "d5",
        "d5d6",
    ),
    Case(
        "a second pawn beside still shields the rank",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        K . P p P . . r
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "c5 e5",
        "c5c6 c5d6 e5e6 e5d6",
    ),
    Case(
        "a third piece between still shields the rank",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        K . p P . n . r
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- c6",
        "d5",
        "d5d6 d5c6",
    ),
    Case(
        "the captured pawn opens the king's diagonal",
        """
        . . . . . . . k
        . . . . . b . .
        . . . . . . . .
        . . . p P . . .
        . . . . . . . .
        . K . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "e5e6",
    ),
    Case(
        "the capturing pawn is pinned on a diagonal across its way",
        """
        . . . . . . . k
        . . . . . . b .
        . . . . . . . .
        . . . p P . . .
        . . . K . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "",
    ),
    Case(
        "the capturing pawn is pinned on the diagonal of its way",
        """
        . . . . . . . k
        . . b . . . . .
        . . . . . . . .
        . . . p P . . .
        . . . . . . . .
        . . . . . . K .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "e5d6",
    ),
    Case(
        "the capturing pawn is pinned on its file",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        . . . . . . . .
        . . . . . . . .
        . . . . K . . .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "e5e6",
    ),
    Case(
        "the jumping pawn gives check, and may be taken",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        . . K . . . . .
        . . . . . . . .
        P . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "a2 e5",
        "e5d6",
    ),
    Case(
        "the jumping pawn gives check, but the one that could take it is pinned",
        """
        . . . . . . . k
        . . . . . . b .
        . . . . . . . .
        . . . p P . . .
        . . . K . . . .
        . . . . . . . .
        P . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "a2 e5",
        "a2a3 a2a4",
    ),
    Case(
        "the jump opened a check, which the capture does not meet",
        """
        . . . . b . . k
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        K . . . . . . .
        . . . . . . . .
        . P . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "b2 e5",
        "",
    ),
    Case(
        "the capturing pawn blocks a check where the other passed (no game comes here: a pawn cannot have opened it)",
        """
        . . . . . b . k
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        . K . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "e5d6",
    ),
    Case(
        "a knight's check is not met by taking a pawn that does not check",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        . . . . . n . .
        . . . . . . . .
        . . . . . . K .
        . . . . . . . .
        """,
        "- d6",
        "e5",
        "",
    ),
    Case(
        "the captured pawn is pinned to its own king, which changes nothing",
        """
        . . . k . . . .
        . . . . . . . .
        . . . . . . . .
        . . . p P . . .
        . . . . . . . .
        . . . . . . . .
        . . . R . . . .
        . . . K . . . .
        """,
        "- d6",
        "e5",
        "e5e6 e5d6",
    ),
    Case(
        "two pawns may take one",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . P p P . . .
        . K . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- d6",
        "c5 e5",
        "c5c6 c5d6 e5e6 e5d6",
    ),
    Case(
        "a pawn on the other edge of the board is no neighbour",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        p . . . . . . P
        . . . . . . . P
        . . . . . . . .
        . . . . . . . .
        . . K . . . . .
        """,
        "- a6",
        "h4 h5",
        "h5h6",
    ),
]

CHECKS: Final = [
    Case(
        "double check: only the king moves, and may take",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . Q . . . . .
        . . . n . . . B
        . . P . . . . .
        . . . . K . . R
        """,
        "- -",
        "a1 c2 c4 e1 h1 h3",
        "e1d1 e1d2 e1f1",
    ),
    Case(
        "the king does not step back along the ray",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . . K . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- -",
        "e5",
        "e5d4 e5d5 e5d6 e5f4 e5f5 e5f6",
    ),
    Case(
        "a guarded checker may not be taken by the king",
        """
        . . . . . . . k
        . . . . . . b .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . q . . . . . .
        K . . . . . . .
        """,
        "- -",
        "a1",
        "",
    ),
    Case(
        "a pinned piece does not meet another check",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        b . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . R . . .
        . . . . K . . .
        """,
        "- -",
        "e2",
        "",
    ),
    Case(
        "pinned sliders keep to their ray, as far as the pinner",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . b
        . . . . R . . .
        . . . . . . . .
        . . . . Q . . .
        . . . B . . . .
        . . K . . . . .
        """,
        "- -",
        "d2 e3",
        "d2e1 d2c3 d2b4 d2a5 e3d3 e3c3 e3b3 e3a3 e3f3 e3g3 e3h3 e3e4 e3e2 e3e1 e3d4 e3c5 e3b6 e3a7 e3f2 e3g1 "
        "e3f4 e3g5 e3h6",
    ),
    Case(
        "promotion by block and by capture meets a check, nothing else",
        """
        . . r . . . . K
        . P . . . . P .
        k . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        "- -",
        "b7 g7",
        "b7c8q b7c8r b7c8b b7c8n g7g8q g7g8r g7g8b g7g8n",
    ),
]

CASTLING: Final = [
    Case(
        "both sides",
        """
        r . . . k . . r
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P P P P P P
        R . . . K . . R
        """,
        "KQkq -",
        "e1",
        "e1d1 e1f1 e1g1 e1c1",
    ),
    Case(
        "not out of check",
        """
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P P . P P P
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "e1d1 e1f1",
    ),
    Case(
        "not through an attacked square",
        """
        . k . r . r . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . P . . .
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "",
    ),
    Case(
        "not into an attacked square",
        """
        . k r . . . r .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . P P P . .
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "e1d1 e1f1",
    ),
    Case(
        "with attacked rooks, and b1 attacked",
        """
        r r . k . . . r
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "e1d1 e1d2 e1e2 e1f2 e1f1 e1g1 e1c1",
    ),
    Case(
        "not over b1 when something stands there",
        """
        . . . . . . k .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . P P P . .
        R n . . K . N R
        """,
        "KQ -",
        "e1",
        "e1d1 e1f1",
    ),
    Case(
        "a pawn beside the way attacks it",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . p . . . . . p
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "e1d1 e1d2 e1e2 e1f2 e1f1",
    ),
    Case(
        "the other king stands near",
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . k . . . . . .
        R . . . K . . R
        """,
        "KQ -",
        "e1",
        "e1d1 e1d2 e1e2 e1f2 e1f1 e1g1",
    ),
]

CHESS960: Final = [
    Case(
        "the rook shields its king from the corner",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . P P P . . . .
        q R K . . . . .
        """,
        "B -",
        "c1",
        "c1d1",
        True,
    ),
    Case(
        "not out of check, in Chess960",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . P P P P
        . q . . . K R .
        """,
        "G -",
        "f1",
        "",
        True,
    ),
    Case(
        "the rook stands between the king and where it goes",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P . . . . .
        . K . . R . . .
        """,
        "E -",
        "b1",
        "b1a1 b1c1 b1e1",
        True,
    ),
    Case(
        "king and rook swap",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . P P P P
        . . . . . K R .
        """,
        "G -",
        "f1",
        "f1e1 f1g1",
        True,
    ),
    Case(
        "king and rook swap on the other side",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . P P P . . .
        . . R K . . . .
        """,
        "C -",
        "d1",
        "d1e1 d1c1",
        True,
    ),
    Case(
        "the king does not move",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . P P P
        . . . . . . K R
        """,
        "H -",
        "g1",
        "g1f1 g1h1",
        True,
    ),
    Case(
        "the rook does not move",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . P P P . .
        . . . R K R . .
        """,
        "DF -",
        "e1",
        "e1d1 e1f1",
        True,
    ),
    Case(
        "another piece stands on the king's way",
        """
        . . . . . . k .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P . . . . .
        . K . . N . . R
        """,
        "H -",
        "b1",
        "b1a1 b1c1",
        True,
    ),
    Case(
        "another piece stands on the rook's way only",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . P P P . . .
        R N . K . . . .
        """,
        "A -",
        "d1",
        "d1c1 d1e1",
        True,
    ),
    Case(
        "another piece stands where the rook goes",
        """
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . P P P . . . .
        R . K N . . . .
        """,
        "A -",
        "c1",
        "c1b1",
        True,
    ),
    Case(
        "an attack far on the king's way",
        """
        . . . . . r k .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        P P P . . . . .
        . K . . . . . R
        """,
        "H -",
        "b1",
        "b1a1 b1c1",
        True,
    ),
    Case(
        "an inner rook castles while an outer one stands by",
        """
        k . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . P P P .
        . . . . . K R R
        """,
        "G -",
        "f1",
        "f1e1 f1g1",
        True,
    ),
    Case(
        "the king steps to where it would castle, and castles",
        """
        k . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . P P P .
        . . . . . K . R
        """,
        "H -",
        "f1",
        "f1e1 f1g1 f1h1",
        True,
    ),
]


@pytest.mark.parametrize("mirrored", [False, True], ids=["white", "black"])
@pytest.mark.parametrize("case", EN_PASSANT + CHECKS + CASTLING + CHESS960, ids=lambda case: case.name)
def test_moves(case: Case, mirrored: bool) -> None:
    board = Board(fen_of(case.drawing, case.fields), case.chess960)
    squares, expected = case.of, case.moves
    if mirrored:
        board, squares, expected = board.mirror(), swapped(squares), swapped(expected)
    moves = {move.uci(chess960=case.chess960) for move in board.legal_moves}
    sources = squares.split()
    assert {move for move in moves if move[:2] in sources} == set(expected.split())
    theirs = chess.Board(board.fen(shredder=case.chess960, en_passant="fen"), chess960=case.chess960)
    assert moves == {move.uci() for move in theirs.legal_moves}
    assert len(moves) == board.count_legal_moves()


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
        assert (hash(board) == hash(without)) is same


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
    assert not any(move.is_castling for move in board.legal_moves)
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
    assert move.is_castling
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


def test_the_king_s_step_and_castling_are_told_apart() -> None:
    board = Board("k7/8/8/8/8/8/4PPP1/5K1R w H - 0 1")
    assert not board.parse_uci("f1g1").is_castling
    assert board.parse_uci("f1h1").is_castling
    assert board.san(board.parse_uci("f1g1")) == "Kg1"
    assert board.san(board.parse_uci("f1h1")) == "O-O"
    # With rook and king side by side, the king's step to the rook is castling.
    board = Board("7k/8/8/8/8/8/4PPP1/5KR1 w G - 0 1")
    assert board.parse_uci("f1g1").is_castling


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
    code = engine()
    assert code.legal(ours._row, room, UNIVERSE, UNIVERSE, code.tables) == number
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
    assert not any(move.is_castling for move in board.legal_moves)
