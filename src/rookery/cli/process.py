"""The process that a command runs in: its standard streams, and the signals that end it."""

import contextlib
import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TextIO

INTERRUPTED: Final = 130  # the exit status after Ctrl-C; partial results have been printed
TERMINATED: Final = 143  # the same for SIGTERM, by which containers and job schedulers end a program


@contextlib.contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    """Treat SIGTERM in this block like Ctrl-C, but with its own exit status.

    A signal that the parent process ignores or handles stays as it is.
    """
    received = False

    def interrupt(*_: object) -> None:
        nonlocal received
        received = True
        raise KeyboardInterrupt

    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except SystemExit as end:
        if received and end.code == INTERRUPTED:
            raise SystemExit(TERMINATED) from None
        raise
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def replace_closed_streams() -> None:
    """Open the null device for standard streams that were closed when the program started.

    Otherwise the next file to be opened gets the number of the closed stream, and output could end up in it. Reading
    standard input and writing to standard output remain errors. Output on standard error is lost.
    """
    # Opened the wrong way round, input and output fail when they are used. A file gets the lowest number that is free.
    for name, way, mode in (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, way), mode, encoding="utf-8", closefd=False))  # noqa: SIM115


class HeldOutput(io.StringIO):
    """The text of standard output, held until the end of a command: what the locale cannot encode may come last."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(newline="")
        self.stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Return the encoding of the stream that the text is for."""
        return self.stream.encoding

    def fileno(self) -> int:
        """Return the number of the stream that the text is for."""
        return self.stream.fileno()

    def release(self) -> None:
        """Write the text, all or nothing; what cannot be encoded is an OSError."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        if character := unencodable(text, self.encoding):
            raise OSError(errno.EILSEQ, cannot_be_written(character, self.encoding))
        self.stream.write(text)
        self.stream.flush()


def hold_output() -> None:
    """Hold standard output until the command ends, if it goes to a file or a pipe and its encoding lacks characters."""
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper) and not stream.isatty() and unencodable("\u265a", stream.encoding):
        sys.stdout = HeldOutput(stream)


def unencodable(text: str, encoding: str | None) -> str:
    """Return the first character of a text that an encoding lacks, or an empty text.

    >>> unencodable("Réti", "ascii"), unencodable("Réti", "latin-1")
    ('é', '')
    """
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError as error:
        return text[error.start]
    return ""


def cannot_be_written(character: str, encoding: str | None) -> str:
    """Return the message for a character that the encoding of standard output lacks."""
    return f"{character!a} cannot be written in {encoding}: set PYTHONIOENCODING=utf-8 to write UTF-8"


def flush_output() -> None:
    """Write the rest of the buffer of standard output, or raise an OSError."""
    if isinstance(sys.stdout, HeldOutput):
        sys.stdout.release()
    elif sys.stdout and not sys.stdout.closed:
        sys.stdout.flush()


def drop_output() -> None:
    """Discard output that cannot be written, because Python would try again at exit and complain."""
    for stream in (sys.stdout, sys.stderr):
        stream = stream.stream if isinstance(stream, HeldOutput) else stream
        try:
            if stream:
                stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())


def in_a_line(error: OSError) -> str:
    """Describe an error and name its file. An error of the system without a file is one of writing the output."""
    if error.errno is None and str(error):  # the message names the file
        return str(error)
    if error.errno == errno.EBADF and error.filename is None:
        return "standard output is closed"
    return f"{error.filename or 'output'}: {error.strerror or error}"
