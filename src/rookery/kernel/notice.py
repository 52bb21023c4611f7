"""A line on standard error during compilation, once it has taken more than a second.

On a terminal the line is erased when the compiler is done. A notebook shows it once and keeps it. Elsewhere nothing is
printed.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

PATIENCE: Final = 1.0  # seconds of compilation, over all functions, before the line appears

_lock: Final = threading.Lock()
_under_way: list[str] = []  # the module whose function is being compiled, then those compiled for it
_spent = 0.0  # seconds of compilation so far
_line: tuple[Any, int] | None = None  # the terminal that shows the line, and the line's length
_shown_in_notebook = False


@contextlib.contextmanager
def shown(name: str) -> Iterator[None]:
    """Show `name` while the block compiles it, if compilation has taken long so far."""
    global _spent
    stream = sys.stderr
    if not (_is_terminal(stream) or _is_notebook()):
        yield
        return
    with _lock:
        outermost = not _under_way
        _under_way.append(name)
    timer = threading.Timer(max(PATIENCE - _spent, 0.0), _show, (stream,))
    timer.daemon = True
    start = time.monotonic()
    if outermost:
        timer.start()
    try:
        yield
    finally:
        with _lock:
            _under_way.pop()
            if outermost:
                timer.cancel()
                _spent += time.monotonic() - start
                _erase()


def _show(stream: Any) -> None:
    """Write the line, unless the compiler has finished meanwhile."""
    global _line, _shown_in_notebook
    with _lock, contextlib.suppress(OSError, ValueError):  # the stream may be closed
        if not _under_way:
            return
        name = _under_way[0]
        if _is_terminal(stream):
            # A line longer than the terminal could not be erased.
            text = f"compiling once for this CPU ('rookery compile' does it all): {name}"[: _width(stream) - 1]
            stream.write(f"\r{text}")
            _line = stream, len(text)
        elif not _shown_in_notebook:
            stream.write(
                f"rookery compiles {name} for this CPU. This happens once; the command 'rookery compile' compiles "
                "everything in advance.\n"
            )
            _shown_in_notebook = True
        stream.flush()


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
