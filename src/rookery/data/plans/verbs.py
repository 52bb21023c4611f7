"""The verbs of plans that need all rows: sort, head, shuffle, split, group by and unique.

Each is a step of a plan, with which jobs are compared by its representation, and says what its tasks do with rows.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.pipeline.features import DIVIDERS, POSITION
from rookery.data.pipeline.outputs import STREAM, Part, batches_of
from rookery.data.plans.aggregates import (
    STATE,
    Aggregate,
    combined,
    finished,
    told_apart_by,
    types_of,
    with_states,
    with_whole_groups,
)
from rookery.data.plans.calls import call_of, columns_of
from rookery.data.plans.exchanging import (
    MEMORY,
    ORDER,
    Hidden,
    PartsTask,
    Verb,
    empty_batch,
    numbers_of,
    parts_of,
    write_runs,
)
from rookery.data.plans.ordering import Key, check_column, check_keys
from rookery.data.plans.row_hashes import expression_of, hashes_of, normal
from rookery.data.plans.sampling import shuffled_order
from rookery.data.plans.steps import Rows
from rookery.frames.arrow import empty_array, ipc_module, pyarrow_module
from rookery.frames.arrow_files import one_batch
from rookery.tasks.exchange import SPLITS, splits_of
from rookery.tasks.jobs import Job
from rookery.tasks.parts import TaskFiles

_DIVIDERS: Final = {column: name for name, column in DIVIDERS.items()}


@dataclass(frozen=True)
class Sort(Verb):
    """Rows by the values of columns, the first `most` of them."""

    by: tuple[Key, ...]
    most: int | None = None
    memory: int = MEMORY
    hidden: Hidden = ()
    name: str = field(default="sort", repr=False)

    def call(self) -> str:
        """Return the call that makes the step, with that of `head` behind it if there is a limit."""
        directions = [key.descending for key in self.by]
        given = {"descending": directions if len(set(directions)) > 1 else True} if any(directions) else {}
        sort = call_of("sort", [expression_of(key.name) for key in self.by], {**given, **self._memory})
        return sort if self.most is None else f"{sort}.{Head(self.most).call()}"

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

    def exchanged(self, job: Job, tasks: list[PartsTask], most: int) -> tuple[Part, ...]:
        """Write sorted runs and sort ranges of these."""
        return self.ranges(job, list(job.run(write_runs, tasks)), most)


@dataclass(frozen=True)
class Shuffle(Verb):
    """Rows in random order, which the seed decides."""

    seed: int = 0
    memory: int = MEMORY
    name: str = field(default="shuffle", repr=False)

    def call(self) -> str:
        """Return the call that makes the step."""
        return call_of("shuffle", [self.seed] if self.seed else [], self._memory)

    def prepared(self, batch: Any, first: int) -> Any:
        """Return rows as they are exchanged."""
        order = shuffled_order(self.seed, first, first + batch.num_rows)
        return batch.append_column(ORDER, pyarrow_module().array(order))

    def hashes(self, batch: Any) -> NDArray[np.uint64]:
        """Return the hashes by which rows are scattered."""
        return np.asarray(batch.column(ORDER))

    def finished(self, batch: Any) -> Any:
        """Return the rows of the result."""
        return batch.take(pyarrow_module().array(np.argsort(self.hashes(batch))))


@dataclass(frozen=True)
class GroupBy(Verb):
    """Aggregates of the rows that have equal values in some columns, in the order of these."""

    share: ClassVar[int] = 8  # a table of hashes takes as much as the rows

    by: tuple[str, ...]
    aggregates: tuple[Aggregate, ...]
    memory: int = MEMORY
    hidden: Hidden = ()
    names: tuple[str, ...] = ()  # of the columns that are grouped by, in the result
    name: str = field(default="group_by", repr=False)

    def call(self) -> str:
        """Return the calls that make the step."""
        names, named = columns_of(zip(self.names or self.by, map(expression_of, self.by), strict=True))
        aggregates = call_of("agg", *columns_of((one.name, one.call) for one in self.aggregates))
        return f"{call_of('group_by', names, {**named, **self._memory})}.{aggregates}"

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
        return tuple(dict.fromkeys((*self.by, *told_apart_by(self.aggregates))))

    def combined(self, batch: Any) -> Any:
        """Return rows that stand for these."""
        return _as_batch(combined(pyarrow_module().Table.from_batches([batch]), self._told_apart_by, self.aggregates))

    def hashes(self, batch: Any) -> NDArray[np.uint64]:
        """Return the hashes by which rows are scattered."""
        return hashes_of(batch, self.by)

    def finished(self, batch: Any) -> Any:
        """Return the rows of the result."""
        pa = pyarrow_module()
        table = pa.Table.from_batches([self.combined(batch)])
        if told_apart_by(self.aggregates):
            table = combined(with_whole_groups(table, self.by, self.aggregates), self.by, self.aggregates)
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

    def call(self) -> str:
        """Return the call that makes the step."""
        by = [expression_of(name) for name in self.by]
        aggregates = {one.name: one.call for one in self.aggregates}
        return call_of("unique", [] if by == [POSITION] else by, {**aggregates, **self._memory})

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
        return Verb.last(self, batch)

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
    return normal(column.name, empty_array(column.type)).type


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
    return one_batch(table.combine_chunks().to_batches() or [empty_batch(table.schema)])


class Head(NamedTuple):
    """The first rows."""

    most: int

    @property
    def name(self) -> str:
        """Return the name of the verb."""
        return "head"

    def call(self) -> str:
        """Return the call that makes the step."""
        return call_of("head", [self.most], {})

    def schema(self, schema: Any) -> Any:
        """Return the schema of the rows."""
        return schema

    def run(self, job: Job, rows: Rows) -> Rows:
        """Keep the first rows: whole parts, and the first rows of one."""
        numbers = numbers_of(rows.parts)
        kept = [
            part._replace(rows=min(self.most - first, stop - first))
            for part, (first, stop) in zip(rows.parts, itertools.pairwise(numbers), strict=True)
            if first < self.most
        ]
        return rows._replace(parts=tuple(kept))


@dataclass(frozen=True)
class Split(Verb):
    """A column with the name of the split of each row, which a hash of its values in other columns decides.

    The values of one column may be hashes already.
    """

    by: tuple[str, ...]
    fractions: tuple[float, ...]
    column: str = "split"
    are_hashes: bool = False
    hidden: Hidden = ()
    name: str = field(default="split", repr=False)

    def call(self) -> str:
        """Return the call that makes the step."""
        by = expression_of(self.by[0])
        column = {} if self.column == "split" else {"column": self.column}
        return call_of("split", self.fractions, {"by": _DIVIDERS.get(by, by), **column})

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
        return Rows(self.schema(rows.schema), parts_of(job.run(split_part, tasks)))

    def with_split(self, batch: Any) -> Any:
        """Return rows with the column."""
        pa = pyarrow_module()
        names = pa.array(SPLITS, pa.string()).take(pa.array(self.numbers(batch)))
        return self.last(batch).append_column(self.column, names)

    def numbers(self, batch: Any) -> NDArray[np.uint8]:
        """Return the number of the split of each row."""
        hashes = np.asarray(batch.column(self.by[0])) if self.are_hashes else hashes_of(batch, self.by)
        return splits_of(hashes, self.fractions)


class SplitTask(NamedTuple):
    """A task: the column of a split for the rows of parts."""

    step: Split
    rows: Rows


def split_part(task: SplitTask, files: TaskFiles) -> int:
    """Write the rows of parts with the column of a split; return their number."""
    schema, rows = task.step.schema(task.rows.schema), 0
    with files.writing(STREAM) as file, ipc_module().new_stream(file, schema) as writer:
        for batch in files.while_running(batches_of(task.rows.parts)):
            writer.write_batch(task.step.with_split(batch))
            rows += batch.num_rows
    return rows
