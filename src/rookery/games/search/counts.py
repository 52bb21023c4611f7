"""Hits of a search, counted by the value of a header or of an expression."""

import copy
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.bitboards.bitboard import Bitboard
from rookery.games.computed_headers import SOURCES
from rookery.games.headers import header_text
from rookery.games.search.hits import Hits
from rookery.lazy_imports import compile_later
from rookery.positions.language.function import SET
from rookery.positions.language.query import Query, query_of

_HEADER: Final = compile_later(r"[A-Z]\w*")
_SHOWN: Final = 20  # values in a notebook


class Count(NamedTuple):
    """A value, and the number of hits and of games that have it."""

    value: str | None
    hits: int
    games: int


class HitCounts:
    r"""Hits counted by a header or an expression: rows of a value, its hits and its games, most hits first.

    >>> games = read_pgn(b'[ECO "B01"]\n\n1. e4 d5 2. exd5 *\n\n[ECO "C20"]\n\n1. e4 e5 *')
    >>> counts = HitCounts("ECO")
    >>> counts.add(games.search("white.pawns & e4", headers=["ECO"]))
    >>> [tuple(count) for count in counts]
    [('B01', 2, 1), ('C20', 2, 1)]
    """

    def __init__(self, by: "Query | str", label: str = "group_by") -> None:
        """Count by a header, whose name begins with a capital letter, or by an expression, such as ``"signature"``.

        ``"date"``, ``"year"``, ``"base"``, ``"increment"`` and ``"speed"`` are computed from headers.

        `label` is the name of the argument in messages of errors.
        """
        if not isinstance(by, (str, Query)):
            raise TypeError(f"{label}: {shown(by)}: expected the name of a header or an expression")
        self.header = by if isinstance(by, str) and (_HEADER.fullmatch(by) or by in SOURCES) else None
        self.query = None if self.header else query_of(by, label)
        self.name = self.header or (self.query.text if self.query else "")
        if self.query is not None and self.query.needs_games:
            raise ValueError(
                f"{label}: {shown(self.name)}: expected a header, or an expression about the position alone"
            )
        self._hits: Counter[str | None] = Counter()
        self._games: Counter[str | None] = Counter()
        self._last_game: set[tuple[tuple[str, int], str | None]] = set()  # the game of the last hit, with its values

    def empty(self) -> Self:
        """Return counts by the same header or expression that count nothing yet."""
        other = copy.copy(self)
        other._hits, other._games, other._last_game = Counter(), Counter(), set()
        return other

    def add(self, hits: Hits) -> None:
        """Count some hits. Hits of one game must be added together or one after the other."""
        if not isinstance(hits, Hits):
            raise TypeError(f"hits: {shown(hits)}: expected Hits")
        if not len(hits):
            return
        place = hits.game
        values, code = self._values(hits, place)
        self._hits.update(dict(zip(values, np.bincount(code, minlength=len(values)).tolist(), strict=True)))
        order = np.lexsort((code, place))
        place, code = place[order], code[order]
        is_new = np.append(True, (np.diff(place) != 0) | (np.diff(code) != 0))
        place, code = place[is_new], code[is_new]
        self._games.update(dict(zip(values, np.bincount(code, minlength=len(values)).tolist(), strict=True)))
        # The hits before may end with hits of the same game.
        ends = [(hits.files.text(i), int(hits.number[i])) for i in (int(order[0]), int(order[-1]))]
        before = {(at, value) for at, value in self._last_game if at == ends[0]}
        first = {(ends[0], values[k]) for k in code[place == place[0]].tolist()}
        self._games.subtract(value for _, value in before & first)
        self._last_game = {(ends[1], values[k]) for k in code[place == place[-1]].tolist()}
        if place[0] == place[-1]:
            self._last_game |= before

    def merge(self, other: Self) -> None:
        """Add the counts of hits in other games."""
        if not isinstance(other, HitCounts):
            raise TypeError(f"other: {shown(other)}: expected HitCounts")
        self._hits.update(other._hits)
        self._games.update(other._games)

    def _values(self, hits: Hits, place: NDArray[np.int64]) -> tuple[list[str | None], NDArray[np.intp]]:
        """Return the different values, and the number of the value of each hit. `place` is the game of each."""
        if self.header is not None:
            # A header is the same for all hits of a game, which are usually one after the other.
            starts = np.flatnonzero(np.append(True, np.diff(place) != 0))
            numbers: dict[str | None, int] = {}
            column = hits.headers[self.header]
            texts = [header_text(self.header, column, i) for i in starts.tolist()]
            code = [numbers.setdefault(text, len(numbers)) for text in texts]
            return list(numbers), np.repeat(np.array(code, np.intp), np.diff(np.append(starts, len(hits))))
        assert self.query is not None
        found, inverse = np.unique(self.query.evaluate(hits.positions), return_inverse=True)
        if self.query.kind == SET:
            return [" ".join(Bitboard(value).names()) for value in found.tolist()], inverse
        return list(map(str, found.tolist())), inverse

    def __len__(self) -> int:
        return len(self._hits)

    def __iter__(self) -> Iterator[Count]:
        order = sorted(self._hits.items(), key=lambda item: (-item[1], item[0] is None, item[0] or ""))
        return (Count(value, hits, self._games[value]) for value, hits in order)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the rows as columns for a data frame: the value by the name of what it is, ``hits`` and ``games``.

        >>> HitCounts("ECO").to_dict()
        {'ECO': [], 'hits': [], 'games': []}
        """
        rows = list(self)
        return {
            self.name: [row.value for row in rows],
            "hits": [row.hits for row in rows],
            "games": [row.games for row in rows],
        }

    def _repr_html_(self) -> str:
        """Return a table of the most frequent values, for notebooks."""
        from rookery.frames.html_tables import table_html

        rows = [(row.value or "", [f"{row.hits:,}", f"{row.games:,}"]) for row in itertools.islice(self, _SHOWN)]
        return table_html([self.name, "hits", "games"], rows, repr(self)[1:-1])

    def __repr__(self) -> str:
        return f"<{sum(self._hits.values()):,} hits by {self.name}, {len(self):,} values>"
