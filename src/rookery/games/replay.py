"""Positions of games, from their moves: replayed, not searched, since every move has been found legal before."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import count, shown
from rookery.bitboards.bits import bit
from rookery.kernel import U64, Word, entry, kernel
from rookery.positions.layout import (
    Columns,
    Lane,
    black_mask,
    empty_columns,
    lane,
    load,
    position,
    store,
    with_state,
)
from rookery.positions.moves import after, zeroing
from rookery.positions.threads import check_threads, each_in_threads, part_of
from rookery.rules.compiled import default_technique
from rookery.rules.position import (
    KIND_MASK,
    SIX_BITS,
    TO_SHIFT,
    boards_of,
    carried,
    carried_pieces,
    make,
    passed,
    rights_after,
    skipped_square,
)

_MOST: Final = 1 << 40  # half-moves: no game is that long, and the sum of two such numbers is a number
_PIECE: Final = 4096  # games replayed between two looks for Ctrl-C


class Chosen(NamedTuple):
    """Which positions of each game: of those after `first`, `first` + `step`... half-moves, `counts` of them."""

    first: NDArray[np.int64]
    step: int
    counts: NDArray[np.int64]


@kernel
def _moved(p: Lane, move: Word, t: Any) -> Lane:
    """Return the position after a legal move or a null move, with its counters.

    Nearly all moves are neither special nor null. They are made on the boards as they stand in columns, which takes a
    quarter less time than `make`, since no boards of the two sides and no state of a technique have to be kept.
    """
    if move & KIND_MASK or not move:
        q = position(p, t)
        reset = zeroing(q, move) if move else U64(0)
        q = make(q, move, t) if move else passed(q)
        return lane(q, after(p.state, reset))
    q = with_state(p, U64(0))
    source, target = bit(move & SIX_BITS), bit(move >> TO_SHIFT)
    piece = boards_of(p, source)
    pawns, knights, diagonals, orthogonals, kings = carried_pieces(p, piece, source, target)
    white = carried(p.white, ~black_mask(p), source, target)
    rights, skipped = rights_after(q, piece[4], source, target), skipped_square(source & piece[0], target)
    state = after(p.state, zeroing(q, move))
    return Lane(pawns, knights, diagonals, orthogonals, kings, white, rights, skipped, state)


@entry
def replay(
    offsets: Any, moves: Any, starts: Any, rows: Any, first: Any, step: Any, places: Any, c: Any, t: Any
) -> None:
    """Write the chosen positions of each game.

    Game i begins from row ``rows[i]`` of `starts`, and its positions go to ``places[i]`` and on, up to ``places[i +
    1]``.
    """
    base = places[0]
    for i in range(first.size):
        n, stop = U64(places[i] - base), U64(places[i + 1] - base)
        if n == stop:
            continue
        p = load(starts, rows[i])
        j, wanted = offsets[i], offsets[i] + first[i]
        while True:
            if j == wanted:
                store(c, n, p)
                n += 1
                if n == stop:
                    break
                wanted += step
            p = _moved(p, U64(moves[j]), t)
            j += 1


@entry
def number(first_game: Any, first: Any, step: Any, places: Any, game: Any, ply: Any) -> None:
    """Write the game of each chosen position and its ply, with the arguments of `replay`."""
    for i in range(first.size):
        made = first[i]
        for n in range(places[i], places[i + 1]):
            game[n] = first_game + i
            ply[n] = np.int32(made)
            made += step


def chosen(plies: NDArray[np.int64], when: Any, every: Any, start: Any, stop: Any) -> Chosen:
    """Which positions are meant, of games of so many half-moves."""
    if not isinstance(when, str) or when not in ("before", "after", "all", "last"):
        raise ValueError(f"when: {shown(when)}: expected 'before', 'after', 'all' or 'last'")
    every, start = count("every", every, 1, _MOST), count("start", start, 0, _MOST)
    stop = None if stop is None else count("stop", stop, 0, _MOST)
    if when == "last":
        return Chosen(plies.astype(np.int64), 1, np.ones(plies.size, np.int64))
    shift = 1 if when == "after" else 0
    ends = plies + (when == "all")
    ends = ends if stop is None else np.minimum(ends, stop)
    counts = np.maximum(-(-(ends - start) // every), 0)
    return Chosen(np.full(plies.size, start + shift, np.int64), every, counts)


def columns_of(
    offsets: NDArray[np.int64],
    moves: NDArray[np.uint16],
    starts: Columns,
    rows: NDArray[np.int32],
    which: Chosen,
    threads: int,
) -> Columns:
    """Return the boards of the chosen positions of games, each of which begins from a row of `starts`."""
    places = np.zeros(which.counts.size + 1, np.int64)
    np.cumsum(which.counts, out=places[1:])
    n, games = int(places[-1]), which.counts.size
    columns, tables = empty_columns(n), default_technique().tables()

    def work(piece: tuple[int, int]) -> None:
        a, b = piece
        part = part_of(columns, int(places[a]), int(places[b]), n)
        chosen = which.first[a:b], which.step, places[a : b + 1]
        replay(offsets[a : b + 1], moves, starts, rows[a:b], *chosen, part, tables)

    pieces = [(a, min(a + _PIECE, games)) for a in range(0, games, _PIECE)]
    for _ in each_in_threads(work, pieces, check_threads(threads)) if pieces else ():
        pass
    return columns


def places_of(first_game: int, which: Chosen) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the game of each chosen position and its ply; games are numbered from `first_game` on."""
    places = np.zeros(which.counts.size + 1, np.int64)
    np.cumsum(which.counts, out=places[1:])
    game, ply = np.empty(places[-1], np.int64), np.empty(places[-1], np.int32)
    number(first_game, which.first, which.step, places, game, ply)  # a quarter of the time that NumPy's repeats take
    return game, ply


def blocks_of(counts: NDArray[np.int64], size: int) -> Iterator[tuple[int, int]]:
    """Stretches of games that have at most `size` positions together, or are one game."""
    ends = np.cumsum(counts)
    start = 0
    while start < counts.size:
        before = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, before + size, side="right")), start + 1)
        yield start, stop
        start = stop
