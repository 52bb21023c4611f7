"""Compiled code that copies values of headers out of a text, as UTF-8, and finds the rows of headers."""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, Word, array_of, copy_64, entry, kernel
from rookery.pgn.scan.headers.values import GROWTH, SPARE
from rookery.pgn.scan.lexing.signs import BLANK, CLASS, NEWLINE, among, count_lines, sign_length
from rookery.pgn.scan.lexing.vocabulary import (
    ESCAPED,
    NAME_END,
    NAME_START,
    NUMBER,
    ODD_VALUE,
    VALUE_END,
    VALUE_START,
    WINDOWS_1252,
)
from rookery.pgn.scan.output import FIRST_TAG, STOPS

_BACKSLASH, _QUOTE, _LF, _CR = b'\\"\n\r'
_NUMBER_BITS: Final = int(ESCAPED) - 1
_ODD: Final = int(ODD_VALUE)


def _utf_8() -> Any:
    """Return the UTF-8 of each byte of Windows-1252: its length, and its bytes."""
    table = np.zeros((256, 1 + GROWTH), np.uint8)
    for byte, sign in enumerate(WINDOWS_1252):
        code = sign.encode()
        table[byte, : 1 + len(code)] = (len(code), *code)
    return table


_UTF_8: Final = _utf_8()


@kernel
def copy_text(text: Any, i: Word, end: Word, escaped: Word, out: Any, n: Word) -> Word:
    """Copy a stretch to ``out[n]`` and on, as UTF-8; return where it ends there.

    It grows to at most `GROWTH` times its length. Some bytes after its end are overwritten.
    """
    # 64 bytes at once, as long as all is ASCII.
    while not escaped and i < end:
        others = among(copy_64(text, i, out, n), end - i)
        if others:
            break
        step = min(end - i, SPARE)
        i += step
        n += step
    while i < end:
        c = U64(text[i])
        if escaped and c == _BACKSLASH and i + 1 < end:
            d = U64(text[i + 1])
            if d in (_BACKSLASH, _QUOTE):
                i += 1
                c = d
        length = sign_length(text, i, end)
        if length == 1 and c >= 0x80:
            for k in range(_UTF_8[c, 0]):
                out[n + U64(k)] = _UTF_8[c, k + 1]
            n += U64(_UTF_8[c, 0])
            i += 1
            continue
        for k in range(length):
            out[n + U64(k)] = text[i + U64(k)]
        n += length
        i += length
    return n


@entry(
    examples=lambda: (
        array_of(np.uint8),
        array_of(np.int32, 2),
        array_of(np.int64),
        0,
        array_of(np.uint8),
        array_of(np.int64),
    )
)
def copy_values(text: Any, tags: Any, rows: Any, column: Any, out: Any, offsets: Any) -> Any:
    """Copy names (column 0) or values (column 2) of tags to `out`, and where each ends to `offsets`.

    `out` must have room. Nothing is copied for a row below 0. Return the total length.
    """
    n = 0
    for i in range(rows.size):
        row = rows[i]
        if row >= 0:
            escaped = U64(tags[row, NUMBER]) & ESCAPED if column else 0
            n = copy_text(text, U64(tags[row, column]), U64(tags[row, column + 1]), escaped, out, n)
        offsets[i + 1] = np.int64(n)
    return n


@entry(
    examples=lambda: (
        array_of(np.uint8),
        array_of(np.int32, 2),
        array_of(np.int32, 2),
        array_of(np.int64, 2),
        array_of(np.int64),
        array_of(np.uint8),
        array_of(np.int64, 2),
        array_of(np.int64, 2),
        array_of(np.bool_, 2),
    )
)
def copy_columns(
    text: Any, tags: Any, slots: Any, games: Any, numbers: Any, out: Any, ends: Any, offsets: Any, valid: Any
) -> None:
    """Copy the values of several known headers to `out`, header by header, each with room for its longest form.

    `offsets` and `valid` have a row for each header; `ends` holds where its texts begin and end in `out`. The loop goes
    game by game, because the tags of a game are close together: header by header it took four times as long.
    """
    for k in range(numbers.size):
        ends[k, 1] = 0
    for i in range(games.shape[0]):
        for k in range(numbers.size):
            slot = np.int64(slots[i, numbers[k]])
            if slot > 0:
                row = games[i, FIRST_TAG] + slot - 1
                ends[k, 1] += GROWTH * np.int64(tags[row, VALUE_END] - tags[row, VALUE_START])
    begin = np.int64(0)
    for k in range(numbers.size):
        room = ends[k, 1]
        ends[k, 0] = ends[k, 1] = begin
        offsets[k, 0] = 0
        begin += room + SPARE
    for i in range(games.shape[0]):
        for k in range(numbers.size):
            slot = np.int64(slots[i, numbers[k]])
            valid[k, i] = slot > 0
            if slot > 0:
                row = games[i, FIRST_TAG] + slot - 1
                escaped = U64(tags[row, NUMBER]) & ESCAPED
                start, end = U64(tags[row, VALUE_START]), U64(tags[row, VALUE_END])
                ends[k, 1] = np.int64(copy_text(text, start, end, escaped, out, U64(ends[k, 1])))
            offsets[k, i + 1] = ends[k, 1] - ends[k, 0]


