"""The search and the proof as an entry: it settles positions, one after the other, in slices of time."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import flip_vertical
from rookery.kernel import U64, UNIVERSE, Bits, Word, array_of, entry, kernel
from rookery.rules.compiled import default_technique
from rookery.rules.faults import playing_faults
from rookery.rules.helpmates.freedom import cannot_mate_ever, is_locked, white_of
from rookery.rules.helpmates.playout import mates_in_playouts
from rookery.rules.helpmates.possibility import IMPOSSIBLE, POSSIBLE, UNKNOWN
from rookery.rules.helpmates.search import begin, forget, is_mated, proceed
from rookery.rules.helpmates.space import ANSWER, DONE, EXPANDED, PHASE, WINNER, new_space
from rookery.rules.position import Position, cannot_mate, read
from rookery.techniques.base.protocol import prepare

# Positions that the first search looks at, and those that the greedy one looks at after it. Then it is tried to
# prove that there is no mate, and a search up to the limit begins.
_FIRST, _GREEDY = 300, 2000
_PLAYED = 8  # half-moves of a playout that take as long as a look at a position


@kernel
def turned(b: Bits, black: Word) -> Bits:
    """Return a board, upside down where `black` is 1."""
    return flip_vertical(b) if black else b


@kernel
def seen_by(row: Any, black: Word, t: Any) -> Position:
    """Return the position of a row, turned if black shall mate: then white shall."""
    p = read(row, U64(0))
    us, them = turned(p.us, black), turned(p.them, black)
    return Position(
        turned(p.pawns, black),
        turned(p.knights, black),
        turned(p.diagonals, black),
        turned(p.orthogonals, black),
        turned(p.kings, black),
        us,
        them,
        turned(p.castling, black),
        turned(p.en_passant, black),
        p.turn ^ black,
        prepare(us | them, t),
    )


@entry(
    examples=lambda: (
        new_space(1),
        np.zeros((1, WINNER + 1), U64),
        array_of(np.uint8),
        0,
        U64(0),
        default_technique().tables(),
    )
)
def settle(space: Any, rows: Any, answers: Any, i: Any, steps: Any, t: Any) -> Any:
    """Settle positions from the `i`-th on, until so many have been looked at; return the number of the next one.

    A row has the ten words of a position, and 1 if black shall mate. A space for no position leaves out the search.
    """
    state = space.state
    searches = space.nodes.shape[0] > 1
    last = U64(answers.size)
    j = U64(i)
    while j < last and steps:
        if not state[PHASE]:
            p = seen_by(rows[j], rows[j, WINNER], t)
            answers[j] = UNKNOWN
            if playing_faults(p, t):
                j += 1
                continue
            white = white_of(p)
            # Two bishops of one colour never mate, but may give a mate that no legal moves led to.
            hopeless = cannot_mate(p, white, (p.us | p.them) ^ white) and not is_mated(p, space, t)
            if hopeless or (is_locked(p, white) and cannot_mate_ever(p, space, t)):
                answers[j] = IMPOSSIBLE
                j += 1
                continue
            if not searches:
                j += 1
                continue
            state[:] = 0
            if mates_in_playouts(p, space, t):
                answers[j] = POSSIBLE
                steps -= min(1 + state[EXPANDED] // _PLAYED, steps)
                j += 1
                continue
            steps -= min(state[EXPANDED] // _PLAYED, steps)
            begin(p, U64(0), space, t)
            state[PHASE] = 1
        phase, before = state[PHASE], state[EXPANDED]
        most = U64(_FIRST) if phase == 1 else (U64(_GREEDY) if phase == 2 else UNIVERSE)
        proceed(space, min(steps, most - before), t)
        steps -= min(state[EXPANDED] - before, steps)
        if phase < 3 and (state[ANSWER] == UNKNOWN if state[DONE] else state[EXPANDED] == most):
            p = seen_by(rows[j], rows[j, WINNER], t)
            forget(space)
            begin(p, phase & 1, space, t)
            state[PHASE] = phase + 1
            if phase == 2 and not is_locked(p, white_of(p)) and cannot_mate_ever(p, space, t):
                state[ANSWER] = IMPOSSIBLE
                state[DONE] = 1
        if state[DONE]:
            answers[j] = np.uint8(state[ANSWER])
            forget(space)
            state[PHASE] = 0
            j += 1
    return j
