"""Compiled code that plays random games."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import SPLITMIX_STEP, mixed
from rookery.kernel import U64, UNIVERSE, Word, array_of, entry, kernel
from rookery.positions.kernels.lanes import lane, load, position, store
from rookery.positions.kernels.moves import after, move_room, random_below, zeroing
from rookery.positions.layout import CLOCK_SHIFT, COUNTER, MARKED, Words, empty_columns
from rookery.positions.rollouts import TerminationCode
from rookery.rules.compiled import default_technique
from rookery.rules.generate import List, checkers_of, generate
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.position import is_insufficient, make
from rookery.rules.zobrist import position_hash

_NONE, _CHECKMATE, _STALEMATE, _INSUFFICIENT, _FIFTY, _THREEFOLD, _MAX_PLIES = (
    U64(int(end)) for end in list(TerminationCode)[:7]
)
_HUNDRED = 100


@kernel
def is_repeated(keys: Words, m: Word) -> Any:
    """Check whether ``keys[m]`` occurs for the third time at even distances."""
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
