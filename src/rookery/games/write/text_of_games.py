"""Compiled code that writes games as text."""

from typing import Any, Final

import numpy as np

from rookery.games.write.movetext import BAD_GAME, BAD_PLY, LAST_BLANK, LINE_START, WIDTH, Annotations, Play, Tags
from rookery.games.write.numerals import write_digits, write_evaluation, write_time
from rookery.kernel import U64, Word, array_of, entry, kernel
from rookery.pgn.scan.annotations import annotations
from rookery.pgn.scan.comments import states_value
from rookery.pgn.scan.lexing.signs import blank_length, length_before, mark_length
from rookery.pgn.scan.lexing.vocabulary import RESULTS, packed
from rookery.positions.kernels.lanes import load, position
from rookery.positions.layout import COUNTER, NUMBER_SHIFT, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.generate import checkers_of
from rookery.rules.notation.san_writer import write_and_make

_SPACE, _NEWLINE, _RETURN, _DOT, _OPEN, _CLOSE, _DOLLAR, _SEMICOLON, _QUOTE, _BACKSLASH = (
    U64(ord(c)) for c in ' \n\r.{}$;"\\'
)
_PERCENT, _BRACKET, _BRACKET_CLOSES = b"%[]"
_VARIATION, _VARIATION_ENDS = ord("("), ord(")")

_MOST: Final = 1e15  # larger values are not written
_RESULTS, _RESULT_ENDS = packed(RESULTS)


def _bytes(text: bytes) -> Any:
    return np.frombuffer(text, np.uint8)


_CLOCK_BEGINS, _EVAL_BEGINS, _EMT_BEGINS = _bytes(b"[%clk "), _bytes(b"[%eval "), _bytes(b"[%emt ")


def _examples() -> tuple[Play, Tags, Annotations]:
    ends, texts, small = array_of(np.int64), array_of(np.uint8), array_of(np.int32)
    values, moves = array_of(np.float32), array_of(np.uint16)
    return (
        Play(ends, moves, values, values, values, texts, ends, empty_columns(1)),
        Tags(ends, texts, ends, texts, ends, texts, ends, texts, array_of(np.int64, 2), array_of(np.bool_, 2)),
        Annotations(ends, small, small, ends, small, ends, texts, ends, small, ends, texts),
    )


@kernel
def _copy(out: Any, n: Word, text: Any, start: Any, end: Any) -> Word:
    for i in range(start, end):
        out[n] = text[i]
        n += 1
    return n


@kernel
def _break_line(out: Any, n: Word, layout: Any) -> None:
    """Break the line at its last blank if the line, which ends at `n`, is too long."""
    if layout[WIDTH] and np.int64(n) - layout[LINE_START] > layout[WIDTH] and layout[LAST_BLANK] >= 0:
        out[layout[LAST_BLANK]] = np.uint8(_NEWLINE)
        layout[LINE_START] = layout[LAST_BLANK] + 1
        layout[LAST_BLANK] = -1


@kernel
def _write_blank(out: Any, n: Word, layout: Any) -> Word:
    """Write a blank between words, where the line may be broken."""
    if np.int64(n) == layout[LINE_START]:
        return n
    _break_line(out, n, layout)
    out[n] = np.uint8(_SPACE)
    layout[LAST_BLANK] = np.int64(n)
    return n + 1


@kernel
def _end_line(out: Any, n: Word, layout: Any) -> Word:
    out[n] = np.uint8(_NEWLINE)
    layout[LINE_START] = np.int64(n) + 1
    layout[LAST_BLANK] = -1
    return n + 1


