"""Streams of bytes cut into blocks, between games where that is easy to see, and threads that share them in order."""

import collections
import contextlib
import enum
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from rookery.frames.columns import Texts
from rookery.games.games import Games
from rookery.lazy_imports import Named, compile_later
from rookery.pgn.scan.lexing.signs import ENDS
from rookery.pgn.scan.lexing.vocabulary import GLUED_RESULTS
from rookery.pgn.scan.output import PAD
from rookery.sources.failures import DamagedFileError

if TYPE_CHECKING:
    from concurrent import futures
else:
    futures = Named("concurrent.futures")

A = TypeVar("A")
T = TypeVar("T")

AHEAD: Final = 4  # pieces of work that are ready for threads while their caller is busy with results
LOOKS: Final = 0.1  # seconds between two looks for Ctrl-C
BLOCK: Final = 1 << 23  # bytes; with half as many, threads held Python's lock for twice the time
_EVENT: Final = b"[Event "
_RESULTS: Final = tuple(word.encode() for word in GLUED_RESULTS)
_NEWLINE: Final = rb"(?:\r\n|\n|\r(?!\n))[ \t]*"
_EVENT_LINE: Final = compile_later(_NEWLINE + _NEWLINE + rb'(\[Event[ \t"])')
_OVERLAP: Final = 256  # bytes in which the beginning of such a line is looked for again
_LAST_RESULT: Final = compile_later(
    rb"(?:\A|[\s}])(?:" + b"|".join(map(re.escape, _RESULTS)) + rb")\s*(?:\{[^{}]*\}\s*|;[^\r\n]*(?:[\r\n]\s*|\Z))*\Z"
)
_LOOKED_BACK: Final = 1024  # bytes before a place
_NEAR: Final = 32
_LONGEST_WORD: Final = 128  # bytes; no move is as long


class Buffers:
    """Arrays of `BLOCK` bytes and `PAD` more, used again and again: fresh ones would cost a page fault every 4 KB.

    `keep` keeps two of them for the next source.
    """

    _kept: Final[list[NDArray[np.uint8]]] = []

    def __init__(self) -> None:
        self._free: list[NDArray[np.uint8]] = []

    def keep(self) -> None:
        """Keep two of the arrays that were given back."""
        self._kept[:] = [*self._kept, *self._free][:2]

    def block(self, size: int = 0) -> "Block":
        """Return an empty block with room for so many bytes, at least `BLOCK`."""
        if size > BLOCK:
            return Block(np.empty(size + PAD, np.uint8))
        for arrays in (self._free, self._kept):
            with contextlib.suppress(IndexError):
                text = arrays.pop()  # of several threads, each gets another
                if text.size == BLOCK + PAD:
                    return Block(text)
        return Block(np.empty(BLOCK + PAD, np.uint8))

    def rest(self, block: "Block", place: int) -> "Block":
        """Return a block that begins with the bytes of another block from `place` on."""
        left = block.text[place : block.stop]
        following = self.block(max(BLOCK, 2 * left.size))
        following.text[: left.size] = left
        following.stop = left.size
        return following

    def give_back(self, block: "Block") -> None:
        """Return a block's buffer for reuse."""
        if block.text.size == BLOCK + PAD:
            self._free.append(block.text)


class Block:
    """Bytes up to `stop` of `text` are to be read; `PAD` more may be looked at. Of a column, `row` is the first one."""

    def __init__(self, text: NDArray[np.uint8]) -> None:
        self.text = text
        self.stop = 0
        self.row = 0

    def fill(self, fill: Callable[[memoryview], int]) -> bool:
        """Fill it up; returns whether there is no more to come."""
        view = memoryview(self.text.data)
        while self.stop < self.text.size - PAD:
            n = fill(view[self.stop : self.text.size - PAD])
            if not n:
                return True
            self.stop += n
        return False


class Begins(enum.IntEnum):
    """The state at the beginning of a block, which its text does not show."""

    WITHIN_LINE = 0
    LINE = 1
    LONG_GAME = 2  # the rest of one that is too long to be read
    AFTER_RESULT = 3  # within the line of the result of the game before


