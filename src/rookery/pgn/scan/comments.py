"""Comments of the mainline: those that only repeat values become numbers, all others are kept as text.

Clocks, evaluations and times have columns of their own. A comment that holds nothing but such values, as `numerals`
writes them and in the same order, would say the same twice, so its text is dropped and `write_pgn` writes it from the
columns again. Every other comment is kept whole, and so is every comment of a ply where a second one states a value,
and every comment that follows a variation.
"""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, Word, cold_kernel, kernel, trailing_zeros, where_byte, word_at
from rookery.pgn.scan.annotations import MATE, Annotations, annotations, plain_time
from rookery.pgn.scan.engine_scores import (
    DOUBTFUL,
    MOVER,
    WHITE,
    engine_score,
    may_be_score,
    states_nothing,
    usual_score,
)
from rookery.pgn.scan.lexing.signs import CLASS, NEWLINE, among
from rookery.pgn.scan.lexing.vocabulary import TIME_CONTROL, VALUE_END, VALUE_START
from rookery.pgn.scan.output import (
    AMBIGUOUS_TIME,
    CLOCKS,
    COMMENTS,
    DOUBTFUL_SCORE,
    SHORT_TIME,
    START,
    VALUES_AS_TEXT,
    Output,
)
from rookery.pgn.scan.reporting import fault, keep, warn
from rookery.pgn.time_control import SHORTEST_IN_HOURS, TimeControl
from rookery.pgn.time_control_at import are_hours_and_minutes, time_control_at

UNDECIDED, WARNED, MINUTES, HOURS = range(4)  # how a game's times of two parts are read, see `_with_short_times`

NO_COMMENT, TEXT_KEPT = 0, 1  # what a ply has so far; else where the comment begins that became values

_SPACE, _OPEN, _CLOSE, _OPEN_BRACE, _BRACE, _DOT, _MINUS, _HASH, _DIGIT_0 = b" []{}.-#0"
_EVAL, _CLK, _EMT = (int.from_bytes(name, "little") for name in (b"[%eval ", b"[%clk ", b"[%emt "))
_WIDE_EVAL, _NARROW_EVAL, _THEN_CLOCK = (
    int.from_bytes(name, "little") for name in (b"{ [%eval", b"{[%eval ", b"] [%clk ")
)
_SIX_BYTES, _SEVEN_BYTES = (1 << 48) - 1, (1 << 56) - 1
_NO_VALUE: Final = 1e9
_TURN: Final = 9  # in a row of a start position: 1 if Black begins


@kernel
def _tenths(text: Any, i: Word) -> Any:
    """Read one or two digits, the second not 0: their number, the power of ten, and where they end (0 if none)."""
    first, second = U64(text[i]) - _DIGIT_0, U64(text[i + 1]) - _DIGIT_0
    if first > 9:
        return 0.0, 1.0, 0
    if second > 9:
        return np.float64(first), 10.0, i + 1
    return np.float64(first * 10 + second), 100.0, i + 2 if second else 0


@kernel
def _evaluation(text: Any, i: Word) -> Any:
    """Read ``0.17``, ``-1.5`` or ``#-3`` without needless zeros: pawns (`_NO_VALUE` if it is another) and its end."""
    mate = U64(text[i]) == _HASH
    i += 1 if mate else 0
    negative = U64(text[i]) == _MINUS
    i += 1 if negative else 0
    start, value = i, 0.0
    while i < start + 3 and U64(text[i]) - _DIGIT_0 <= 9:
        value = value * 10.0 + np.float64(U64(text[i]) - _DIGIT_0)
        i += 1
    if i == start or (U64(text[start]) == _DIGIT_0 and i > start + 1) or value >= MATE / 2.0:
        return _NO_VALUE, i
    if mate:
        value = MATE - value
    else:
        digits, power, end = _tenths(text, i + 1)
        value = (value * power + digits) / power
        if U64(text[i]) != _DOT or not end:
            return _NO_VALUE, i
        i = end
        if negative and value == 0.0:
            return _NO_VALUE, i
    return -value if negative else value, i


