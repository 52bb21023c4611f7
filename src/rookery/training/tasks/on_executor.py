"""Training data of files that tasks read on any executor. What a task has read is kept, so interrupted reading goes on.

A task reads a range of a file (`rookery.training.tasks.division`), and writes its rows to a part: an Arrow stream, with
a file of bad rows next to it. The parts are read back in order, while later ones are made. The rows of a damaged file
end with the first range that cannot be read to its end, as they do without tasks.
"""

import contextlib
import json
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.frames.arrow import ipc_module, pyarrow_module
from rookery.positions.arrow import from_arrow
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions
from rookery.rules.compiled import default_technique
from rookery.sources import files
from rookery.sources.disk import DISK
from rookery.sources.failures import ChangedFileError, DamagedFileError, raise_system_errors, renamed
from rookery.sources.file_range import FileRange
from rookery.sources.identity import changes_explained, identity_of
from rookery.sources.ranges import paths_for_tasks
from rookery.tasks import ordered_results
from rookery.tasks.interface import Executor
from rookery.tasks.kept import check_running
from rookery.training.formats import format_of, packing_of
from rookery.training.reading import TrainingScan
from rookery.training.samples import ScoredPositions
from rookery.training.tasks import division
from rookery.training.text.rows import BadRow

_ROWS: Final = 1 << 16  # of a batch
_IN_FLIGHT: Final = 64
_VERSION: Final = 3  # of the division into tasks and of the parts
_OWN: Final = ("moves", "scores", "results", "plies")  # the columns besides those of positions


class ReadTask(NamedTuple):
    """A range of a file, the name of its format, and the folder and the number of the part to write."""

    part: FileRange
    format: str
    folder: str
    number: int


def part_path(folder: str | Path, number: int) -> Path:
    """Return the path of a part."""
    return Path(folder) / f"part-{number:06d}.arrow"


def bad_path(folder: str | Path, number: int) -> Path:
    """Return the path of the bad rows of a part."""
    return Path(folder) / f"part-{number:06d}.bad.jsonl"


def warm_up() -> None:
    """Prepare what a worker needs, before its first task."""
    default_technique().tables()


def read_range(task: ReadTask) -> dict[str, Any]:
    """Write the rows of a range to a part, and return what was read as JSON holds it.

    ``read`` are the bytes, ``lines`` the line breaks, and ``header`` those of the header that was read in front of the
    range. ``failure`` says why the range could not be read to its end.
    """
    ipc = ipc_module()
    options = ipc.IpcWriteOptions(compression="lz4")
    failure = ""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(files.replacing(part_path(task.folder, task.number)))
        bad: list[BadRow] = []
        scan = stack.enter_context(TrainingScan(task.part, task.format, _ROWS, raises=False, on_bad=bad.append))
        rejects = writer = None
        try:
            for rows in scan:
                check_running(task.folder)
                table = _table(rows)
                writer = writer or stack.enter_context(ipc.new_stream(file, table.schema, options=options))
                writer.write_table(table)
        except DamagedFileError as error:  # the rows before it are kept
            raise_system_errors([error])
            failure = str(error)
        if bad:
            rejects = stack.enter_context(files.replacing(bad_path(task.folder, task.number)))
            for row in bad:
                rejects.write(json.dumps(row).encode() + b"\n")
    return {"read": scan.bytes_read, "lines": scan.lines_read, "header": scan.header_lines, "failure": failure}


def _table(rows: ScoredPositions) -> Any:
    table = rows.positions.to_arrow()
    for name in _OWN:
        table = table.append_column(name, pyarrow_module().array(getattr(rows, name)))
    return table


def _rows_of(batch: Any) -> ScoredPositions:
    # Compiled code takes arrays that can be written to.
    positions = Positions(Columns(*map(np.array, from_arrow(batch, checked=False))))
    return ScoredPositions(positions, **{name: np.array(batch.column(name)) for name in _OWN})


class TrainingOnExecutor:
    """The rows of several files, read by tasks on an executor whose results are kept in a folder.

    It is a context manager. `discard` removes the folder. `bytes_read` are those of the files so far.
    """

    def __init__(
        self, sources: Sequence[str | os.PathLike[str]], format: str | None, out: Path, executor: Executor | str
    ) -> None:
        """Prepare the reading of files; parts are kept in the folder ``OUT.parts``."""
        paths = paths_for_tasks(sources)
        self._names = [os.fspath(source) for source in sources]
        self._formats = [format_of(format, "source", path) for path in paths]
        self._identities = {path: identity_of(path) for path in paths}
        self._parts = [
            (file, part)
            for file, (path, found) in enumerate(zip(paths, self._formats, strict=True))
            for part in division.ranges_of(
                path, None if packing_of(path) else found.places, division.RANGE, self._identities[path]
            )
        ]
        self._executor, self._out = executor, out
        self._work = {
            "command": "convert",
            "version": _VERSION,
            "inputs": [
                [path, found.name, *self._identities[path]] for path, found in zip(paths, self._formats, strict=True)
            ],
            "range": division.RANGE,
        }
        self._stack = contextlib.ExitStack()
        self._results: Generator[tuple[int, Any]] | None = None
        self.bytes_read = 0
        self.folder = Path()

    def __enter__(self) -> "TrainingOnExecutor":
        results = ordered_results(
            self._executor,
            read_range,
            lambda folder: [
                ReadTask(part, self._formats[file].name, folder, i) for i, (file, part) in enumerate(self._parts)
            ],
            self._work,
            os.fspath(self._out),
            is_kept=lambda folder, number: part_path(folder, number).is_file(),
            in_flight=_IN_FLIGHT,
            warm_up=warm_up,
        )
        self._stack.enter_context(changes_explained(self._identities))
        self.folder, self._results = self._stack.enter_context(results)
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self._stack.__exit__(kind, error, trace)
        except ChangedFileError:
            self.discard()
            raise
        if isinstance(error, ChangedFileError):
            self.discard()

    def discard(self) -> None:
        """Remove the parts, once the rows are where they were needed."""
        DISK.remove_tree(self.folder)

    def rows(
        self, on_bad: Callable[[BadRow], object], on_failure: Callable[[str], object]
    ) -> Iterator[ScoredPositions]:
        """Yield the rows of all files, in order. Bad rows and messages about damaged files go to functions."""
        assert self._results is not None
        lines, current, is_damaged = 0, -1, False
        for number, result in self._results:
            file, part = self._parts[number]
            if file != current:
                lines, current, is_damaged = 0, file, False
            if is_damaged:  # the file was not read beyond the damage
                continue
            self.bytes_read += result["read"]
            yield from _of_part(part_path(self.folder, number))
            for row in self._bad_rows(number, lines - result["header"]):
                on_bad(row._replace(file=self._names[file]))
            lines += result["lines"]
            if result["failure"] or part.stop is None:
                part.check()  # earlier ranges were read before
            if result["failure"]:
                is_damaged = True
                on_failure(renamed(result["failure"], part.path, self._names[file]))

    def _bad_rows(self, number: int, before: int) -> Iterator[BadRow]:
        """Yield the bad rows of a part; `before` is the number of lines before what was read for it."""
        path = bad_path(self.folder, number)
        if path.exists():
            with DISK.open(path) as file:
                for line in file:
                    row = BadRow(*json.loads(line))
                    yield row._replace(line=row.line + before)


def _of_part(path: Path) -> Iterator[ScoredPositions]:
    """Yield the rows of a part."""
    if path.stat().st_size:
        with DISK.open_native(pyarrow_module(), path, mapped=True) as file, ipc_module().open_stream(file) as reader:
            yield from map(_rows_of, reader)
