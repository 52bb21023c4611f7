"""The order of rows: sorted runs, and the division of runs into ranges of keys that can be sorted alone.

Runs hold rows in the order of the input, each sorted. A range has the rows of each run between two bounds, so tasks
sort ranges independently, and the ranges follow each other. Equal keys keep the order of the input: bounds are places
in the order of key, run and row.
"""

import bisect
import functools
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import shown
from rookery.data.plans.row_hashes import expression_of, normal
from rookery.frames.arrow import compute_module, empty_array, pyarrow_module
from rookery.frames.arrow_files import columns_of_batch
from rookery.tasks.exchange import Segment

_SAMPLES: Final = 256  # rows of each run among which bounds are chosen


class Key(NamedTuple):
    """A column that rows are sorted by. Missing values come last, in either direction."""

    name: str
    descending: bool = False


def check_keys(keys: Sequence[Key], schema: Any, label: str) -> None:
    """Raise an error for a key that is not a column, or one whose values have no order."""
    for key in keys:
        check_column(key.name, schema, label)
        normal(f"{label}: {expression_of(key.name)}", empty_array(schema.field(key.name).type))


def check_column(name: str, schema: Any, label: str) -> None:
    """Raise a ValueError unless a schema has a column."""
    if name not in schema.names:
        known = ", ".join(map(expression_of, schema.names))
        raise ValueError(f"{label}: {shown(expression_of(name))}: no such column: expected one of {known}")


def ordered(batch: Any, keys: Sequence[Key], most: int | None = None) -> Any:
    """Return the rows of a record batch in order, at most some of them. Equal rows keep their order."""
    pa, pc = pyarrow_module(), compute_module()
    columns = {f"{i}": normal(key.name, batch.column(key.name)) for i, key in enumerate(keys)}
    columns = {name: array for name, array in columns.items() if not pa.types.is_null(array.type)}
    if not columns or batch.num_rows < 2:
        return batch if most is None else batch.slice(0, most)
    table = pa.table(columns)
    directions = [(name, "descending" if keys[int(name)].descending else "ascending") for name in columns]
    index = pc.sort_indices(table, sort_keys=directions)  # missing values at the end
    return batch.take(index if most is None else index.slice(0, most))


class Run(NamedTuple):
    """A file with sorted rows, and the number of these."""

    path: str
    rows: int


def ranges_of_runs(runs: Sequence[Run], keys: Sequence[Key], number: int) -> list[list[Segment]]:
    """Return the segments of about `number` ranges of equal size that follow each other."""
    ends = [[run.rows] for run in runs]
    if number > 1:
        sample: list[_Bound] = []
        for i, run in enumerate(runs):
            places = _Places(run, keys)
            rows = np.linspace(0, run.rows - 1, min(_SAMPLES, run.rows)).astype(int).tolist()
            sample += [_Bound(places[row], i, row, run.rows / len(rows)) for row in rows]
        sample.sort()
        weights = np.cumsum([one.weight for one in sample])
        chosen = np.unique(np.searchsorted(weights, [weights[-1] * k / number for k in range(1, number)]))
        bounds = [sample[k] for k in chosen.tolist() if k < len(sample)]
        for i, run in enumerate(runs):
            places = _Places(run, keys)
            ends[i] = [*(_end(places, i, bound) for bound in bounds), run.rows]
    return [
        [Segment(run.path, starts[k - 1] if k else 0, starts[k]) for run, starts in zip(runs, ends, strict=True)]
        for k in range(len(ends[0]) if ends else 0)
    ]


class _Bound(NamedTuple):
    """A place between ranges: the row of a run, after its key; and the number of rows that it stands for."""

    key: Any
    run: int
    row: int
    weight: float


def _end(places: "_Places", run: int, bound: _Bound) -> int:
    """Return the number of rows of a run that come no later than a bound."""
    if run == bound.run:
        return bound.row + 1
    find = bisect.bisect_right if run < bound.run else bisect.bisect_left
    return find(places, bound.key)


class _Places(Sequence[Any]):
    """The keys of the rows of a run, in a form that can be compared. Only these columns are read."""

    def __init__(self, run: Run, keys: Sequence[Key]) -> None:
        batch = columns_of_batch(run.path, [key.name for key in keys])
        self._rows, self._keys = run.rows, keys
        self._columns = [_comparable(batch.column(key.name)) for key in keys]

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, i: Any) -> Any:
        return tuple(
            _Value(_plain(column[i].as_py()), key.descending)
            for column, key in zip(self._columns, self._keys, strict=True)
        )


def _comparable(column: Any) -> Any:
    """Return dates and times as numbers: Python has no nanoseconds."""
    pa = pyarrow_module()
    if not pa.types.is_temporal(column.type):
        return column
    return column.view(pa.int32() if column.type.bit_width == 32 else pa.int64())


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


@functools.total_ordering
class _Value:
    """A value that is compared in a direction; None comes last."""

    __slots__ = ("descending", "value")

    def __init__(self, value: Any, descending: bool) -> None:
        self.value, self.descending = value, descending

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Value) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: "_Value") -> bool:
        if self.value is None or other.value is None:
            return self.value is not None and other.value is None
        return bool(other.value < self.value if self.descending else self.value < other.value)
