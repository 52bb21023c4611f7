"""Prefetching: one thread unpacks the next chunks of a file while others read the chunks before them."""

import queue
import threading
from collections.abc import Iterator
from typing import Final

_MOST_CHUNKS: Final = 4  # unpacked chunks that wait to be read
_WAIT: Final = 0.1  # seconds between two checks whether the reader has stopped


def prefetch(chunks: Iterator[bytes], stopped: threading.Event) -> Iterator[bytes]:
    """Yield the same chunks, produced by a thread of their own before they are needed."""
    full: queue.Queue[tuple[bytes | None, BaseException | None]] = queue.Queue(_MOST_CHUNKS)

    def put(item: tuple[bytes | None, BaseException | None]) -> bool:
        while not stopped.is_set():
            try:
                full.put(item, timeout=_WAIT)
            except queue.Full:
                continue
            return True
        return False

    def produce() -> None:
        try:
            for chunk in chunks:
                if not put((chunk, None)):
                    return
        except BaseException as error:
            put((None, error))
        else:
            put((None, None))

    thread = threading.Thread(target=produce, name="rookery-unpack", daemon=True)
    thread.start()
    while True:
        try:
            chunk, error = full.get(timeout=_WAIT)
        except queue.Empty:
            continue
        if error is not None:
            raise error
        if chunk is None:
            return
        yield chunk
