"""Games of files that the tasks of a job read. What a task has read is kept, so interrupted reading goes on.

A task reads a range of a file (`rookery.sources.ranges`), and writes the games to a part: an Arrow stream. The
parts are read back in order, while later ones are made. Parts keep bad games with their errors, numbered from the
beginning of the range, and only the reader of the parts decides what becomes of bad games. The games of a damaged file
end with the first range that cannot be read to its end, as they do without tasks.

Without an executor, a file that cannot be divided, such as a packed one, is read here, and becomes many parts. Files
that take a second have no parts: to write a part and to read it back takes half as long as to read the games. Neither
have any files where pyarrow, in whose format parts are, is not installed.
"""

import contextlib
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from rookery.aliases import PgnErrors
from rookery.frames.arrow import empty_table, ipc_module, pyarrow_module
from rookery.games.errors import GameError, GameErrorException, all_bad
from rookery.games.game_columns import Reports
from rookery.games.games import Games
from rookery.games.headers.known_headers import Unknown, UnknownHeaderError, check_known, unknown_of
from rookery.games.interchange.left_out import without_left_out
from rookery.games.read.game_ranges import ranges_of
from rookery.games.read.options import ReadOptions
from rookery.games.read.reader import in_batches, read_pgn, scan_with
from rookery.games.read.schedule import judged
from rookery.lazy_imports import is_installed
from rookery.sources import stores
from rookery.sources.disk import DISK
from rookery.sources.failures import DamagedFileError, raise_system_errors, renamed
from rookery.sources.file_range import FileRange
from rookery.sources.identity import Identity
from rookery.sources.ranges import STANDARD_INPUT, division_of, paths_for_tasks
from rookery.sources.streams import check_source
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import Job, goes_on, parts_path
from rookery.tasks.parts import RangeTask, TaskFiles, TaskResult

RANGE: Final = 1 << 25  # bytes of text that a task reads: a second of work
_GAMES: Final = 10_000  # of a batch of a part
_SUFFIX: Final = ".arrow"  # of a part
_PACKED: Final = 10  # bytes of text in a byte of a packed file, at most


StreamBlock: TypeAlias = tuple[list[Games], dict[str, Any]]  # some games of a file, and the result of their task


class _Work(NamedTuple):
    """How to read a range, and whether its games become a part; else they are the result."""

    reading: ReadOptions
    has_parts: bool


def warm_up() -> None:
    """Compile what a worker needs, before its first task."""
    read_pgn(b'[Event ""]\n\n1. e4 *')


def read_range(task: RangeTask, files: TaskFiles) -> dict[str, Any]:
    """Write the games of a range to a part, and return its counts and reports as JSON holds them.

    ``games``, ``lines`` and ``bytes`` are those passed in PGN, ``left_out`` the errors and warnings that belong to no
    game, ``failures`` name and reason of damage, and ``unknown`` are headers that no game has, None if more of the
    range follows. The games themselves are ``held`` if they become no part.
    """
    work: _Work = task.options
    if task.is_streamed:
        games, result = task.block or ([], _result())
        return _kept(games, work.has_parts, files, result)
    unknown: Unknown = {}
    with scan_with(task.part, work.reading, _GAMES).without_warnings() as scan:

        def batches() -> Iterator[Games]:
            try:
                yield from files.while_running(scan)
            except UnknownHeaderError as error:
                unknown.update(unknown_of(error))

        result = _kept(batches(), work.has_parts, files, {})
        raise_system_errors(scan.failures)
        counted = scan.counted
        passed = {"games": counted.games, "lines": counted.lines, "bytes": counted.bytes_of_pgn}
        return _result(counted.read, counted.unpacked, scan.failures, unknown) | passed | result


def _result(
    read: int = 0, unpacked: int = 0, failures: Iterable[DamagedFileError] = (), unknown: Unknown | None = None
) -> dict[str, Any]:
    named = [[str(failure), failure.reason] for failure in failures]
    passed = dict.fromkeys(("games", "lines", "bytes"), 0)
    return {**passed, "read": read, "unpacked": unpacked, "failures": named, "unknown": unknown}


