"""The squares that a hit marks, compared with python-chess."""

from collections.abc import Callable
from pathlib import Path

import chess
import pytest

import naive_search
import rookery
from naive_search import Place
from rookery.games.search.hits import Hits

GAMES = Path(__file__).parents[2] / "samples" / "lichess-2025-05.pgn"
Squares = Callable[[Place], set[int]]


def of_move(place: Place) -> set[int]:
    """The squares of the move; in castling those of king and rook."""
    move = place.move
    assert move is not None
    return {move.from_square, move.to_square}


def of_mates(place: Place) -> set[int]:
    """The squares of all moves that give mate."""
    found = set()
    for move in place.board.legal_moves:
        place.board.push(move)
        if place.board.is_checkmate():
            found |= {move.from_square, move.to_square}
        place.board.pop()
    return found


def of_pieces(place: Place, *kinds: int) -> set[int]:
    return {square for square, piece in place.board.piece_map().items() if piece.piece_type in kinds}


# Queries, and the squares that each hit marks.
MARKS: list[tuple[str, Squares]] = [
    ("is_check", lambda p: set(p.board.checkers())),
    ("is_check and not is_mate", lambda p: set(p.board.checkers())),
    ("move.castles", of_move),
    ('move.captured == "Q"', of_move),
    ('"N" == move.piece and move.is_check', of_move),
    ("possible(move.is_mate)", of_mates),
    ("not possible(move.is_mate) and ply == 9", lambda p: set()),
    ("move.exists and ply == 9", lambda p: set()),
    ("count(knights) == 4", lambda p: of_pieces(p, chess.KNIGHT)),
    ("count(knights | queens) > 4", lambda p: of_pieces(p, chess.KNIGHT, chess.QUEEN)),
    ("count(white.rooks) == 1", lambda p: set(p.board.pieces(chess.ROOK, chess.WHITE))),
    ("count(white.rooks) < 2", lambda p: set()),
    ("us.king in center", lambda p: {p.board.king(p.board.turn) or 0}),
    ("first(count(queens) == 1)", lambda p: of_pieces(p, chess.QUEEN)),
]


@pytest.mark.parametrize(("query", "squares"), MARKS, ids=[query for query, _ in MARKS])
def test_hits_mark_what_made_the_query_true(query: str, squares: Squares) -> None:
    places = {(place.number, place.ply): place for place in naive_search.places_of_text(GAMES.read_text("utf-8"))}
    hits = rookery.search(GAMES, query)
    assert isinstance(hits, Hits)
    assert len(hits) or "center" in query
    for hit in hits:
        assert set(hit.squares) == squares(places[hit.number, hit.ply]), hit


def test_paths_mark_the_piece_that_went_along_them() -> None:
    games = rookery.read_pgn(b"1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0")
    hits = games.search('first(path(piece(d1), "d1-h5-f7"))')
    assert [hit.squares.names() for hit in hits] == [["f7"]]


def test_similar_boards_mark_the_squares_that_are_alike() -> None:
    games = rookery.read_pgn(b"1. d4 d5 2. e3 e6 3. f4 f5 *")
    pattern = "*/*/*/???p????/???P?P??/??P?P???/*/*"
    hits = games.search(f'first(like("{pattern}") >= 0.8)')
    assert [sorted(hit.squares.names()) for hit in hits] == [["d4", "d5", "e3", "f4"]]
    reflected = games.search('like("*/*/????P???/???P????/*/*/*/*", "flip") == 1 and ply == 6')
    assert [sorted(hit.squares.names()) for hit in reflected] == [["d4", "e3"]]
    in_part = games.search(f'like("{pattern}", "mirror") == 0.4 and ply == 2')
    assert [sorted(hit.squares.names()) for hit in in_part] == [["d4", "d5"]]
