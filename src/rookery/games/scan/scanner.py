"""The compiled reader: a block of PGN into arrays, every move checked for legality.

The grammar is that of `rookery.pgn`, and the tests compare both readers on the same texts. Numbers, plain moves and
clocks as Lichess writes them are recognised by words of eight bytes (`rookery.games.scan.plain`). Everything else, and
everything near the end of a text, is read here, token by token:

    game      = lines
    line      = "" | "%" ... | tags | tokens
    tokens    = comment | glyph | number | "(" | ")" | result | move

Each function below takes what is at `state.place`, moves the place behind it, and returns what comes next.
"""

from typing import Any, NamedTuple

import numpy as np

from rookery.games.scan import output
from rookery.games.scan.annotations import comment_end
from rookery.games.scan.characters import (
    BLANK,
    BRACE,
    CLASS,
    DIGIT,
    ENDS,
    NEWLINE,
    among,
    blank_length,
    ellipsis_length,
    is_end,
    line_end,
    mark_length,
    past_blanks,
    past_newline,
    word_end,
)
from rookery.games.scan.comments import NO_COMMENT, take_comment
from rookery.games.scan.headers import begins_next, result_of_header, start_position, take_tag, usual_start
from rookery.games.scan.lenient import split_before, stepped_over
from rookery.games.scan.output import Output, Scratch, fault, warn
from rookery.games.scan.plain import NEAR, plain_moves
from rookery.games.scan.tags import EVENT, NO_RESULT, SLOTS, number_of, plain_tag, tag_at
from rookery.games.scan.tokens import nag_end, nag_of, past_points, result_word
from rookery.kernel import U64, UNIVERSE, Word, cold_kernel, entry, kernel, trailing_zeros, where_byte, word_at
from rookery.notation.san_reader import REFUSED, legal_word
from rookery.notation.san_spelling import NO_MOVE, NULL, SMALL_O, is_null, spelled
from rookery.pgn.lenient import MOST_WARNINGS
from rookery.rules.generate import checkers_of
from rookery.rules.position import Position, make, passed

# What comes next.
_GOES_ON, _MOVES_BEGIN, _MOVE, _ENDS, _CUT_SHORT = range(5)

# What `_read_game` found.
_NO_GAME, _INCOMPLETE, _GAME = range(3)

_LF, _CR = 10, 13
_OPEN, _SEMICOLON, _PERCENT, _BRACKET, _CLOSE, _DOT, _E, _BRACE_END, _STAR = b"(;%[).e}*"
_DIGIT_1 = ord("1")
_EP = int.from_bytes(b"e.p.", "little")
_UNUSED = 255  # no result has been seen


class Reading(NamedTuple):
    """The text that is read, up to `end`, what is wanted of it, and where it is written."""

    text: Any
    end: Word
    final: Word  # whether no more text follows
    want: Word
    lenient: Word
    out: Output
    scratch: Scratch
    tables: Any


@kernel
def _take(state: Any, i: Word) -> None:
    """Note that something of the game is at `i`."""
    if not state.begun:
        state.begun = 1
        state.start = i
    state.after_blank_line = 0


@kernel
def _is_over(state: Any) -> Any:
    """Check whether the game has its result: only annotations may follow."""
    return state.result != _UNUSED


@kernel
def _ends_at(state: Any, i: Word) -> Word:
    """End the game at `i`, where a line begins."""
    state.place = i
    state.line_start = 1
    return _ENDS


# Lines.


