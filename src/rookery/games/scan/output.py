"""What the compiled reader writes, and where: options, faults, rows of games, room to work in."""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel import U64, Word, kernel
from rookery.pgn.lenient import MOST_WARNINGS

# What is wanted besides moves and headers: bits of an option.
CLOCKS, COMMENTS, NAGS, VARIATIONS, ONE_EACH, NO_MOVES, STRICT = (1 << n for n in range(7))

# What is wrong with a game.
(
    NO_FAULT, MOVE_FAULT, BROKEN_TAG, TAG_TWICE, BAD_RESULT, BAD_VARIANT, NO_FEN, BAD_FEN, UNCLOSED_COMMENT,
    CLOSES_NOTHING, OPEN_VARIATION, OTHER_RESULT, NO_GAME, ANOTHER_GAME, TOO_MANY_WARNINGS,
) = range(15)  # fmt: skip

# What is stepped over in a game, with a warning.
NO_WARNING, ANNOTATION, READ_AS, STRAY_BRACE, COMMENT_REST, NULS, IMPOSSIBLE_RIGHTS = range(7)
WARNING_GAME, WARNING_CODE, WARNING_FROM, WARNING_TO, WARNING_PLY, WARNING_ROW = range(6)  # a warning's row

# The reader's memory between games and calls: how many rows of each array are filled, where it is, the fault found.
(
    PLACE, AT_LINE, RANGE, GAMES, PLIES, TAGS, NAGS_FOUND, COMMENTS_FOUND, VARIATIONS_FOUND, WARNINGS, STARTS, FAULT,
    FAULT_START, FAULT_END, FAULT_PLIES, CLOCKS_KEPT, EVALUATIONS_KEPT, ELAPSED_KEPT, OF_THIS_RANGE, WARNED, MEMORY,
) = range(21)  # fmt: skip

# A game's row.
(
    BEGINS, STOPS, FIRST_PLY, FIRST_TAG, FIRST_NAG, FIRST_COMMENT, FIRST_VARIATION, START, SCORE, FAULT_CODE,
    FAULT_FROM, FAULT_TO, FAULT_PLY, OF_RANGE, MARKED, ROW,
) = range(16)  # fmt: skip

START_ROW: Final = 13  # a start position: ten words, two counters, and whether it is Chess960


class Output(NamedTuple):
    """What the reader writes. Places are bytes of the text."""

    games: Any  # int64, `ROW` a game
    slots: Any  # int32, `SLOTS` a game
    moves: Any  # uint16
    clocks: Any  # float32, a value a ply, as the next two
    evaluations: Any
    elapsed: Any
    tags: Any  # int32, see `tags`
    nags: Any  # int32: half-moves before, number
    comments: Any  # int32: half-moves before, where it begins and ends
    variations: Any  # the same
    starts: Any  # uint64, `START_ROW` each
    warnings: Any  # int32, `WARNING_ROW` each, room for `MOST_WARNINGS` of the next game


class Scratch(NamedTuple):
    """Room to work in."""

    memory: Any
    row: Any
    report: Any
    seen: Any  # where tags of unknown names are, by their hash


@kernel
def fault(m: Any, code: Any, start: Word, end: Word, in_moves: Word, plies: Word) -> None:
    """Keep the first."""
    if not m[FAULT]:
        m[FAULT] = code
        m[FAULT_START] = np.int64(start)
        m[FAULT_END] = np.int64(end)
        m[FAULT_PLIES] = np.int64(plies) if in_moves else -1


@kernel
def warn(o: Output, m: Any, g: Any, code: Any, start: Word, end: Word, in_moves: Word, plies: Word) -> None:
    """Keep a warning, if no fault was found before. One too many is a fault."""
    if m[FAULT]:
        return
    if m[WARNED] >= MOST_WARNINGS:
        fault(m, TOO_MANY_WARNINGS, start, end, in_moves, plies)
        return
    row = o.warnings[m[WARNINGS]]
    row[WARNING_GAME] = np.int32(g)
    row[WARNING_CODE] = np.int32(code)
    row[WARNING_FROM] = np.int32(start)
    row[WARNING_TO] = np.int32(end)
    row[WARNING_PLY] = np.int32(plies) if in_moves else np.int32(-1)
    m[WARNINGS] += 1
    m[WARNED] += 1


@kernel
def keep(values: Any, m: Any, kept: Any, ply: Word, value: Any) -> None:
    """Keep the value of a ply, if there is one, and none is kept for it; plies before it that have none get NaN. So of
    what no game tells nothing is written.
    """
    filled = U64(m[kept])
    if value == value and filled <= ply:
        while filled < ply:
            values[filled] = np.float32(np.nan)
            filled += 1
        values[ply] = value
        m[kept] = np.int64(ply + 1)
