"""Bytes in chunks: what is looked at, filled, cut, joined and read ahead, compared with the whole text."""

import itertools
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from rookery.sources import chunks
from rookery.sources.chunks import (
    Chunks,
    Filled,
    Filling,
    first_bytes,
    one_after_other,
    prefetch,
    without_first_bytes,
)

TEXT = bytes(range(40))


def in_chunks(*sizes: int) -> Iterator[bytes]:
    """Yield the text in chunks of these sizes, and the rest."""
    places = [0, *itertools.accumulate(sizes), len(TEXT)]
    return (TEXT[a:b] for a, b in itertools.pairwise(places))


def taken(fill: chunks.Fill, size: int) -> list[bytes]:
    """Return what a function fills into buffers of one size, up to the end."""
    parts: list[bytes] = []
    while True:
        buffer = bytearray(size)
        n = fill(memoryview(buffer))
        if not n:
            return parts
        parts.append(bytes(buffer[:n]))


class Straight(Filling):
    """Chunks of a text that fill a buffer, and note how long the buffers are."""

    def __init__(self, text: bytes) -> None:
        self.text, self.sizes = text, list[int]()
        self.fill = self._fill

    def _fill(self, buffer: memoryview) -> int:
        self.sizes.append(len(buffer))
        part = self.text[: len(buffer)]
        buffer[: len(part)] = part
        self.text = self.text[len(part) :]
        return len(part)


class Fails(Iterator[bytes]):
    """Some chunks, and then an error."""

    def __init__(self, *parts: bytes) -> None:
        self.parts = list(parts)

    def __next__(self) -> bytes:
        if self.parts:
            return self.parts.pop(0)
        raise OSError("broken")


def test_sizes_of_chunks() -> None:
    source = Straight(bytes(5 << 20))
    assert [len(chunk) for chunk in source] == [1 << 16, 1 << 17, 1 << 18, 1 << 19, *[1 << 20] * 4, 1 << 16]
    assert source.sizes == [1 << 16, 1 << 17, 1 << 18, 1 << 19, *[1 << 20] * 6]


@pytest.mark.parametrize("size", [0, 1, 4, 5, 9, 39, 40, 41, 1000])
def test_a_peek_takes_nothing(size: int) -> None:
    source = Chunks(in_chunks(4, 5))
    for _ in range(2):
        assert source.peek(size) == TEXT[:size]
    assert source.is_short == (size > len(TEXT))
    assert b"".join(map(bytes, source)) == TEXT


def test_a_peek_reads_no_more_than_it_needs() -> None:
    source = in_chunks(4, 5)
    looked = Chunks(source)
    assert looked.peek(4) == TEXT[:4]
    assert next(source) == TEXT[4:9]


def test_a_peek_at_nothing() -> None:
    source = Chunks(iter([]))
    assert source.peek(1) == b""
    assert source.is_short
    assert list(source) == []
    assert source.fill(memoryview(bytearray(3))) == 0


def test_a_new_source_is_not_short() -> None:
    assert not Chunks(iter([])).is_short


def test_an_error_follows_what_is_before_it() -> None:
    source = Chunks(Fails(b"abc", b"d"))
    assert source.peek(10) == b"abcd"
    assert source.peek(10) == b"abcd"
    assert not source.is_short
    assert (next(source), next(source)) == (b"abc", b"d")
    for _ in range(2):
        with pytest.raises(OSError, match="broken"):
            next(source)


def test_an_error_stays_when_a_buffer_is_filled() -> None:
    source = Chunks(Fails(b"abc"))
    source.peek(10)
    buffer = bytearray(10)
    assert source.fill(memoryview(buffer)) == 3
    with pytest.raises(OSError, match="broken"):
        source.fill(memoryview(buffer))


def test_an_error_of_a_source_that_fills_is_not_passed_over() -> None:
    source = Straight(b"abc")
    looked = Chunks(source)

    def broken(buffer: memoryview) -> int:
        raise OSError("broken")

    source.fill = broken
    assert looked.peek(5) == b""
    source.fill = source._fill
    with pytest.raises(OSError, match="broken"):
        looked.fill(memoryview(bytearray(3)))


