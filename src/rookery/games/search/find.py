"""The search of games in memory: block by block, each of whole games."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_threads, count, flag, shown
from rookery.games.headers.computed_headers import typed_header
from rookery.games.headers.header_types import Header
from rookery.games.headers.named_columns import column_named, tagged
from rookery.games.positions.game_positions import GamePositions
from rookery.games.positions.later_positions import LaterPositions, columns_at
from rookery.games.positions.replay import blocks_of
from rookery.games.search.hits import NULL_MOVE, Hits
from rookery.positions.language.block import Block
from rookery.positions.language.grammar import DATE, NUMBER, SET, TEXT, TIME, TRUTH
from rookery.positions.language.query import Query, query_of
from rookery.positions.positions import Positions
from rookery.positions.threads import each_in_threads

SIZE: Final = 3 << 16  # positions in a block, at most: with fewer, threads wait more often for Python's lock
_FEW: Final = 1 << 15  # positions in a block if a few hits are wanted
_TABLE: Final = 1 << 16  # hits of which a table is made at once
_PARTS: Final = 8  # parts of all games for each thread: with fewer, a thread may be idle for long at the end
_SHORTEST: Final = 1 << 16  # positions in a part
_LONGEST: Final = 1 << 18


_DTYPES: Final = {SET: "u8", NUMBER: "f8", TRUTH: "?", TEXT: "U1", DATE: "M8[D]", TIME: "m8[s]"}


class Options(NamedTuple):
    """The options of a search: which hits it returns, and what for each."""

    headers: tuple[str, ...]
    limit: int | None
    one_per_game: bool
    context: int
    sort_by: Query | None
    group_by: tuple[Query, ...] = ()

    @property
    def counted_headers(self) -> list[str]:
        """Return the names of the headers by which hits are counted."""
        return [name for query in self.group_by for name in query.headers if name != "Result"]


def checked_options(
    headers: Any, limit: Any, one_per_game: Any, context: Any, sort_by: Any, group_by: Sequence["Query | str"] = ()
) -> Options:
    """Return the options of a search, or raise an error that names the first bad one."""
    if isinstance(headers, str) or not isinstance(headers, Iterable):
        raise TypeError(f"headers: {shown(headers)}: expected a list of names")
    names = tuple(headers)
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise TypeError(f"headers[{i}]: {shown(name)}: expected the name of a header")
    order = None if sort_by is None else query_of(sort_by, "sort_by")
    if order is not None:
        order.plan.check_number()
    limit = None if limit is None else count("limit", limit, 0)
    groups = tuple(query_of(query, "group_by") for query in group_by)
    return Options(names, limit, flag("one_per_game", one_per_game), count("context", context, 0, 1000), order, groups)


def search_games(games: Any, query: Query, options: Options, threads: int) -> Hits:
    """Return the hits in games."""
    query.plan.check_condition()
    check_threads(threads)
    none = no_hits(options)
    limit = options.limit if options.sort_by is None else None
    parts = [none]
    found = 0

    def work(part: tuple[int, int]) -> list[Hits]:
        return list(_hits(games, part, query, options, limit))

    for hits in each_in_threads(work, _parts(games, threads), threads):
        parts += hits
        found += sum(map(len, hits))
        if limit is not None and found >= limit:
            break
    return limited(Hits.concatenate(parts), options)


def no_hits(options: Options) -> Hits:
    """Return a table without hits that has the columns that the options request."""
    none = Hits.empty(options.headers, context=bool(options.context), value=options.sort_by is not None)
    none.groups = {query.text: np.zeros(0, _DTYPES[query.kind]) for query in options.group_by}
    return none


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
    counts = games.plies + 1
    size = int(counts.sum()) // (_PARTS * threads)
    return list(blocks_of(counts, min(max(size, _SHORTEST), _LONGEST)))


class _Places(NamedTuple):
    """The places of hits: game and ply, and the values that only a block of whole games provides."""

    game: NDArray[np.int64]
    ply: NDArray[np.int32]
    squares: NDArray[np.uint64] | None
    values: dict[str, NDArray[Any]]  # of sequences, by their expressions


def _hits(games: Any, part: tuple[int, int], query: Query, options: Options, limit: int | None) -> Iterator[Hits]:
    """Yield the hits of some games. Tables of hits are made for many blocks at once: one takes 0.3 ms."""
    first, stop = part
    found = waiting = 0
    places: list[_Places] = []
    size = SIZE if limit is None else _FEW  # the first games may have the hits
    for a, b in blocks_of(games.plies[first:stop] + 1, size):
        positions = LaterPositions(games, first + a, first + b)
        block = query.plan.block(positions)
        rows = np.flatnonzero(query.plan.holds(block))
        if not rows.size:
            continue
        if options.one_per_game:
            rows = rows[np.unique(positions.places_at(rows)[0], return_index=True)[1]]
        if limit is not None:
            rows = rows[: limit - found]
        places.append(_places(block, rows, query, options))
        found += rows.size
        waiting += rows.size
        if waiting >= _TABLE:
            yield _table(games, part, places, query, options)
            places, waiting = [], 0
        if limit is not None and found >= limit:
            break
    if places:
        yield _table(games, part, places, query, options)


def _places(block: Block, rows: NDArray[np.intp], query: Query, options: Options) -> _Places:
    """Return where the hits of a block are. Sequences are evaluated here, since they need whole games."""
    positions = block.positions
    squares = query.plan.matched(block.part(rows)) if query.plan.matches_sequences else None
    values = {q.text: q.plan.values(q.plan.block(positions))[rows] for q in valued(options) if q.is_sequence}
    game, ply = positions.places_at(rows)
    return _Places(game, ply, squares, values)


def valued(options: Options) -> tuple[Query, ...]:
    """Return the expressions whose values are returned with each hit."""
    return options.group_by if options.sort_by is None else (*options.group_by, options.sort_by)


def _table(games: Any, part: tuple[int, int], places: list[_Places], query: Query, options: Options) -> Hits:
    """Return the hits at some places."""
    game = np.concatenate([place.game for place in places])
    ply = np.concatenate([place.ply for place in places])
    positions = GamePositions.of(columns_at(games, game, ply, *part), game, ply, 0, games)
    values = {
        q.text: np.concatenate([place.values[q.text] for place in places])
        if q.is_sequence
        else q.plan.values(q.plan.block(positions))
        for q in valued(options)
    }
    if query.plan.matches_sequences:
        squares = np.concatenate([place.squares for place in places if place.squares is not None])
    else:
        squares = query.plan.matched(query.plan.block(positions))
    return Hits(
        Positions(positions.columns),
        positions.played_moves(),
        squares,
        game,
        games.columns.files.chosen(game),
        games.columns.numbers[game],
        ply,
        ply >= games.plies[game],
        {name: _header(games, name, game) for name in options.headers},
        _context(games, game, ply, options.context) if options.context else None,
        None if options.sort_by is None else values[options.sort_by.text].astype(np.float64),
        {q.text: values[q.text] for q in options.group_by},
    )


def _header(games: Any, name: str, game: NDArray[np.int64]) -> Header:
    """Return a header of some games, with the type that the header has in every table."""
    columns = games.columns
    games_with_hits, which = np.unique(game, return_inverse=True)
    column = column_named(columns, name)
    found = (tagged(columns, name) if column is None else column).chosen(games_with_hits)
    return typed_header(name, found, games_with_hits.size).chosen(which)


def _context(games: Any, game: NDArray[np.int64], ply: NDArray[np.int32], n: int) -> NDArray[np.object_]:
    """Return the `n` half-moves before and after each hit in SAN; an asterisk stands where the position is."""
    out = np.empty(game.size, np.object_)
    for k, (g, p) in enumerate(zip(game.tolist(), ply.tolist(), strict=True)):
        positions = LaterPositions(games, g, g + 1)
        near = np.arange(max(p - n, 0), min(p + n, len(positions) - 1))
        moves = positions.played_moves()[near]
        is_move = moves != 0
        texts = np.full(near.size, NULL_MOVE, np.object_)
        texts[is_move] = Positions(positions.taken(near[is_move]).columns).san(moves[is_move])
        before = min(p, n)
        out[k] = " ".join([*texts[:before], "*", *texts[before:]])
    return out
