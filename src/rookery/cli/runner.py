"""The run of a command: progress, Ctrl-C, what could not be read, the result as text or JSON, and the exit status.

The exit status follows one rule, which docs/command-line.md describes: 0 if all was read and done, 1 if something could
not be, 2 for a command that cannot run as it is written, 130 after Ctrl-C and 143 after SIGTERM.
"""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Protocol

from rookery.cli.common import INTERRUPTED, err, out, plain, print_json

if TYPE_CHECKING:
    from rich.progress import Progress

_SHOWN: Final = 5  # messages of one kind that are printed


class Bar:
    """A progress bar on the terminal; without a terminal it shows nothing."""

    def __init__(self, progress: "Progress", doing: str, total: float | None) -> None:
        self._progress = progress
        self._task = progress.add_task(doing, total=total)

    def begin(self, doing: str, total: float | None = None) -> None:
        """Begin another bar below, which `update` and `advance` then move."""
        self._task = self._progress.add_task(doing, total=total)

    def update(self, doing: str | None = None, done: float | None = None, total: float | None = None) -> None:
        """Show what is being done, how much of it is done, and how much there is."""
        self._progress.update(self._task, description=doing, completed=done, total=total)

    def advance(self) -> None:
        """Show that one more piece of the work is done."""
        self._progress.advance(self._task)


@contextlib.contextmanager
def progress_bar(
    doing: str, total: float | None = None, *, counts: bool = False, elapsed: bool = False, width: int = 0
) -> Iterator[Bar]:
    """Show a bar while the block runs, with the time that remains, or that has passed.

    With `counts`, it also shows how many of all are done. The description takes `width` columns at least.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    text = TextColumn(f"{{task.description:{width or ''}}}")
    columns = [text, BarColumn(), *([MofNCompleteColumn()] if counts else [])]
    columns.append(TimeElapsedColumn() if elapsed else TimeRemainingColumn(compact=bool(width)))
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        yield Bar(progress, doing, total)


@contextlib.contextmanager
def compilation_shown() -> Iterator[None]:
    """Show on a terminal what is being compiled."""
    from rookery.kernel import watch_compilation

    with err.status("") as status:
        status.stop()
        done = 0

        def started() -> None:
            status.update(f"compiling for this CPU, once ({done + 1})")
            status.start()

        def finished() -> None:
            nonlocal done
            done += 1
            status.stop()

        with watch_compilation(started, finished):
            yield


class KeepsParts(Protocol):
    """Work whose finished parts are kept, so that the same command may go on from them."""

    @property
    def goes_on(self) -> bool:
        """Return whether parts are kept."""

    def discard(self) -> None:
        """Remove the parts."""


class Run:
    """The run of a command. Use it in a ``with`` statement: Ctrl-C ends the block, not the command.

    output        the output that the command writes, if it writes one
    failures      messages about inputs that could not be read to their ends, or not at all
    bad           games or rows that could not be read
    interrupted   whether Ctrl-C ended the block
    jobs          jobs whose parts are kept until the block ends without an error
    """

    def __init__(self, as_json: bool = False, output: Any = None) -> None:
        self.as_json, self.output = as_json, output
        self.failures: list[str] = []
        self.bad = 0
        self.bad_are_skipped = False
        self.interrupted = False
        self.jobs: list[KeepsParts] = []
        self._hint = ""
        self._begin = time.perf_counter()
        self._end: float | None = None
        self._compilation = contextlib.ExitStack()

    def __enter__(self) -> "Run":
        self._compilation.enter_context(compilation_shown())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        self._end = time.perf_counter()
        self._compilation.close()
        self.interrupted = isinstance(error, KeyboardInterrupt)
        if error is None:
            for job in self.jobs:
                job.discard()
        return self.interrupted

    def restart_clock(self) -> None:
        """Count the time from now on: what was before is compilation."""
        self._begin = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Return how long the work has taken so far."""
        return max((self._end or time.perf_counter()) - self._begin, 1e-9)

    @property
    def status(self) -> int:
        """Return the exit status."""
        if self.interrupted:
            return INTERRUPTED
        return int(bool(self.failures) or (self.bad > 0 and not self.bad_are_skipped))

    def note_bad(self, number: int, *, hint: str = "", skipped: bool = False) -> None:
        """Note how many games or rows are bad; `hint` is the message, and `skipped` says that they were expected."""
        self.bad, self._hint, self.bad_are_skipped = number, hint, skipped

    def finish(self, document: dict[str, Any], show: Callable[[], object], *, goes_on: bool = False) -> None:
        """Print the result as JSON or by `show`, then all that went wrong, and end the command with its status.

        With `goes_on`, the same command goes on after an interruption.
        """
        written = self.output if self.output is not None and not self.interrupted else None
        goes_on = goes_on or any(job.goes_on for job in self.jobs)
        if self.as_json:
            ended = {"seconds": round(self.seconds, 3), "complete": not (self.interrupted or self.failures)}
            named = {"failures": self.failures, "out": None if written is None else str(written)}
            print_json({**document, **ended, **named})
        else:
            if self.interrupted:
                nothing = ": nothing was written" if self.output is not None else ""
                out.print(f"interrupted{': the same command goes on from here' if goes_on else nothing}")
            show()
        for failure in self.failures[:_SHOWN]:
            err.print(plain(f"Error: {failure}"), soft_wrap=True)
        if (more := len(self.failures) - _SHOWN) > 0:
            err.print(f"Error: and {more:,} more", soft_wrap=True)
        if self.bad and self._hint and not self.bad_are_skipped:
            err.print(plain(f"Error: {self._hint}"), soft_wrap=True)
        self.end()

    def end(self) -> None:
        """End the command if its status is not 0; all has been printed."""
        if self.status:
            sys.exit(self.status)


def bad_text(number: int, what: str = "bad") -> str:
    """Return how many are bad for a summary, ``', 3 bad'`` or ``', 1 bad row'``, or nothing if none is."""
    return f", {number:,} {what.removesuffix('s') if number == 1 else what}" if number else ""
