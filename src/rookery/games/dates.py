"""The day a game was played: the header UTCDate, or Date where a game has none.

A table has this day in its column ``date``. It has no column ``Date``, since DuckDB, Spark and BigQuery do not
distinguish names by case. If the header Date is another day, it is among the tags, with the value null for a game
without the header, so that the games can be restored.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rookery.games.columns import Lists, Numbers, Texts


def day_played(headers: Mapping[str, Any]) -> Numbers | None:
    """Return the day of each game from its headers; None if there is neither a column UTCDate nor Date."""
    days = [column for name in ("UTCDate", "Date") if isinstance(column := headers.get(name), Numbers)]
    if not days:
        return None
    first, last = days[0], days[-1]
    return Numbers(np.where(first.valid, first.values, last.values), first.valid | last.valid)


def tags_for_table(headers: Mapping[str, Any], tags: Lists) -> Lists:
    """Return the tags, with the header Date added for each game whose header Date is not the day it was played."""
    date, utc = headers["Date"], headers["UTCDate"]
    stated = np.zeros(tags.size, np.bool_)
    stated[tags.lists_of(tags.rows_where("name", "Date"))] = True
    other = np.flatnonzero(utc.valid & ~stated & (~date.valid | (date.values != utc.values)))
    if not other.size:
        return tags
    texts = np.char.replace(date.values[other].astype(str), "-", ".").tolist()
    values = Texts.of([text if known else None for text, known in zip(texts, date.valid[other], strict=True)])
    added = {"name": Texts.of(["Date"] * other.size), "value": values}
    both = {name: Texts.joined([column, added[name]]) for name, column in tags.columns.items()}
    places = np.concatenate([tags.lists_of(np.arange(tags.columns["name"].size)), other])
    order = np.argsort(places, kind="stable")
    offsets = np.searchsorted(places[order], np.arange(tags.size + 1))
    return Lists(offsets, {name: column.chosen(order) for name, column in both.items()})


def from_table(days: Numbers, tags: Lists | None) -> tuple[Numbers, Lists | None]:
    """Return the header Date of each game, and the tags without those that state it."""
    if tags is None:
        return days, None
    rows = tags.rows_where("name", "Date")
    values, valid = days.values.copy(), days.valid.copy()
    valid[tags.lists_of(rows)] = False
    kept = np.ones(tags.columns["name"].size, np.bool_)
    for row, text in zip(rows.tolist(), tags.columns["value"].chosen(rows), strict=True):
        day = None if text is None else _day(text)
        kept[row] = day is None and text is not None
        if day is not None:
            game = int(tags.lists_of(np.array([row]))[0])
            values[game], valid[game] = day, True
    return Numbers(values, valid), tags if kept.all() else tags.with_rows(np.flatnonzero(kept))


def _day(text: str) -> np.datetime64 | None:
    """Return the day of a text like ``2025.05.01``, or None for another text."""
    try:
        day = np.datetime64(text.replace(".", "-"), "D")
    except ValueError:
        return None
    return day if str(day).replace("-", ".") == text else None
