"""Dead positions: labels of others, lines that python-chess replays, and every position that few pieces can reach.

`labelled.txt` has positions with the sides that can mate, `W` and `B`: facts, sampled from the lists that come with
Miguel Ambrona's program CHA. ``ROOKERY_LABELLED_POSITIONS`` names the whole lists, to test all of them.
"""

import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess
import numpy as np
import pytest

from rookery import Board, Move, Positions
from rookery.rules.helpmates.possibility import IMPOSSIBLE, POSSIBLE

HERE = Path(__file__).parent
LIMIT = 3000
# Of the whole lists: the limit for each question, how many questions may stay unknown (of two for each position), and
# how many positions have nine pawns of a colour, which `Board` refuses.
WHOLE_LISTS = {"lichess.txt": (100_000, 0, 0), "positions.txt": (1000, 810, 2)}


def labelled(path: Path) -> Iterator[tuple[str, tuple[bool, bool]]]:
    """Return (FEN, (white mates, black mates)) of each line; a FEN may lack its counters."""
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            sides, *fields = line.split()
            fields += ["w", "-", "-", "0", "1"][len(fields) - 1 :]
            yield " ".join(fields), (sides[0] == "W", sides[1] == "B")


def check_line(fen: str, winner: bool, moves: list[Move] | None) -> None:
    """Play a line with python-chess, which must end in mate by the winner."""
    board = chess.Board(fen)
    assert moves is not None
    for move in moves:
        played = chess.Move.from_uci(move.uci())
        assert board.is_legal(played), (fen, move)
        board.push(played)
    assert board.is_checkmate(), fen
    assert board.turn is not winner, fen


def compare(fens: Sequence[str], labels: Sequence[tuple[bool, bool]], limit: int) -> int:
    """Compare all answers with labels, and return how many are missing."""
    positions = Positions.from_fens(fens)
    missing = 0
    for winner in chess.COLORS:
        answers = positions.can_mate(winner, limit=limit)
        quick = positions.can_mate(winner, limit=0)
        expected = np.array([both[0 if winner else 1] for both in labels])
        assert not (~answers.mask & (answers.data != expected)).any()
        assert not (~quick.mask & expected).any()
        missing += int(answers.mask.sum())
        for i in np.flatnonzero(answers.filled(False)).tolist():
            check_line(fens[i], winner, positions[i].find_helpmate(winner, limit=limit))
    return missing


def test_labels_and_lines() -> None:
    fens, labels = zip(*labelled(HERE / "labelled.txt"), strict=True)
    assert len(fens) > 150
    assert compare(fens, labels, 1000) < len(fens) // 3


def has_nine_pawns(fen: str) -> bool:
    return max(fen.split()[0].count(pawn) for pawn in "Pp") > 8


@pytest.mark.slow
@pytest.mark.skipif("ROOKERY_LABELLED_POSITIONS" not in os.environ, reason="ROOKERY_LABELLED_POSITIONS names no files")
def test_whole_lists_and_lines() -> None:
    for name in os.environ["ROOKERY_LABELLED_POSITIONS"].split(os.pathsep):
        path = Path(name)
        limit, unknown, refused = WHOLE_LISTS[path.name]
        rows = list(labelled(path))
        refused_fens = [fen for fen, _ in rows if has_nine_pawns(fen)]
        assert len(refused_fens) == refused
        for fen in refused_fens:
            with pytest.raises(ValueError, match="has 9 pawns, at most 8"):
                Board(fen)
        fens, labels = zip(*(row for row in rows if not has_nine_pawns(row[0])), strict=True)
        assert compare(fens, labels, limit) <= unknown


def reachable_mates(fen: str, most: int) -> set[bool] | None:
    """Return which sides mate in some position that legal moves reach, or None if there are more than `most`."""
    start = chess.Board(fen)
    seen, todo = {start.epd()}, [start]
    winners: set[bool] = set()
    while todo:
        board = todo.pop()
        if board.is_checkmate():
            winners.add(not board.turn)
        for move in board.legal_moves:
            after = board.copy(stack=False)
            after.push(move)
            if after.epd() not in seen:
                seen.add(after.epd())
                todo.append(after)
        if len(seen) > most:
            return None
    return winners


def small_positions(seed: int, number: int) -> Iterator[str]:
    """Return random valid positions with locked pawns, kings and few other pieces, most of which reach few others."""
    rng = random.Random(seed)
    while number:
        board = chess.Board.empty()
        rank = rng.randint(1, 4)
        for file in range(rng.randint(0, 1), 8, 2):
            own = rank + rng.choice([0, 0, 0, 0, 0, 1])
            board.set_piece_at(chess.square(file, own), chess.Piece(chess.PAWN, chess.WHITE))
            board.set_piece_at(chess.square(file, own + 1), chess.Piece(chess.PAWN, chess.BLACK))
        behind = {chess.WHITE: range(8 * rank), chess.BLACK: range(8 * rank + 16, 64)}
        pieces = [chess.Piece(chess.KING, colour) for colour in chess.COLORS]
        pieces += [chess.Piece.from_symbol(rng.choice("BbNn")) for _ in range(rng.choice([0, 1]))]
        for piece in pieces:
            free = [square for square in behind[piece.color] if not board.piece_at(square)]
            board.set_piece_at(rng.choice(free), piece)
        board.turn = rng.random() < 0.5
        if board.is_valid():
            number -= 1
            yield board.fen()


