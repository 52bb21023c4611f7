"""What all commands share: consoles, JSON, errors for people."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from rookery import files

# Results go to standard output; progress and errors to standard error. A pipe has no width to wrap to.
out = Console(highlight=False, soft_wrap=True)
if not out.is_terminal:
    out.width = 200
err = Console(stderr=True, highlight=False)

INTERRUPTED = 130  # the exit status of a command that Ctrl-C has ended, after it has told what it knew

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")


class OutputFile(click.Path):
    """A file to be written when the work is done. Where that cannot be, it is said before the work begins."""

    def __init__(self, *, new: bool = False) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)
        self.new = new

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path, if its folder is there."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.name:
            self.fail(f"{value!r}: expected the name of a file", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"{str(path)!r}: there is no folder {str(path.parent)!r}", param, ctx)
        if not os.access(path.parent, os.W_OK):
            self.fail(f"{str(path)!r}: the folder {str(path.parent)!r} may not be written to", param, ctx)
        if self.new and path.exists():
            self.fail(f"{str(path)!r} is there already: expected a new name", param, ctx)
        return path


def warned(text: str) -> None:
    """Say on standard error what is wrong, and not so wrong that the command ends."""
    err.print(text, style="yellow", markup=False, soft_wrap=True)


def write_file(option: str, path: Path, content: str | bytes, *, new: bool = False) -> None:
    """Write a file that an option names, whole or not at all."""
    with writing(option, path):
        files.write(path, content, new=new)


@contextlib.contextmanager
def writing(option: str, path: Path) -> Iterator[None]:
    """Write a file that an option names; what goes wrong is a message for people."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{option}: {path}: {error.strerror}") from error


def _told_in_a_line(error: OSError) -> str:
    """What went wrong, and with which file. What names none is the writing of output, to a full disk for instance."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream:  # there is none where the shell has closed it
                stream.flush()
        except OSError:  # Python would try again at the end, and complain: what is left goes nowhere
            with Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())
    return f"{error.filename or 'output'}: {error.strerror or error}"


class Commands(click.Group):
    """Commands whose ValueErrors and OSErrors are messages for people, not tracebacks."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program. The help too may go to a full disk, and the message that says so."""
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            if "--debug" in (kwargs.get("args") or sys.argv):
                raise
            text = _told_in_a_line(error)
            with contextlib.suppress(OSError):
                click.echo(f"Error: {text}", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except (ValueError, TypeError) as error:
            if ctx.obj and ctx.obj.get("debug"):
                raise
            raise click.UsageError(str(error)) from error
        except BrokenPipeError:
            sys.stderr.close()
            ctx.exit(1)


def print_json(document: Any) -> None:
    """One document on standard output."""
    click.echo(json.dumps(document, indent=2))


def size(n: int) -> str:
    """Bytes for people: ``'841 KB'`` in units of 1,024."""
    if n < 1024:
        return f"{n} B"
    return f"{n / 1024:,.1f} KB" if n < 10 * 1024 else f"{n / 1024:,.0f} KB"


def rate(n: float, unit: str) -> str:
    """A rate for people, in millions a second: ``'216 M positions/s'``, ``'0.013 M lines/s'``."""
    millions = n / 1e6
    return f"{millions:,.{0 if millions >= 100 else 1 if millions >= 1 else 3}f} M {unit}/s"


@contextlib.contextmanager
def compilation_shown() -> Iterator[None]:
    """Say what is being compiled, on a terminal."""
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
