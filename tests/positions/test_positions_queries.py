"""Checks, pins, discovered checks, legal move counts and endings of whole arrays, against the scalar generator.

All 50,000 positions and the strange ones; python-chess judges every second or third of them, to save time.
"""

import functools
from collections.abc import Callable
from typing import Any, Final

import chess
import numpy as np
import pytest

from corpus import EDGES, STRANGE, corpus
from rookery.bitboards.colours import BLACK, WHITE
from rookery.board.board import Board
from rookery.positions.positions import Positions
from thinning import slow

COLOURS: Final = {"white": WHITE, "black": BLACK}
PYTHON_CHESS_TRIES: Final = 8_000


@pytest.fixture(scope="module", params=[1, *(slow(seed) for seed in range(2, 21))])
def seed(request: pytest.FixtureRequest) -> int:
    """Twenty times 50,000 positions in the slow tests, one after the other: their boards would fill gigabytes."""
    number: int = request.param
    return number


@functools.lru_cache(maxsize=1)
def boards(seed: int) -> tuple[Board, ...]:
    if seed > 1:
        return tuple(corpus.__wrapped__(50_000, seed))
    odd = [Board.unchecked(fen) for fen in (*STRANGE, *ODD)]
    return (*corpus(50_000), *odd, *(board.mirror() for board in odd))


# Kings next to each other, several kings in check, several that may castle, en passant without a king, castling by a
# king that a rook's departure would leave in check.
ODD: Final = (
    "8/8/8/3kK3/8/8/8/8 w - - 0 1",
    "8/8/8/3kK3/8/8/8/8 b - - 0 1",
    "k3r3/8/8/K3K3/8/8/8/4K3 w - - 0 1",
    "k3r3/8/8/K3K3/8/8/8/4K3 b - - 0 1",
    "4r3/8/8/3pP3/8/8/8/8 w - d6 0 1",
    "r7/8/8/3pP3/8/8/8/8 w - d6 0 1",
    "4k3/8/8/2KpP3/8/8/8/K7 w - d6 0 1",
    "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1",
    "4k3/8/8/8/8/8/8/1RK4R w HB - 0 1",
    "4k3/8/8/8/8/8/8/R3K1R1 w GA - 0 1",
    "k7/8/8/8/8/8/8/qR2K2R w HB - 0 1",
)


@functools.lru_cache(maxsize=1)
def positions(seed: int) -> Positions:
    return Positions.from_boards(boards(seed))


def test_legal_move_counts_and_endings(seed: int) -> None:
    p = positions(seed)
    expected = np.array([board.count_legal_moves() for board in boards(seed)], np.uint16)
    check = np.array([board.is_check() for board in boards(seed)])
    got = p.legal_move_counts()
    assert got.dtype == np.uint16
    wrong = np.flatnonzero(got != expected)
    assert not wrong.size, [(boards(seed)[i], int(got[i]), int(expected[i])) for i in wrong[:5]]
    assert np.array_equal(p.is_check(), check)
    assert np.array_equal(p.is_checkmate(), check & (expected == 0))
    with_king = np.array([board.king(board.turn) is not None for board in boards(seed)])
    assert np.array_equal(p.is_stalemate(), ~check & (expected == 0) & with_king)
    if seed == 1:
        assert expected.max() >= 218
        assert p.is_checkmate().sum() > 10
        assert p.is_stalemate().sum() > 2


def test_the_rare_kinds_of_moves_are_there(seed: int) -> None:
    """What the vector loop leaves to the scalar generator, and counts itself, occurs often enough to be judged."""
    en_passant = sum(board.has_legal_en_passant() for board in boards(seed))
    castlings = dict.fromkeys((False, True), 0)
    for board in boards(seed)[::20]:
        castlings[board.chess960] += any(board.is_castling(move) for move in board.generate_legal_moves())
    assert en_passant > 100
    assert all(n > 20 for n in castlings.values()), castlings


