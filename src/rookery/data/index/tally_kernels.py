"""The compiled loop that counts the games of positions and moves, as `rookery.games.openings.growth` counts them."""

from typing import Any

import numpy as np

from rookery.data.index.rows import END
from rookery.games.openings.growth import BLACK, DAY, IS_RATED, RESULT, WHITE, Game, tally
from rookery.kernel import U64, Word, array_of, entry

_RESULTS = IS_RATED - 1
_WHITE_TO_MOVE = 0  # sums are those of white, whoever moves: the colours change with the key


@entry(
    examples=lambda: (
        array_of(np.int64),
        array_of(np.int64),
        array_of(np.uint32),
        array_of(np.uint16),
        array_of(np.uint32, 2),
        array_of(np.uint16),
        array_of(np.int64),
        array_of(np.uint32, 2),
        array_of(U64, 2),
        array_of(np.int64),
    )
)
def tally_hits(
    first: Any,
    stop: Any,
    games: Any,
    moves: Any,
    facts: Any,
    played: Any,
    hits: Any,
    tallies: Any,
    ratings: Any,
    used: Any,
) -> None:
    """Count the games of positions, and of the moves in each.

    The hits of position i are rows ``first[i]`` to ``stop[i]`` of `games` and `moves`, sorted by game. Its counts begin
    at row ``used[i]``; those of its moves follow, in the order in which games first play them, up to row ``used[i +
    1]``, which is written. `facts` has a row for each game.
    """
    for i in range(first.size):
        top: Word = U64(used[i])
        played[top] = END
        end: Word = top + 1
        for j in range(first[i], stop[i]):
            game = U64(games[j])
            fact = U64(facts[game, RESULT])
            rated = fact & IS_RATED
            elos = U64(facts[game, WHITE]), U64(facts[game, BLACK])
            g = Game(fact & _RESULTS, rated, elos[0], elos[1], U64(facts[game, DAY]), U64(0), game + 1)
            hits[top] += 1
            tally(tallies, ratings, top, g, U64(_WHITE_TO_MOVE))
            move = U64(moves[j])
            if move != END:
                e: Word = top + 1
                while e < end and U64(played[e]) != move:
                    e += 1
                if e == end:
                    played[e] = move
                    end += 1
                hits[e] += 1
                tally(tallies, ratings, e, g, U64(_WHITE_TO_MOVE))
        used[i + 1] = end
