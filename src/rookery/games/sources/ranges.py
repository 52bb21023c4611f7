"""The division of files of games into ranges, each of which can be read alone: the tasks of an executor."""

import itertools
from collections.abc import Iterator
from typing import Final

import numpy as np

from rookery import stores
from rookery.games.interchange.table_files import rows_of_groups
from rookery.games.read.blocks import safe_cut
from rookery.games.sources.file_range import FileRange, first_bytes, text_from
from rookery.games.sources.formats import HEAD, Kind, format_of
from rookery.games.sources.frames import frames_of
from rookery.games.sources.streams import head_of

RANGE: Final = 1 << 26  # bytes of text: a second or two of work
_WINDOW: Final = 1 << 16  # bytes of text in which a game should begin
_PACKED: Final = 5  # zstd makes PGN smaller by about this factor
_GAME: Final = 1 << 10  # bytes of a game's text, roughly: a range of a table has a row for each


def ranges_of(path: str, size: int = RANGE) -> Iterator[FileRange]:
    """Yield the ranges of a file, about `size` bytes of text each, in order.

    Plain text is cut where a game begins whatever comes before, and so is the text of a zstd file of several frames,
    near the beginnings of frames. Parquet and Arrow files are divided by row groups and batches. Ranges depend on the
    file alone, and reading them is reading the file. Any other file is one range, and so is each packed file or table
    of another store.
    """
    found = format_of(head_of(path))
    if found.kind is Kind.TABLE:
        yield from _ranges_of_table(path, found.name, size)
        return
    cuts: Iterator[tuple[int, int]] = iter(())
    if found.kind is Kind.TEXT:
        cuts = _cuts(path, size)
    elif found.name == "zstd" and not stores.is_remote(path):
        cuts = _cuts_near_frames(path, size)
    start = skip = 0
    for stop, more in cuts:
        yield FileRange(path, start, stop, skip, more)
        start, skip = stop, more
    yield FileRange(path, start, None, skip)


def _cuts(path: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield places between games of plain text, each with zero."""
    window = min(_WINDOW, size)
    length = stores.identity(path)[0]
    if length is None:  # a server that does not tell it, nor sends ranges
        return
    with stores.open_file(path) as file:
        for end in range(size, length - size // 2, size):
            file.seek(end - window)
            place = safe_cut(np.frombuffer(file.read(window), np.uint8), window)
            if place:
                yield end - window + place, 0


def _cuts_near_frames(path: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield frames of a zstd file, each with a place between games in the text from there on.

    The rest of a file whose frames are damaged is not divided.
    """
    window, last = min(_WINDOW, size), 0
    with stores.open_file(path) as file:
        for begin in frames_of(file):
            if not begin or begin - last < size // _PACKED:
                continue
            try:
                if not last and format_of(_text(path, 0, HEAD)).kind is not Kind.TEXT:
                    return  # text of another encoding, or a file that was packed twice
                text = _text(path, begin, window)
            except (OSError, ModuleNotFoundError):  # the reader of the range says why
                return
            if place := safe_cut(np.frombuffer(text, np.uint8), len(text)):
                yield begin, place
                last = begin


def _text(path: str, start: int, size: int) -> bytes:
    """Return the first bytes of the text of a zstd file from the frame on that begins at byte `start`."""
    with stores.open_file(path) as file:
        return b"".join(first_bytes(text_from(path, file, "zstd", start), size))


def _ranges_of_table(path: str, kind: str, size: int) -> Iterator[FileRange]:
    """Yield ranges of row groups or batches that have about as many rows as `size` bytes of text have games."""
    groups = [] if stores.is_remote(path) else rows_of_groups(path, kind)
    most = max(size // _GAME, 1)
    start = first = 0
    for stop, (before, after) in enumerate(itertools.pairwise(itertools.accumulate(groups, initial=0))):
        if stop > start and after - first > most:
            yield FileRange(path, start, stop, rows_before=first)
            start, first = stop, before
    yield FileRange(path, start, None, rows_before=first)
