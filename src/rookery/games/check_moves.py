"""A check that the moves of a table are legal, game by game."""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, entry
from rookery.positions.layout import Columns, load, position
from rookery.positions.moves import Moves, is_pseudo_legal, leaves_king_safe
from rookery.rules.compiled import default_technique, sources_of
from rookery.rules.generate import checkers_of
from rookery.rules.position import EN_PASSANT, KIND_MASK, SIX_BITS, make, passed

_SLICE: Final = 1 << 14  # games checked between two checks for Ctrl-C


@entry
def first_illegal(offsets: Any, moves: Any, starts: Any, i: Any, stop: Any, t: Any) -> Any:
    """Return the index among all moves of the first move of games `i` to `stop` that is not legal, or -1."""
    while i < stop:
        p = position(load(starts, i), t)
        for j in range(offsets[i], offsets[i + 1]):
            move = U64(moves[j])
            if move:
                if (move & KIND_MASK) >= EN_PASSANT:
                    legal = (sources_of(p, move, t) >> (move & SIX_BITS)) & 1
                else:
                    legal = is_pseudo_legal(p, move, t) & leaves_king_safe(p, move, t)
                if not legal:
                    return j
                p = make(p, move, t)
            else:
                if checkers_of(p, t):
                    return j
                p = passed(p)
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
