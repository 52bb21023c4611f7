"""Games of files that a command reads by a job, with a progress bar."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rookery.cli.game_files import bad_games, opened
from rookery.cli.options import overwrites
from rookery.cli.runner import Run, progress_bar

if TYPE_CHECKING:
    from rookery.games.read.on_executor import JobScan
    from rookery.games.read.options import ReadOptions


def scan_of(
    run: Run,
    files: list[str],
    reading: "ReadOptions",
    *,
    executor: str | None = None,
    out: Path | None = None,
    again: bool = False,
) -> "JobScan":
    """Return the games of files, or of standard input (``-``), to be read with `reading_shown`.

    What is read for an output is kept until the run ends without an error. With `again`, the games may be read several
    times.
    """
    from rookery.games.read.on_executor import JobScan

    sources = [opened(name) for name in files]
    scan = JobScan(sources, reading, executor, out, again=again, force=overwrites())
    run.jobs.append(scan)
    return scan


@contextlib.contextmanager
def reading_shown(run: Run, scan: "JobScan", line: Callable[[], str]) -> Iterator[None]:
    """Show a progress bar next to a line while games are read, and tell the run what could not be read."""
    from rookery.games.errors import GameErrorException

    with progress_bar("reading", scan.size) as bar:
        scan.watch = lambda: bar.update(line(), scan.bytes_read)
        try:
            with scan:
                yield
        except GameErrorException as error:  # an option asks to stop there
            raise click.ClickException(str(error)) from error
        finally:
            run.failures += [*map(str, scan.failures), *scan.unreadable]
            run.note_bad(run.bad + scan.bad, hint=bad_games(run.bad + scan.bad), skipped=scan.skips_bad)
