"""The search of files on an executor: each task searches a range of a file."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from rookery.arguments import shown
from rookery.games.errors import all_bad
from rookery.games.headers.known_headers import Unknown, UnknownHeaderError, check_known, unknown_of
from rookery.games.read.game_ranges import ranges_of
from rookery.games.read.options import ReadOptions
from rookery.games.search.counts import HitCounts
from rookery.games.search.files import FileSearch, Progress, keep, name_of
from rookery.games.search.find import Options, checked_options, limited, no_hits
from rookery.games.search.hits import Hits
from rookery.positions.language.query import Query
from rookery.tasks.interface import Executor
from rookery.tasks.jobs import Job
from rookery.tasks.parts import RangeTask, TaskFiles


class RangeOptions(NamedTuple):
    """The query of a search in ranges of files, and the options of reading these."""

    query: str
    options: dict[str, Any]
    reading: ReadOptions
    counts: HitCounts | None  # empty


class Found(NamedTuple):
    """The result of a task; `games` were read, and `passed` is how many games of PGN these and unwanted ones are."""

    hits: Hits
    counts: HitCounts | None
    games: int
    passed: int
    progress: Progress
    failures: list[Exception]
    unknown: Unknown  # headers that no game of the range has


def search_range(task: RangeTask, running: TaskFiles) -> Found:
    """Search a range of a file; this runs in the workers of an executor."""
    what: RangeOptions = task.options
    options = checked_options(**what.options)
    counts = None if what.counts is None else what.counts.empty()
    parts = [no_hits(options)]
    read = 0
    error = None
    with FileSearch([task.part], Query(what.query), options, what.reading, counts=counts) as search:
        try:
            for games, hits in running.while_running(search):
                read += len(games)
                keep(hits, parts, options)
        except UnknownHeaderError as found:  # another range may have the header
            error = found
        hits = limited(Hits.concatenate(parts), options)
        return Found(hits, counts, read, search.passed, search.progress, search.failures, unknown_of(error))


class RangeSearch(Iterator[tuple[None, Hits]]):
    """A search of files on an executor, with the interface of `FileSearch`, but without the games.

    Yields the hits of each range of the files, in order. Raises TypeError for a source that is not a path.
    """

    def __init__(
        self,
        files: Sequence[Any],
        query: Query,
        options: Options,
        reading: ReadOptions,
        executor: Executor | str,
        *,
        counts: HitCounts | None = None,
    ) -> None:
        """Prepare the search; it begins with the first hits that are requested. Workers count for `counts`."""
        for i, file in enumerate(files):
            if not isinstance(file, (str, os.PathLike)):
                raise TypeError(f"source[{i}]: {shown(file)}: expected a path, since an executor may run elsewhere")
        query.plan.check_condition()
        asked = {**options._asdict(), "sort_by": None if options.sort_by is None else options.sort_by.text}
        asked["group_by"] = [query.text for query in options.group_by]
        ranges = [ranges_of(os.fspath(path), encoding=reading.encoding) for path in files]
        self._job = Job("search", ranges, executor, threads=reading.threads)
        what = RangeOptions(query.text, asked, reading, None if counts is None else counts.empty())
        self._what = [what] * len(ranges)
        self._counts = counts
        self._limit = options.limit if options.sort_by is None else None
        self.names = tuple(map(name_of, files))
        self.failures: list[Exception] = []
        self.unreadable: list[str] = []  # messages about files of which every game is bad
        self._reading = reading
        self.progress = Progress(0, 0, 0, 0)
        self.watch: Callable[[Progress], None] = lambda progress: None  # called after each range
        self._results = self._searched()

    def _searched(self) -> Iterator[tuple[None, Hits]]:
        games_of_file = bad_of_file = 0
        read = in_file = 0  # games of earlier ranges, and games of PGN in those of the same file
        unknown: list[Unknown] = []
        with self._job as job:
            for done in job.read(search_range, self._what, is_damaged=lambda found: bool(found.failures)):
                hits, counted, games, passed, progress, failures, nowhere = done.value
                unknown.append(nowhere)
                if self._counts is not None and counted is not None:
                    self._counts.merge(counted)
                in_file = in_file if done.part.start else 0
                if self._limit is not None:
                    hits = hits[: self._limit - self.progress.hits]
                # New columns, since those that come from another process may be read-only.
                hits.game = hits.game + read
                hits.number = hits.number + in_file
                in_file += passed
                read += games
                games_of_file, bad_of_file = (games_of_file, bad_of_file) if done.part.start else (0, 0)
                games_of_file, bad_of_file = games_of_file + progress.games, bad_of_file + progress.bad
                if done.part.stop is None and 0 < bad_of_file == games_of_file and self._reading.where is None:
                    self.unreadable.append(all_bad(self.names[done.file], bad_of_file))
                self.failures += failures
                progress = progress._replace(hits=len(hits))
                self.progress = Progress(*(a + b for a, b in zip(self.progress, progress, strict=True)))
                self.watch(self.progress)
                yield None, hits
                if self._limit is not None and self.progress.hits >= self._limit:
                    return
        check_known(unknown)

    def __next__(self) -> tuple[None, Hits]:
        return next(self._results)

    def close(self) -> None:
        """Cancel the tasks that wait."""
        self._results.close()  # type: ignore[attr-defined]  # a generator

    def __enter__(self) -> "RangeSearch":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
