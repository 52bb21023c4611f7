"""Compiled code that replays games into columns of positions."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import bit
from rookery.kernel import U64, Word, array_of, entry, kernel
from rookery.positions.kernels.lanes import Lane, lane, load, occupied_of, position, store
from rookery.positions.kernels.moves import after, zeroing
from rookery.positions.layout import BLACK_TO_MOVE, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.constants import KIND_MASK, SIX_BITS, TO_SHIFT
from rookery.rules.legality import SKIPPED_RANKS, breaks_form
from rookery.rules.position import boards_of, carried, carried_pieces, make, mask_on, passed, skipped_square


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