@kernel
def _may_break(text: Any, i: Word, start: Word, end: Word) -> Any:
    """Check whether a line break instead of the space at `i` leaves the text's meaning as it is.

    It does not next to another blank, after a Ctrl-Z, which counts as a blank at the end of a line, and before a mark
    that has a meaning at the beginning of a line.
    """
    before = i - length_before(text, i, start)
    if U64(text[before]) == _NEWLINE or U64(text[before]) == _RETURN or blank_length(text, before, i):
        return False
    following = U64(text[i + 1])
    if following in (_PERCENT, _BRACKET, _SEMICOLON, _NEWLINE, _RETURN):
        return False
    return not (blank_length(text, i + 1, end) or mark_length(text, i + 1, end))


@kernel
def _write_text(out: Any, n: Word, text: Any, start: Any, end: Any, layout: Any, breakable: Any) -> Word:
    """Copy a text. If `breakable`, a single blank in it may become a line break where that changes no meaning."""
    breakable = breakable and layout[WIDTH]
    for i in range(start, end):
        c = U64(text[i])
        if c == _NEWLINE:
            _break_line(out, n, layout)
            n = _end_line(out, n, layout)
            continue
        if c == _SPACE and breakable and start < i < end - 1 and _may_break(text, U64(i), U64(start), U64(end)):
            n = _write_blank(out, n, layout)
            continue
        out[n] = text[i]
        n += 1
    return n


@kernel
def _has(text: Any, start: Any, end: Any, sign: Word) -> Any:
    found = False
    for i in range(start, end):
        found = found or U64(text[i]) == sign
    return found


@kernel
def _write_comment(out: Any, n: Word, text: Any, start: Any, end: Any, layout: Any) -> Word:
    n = _write_blank(out, n, layout)
    if not _has(text, start, end, _CLOSE):
        out[n] = np.uint8(_OPEN)
        n = _write_text(out, n + 1, text, start, end, layout, True)
        out[n] = np.uint8(_CLOSE)
        return n + 1
    # Only a comment to the end of the line can contain a closing brace.
    out[n] = np.uint8(_SEMICOLON)
    n += 1
    for i in range(start, end):
        if U64(text[i]) == _NEWLINE:
            n = _end_line(out, n, layout)
            out[n] = np.uint8(_SEMICOLON)
        else:
            out[n] = text[i]
        n += 1
    _break_line(out, n, layout)
    return _end_line(out, n, layout)


@kernel
def _ends_in_comment(text: Any, start: Any, end: Any) -> Any:
    """Check whether a bracket after the text would be part of a comment that ends with its line."""
    inside: Word = 0
    for i in range(start, end):
        c = U64(text[i])
        if not inside and c in (_OPEN, _SEMICOLON):
            inside = c
        elif (inside == _OPEN and c == _CLOSE) or (inside == _SEMICOLON and c in (_NEWLINE, _RETURN)):
            inside = 0
    return inside == _SEMICOLON


@kernel
def _write_variation(out: Any, n: Word, text: Any, start: Any, end: Any, layout: Any) -> Word:
    n = _write_blank(out, n, layout)
    out[n] = np.uint8(_VARIATION)
    n = _write_text(out, n + 1, text, start, end, layout, not _has(text, start, end, _SEMICOLON))
    if _ends_in_comment(text, start, end):
        _break_line(out, n, layout)
        n = _end_line(out, n, layout)
    out[n] = np.uint8(_VARIATION_ENDS)
    return n + 1


@kernel
def _value(values: Any, ply: Any) -> Any:
    """Return the value of a ply, or NaN if there are no values."""
    return np.float64(values[ply]) if values.size else np.nan


@kernel
def _write_values(out: Any, n: Word, clock: Any, pawns: Any, taken: Any) -> Word:
    """Write the values of a ply, an evaluation first, each followed by a blank."""
    if abs(pawns) < _MOST:
        n = write_evaluation(out, _copy(out, n, _EVAL_BEGINS, np.int64(0), _EVAL_BEGINS.size), pawns)
        out[n] = np.uint8(_BRACKET_CLOSES)
        out[n + 1] = np.uint8(_SPACE)
        n += 2
    if 0.0 <= clock < _MOST:
        n = write_time(out, _copy(out, n, _CLOCK_BEGINS, np.int64(0), _CLOCK_BEGINS.size), clock)
        out[n] = np.uint8(_BRACKET_CLOSES)
        out[n + 1] = np.uint8(_SPACE)
        n += 2
    if 0.0 <= taken < _MOST:
        n = write_time(out, _copy(out, n, _EMT_BEGINS, np.int64(0), _EMT_BEGINS.size), taken)
        out[n] = np.uint8(_BRACKET_CLOSES)
        out[n + 1] = np.uint8(_SPACE)
        n += 2
    return n