def compare_with_all_reachable(seed: int, number: int, most: int) -> int:
    """Compare with the mates among all positions that can be reached; return how often that was possible."""
    compared = 0
    for fen in small_positions(seed, number):
        winners = reachable_mates(fen, most)
        if winners is None:
            continue
        compared += 1
        board = Board(fen)
        for winner in chess.COLORS:
            assert board.can_mate(winner, limit=LIMIT) is (winner in winners), fen
            assert board.can_mate(winner, limit=0) in (None, winner in winners), fen
        assert board.is_dead_position(limit=LIMIT) is (not winners), fen
    return compared


def test_against_all_reachable_positions() -> None:
    assert compare_with_all_reachable(1, 6, 1000) > 0


@pytest.mark.slow
def test_against_more_reachable_positions() -> None:
    assert compare_with_all_reachable(2, 300, 3000) > 50


@pytest.mark.parametrize(
    ("fen", "white", "black"),
    [
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", False, False),
        ("8/8/4k3/8/8/3NK3/8/7b w - - 0 1", True, True),
        ("8/8/4k3/8/8/3BK3/8/7b w - - 0 1", False, False),  # bishops of one colour
        ("8/8/4k3/8/8/3BK3/8/6b1 w - - 0 1", True, True),
        ("8/8/4k3/8/8/3NK3/8/7q w - - 0 1", False, True),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", True, False),  # mate, after which nobody else mates
        ("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", False, False),  # stalemate
        ("8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1", False, True),  # mate by bishops of one colour, which nobody can reach
        ("5B2/7r/5K1k/7r/8/4B3/8/8 b - - 0 1", True, False),
        ("k1b5/1p1p4/1P1P4/8/8/4p1p1/4P1P1/5B1K w - - 0 1", False, False),  # the kings only go to and fro
    ],
)
def test_known_positions(fen: str, white: bool, black: bool) -> None:
    board = Board(fen)
    assert (board.can_mate("white"), board.can_mate("black")) == (white, black)
    positions = Positions.from_fens([fen])
    assert [positions.can_mate("white").tolist(), positions.can_mate("black").tolist()] == [[white], [black]]
    for winner, can in zip(chess.COLORS, (white, black), strict=True):
        assert positions.can_mate(winner, limit=0).tolist() in ([None], [can])


def test_answers_are_those_of_arrays() -> None:
    fens = [fen for fen, _ in labelled(HERE / "labelled.txt")][::5]
    positions = Positions.from_fens(fens)
    boards = [Board(fen) for fen in fens]
    assert positions.can_mate("us", limit=500).tolist() == [b.can_mate(b.turn, limit=500) for b in boards]
    assert positions.can_mate("them", limit=500).tolist() == [b.can_mate(not b.turn, limit=500) for b in boards]
    assert positions.is_dead(limit=500).tolist() == [b.is_dead_position(limit=500) for b in boards]
    many = Positions.concatenate([positions] * 8)
    assert many.is_dead(limit=500, threads=2).tolist() == many.is_dead(limit=500).tolist()
    assert positions[:0].is_dead().tolist() == []
    marked = Positions.from_fens([*fens[:2], "bad"], errors="mark")
    assert marked.is_dead(limit=0).tolist() == [*positions[:2].is_dead(limit=0).tolist(), None]


def test_castling_and_en_passant_are_part_of_a_position() -> None:
    # The only way to mate begins with a capture en passant, or the position is dead.
    fen = "8/8/8/1k3p1p/3p1P1P/1p1P1Pp1/1P4P1/K7 b - - 0 1"
    board = Board(fen)
    assert board.is_dead_position() is not None
    for winner in chess.COLORS:
        line = board.find_helpmate(winner)
        assert (line is not None) is board.can_mate(winner)
        if line is not None:
            check_line(fen, winner, line)


def test_positions_that_are_not_valid() -> None:
    board = Board("4k3/8/8/8/8/8/8/4K2Q w - - 0 1")
    board.remove_piece_at(chess.E8)
    assert board.can_mate("white") is None
    assert board.is_dead_position() is None
    assert board.find_helpmate() is None
    assert Positions.from_boards([board]).is_dead().tolist() == [None]


def test_limit() -> None:
    board = Board("8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - - 0 1")
    assert board.can_mate("white", limit=1) is None
    assert board.find_helpmate("white", limit=1) is None
    assert (IMPOSSIBLE, POSSIBLE) == (1, 2)
    with pytest.raises(ValueError, match="limit: -1"):
        board.can_mate("white", limit=-1)
    with pytest.raises(TypeError, match="limit: 'x'"):
        board.is_dead_position(limit="x")  # type: ignore[arg-type]