@kernel
def _line(r: Reading) -> Word:
    """Read the beginning of a line."""
    text, end = r.text, r.end
    state = r.scratch.state[0]
    line: Word = state.place
    if U64(text[line]) == _BRACKET and not state.in_moves and not _is_over(state):
        tag, known = plain_tag(text, line)
        # Whether a tag after an empty line begins another game is decided in `_tags`.
        if tag.end and tag.end < end and not (state.after_blank_line and (state.tags > state.first_tag or state.fault)):
            _take(state, line)
            take_tag(text, tag, known, r.out, r.scratch)
            state.place = past_newline(text, tag.end, end)
            return _GOES_ON
    i = line + mark_length(text, line, end)
    j = past_blanks(text, i, end)
    if j >= end or CLASS[text[j]] == NEWLINE:
        if _is_over(state):
            return _ENDS
        state.after_blank_line = 1
        state.place = past_newline(text, j, end)
        return _GOES_ON
    if U64(text[i]) == _PERCENT:
        stop = line_end(text, i, end)
        if stop >= end and not r.final:
            return _CUT_SHORT
        state.place = past_newline(text, stop, end)
        return _GOES_ON
    state.line_start = 0
    state.place = j
    return _tags(r) if U64(text[j]) == _BRACKET else _GOES_ON


@kernel
def _tags(r: Reading) -> Word:
    """Read the tags of a line."""
    text, end = r.text, r.end
    state = r.scratch.state[0]
    i: Word = state.place
    stop = line_end(text, i, end)
    if stop >= end and not r.final:
        return _CUT_SHORT
    while i < stop and U64(text[i]) == _BRACKET:
        tag = tag_at(text, i, stop)
        if not tag.end:
            if _is_over(state) or (state.in_moves and state.after_blank_line):
                return _ends_at(state, i)
            _take(state, i)
            fault(state, output.BROKEN_TAG, i, stop)
            i = stop
            break
        known = number_of(text, tag.name, tag.name_end)
        if state.in_moves or _is_over(state):
            return _ends_at(state, i)
        if state.after_blank_line and begins_next(text, tag, known, r.out, state, r.lenient):
            return _ends_at(state, i)
        _take(state, i)
        take_tag(text, tag, known, r.out, r.scratch)
        i = past_blanks(text, tag.end, stop)
    state.place = i
    return _GOES_ON


@cold_kernel
def _past_moves(text: Any, i: Word, end: Word) -> Word:
    """Return where the next line begins that has an event, or any tag after an empty line; or `end`."""
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


# Tokens.


@kernel
def _token(r: Reading) -> Word:
    """Read what may stand before the moves and among them: blanks, comments, glyphs; or `_movetext`."""
    text, end = r.text, r.end
    state = r.scratch.state[0]
    i: Word = state.place
    c = U64(text[i])
    kind = CLASS[c]
    if kind == BLANK:
        state.place = i + 1
        return _GOES_ON
    if kind == NEWLINE:
        state.place = past_newline(text, i, end)
        state.line_start = 1
        return _GOES_ON
    length = blank_length(text, i, end)
    if length:
        state.place = i + length
        return _GOES_ON
    if kind == BRACE:
        return _brace_comment(r)
    if c == _SEMICOLON:
        stop = line_end(text, i, end)
        if stop >= end and not r.final:
            return _CUT_SHORT
        return _comment(r, stop, stop)
    stop = nag_end(text, i, end, r.lenient)
    if stop:
        _glyph(r, stop)
        return _GOES_ON
    if r.lenient and not c:
        stop = i
        while stop < end and not text[stop]:
            stop += 1
        _take(state, i)
        warn(r.out, state, output.NULS, i, stop)
        state.place = stop
        return _GOES_ON
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
    if not event_line and not r.final:
        return _CUT_SHORT
    if not state.in_moves:
        return _MOVES_BEGIN
    state.after_blank_line = 0
    fault(state, output.UNCLOSED_COMMENT, i, end)
    state.skips_moves = 1
    state.place = event_line if event_line else end
    state.line_start = 1
    return _GOES_ON


@kernel
def _comment(r: Reading, stop: Word, following: Word) -> Word:
    """Take the comment whose text ends at `stop`; those of variations are kept with these."""
    state = r.scratch.state[0]
    i: Word = state.place
    _take(state, i)
    if not state.depth:
        has_ply = state.plies > state.first_ply and not state.skips_moves
        want = r.want if has_ply else r.want & (UNIVERSE ^ output.CLOCKS)
        take_comment(r.text, i + 1, stop, want, r.out, state)
    state.place = following
    return _GOES_ON


