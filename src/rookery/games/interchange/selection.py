"""The choice of rows of a Parquet file before their moves are read.

A condition over headers decides, and so may a test of the summaries that the file stores
(`rookery.games.positions.summaries`).
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.frames.arrow import pyarrow_module
from rookery.frames.columns import Texts
from rookery.games.errors import GameError
from rookery.games.games import Games
from rookery.games.headers.computed_headers import typed_header
from rookery.games.headers.dates import DATES, YEAR
from rookery.games.headers.header_types import Header, header_column
from rookery.games.headers.known_headers import UnknownHeaderError
from rookery.games.headers.named_columns import column_named, tagged
from rookery.games.headers.where import Condition
from rookery.games.interchange.from_arrow import from_arrow
from rookery.games.interchange.left_out import with_warning
from rookery.games.positions.summaries import Summaries, columns_named, stored_summaries
from rookery.positions.language.headers import OF_MOVES

Mask: TypeAlias = NDArray[np.bool_]
Possible: TypeAlias = Callable[[Summaries], Mask]

_STARTS: Final = ("start", "chess960")
_NO_FILES: Final = "no column 'file': games have the name of the table, and those of several files may share numbers"


class Selection:
    """The choice of rows of a table of games by columns that are cheap to read.

    It keeps every row that may be wanted. A row is left out if the condition is not true for it whatever its moves are,
    or if `possible` returns False for its summary.
    """

    def __init__(self, schema: Any, condition: Condition | None, possible: Possible | None) -> None:
        """Prepare the choice for tables of a schema."""
        names = set(schema.names)
        self.condition = condition
        self._possible = possible if names.issuperset(OF_MOVES) else None
        needed: set[str] = set()
        if condition is not None:
            is_restored = "Date" in condition.names and "Date" not in names  # from the column date and the tags
            needed |= {"date" if name == "Date" and is_restored else name for name in condition.names}
            needed |= {"tags"} if is_restored or needed - names else set()
            needed |= {"date", *DATES} if YEAR in condition.names else set()
            needed |= set(condition.of_moves)
        if self._possible is not None:
            needed |= {*OF_MOVES, *_STARTS}
        self.is_needed = condition is not None or self._possible is not None
        # A table without columns has no rows.
        self.names: list[str] = [name for name in schema.names if name in needed] or schema.names[:1]

    def rows(self, table: Any) -> Mask:
        """Return which rows of a table may be wanted; the table has the columns `names`."""
        mask = np.ones(table.num_rows, np.bool_)
        stored = _stored(table)
        if self.condition is not None:
            known = {name: stored[name] for name in self.condition.of_moves if name in stored}
            mask = self.condition.mask({**self._headers(table), **known}, mask.size)
            for column in known.values():
                mask = mask | ~column.valid
        if self._possible is not None:
            summaries = stored_summaries(stored, _without_moves(table).columns.starts)
            mask = mask if summaries is None else mask & (self._possible(summaries) | ~summaries.known())
        return mask

    def decided(self, table: Any, games: Games) -> Games:
        """Return the games of rows that may be wanted for which the condition is true, now that their moves are read.

        `table` has the same rows and the columns `names`.
        """
        if self.condition is None:
            return games
        stored = _stored(table)
        if all(name in stored and stored[name].valid.all() for name in self.condition.of_moves):
            return games
        return that_meet(games, self.condition, self._headers(table))

    def _headers(self, table: Any) -> dict[str, Header]:
        """Return the headers that the condition names."""
        assert self.condition is not None
        return headers_of(_without_moves(table), self.condition) if self.condition.names else {}


def _without_moves(table: Any) -> Games:
    rest = table.select([name for name in table.column_names if name not in (*OF_MOVES, "moves")])
    return Games._of_columns(from_arrow(rest.append_column("moves", pyarrow_module().nulls(table.num_rows))))


def _stored(table: Any) -> dict[str, Header]:
    """Return the columns of summaries in a table that have the right type."""
    stored = {name: header_column(name, table.column(name)) for name in OF_MOVES if name in table.column_names}
    return {name: column for name, column in stored.items() if isinstance(column, Texts) == (OF_MOVES[name] == "text")}


def mask_of(games: Games, where: str) -> Mask:
    """Return for which games a condition is true; UnknownHeaderError if it names a header that none of them has."""
    condition = Condition(where, games.headers)
    columns = {**headers_of(games, condition), **columns_named(games.columns, condition.of_moves)}
    mask = condition.mask(columns, len(games))
    if nowhere := condition.unseen.nowhere:
        raise UnknownHeaderError({name: condition.suggestion(name) for name in nowhere})
    return mask


def that_meet(games: Games, condition: Condition, headers: Mapping[str, Header]) -> Games:
    """Return the games for which a condition is true, with all errors of games that were left out."""
    mask = condition.mask({**headers, **columns_named(games.columns, condition.of_moves)}, len(games))
    if mask.all():
        return games
    chosen = games[mask].columns
    return Games._of_columns(chosen.replace(errors=chosen.errors.after(games.columns.errors.left_out)))


def identified(table: Any, name: str, before: int) -> Any:
    """Return a table with the file and the number of each game, of which `before` rows of a table are before it.

    A table without numbers is itself the file of its games: its name is theirs, and its rows are their numbers. One
    with numbers alone was written by an older version: its name stands for those of the files (see `without_files`).
    """
    pa, names = pyarrow_module(), table.column_names
    if "file" not in names:
        table = table.append_column("file", pa.DictionaryArray.from_arrays(np.zeros(table.num_rows, np.int32), [name]))
    if "number" not in names:
        table = table.append_column("number", pa.array(np.arange(before + 1, before + table.num_rows + 1)))
    return table


def without_files(table: Any, stored: Collection[str], name: str) -> Any:
    """Return the first rows of a table, with a warning if the `stored` columns have numbers of games, but not files."""
    if "number" not in stored or "file" in stored:
        return table
    return with_warning(table, GameError(name, 0, 0, 0, "", "", _NO_FILES))


def headers_of(games: Games, condition: Condition) -> dict[str, Header]:
    """Return the headers that a condition names."""
    return {name: header_of(games, name) for name in condition.names}


def header_of(games: Games, name: str) -> Header:
    """Return a header of each game, from the tags if the table has no such column."""
    if (column := column_named(games.columns, name)) is not None:
        return column
    return typed_header(name, tagged(games.columns, name), len(games))
