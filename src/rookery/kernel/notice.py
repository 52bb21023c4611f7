"""A line on standard error during compilation, once it has taken more than a second.

On a terminal the line counts the functions compiled so far and the seconds, and is erased when the compiler is done.
How many functions there will be is known only when all their types are. A notebook shows the line once and keeps it.
Elsewhere nothing is printed.

`warn_once` issues warnings of one line, each once per process.
"""

import contextlib
import os
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from typing import Any, Final

PATIENCE: Final = 1.0  # seconds of compilation, over all functions, before the line appears

_lock: Final = threading.Lock()
_under_way: list[str] = []  # the module whose function is being compiled, then those compiled for it
_functions = 0  # compiled so far for the outermost of them
_started = 0.0  # the time at which its compilation began
_spent = 0.0  # seconds of compilation so far
_line: tuple[Any, int] | None = None  # the terminal that shows the line, and the line's length
_shown_in_notebook = False


@contextlib.contextmanager
def shown(name: str) -> Iterator[None]:
    """Show `name` while the block compiles it, if compilation has taken long so far."""
    global _spent, _functions, _started
    stream = sys.stderr
    if not (_is_terminal(stream) or _is_notebook()):
        yield
        return
    with _lock:
        outermost = not _under_way
        _under_way.append(name)
        if outermost:
            _functions, _started = 0, time.monotonic()
    timer = threading.Timer(max(PATIENCE - _spent, 0.0), _show, (stream,))
    timer.daemon = True
    if outermost:
        timer.start()
    try:
        yield
    finally:
        with _lock:
            _under_way.pop()
            if outermost:
                timer.cancel()
                _spent += time.monotonic() - _started
                _erase()


def count_function() -> None:
    """Count one of the functions that are compiled for the one under way, and update the line if it is shown."""
    global _functions
    with _lock, contextlib.suppress(OSError, ValueError):
        if _under_way:
            _functions += 1
        if _line is not None:
            _write(_line[0])


def _show(stream: Any) -> None:
    """Write the line, unless the compiler has finished meanwhile."""
    global _shown_in_notebook
    with _lock, contextlib.suppress(OSError, ValueError):  # the stream may be closed
        if not _under_way:
            return
        name = _under_way[0]
        if _is_terminal(stream):
            _write(stream)
        elif not _shown_in_notebook:
            stream.write(
                f"rookery compiles {name} for this CPU. This happens once; the command 'rookery compile' compiles "
                "everything in advance.\n"
            )
            stream.flush()
            _shown_in_notebook = True


def _write(terminal: Any) -> None:
    """Write the line over the one that the terminal shows."""
    global _line
    seconds = time.monotonic() - _started
    text = f"compiling {_under_way[0]} once for this CPU: {_functions} functions, {seconds:.0f} s"
    # A line longer than the terminal could not be erased.
    text = f"{text} ('rookery compile' does it all)"[: _width(terminal) - 1]
    shown = _line[1] if _line is not None else 0
    terminal.write(f"\r{text.ljust(shown)}")
    terminal.flush()
    _line = terminal, max(len(text), shown)


def _erase() -> None:
    global _line
    line, _line = _line, None
    if line is not None:
        stream, length = line
        with contextlib.suppress(OSError, ValueError):
            stream.write(f"\r{' ' * length}\r")
            stream.flush()


def _width(terminal: Any) -> int:
    try:
        return os.get_terminal_size(terminal.fileno()).columns or 80
    except (OSError, ValueError, AttributeError):
        return 80


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream and stream.isatty())
    except (AttributeError, ValueError):  # replaced by a simpler object, or closed
        return False


def _is_notebook() -> bool:
    """Check whether IPython runs in the kernel of a notebook."""
    get = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return get is not None and getattr(get(), "kernel", None) is not None


_subjects: Final[set[str]] = set()


def warn_once(subject: str, message: str) -> None:
    """Issue a RuntimeWarning, unless this process has issued one about the same subject."""
    if subject not in _subjects:
        _subjects.add(subject)
        # No file and no line: what the user wrote is not the cause, and Python would print the line below the message.
        warnings.warn_explicit(message, RuntimeWarning, "rookery", 0)


def has_warned(subject: str) -> bool:
    """Check whether this process has issued a warning about a subject."""
    return subject in _subjects