@entry(
    examples=lambda: (
        array_of(np.uint8),
        array_of(np.int32),
        array_of(np.int32),
        array_of(np.uint8),
        array_of(np.int64),
    )
)
def copy_stretches(text: Any, starts: Any, ends: Any, out: Any, offsets: Any) -> Any:
    """Copy stretches of the text in the same way."""
    n = 0
    for i in range(starts.size):
        n = copy_text(text, U64(starts[i]), U64(ends[i]), 0, out, n)
        offsets[i + 1] = np.int64(n)
    return n


@entry(
    examples=lambda: (
        array_of(np.int32, 2),
        array_of(np.int32, 2),
        array_of(np.int64, 2),
        0,
        array_of(np.int64),
        array_of(np.int64),
        array_of(np.bool_, 2),
        array_of(np.int64),
    )
)
def other_tags(tags: Any, slots: Any, games: Any, last: Any, others: Any, how: Any, written: Any, out: Any) -> Any:
    """Write to `out` the rows of tags that no column reproduces, and return their number.

    Tags with a column come first, in its order. `others` is the number of such tags of each game. `how` has a value for
    each known name, and one for all unknown ones: the row of `written` for names whose column reproduces some values,
    -1 if the column reproduces all, -2 if there is no column. A result that is none of PGN's four is among them, too.
    `last` is the number of all tags.
    """
    n = 0
    for i in range(games.shape[0]):
        if not others[i]:
            continue
        first = games[i, FIRST_TAG]
        stop = games[i + 1, FIRST_TAG] if i + 1 < games.shape[0] else last
        for number in range(how.size - 1):
            if how[number] >= 0 and slots[i, number] > 0 and not written[how[number], i]:
                out[n] = first + slots[i, number] - 1
                n += 1
        for row in range(first, stop):
            if how[tags[row, NUMBER] & _NUMBER_BITS] == -2 or tags[row, NUMBER] & _ODD:
                out[n] = row
                n += 1
    return n


@entry(
    examples=lambda: (
        array_of(np.uint8),
        array_of(np.int32, 2),
        array_of(np.int64, 2),
        0,
        array_of(np.uint8),
        array_of(np.int64),
    )
)
def rows_named(text: Any, tags: Any, games: Any, last: Any, name: Any, out: Any) -> None:
    """Write each game's row of the tag with a given name, or -1. `last` is the number of all tags."""
    for i in range(out.size):
        out[i] = -1
        stop = games[i + 1, FIRST_TAG] if i + 1 < out.size else last
        for row in range(games[i, FIRST_TAG], stop):
            start = U64(tags[row, NAME_START])
            if out[i] >= 0 or U64(tags[row, NAME_END]) - start != U64(name.size):
                continue
            equal = True
            for k in range(name.size):
                equal = equal and text[start + U64(k)] == name[k]
            if equal:
                out[i] = row


@entry(examples=lambda: (array_of(np.uint8), array_of(np.int64, 2), array_of(np.int64)))
def past_blank_lines(text: Any, games: Any, ends: Any) -> None:
    """Move each end back to where the empty lines that follow its game end."""
    for k in range(ends.size):
        end = i = games[k, STOPS]
        while i < ends[k] and (CLASS[text[i]] == NEWLINE or CLASS[text[i]] == BLANK):
            c = U64(text[i])
            i += 1
            # A carriage return and a line feed are one; the line feed may come with the next block.
            if c == _LF or (c == _CR and i < ends[k] and U64(text[i]) != _LF):
                end = i
        ends[k] = end


@entry(examples=lambda: (array_of(np.uint8), 0, 0))
def lines_in(text: Any, start: Any, end: Any) -> Any:
    """Return the number of lines that end from `start` on and before `end`."""
    return count_lines(text, U64(start), U64(end))