@kernel
def _glyph(r: Reading, stop: Word) -> None:
    """Take the annotation glyph that ends at `stop`."""
    state = r.scratch.state[0]
    i: Word = state.place
    _take(state, i)
    if r.want & output.NAGS and not state.depth:
        row = r.out.nags[state.nags]
        row[0] = np.int32(state.plies - state.first_ply)
        row[1] = np.int32(nag_of(r.text, i, stop))
        state.nags += 1
    state.place = stop


@kernel
def _number_end(text: Any, i: Word, end: Word, lenient: Word) -> Word:
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
    over = _is_over(state)
    if over and (not r.lenient or state.fault or c in (_OPEN, _CLOSE)):
        return _ENDS
    stop = _number_end(text, i, end, r.lenient)
    if stop:
        # A game without result ends before an empty line and a "1."
        is_first = c == _DIGIT_1 and stop == i + 2 and U64(text[i + 1]) == _DOT
        if over or (is_first and state.after_blank_line and state.in_moves and not state.depth):
            return _ENDS
        _take(state, i)
        state.place = stop
        return _GOES_ON
    if not state.in_moves:
        return _MOVES_BEGIN
    state.after_blank_line = 0
    if c in (_OPEN, _CLOSE):
        _bracket(r, c)
        return _GOES_ON
    found, stop = result_word(text, i, end, r.lenient)
    if found != NO_RESULT:
        if over:
            return _ENDS
        if not state.depth:
            state.result = found
            stated = result_of_header(text, r.out, state)
            if found and stated and found != stated:
                fault(state, output.OTHER_RESULT, i, stop)
        state.place = stop
        return _GOES_ON
    if not state.depth and not state.skips_moves:
        return _MOVE
    state.place = i + 1 if ENDS[c] else word_end(text, i, end, r.lenient)
    return _GOES_ON


@kernel
def _bracket(r: Reading, c: Word) -> None:
    """Open or close a variation. Those of the mainline are kept as text, with the variations inside them."""
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
    else:
        fault(state, output.CLOSES_NOTHING, i, i + 1)
        state.skips_moves = 1


@kernel
def _move(r: Reading, p: Position) -> Any:
    """Read a word that should be a move in position `p`; return what comes next, and the position after it.

    A lenient reader splits what follows a move from it, and skips words that only annotate.
    """
    text, end = r.text, r.end
    state = r.scratch.state[0]
    i: Word = state.place
    c = U64(text[i])
    over = _is_over(state)
    stop = i + 1 if ENDS[c] else word_end(text, i, end, r.lenient)
    lenient = r.lenient and not state.fault
    split = stop
    said = spelled(text, i, split, lenient)
    while said.what == NO_MOVE and lenient and not over:
        place = split_before(text, i, split, stop)
        if not place:
            break
        split = place
        said = spelled(text, i, split, lenient)
    if over or said.what == NO_MOVE or (said.what == NULL and split < stop):
        return _skip_word(r, stop, p), p
    word = legal_word(said, p, r.tables)
    if word == REFUSED or (said.what == NULL and checkers_of(p, r.tables)):
        fault(state, output.MOVE_FAULT, i, split)
        state.skips_moves = 1
    else:
        if split < stop or c == SMALL_O:
            warn(r.out, state, output.READ_AS, i, stop)
        p = make(p, word, r.tables) if word else passed(p)
        r.out.moves[state.plies] = np.uint16(word)
        state.plies += 1
        state.last_comment = NO_COMMENT
    # A result, which begins like no annotation, is read as the next token.
    glued = split < stop and (CLASS[text[split]] == DIGIT or U64(text[split]) == _STAR)
    state.place = split if glued else stop
    return U64(_GOES_ON), p


