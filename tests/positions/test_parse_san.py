"""Moves of all positions read from texts at once, as `Board.parse_san` reads them one by one."""

import random
import re

import numpy as np
import pyarrow as pa
import pytest

from corpus import corpus
from naive_san import naive_san
from rookery import read_pgn
from rookery.bench.lanes import random_positions
from rookery.board.board import Board
from rookery.board.moves import AmbiguousMoveError, IllegalMoveError, InvalidMoveError
from rookery.positions.positions import Positions
from thinning import slow


def word_of(board: Board, text: str) -> int:
    move = board.parse_san(text)
    return board.move_word(move) if move else 0


def by_board(board: Board, text: str) -> int | str:
    try:
        return word_of(board, text)
    except ValueError as error:
        return str(error)


NAIVE = 250  # texts of each call that the naive reader judges: a millisecond each
ERRORS = {"invalid": InvalidMoveError, "illegal": IllegalMoveError, "ambiguous": AmbiguousMoveError}


def assert_as_naive(board: Board, text: str) -> None:
    """Compare with a reader that shares no code: what is meant, or why nothing is."""
    expected = naive_san(board, text)
    if isinstance(expected, int):
        assert word_of(board, text) == expected, (board.fen(), text)
    else:
        with pytest.raises(ERRORS[expected]):
            board.parse_san(text)


def assert_alike(positions: Positions, texts: list[str]) -> None:
    for board, text in list(zip(positions, texts, strict=True))[:NAIVE]:
        assert_as_naive(board, text)
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


SIGNS = "abcdefgh12345678NBRQKPOox0=+#!?-.@Z \0é½½\x1a{(;$*\n\ufeff\xa0"


def damaged(rng: random.Random, text: str) -> str:
    """A text with signs changed, cut out, doubled or swapped."""
    for _ in range(rng.randrange(1, 3)):
        i, j = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        text = rng.choice(
            [
                text[:i] + rng.choice(SIGNS) + text[i + 1 :],
                text[:i] + rng.choice(SIGNS) + text[i:],
                text[:i] + text[j:],
                text[:j] + text[i:j] + text[j:],
                text[:i] + text[j:] + text[i:j],
            ]
        )
    return text


@pytest.mark.parametrize("number", [3000, slow(200_000)])
def test_damaged_texts(number: int) -> None:
    """The reader of boards, that of arrays and that of games agree: which move is meant, and why none is."""
    rng = random.Random(number)
    positions = Positions.concatenate([Positions.from_boards(corpus(200)), random_positions(600, number)])
    good = 0
    for first in range(0, number, 3000):
        which = np.array([rng.randrange(len(positions)) for _ in range(3000)])
        some = positions[which]
        some = some[some.legal_move_counts() > 0]
        moves = some.random_moves(np.random.default_rng(first))
        written = [some.san(moves), some.uci(moves)]
        texts = [damaged(rng, rng.choice(written)[i]) for i in range(len(some))]
        assert_alike(some, texts)
        good += sum(isinstance(by_board(board, text), int) for board, text in zip(some, texts, strict=True))
        as_pgn(some, texts)
    assert number / 50 < good < number / 2


@pytest.mark.parametrize("text", ["Q77d3", "Q7dd3", "Qdd7d3", "Qx7d3", "Qdxd7d3", "Q7xxd3", "Qd77d3", "Q77xd3"])
def test_misspelt_squares_are_refused_wherever_the_word_stands(text: str) -> None:
    """Words at the end of a text are read in another way than those with more text behind them."""
    fen = "7k/3Q4/8/8/8/8/8/K7 w - - 0 1"
    game = f'[FEN "{fen}"]\n\n{text} 1-0\n\n'
    for behind in ("", game.replace(text, "Qd3")):
        games = read_pgn((game + behind).encode(), strict=True)
        assert games.is_bad[0], games.moves[0]
        assert games.errors[0].move == text


WORD = re.compile(r"[^\s{}();$!?.*%\x1a\ufeff\xa0\0]*[a-zA-Z@-][^\s{}();$!?.*%\x1a\ufeff\xa0\0]*")


def as_pgn(positions: Positions, texts: list[str]) -> None:
    """The same texts as first words of games, so far as they are words there."""
    fens, valid = positions.to_fens(shredder=True, en_passant="fen"), positions.is_valid()
    words = [i for i, text in enumerate(texts) if valid[i] and WORD.fullmatch(text)]
    assert len(words) > len(texts) / 10
    text = "".join(f'[Variant "Chess960"]\n[FEN "{fens[i]}"]\n\n{texts[i]} 1-0\n\n' for i in words)
    games = read_pgn(text.encode(), strict=True)
    assert len(games) == len(words)
    for k, i in enumerate(words):
        expected = first_move(games.board(k), texts[i])
        if games.is_bad[k]:
            assert games.errors[k - int((~games.is_bad[:k]).sum())].reason == expected, texts[i]
        else:
            assert games.moves[k].tolist() == [expected], texts[i]


def first_move(board: Board, text: str) -> int | str:
    try:
        word = word_of(board, text)
        board.push(word)
    except ValueError as error:
        return str(error)
    return word


def test_castling_promotions_and_null_moves() -> None:
    fens = ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "4k3/P6P/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1", "qbrnkrnb/8/8/8/8/8/8/QBRNKR1B w FCfc - 0 1"]  # fmt: skip
    texts = ["O-O", "0-0-0", "O-O+!", "e1g1", "e1h1", "Ke1g1", "a8=Q", "a7a8n", "a8", "exd6", "e5d6", "d6", "--",
             "Z0", "0000",
             "", "x", "é", "e4é", "e4½", "e4国", "e4\ud800", "Nf3\0", "e4 ", " e4", "O-O-O-O",
             "a8=", "Q" * 300]  # fmt: skip
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
