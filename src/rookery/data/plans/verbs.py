"""The verbs of plans that need all rows: sort, head, shuffle, split, group by and unique.

A verb gets the parts that tasks left (`Rows`), and leaves others. If they fit into the memory of a task, one task does
it all. Else tasks scatter rows into buckets, or write sorted runs, and further tasks gather buckets or ranges, as many
at once as fit into that memory. Rows are numbered in the order of the input, and the order of the result depends on
nothing else: not on memory, executor, threads or how the input was divided.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import mixed
from rookery.data.pipeline.features import DIVIDERS, POSITION
from rookery.data.pipeline.outputs import STREAM, Part, batches_of
from rookery.data.plans.aggregates import (
    STATE,
    Aggregate,
    combined,
    finished,
    of_games,
    types_of,
    with_games,
    with_states,
)
from rookery.data.plans.ordering import Key, Run, check_column, check_keys, ordered, ranges_of_runs
from rookery.data.plans.row_hashes import expression_of, hashes_of, normal
from rookery.data.plans.steps import Rows
from rookery.frames.arrow import ipc_module, pyarrow_module
from rookery.tasks.exchange import (
    BATCHES,
    BUCKETS,
    SPLITS,
    Scatter,
    Scattered,
    Segment,
    bucket_sizes,
    gathered,
    groups,
    one_batch,
    segments_of,
    splits_of,
    suffix_of,
    write_batches,
)
from rookery.tasks.jobs import Job
from rookery.tasks.parts import TaskFiles, TaskResult

MEMORY: Final = 1 << 29  # bytes that a task may take
ORDER: Final = "\x1forder"  # the column that rows are ordered by: the row's number, or a hash of it
_ROWS: Final = 1 << 16  # of a batch in a part
_SHOWN: Final = {column: name for name, column in DIVIDERS.items()} | {POSITION: "position"}


# Columns that only order rows or tell them apart: their names, and their expressions.
Hidden: TypeAlias = tuple[tuple[str, str], ...]


def _without(schema: Any, hidden: Hidden) -> Any:
    """Return a schema without hidden columns."""
    return pyarrow_module().schema([one for one in schema if one.name not in dict(hidden)])


class _Verb:
    """A step that needs all rows, and what its tasks do with them. `memory` is the bytes that a task may take."""

    name: str
    memory: int
    hidden: Hidden = ()
    share: ClassVar[int] = 4  # rows take this part of the memory, since they are copied as they are sorted

    def _asdict(self) -> dict[str, Any]:
        """Return the arguments of the verb, as a caller gives them."""
        given: dict[str, Any] = {}
        for one in fields(self):  # type: ignore[arg-type]
            value = getattr(self, one.name)
            if not one.repr or one.name in ("hidden", "names", "are_hashes") or value == one.default:
                continue
            if one.name == "by":
                names = [expression_of(key.name if isinstance(key, Key) else key) for key in value]
                given["by"] = [_SHOWN.get(name, name) for name in names]
                directions = [key.descending for key in value if isinstance(key, Key)]
                given |= {"descending": directions} if any(directions) else {}
            elif one.name == "aggregates":
                given |= {key.name: f"{key.kind}({expression_of(key.of)})" if key.of else key.kind for key in value}
            else:
                given[one.name] = value
        return given

    def schema(self, schema: Any) -> Any:
        """Return the schema of the result."""
        return _without(schema, self.hidden)

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
        numbers, sizes = _numbers_and_sizes(rows.parts)
        most = max(self.memory // self.share, 1)
        if not rows.parts or sum(sizes) <= most:
            results = list(job.run(whole, [PartsTask(self, rows, 0, most)]))
            return Rows(made, tuple(Part(one.path(STREAM)) for one in results))
        tasks = [PartsTask(self, Rows(rows.schema, rows.parts[a:b]), numbers[a], most) for a, b in groups(sizes, most)]
        return Rows(made, self._exchanged(job, tasks, most))

    def _exchanged(self, job: Job, tasks: "list[PartsTask]", most: int) -> tuple[Part, ...]:
        """Scatter the rows and gather buckets, as many at once as fit into memory."""
        files = [
            Scattered(str(one.path(suffix_of(i))), offsets, size)
            for one in job.run(scatter, tasks)
            for i, (offsets, size) in enumerate(one.value)
        ]
        gathering = [BucketsTask(self, tuple(segments_of(files, a, b))) for a, b in groups(bucket_sizes(files), most)]
        if not self.keys or len(gathering) == 1:
            return tuple(Part(one.path(STREAM)) for one in job.run(gather_last, gathering))
        return self._ranges(job, list(job.run(gather_run, gathering)), most)

    def _ranges(self, job: Job, results: Sequence[TaskResult], most: int) -> tuple[Part, ...]:
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
        return tuple(Part(one.path(STREAM)) for one in job.run(sort_range, sorting))


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


def whole(task: PartsTask, files: TaskFiles) -> None:
    """Do all the work of a verb, with rows that fit into memory."""
    verb: _Verb = task.verb
    batches = list(task.batches(files)) or [verb.prepared(_empty(task.rows.schema), 0)]
    rows = verb.finished(one_batch(batches))
    _write(files, verb.last(ordered(rows, verb.keys, verb.limit) if verb.keys else rows))


def scatter(task: PartsTask, files: TaskFiles) -> list[tuple[list[int], int]]:
    """Scatter the rows of parts; return the offsets of the buckets in each file, and its bytes."""
    verb: _Verb = task.verb
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
    verb: _Verb = task.verb
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


def gather_last(task: BucketsTask, files: TaskFiles) -> None:
    """Write the result of buckets."""
    verb: _Verb = task.verb
    rows = verb.finished(task.read(files))
    _write(files, verb.last(ordered(rows, verb.keys) if verb.keys else rows))


def sort_range(task: BucketsTask, files: TaskFiles) -> None:
    """Write the rows of a range of runs in order."""
    _write(files, task.verb.last(ordered(task.read(files), task.verb.keys, task.verb.limit)))


def _write(files: TaskFiles, rows: Any) -> None:
    with files.writing(STREAM) as file, ipc_module().new_stream(file, rows.schema) as writer:
        for start in range(0, rows.num_rows, _ROWS):
            writer.write_batch(rows.slice(start, _ROWS))


def _empty(schema: Any) -> Any:
    return pyarrow_module().RecordBatch.from_arrays([pyarrow_module().array([], f.type) for f in schema], schema=schema)


def _numbers_and_sizes(parts: Iterable[Part]) -> tuple[list[int], list[int]]:
    """Return the number of the first row of each part, and the bytes of each."""
    numbers, sizes = [0], []
    for part in parts:
        numbers.append(
            numbers[-1] + sum(batch.num_rows for batch in batches_of([part._replace(added=())], mapped=True))
        )
        sizes.append(part.path.stat().st_size)
    return numbers, sizes


# The verbs. They are steps of a plan, with which jobs are compared by their representations.


@dataclass(frozen=True)
class Sort(_Verb):
    """Rows by the values of columns, the first `most` of them."""

    by: tuple[Key, ...]
    most: int | None = None
    memory: int = MEMORY
    hidden: Hidden = ()
    name: str = field(default="sort", repr=False)

    def schema(self, schema: Any) -> Any:
        """Return the schema of the result."""
        check_keys(self.by, schema, "sort")
        return super().schema(schema)

    @property
    def keys(self) -> tuple[Key, ...]:
        """Return the keys that order the rows of different buckets."""
        return self.by

    @property
    def limit(self) -> int | None:
        """Return the number of rows of the result at most."""
        return self.most

    def _exchanged(self, job: Job, tasks: list[PartsTask], most: int) -> tuple[Part, ...]:
        return self._ranges(job, list(job.run(write_runs, tasks)), most)


@dataclass(frozen=True)
class Shuffle(_Verb):
    """Rows in random order, which the seed decides."""

    seed: int = 0
    memory: int = MEMORY
    name: str = field(default="shuffle", repr=False)

    def prepared(self, batch: Any, first: int) -> Any:
        """Return rows as they are exchanged."""
        numbers = np.arange(first, first + batch.num_rows, dtype=np.uint64)
        order = mixed(numbers ^ np.uint64(mixed(np.uint64(self.seed))))
        return batch.append_column(ORDER, pyarrow_module().array(order))

    def hashes(self, batch: Any) -> NDArray[np.uint64]:
        """Return the hashes by which rows are scattered."""
        return np.asarray(batch.column(ORDER))

    def finished(self, batch: Any) -> Any:
        """Return the rows of the result."""
        return batch.take(pyarrow_module().array(np.argsort(self.hashes(batch))))


@dataclass(frozen=True)
class GroupBy(_Verb):
    """Aggregates of the rows that have equal values in some columns, in the order of these."""

    share: ClassVar[int] = 8  # a table of hashes takes as much as the rows

    by: tuple[str, ...]
    aggregates: tuple[Aggregate, ...]
    memory: int = MEMORY
    hidden: Hidden = ()
    names: tuple[str, ...] = ()  # of the columns that are grouped by, in the result
    name: str = field(default="group_by", repr=False)

    def schema(self, schema: Any) -> Any:
        """Return the schema of the result."""
        pa = pyarrow_module()
        check_keys([Key(name) for name in self.by], schema, self.name)
        names = self.names or self.by
        keys = (pa.field(name, _type_of_key(schema.field(key))) for name, key in zip(names, self.by, strict=True))
        return pa.schema([*keys, *_fields(self.aggregates, schema, names)])

    def last(self, batch: Any) -> Any:
        """Return the rows with the names of the result."""
        return batch.rename_columns([*(self.names or self.by), *batch.schema.names[len(self.by) :]])

    @property
    def keys(self) -> tuple[Key, ...]:
        """Return the keys that order the rows of different buckets."""
        return tuple(Key(name) for name in self.by)

    def prepared(self, batch: Any, first: int) -> Any:
        """Return rows as they are exchanged."""
        return with_states(batch, self._told_apart_by, self.aggregates)

    @property
    def _told_apart_by(self) -> tuple[str, ...]:
        """Return the columns in which rows are equal that may stand for each other."""
        return tuple(dict.fromkeys((*self.by, *of_games(self.aggregates))))

    def combined(self, batch: Any) -> Any:
        """Return rows that stand for these."""
        return _as_batch(combined(pyarrow_module().Table.from_batches([batch]), self._told_apart_by, self.aggregates))

    def hashes(self, batch: Any) -> NDArray[np.uint64]:
        """Return the hashes by which rows are scattered."""
        return hashes_of(batch, self.by)

    def finished(self, batch: Any) -> Any:
        """Return the rows of the result."""
        pa = pyarrow_module()
        table = with_games(pa.Table.from_batches([self.combined(batch)]), self.aggregates)
        if of_games(self.aggregates):
            table = combined(table, self.by, self.aggregates)
        columns = {name: table.column(name) for name in table.column_names if self._is_shown(name)}
        return _as_batch(pa.table(columns | finished(table, self.aggregates)))

    def _is_shown(self, name: str) -> bool:
        """Check whether a column of combined rows is a column of the result."""
        return name in self.by


@dataclass(frozen=True)
class Unique(GroupBy):
    """The first of the rows that have equal values in some columns, with aggregates of all of them.

    Columns that are `hidden` only tell rows apart. An aggregate with the name of a column replaces it.
    """

    aggregates: tuple[Aggregate, ...] = ()
    hidden: Hidden = ()
    name: str = field(default="unique", repr=False)

    def schema(self, schema: Any) -> Any:
        """Return the schema of the result."""
        pa = pyarrow_module()
        check_keys([Key(name) for name in self.by], schema, self.name)
        hidden = dict(self.hidden)
        made = {one.name: one for one in schema if one.name not in hidden}
        keys = [name for name in self.by if name not in hidden]
        made |= {name: pa.field(name, _type_of_key(schema.field(name))) for name in keys}
        made |= {one.name: one for one in _fields(self.aggregates, schema, keys)}
        return pa.schema(made.values())

    @property
    def keys(self) -> tuple[Key, ...]:
        """Return the keys that order the rows of different buckets."""
        return (Key(ORDER),)

    def last(self, batch: Any) -> Any:
        """Return the rows without the columns that tell them apart."""
        return _Verb.last(self, batch)

    def prepared(self, batch: Any, first: int) -> Any:
        """Return rows as they are exchanged."""
        states = super().prepared(batch, first)
        for i, name in enumerate(states.schema.names):
            if name in self._told_apart_by:
                batch = batch.set_column(batch.schema.get_field_index(name), name, states.column(i))
            else:
                batch = batch.append_column(name, states.column(i))
        return batch.append_column(ORDER, pyarrow_module().array(np.arange(first, first + batch.num_rows)))

    def _is_shown(self, name: str) -> bool:
        return name == ORDER or (STATE not in name[1:] and name not in dict(self.hidden))


def _type_of_key(column: Any) -> Any:
    return normal(column.name, pyarrow_module().array([], column.type)).type


def _fields(aggregates: Iterable[Aggregate], schema: Any, taken: Sequence[str]) -> list[Any]:
    """Return the fields of aggregates, whose names must not be taken."""
    made = []
    for one in aggregates:
        if one.of:
            check_column(one.of, schema, "agg")
        for name, kind in zip(one.columns, types_of(one, schema), strict=True):
            if name in taken:
                raise ValueError(f"agg: {name!r}: is a column that is grouped by: give the aggregate another name")
            made.append(pyarrow_module().field(name, kind))
    return made


def _as_batch(table: Any) -> Any:
    return one_batch(table.combine_chunks().to_batches() or [_empty(table.schema)])


class Head(NamedTuple):
    """The first rows."""

    most: int

    @property
    def name(self) -> str:
        """Return the name of the verb."""
        return "head"

    def schema(self, schema: Any) -> Any:
        """Return the schema of the rows."""
        return schema

    def run(self, job: Job, rows: Rows) -> Rows:
        """Keep the first rows: whole parts, and the first rows of one."""
        numbers, _ = _numbers_and_sizes(rows.parts)
        kept = [
            part._replace(rows=min(self.most - first, stop - first))
            for part, (first, stop) in zip(rows.parts, itertools.pairwise(numbers), strict=True)
            if first < self.most
        ]
        return rows._replace(parts=tuple(kept))


@dataclass(frozen=True)
class Split(_Verb):
    """A column with the name of the split of each row, which a hash of its values in other columns decides.

    The values of one column may be hashes already.
    """

    by: tuple[str, ...]
    fractions: tuple[float, ...]
    column: str = "split"
    are_hashes: bool = False
    hidden: Hidden = ()
    name: str = field(default="split", repr=False)

    def schema(self, schema: Any) -> Any:
        """Return the columns of the rows, and that of the split."""
        pa = pyarrow_module()
        check_keys([Key(name) for name in self.by], schema, "split")
        if self.column in schema.names:
            raise ValueError(f"split: {self.column!r}: is a column of the rows: expected another name")
        return super().schema(schema).append(pa.field(self.column, pa.string()))

    def run(self, job: Job, rows: Rows) -> Rows:
        """Add the column."""
        tasks = [SplitTask(self, Rows(rows.schema, (part,))) for part in rows.parts]
        return Rows(self.schema(rows.schema), tuple(Part(one.path(STREAM)) for one in job.run(split_part, tasks)))

    def with_split(self, batch: Any) -> Any:
        """Return rows with the column."""
        pa = pyarrow_module()
        hashes = np.asarray(batch.column(self.by[0])) if self.are_hashes else hashes_of(batch, self.by)
        names = pa.array(SPLITS, pa.string()).take(pa.array(splits_of(hashes, self.fractions)))
        return self.last(batch).append_column(self.column, names)


class SplitTask(NamedTuple):
    """A task: the column of a split for the rows of parts."""

    step: Split
    rows: Rows


def split_part(task: SplitTask, files: TaskFiles) -> None:
    """Write the rows of parts with the column of a split."""
    schema = task.step.schema(task.rows.schema)
    with files.writing(STREAM) as file, ipc_module().new_stream(file, schema) as writer:
        for batch in files.while_running(batches_of(task.rows.parts)):
            writer.write_batch(task.step.with_split(batch))
