"""`training_stats`: what is in training data: counts of rows by results, scores, plies, pieces, phases and moves."""

import os
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import choice, count, shown
from rookery.data.training.reading import ERRORS, RowErrors, scan_training
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.selection import RowSelection
from rookery.data.training.views import NO_RESULT
from rookery.games.games import Games
from rookery.games.positions.scores import MATE, NO_SCORE
from rookery.kernel import entry_of
from rookery.positions.language.query import Query

_count_rows: Final = entry_of("rookery.data.training.stats_kernels", "count_rows")
_LEAST_OF_MATE: Final = MATE - 1_000  # a mate in 1,000 plies
_MOST_PLIES: Final = 1 << 12
_MOST_PIECES: Final = 64
_MOST_PHASES: Final = 128
_ZERO: Final = 1 << 15  # the counter of a score of 0
_BATCH: Final = 1 << 14  # rows: a megabyte, which stays in the cache
_NO_PLY: Final = np.iinfo(np.int64).max
_RESULTS: Final = ("lost", "drawn", "won", "unknown")
_MOVES: Final = ("missing", "captures", "promotions", "castling")


class TrainingStats(NamedTuple):
    """Counts of rows of training data. Histograms map the beginning of each bin that has rows to their number.

    rows           all rows
    games          stretches of rows in which plies grow and the result stays the same
    results        rows by the result of the side to move: won, drawn, lost, unknown
    white_results  rows by the result of White
    no_score       rows without a score
    mates          rows whose score is a mate
    mean_score     mean of the absolute values of all other scores, in centipawns; None if there are none
    scores         these scores, of the side to move
    plies          half-moves since the beginning of the game; 4,095 also stands for more
    pieces         pieces on the board, kings and pawns included
    phases         phases of the game: 24 at the start, 0 with kings and pawns alone, as in the query language
    moves          rows without a move (missing), and whose move is a capture, a promotion or castling
    """

    rows: int
    games: int
    results: dict[str, int]
    white_results: dict[str, int]
    no_score: int
    mates: int
    mean_score: float | None
    scores: dict[int, int]
    plies: dict[int, int]
    pieces: dict[int, int]
    phases: dict[int, int]
    moves: dict[str, int]


class RowCounter:
    """Counts of the rows that were added so far."""

    def __init__(self) -> None:
        self._first: tuple[int, int] | None = None  # ply and result of the first row, as the last one has them
        self._last = np.array([_NO_PLY, 0, 0])
        self._scores = np.zeros(1 << 16, np.int64)
        self._plies = np.zeros(_MOST_PLIES, np.int64)
        self._pieces = np.zeros(_MOST_PIECES + 1, np.int64)
        self._phases = np.zeros(_MOST_PHASES, np.int64)
        self._results = np.zeros((2, len(_RESULTS)), np.int64)
        self._moves = np.zeros(len(_MOVES), np.int64)

    def add(self, rows: ScoredPositions) -> None:
        """Count some rows."""
        if self._first is None and len(rows):
            self._first = max(int(rows.plies[0]), 0), _code(int(rows[:1].white_results[0]))
        columns = rows.positions.columns, rows.moves, rows.scores.view(np.uint16), rows.results.view(np.uint8)
        own = self._scores, self._plies, self._pieces, self._phases, self._results, self._moves
        _count_rows(*columns, rows.plies, self._last, *own)

    def add_all(self, batches: Iterable[ScoredPositions]) -> None:
        """Count the rows of batches."""
        for rows in batches:
            self.add(rows)

    def merge(self, other: "RowCounter") -> None:
        """Add the counts of the rows after these."""
        if other._first is None:
            return
        ply, result = other._first
        goes_on = self._first is not None and ply > self._last[0] and result == self._last[1]
        for name in ("_scores", "_plies", "_pieces", "_phases", "_results", "_moves"):
            getattr(self, name)[...] += getattr(other, name)
        games = self._last[2] + other._last[2] - int(goes_on)
        self._last = np.array([other._last[0], other._last[1], games])
        self._first = self._first or other._first

    def stats(self, score_bin: int, ply_bin: int) -> TrainingStats:
        """Return the counts, with bins of a width for scores and plies."""
        values = np.arange(self._scores.size) - _ZERO
        mates, missing = np.abs(values) >= _LEAST_OF_MATE, values == NO_SCORE
        others = np.where(mates | missing, 0, self._scores)
        scored = int(others.sum())
        white, black = self._results
        of_white = white + black[[2, 1, 0, 3]]
        return TrainingStats(
            int(self._results.sum()),
            int(self._last[2]),
            _named(_RESULTS, white + black),
            _named(_RESULTS, of_white),
            int(self._scores[missing].sum()),
            int(self._scores[mates & ~missing].sum()),
            float((np.abs(values) * others).sum() / scored) if scored else None,
            _binned(values, others, score_bin),
            _binned(np.arange(self._plies.size), self._plies, ply_bin),
            _binned(np.arange(self._pieces.size), self._pieces, 1),
            _binned(np.arange(self._phases.size), self._phases, 1),
            _named(_MOVES, self._moves),
        )