class Part(NamedTuple):
    """The contents of a block: games, lines, bytes, the number of all games, and the damage that ends the file, if any.

    `last` is where the last game begins that has no result after its moves, as far as is known; -1 if it has one.
    `tail` holds its bytes if texts are kept and it has no game. `results` are those of `Work.each` for the games.
    """

    games: list[Games]
    lines: int
    size: int
    number: int
    failure: DamagedFileError | None = None
    last: int = -1
    tail: bytes = b""
    results: tuple[Any, ...] = ()

    def with_results(self) -> Iterator[tuple[Games, Any]]:
        """Return the games, each with its result, which is None if there are none."""
        return itertools.zip_longest(self.games, self.results)


class Read(NamedTuple):
    """Games, where the first incomplete one begins, how many games were before it, and the state there.

    `last` is as in `Part`.
    """

    games: list[Games]
    place: int
    number: int
    begins: Begins
    last: int = -1


def safe_cut(text: NDArray[np.uint8], stop: int) -> int:
    """Return the last place before `stop` where a game begins whatever comes before, or 0 if none is found.

    That is a line ``[Event`` after an empty line after a result: the reader ends a game there even inside an open
    comment. Comments before the first header would belong to the next game, so the line before must end with a result.
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
        if words[-1].endswith(_RESULTS) and words[-1] in _RESULTS and b";" not in line:
            return base + place
    return 0


def ends_with_result(text: NDArray[np.uint8], place: int) -> bool:
    """Check whether the last word before `place` is a result. Comments may follow it."""
    # A search through all that may be looked at takes 30 us; the result of nearly every game is its last word.
    found = _LAST_RESULT.search(text[max(place - _NEAR, 0) : place].tobytes())
    if found and found.start():
        return True
    return _LAST_RESULT.search(text[max(place - _LOOKED_BACK, 0) : place].tobytes()) is not None


def next_game(text: NDArray[np.uint8], stop: int, final: bool) -> tuple[int, bool]:
    """Return the first place before `stop` where a game begins whatever is open, and whether one was found.

    That is a line ``[Event`` after an empty one. If none is found, return where to continue the search, unless the text
    is `final`.
    """
    found = _EVENT_LINE.search(text[:stop].data)
    if found or final:
        return (found.start(1), True) if found else (stop, False)
    place = max(stop - _OVERLAP, 0)
    return place - int(place > 0 and text[place - 1] == 13), False  # a carriage return and a line feed are one


def whole_words(text: NDArray[np.uint8], stop: int) -> int:
    """Return where the last word ends that is known to be complete before `stop`. The text after `stop` is unknown."""
    tail = text[max(stop - _LONGEST_WORD, 0) : stop]
    ends = np.flatnonzero(ENDS[tail])
    return stop - tail.size + int(ends[-1]) if ends.size else stop


def blocks_of_texts(texts: Texts, buffers: Buffers) -> Iterator[tuple[Block, NDArray[np.int64]]]:
    """Yield blocks of whole texts, each with the row of its first text and the places where its texts begin and end."""
    offsets, row = texts.offsets, 0
    while row < texts.size:
        start = int(offsets[row])
        stop = max(int(np.searchsorted(offsets, start + BLOCK, side="right")) - 1, row + 1)
        size = int(offsets[stop]) - start
        block = buffers.block(max(size, BLOCK))
        block.text[:size] = texts.data[start : start + size]
        block.stop, block.row = size, row
        ranges = np.ones((stop - row, 3), np.int64)
        ranges[:, 0] = offsets[row:stop] - start
        ranges[:, 1] = offsets[row + 1 : stop + 1] - start
        yield block, ranges
        row = stop


def in_order(work: Callable[[A], T], pieces: Iterable[A], threads: int) -> Iterator[T]:
    """Yield the result of `work` for each piece, in order, from so many threads; from here if one is enough.

    Only a few pieces are taken ahead of their results. Work that has not begun is cancelled at the end.
    """
    if threads <= 1:
        yield from map(work, pieces)
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads, "rookery-games")
    waiting: collections.deque[futures.Future[T]] = collections.deque()
    try:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            while len(waiting) > threads + AHEAD:
                yield _result_of(waiting.popleft())
        while waiting:
            yield _result_of(waiting.popleft())
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _result_of(future: "futures.Future[T]") -> T:
    # A signal that comes just before Python begins to wait is not seen until the wait is over.
    from concurrent.futures import wait

    while not future.done():
        wait([future], timeout=LOOKS)
    return future.result()
