"""Chunks made ahead of time: what is unpacked by one thread while others read what came before."""

import queue
import threading
from collections.abc import Iterator
from typing import Final

_AHEAD: Final = 4  # chunks unpacked before they are wanted
_WAIT: Final = 0.1  # seconds between two looks whether anybody still wants more


def ahead(chunks: Iterator[bytes], stopped: threading.Event) -> Iterator[bytes]:
    """The same chunks, made in a thread of their own before they are wanted."""
    full: queue.Queue[tuple[bytes | None, BaseException | None]] = queue.Queue(_AHEAD)

    def put(item: tuple[bytes | None, BaseException | None]) -> bool:
        while not stopped.is_set():
            try:
                full.put(item, timeout=_WAIT)
            except queue.Full:
                continue
            return True
        return False

    def work() -> None:
        try:
            for chunk in chunks:
                if not put((chunk, None)):
                    return
        except BaseException as error:
            put((None, error))
        else:
            put((None, None))

    thread = threading.Thread(target=work, name="rookery-unpack", daemon=True)
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
