"""Compiled code that splits the text of a variation into tokens."""

from typing import Any

import numpy as np

from rookery.kernel import U64, array_of, entry
from rookery.pgn.scan.annotations import comment_end
from rookery.pgn.scan.lexing.signs import (
    BRACE,
    CLASS,
    ENDS,
    NEWLINE,
    blank_length,
    line_end,
    mark_length,
    past_newline,
    word_end,
)
from rookery.pgn.scan.lexing.split_tokens import (
    BRACKET,
    COMMENT,
    END,
    GLYPH,
    HEADER,
    KIND,
    LINE_COMMENT,
    MOVE,
    NUMBER,
    RESULT,
    SPACED,
    START,
    UNCLOSED,
)
from rookery.pgn.scan.lexing.tokens import nag_end, result_word
from rookery.pgn.scan.lexing.vocabulary import NO_RESULT
from rookery.pgn.scan.movetext import number_end

_OPEN, _CLOSE, _SEMICOLON, _PERCENT, _BRACKET_OPENS = b"();%["


@entry(examples=lambda: (array_of(np.uint8), 0, array_of(np.int32, 2)))
def split(text: Any, stop: Any, rows: Any) -> Any:
    """Write a row for each token of a variation's text, up to `stop`, and return their number.

    There must be a row for each byte. Up to 64 bytes after `stop` may be read.
    """
    i, end = U64(0), U64(stop)
    n = 0
    line_start, spaced = 0, 1
    while i < end:
        if line_start:
            line_start = 0
            i += mark_length(text, i, end)
            if i < end and U64(text[i]) == _PERCENT:
                i = line_end(text, i, end)
            if i >= end:
                break
            j = i
            while j < end and blank_length(text, j, end):
                j += blank_length(text, j, end)
            if j < end and U64(text[j]) == _BRACKET_OPENS:
                i = line_end(text, j, end)
                rows[n, KIND], rows[n, START], rows[n, END], rows[n, SPACED] = HEADER, j, i, 1
                n += 1
                continue
        c = U64(text[i])
        if CLASS[c] == NEWLINE:
            i = past_newline(text, i, end)
            line_start = spaced = 1
            continue
        blanks = blank_length(text, i, end)
        if blanks:
            i += blanks
            spaced = 1
            continue
        start, following = i, i
        kind = MOVE
        if CLASS[c] == BRACE:
            close, event, _ = comment_end(text, i + 1, end)
            start, kind = i + 1, COMMENT if close < end else UNCLOSED
            stop_here = close if close < end else event if event else end
            following = close + 1 if close < end else stop_here
        elif c == _SEMICOLON:
            start, kind = i + 1, LINE_COMMENT
            stop_here = following = line_end(text, i, end)
        elif c in (_OPEN, _CLOSE):
            kind = BRACKET
            stop_here = following = i + 1
        else:
            glyph, number = nag_end(text, i, end, 0), number_end(text, i, end, 0)
            result, result_end = result_word(text, i, end, 0)
            if glyph:
                kind, following = GLYPH, glyph
            elif number:
                kind, following = NUMBER, number
            elif result != NO_RESULT:
                kind, following = RESULT, result_end
            else:
                following = i + 1 if ENDS[c] else word_end(text, i, end, 0)
            stop_here = following
        rows[n, KIND], rows[n, START], rows[n, END], rows[n, SPACED] = kind, start, stop_here, spaced
        n += 1
        i = following
        spaced = 0
    return n
