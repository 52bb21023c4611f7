"""Lines of PGN: empty lines, escaped lines and headers. `movetext` uses its helpers, too.

Each function takes what is at `state.place`, moves the place behind it, and returns what comes next.
"""

from typing import Any, NamedTuple

from rookery.kernel import U64, Word, called_kernel, cold_kernel, kernel, trailing_zeros, where_byte
from rookery.pgn.scan import output
from rookery.pgn.scan.characters import CLASS, NEWLINE
from rookery.pgn.scan.headers import begins_next, take_tag
from rookery.pgn.scan.headings import number_of, plain_tag, tag_at
from rookery.pgn.scan.output import Output, Scratch
from rookery.pgn.scan.reporting import fault
from rookery.pgn.scan.signs import among, line_end, mark_length, past_blanks, past_newline
from rookery.pgn.scan.tags import EVENT

# What comes next.
GOES_ON, MOVES_BEGIN, MOVE, GAME_ENDS, CUT_SHORT = range(5)

_LF, _CR = 10, 13
_PERCENT, _BRACKET = b"%["
UNUSED = 255  # no result has been seen


class Reading(NamedTuple):
    """The text being read, up to `end`, the options, and the arrays to fill."""

    text: Any
    end: Word
    final: Word  # whether no more text follows
    want: Word
    lenient: Word
    out: Output
    scratch: Scratch
    tables: Any


@kernel
def take(state: Any, i: Word) -> None:
    """Record that the game has text at `i`; the first such place is where it begins."""
    if not state.begun:
        state.begun = 1
        state.start = i
    state.after_blank_line = 0


@kernel
def is_over(state: Any) -> Any:
    """Check whether the game has its result: only annotations may follow."""
    return state.result != UNUSED


@kernel
def ends_at(state: Any, i: Word) -> Word:
    """End the game at `i`, where a line begins."""
    state.place = i
    state.line_start = 1
    return GAME_ENDS


@kernel
def read_line(r: Reading) -> Word:
    """Read the beginning of a line."""
    text, end = r.text, r.end
    state = r.scratch.state[0]
    line: Word = state.place
    if U64(text[line]) == _BRACKET and not state.in_moves and not is_over(state):
        tag, known = plain_tag(text, line)
        # Whether a tag after an empty line begins another game is decided in `_tags`.
        if tag.end and tag.end < end and not (state.after_blank_line and (state.tags > state.first_tag or state.fault)):
            take(state, line)
            take_tag(text, tag, known, r.out, r.scratch)
            state.place = past_newline(text, tag.end, end)
            return GOES_ON
    i = line + mark_length(text, line, end)
    j = past_blanks(text, i, end)
    if j >= end or CLASS[text[j]] == NEWLINE:
        if is_over(state):
            return GAME_ENDS
        state.after_blank_line = 1
        state.place = past_newline(text, j, end)
        return GOES_ON
    if U64(text[i]) == _PERCENT:
        stop = line_end(text, i, end)
        if stop >= end and not r.final:
            return CUT_SHORT
        state.place = past_newline(text, stop, end)
        return GOES_ON
    state.line_start = 0
    state.place = j
    return _tags(r) if U64(text[j]) == _BRACKET else GOES_ON


@called_kernel
def _tags(r: Reading) -> Word:
    """Read the tags of a line."""
    text, end = r.text, r.end
    state = r.scratch.state[0]
    i: Word = state.place
    stop = line_end(text, i, end)
    if stop >= end and not r.final:
        return CUT_SHORT
    while i < stop and U64(text[i]) == _BRACKET:
        tag = tag_at(text, i, stop)
        if not tag.end:
            if is_over(state) or (state.in_moves and state.after_blank_line):
                return ends_at(state, i)
            take(state, i)
            fault(state, output.BROKEN_TAG, i, stop)
            i = stop
            break
        known = number_of(text, tag.name, tag.name_end)
        if state.in_moves or is_over(state):
            return ends_at(state, i)
        if state.after_blank_line and begins_next(text, tag, known, r.out, state, r.lenient):
            return ends_at(state, i)
        take(state, i)
        take_tag(text, tag, known, r.out, r.scratch)
        i = past_blanks(text, tag.end, stop)
    state.place = i
    return GOES_ON


@cold_kernel
def past_moves(text: Any, i: Word, end: Word) -> Word:
    """Return the start of the next line with an Event tag, or with any tag after an empty line; or `end`."""
    i += 2
    while i < end:
        lines = among(where_byte(text, i, _BRACKET) & where_byte(text, i - 1, _LF), end - i)
        base = i
        while lines:
            i = base + trailing_zeros(lines)
            lines &= lines - 1
            back = i - 2
            if U64(text[back]) == _CR:
                back -= 1
            tag = tag_at(text, i, line_end(text, i, end))
            if tag.end and (U64(text[back]) == _LF or number_of(text, tag.name, tag.name_end) == EVENT):
                return i
        i = base + 64
    return end
