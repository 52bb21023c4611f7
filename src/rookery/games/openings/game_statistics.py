"""Statistics of the games of a position or of a move: results, scores, ratings and dates, computed from tallies."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.games.openings.growth import (
    BLACK_WON,
    DAY_ZERO,
    DRAWN,
    FIRST_DAY,
    HALF_POINTS,
    LAST_DAY,
    OURS,
    RATED,
    THEIRS,
    UNFINISHED,
    WHITE_WON,
)

MOST_ABOVE: Final = 800  # points that a performance rating may differ from the opponents' average


class Statistics(NamedTuple):
    """Statistics of positions or of moves, one array for each column. Missing values are NaN or NaT.

    games                   int64
    white_wins, draws, black_wins
                            int64
    score                   float64: points per game with a result, from 0 to 1, for the player to move
    average_rating          float64: of the player to move, over rated games
    performance             float64: the performance rating of the player to move, over rated games
    first_played, last_played
                            datetime64[D]
    """

    games: NDArray[np.int64]
    white_wins: NDArray[np.int64]
    draws: NDArray[np.int64]
    black_wins: NDArray[np.int64]
    score: NDArray[np.float64]
    average_rating: NDArray[np.float64]
    performance: NDArray[np.float64]
    first_played: NDArray[np.datetime64]
    last_played: NDArray[np.datetime64]

    def rows(self) -> Iterator[tuple[object, ...]]:
        """Yield the values of each row as Python objects, with None for missing ones."""
        return zip(*(_objects(column) for column in self), strict=True)


def statistics(tallies: NDArray[np.uint32], ratings: NDArray[np.uint64], turn: NDArray[np.bool_]) -> Statistics:
    """Return the statistics of positions or moves; `turn` is True where white is to move, or makes the move."""
    counted = tallies.astype(np.int64)
    white, black, drawn = counted[:, WHITE_WON], counted[:, BLACK_WON], counted[:, DRAWN]
    decided = white + black + drawn
    points = np.where(turn, white, black) + drawn / 2
    rated = counted[:, RATED]
    opponents = _ratio(ratings[:, THEIRS].astype(np.float64), rated)
    first, last = counted[:, FIRST_DAY], counted[:, LAST_DAY]
    return Statistics(
        games=decided + counted[:, UNFINISHED],
        white_wins=white,
        draws=drawn,
        black_wins=black,
        score=_ratio(points, decided),
        average_rating=_ratio(ratings[:, OURS].astype(np.float64), rated),
        performance=opponents + _above(_ratio(counted[:, HALF_POINTS] / 2, rated)),
        first_played=_days(first),
        last_played=_days(last),
    )


def _above(score: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how many rating points a score is worth: 400 log10(score / (1 - score)), at most `MOST_ABOVE`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        above = 400 * np.log10(score / (1 - score))
    limited: NDArray[np.float64] = np.clip(above, -MOST_ABOVE, MOST_ABOVE)
    return limited


def _ratio(sums: NDArray[np.float64], n: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return sums divided by numbers, NaN for none."""
    return np.where(n > 0, sums / np.maximum(n, 1), np.nan)


def _days(days: NDArray[np.int64]) -> NDArray[np.datetime64]:
    """Return dates, NaT for unknown ones."""
    dates = (days + DAY_ZERO).astype("M8[D]")
    dates[days == 0] = np.datetime64("NaT", "D")  # without a unit, NumPy 2.5 warns
    return dates


def _objects(column: NDArray[np.generic]) -> list[object]:
    values = column.tolist()
    return [None if value != value else value for value in values] if column.dtype.kind == "f" else values
