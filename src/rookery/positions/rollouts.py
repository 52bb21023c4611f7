"""Whole random games, as rollouts need them: each walked to its end in compiled code, its position in registers.

Every game has its own stream of random words, SplitMix64's (Sebastiano Vigna, 2015) from a seed of its own, so that it
does not matter which thread plays it, nor in which order.
"""

import threading
import warnings
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, entry_of
from rookery.lazy_imports import modules_later
from rookery.positions.layout import Columns, Words, empty_columns
from rookery.positions.methods.position_array import PositionArray
from rookery.positions.moves import Moves, chess960_of
from rookery.positions.queries.questions import BLOCK
from rookery.positions.threads import each_in_threads, part_of, spans
from rookery.rules.constants import default_tables

if TYPE_CHECKING:
    from rookery.positions.kernels import moves as move_kernels
else:
    (move_kernels,) = modules_later("rookery.positions.kernels", "moves")


play_games: Final = entry_of("rookery.positions.kernels.rollouts", "play_games")


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


def played_out(
    c: Columns, seeds: Words, most: int, keep: bool, threads: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64], Columns, Moves | None]:
    """Return the terminations, the plies, the last positions and, if `keep`, the moves."""
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
    room, keys, tables = move_kernels.move_room(), np.empty(MOST_KEYS, U64), default_tables()
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


mates: Final = entry_of("rookery.positions.kernels.outcomes", "mates")
terminations: Final = entry_of("rookery.positions.kernels.outcomes", "terminations")


class Outcomes(NamedTuple):
    """How the games of positions have ended."""

    outcome: NDArray[np.int8]  # 1 where white has won, -1 where black has, 0 for a draw or no end
    termination: NDArray[np.uint8]  # a `rookery.positions.rollouts.TerminationCode`; `NONE` where the game goes on


def mate_room() -> NDArray[np.uint16]:
    """Return work space for `mates`: the numbers of legal moves."""
    return np.empty(BLOCK, np.uint16)