def test_checkers(seed: int) -> None:
    p = positions(seed)
    expected = np.array([int(board.checkers()) for board in boards(seed)], np.uint64)
    assert np.array_equal(p.checkers(), expected)
    assert np.count_nonzero(np.bitwise_count(expected) == 2) > 5
    # Of the other side: as if it were to move.
    turned = Positions.from_boards(boards(seed))
    turned.columns.state[:] ^= np.uint64(1)
    assert np.array_equal(turned.checkers("them"), expected)
    white = np.where(p.turn, p.checkers(), p.checkers("them"))
    assert np.array_equal(p.checkers("white"), white)
    assert np.array_equal(p.checkers("black"), np.where(p.turn, p.checkers("them"), p.checkers()))


def line_of(king: int, square: int) -> str:
    rank, file = square // 8 - king // 8, square % 8 - king % 8
    return "file" if not file else "rank" if not rank else "diagonal" if rank == file else "antidiagonal"


def test_pins_and_discoverers(seed: int) -> None:
    p = positions(seed)
    lines = ("file", "rank", "diagonal", "antidiagonal")
    for name, colour in COLOURS.items():
        expected = {line: np.zeros(len(p), np.uint64) for line in lines}
        discoverers = np.zeros(len(p), np.uint64)
        for i, board in enumerate(boards(seed)):
            for pin in board.pinned(colour):
                king = board.king(colour)
                assert king is not None
                expected[line_of(king, pin.square)][i] |= np.uint64(1 << pin.square)
            discoverers[i] = int(board.discoverers(colour))
        for line in lines:
            assert np.array_equal(p.pinned(name, line), expected[line]), (name, line)  # type: ignore[arg-type]
            assert np.count_nonzero(expected[line]) > 100
        every = np.bitwise_or.reduce(list(expected.values()))
        assert np.array_equal(p.pinned(side=name), every)  # type: ignore[arg-type]
        assert np.array_equal(p.discoverers(name), discoverers)  # type: ignore[arg-type]
        ours = p.turn == colour
        assert np.array_equal(np.where(ours, p.pinned(), p.pinned(side="them")), every)
        assert np.array_equal(np.where(ours, p.discoverers(), p.discoverers("them")), discoverers)


def pinners_of(board: chess.Board, colour: bool) -> int:
    """The opponent's pieces that attack the king once a piece of its own side is gone, and did not before."""
    king = board.king(colour)
    assert king is not None
    before = board.attackers(not colour, king)
    found = 0
    for square in chess.SquareSet(board.occupied_co[colour] & ~chess.BB_SQUARES[king]):
        without = board.copy(stack=False)
        without.remove_piece_at(square)
        found |= int(without.attackers(not colour, king) - before)
    return found


def discovered_by(board: chess.Board, colour: bool) -> int:
    """The pieces whose departure lets a slider behind them see the king."""
    king = board.king(not colour)
    assert king is not None
    before = board.attackers(colour, king)
    found = 0
    for square in chess.SquareSet(board.occupied_co[colour]):
        without = board.copy(stack=False)
        without.remove_piece_at(square)
        if without.attackers(colour, king) - before:
            found |= 1 << square
    return found


