"""Games of files that tasks read on any executor. What a task has read is kept, so interrupted reading goes on.

A task reads a range of a file (`rookery.sources.ranges`), and writes the games to a part: an Arrow stream. The
parts are read back in order, while later ones are made. Parts keep bad games with their errors, numbered from the
beginning of the range, and only the reader of the parts decides what becomes of bad games. The games of a damaged file
end with the first range that cannot be read to its end, as they do without tasks.
"""

import contextlib
import itertools
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from rookery.aliases import PgnErrors
from rookery.frames.arrow import ipc_module, pyarrow_module
from rookery.games.errors import GameError
from rookery.games.game_columns import Reports
from rookery.games.games import Games
from rookery.games.interchange.left_out import without_left_out
from rookery.games.known_headers import Unknown, UnknownHeaderError, check_known, unknown_of
from rookery.games.read.game_ranges import ranges_of
from rookery.games.read.options import ReadOptions
from rookery.games.read.reader import in_batches, read_pgn, scan_with
from rookery.games.read.schedule import judged
from rookery.sources.disk import DISK
from rookery.sources.failures import DamagedFileError, DamagedFileWarning, raise_system_errors, renamed
from rookery.sources.ranges import paths_for_tasks
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import Job, parts_path
from rookery.tasks.parts import RangeTask, TaskFiles, TaskResult

RANGE: Final = 1 << 25  # bytes of text that a task reads: a second of work
_GAMES: Final = 10_000  # of a batch of a part
_SUFFIX: Final = ".arrow"  # of a part


def warm_up() -> None:
    """Compile what a worker needs, before its first task."""
    read_pgn(b'[Event ""]\n\n1. e4 *')


def read_range(task: RangeTask, parts: TaskFiles) -> dict[str, Any]:
    """Write the games of a range to a part, and return its counts and reports as JSON holds them.

    ``games``, ``lines`` and ``bytes`` are those passed in PGN, ``left_out`` the errors and warnings that belong to no
    game, ``failures`` name and reason of damage, and ``unknown`` are headers that no game has.
    """
    ipc = ipc_module()
    written = ipc.IpcWriteOptions(compression="lz4")
    left_out: list[list[dict[str, Any]]] = [[], []]
    unknown: Unknown = {}
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(parts.writing(_SUFFIX))
        scan = stack.enter_context(scan_with(task.part, task.options, _GAMES)).without_warnings()
        writer = None
        try:
            for games in parts.while_running(scan):
                table = without_left_out(games.to_arrow())
                writer = writer or stack.enter_context(ipc.new_stream(file, table.schema, options=written))
                writer.write_table(table)
                for found, reports in zip(left_out, (games.columns.errors, games.columns.warnings), strict=True):
                    found += [report._asdict() for _, report in reports.left_out]
        except UnknownHeaderError as error:
            unknown = unknown_of(error)
        raise_system_errors(scan.failures)
        counted = scan.counted
        return {
            "games": counted.games,
            "lines": counted.lines,
            "bytes": counted.bytes_of_pgn,
            "read": counted.read,
            "unpacked": counted.unpacked,
            "left_out": left_out,
            "failures": [[str(failure), failure.reason] for failure in scan.failures],
            "unknown": unknown,
        }


class ScanOnExecutor:
    """The games of several files, read by tasks on an executor whose results are kept in a folder.

    It is a context manager, and itself an iterable of all games. `discard` removes the folder.
    """

    def __init__(
        self,
        sources: Sequence[str | os.PathLike[str]],
        out: str | os.PathLike[str],
        options: ReadOptions,
        executor: Executor | str | None,
        *,
        progress: Callable[[int, int], object] = lambda done, total: None,
        force: bool = False,
    ) -> None:
        """Prepare the reading of files, as `check_source` returns them; parts are kept in the folder ``OUT.parts``.

        Each task has ``options.threads`` threads. Without an executor all tasks share as many threads of this process.
        """
        paths = paths_for_tasks(sources)
        self._named = {path: os.fspath(source) for path, source in zip(paths, sources, strict=True)}
        self._job = Job(
            "games",
            [ranges_of(path, RANGE, encoding=options.encoding) for path in paths],
            executor,
            threads=options.threads,
            folder=parts_path(out),
            options=options.content(),
            force=force,
        )
        self._options, self._progress = options, progress
        self._files: Iterator[tuple[int, Iterator[TaskResult]]] = iter(())
        self.failures: list[DamagedFileError] = []  # of files that were read to their ends by iteration

    def __enter__(self) -> "ScanOnExecutor":
        self._job.__enter__()
        options = replace(self._options, errors="keep", threads=self._job.threads)
        results = self._job.read(
            read_range,
            [options] * len(self._job.inputs),
            is_damaged=lambda result: bool(result["failures"]),
            warm_up=warm_up,
            progress=self._progress,
        )
        self._files = itertools.groupby(results, lambda done: done.file)
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._job.__exit__(kind, error, trace)
        if isinstance(error, UnknownHeaderError):  # no other work can use the parts
            self.discard()

    @property
    def goes_on(self) -> bool:
        """Return whether parts are kept, so that the same work goes on from them."""
        return self._job.goes_on

    def discard(self) -> None:
        """Remove the parts, once the games are where they were needed."""
        self._job.discard()

    def __iter__(self) -> Iterator[Games]:
        unknown: list[Unknown] = []
        for _ in self._job.inputs:
            scan = self.next_file()
            try:
                yield from scan
                unknown.append({})
            except UnknownHeaderError as error:
                unknown.append(unknown_of(error))
            self.failures += scan.failures
        check_known(unknown)

    def next_file(self) -> "FileScan":
        """Return the games of the next file, to be read before those of another one."""
        return FileScan(next(self._files)[1], self._options.errors, self._named)


