"""Compiled code that writes games as text."""

from typing import Any, Final

import numpy as np

from rookery.games.write.movetext import Annotations, Play, Tags
from rookery.kernel import U64, Word, array_of, entry, kernel
from rookery.pgn.scan.annotations import annotations
from rookery.pgn.scan.comments import states_value
from rookery.pgn.scan.engine_scores import engine_score, may_be_score, states_nothing
from rookery.pgn.scan.lexing.vocabulary import RESULTS, packed
from rookery.pgn.write import text_kernels, words
from rookery.pgn.write.numerals import write_evaluation, write_time
from rookery.positions.kernels.lanes import load, position
from rookery.positions.layout import COUNTER, NUMBER_SHIFT, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.generate import checkers_of
from rookery.rules.notation.san_writer import write_and_make

_SPACE, _NEWLINE, _OPEN, _CLOSE, _BRACKET_CLOSES = b" \n{}]"

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
        Annotations(ends, small, small, small, ends, small, small, ends, texts, ends, small, ends, texts),
    )


@kernel
def _value(values: Any, ply: Any) -> Any:
    """Return the value of a ply, or NaN if there are no values."""
    return np.float64(values[ply]) if values.size else np.nan


@kernel
def _write_values(out: Any, n: Word, clock: Any, pawns: Any, taken: Any) -> Word:
    """Write the values of a ply, an evaluation first, each followed by a blank."""
    if abs(pawns) < _MOST:
        n = write_evaluation(out, text_kernels.copy(out, n, _EVAL_BEGINS, np.int64(0), _EVAL_BEGINS.size), pawns)
        out[n] = np.uint8(_BRACKET_CLOSES)
        out[n + 1] = np.uint8(_SPACE)
        n += 2
    if 0.0 <= clock < _MOST:
        n = write_time(out, text_kernels.copy(out, n, _CLOCK_BEGINS, np.int64(0), _CLOCK_BEGINS.size), clock)
        out[n] = np.uint8(_BRACKET_CLOSES)
        out[n + 1] = np.uint8(_SPACE)
        n += 2
    if 0.0 <= taken < _MOST:
        n = write_time(out, text_kernels.copy(out, n, _EMT_BEGINS, np.int64(0), _EMT_BEGINS.size), taken)
        out[n] = np.uint8(_BRACKET_CLOSES)
        out[n + 1] = np.uint8(_SPACE)
        n += 2
    return n


@kernel
def _states_value(plies: Any, ends: Any, texts: Any, row: Any, last: Any, ply: Any) -> Any:
    """Check whether a comment of a ply, among rows `row` to `last`, states a value itself."""
    while row < last and plies[row] == ply:
        start, end = U64(ends[row]), U64(ends[row + 1])
        if states_value(annotations(texts, start, end)):
            return True
        if may_be_score(texts, start, end) and not states_nothing(engine_score(texts, start, end)):
            return True
        row += 1
    return False


@kernel
def _has_value(g: Play, ply: Any) -> Any:
    """Check whether a ply has a value that is written."""
    clock, pawns, taken = _value(g.clocks, ply), _value(g.evals, ply), _value(g.emts, ply)
    return 0.0 <= clock < _MOST or abs(pawns) < _MOST or 0.0 <= taken < _MOST


@kernel
def _write_value_comment(out: Any, n: Word, g: Play, ply: Any) -> Word:
    """Write the values of a ply as a comment."""
    out[n] = np.uint8(_OPEN)
    out[n + 1] = np.uint8(_SPACE)
    n = _write_values(out, n + 2, _value(g.clocks, ply), _value(g.evals, ply), _value(g.emts, ply))
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
def _write_headers(out: Any, n: Word, h: Tags, i: Any, layout: Any) -> Word:
    layout[words.LINE_START], layout[words.LAST_BLANK] = np.int64(n), -1
    start = n
    for k in range(h.column_ends.shape[0]):
        if h.column_valid[k, i]:
            name, name_end = h.column_name_ends[k], h.column_name_ends[k + 1]
            value, value_end = h.column_ends[k, i], h.column_ends[k, i + 1]
            n = text_kernels.write_header(out, n, h.column_names, name, name_end, h.column_values, value, value_end)
    for row in range(h.rows[i], h.rows[i + 1]):
        name, name_end = h.name_ends[row], h.name_ends[row + 1]
        n = text_kernels.write_header(
            out, n, h.names, name, name_end, h.values, h.value_ends[row], h.value_ends[row + 1]
        )
    return text_kernels.end_line(out, n, layout) if n > start else n


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
        n = _write_headers(out, n, h, i, layout)
        lane = load(g.starts, g.places[i] + 1)
        p = position(lane, t)
        number = (lane.state >> NUMBER_SHIFT) & COUNTER
        nag, nag_end = r.nag_rows[i], r.nag_rows[i + 1]
        comment, comment_end = r.comment_rows[i], r.comment_rows[i + 1]
        variation, variation_end = r.variation_rows[i], r.variation_rows[i + 1]
        numbered = True
        begin, end = g.offsets[i], g.offsets[i + 1]
        for ply in range(end - begin + 1):
            has_value = False
            if ply:
                move = U64(g.moves[begin + ply - 1])
                n = text_kernels.write_blank(out, n, layout)
                n = text_kernels.write_number(out, n, number, p.turn, numbered, layout)
                before = n
                legal = move or not checkers_of(p, t)
                number += p.turn
                n, p = write_and_make(out, n, p, move, 0, t)
                if n == before or not legal:
                    layout[words.BAD_GAME], layout[words.BAD_PLY] = i, ply - 1
                    return np.int64(-1)
                has_value = _has_value(g, begin + ply - 1) and not _states_value(
                    r.comment_plies, r.comment_ends, r.comments, comment, comment_end, ply
                )
            # Glyphs, values, comments and variations, but each after as many others as when it was read.
            others, before_comments = 0, 0
            while True:
                has_nag = nag < nag_end and r.nag_plies[nag] == ply
                has_comment = comment < comment_end and r.comment_plies[comment] == ply
                has_variation = variation < variation_end and r.variation_plies[variation] == ply
                if not (has_nag or has_value or has_comment or has_variation):
                    break
                n = text_kernels.write_blank(out, n, layout)
                if has_nag and (U64(r.nag_after[nag]) <= others or not (has_value or has_comment or has_variation)):
                    n = text_kernels.write_nag(out, n, U64(r.nags[nag]))
                    nag += 1
                    continue
                others += 1
                if has_value:
                    n = _write_value_comment(out, n, g, begin + ply - 1)
                    has_value = False
                elif has_comment and (U64(r.comment_after[comment]) <= before_comments or not has_variation):
                    a, b = r.comment_ends[comment], r.comment_ends[comment + 1]
                    n = text_kernels.write_comment(out, n, r.comments, a, b, layout)
                    comment += 1
                else:
                    a, b = r.variation_ends[variation], r.variation_ends[variation + 1]
                    n = text_kernels.write_variation(out, n, r.variations, a, b, layout)
                    variation += 1
                    before_comments += 1
            numbered = others > 0 or not ply
        n = text_kernels.write_blank(out, n, layout)
        score = g.scores[i]
        n = text_kernels.copy(out, n, _RESULTS, np.int64(_RESULT_ENDS[score]), np.int64(_RESULT_ENDS[score + 1]))
        n = text_kernels.end_line(out, n, layout)
        out[n] = np.uint8(_NEWLINE)
        n += 1
        ends[i - first] = np.int64(n)
    return np.int64(n)