@cold_kernel
def _skip_word(r: Reading, stop: Word, p: Position) -> Word:
    """Skip a word that is no move: an annotation, with a warning, or else a fault."""
    state = r.scratch.state[0]
    i: Word = state.place
    over = _is_over(state)
    code, following = U64(output.NO_WARNING), stop
    if r.lenient and not state.fault:
        plies = state.plies - state.first_ply
        code, following = stepped_over(r.text, i, stop, r.end, state.nested_comment, plies, over, p)
        if over and not code and U64(r.text[i]) != _BRACE_END:
            return _ENDS
    if code:
        warn(r.out, state, code, i, following if code == output.STRAY_BRACE else stop)
        if code != output.ANNOTATION:
            state.nested_comment = 0
    else:
        fault(state, output.MOVE_FAULT, i, stop)
        state.skips_moves = 1
    state.place = following
    return _GOES_ON


# Games.


@kernel
def _begin_game(state: Any, out: Output) -> None:
    """Begin a game at the place of the reader."""
    g: Word = state.games
    state.game = g
    state.start = state.place
    state.first_ply, state.first_tag = state.plies, state.tags
    state.first_nag, state.first_comment, state.first_variation = state.nags, state.comments, state.variations
    state.begun = state.in_moves = state.depth = state.has_variations = state.nested_comment = 0
    state.skips_moves = state.fault = state.game_warnings = 0
    state.after_blank_line = 1
    state.result = _UNUSED
    state.last_comment = NO_COMMENT
    for k in range(SLOTS):
        out.slots[g, k] = 0
    out.games[g, output.START] = -1


@kernel
def _end_game(r: Reading) -> None:
    """Write the row of the game."""
    state = r.scratch.state[0]
    if state.depth:
        if r.want & output.VARIATIONS:
            state.variations -= 1
        fault(state, output.OPEN_VARIATION, state.variation, state.variation + 1)
    if not state.in_moves:
        start_position(r.text, r.out, r.scratch, r.lenient, r.tables)
    is_empty = state.tags == state.first_tag and state.plies == state.first_ply
    if is_empty and not _is_over(state) and not state.has_variations:
        state.in_moves = 0
        fault(state, output.NO_GAME, state.start, state.start + 1)
    marked = _is_over(state)
    score = state.result if marked else 0
    row = r.out.games[state.game]
    row[output.BEGINS] = np.int64(state.start)
    row[output.STOPS] = np.int64(state.place)
    row[output.FIRST_PLY] = np.int64(state.first_ply)
    row[output.FIRST_TAG] = np.int64(state.first_tag)
    row[output.FIRST_NAG] = np.int64(state.first_nag)
    row[output.FIRST_COMMENT] = np.int64(state.first_comment)
    row[output.FIRST_VARIATION] = np.int64(state.first_variation)
    row[output.SCORE] = np.int64(score if score else result_of_header(r.text, r.out, state))
    row[output.FAULT_CODE] = np.int64(state.fault)
    row[output.FAULT_FROM] = np.int64(state.fault_start)
    row[output.FAULT_TO] = np.int64(state.fault_end)
    row[output.FAULT_PLY] = state.fault_ply
    row[output.OF_RANGE] = np.int64(state.range)
    row[output.MARKED] = np.int64(marked)


