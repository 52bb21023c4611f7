"""Headers: known ones by name, repeated ones compared, and the start position that they state."""

from typing import Any

import numpy as np

from rookery.kernel import U64, UNIVERSE, Word, called_kernel, cold_kernel, kernel
from rookery.pgn.scan.headers.headings import hash_of, place_among, result_at, same, variant_at
from rookery.pgn.scan.lexing.vocabulary import (
    EVENT,
    FEN,
    NAME_END,
    NAME_START,
    NO_RESULT,
    NUMBER,
    ODD_VALUE,
    RESULT,
    SET_UP,
    SETUP,
    UNKNOWN,
    VALUE_END,
    VALUE_START,
    VARIANT,
    packed,
)
from rookery.pgn.scan.output import (
    BAD_FEN,
    BAD_RESULT,
    BAD_VARIANT,
    IMPOSSIBLE_RIGHTS,
    NO_FEN,
    OTHER_LETTERS,
    START,
    TAG_TWICE,
    Output,
    Scratch,
)
from rookery.pgn.scan.reporting import fault, warn
from rookery.rules.faults import playing_faults, possible_en_passant
from rookery.rules.notation.fen import START_WORDS, read_fen
from rookery.rules.position import (
    Position,
    prepared,
    read,
)

_NUMBERS = 0xFF
_NO_ROW = UNIVERSE
_DIGIT_1 = ord("1")
_SET_UP, _SET_UP_ENDS = packed(name.lower() for name in SET_UP)


@kernel
def usual_start() -> Position:
    """Return the position that games usually begin with."""
    w = START_WORDS
    return Position(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], 0, 0, w[5] | w[6])


@kernel
def _earlier_tag(text: Any, name: Word, name_end: Word, o: Output, s: Scratch) -> Word:
    """Return the row of an earlier tag of the game with this unknown name, or `_NO_ROW`, and note the name."""
    state, seen = s.state[0], s.seen
    last = U64(seen.size - 1)
    place = hash_of(text, name, name_end)
    for k in range(64):  # names beyond 64 that share a hash are not compared
        here = (place + k) & last
        row = U64(seen[here])
        if row < state.first_tag or row >= state.tags:
            seen[here] = np.int32(state.tags)
            return _NO_ROW
        if same(text, name, name_end, U64(o.tags[row, NAME_START]), U64(o.tags[row, NAME_END])):
            return row
    return _NO_ROW


@kernel
def tag_of(o: Output, state: Any, known: Word) -> Word:
    """Return the row of the game's tag with a known name, or `_NO_ROW`."""
    slot = U64(o.slots[state.game, known])
    return state.first_tag + slot - 1 if slot else _NO_ROW


@kernel
def result_of_header(text: Any, o: Output, state: Any) -> Word:
    """Return the number of the result that the header of the game states, 0 if it states none."""
    row = tag_of(o, state, RESULT)
    if row == _NO_ROW:
        return 0
    found = result_at(text, U64(o.tags[row, VALUE_START]), U64(o.tags[row, VALUE_END]))
    return 0 if found == NO_RESULT else found


@kernel
def next_number(o: Output, state: Any) -> Word:
    """Return the number of the move that comes next in the game."""
    start = o.games[state.game, START]
    halves: Word = 2
    if start >= 0:
        row = o.starts[U64(start)]
        halves = U64(row[11]) * 2 + U64(row[9])
    return (halves + state.plies - state.first_ply) >> 1


@cold_kernel
def _in_other_letters(text: Any, i: Word, end: Word) -> Word:
    """Check for ``fen``, ``setup`` or ``variant`` in small or capital letters."""
    return 1 if place_among(text, i, end, _SET_UP, _SET_UP_ENDS, 1) < U64(len(SET_UP)) else 0


