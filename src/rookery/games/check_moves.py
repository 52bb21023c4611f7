"""A check that the moves of a table are legal, game by game."""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, entry
from rookery.positions.layout import Columns, load, position
from rookery.positions.moves import Moves
from rookery.rules.compiled import default_technique
from rookery.rules.legality import is_legal
from rookery.rules.position import make, passed

_SLICE: Final = 1 << 14  # games checked between two checks for Ctrl-C


@entry
def first_illegal(offsets: Any, moves: Any, starts: Any, i: Any, stop: Any, t: Any) -> Any:
    """Return the index among all moves of the first move of games `i` to `stop` that is not legal, or -1."""
    while i < stop:
        p = position(load(starts, i), t)
        for j in range(offsets[i], offsets[i + 1]):
            move = U64(moves[j])
            if not is_legal(p, move, t):
                return j
            p = make(p, move, t) if move else passed(p)
        i += 1
    return np.int64(-1)


def illegal_move(moves: Moves, starts: Columns) -> tuple[int, int] | None:
    """Return the game and the ply, both from 0, of the first move that is not legal, or None.

    `starts` has one row for each game.
    """
    tables = default_technique().tables()
    words = moves.moves if moves.moves.flags.writeable else moves.moves.copy()
    for first in range(0, len(moves), _SLICE):
        last = min(first + _SLICE, len(moves))
        bad = int(first_illegal(moves.offsets, words, starts, first, last, tables))
        if bad >= 0:
            game = int(np.searchsorted(moves.offsets, bad, "right")) - 1
            return game, bad - int(moves.offsets[game])
    return None
