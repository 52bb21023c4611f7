"""A random sample of the rows of a plan, and the numbers by which a seed orders rows."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import mixed
from rookery.data.pipeline.outputs import STREAM, Part, batches_of
from rookery.data.plans.calls import call_of
from rookery.data.plans.exchanging import numbers_of, parts_of
from rookery.data.plans.steps import Rows
from rookery.frames.arrow import ipc_module, pyarrow_module
from rookery.tasks.jobs import Job
from rookery.tasks.parts import TaskFiles

_HASHED: Final = 1 << 22  # hashes that are computed at once


class Sample(NamedTuple):
    """Random rows, so many at most, in the order of the input: those whose numbers have the lowest hashes."""

    most: int
    seed: int = 0

    @property
    def name(self) -> str:
        """Return the name of the verb."""
        return "sample"

    def call(self) -> str:
        """Return the call that makes the step."""
        return call_of("sample", [self.most], {"seed": self.seed} if self.seed else {})

    def schema(self, schema: Any) -> Any:
        """Return the schema of the rows."""
        return schema

    def run(self, job: Job, rows: Rows) -> Rows:
        """Keep the rows whose hashes are no greater than the last that fits."""
        numbers = numbers_of(rows.parts)
        if numbers[-1] <= self.most:
            return rows
        last = self._last_hash(numbers[-1])
        tasks = [
            SampleTask(self.seed, last, number, part, rows.schema)
            for number, part in zip(numbers, rows.parts, strict=False)
        ]
        return rows._replace(parts=parts_of(job.run(sample_part, tasks)))

    def _last_hash(self, rows: int) -> int:
        """Return the greatest of the lowest hashes of the numbers of all rows, of which a part is held at a time."""
        held = np.zeros(0, np.uint64)
        for start in range(0, rows, _HASHED):
            hashes = shuffled_order(self.seed, start, min(start + _HASHED, rows))
            held = np.concatenate([held, hashes])
            if held.size > 2 * self.most:
                held = np.partition(held, self.most - 1)[: self.most]
        return int(np.partition(held, self.most - 1)[self.most - 1])


class SampleTask(NamedTuple):
    """A task: the rows of a part that are in a sample; the first of them has a number."""

    seed: int
    last: int
    number: int
    part: Part
    schema: Any


def sample_part(task: SampleTask, files: TaskFiles) -> int:
    """Write the rows of a part that are in a sample; return their number."""
    pa, number, kept = pyarrow_module(), task.number, 0
    with files.writing(STREAM) as file, ipc_module().new_stream(file, task.schema) as writer:
        for batch in files.while_running(batches_of([task.part])):
            order = shuffled_order(task.seed, number, number + batch.num_rows)
            chosen = batch.filter(pa.array(order <= np.uint64(task.last)))
            writer.write_batch(chosen)
            number, kept = number + batch.num_rows, kept + chosen.num_rows
    return kept


def shuffled_order(seed: int, first: int, stop: int) -> NDArray[np.uint64]:
    """Return the hashes of the numbers of rows by which a seed orders them; all differ."""
    numbers = np.arange(first, stop, dtype=np.uint64)
    hashes: NDArray[np.uint64] = mixed(numbers ^ np.uint64(mixed(np.uint64(seed))))
    return hashes
