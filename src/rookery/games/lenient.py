"""Words that are no moves, read leniently: what of them only annotates. `rookery.rules.pgn_lenient` has the words.

Nothing here is called before the strict reader has found a fault.
"""

from typing import Any, Final

import numpy as np

from rookery.games.output import ANNOTATION, COMMENT_REST, NO_WARNING, STRAY_BRACE
from rookery.games.signs import CLASS, NEWLINE, bytes_that, line_end, mark_length, past_blanks, past_newline
from rookery.games.tags import packed, place_among
from rookery.kernel import ONE, U64, ZERO, Word, kernel
from rookery.rules.generate import KNIGHT_MOVES
from rookery.rules.pgn_lenient import ANNOTATIONS, GLUED_RESULTS
from rookery.rules.position import Position
from rookery.rules.san_spelling import LONGEST

_PLUS, _HASH, _CLOSE, _PERCENT, _N, _X, _A, _DIGIT_1, _O, _MINUS = (U64(ord(c)) for c in "+#}%Nxa1o-")
_TWO, _SEVEN, _CASE = U64(2), U64(7), U64(32)


def _as_bytes(words: tuple[str, ...]) -> list[bytes]:
    """Return the words in UTF-8, and in Windows-1252 where they can be and that differs."""
    coded = [word.encode() for word in words]
    others = {word: word.encode("cp1252", "ignore") for word in words if not word.isascii()}
    return coded + [other for word, other in others.items() if len(other) == len(word)]


_ANNOTATIONS: Final = _as_bytes(ANNOTATIONS)
_NUMBER_OF_ANNOTATIONS = U64(len(_ANNOTATIONS))
_WORDS, _WORD_ENDS = packed((*_ANNOTATIONS, *_as_bytes(GLUED_RESULTS)))


def _stops() -> Any:
    """1 for each byte that the rest of a comment may not hold: it could be a move, or begin something else."""
    table = np.zeros(256, np.uint8)
    table[list(b"0123456789*[@{();\x00")] = 1
    return table


_STOPS: Final = _stops()
_OF_SQUARES: Final = bytes_that("[a-h1-8x]")  # what a move names squares with


@kernel
def _may_follow(text: Any, i: Word, stop: Word, end: Word, results: Word) -> Word:
    """Whether the bytes from `i` to `end` are an annotation; or a result, if `results`. Check signs begin at `stop`."""
    if i >= stop:
        return ONE
    among = U64(_WORD_ENDS.size - 1) if results else _NUMBER_OF_ANNOTATIONS
    for n in range(2):
        k = place_among(text, i, end if n else stop, _WORDS, _WORD_ENDS, ZERO)
        if k < (among if n else _NUMBER_OF_ANNOTATIONS):
            return ONE
    return ZERO


@kernel
def _check_signs(text: Any, i: Word, end: Word) -> Word:
    """Where the check signs begin with which a word ends."""
    while end > i and (U64(text[end - ONE]) == _PLUS or U64(text[end - ONE]) == _HASH):
        end -= ONE
    return end


@kernel
def split_before(text: Any, i: Word, at: Word, end: Word) -> Word:
    """The last place before `at` where the word from `i` to `end` may be split into a move and what follows it; or 0.

    What follows a move is an annotation or a result.
    """
    stop = _check_signs(text, i, end)
    if at - i > LONGEST:
        at = i + LONGEST + ONE
    while at > i + _TWO:
        at -= ONE
        if _may_follow(text, at, stop, end, ONE):
            return at
    return ZERO


@kernel
def _knight_follows(text: Any, i: Word, end: Word, p: Position) -> Word:
    """Whether the N that ends at `i` may belong to the next word: one of the knights attacks the square it names."""
    i = past_blanks(text, i, end)
    if i >= end or (U64(text[i]) - _A > _SEVEN and U64(text[i]) != _X):
        return ZERO
    found, sq = ZERO, ZERO
    while i < end and _OF_SQUARES[text[i]]:
        f, r = U64(text[i]) - _A, U64(text[i + ONE]) - _DIGIT_1
        if i + ONE < end and f <= _SEVEN and r <= _SEVEN:
            found, sq = ONE, r << U64(3) | f
        i += ONE
    return ONE if found and KNIGHT_MOVES[sq] & p.knights & p.us else ZERO


@kernel
def _rest_of_comment(text: Any, i: Word, end: Word) -> Word:
    """Behind the stray closing brace that ends the words from `i` on, if nothing among them can be a move; else 0."""
    while i < end:
        c = U64(text[i])
        if c == _CLOSE:
            while i < end and U64(text[i]) == _CLOSE:
                i += ONE
            return i
        if _STOPS[c]:
            return ZERO
        if CLASS[c] == NEWLINE:
            i = past_newline(text, i, end)
            i += mark_length(text, i, end)
            if i < end and U64(text[i]) == _PERCENT:
                i = line_end(text, i, end)
                continue
            i = past_blanks(text, i, end)
            if i >= end or CLASS[text[i]] == NEWLINE:
                return ZERO
            continue
        if i + ONE < end and U64(text[i + ONE]) == _MINUS:
            castles = i + _TWO < end and c | _CASE == _O and U64(text[i + _TWO]) | _CASE == _O
            if c == _MINUS or castles:
                return ZERO
        i += ONE
    return ZERO


@kernel
def stepped_over(text: Any, i: Word, j: Word, end: Word, nested: Word, plies: Word, over: Word, p: Position) -> Any:
    """Why the word from `i` to `j`, which is no move, may be stepped over, or `NO_WARNING`; and where it ends.

    `nested` is 0, or one more than the plies before the last comment that has a brace in it: a stray brace may be the
    end of that comment, and what is before the brace no moves. `over` is whether the game has its result.
    """
    c = U64(text[i])
    just_ended = nested == plies + ONE and not over
    if c == _CLOSE:
        while j < end and U64(text[j]) == _CLOSE:
            j += ONE
        return U64(NO_WARNING if nested and not just_ended else STRAY_BRACE), j
    if _may_follow(text, i, _check_signs(text, i, j), j, ZERO):
        knight = j == i + ONE and c == _N and not over and _knight_follows(text, j, end, p)
        return U64(NO_WARNING if knight else ANNOTATION), j
    if just_ended:
        k = _rest_of_comment(text, i, end)
        if k:
            return U64(COMMENT_REST), k
    return U64(NO_WARNING), j
