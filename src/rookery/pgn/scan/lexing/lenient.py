"""Words that are no moves, read leniently: what of them only annotates. `words` has them.

Nothing here is called before the strict reader has found a fault.
"""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, Word, kernel
from rookery.pgn.scan.headers.headings import place_among
from rookery.pgn.scan.lexing.signs import CLASS, NEWLINE, bytes_that, line_end, mark_length, past_blanks, past_newline
from rookery.pgn.scan.lexing.vocabulary import ANNOTATIONS, GLUED_RESULTS, packed
from rookery.pgn.scan.output import ANNOTATION, COMMENT_REST, NO_WARNING, STRAY_BRACE
from rookery.rules.attack_tables import KNIGHT_MOVES
from rookery.rules.notation.san_spelling import LONGEST
from rookery.rules.position import Position

_PLUS, _HASH, _CLOSE, _PERCENT, _N, _X, _A, _DIGIT_1, _O, _MINUS = b"+#}%Nxa1o-"
_CASE = 32


def _as_bytes(words: tuple[str, ...]) -> list[bytes]:
    """Return the words in UTF-8, and in Windows-1252 where they can be and that differs."""
    coded = [word.encode() for word in words]
    others = {word: word.encode("cp1252", "ignore") for word in words if not word.isascii()}
    return coded + [other for word, other in others.items() if len(other) == len(word)]


_ANNOTATIONS: Final = _as_bytes(ANNOTATIONS)
_NUMBER_OF_ANNOTATIONS = len(_ANNOTATIONS)
_WORDS, _WORD_ENDS = packed((*_ANNOTATIONS, *_as_bytes(GLUED_RESULTS)))


def _stops() -> Any:
    """Return a table: 1 for each byte that may begin a move or another token, so that it ends a stray comment."""
    table = np.zeros(256, np.uint8)
    table[list(b"0123456789*[@{();\x00")] = 1
    return table


_STOPS: Final = _stops()
_OF_SQUARES: Final = bytes_that("[a-h1-8x]")  # what a move names squares with


@kernel
def _may_follow(text: Any, i: Word, stop: Word, end: Word, results: Word) -> Word:
    """Check for an annotation or, if `results`, a result from `i` to `end`; check signs begin at `stop`."""
    if i >= stop:
        return 1
    among = U64(_WORD_ENDS.size - 1) if results else _NUMBER_OF_ANNOTATIONS
    for n in range(2):
        k = place_among(text, i, end if n else stop, _WORDS, _WORD_ENDS, 0)
        if k < (among if n else _NUMBER_OF_ANNOTATIONS):
            return 1
    return 0


@kernel
def _check_signs(text: Any, i: Word, end: Word) -> Word:
    """Return where the check signs at the end of a word begin."""
    while end > i and (U64(text[end - 1]) == _PLUS or U64(text[end - 1]) == _HASH):
        end -= 1
    return end


@kernel
def is_annotation(text: Any, end: Word) -> Word:
    """Check whether the bytes before `end` are a word that annotates."""
    return _may_follow(text, 0, _check_signs(text, 0, end), end, 0)


@kernel
def split_before(text: Any, i: Word, at: Word, end: Word) -> Word:
    """Return the last place before `at` where a word may be split into a move and what follows it, or 0.

    The word is from `i` to `end`. An annotation or a result may follow a move.
    """
    stop = _check_signs(text, i, end)
    if at - i > LONGEST:
        at = i + LONGEST + 1
    while at > i + 2:
        at -= 1
        if _may_follow(text, at, stop, end, 1):
            return at
    return 0


@kernel
def _knight_follows(text: Any, i: Word, end: Word, p: Position) -> Word:
    """Check whether the N before `i` may begin the next move: one of the knights attacks the square named there."""
    i = past_blanks(text, i, end)
    if i >= end or (U64(text[i]) - _A > 7 and U64(text[i]) != _X):
        return 0
    found: Word = 0
    sq: Word = 0
    while i < end and _OF_SQUARES[text[i]]:
        f, r = U64(text[i]) - _A, U64(text[i + 1]) - _DIGIT_1
        if i + 1 < end and f <= 7 and r <= 7:
            found, sq = 1, r << 3 | f
        i += 1
    return 1 if found and KNIGHT_MOVES[sq] & p.knights & p.us else 0


@kernel
def _rest_of_comment(text: Any, i: Word, end: Word) -> Word:
    """Return the place after the stray closing brace that ends the words at `i`, or 0 if one could be a move."""
    while i < end:
        c = U64(text[i])
        if c == _CLOSE:
            while i < end and U64(text[i]) == _CLOSE:
                i += 1
            return i
        if _STOPS[c]:
            return 0
        if CLASS[c] == NEWLINE:
            i = past_newline(text, i, end)
            i += mark_length(text, i, end)
            if i < end and U64(text[i]) == _PERCENT:
                i = line_end(text, i, end)
                continue
            i = past_blanks(text, i, end)
            if i >= end or CLASS[text[i]] == NEWLINE:
                return 0
            continue
        if i + 1 < end and U64(text[i + 1]) == _MINUS:
            castles = i + 2 < end and c | _CASE == _O and U64(text[i + 2]) | _CASE == _O
            if c == _MINUS or castles:
                return 0
        i += 1
    return 0


@kernel
def stepped_over(text: Any, i: Word, j: Word, end: Word, nested: Word, plies: Word, over: Word, p: Position) -> Any:
    """Return why the word from `i` to `j`, which is not a move, may be skipped, or `NO_WARNING`, and where it ends.

    `nested` is 0, or one more than the plies before the last comment that has a brace in it: a stray brace may be the
    end of that comment, and what is before the brace no moves. `over` is whether the game has its result.
    """
    c = U64(text[i])
    just_ended = nested == plies + 1 and not over
    if c == _CLOSE:
        while j < end and U64(text[j]) == _CLOSE:
            j += 1
        return U64(NO_WARNING if nested and not just_ended else STRAY_BRACE), j
    if _may_follow(text, i, _check_signs(text, i, j), j, 0):
        knight = j == i + 1 and c == _N and not over and _knight_follows(text, j, end, p)
        return U64(NO_WARNING if knight else ANNOTATION), j
    if just_ended:
        k = _rest_of_comment(text, i, end)
        if k:
            return U64(COMMENT_REST), k
    return U64(NO_WARNING), j
