"""The compiled reader: a block of PGN into arrays, every move checked for legality.

The grammar is that of `rookery.rules.pgn`, and the tests hold both readers to each other. What files are made of nearly
everywhere (a number, a plain move, Lichess's clocks) is recognised by words of eight bytes; everything else, and
everything near the end of a text, takes the general way, which alone decides what is wrong.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bits import bit
from rookery.games.remarks import CLOCK_LENGTH, annotations, comment_end, usual_clock
from rookery.games.signs import (
    BLANK,
    BRACE,
    CLASS,
    DIGIT,
    ENDS,
    MOVE,
    NEWLINE,
    among,
    blank_length,
    byte_at,
    ellipsis_length,
    is_end,
    line_end,
    mark_length,
    past_blanks,
    past_newline,
    word_end,
)
from rookery.games.tags import (
    EVENT,
    FEN,
    NAME_END,
    NAME_START,
    NO_RESULT,
    NUMBER,
    RESULT,
    SETUP,
    SLOTS,
    UNKNOWN,
    VALUE_END,
    VALUE_START,
    VARIANT,
    hash_of,
    number_of,
    result_at,
    same,
    tag_at,
    variant_at,
)
from rookery.kernel import ONE, U64, UNIVERSE, ZERO, Bits, Word, entry, kernel, trailing_zeros, where_byte, word_at
from rookery.rules.by_hand import faulty, jumped_over
from rookery.rules.fen import read_fen
from rookery.rules.generate import checkers_of
from rookery.rules.position import (
    BECOMES_SHIFT,
    EN_PASSANT,
    PROMOTION,
    TO_SHIFT,
    Position,
    make,
    passed,
    prepared,
)
from rookery.rules.san_legality import after, castling_move, meant
from rookery.rules.san_reader import by_squares
from rookery.rules.san_spelling import (
    BY_SQUARES,
    CASTLES_LEFT,
    CASTLES_RIGHT,
    KIND_OF_LETTER,
    KING,
    NO_MOVE,
    NULL,
    PAWN,
    UNTOLD,
    Spelled,
    file_of,
    is_null,
    rank_of,
    spelled,
)

# What is wanted besides moves and headers: bits of an option.
CLOCKS, COMMENTS, NAGS, VARIATIONS, ONE_EACH, NO_MOVES = (U64(1 << n) for n in range(6))

# What is wrong with a game.
(
    NO_FAULT, MOVE_FAULT, BROKEN_TAG, TAG_TWICE, BAD_RESULT, BAD_VARIANT, NO_FEN, BAD_FEN, UNCLOSED_COMMENT,
    CLOSES_NOTHING, OPEN_VARIATION, OTHER_RESULT, NO_GAME, ANOTHER_GAME,
) = range(14)  # fmt: skip

# The reader's memory between games and calls: how many rows of each array are filled, where it is, the fault found.
(
    PLACE, AT_LINE, RANGE, GAMES, PLIES, TAGS, NAGS_FOUND, COMMENTS_FOUND, VARIATIONS_FOUND, STARTS, FAULT, FAULT_START,
    FAULT_END, FAULT_PLIES, CLOCKS_KEPT, EVALUATIONS_KEPT, ELAPSED_KEPT, OF_THIS_RANGE, MEMORY,
) = range(19)  # fmt: skip

# A game's row.
(
    BEGINS, STOPS, FIRST_PLY, FIRST_TAG, FIRST_NAG, FIRST_COMMENT, FIRST_VARIATION, START, SCORE, FAULT_CODE,
    FAULT_FROM, FAULT_TO, FAULT_PLY, OF_RANGE, ROW,
) = range(15)  # fmt: skip

START_ROW: Final = 13  # a start position: ten words, two counters, and whether it is Chess960
_NEAR = U64(48)  # bytes that the short ways look ahead
_NONE, _INCOMPLETE, _GAME = U64(0), U64(1), U64(2)

_LF = U64(10)
_OPEN, _COMMENT, _PERCENT, _BRACKET, _CLOSES, _DOLLAR, _BANG, _QUERY, _BRACE_CLOSES, _STAR, _DOT, _E = (
    U64(ord(c)) for c in "(;%[)$!?}*.e"
)
_X, _A, _DIGIT_0, _DIGIT_1, _PLUS, _HASH, _SPACE, _DASH, _SLASH = (U64(ord(c)) for c in "xa01+# -/")
_EP = U64(int.from_bytes(b"e.p.", "little"))
_WHITE_WON, _BLACK_WON, _DRAWN = (U64(int.from_bytes(word, "little")) for word in (b"1-0", b"0-1", b"1/2"))
_FULL_HALF = U64(int.from_bytes(b"-1/2", "little"))
_TWO, _THREE, _FOUR, _FIVE, _SEVEN, _EIGHT, _NINE, _TEN, _16, _64 = (U64(n) for n in (2, 3, 4, 5, 7, 8, 9, 10, 16, 64))
_LOW = U64(0x2D2D2D2D2D2D2D2D)  # below are what ends a move's text: blanks, signs of check, !, $, brackets
_HIGH = U64(0x8080808080808080)
_LAST_RANKS = U64(0xFF000000000000FF)
_LONGEST_NAG = U64(9)
_UNUSED = U64(255)  # no result has been seen

_START: Final = np.array(
    [0x00FF00000000FF00, 0x42 | 0x42 << 56, 0x2C | 0x2C << 56, 0x89 | 0x89 << 56, 0x10 | 0x10 << 56, 0xFFFF,
     0xFFFF << 48, 0x81 | 0x81 << 56, 0, 0, 0, 0, 0, 0], U64,
)  # fmt: skip


def _masks() -> Any:
    """Where a piece may come from by the second sign of its text, and by the third; the second alone, or both told."""
    table = np.zeros((3, 256), U64)
    table[[0, 2], ord("x")] = table[[0, 2], ord("-")] = UNIVERSE
    for n in range(8):
        table[0, ord("a") + n] = table[1, ord("a") + n] = file_of(U64(n))
        table[:, ord("1") + n] = rank_of(U64(n))
    return table


_MASKS: Final = _masks()


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


class Scratch(NamedTuple):
    """Room to work in."""

    memory: Any
    row: Any
    report: Any
    seen: Any  # where tags of unknown names are, by their hash


@kernel
def _start() -> Position:
    w = _START
    return Position(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], ZERO, ZERO, w[5] | w[6])


@kernel
def _fault(m: Any, code: Any, start: Word, end: Word, in_moves: Word, plies: Word) -> None:
    """Keep the first."""
    if not m[FAULT]:
        m[FAULT] = code
        m[FAULT_START] = np.int64(start)
        m[FAULT_END] = np.int64(end)
        m[FAULT_PLIES] = np.int64(plies) if in_moves else -1


@kernel
def _told_before(text: Any, o: Output, s: Scratch, first: Any, name: Word, name_end: Word, number: Any) -> Any:
    """The row of an earlier tag of the game with the same unknown name, or -1; the name is noted for later ones."""
    seen = s.seen
    last = U64(seen.size - 1)
    place = hash_of(text, name, name_end)
    for k in range(64):  # more names that share their places are not told apart
        here = (place + U64(k)) & last
        row = np.int64(seen[here])
        if row < first or row >= number:
            seen[here] = np.int32(number)
            return np.int64(-1)
        if same(text, name, name_end, U64(o.tags[row, NAME_START]), U64(o.tags[row, NAME_END])):
            return row
    return np.int64(-1)


@kernel
def _take_tag(text: Any, tag: Any, o: Output, s: Scratch, g: Any, first: Any) -> None:
    """Keep a tag, and look at the values that mean something."""
    m = s.memory
    n = m[TAGS]
    known = number_of(text, tag.name, tag.name_end)
    before = np.int64(-1)
    if known == UNKNOWN:
        before = _told_before(text, o, s, first, tag.name, tag.name_end, n)
    elif o.slots[g, known]:
        before = first + np.int64(o.slots[g, known]) - 1
    if before >= 0:
        start, end = U64(o.tags[before, VALUE_START]), U64(o.tags[before, VALUE_END])
        one = result_at(text, tag.value, tag.value_end) if known == RESULT else NO_RESULT
        as_good = one != NO_RESULT and one == result_at(text, start, end)
        if not as_good and not same(text, tag.value, tag.value_end, start, end):
            _fault(m, TAG_TWICE, tag.value, tag.value_end, ZERO, ZERO)
        return
    if known == RESULT and result_at(text, tag.value, tag.value_end) == NO_RESULT:
        _fault(m, BAD_RESULT, tag.value, tag.value_end, ZERO, ZERO)
    if known == VARIANT and variant_at(text, tag.value, tag.value_end) > ONE:
        _fault(m, BAD_VARIANT, tag.value, tag.value_end, ZERO, ZERO)
    if known != UNKNOWN:
        o.slots[g, known] = np.int32(n - first + 1)
    o.tags[n, NAME_START] = np.int32(tag.name)
    o.tags[n, NAME_END] = np.int32(tag.name_end)
    o.tags[n, VALUE_START] = np.int32(tag.value)
    o.tags[n, VALUE_END] = np.int32(tag.value_end)
    o.tags[n, NUMBER] = np.int32(known | tag.escaped)
    m[TAGS] = n + 1


@kernel
def _set_up(text: Any, o: Output, s: Scratch, g: Any, first: Any, t: Any) -> Any:
    """The position before the first move: what headers say of it, or the usual one; and whether they say rubbish."""
    m = s.memory
    chess960, wrong = ZERO, ZERO
    if o.slots[g, VARIANT]:
        tag = first + np.int64(o.slots[g, VARIANT]) - 1
        variant = variant_at(text, U64(o.tags[tag, VALUE_START]), U64(o.tags[tag, VALUE_END]))
        chess960 = variant & ONE
        wrong = variant >> U64(1)
    p = _start()
    for k in range(10):
        s.row[k] = _START[k]
    s.report[0] = 0
    s.report[1] = 1
    s.report[3] = 0
    if o.slots[g, FEN]:
        tag = first + np.int64(o.slots[g, FEN]) - 1
        start, end = U64(o.tags[tag, VALUE_START]), U64(o.tags[tag, VALUE_END])
        refused = read_fen(text, start, end, s.row, s.report, ZERO)
        if not refused:
            q = prepared(s.row, t)
            refused = faulty(q, t)
            if not refused and q.en_passant and not jumped_over(q):
                refused = ONE
            if not refused:
                p = q
        if refused:
            _fault(m, BAD_FEN, start, end, ZERO, ZERO)
            wrong = ONE
    elif o.slots[g, SETUP]:
        tag = first + np.int64(o.slots[g, SETUP]) - 1
        start, end = U64(o.tags[tag, VALUE_START]), U64(o.tags[tag, VALUE_END])
        if end - start == ONE and U64(text[start]) == _DIGIT_1:
            _fault(m, NO_FEN, start, end, ZERO, ZERO)
            wrong = ONE
    o.games[g, START] = -1
    if (o.slots[g, FEN] or chess960) and not wrong:
        n = m[STARTS]
        for k in range(10):
            o.starts[n, k] = s.row[k]
        o.starts[n, 10] = U64(s.report[0])
        o.starts[n, 11] = U64(s.report[1])
        o.starts[n, 12] = U64(s.report[3]) | chess960
        o.games[g, START] = n
        m[STARTS] = n + 1
    return p, wrong


@kernel
def _short_move(text: Any, i: Word, c: Word) -> Any:
    """A plain move by the eight bytes from `i` on, which are there: what it says, and where the word ends."""
    word = word_at(text, i)
    ends = (word - _LOW) & ~word & _HIGH
    bits = (trailing_zeros(ends) - _SEVEN) if ends else _64
    length = bits >> U64(3)
    kind = U64(KIND_OF_LETTER[c])
    pawn = kind > KING  # a file
    f, r = ((word >> (bits - _16)) & U64(255)) - _A, ((word >> (bits - _EIGHT)) & U64(255)) - _DIGIT_1
    second, third = (word >> _EIGHT) & U64(255), (word >> _16) & U64(255)
    to = r << U64(3) | f
    if pawn:
        told = length == _TWO or (length == _FOUR and second == _X)
        mask = file_of(c - _A)
        mask = mask if told and not bit(to & U64(63)) & _LAST_RANKS else ZERO
    else:
        mask = UNIVERSE if length == _THREE else ZERO
        mask = _MASKS[0, second] if length == _FOUR else mask
        mask = _MASKS[1, second] & _MASKS[2, third] if length == _FIVE else mask
    end = i + length
    following = U64(text[end])
    if following in (_PLUS, _HASH):
        end += ONE
        following = U64(text[end])
    if f > _SEVEN or r > _SEVEN or not ENDS[following]:
        mask = ZERO
    return Spelled(ONE if mask else NO_MOVE, PAWN if pawn else kind, to & U64(63), mask, ZERO), end


@kernel
def _short_number(text: Any, i: Word) -> Word:
    """Behind a number of up to three digits and its points, or 0."""
    j = i + ONE
    while j < i + _FOUR and CLASS[text[j]] == DIGIT:
        j += ONE
    if U64(text[j]) != _DOT:
        return ZERO
    j += ONE
    while j < i + _EIGHT and U64(text[j]) == _DOT:
        j += ONE
    return j if U64(text[j]) < U64(0x80) and U64(text[j]) != _DOT else ZERO


@kernel
def _past_points(text: Any, i: Word, end: Word) -> Word:
    while i < end:
        n = ONE if U64(text[i]) == _DOT else ellipsis_length(text, i, end)
        if not n:
            break
        i += n
    return i


@kernel
def _result_word(text: Any, i: Word, end: Word) -> Any:
    """The number of the result that is the word at `i`, and where it ends; or `NO_RESULT`."""
    c = U64(text[i])
    if c == _STAR:
        j = i + ONE
        return (ZERO if is_end(text, j, end) else NO_RESULT), j
    word = word_at(text, i)
    three = word & U64(0xFFFFFF)
    j = i + _THREE
    found = NO_RESULT
    if three == _WHITE_WON:
        found = ONE
    elif three == _BLACK_WON:
        found = _TWO
    elif three == _DRAWN:
        found = _THREE
        if not is_end(text, j, end) and (word >> U64(24)) & U64(0xFFFFFFFF) == _FULL_HALF:
            j = i + _SEVEN
    if j > end or not is_end(text, j, end):
        found = NO_RESULT
    return found, j


@kernel
def _nag_end(text: Any, i: Word, end: Word) -> Word:
    """Behind the annotation glyph at `i`, or 0 if there is none."""
    c = U64(text[i])
    if c in (_BANG, _QUERY):
        d = byte_at(text, i + ONE, end)
        return i + _TWO if d in (_BANG, _QUERY) else i + ONE
    if c != _DOLLAR:
        return ZERO
    j = i + ONE
    while j < end and CLASS[text[j]] == DIGIT:
        j += ONE
    return j if ONE < j - i <= _TEN and is_end(text, j, end) else ZERO


@kernel
def _nag_of(text: Any, i: Word, end: Word) -> Any:
    """Its number."""
    if U64(text[i]) == _DOLLAR:
        value = np.int64(0)
        for j in range(i + ONE, end):
            value = value * 10 + np.int64(text[U64(j)]) - 48
        return value
    first = np.int64(1) if U64(text[i]) == _BANG else np.int64(2)
    if end - i == ONE:
        return first
    second = U64(text[i + ONE]) == _BANG
    if first == 1:
        return np.int64(3 if second else 5)
    return np.int64(6 if second else 4)


@kernel
def _keep(values: Any, m: Any, kept: Any, ply: Word, value: Any) -> None:
    """Keep the value of a ply, if there is one, and none is kept for it; plies before it that have none get NaN. So of
    what no game tells nothing is written.
    """
    filled = U64(m[kept])
    if value == value and filled <= ply:
        while filled < ply:
            values[filled] = np.float32(np.nan)
            filled += ONE
        values[ply] = value
        m[kept] = np.int64(ply + ONE)


@kernel
def _past_moves(text: Any, i: Word, end: Word) -> Word:
    """The next line from `i` on that begins with an event, or with any tag after an empty line; or `end`."""
    i += _TWO
    while i < end:
        lines = among(where_byte(text, i, _BRACKET) & where_byte(text, i - ONE, _LF), end - i)
        base = i
        while lines:
            i = base + trailing_zeros(lines)
            lines &= lines - ONE
            back = i - _TWO
            if U64(text[back]) == U64(13):
                back -= ONE
            tag = tag_at(text, i, line_end(text, i, end))
            if tag.end and (U64(text[back]) == _LF or number_of(text, tag.name, tag.name_end) == EVENT):
                return i
        i = base + _64
    return end


@kernel
def _promoted(p: Position, target: Bits, becomes: Word) -> Position:
    """The position with the pawn that has just arrived turned into another piece; `becomes` from 1 on."""
    knight, bishop = becomes == ONE, becomes == _TWO
    queen = becomes == _FOUR
    return Position(
        p.pawns & ~target,
        p.knights | (target if knight else ZERO),
        p.diagonals | (target if bishop or queen else ZERO),
        p.orthogonals | (ZERO if knight or bishop else target),
        p.kings,
        p.us,
        p.them,
        p.castling,
        p.en_passant,
        p.turn,
        p.state,
    )


@kernel
def _read_game(text: Any, i: Word, end: Word, final: Word, want: Word, g: Any, o: Output, s: Scratch, t: Any) -> Word:
    """Read one game from `i` on: `_GAME`, `_NONE` if the text ends before one begins, or `_INCOMPLETE`."""
    m = s.memory
    m[FAULT] = NO_FAULT
    first_tag = m[TAGS]
    n = U64(m[PLIES])
    first_ply = n
    first_nag, first_comment, first_variation = m[NAGS_FOUND], m[COMMENTS_FOUND], m[VARIATIONS_FOUND]
    for k in range(SLOTS):
        o.slots[g, k] = 0
    o.games[g, START] = -1
    line = U64(m[AT_LINE])
    began, begun = i, ZERO
    in_moves, set_up, after_blank, depth = ZERO, ZERO, ONE, ZERO
    dead, usual = ZERO, ZERO
    result = _UNUSED
    variation = ZERO  # where it begins
    clocks = want & CLOCKS
    short_remarks = not want & COMMENTS
    p = _start()
    while True:
        near = i + _NEAR > end
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
                begun, began = ONE, i
            i, line = stop, ONE
            break
        if set_up:  # the first word of the moves is looked at once more behind this
            set_up = ZERO
            in_moves = ONE
            if not begun:
                begun, began = ONE, i
            p, dead = _set_up(text, o, s, g, first_tag, t)
            usual = ONE ^ dead
        c = U64(text[i])
        if line:
            from_ = i
            line = ZERO
            i += mark_length(text, i, end)
            j = past_blanks(text, i, end)
            if j >= end or CLASS[text[j]] == NEWLINE:
                if result != _UNUSED:
                    i, line = from_, ONE
                    break
                after_blank = ONE
                i = past_newline(text, j, end)
                line = ONE
                continue
            c = U64(text[i])
            if c == _PERCENT:
                stop = line_end(text, i, end)
                if stop >= end and not final:
                    return _INCOMPLETE
                i = past_newline(text, stop, end)
                line = ONE
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
                    event = number_of(text, tag.name, tag.name_end) == EVENT
                    fresh = event and after_blank and (m[TAGS] > first_tag or m[FAULT])
                    if result != _UNUSED or in_moves or fresh:
                        ended = True
                        break
                    if not begun:
                        begun, began = ONE, j
                    after_blank = ZERO
                    _take_tag(text, tag, o, s, g, first_tag)
                    j = past_blanks(text, tag.end, stop)
                if not ended and j < stop and U64(text[j]) == _BRACKET:
                    ended = bool(result != _UNUSED or (in_moves and after_blank))
                    if not ended:
                        if not begun:
                            begun, began = ONE, j
                        after_blank = ZERO
                        _fault(m, BROKEN_TAG, j, stop, in_moves, n - first_ply)
                        j = stop
                if ended:
                    i, line = j, ONE
                    break
                i = j
                continue
            i = j
            c = U64(text[i])
        kind_of = CLASS[c]
        if kind_of == BLANK:
            i += ONE
            continue
        if kind_of == NEWLINE:
            i = past_newline(text, i, end)
            line = ONE
            continue
        length = blank_length(text, i, end)
        if length:
            i += length
            continue
        if c == _COMMENT or kind_of == BRACE:
            if kind_of == BRACE:
                j, event_line = comment_end(text, i + ONE, end)
                if j >= end:
                    if not event_line and not final:
                        return _INCOMPLETE
                    if not in_moves:
                        set_up = ONE
                        continue
                    after_blank = ZERO
                    _fault(m, UNCLOSED_COMMENT, i, end, in_moves, n - first_ply)
                    dead, usual = ONE, ZERO
                    i = event_line if event_line else end
                    line = ONE
                    continue
                following = j + ONE
            else:
                j = line_end(text, i, end)
                if j >= end and not final:
                    return _INCOMPLETE
                following = j
            if not begun:
                begun, began = ONE, i
            after_blank = ZERO
            if not depth:
                if want & COMMENTS:
                    k = m[COMMENTS_FOUND]
                    o.comments[k, 0] = np.int32(n - first_ply)
                    o.comments[k, 1] = np.int32(i + ONE)
                    o.comments[k, 2] = np.int32(j)
                    m[COMMENTS_FOUND] = k + 1
                if clocks and n > first_ply and not dead:
                    said = annotations(text, i + ONE, j)
                    _keep(o.clocks, m, CLOCKS_KEPT, n - ONE, np.float32(said.clock))
                    _keep(o.evaluations, m, EVALUATIONS_KEPT, n - ONE, np.float32(said.evaluation))
                    _keep(o.elapsed, m, ELAPSED_KEPT, n - ONE, np.float32(said.elapsed))
            i = following
            continue
        j = _nag_end(text, i, end)
        if j:
            if not begun:
                begun, began = ONE, i
            after_blank = ZERO
            if want & NAGS and not depth:
                k = m[NAGS_FOUND]
                o.nags[k, 0] = np.int32(n - first_ply)
                o.nags[k, 1] = np.int32(_nag_of(text, i, j))
                m[NAGS_FOUND] = k + 1
            i = j
            continue
        if result != _UNUSED:  # only remarks belong to a game that is over
            break
        # A number of a move.
        j = i
        while j < end and CLASS[text[j]] == DIGIT:
            j += ONE
        number = False
        if j < end and (U64(text[j]) == _DOT or ellipsis_length(text, j, end)):
            stop = _past_points(text, j, end)
            one = c == _DIGIT_1 and stop == i + _TWO and U64(text[i + ONE]) == _DOT
            if one and after_blank and in_moves and not depth:
                break
            number, j = True, stop
        elif j > i and is_end(text, j, end):
            number = not is_null(text, i, j - i)
        elif c == _E and word_at(text, i) & U64(0xFFFFFFFF) == _EP and i + _FOUR <= end:
            j = i + _FOUR
            number = bool(is_end(text, j, end))
        if number:
            if not begun:
                begun, began = ONE, i
            after_blank = ZERO
            i = j
            continue
        # All else begins the moves.
        if not in_moves:
            set_up = ONE
            continue
        after_blank = ZERO
        if c == _OPEN:
            if not depth:
                variation = i
                if want & VARIATIONS:
                    k = m[VARIATIONS_FOUND]
                    o.variations[k, 0] = np.int32(n - first_ply)
                    o.variations[k, 1] = np.int32(i)
                    o.variations[k, 2] = np.int32(i)
                    m[VARIATIONS_FOUND] = k + 1
            depth += ONE
            usual = ZERO
            i += ONE
            continue
        if c == _CLOSES:
            if depth:
                depth -= ONE
                if not depth:
                    usual = ONE ^ dead
                    if want & VARIATIONS:
                        o.variations[m[VARIATIONS_FOUND] - 1, 2] = np.int32(i + ONE)
            else:
                _fault(m, CLOSES_NOTHING, i, i + ONE, in_moves, n - first_ply)
                dead, usual = ONE, ZERO
            i += ONE
            continue
        found, j = _result_word(text, i, end)
        if found != NO_RESULT:
            if not depth:
                result = found
                usual = ZERO
                if o.slots[g, RESULT]:
                    tag_row = first_tag + np.int64(o.slots[g, RESULT]) - 1
                    said_before = result_at(text, U64(o.tags[tag_row, VALUE_START]), U64(o.tags[tag_row, VALUE_END]))
                    if found and said_before and found != said_before:
                        _fault(m, OTHER_RESULT, i, j, in_moves, n - first_ply)
            i = j
            continue
        j = i + ONE if ENDS[c] else word_end(text, i, end)
        if depth or dead:
            i = j
            continue
        say = spelled(text, i, j)
        if say.what == NO_MOVE:
            _fault(m, MOVE_FAULT, i, j, in_moves, n - first_ply)
            dead, usual = ONE, ZERO
            i = j
            continue
        # A move.
        after_blank = ZERO
        what, kind, castles = say.what, say.kind, ZERO
        if what == NULL:
            if checkers_of(p, t):
                _fault(m, MOVE_FAULT, i, j, in_moves, n - first_ply)
                dead, usual = ONE, ZERO
            else:
                p = passed(p)
                o.moves[n] = np.uint16(0)
                n += ONE
            i = j
            continue
        if what in (CASTLES_RIGHT, CASTLES_LEFT):
            castles = what
            kind = UNTOLD
        if what == BY_SQUARES and not p.pawns & p.us & say.mask:
            kind, castles = by_squares(p, say)
        illegal = ONE
        while kind <= KING:
            found_ = meant(p, kind, say.to, say.mask, t)
            sources = found_.sources
            last = ONE if kind == PAWN and bit(say.to) & _LAST_RANKS else ZERO
            becomes = say.becomes
            if not sources or sources & (sources - ONE) or last != (ONE if becomes else ZERO):
                break
            word = say.to << TO_SHIFT | trailing_zeros(sources)
            p = after(p, kind, say.to, sources, found_.taken, t)
            if last:
                word |= PROMOTION | (becomes - ONE) << BECOMES_SHIFT
                p = _promoted(p, bit(say.to), becomes)
            elif found_.in_passing:
                word |= EN_PASSANT
            o.moves[n] = np.uint16(word)
            n += ONE
            i = j
            illegal = ZERO
            # The short way on, as far as it goes.
            kind = UNTOLD
            while usual and i + _NEAR <= end:
                c = U64(text[i])
                if c == _SPACE:
                    i += ONE
                    c = U64(text[i])
                kind_of = CLASS[c]
                if kind_of == MOVE:
                    say, j = _short_move(text, i, c)
                    if say.what:
                        kind = say.kind
                        illegal = ONE
                    break
                if kind_of == DIGIT:
                    j = _short_number(text, i)
                    if not j:
                        break
                    i = j
                elif kind_of == BRACE and short_remarks:
                    seconds = usual_clock(text, i)
                    if seconds < 0:
                        break
                    if clocks:
                        _keep(o.clocks, m, CLOCKS_KEPT, n - ONE, seconds)
                    i += CLOCK_LENGTH
                else:
                    break
        if illegal and castles:
            word = castling_move(p, castles == CASTLES_RIGHT, t)
            if word:
                p = make(p, word, t)
                o.moves[n] = np.uint16(word)
                n += ONE
                i = j
                illegal = ZERO
        if illegal:
            _fault(m, MOVE_FAULT, i, j, in_moves, n - first_ply)
            dead, usual = ONE, ZERO
            i = j
    # The end of a game.
    m[PLACE] = np.int64(i)
    m[AT_LINE] = np.int64(line)
    if not begun:
        return _NONE
    if depth:
        _fault(m, OPEN_VARIATION, variation, variation + ONE, in_moves, n - first_ply)
    if not in_moves:
        if m[TAGS] == first_tag:
            _fault(m, NO_GAME, began, began + ONE, ZERO, ZERO)
        _set_up(text, o, s, g, first_tag, t)
    score = ZERO if result == _UNUSED else result
    if not score and o.slots[g, RESULT]:
        tag_row = first_tag + np.int64(o.slots[g, RESULT]) - 1
        score = result_at(text, U64(o.tags[tag_row, VALUE_START]), U64(o.tags[tag_row, VALUE_END]))
        score = ZERO if score == NO_RESULT else score
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
        if m[GAMES] >= o.games.shape[0]:
            return 2
        tags, nags, comments, variations = m[TAGS], m[NAGS_FOUND], m[COMMENTS_FOUND], m[VARIATIONS_FOUND]
        starts, plies, g = m[STARTS], m[PLIES], m[GAMES]
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
        m[STARTS], m[PLIES] = starts, plies
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
