"""Games of files that a command reads batch by batch, with a progress bar."""

import contextlib
import warnings
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rookery.cli.game_files import StandardInput, bad_games, opened, total_size
from rookery.cli.options import overwrites
from rookery.cli.runner import Run, progress_bar

if TYPE_CHECKING:
    from rookery.games.games import Games
    from rookery.games.read.on_executor import FileScan, ScanOnExecutor
    from rookery.games.read.options import ReadOptions
    from rookery.games.read.reader import GameScan

_BATCH: Final = 10_000


class GameBatches:
    """The games of several files, or of standard input (``-``), and how far they are read.

    files       names of files
    options     how to read them
    line        returns the line to show next to the progress bar
    executor    reads the files in tasks, if it is not None
    out         the output file: tasks keep what they read in a folder next to it
    games, bad, bytes, unpacked
                what was read so far
    failures    messages about files that could not be read to their ends, or hold no good game
    """

    def __init__(
        self,
        files: list[str],
        options: "ReadOptions",
        line: Callable[[], str],
        *,
        executor: str | None = None,
        out: Path | None = None,
    ) -> None:
        from rookery.sources.streams import check_source

        check_source([name for name in files if name != "-"])  # before anything is read
        self.files = files
        self.games = self.bad = self.bytes = self.unpacked = 0
        self.failures: list[str] = []
        self._options = options
        self._line = line
        self._executor, self._out = executor, out
        self._tasks: ScanOnExecutor | None = None
        self._unknown: list[Any] = []  # headers that no game of a file has

    def note_in(self, run: Run) -> None:
        """Tell a run what could not be read."""
        run.failures += self.failures
        run.note_bad(self.bad, hint=bad_games(self.bad), skipped=self._options.errors == "skip")

    def batches(self) -> Generator[tuple[str, "Games"], None, None]:
        """Yield the name of each file with each batch of its games. Close the generator when it is not read to its end.

        A header is unknown only if no game of any file has it.
        """
        from rookery.games.known_headers import check_known

        with contextlib.ExitStack() as stack:
            bar = stack.enter_context(progress_bar("reading", total_size(self.files)))
            self._tasks = stack.enter_context(self._on_executor()) if self._executor is not None else None
            for name in self.files:
                for games in self._of_file(name):
                    yield name, games
                    bar.update(self._line(), self.bytes)
            check_known(self._unknown)

    @property
    def goes_on(self) -> bool:
        """Check whether the same command would continue from finished tasks."""
        return self._tasks is not None and self._tasks.goes_on

    def discard_parts(self) -> None:
        """Remove what tasks have kept, once the output is complete."""
        if self._tasks is not None:
            self._tasks.discard()

    def _on_executor(self) -> "ScanOnExecutor":
        from rookery.games.read.on_executor import ScanOnExecutor

        assert self._executor is not None
        assert self._out is not None
        return ScanOnExecutor(self.files, self._out, self._options, self._executor, force=overwrites())

    def _scan(self, name: str) -> "GameScan | FileScan":
        from rookery.games.read.reader import scan_with

        if self._tasks is not None:
            return self._tasks.next_file()
        return scan_with(opened(name), self._options, _BATCH)

    def _of_file(self, name: str) -> Generator["Games", None, None]:
        from rookery.games.errors import GameErrorException, all_bad
        from rookery.games.known_headers import UnknownHeaderError, unknown_of
        from rookery.sources.failures import DamagedFileError, DamagedFileWarning

        games_before, bad_before, before, unpacked = self.games, self.bad, self.bytes, self.unpacked
        with warnings.catch_warnings(), self._scan(name) as scan:
            warnings.simplefilter("ignore", DamagedFileWarning)  # they are failures at the end
            with contextlib.ExitStack() as stack:
                stack.callback(lambda: self.failures.extend(map(str, scan.failures)))
                try:
                    for games in scan:
                        self.bytes, self.unpacked = before + scan.bytes_read, unpacked + scan.bytes_unpacked
                        self.games += len(games)
                        self.bad += sum(error.game > 0 for error in games.errors)
                        yield games
                    self._unknown.append({})
                except UnknownHeaderError as error:
                    self._unknown.append(unknown_of(error))
                except (DamagedFileError, GameErrorException) as error:  # which are no errors of what is written
                    raise click.ClickException(str(error)) from error
            self.bytes, self.unpacked = before + scan.bytes_read, unpacked + scan.bytes_unpacked
        bad = self.bad - bad_before
        good = self.games - games_before - (bad if self._options.errors == "keep" else 0)
        if bad and not good and self._options.where is None:
            shown_name = StandardInput.name if name == "-" else name
            self.failures.append(all_bad(shown_name, bad))
