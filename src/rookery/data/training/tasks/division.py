"""Division of training files into ranges that can be read alone: the tasks of an executor.

Rows of one size and lines are cut anywhere between two, and blocks of binpacks are found by their headers. A place in
the middle of a viriformat file may be in the first position of a game, or in its moves, which end with four zero bytes.
That is one of nine states, and the bytes that follow make all of them agree.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from rookery.data.training.binpack.reading import HEADER as BINPACK_HEADER
from rookery.data.training.binpack.reading import MAGIC
from rookery.data.training.text.tables import delimiter_of
from rookery.data.training.viriformat import HEADER as FIRST_POSITION
from rookery.data.training.viriformat import PLY
from rookery.sources.csv_text import places_between_rows
from rookery.sources.file_range import FileRange
from rookery.sources.identity import Identity
from rookery.sources.ranges import between_lines, cuts, ranges_between
from rookery.sources.stores import is_remote, open_file, size_of

RANGE: Final = 1 << 22  # bytes of a file: a second of work
_CHUNK: Final = 1 << 20
_WORDS: Final = FIRST_POSITION // PLY  # of a first position

Places = Callable[[str, int], Iterator[int]]  # yields places of a file, some bytes apart, between which it can be read


def ranges_of(path: str, places: Places | None, size: int = RANGE, identity: Identity | None = None) -> list[FileRange]:
    """Return the ranges of a file, about `size` bytes each; one if there is no function that finds `places`."""
    found = places(path, size) if places is not None else iter(())
    return list(ranges_between(path, ((place, 0) for place in found), identity))


def entries(entry: int) -> Places:
    """Return the function for a format whose entries all have the same number of bytes."""

    def places(path: str, size: int) -> Iterator[int]:
        yield from range(max(size // entry, 1) * entry, size_of(path) or 0, max(size // entry, 1) * entry)

    return places


def found_by(find: Callable[[bytes], int]) -> Places:
    """Return the function for a format in which `find` returns a place between entries in a window of a file, or 0."""

    def places(path: str, size: int) -> Iterator[int]:
        yield from (place for place, _ in cuts(path, size, find))

    return places


lines: Final = found_by(between_lines)


def rows_of_csv(path: str, size: int) -> Iterator[int]:
    """Yield places between rows of CSV, whose fields may have line breaks; the file is read to find them."""
    with open_file(path) as file:
        head = file.readline()
        chunks = itertools.chain([head], iter(lambda: file.read(_CHUNK), b""))
        yield from places_between_rows(chunks, delimiter_of(head), size)


def after_entry_of_plain(text: bytes) -> int:
    r"""Return the place behind the last line that ends an entry, or 0.

    >>> after_entry_of_plain(b"result 1\ne\nfen 8/8")
    11
    """
    return max(text.rfind(end) + len(end) if end in text else 0 for end in (b"\ne\n", b"\ne\r\n"))


def before_game_of_viriformat(data: bytes) -> int:
    """Return the first byte of a game in a part of a file that begins at a multiple of four bytes, or 0.

    The part may begin at any of the words of a first position, or in the moves. For each of these states, the next zero
    word behind the first position ends the game. States that come to the same game stay together.
    """
    words = np.frombuffer(data, "<u4", len(data) // PLY)
    zeros = np.flatnonzero(words == 0)
    states = set(range(_WORDS + 1))  # places where moves begin
    while len(states) > 1:
        least = min(states)
        at = int(np.searchsorted(zeros, least))
        if at == zeros.size:
            return 0
        states.remove(least)
        states.add(int(zeros[at]) + 1 + _WORDS)
    place = (states.pop() - _WORDS) * PLY
    return place if 0 < place <= len(data) else 0


def blocks_of_binpack(path: str, size: int) -> Iterator[int]:
    """Yield the beginnings of blocks; the rest of a file whose blocks are damaged is not divided.

    Only a local file is divided, since its headers are read one by one.
    """
    if is_remote(path):
        return
    length = size_of(path) or 0
    last = place = 0
    with open_file(path) as file:
        while place < length:
            if place - last >= size:
                yield place
                last = place
            file.seek(place)
            header = file.read(BINPACK_HEADER)
            if int.from_bytes(header[:4], "little") != MAGIC:
                return
            place += BINPACK_HEADER + int.from_bytes(header[4:], "little")