def _kept(batches: Iterable[Games], has_parts: bool, files: TaskFiles, result: dict[str, Any]) -> dict[str, Any]:
    """Write games to a part, or hold them; return the result of their task."""
    if not has_parts:
        return {**result, "held": list(batches)}
    ipc = ipc_module()
    written = ipc.IpcWriteOptions(compression="lz4")
    left_out: list[list[dict[str, Any]]] = [[], []]
    kept = 0
    with contextlib.ExitStack() as stack:
        file, writer = stack.enter_context(files.writing(_SUFFIX)), None
        for games in batches:
            table = without_left_out(games.to_arrow())
            writer = writer or stack.enter_context(ipc.new_stream(file, table.schema, options=written))
            writer.write_table(table)
            kept += len(games)
            for found, reports in zip(left_out, (games.columns.errors, games.columns.warnings), strict=True):
                found += [report._asdict() for _, report in reports.left_out]
    return {**result, "left_out": left_out, "kept": kept}


class GamesPart(NamedTuple):
    """The games of a range that a task has read: its part, and its result; a worker may read them back.

    number, lines, offset   the games, lines and bytes of the file before the range
    source, name            the path of the file, and its name for the caller
    """

    path: Path
    result: dict[str, Any]
    number: int
    lines: int
    offset: int
    source: str
    name: str

    def __str__(self) -> str:
        """Return the file and its first game."""
        return f"{self.name}, games after {self.number:,}"

    def games(self) -> Iterator[Games]:
        """Yield the games, with numbers and errors that count from the beginning of the file."""
        for games in _of_part(self.path, self.result):
            yield self.later(games)

    def later(self, games: Games) -> Games:
        """Count games, lines and bytes from the beginning of the file, and name it as the caller does."""
        columns = games.columns.with_reports(
            lambda row, e: e._replace(
                file=renamed(e.file, self.source, self.name),
                game=e.game + self.number if e.game else 0,
                line=e.line + self.lines,
                offset=e.offset + self.offset,
            )
        )
        files = columns.files.renamed(lambda text: renamed(text, self.source, self.name))
        return Games._of_columns(
            columns.replace(files=files, numbers=games.numbers + self.number, offsets=games.offsets + self.offset)
        )


