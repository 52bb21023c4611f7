"""The search of games in memory: block by block, each of whole games."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import count, flag, shown
from rookery.games.columns import header_text
from rookery.games.positions import GamePositions
from rookery.games.search.hits import Hits
from rookery.positions.expressions.block import Block
from rookery.positions.expressions.query import Query, query_of
from rookery.positions.positions import Positions
from rookery.positions.threads import check_threads, each_in_threads

SIZE: Final = 1 << 15  # positions in a block; with 4,096 most queries took twice as long
_THREAD_PLIES: Final = 1 << 17  # half-moves that a thread searches at a time


class Options(NamedTuple):
    """What a search returns of each hit, and which hits."""

    headers: tuple[str, ...]
    limit: int | None
    one_per_game: bool
    context: int
    sort_by: Query | None


def checked_options(headers: Any, limit: Any, one_per_game: Any, context: Any, sort_by: Any) -> Options:
    """Return the options of a search, or raise an error that names the first bad one."""
    if isinstance(headers, str) or not isinstance(headers, Iterable):
        raise TypeError(f"headers: {shown(headers)}: expected a list of names")
    names = tuple(headers)
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise TypeError(f"headers[{i}]: {shown(name)}: expected the name of a header")
    order = None if sort_by is None else query_of(sort_by)
    if order is not None:
        order.check_number("sort_by")
    limit = None if limit is None else count("limit", limit, 0)
    return Options(names, limit, flag("one_per_game", one_per_game), count("context", context, 0, 1000), order)


def search_games(games: Any, query: Query, options: Options, threads: int, *, file: int = 0) -> Hits:
    """Return the hits in games; `file` is the index of their file."""
    query.check_condition()
    check_threads(threads)
    none = Hits.empty(options.headers, context=bool(options.context), value=options.sort_by is not None)
    limit = options.limit if options.sort_by is None else None
    parts = [none]
    found = 0

    def work(part: tuple[int, int]) -> list[Hits]:
        return list(_hits(games, part, query, options, file, limit))

    for hits in each_in_threads(work, _parts(games, threads), threads):
        parts += hits
        found += sum(map(len, hits))
        if limit is not None and found >= limit:
            break
    return limited(Hits.concatenate(parts), options)


def limited(hits: Hits, options: Options) -> Hits:
    """Return the hits in the order that the options request, and no more of them."""
    if options.sort_by is not None:
        assert hits.value is not None
        hits = hits[np.argsort(-hits.value, kind="stable")]  # missing values come last
    return hits if options.limit is None or len(hits) <= options.limit else hits[: options.limit]


def _parts(games: Any, threads: int) -> list[tuple[int, int]]:
    """Return where to divide games among threads."""
    n = len(games)
    if threads == 1 or not n:
        return [(0, n)]
    ends = np.cumsum(games.plies + 1)
    cuts = np.unique(np.searchsorted(ends, np.arange(_THREAD_PLIES, int(ends[-1]), _THREAD_PLIES)) + 1)
    places = [0, *cuts[cuts < n].tolist(), n]
    return list(pairwise(places))


def _hits(
    games: Any, part: tuple[int, int], query: Query, options: Options, file: int, limit: int | None
) -> Iterator[Hits]:
    """Yield the hits of some games, for each block that has any."""
    first, stop = part
    chosen = games if part == (0, len(games)) else games[first:stop]
    found = 0
    for positions in chosen.position_blocks(SIZE, when="all"):
        block = query.block(positions)
        rows = np.flatnonzero(query.holds(block))
        if not rows.size:
            continue
        if options.one_per_game:
            rows = rows[np.unique(positions.game[rows], return_index=True)[1]]
        if limit is not None:
            rows = rows[: limit - found]
        yield _table(chosen, positions, block, rows, query, options, first, file)
        found += rows.size
        if limit is not None and found >= limit:
            return


def _table(
    games: Any,
    positions: GamePositions,
    block: Block,
    rows: NDArray[np.intp],
    query: Query,
    options: Options,
    first: int,
    file: int,
) -> Hits:
    """Return the hits on some rows of a block."""
    found = positions.taken(rows)
    game, ply = found.game, found.ply
    order = options.sort_by
    return Hits(
        Positions(found.columns),
        found.played_moves(),
        query.matched(block, rows),
        game + first,
        games.columns.numbers[game],
        ply,
        np.full(rows.size, file, np.int32),
        (),
        {name: _header(games, name, game) for name in options.headers},
        _context(positions, rows, options.context) if options.context else None,
        None if order is None else order.values(order.block(positions))[rows].astype(np.float64),
    )


def _header(games: Any, name: str, game: NDArray[np.int64]) -> NDArray[np.object_]:
    """Return a header of some games as texts, None where a game does not have it."""
    columns = games.columns
    out = np.empty(game.size, np.object_)
    if name == "Result":
        out[:] = games.results[game]
    elif name in columns.headers:
        out[:] = [header_text(name, columns.headers[name], i) for i in game.tolist()]
    elif columns.tags is not None:
        out[:] = [dict(columns.tags.rows(i)).get(name) for i in game.tolist()]
    return out


def _context(positions: GamePositions, rows: NDArray[np.intp], n: int) -> NDArray[np.object_]:
    """Return the `n` half-moves before and after each row in SAN; an asterisk stands where the position is."""
    out = np.empty(rows.size, np.object_)
    moves = positions.played_moves()
    for k, row in enumerate(rows.tolist()):
        near = np.arange(max(row - n, 0), min(row + n, len(positions)))
        near = near[(positions.game[near] == positions.game[row]) & (moves[near] != 0)]
        texts = Positions(positions[near].columns).san(moves[near]).tolist()
        before = int(np.count_nonzero(near < row))
        out[k] = " ".join([*texts[:before], "*", *texts[before:]])
    return out
