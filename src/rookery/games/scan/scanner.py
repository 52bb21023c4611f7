"""The compiled reader: a block of PGN into arrays, every move checked for legality.

The grammar is that of `rookery.pgn`, and the tests hold both readers to each other. What files are made of nearly
everywhere (a number, a plain move, Lichess's clocks) is recognised by words of eight bytes; everything else, and
everything near the end of a text, takes the general way, which alone decides what is wrong. A word that would be a
fault there is looked at once more (`rookery.games.scan.lenient`), unless the reader is strict.
"""

from typing import Any

import numpy as np

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
from rookery.games.scan.headers import begins_next, start_position, take_tag, usual_start
from rookery.games.scan.lenient import split_before, stepped_over
from rookery.games.scan.output import (
    ANNOTATION,
    ANOTHER_GAME,
    AT_LINE,
    BEGINS,
    BROKEN_TAG,
    CLOCKS,
    CLOCKS_KEPT,
    CLOSES_NOTHING,
    COMMENTS_FOUND,
    ELAPSED_KEPT,
    FAULT,
    FAULT_CODE,
    FAULT_END,
    FAULT_FROM,
    FAULT_PLIES,
    FAULT_PLY,
    FAULT_START,
    FAULT_TO,
    FIRST_COMMENT,
    FIRST_NAG,
    FIRST_PLY,
    FIRST_TAG,
    FIRST_VARIATION,
    GAMES,
    MARKED,
    MOVE_FAULT,
    NAGS,
    NAGS_FOUND,
    NO_FAULT,
    NO_GAME,
    NO_MOVES,
    NO_WARNING,
    NULS,
    OF_RANGE,
    OF_THIS_RANGE,
    ONE_EACH,
    OPEN_VARIATION,
    OTHER_RESULT,
    PLACE,
    PLIES,
    RANGE,
    READ_AS,
    SCORE,
    START,
    STARTS,
    STOPS,
    STRAY_BRACE,
    STRICT,
    TAGS,
    UNCLOSED_COMMENT,
    VARIATIONS,
    VARIATIONS_FOUND,
    WARNED,
    WARNINGS,
    Output,
    Scratch,
    fault,
    warn,
)
from rookery.games.scan.plain import NEAR, plain_moves
from rookery.games.scan.tags import (
    EVENT,
    NO_RESULT,
    RESULT,
    SLOTS,
    VALUE_END,
    VALUE_START,
    number_of,
    plain_tag,
    result_at,
    tag_at,
)
from rookery.games.scan.tokens import nag_end, nag_of, past_points, result_word
from rookery.kernel import U64, UNIVERSE, Word, entry, kernel, trailing_zeros, where_byte, word_at
from rookery.notation.san_reader import REFUSED, legal_word
from rookery.notation.san_spelling import NO_MOVE, NULL, SMALL_O, is_null, spelled
from rookery.pgn.lenient import MOST_WARNINGS
from rookery.rules.generate import checkers_of
from rookery.rules.position import make, passed

_NONE, _INCOMPLETE, _GAME = 0, 1, 2

_LF = 10
_OPEN, _COMMENT, _PERCENT, _BRACKET, _CLOSES, _DOT, _E, _BRACE_END, _STAR = b"(;%[).e}*"
_DIGIT_1 = ord("1")
_EP = int.from_bytes(b"e.p.", "little")
_UNUSED = 255  # no result has been seen


@kernel
def _past_moves(text: Any, i: Word, end: Word) -> Word:
    """The next line from `i` on that begins with an event, or with any tag after an empty line; or `end`."""
    i += 2
    while i < end:
        lines = among(where_byte(text, i, _BRACKET) & where_byte(text, i - 1, _LF), end - i)
        base = i
        while lines:
            i = base + trailing_zeros(lines)
            lines &= lines - 1
            back = i - 2
            if U64(text[back]) == 13:
                back -= 1
            tag = tag_at(text, i, line_end(text, i, end))
            if tag.end and (U64(text[back]) == _LF or number_of(text, tag.name, tag.name_end) == EVENT):
                return i
        i = base + 64
    return end


