"""Results in movetext, also those with blanks in them, and what stands behind a result."""

from typing import Any

from rookery.kernel import U64, UNIVERSE, Word, called_kernel, cold_kernel, kernel, word_at
from rookery.pgn.scan import output
from rookery.pgn.scan.headers.of_game import next_number, result_of_header
from rookery.pgn.scan.lexing.signs import (
    ENDS,
    byte_at,
    is_dash,
    is_end,
    past_blanks,
    sign_length,
    wide_sign,
    word_end,
)
from rookery.pgn.scan.lines import GAME_ENDS, GOES_ON, UNUSED, Reading, is_over
from rookery.pgn.scan.reporting import fault, warn
from rookery.results import HALF

_DIGIT_1 = ord("1")
_HALF = int.from_bytes(HALF.encode(), "little")
DRAW = 3  # the number of a drawn game's result
CUT = UNIVERSE
NEAR_RESULT = 16


@cold_kernel
def spaced_result(text: Any, i: Word, stop: Word, end: Word, final: Word) -> Word:
    """Return where a result ends that has blanks around its dash, like ``1/2 - 1/2``; 0 if there is none.

    `stop` is where its first half ends. Return `CUT` if more text is needed.
    """
    j = past_blanks(text, stop, end)
    if j == stop:
        return U64(0)
    if j + NEAR_RESULT > end and not final:
        return CUT
    if j >= end or not is_dash(text, j, end):
        return U64(0)
    j = past_blanks(text, j + sign_length(text, j, end), end)
    if j >= end:
        return U64(0)
    c = U64(text[i])
    half = stop == i + 3 or c >= 0x80
    size = 1
    if half and word_at(text, j) & 0xFFFFFF == _HALF:
        size = 3
    elif half:
        w = wide_sign(text, j, end)
        if w not in (0xC2BD, 0xBD):
            return U64(0)
        size = sign_length(text, j, end)
    elif U64(text[j]) != _DIGIT_1 - (c & 1):
        return U64(0)
    j += size
    return j if is_end(text, j, end, 1) else U64(0)


@called_kernel
def take_result(r: Reading, found: Word, stop: Word, odd: Word) -> Word:
    """Take the result that ends at `stop`, unless it is in a variation; `odd` is whether PGN writes it otherwise."""
    state = r.scratch.state[0]
    i: Word = state.place
    state.place = stop
    if state.depth:
        return GOES_ON
    if is_over(state):
        before: Word = state.result
        if before == found or not r.lenient or not (before and found):
            if r.lenient:
                warn(r.out, state, output.RESULT_TWICE, i, stop)
            else:
                fault(state, output.TWO_RESULTS, i, stop)
            found = found if found else before
        else:
            fault(state, output.TWO_RESULTS, i, stop)
    elif odd:
        warn(r.out, state, output.ODD_RESULT, i, stop)
    state.result = found
    state.result_start, state.result_end = i, stop
    state.on_line_of_result = 1
    stated = result_of_header(r.text, r.out, state)
    if found and stated and found != stated:
        fault(state, output.OTHER_RESULT, i, stop)
    return GOES_ON


@kernel
def _number(text: Any, i: Word, end: Word) -> Word:
    """Return the number at `i`, 0 if there is none."""
    value: Word = 0
    for k in range(6):
        c = byte_at(text, i + U64(k), end) - 48
        if c > 9:
            break
        value = value * 10 + c
    return value


@cold_kernel
def check_first_number(r: Reading, stop: Word) -> None:
    """Warn if a game without headers begins with another number than 1."""
    state = r.scratch.state[0]
    i: Word = state.place
    number = _number(r.text, i, r.end)
    if number > 1 and state.tags == state.first_tag:
        if r.lenient:
            warn(r.out, state, output.NOT_FIRST, i, stop)
        else:
            fault(state, output.NO_BEGINNING, i, stop)


@cold_kernel
def begins_behind_result(r: Reading) -> None:
    """Warn if a game without headers begins on the line of the result before it."""
    state = r.scratch.state[0]
    state.behind_result = 0
    i: Word = state.place
    if r.lenient and state.tags == state.first_tag:
        stop = i + 1 if ENDS[r.text[i]] else word_end(r.text, i, r.end, r.lenient)
        warn(r.out, state, output.BEHIND_RESULT, i, stop)


@cold_kernel
def number_behind_result(r: Reading, stop: Word) -> Word:
    """Go on with a game whose result is followed by the number of its next move; any other number ends it."""
    state = r.scratch.state[0]
    i: Word = state.place
    number = _number(r.text, i, r.end)
    expected = next_number(r.out, state)
    goes_on = number == expected if not state.fault else number > 1
    if state.plies == state.first_ply or number <= 1 or not goes_on:
        return GAME_ENDS
    start: Word = state.result_start
    if r.lenient:
        warn(r.out, state, output.RESULT_INSIDE, start, state.result_end)
    else:
        fault(state, output.RESULT_IN_MOVES, start, state.result_end)
        state.skips_moves = 1
    state.result = UNUSED
    state.place = stop
    return GOES_ON
