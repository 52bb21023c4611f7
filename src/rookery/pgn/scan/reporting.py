"""Compiled code that notes faults and warnings, and values of plies."""

from typing import Any

import numpy as np

from rookery.kernel import Word, kernel
from rookery.pgn.scan.lexing.vocabulary import MOST_WARNINGS
from rookery.pgn.scan.output import (
    TOO_MANY_WARNINGS,
    WARNING_CODE,
    WARNING_FROM,
    WARNING_GAME,
    WARNING_PLY,
    WARNING_READ,
    WARNING_TO,
    Output,
)


@kernel
def fault(state: Any, code: Word, start: Word, end: Word) -> None:
    """Record a fault, unless the game has one already."""
    if not state.fault:
        state.fault = code
        state.fault_start = start
        state.fault_end = end
        state.fault_ply = np.int64(state.plies - state.first_ply) if state.in_moves else -1


@kernel
def warn(o: Output, state: Any, code: Word, start: Word, end: Word) -> None:
    """Record a warning, unless the game has a fault. One warning too many is a fault."""
    warn_of_word(o, state, code, start, end, 0)


@kernel
def warn_of_word(o: Output, state: Any, code: Word, start: Word, end: Word, read: Word) -> None:
    """Record a warning about a word that is read as a move, which ends at `read`."""
    if state.fault:
        return
    if state.game_warnings >= MOST_WARNINGS:
        fault(state, TOO_MANY_WARNINGS, start, end)
        return
    row = o.warnings[state.warnings]
    row[WARNING_GAME] = np.int32(state.game)
    row[WARNING_CODE] = np.int32(code)
    row[WARNING_FROM] = np.int32(start)
    row[WARNING_TO] = np.int32(end)
    row[WARNING_READ] = np.int32(read)
    row[WARNING_PLY] = np.int32(state.plies - state.first_ply) if state.in_moves else np.int32(-1)
    state.warnings += 1
    state.game_warnings += 1


@kernel
def keep(values: Any, filled: Word, ply: Word, value: Any) -> Word:
    """Store the value of a ply, if it is one and the ply has none; return how many plies are filled then.

    Plies before it without a value get NaN. So nothing is written for games without values.
    """
    if value == value and filled <= ply:
        while filled < ply:
            values[filled] = np.float32(np.nan)
            filled += 1
        values[ply] = value
        filled += 1
    return filled