@cold_kernel  # called, since the loop of plain moves without comments is slower if this is part of it
def usual_values(text: Any, i: Word) -> Any:
    """Return the pawns, the seconds and the length of the comment at `i`, if Lichess writes it for an evaluation.

    That is ``{ [%eval 0.17] [%clk 0:05:00] }`` or ``{ [%eval 0.17] }``; blanks inside the braces may be missing.
    Seconds that are not there are NaN, and the length of any other comment is 0. Up to 40 bytes are looked at.
    """
    begins = word_at(text, i)
    wide = begins == _WIDE_EVAL and U64(text[i + 8]) == _SPACE
    if not wide and begins != _NARROW_EVAL:
        return np.float32(0.0), np.float32(0.0), 0
    pawns, end = _evaluation(text, i + (9 if wide else 8))
    seconds = np.nan
    if word_at(text, end) == _THEN_CLOCK:
        seconds = plain_time(text, end + 8, _CLOSE)
        end += 15
    is_wrong = pawns == _NO_VALUE or seconds == -1.0 or U64(text[end]) != _CLOSE
    end += 1
    is_wrong = is_wrong or U64(text[end]) != (_SPACE if wide else _BRACE)
    end += 1
    is_wrong = is_wrong or (wide and U64(text[end]) != _BRACE)
    length = end - i + (1 if wide else 0)
    return np.float32(pawns), np.float32(seconds), 0 if is_wrong else length


@kernel
def _time(text: Any, i: Word) -> Any:
    """Read ``0:03:00``, ``0:03:00.5`` or ``0:03:00.25``: seconds (`_NO_VALUE` if it is another) and its end."""
    whole = plain_time(text, i, _CLOSE)
    if whole >= 0.0:
        return whole, i + 7
    whole = plain_time(text, i, _DOT)
    digits, power, end = _tenths(text, i + 8)
    if whole < 0.0 or not end or digits == 0.0:
        return _NO_VALUE, i
    minutes = np.floor(whole / 60.0)
    return minutes * 60.0 + ((whole - minutes * 60.0) * power + digits) / power, end


@kernel
def values_alone(text: Any, i: Word, end: Word) -> Any:
    """Return the values that a comment states, and whether it contains nothing else.

    These are an evaluation, a clock and a time, some of them, in this order, as `write_pgn` writes them. Some bytes
    after `end` are read.
    """
    while i < end and U64(text[i]) == _SPACE:
        i += 1
    while end > i and U64(text[end - 1]) == _SPACE:
        end -= 1
    clock, evaluation, elapsed = np.nan, np.nan, np.nan
    last = 0
    while i < end:
        name = word_at(text, i)
        if name & _SEVEN_BYTES == _EVAL and last < 1:
            value, i = _evaluation(text, i + 7)
            evaluation, last = value, 1
        elif name & _SIX_BYTES == _CLK and last < 2:
            value, i = _time(text, i + 6)
            clock, last = value, 2
        elif name & _SIX_BYTES == _EMT and last < 3:
            value, i = _time(text, i + 6)
            elapsed, last = value, 3
        else:
            break
        if value == _NO_VALUE or i >= end or U64(text[i]) != _CLOSE:
            break
        i += 1
        if i == end:
            return Annotations(clock, evaluation, elapsed, 0, 0, 0), 1
        if U64(text[i]) != _SPACE:
            break
        i += 1
    return Annotations(np.nan, np.nan, np.nan, 0, 0, 0), 0