@kernel
def _states_value(plies: Any, ends: Any, texts: Any, row: Any, last: Any, ply: Any) -> Any:
    """Check whether a comment of a ply, among rows `row` to `last`, states a value itself."""
    while row < last and plies[row] == ply:
        if states_value(annotations(texts, U64(ends[row]), U64(ends[row + 1]))):
            return True
        row += 1
    return False


@kernel
def _write_value_comment(out: Any, n: Word, g: Play, ply: Any, layout: Any) -> Word:
    """Write the values of a ply as a comment, if it has any."""
    clock, pawns, taken = _value(g.clocks, ply), _value(g.evals, ply), _value(g.emts, ply)
    if not (0.0 <= clock < _MOST or abs(pawns) < _MOST or 0.0 <= taken < _MOST):
        return n
    n = _write_blank(out, n, layout)
    out[n] = np.uint8(_OPEN)
    out[n + 1] = np.uint8(_SPACE)
    n = _write_values(out, n + 2, clock, pawns, taken)
    out[n] = np.uint8(_CLOSE)
    return n + 1


@entry(
    examples=lambda: (
        array_of(np.uint8),
        array_of(np.float32),
        array_of(np.float32),
        array_of(np.float32),
        array_of(np.int32),
        array_of(np.int64),
        array_of(np.uint8),
        array_of(np.int64),
    )
)
def write_value_comments(
    out: Any, clocks: Any, evals: Any, emts: Any, plies: Any, ends: Any, texts: Any, offsets: Any
) -> Any:
    """Write the values of each ply of one game, unless one of the ply's comments states them; return the length.

    The end of each ply's values is written to `offsets`. 64 bytes after the texts of the comments are read.
    """
    n, row = 0, 0
    for ply in range(offsets.size - 1):
        while row < plies.size and plies[row] <= ply:
            row += 1
        if not _states_value(plies, ends, texts, row, plies.size, ply + 1):
            n = _write_values(out, n, _value(clocks, ply), _value(evals, ply), _value(emts, ply))
        offsets[ply + 1] = np.int64(n)
    return np.int64(n)


@kernel
def _write_tag(out: Any, n: Word, names: Any, a: Any, b: Any, values: Any, c: Any, d: Any) -> Word:
    out[n] = np.uint8(_BRACKET)
    n = _copy(out, n + 1, names, a, b)
    out[n] = np.uint8(_SPACE)
    out[n + 1] = np.uint8(_QUOTE)
    n += 2
    for i in range(c, d):
        sign = U64(values[i])
        if sign in (_QUOTE, _BACKSLASH):
            out[n] = np.uint8(_BACKSLASH)
            n += 1
        # A line break would end the header.
        out[n] = np.uint8(_SPACE if sign in (_NEWLINE, _RETURN) else sign)
        n += 1
    out[n] = np.uint8(_QUOTE)
    out[n + 1] = np.uint8(_BRACKET_CLOSES)
    out[n + 2] = np.uint8(_NEWLINE)
    return n + 3


