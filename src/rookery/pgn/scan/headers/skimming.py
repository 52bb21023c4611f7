"""Compiled code that reads headers alone."""

from typing import Any

import numpy as np

from rookery.kernel import U64, Word, array_of, entry, kernel, popcount, trailing_zeros, where_byte, word_at
from rookery.pgn.scan import output
from rookery.pgn.scan.headers.headings import number_of, tag_at
from rookery.pgn.scan.lexing.signs import BLANK, CLASS, line_end, past_newline
from rookery.pgn.scan.lexing.tokens import begins_game
from rookery.pgn.scan.lexing.vocabulary import NAME_END, NAME_START, NUMBER, SLOTS, UNKNOWN, VALUE_END, VALUE_START

_EVENT = int.from_bytes(b"[Event ", "little")
_SEVEN_BYTES = (1 << 56) - 1
_LF, _CR, _BRACKET, _SPACE, _QUOTE = b'\n\r[ "'


@kernel
def _next_cut(text: Any, i: Word, stop: Word) -> tuple[Word, Any]:
    """Return where the next game certainly begins, or `stop`, and whether no line before it may be a header."""
    plain = True
    while i < stop:
        found = where_byte(text, i, _LF) | where_byte(text, i, _CR)
        base = i
        while found:
            i = base + trailing_zeros(found) + 1
            found &= found - 1
            if i >= stop:
                return stop, plain
            c = U64(text[i])
            if c == _BRACKET:
                if begins_game(text, i):
                    return i, plain
                plain = False
            elif c >= 0x80 or CLASS[c] == BLANK:
                plain = False
        i = base + 64
    return stop, plain


@entry(
    examples=lambda: (
        array_of(np.uint8),
        0,
        array_of(np.bool_),
        array_of(np.int64, 2),
        array_of(np.bool_),
        array_of(np.int64, 2),
        array_of(np.int32, 2),
        array_of(np.int32, 2),
    )
)
def skim(text: Any, stop: Any, wanted: Any, stretches: Any, plain: Any, games: Any, slots: Any, tags: Any) -> Any:
    """Find the stretches of a text up to `stop`, with those of their headers whose numbers are `wanted`.

    Return the number of stretches, or 0 if there was no room. Row n of `games` has the number of headers before stretch
    n; there is a row for all stretches and one more. Up to 64 bytes after `stop` may be read.
    """
    n, rows = 0, 0
    i, end = 0, U64(stop)
    while i < end:
        if n >= stretches.shape[0]:
            return 0
        first = rows
        for k in range(SLOTS):
            slots[n, k] = 0
        is_plain = word_at(text, i) & _SEVEN_BYTES == _EVENT
        j = i
        while is_plain and j < end and U64(text[j]) == _BRACKET:
            line = line_end(text, j, end)
            known = UNKNOWN
            # Nearly all lines are like this: [Name "value"]
            blank = where_byte(text, j, _SPACE)
            name_end = j + trailing_zeros(blank) if blank else line
            if name_end < line:
                known = number_of(text, j + 1, name_end)
            quotes = where_byte(text, j, _QUOTE) & ((1 << (line - j)) - 1)
            if wanted[known] or line - j >= 64 or popcount(quotes) != 2:
                tag = tag_at(text, j, line)
                if not tag.end or tag.end != line:
                    is_plain = False
                    break
                known = number_of(text, tag.name, tag.name_end)
                if wanted[known] and (known == UNKNOWN or not slots[n, known]):
                    if rows >= tags.shape[0]:
                        return 0
                    if known != UNKNOWN:
                        slots[n, known] = np.int32(rows - first + 1)
                    tags[rows, NAME_START] = np.int32(tag.name)
                    tags[rows, NAME_END] = np.int32(tag.name_end)
                    tags[rows, VALUE_START] = np.int32(tag.value)
                    tags[rows, VALUE_END] = np.int32(tag.value_end)
                    tags[rows, NUMBER] = np.int32(known | tag.escaped)
                    rows += 1
            elif U64(text[line - 1]) != 93 or U64(text[line - 2]) != _QUOTE:
                is_plain = False
                break
            j = past_newline(text, line, end)
        # From the end of the line before, so that a header that follows is seen.
        j = j - 1 if j > i else i
        cut, nothing_else = _next_cut(text, j, end)
        stretches[n, 0], stretches[n, 1] = np.int64(i), np.int64(cut)
        plain[n] = is_plain and nothing_else
        games[n, output.FIRST_TAG] = first
        n += 1
        i = cut
    games[n, output.FIRST_TAG] = rows
    return n
