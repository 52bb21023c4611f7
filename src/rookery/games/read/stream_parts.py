"""A stream of text block by block, in one thread or in several."""

import functools
import threading
from collections.abc import Callable, Iterator

from rookery.games.read.blocks import Block, ends_with_result, safe_cut
from rookery.games.read.pools import in_order, pool_of
from rookery.games.read.worker import Begins, Part, Work
from rookery.sources.chunks import prefetch
from rookery.sources.failures import DamagedFileError
from rookery.sources.streams import Stream


def stream_parts(stream: Stream, work: Work, threads: int, stopped: threading.Event) -> Iterator[Part]:
    """Yield what is read of a stream, block by block and in order.

    So many threads read blocks that another one unpacks, if that takes long; without threads, all of it happens here.
    """
    pieces = _pieces(stream, work)
    if stream.is_long and threads:
        pieces = prefetch(pieces, stopped)
    with pool_of(threads) as pool:
        yield from in_order(lambda read: work.finished(read()), pieces, pool, threads)


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


def _pieces(stream: Stream, work: Work) -> Iterator[Callable[[], Part]]:
    """Yield functions that read blocks. What is left of one begins the next.

    A block that cannot be cut safely is read here, since only its reader knows where its last complete game ends.
    """
    block, begins, failure, ended, done = work.buffers.block(), Begins.LINE, None, False, False
    marked = stream.after_result
    while not done:
        if not ended:
            ended, failure = _filled(block, stream)
        cut = 0 if ended and not failure else safe_cut(block.text, block.stop)
        if cut and begins == Begins.LINE:
            marked = True
            rest = work.buffers.rest(block, cut)
            yield functools.partial(work.part, block, cut)
        else:
            part, begins, failure = _leading(block, stream, work, begins, ended, failure, marked)
            cut = part.size
            marked = ends_with_result(block.text, cut) if part.number else marked
            rest = work.buffers.rest(block, cut)
            work.buffers.give_back(block)
            yield functools.partial(_itself, part)
        done = ended and (bool(failure) or cut == block.stop)
        block = rest
    if failure:
        yield functools.partial(work.broken_part, block, begins, failure)
    else:
        work.buffers.give_back(block)


def _itself(part: Part) -> Part:
    return part