class JobScan:
    """The games of several files, read by the tasks of a job. It is a context manager, and an iterable of all games.

    bytes_read, bytes_unpacked    what was read so far, as in `GameScan`
    games, bad                    the number of games so far, and of the bad ones among them
    failures                      the errors of files that could not be read to their ends, so far
    unreadable                    messages about files of which every game is bad
    names, ends                   the names of the files, and the number of games up to the end of each, so far

    `discard` removes the parts. `parts` yields them instead of the games. With `again`, the games may be iterated
    several times; they are read once.
    """

    def __init__(
        self,
        sources: Sequence[Any],
        options: ReadOptions,
        executor: Executor | str | None,
        out: str | os.PathLike[str] | None,
        *,
        again: bool = False,
        further: Any = None,
        progress: Callable[[int, int], object] = lambda done, total: None,
        force: bool = False,
    ) -> None:
        """Prepare the reading of files; the parts of an output `out` are kept in the folder ``OUT.parts``.

        `further` is all that the tasks of `run` depend on, as JSON holds it; then all games become parts.

        Each task has ``options.threads`` threads. Without an executor all tasks share as many threads of this process,
        and a source may also be an open file, from which nothing goes on.
        """
        check_source(list(sources))  # before anything is read
        self._sources, self._named = list(sources), {}
        self.names = [os.fspath(s) if _is_path(s) else getattr(s, "name", "the source") for s in sources]
        ranges: list[list[FileRange]] = []
        for source in sources:
            if executor is None and not _is_file(source):
                ranges.append(list(ranges_of(STANDARD_INPUT)))
                continue
            (path,) = paths_for_tasks([source])
            self._named[path] = os.fspath(source)
            ranges.append(list(ranges_of(path, RANGE, encoding=options.encoding)))
        self._options, self._progress = options, progress
        self._again = again
        self._has_parts = (out is not None or again) and (
            executor is not None
            or further is not None
            or (is_installed("pyarrow") and (_takes_long(ranges) or (out is not None and goes_on(out))))
        )
        self._job = Job(
            "games",
            ranges,
            executor,
            threads=options.threads,
            folder=parts_path(out) if out is not None and self._has_parts else None,
            options=options.content() | ({} if further is None else {"further": further}),
            force=force,
        )
        self._streams = {
            file: partial(self._stream, file)
            for file, (first, *others) in enumerate(ranges)
            if executor is None and not others and _is_stream(first)
        }
        self._results: Iterable[TaskResult] = ()
        self.watch: Callable[[], object] = lambda: None  # called after each batch
        self._begin()

    def _begin(self) -> None:
        self.games = self.bad = self.bytes_read = self.bytes_unpacked = 0
        self.failures: list[DamagedFileError] = []
        self.unreadable: list[str] = []
        self.ends: list[int] = []

    def __enter__(self) -> "JobScan":
        self._job.__enter__()
        work = _Work(replace(self._options, errors="keep", threads=self._job.threads), self._has_parts)
        self._results = self._job.read(
            read_range,
            [work] * len(self._sources),
            is_damaged=lambda result: bool(result["failures"]),
            streams=self._streams,
            warm_up=warm_up,
            progress=self._progress,
        )
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if not isinstance(self._results, list):
            self._results.close()  # type: ignore[attr-defined]  # a generator
        self._job.__exit__(kind, error, trace)
        raised = self._options.errors == "raise" and isinstance(error, (GameErrorException, DamagedFileError))
        if raised or isinstance(error, UnknownHeaderError):  # the same would come again
            self.discard()

    @property
    def size(self) -> int | None:
        """Return the bytes of all files, None if they are not known."""
        return self._job.size

    @property
    def skips_bad(self) -> bool:
        """Return whether bad games are left out."""
        return self._options.errors == "skip"

    @property
    def goes_on(self) -> bool:
        """Return whether parts are kept, so that the same work goes on from them."""
        return self._job.goes_on

    def discard(self) -> None:
        """Remove the parts, once the games are where they were needed."""
        self._job.discard()

    def __iter__(self) -> Iterator[Games]:
        unknown: list[Unknown] = []
        taken: list[TaskResult] = []
        self._begin()
        for file, results in itertools.groupby(self._results, lambda done: done.file):
            games, bad = self.games, self.bad
            for batch in in_batches(self._of_file(results, unknown, taken), _GAMES):
                self.games += len(batch)
                self.bad += sum(error.game > 0 for error in batch.errors)
                yield batch
                self.watch()
            self.ends.append(self.games)
            games, bad = self.games - games, self.bad - bad
            if bad and games == (bad if self._options.errors == "keep" else 0) and self._options.where is None:
                self.unreadable.append(all_bad(self.names[file], bad))
        check_known(unknown)
        if self._again:
            self._results = taken

    def parts(self) -> Iterator[GamesPart]:
        """Yield what each task has read, in order, instead of the games: tasks of `run` may read them."""
        unknown: list[Unknown] = []
        self._begin()
        for _, results in itertools.groupby(self._results, lambda done: done.file):
            yield from self._parts_of_file(results, unknown)
        check_known(unknown)

    def run(self, work: Callable[[Any, TaskFiles], Any], tasks: Sequence[Any], **options: Any) -> Iterator[TaskResult]:
        """Do further tasks, with the options of `Job.run`."""
        return self._job.run(work, tasks, warm_up=warm_up, **options)

    @property
    def threads(self) -> int:
        """Return the number of threads of a task."""
        return self._job.threads

    @property
    def identities(self) -> dict[str, Identity]:
        """Return what each file was when it was divided."""
        firsts = [ranges[0] for ranges in self._job.inputs if ranges]
        return {one.path: one.identity for one in firsts if one.identity is not None}

    @property
    def folder(self) -> Path:
        """Return the folder of the parts."""
        return Path(self._job.folder)

    def _of_file(
        self, results: Iterable[TaskResult], unknown: list[Unknown], taken: list[TaskResult]
    ) -> Iterator[Games]:
        """Yield the games of a file; add the unknown headers of each range, and the results that were taken."""
        errors = self._options.errors

        def noted() -> Iterator[TaskResult]:
            for done in results:
                taken.append(done)
                yield done

        for part in self._parts_of_file(noted(), unknown):
            for games in part.games() if self._has_parts else map(part.later, self._held(part.result)):
                if errors == "raise" and part.result["failures"] and games.errors:
                    break  # the last game is bad because the file ends there
                yield judged(games, errors)

    def _parts_of_file(self, results: Iterable[TaskResult], unknown: list[Unknown]) -> Iterator[GamesPart]:
        """Yield the parts of a file, and note after each what could not be read."""
        number = lines = offset = 0
        for done in results:
            result, path = done.value, done.part.path
            self.bytes_read += result["read"]
            self.bytes_unpacked += result["unpacked"]
            name = self._named.get(path, path)
            yield GamesPart(done.path(_SUFFIX), result, number, lines, offset, path, name)
            for text, reason in result["failures"]:
                failure = DamagedFileError(renamed(text.removesuffix(f": {reason}"), path, name), reason)
                if self._options.errors == "raise":
                    raise failure
                self.failures.append(failure)
            if result["unknown"] is not None:
                unknown.append({} if result["failures"] else result["unknown"])
            number += result["games"]
            lines += result["lines"]
            offset += result["bytes"]

    def _held(self, result: dict[str, Any]) -> list[Games]:
        """Return the games that a task holds, which go with it unless they will be read again."""
        games: list[Games] = result["held"] if self._again else result.pop("held")
        return games

    def _stream(self, file: int) -> Iterator[tuple[StreamBlock, int]]:
        """Yield the games of a file that cannot be divided, each batch with the result of its task."""
        (part,) = self._job.inputs[file]
        source = self._sources[file] if part.identity is None else part
        errors: PgnErrors = "raise" if self._options.errors == "raise" else "keep"
        return games_of_stream(source, replace(self._options, errors=errors), _GAMES)


