"""Movetext, token by token: comments, glyphs, numbers, variations, results and moves.

Each function takes what is at `state.place`, moves the place behind it, and returns what comes next.
"""

from typing import Any

import numpy as np

from rookery.kernel import U64, UNIVERSE, Word, called_kernel, cold_kernel, kernel, word_at
from rookery.pgn.scan import output
from rookery.pgn.scan.annotations import comment_end, mark_of_bad_game
from rookery.pgn.scan.comments import TEXT_KEPT, remarks_of_ply, take_comment
from rookery.pgn.scan.lexing.signs import (
    BLANK,
    BRACE,
    CLASS,
    DIGIT,
    ENDS,
    NEWLINE,
    blank_length,
    ellipsis_length,
    is_end,
    line_end,
    past_blanks,
    past_invisible,
    past_newline,
    word_end,
)
from rookery.pgn.scan.lexing.tokens import nag_end, nag_of, past_points, result_word
from rookery.pgn.scan.lexing.vocabulary import NO_RESULT
from rookery.pgn.scan.lines import CUT_SHORT, GAME_ENDS, GOES_ON, MOVE, MOVES_BEGIN, Reading, is_over, take
from rookery.pgn.scan.reporting import fault, warn
from rookery.pgn.scan.result_tokens import (
    CUT,
    DRAW,
    begins_behind_result,
    check_first_number,
    number_behind_result,
    spaced_result,
    take_result,
)
from rookery.rules.notation.san_spelling import is_null

_OPEN, _SEMICOLON, _CLOSE, _DOT, _E = b"(;).e"
_DIGIT_1 = ord("1")
_M, _BRACKET_END = b"m]"
_EP = int.from_bytes(b"e.p.", "little")


@kernel
def read_token(r: Reading) -> Word:
    """Read a blank, a comment or a glyph, which may stand anywhere; leave everything else to `_movetext`."""
    text, end = r.text, r.end
    state = r.scratch.state[0]
    i: Word = state.place
    c = U64(text[i])
    kind = CLASS[c]
    if kind == BLANK:
        state.place = i + 1
        return GOES_ON
    if kind == NEWLINE:
        state.place = past_newline(text, i, end)
        state.line_start = 1
        return GOES_ON
    length = blank_length(text, i, end)
    if length:
        state.place = i + length
        return GOES_ON
    if kind == BRACE:
        return _brace_comment(r)
    if c == _SEMICOLON:
        stop = line_end(text, i, end)
        if stop >= end and not r.final:
            return CUT_SHORT
        return _comment(r, stop, stop)
    stop = nag_end(text, i, end, r.lenient)
    if stop:
        _glyph(r, stop)
        return GOES_ON
    if r.lenient and c >= 0x80:
        stop = past_invisible(text, i, end)
        if stop > i:
            state.place = stop
            return GOES_ON
    if r.lenient and not c:
        stop = i
        while stop < end and not text[stop]:
            stop += 1
        take(state, i)
        warn(r.out, state, output.NULS, i, stop)
        state.place = stop
        return GOES_ON
    return _movetext(r)


@kernel
def _brace_comment(r: Reading) -> Word:
    """Read a comment in braces."""
    text, end = r.text, r.end
    state = r.scratch.state[0]
    i: Word = state.place
    stop, event_line, braces = comment_end(text, i + 1, end)
    if stop < end:
        if braces and r.lenient and not state.depth and not state.fault:
            state.nested_comment = state.plies - state.first_ply + 1
        return _comment(r, stop, stop + 1)
    if not r.final and (braces or not event_line):
        return CUT_SHORT
    if not state.in_moves:
        return MOVES_BEGIN
    state.after_blank_line = 0
    fault(state, output.UNCLOSED_COMMENT, i, end)
    state.open_comment = 1
    state.skips_moves = 1
    state.place = event_line if event_line else end
    state.line_start = 1
    return GOES_ON


@called_kernel
def _comment(r: Reading, stop: Word, following: Word) -> Word:
    """Store the comment whose text ends at `stop`. A comment inside a variation stays in the variation's text."""
    state = r.scratch.state[0]
    i: Word = state.place
    if not state.depth:
        mark = mark_of_bad_game(r.text, i + 1, stop)
        if mark:
            return _marked(r, mark, stop, following)
    take(state, i)
    if not state.depth:
        has_ply = state.plies > state.first_ply and not state.skips_moves
        want = r.want if has_ply else r.want & (UNIVERSE ^ output.CLOCKS)
        take_comment(r.text, i + 1, stop, want, r.lenient, r.out, state)
    state.place = following
    return GOES_ON


