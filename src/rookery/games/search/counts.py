"""Hits of a search, counted by the value of a header or of an expression."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from rookery.arguments import shown
from rookery.bitboards.bitboard import Bitboard
from rookery.games.search.hits import Hits
from rookery.positions.expressions.function import SET
from rookery.positions.expressions.query import Query, query_of

_HEADER: Final = re.compile(r"[A-Z]\w*")


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

        `label` is the name of the argument in messages of errors.
        """
        if not isinstance(by, (str, Query)):
            raise TypeError(f"{label}: {shown(by)}: expected the name of a header or an expression")
        self.header = by if isinstance(by, str) and _HEADER.fullmatch(by) else None
        self.query = None if self.header else query_of(by, label)
        self.name = self.header or (self.query.text if self.query else "")
        if self.query is not None and self.query.needs_games:
            raise ValueError(
                f"{label}: {shown(self.name)}: expected a header, or an expression about the position alone"
            )
        self._hits: Counter[str | None] = Counter()
        self._games: Counter[str | None] = Counter()
        self._last_games: set[tuple[int, int, str | None]] = set()

    def add(self, hits: Hits) -> None:
        """Count some hits. Hits of one game must be added together or one after the other."""
        values = self._values(hits)
        self._hits.update(values)
        games = set(zip(hits.file.tolist(), hits.game.tolist(), values, strict=True))
        self._games.update(value for _, _, value in games - self._last_games)
        if games:
            last = max(games, key=lambda game: game[:2])[:2]
            self._last_games = {game for game in games if game[:2] == last}

    def _values(self, hits: Hits) -> list[Any]:
        if self.header is not None:
            return list(hits.headers[self.header])
        assert self.query is not None
        values = self.query.evaluate(hits.positions).tolist()
        if self.query.kind == SET:
            return [" ".join(Bitboard(value).names()) for value in values]
        return list(map(str, values))

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

    def __repr__(self) -> str:
        return f"<{sum(self._hits.values()):,} hits by {self.name}, {len(self):,} values>"
