"""Bytes that come in chunks, or straight into a buffer of the reader; and chunks that a thread reads ahead."""

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from rookery.lazy_imports import modules_later

if TYPE_CHECKING:
    import queue
else:
    (queue,) = modules_later("", "queue")


T = TypeVar("T")
Fill = Callable[[memoryview], int]  # fills a buffer with the next bytes; returns their number, 0 only at the end

_FIRST: Final = 1 << 16  # bytes of the first chunk, which shows what the bytes are
_LARGEST: Final = 1 << 20
_MOST: Final = 4  # unpacked blocks that wait to be read
_WAIT: Final = 0.1  # seconds between two checks whether the reader has stopped


class Chunks(Iterator[Any]):
    """An iterator of chunks of bytes that can also be looked at, or filled into a buffer.

    >>> chunks = Chunks(iter([b"1. e4", b" e5", b" *"]))
    >>> chunks.peek(6)
    b'1. e4 '
    >>> buffer = bytearray(4)
    >>> chunks.fill(memoryview(buffer)), bytes(buffer)
    (4, b'1. e')
    >>> list(map(bytes, chunks))
    [b'4', b' e5', b' *']
    """

    def __init__(self, chunks: Iterator[Any]) -> None:
        """Take the chunks of a text. If `chunks` has a method `fill`, bytes that are not looked at are not copied."""
        self._rest = chunks
        self._held: list[Any] = []
        self._error: OSError | None = None
        self.is_short = False  # whether a peek saw all

    def peek(self, size: int) -> bytes:
        """Return the first bytes, which remain to be read. An error follows the bytes before it."""
        while not self.is_short and self._error is None and sum(map(len, self._held)) < size:
            try:
                chunk = next(self._rest, None)
            except OSError as error:
                self._error = error
                break
            self.is_short = chunk is None
            self._held += [] if chunk is None else [chunk]
        return b"".join(bytes(chunk[:size]) for chunk in self._held)[:size]

    def __next__(self) -> Any:
        if self._held:
            return self._held.pop(0)
        if self._error is not None:
            raise self._error
        return next(self._rest)

    def fill(self, buffer: memoryview) -> int:
        """Fill a buffer with the next bytes, as a `Fill` does."""
        straight: Fill | None = getattr(self._rest, "fill", None)
        while not self._held or not len(self._held[0]):
            del self._held[:1]
            if not self._held and straight is not None and self._error is None:
                return straight(buffer)
            chunk = next(self, None)
            if chunk is None:
                return 0
            self._held.insert(0, chunk)
        held = memoryview(self._held[0])
        n = min(len(buffer), len(held))
        # NumPy copies while other threads run.
        np.copyto(np.frombuffer(buffer[:n], np.uint8), np.frombuffer(held[:n], np.uint8))
        self._held[0] = held[n:]
        return n


class Filling(Iterator[memoryview]):
    """An iterator of chunks that its method `fill` fills, as a `Fill` does."""

    _size = _FIRST
    fill: Fill

    def __next__(self) -> memoryview:
        chunk = memoryview(np.empty(self._size, np.uint8).data)
        self._size = min(2 * self._size, _LARGEST)
        n = self.fill(chunk)
        if not n:
            raise StopIteration
        return chunk[:n]


class Filled(Filling):
    """An iterator of chunks that a function fills.

    >>> list(map(bytes, Filled(Chunks(iter([b"1. e4", b" *"])).fill)))
    [b'1. e4', b' *']
    """

    def __init__(self, fill: Fill) -> None:
        self.fill = fill


def first_bytes(fill: Fill, size: int) -> Fill:
    """Return a function that fills the first bytes only. What follows them is not read."""
    left = size

    def limited(buffer: memoryview) -> int:
        nonlocal left
        n = fill(buffer[:left]) if left else 0
        left -= n
        return n

    return limited


def without_first_bytes(fill: Fill, size: int) -> Fill:
    """Return a function that leaves out the first bytes."""
    left = size

    def skipped(buffer: memoryview) -> int:
        nonlocal left
        while left:
            n = fill(buffer[:left])
            if not n:
                return 0
            left -= n
        return fill(buffer)

    return skipped


def one_after_other(*fills: Fill) -> Fill:
    """Return a function that fills the bytes of several, one after the other."""
    waiting = list(fills)

    def joined(buffer: memoryview) -> int:
        while waiting:
            if n := waiting[0](buffer):
                return n
            waiting.pop(0)
        return 0

    return joined


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
