"""Headers taken in: kept by name, told twice or not, and the start position that they say."""

from typing import Any

import numpy as np

from rookery.games.scan.output import (
    BAD_FEN,
    BAD_RESULT,
    BAD_VARIANT,
    FAULT,
    IMPOSSIBLE_RIGHTS,
    NO_FEN,
    START,
    STARTS,
    TAG_TWICE,
    TAGS,
    Output,
    Scratch,
    fault,
    warn,
)
from rookery.games.scan.tags import (
    EVENT,
    FEN,
    NAME_END,
    NAME_START,
    NO_RESULT,
    NUMBER,
    RESULT,
    SETUP,
    UNKNOWN,
    VALUE_END,
    VALUE_START,
    VARIANT,
    hash_of,
    result_at,
    same,
    variant_at,
)
from rookery.kernel import U64, Word, kernel
from rookery.notation.fen import START_WORDS, read_fen
from rookery.rules.faults import playing_faults, possible_en_passant
from rookery.rules.position import (
    Position,
    prepared,
    read,
)

_NUMBERS = 0xFF
_DIGIT_1 = ord("1")


@kernel
def usual_start() -> Position:
    """The position that games begin with."""
    w = START_WORDS
    return Position(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], 0, 0, w[5] | w[6])


@kernel
def _told_before(text: Any, o: Output, s: Scratch, first: Any, name: Word, name_end: Word, number: Any) -> Any:
    """The row of an earlier tag of the game with the same unknown name, or -1; the name is noted for later ones."""
    seen = s.seen
    last = U64(seen.size - 1)
    place = hash_of(text, name, name_end)
    for k in range(64):  # more names that share their places are not told apart
        here = (place + k) & last
        row = np.int64(seen[here])
        if row < first or row >= number:
            seen[here] = np.int32(number)
            return np.int64(-1)
        if same(text, name, name_end, U64(o.tags[row, NAME_START]), U64(o.tags[row, NAME_END])):
            return row
    return np.int64(-1)


@kernel
def take_tag(text: Any, tag: Any, known: Word, o: Output, s: Scratch, g: Any, first: Any) -> None:
    """Keep a tag, whose name has a number, and look at the values that mean something."""
    m = s.memory
    n = m[TAGS]
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
            fault(m, TAG_TWICE, tag.value, tag.value_end, 0, 0)
        return
    if known == RESULT and result_at(text, tag.value, tag.value_end) == NO_RESULT:
        fault(m, BAD_RESULT, tag.value, tag.value_end, 0, 0)
    if known == VARIANT and variant_at(text, tag.value, tag.value_end) > 1:
        fault(m, BAD_VARIANT, tag.value, tag.value_end, 0, 0)
    if known != UNKNOWN:
        o.slots[g, known] = np.int32(n - first + 1)
    o.tags[n, NAME_START] = np.int32(tag.name)
    o.tags[n, NAME_END] = np.int32(tag.name_end)
    o.tags[n, VALUE_START] = np.int32(tag.value)
    o.tags[n, VALUE_END] = np.int32(tag.value_end)
    o.tags[n, NUMBER] = np.int32(known | tag.escaped)
    m[TAGS] = n + 1


@kernel
def begins_next(text: Any, tag: Any, known: Word, o: Output, m: Any, g: Any, first: Any, strict: Word) -> Word:
    """Whether a tag after an empty line begins the next game: an Event, unless nothing is before it; and, unless
    `strict`, a tag that the game has already, if that does not begin with an Event.
    """
    n = m[TAGS]
    if known == EVENT:
        return 1 if n > first or m[FAULT] else 0
    if strict or n == first or U64(o.tags[first, NUMBER]) & _NUMBERS == EVENT:
        return 0
    if known != UNKNOWN:
        return 1 if o.slots[g, known] else 0
    for row in range(first, n):
        if same(text, tag.name, tag.name_end, U64(o.tags[row, NAME_START]), U64(o.tags[row, NAME_END])):
            return 1
    return 0


@kernel
def start_position(text: Any, o: Output, s: Scratch, g: Any, first: Any, strict: Word, t: Any) -> Any:
    """The position before the first move: what headers say of it, or the usual one; and whether they say rubbish.
    Unless `strict`, castling rights and an en-passant square that cannot be are dropped with a warning.
    """
    m = s.memory
    chess960, wrong = 0, 0
    if o.slots[g, VARIANT]:
        tag = first + np.int64(o.slots[g, VARIANT]) - 1
        variant = variant_at(text, U64(o.tags[tag, VALUE_START]), U64(o.tags[tag, VALUE_END]))
        chess960 = variant & 1
        wrong = variant >> 1
    p = usual_start()
    for k in range(10):
        s.row[k] = START_WORDS[k]
    s.report[0] = 0
    s.report[1] = 1
    s.report[3] = 0
    if o.slots[g, FEN]:
        tag = first + np.int64(o.slots[g, FEN]) - 1
        start, end = U64(o.tags[tag, VALUE_START]), U64(o.tags[tag, VALUE_END])
        refused = read_fen(text, start, end, s.row, s.report, 0, 0 if strict else 1)
        if not refused:
            dropped: Word = U64(s.report[4])
            if not strict and s.row[8] and not possible_en_passant(read(s.row, 0)):
                s.row[8] = 0
                dropped = 1
            q = prepared(s.row, t)
            refused = playing_faults(q, t)
            if not refused:
                p = q
                if dropped:
                    warn(o, m, g, IMPOSSIBLE_RIGHTS, start, end, 0, 0)
        if refused:
            fault(m, BAD_FEN, start, end, 0, 0)
            wrong = 1
    elif o.slots[g, SETUP]:
        tag = first + np.int64(o.slots[g, SETUP]) - 1
        start, end = U64(o.tags[tag, VALUE_START]), U64(o.tags[tag, VALUE_END])
        if end - start == 1 and U64(text[start]) == _DIGIT_1:
            fault(m, NO_FEN, start, end, 0, 0)
            wrong = 1
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
