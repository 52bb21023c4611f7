"""Streams of bytes cut into blocks: between games where that is easy to see, so that threads can share them."""

import queue
import threading
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rookery.games.signs import PAD

BLOCK: Final = 1 << 22
_AHEAD: Final = 4  # chunks unpacked before they are wanted
_EVENT: Final = b"[Event "
_RESULTS: Final = (b"1-0", b"0-1", b"1/2", b"*")
_WAIT: Final = 0.1  # seconds between two looks whether anybody still wants more


class Block:
    """A growing buffer: bytes `start` to `stop` of it are to be read; `PAD` more may be looked at."""

    def __init__(self, size: int = BLOCK) -> None:
        self.text = np.empty(size + PAD, np.uint8)
        self.stop = 0

    @property
    def room(self) -> int:
        """Bytes that still fit."""
        return self.text.size - PAD - self.stop

    def add(self, chunk: memoryview) -> int:
        """Put in as much of a chunk as fits; returns how much."""
        n = min(self.room, len(chunk))
        self.text[self.stop : self.stop + n] = np.frombuffer(chunk[:n], np.uint8)
        self.stop += n
        return n

    def larger(self, size: int) -> None:
        """Make room for more."""
        text = np.empty(size + PAD, np.uint8)
        text[: self.stop] = self.text[: self.stop]
        self.text = text

    def rest(self, place: int, size: int = BLOCK) -> "Block":
        """A block that begins with what is left from `place` on."""
        left = self.text[place : self.stop]
        block = Block(max(size, 2 * left.size))
        block.add(left.data)
        return block


def safe_cut(text: NDArray[np.uint8], stop: int) -> int:
    """The last place before `stop` where a game begins, whatever stands before it; 0 if there is none in sight.

    That is a line ``[Event`` after an empty line after a result: the reader ends a game there even within a comment
    that is still open. Remarks before the first header of a game would belong to it: so the line before must end with
    a result, and have none.
    """
    view = text[:stop].tobytes() if stop < (1 << 16) else text[stop - (1 << 16) : stop].tobytes()
    base = stop - len(view)
    place = len(view)
    while (place := view.rfind(_EVENT, 0, place)) > 0:
        before = view[max(place - 200, 0) : place]
        bare = before.rstrip(b"\r\n")
        if before[len(bare) :].replace(b"\r", b"") not in (b"\n\n", b"\n\n\n"):
            continue
        line = bare[max(bare.rfind(b"\n"), bare.rfind(b"\r")) + 1 :]
        words = line.split(b" ")
        if words[-1].endswith(_RESULTS) and words[-1] in (*_RESULTS, b"1/2-1/2") and b";" not in line:
            return base + place
    return 0


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
