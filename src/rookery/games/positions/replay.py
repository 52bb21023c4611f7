"""Positions of games, from their moves: replayed, not searched, since every move has been found legal before.

A file can claim that and be wrong. So whatever the moves are, a replay leaves positions in the form that compiled code
relies on, or ends with an error that names the first illegal move.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_threads, count, shown
from rookery.frames.array_arguments import Boards
from rookery.games.game_columns import GameColumns
from rookery.games.positions.check_moves import illegal_move_error
from rookery.kernel import U64, entry_of
from rookery.positions.layout import Columns, empty_columns
from rookery.positions.operands import plain
from rookery.positions.threads import each_in_threads, part_of
from rookery.rules.constants import default_tables

number: Final = entry_of("rookery.games.kernels.replaying", "number")
played: Final = entry_of("rookery.games.kernels.replaying", "played")
replay: Final = entry_of("rookery.games.kernels.replaying", "replay")
turns: Final = entry_of("rookery.games.kernels.replaying", "turns")
replay_mailboxes: Final = entry_of("rookery.games.kernels.mailboxes", "replay")
follow: Final = entry_of("rookery.games.kernels.track", "follow")


_MOST: Final = 1 << 40  # half-moves: no game is that long, and the sum of two such numbers is a number
_PIECE: Final = 4096  # games replayed between two looks for Ctrl-C


class Chosen(NamedTuple):
    """Which positions of each game: of those after `first`, `first` + `step`... half-moves, `counts` of them."""

    first: NDArray[np.int64]
    step: int
    counts: NDArray[np.int64]


def chosen(plies: NDArray[np.int64], when: Any, every: Any, start: Any, stop: Any) -> Chosen:
    """Return which positions the arguments select from games with these numbers of plies."""
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
    columns, tables = empty_columns(n), default_tables()
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


class Mailbox(NamedTuple):
    """The material before each half-move and at the end of each game, and the pieces that move and are captured.

    `material` has words as in `rookery.positions.queries.questions`; `moving` and `captured` have piece types, or 0.
    """

    material: Boards
    moving: NDArray[np.uint8]
    captured: NDArray[np.uint8]


def mailbox_of(
    offsets: NDArray[np.int64], moves: NDArray[np.uint16], starts: Columns, rows: NDArray[np.int32]
) -> Mailbox | None:
    """Return what the moves of games say, or None if a game begins with more pieces than a digit can count."""
    n = int(offsets[-1] - offsets[0]) + rows.size
    out = Mailbox(np.empty(n, U64), np.empty(n, np.uint8), np.empty(n, np.uint8))
    return out if replay_mailboxes(offsets, moves, starts, rows, np.empty(64, np.uint8), out) else None


class Tracked(NamedTuple):
    """The square of a piece in each position, the number of its moves, and whether it has been captured."""

    boards: Boards  # uint64: one square, or none once the piece is captured
    moves: NDArray[np.int32]
    captured: NDArray[np.bool_]


def tracked(
    square: int,
    game: NDArray[np.int64],
    ply: NDArray[np.int32],
    offsets: NDArray[np.int64],
    moves: NDArray[np.uint16],
    starts: Columns,
    rows: NDArray[np.int32],
) -> Tracked:
    """Return where the piece is in each position that began its game on a square.

    `offsets` and `moves` are those of the games, which begin from `rows` of `starts`.
    """
    n = game.size
    found = Tracked(np.empty(n, U64), np.empty(n, np.int32), np.empty(n, np.bool_))
    follow(U64(square), game, ply, offsets, moves, starts, rows, *found)
    return found
