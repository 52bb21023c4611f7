"""Answers about mates for rows of positions. Machine code computes them in slices, so that Ctrl-C can stop it."""

from threading import Event
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import count
from rookery.kernel import U64, entry_of
from rookery.rules.constants import default_tables
from rookery.rules.helpmates.space import FOUND, WINNER, Space, new_space

settle: Final = entry_of("rookery.rules.helpmates.kernels", "settle")

_SLICE: Final = 400  # positions that are looked at, in at most 0.1 s
_MOST: Final = 1 << 26  # positions, which take 4 GB
_MOVE_SHIFT, _MOVE, _PARENT = 32, (1 << 16) - 1, (1 << 32) - 1
_TURN_SQUARES: Final = 56 << 6 | 56


def checked_limit(limit: Any) -> int:
    """Return the limit of a search: a number of positions."""
    return count("limit", limit, 0, _MOST)


def rows_of(words: NDArray[np.uint64], black: Any) -> NDArray[np.uint64]:
    """Return rows for `answers`, from the first ten words of positions, (n, 10), and whether black shall mate."""
    rows = np.empty((words.shape[0], WINNER + 1), U64)
    rows[:, :WINNER], rows[:, WINNER] = words, black
    return rows


def answers(rows: NDArray[np.uint64], space: Space, stop: Event | None = None) -> NDArray[np.uint8]:
    """Return for each row whether its side can mate: `UNKNOWN`, `IMPOSSIBLE` or `POSSIBLE`, as far as not stopped."""
    found, tables = np.zeros(rows.shape[0], np.uint8), default_tables()
    done = 0
    while done < found.size and not (stop and stop.is_set()):
        done = int(settle(space, rows, found, done, U64(_SLICE), tables))
    return found


def answer(words: NDArray[np.uint64], black: bool, limit: int) -> tuple[int, list[int]]:
    """Return the answer for one position, and the words of the moves to mate if it is `POSSIBLE`."""
    space = new_space(limit)
    found = int(answers(rows_of(words[None, :WINNER], black), space)[0])
    moves = []
    node = int(space.state[FOUND])
    while node:
        link = int(space.nodes[node, 5])
        moves.append((link >> _MOVE_SHIFT & _MOVE) ^ (_TURN_SQUARES if black else 0))
        node = link & _PARENT
    return found, moves[::-1]