def checked_bins(score_bin: Any, ply_bin: Any) -> tuple[int, int]:
    """Return the widths of bins, or raise an error that names the bad one."""
    return count("score_bin", score_bin, 1, 1 << 15), count("ply_bin", ply_bin, 1, _MOST_PLIES)


def training_stats(
    source: Any,
    format: str | None = None,
    *,
    query: Query | str | None = None,
    score_bin: int = 100,
    ply_bin: int = 10,
    errors: RowErrors = "raise",
) -> TrainingStats:
    """Return what is in training data: counts, results, and histograms of scores, plies, pieces and phases.

    `source` is that of `scan_training`, or `ScoredPositions` or `Games`, or an iterable of these, such as
    `rookery.scan_pgn`. `format`, `query` and `errors` are as there. Scores are counted in bins of `score_bin`
    centipawns, and plies in bins of `ply_bin`, each named by its least value.

    >>> import rookery
    >>> stats = training_stats(rookery.read_pgn(b"1. e4 { [%eval 0.35] } 1... e5 { [%eval 0.28] } 2. Nf3 1-0"))
    >>> stats.rows, stats.games, stats.no_score
    (4, 1, 2)
    >>> stats.scores
    {-100: 1, 0: 1}
    >>> stats.white_results
    {'lost': 0, 'drawn': 0, 'won': 4, 'unknown': 0}
    """
    score_bin, ply_bin = checked_bins(score_bin, ply_bin)
    counter = RowCounter()
    if isinstance(source, (ScoredPositions, Games)):
        source = [source]
    is_file = isinstance(source, (str, os.PathLike, bytes, bytearray, memoryview)) or hasattr(source, "read")
    if isinstance(source, Iterable) and not is_file:
        if format is not None:
            raise ValueError(f"format: {shown(format)}: expected None, since source has rows or games")
        choice("errors", errors, ERRORS)
        selection = RowSelection(query)
        for part in source:
            counter.add_all(selection.of_games(part) if isinstance(part, Games) else selection.of([_checked(part)]))
    else:
        with scan_training(source, format, batch=_BATCH, query=query, errors=errors) as scan:
            counter.add_all(scan)
    return counter.stats(score_bin, ply_bin)


def _code(result: int) -> int:
    """Return the number of a result in `_RESULTS`."""
    return 3 if result == NO_RESULT else result + 1


def _checked(rows: Any) -> ScoredPositions:
    if not isinstance(rows, ScoredPositions):
        raise TypeError(f"source: {shown(rows)}: expected a file of training data, ScoredPositions or Games")
    return rows


def _named(names: tuple[str, ...], counts: NDArray[np.int64]) -> dict[str, int]:
    return dict(zip(names, counts.tolist(), strict=True))


def _binned(values: NDArray[np.int64], counts: NDArray[np.int64], width: int) -> dict[int, int]:
    """Return the counts of values in bins, by the least value of each; empty ones are left out."""
    held = np.flatnonzero(counts)
    starts, place = np.unique(values[held] // width * width, return_inverse=True)
    return dict(zip(starts.tolist(), np.bincount(place, counts[held]).astype(np.int64).tolist(), strict=True))
