"""The division of files of games into ranges: text between games, JSON between lines, tables between row groups."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from rookery.games.read.blocks import safe_cut
from rookery.lazy_imports import modules_later
from rookery.sources import ranges
from rookery.sources.file_range import FileRange
from rookery.sources.formats import JSON_LINES
from rookery.sources.identity import Identity, identity_of

if TYPE_CHECKING:
    from rookery.games.interchange import table_files
else:
    (table_files,) = modules_later("rookery.games.interchange", "table_files")


_GAME: Final = 1 << 10  # bytes of a game's text, roughly: a range of a table has a row for each


def between_games(text: bytes) -> int:
    """Return the last place where a game begins whatever comes before, or 0."""
    return safe_cut(np.frombuffer(text, np.uint8), len(text))


GAMES: Final = ranges.found_by(between_games)


def ranges_of(
    path: str, size: int = ranges.RANGE, identity: Identity | None = None, encoding: str | None = None
) -> Iterator[FileRange]:
    """Yield the ranges of a file, about `size` bytes of text each, in order.

    `rookery.sources.ranges.division_of` says which files are divided. Text is cut where a game begins whatever comes
    before, and so is the text of a zstd file of several frames, near the beginnings of frames; lines of JSON between
    lines; tables between row groups or batches. Ranges depend on the file alone, and reading them is reading the file.
    Who opens a range compares the file with `identity`, by default that of the file now.
    """
    identity = identity_of(path) if identity is None and path != ranges.STANDARD_INPUT else identity
    division = ranges.division_of(path, encoding)
    if division.unit is ranges.Unit.GROUPS:
        groups = table_files.rows_of_groups(path, division.format.name)
        yield from ranges.ranges_of_groups(path, groups, max(size // _GAME, 1), identity)
    else:
        cuts = ranges.LINES if ranges.content_of(path, division) is JSON_LINES else GAMES
        yield from ranges.ranges_of(path, division, cuts, size, identity)
