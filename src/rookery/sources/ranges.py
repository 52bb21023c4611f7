"""The division of files into ranges, each of which can be read alone: the tasks of an executor.

Text is cut at places that the caller's function finds: between lines here, between games in
`rookery.games.read.game_ranges`.
"""

import collections
import contextlib
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rookery.arguments import shown
from rookery.lazy_imports import modules_later
from rookery.sources import stores
from rookery.sources.chunks import Filled, first_bytes
from rookery.sources.file_range import FileRange, text_from
from rookery.sources.formats import HEAD, Kind, format_of
from rookery.sources.identity import Identity
from rookery.sources.zstd_files import frames_of

if TYPE_CHECKING:
    from rookery.sources import csv_text
else:
    (csv_text,) = modules_later("rookery.sources", "csv_text")


RANGE: Final = 1 << 26  # bytes of text: a second or two of work
WINDOW: Final = 1 << 16  # bytes of text in which a game should begin
_PACKED: Final = 5  # zstd makes PGN smaller by about this factor

Find = Callable[[bytes], int]  # returns a place in a window of text where it can be cut, or 0


def between_lines(text: bytes) -> int:
    r"""Return the place behind the last line break, or 0.

    >>> between_lines(b"one\ntwo")
    4
    """
    return text.rfind(b"\n") + 1


def paths_for_tasks(sources: Sequence[Any]) -> list[str]:
    """Return the paths of files that tasks read, which mean the same in any folder.

    Raise TypeError for a source that is not a path, and ValueError for a path that is not a file.
    """
    for i, source in enumerate(sources):
        if not isinstance(source, (str, os.PathLike)):
            raise TypeError(f"source[{i}]: {shown(source)}: expected a path, since an executor may run elsewhere")
        if not stores.is_remote(source) and not Path(source).is_file():
            raise ValueError(f"source[{i}]: {shown(str(source))}: expected a file, since tasks may read it again")
    return [stores.absolute(source) for source in sources]


def ranges_between(
    path: str, places: Iterable[tuple[int, int]], identity: Identity | None = None
) -> Iterator[FileRange]:
    """Yield the ranges of a file between some places: bytes of the file, each with the bytes of text to add to it."""
    start = skip = 0
    for stop, more in places:
        yield FileRange(path, start, stop, skip, more, identity=identity)
        start, skip = stop, more
    yield FileRange(path, start, None, skip, identity=identity)


def cuts(path: str, size: int, find: Find) -> Iterator[tuple[int, int]]:
    """Yield places that `find` finds in a file that is not packed, `size` bytes apart, each with zero."""
    window = min(WINDOW, size)
    length = stores.size_of(path)
    if length is None:  # the server does not give it, and does not send ranges
        return
    with stores.open_file(path) as file:
        for end in range(size, length - size // 2, size):
            file.seek(end - window)
            if place := find(file.read(window)):
                yield end - window + place, 0


def cuts_near_frames(path: str, size: int, find: Find) -> Iterator[tuple[int, int]]:
    """Yield frames of a zstd file, each with a place that `find` finds in the text from there on.

    The rest of a file whose frames are damaged is not divided, and neither is a file of another store.
    """
    if stores.is_remote(path):
        return
    window, last = min(WINDOW, size), 0
    with stores.open_file(path) as file:
        for begin in frames_of(file):
            if not begin or begin - last < size // _PACKED:
                continue
            try:
                if not last and format_of(_text(path, 0, HEAD)).kind not in (Kind.TEXT, Kind.OTHER):
                    return  # text of another encoding, or a file that was packed twice
                text = _text(path, begin, window)
            except (OSError, ModuleNotFoundError):  # the reader of the range says why
                return
            if place := find(text):
                yield begin, place
                last = begin


def cuts_between_rows(path: str, size: int, delimiter: str) -> Iterator[tuple[int, int]]:
    """Yield frames of a zstd file of CSV, each with the place of the first row that begins in the text from there on.

    Rows may have line breaks in quotes, so where they begin depends on all text before: the file is unpacked to find
    out. The rest of a file whose frames are damaged is not divided, and neither is a file of another store.
    """
    if stores.is_remote(path):
        return
    waiting: collections.deque[tuple[int, int]] = collections.deque()  # frames, and where their text begins
    with contextlib.suppress(OSError, ModuleNotFoundError), stores.open_file(path) as file:
        frames = list(frames_of(file))
        if len(frames) < 2 or format_of(_text(path, 0, HEAD)).kind not in (Kind.TEXT, Kind.OTHER):
            return

        def text() -> Iterator[Any]:
            place = 0
            for begin, end in itertools.pairwise([*frames, None]):
                assert begin is not None
                waiting.append((begin, place))
                for chunk in text_from(path, file, "zstd", begin, end):
                    place += len(chunk)
                    yield chunk

        last = 0
        for starts in csv_text.starts_of_rows(text(), delimiter):
            while waiting:
                begin, place = waiting[0]
                i = int(np.searchsorted(starts, place))
                if begin - last >= size // _PACKED:
                    if i == starts.size:
                        break
                    yield begin, int(starts[i]) - place
                    last = begin
                waiting.popleft()


def _text(path: str, start: int, size: int) -> bytes:
    """Return the first bytes of the text of a zstd file from the frame on that begins at byte `start`."""
    with stores.open_file(path) as file:
        text = first_bytes(text_from(path, file, "zstd", start).fill, size)
        return b"".join(Filled(text))


def before_damage(files: Sequence[Any], are_damaged: Sequence[bool]) -> list[bool]:
    """Return which ranges are read: those up to the first damaged one of each file.

    `files` has the file of each range, in order, and `are_damaged` whether the range could not be read to its end.

    >>> before_damage(["a", "a", "a", "b"], [False, True, False, False])
    [True, True, False, True]
    """
    damaged, are_read = set(), []
    for file, is_damaged in zip(files, are_damaged, strict=True):
        are_read.append(file not in damaged)
        if is_damaged:
            damaged.add(file)
    return are_read
