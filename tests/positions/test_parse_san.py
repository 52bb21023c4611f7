"""Moves of all positions read from texts at once, as `Board.parse_san` reads them one by one."""

import numpy as np
import pyarrow as pa
import pytest

from corpus import corpus
from rookery.bench.lanes import random_positions
from rookery.positions.positions import Positions
from rookery.rules.board import Board
from rookery.rules.moves import AmbiguousMoveError, IllegalMoveError, InvalidMoveError


def by_board(board: Board, text: str) -> int | str:
    try:
        return int(board.parse_san(text))
    except ValueError as error:
        return str(error)


def assert_alike(positions: Positions, texts: list[str]) -> None:
    expected = [by_board(board, text) for board, text in zip(positions, texts, strict=True)]
    good = [i for i, word in enumerate(expected) if isinstance(word, int)]
    words = positions[good].parse_san([texts[i] for i in good], threads=2)
    assert words.tolist() == [expected[i] for i in good]
    for i in [i for i, word in enumerate(expected) if isinstance(word, str)][:200]:
        with pytest.raises((InvalidMoveError, IllegalMoveError, AmbiguousMoveError)) as caught:
            positions[i : i + 1].parse_san([texts[i]])
        assert str(caught.value) == f"texts[0]: {expected[i]}"


def test_there_and_back() -> None:
    positions = Positions.concatenate([Positions.from_boards(corpus(2000)), random_positions(3000)])
    moves = positions.legal_moves()
    which = np.repeat(np.arange(len(positions)), np.diff(moves.offsets))
    all_positions = positions[which]
    for texts in (positions.san(moves), positions.uci(moves)):
        assert np.array_equal(all_positions.parse_san(texts), moves.moves)
        assert np.array_equal(all_positions.parse_san(pa.array(texts)), moves.moves)


def test_every_text() -> None:
    positions = random_positions(400, 3)
    squares = [f + r for f in "abcdefgh" for r in "12345678"]
    rng = np.random.default_rng(4)
    for _ in range(10):
        kinds = rng.choice(["", "N", "B", "R", "Q", "K", "P"], 400)
        sources = rng.choice(["", "", "", "a", "h", "4", "e2", "g1"], 400)
        marks = rng.choice(["", "x", "-"], 400)
        ends = rng.choice(["", "", "+", "#", "!?", "++", "=Q", "q", "=K", "e.p."], 400)
        texts = [
            k + s + m + t + e
            for k, s, m, t, e in zip(kinds, sources, marks, rng.choice(squares, 400), ends, strict=True)
        ]
        assert_alike(positions, texts)


def test_castling_promotions_and_null_moves() -> None:
    fens = ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "4k3/P6P/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", "qbrnkrnb/8/8/8/8/8/8/QBRNKR1B w FCfc - 0 1"]  # fmt: skip
    texts = ["O-O", "0-0-0", "O-O+!", "e1g1", "e1h1", "Ke1g1", "a8=Q", "a7a8n", "a8", "exd6", "e5d6", "d6", "--",
             "Z0", "0000",
             "", "x", "é", "Nf3\0", "e4 ", " e4", "O-O-O-O", "a8=", "Q" * 300]  # fmt: skip
    for fen in fens:
        assert_alike(Positions.from_fens([fen] * len(texts)), texts)


def test_what_is_wrong() -> None:
    positions = Positions.from_boards([Board(), Board()])
    with pytest.raises(IllegalMoveError, match=r"^texts\[1\]: SAN move: 'Ke2' is not legal in 'rnbqkbnr"):
        positions.parse_san(["e4", "Ke2"])
    with pytest.raises(ValueError, match=r"^texts: 1 texts: expected 2, one for each position"):
        positions.parse_san(["e4"])
    with pytest.raises(TypeError, match=r"^texts: 'e4': expected a list of texts"):
        positions.parse_san("e4")
    with pytest.raises(InvalidMoveError, match=r"^texts\[0\]: SAN move: ''"):
        positions.parse_san([None, "e4"])
    assert positions[:0].parse_san([]).size == 0
