"""The division of files into ranges, each of which can be read alone: the tasks of an executor.

`division_of` decides whether a file may be divided. Text is cut at places that the caller's function finds: between
lines or rows of CSV here, between games in `rookery.games.read.game_ranges`.
"""

import collections
import contextlib
import enum
import functools
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from rookery.arguments import shown
from rookery.lazy_imports import modules_later
from rookery.sources import stores
from rookery.sources.chunks import Filled, first_bytes
from rookery.sources.file_range import FileRange, text_from
from rookery.sources.formats import HEAD, JSON, TEXT, Format, Kind, format_of
from rookery.sources.identity import Identity
from rookery.sources.streams import head_of
from rookery.sources.unpack import frames_of

if TYPE_CHECKING:
    from rookery.sources import csv_text
else:
    (csv_text,) = modules_later("rookery.sources", "csv_text")


RANGE: Final = 1 << 26  # bytes of text: a second or two of work
WINDOW: Final = 1 << 16  # bytes of text in which a game should begin
STANDARD_INPUT: Final = "-"
_PACKED: Final = 5  # zstd makes PGN smaller by about this factor
_CHUNK: Final = 1 << 20

Find = Callable[[bytes], int]  # returns a place in a window of text where it can be cut, or 0
# Yields places of a file, some bytes of text apart, each with the bytes of text to add to it.
Places = Callable[[str, int], Iterator[tuple[int, int]]]


class Unit(enum.Enum):
    """The unit of the ranges of a file: its bytes, the bytes at which zstd frames begin, or row groups or batches."""

    BYTES = "bytes"
    FRAMES = "frames"
    GROUPS = "groups"


class Division(NamedTuple):
    """The unit by which a file may be divided, None if it is read from beginning to end; its format; and the reason."""

    unit: Unit | None
    format: Format
    reason: str = ""

    @property
    def is_stream(self) -> bool:
        """Return whether the file, if it has only one range, is read from its beginning to its end in many parts."""
        return self.unit is Unit.FRAMES or (self.unit is None and self.format.kind not in (Kind.TABLE, Kind.OTHER))


def division_of(
    path: str, encoding: str | None = None, known: Format | None = None, *, remote_tables: bool = False
) -> Division:
    """Return how a file may be divided, or why not. Nothing else in the library decides this.

    `encoding` is that of its text, None for UTF-8. `known` is its format if the caller knows better than its first
    bytes, and `remote_tables` says that the caller opens tables of other stores.

    >>> division_of("docs/lichess-2025-05.pgn.zst").unit
    <Unit.FRAMES: 'frames'>
    >>> division_of("-").reason
    'standard input is read once'
    """
    if path == STANDARD_INPUT:
        return Division(None, Format(Kind.PACKED, "?"), "standard input is read once")
    is_remote = stores.is_remote(path)
    if not is_remote and not Path(path).is_file():
        return Division(None, TEXT, "a device or a pipe is read once")
    found = known or format_of(head_of(path))
    if found.kind is Kind.TABLE:
        if is_remote and not remote_tables:
            return Division(None, found, "a table of another store is read whole")
        return Division(Unit.GROUPS, found)
    if encoding is not None:
        return Division(None, found, f"text in {encoding} is converted from its beginning on")
    if found is JSON:
        return Division(None, found, "a JSON document is read from its beginning on")
    if found.kind in (Kind.TEXT, Kind.JSON):
        if stores.size_of(path) is None:
            return Division(None, found, "the server gives no size, and sends no ranges")
        return Division(Unit.BYTES, found)
    if found.name == "zstd" and not is_remote:
        return Division(Unit.FRAMES, found)
    return Division(None, found, f"{found.name} is read from its beginning on")


def content_of(path: str, division: Division) -> Format:
    """Return the format of a file's text, which may be that of zstd frames. Of a damaged one it is text."""
    if division.unit is not Unit.FRAMES:
        return division.format
    with contextlib.suppress(OSError, ModuleNotFoundError):  # the reader of the range says why
        return format_of(_text(path, 0, HEAD))
    return TEXT


class Cuts(NamedTuple):
    """Functions that find the places between which a format is divided: in a file, and in a zstd file if that works."""

    in_bytes: Places
    in_frames: Places | None = None


def found_by(find: Find) -> Cuts:
    """Return the places that a function finds in windows of text."""
    return Cuts(functools.partial(_cuts, find=find), functools.partial(_cuts_near_frames, find=find))


