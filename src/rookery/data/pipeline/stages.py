"""Stages of plans: which rows the tasks on a source keep, and which columns they make."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import mixed
from rookery.data.pipeline.features import GAME, NAMED, Feature, computed
from rookery.data.pipeline.inputs import Input
from rookery.data.pipeline.outputs import ROW_GROUP
from rookery.data.pipeline.packed_rows import Packing
from rookery.data.pipeline.training_rows import RowsMade, limited
from rookery.data.training.samples import ScoredPositions
from rookery.games.read import on_executor
from rookery.games.read.options import ReadOptions
from rookery.positions.language.query import Query
from rookery.positions.positions import Positions
from rookery.tasks.parts import RangeTask


@functools.cache
def cached_query(query: str) -> Query:
    """Return a condition, read once for all batches."""
    return Query(query)


class Choice(NamedTuple):
    """The choice of rows by their positions.

    `query` is a condition on positions. Of games, only the positions from `from_ply` to `to_ply` are kept, and of these
    each whose ply is a multiple of `every`. A `sample` is the share of rows that chance keeps, which `seed` decides.
    """

    query: str | None = None
    every: int = 1
    from_ply: int = 0
    to_ply: int | None = None
    sample: float | None = None
    seed: int = 0

    @property
    def headers(self) -> tuple[str, ...]:
        """Return the headers of games that the query looks at."""
        return () if self.query is None else Query(self.query).headers

    @property
    def thins(self) -> bool:
        """Check whether plies or chance decide about rows."""
        return self.every > 1 or self.from_ply > 0 or self.to_ply is not None or self.sample is not None

    def rows_kept(self, ply: NDArray[np.int32], places: NDArray[np.uint64] | None) -> NDArray[np.intp] | None:
        """Return the rows that are kept by their plies and by chance, None if all are."""
        masks = [ply % self.every == 0] if self.every > 1 else []
        masks += [ply >= self.from_ply] if self.from_ply else []
        masks += [ply <= self.to_ply] if self.to_ply is not None else []
        by_chance = None if places is None else self.sampled(places)
        masks += [by_chance] if by_chance is not None else []
        return np.flatnonzero(np.logical_and.reduce(masks)) if masks else None

    def sampled(self, place: NDArray[np.uint64]) -> NDArray[np.bool_] | None:
        """Return which rows chance keeps, given a word for the place of each; None if all are."""
        if self.sample is None:
            return None
        chance = mixed(place ^ np.uint64(mixed(np.uint64(self.seed)))) >> np.uint64(11)
        kept: NDArray[np.bool_] = chance < np.uint64(round(self.sample * 2**53))
        return kept


class Stage(NamedTuple):
    """The work of tasks on the rows of a source: which rows they keep, and which columns they make.

    `fen` is the name of the column of FENs in files of lines.
    """

    columns: tuple[Feature, ...] = ()
    choice: Choice = Choice()
    fen: str = "fen"
    row_group: int = ROW_GROUP
    reading: ReadOptions = ReadOptions()
    games: bool = False  # the games of the rows are written, not the rows
    packing: Packing | None = None  # of rows for a dataset
    rows: RowsMade | None = None  # the rows are those of training data, without columns

    def content(self) -> dict[str, Any]:
        """Return what the rows depend on, as JSON holds it."""
        columns = [[one.name, one.type, one.expression] for one in self.columns]
        fields = {**self._asdict(), **self.choice._asdict()}
        del fields["choice"]
        return {**fields, "columns": columns, "reading": self.reading.content(), "bad": self.reading.errors}

    def reading_of_games(self, threads: int) -> ReadOptions:
        """Return how games are read for the query and the columns."""
        reading = replace(self.reading, threads=threads, errors="keep")
        if self.games:
            return replace(reading, texts=True)
        names = {*self.choice.headers, *(name for column in self.columns for name in column.headers)} - {"Result"}
        return reading.for_moves(sorted(names), clocks=True)

    @property
    def needs_whole_games(self) -> bool:
        """Check whether rows depend on other rows of their game, or on the number of games before."""
        if any(column.asked in ("number", "game", GAME) for column in self.columns):
            return True
        texts = [column.asked for column in self.columns if column.type and column.asked not in NAMED]
        asked = self.choice.query
        queries = [Query(text) for text in (*texts, *([asked] if asked else ()))]
        return any(query.is_sequence or query.plan.mentions("eval_before", "plies") for query in queries)

    @property
    def requested(self) -> tuple[str, ...]:
        """Return the headers that a game must have: rows of training data do not show what is missing."""
        return () if self.rows is None else self.choice.headers

    def kept(self, rows: ScoredPositions, positions: Callable[[], Any], places: Any) -> ScoredPositions:
        """Return the rows of training data that are kept, with limited scores.

        `positions` returns the positions of all rows. Chance decides by `places`, a word for each row, or a function of
        the positions that returns these.
        """
        choice = self.choice
        if choice.query is not None or choice.thins:
            known = positions()
            keep = np.ones(len(rows), np.bool_) if choice.query is None else cached_query(choice.query).mask(known)
            if choice.sample is None:
                places = None
            index = choice.rows_kept(known.ply, places(known) if callable(places) else places)
            if index is not None:
                rows = rows[index[keep[index]]]
            elif not keep.all():
                rows = rows[np.flatnonzero(keep)]
        limit = None if self.rows is None else self.rows.limit_score
        return rows if limit is None else limited(rows, limit)


@dataclass(frozen=True)
class WarmUp:
    """A function that compiles what a stage needs. Equal ones are equal, so that a worker calls it once."""

    columns: tuple[Feature, ...]
    has_games: bool

    def __call__(self) -> None:
        """Compile."""
        if self.has_games:
            on_executor.warm_up()
        known = [one for one in self.columns if one.type and not one.needs_games and not one.of_lines]
        computed(known, Positions.from_fens(["8/8/8/4k3/8/8/8/4K3 w - - 0 1"]))


class Source(NamedTuple):
    """An input, its index, and what its tasks do: the stage, the suffix of their parts, and the threads of a task.

    Without a suffix, the result of a task has its record batches.
    """

    input: Input
    stage: Stage
    suffix: str
    threads: int
    file: int = 0


def is_later(task: RangeTask) -> bool:
    """Check whether numbers in the rows of a task depend on the tasks before."""
    source: Source = task.options
    asked = {column.asked for column in source.stage.columns} if source.input.knows_games else set()
    is_later_range = bool(task.part.start or task.part.skip)
    is_later_task = is_later_range or task.number > 0
    counts_games = is_later_task if source.input.format == "training" else is_later_range
    return (counts_games and "number" in asked) or ((is_later_task or source.file > 0) and "game" in asked)
