"""Shared parts of the writers of bytes: entries of one size, and chains of rows."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from rookery.data.training.binary.chains import behind
from rookery.data.training.samples import ScoredPositions
from rookery.rules.compiled import default_technique

# Scores and results are given to compiled code as unsigned words.
_WORDS: Final = {"scores": np.uint16, "results": np.uint8}


def words_of(rows: ScoredPositions, names: tuple[str, ...]) -> list[Any]:
    """Return the positions of rows and some of their columns, as compiled code takes them."""
    columns = (getattr(rows, name).view(_WORDS.get(name, getattr(rows, name).dtype)) for name in names)
    return [rows.positions.columns, *columns]


class EntryEncoder:
    """A writer of entries that all have `size` bytes.

    ``encode(positions, *columns, out, tables)`` writes them to an array of zeros; `names` are its columns.
    """

    def __init__(self, encode: Callable[..., Any], size: int, names: tuple[str, ...]) -> None:
        self._encode, self._size, self._names = encode, size, names
        self._tables = default_technique().tables()

    def add(self, rows: ScoredPositions) -> Iterator[bytes]:
        """Yield the bytes of some rows, all of which are within the limits."""
        out = np.zeros(len(rows) * self._size, np.uint8)
        self._encode(*words_of(rows, self._names), out, self._tables)
        yield out.tobytes()

    def end(self) -> Iterator[bytes]:
        """Yield nothing: entries have no end."""
        yield from ()


class ChainEncoder:
    """A writer of rows that follow each other. A format says how: `written` yields the bytes of rows."""

    def __init__(self) -> None:
        self.last: ScoredPositions | None = None
        self.tables = default_technique().tables()

    def add(self, rows: ScoredPositions) -> Iterator[bytes]:
        """Yield the bytes of some rows, all of which are within the limits, or of a part of them."""
        if len(rows):
            yield from self.written(*behind(self.last, rows))
            self.last = rows[len(rows) - 1 :]

    def written(self, rows: ScoredPositions, first: int) -> Iterator[bytes]:
        """Yield the bytes of rows from index `first` on; the row before it, if any, was written last."""
        raise NotImplementedError
