"""Attack boards, counts, mobility and king danger of whole arrays, against walks of one step at a time.

The walks move eight-by-eight arrays of booleans, for all positions at once, and share nothing with the library.
python-chess judges the same answers on four thousand positions: it takes a millisecond for one.
"""

import functools
from collections.abc import Iterator
from typing import Any, Final

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from corpus import EDGES, STRANGE, corpus
from definitions import mobility
from rookery.bitboards.placement import KINDS
from rookery.board.board import Board
from rookery.board.queries import progressive_mobility
from rookery.positions.positions import Positions
from thinning import slow

Squares = NDArray[np.bool_]  # (n, 8, 8), by rank and file

ORTHOGONAL: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT: Final = tuple((r, f) for r in (-2, -1, 1, 2) for f in (-2, -1, 1, 2) if abs(r) != abs(f))
REACH: Final = 7  # squares a slider may pass, on the longest line
STEPS: Final[dict[str, Any]] = {
    "knight": (KNIGHT, 1),
    "bishop": (DIAGONAL, REACH),
    "rook": (ORTHOGONAL, REACH),
    "queen": (ORTHOGONAL + DIAGONAL, REACH),
    "king": (ORTHOGONAL + DIAGONAL, 1),
}
PAWN_STEPS: Final = {"white": ((1, -1), (1, 1)), "black": ((-1, -1), (-1, 1))}
COLOURS: Final = ("white", "black")
PYTHON_CHESS_TRIES: Final = 4000


@functools.cache
def strange() -> tuple[Board, ...]:
    """Boards without a king, or with many, seen from both sides."""
    boards = [Board.unchecked(fen) for fen in STRANGE]
    return tuple(boards + [board.mirror() for board in boards])


@functools.lru_cache(maxsize=1)
def positions(seed: int) -> Positions:
    return Positions.from_boards(corpus.__wrapped__(50_000, seed) if seed > 1 else (*corpus(50_000), *strange()))


@pytest.fixture(scope="module", params=[1, *(slow(seed) for seed in range(2, 21))])
def seed(request: pytest.FixtureRequest) -> int:
    """Twenty times 50,000 positions in the slow tests, one after the other: their boards would fill gigabytes."""
    number: int = request.param
    return number


def spread(boards: NDArray[np.uint64]) -> Squares:
    """The bits of boards, by rank and file."""
    bits = np.unpackbits(np.ascontiguousarray(boards).astype("<u8").view(np.uint8), bitorder="little")
    return bits.reshape(-1, 8, 8).astype(np.bool_)


def gathered(squares: Squares) -> NDArray[np.uint64]:
    """Boards of their bits."""
    return np.packbits(squares.reshape(-1, 64), axis=1, bitorder="little").view("<u8").ravel().astype(np.uint64)


def stepped(squares: Squares, rank: int, file: int) -> Squares:
    """All squares moved by a step; those that leave the board are lost."""
    moved = np.zeros_like(squares)
    ranks, files = slice(max(rank, 0), 8 + min(rank, 0)), slice(max(file, 0), 8 + min(file, 0))
    from_ranks, from_files = slice(max(-rank, 0), 8 + min(-rank, 0)), slice(max(-file, 0), 8 + min(-file, 0))
    moved[:, ranks, files] = squares[:, from_ranks, from_files]
    return moved


def attacked(pieces: Squares, steps: tuple[tuple[int, int], ...], reach: int, occupied: Squares) -> Iterator[Squares]:
    """What pieces attack with one step after the other: a board of each direction and distance."""
    for rank, file in steps:
        walking = pieces
        for _ in range(reach):
            walking = stepped(walking, rank, file)
            yield walking
            walking = walking & ~occupied


