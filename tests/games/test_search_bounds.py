"""Games that a summary rules out have no hit, and the summary rules out many."""

import random
from pathlib import Path

import numpy as np
import pytest

import rookery
from game_samples import SAMPLE
from played_games import play
from rookery import Query, read_pgn
from rookery.games.games import Games
from rookery.games.search.bounds import is_possible

POSSIBLE = """
signature == "KRPvKR"
signature == "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"
count(white.pawns) == 4
count(us.pawns) < 3 and count(them.pawns) < 3
count(us.queens) == 2 or count(black.knights) > 2
not us.queens
us.queens and them.queens and ply > 60
plies > 80 and is_check
material(white) > material(black) + 8
imbalance >= 12
imbalance == -9
phase < 8
phase - 2 == 22 or phase + 1 > 25
-count(white.pawns) <= -8
white.pawns & rank(7)
black.pawns & (e4 | d4) & file("e")
count(white.pawns & rank(6)) >= 2
pattern("P*/*/*/*/*/*/*/*")
pattern("ppp/3/PPP", "shift mirror")
pattern("r1b1k/p4", "colors shift")
then(us.queens, not us.queens)
ever(count(white.pawns) == 2) and is_check
within(4, signature == "KRPvKR", is_check)
first(black.pawns & rank(2))
True and count(pawns) < 4
white.queens - rank(1)
(white.pawns - rank(2)) & h6
""".strip().splitlines()


@pytest.fixture(scope="module")
def games() -> Games:
    rng = random.Random(11)
    return read_pgn([SAMPLE, "\n\n".join(play(rng).text for _ in range(150)).encode()])


@pytest.mark.parametrize("text", POSSIBLE)
def test_no_hit_is_ruled_out(games: Games, text: str) -> None:
    query = Query(text)
    possible = is_possible(query, games.summaries())
    found = np.zeros(len(games), np.bool_)
    found[games.search(query).game] = True
    assert not (found & ~possible).any()


def test_most_games_are_ruled_out(games: Games) -> None:
    for text in ('signature == "KRPvKR"', "count(us.queens) == 3", "plies > 400", "white.pawns & rank(2) & e4"):
        assert is_possible(Query(text), games.summaries()).mean() < 0.2, text


def test_a_table_gives_the_hits_of_its_games(games: Games, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    rookery.write_parquet(games, path)
    for text in POSSIBLE[:12]:
        hits, expected = rookery.search(path, text), games.search(text)
        assert isinstance(hits, type(expected))
        assert hits.positions == expected.positions, text
        assert hits.ply.tolist() == expected.ply.tolist()
        assert hits.moves.tolist() == expected.moves.tolist()
