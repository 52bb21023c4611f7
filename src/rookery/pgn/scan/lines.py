"""Lines of PGN: empty lines, escaped lines and headers. `movetext` uses its helpers, too.

Each function takes what is at `state.place`, moves the place behind it, and returns what comes next.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.kernel import U64, Word, called_kernel, cold_kernel, kernel, trailing_zeros, where_byte
from rookery.pgn.scan import output
from rookery.pgn.scan.headers.headings import number_of, plain_tag, tag_at
from rookery.pgn.scan.headers.of_game import begins_next, next_number, take_tag
from rookery.pgn.scan.lexing.signs import (
    BLANK,
    CLASS,
    CTRL_Z,
    NEWLINE,
    among,
    blank_length,
    byte_at,
    line_end,
    mark_length,
    past_blanks,
    past_invisible,
    past_newline,
)
from rookery.pgn.scan.lexing.vocabulary import EVENT, FEN, SETUP, VARIANT
from rookery.pgn.scan.output import Output, Scratch
from rookery.pgn.scan.reporting import fault, warn

# What comes next.
GOES_ON, MOVES_BEGIN, MOVE, GAME_ENDS, CUT_SHORT = range(5)

_LF, _CR = 10, 13
_PERCENT, _BRACKET, _QUOTED = b"%[>"
_NO_SEAM: Final = np.ones(256, np.bool_)  # bytes that a line usually begins with
_NO_SEAM[[0, CTRL_Z, _QUOTED]] = False
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
            take_tag(text, tag, known, r.out, r.scratch, r.lenient)
            state.place = past_newline(text, tag.end, end)
            return GOES_ON
    state.on_line_of_result = 0
    i = line + mark_length(text, line, end)
    if i < end and (U64(text[i]) >= 0x80 or not _NO_SEAM[text[i]]):
        i = _past_seam(r, i)
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


@cold_kernel
def _past_seam(r: Reading, i: Word) -> Word:
    """Return the place after what joining and quoting files leaves at the beginning of a line.

    That is a Ctrl-Z and NUL characters before a header or at the end of the line, characters that nobody sees, and the
    ``> `` of a quoted mail.
    """
    text, end = r.text, r.end
    state = r.scratch.state[0]
    start = past_invisible(text, i, end)
    i = start
    nuls: Word = 0
    ends: Word = 0
    while i < end:
        c = U64(text[i])
        blank = blank_length(text, i, end)
        if c == CTRL_Z or (r.lenient and not c):
            if c:
                ends = 1
            else:
                nuls = 1
            i += 1
        elif blank:
            i += blank
        elif c >= 0x80 and past_invisible(text, i, end) > i:
            i = past_invisible(text, i, end)
        else:
            break
    before_header = i < end and U64(text[i]) == _BRACKET
    if before_header or ((i >= end or CLASS[text[i]] == NEWLINE) and (ends or state.begun or not nuls)):
        if nuls and (state.begun or before_header):
            warn(r.out, state, output.NULS, start, i)
        return i
    i = start
    while r.lenient and byte_at(text, i, end) == _QUOTED and i + 1 < end:
        following = U64(text[i + 1])
        if CLASS[following] != BLANK and CLASS[following] != NEWLINE and following != _QUOTED:
            break
        i += 2 if CLASS[following] == BLANK else 1
    return i


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
            inside = _goes_on_behind(r, i, known)
            if inside == CUT_SHORT:
                return CUT_SHORT
            if not inside:
                return ends_at(state, i)
            _tag_inside(r, tag, known)
            i = past_blanks(text, tag.end, stop)
            continue
        if state.after_blank_line and begins_next(text, tag, known, r.out, state, r.lenient):
            return ends_at(state, i)
        take(state, i)
        take_tag(text, tag, known, r.out, r.scratch, r.lenient)
        i = past_blanks(text, tag.end, stop)
    state.place = i
    return GOES_ON


@cold_kernel
def _goes_on_behind(r: Reading, i: Word, known: Word) -> Word:
    """Check whether the moves of the game go on behind the tags at `i`: with the number that comes next."""
    text, end = r.text, r.end
    state = r.scratch.state[0]
    if is_over(state) or state.after_blank_line or state.depth or known == EVENT or state.plies == state.first_ply:
        return U64(0)
    while i < end:
        i = past_blanks(text, i, end)
        if i < end and U64(text[i]) == _BRACKET:
            i = line_end(text, i, end)
        elif i >= end or CLASS[text[i]] != NEWLINE:
            break
        i = past_newline(text, i, end)
    if i + 16 > end and not r.final:
        return U64(CUT_SHORT)
    number: Word = 0
    for k in range(6):
        c = byte_at(text, i + U64(k), end) - 48
        if c > 9:
            break
        number = number * 10 + c
    expected = next_number(r.out, state)
    return U64(1) if number > 1 and (number == expected or state.fault) else U64(0)


@cold_kernel
def _tag_inside(r: Reading, tag: Any, known: Word) -> None:
    """Take a tag inside the moves, with a warning; one that sets up the position is a fault."""
    state = r.scratch.state[0]
    if not r.lenient or known in (FEN, SETUP, VARIANT):
        fault(state, output.TAG_IN_MOVES, tag.name, tag.name_end)
        state.skips_moves = 1
    else:
        warn(r.out, state, output.TAG_INSIDE, tag.name, tag.name_end)
    take_tag(r.text, tag, known, r.out, r.scratch, r.lenient)


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
