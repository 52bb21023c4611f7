"""Positions of games, from their moves: replayed, not searched, since every move has been found legal before."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import count, shown
from rookery.kernel import U64, entry
from rookery.positions.layout import (
    CHESS960,
    CLOCK_SHIFT,
    COUNTER,
    NUMBER_SHIFT,
    Columns,
    empty_columns,
    lane,
    load,
    position,
    store,
)
from rookery.positions.threads import check_threads, each_in_threads, part_of
from rookery.rules.compiled import default_technique
from rookery.rules.position import CASTLING, KIND_MASK, SIX_BITS, TO_SHIFT, make, passed

_MOST: Final = 1 << 40  # half-moves: no game is that long, and the sum of two such numbers is a number
_PIECE: Final = 4096  # games replayed between two looks for Ctrl-C


class Chosen(NamedTuple):
    """Which positions of each game: of those after `first`, `first` + `step`... half-moves, `counts` of them."""

    first: NDArray[np.int64]
    step: int
    counts: NDArray[np.int64]


@entry
def replay(
    first_game: Any,
    offsets: Any,
    moves: Any,
    starts: Any,
    rows: Any,
    first: Any,
    step: Any,
    places: Any,
    c: Any,
    game: Any,
    ply: Any,
    t: Any,
) -> None:
    """Write the chosen positions of each game.

    Game i begins from row ``rows[i]`` of `starts`, and its positions go to ``places[i]`` and on, up to ``places[i +
    1]``. Games are numbered from `first_game` on.
    """
    base = places[0]
    for i in range(first.size):
        n, stop = U64(places[i] - base), U64(places[i + 1] - base)
        if n == stop:
            continue
        begun = load(starts, rows[i])
        p = position(begun, t)
        clock, number = (begun.state >> CLOCK_SHIFT) & COUNTER, (begun.state >> NUMBER_SHIFT) & COUNTER
        chess960 = begun.state & CHESS960
        made, wanted = np.int64(0), first[i]
        j = offsets[i]
        while True:
            if made == wanted:
                state = p.turn | chess960 | (clock & COUNTER) << CLOCK_SHIFT | (number & COUNTER) << NUMBER_SHIFT
                store(c, n, lane(p, state))
                game[n] = first_game + i
                ply[n] = np.int32(made)
                n += 1
                if n == stop:
                    break
                wanted += step
            move = U64(moves[j])
            j += 1
            made += 1
            number += p.turn
            clock += 1
            if move:
                source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
                zeroing = (p.pawns >> source | p.them >> target) & 1
                clock = 0 if zeroing and move & KIND_MASK != CASTLING else clock
                p = make(p, move, t)
            else:
                p = passed(p)


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


def positions_of(
    first_game: int,
    offsets: NDArray[np.int64],
    moves: NDArray[np.uint16],
    starts: Columns,
    rows: NDArray[np.int32],
    which: Chosen,
    threads: int,
) -> tuple[Columns, NDArray[np.int64], NDArray[np.int32]]:
    """Return the positions, the game of each, and how many plies led there.

    Games are numbered from `first_game` on. Each begins from a row of `starts`.
    """
    places = np.zeros(which.counts.size + 1, np.int64)
    np.cumsum(which.counts, out=places[1:])
    n = int(places[-1])
    columns, game, ply = empty_columns(n), np.empty(n, np.int64), np.empty(n, np.int32)
    tables = default_technique().tables()
    games = which.counts.size

    def work(piece: tuple[int, int]) -> None:
        a, b = piece
        begin, end = int(places[a]), int(places[b])
        replay(
            first_game + a,
            offsets[a : b + 1],
            moves,
            starts,
            rows[a:b],
            which.first[a:b],
            which.step,
            places[a : b + 1],
            part_of(columns, begin, end, n),
            game[begin:end],
            ply[begin:end],
            tables,
        )

    pieces = [(a, min(a + _PIECE, games)) for a in range(0, games, _PIECE)]
    for _ in each_in_threads(work, pieces, check_threads(threads)) if pieces else ():
        pass
    return columns, game, ply


def blocks_of(counts: NDArray[np.int64], size: int) -> Iterator[tuple[int, int]]:
    """Stretches of games that have at most `size` positions together, or are one game."""
    ends = np.cumsum(counts)
    start = 0
    while start < counts.size:
        before = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, before + size, side="right")), start + 1)
        yield start, stop
        start = stop
