"""Whole random games, as rollouts need them: each walked to its end in compiled code, its position in registers.

Every game has its own stream of random words, SplitMix64's (Sebastiano Vigna, 2015) from a seed of its own, so that it
does not matter which thread plays it, nor in which order.
"""

import threading
import warnings
from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import SPLITMIX_STEP, mixed
from rookery.kernel import U64, UNIVERSE, Word, array_of, entry, kernel
from rookery.positions.layout import (
    CLOCK_SHIFT,
    COUNTER,
    MARKED,
    Columns,
    Words,
    empty_columns,
    lane,
    load,
    position,
    store,
)
from rookery.positions.moves import Moves, after, chess960_of, move_room, random_below, zeroing
from rookery.positions.position_array import PositionArray
from rookery.positions.threads import each_in_threads, part_of, spans
from rookery.rules.compiled import default_technique
from rookery.rules.generate import List, checkers_of, generate
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.material import is_insufficient
from rookery.rules.position import make
from rookery.rules.zobrist import position_hash


class TerminationCode(IntEnum):
    """Why a game has ended, as arrays of uint8 store it. `Board.outcome` has a `rookery.Termination`, a text."""

    NONE = 0  # it goes on; of a rollout: a line that could not be read, or a side that has no move, nor a king
    CHECKMATE = 1
    STALEMATE = 2
    INSUFFICIENT_MATERIAL = 3
    FIFTY_MOVES = 4
    THREEFOLD_REPETITION = 5
    MAX_PLIES = 6  # of a rollout
    SEVENTYFIVE_MOVES = 7  # of a position: rollouts end at fifty


def __getattr__(name: str) -> Any:
    """Return a name of the release before."""
    if name == "Termination":
        message = "rookery.positions.rollouts.Termination is now TerminationCode; the next release drops the old name"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return TerminationCode
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Rollouts(NamedTuple):
    """Random games, one a position: how they ended."""

    outcome: NDArray[np.int8]  # 1 where white has won, -1 where black has, 0 for a draw or no end
    termination: NDArray[np.uint8]  # a `TerminationCode`
    plies: NDArray[np.int64]  # moves made, of both sides
    final: PositionArray  # the last position of each
    moves: Moves | None  # the moves of each game, if requested


SLICE: Final = 1_000_000  # plies between two looks for Ctrl-C: about 0.1 s
MOST_KEYS: Final = 128  # of positions between two resets of the clock, of which there are at most 101
GUESS: Final = 150  # moves a game, to begin with, where they are kept

_NONE, _CHECKMATE, _STALEMATE, _INSUFFICIENT, _FIFTY, _THREEFOLD, _MAX_PLIES = (
    U64(int(end)) for end in list(TerminationCode)[:7]
)
_HUNDRED = 100


@kernel
def is_repeated(keys: Words, m: Word) -> Any:
    """Whether ``keys[m]`` stands there for the third time, at a distance of an even number of plies."""
    if m < 8:
        return False
    seen = 0
    for i in range(m & 1, m, 2):
        seen += 1 if keys[i] == keys[m] else 0
    return seen >= 2


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(U64),
        0,
        U64(0),
        U64(0),
        array_of(np.uint8),
        empty_columns(1),
        array_of(np.int64),
        array_of(np.uint16),
        move_room(),
        array_of(U64),
        default_technique().tables(),
    )
)
def play_games(
    c: Any,
    seeds: Any,
    i: Any,
    steps: Any,
    most: Any,
    ends: Any,
    out: Any,
    offsets: Any,
    moves: Any,
    room: Any,
    keys: Any,
    t: Any,
) -> Any:
    """Play games from the `i`-th on until `steps` plies are made; returns the number of the next game.

    ``ends[j]`` is game j's `TerminationCode`, ``offsets[j + 1]`` the sum of its plies and those before. If `moves` is
    not empty, its moves are written there, and the walk stops before a game for which there was no room. `room` and
    `keys` are work space, for the legal moves of a position and the keys since a game's last reset of the clock.
    """
    made: Word = 0
    while i < seeds.size and made < steps:
        now = load(c, i)
        p = position(now, t)
        state = now.state
        stream = seeds[i]
        first = U64(offsets[i])
        n = first
        m = 0
        end = _NONE
        full: Any = False
        if not state & MARKED:
            keys[0] = position_hash(p, legal_en_passant_target(p, t), 0)
        while not state & MARKED:
            number = generate(p, t, List(room), UNIVERSE, UNIVERSE)
            if number == 0 and p.kings & p.us:
                end = _CHECKMATE if checkers_of(p, t) else _STALEMATE
                break
            if is_insufficient(p):
                end = _INSUFFICIENT
                break
            if number == 0:
                break
            if (state >> CLOCK_SHIFT) & COUNTER >= _HUNDRED:
                end = _FIFTY
                break
            if is_repeated(keys, m):
                end = _THREEFOLD
                break
            if n - first >= most:
                end = _MAX_PLIES
                break
            if moves.size:
                full = n >= U64(moves.size)
                if full:
                    break
            stream += SPLITMIX_STEP
            move = U64(room[random_below(mixed(stream), number)])
            if moves.size:
                moves[n] = np.uint16(move)
            n += 1
            reset = zeroing(p, move)
            p = make(p, move, t)
            state = after(state, reset)
            # After 100 plies without a reset the game has ended; a clock that started later cannot make it longer.
            m = 0 if reset else m + 1
            keys[m] = position_hash(p, legal_en_passant_target(p, t), 0)
        if full:
            break
        made += n - first + 1
        ends[i] = np.uint8(end)
        store(out, i, lane(p, state))
        i += 1
        offsets[i] = n
    return i


def played_out(
    c: Columns, seeds: Words, most: int, keep: bool, threads: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], Columns, Moves | None]:
    """Terminations, plies, last positions and, if they are to be kept, the moves."""
    n = seeds.size
    ends, final = np.zeros(n, np.uint8), empty_columns(n)
    operands = (c, seeds, ends, final)
    parts = [tuple(part_of(o, a, b, n) for o in operands) for a, b in spans(n, threads, least=64)]
    stop = threading.Event()
    # After Ctrl-C the threads stop at the end of their slices.
    lists = list(each_in_threads(lambda part: _played_out(most, keep, stop, *part), parts, threads, stop.set))
    every = lists[0] if len(lists) == 1 else Moves.concatenate(lists)
    return ends, np.diff(every.offsets), final, every if keep else None


def _played_out(
    most: int, keep: bool, stop: threading.Event, c: Columns, seeds: Words, ends: NDArray[np.uint8], final: Columns
) -> Moves:
    n = seeds.size
    offsets, moves = np.zeros(n + 1, np.int64), np.empty(GUESS * n if keep else 0, np.uint16)
    room, keys, tables = move_room(), np.empty(MOST_KEYS, U64), default_technique().tables()
    done = 0
    while done < n and not stop.is_set():
        before = done
        done = play_games(c, seeds, done, U64(SLICE), U64(most), ends, final, offsets, moves, room, keys, tables)
        used = int(offsets[done])
        if keep and done < n and (done == before or used + GUESS > moves.size):
            larger = np.empty(2 * moves.size + GUESS * (n - done), np.uint16)
            larger[:used] = moves[:used]
            moves = larger
    if keep:
        moves.resize(int(offsets[n]), refcheck=False)  # in place, as far as the allocator can
    return Moves(offsets, moves, chess960_of(c))
