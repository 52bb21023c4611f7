"""The search of files of games, batch by batch, as they are read."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.games.errors import all_bad
from rookery.games.games import Games
from rookery.games.headers.known_headers import Unknown, UnknownHeaderError, check_known, unknown_of
from rookery.games.positions.summaries import Summaries
from rookery.games.read.options import ReadOptions
from rookery.games.read.reader import GameScan, scan_with
from rookery.games.search.bounds import is_possible, may_rule_out
from rookery.games.search.counts import HitCounts
from rookery.games.search.find import Options, limited, search_games, valued
from rookery.games.search.hits import Hits
from rookery.positions.language.query import Query


class Progress(NamedTuple):
    """The progress of a search: games and half-moves searched, hits, bytes of the source read, and bad games."""

    games: int
    plies: int
    hits: int
    bytes_read: int
    bad: int = 0


class FileSearch(Iterator[tuple[Games, Hits]]):
    """A search of files, batch by batch: an iterator of games and the hits in them, and a context manager.

    A batch is what one thread reads at a time and then searches: a block of text, or some rows of a table. `progress`
    says how far the search is, and `failures` are the errors of files that could not be read to their ends. Hits of a
    batch are in the order of its games; `limit` and `sort_by` apply to each batch, and the search ends when `limit`
    hits have been found in order. With `counts`, hits are counted there, too, in the threads that find them.
    """

    def __init__(
        self,
        files: Sequence[Any],
        query: Query,
        options: Options,
        reading: ReadOptions,
        *,
        counts: HitCounts | None = None,
    ) -> None:
        """Prepare the search of files, as `rookery.sources.streams.check_source` returns them.

        Of the games, no more is read than needed, or everything if `reading` keeps their texts.
        """
        query.plan.check_condition()
        self._files, self._query, self._options, self._counts = list(files), query, options, counts
        self._limit = options.limit if options.sort_by is None else None
        self._found = 0  # hits in the batches that were taken
        self._reading = _needed(query, options, reading)
        self.names = tuple(map(name_of, self._files))
        self.failures: list[Exception] = []
        self.unreadable: list[str] = []  # messages about files of which every game is bad
        self.progress = Progress(0, 0, 0, 0)
        self.first_game = 0  # the index of the first game of the last batch
        self._left_out = Progress(0, 0, 0, 0)  # games that their stored summaries ruled out
        self._lock = threading.Lock()
        self._scan: GameScan | None = None
        self.watch: Callable[[Progress], None] = lambda progress: None  # called after each batch
        self._results = self._searched()

    def _searched(self) -> Iterator[tuple[Games, Hits]]:
        games_read = plies_read = before = bad = 0
        unknown: list[Unknown] = []
        for file, source in enumerate(self._files):
            games_before, bad_before = games_read, bad
            with scan_with(source, self._reading) as self._scan:
                self._scan.only_requested((*self._options.headers, *self._options.counted_headers))
                if may_rule_out(self._query):
                    self._scan.only_possible(self._possible)
                for games, result in self._read(unknown):
                    bad += sum(error.game > 0 for error in games.errors)
                    if result is None:
                        continue
                    hits, counted = result
                    if self._counts is not None and counted is not None:
                        self._counts.merge(counted)
                    if self._limit is not None and len(hits) > self._limit - self._found:
                        hits = hits[: self._limit - self._found]
                    hits.files, hits.number = games.columns.files.chosen(hits.game), games.numbers[hits.game]
                    hits.game += games_read
                    self.first_game = games_read
                    self._found += len(hits)
                    games_read += len(games)
                    plies_read += int(games.columns.plies.offsets[-1] - games.columns.plies.offsets[0])
                    self._set_progress(games_read, plies_read, before, bad)
                    self.watch(self.progress)
                    yield games, hits
                    if self._limit is not None and self._found >= self._limit:
                        return
                self.failures += self._scan.failures
                self._set_progress(games_read, plies_read, before, bad)
                before += self._scan.bytes_read
                only_bad = bad - bad_before == games_read - games_before > 0
                if only_bad and self._reading.where is None and not self._left_out.games:
                    self.unreadable.append(all_bad(self.names[file] or "the source", bad - bad_before))
        check_known(unknown)

    def _read(self, unknown: list[Unknown]) -> Iterator[tuple[Games, Any]]:
        """Yield the games of a file with their hits, and add to `unknown` the headers that no game of it has."""
        assert self._scan is not None
        error = None
        try:
            yield from self._scan.results(self._hits)
        except UnknownHeaderError as found:
            error = found
        unknown.append(unknown_of(error))

    def _hits(self, games: Games) -> tuple[Hits, HitCounts | None]:
        """Return the hits in a batch and their counts; this runs in the thread that has read it."""
        options, threads = self._options, 1
        if self._limit is not None:  # earlier batches that are not yet taken can only lower what is still wanted
            options = options._replace(limit=self._limit - self._found)
        elif self._scan is not None:
            threads += self._scan.idle_threads  # the last row groups of a table would leave them without work
        hits = search_games(games, self._query, options, threads)
        if self._counts is None:
            return hits, None
        counted = self._counts.empty()
        counted.add(hits)
        return hits, counted

    @property
    def passed(self) -> int:
        """Return the number of games of PGN in the file that is read, so far, whether they are wanted or not."""
        return 0 if self._scan is None else self._scan.counted.games

    def _set_progress(self, games: int, plies: int, bytes_before: int, bad: int) -> None:
        assert self._scan is not None
        with self._lock:
            left_out = self._left_out
        bytes_read = bytes_before + self._scan.bytes_read
        self.progress = Progress(games + left_out.games, plies + left_out.plies, self._found, bytes_read, bad)

    def _possible(self, summaries: Summaries) -> NDArray[np.bool_]:
        """Return False for games that their stored summaries rule out, and count these as searched."""
        possible = is_possible(self._query, summaries)
        left_out = ~possible
        games, plies = int(np.count_nonzero(left_out)), int(summaries.plies[left_out].sum(dtype=np.int64))
        with self._lock:
            done = self._left_out
            self._left_out = done._replace(games=done.games + games, plies=done.plies + plies)
        return possible

    def __next__(self) -> tuple[Games, Hits]:
        return next(self._results)

    def close(self) -> None:
        """Stop the search."""
        if self._scan is not None:
            self._scan.close()

    def __enter__(self) -> "FileSearch":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _needed(query: Query, options: Options, reading: ReadOptions) -> ReadOptions:
    """Return what has to be read of the games: everything if their texts are wanted, else no more than needed."""
    if reading.texts:
        return reading
    queries = [query, *valued(options)]
    names = dict.fromkeys([*options.headers, *(name for q in queries for name in q.headers)])
    names.pop("Result", None)
    return reading.for_moves(names, clocks=any(q.plan.needs_clocks for q in queries))


def name_of(source: Any) -> str:
    """Return the name of a file, or an empty text for anything without a name."""
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else getattr(source, "name", "")


def keep(hits: Hits, parts: list[Hits], options: Options) -> None:
    """Add hits to those kept; of sorted hits no more than the limit are kept."""
    if len(hits):
        parts.append(hits)
        if options.sort_by is not None and options.limit is not None and sum(map(len, parts)) > 4 * options.limit:
            parts[:] = [limited(Hits.concatenate(parts), options)]
