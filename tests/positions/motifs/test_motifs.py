"""Motifs against naive definitions on python-chess, on positions of games and on odd ones."""

import functools
import random
from collections.abc import Iterator
from typing import Any, Final

import chess
import numpy as np
import pytest
from naive_pawns import PAWN_DEFINITIONS
from naive_pieces import PIECE_DEFINITIONS
from naive_scene import Naive, Scene
from naive_tactics import TACTIC_DEFINITIONS

from corpus import STRANGE, corpus
from definitions import holes
from rookery import Board, Positions
from rookery.bitboards.bitboard import Bitboard
from rookery.positions.motifs import FAMILIES, MOTIF_BY_NAME, MOTIFS, names_of
from rookery.positions.motifs.boards import add_hanging
from rookery.positions.motifs.motif import BLOCK, Motif, boards_into
from rookery.positions.operands import side_of
from rookery.rules.compiled import default_technique
from rookery.rules.exchange_search import new_space
from scattered import FAMILIES as SCATTERED
from scattered import scattered

DEFINITIONS: Final[dict[str, Naive]] = {**PAWN_DEFINITIONS, **PIECE_DEFINITIONS, **TACTIC_DEFINITIONS}
SIDES: Final = ("us", "them", "white", "black")


def boards(positions: Positions) -> Iterator[chess.Board]:
    """The positions as boards of python-chess."""
    for row in zip(*(column.tolist() for column in positions.columns), strict=True):
        pawns, knights, diagonals, orthogonals, kings, white, _, _, state = row
        board = chess.Board(None)
        queens = diagonals & orthogonals
        board.pawns, board.knights, board.kings, board.queens = pawns, knights, kings, queens
        board.bishops, board.rooks = diagonals & ~queens, orthogonals & ~queens
        board.occupied = pawns | knights | diagonals | orthogonals | kings
        board.occupied_co[chess.WHITE] = white
        board.occupied_co[chess.BLACK] = board.occupied & ~white
        board.turn = not state & 1
        yield board


def differences(positions: Positions, sides: tuple[str, ...] = SIDES) -> list[str]:
    """Compare every motif on every position, with the sides in turn."""
    found = []
    answers = {side: {m.name: np.empty(len(positions), np.uint64) for m in MOTIFS} for side in sides}
    for side in sides:
        boards_into(MOTIFS, list(answers[side].values()), positions.columns, side_of(side))
    for i, board in enumerate(boards(positions)):
        side = sides[i % len(sides)]
        colour = {"us": board.turn, "them": not board.turn, "white": True, "black": False}[side]
        scene = Scene(board, colour)
        for name, definition in DEFINITIONS.items():
            expected = sum(1 << scene.absolute(square) for square in set(definition(scene)))
            got = int(answers[side][name][i])
            if got != expected:
                names = Bitboard(got).names(), Bitboard(expected).names()
                found.append(f"{name}, {side}, {board.fen()}: {names[0]} instead of {names[1]}")
    return found


