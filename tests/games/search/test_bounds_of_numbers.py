"""Bounds of queries, at their exact limits: for games whose material and pawns are counted by hand."""

import pytest

from rookery import Query, read_pgn
from rookery.games.games import Games
from rookery.games.search.bounds import is_possible, may_rule_out

# White has 8 pawns, and black 8 and then 7. White's pawns stand on rank 2, e4 and d5; black's on rank 7 and d5.
ONE_PAWN = "1. e4 d5 2. exd5 *"
# The same, and then white has 7 pawns. Nothing else is captured.
TWO_PAWNS = "1. e4 d5 2. exd5 Qxd5 *"
# White wins a knight for a bishop, and black a bishop for a knight.
PIECES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 *"
KINGS = '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Kd7 2. e5 *'
PROMOTION = '[FEN "k7/4P3/8/8/8/8/8/K7 w - - 0 1"]\n\n1. e8=Q+ Ka7 *'
START = "KQRRBBNNPPPPPPPP"


@pytest.fixture(scope="module")
def games() -> dict[str, Games]:
    return {text: read_pgn(text.encode()) for text in (ONE_PAWN, TWO_PAWNS, PIECES, KINGS, PROMOTION)}


def limits(number: str, low: int, high: int) -> list[tuple[str, bool]]:
    """Return conditions on a number that lies between two limits, and whether each is possible."""
    return [
        (f"{number} == {low}", True),
        (f"{number} == {high}", True),
        (f"{number} == {low - 1}", False),
        (f"{number} == {high + 1}", False),
        (f"{number} < {low}", False),
        (f"{number} < {low + 1}", True),
        (f"{number} <= {low - 1}", False),
        (f"{number} <= {low}", True),
        (f"{number} > {high}", False),
        (f"{number} > {high - 1}", True),
        (f"{number} >= {high + 1}", False),
        (f"{number} >= {high}", True),
        (f"{low - 1} >= {number}", False),
        (f"{high + 1} <= {number}", False),
    ]


CASES = [
    (ONE_PAWN, "plies", 3, 3),
    (TWO_PAWNS, "plies", 4, 4),
    (TWO_PAWNS, "ply", 0, 4),
    (ONE_PAWN, "count(white.pawns)", 8, 8),
    (ONE_PAWN, "count(black.pawns)", 7, 8),
    (ONE_PAWN, "count(us.pawns)", 7, 8),
    (TWO_PAWNS, "count(white.pawns)", 7, 8),
    (ONE_PAWN, "material(white)", 39, 39),
    (ONE_PAWN, "material(black)", 38, 39),
    (ONE_PAWN, "material(them)", 38, 39),
    (ONE_PAWN, "imbalance", -1, 1),
    (PIECES, "material(white)", 36, 39),
    (PIECES, "material(black)", 36, 39),
    (PIECES, "imbalance", -3, 3),
    (PIECES, "phase", 22, 24),
    (TWO_PAWNS, "phase", 24, 24),
    (KINGS, "phase", 0, 0),
    (KINGS, "material(black)", 0, 0),
    (PROMOTION, "count(white.queens)", 0, 1),
    (PROMOTION, "count(white.pawns)", 0, 1),
    (PROMOTION, "phase", 0, 4),
    (PROMOTION, "material(us)", 0, 10),  # as far as is known, the pawn is there together with the queen
    (ONE_PAWN, "count(white.pawns) + count(black.pawns)", 15, 16),
    (ONE_PAWN, "count(white.pawns) - count(black.pawns)", 0, 1),
    (ONE_PAWN, "count(black.pawns) - count(white.pawns)", -1, 0),
    (ONE_PAWN, "-count(black.pawns)", -8, -7),
    (ONE_PAWN, 'count(white.pawns & file("e"))', 0, 2),
    (ONE_PAWN, "count(black.pawns & rank(7))", 0, 8),
    (ONE_PAWN, "count(white.queens)", 1, 1),
]


@pytest.mark.parametrize(("text", "number", "low", "high"), CASES)
def test_numbers_have_limits(games: dict[str, Games], text: str, number: str, low: int, high: int) -> None:
    summaries = games[text].summaries()
    for condition, possible in limits(number, low, high):
        assert is_possible(Query(condition), summaries).tolist() == [possible], condition


