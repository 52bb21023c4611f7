"""Static exchange evaluation against all legal captures, and the swap algorithm against one that makes the captures."""

import itertools
import random
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import chess
import pytest

from legal_exchanges import won_by
from rookery.board import queries
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.board.queries import see
from rookery.rules.swap_off import PIECE_VALUES

VALUE = {chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}
ORDER = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]


def material(board: chess.Board, colour: bool) -> int:
    """What a colour is ahead."""
    return sum(VALUE[piece.piece_type] * (1 if piece.color == colour else -1) for piece in board.piece_map().values())


def capture(board: chess.Board, source: int, target: int) -> chess.Board:
    """The board after a capture, legal or not; a pawn on its last rank becomes a queen."""
    after = board.copy(stack=False)
    piece = after.remove_piece_at(source)
    assert piece is not None
    if piece.piece_type == chess.PAWN and chess.square_rank(target) in (0, 7):
        piece = chess.Piece(chess.QUEEN, piece.color)
    after.set_piece_at(target, piece)
    return after


def best(board: chess.Board, target: int, colour: bool) -> int:
    """What a colour wins at most by taking on a square, or by leaving it: its least valuable piece takes."""
    takers = sorted(board.attackers(colour, target), key=lambda s: (ORDER.index(board.piece_type_at(s) or 0), s))
    if not takers:
        return 0
    after = capture(board, takers[0], target)
    if board.piece_type_at(takers[0]) == chess.KING and after.attackers(not colour, target):
        return 0  # a king does not take what is defended
    return max(0, material(after, colour) - material(board, colour) - best(after, target, not colour))


def expected(board: chess.Board, move: chess.Move) -> int:
    if board.is_castling(move):
        return 0
    after = board.copy(stack=False)
    after.push(move)
    won = material(after, board.turn) - material(board, board.turn)
    return won - best(after, move.to_square, not board.turn)


@cache
def positions() -> list[chess.Board]:
    """Random games, and crowded random boards with pawns before their last rank and just after a double push."""
    chance = random.Random(19)
    found: list[chess.Board] = []
    while len(found) < 300:
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 160:
            board.push(chance.choice(list(board.legal_moves)))
            if chance.random() < 0.1:
                found.append(board.copy(stack=False))
    while len(found) < 1500:
        board = crowded(chance)
        kings = board.pieces(chess.KING, chess.WHITE) | board.pieces(chess.KING, chess.BLACK)
        if board.was_into_check() or chess.square_distance(*kings) < 2:
            continue
        for move in board.generate_legal_moves(board.pawns, chess.BB_RANK_4 | chess.BB_RANK_5):
            after = board.copy(stack=False)
            after.push(move)
            if after.has_legal_en_passant():
                board = after
                break
        found.append(board)
    return found


def crowded(chance: random.Random) -> chess.Board:
    """Pieces anywhere; pawns at home, where they take en passant, and before their last rank."""
    board = chess.Board(None)
    board.turn = chance.random() < 0.5
    for colour in (chess.WHITE, chess.BLACK):
        ranks = (1, 4, 6) if colour else (6, 3, 1)
        signs = "k" + "".join(chance.sample("ppppppppnnnnbbbbrrrrqq", k=chance.randrange(3, 16)))
        for sign in reversed(signs):  # the king last, on whatever stood there
            rank = chance.choice(ranks) if sign == "p" else chance.randrange(8)
            kind = chess.PIECE_SYMBOLS.index(sign)
            board.set_piece_at(8 * rank + chance.randrange(8), chess.Piece(kind, colour))
    return board if board.king(chess.WHITE) is not None else crowded(chance)


def test_the_swap_algorithm_for_every_legal_move() -> None:
    seen: dict[str, int] = dict.fromkeys(("all", "wins", "loses", "en passant", "promotions", "castling"), 0)
    for theirs in positions():
        ours = Board(theirs.fen(en_passant="fen"))
        for move in theirs.legal_moves:
            value = ours.pseudo_legal_see(ours.parse_uci(theirs.uci(move)))
            assert value == expected(theirs, move), f"{move} in {theirs.fen()}"
            seen["all"] += 1
            seen["wins"] += value > 0
            seen["loses"] += value < 0
            seen["en passant"] += theirs.is_en_passant(move)
            seen["promotions"] += move.promotion is not None
            seen["castling"] += theirs.is_castling(move)
    assert seen["all"] > 20_000
    assert min(seen["wins"], seen["loses"]) > 2000
    assert seen["promotions"] > 1000
    assert seen["en passant"] > 50
    assert seen["castling"] > 0


