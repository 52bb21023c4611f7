"""Shared parts of all commands: consoles, JSON, messages for errors."""

import contextlib
import json
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.text import Text

from rookery.cli import process
from rookery.sources import files
from rookery.sources.failures import NotGamesError


class SafeConsole(Console):
    """A console that escapes control characters, which file names and headers of games may contain.

    While it shows progress, the library does not print its own line about compilation.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._quiet: list[contextlib.ExitStack] = []

    def set_live(self, live: Any) -> bool:
        """Begin to show progress."""
        from rookery.kernel import watch_compilation

        outermost = super().set_live(live)
        quiet = contextlib.ExitStack()
        quiet.enter_context(watch_compilation(lambda: None))
        self._quiet.append(quiet)
        return outermost

    def clear_live(self) -> None:
        """Stop showing progress."""
        super().clear_live()
        if self._quiet:
            self._quiet.pop().close()

    def render_str(self, text: str, **options: Any) -> Text:
        """Return the text with an escape for each control character except line breaks."""
        return super().render_str(lines_printable(text), **options)


# Results go to standard output; progress and errors to standard error. A pipe has no width to wrap to.
out = SafeConsole(highlight=False, soft_wrap=True)
if not out.is_terminal:
    out.width = 10_000
err = SafeConsole(stderr=True, highlight=False)

INTERRUPTED: Final = process.INTERRUPTED


def lines_printable(text: str) -> str:
    """Return the text with its control characters escaped, except line breaks."""
    if text.isprintable():
        return text
    from rookery.arguments import printable

    return "\n".join(map(printable, text.split("\n")))


def plain(text: str) -> Text:
    """Return a text without markup, for file names, commands and headers."""
    return Text(lines_printable(text))


def named_position(text: str) -> str:
    """Return the FEN of one of perft's named positions, or the given FEN."""
    from rookery.arguments import shown
    from rookery.counting.walk import POSITIONS

    if text not in POSITIONS and "/" not in text:
        raise ValueError(f"position: {shown(text)}: expected a FEN or one of {', '.join(POSITIONS)}")
    return POSITIONS.get(text, text)


def with_coordinates(*drawings: str) -> Iterator[str]:
    """Yield the lines of drawn boards in one row, with the names of ranks and files."""
    for rank, lines in zip(range(8, 0, -1), zip(*map(str.splitlines, drawings), strict=True), strict=True):
        yield f"{rank} {'   '.join(lines)}"
    yield "  " + "   ".join(["a b c d e f g h"] * len(drawings))


def warned(text: str) -> None:
    """Print warnings on standard error; the command goes on."""
    err.print(text, style="yellow", markup=False, soft_wrap=True)


def check_printable(texts: Iterable[str | None]) -> None:
    """Refuse texts that standard output cannot encode, before a file is written and they are printed."""
    encoding = getattr(sys.stdout, "encoding", None)
    for text in texts:
        if text and (character := process.unencodable(text, encoding)):
            raise click.ClickException(f"output: {process.cannot_be_written(character, encoding)}")


def write_file(option: str, path: Path, content: str | bytes, *, new: bool = False) -> None:
    """Write a file that an option names, completely or not at all."""
    with writing(option, path):
        files.write(path, content, new=new)


@contextlib.contextmanager
def writing(option: str, path: Path) -> Iterator[None]:
    """Write a file that an option names, and turn failures into messages."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # not of the system: the message names the file, which may be one that is read
            raise click.ClickException(str(error)) from error
        named = path if error.filename is None else Path(os.fsdecode(error.filename))
        if not named.is_relative_to(path):  # a file that is read
            raise
        raise click.ClickException(f"{option}: {path}: {error.strerror}") from error


@contextlib.contextmanager
def _messages_printable() -> Iterator[None]:
    """Escape control characters of the command line in error messages."""
    try:
        yield
    except click.ClickException as error:
        error.message = lines_printable(error.message)  # type: ignore[misc]  # final in some versions of click
        raise


@contextlib.contextmanager
def _warnings_in_a_line() -> Iterator[None]:
    """Print warnings as messages, without the line of source that caused them."""
    shown = warnings.showwarning
    warnings.showwarning = lambda message, *rest: warned(f"warning: {message}")
    try:
        yield
    finally:
        warnings.showwarning = shown


class Commands(click.Group):
    """Commands that print errors as messages, or with ``--debug`` as tracebacks."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Parse the command line up to the command's name."""
        with _messages_printable():
            return super().make_context(*arguments, **options)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program. A full disk may stop the help and its own error message, too."""
        process.replace_closed_streams()
        process.hold_output()
        try:
            with process.sigterm_as_ctrl_c():
                try:
                    return super().main(*args, **kwargs)
                finally:
                    process.flush_output()
        except OSError as error:
            if "--debug" in (kwargs.get("args") or sys.argv):
                raise
            process.drop_output()
            with contextlib.suppress(OSError):
                if not isinstance(error, BrokenPipeError):  # whoever read the output wants no more of it
                    click.echo(f"Error: {lines_printable(process.in_a_line(error))}", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            with _messages_printable(), _warnings_in_a_line():
                result = super().invoke(ctx)
            process.flush_output()
        except KeyboardInterrupt:
            # Commands that have partial results print them themselves.
            err.print("interrupted")
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            process.drop_output()
            ctx.exit(1)
        except ModuleNotFoundError as error:
            if (ctx.obj and ctx.obj.get("debug")) or (error.name or "").startswith("rookery"):
                raise
            # Of an extra that is not installed: the message says how to.
            raise click.ClickException(lines_printable(str(error))) from error
        except NotGamesError as error:
            raise click.ClickException(lines_printable(str(error))) from error
        except (ValueError, TypeError, MemoryError, RecursionError) as error:
            if ctx.obj and ctx.obj.get("debug"):
                raise
            if isinstance(error, (ValueError, TypeError)):
                raise click.UsageError(lines_printable(str(error))) from error
            name = "out of memory" if isinstance(error, MemoryError) else "nested too deep"
            raise click.ClickException(lines_printable(f"{name}: {error}" if str(error) else name)) from error
        return result


def print_json(document: Any) -> None:
    """Print one JSON document on standard output."""
    click.echo(json.dumps(document, indent=2))


def size(n: int) -> str:
    """Return a number of bytes as text, ``'841 KiB'``, in units of 1,024."""
    if n < 1024:
        return f"{n} B"
    return f"{n / 1024:,.1f} KiB" if n < 10 * 1024 else f"{n / 1024:,.0f} KiB"


def rate(n: float, unit: str) -> str:
    """Return a rate as text, in millions a second: ``'216 M positions/s'``, ``'0.013 M lines/s'``."""
    millions = n / 1e6
    return f"{millions:,.{0 if millions >= 100 else 1 if millions >= 1 else 3}f} M {unit}/s"
