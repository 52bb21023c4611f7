"""Laws of symmetry: with colours and ranks swapped, and turned or reflected, positions have the same answers.

Swapped colours change nothing in chess. Turns and reflections change nothing without pawns and castling. python-chess
swaps, turns and reflects.
"""

import csv
import functools
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

import rookery
from game_samples import SAMPLE
from random_positions import random_position
from random_queries import Allowed, queries, refused
from rookery import Board, Positions, read_pgn, tag_puzzles
from rookery.positions.motifs import MOTIF_BY_NAME
from thinning import examples

PIECES: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")
SIDES: Final = ("us", "them")
# Maps of squares and sets, as python-chess has them. The first is that of swapped colours, the others of the board.
FLIP: Final = chess.flip_vertical
TURNS: Final[dict[str, Callable[[int], int]]] = {
    "flip": FLIP,
    "mirror": chess.flip_horizontal,
    "diagonal": chess.flip_diagonal,
    "antidiagonal": chess.flip_anti_diagonal,
    "half turn": lambda b: chess.flip_vertical(chess.flip_horizontal(b)),
    "quarter turn": lambda b: chess.flip_diagonal(chess.flip_vertical(b)),
    "quarter turn back": lambda b: chess.flip_vertical(chess.flip_diagonal(b)),
}
# Motifs without pawns that know which way is forward, or ranks from files.
OF_DIRECTION: Final = set(
    "holes rook_on_seventh king_zone space king_attack back_rank_weakness alekhines_gun fianchetto".split()
)
OF_FILES: Final = {"knight_on_rim", "doubled_rooks", "battery"}
seeds = st.integers(0, 2**20)
some = examples(300, 8, suppress_health_check=list(HealthCheck))
many = examples(2000, 60, suppress_health_check=list(HealthCheck))


def taken_from(boards: list[chess.Board]) -> Positions:
    return Positions.from_boards([Board(board.fen(en_passant="fen"), board.chess960) for board in boards])


def moved(sets: Any, turn: Callable[[int], int]) -> list[int]:
    return [turn(word) for word in sets.tolist()]


def square_of(square: int, turn: Callable[[int], int]) -> int:
    return turn(1 << int(square)).bit_length() - 1


def move_of(word: int, turn: Callable[[int], int]) -> int:
    return word & 0xF000 | square_of(word & 63, turn) | square_of(word >> 6 & 63, turn) << 6 if word else 0


@functools.cache
def of_games() -> list[str]:
    return sorted({*read_pgn(SAMPLE).positions().to_fens()})


@functools.cache
def both_colours(seed: int) -> tuple[Positions, Positions]:
    """Return positions, and the same with colours swapped."""
    rng = random.Random(seed)
    boards = [random_position(rng, chess960=rng.random() < 0.3) for _ in range(12)]
    boards += [chess.Board(fen) for fen in rng.sample(of_games(), 20)]
    return taken_from(boards), taken_from([board.mirror() for board in boards])


@functools.cache
def turned(seed: int, name: str) -> tuple[Positions, Positions]:
    """Return positions without pawns and castling, and the same turned."""
    rng = random.Random(seed)
    boards: list[chess.Board] = []
    while len(boards) < 12:
        board = random_position(rng, chess960=False)
        board.castling_rights, board.ep_square = 0, None
        for square in chess.SquareSet(board.pawns):
            board.remove_piece_at(square)
        if board.is_valid():
            boards.append(board)
    return taken_from(boards), taken_from([board.transform(TURNS[name]) for board in boards])


# Answers of every kind, of two arrays that should agree.


def check_numbers(one: Positions, other: Positions) -> None:
    for name in ("legal_move_counts", "is_check", "is_checkmate", "is_stalemate"):
        assert getattr(one, name)().tolist() == getattr(other, name)().tolist(), name
    for side in SIDES:
        assert one.material(side).tolist() == other.material(side).tolist()
        mates = zip(one.can_mate(side, limit=200).tolist(), other.can_mate(side, limit=200).tolist(), strict=True)
        assert all(ours == theirs for ours, theirs in mates if ours is not None and theirs is not None)
        for piece in (None, *PIECES):
            assert one.mobility(piece, side=side).tolist() == other.mobility(piece, side=side).tolist()
    assert one.outcomes(claim_draw=True).termination.tolist() == other.outcomes(claim_draw=True).termination.tolist()