@pytest.mark.parametrize(
    ("text", "condition", "possible"),
    [
        (ONE_PAWN, "white.pawns & e4", True),
        (ONE_PAWN, "white.pawns & d5", True),
        (ONE_PAWN, "white.pawns & e5", False),
        (ONE_PAWN, "black.pawns & d5", True),
        (ONE_PAWN, "black.pawns & e4", False),
        (ONE_PAWN, "us.pawns & e4", True),
        (ONE_PAWN, "them.pawns & c5", False),
        (ONE_PAWN, "white.pawns & rank(3)", False),
        (ONE_PAWN, "(white.pawns & e5) | (black.pawns & d5)", True),
        (ONE_PAWN, "(white.pawns & e5) | (black.pawns & e4)", False),
        (ONE_PAWN, "(white.pawns & e4) - rank(4)", True),
        (ONE_PAWN, "(white.pawns & e5) - rank(4)", False),
        (ONE_PAWN, "white.queens & e5", True),
        (PROMOTION, "queens", True),
        (KINGS, "black.queens", False),
        (KINGS, "black.pawns", False),
        (KINGS, "us.knights & them.knights", False),
        (KINGS, "white.pawns & e5", True),
        (KINGS, "white.pawns & e6", False),
        (ONE_PAWN, "plies == 3 and ply == 3", True),
        (ONE_PAWN, "plies == 3 and ply == 4", False),
        (ONE_PAWN, "plies == 4 and ply == 3", False),
        (ONE_PAWN, "plies == 4 or ply == 3", True),
        (ONE_PAWN, "plies == 4 or ply == 4", False),
        (ONE_PAWN, "not plies == 3", True),
        (ONE_PAWN, "True", True),
        (ONE_PAWN, "False", False),
        (ONE_PAWN, "False or is_check", True),
        (ONE_PAWN, "ever(count(black.pawns) == 6)", False),
        (ONE_PAWN, "earlier(count(black.pawns) == 7)", True),
        (ONE_PAWN, "later(white.pawns & e5)", False),
        (ONE_PAWN, "then(is_check, white.pawns & e5)", False),
        (ONE_PAWN, "then(is_check, white.pawns & e4)", True),
        (ONE_PAWN, "within(4, is_check, black.pawns & a5)", False),
        (ONE_PAWN, "first(black.pawns & d5)", True),
        (ONE_PAWN, 'pattern("P*/*/*/*/*/*/*/*")', False),
        (ONE_PAWN, 'pattern("*/*/*/*/*/*/P*/*")', True),
        (ONE_PAWN, 'pattern("p*/*/*/*/*/*/*/*")', False),
        (ONE_PAWN, 'pattern("*/p*/*/*/*/*/*/*")', True),
        (ONE_PAWN, 'pattern("*/*/*/*/*/*/p*/*")', False),
    ],
)
def test_squares_and_logic(games: dict[str, Games], text: str, condition: str, possible: bool) -> None:
    assert is_possible(Query(condition), games[text].summaries()).tolist() == [possible]


@pytest.mark.parametrize(
    ("text", "white", "black", "possible"),
    [
        (ONE_PAWN, START, START, True),
        (ONE_PAWN, START, START[:-1], True),
        (ONE_PAWN, START, START[:-2], False),
        (ONE_PAWN, START[:-1], START, False),
        (ONE_PAWN, START[:-1], START[:-1], False),
        (TWO_PAWNS, START[:-1], START[:-1], True),
        (PIECES, START.replace("BB", "B"), START.replace("NN", "N"), True),
        (PIECES, START.replace("NN", "N"), START.replace("NN", "N"), False),
        (PIECES, START.replace("BB", "B"), START.replace("BB", "B"), False),
        (KINGS, "KP", "K", True),
        (KINGS, "K", "KP", False),
        (KINGS, "K", "K", False),
    ],
)
def test_material(games: dict[str, Games], text: str, white: str, black: str, possible: bool) -> None:
    query = Query(f'signature == "{white}v{black}"')
    assert is_possible(query, games[text].summaries()).tolist() == [possible]


@pytest.mark.parametrize(
    ("condition", "rules_out"),
    [
        ("plies > 0", True),
        ("plies >= 0 and is_check", True),
        ("ply > 60", True),
        ("is_check", False),
        ("count(white.pawns) == 8", False),
        ("count(white.pawns) == 7", True),
        ("count(white.pawns & rank(2)) == 8", False),
        ("count(black.pawns & rank(7)) == 8", False),
        ("white.pawns & rank(3)", True),
        ("black.pawns & rank(2)", True),
        ("white.queens", False),
        ("count(white.queens) == 2", True),
        ("count(black.queens) == 0", True),
        (f'signature == "{START}v{START}"', False),
        (f'signature == "{START}v{START[:-1]}"', True),
    ],
)
def test_a_game_without_moves_tells_what_summaries_rule_out(condition: str, rules_out: bool) -> None:
    assert may_rule_out(Query(condition)) == rules_out