def differences(boards: Iterable[chess.Board]) -> tuple[list[str], int, int]:
    """Compare `see` with all legal captures; count the moves, and those that the swap algorithm judges otherwise."""
    found, moves, others = [], 0, 0
    for theirs in boards:
        ours = Board(theirs.fen(en_passant="fen"))
        for move in theirs.legal_moves:
            mine = ours.parse_uci(theirs.uci(move))
            value, right = ours.see(mine), won_by(theirs, move)
            if value != right:
                found.append(f"{move} in {theirs.fen()}: {value} instead of {right}")
            moves += 1
            others += ours.pseudo_legal_see(mine) != right
    return found, moves, others


def played(n: int, seed: int) -> Iterator[chess.Board]:
    """Positions of random games: about one of ten."""
    chance = random.Random(seed)
    while n > 0:
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 160:
            board.push(chance.choice(list(board.legal_moves)))
            if chance.random() < 0.1:
                n -= 1
                yield board.copy(stack=False)


def dense(n: int, seed: int) -> Iterator[chess.Board]:
    """Crowded boards, half of them in the middle: many pins, and sliders behind other pieces."""
    chance = random.Random(seed)
    while n > 0:
        board = crowded(chance)
        if chance.random() < 0.5:
            for square in chess.SquareSet(board.occupied & ~board.kings & ~chess.BB_CENTER & chess.BB_BACKRANKS):
                piece, to = board.piece_at(square), 8 * chance.randrange(2, 6) + chance.randrange(8)
                if piece and board.piece_type_at(to) is None:
                    board.remove_piece_at(square)
                    board.set_piece_at(to, piece)
        kings = board.pieces(chess.KING, chess.WHITE) | board.pieces(chess.KING, chess.BLACK)
        if not board.was_into_check() and chess.square_distance(*kings) > 1:
            n -= 1
            yield board


def test_every_legal_move_against_all_legal_captures() -> None:
    for boards in (itertools.islice(positions(), 150), played(100, 3), dense(200, 4)):
        found, moves, others = differences(boards)
        assert found == []
        assert moves > 2_000
        assert others > 5  # the swap algorithm would not do


@pytest.mark.slow
def test_many_legal_moves_against_all_legal_captures() -> None:
    for seed in range(20):
        assert differences(played(2000, 100 + seed))[0] == []
        assert differences(dense(4000, 200 + seed))[0] == []


def test_pinned_and_checked_sides_do_not_recapture() -> None:
    board = Board("4k3/8/5n2/3P4/1b6/2N5/8/4K3 b - - 0 1")
    assert board.see(board.parse_san("Nxd5")) == 100  # the bishop pins the knight
    assert board.pseudo_legal_see(board.parse_san("Nxd5")) == -220
    board = Board("2rk2nr/pp3pp1/n1q1b3/6Pp/4p3/bP1PP3/PBP1KP1P/R2Q1B1R w - - 0 20")
    assert board.see(board.parse_san("dxe4")) == 100  # the queen on d1 gives check
    assert board.pseudo_legal_see(board.parse_san("dxe4")) == 0


