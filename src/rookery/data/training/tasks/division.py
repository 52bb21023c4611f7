"""Division of training files into ranges that can be read alone: the tasks of an executor.

Rows of one size and lines are cut anywhere between two, and blocks of binpacks are found by their headers. A place in
the middle of a viriformat file may be in the first position of a game, or in its moves, which end with four zero bytes.
That is one of nine states, and the bytes that follow make all of them agree.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from rookery.data.training.binary import leela_reading
from rookery.data.training.binary.binpack.reading import HEADER as BINPACK_HEADER
from rookery.data.training.binary.binpack.reading import MAGIC
from rookery.data.training.binary.viriformat import HEADER as FIRST_POSITION
from rookery.data.training.binary.viriformat import PLY
from rookery.data.training.text.tables import delimiter_of
from rookery.sources import ranges
from rookery.sources.ranges import Cuts, Find
from rookery.sources.stores import is_remote, open_file, size_of

RANGE: Final = 1 << 22  # bytes of a file: a second of work
_LEAST_OF_LEELA: Final = 1 << 25  # bytes of a part: to find where a game begins, some records are read twice
_WINDOW, _MOST_RECORDS = 128, 8192  # records: the rest of a file of which so many begin no game is one part
_WORDS: Final = FIRST_POSITION // PLY  # of a first position


def entries(entry: int) -> Cuts:
    """Return the places in a format whose entries all have the same number of bytes."""

    def places(path: str, size: int) -> Iterator[tuple[int, int]]:
        step = max(size // entry, 1) * entry
        yield from ((place, 0) for place in range(step, size_of(path) or 0, step))

    return Cuts(places)


def found_by(find: Find) -> Cuts:
    """Return the places that a function finds in windows of a file. The ranges of a packed one cannot be read."""
    return Cuts(ranges.found_by(find).in_bytes)


def _rows_of_csv(path: str, size: int) -> Iterator[tuple[int, int]]:
    with open_file(path) as file:
        delimiter = delimiter_of(file.readline())
    yield from ranges.between_rows(delimiter).in_bytes(path, size)


ROWS_OF_CSV: Final = Cuts(_rows_of_csv)
LINES: Final = found_by(ranges.between_lines)


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


def _blocks_of_binpack(path: str, size: int) -> Iterator[tuple[int, int]]:
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
                yield place, 0
                last = place
            file.seek(place)
            header = file.read(BINPACK_HEADER)
            if int.from_bytes(header[:4], "little") != MAGIC:
                return
            place += BINPACK_HEADER + int.from_bytes(header[4:], "little")


BLOCKS_OF_BINPACK: Final = Cuts(_blocks_of_binpack)


def _games_of_leela(path: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield the beginnings of games: only there a part knows its plies, and its moves do not need the next record."""
    if is_remote(path):
        return
    length = size_of(path) or 0
    with open_file(path) as file:
        record = leela_reading.size_of_record(file.read(4))
        place = 0
        while record and (place := place + max(size, _LEAST_OF_LEELA) // record * record) < length:
            window = _WINDOW
            while True:
                file.seek(place)
                data = file.read(window * record)
                found = leela_reading.first_game(data)
                if found or len(data) < window * record or window >= _MOST_RECORDS:
                    break
                window *= 2
            if not found:
                return
            place += found
            yield place, 0


GAMES_OF_LEELA: Final = Cuts(_games_of_leela)
