"""Training data of a plan: files whose parts tasks encode, and counts of rows."""

import contextlib
import functools
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from rookery.data.pipeline import outputs
from rookery.data.pipeline.features import TRAINING_ROW
from rookery.data.pipeline.outputs import STREAM
from rookery.data.pipeline.parquet_parts import copy
from rookery.data.pipeline.training_rows import SUFFIX, RowsMade, limited, rows_in
from rookery.data.plans.running import Progress, Ready
from rookery.data.training.formats import TrainingFormat
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.selection import RowSelection
from rookery.data.training.stats import RowCounter
from rookery.data.training.text.rows import BadRow
from rookery.data.training.writing import TrainingWriter, WrittenRows
from rookery.games.errors import all_bad
from rookery.games.headers.known_headers import check_known
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.sources.unpack import packed_by_name
from rookery.tasks.interface import Executor
from rookery.tasks.parts import TaskResult

_SHOWN: Final = 5  # bad rows that messages show


class RowsRead(NamedTuple):
    """The counts and faults of what a sink of training data has read.

    written          what was written, None if nothing was
    positions        positions that were read, chosen or not
    selected         those that were chosen
    games            games of files of games
    bad_games        games that could not be read to their ends
    bad_rows         rows that could not be read
    first_bad        the first of them
    doubtful         games with scores that were not read
    first_doubtful   the message about the first of them
    failures         messages about files that could not be read to their ends
    """

    written: WrittenRows | None
    positions: int
    selected: int
    games: int
    bad_games: int
    bad_rows: int
    first_bad: tuple[BadRow, ...]
    doubtful: int
    first_doubtful: str
    failures: tuple[str, ...]


NOTHING_READ: Final = RowsRead(None, 0, 0, 0, 0, 0, (), 0, "", ())


class Target(NamedTuple):
    """The file, the format and the choice of rows to write: the options of `rookery.Plan.write_training`."""

    path: str
    format: TrainingFormat
    made: RowsMade
    skip: int = 0
    every: int = 1
    keeps_empty: bool = True  # a file without rows is written even if rows could not be read

    @property
    def stage(self) -> RowsMade:
        """Return what tasks make of rows: bytes of the output where they can."""
        writing = self.format.writing
        joins = writing is not None and writing.joins and not self.skip and self.every == 1
        return self.made._replace(kind="encoded" if joins else "rows")


def write_rows(
    ready: Ready,
    target: Target,
    executor: Executor | str | None,
    threads: int,
    progress: Progress,
    errors: Any,
    *,
    force: bool,
) -> RowsRead:
    """Write the rows of a plan in one job; nothing if a file could not be read to its end."""
    job = ready.job(executor, threads, target.path, target.format.name, force=force)
    with job:
        results = list(ready.read(job, STREAM if ready.exchanges else SUFFIX, progress))
        read = read_of(ready, results)
        if errors is not None:
            with files.replacing(errors) as file:
                file.writelines(ready.bad_rows(results))
        if not read.failures:
            with contextlib.suppress(_NothingWrittenError), files.replacing(target.path) as output:
                if ready.exchanges:
                    parts = ready.exchanged(job, ready.parts(results)).parts
                    exchanged = map(functools.partial(_scored, target.made.limit_score), outputs.batches_of(parts))
                    read = _write(output, exchanged, target, read)
                elif target.stage.kind == "rows":
                    in_order = (rows for one in results for rows in rows_in(one.path(SUFFIX)))
                    read = _write(output, in_order, target, read)
                else:
                    read = _join(output, results, target, read)
                skips = ready.stages[0].reading.errors == "skip"
                is_bad = bool(read.bad_rows or (read.bad_games and not skips))
                if is_bad and not target.keeps_empty and read.written is not None and not read.written.written:
                    raise _NothingWrittenError
    job.discard()
    return read


class _NothingWrittenError(Exception):
    """Leave no file, since nothing that was read could be written."""


def _write(output: Any, batches: Iterator[ScoredPositions], target: Target, read: RowsRead) -> RowsRead:
    """Write rows that are in their last order."""
    made, selected = target.made, 0
    selection = RowSelection(skip=target.skip, every=target.every)
    named: Any = _Named(output, target.path)  # which says how the file is packed
    with TrainingWriter(named, target.format.name, no_result=made.no_result, no_score=made.no_score) as writer:
        for rows in selection.thinned(batches):
            selected += len(rows)
            writer.append(rows)
    return read._replace(written=writer.close(), selected=selected)