@kernel
def take_tag(text: Any, tag: Any, known: Word, o: Output, s: Scratch, lenient: Word) -> None:
    """Store a tag, `known` being the number of its name, and check the values that matter."""
    state = s.state[0]
    if (
        known == UNKNOWN
        and lenient
        and tag.name_end - tag.name <= 7
        and _in_other_letters(text, tag.name, tag.name_end)
    ):
        warn(o, state, OTHER_LETTERS, tag.name, tag.name_end)
    before = _earlier_tag(text, tag.name, tag.name_end, o, s) if known == UNKNOWN else tag_of(o, state, known)
    if before != _NO_ROW:
        start, end = U64(o.tags[before, VALUE_START]), U64(o.tags[before, VALUE_END])
        one = result_at(text, tag.value, tag.value_end) if known == RESULT else NO_RESULT
        same_result = one != NO_RESULT and one == result_at(text, start, end)
        if not same_result and not same(text, tag.value, tag.value_end, start, end):
            fault(state, TAG_TWICE, tag.value, tag.value_end)
        return
    flags: Word = tag.escaped
    if known == RESULT and result_at(text, tag.value, tag.value_end) == NO_RESULT:
        fault(state, BAD_RESULT, tag.value, tag.value_end)
        flags |= ODD_VALUE
    if known == VARIANT and variant_at(text, tag.value, tag.value_end) > 1:
        fault(state, BAD_VARIANT, tag.value, tag.value_end)
    n: Word = state.tags
    if known != UNKNOWN:
        o.slots[state.game, known] = np.int32(n - state.first_tag + 1)
    o.tags[n, NAME_START] = np.int32(tag.name)
    o.tags[n, NAME_END] = np.int32(tag.name_end)
    o.tags[n, VALUE_START] = np.int32(tag.value)
    o.tags[n, VALUE_END] = np.int32(tag.value_end)
    o.tags[n, NUMBER] = np.int32(known | flags)
    state.tags = n + 1


@kernel
def begins_next(text: Any, tag: Any, known: Word, o: Output, state: Any, lenient: Word) -> Word:
    """Check whether a tag after an empty line begins the next game.

    An Event does, if anything is before it. So does, for a lenient reader, a tag that the game has already, if the
    game does not begin with an Event.
    """
    n, first = state.tags, state.first_tag
    if known == EVENT:
        return 1 if n > first or state.fault else 0
    if not lenient or n == first or U64(o.tags[first, NUMBER]) & _NUMBERS == EVENT:
        return 0
    if known != UNKNOWN:
        return 1 if o.slots[state.game, known] else 0
    for row in range(first, n):
        if same(text, tag.name, tag.name_end, U64(o.tags[row, NAME_START]), U64(o.tags[row, NAME_END])):
            return 1
    return 0


@cold_kernel
def _position_of_fen(text: Any, start: Word, end: Word, s: Scratch, lenient: Word, t: Any) -> Any:
    """Return the position of a FEN, whether it is refused, and whether impossible rights in it were dropped."""
    p = usual_start()
    refused = read_fen(text, start, end, s.row, s.report, 0, lenient)
    dropped: Word = 0
    if not refused:
        dropped = U64(s.report[4])
        if lenient and s.row[8] and not possible_en_passant(read(s.row, 0)):
            s.row[8] = 0
            dropped = 1
        p = prepared(s.row, t)
        refused = playing_faults(p, t)
    return p, refused, dropped


@called_kernel
def start_position(text: Any, o: Output, s: Scratch, lenient: Word, t: Any) -> Any:
    """Return the position before the first move, as headers state it, and whether they state an impossible one.

    A lenient reader drops impossible castling rights and en-passant squares, with a warning.
    """
    state = s.state[0]
    chess960: Word = 0
    wrong: Word = 0
    row = tag_of(o, state, VARIANT)
    if row != _NO_ROW:
        variant = variant_at(text, U64(o.tags[row, VALUE_START]), U64(o.tags[row, VALUE_END]))
        chess960 = variant & 1
        wrong = variant >> 1
    p = usual_start()
    fen, setup = tag_of(o, state, FEN), tag_of(o, state, SETUP)
    if fen != _NO_ROW or chess960:
        for k in range(10):
            s.row[k] = START_WORDS[k]
        s.report[0] = 0
        s.report[1] = 1
        s.report[3] = 0
    if fen != _NO_ROW:
        start, end = U64(o.tags[fen, VALUE_START]), U64(o.tags[fen, VALUE_END])
        stated, refused, dropped = _position_of_fen(text, start, end, s, lenient, t)
        if refused:
            fault(state, BAD_FEN, start, end)
            wrong = 1
        else:
            p = stated
            if dropped:
                warn(o, state, IMPOSSIBLE_RIGHTS, start, end)
    elif setup != _NO_ROW:
        start, end = U64(o.tags[setup, VALUE_START]), U64(o.tags[setup, VALUE_END])
        if end - start == 1 and U64(text[start]) == _DIGIT_1:
            fault(state, NO_FEN, start, end)
            wrong = 1
    game = o.games[state.game]
    game[START] = -1
    if (fen != _NO_ROW or chess960) and not wrong:
        n: Word = state.starts
        for k in range(10):
            o.starts[n, k] = s.row[k]
        o.starts[n, 10] = U64(s.report[0])
        o.starts[n, 11] = U64(s.report[1])
        o.starts[n, 12] = U64(s.report[3]) | chess960
        game[START] = np.int64(n)
        state.starts = n + 1
    return p, wrong