@cold_kernel
def _marked(r: Reading, i: Word, stop: Word, following: Word) -> Word:
    """Read a comment that marks a bad game, and says at `i` what is wrong with it, as the fault of the game.

    What follows the mark in the comment is a comment.
    """
    state = r.scratch.state[0]
    if not state.in_moves and U64(r.text[i]) == _M:
        return MOVES_BEGIN  # what is wrong is in the moves
    start: Word = state.place
    take(state, start)
    fault(state, output.WAS_BAD, start + 1, stop)
    state.skips_moves = 1
    while i < stop and U64(r.text[i]) != _BRACKET_END:
        i += 1
    i = past_blanks(r.text, i + 1, stop)
    if i < stop:
        take_comment(r.text, i, stop, r.want & (UNIVERSE ^ output.CLOCKS), r.lenient, r.out, state)
    state.place = following
    return GOES_ON


@kernel
def _glyph(r: Reading, stop: Word) -> None:
    """Store the annotation glyph that ends at `stop`."""
    state = r.scratch.state[0]
    i: Word = state.place
    take(state, i)
    if r.want & output.NAGS and not state.depth:
        row = r.out.nags[state.nags]
        row[0] = np.int32(state.plies - state.first_ply)
        row[1] = np.int32(nag_of(r.text, i, stop))
        row[2] = np.int32(remarks_of_ply(r.out, state))
        state.nags += 1
    state.place = stop


@kernel
def number_end(text: Any, i: Word, end: Word, lenient: Word) -> Word:
    """Return where the number of a move ends, the points behind it, or ``e.p.``; 0 if there is none."""
    stop = i
    while stop < end and CLASS[text[stop]] == DIGIT:
        stop += 1
    if stop < end and (U64(text[stop]) == _DOT or ellipsis_length(text, stop, end)):
        return past_points(text, stop, end)
    if stop > i and is_end(text, stop, end, lenient):
        return 0 if is_null(text, i, stop - i) else stop
    if (
        U64(text[i]) == _E
        and word_at(text, i) & 0xFFFFFFFF == _EP
        and i + 4 <= end
        and is_end(text, i + 4, end, lenient)
    ):
        return i + 4
    return 0


@kernel
def _movetext(r: Reading) -> Word:
    """Read a number, a bracket of a variation, a result, or the word of a move that is not checked."""
    text, end = r.text, r.end
    state = r.scratch.state[0]
    i: Word = state.place
    c = U64(text[i])
    over = is_over(state)
    if over and c in (_OPEN, _CLOSE):
        return GAME_ENDS
    if state.behind_result:
        begins_behind_result(r)
    stop = number_end(text, i, end, r.lenient)
    if stop and c <= _DIGIT_1 and stop == i + 1 and r.lenient:
        spaced = spaced_result(text, i, stop, end, r.final)
        if spaced == CUT:
            return CUT_SHORT
        if spaced:
            if not state.in_moves:
                return MOVES_BEGIN
            return take_result(r, U64(1 if c == _DIGIT_1 else 2), spaced, 1)
    if stop:
        if over:
            return number_behind_result(r, stop)
        # A game without result ends before an empty line and a "1."
        is_first = c == _DIGIT_1 and stop == i + 2 and U64(text[i + 1]) == _DOT
        if is_first and state.after_blank_line and state.in_moves and not state.depth:
            return GAME_ENDS
        if not state.in_moves and not state.begun and not is_first:
            check_first_number(r, stop)
        take(state, i)
        state.place = stop
        return GOES_ON
    if over and (not r.lenient or state.fault):
        found, stop = result_word(text, i, end, r.lenient)
        return GAME_ENDS if found == NO_RESULT else take_result(r, found, stop, 0)
    if not state.in_moves:
        return MOVES_BEGIN
    state.after_blank_line = 0
    if c in (_OPEN, _CLOSE):
        _bracket(r, c)
        return GOES_ON
    found, stop = result_word(text, i, end, r.lenient)
    if found != NO_RESULT:
        spaced = spaced_result(text, i, stop, end, r.final) if found == DRAW and r.lenient and stop == i + 3 else 0
        if spaced == CUT:
            return CUT_SHORT
        return take_result(r, found, spaced if spaced else stop, 1 if spaced else 0)
    if not state.depth and not state.skips_moves:
        return MOVE
    state.place = i + 1 if ENDS[c] else word_end(text, i, end, r.lenient)
    return GOES_ON


@kernel
def _bracket(r: Reading, c: Word) -> None:
    """Open or close a variation. A variation of the main line is stored as text, including nested ones."""
    state = r.scratch.state[0]
    i: Word = state.place
    state.place = i + 1
    if c == _OPEN:
        state.has_variations = 1
        if not state.depth:
            state.variation = i
            if r.want & output.VARIATIONS:
                row = r.out.variations[state.variations]
                row[0] = np.int32(state.plies - state.first_ply)
                row[1] = np.int32(i + 1)
                state.variations += 1
        state.depth += 1
    elif state.depth:
        state.depth -= 1
        if not state.depth and r.want & output.VARIATIONS:
            r.out.variations[state.variations - 1, 2] = np.int32(i)
            state.last_comment = max(state.last_comment, U64(TEXT_KEPT))
    elif r.lenient:
        warn(r.out, state, output.STRAY_BRACKET, i, i + 1)
    else:
        fault(state, output.CLOSES_NOTHING, i, i + 1)
        state.skips_moves = 1