def games_of_stream(
    source: Any, reading: ReadOptions, size: int, batches: int = 1
) -> Iterator[tuple[StreamBlock, int]]:
    """Yield the games of a file that is read from its beginning to its end, and the bytes of it that were read so far.

    Each block has so many batches of games, and the result of its task; the last one may be empty.
    """
    read = unpacked = 0
    unknown: Unknown = {}
    held: list[Games] = []

    def result(failures: Iterable[DamagedFileError] = (), unknown: Unknown | None = None) -> dict[str, Any]:
        nonlocal read, unpacked
        before, read, unpacked = (read, unpacked), scan.bytes_read, scan.bytes_unpacked
        return _result(read - before[0], unpacked - before[1], failures, unknown)

    with scan_with(source, reading, size).without_warnings() as scan:
        try:
            for games in scan:
                held.append(games)
                if len(held) == batches:
                    yield (held, result()), read
                    held = []
        except UnknownHeaderError as error:
            unknown = unknown_of(error)
        except DamagedFileError as error:
            scan.failures.append(error)
        raise_system_errors(scan.failures)
        yield (held, result(scan.failures, unknown)), read


def _is_file(source: Any) -> bool:
    """Return whether a source is a file that can be read again."""
    return _is_path(source) and (stores.is_remote(source) or Path(source).is_file())


def _is_stream(part: FileRange) -> bool:
    """Return whether a file that is not divided is too much for one task: packed, large, or not a file."""
    size = None if part.identity is None else part.identity.size
    return size is None or size > RANGE or division_of(part.path).is_stream


def _takes_long(ranges: Sequence[Sequence[FileRange]]) -> bool:
    """Return whether files have more text than one task takes; a packed file may have ten times its size."""
    size = 0
    for first, *_ in ranges:
        own = None if first.identity is None else first.identity.size
        if own is None:
            return True
        size += own * (_PACKED if division_of(first.path).is_stream else 1)
    return size > RANGE


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def _of_part(path: Path, result: dict[str, Any]) -> Iterator[Games]:
    """Yield the games of a part; the last ones have the errors and warnings that belong to no game."""
    errors, warned = ([(-1, GameError(**report)) for report in reports] for reports in result.get("left_out", ((), ())))
    held: Games | None = None
    if path.stat().st_size:
        pa = pyarrow_module()
        with DISK.open_native(pa, path, mapped=True) as file, ipc_module().open_stream(file) as reader:
            for batch in reader:
                if held is not None:
                    yield held
                held = Games.from_arrow(pa.Table.from_batches([batch]), check=False)
            if held is None:
                held = Games.from_arrow(empty_table(reader.schema), check=False)
    if held is None:
        return
    if errors or warned:
        columns = held.columns
        reports = {"errors": (columns.errors, errors), "warnings": (columns.warnings, warned)}
        held = Games._of_columns(
            columns.replace(**{k: Reports(old.size, (*old.items, *new)) for k, (old, new) in reports.items()})
        )
    yield held
