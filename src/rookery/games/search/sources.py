"""`search`: the search of files of games, of any size."""

from collections.abc import Sequence
from typing import Any

from rookery.games.interchange.text_columns import is_column
from rookery.games.read.options import ReadOptions
from rookery.games.search.counts import HitCounts
from rookery.games.search.files import FileSearch, keep
from rookery.games.search.find import checked_options, limited
from rookery.games.search.hits import Hits
from rookery.games.search.ranges import RangeSearch
from rookery.positions.language.query import Query, query_of
from rookery.sources.streams import check_source
from rookery.tasks.interface import Executor


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
    threads: int = 1,
    executor: Executor | str | None = None,
) -> Hits | HitCounts:
    r"""Search files of games of any size for positions that satisfy a query.

    `source` is as in `read_pgn`: paths, patterns, bytes or open files of PGN, packed or not, or tables of games in
    Parquet or Arrow. It is read in batches, so that only the hits take memory. `where` is a condition over headers that
    chooses the games, and `encoding` and `letters` are those of their text. `query`, `headers`, `limit`,
    `one_per_game`, `context` and `sort_by` are as in `Games.search`.

    With `group_by`, a header such as ``"ECO"`` or an expression such as ``"signature"``, the hits are only counted, and
    the result is a `rookery.games.search.counts.HitCounts`.

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
        if counts.header is not None:
            options = options._replace(headers=tuple(dict.fromkeys([*options.headers, counts.header])))
    files = [source] if is_column(source) else check_source(source)
    query.plan.check_condition()
    reading = ReadOptions(where=where, encoding=encoding, letters=letters, threads=threads)
    parts = [Hits.empty(options.headers, context=bool(context), value=sort_by is not None)]
    run: FileSearch | RangeSearch
    if executor is None:
        run = FileSearch(files, query, options, reading, counts=counts)
    else:
        run = RangeSearch(files, query, options, reading, executor, counts=counts)
    with run:
        for _, hits in run:
            if counts is None:
                keep(hits, parts, options)
    if counts is not None:
        return counts
    return limited(Hits.concatenate(parts), options)
