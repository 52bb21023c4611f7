"""How a verb that needs all rows works: its tasks scatter rows into buckets or write sorted runs, and gather these.

A verb gets the parts that tasks left (`Rows`), and leaves others. If they fit into the memory of a task, one task does
it all. Else tasks scatter rows into buckets, or write sorted runs, and further tasks gather buckets or ranges, as many
at once as fit into that memory. Rows are numbered in the order of the input, and the order of the result depends on
nothing else: not on memory, executor, threads or how the input was divided.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.data.pipeline.outputs import STREAM, Part, batches_of
from rookery.data.plans.ordering import Key, Run, ordered, ranges_of_runs
from rookery.data.plans.steps import Rows
from rookery.frames.arrow import empty_array, ipc_module, pyarrow_module
from rookery.frames.arrow_files import one_batch, write_batches
from rookery.tasks.exchange import (
    BATCHES,
    BUCKETS,
    Scatter,
    Scattered,
    Segment,
    bucket_sizes,
    gathered,
    groups,
    segments_of,
    suffix_of,
)
from rookery.tasks.jobs import Job
from rookery.tasks.parts import TaskFiles, TaskResult

ORDER: Final = "\x1forder"  # the column that rows are ordered by: the row's number, or a hash of it
_ROWS: Final = 1 << 16  # of a batch in a part
MEMORY: Final = 512 * 10**6  # bytes that a task may take


# Columns that only order rows or tell them apart: their names, and their expressions.
Hidden: TypeAlias = tuple[tuple[str, str], ...]


def without(schema: Any, hidden: Hidden) -> Any:
    """Return a schema without hidden columns."""
    return pyarrow_module().schema([one for one in schema if one.name not in dict(hidden)])


class Verb:
    """A step that needs all rows, and what its tasks do with them. `memory` is the bytes that a task may take."""

    name: str
    memory: int
    hidden: Hidden = ()
    share: ClassVar[int] = 4  # rows take this part of the memory, since they are copied as they are sorted

    def call(self) -> str:
        """Return the call that makes the step."""
        raise NotImplementedError

    @property
    def _memory(self) -> dict[str, int]:
        """Return the memory as an argument, unless it is that by default."""
        return {} if self.memory == MEMORY else {"memory": self.memory}

    def schema(self, schema: Any) -> Any:
        """Return the schema of the result."""
        return without(schema, self.hidden)

    def prepared(self, batch: Any, first: int) -> Any:
        """Return rows as they are exchanged; `first` is the number of the first of them."""
        return batch

    def combined(self, batch: Any) -> Any:
        """Return rows, prepared, that stand for these."""
        return batch

    def hashes(self, batch: Any) -> NDArray[np.uint64]:
        """Return the hashes by which rows are scattered."""
        raise NotImplementedError

    def finished(self, batch: Any) -> Any:
        """Return the rows of the result, of all rows of some buckets."""
        return batch

    @property
    def keys(self) -> tuple[Key, ...]:
        """Return the keys that order the rows of different buckets; none if the buckets are in order."""
        return ()

    @property
    def limit(self) -> int | None:
        """Return the number of rows of the result at most."""
        return None

    def last(self, batch: Any) -> Any:
        """Return the rows, in order, without columns that only order them or tell them apart."""
        dropped = {ORDER, *dict(self.hidden)}.intersection(batch.schema.names)
        return batch.drop_columns(sorted(dropped)) if dropped else batch

    def run(self, job: Job, rows: Rows) -> Rows:
        """Do the work as tasks of a job."""
        made = self.schema(rows.schema)
        numbers, sizes = numbers_of(rows.parts), [part.path.stat().st_size for part in rows.parts]
        most = max(self.memory // self.share, 1)
        if not rows.parts or sum(sizes) <= most:
            results = list(job.run(whole, [PartsTask(self, rows, 0, most)]))
            return Rows(made, parts_of(results))
        tasks = [PartsTask(self, Rows(rows.schema, rows.parts[a:b]), numbers[a], most) for a, b in groups(sizes, most)]
        return Rows(made, self.exchanged(job, tasks, most))

    def exchanged(self, job: Job, tasks: "list[PartsTask]", most: int) -> tuple[Part, ...]:
        """Scatter the rows and gather buckets, as many at once as fit into memory."""
        files = [
            Scattered(str(one.path(suffix_of(i))), offsets, size)
            for one in job.run(scatter, tasks)
            for i, (offsets, size) in enumerate(one.value)
        ]
        gathering = [BucketsTask(self, tuple(segments_of(files, a, b))) for a, b in groups(bucket_sizes(files), most)]
        if not self.keys or len(gathering) == 1:
            return parts_of(job.run(gather_last, gathering))
        return self.ranges(job, list(job.run(gather_run, gathering)), most)

    def ranges(self, job: Job, results: Sequence[TaskResult], most: int) -> tuple[Part, ...]:
        """Gather sorted runs in order."""
        files = [
            (str(one.path(suffix_of(i))), rows, size)
            for one in results
            for i, (rows, size) in enumerate(one.value)
            if rows
        ]
        # Runs have no more rows than the result if there is a limit.
        number = -(-sum(size for *_, size in files) // most) if self.limit is None else 1
        ranges = ranges_of_runs([Run(path, rows) for path, rows, _ in files], self.keys, number)
        filled = (tuple(one for one in segments if one.start < one.stop) for segments in ranges)
        sorting = [BucketsTask(self, segments) for segments in filled if segments]
        return parts_of(job.run(sort_range, sorting))


class PartsTask(NamedTuple):
    """A task: what a verb does with parts whose first row has a number; rows of `most` bytes are held in memory."""

    verb: Any
    rows: Rows
    first: int
    most: int

    def __str__(self) -> str:
        """Return the verb."""
        return f"{self.verb.name} {len(self.rows.parts)} parts"

    def batches(self, files: TaskFiles) -> Iterator[Any]:
        """Yield the rows, prepared, in batches."""
        number = self.first
        for batch in files.while_running(batches_of(self.rows.parts)):
            yield self.verb.prepared(batch, number)
            number += batch.num_rows


class BucketsTask(NamedTuple):
    """A task: what a verb does with the rows of some segments."""

    verb: Any
    segments: tuple[Segment, ...]

    def __str__(self) -> str:
        """Return the verb."""
        return f"{self.verb.name} {len(self.segments)} segments"

    def read(self, files: TaskFiles) -> Any:
        """Return the rows."""
        return one_batch([rows for _, rows in files.while_running(gathered(BATCHES, self.segments))])


def whole(task: PartsTask, files: TaskFiles) -> int:
    """Do all the work of a verb, with rows that fit into memory; return the number of rows."""
    verb: Verb = task.verb
    batches = list(task.batches(files)) or [verb.prepared(empty_batch(task.rows.schema), 0)]
    rows = verb.finished(one_batch(batches))
    return write_stream(files, verb.last(ordered(rows, verb.keys, verb.limit) if verb.keys else rows))


def scatter(task: PartsTask, files: TaskFiles) -> list[tuple[list[int], int]]:
    """Scatter the rows of parts; return the offsets of the buckets in each file, and its bytes."""
    verb: Verb = task.verb
    out = Scatter(files, BATCHES, BUCKETS, task.most)
    held: list[Any] = []
    for batch in task.batches(files):
        held.append(batch)
        if sum(one.nbytes for one in held) >= task.most:
            held = [verb.combined(one_batch(held))]
            if 2 * held[0].nbytes > task.most:
                out.add(held[0], verb.hashes(held[0]))
                out.flush()
                held = []
    if held:
        rows = verb.combined(one_batch(held))
        out.add(rows, verb.hashes(rows))
        out.flush()
    return list(zip(out.offsets, (size for _, size, _ in files.kept), strict=True))


def write_runs(task: PartsTask, files: TaskFiles) -> list[tuple[int, int]]:
    """Write sorted runs of parts; return the rows and the bytes of each."""
    verb: Verb = task.verb
    runs: list[tuple[int, int]] = []

    def write(rows: Any) -> None:
        runs.append((rows.num_rows, rows.nbytes))
        with files.writing(suffix_of(len(runs) - 1)) as file:
            write_batches(file, rows)

    held: list[Any] = []
    for batch in task.batches(files):
        held.append(batch)
        if sum(one.nbytes for one in held) >= task.most:
            held = [ordered(one_batch(held), verb.keys, verb.limit)]
            if verb.limit is None or 2 * held[0].nbytes > task.most:
                write(held.pop())
    if held:
        write(ordered(one_batch(held), verb.keys, verb.limit))
    return runs


def gather_run(task: BucketsTask, files: TaskFiles) -> list[tuple[int, int]]:
    """Write the result of buckets as a sorted run."""
    rows = ordered(task.verb.finished(task.read(files)), task.verb.keys)
    with files.writing(suffix_of(0)) as file:
        write_batches(file, rows)
    return [(rows.num_rows, rows.nbytes)]


def gather_last(task: BucketsTask, files: TaskFiles) -> int:
    """Write the result of buckets; return the number of rows."""
    verb: Verb = task.verb
    rows = verb.finished(task.read(files))
    return write_stream(files, verb.last(ordered(rows, verb.keys) if verb.keys else rows))


def sort_range(task: BucketsTask, files: TaskFiles) -> int:
    """Write the rows of a range of runs in order; return their number."""
    return write_stream(files, task.verb.last(ordered(task.read(files), task.verb.keys, task.verb.limit)))


def write_stream(files: TaskFiles, rows: Any) -> int:
    """Write rows as the part of a task; return their number."""
    with files.writing(STREAM) as file, ipc_module().new_stream(file, rows.schema) as writer:
        for start in range(0, rows.num_rows, _ROWS):
            writer.write_batch(rows.slice(start, _ROWS))
    return int(rows.num_rows)


def empty_batch(schema: Any) -> Any:
    """Return a record batch without rows."""
    return pyarrow_module().RecordBatch.from_arrays([empty_array(kind) for kind in schema.types], schema=schema)


def parts_of(results: Iterable[TaskResult]) -> tuple[Part, ...]:
    """Return the parts of tasks that returned the numbers of their rows.

    When a job goes on, a part may have been replaced by one in another format: its rows can no longer be counted.
    """
    return tuple(Part(one.path(STREAM), rows=one.value) for one in results)


def numbers_of(parts: Iterable[Part]) -> list[int]:
    """Return the number of the first row of each part, and the number of all rows."""
    numbers = [0]
    for part in parts:
        rows = part.rows
        if rows is None:
            rows = sum(batch.num_rows for batch in batches_of([part._replace(added=())], mapped=True))
        numbers.append(numbers[-1] + rows)
    return numbers
