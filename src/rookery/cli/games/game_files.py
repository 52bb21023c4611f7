"""Files of games that commands read: names and standard input, and their reading by a job with a progress bar."""

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rookery.cli.options import overwrites
from rookery.cli.runner import Run, progress_bar

if TYPE_CHECKING:
    from rookery.games.read.on_executor import JobScan
    from rookery.games.read.options import ReadOptions


class StandardInput:
    """Standard input, under the name that messages use."""

    name = "standard input"

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes."""
        data: bytes = sys.stdin.buffer.read(size)
        return data


def opened(name: str) -> "str | Path | StandardInput":
    """Return what readers take for a name on the command line."""
    from rookery.sources.stores import is_remote

    if name == "-":
        return StandardInput()
    return name if is_remote(name) else Path(name)


def size_of(name: str) -> int | None:
    """Return the size of a file in bytes, or None if it is not known."""
    from rookery.sources import stores

    if stores.is_remote(name) or (name != "-" and Path(name).is_file()):
        return stores.size_of(name)
    return None


def total_size(names: Iterable[str]) -> int | None:
    """Return the size of several files in bytes, or None if one is not known."""
    sizes = [size_of(name) for name in names]
    return None if None in sizes else sum(size or 0 for size in sizes)


def bad_games(bad: int) -> str:
    """Return the message for bad games."""
    return f"{bad:,} bad {'game' if bad == 1 else 'games'}: rookery games --errors FILE lists all"


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
