"""Positions of games, from their moves: replayed, not searched, since every move has been found legal before.

A file can claim that and be wrong. So whatever the moves are, a replay leaves positions in the form that compiled code
relies on, or ends with an error that names the first illegal move.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import count, shown
from rookery.bitboards.bits import bit
from rookery.games.check_moves import illegal_move_error
from rookery.games.game_columns import GameColumns
from rookery.kernel import U64, Word, array_of, entry, kernel
from rookery.positions.layout import (
    BLACK_TO_MOVE,
    Columns,
    Lane,
    empty_columns,
    lane,
    load,
    occupied_of,
    position,
    store,
)
from rookery.positions.moves import after, zeroing
from rookery.positions.operands import plain
from rookery.positions.threads import check_threads, each_in_threads, part_of
from rookery.rules.compiled import default_technique
from rookery.rules.legality import SKIPPED_RANKS, breaks_form
from rookery.rules.position import (
    KIND_MASK,
    SIX_BITS,
    TO_SHIFT,
    boards_of,
    carried,
    carried_pieces,
    make,
    mask_on,
    passed,
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
def moved(p: Lane, move: Word, t: Any) -> tuple[Lane, Word]:
    """Return the position after a legal move or a null move, with its counters, and 0 if it is a position.

    Nearly all moves are neither special nor null. They are made on the boards as they stand in columns, which takes a
    quarter less time than `make`, since no boards of the two sides and no state of a technique have to be kept. Any
    such move leaves a position: a piece keeps its colour, nothing comes from an empty square, and a pawn skips only
    squares of rank 3 or 6. A test for illegal moves among them, by `breaks_form`, would take a tenth longer.
    """
    if move & KIND_MASK or not move:
        q = position(p, t)
        reset = zeroing(q, move) if move else U64(0)
        wrong = breaks_form(q, move)
        q = make(q, move, t) if move else passed(q)
        return lane(q, after(p.state, reset)), wrong
    source, target = bit(move & SIX_BITS), bit(move >> TO_SHIFT)
    resets = U64(1) if (occupied_of(p) & target) | (p.pawns & source) else U64(0)
    piece, is_white = boards_of(p, source), mask_on(p.white, source)
    pawns, knights, diagonals, orthogonals, kings = carried_pieces(p, piece, source, target)
    white = carried(p.white, is_white, source, target)
    rights = p.castling & ~(source | target) & ~(piece[4] & ~(p.white ^ is_white))
    skipped = skipped_square(source & piece[0], target)
    state = after(p.state, resets)
    return Lane(pawns, knights, diagonals, orthogonals, kings, white, rights, skipped & SKIPPED_RANKS, state), U64(0)


@entry(
    examples=lambda: (
        array_of(np.int64),
        array_of(np.uint16),
        empty_columns(1),
        array_of(np.int32),
        array_of(np.int64),
        0,
        array_of(np.int64),
        empty_columns(1),
        default_technique().tables(),
    )
)
def replay(offsets: Any, moves: Any, starts: Any, rows: Any, first: Any, step: Any, places: Any, c: Any, t: Any) -> Any:
    """Write the chosen positions of each game; return the first game with a move that makes no position, or -1.

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
        wrong: Word = 0
        while True:
            if j == wanted:
                store(c, n, p)
                n += 1
                if n == stop:
                    break
                wanted += step
            p, fault = moved(p, U64(moves[j]), t)
            wrong |= fault
            j += 1
        if wrong:
            return np.int64(i)
    return np.int64(-1)


@entry(examples=lambda: (0, array_of(np.int64), 0, array_of(np.int64), array_of(np.int64), array_of(np.int32)))
def number(first_game: Any, first: Any, step: Any, places: Any, game: Any, ply: Any) -> None:
    """Write the game of each chosen position and its ply, with the arguments of `replay`."""
    for i in range(first.size):
        made = first[i]
        for n in range(places[i], places[i + 1]):
            game[n] = first_game + i
            ply[n] = np.int32(made)
            made += step


@entry(examples=lambda: (array_of(np.int64), array_of(np.int32), empty_columns(1), array_of(np.bool_)))
def turns(offsets: Any, rows: Any, starts: Any, out: Any) -> None:
    """Write whether White is to move, for all positions of games that begin from row ``rows[i]`` of `starts`."""
    n: Word = 0
    for i in range(rows.size):
        black = starts.state[rows[i]] & BLACK_TO_MOVE
        for _ in range(offsets[i], offsets[i + 1] + 1):
            out[n] = black == 0
            black ^= 1
            n += 1


@entry(examples=lambda: (array_of(np.int64), array_of(np.uint16), array_of(np.uint16)))
def played(offsets: Any, moves: Any, out: Any) -> None:
    """Write the move that was played in each position of some games, and 0 for the last one of each."""
    n: Word = 0
    for i in range(1, offsets.size):
        for j in range(offsets[i - 1], offsets[i]):
            out[n] = moves[j]
            n += 1
        out[n] = np.uint16(0)
        n += 1


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
    games: GameColumns, start: int, stop: int, which: Chosen, threads: int, starts: Columns | None = None
) -> Columns:
    """Return the boards of the chosen positions of the games from `start` to `stop`.

    `starts` has all start positions, as `Starts.all_positions` returns them. A move that is not legal may raise an
    IllegalMoveError; one that nevertheless leaves a position is made.
    """
    places = np.zeros(which.counts.size + 1, np.int64)
    np.cumsum(which.counts, out=places[1:])
    n = int(places[-1])
    columns, tables = empty_columns(n), default_technique().tables()
    offsets, moves = games.plies.offsets[start : stop + 1], plain(games.plies.columns["moves"])
    starts = games.starts.all_positions if starts is None else starts
    rows = games.starts.places[start:stop] + 1

    def work(piece: tuple[int, int]) -> None:
        a, b = piece
        part = part_of(columns, int(places[a]), int(places[b]), n)
        chosen = which.first[a:b], which.step, places[a : b + 1]
        bad = int(replay(offsets[a : b + 1], moves, starts, rows[a:b], *chosen, part, tables))
        if bad >= 0:
            raise illegal_move_error(games, start + a + bad)

    pieces = [(a, min(a + _PIECE, stop - start)) for a in range(0, stop - start, _PIECE)]
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
    """Yield stretches of games that have at most `size` positions together, or are one game.

    They are about equally long: a short one at the end would take nearly as much of Python's time as a long one.
    """
    ends = np.cumsum(counts)
    start, before, whole = 0, 0, int(ends[-1]) if ends.size else 0
    while start < ends.size:
        left = whole - before
        wanted = before + -(-left // max(-(-left // size), 1))
        stop = int(np.searchsorted(ends, wanted)) + 1
        if ends[stop - 1] - before > size:
            stop = max(stop - 1, start + 1)
        # Games without positions take no room.
        stop = int(np.searchsorted(ends, ends[stop - 1], side="right"))
        yield start, stop
        start, before = stop, int(ends[stop - 1])
