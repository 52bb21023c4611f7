"""Training data of files that tasks read on any executor. What a task has read is kept, so interrupted reading goes on.

A task reads a range of a file (`rookery.data.training.tasks.division`), and writes its rows to a part: an Arrow stream,
with a file of bad rows next to it. The parts are read back in order, while later ones are made.
"""

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from rookery.data.training.formats import format_of
from rookery.data.training.reading import TrainingScan
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.selection import RowSelection
from rookery.data.training.tasks import division
from rookery.data.training.text.rows import BadRow
from rookery.frames.arrow import ipc_module, pyarrow_module
from rookery.positions.layout import Columns
from rookery.positions.notation.arrow import from_arrow
from rookery.positions.positions import Positions
from rookery.rules.compiled import default_technique
from rookery.sources.disk import DISK
from rookery.sources.failures import DamagedFileError, raise_system_errors, renamed
from rookery.sources.formats import TEXT, Format, Kind
from rookery.sources.identity import identity_of
from rookery.sources.ranges import Division, division_of, paths_for_tasks, ranges_of
from rookery.sources.unpack import packing_of
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import Job, parts_path
from rookery.tasks.parts import RangeTask, TaskFiles

_ROWS: Final = 1 << 16  # of a batch
_SUFFIX: Final = ".arrow"  # of a part
_BAD: Final = ".bad.jsonl"  # of its bad rows
_OWN: Final = ("moves", "scores", "results", "plies")  # the columns besides those of positions


def warm_up() -> None:
    """Prepare what a worker needs, before its first task."""
    default_technique().tables()


def read_range(task: RangeTask, parts: TaskFiles) -> dict[str, Any]:
    """Write the rows of a range to a part, and return what was read as JSON holds it.

    The options of the task are the name of the file's format, and what `RowSelection.of_rows` returns. ``rows`` is the
    number of rows that were read, selected or not, ``read`` are the bytes, ``lines`` the line breaks, ``header`` those
    of the header that was read in front of the range, and ``bad`` is the number of bad rows. ``failure`` says why the
    range could not be read to its end.
    """
    ipc = ipc_module()
    options = ipc.IpcWriteOptions(compression="lz4")
    failure = ""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(parts.writing(_SUFFIX))
        bad: list[BadRow] = []
        form, (query, limit) = task.options
        selection = RowSelection(query, limit_score=limit)
        scan = stack.enter_context(
            TrainingScan(task.part, form, _ROWS, raises=False, on_bad=bad.append, selection=selection)
        )
        writer = None
        try:
            for rows in parts.while_running(scan):
                table = _table(rows)
                writer = writer or stack.enter_context(ipc.new_stream(file, table.schema, options=options))
                writer.write_table(table)
        except DamagedFileError as error:  # the rows before it are kept
            raise_system_errors([error])
            failure = str(error)
        if bad:
            rejects = stack.enter_context(parts.writing(_BAD))
            for row in bad:
                rejects.write(json.dumps(row).encode() + b"\n")
    return {
        "rows": selection.rows_read,
        "read": scan.bytes_read,
        "lines": scan.lines_read,
        "header": scan.header_lines,
        "bad": len(bad),
        "failure": failure,
    }


def _division_of(path: str) -> Division:
    packing = packing_of(path)
    return division_of(path, known=Format(Kind.PACKED, packing) if packing else TEXT)


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

    It is a context manager. `discard` removes the folder. `bytes_read` and `rows_read` are those of the files so far.
    """

    def __init__(
        self,
        sources: Sequence[str | os.PathLike[str]],
        format: str | None,
        out: Path,
        executor: Executor | str,
        selection: RowSelection | None = None,
        *,
        force: bool = False,
    ) -> None:
        """Prepare the reading of files; parts are kept in the folder ``OUT.parts``."""
        selection = selection or RowSelection()
        paths = paths_for_tasks(sources)
        formats = [format_of(format, "source", path) for path in paths]
        ranges = [
            ranges_of(
                path,
                _division_of(path),
                None if selection.needs_games else found.cuts,  # only who reads a file from its beginning sees games
                division.RANGE,
                identity_of(path),
            )
            for path, found in zip(paths, formats, strict=True)
        ]
        self._names = [os.fspath(source) for source in sources]
        self._options = [(found.name, selection.of_rows) for found in formats]
        self._selection = selection
        self._job = Job("convert", ranges, executor, folder=parts_path(out), options=self._options, force=force)
        self.bytes_read = self.rows_read = 0

    def __enter__(self) -> "TrainingOnExecutor":
        self._job.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._job.__exit__(kind, error, trace)

    @property
    def goes_on(self) -> bool:
        """Return whether parts are kept, so that the same work goes on from them."""
        return self._job.goes_on

    def discard(self) -> None:
        """Remove the parts, once the rows are where they were needed."""
        self._job.discard()

    def rows(
        self, on_bad: Callable[[BadRow], object], on_failure: Callable[[str], object]
    ) -> Iterator[ScoredPositions]:
        """Yield the rows of all files, in order. Bad rows and messages about damaged files go to functions."""
        lines, current = 0, -1
        results = self._job.read(
            read_range, self._options, is_damaged=lambda result: bool(result["failure"]), warm_up=warm_up
        )
        for done in results:
            result, file = done.value, done.file
            if file != current:
                lines, current = 0, file
            self.bytes_read += result["read"]
            yield from self._selection.thinned(_of_part(done.path(_SUFFIX)))
            self.rows_read += result["rows"]
            if result["bad"]:
                with DISK.open(done.path(_BAD)) as bad:
                    for line in bad:
                        row = BadRow(*json.loads(line))
                        on_bad(row._replace(file=self._names[file], line=row.line + lines - result["header"]))
            lines += result["lines"]
            if result["failure"]:
                on_failure(renamed(result["failure"], done.part.path, self._names[file]))


def _of_part(path: Path) -> Iterator[ScoredPositions]:
    """Yield the rows of a part."""
    if path.stat().st_size:
        with DISK.open_native(pyarrow_module(), path, mapped=True) as file, ipc_module().open_stream(file) as reader:
            yield from map(_rows_of, reader)
