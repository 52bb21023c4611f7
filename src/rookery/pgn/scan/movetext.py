"""Movetext, token by token: comments, glyphs, numbers, variations, results and moves.

Each function takes what is at `state.place`, moves the place behind it, and returns what comes next.
"""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, UNIVERSE, Word, called_kernel, cold_kernel, kernel, word_at
from rookery.pgn.scan import output
from rookery.pgn.scan.annotations import comment_end, mark_of_bad_game
from rookery.pgn.scan.characters import BLANK, BRACE, CLASS, DIGIT, ENDS, NEWLINE
from rookery.pgn.scan.comments import NO_COMMENT, take_comment
from rookery.pgn.scan.headers import next_number, result_of_header
from rookery.pgn.scan.lenient import is_annotation, split_before, stepped_over
from rookery.pgn.scan.lines import CUT_SHORT, GAME_ENDS, GOES_ON, MOVE, MOVES_BEGIN, UNUSED, Reading, is_over, take
from rookery.pgn.scan.printed import OTHERWISE, capture_by_files, respelled, with_promotion
from rookery.pgn.scan.reporting import fault, warn, warn_of_word
from rookery.pgn.scan.signs import (
    blank_length,
    byte_at,
    ellipsis_length,
    is_dash,
    is_end,
    line_end,
    past_blanks,
    past_invisible,
    past_newline,
    sign_length,
    wide_sign,
    word_end,
)
from rookery.pgn.scan.tags import NO_RESULT
from rookery.pgn.scan.tokens import nag_end, nag_of, past_points, result_word
from rookery.rules.generate import checkers_of
from rookery.rules.notation.results import HALF
from rookery.rules.notation.san_reader import REFUSED, legal_move
from rookery.rules.notation.san_spelling import NO_MOVE, NULL, SMALL_O, is_null, parse_move_text
from rookery.rules.position import Position, make, passed

_OPEN, _SEMICOLON, _CLOSE, _DOT, _E, _BRACE_END, _STAR = b"(;).e}*"
_DIGIT_1 = ord("1")
_HALF = int.from_bytes(HALF.encode(), "little")
DRAW = 3  # the number of a drawn game's result
CUT = UNIVERSE
NEAR_RESULT = 16
UNREAD: Final = 99  # a word that is not respelled
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
        _begins_behind_result(r)
    stop = number_end(text, i, end, r.lenient)
    if stop and c <= _DIGIT_1 and stop == i + 1 and r.lenient:
        spaced = _spaced_result(text, i, stop, end, r.final)
        if spaced == CUT:
            return CUT_SHORT
        if spaced:
            if not state.in_moves:
                return MOVES_BEGIN
            return _take_result(r, U64(1 if c == _DIGIT_1 else 2), spaced, 1)
    if stop:
        if over:
            return _number_behind_result(r, stop)
        # A game without result ends before an empty line and a "1."
        is_first = c == _DIGIT_1 and stop == i + 2 and U64(text[i + 1]) == _DOT
        if is_first and state.after_blank_line and state.in_moves and not state.depth:
            return GAME_ENDS
        if not state.in_moves and not state.begun and not is_first:
            _check_first_number(r, stop)
        take(state, i)
        state.place = stop
        return GOES_ON
    if over and (not r.lenient or state.fault):
        found, stop = result_word(text, i, end, r.lenient)
        return GAME_ENDS if found == NO_RESULT else _take_result(r, found, stop, 0)
    if not state.in_moves:
        return MOVES_BEGIN
    state.after_blank_line = 0
    if c in (_OPEN, _CLOSE):
        _bracket(r, c)
        return GOES_ON
    found, stop = result_word(text, i, end, r.lenient)
    if found != NO_RESULT:
        spaced = _spaced_result(text, i, stop, end, r.final) if found == DRAW and r.lenient and stop == i + 3 else 0
        if spaced == CUT:
            return CUT_SHORT
        return _take_result(r, found, spaced if spaced else stop, 1 if spaced else 0)
    if not state.depth and not state.skips_moves:
        return MOVE
    state.place = i + 1 if ENDS[c] else word_end(text, i, end, r.lenient)
    return GOES_ON


@cold_kernel
def _spaced_result(text: Any, i: Word, stop: Word, end: Word, final: Word) -> Word:
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
def _take_result(r: Reading, found: Word, stop: Word, odd: Word) -> Word:
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
def _check_first_number(r: Reading, stop: Word) -> None:
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
def _begins_behind_result(r: Reading) -> None:
    """Warn if a game without headers begins on the line of the result before it."""
    state = r.scratch.state[0]
    state.behind_result = 0
    i: Word = state.place
    if r.lenient and state.tags == state.first_tag:
        stop = i + 1 if ENDS[r.text[i]] else word_end(r.text, i, r.end, r.lenient)
        warn(r.out, state, output.BEHIND_RESULT, i, stop)


@cold_kernel
def _number_behind_result(r: Reading, stop: Word) -> Word:
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
    elif r.lenient:
        warn(r.out, state, output.STRAY_BRACKET, i, i + 1)
    else:
        fault(state, output.CLOSES_NOTHING, i, i + 1)
        state.skips_moves = 1