@cold_kernel
def _with_short_times(text: Any, stated: Annotations, lenient: Word, o: Output, state: Any) -> Annotations:
    """Return what a comment states, with times of two parts as hours and minutes if the game's clocks are written so.

    The first clock of two parts decides for the game, by the time control. `state.short_times` is what is known.
    """
    clock, elapsed = stated.clock, stated.elapsed
    control = TimeControl(np.nan, np.nan, U64(0), np.nan)
    slot = U64(o.slots[state.game, TIME_CONTROL])
    if slot:
        row = state.first_tag + slot - 1
        control = time_control_at(text, U64(o.tags[row, VALUE_START]), U64(o.tags[row, VALUE_END]))
    knows = control.base == control.base
    if stated.has_minutes and state.short_times < MINUTES:
        state.short_times = MINUTES
    at = stated.clock_at
    if at and state.short_times < MINUTES:
        if knows:
            state.short_times = HOURS if are_hours_and_minutes(control, clock) else MINUTES
        elif state.clocks > state.first_ply:  # clocks before had three parts
            state.short_times = MINUTES
    if not at:
        at = stated.elapsed_at
        knows = knows and control.base < SHORTEST_IN_HOURS
    if at and not knows and state.short_times < WARNED:
        state.short_times = WARNED if at != stated.clock_at else MINUTES
        end = at
        while U64(text[end]) != _CLOSE:
            end += 1
        if lenient:
            warn(o, state, SHORT_TIME, at, end)
        else:
            fault(state, AMBIGUOUS_TIME, at, end)
            state.skips_moves = 1
    if state.short_times == HOURS:
        clock = clock * 60.0 if stated.clock_at else clock
        elapsed = elapsed * 60.0 if stated.elapsed_at else elapsed
    return Annotations(clock, stated.evaluation, elapsed, 0, 0, 0)


@cold_kernel
def _report_doubtful(start: Word, end: Word, o: Output, state: Any) -> None:
    """Report the first score of a game whose view is not known."""
    if not state.doubtful_score:
        state.doubtful_score = 1
        warn(o, state, DOUBTFUL_SCORE, start, end)


@kernel
def _for_white(pawns: Any, o: Output, state: Any) -> Any:
    """Return a score of the side that has just moved from White's view."""
    row = o.games[state.game, START]
    black_began = U64(o.starts[row, _TURN]) if row >= 0 else U64(0)
    black_moved = (black_began + state.plies - state.first_ply - 1) & 1
    return 0.0 - pawns if black_moved else pawns


@kernel
def _with_engine_score(text: Any, start: Word, end: Word, stated: Annotations, o: Output, state: Any) -> Annotations:
    """Return what a comment states, with what a program of engine matches wrote where the comment has no annotation."""
    found = engine_score(text, start, end)
    pawns = stated.evaluation
    if pawns != pawns:
        if found.view == DOUBTFUL:
            _report_doubtful(start, end, o, state)
        elif found.view == WHITE:
            pawns = found.pawns
        elif found.view == MOVER:
            pawns = _for_white(found.pawns, o, state)
    clock = found.left if stated.clock != stated.clock else stated.clock
    elapsed = found.taken if stated.elapsed != stated.elapsed else stated.elapsed
    return Annotations(clock, pawns, elapsed, stated.clock_at, stated.elapsed_at, stated.has_minutes)


@kernel
def keep_values(stated: Annotations, o: Output, state: Any) -> None:
    """Store the values of the last ply, each unless the ply has one."""
    ply = state.plies - 1
    state.clocks = keep(o.clocks, state.clocks, ply, np.float32(stated.clock))
    state.evaluations = keep(o.evaluations, state.evaluations, ply, np.float32(stated.evaluation))
    state.elapsed = keep(o.elapsed, state.elapsed, ply, np.float32(stated.elapsed))


@kernel
def states_value(stated: Annotations) -> Any:
    """Return whether a comment states a clock, an evaluation or a time."""
    return stated.clock == stated.clock or stated.evaluation == stated.evaluation or stated.elapsed == stated.elapsed


@cold_kernel
def _rows_of_ply(rows: Any, n: Word, first: Word, ply: Word) -> Word:
    """Return how many of the rows from `first` to `n` are of a ply, the last that has any."""
    count: Word = 0
    while n > first + count and U64(rows[n - 1 - count, 0]) == ply:
        count += 1
    return count


