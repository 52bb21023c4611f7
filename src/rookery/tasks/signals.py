"""Signals of the terminal, which reach all processes of a command at once."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Deliver SIGINT and SIGTERM only after the block, and SIGINT never to processes that start in it.

    A worker that Ctrl-C reaches while Python starts would print a traceback. Processes inherit the signals that are
    blocked in the thread that starts them, and so do threads.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or the first process would start it, which unblocks SIGINT
    held: list[int] = []
    handlers = {}
    if threading.current_thread() is threading.main_thread():  # no other thread handles signals
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in handlers:
        signal.signal(number, lambda received, _: held.append(received))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for received in held:
            signal.raise_signal(received)