@kernel
def read_move(r: Reading, p: Position) -> Any:
    """Read a word that should be a move in position `p`; return what comes next, and the position after it.

    A lenient reader splits what follows a move from it, and skips words that only annotate.
    """
    text, end = r.text, r.end
    state = r.scratch.state[0]
    i: Word = state.place
    c = U64(text[i])
    over = is_over(state)
    stop = i + 1 if ENDS[c] else word_end(text, i, end, r.lenient)
    lenient = r.lenient and not state.fault
    if r.want >> output.LANGUAGE_SHIFT and not over:
        following, q = _read_printed(r, p)
        if following != UNREAD:
            return following, q
    split = stop
    spelled = parse_move_text(text, i, split, lenient)
    while spelled.what == NO_MOVE and lenient and not over:
        place = split_before(text, i, split, stop)
        if not place:
            break
        split = place
        spelled = parse_move_text(text, i, split, lenient)
    word = U64(REFUSED)
    is_none = over or spelled.what == NO_MOVE or (spelled.what == NULL and split < stop)
    if not is_none:
        word = legal_move(spelled, p, r.tables)
    if lenient and word == REFUSED:
        following, q = _read_printed(r, p)
        if following != UNREAD:
            return following, q
    if is_none:
        return _skip_word(r, stop, p), p
    if word == REFUSED or (spelled.what == NULL and checkers_of(p, r.tables)):
        fault(state, output.MOVE_FAULT, i, split)
        state.skips_moves = 1
    else:
        if split < stop or c == SMALL_O:
            warn_of_word(r.out, state, output.READ_AS, i, stop, split)
        p = _played(r, word, p)
    # A result, which begins like no annotation, is read as the next token.
    glued = split < stop and (CLASS[text[split]] == DIGIT or U64(text[split]) == _STAR)
    state.place = split if glued else stop
    return U64(GOES_ON), p


@kernel
def _played(r: Reading, word: Word, p: Position) -> Position:
    """Store a move, and return the position after it."""
    state = r.scratch.state[0]
    r.out.moves[state.plies] = np.uint16(word)
    state.plies += 1
    state.last_comment = NO_COMMENT
    return make(p, word, r.tables) if word else passed(p)


@cold_kernel
def _read_printed(r: Reading, p: Position) -> Any:
    """Read a word as books and other languages write it; return the same as `read_move`, or `UNREAD`."""
    text, end, out = r.text, r.end, r.scratch.word
    state = r.scratch.state[0]
    i: Word = state.place
    lenient, language = r.lenient and not state.fault, r.want >> output.LANGUAGE_SHIFT
    word = respelled(text, i, end, lenient, language, out)
    if not word.length:
        return U64(UNREAD), p
    score, size = result_word(out, 0, word.length, 1)
    if word.how and score != NO_RESULT and size == word.length:
        spaced = _spaced_result(text, i, word.stop, end, r.final) if score == DRAW else 0
        if spaced == CUT:
            return U64(CUT_SHORT), p
        return _take_result(r, score, spaced if spaced else word.stop, 1), p
    is_word = word.how and is_annotation(out, word.length)
    if is_over(state) or is_word:
        if is_word:
            warn(r.out, state, output.ANNOTATION, i, word.stop)
            state.place = word.stop
        return U64(GOES_ON if is_word else UNREAD), p
    if lenient:
        longer = with_promotion(text, word, end, language, out)
        if longer.length:
            word = longer
    size = word.length
    spelled = parse_move_text(out, 0, size, lenient)
    while spelled.what == NO_MOVE and lenient and word.how:
        size = split_before(out, 0, size, word.length)
        if not size:
            break
        spelled = parse_move_text(out, 0, size, lenient)
    how = word.how
    if spelled.what == NO_MOVE and lenient:
        size, found = capture_by_files(out, word.length, p, r.tables)
        if found:
            how = OTHERWISE
        if found == 1:
            spelled = parse_move_text(out, 0, size, lenient)
        elif found:
            fault(state, output.MOVE_FAULT, i, word.stop)
            state.skips_moves = 1
            state.place = word.stop
            return U64(GOES_ON), p
    if spelled.what in (NO_MOVE, NULL) or not how:
        return U64(UNREAD), p
    state.place = word.stop
    move = legal_move(spelled, p, r.tables)
    if move == REFUSED:
        fault(state, output.MOVE_FAULT, i, word.stop)
        state.skips_moves = 1
        return U64(GOES_ON), p
    if how & OTHERWISE or size < word.length:
        warn(r.out, state, output.PRINTED, i, word.stop)
    return U64(GOES_ON), _played(r, move, p)


@cold_kernel
def _skip_word(r: Reading, stop: Word, p: Position) -> Word:
    """Skip a word that is no move: an annotation, with a warning, or else a fault."""
    state = r.scratch.state[0]
    i: Word = state.place
    over = is_over(state)
    code, following = U64(output.NO_WARNING), stop
    if r.lenient and not state.fault:
        plies = state.plies - state.first_ply
        code, following = stepped_over(r.text, i, stop, r.end, state.nested_comment, plies, over, p)
        if over and not code and U64(r.text[i]) != _BRACE_END:
            return GAME_ENDS
    if code:
        warn(r.out, state, code, i, following if code == output.STRAY_BRACE else stop)
        if code != output.ANNOTATION:
            state.nested_comment = 0
    else:
        fault(state, output.MOVE_FAULT, i, stop)
        state.skips_moves = 1
    state.place = following
    return GOES_ON
