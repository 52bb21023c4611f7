"""Games for benchmarks of queries: any number, all different, without a file.

Games of random moves are not like those of players: pieces are left hanging, and most endings have few pawns. Here
a simple player plays against itself. It rates the position after each legal move, and a move is the more likely the
better its rating: its probability is in proportion to e to the power of the rating, which is in pawns. So it captures
what hangs, rarely leaves something hanging, keeps pawns in front of its king and mates if it can, but has no plan. A
player who is far behind resigns.
"""

import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.bench.games import text_of
from rookery.board.board import Board
from rookery.positions.language.query import Query
from rookery.positions.positions import Positions
from rookery.results import BLACK_WON, DRAWN, WHITE_WON

PLIES_A_GAME: Final = 65  # on the average
_LIMITS: Final = (16, 130)  # half-moves of a game
_BEHIND: Final = 12  # pawns; players who are that far behind resign sooner or later
_RESIGN: Final = 0.05  # how likely before each move
_SECONDS: Final = 180  # on each clock

# Motifs from the view of the player who has just moved: "them" is that player.
RATING: Final = (
    "- imbalance"
    " - 9 * count(hanging(them) & queens) - 5 * count(hanging(them) & rooks)"
    " - 3 * count(hanging(them) & (knights | bishops)) - count(hanging(them) & pawns)"
    " - 0.35 * (material(us) + material(them))"
    " - 0.5 * count(them & (knights | bishops) & our_rank(1, them))"
    " + 0.1 * (mobility(them) - mobility(us)) + 0.4 * count(king_shelter(them))"
    ' + 2 * count(them.king & our_rank(1, them) & file("abcgh"))'
    " + min(count(checkers), 1) * (5 - 4 * min(legal_moves, 1))"
)


def played_games(plies: int, *, seed: int = 0, progress: Callable[[str], None] = lambda what: None) -> bytes:
    """Return about so many half-moves of games as PGN, the same in every run, with headers and clocks.

    >>> played_games(500).count(b"[Event ")
    7
    """
    rng, words = np.random.default_rng(seed), random.Random(seed)
    moves, results = _played(max(plies // PLIES_A_GAME, 1), rng, progress)
    progress("writing games")
    texts = (
        text_of(game, words, clocks=True, result=result, seconds=_SECONDS)
        for game, result in zip(moves, results, strict=True)
    )
    return "\n".join(texts).encode()


def _played(n: int, rng: np.random.Generator, progress: Callable[[str], None]) -> tuple[list[list[str]], list[str]]:
    """Return the moves of games in SAN, and their results."""
    rating = Query(RATING)
    limits = rng.integers(*_LIMITS, n)
    games: list[list[str]] = [[] for _ in range(n)]
    results = [DRAWN] * n
    still = np.arange(n)
    positions = Positions.from_boards([Board()])[np.zeros(n, np.intp)]
    for ply in range(_LIMITS[1]):
        progress(f"playing games: half-move {ply}")
        chosen = _chosen(positions, rating, rng)
        for game, san in zip(still.tolist(), positions.san(chosen).tolist(), strict=True):
            games[game].append(san)
        positions = positions.play(chosen, check=False)
        lost = positions.is_checkmate()
        lost |= (positions.evaluate("imbalance") <= -_BEHIND) & (rng.random(still.size) < _RESIGN)
        for game, white in zip(still[lost].tolist(), positions.turn[lost].tolist(), strict=True):
            results[game] = BLACK_WON if white else WHITE_WON
        goes_on = np.flatnonzero(~lost & (positions.legal_move_counts() > 0) & (limits[still] > ply + 1))
        still, positions = still[goes_on], positions[goes_on]
        if not still.size:
            break
    return games, results


def _chosen(positions: Positions, rating: Query, rng: np.random.Generator) -> Any:
    """Return a move for each position, uint16. The greatest sum of rating and Gumbel noise chooses by probability."""
    moves = positions.legal_moves()
    begins, counts = moves.offsets[:-1], np.diff(moves.offsets)
    parents = np.repeat(np.arange(len(positions)), counts)
    ratings = positions[parents].play(moves.moves, check=False).evaluate(rating)
    ratings = ratings + rng.gumbel(size=ratings.size)
    best = np.flatnonzero(ratings == np.maximum.reduceat(ratings, begins)[parents])
    return moves.moves[best[np.unique(parents[best], return_index=True)[1]]]
