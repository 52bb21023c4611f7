"""Random expressions on arrays, compared with the plain interpreter, position by position."""

import functools
import io
import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import chess
import chess.engine
import chess.pgn
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from corpus import EDGES, STRANGE
from game_samples import SAMPLE
from plain_queries import Row, evaluate, rows_of_board, rows_of_game
from plain_queries.interpret import EAGER, LAZY
from played_games import play
from random_positions import random_position
from random_queries import Allowed, any_query, queries, refused
from rookery import Board, Positions, read_pgn
from rookery.positions.language import block, plan
from rookery.positions.language.vocabulary import PUBLIC_NAMES
from rookery.positions.motifs import MOTIF_BY_NAME
from rookery.positions.motifs.named_mates import NAMED_MATES
from thinning import examples


class Tried(NamedTuple):
    """Positions as an array, and one by one."""

    array: Positions
    rows: list[Row]
    pgn: bytes = b""


@contextmanager
def small_blocks(size: int, gathered: bool) -> Iterator[None]:
    """Blocks of a few positions; with `gathered`, the rest of a term's positions is always copied."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "SIZE", size)
        if gathered:
            patch.setattr(block, "GATHER_NS", 0.0)
        yield


def values_of(array: np.ndarray[Any, Any]) -> list[Any]:
    if array.dtype == np.uint64:
        return [frozenset(s for s in range(64) if board >> s & 1) for board in array.tolist()]
    values: list[Any] = array.tolist()
    return values


def same(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a):
        return math.isnan(b)
    return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)


def compare(text: str, tried: Tried, size: int, threads: int, gathered: bool) -> None:
    assume(not refused(text))
    with small_blocks(size, gathered):
        ours = values_of(tried.array.evaluate(text, threads=threads))
    theirs = evaluate(text, tried.rows)
    for row, our, their in zip(tried.rows, ours, theirs, strict=True):
        assert same(our, their), f"{text}\n{row.board.fen()} ply {row.ply} {row.move}: {our} is not {their}"


def compare_search(text: str, tried: Tried) -> None:
    """`Games.search` need not replay the games for each query, but finds the positions that `evaluate` finds."""
    assume(not refused(text))
    found = read_pgn(tried.pgn).search(text)
    theirs = evaluate(text, tried.rows)
    expected = [row for row, value in zip(tried.rows, theirs, strict=True) if value]
    assert found.ply.tolist() == [row.ply for row in expected], text
    assert [hit.board.fen(en_passant="fen") for hit in found] == [row.board.fen(en_passant="fen") for row in expected]


# Positions of games.


def _lichess(rng: random.Random) -> tuple[str, list[Row]]:
    """A short game of the sample."""
    games = SAMPLE.read_text(encoding="utf-8").split("\n\n[Event ")
    while True:
        text = rng.choice(games)
        text = text if text.startswith("[Event ") else f"[Event {text}"
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None
        nodes = list(game.mainline())
        if len(nodes) > 40:
            continue
        clocks = [math.nan if node.clock() is None else float(node.clock() or 0) for node in nodes]
        evals = [_pawns(node.eval()) for node in nodes]
        return f"{text}\n\n", rows_of_game(game.end().board(), text, clocks, evals, game.headers["Result"])


def _pawns(score: "chess.engine.PovScore | None") -> float:
    if score is None:
        return math.nan
    white = score.white()
    mate = white.mate()
    if mate is not None:
        return math.copysign(1000 - abs(mate), mate)
    return (white.score() or 0) / 100


def _played(rng: random.Random) -> tuple[str, list[Row]]:
    while True:
        game = play(rng)
        if len(game.clocks) <= 40:
            return game.text, rows_of_game(game.board, game.text, game.clocks, game.evals, game.result)


@functools.cache
def games(seed: int) -> Tried:
    """The positions of a few games."""
    rng = random.Random(seed)
    made = [_played(rng), _lichess(rng), _played(rng)]
    rng.shuffle(made)
    pgn = "".join(text for text, _ in made).encode()
    return Tried(read_pgn(pgn).positions("all"), [row for _, rows in made for row in rows], pgn)


@functools.cache
def positions(seed: int) -> Tried:
    """Positions without games, all legal."""
    rng = random.Random(seed)
    boards = [random_position(rng, rng.random() < 0.3) for _ in range(25)]
    array = Positions.from_boards([Board(board.fen(en_passant="fen"), board.chess960) for board in boards])
    return Tried(array, [row for board in boards for row in rows_of_board(board)])


@functools.cache
def odd_positions(seed: int) -> Tried:
    """Positions that no game reaches: without kings, with several, with pieces everywhere."""
    fens = random.Random(seed).sample([*EDGES, *STRANGE, *STRANGE], 20)
    array = Positions.from_boards([Board.unchecked(fen) for fen in fens])
    return Tried(
        array, [row for fen in fens for row in rows_of_board(chess.Board(fen, chess960=Board.unchecked(fen).chess960))]
    )


IN_GAMES = any_query(Allowed(3, games=True, move=True, sequences=2))
ALONE = any_query(Allowed(3))
WITHOUT_RULES = any_query(Allowed(3, legal=False))
HOW = {
    "seed": st.integers(0, 5),
    "size": st.sampled_from((1, 3, 7, 4096)),
    "threads": st.sampled_from((1, 2)),
    "gathered": st.booleans(),
}
many = settings(max_examples=4000, deadline=None, suppress_health_check=list(HealthCheck))
some = examples(60, suppress_health_check=list(HealthCheck))


def in_games(text: str, seed: int, size: int, threads: int, gathered: bool) -> None:
    compare(text, games(seed), size, threads, gathered)


def alone(text: str, seed: int, size: int, threads: int, gathered: bool) -> None:
    compare(text, positions(seed), size, threads, gathered)


def odd(text: str, seed: int, size: int, threads: int, gathered: bool) -> None:
    compare(text, odd_positions(seed), size, threads, gathered)


def searched(text: str, seed: int) -> None:
    compare_search(text, games(seed))


CONDITIONS = queries("truth", Allowed(2, games=True, move=True, sequences=1))
test_searches_of_games = some(given(text=CONDITIONS, seed=HOW["seed"])(searched))
test_many_searches_of_games = pytest.mark.slow(many(given(text=CONDITIONS, seed=HOW["seed"])(searched)))
test_queries_of_games = some(given(text=IN_GAMES, **HOW)(in_games))
test_queries_of_positions = some(given(text=ALONE, **HOW)(alone))
test_queries_of_odd_positions = some(given(text=WITHOUT_RULES, **HOW)(odd))
test_many_queries_of_games = pytest.mark.slow(many(given(text=IN_GAMES, **HOW)(in_games)))
test_many_queries_of_positions = pytest.mark.slow(many(given(text=ALONE, **HOW)(alone)))
test_many_queries_of_odd_positions = pytest.mark.slow(many(given(text=WITHOUT_RULES, **HOW)(odd)))


def test_the_interpreter_has_every_function() -> None:
    of_the_dictionary = {*MOTIF_BY_NAME, *(mate.name for mate in NAMED_MATES)}  # tests/positions/motifs judges these
    assert {*EAGER, *LAZY} == PUBLIC_NAMES - of_the_dictionary
