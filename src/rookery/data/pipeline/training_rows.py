"""Rows of training data that the tasks of a plan make: bytes in the format of the output, rows, or counts.

Tasks encode their rows in the format of the output where the files of a format that follow each other are one file.
Else, and where all rows decide which are written, a part has the rows, as arrays that follow each other.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, NamedTuple

import numpy as np

from rookery.arguments import choice
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.stats import RowCounter
from rookery.data.training.writing import NO_RESULT, NO_SCORE, NoResult, NoScore, TrainingWriter
from rookery.games.games import Games
from rookery.pgn.faults import SCORE_NOT_READ
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions
from rookery.sources.disk import DISK
from rookery.tasks.parts import TaskFiles

SUFFIX: Final = ".rows"  # of a part


class RowsMade(NamedTuple):
    """The form in which tasks make rows of training data.

    `kind` is ``"encoded"`` for parts in `format`, ``"rows"`` for parts with rows, and ``"counts"`` for a `RowCounter`
    as the result. `limit_score` replaces scores above it, and those below its negative.
    """

    kind: Literal["encoded", "rows", "counts"]
    format: str = ""
    no_result: NoResult = "drop"
    no_score: NoScore = "drop"
    limit_score: int | None = None

    def checked(self) -> "RowsMade":
        """Return the same, or raise an error that names the bad option."""
        choice("no_result", self.no_result, NO_RESULT)
        choice("no_score", self.no_score, NO_SCORE)
        return self

    def keep(self, batches: Iterable[ScoredPositions], files: TaskFiles, counts: dict[str, Any]) -> None:
        """Write the rows of a task to its part, or count them, and add to the result of the task."""
        if self.kind == "counts":
            counter = RowCounter()
            counter.add_all(batches)
            counts["counter"] = counter
            return
        with files.writing(SUFFIX) as file:
            if self.kind == "rows":
                for rows in batches:
                    _write(file, rows)
                return
            with TrainingWriter(file, self.format, no_result=self.no_result, no_score=self.no_score) as writer:
                for rows in batches:
                    writer.append(rows)
            counts["written"], counts["dropped"] = writer.written, writer.dropped


def _write(file: BinaryIO, rows: ScoredPositions) -> None:
    words = np.stack([np.asarray(column) for column in rows.positions.columns])
    for array in (words, rows.moves, rows.scores, rows.results, rows.plies):
        np.save(file, array, allow_pickle=False)


def rows_in(path: Path) -> Iterator[ScoredPositions]:
    """Yield the rows of a part, as they were written."""
    size = path.stat().st_size
    with DISK.open(path) as file:
        while file.tell() < size:
            words, moves, scores, results, plies = (np.load(file, allow_pickle=False) for _ in range(5))
            positions = Positions(Columns(*words))
            yield ScoredPositions(positions, moves=moves, scores=scores, results=results, plies=plies)


def limited(rows: ScoredPositions, limit: int) -> ScoredPositions:
    """Return rows whose scores are `limit` at most, and its negative at least."""
    scores = np.where(rows.has_score, np.clip(rows.scores, -limit, limit), rows.scores)
    return ScoredPositions(rows.positions, moves=rows.moves, scores=scores, results=rows.results, plies=rows.plies)


def note_doubtful(games: Games, counts: dict[str, Any]) -> None:
    """Add to the result of a task how many of its games have scores that were not read."""
    for warning in games.warnings:
        if warning.reason.endswith(SCORE_NOT_READ):
            counts["doubtful"] = counts.get("doubtful", 0) + 1
            counts.setdefault("first doubtful", list(warning))
