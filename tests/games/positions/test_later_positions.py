"""Positions that are replayed on first use say the same as positions that are replayed at once."""

import pickle
import random
from collections import Counter

import chess
import numpy as np
import pytest

from game_samples import SAMPLE
from played_games import play
from rookery import read_pgn
from rookery.games.games import Games
from rookery.games.positions.later_positions import LaterPositions
from rookery.games.positions.replay import mailbox_of
from rookery.positions.language.functions.light import word_of_signature
from rookery.positions.language.query import Query
from rookery.positions.layout import Columns, gathered
from rookery.positions.positions import Positions
from rookery.positions.queries import questions

CONDITIONS = """
imbalance == 3 and phase < 10
signature == "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"
is_mate
is_stalemate
count(us.bishops) == 2 and count(them.knights) == 1
move.piece == "N" and move.captures
move.captured == "Q" or move.captured == "P"
move.captured == "" and move.piece == "P"
us.queens and not them.queens and is_check
material(white) > material(black) + 2
white_to_move and is_check
move_number > 20 and us.queens
ever(is_check) and us.queens
then(move.captures, move.captures)
clock < 60 and us.queens
move.castles or move.promotes or move.is_en_passant
""".strip().splitlines()


@pytest.fixture(scope="module")
def games() -> Games:
    rng = random.Random(7)
    texts = [play(rng).text for _ in range(60)]
    return read_pgn([SAMPLE, "\n\n".join(texts).encode()])


def test_rows_and_columns(games: Games) -> None:
    made = games[3:40].positions("all")
    later = LaterPositions(games, 3, 40)
    assert len(later) == len(made)
    assert later.turn.tolist() == made.turn.tolist()
    assert later.ply.tolist() == made.ply.tolist()
    assert (later.game - 3).tolist() == made.game.tolist()
    assert later.fullmove_number.tolist() == made.fullmove_number.tolist()
    assert later.played_moves().tolist() == made.played_moves().tolist()
    assert later.plies_of_game().tolist() == made.plies_of_game().tolist()
    assert not later._is_set("columns") or bool((games.start_places[3:40] >= 0).any())
    index = np.flatnonzero(np.arange(len(made)) % 7 == 3)
    for positions in (later.taken(index), later.taken(index).taken(np.arange(index.size))):
        assert positions.turn.tolist() == made.turn[index].tolist()
        assert Positions(positions.columns) == Positions(made[index].columns)
    assert later.taken(np.zeros(0, np.intp)).columns.pawns.size == 0
    assert Positions(later.columns) == Positions(made.columns)
    assert Positions(later.taken(index).columns) == Positions(made[index].columns)
    assert Positions(pickle.loads(pickle.dumps(later)).columns) == Positions(made.columns)
    assert later[5] == made[5]


def test_mailbox(games: Games) -> None:
    made = games.positions("all")
    mailbox = LaterPositions(games, 0, len(games)).mailbox
    assert mailbox is not None
    words = np.empty(len(made), np.uint64)
    questions.words(made.columns, words)
    assert np.array_equal(mailbox.material, words)
    assert np.array_equal(mailbox.moving, made.moving_pieces(made.played_moves()))
    assert np.array_equal(mailbox.captured, made.captured_pieces(made.played_moves()))


def test_words_against_python_chess(games: Games) -> None:
    made = games.positions("last")
    words = np.empty(len(made), np.uint64)
    questions.words(made.columns, words)
    for fen, word, signature in zip(made.to_fens(), words.tolist(), made.signature().tolist(), strict=True):
        counts = Counter(chess.Board(fen, chess960=True).piece_map().values())
        digits = [counts[chess.Piece(kind, colour)] for colour in (True, False) for kind in range(1, 7)]
        assert word == sum(n << 5 * k for k, n in enumerate(digits))
        assert word_of_signature(signature) == word


def test_more_than_31_of_a_kind_count_as_31() -> None:
    many = Positions.from_fens(["QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/K6k w - - 0 1"])
    words = np.empty(1, np.uint64)
    questions.words(many.columns, words)
    assert int(words[0]) == 31 << 20 | 1 << 25 | 1 << 55
    offsets, rows = np.zeros(2, np.int64), np.zeros(1, np.int32)
    assert mailbox_of(offsets, np.zeros(0, np.uint16), Columns(*many.columns), rows) is None
    assert many.evaluate("count(us.queens)").tolist() == [40]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_searches_find_what_evaluation_finds(games: Games, condition: str) -> None:
    made = games.positions("all")
    rows = np.flatnonzero(Query(condition).mask(made))
    for threads in (1, 2):
        hits = games.search(condition, threads=threads)
        assert hits.game.tolist() == made.game[rows].tolist()
        assert hits.ply.tolist() == made.ply[rows].tolist()
        assert hits.moves.tolist() == made.played_moves()[rows].tolist()
        assert hits.positions == Positions(made[rows].columns)


def test_indices_out_of_range_stand_for_the_last_position() -> None:
    columns = Positions(read_pgn(b"1. e4 e5 *").positions("all").columns).columns
    found = Positions(gathered(columns, np.array([0, 9, -1])))
    assert found == Positions(columns)[[0, 2, 2]]
    with pytest.raises(IndexError, match="index: 1 is outside the 0 positions"):
        gathered(Positions.from_boards([]).columns, np.array([1]))
