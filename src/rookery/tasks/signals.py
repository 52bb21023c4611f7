"""Signals of the terminal, which reach all processes of a command at once."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Hold SIGINT and SIGTERM back until the block ends. Processes that start in the block never receive SIGINT.

    A worker that receives SIGINT while Python starts would print a traceback. Threads and processes inherit the blocked
    signals of the thread that starts them. Windows cannot block signals, so there workers receive SIGINT.
    """
    held: list[int] = []
    handlers = {}
    if threading.current_thread() is threading.main_thread():  # no other thread handles signals
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        handlers = {number: handler for number, handler in handlers.items() if handler is not None}  # or it is in C
    for number in handlers:
        signal.signal(number, lambda received, _: held.append(received))
    try:
        with _blocked():
            yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for received in held:
            signal.raise_signal(received)


@contextlib.contextmanager
def _blocked() -> Iterator[None]:
    """Block SIGINT in this thread."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or the first process would start it, which unblocks SIGINT
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
