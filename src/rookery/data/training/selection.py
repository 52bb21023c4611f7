"""Which rows of training data are read: those that meet a query, every n-th of them, with scores up to a limit."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import numpy as np

from rookery.arguments import count
from rookery.data.training.row_positions import beginnings, positions_of
from rookery.data.training.samples import ScoredPositions
from rookery.games.games import Games
from rookery.positions.language.query import Query, query_of
from rookery.positions.positions import Positions
from rookery.sources.failures import DamagedFileError

_MOST: Final = 1 << 62
_MOST_SCORE: Final = (1 << 15) - 1


def in_whole_games(batches: Iterable[ScoredPositions]) -> Iterator[ScoredPositions]:
    """Yield rows so that no game is divided; damage is raised after the rows before it."""
    held: ScoredPositions | None = None
    failure: DamagedFileError | None = None
    try:
        for rows in batches:
            held = rows if held is None or not len(held) else ScoredPositions.concatenate([held, rows])
            last = int(beginnings(held)[-1])
            if last:
                yield held[:last]
                held = held[last:]
    except DamagedFileError as error:
        failure = error
    if held is not None and len(held):
        yield held
    if failure is not None:
        raise failure


class RowSelection:
    """Which rows are kept: a condition, a number of rows to skip, every n-th row after that, and a limit of scores.

    It counts rows from one batch to the next, so each reading needs a selection of its own.
    """

    def __init__(
        self, query: Query | str | None = None, *, skip: int = 0, every: int = 1, limit_score: int | None = None
    ) -> None:
        """Check the arguments, as `read_training` describes them; ValueError or TypeError for a wrong one."""
        self.query = None if query is None else query_of(query)
        if self.query is not None:
            self.query.plan.check_condition()
        self.skip = count("skip", skip, 0, _MOST)
        self.every = count("every", every, 1, _MOST)
        self.limit_score = None if limit_score is None else count("limit_score", limit_score, 1, _MOST_SCORE)
        self.rows_read = 0
        self._left = self.skip  # rows to leave out before the next one

    @property
    def needs_games(self) -> bool:
        """Check whether the query compares rows of a game, so that games must not be divided."""
        if self.query is None:
            return False
        return self.query.is_sequence or self.query.plan.mentions("eval_before")

    def of(self, batches: Iterable[ScoredPositions], *, threads: int = 1) -> Iterator[ScoredPositions]:
        """Yield the rows of batches that are kept."""
        for rows in in_whole_games(batches) if self.needs_games else batches:
            yield from self.thinned([self._of_rows(rows, positions_of, threads)])

    def of_games(self, games: Games, *, threads: int = 1) -> Iterator[ScoredPositions]:
        """Yield the rows of games that are kept; the query may look at headers and clocks."""
        rows = ScoredPositions.from_games(games, threads=threads)
        yield from self.thinned([self._of_rows(rows, lambda _: games.positions("all", threads=threads), threads)])

    def _of_rows(
        self, rows: ScoredPositions, positions: Callable[[ScoredPositions], Positions], threads: int
    ) -> ScoredPositions:
        """Return the rows that meet the query, with limited scores."""
        self.rows_read += len(rows)
        if self.query is not None:
            mask = self.query.mask(positions(rows), threads=threads)
            rows = rows if mask.all() else rows[np.flatnonzero(mask)]
        limit = self.limit_score
        if limit is None:
            return rows
        scores = np.where(rows.has_score, np.clip(rows.scores, -limit, limit), rows.scores)
        return ScoredPositions(rows.positions, moves=rows.moves, scores=scores, results=rows.results, plies=rows.plies)

    def thinned(self, batches: Iterable[ScoredPositions]) -> Iterator[ScoredPositions]:
        """Yield the rows of batches that are left when some are skipped, and every n-th is kept after that."""
        for rows in batches:
            kept = rows
            if self._left or self.every > 1:
                index = np.arange(self._left, len(rows), self.every)
                self._left = int(index[-1]) + self.every - len(rows) if index.size else self._left - len(rows)
                kept = rows[index]
            if len(kept):
                yield kept