class FileScan(Iterator[Games]):
    """An iterator over the games of a file that tasks read, with the interface of `GameScan`."""

    def __init__(self, results: Iterator[TaskResult], errors: PgnErrors, named: dict[str, str]) -> None:
        self.failures: list[DamagedFileError] = []
        self.bytes_read = self.bytes_unpacked = 0
        self._results, self._errors, self._named = results, errors, named
        self._batches = in_batches(self._games(), _GAMES)

    def _games(self) -> Iterator[Games]:
        number = lines = offset = 0
        unknown: list[Unknown] = []
        for done in self._results:
            result, path = done.value, done.part.path
            self.bytes_read += result["read"]
            self.bytes_unpacked += result["unpacked"]
            name = self._named[path]
            for games in _of_part(done.path(_SUFFIX), result):
                later = _later(games, number, lines, offset, path, name)
                if self._errors == "raise" and result["failures"] and later.errors:
                    break  # the last game is bad because the file ends there
                yield judged(later, self._errors)
            for text, reason in result["failures"]:
                failure = DamagedFileError(renamed(text.removesuffix(f": {reason}"), path, name), reason)
                if self._errors == "raise":
                    raise failure
                self.failures.append(failure)
                warnings.warn(DamagedFileWarning(str(failure)), stacklevel=2)
            unknown.append({} if result["failures"] else result["unknown"])
            number += result["games"]
            lines += result["lines"]
            offset += result["bytes"]
        check_known(unknown)

    def __next__(self) -> Games:
        return next(self._batches)

    def close(self) -> None:
        """Stop reading."""
        self._batches.close()

    def __enter__(self) -> "FileScan":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _of_part(path: Path, result: dict[str, Any]) -> Iterator[Games]:
    """Yield the games of a part; the last ones have the errors and warnings that belong to no game."""
    errors, warned = ([(-1, GameError(**report)) for report in reports] for reports in result["left_out"])
    held: Games | None = None
    if path.stat().st_size:
        pa = pyarrow_module()
        with DISK.open_native(pa, path, mapped=True) as file, ipc_module().open_stream(file) as reader:
            for batch in reader:
                if held is not None:
                    yield held
                held = Games.from_arrow(pa.Table.from_batches([batch]), check=False)
            if held is None:
                held = Games.from_arrow(reader.schema.empty_table(), check=False)
    if held is None:
        return
    if errors or warned:
        columns = held.columns
        reports = {"errors": (columns.errors, errors), "warnings": (columns.warnings, warned)}
        held = Games._of_columns(
            columns.replace(**{k: Reports(old.size, (*old.items, *new)) for k, (old, new) in reports.items()})
        )
    yield held


def _later(games: Games, number: int, lines: int, offset: int, path: str, name: str) -> Games:
    """Count games, lines and bytes from the beginning of the file, and name it as the caller does."""
    columns = games.columns.with_reports(
        lambda row, e: e._replace(
            file=renamed(e.file, path, name),
            game=e.game + number if e.game else 0,
            line=e.line + lines,
            offset=e.offset + offset,
        )
    )
    files = columns.files.renamed(lambda text: renamed(text, path, name))
    return Games._of_columns(
        columns.replace(files=files, numbers=games.numbers + number, offsets=games.offsets + offset)
    )
