"""Pools of threads whose results come in the order of their work."""

import collections
import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeVar

from rookery.lazy_imports import Named

if TYPE_CHECKING:
    from concurrent import futures
else:
    futures = Named("concurrent.futures")

A = TypeVar("A")
T = TypeVar("T")

AHEAD: Final = 4  # pieces of work that are ready for threads while their caller is busy with results
LOOKS: Final = 0.1  # seconds between two looks for Ctrl-C


@contextlib.contextmanager
def pool_of(threads: int) -> "Iterator[futures.ThreadPoolExecutor | None]":
    """Yield threads that read games, None if one is enough. Work that has not begun is cancelled at the end."""
    if threads <= 1:
        yield None
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads, "rookery-games")
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def in_order(
    work: Callable[[A], T], pieces: Iterable[A], pool: "futures.ThreadPoolExecutor | None", threads: int
) -> Iterator[T]:
    """Yield the result of `work` for each piece, in order, from a pool of so many threads; without one from here.

    Only a few pieces are taken ahead of their results.
    """
    if pool is None:
        yield from map(work, pieces)
        return
    waiting: collections.deque[futures.Future[T]] = collections.deque()
    for piece in pieces:
        waiting.append(pool.submit(work, piece))
        while len(waiting) > threads + AHEAD:
            yield _result_of(waiting.popleft())
    while waiting:
        yield _result_of(waiting.popleft())


def _result_of(future: "futures.Future[T]") -> T:
    # A signal that comes just before Python begins to wait is not seen until the wait is over.
    from concurrent.futures import wait

    while not future.done():
        wait([future], timeout=LOOKS)
    return future.result()