def check_sets(
    one: Positions, other: Positions, turn: Callable[[int], int], *, pieces: tuple[str, ...] = PIECES
) -> None:
    squares = np.arange(len(one)) * 5 % 64
    other_squares = np.array([square_of(square, turn) for square in squares.tolist()])
    for side in SIDES:
        for name in ("checkers", "pinned", "pinners", "discoverers", "king_danger", "attacks", "pieces"):
            assert moved(getattr(one, name)(side=side), turn) == getattr(other, name)(side=side).tolist(), name
        for piece in PIECES:
            assert moved(one.attacks(side, piece), turn) == other.attacks(side, piece).tolist()
            assert moved(one.forks(piece, "nbrqk", side), turn) == other.forks(piece, "nbrqk", side).tolist()
            if piece in pieces:
                found = other.attacks_from(other_squares, piece, side).tolist()
                assert moved(one.attacks_from(squares, piece, side), turn) == found
        counts = other.attack_counts(side)[:, [square_of(square, turn) for square in range(64)]]
        assert one.attack_counts(side).tolist() == counts.tolist()
        assert [square_of(king, turn) for king in one.king_square(side)] == other.king_square(side).tolist()


def check_moves(one: Positions, other: Positions, turn: Callable[[int], int]) -> None:
    moves, other_moves = one.legal_moves(), other.legal_moves()
    values: dict[str, Any] = {
        "see": one.see(moves),
        "captured": one.captured_pieces(moves),
        "moving": one.moving_pieces(moves),
    }
    others: dict[str, Any] = {"see": other.see(other_moves), "captured": other.captured_pieces(other_moves)}
    others["moving"] = other.moving_pieces(other_moves)
    first = 0
    for ours, theirs in zip(moves, other_moves, strict=True):
        ours, theirs = list(map(int, ours)), list(map(int, theirs))
        assert sorted(move_of(word, turn) for word in ours) == sorted(theirs)
        for name in values:
            known = dict(zip(ours, values[name][first : first + len(ours)].tolist(), strict=True))
            found = dict(zip(theirs, others[name][first : first + len(ours)].tolist(), strict=True))
            assert {move_of(word, turn): value for word, value in known.items()} == found, name
        first += len(ours)


@some
@given(seeds)
def test_swapped_colours_change_no_answer(seed: int) -> None:
    one, other = both_colours(seed)
    check_numbers(one, other)
    check_sets(one, other, FLIP)
    check_moves(one, other, FLIP)
    assert one.is_valid().tolist() == other.is_valid().tolist()
    assert [-value for value in one.outcomes().outcome.tolist()] == other.outcomes().outcome.tolist()
    assert ["v".join(text.split("v")[::-1]) for text in one.signature().tolist()] == other.signature().tolist()
    for name in MOTIF_BY_NAME:
        for side in SIDES:
            assert moved(one.motif(name, side), FLIP) == other.motif(name, side).tolist(), name
    assert [one.tags(side).tolist() for side in SIDES] == [other.tags(side).tolist() for side in SIDES]
    assert one.named_mates().tolist() == other.named_mates().tolist()


@some
@given(seeds)
def test_what_networks_see_does_not_depend_on_the_colour(seed: int) -> None:
    one, other = both_colours(seed)
    assert np.array_equal(one.planes(), other.planes())
    for layout in ("alphazero", "leela"):
        assert np.array_equal(one.policy_mask(layout), other.policy_mask(layout))
        moves = np.array([next(map(int, moves), 0) for moves in one.legal_moves()], np.uint16)
        can_move = moves > 0
        swapped = np.array([move_of(word, FLIP) for word in moves.tolist()], np.uint16)
        indices = one[can_move].policy_index(moves[can_move], layout).tolist()
        assert other[can_move].policy_index(swapped[can_move], layout).tolist() == indices


@some
@given(seeds)
def test_keys_tell_the_same_positions_apart(seed: int) -> None:
    one, other = both_colours(seed)
    n = len(one)
    doubled, doubled_other = one[[*range(n), *range(n)]], other[[*range(n), *range(n)]]
    for name in ("keys", "polyglot_keys"):
        for rows in (doubled, doubled_other):
            found = getattr(rows, name)().tolist()
            assert found[:n] == found[n:]
            assert len(set(found)) == len(rows.unique())
        assert not {*getattr(one, name)().tolist()} & {*getattr(other, name)().tolist()}
    boards = [Board(fen, chess960=bool(is_960)) for fen, is_960 in zip(one.to_fens(), one.chess960, strict=True)]
    assert [board.mirror().key for board in boards] == other.keys().tolist()
    assert [board.mirror().mirror().key for board in boards] == one.keys().tolist()