@kernel
def _read_game(r: Reading) -> Word:
    """Read the game at the place of the reader.

    Return `_GAME`, `_NO_GAME` if the text ends before one begins, or `_INCOMPLETE` if it ends inside one.
    """
    text, end = r.text, r.end
    state = r.scratch.state[0]
    _begin_game(state, r.out)
    p = usual_start()
    while True:
        is_plain = state.in_moves and not (state.line_start | state.after_blank_line | state.depth | state.skips_moves)
        if is_plain and not _is_over(state):
            p = plain_moves(text, end, p, r.want, r.out, state, r.tables)
        if state.place + NEAR > end:
            if not r.final:
                return _INCOMPLETE
            if state.place >= end:
                break
        following = _line(r) if state.line_start else _token(r)
        if following == _MOVE:
            following, p = _move(r, p)
        if following == _MOVES_BEGIN:
            _take(state, state.place)
            if r.want & output.NO_MOVES:
                stop = _past_moves(text, state.place, end)
                if stop >= end and not r.final:
                    return _INCOMPLETE
                _ends_at(state, stop)
                break
            p, state.skips_moves = start_position(text, r.out, r.scratch, r.lenient, r.tables)
            state.in_moves = 1
        elif following == _ENDS:
            break
        elif following == _CUT_SHORT:
            return _INCOMPLETE
    if not state.begun:
        return _NO_GAME
    _end_game(r)
    return _GAME


@entry
def scan(text: Any, ranges: Any, want: Any, o: Any, s: Any, t: Any) -> Any:
    """Read games from the place of the reader, until the ranges end, the last is not whole, or there is no room.

    `ranges` has a row for each stretch of the text that is read by itself: where it begins and ends, and whether it is
    whole; if not, its last game is left for later. Up to 64 bytes behind the text may be read. Returns 0 if everything
    is read, 1 if the rest is a game that is not whole, 2 if there was no room.
    """
    state = s.state[0]
    while state.range < U64(ranges.shape[0]):
        if state.games >= U64(o.games.shape[0]) or state.warnings + MOST_WARNINGS > U64(o.warnings.shape[0]):
            return 2
        end, final = U64(ranges[state.range, 1]), U64(ranges[state.range, 2])
        place, line_start = U64(state.place), U64(state.line_start)
        tags, nags, comments = U64(state.tags), U64(state.nags), U64(state.comments)
        variations, starts, warnings = U64(state.variations), U64(state.starts), U64(state.warnings)
        plies, g = U64(state.plies), U64(state.games)
        found = _read_game(Reading(text, end, final, want, 0 if want & output.STRICT else 1, o, s, t))
        another = want & output.ONE_EACH and state.games_of_range > 0
        if found == _GAME and not another:
            state.games += 1
            state.games_of_range += 1
            continue
        if found == _GAME and not o.games[g - 1, output.FAULT_CODE]:
            before, row = o.games[g - 1], o.games[g]
            before[output.FAULT_CODE] = output.ANOTHER_GAME
            before[output.FAULT_FROM] = row[output.BEGINS]
            before[output.FAULT_TO] = row[output.BEGINS] + np.int64(1)
            before[output.FAULT_PLY] = row[output.FIRST_PLY] - before[output.FIRST_PLY]
        # Nothing of what was written counts.
        state.tags, state.nags, state.comments, state.variations = tags, nags, comments, variations
        state.starts, state.plies, state.warnings = starts, plies, warnings
        state.clocks = min(U64(state.clocks), plies)
        state.evaluations = min(U64(state.evaluations), plies)
        state.elapsed = min(U64(state.elapsed), plies)
        if found == _GAME:
            continue
        if found == _INCOMPLETE:
            state.place, state.line_start = place, line_start
            return 1
        if want & output.ONE_EACH and not state.games_of_range:
            o.games[g] = 0
            row = o.games[g]
            row[output.FIRST_PLY], row[output.START] = np.int64(plies), -1
            row[output.OF_RANGE] = np.int64(state.range)
            row[output.FIRST_TAG], row[output.FIRST_NAG] = np.int64(tags), np.int64(nags)
            row[output.FIRST_COMMENT], row[output.FIRST_VARIATION] = np.int64(comments), np.int64(variations)
            row[output.BEGINS], row[output.STOPS] = ranges[state.range, 0], ranges[state.range, 1]
            state.games += 1
        state.range += 1
        state.games_of_range = 0
        if state.range < U64(ranges.shape[0]):
            state.place = U64(ranges[state.range, 0])
            state.line_start = 1
    return 0
