"""Leela's planes, judged by encodings that lc0 made, and by their definition over python-chess.

`leela_planes.jsonl` has 74 encodings by lc0 909a408: a line has the FEN, the moves, the input format, what fills the
history, the transform, the value of plane 109, the legal moves' indices, and the first half of the SHA-256 of the
planes, as words of eight bytes, a1 in the lowest bit, with plane 109 empty.
"""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
import pytest

from corpus import corpus
from rookery import Board, Games, Positions, read_pgn
from rookery.data.encoders import leela_planes

CASES: Final = [
    json.loads(line) for line in (Path(__file__).parents[2] / "samples/leela_planes.jsonl").read_text().splitlines()
]
ALL: Final = (1 << 64) - 1


def board_of(case: dict[str, Any]) -> Board:
    board = Board(case["fen"], chess960=True)
    for move in case["moves"].split():
        board.push_uci(move)
    return board


@pytest.mark.parametrize("case", CASES, ids=[f"{case['format']}, {number}" for number, case in enumerate(CASES)])
def test_planes_are_those_of_lc0(case: dict[str, Any]) -> None:
    planes = leela_planes([board_of(case)], case["format"], fill=case["fill"])
    assert hashlib.sha256(planes.words[0].tobytes()).hexdigest()[:32] == case["planes"]
    assert planes.transform.tolist() == [case["transform"]]
    assert planes.clocks[0] == pytest.approx(case["clock"])


def test_the_cases_have_every_format_transform_and_fill() -> None:
    formats = [case["format"] for case in CASES]
    assert {number for number in formats if formats.count(number) >= 5} == {1, 2, 3, 4, 5, 132, 133}
    assert {case["transform"] for case in CASES} == set(range(8))
    assert {case["fill"] for case in CASES} == {"no", "fen_only", "always"}


def test_indices_are_those_of_lc0() -> None:
    """Where the board is not turned: lc0 numbers the moves of the turned board."""
    cases = [case for case in CASES if case["transform"] == 0]
    masks = Positions.from_boards([board_of(case) for case in cases]).policy_mask("leela")
    assert [np.flatnonzero(mask).tolist() for mask in masks] == [case["legal"] for case in cases]


# The definition of format 1.


def seen(board: chess.Board, colour: chess.Color) -> list[int]:
    flip = 0 if colour else 56
    sets = [board.pieces(kind, side) for side in (colour, not colour) for kind in chess.PIECE_TYPES]
    return [sum(1 << (square ^ flip) for square in pieces) for pieces in sets]


def classical(board: chess.Board, repeat_first: bool) -> list[int]:
    board = board.copy()
    colour, planes = board.turn, list[int]()
    rights = [
        side(player)
        for player in (colour, not colour)
        for side in (board.has_queenside_castling_rights, board.has_kingside_castling_rights)
    ]
    while len(planes) < 8 * 13:
        planes += [*seen(board, colour), ALL * board.is_repetition(2)]
        if board.move_stack:
            board.pop()
        elif not repeat_first or board.fen() == chess.STARTING_FEN:
            planes += [0] * (8 * 13)
    return planes[: 8 * 13] + [ALL * right for right in rights] + [ALL * (not colour), 0, 0, ALL]


@pytest.mark.parametrize("fill", ["no", "fen_only"])
def test_format_1_is_its_definition(fill: Any) -> None:
    boards = [b for b in corpus(500) if not b.chess960 and b.ep_square is None][100:]
    lines = []
    for k, board in enumerate(boards[:150]):
        line = Board(board.fen())
        for _ in range(k % 12):
            moves = sorted(line.legal_moves, key=lambda move: move.uci())
            if not moves:
                break
            line.push(moves[k % len(moves)])
        lines.append(line)
    shuffled = Board()
    for text in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 e2e4".split():
        shuffled.push_uci(text)
        lines.append(shuffled.copy())
    planes = leela_planes(lines, fill=fill)
    for i, board in enumerate(lines):
        theirs = chess.Board(board.copy().root().fen())
        for move in board.move_stack:
            theirs.push_uci(move.uci())
        assert planes.words[i].tolist() == classical(theirs, fill == "fen_only"), board.fen()
    assert planes.clocks.tolist() == [board.halfmove_clock for board in lines]
    assert not planes.transform.any()


PGN: Final = b"""1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *

[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 Kd7 *
"""


@pytest.mark.parametrize("input_format", [1, 3, 5])
def test_games_and_boards_have_the_same_planes(input_format: Any) -> None:
    games: Games = read_pgn(PGN)
    boards = []
    for game in games:
        board = Board(game.start) if game.start else Board()
        for move in game.moves:
            boards.append(board.copy())
            board.push(move)
    of_games, of_boards = leela_planes(games, input_format), leela_planes(boards, input_format)
    assert np.array_equal(of_games.words, of_boards.words)
    assert np.array_equal(of_games.clocks, of_boards.clocks)
    assert np.array_equal(of_games.transform, of_boards.transform)


def test_the_dense_form_has_the_bits_of_the_words() -> None:
    planes = leela_planes([board_of(case) for case in CASES[:20]], 1)
    dense = planes.to_dense()
    assert dense.shape == (20, 112, 8, 8)
    bits = (planes.words[:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    expected = bits.reshape(20, 112, 8, 8).astype(np.float32)
    expected[:, 109] = planes.clocks[:, None, None]
    assert np.array_equal(dense, expected)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="input_format: 6: expected one of 1, 2, 3, 4, 5, 132, 133"):
        leela_planes([Board()], 6)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="fill: 'fen': expected one of fen_only, no, always"):
        leela_planes([Board()], fill="fen")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"games\[1\]: 'e4': expected a Board"):
        leela_planes([Board(), "e4"])
    with pytest.raises(TypeError, match="expected Games, boards, or Positions without games"):
        leela_planes(read_pgn(PGN).positions())
    assert leela_planes([]).words.shape == (0, 112)
    assert leela_planes(Positions.from_boards([Board()])).words.shape == (1, 112)