def test_python_chess_agrees() -> None:
    """It sees neither the positions without a king nor those with several as we do."""
    chosen = [*range(2 * len(EDGES)), *range(2 * len(EDGES), 50_000, 50_000 // PYTHON_CHESS_TRIES)]
    p = positions(1)
    counts, check, mate, stale = p.legal_move_counts(), p.is_check(), p.is_checkmate(), p.is_stalemate()
    checkers, pins, pinners, discoverers = p.checkers(), p.pinned(), p.pinners(), p.discoverers()
    for i in chosen:
        ours = boards(1)[i]
        board = chess.Board(ours.fen(shredder=True, en_passant="fen"), chess960=True)
        assert counts[i] == board.legal_moves.count(), board
        assert (check[i], mate[i], stale[i]) == (board.is_check(), board.is_checkmate(), board.is_stalemate()), board
        assert int(checkers[i]) == int(board.checkers()), board
        own = chess.SquareSet(board.occupied_co[board.turn])
        assert int(pins[i]) == sum(1 << s for s in own if board.is_pinned(board.turn, s)), board
        if i % 4 == 0:
            assert int(pinners[i]) == pinners_of(board, board.turn), board
            assert int(discoverers[i]) == discovered_by(board, board.turn), board


# What every query has in common.

QUERIES: Final[dict[str, Callable[..., Any]]] = {
    "attacks": lambda p, **kw: p.attacks("us", **kw),
    "attacks, rook": lambda p, **kw: p.attacks("white", "rook", **kw),
    "attacks, both": lambda p, **kw: p.attacks("both", **kw),
    "attacks, both, queen": lambda p, **kw: p.attacks("both", "queen", **kw),
    "attack_maps": lambda p, **kw: p.attack_maps(**kw),
    "attack_counts": lambda p, **kw: p.attack_counts(**kw),
    "checkers": lambda p, **kw: p.checkers(**kw),
    "pinned": lambda p, **kw: p.pinned(line="file", **kw),
    "pinners": lambda p, **kw: p.pinners(**kw),
    "discoverers": lambda p, **kw: p.discoverers(**kw),
    "king_danger": lambda p, **kw: p.king_danger(**kw),
    "mobility": lambda p, **kw: p.mobility(**kw),
    "mobility, bishop": lambda p, **kw: p.mobility("bishop", **kw),
    "progressive_mobility": lambda p, **kw: p.progressive_mobility("queen", 3, **kw),
    "legal_move_counts": lambda p, **kw: p.legal_move_counts(**kw),
    "is_check": lambda p, **kw: p.is_check(**kw),
    "is_checkmate": lambda p, **kw: p.is_checkmate(**kw),
    "is_stalemate": lambda p, **kw: p.is_stalemate(**kw),
}


@pytest.mark.parametrize("name", QUERIES)
def test_any_number_of_positions_threads_and_an_array_to_fill(name: str) -> None:
    ask = QUERIES[name]
    p = positions(1)[:5003]
    whole = ask(p)
    axis = whole.shape.index(5003)
    for n in (0, 1, 7, 63, 64, 65, 513):
        assert np.array_equal(ask(p[5003 - n :]), np.take(whole, range(5003 - n, 5003), axis)), n
    out = np.empty_like(whole)
    assert ask(p, out=out, threads=3) is out
    assert np.array_equal(out, whole)
    with pytest.raises(ValueError, match="threads: 0: expected an int of at least 1"):
        ask(p, threads=0)
    with pytest.raises(ValueError, match=r"out: shape .*expected a writeable, C-contiguous"):
        ask(p, out=np.empty((5003, 3), whole.dtype))
    with pytest.raises(TypeError, match=r"out: dtype float32: expected .* array of shape \("):
        ask(p, out=np.empty(whole.shape, np.float32))
    with pytest.raises(TypeError, match="out: list"):
        ask(p, out=[])
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out: read-only"):
        ask(p, out=out)


def test_an_array_to_fill_may_lie_anywhere_but_in_the_positions() -> None:
    p = positions(1)[:100].copy()
    with pytest.raises(ValueError, match="out: shares memory with the positions"):
        p.checkers(out=p.columns.pawns)
    room = np.empty(100 * 64 + 8, np.uint8)
    for start in range(8):
        out = room[start : start + 6400].reshape(100, 64)
        assert p.attack_counts(out=out) is out
        assert np.array_equal(out, p.attack_counts())


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda p: p.attacks("red"), "side: 'red': expected one of us, them, white, black, both"),
        (lambda p: p.attacks(None), "side: None: expected one of us"),
        (lambda p: p.attacks("us", "hawk"), "piece: 'hawk': expected PAWN"),
        (lambda p: p.attack_counts("both"), "side: 'both': expected one of us"),
        (lambda p: p.mobility("hawk"), "piece: 'hawk': expected PAWN"),
        (lambda p: p.mobility(side="hawk"), "side: 'hawk': expected one of us"),
        (lambda p: p.pinned("us", "row"), "line: 'row': expected one of None, file, rank, diagonal, antidiagonal"),
        (lambda p: p.progressive_mobility("king"), "piece: 'king': expected BISHOP"),
        (lambda p: p.progressive_mobility("rook", 0), "moves: 0: expected an int from 1 to 63"),
        (lambda p: p.progressive_mobility("rook", 2.0), "moves: 2.0: expected an int from 1 to 63"),
    ],
)
def test_bad_questions(ask: Callable[[Positions], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask(Positions.from_boards([Board()]))
