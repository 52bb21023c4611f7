"""The division of files of games into ranges: text between games, tables between row groups or batches."""

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from rookery.games.read.blocks import safe_cut
from rookery.lazy_imports import modules_later
from rookery.sources import stores
from rookery.sources.file_range import FileRange
from rookery.sources.formats import Kind, format_of
from rookery.sources.identity import Identity, identity_of
from rookery.sources.ranges import RANGE, cuts, cuts_near_frames, ranges_between
from rookery.sources.streams import head_of

if TYPE_CHECKING:
    from rookery.games.interchange import table_files
else:
    (table_files,) = modules_later("rookery.games.interchange", "table_files")


_GAME: Final = 1 << 10  # bytes of a game's text, roughly: a range of a table has a row for each


def between_games(text: bytes) -> int:
    """Return the last place where a game begins whatever comes before, or 0."""
    return safe_cut(np.frombuffer(text, np.uint8), len(text))


def ranges_of(
    path: str, size: int = RANGE, identity: Identity | None = None, encoding: str | None = None
) -> Iterator[FileRange]:
    """Yield the ranges of a file, about `size` bytes of text each, in order.

    Plain text is cut where a game begins whatever comes before, and so is the text of a zstd file of several frames,
    near the beginnings of frames. Parquet and Arrow files are divided by row groups and batches. Ranges depend on the
    file alone, and reading them is reading the file. Any other file is one range, and so is each packed file or table
    of another store, and a file of text in an `encoding` that the caller names. Who opens a range compares the file
    with `identity`, by default that of the file now.
    """
    identity = identity_of(path) if identity is None else identity
    found = format_of(head_of(path))
    if found.kind is Kind.TABLE and not stores.is_remote(path):
        yield from ranges_of_table(path, found.name, max(size // _GAME, 1), identity)
    elif encoding is not None:
        yield FileRange(path, identity=identity)
    elif found.kind is Kind.TEXT:
        yield from ranges_between(path, cuts(path, size, between_games), identity)
    elif found.name == "zstd":
        yield from ranges_between(path, cuts_near_frames(path, size, between_games), identity)
    else:
        yield FileRange(path, identity=identity)


def ranges_of_table(path: str, kind: str, rows: int, identity: Identity | None = None) -> Iterator[FileRange]:
    """Yield ranges of row groups or batches of a table that have `rows` rows or fewer, unless one of these has more.

    An Arrow file of another store is one range.
    """
    groups = table_files.rows_of_groups(path, kind)
    start = first = 0
    for stop, (before, after) in enumerate(itertools.pairwise(itertools.accumulate(groups, initial=0))):
        if stop > start and after - first > rows:
            yield FileRange(path, start, stop, rows_before=first, identity=identity)
            start, first = stop, before
    yield FileRange(path, start, None, rows_before=first, identity=identity)