@kernel
def _read_game(text: Any, i: Word, end: Word, final: Word, want: Word, g: Any, o: Output, s: Scratch, t: Any) -> Word:
    """Read one game from `i` on: `_GAME`, `_NONE` if the text ends before one begins, or `_INCOMPLETE`."""
    m = s.memory
    m[FAULT] = NO_FAULT
    m[WARNED] = 0
    strict = want & STRICT
    lenient = 0 if strict else 1
    nested: Word = 0
    brackets: Word = 0
    first_tag = m[TAGS]
    n = U64(m[PLIES])
    first_ply = n
    first_nag, first_comment, first_variation = m[NAGS_FOUND], m[COMMENTS_FOUND], m[VARIATIONS_FOUND]
    for k in range(SLOTS):
        o.slots[g, k] = 0
    o.games[g, START] = -1
    line: Word = U64(m[AT_LINE])
    began, begun = i, 0
    in_moves, set_up, after_blank, depth = 0, 0, 1, 0
    dead, usual = 0, 0
    result = _UNUSED
    variation = 0  # where it begins
    seen = NO_COMMENT  # of the last ply, see `take_comment`
    p = usual_start()
    while True:
        if usual and not line | after_blank and result == _UNUSED:
            i, n, p, seen = plain_moves(text, i, end, first_ply, n, p, seen, want, o, m, t)
        near = i + NEAR > end
        if near:
            if not final:
                return _INCOMPLETE
            if i >= end:
                break
        if set_up and want & NO_MOVES:
            stop = _past_moves(text, i, end)
            if stop >= end and not final:
                return _INCOMPLETE
            if not begun:
                begun, began = 1, i
            i, line = stop, 1
            break
        if set_up:  # the first word of the moves is looked at once more behind this
            set_up = 0
            in_moves = 1
            if not begun:
                begun, began = 1, i
            p, dead = start_position(text, o, s, g, first_tag, strict, t)
            usual = 1 ^ dead
        c = U64(text[i])
        if line and c == _BRACKET and not in_moves and result == _UNUSED:
            tag, known = plain_tag(text, i)
            # Whether a tag after an empty line begins another game is decided below.
            if tag.end and tag.end < end and not (after_blank and (m[TAGS] > first_tag or m[FAULT])):
                if not begun:
                    begun, began = 1, i
                after_blank = 0
                take_tag(text, tag, known, o, s, g, first_tag)
                i = past_newline(text, tag.end, end)
                continue
        if line:
            from_ = i
            line = 0
            i += mark_length(text, i, end)
            j = past_blanks(text, i, end)
            if j >= end or CLASS[text[j]] == NEWLINE:
                if result != _UNUSED:
                    i, line = from_, 1
                    break
                after_blank = 1
                i = past_newline(text, j, end)
                line = 1
                continue
            c = U64(text[i])
            if c == _PERCENT:
                stop = line_end(text, i, end)
                if stop >= end and not final:
                    return _INCOMPLETE
                i = past_newline(text, stop, end)
                line = 1
                continue
            if U64(text[j]) == _BRACKET:
                stop = line_end(text, j, end)
                if stop >= end and not final:
                    return _INCOMPLETE
                ended = False
                while j < stop and U64(text[j]) == _BRACKET:
                    tag = tag_at(text, j, stop)
                    if not tag.end:
                        break
                    known = number_of(text, tag.name, tag.name_end)
                    fresh = after_blank and begins_next(text, tag, known, o, m, g, first_tag, strict)
                    if result != _UNUSED or in_moves or fresh:
                        ended = True
                        break
                    if not begun:
                        begun, began = 1, j
                    after_blank = 0
                    take_tag(text, tag, known, o, s, g, first_tag)
                    j = past_blanks(text, tag.end, stop)
                if not ended and j < stop and U64(text[j]) == _BRACKET:
                    ended = bool(result != _UNUSED or (in_moves and after_blank))
                    if not ended:
                        if not begun:
                            begun, began = 1, j
                        after_blank = 0
                        fault(m, BROKEN_TAG, j, stop, in_moves, n - first_ply)
                        j = stop
                if ended:
                    i, line = j, 1
                    break
                i = j
                continue
            i = j
            c = U64(text[i])
        kind_of = CLASS[c]
        if kind_of == BLANK:
            i += 1
            continue
        if kind_of == NEWLINE:
            i = past_newline(text, i, end)
            line = 1
            continue
        length = blank_length(text, i, end)
        if length:
            i += length
            continue
        if c == _COMMENT or kind_of == BRACE:
            if kind_of == BRACE:
                j, event_line, braces = comment_end(text, i + 1, end)
                if j >= end:
                    if not event_line and not final:
                        return _INCOMPLETE
                    if not in_moves:
                        set_up = 1
                        continue
                    after_blank = 0
                    fault(m, UNCLOSED_COMMENT, i, end, in_moves, n - first_ply)
                    dead, usual = 1, 0
                    i = event_line if event_line else end
                    line = 1
                    continue
                following = j + 1
                if braces and lenient and not depth and not m[FAULT]:
                    nested = n - first_ply + 1
            else:
                j = line_end(text, i, end)
                if j >= end and not final:
                    return _INCOMPLETE
                following = j
            if not begun:
                begun, began = 1, i
            after_blank = 0
            if not depth:
                kept = want if n > first_ply and not dead else want & (UNIVERSE ^ CLOCKS)
                seen = take_comment(text, i + 1, j, n - first_ply, n, seen, first_comment, kept, o, m)
            i = following
            continue
        j = nag_end(text, i, end, lenient)
        if j:
            if not begun:
                begun, began = 1, i
            after_blank = 0
            if want & NAGS and not depth:
                k = m[NAGS_FOUND]
                o.nags[k, 0] = np.int32(n - first_ply)
                o.nags[k, 1] = np.int32(nag_of(text, i, j))
                m[NAGS_FOUND] = k + 1
            i = j
            continue
        if lenient and not c:
            j = i
            while j < end and not text[j]:
                j += 1
            if not begun:
                begun, began = 1, i
            after_blank = 0
            warn(o, m, g, NULS, i, j, in_moves, n - first_ply)
            i = j
            continue
        at_odds = lenient and not m[FAULT]  # whether a word may be other than a move
        over = result != _UNUSED  # only annotations belong to a game that is over
        if over and (not at_odds or c in (_OPEN, _CLOSES)):
            break
        # A number of a move.
        j = i
        while j < end and CLASS[text[j]] == DIGIT:
            j += 1
        number = False
        if j < end and (U64(text[j]) == _DOT or ellipsis_length(text, j, end)):
            stop = past_points(text, j, end)
            one = c == _DIGIT_1 and stop == i + 2 and U64(text[i + 1]) == _DOT
            if one and after_blank and in_moves and not depth:
                break
            number, j = True, stop
        elif j > i and is_end(text, j, end, lenient):
            number = not is_null(text, i, j - i)
        elif c == _E and word_at(text, i) & 0xFFFFFFFF == _EP and i + 4 <= end:
            j = i + 4
            number = bool(is_end(text, j, end, lenient))
        if number:
            if over:
                break
            if not begun:
                begun, began = 1, i
            after_blank = 0
            i = j
            continue
        # All else begins the moves.
        if not in_moves:
            set_up = 1
            continue
        after_blank = 0
        if c == _OPEN:
            brackets = 1
            if not depth:
                variation = i
                if want & VARIATIONS:
                    k = m[VARIATIONS_FOUND]
                    o.variations[k, 0] = np.int32(n - first_ply)
                    o.variations[k, 1] = np.int32(i + 1)
                    m[VARIATIONS_FOUND] = k + 1
            depth += 1
            usual = 0
            i += 1
            continue
        if c == _CLOSES:
            if depth:
                depth -= 1
                if not depth:
                    usual = 1 ^ dead
                    if want & VARIATIONS:
                        o.variations[m[VARIATIONS_FOUND] - 1, 2] = np.int32(i)
            else:
                fault(m, CLOSES_NOTHING, i, i + 1, in_moves, n - first_ply)
                dead, usual = 1, 0
            i += 1
            continue
        found, j = result_word(text, i, end, lenient)
        if found != NO_RESULT:
            if over:
                break
            if not depth:
                result = found
                usual = 0
                if o.slots[g, RESULT]:
                    tag_row = first_tag + np.int64(o.slots[g, RESULT]) - 1
                    said_before = result_at(text, U64(o.tags[tag_row, VALUE_START]), U64(o.tags[tag_row, VALUE_END]))
                    if found and said_before and found != said_before:
                        fault(m, OTHER_RESULT, i, j, in_moves, n - first_ply)
            i = j
            continue
        j = i + 1 if ENDS[c] else word_end(text, i, end, lenient)
        if depth or dead:
            i = j
            continue
        split = j
        while True:
            say = spelled(text, i, split, at_odds)
            if over or say.what != NO_MOVE or not at_odds:
                break
            place = split_before(text, i, split, j)
            if not place:
                break
            split = place
        if over or say.what == NO_MOVE or (say.what == NULL and split < j):
            code, following = U64(NO_WARNING), j
            if at_odds:
                code, following = stepped_over(text, i, j, end, nested, n - first_ply, over, p)
            if over and not code and c != _BRACE_END:
                break
            if code:
                warn(o, m, g, code, i, following if code == STRAY_BRACE else j, in_moves, n - first_ply)
                nested = nested if code == ANNOTATION else 0
            else:
                fault(m, MOVE_FAULT, i, j, in_moves, n - first_ply)
                dead, usual = 1, 0
            i = following
            continue
        # A move.
        after_blank = 0
        word = legal_word(say, p, t)
        if word == REFUSED or (say.what == NULL and checkers_of(p, t)):
            fault(m, MOVE_FAULT, i, split, in_moves, n - first_ply)
            dead, usual = 1, 0
        else:
            if split < j or c == SMALL_O:
                warn(o, m, g, READ_AS, i, j, in_moves, n - first_ply)
            p = make(p, word, t) if word else passed(p)
            o.moves[n] = np.uint16(word)
            n += 1
            seen = NO_COMMENT
        # A result, which begins like no annotation, ends the game in the next round.
        glued = split < j and (CLASS[text[split]] == DIGIT or U64(text[split]) == _STAR)
        i = split if glued else j
    # The end of a game.
    m[PLACE] = np.int64(i)
    m[AT_LINE] = np.int64(line)
    if not begun:
        return _NONE
    if depth:
        if want & VARIATIONS:
            m[VARIATIONS_FOUND] -= 1
        fault(m, OPEN_VARIATION, variation, variation + 1, in_moves, n - first_ply)
    if m[TAGS] == first_tag and n == first_ply and result == _UNUSED and not brackets:
        fault(m, NO_GAME, began, began + 1, 0, 0)
    if not in_moves:
        start_position(text, o, s, g, first_tag, strict, t)
    score = 0 if result == _UNUSED else result
    if not score and o.slots[g, RESULT]:
        tag_row = first_tag + np.int64(o.slots[g, RESULT]) - 1
        score = result_at(text, U64(o.tags[tag_row, VALUE_START]), U64(o.tags[tag_row, VALUE_END]))
        score = 0 if score == NO_RESULT else score
    m[PLIES] = np.int64(n)
    row = o.games[g]
    row[BEGINS] = np.int64(began)
    row[STOPS] = np.int64(i)
    row[FIRST_PLY] = np.int64(first_ply)
    row[FIRST_TAG] = first_tag
    row[FIRST_NAG] = first_nag
    row[FIRST_COMMENT] = first_comment
    row[FIRST_VARIATION] = first_variation
    row[SCORE] = np.int64(score)
    row[FAULT_CODE] = m[FAULT]
    row[FAULT_FROM] = m[FAULT_START]
    row[FAULT_TO] = m[FAULT_END]
    row[FAULT_PLY] = m[FAULT_PLIES]
    row[OF_RANGE] = m[RANGE]
    row[MARKED] = np.int64(result != _UNUSED)
    return _GAME


