"""The compiled reader: a block of PGN into arrays, every move checked for legality.

`rookery.read_pgn` and `rookery.pgn.read` both read with it. Numbers, plain moves and clocks as Lichess writes them are
recognised by words of eight bytes (`rookery.pgn.scan.plain`). Everything else, and everything near the end of a text,
is read token by token:

    game      = line...
    line      = "" | "%" ... | tag... | token...      rookery.pgn.scan.lines
    token     = comment | glyph | number | "(" | ")" | result | move      rookery.pgn.scan.movetext
"""

from typing import Any

import numpy as np

from rookery.kernel import U64, Word, array_of, entry, kernel
from rookery.pgn.scan import output
from rookery.pgn.scan.comments import NO_COMMENT
from rookery.pgn.scan.headers.of_game import result_of_header, start_position, usual_start
from rookery.pgn.scan.lexing.vocabulary import MOST_WARNINGS, SLOTS
from rookery.pgn.scan.lines import (
    CUT_SHORT,
    GAME_ENDS,
    MOVE,
    MOVES_BEGIN,
    UNUSED,
    Reading,
    ends_at,
    is_over,
    past_moves,
    read_line,
    take,
)
from rookery.pgn.scan.movetext import read_token
from rookery.pgn.scan.output import Output
from rookery.pgn.scan.plain import NEAR, plain_moves
from rookery.pgn.scan.read_moves import read_move
from rookery.pgn.scan.reporting import fault
from rookery.rules.compiled import default_technique

# What `_read_game` found.
_NO_GAME, _INCOMPLETE, _GAME = range(3)


@kernel
def _begin_game(state: Any, out: Output) -> None:
    """Begin a game at the place of the reader."""
    g: Word = state.games
    state.game = g
    state.start = state.place
    state.first_ply, state.first_tag = state.plies, state.tags
    state.first_nag, state.first_comment, state.first_variation = state.nags, state.comments, state.variations
    state.begun = state.in_moves = state.depth = state.has_variations = 0
    state.nested_comment = state.open_comment = 0
    state.skips_moves = state.fault = state.game_warnings = state.short_times = state.doubtful_score = 0
    state.after_blank_line = 1
    state.behind_result = state.after_result
    state.result = UNUSED
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
    if is_empty and not is_over(state) and not state.has_variations:
        state.in_moves = 0  # the fault is that of the whole game, not of its moves
        fault(state, output.NO_GAME, state.start, state.start + 1)
    marked = is_over(state)
    stated = result_of_header(r.text, r.out, state)
    row = r.out.games[state.game]
    row[output.BEGINS] = np.int64(state.start)
    row[output.STOPS] = np.int64(state.place)
    row[output.FIRST_PLY] = np.int64(state.first_ply)
    row[output.FIRST_TAG] = np.int64(state.first_tag)
    row[output.FIRST_NAG] = np.int64(state.first_nag)
    row[output.FIRST_COMMENT] = np.int64(state.first_comment)
    row[output.FIRST_VARIATION] = np.int64(state.first_variation)
    row[output.SCORE] = np.int64(stated if stated else state.result if marked else 0)
    row[output.FAULT_CODE] = np.int64(state.fault)
    row[output.FAULT_FROM] = np.int64(state.fault_start)
    row[output.FAULT_TO] = np.int64(state.fault_end)
    row[output.FAULT_PLY] = state.fault_ply
    row[output.OF_RANGE] = np.int64(state.range)
    bits = U64(output.HAS_RESULT if marked else 0)
    bits |= output.SAME_LINE if marked and state.on_line_of_result else 0
    bits |= output.OPEN_COMMENT if state.open_comment else 0
    row[output.MARKED] = np.int64(bits | (output.AT_LINE if state.line_start else 0))


@kernel
def _read_game(r: Reading) -> Word:
    """Read the game at the place of the reader.

    Return `_GAME`, `_NO_GAME` if the text ends before one begins, or `_INCOMPLETE` if it ends inside one.
    """
    text, end = r.text, r.end
    state = r.scratch.state[0]
    _begin_game(state, r.out)
    p = usual_start()
    in_english = 0 if r.want >> output.LANGUAGE_SHIFT else 1
    while True:
        is_plain = state.in_moves and not (state.line_start | state.after_blank_line | state.depth | state.skips_moves)
        if is_plain and in_english and not is_over(state):
            p = plain_moves(text, end, p, r.want, r.out, state, r.tables)
        if state.place + NEAR > end:
            if not r.final:
                return _INCOMPLETE
            if state.place >= end:
                break
        following = read_line(r) if state.line_start else read_token(r)
        if following == MOVE:
            following, p = read_move(r, p)
        if following == MOVES_BEGIN:
            take(state, state.place)
            if r.want & output.NO_MOVES:
                stop = past_moves(text, state.place, end)
                if stop >= end and not r.final:
                    return _INCOMPLETE
                ends_at(state, stop)
                break
            p, state.skips_moves = start_position(text, r.out, r.scratch, r.lenient, r.tables)
            state.in_moves = 1
        elif following == GAME_ENDS:
            break
        elif following == CUT_SHORT:
            return _INCOMPLETE
    if not state.begun:
        return _NO_GAME
    _end_game(r)
    return _GAME


@entry(
    examples=lambda: (
        *(array_of(np.uint8), array_of(np.int64, 2), U64(0)),
        *output.examples(),
        default_technique().tables(),
    )
)
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
        if found == _GAME:
            state.after_result = state.on_line_of_result if is_over(state) else 0
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
        state.games_of_range = state.after_result = 0
        if state.range < U64(ranges.shape[0]):
            state.place = U64(ranges[state.range, 0])
            state.line_start = 1
    return 0
