"""Rows of training data that commands read: from files of rows and of games, with a progress bar."""

import contextlib
import itertools
import json
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rookery.cli.common import out, writing
from rookery.cli.games.game_files import bad_games, opened, reading_shown, scan_of, size_of, total_size
from rookery.cli.options import from_option, overwrites
from rookery.cli.runner import Run, bad_text, progress_bar

if TYPE_CHECKING:
    from rookery.data.training.samples import ScoredPositions
    from rookery.data.training.selection import RowSelection
    from rookery.data.training.text.rows import BadRow
    from rookery.games.read.options import ReadOptions

_OF_ENGINES: Final = ("binpack", "viriformat", "bulletformat", "plain", "packed-sfen")
FORMATS: Final = (*_OF_ENGINES, "leela", "action-value", "state-value", "behavioral-cloning", "bagz")
READ: Final = ("games", *FORMATS, "csv", "text")
_GAMES: Final = 1_000  # games whose positions are made at once
_SHOWN: Final = 5  # bad rows that are printed

format_option = from_option(READ, "The format of FILES", "their suffixes")


class TrainingRows:
    """Files of rows or games, and what was read of them."""

    def __init__(
        self,
        run: Run,
        names: list[str],
        source: str | None,
        options: "ReadOptions",
        selection: "RowSelection",
        executor: str | None = None,
        out: Path | None = None,
    ) -> None:
        """Take the command's files; with an output, what tasks read is kept next to it."""
        self.doubtful = ""  # the first score that was not read
        self.doubtful_games = self.bad_count = self.bad_games = self.games = self._read_by_tasks = 0
        self.selection = selection
        self.bad: list[BadRow] = []  # the first few
        self._run, self._names, self._source, self._options = run, names, source, options
        self._errors: Any = None
        self._executor, self._out = executor, out
        others = [name for name in names if not self.has_games(name)]
        for option in ("where", "encoding", "letters", "names"):
            if others and getattr(options, option) is not None:
                raise click.UsageError(f"--{option}: {others[0]!r} has positions, not games with headers")

    def keep_bad_rows(self, stack: contextlib.ExitStack, path: Path) -> None:
        """Write bad rows to a file, which replaces the one at `path` when the stack is left without an error."""
        from rookery.sources import files

        stack.enter_context(writing("--errors", path))
        self._errors = stack.enter_context(files.replacing(path))

    def rows(self) -> Generator["ScoredPositions", None, None]:
        """Yield the rows of all files, with a progress bar."""
        for are_games, names in itertools.groupby(self._names, self.has_games):
            if are_games:
                yield from self._games(list(names))
            elif self._executor is not None:
                yield from self._training_on_executor(list(names), self._executor)
            else:
                for name in names:
                    yield from self._training(name)

    @property
    def has_bad(self) -> bool:
        """Check whether something could not be read that was not to be skipped."""
        return bool(self._run.status or self.bad_count)

    def note_in(self, run: Run) -> None:
        """Tell a run what could not be read."""
        games = 0 if run.bad_are_skipped else run.bad
        hints = [bad_games(games)] if games else []
        hints += [f"{row}" for row in self.bad]
        if self.bad_count > len(self.bad):
            hints.append(f"and {self.bad_count - len(self.bad):,} more bad rows; --errors FILE lists all")
        self.bad_games = run.bad
        run.note_bad(games + self.bad_count, hint="\nError: ".join(hints))

    def has_games(self, name: str) -> bool:
        """Return whether a file is read as games."""
        from rookery.data.training.formats import format_of

        if self._source is not None:
            return self._source == "games"
        try:
            format_of(None, "FILES", name)
        except ValueError:
            return True
        return False

    def _games(self, names: list[str]) -> Generator["ScoredPositions", None, None]:
        from rookery.pgn.faults import SCORE_NOT_READ

        scan = scan_of(self._run, names, self._options, executor=self._executor, out=self._place_of_parts())
        with reading_shown(self._run, scan, lambda: f"{scan.games:,} games, {self._line()}"):
            for games in scan:
                for warning in games.warnings:
                    if warning.reason.endswith(SCORE_NOT_READ):
                        self.doubtful = self.doubtful or str(warning)
                        self.doubtful_games += 1
                for i in range(0, len(games), _GAMES):
                    yield from self.selection.of_games(games[i : i + _GAMES])
        self.games += scan.games

    def _place_of_parts(self) -> Path | None:
        """Return the name next to which the next files that are read together keep their parts."""
        n = len(self._run.jobs)
        return self._out.with_name(f"{self._out.name}-{n}") if n and self._out is not None else self._out

    def _training(self, name: str) -> Generator["ScoredPositions", None, None]:
        from rookery.data.training.reading import TrainingScan
        from rookery.sources.failures import DamagedFileError

        scan = TrainingScan(
            opened(name), self._source, 1 << 16, raises=False, on_bad=self._note, selection=self.selection
        )
        with progress_bar("reading", size_of(name)) as bar, scan:
            try:
                for rows in scan:
                    yield rows
                    bar.update(self._line(), scan.bytes_read)
            except DamagedFileError as error:
                self._run.failures.append(str(error))

    def _training_on_executor(self, names: list[str], executor: str) -> Generator["ScoredPositions", None, None]:
        from rookery.data.training.tasks.on_executor import TrainingOnExecutor

        place = self._place_of_parts()
        assert place is not None
        tasks = TrainingOnExecutor(names, self._source, place, executor, self.selection, force=overwrites())
        self._run.jobs.append(tasks)
        with progress_bar("reading", total_size(names)) as bar, tasks:
            for rows in tasks.rows(self._note, self._run.failures.append):
                yield rows
                bar.update(self._line(), tasks.bytes_read)
        self._read_by_tasks += tasks.rows_read

    def _note(self, row: "BadRow") -> None:
        self.bad_count += 1
        if len(self.bad) < _SHOWN:
            self.bad.append(row)
        if self._errors is not None:
            self._errors.write(json.dumps(row._asdict()).encode() + b"\n")

    @property
    def read(self) -> int:
        """Return the number of positions that were read, selected or not."""
        return self.selection.rows_read + self._read_by_tasks

    def _line(self) -> str:
        return f"{self.read:,} positions"

    def show_doubtful(self) -> None:
        """Print how many games have scores that were not read."""
        if n := self.doubtful_games:
            out.print(f"{n:,} {'game has' if n == 1 else 'games have'} scores that were not read: {self.doubtful}")

    def line_of(self, selected: int) -> str:
        """Return how many positions were read and could not be, and how many of them were selected."""
        bad = bad_text(self.bad_games, "bad games") + bad_text(self.bad_count, "bad rows")
        return f"{self.read:,} positions read{bad}" + (f", {selected:,} selected" if self.selection.selects else "")
