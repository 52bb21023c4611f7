"""The tasks that write a dataset: each writes some rows of a plan, one after the other, as shards of NumPy."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.datasets.manifest import name_of_texts
from rookery.data.datasets.options import Options
from rookery.data.datasets.own_columns import texts_of, values_of
from rookery.data.datasets.rows import ROW, row_dtype
from rookery.data.pipeline.outputs import Part, batches_of
from rookery.data.pipeline.packed_rows import NUMBER, ROWS, Packing, file_hash
from rookery.data.plans.verbs import Split
from rookery.frames.arrow import compute_module, pyarrow_module
from rookery.frames.arrow_files import write_batches
from rookery.tasks.exchange import SPLITS
from rookery.tasks.parts import TaskFiles

MEANS = ("count", "wins", "draws", "losses", "mean_score")


class Storing(NamedTuple):
    """How rows are stored: the options of the dataset, what divides them, and the names of the files of games.

    Rows are divided by a verb, or by a column with the names of splits; all are in one split if it is None.
    """

    options: Options
    divider: Split | str | None
    files: tuple[str, ...]

    def splits(self, batch: Any) -> NDArray[np.uint8]:
        """Return the number of the split of each row."""
        if isinstance(self.divider, Split):
            return self.divider.numbers(batch)
        if self.divider is None:
            return np.zeros(batch.num_rows, np.uint8)
        names = pyarrow_module().array(SPLITS)
        return np.asarray(compute_module().index_in(batch.column(self.divider), names)).astype(np.uint8)

    def hashes(self) -> NDArray[np.uint64]:
        """Return the hash of the name of each file."""
        return np.array([file_hash(name) for name in self.files] or [0], np.uint64)

    def store(self, batch: Any, hashes: NDArray[np.uint64], rows: NDArray[Any]) -> None:
        """Write the rows of a record batch to an array; `hashes` are those of the files."""
        packing = Packing(history=self.options.history)
        packed, n = batch.column(ROWS), batch.num_rows
        fields = np.frombuffer(packed.buffers()[1], packing.dtype, n, packed.offset * packing.dtype.itemsize)
        if rows.dtype == ROW:  # the file is 64 bits in one and two numbers in the other
            rows[:] = fields.view(ROW)
        else:
            names = [name for name in packing.dtype.names or () if name != "file"]
            for name in names:
                rows[name] = fields[name]
        order = np.argsort(hashes)
        rows["file"] = order[np.searchsorted(hashes, fields["file"], sorter=order)]
        rows["number"] = np.asarray(batch.column(NUMBER)) if NUMBER in batch.schema.names else 0
        if self.options.targets == "mean":
            for name in (*MEANS, "move"):
                rows[name] = batch.column(name).to_numpy(zero_copy_only=False)
        for column in self.options.columns:
            if not column.is_text:
                rows[column.name] = values_of(column, batch.column(column.name))


class ShardTask(NamedTuple):
    """A task for a worker: the number of its shards, and rows of parts from one index to another, which it writes."""

    number: int
    parts: tuple[tuple[Part, int, int], ...]
    storing: Storing

    def __str__(self) -> str:
        """Return the number."""
        return f"shard {self.number}"

    @property
    def size(self) -> int:
        """Return the number of rows."""
        return sum(stop - start for _, start, stop in self.parts)

    def batches(self) -> Iterator[Any]:
        """Yield the rows."""
        for part, start, stop in self.parts:
            first = 0
            for batch in batches_of([part], mapped=True):
                begin, end = max(start - first, 0), min(stop - first, batch.num_rows)
                if begin < end:
                    yield batch.slice(begin, end - begin)
                first += batch.num_rows
                if first >= stop:
                    break


def make_shard(task: ShardTask, files: TaskFiles) -> dict[str, Any]:
    """Write the files of a task, one for each split with rows and each column of texts; describe them as JSON does."""
    storing, options = task.storing, task.storing.options
    rows, splits = np.zeros(task.size, row_dtype(options)), np.zeros(task.size, np.uint8)
    texts: dict[str, list[Any]] = {column.name: [] for column in options.columns if column.is_text}
    hashes, start = storing.hashes(), 0
    for batch in files.while_running(task.batches()):
        stop = start + batch.num_rows
        splits[start:stop] = storing.splits(batch)
        storing.store(batch, hashes, rows[start:stop])
        for name, arrays in texts.items():
            arrays.append(batch.column(name))
        start = stop
    described = []
    for name, arrays in texts.items() if rows.size else ():
        rows[name], different = texts_of(arrays, task.number)
        described.append(_text_file(files, name, task.number, different))
    written = []
    for i, split in enumerate(options.splits):
        chosen = rows if len(options.splits) == 1 else rows[splits == i]
        if chosen.size:
            name = f"{split}-{task.number:05d}.npy"
            with files.writing(name=name, durable=True) as file:
                np.lib.format.write_array(file, chosen, (1, 0), allow_pickle=False)
            written.append(_described(files, name, split, chosen.size))
    return {"shards": written, "texts": described}


def _text_file(files: TaskFiles, column: str, number: int, texts: Any) -> dict[str, Any]:
    """Write the different texts of a column in a shard."""
    name = name_of_texts(column, number)
    with files.writing(name=name, durable=True) as file:
        write_batches(file, pyarrow_module().RecordBatch.from_arrays([texts], [column]))
    return _described(files, name, column, len(texts))


def _described(files: TaskFiles, name: str, split: str, rows: int) -> dict[str, Any]:
    """Return what `rookery.data.datasets.manifest.Shard` says about the file that was written last."""
    size, digest = files.last
    return {"file": name, "split": split, "rows": int(rows), "bytes": size, "digest": digest}
