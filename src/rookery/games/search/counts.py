"""Hits of a search, counted by the value of a header or of an expression.

Plans count by Arrow's grouping (`rookery.Plan.group_by`). These counts are made while games are read, without pyarrow,
which a search does not need.
"""

import copy
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.bitboards.bitboard import Bitboard
from rookery.games.headers.named_columns import GivenColumns
from rookery.games.search.hits import Hits
from rookery.positions.language.game_block import GameBlock
from rookery.positions.language.grammar import OF_GAME, SET, TEXT
from rookery.positions.language.query import Query, query_of
from rookery.positions.language.texts import array_of_texts, known
from rookery.positions.language.tokens import separated

_SHOWN: Final = 20  # values in a notebook


class Count(NamedTuple):
    """A value, and the number of hits and of games that have it; of several values, a text with commas."""

    value: str | None
    hits: int
    games: int


_Values: TypeAlias = tuple[str | None, ...]


class HitCounts:
    r"""Hits counted by expressions: rows of a value, its hits and its games, most hits first.

    >>> games = read_pgn(b'[ECO "B01"]\n\n1. e4 d5 2. exd5 *\n\n[ECO "C20"]\n\n1. e4 e5 *')
    >>> counts = HitCounts("ECO")
    >>> counts.add(games.search("white.pawns & e4", headers=["ECO"]))
    >>> [tuple(count) for count in counts]
    [('B01', 2, 1), ('C20', 2, 1)]
    """

    def __init__(self, by: "Query | str", label: str = "group_by") -> None:
        """Count by a header such as ``"ECO"``, by any expression, or by several with commas between them.

        `label` is the name of the argument in messages of errors.
        """
        if not isinstance(by, (str, Query)):
            raise TypeError(f"{label}: {shown(by)}: expected the name of a header or an expression")
        texts = [by.text] if isinstance(by, Query) else separated(by, label) or [by]
        self.queries = tuple(query_of(text, label) for text in texts)
        self.name = ", ".join(texts)
        self._hits: Counter[_Values] = Counter()
        self._games: Counter[_Values] = Counter()
        self._last_game: set[tuple[tuple[str, int], _Values]] = set()  # the game of the last hit, with its values

    def empty(self) -> Self:
        """Return counts by the same expressions that count nothing yet."""
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

    def _values(self, hits: Hits, place: NDArray[np.int64]) -> tuple[list[_Values], NDArray[np.intp]]:
        """Return the different values, and the number of the value of each hit. `place` is the game of each."""
        # Hits of a game are usually one after the other, and have one value of each expression about games.
        starts = np.flatnonzero(np.append(True, np.diff(place) != 0))
        lengths = np.diff(np.append(starts, len(hits)))
        values: list[_Values] = [()]
        code = np.zeros(len(hits), np.intp)
        for query in self.queries:
            array = _array_of(query, hits)
            is_of_game = query.plan.root.scope == OF_GAME
            found, inverse = np.unique(array[starts] if is_of_game else array, return_inverse=True)
            inverse = np.repeat(inverse, lengths) if is_of_game else inverse
            pairs, code = np.unique(code * found.size + inverse, return_inverse=True)
            texts = _texts_of(query, found)
            values = [(*values[pair // found.size], texts[pair % found.size]) for pair in pairs.tolist()]
        return values, code

    def __len__(self) -> int:
        return len(self._hits)

    def __iter__(self) -> Iterator[Count]:
        return (Count(_joined(values), hits, self._games[values]) for values, hits in self._ordered())

    def _ordered(self) -> list[tuple[_Values, int]]:
        """Return values with their numbers of hits, most hits first."""

        def place(item: tuple[_Values, int]) -> Any:
            values, hits = item
            return -hits, [(value is None, value or "") for value in values]

        return sorted(self._hits.items(), key=place)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the rows as columns for a data frame: the value by the name of what it is, ``hits`` and ``games``.

        >>> HitCounts("ECO").to_dict()
        {'ECO': [], 'hits': [], 'games': []}
        """
        rows = self._ordered()
        columns: dict[str, list[Any]] = {
            query.text: [values[k] for values, _ in rows] for k, query in enumerate(self.queries)
        }
        return columns | {"hits": [hits for _, hits in rows], "games": [self._games[values] for values, _ in rows]}

    def _repr_html_(self) -> str:
        """Return a table of the most frequent values, for notebooks."""
        from rookery.frames.html_tables import table_html

        rows = [(row.value or "", [f"{row.hits:,}", f"{row.games:,}"]) for row in itertools.islice(self, _SHOWN)]
        return table_html([self.name, "hits", "games"], rows, repr(self)[1:-1])

    def __repr__(self) -> str:
        return f"<{sum(self._hits.values()):,} hits by {self.name}, {len(self):,} values>"


def _joined(values: _Values) -> str | None:
    return values[0] if len(values) == 1 else ", ".join(value or "none" for value in values)


def _array_of(query: Query, hits: Hits) -> NDArray[Any]:
    """Return the value of an expression for each hit."""
    if query.text in hits.groups:
        return hits.groups[query.text]
    root = query.plan.root
    if root.scope == OF_GAME and hits.headers.keys() >= set(root.columns):
        value = array_of_texts(GameBlock(GivenColumns(hits.headers), len(hits)).value(root))
        return np.broadcast_to(value, len(hits))
    if query.needs_games:
        raise ValueError(f"hits: {query.text}: not known: expected hits of a search with group_by")
    return query.evaluate(hits.positions)


def _texts_of(query: Query, values: NDArray[Any]) -> list[str | None]:
    """Return different values of an expression as texts, None for a missing one."""
    if query.kind == SET:
        return [" ".join(Bitboard(value).names()) for value in values.tolist()]
    missing = ~np.asarray(known(values))
    if query.kind == TEXT and query.plan.root.may_be_missing:
        missing = values == ""
    texts = [str(value).removesuffix(".0") for value in (values.tolist() if values.dtype.kind != "M" else values)]
    return [None if absent else text for text, absent in zip(texts, missing.tolist(), strict=True)]
