"""`search`: the search of games in memory, and of files of games of any size."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.arguments import shown
from rookery.games.games import Games
from rookery.games.interchange.text_columns import is_column
from rookery.games.read.options import ReadOptions
from rookery.games.search.counts import HitCounts
from rookery.games.search.files import FileSearch, keep
from rookery.games.search.find import Options, checked_options, limited, no_hits, search_games
from rookery.games.search.hits import Hits
from rookery.lazy_imports import modules_later
from rookery.positions.language.query import Query, query_of
from rookery.sources.streams import check_source
from rookery.tasks.interface import Executor

if TYPE_CHECKING:
    from rookery.games.interchange import selection
    from rookery.games.search import ranges
else:
    (ranges,) = modules_later("rookery.games.search", "ranges")
    (selection,) = modules_later("rookery.games.interchange", "selection")


def search(
    source: Any,
    query: "Query | str",
    *,
    where: str | None = None,
    headers: Sequence[str] = (),
    limit: int | None = None,
    one_per_game: bool = False,
    context: int = 0,
    sort_by: "Query | str | None" = None,
    group_by: "Query | str | None" = None,
    encoding: str | None = None,
    letters: str | None = None,
    names: Any = None,
    threads: int = 1,
    executor: Executor | str | None = None,
) -> Hits | HitCounts:
    r"""Search games, in memory or in files of any size, for positions that satisfy a query.

    `source` is a `Games`, or as in `read_pgn`: paths, patterns, bytes or open files of PGN, packed or not, or tables of
    games in Parquet or Arrow. Files are read in batches, so that only the hits take memory. `where` is a condition that
    chooses the games, `encoding` and `letters` are those of their text, and `names` those of openings, all as in
    `read_pgn`. `query`, `headers`, `limit`, `one_per_game`, `context` and `sort_by` are as in `Games.search`. Of games
    in memory, `Hits.game` is the index in `source`; of files, the index among all games that were searched.

    With `group_by`, the hits are only counted, and the result is a `rookery.games.search.counts.HitCounts`. It is a
    header such as ``"ECO"``, an expression such as ``"elo(us) // 200"`` or ``"move.san"``, or several with commas
    between them.

    `threads` read and search side by side. With `executor`, anything with the interface of
    ``concurrent.futures.Executor`` or a text such as ``"processes:8"`` (see `rookery.tasks.open_executor`), its workers
    search ranges of the files; the files must then be paths. A bad game is searched up to its first fault.

    >>> import rookery
    >>> hits = rookery.search("docs/lichess-2025-05.pgn.zst", "is_mate", headers=["White"])
    >>> hits
    <1 hit>
    >>> hits.number.tolist()
    [1]
    >>> counts = rookery.search("docs/lichess-2025-05.pgn.zst", "is_check", group_by="ECO")
    >>> next(iter(counts)).hits
    6
    """
    query = query_of(query)
    options = checked_options(headers, limit, one_per_game, context, sort_by)
    counts = None if group_by is None else HitCounts(group_by)
    if counts is not None:
        if limit is not None or sort_by is not None:
            raise ValueError("group_by: counts all hits: expected neither limit nor sort_by")
        options = options._replace(group_by=counts.queries)
    if isinstance(source, Games):
        for name, value in (("encoding", encoding), ("letters", letters), ("names", names), ("executor", executor)):
            if value is not None:
                raise ValueError(f"{name}: {shown(value)}: expected none for games in memory")
        hits = _in_memory(source, query, options, where, threads)
        if counts is None:
            return hits
        counts.add(hits)
        return counts
    files = [source] if is_column(source) else check_source(source)
    query.plan.check_condition()
    reading = ReadOptions(where=where, encoding=encoding, letters=letters, names=names, threads=threads)
    parts = [no_hits(options)]
    run: FileSearch | ranges.RangeSearch
    if executor is None:
        run = FileSearch(files, query, options, reading, counts=counts)
    else:
        run = ranges.RangeSearch(files, query, options, reading, executor, counts=counts)
    with run:
        for _, hits in run:
            if counts is None:
                keep(hits, parts, options)
    if counts is not None:
        return counts
    return limited(Hits.concatenate(parts), options)


def _in_memory(games: Games, query: Query, options: Options, where: str | None, threads: int) -> Hits:
    """Return the hits in games that meet a condition."""
    games._check_headers((*options.headers, *options.counted_headers))
    if where is None:
        return search_games(games, query, options, threads)
    rows = np.flatnonzero(selection.mask_of(games, where))
    hits = search_games(games[rows], query, options, threads)
    hits.game = rows[hits.game]
    return hits