@pytest.mark.parametrize("name", TURNS)
@examples(200, 4)
@given(seeds)
def test_turned_boards_change_no_answer(name: str, seed: int) -> None:
    one, other = turned(seed, name)
    turn = TURNS[name]
    check_numbers(one, other)
    check_sets(one, other, turn, pieces=PIECES[1:])
    check_moves(one, other, turn)
    excepted = set() if name == "mirror" else OF_DIRECTION if name in ("flip", "half turn") else OF_DIRECTION | OF_FILES
    for motif in MOTIF_BY_NAME.keys() - excepted:
        for side in SIDES:
            assert moved(one.motif(motif, side), turn) == other.motif(motif, side).tolist(), motif


@pytest.mark.parametrize("name", TURNS)
@many
@given(st.integers(0, 63), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_attacks_turn_with_the_board(name: str, square: int, one: int, other: int) -> None:
    turn, occupied = TURNS[name], one & other
    to = square_of(square, turn)
    for attacks in (rookery.rook_attacks, rookery.bishop_attacks, rookery.queen_attacks):
        assert turn(int(attacks(square, occupied))) == int(attacks(to, turn(occupied)))
    for leaps in (rookery.knight_attacks, rookery.king_attacks):
        assert turn(int(leaps(square))) == int(leaps(to))
    last = one & 63
    assert turn(int(rookery.between(square, last))) == int(rookery.between(to, square_of(last, turn)))
    assert turn(int(rookery.line(square, last))) == int(rookery.line(to, square_of(last, turn)))


# Queries.

_SWAPPED: Final = {
    **{name: f"{name[0]}{9 - int(name[1])}" for name in chess.SQUARE_NAMES},
    "white": "black",
    "black": "white",
    "light_squares": "dark_squares",
    "dark_squares": "light_squares",
    "white_to_move": "(not white_to_move)",
    "north": "south",
    "left": "right",
    "right": "left",
    "diagonal": "antidiagonal",
    "antidiagonal": "diagonal",
    "south": "north",
    **{f"{a}{side}": f"{b}{side}" for a, b in (("north", "south"), ("south", "north")) for side in ("east", "west")},
    **{f"rank({number})": f"rank({9 - number})" for number in range(1, 9)},
}
_WORDS: Final = re.compile(r"\b(?:rank\(\d\)|[a-z]+_to_move|[a-z]+_squares|[a-h][1-8]|\w+)|0x[0-9a-f]+")


def swapped(query: str) -> str:
    """Return a query about positions as one about those with colours swapped."""

    def word(found: re.Match[str]) -> str:
        text = found[0]
        if text.startswith("0x"):
            return hex(FLIP(int(text, 16)))
        return _SWAPPED.get(text, text)

    return _WORDS.sub(word, query)


@pytest.mark.parametrize("kind", ["truth", "number", "set"])
@many
@given(st.data(), st.integers(0, 5))
def test_queries_hold_for_swapped_colours(kind: str, data: st.DataObject, seed: int) -> None:
    query = data.draw(queries(kind, Allowed(3)))
    text = re.sub("(light|dark|all|no)_squares", "", query)
    assume(not refused(query) and not re.search(r"pattern|like|rank_number|san|uci|signature", text))
    one, other = both_colours(seed)
    found, expected = other.evaluate(swapped(query)), one.evaluate(query)
    if expected.dtype == np.uint64:
        assert moved(expected, FLIP) == found.tolist(), swapped(query)
    else:
        assert np.array_equal(expected, found, equal_nan=expected.dtype.kind == "f"), swapped(query)


# Themes of puzzles.


def test_themes_of_puzzles_do_not_depend_on_the_colour() -> None:
    path = Path(__file__).parents[1] / "samples" / "puzzles.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    fens, lines = [row["FEN"] for row in rows], [row["Moves"] for row in rows]
    swapped_fens = [chess.Board(fen).mirror().fen() for fen in fens]
    swapped_lines = [re.sub("[1-8]", lambda found: str(9 - int(found[0])), line) for line in lines]
    assert tag_puzzles(swapped_fens, swapped_lines).texts() == tag_puzzles(fens, lines).texts()
