"""Knights, kings and pawns, judged by python-chess."""

from typing import Any

import chess
import numpy as np
import pytest

import rookery
from rookery import Bitboard
from rookery.bitboards.colours import read_colour

ATTACKS: list[tuple[Any, Any]] = [
    (rookery.knight_attacks, chess.BB_KNIGHT_ATTACKS),
    (rookery.king_attacks, chess.BB_KING_ATTACKS),
    (lambda *a, **k: rookery.pawn_attacks("white", *a, **k), chess.BB_PAWN_ATTACKS[chess.WHITE]),
    (lambda *a, **k: rookery.pawn_attacks("black", *a, **k), chess.BB_PAWN_ATTACKS[chess.BLACK]),
]


@pytest.mark.parametrize(("ours", "theirs"), ATTACKS, ids=["knight", "king", "white pawn", "black pawn"])
def test_every_square(ours: Any, theirs: Any) -> None:
    assert [int(ours(sq)) for sq in range(64)] == list(theirs)
    assert type(ours(3)) is Bitboard
    for squares in (np.arange(64), np.arange(64, dtype=np.uint8).reshape(8, 8).T, list(range(64))):
        got = ours(squares)
        assert got.dtype == np.uint64
        assert got.tolist() == np.array(theirs, np.uint64)[np.asarray(squares)].tolist()
    out = np.zeros(2, np.uint64)
    assert ours(np.array([5, 6]), out=out) is out
    assert out.tolist() == [theirs[5], theirs[6]]


@pytest.mark.parametrize(("ours", "theirs"), ATTACKS, ids=["knight", "king", "white pawn", "black pawn"])
def test_bad_squares(ours: Any, theirs: Any) -> None:
    with pytest.raises(ValueError, match="square: 64 is off the board"):
        ours(64)
    with pytest.raises(ValueError, match=r"square\[2\]: -3 is off the board"):
        ours(np.array([0, 1, -3]))
    with pytest.raises(TypeError, match="square: 'e4'"):
        ours("e4")
    assert theirs


def test_bad_colour() -> None:
    with pytest.raises(ValueError, match="colour: 'red': expected 'white' or 'black'"):
        rookery.pawn_attacks("red", 0)  # type: ignore[call-overload]
    for nobody in (1, None, b"white"):
        with pytest.raises(TypeError, match=r"colour: .*: expected WHITE or 'white', BLACK or 'black'"):
            rookery.pawn_attacks(nobody, 0)  # type: ignore[call-overload]


def test_colours_in_both_ways() -> None:
    for truth, name in ((rookery.WHITE, "white"), (rookery.BLACK, "black")):
        for colour in (truth, np.bool_(truth), name):
            assert read_colour(colour) is truth  # type: ignore[arg-type]
        assert rookery.pawn_attacks(truth, 28) == rookery.pawn_attacks(name, 28)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="side: 'White': expected"):
        read_colour("White", "side")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^colour: 'x{80}'\.\.\. \(1,000 characters\): expected 'white' or 'black'$"):
        read_colour("x" * 1000)  # type: ignore[arg-type]
