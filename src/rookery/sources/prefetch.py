"""Prefetching: one thread unpacks the next blocks of a file while others read the blocks before them."""

import queue
import threading
from collections.abc import Iterator
from typing import Final, TypeVar

T = TypeVar("T")

_MOST: Final = 4  # unpacked blocks that wait to be read
_WAIT: Final = 0.1  # seconds between two checks whether the reader has stopped


def prefetch(blocks: Iterator[T], stopped: threading.Event) -> Iterator[T]:
    """Yield the same blocks, produced by a thread of their own before they are needed."""
    full: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue(_MOST)

    def put(item: tuple[T | None, BaseException | None]) -> bool:
        while not stopped.is_set():
            try:
                full.put(item, timeout=_WAIT)
            except queue.Full:
                continue
            return True
        return False

    def produce() -> None:
        try:
            for block in blocks:
                if not put((block, None)):
                    return
        except BaseException as error:
            put((None, error))
        else:
            put((None, None))

    thread = threading.Thread(target=produce, name="rookery-unpack", daemon=True)
    thread.start()
    while True:
        try:
            block, error = full.get(timeout=_WAIT)
        except queue.Empty:
            continue
        if error is not None:
            raise error
        if block is None:
            return
        yield block