@kernel
def variations_of_ply(o: Output, state: Any) -> Word:
    """Return the number of variations of the last ply so far."""
    return _rows_of_ply(o.variations, state.variations, state.first_variation, state.plies - state.first_ply)


@kernel
def remarks_of_ply(o: Output, state: Any) -> Word:
    """Return the number of comments and variations of the last ply so far, with a comment that became values."""
    comments = _rows_of_ply(o.comments, state.comments, state.first_comment, state.plies - state.first_ply)
    return comments + variations_of_ply(o, state) + (1 if state.last_comment > TEXT_KEPT else 0)


@kernel
def _keep_text(start: Word, end: Word, after: Word, o: Output, state: Any) -> None:
    """Store the text of a comment behind those of earlier plies, and before those of its ply that began later."""
    k: Word = state.comments
    state.comments = k + 1
    while k > state.first_comment and U64(o.comments[k - 1, 1]) > start:
        for column in range(4):
            o.comments[k, column] = o.comments[k - 1, column]
        k -= 1
    o.comments[k, 0] = np.int32(state.plies - state.first_ply)
    o.comments[k, 1] = np.int32(start)
    o.comments[k, 2] = np.int32(end)
    o.comments[k, 3] = np.int32(after)


@kernel
def take_comment(text: Any, start: Word, end: Word, want: Word, lenient: Word, o: Output, state: Any) -> None:
    """Store a comment of the last ply, from `start` to `end`, and the values it states if CLOCKS are wanted.

    `state.last_comment` is what the ply has so far: `NO_COMMENT`, `TEXT_KEPT` (also after a variation), or where a
    comment begins that became values.
    """
    if want & CLOCKS:
        stated, alone = values_alone(text, start, end)
        if alone and state.last_comment == NO_COMMENT and not want & VALUES_AS_TEXT:
            keep_values(stated, o, state)
            state.last_comment = start
            return
        stated = annotations(text, start, end)
        if may_be_score(text, start, end):
            stated = _with_engine_score(text, start, end, stated, o, state)
        if states_value(stated):
            if stated.clock_at or stated.elapsed_at or stated.has_minutes:
                stated = _with_short_times(text, stated, lenient, o, state)
            keep_values(stated, o, state)
            if state.last_comment > TEXT_KEPT and want & COMMENTS:
                close: Word = state.last_comment
                while U64(text[close]) != _BRACE and CLASS[text[close]] != NEWLINE:
                    close += 1
                _keep_text(state.last_comment, close, 0, o, state)
                state.last_comment = TEXT_KEPT
    if want & COMMENTS:
        _keep_text(start, end, variations_of_ply(o, state), o, state)
        state.last_comment = max(state.last_comment, U64(TEXT_KEPT))


@cold_kernel  # called, as `usual_values` is
def take_score(text: Any, i: Word, end: Word, plies: Word, want: Word, o: Output, state: Any) -> Word:
    """Store the comment in braces at `i`, the first of the last of `plies`, if it has a score of an engine match.

    Return its length, and 0 for any other comment, and for one that has brackets or braces in it.
    """
    start = i + 1
    stop, found = start, U64(0)
    while stop < end and not found:
        found = where_byte(text, stop, _BRACE) | where_byte(text, stop, _OPEN) | where_byte(text, stop, _OPEN_BRACE)
        found = among(found, end - stop)
        stop += trailing_zeros(found)  # 64 if there is none
    if not found or U64(text[stop]) != _BRACE:
        return 0
    stated, is_movers = usual_score(text, start, stop)
    if not is_movers:
        stated = engine_score(text, start, stop)
    if states_nothing(stated) or stated.view == DOUBTFUL:
        return 0
    state.plies = plies
    pawns = np.nan
    if stated.view == WHITE:
        pawns = stated.pawns
    elif stated.view == MOVER:
        pawns = _for_white(stated.pawns, o, state)
    keep_values(Annotations(stated.left, pawns, stated.taken, 0, 0, 0), o, state)
    if want & COMMENTS:
        _keep_text(start, stop, 0, o, state)
    return stop + 1 - i
