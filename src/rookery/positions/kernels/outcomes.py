"""Compiled code that judges whether positions are valid, and how games have ended."""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, array_of, entry, signed
from rookery.positions.kernels.lanes import load, occupied_of, position
from rookery.positions.layout import CLOCK_SHIFT, COUNTER, MARKED, SIDES, UNUSED, empty_columns
from rookery.positions.queries.attacks import sided
from rookery.positions.queries.check_kernels import ask
from rookery.positions.queries.count_kernels import count_block
from rookery.positions.queries.fills import slides
from rookery.positions.queries.questions import BLOCK, Checkers
from rookery.positions.rollouts import TerminationCode, mate_room
from rookery.rules.compiled import default_technique
from rookery.rules.faults import faults_of, playing_faults
from rookery.rules.position import is_insufficient

_US: Final = SIDES["us"]
_CHECKERS: Final = Checkers()
_NONE, _CHECKMATE, _STALEMATE, _INSUFFICIENT, _FIFTY, _SEVENTYFIVE = (
    np.uint8(end)
    for end in (
        TerminationCode.NONE,
        TerminationCode.CHECKMATE,
        TerminationCode.STALEMATE,
        TerminationCode.INSUFFICIENT_MATERIAL,
        TerminationCode.FIFTY_MOVES,
        TerminationCode.SEVENTYFIVE_MOVES,
    )
)
NO_KING: Final = np.uint8(255)  # no legal move and no king, so neither mate nor stalemate
_HUNDRED, _HUNDRED_AND_FIFTY = 100, 150


@entry(examples=lambda: (mate_room(), empty_columns(1), array_of(np.uint8), default_technique().tables()))
@signed
def mates(numbers: Any, c: Any, out: Any, t: Any) -> None:
    """Write `CHECKMATE`, `STALEMATE` or, without a king, `NO_KING` where no move is legal, and elsewhere `NONE`."""
    for start in range(0, out.size, BLOCK):
        size = min(out.size - start, BLOCK)
        count_block(c, U64(start), numbers[:size], t)
        for i in range(size):
            j = U64(start) + U64(i)
            end = _NONE
            if numbers[i] == 0:
                p = load(c, j)
                s = sided(p, _US)
                end = _CHECKMATE if ask(_CHECKERS, slides(~occupied_of(p)), p, s) else _STALEMATE
                end = end if p.kings & s.own else NO_KING
            out[j] = end


@entry(examples=lambda: (empty_columns(1), 0, array_of(np.uint8), default_technique().tables()))
def terminations(c: Any, claimed: Any, out: Any, t: Any) -> None:
    """Write how each game has ended, given the output of `mates`; with `claimed`, fifty moves end it, too."""
    for i in range(out.size):
        p = load(c, i)
        end = out[i]
        if end == _NONE:
            clock = (p.state >> CLOCK_SHIFT) & COUNTER
            end = _FIFTY if claimed and clock >= _HUNDRED else _NONE
            end = _SEVENTYFIVE if clock >= _HUNDRED_AND_FIFTY else end
        if end != _CHECKMATE and end != _STALEMATE:
            end = _INSUFFICIENT if is_insufficient(position(p, t)) else end
        end = _NONE if end == NO_KING or p.state & MARKED else end
        out[i] = end


@entry(examples=lambda: (empty_columns(1), U64(0), array_of(np.bool_), default_technique().tables()))
def is_valid(c: Any, reachable: Any, out: Any, t: Any) -> None:
    """Write whether each position is valid; with `reachable`, positions that no game reaches are not."""
    for i in range(out.size):
        lane = load(c, i)
        p = position(lane, t)
        found = faults_of(p, t) if reachable else playing_faults(p, t)
        out[i] = not found | (lane.state & (MARKED | UNUSED))
