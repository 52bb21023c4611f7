"""Columns of games by name: headers, and what is computed from headers and from moves."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.frames.columns import Numbers, Texts
from rookery.games.game_columns import GameColumns
from rookery.games.headers.computed_headers import SOURCES, computed_header, typed_header
from rookery.games.headers.dates import days_of
from rookery.games.headers.header_types import Header
from rookery.lazy_imports import modules_later
from rookery.pgn.scan.lexing.vocabulary import OTHER_RESULTS, RESULTS
from rookery.positions.language.headers import OF_MOVES, USUAL
from rookery.results import HALF

if TYPE_CHECKING:
    from rookery.games.positions import summaries
else:
    (summaries,) = modules_later("rookery.games.positions", "summaries")

RESULT_TEXTS: Final = Texts.of(list(RESULTS))  # by score
_SCORES: Final = {text: score for score, text in enumerate(RESULTS)} | {HALF: RESULTS.index(OTHER_RESULTS[HALF])}


def scores_of(headers: Texts) -> NDArray[np.uint8]:
    """Return the scores that headers Result state, 0 for those that state none: then the moves may.

    >>> scores_of(Texts.of(["1-0", "1/2", "*", "unclear", None])).tolist()
    [1, 3, 0, 0, 0]
    """
    scores, lengths = np.zeros(headers.size, np.uint8), np.diff(headers.offsets)
    for text, score in _SCORES.items():
        rows = np.flatnonzero(headers.valid & (lengths == len(text)))
        letters = headers.data[headers.offsets[rows][:, None] + np.arange(len(text))]
        scores[rows[(letters == np.frombuffer(text.encode(), np.uint8)).all(axis=1)]] = score
    return scores


def result_column(scores: NDArray[np.uint8]) -> Texts:
    """Return results as texts."""
    return RESULT_TEXTS.chosen(scores.astype(np.int64))


def column_named(games: GameColumns, name: str) -> Header | None:
    r"""Return a column of games, or None if there is no such column.

    >>> games = read_pgn(b'[WhiteElo "2100"]\n\n1. e4 1-0')
    >>> [list(column_named(games.columns, name).to_numpy()) for name in ("WhiteElo", "Result", "plies")]
    [[np.int16(2100)], ['1-0'], [np.int64(1)]]
    >>> column_named(games.columns, "Coach")
    """
    if name == "Result":
        return result_column(games.scores)
    if name in games.headers:
        return games.headers[name]
    if name in SOURCES:
        return computed_header(name, games.headers, games.dates)
    if name == "plies":
        return Numbers(np.diff(games.plies.offsets), np.ones(games.size, np.bool_))
    return summaries.columns_named(games, [name])[name] if name in OF_MOVES else None


def with_results(headers: Mapping[str, Header]) -> tuple[dict[str, Header], NDArray[np.bool_]]:
    """Return headers with results in place of the header Result, and for which games only the moves tell the result.

    >>> with_results({"Result": Texts.of(["1/2", "?"])})[1].tolist()
    [False, True]
    """
    stated = headers.get("Result")
    if not isinstance(stated, Texts):
        return dict(headers), np.zeros(1, np.bool_)
    scores = scores_of(stated)
    return {**headers, "Result": result_column(scores)}, scores == 0


def tagged(games: GameColumns, name: str) -> Texts:
    """Return a header that has no column, from the tags of games; all are missing if no tags were read."""
    n = games.size
    if games.tags is None:
        return Texts.of([None] * n)
    rows = games.tags.rows_where("name", name)
    index = np.full(n, rows.size)
    index[games.tags.lists_of(rows)] = np.arange(rows.size)
    return Texts.joined([games.tags.columns["value"].chosen(rows), Texts.of([None])]).chosen(index)


OWN: Final = {"file": "files", "number": "numbers", "Result": "results"}  # columns, and the attributes of `Games`


def missing_column(games: GameColumns, name: Any) -> KeyError:
    """Return the error for a column that games do not have."""
    if isinstance(name, str) and name in SOURCES:
        return KeyError(f"column {name!r}: expected a column {' or '.join(SOURCES[name])}, of which it is made")
    names = ", ".join([*OWN, *SOURCES, *games.headers])
    return KeyError(f"column {shown(name)}: expected one of {names}")


class GivenColumns:
    """Columns of games that were read, as the language looks at them."""

    def __init__(self, columns: Mapping[str, Header]) -> None:
        self._columns = columns

    def column(self, name: str) -> Header:
        """Return a column, or one that is computed from others."""
        column = self._columns.get(name)
        if column is None and name in SOURCES:
            column = computed_header(name, self._columns)
        if column is None:
            raise KeyError(f"column {name!r}: expected one of {', '.join(self._columns)}")
        return column

    def days(self, name: str) -> Numbers:
        """Return a header as days."""
        return _as_days(self.column(name))


class ColumnsOfGames(GivenColumns):
    """The columns of games in memory, as the language looks at them.

    `whole` are the games of which these are a part: a header is known that one of them has, or a usual one.
    """

    def __init__(self, games: GameColumns, whole: GameColumns) -> None:
        super().__init__(games.headers)
        self._games, self._whole = games, whole

    def column(self, name: str) -> Header:
        """Return a column, or one that is computed from headers or moves."""
        column = column_named(self._games, name)
        if column is not None:
            return column
        tags = self._whole.tags
        if tags is None or not (name in USUAL or tags.rows_where("name", name).size):
            raise missing_column(self._games, name)
        return typed_header(name, tagged(self._games, name), self._games.size)


def _as_days(column: Header) -> Numbers:
    if isinstance(column, Numbers):
        return column
    days = days_of(column)[1]
    return Numbers(days.values, days.valid & column.valid)