@kernel
def _write_headers(out: Any, n: Word, h: Tags, i: Any) -> Word:
    start = n
    for k in range(h.column_ends.shape[0]):
        if h.column_valid[k, i]:
            name, name_end = h.column_name_ends[k], h.column_name_ends[k + 1]
            value, value_end = h.column_ends[k, i], h.column_ends[k, i + 1]
            n = _write_tag(out, n, h.column_names, name, name_end, h.column_values, value, value_end)
    for row in range(h.rows[i], h.rows[i + 1]):
        name, name_end = h.name_ends[row], h.name_ends[row + 1]
        n = _write_tag(out, n, h.names, name, name_end, h.values, h.value_ends[row], h.value_ends[row + 1])
    if n > start:
        out[n] = np.uint8(_NEWLINE)
        n += 1
    return n


@kernel
def _write_number(out: Any, n: Word, number: Word, black: Word, layout: Any) -> Word:
    n = write_digits(out, _write_blank(out, n, layout), number, 1)
    for _ in range(3 if black else 1):
        out[n] = np.uint8(_DOT)
        n += 1
    return n


@entry(
    examples=lambda: (
        array_of(np.uint8),
        0,
        0,
        *_examples(),
        array_of(np.int64),
        array_of(np.int64),
        default_technique().tables(),
    )
)
def write_games(
    out: Any, first: Any, last: Any, g: Play, h: Tags, r: Annotations, layout: Any, ends: Any, t: Any
) -> Any:
    """Write games `first` to `last` to `out`, and the end of each to `ends`; return the length.

    `out` must have room for them. If a move is not legal, return -1 and write its game and ply to `layout`.
    """
    n = 0
    for i in range(first, last):
        n = _write_headers(out, n, h, i)
        layout[LINE_START], layout[LAST_BLANK] = np.int64(n), -1
        lane = load(g.starts, g.places[i] + 1)
        p = position(lane, t)
        number = (lane.state >> NUMBER_SHIFT) & COUNTER
        nag, nag_end = r.nag_rows[i], r.nag_rows[i + 1]
        comment, comment_end = r.comment_rows[i], r.comment_rows[i + 1]
        variation, variation_end = r.variation_rows[i], r.variation_rows[i + 1]
        numbered = True
        begin, end = g.offsets[i], g.offsets[i + 1]
        for ply in range(end - begin + 1):
            if ply:
                move = U64(g.moves[begin + ply - 1])
                if numbered or not p.turn:
                    n = _write_number(out, n, number, p.turn, layout)
                n = _write_blank(out, n, layout)
                before = n
                legal = move or not checkers_of(p, t)
                number += p.turn
                n, p = write_and_make(out, n, p, move, 0, t)
                if n == before or not legal:
                    layout[BAD_GAME], layout[BAD_PLY] = i, ply - 1
                    return np.int64(-1)
                numbered = False
            while nag < nag_end and r.nag_plies[nag] == ply:
                n = _write_blank(out, n, layout)
                out[n] = np.uint8(_DOLLAR)
                n = write_digits(out, n + 1, U64(r.nags[nag]), 1)
                nag += 1
            here = n
            if ply and not _states_value(r.comment_plies, r.comment_ends, r.comments, comment, comment_end, ply):
                n = _write_value_comment(out, n, g, begin + ply - 1, layout)
            while comment < comment_end and r.comment_plies[comment] == ply:
                a, b = r.comment_ends[comment], r.comment_ends[comment + 1]
                n = _write_comment(out, n, r.comments, a, b, layout)
                comment += 1
            while variation < variation_end and r.variation_plies[variation] == ply:
                a, b = r.variation_ends[variation], r.variation_ends[variation + 1]
                n = _write_variation(out, n, r.variations, a, b, layout)
                variation += 1
            numbered = numbered or n != here
        n = _write_blank(out, n, layout)
        score = g.scores[i]
        n = _copy(out, n, _RESULTS, np.int64(_RESULT_ENDS[score]), np.int64(_RESULT_ENDS[score + 1]))
        _break_line(out, n, layout)
        out[n] = np.uint8(_NEWLINE)
        out[n + 1] = np.uint8(_NEWLINE)
        n += 2
        ends[i - first] = np.int64(n)
    return np.int64(n)