def counted(steps: Iterator[Squares], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    total = np.zeros(shape, np.uint8)
    for step in steps:
        total += step
    return total


@functools.lru_cache(maxsize=1)
def pieces(seed: int) -> dict[tuple[str, str], Squares]:
    """Where each kind of piece stands, by colour and kind."""
    c = positions(seed).columns
    bishops, rooks, queens = c.diagonals & ~c.orthogonals, c.orthogonals & ~c.diagonals, c.diagonals & c.orthogonals
    kinds = (c.pawns, c.knights, bishops, rooks, queens, c.kings)
    return {
        (colour, name): spread(kind & (c.white if colour == "white" else ~c.white))
        for colour in COLOURS
        for name, kind in zip(KINDS, kinds, strict=True)
    }


def side(seed: int, colour: str) -> Squares:
    every: Squares = np.any([where for (c, _), where in pieces(seed).items() if c == colour], axis=0)
    return every


def walk(seed: int, colour: str, kind: str, occupied: Squares) -> NDArray[np.uint8]:
    """How many pieces of a colour and kind attack each square."""
    steps, reach = (PAWN_STEPS[colour], 1) if kind == "pawn" else STEPS[kind]
    where = pieces(seed)[colour, kind]
    return counted(attacked(where, steps, reach, occupied), where.shape)


@functools.lru_cache(maxsize=1)
def attackers(seed: int) -> dict[tuple[str, str], NDArray[np.uint8]]:
    occupied = side(seed, "white") | side(seed, "black")
    return {(colour, kind): walk(seed, colour, kind, occupied) for colour in COLOURS for kind in KINDS}


def by_turn(seed: int, white: NDArray[Any], black: NDArray[Any], who: str) -> NDArray[Any]:
    """The answer for white or for black, for whom `who` is."""
    turn = positions(seed).turn if who == "us" else ~positions(seed).turn
    return np.where(turn.reshape(-1, *[1] * (white.ndim - 1)), white, black)


def test_attacks(seed: int) -> None:
    p, found = positions(seed), attackers(seed)
    maps = p.attack_maps()
    assert maps.shape == (12, len(p))
    assert maps.dtype == np.uint64
    for row, (colour, kind) in enumerate(found):
        expected = gathered(found[colour, kind] > 0)
        assert np.array_equal(maps[row], expected), (colour, kind)
        assert np.array_equal(p.attacks(colour, kind), expected), (colour, kind)  # type: ignore[arg-type]
    white, black = np.bitwise_or.reduce(maps[:6]), np.bitwise_or.reduce(maps[6:])
    both = p.attacks("both")
    for got, expected in ((both[0], white), (both[1], black), (p.attacks("white"), white), (p.attacks("black"), black)):
        assert np.array_equal(got, expected)
    for who in ("us", "them"):
        assert np.array_equal(p.attacks(who), by_turn(seed, white, black, who))
        for k, kind in enumerate(KINDS):
            assert np.array_equal(p.attacks(who, kind), by_turn(seed, maps[k], maps[k + 6], who)), (who, kind)  # type: ignore[arg-type]
    assert np.array_equal(p.attacks("both", "knight"), maps[[1, 7]])


def test_attack_counts(seed: int) -> None:
    p, found = positions(seed), attackers(seed)
    white, black = (sum((found[colour, kind] for kind in KINDS), np.uint8(0)).reshape(-1, 64) for colour in COLOURS)
    assert white.max() > 7 or seed > 1
    assert np.array_equal(p.attack_counts("white"), white)
    assert np.array_equal(p.attack_counts("black"), black)
    assert np.array_equal(p.attack_counts(), by_turn(seed, white, black, "us"))
    assert np.array_equal(p.attack_counts("them"), by_turn(seed, white, black, "them"))


def test_sixteen_attackers_of_one_square() -> None:
    """Eight directions and eight knights: the most there can be."""
    board = Board.unchecked("Q2Q2Q1/2N1N3/1N3N2/Q2p2Q1/1N3N2/2N1N3/Q2Q2Q1/8 w - - 0 1")
    theirs = chess.Board(None)
    theirs.set_board_fen(board.board_fen())
    expected = [len(theirs.attackers(chess.WHITE, square)) for square in chess.SQUARES]
    assert max(expected) == 16
    assert Positions.from_boards([board]).attack_counts().tolist() == [expected]


def test_mobility(seed: int) -> None:
    p, found = positions(seed), attackers(seed)
    expected = {
        colour: np.stack(
            [np.where(side(seed, colour), 0, found[colour, kind]).sum(axis=(1, 2), dtype=np.uint16) for kind in KINDS]
        )
        for colour in COLOURS
    }
    for colour in COLOURS:
        got = p.mobility(side=colour)
        assert got.dtype == np.uint16
        assert np.array_equal(got, expected[colour])
    for who in ("us", "them"):
        wanted = by_turn(seed, expected["white"].T, expected["black"].T, who).T
        assert np.array_equal(p.mobility(side=who), wanted)
        for k, kind in enumerate(KINDS):
            assert np.array_equal(p.mobility(kind, side=who), wanted[k])  # type: ignore[arg-type]


def test_king_danger(seed: int) -> None:
    p = positions(seed)
    expected = {}
    for colour, other in (COLOURS, COLOURS[::-1]):
        kings = gathered(pieces(seed)[colour, "king"])
        lowest = spread(kings & (~kings + np.uint64(1)))
        occupied = (side(seed, "white") | side(seed, "black")) & ~lowest
        expected[colour] = gathered(np.logical_or.reduce([walk(seed, other, kind, occupied) > 0 for kind in KINDS]))
        assert np.array_equal(p.king_danger(colour), expected[colour])  # type: ignore[arg-type]
    assert np.array_equal(p.king_danger(), by_turn(seed, expected["white"], expected["black"], "us"))
    assert np.array_equal(p.king_danger("them"), by_turn(seed, expected["white"], expected["black"], "them"))


@functools.cache
def sample() -> list[tuple[int, chess.Board]]:
    """The edges, and positions from all over the corpus, as python-chess has them."""
    boards = corpus(50_000)
    chosen = [*range(2 * len(EDGES)), *range(2 * len(EDGES), len(boards), len(boards) // PYTHON_CHESS_TRIES)]
    return [(i, chess.Board(boards[i].fen(shredder=True, en_passant="fen"), chess960=True)) for i in chosen]


def test_python_chess_agrees() -> None:
    p = positions(1)
    maps, danger, mobilities = p.attack_maps(), p.king_danger(), p.mobility()
    counts = {chess.WHITE: p.attack_counts("white"), chess.BLACK: p.attack_counts("black")}
    for i, board in sample():
        expected = [0] * 12
        mobile = [0] * 6
        for square, piece in board.piece_map().items():
            row = piece.piece_type - 1 + (0 if piece.color else 6)
            expected[row] |= int(board.attacks(square))
            if piece.color == board.turn:
                mobile[piece.piece_type - 1] += len(board.attacks(square) - board.occupied_co[board.turn])
        assert maps[:, i].tolist() == expected, board
        assert mobilities[:, i].tolist() == mobile, board
        for colour in chess.COLORS:
            assert counts[colour][i].tolist() == [len(board.attackers(colour, s)) for s in chess.SQUARES], board
        king = board.king(board.turn)
        assert king is not None
        without = board.copy(stack=False)
        without.remove_piece_at(king)
        unsafe = sum(1 << s for s in chess.SQUARES if without.is_attacked_by(not board.turn, s))
        assert int(danger[i]) == unsafe, board


def test_a_square_counts_for_each_piece_that_attacks_it() -> None:
    """The knights on c3 and e3 share d1 and d5."""
    board = chess.Board("4k3/8/8/8/8/2N1N3/8/4K3 w - - 0 1")
    p = Positions.from_boards([Board(board.fen())])
    assert p.mobility("knight").tolist() == [16] == [mobility(board, chess.WHITE, chess.KNIGHT)]
    assert p.evaluate('mobility(us, "N")').tolist() == [16]
    assert int(p.attacks("us", "knight")[0]).bit_count() == 14
    assert p.evaluate("mobility").tolist() == [16 + 5] == [mobility(board, chess.WHITE, *chess.PIECE_TYPES)]


def test_mobility_is_that_of_the_definition() -> None:
    boards = corpus(500, 8)
    p = Positions.from_boards(boards)
    for colour in ("white", "black"):
        of_all = p.mobility(side=colour)
        assert np.array_equal(p.evaluate(f"mobility({colour})"), of_all.sum(axis=0))
        for i, board in enumerate(boards):
            theirs = chess.Board(board.fen(), chess960=True)
            assert of_all[:, i].tolist() == [mobility(theirs, colour == "white", kind) for kind in chess.PIECE_TYPES]


def test_progressive_mobility_is_the_scalar_one_of_each_piece() -> None:
    """The edges, the strange ones and every 25th of the corpus: the scalar function asks for one piece at a time."""
    boards = (*strange(), *corpus(50_000)[: 2 * len(EDGES)], *corpus(50_000)[2 * len(EDGES) :: 25])
    p = Positions.from_boards(boards)
    most = 4
    found = {
        (who, kind): [p.progressive_mobility(kind, moves, side=who) for moves in range(1, most + 1)]
        for who in COLOURS
        for kind in ("bishop", "rook", "queen")
    }
    for i, board in enumerate(boards):
        placement = board.placement
        for (who, kind), got in found.items():
            expected = [0] * most
            for square in getattr(placement, f"{who}_{kind}s"):
                reached = progressive_mobility(kind, square, board.occupied, most)  # type: ignore[arg-type]
                expected = [int(a | b) for a, b in zip(expected, reached, strict=True)]
            own = int(getattr(placement, who))
            assert [int(layer[i]) for layer in got] == [e & ~own for e in expected], (board, who, kind)
    twice = np.where(p.turn, found["white", "rook"][1], found["black", "rook"][1])
    assert np.array_equal(p.progressive_mobility("rook"), twice)
    # Sixty-three moves reach all that can be reached: another one adds nothing.
    last = p.progressive_mobility("queen", 63, side="white")
    assert np.array_equal(last, p.progressive_mobility("queen", 62, side="white"))
    assert np.array_equal(last & found["white", "queen"][-1], found["white", "queen"][-1])