def between_rows(delimiter: str) -> Cuts:
    """Return the places between rows of CSV, whose fields may have line breaks: the file is read to find them."""
    return Cuts(
        functools.partial(_places_between_rows, delimiter=delimiter),
        functools.partial(_cuts_between_rows, delimiter=delimiter),
    )


def ranges_of(
    path: str, division: Division, cuts: Cuts | None, size: int = RANGE, identity: Identity | None = None
) -> Iterator[FileRange]:
    """Yield the ranges of a file of text or entries, about `size` bytes of text each, in order.

    A file that is not divided is one range. Without `cuts` nobody can tell where its content may be cut.
    """
    places: Iterator[tuple[int, int]] = iter(())
    if cuts is not None and division.unit is Unit.BYTES:
        places = cuts.in_bytes(path, size)
    elif cuts is not None and division.unit is Unit.FRAMES and cuts.in_frames is not None:
        places = cuts.in_frames(path, size)
    start = skip = 0
    for stop, more in places:
        yield FileRange(path, start, stop, skip, more, identity=identity)
        start, skip = stop, more
    yield FileRange(path, start, None, skip, identity=identity)


def ranges_of_groups(
    path: str, groups: Iterable[int], rows: int, identity: Identity | None = None
) -> Iterator[FileRange]:
    """Yield ranges of row groups or batches of a table that have `rows` rows or fewer, unless one of these has more.

    `groups` are the numbers of their rows; none for a table that is not divided.
    """
    start = first = 0
    for stop, (before, after) in enumerate(itertools.pairwise(itertools.accumulate(groups, initial=0))):
        if stop > start and after - first > rows:
            yield FileRange(path, start, stop, rows_before=first, identity=identity)
            start, first = stop, before
    yield FileRange(path, start, None, rows_before=first, identity=identity)


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


def _cuts(path: str, size: int, find: Find) -> Iterator[tuple[int, int]]:
    """Yield places that `find` finds in a file that is not packed, `size` bytes apart, each with zero."""
    window, length = min(WINDOW, size), stores.size_of(path) or 0
    with stores.open_file(path) as file:
        for end in range(size, length - size // 2, size):
            file.seek(end - window)
            if place := find(file.read(window)):
                yield end - window + place, 0


def _cuts_near_frames(path: str, size: int, find: Find) -> Iterator[tuple[int, int]]:
    """Yield frames of a zstd file, each with a place that `find` finds in the text from there on.

    The rest of a file whose frames are damaged is not divided.
    """
    window, last = min(WINDOW, size), 0
    with stores.open_file(path) as file:
        for begin in frames_of(file):
            if not begin or begin - last < size // _PACKED:
                continue
            try:
                if not last and not _is_text(path):
                    return
                text = _text(path, begin, window)
            except (OSError, ModuleNotFoundError):  # the reader of the range says why
                return
            if place := find(text):
                yield begin, place
                last = begin


def _places_between_rows(path: str, size: int, delimiter: str) -> Iterator[tuple[int, int]]:
    """Yield the places of rows of CSV in a file that is not packed, each with zero."""
    if (stores.size_of(path) or 0) > size:
        with stores.open_file(path) as file:
            chunks = iter(lambda: file.read(_CHUNK), b"")
            yield from ((place, 0) for place in csv_text.places_between_rows(chunks, delimiter, size))


def _cuts_between_rows(path: str, size: int, delimiter: str) -> Iterator[tuple[int, int]]:
    """Yield frames of a zstd file of CSV, each with the place of the first row that begins in the text from there on.

    Rows may have line breaks in quotes, so where they begin depends on all text before: the file is unpacked to find
    out. The rest of a file whose frames are damaged is not divided.
    """
    waiting: collections.deque[tuple[int, int]] = collections.deque()  # frames, and where their text begins
    with contextlib.suppress(OSError, ModuleNotFoundError), stores.open_file(path) as file:
        frames = list(frames_of(file))
        if len(frames) < 2 or not _is_text(path):
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


def _is_text(path: str) -> bool:
    """Check that a zstd file has neither text of another encoding nor another packed file."""
    return format_of(_text(path, 0, HEAD)).kind in (Kind.TEXT, Kind.JSON, Kind.OTHER)


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


LINES: Final = found_by(between_lines)