def odd(n: int, seed: int) -> Positions:
    """Many queens, no king, several kings, pawns on the back ranks."""
    parts: list[Any] = [scattered(family, n // len(SCATTERED), seed) for family in SCATTERED.values()]
    strange = [Board.unchecked(fen) for fen in STRANGE]
    parts.append(Positions.from_boards([*strange, *(board.mirror() for board in strange)]))
    return Positions.concatenate(parts)


@functools.cache
def near_examples(n: int, seed: int) -> Positions:
    """The examples of the motifs, either way up, with up to four pieces added, removed or moved."""
    rng = random.Random(seed)
    found: list[Board] = []
    while len(found) < n:
        board = chess.Board(rng.choice(MOTIFS).example.fen)
        board.turn = rng.random() < 0.5
        for _ in range(rng.randrange(5)):
            square, other = rng.randrange(64), rng.choice([*board.piece_map()])
            piece = chess.Piece(rng.choice([1, 1, 2, 3, 4, 5]), rng.random() < 0.5)
            change = rng.randrange(3)
            if change == 0 or (change == 1 and board.piece_at(square) is None):
                board.set_piece_at(square, piece if change else board.piece_at(other))
            if change != 1 and len(board.piece_map()) > 1:
                board.remove_piece_at(other)
        board = board if rng.random() < 0.5 else board.mirror()
        found.append(Board.unchecked(f"{board.board_fen()} {'w' if board.turn else 'b'} - - 0 1"))
    return Positions.from_boards(found)


def test_every_motif_has_a_second_definition() -> None:
    assert list(DEFINITIONS) == [motif.name for motif in MOTIFS]


def test_positions_of_games() -> None:
    assert differences(Positions.from_boards(corpus(2000, 5))) == []


def test_odd_positions() -> None:
    assert differences(odd(1000, 6)) == []


def test_positions_near_the_examples() -> None:
    assert differences(near_examples(1500, 7)[:600]) == []


@pytest.mark.parametrize("seed", range(12))
def test_a_few_positions_near_the_examples(seed: int) -> None:
    """They are judged soon, even where kernels run as Python."""
    assert differences(near_examples.__wrapped__(15, seed)) == []


def test_every_motif_occurs() -> None:
    positions = near_examples(6000, 7)
    counts = {motif.name: int((motif.of(positions, "white") != 0).sum()) for motif in MOTIFS}
    assert {name: n for name, n in counts.items() if n < 10} == {}


# A slider joins in behind two pieces: on e4 (a pawn and a queen), g7 (two bishops), d7 and e6. No legal move takes the
# queen on h6. The king may not take on f2 in front of the rook on c2.
ONCE_WRONG: Final = (
    "2k3qr/1bB2n1p/2Q3p1/1p1p1P2/pP1bPPR1/3N1K2/P1P4P/R4BN1 b - - 0 1",
    "qrqK2rQ/q1B1B1B1/QQB1QBbr/2qRBnkb/1bBqr1Qb/1b1RB1QQ/r1b1p1Q1/bqQrqbq1 b - - 0 1",
    "qQBbqKrq/QbqnRb1R/rBqBbbp1/QR1qBqbQ/qQQQQq1q/p2rrqPB/4Rq1Q/qB1kq1Bb w - - 0 1",
    "RR1K2Bq/rQbq2rB/2p1b1R1/n1kbb1Pq/Qrq1RqqQ/1Q1r1br1/B1qRB1Qr/QRQBR1qB b - - 0 1",
    "r3rnk1/pbp1qpb1/1p1p1n1Q/4pP2/4P3/2NP2RN/PPP1B1PP/R5K1 b - - 0 16",
    "4k3/3p4/p2P3p/b2P1p2/3p4/B4B2/NPr1Kp2/3R4 w - - 10 58",
)


def test_positions_that_were_once_wrong() -> None:
    shown = [Board.unchecked(fen) for fen in ONCE_WRONG]
    positions = Positions.from_boards([*shown, *(board.mirror() for board in shown)])
    for side in SIDES:
        assert differences(positions, (side,)) == []


def test_hanging_pieces_are_those_that_exchanges_lose() -> None:
    """Set algebra settles most pieces without an exchange, which `test_exchange.py` judges. Misses are rare."""
    positions = odd(100_000, 905)
    for side, other in (("white", "black"), ("black", "white")):
        pieces = positions.pieces(side=side) & ~positions.pieces("king", side)  # type: ignore[arg-type]
        expected, nothing = np.zeros((2, len(positions)), np.uint64)
        attacked = pieces & positions.attacks(other)  # type: ignore[arg-type]
        add_hanging(positions.columns, attacked, nothing, expected, new_space(), default_technique().tables())
        assert np.array_equal(positions.motif("hanging", side), expected)  # type: ignore[arg-type]


@pytest.mark.slow
def test_many_positions_of_games() -> None:
    for seed in range(20):
        assert differences(Positions.from_boards(corpus.__wrapped__(10_000, 100 + seed))) == []


@pytest.mark.slow
def test_many_odd_positions() -> None:
    for seed in range(5):
        assert differences(odd(10_000, 200 + seed)) == []
        assert differences(near_examples.__wrapped__(2_000, 300 + seed)) == []


@pytest.mark.parametrize("motif", MOTIFS, ids=[motif.name for motif in MOTIFS])
def test_examples(motif: Motif) -> None:
    board = Board(motif.example.fen)
    for shown, side in ((board, motif.example.side), (board.mirror(), not_(motif.example.side))):
        names = Bitboard(int(Positions.from_boards([shown]).motif(motif.name, side)[0])).names()
        expected = [square if shown is board else mirrored(square) for square in motif.example.squares.split()]
        assert sorted(names) == sorted(expected)


def test_holes() -> None:
    """The undefended pawns on c3 and e4 stand on no holes, nor are b4 and d4 holes, which a pawn defends."""
    board = Board("4k3/8/8/8/4P3/2P5/8/4K3 w - - 0 1")
    names = Bitboard(int(Positions.from_boards([board]).motif("holes")[0])).names()
    assert names == ["a3", "b3", "d3", "e3", "f3", "g3", "h3", "a4", "c4", "f4", "g4", "h4"]
    boards = corpus(1000, 9)
    p = Positions.from_boards(boards)
    for colour, side in ((chess.WHITE, "white"), (chess.BLACK, "black")):
        expected = [holes(chess.Board(board.fen(), chess960=True), colour) for board in boards]
        assert p.motif("holes", side).tolist() == expected  # type: ignore[arg-type]


EXPRESSIONS: Final = [motif for motif in MOTIFS if not motif.in_words]


@pytest.mark.parametrize("motif", EXPRESSIONS, ids=[motif.name for motif in EXPRESSIONS])
def test_formulas_are_expressions_with_the_same_value(motif: Motif) -> None:
    positions = Positions.from_boards(corpus(2000, 5))
    assert np.array_equal(positions.evaluate(motif.formula), positions.motif(motif.name))


def test_most_formulas_are_expressions() -> None:
    assert len(EXPRESSIONS) == 38


def not_(side: Any) -> Any:
    return "black" if side == "white" else "white"


def mirrored(square: str) -> str:
    return square[0] + str(9 - int(square[1]))


def test_a_families_fields_are_its_motifs_in_order() -> None:
    assert [name for family in FAMILIES for name in family.rows._fields] == [motif.name for motif in MOTIFS]
    assert len(MOTIFS) <= 64
    assert {m.name: m for m in MOTIFS} == MOTIF_BY_NAME


@pytest.mark.parametrize("n", [0, 1, 7, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5])
def test_tags_say_which_motifs_have_squares(n: int) -> None:
    positions = Positions.from_boards(corpus(3 * BLOCK + 5, 5)[:n])
    for side in ("us", "black"):
        expected = np.zeros(n, np.uint64)
        for i, motif in enumerate(MOTIFS):
            squares = positions.motif(motif.name, side)
            assert np.array_equal(motif.of(positions, side, threads=2), squares)
            expected |= (squares != 0).astype(np.uint64) << np.uint64(i)
        assert np.array_equal(positions.tags(side), expected)
        assert np.array_equal(positions.tags(side, threads=2), expected)
    if n:
        assert names_of(positions.tags()[0]) == [m.name for m in MOTIFS if positions.motif(m.name)[0]]


def test_outputs() -> None:
    positions = Positions.from_boards([Board()])
    out = np.empty(1, np.uint64)
    assert positions.motif("passed", out=out) is out
    assert positions.tags(out=out) is out


def test_a_bit_beyond_the_motifs_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"word: .*: expected 0 to 2\*\*"):
        names_of(1 << 64)
    with pytest.raises(TypeError, match="word: 'x'"):
        names_of("x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"name: 'passd'.*passed"):
        Positions.from_boards([]).motif("passd")
