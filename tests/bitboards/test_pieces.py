"""Kinds of pieces and colours: every function that takes one takes it in every form."""

from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest

import rookery
from rookery import Board, Move, Piece, Positions
from rookery.bitboards.leapers import pawn_attacks
from rookery.bitboards.lines import empty_board_attacks, relevant_occupancy
from rookery.bitboards.pieces import KIND_NAMES, PIECE_TYPES, PROMOTED, SLIDERS, find_piece_type, read_piece_type

BOARD = Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
PROMOTING = Board("8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
POSITIONS = Positions.from_boards([BOARD, Board()])

# What each function takes, and the function of a kind alone.
FUNCTIONS: list[tuple[str, Any, Callable[[Any], Any]]] = [
    ("kind", PIECE_TYPES, read_piece_type),
    ("kind", PIECE_TYPES, lambda kind: BOARD.pieces(kind, True)),
    ("piece_type", PIECE_TYPES, lambda kind: Piece(kind, True)),
    ("piece", PIECE_TYPES, lambda kind: POSITIONS.attacks("us", kind).tolist()),
    ("piece", PIECE_TYPES, lambda kind: POSITIONS.attacks("both", kind).tolist()),
    ("piece", PIECE_TYPES, lambda kind: POSITIONS.mobility(kind).tolist()),
    ("piece", SLIDERS, lambda kind: POSITIONS.progressive_mobility(kind).tolist()),
    ("piece", SLIDERS, lambda kind: rookery.progressive_mobility(kind, 0, 0)),
    ("piece", SLIDERS, lambda kind: rookery.trajectories(kind, 0, 20, 1 << 9)),
    ("piece", SLIDERS, lambda kind: empty_board_attacks(kind, 27)),
    ("piece", SLIDERS, lambda kind: relevant_occupancy(kind, 27)),
    ("mover", SLIDERS, lambda kind: rookery.technique("pext").ask(kind, 27, 0)),
    ("promotion", PROMOTED, lambda kind: Move.of(48, 56, promotion=kind)),
    ("promotion", PROMOTED, lambda kind: PROMOTING.find_move(48, 56, kind)),
]


@pytest.mark.parametrize(("name", "kinds", "function"), FUNCTIONS)
def test_every_form_of_a_kind(name: str, kinds: Any, function: Callable[[Any], Any]) -> None:
    answers = []
    for kind in kinds:
        letter = chess.piece_symbol(kind)
        constant = getattr(rookery, KIND_NAMES[kind - 1].upper())
        forms = (constant, kind, KIND_NAMES[kind - 1], letter, letter.upper(), np.int64(kind))
        first, *others = [function(form) for form in forms]
        assert all(other == first for other in others)
        answers.append(first)
    assert len({str(answer) for answer in answers}) == len(answers)


@pytest.mark.parametrize(("name", "kinds", "function"), FUNCTIONS)
@pytest.mark.parametrize("wrong", ["QUEEN", "lady", "", "pawns", 0, 7, -1, True, np.True_, 1.0, ["q"]])
def test_what_is_not_a_kind_is_refused(name: str, kinds: Any, function: Callable[[Any], Any], wrong: Any) -> None:
    if isinstance(wrong, list) and function in (FUNCTIONS[9][2], FUNCTIONS[10][2]):
        return  # a cache hashes their arguments first
    with pytest.raises((ValueError, TypeError), match=rf"^{name}: .*: expected "):
        function(wrong)


@pytest.mark.parametrize(("name", "kinds", "function"), FUNCTIONS)
def test_a_kind_that_does_not_fit_is_refused(name: str, kinds: Any, function: Callable[[Any], Any]) -> None:
    others = [kind for kind in PIECE_TYPES if kind not in kinds]
    assert len(others) + len(kinds) == 6
    for kind in others:
        for form in (kind, chess.piece_symbol(kind)):
            with pytest.raises(ValueError, match=rf"^{name}: {form!r}: expected "):
                function(form)


def test_the_error_names_what_is_expected() -> None:
    expected = r"^piece: 'lady': expected BISHOP \(3\), ROOK \(4\) or QUEEN \(5\), a letter or a name$"
    with pytest.raises(ValueError, match=expected):
        read_piece_type("lady", "piece", SLIDERS)
    with pytest.raises(TypeError, match=r"^kind: None: expected PAWN \(1\), KNIGHT"):
        read_piece_type(None)  # type: ignore[arg-type]
    assert find_piece_type(None) is find_piece_type(0) is find_piece_type("x") is None


SIDES: list[tuple[str, Callable[[Any], Any]]] = [
    ("colour", lambda side: BOARD.pieces("n", side)),
    ("colour", BOARD.pieces_of),
    ("colour", BOARD.king),
    ("colour", lambda side: BOARD.attackers(side, 18)),
    ("colour", lambda side: BOARD.is_attacked_by(side, 18)),
    ("colour", BOARD.pinned),
    ("colour", lambda side: BOARD.is_pinned(side, 18)),
    ("colour", lambda side: BOARD.pin(side, 18)),
    ("colour", BOARD.discoverers),
    ("colour", BOARD.batteries),
    ("colour", BOARD.has_castling_rights),
    ("colour", BOARD.has_kingside_castling_rights),
    ("colour", BOARD.has_queenside_castling_rights),
    ("colour", BOARD.has_insufficient_material),
    ("color", lambda side: Piece("q", side)),
    ("orientation", lambda side: BOARD.svg(orientation=side)),
    ("orientation", lambda side: BOARD.unicode(orientation=side)),
    ("colour", lambda side: pawn_attacks(side, 27)),
    ("side", lambda side: POSITIONS.attacks(side).tolist()),
    ("side", lambda side: POSITIONS.attack_counts(side).tolist()),
    ("side", lambda side: POSITIONS.checkers(side).tolist()),
    ("side", lambda side: POSITIONS.pinned(side).tolist()),
    ("side", lambda side: POSITIONS.discoverers(side).tolist()),
    ("side", lambda side: POSITIONS.king_danger(side).tolist()),
    ("side", lambda side: POSITIONS.mobility(side=side).tolist()),
    ("side", lambda side: POSITIONS.progressive_mobility("q", side=side).tolist()),
]


@pytest.mark.parametrize(("name", "function"), SIDES)
def test_every_form_of_a_side(name: str, function: Callable[[Any], Any]) -> None:
    white, black = function(rookery.WHITE), function(rookery.BLACK)
    for other, also in ((True, False), ("white", "black"), (np.True_, np.False_), (chess.WHITE, chess.BLACK)):
        assert (function(other), function(also)) == (white, black)
    for wrong in (1, 0, None, "White", "w", [True]):
        with pytest.raises((ValueError, TypeError), match=rf"^{name}: .*: expected "):
            function(wrong)