@pytest.mark.compiler
def test_machine_code_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders of captures are tried without a call of Python."""
    board = Board("3r3k/2P5/8/8/8/8/8/3R3K w - - 0 1")
    move = board.parse_san("Rxd8+")
    value = board.see(move)
    monkeypatch.setattr(queries, "_exchange", lambda *_: pytest.fail("Python answered"))
    assert board.see(move) == value == 500
    pinned = Board("4k3/8/5n2/3P4/1b6/2N5/8/4K3 b - - 0 1")
    assert pinned.see(pinned.parse_san("Nxd5")) == 100


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        pytest.param("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100, id="undefended pawn"),
        pytest.param("4k3/8/4p3/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", 100 - 320, id="defended pawn"),
        pytest.param("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", 0, id="quiet and safe"),
        pytest.param("6k1/8/8/3p4/8/8/8/4R1K1 w - - 0 1", "e1e4", -500, id="quiet and taken"),
        # The rook behind the rook, the queen behind both: R, R and Q against two rooks.
        pytest.param("3rk3/3r4/8/3p4/8/3R4/3R4/3QK3 w - - 0 1", "d3d5", 100, id="two x-rays join"),
        # The queen stands before her rooks: 100 - (500 - (900 - (500 - 500 + 0))) with both sides' rooks behind.
        pytest.param("3rk3/3r4/3q4/3p4/8/3R4/3R4/3QK3 w - - 0 1", "d3d5", 0, id="a queen before her rooks"),
        pytest.param("4k3/8/4p3/3p4/2P5/1B6/8/4K3 w - - 0 1", "c4d5", 100, id="bishop behind its pawn"),
        # The one defender is pinned to its king, by a rook that stays or by the piece that is captured.
        pytest.param("4k3/4n3/8/3p4/8/2N5/8/4R1K1 w - - 0 1", "c3d5", 100, id="pinned"),
        pytest.param("4k3/8/8/8/4q3/8/4R3/4K3 w - - 0 1", "e2e4", 900, id="the pinned piece takes its pinner"),
        # The capture with the knight lets the pinned knight go: its pinner has left.
        pytest.param("4k3/4n3/8/3p4/8/8/1K6/3RR3 w - - 0 1", "d1d5", 100, id="pinned by the other rook"),
        pytest.param("4k3/4n3/2p5/3p4/8/8/1K6/3RR3 w - - 0 1", "d1d5", 100 - 500, id="another piece recaptures"),
        # The pawn on e4 hides the bishop on f3 from d5: the knight takes, not the pawn.
        pytest.param("3r2k1/8/5n2/3P4/4P3/2N2b2/8/6K1 b - - 0 1", "f6d5", 100 - 320, id="a line kept closed"),
        # The king defends, until the second attacker would take it.
        pytest.param("8/3k4/4p3/8/8/8/8/K3R3 w - - 0 1", "e1e6", 100 - 500, id="king takes"),
        pytest.param("8/3k4/4p3/8/8/8/4R3/K3R3 w - - 0 1", "e2e6", 100, id="king may not take"),
        # Neither may it take what only the other king defends, though a queen stands behind it.
        pytest.param("8/2bQK3/8/2k5/8/q7/8/8 b - - 0 1", "c7d6", -330, id="king may not take beside a king"),
        # En passant opens the file for the rook on d1: rook and pawn against the rook.
        pytest.param("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", 100, id="en passant, x-ray from below"),
        pytest.param("3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0, id="en passant, taken back"),
        pytest.param("8/P7/8/8/8/8/8/K6k w - - 0 1", "a7a8q", 800, id="promotion"),
        pytest.param("8/P7/8/8/8/8/8/K6k w - - 0 1", "a7a8n", 220, id="promotion to a knight"),
        pytest.param("1r6/P7/8/8/8/8/8/K6k w - - 0 1", "a7a8q", -100, id="promotion, taken"),
        pytest.param("1r6/P7/8/8/8/8/8/K6k w - - 0 1", "a7b8q", 500 + 800, id="promotion that takes"),
        # A rook takes on b8 and the pawn takes back, becoming a queen: worse than to lose the rook for nothing.
        pytest.param("1n5k/P7/8/8/8/8/8/KR6 w - - 0 1", "b1b8", 320, id="rook and pawn, undefended"),
        pytest.param("1r4k1/8/8/8/8/8/p7/1R1R2K1 b - - 0 1", "b8b1", 500, id="a pawn takes back and becomes a queen"),
        pytest.param("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0, id="castling"),
    ],
)
def test_by_hand(fen: str, move: str, value: int) -> None:
    board = Board(fen)
    assert board.see(board.parse_uci(move)) == value
    mirrored = board.mirror()
    squares = [name[0] + str(9 - int(name[1])) for name in (move[:2], move[2:4])]
    assert mirrored.see(mirrored.parse_uci("".join(squares) + move[4:])) == value


def test_asking_leaves_the_board_as_it_is() -> None:
    board = Board("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1")
    before = board.copy()
    board.see(board.parse_uci("e5d6"))
    assert board == before
    assert board.words().tobytes() == before.words().tobytes()


def test_values_are_those_documented() -> None:
    assert PIECE_VALUES == (100, 320, 330, 500, 900)


NO_BOARD: Any = "startpos"
NO_MOVE: Any = "e2e4"


def test_errors_name_the_argument() -> None:
    board = Board()
    with pytest.raises(ValueError, match=r"move: e2e5 is not legal in 'rnbq"):
        board.see(Move.of(12, 36))
    with pytest.raises(ValueError, match="move: 0000 is not legal"):
        board.see(Move.null())
    with pytest.raises(ValueError, match="move: -1: expected an int from 0 to 65535"):
        see(board, -1)
    with pytest.raises(TypeError, match="move: 'e2e4': expected a Move"):
        board.see(NO_MOVE)
    with pytest.raises(TypeError, match=r"board: 'startpos': expected a rookery\.Board"):
        see(NO_BOARD, Move.of(12, 28))