@pytest.mark.parametrize("size", [1, 3, 4, 7, 40, 100])
def test_buffers_of_any_size(size: int) -> None:
    assert b"".join(taken(Chunks(in_chunks(4, 0, 5, 0, 0)).fill, size)) == TEXT
    assert all(len(part) <= size for part in taken(Chunks(in_chunks(4, 0, 5)).fill, size))
    assert taken(Chunks(in_chunks(4, 0, 5)).fill, 100) == [TEXT[:4], TEXT[4:9], TEXT[9:]]


def test_an_empty_chunk_that_was_looked_at() -> None:
    source = Chunks(iter([b"", b"", b"abc", b"", b"d"]))
    assert source.peek(4) == b"abcd"
    assert taken(source.fill, 10) == [b"abc", b"d"]


def test_what_is_not_looked_at_is_filled_straight() -> None:
    source = Straight(bytes(1 << 17))
    looked = Chunks(source)
    looked.peek(10)
    assert source.sizes == [1 << 16]
    assert [len(part) for part in taken(looked.fill, 50_000)] == [50_000, 15_536, 50_000, 15_536]
    assert source.sizes == [1 << 16, 50_000, 50_000, 50_000]


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("n", [0, 1, 3, 39, 40, 41])
def test_first_bytes_and_the_others(n: int, size: int) -> None:
    assert b"".join(taken(first_bytes(Chunks(in_chunks(5)).fill, n), size)) == TEXT[:n]
    assert b"".join(taken(without_first_bytes(Chunks(in_chunks(5)).fill, n), size)) == TEXT[n:]


def test_what_follows_the_first_bytes_is_not_read() -> None:
    source = Straight(TEXT)
    fill = first_bytes(source.fill, 7)
    assert taken(fill, 5) == [TEXT[:5], TEXT[5:7]]
    assert source.sizes == [5, 2]
    assert source.text == TEXT[7:]


@pytest.mark.parametrize("size", [1, 3, 100])
def test_one_after_the_other(size: int) -> None:
    fills = [Chunks(iter(parts)).fill for parts in ([b"ab", b"c"], [], [b"d"], [b"", b"ef"])]
    assert b"".join(taken(one_after_other(*fills), size)) == b"abcdef"
    assert taken(one_after_other(), size) == []
    assert b"".join(map(bytes, Filled(one_after_other(Chunks(in_chunks(4)).fill)))) == TEXT


def test_blocks_read_ahead_are_the_same() -> None:
    stopped = threading.Event()
    assert list(prefetch(iter(range(1, 30)), stopped)) == list(range(1, 30))
    assert list(prefetch(iter(()), stopped)) == []


def test_an_error_read_ahead_comes_in_its_place() -> None:
    def blocks() -> Iterator[int]:
        yield from (1, 2)
        raise KeyError("third")

    found: list[Any] = []
    with pytest.raises(KeyError, match="third"):
        found.extend(iter(prefetch(blocks(), threading.Event())))
    assert found == [1, 2]


def test_few_blocks_are_read_ahead_and_none_after_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "_WAIT", 0.005)
    stopped, made = threading.Event(), list[int]()
    before = set(threading.enumerate())

    def blocks() -> Iterator[int]:
        for i in range(1, 100):
            made.append(i)
            yield i

    ahead = prefetch(blocks(), stopped)
    assert next(ahead) == 1
    while len(made) < 6:  # one is out, four wait, and one is in the thread's hand
        time.sleep(0.001)
    time.sleep(0.03)
    assert made == [1, 2, 3, 4, 5, 6]
    stopped.set()
    (thread,) = set(threading.enumerate()) - before
    assert thread.name == "rookery-unpack"
    thread.join(5)
    assert not thread.is_alive()
    assert thread.daemon
    assert made == [1, 2, 3, 4, 5, 6]


def test_a_slow_source_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "_WAIT", 0.001)

    def blocks() -> Iterator[int]:
        for i in (1, 2):
            time.sleep(0.02)
            yield i

    assert list(prefetch(blocks(), threading.Event())) == [1, 2]