@entry
def scan(text: Any, ranges: Any, want: Any, o: Any, s: Any, t: Any) -> Any:
    """Read games from where the memory says, until the ranges end, the last of them is not whole, or there is no room.

    `ranges` has a row for each stretch of the text that is read for itself: where it begins and ends, and whether it
    is whole, else its last game is left for later. 64 bytes behind the text may be read. Returns 0 if all is read, 1 if
    the rest, from `PLACE` on, is a game that is not whole, 2 if there was no room.
    """
    m = s.memory
    while m[RANGE] < ranges.shape[0]:
        end, final = U64(ranges[m[RANGE], 1]), U64(ranges[m[RANGE], 2])
        place = U64(m[PLACE])
        line = m[AT_LINE]
        if m[GAMES] >= o.games.shape[0] or m[WARNINGS] + MOST_WARNINGS > o.warnings.shape[0]:
            return 2
        tags, nags, comments, variations = m[TAGS], m[NAGS_FOUND], m[COMMENTS_FOUND], m[VARIATIONS_FOUND]
        starts, plies, g, warnings = m[STARTS], m[PLIES], m[GAMES], m[WARNINGS]
        read = _read_game(text, place, end, final, want, g, o, s, t)
        another = want & ONE_EACH and m[OF_THIS_RANGE] > 0
        if read == _GAME and not another:
            m[GAMES] += 1
            m[OF_THIS_RANGE] += 1
            continue
        if read == _GAME and not o.games[g - 1, FAULT_CODE]:
            o.games[g - 1, FAULT_CODE] = ANOTHER_GAME
            o.games[g - 1, FAULT_FROM] = o.games[g, BEGINS]
            o.games[g - 1, FAULT_TO] = o.games[g, BEGINS] + 1
            o.games[g - 1, FAULT_PLY] = o.games[g, FIRST_PLY] - o.games[g - 1, FIRST_PLY]
        m[TAGS], m[NAGS_FOUND], m[COMMENTS_FOUND], m[VARIATIONS_FOUND] = tags, nags, comments, variations
        m[STARTS], m[PLIES], m[WARNINGS] = starts, plies, warnings
        for kept in range(CLOCKS_KEPT, ELAPSED_KEPT + 1):
            m[kept] = min(m[kept], plies)
        if read == _GAME:
            continue
        if read == _INCOMPLETE:
            m[PLACE] = np.int64(place)
            m[AT_LINE] = line
            return 1
        if want & ONE_EACH and not m[OF_THIS_RANGE]:
            o.games[g] = 0
            o.games[g, FIRST_PLY], o.games[g, START], o.games[g, OF_RANGE] = plies, -1, m[RANGE]
            o.games[g, FIRST_TAG], o.games[g, FIRST_NAG] = tags, nags
            o.games[g, FIRST_COMMENT], o.games[g, FIRST_VARIATION] = comments, variations
            o.games[g, BEGINS], o.games[g, STOPS] = ranges[m[RANGE], 0], ranges[m[RANGE], 1]
            m[GAMES] += 1
        m[RANGE] += 1
        m[OF_THIS_RANGE] = 0
        if m[RANGE] < ranges.shape[0]:
            m[PLACE] = ranges[m[RANGE], 0]
            m[AT_LINE] = 1
    return 0
