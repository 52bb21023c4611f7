"""Moves in movetext: words that are moves as PGN or print writes them, and words that only annotate."""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, Word, cold_kernel, kernel
from rookery.pgn.scan import output
from rookery.pgn.scan.comments import NO_COMMENT
from rookery.pgn.scan.lexing.lenient import is_annotation, split_before, stepped_over
from rookery.pgn.scan.lexing.printed import OTHERWISE, capture_by_files, respelled, with_promotion
from rookery.pgn.scan.lexing.signs import (
    CLASS,
    DIGIT,
    ENDS,
    word_end,
)
from rookery.pgn.scan.lexing.tokens import result_word
from rookery.pgn.scan.lexing.vocabulary import NO_RESULT
from rookery.pgn.scan.lines import CUT_SHORT, GAME_ENDS, GOES_ON, Reading, is_over
from rookery.pgn.scan.reporting import fault, warn, warn_of_word
from rookery.pgn.scan.result_tokens import CUT, DRAW, spaced_result, take_result
from rookery.rules.generate import checkers_of
from rookery.rules.notation.san_reader import REFUSED, legal_move
from rookery.rules.notation.san_spelling import NO_MOVE, NULL, SMALL_O, parse_move_text
from rookery.rules.position import Position, make, passed

_BRACE_END, _STAR = b"}*"
UNREAD: Final = 99  # a word that is not respelled


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
        spaced = spaced_result(text, i, word.stop, end, r.final) if score == DRAW else 0
        if spaced == CUT:
            return U64(CUT_SHORT), p
        return take_result(r, score, spaced if spaced else word.stop, 1), p
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
