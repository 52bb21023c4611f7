"""A stream of text block by block, in one thread or in several."""

import collections
import functools
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final, TypeVar

from rookery.games.read.blocks import Block, ends_with_result, safe_cut
from rookery.games.read.worker import Begins, Part, Work
from rookery.games.sources.failures import DamagedFileError
from rookery.games.sources.streams import Stream

T = TypeVar("T")

AHEAD: Final = 4  # blocks that are ready for threads while their caller is busy with what was read
LOOKS: Final = 0.1  # seconds between two looks for Ctrl-C


def stream_parts(stream: Stream, work: Work, threads: int = 1) -> Iterator[Part]:
    """Yield what is read of a stream, block by block and in order."""
    return _read(stream, work) if threads == 1 else _read_by_threads(stream, work, threads)


def _read(stream: Stream, work: Work) -> Iterator[Part]:
    """One block after the other: what is left of one begins the next."""
    block, begins, failure, ended, done = work.buffers.block(), Begins.LINE, None, False, False
    marked = stream.after_result
    while not done:
        if not ended:
            ended, failure = _filled(block, stream)
        part, begins, failure = _leading(block, stream, work, begins, ended, failure, marked)
        marked = ends_with_result(block.text, part.size) if part.number else marked
        done = ended and (bool(failure) or part.size == block.stop)
        rest = work.buffers.rest(block, part.size)
        work.buffers.give_back(block)
        block = rest
        yield part
    if failure:
        yield work.broken_part(block, begins, failure)
    work.buffers.give_back(block)


def _leading(
    block: Block,
    stream: Stream,
    work: Work,
    begins: Begins,
    ended: bool,
    failure: DamagedFileError | None,
    marked: bool,
) -> tuple[Part, Begins, DamagedFileError | None]:
    """Return the complete games of a block, the bytes after them, and why the stream ends.

    The reason is empty if the stream ends with its file.
    """
    part, following = work.leading_part(block, ended and not failure, begins)
    if ended and not failure and stream.is_file and (reason := work.cut_short(block, part.last, marked)):
        failure = DamagedFileError(stream.name or "the file", reason)
        part, following = work.leading_part(block, False, begins)
    return part, following, failure


def _filled(block: Block, stream: Stream) -> tuple[bool, DamagedFileError | None]:
    """Fill a block up; returns whether the stream has ended, and why if that is not the file's end."""
    try:
        return block.fill(stream.fill), None
    except DamagedFileError as error:
        return True, error
    except OSError as error:
        failure = DamagedFileError(stream.name or "the file", str(error))
        failure.__cause__ = error
        return True, failure


def _read_by_threads(stream: Stream, work: Work, threads: int) -> Iterator[Part]:
    """Blocks side by side, given out in order. Where none can be cut safely, they are read here, as above."""
    block, begins, failure, ended, done = work.buffers.block(), Begins.LINE, None, False, False
    waiting: collections.deque[Callable[[], Part]] = collections.deque()
    marked = stream.after_result
    pool = ThreadPoolExecutor(threads, "rookery-games")
    try:
        while not done:
            if not ended:
                ended, failure = _filled(block, stream)
            cut = 0 if ended and not failure else safe_cut(block.text, block.stop)
            if cut and begins == Begins.LINE:
                marked = True
                rest = work.buffers.rest(block, cut)
                waiting.append(functools.partial(result_of, pool.submit(work.part, block, cut)))
            else:
                part, begins, failure = _leading(block, stream, work, begins, ended, failure, marked)
                cut = part.size
                marked = ends_with_result(block.text, cut) if part.number else marked
                rest = work.buffers.rest(block, cut)
                waiting.append(functools.partial(_itself, part))
            done = ended and (bool(failure) or cut == block.stop)
            block = rest
            while len(waiting) > threads + AHEAD:
                yield waiting.popleft()()
        while waiting:
            yield waiting.popleft()()
        if failure:
            yield work.broken_part(block, begins, failure)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _itself(part: Part) -> Part:
    return part


def result_of(part: Future[T]) -> T:
    """Return the result of work in another thread."""
    # A signal that comes just before Python begins to wait is not seen until the wait is over.
    while not part.done():
        wait([part], timeout=LOOKS)
    return part.result()