class _Named:
    """A file under the name that it gets when it is complete."""

    def __init__(self, file: Any, name: str) -> None:
        self.write, self.name = file.write, name


def _join(output: Any, results: Sequence[TaskResult], target: Target, read: RowsRead) -> RowsRead:
    """Write the parts of tasks, one after the other."""
    dropped: dict[str, int] = {}
    with packed_by_name(output, target.path) as file:
        for one in results:
            path = one.path(SUFFIX)
            with DISK.open(path) as part:
                copy(part, file, path.stat().st_size)
            for reason, n in one.value["dropped"].items():
                dropped[reason] = dropped.get(reason, 0) + n
    assert target.format.writing is not None
    written = sum(one.value["written"] for one in results)
    return read._replace(written=WrittenRows(written, dropped, target.format.writing.lost))


def count_rows(
    ready: Ready, executor: Executor | str | None, threads: int, progress: Progress, errors: Any
) -> tuple[RowCounter, RowsRead]:
    """Count the rows of a plan."""
    counter = RowCounter()
    results: list[TaskResult] = []
    with ready.job(executor, threads, None, "", force=False) as job:
        if ready.exchanges:
            results += ready.read(job, STREAM, progress)
            parts = ready.exchanged(job, ready.parts(results)).parts
            counter.add_all(map(functools.partial(_scored, None), outputs.batches_of(parts)))
        else:
            for one in ready.read(job, "", progress):
                counter.merge(one.value.pop("counter"))
                results.append(one)
        if errors is not None:
            with files.replacing(errors) as file:
                file.writelines(ready.bad_rows(results))
        return counter, read_of(ready, results)


def read_of(ready: Ready, results: Sequence[TaskResult]) -> RowsRead:
    """Return what tasks have read; a header that no game has is an error."""
    check_known([{} if v["failure"] else v["unknown"] for v in _values(results) if v.get("unknown") is not None])
    of_games = [one for one in results if ready.inputs[one.file].format == "games"]
    of_rows = [one for one in results if ready.inputs[one.file].format != "games"]
    doubtful = next((i for i, one in enumerate(results) if "doubtful" in one.value), None)
    return RowsRead(
        None,
        _sum("positions", results),
        _sum("rows", results),
        _sum("games", of_games),
        _sum("bad", of_games),
        _sum("bad", of_rows),
        tuple(BadRow(**json.loads(line)) for line in itertools.islice(ready.bad_rows(of_rows), _SHOWN)),
        sum(one.get("doubtful", 0) for one in _values(results)),
        "" if doubtful is None else str(ready.report(results[: doubtful + 1], "first doubtful")),
        (*ready.failures(results), *_unreadable(ready, results)),
    )


def _values(results: Iterable[TaskResult]) -> list[dict[str, Any]]:
    return [one.value for one in results]


def _sum(key: str, results: Iterable[TaskResult]) -> int:
    return sum(one.value[key] for one in results)


def _unreadable(ready: Ready, results: Sequence[TaskResult]) -> Iterator[str]:
    """Yield messages about files of which every game is bad."""
    for file, (source, stage) in enumerate(zip(ready.inputs, ready.stages, strict=True)):
        of_file = [one for one in results if one.file == file]
        games, bad = _sum("games", of_file), _sum("bad", of_file)
        all_games = 0 if stage.reading.errors == "skip" else bad
        if source.format == "games" and source.path and bad and games == all_games and stage.reading.where is None:
            yield all_bad(source.name, bad)


def _scored(limit: int | None, batch: Any) -> ScoredPositions:
    """Return rows of training data from a record batch of words."""
    words = {name: batch.column(name).to_numpy().copy() for name in TRAINING_ROW}  # compiled code writes to its arrays
    positions = Positions(Columns(*(words[f"word {name}"] for name in Columns._fields)))
    own = ("word move", "word score", "word result", "word ply")
    moves, scores, results, plies = (words[name] for name in own)
    rows = ScoredPositions(positions, moves=moves, scores=scores, results=results, plies=plies)
    return rows if limit is None else limited(rows, limit)
