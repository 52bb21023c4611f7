r"""CSV as RFC 4180 describes it: rows whose fields may have line breaks, and texts that no spreadsheet runs.

A field that begins with a quote ends with one. In between, two quotes stand for one, and delimiters and line breaks are
part of the text. A quote anywhere else is an ordinary character. So a row may take several lines, and where a row
begins depends on all quotes before it: `Splitter` finds the rows of a file from its beginning on.

A quote that is not closed would make one row of the rest of the file. So a row that does not end within `LONGEST`
bytes, or before the end of the file, ends with its first line: it cannot be read, and the next row begins on the next
line.

Spreadsheets run a field that begins with ``=`` or ``@``, and some skip a tab or a carriage return before it. Such a
text is written with an apostrophe in front, which spreadsheets do not show, and read without it. A text that begins
with apostrophes and then such a character gets one more, so that every text is read back as it was. Numbers and texts
that begin with ``-`` or ``+`` are written as they are: they are common in chess, as in ``Round "-"``.
"""

import csv
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

LONGEST: Final = 1 << 20  # bytes of a row
UNCLOSED: Final = f"a quote that is not closed: the row ends neither within {LONGEST:,} bytes nor in the file"
LINE_TOO_LONG: Final = f"a line of more than {LONGEST:,} bytes"
SHOWN: Final = 1_000  # characters of a row that cannot be read
DELIMITERS: Final = (",", "\t", ";")  # those that are recognised

_NEWLINE, _QUOTE = b'\n"'
_FIRST_PIECE: Final = 4096
_KEPT: Final = 4_000  # bytes of a line that is too long
_MARK: Final = b"\xef\xbb\xbf"
_RUN: Final = re.compile("'*[=@\t\r]")


class Rows(NamedTuple):
    """Whole rows of a text.

    `start` is the place of `data` in the text, and `ends` are the places in `data` behind each row and its line break.
    `lines` are the numbers of the lines that the rows begin on, and `height` is the number of lines that all rows take.
    `bad` says why rows cannot be read, by their index. Of a line that is too long, `data` has the beginning.
    """

    start: int
    data: bytes
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]
    height: int
    bad: dict[int, str]

    def texts(self) -> list[bytes]:
        """Return the text of each row, without its line break."""
        places = [0, *self.ends.tolist()]
        return [self.data[a:b].removesuffix(b"\n").removesuffix(b"\r") for a, b in itertools.pairwise(places)]


class Splitter:
    r"""Splits a text into rows, piece by piece; without a delimiter, into lines.

    >>> splitter = Splitter(",")
    >>> [rows.texts() for rows in splitter.blocks([b'a,"b\nc"\nd,', b'e\n"f\n', b'g"'])]
    [[b'a,"b\nc"'], [b'd,e'], [b'"f\ng"']]
    """

    def __init__(self, delimiter: str | None) -> None:
        """Prepare to split a text that begins with the first byte of a row."""
        self._quoted: re.Pattern[bytes] | None = None
        self._before = np.isin(np.arange(256), list(f'{delimiter}\n"'.encode()))  # characters before a field
        if delimiter is not None:  # a field that begins with a quote, and the quote that ends it
            before = re.escape(f"{delimiter}\n".encode())
            self._quoted = re.compile(rb"(?:\A|(?<=[" + before + rb']))"[^"]*(?:""[^"]*)*("?)')
        self._line = 1
        self._place = 0

    def blocks(self, chunks: Iterable[Any]) -> Iterator[Rows]:
        """Yield the rows of a text that comes in chunks; a byte order mark at its beginning is left out."""
        rest, begins = b"", True
        long = b""  # the beginning of a line that is too long
        for chunk in chunks:
            data = rest + bytes(chunk)
            if begins:
                if len(data) < len(_MARK):
                    rest = data
                    continue
                self._place = len(_MARK) if data.startswith(_MARK) else 0
                data, begins = data.removeprefix(_MARK), False
            if long:
                end = data.find(b"\n") + 1
                self._place += end or len(data)
                if not end:
                    continue
                yield self._long_line(long)
                data, long = data[end:], b""
            rows = self._rows(data, final=False)
            rest = data[len(rows.data) :]
            if rows.ends.size:
                yield rows
            if len(rest) > LONGEST and b"\n" not in rest:
                self._place += len(rest)
                long, rest = rest[:_KEPT], b""
        if long:
            yield self._long_line(long)
        if rest:
            yield self._rows(rest, final=True)

    def _long_line(self, beginning: bytes) -> Rows:
        """Return a line that is too long as a row."""
        self._line += 1
        ends, lines = np.array([len(beginning)], np.int64), np.array([self._line - 1], np.int64)
        return Rows(self._place, beginning, ends, lines, 1, {0: LINE_TOO_LONG})

    def _rows(self, data: bytes, *, final: bool) -> Rows:
        """Return the whole rows at the beginning of a text; if it is `final`, nothing follows."""
        breaks = np.flatnonzero(np.frombuffer(data, np.uint8) == _NEWLINE)
        ends, bad = self._row_ends(data, breaks, final)
        stop = int(ends[-1]) if ends.size else 0
        lines = self._line + np.arange(ends.size)
        if ends.size < breaks.size:  # some rows take several lines
            lines[1:] = self._line + np.searchsorted(breaks, ends[:-1])
        reasons = {int(np.searchsorted(ends, place, "right")): reason for place, reason in bad.items()}
        feeds = int(np.searchsorted(breaks, stop))
        ends_within = stop > 0 and not (feeds and breaks[feeds - 1] == stop - 1)
        rows = Rows(self._place, data[:stop], ends, lines, feeds + ends_within, reasons)
        self._line += feeds
        self._place += stop
        return rows

    def _row_ends(
        self, data: bytes, breaks: NDArray[np.int64], final: bool
    ) -> tuple[NDArray[np.int64], dict[int, str]]:
        """Return the places behind whole rows, and why rows that begin at some places cannot be read."""
        bad: dict[int, str] = {}
        ends, place = np.zeros(0, np.int64), 0
        while True:
            found, opened = self._outside_quotes(data, breaks[np.searchsorted(breaks, place) :], place)
            ends = np.append(ends, found + 1)
            if final and opened == len(data) and (not ends.size or ends[-1] < len(data)):
                ends = np.append(ends, len(data))
            ends, begin, is_long = _up_to_long_row(data, ends, bad)
            if not is_long and (begin == len(data) or (not final and len(data) - begin <= LONGEST)):
                return ends, bad
            place = data.find(b"\n", begin) + 1
            if not place and not final:
                return ends, bad  # which is too long
            # The row ends with its first line, also if a field before has line breaks.
            bad[begin] = UNCLOSED
            ends = np.append(ends, place or len(data))
            if not place:
                return ends, bad

    def _outside_quotes(self, data: bytes, breaks: NDArray[np.int64], place: int) -> tuple[NDArray[np.int64], int]:
        """Return which line breaks from a place on are outside quotes, and where a quote begins that stays open.

        A row begins at the place. Line breaks behind the open quote are left out. Without one its place is the end.
        """
        if self._quoted is None or data.find(b'"', place) < 0:
            return breaks, len(data)
        if (quick := self._by_parity(np.frombuffer(data, np.uint8), breaks, place)) is not None:
            return quick
        fields: list[tuple[int, int]] = []  # those with line breaks
        for found in self._quoted.finditer(data, place):
            if not found[1]:
                return _outside(breaks[: np.searchsorted(breaks, found.start())], fields), found.start()
            if b"\n" in found[0]:
                fields.append(found.span())
        return _outside(breaks, fields), len(data)

    def _by_parity(
        self, data: NDArray[np.uint8], breaks: NDArray[np.int64], place: int
    ) -> tuple[NDArray[np.int64], int] | None:
        """Return the same if the first quote, the third, and so on begin a field or follow a quote; else None.

        Then these open, and the others close: this needs no loop. What follows a closing quote has no quotes.
        """
        quotes = place + np.flatnonzero(data[place:] == _QUOTE)
        opening, closing = quotes[::2], quotes[1::2]
        if not self._before[data[opening[opening > place] - 1]].all():
            return None
        opened = data.size
        if opening.size > closing.size:  # the last field began where no quote is in front of an opening one
            is_first = np.append(True, data[opening[1:] - 1] != _QUOTE)
            opened = int(opening[np.flatnonzero(is_first)[-1]])
        return breaks[np.searchsorted(quotes, breaks) % 2 == 0], opened


def _up_to_long_row(data: bytes, ends: NDArray[np.int64], bad: dict[int, str]) -> tuple[NDArray[np.int64], int, bool]:
    """Return the ends of rows up to the first one of several lines that is too long, where it begins, and True.

    Rows of one line that are too long become `bad`. If there is no other, the place is behind all rows, with False.
    """
    starts = np.append(0, ends[:-1])
    for i in np.flatnonzero(ends - starts > LONGEST + 1).tolist() if ends.size else ():
        begin = int(starts[i])
        if data.find(b"\n", begin, int(ends[i]) - 1) >= 0:
            return ends[:i], begin, True
        bad[begin] = LINE_TOO_LONG
    return ends, int(ends[-1]) if ends.size else 0, False


def _outside(breaks: NDArray[np.int64], fields: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """Return the line breaks that are in none of the fields."""
    if not fields:
        return breaks
    starts, stops = np.array(fields, np.int64).T
    inside = np.searchsorted(starts, breaks, "right") > np.searchsorted(stops, breaks, "right")
    return breaks[~inside]


class Row(NamedTuple):
    """A row: the line that it begins on, from 1, its fields, its text, and why it cannot be read, or ""."""

    line: int
    fields: list[str]
    text: str
    reason: str = ""


def rows_of(chunks: Iterable[Any], delimiter: str) -> Iterator[Row]:
    r"""Yield the rows of a text that comes in chunks. An empty line has no fields.

    Bytes that are not UTF-8 are escaped.

    >>> for row in rows_of([b"one,two\n", b'"a\nb",\'=1+1\n\n"c'], ","):
    ...     print(row.line, row.fields, row.reason[:26] or "good")
    1 ['one', 'two'] good
    2 ['a\nb', '=1+1'] good
    4 [] good
    5 [] a quote that is not closed
    """
    for rows in Splitter(delimiter).blocks(chunks):
        texts, lines = _decoded(rows), rows.lines.tolist()
        if rows.bad:
            yield from _single_rows(rows, lines, texts, delimiter)
            continue
        read = csv.reader(texts, delimiter=delimiter)
        try:
            for line, text, fields in zip(lines, texts, read, strict=True):
                yield Row(line, [as_it_was(field) for field in fields] if "'" in text else fields, text)
        except csv.Error:
            yield from _single_rows(rows, lines[read.line_num - 1 :], texts[read.line_num - 1 :], delimiter)


def _decoded(rows: Rows) -> list[str]:
    """Return the texts of rows. Bytes that are not UTF-8 are escaped."""
    if rows.ends.size < rows.height:  # some rows take several lines
        return [text.decode("utf-8", "backslashreplace") for text in rows.texts()]
    texts = rows.data.removesuffix(b"\n").decode("utf-8", "backslashreplace").split("\n")
    return [text.removesuffix("\r") for text in texts] if b"\r" in rows.data else texts


def _single_rows(rows: Rows, lines: list[int], texts: list[str], delimiter: str) -> Iterator[Row]:
    """Yield the last rows of a block, some of which cannot be read."""
    first = len(rows.lines) - len(lines)
    for i, (line, text) in enumerate(zip(lines, texts, strict=True), first):
        if i in rows.bad:
            yield Row(line, [], text[:SHOWN], rows.bad[i])
            continue
        try:
            (fields,) = csv.reader([text], delimiter=delimiter)
            yield Row(line, [as_it_was(field) for field in fields], text)
        except csv.Error as error:
            yield Row(line, [], text[:SHOWN], str(error))


def first_row(text: bytes, delimiter: str) -> bytes:
    r"""Return the first row of a text, with its line break.

    >>> first_row(b'fen,"a\nb"\n8/8,x\n', ",")
    b'fen,"a\nb"\n'
    """
    rows = next(Splitter(delimiter).blocks(_growing_pieces(text)), None)
    return b"" if rows is None else text[: rows.start + int(rows.ends[0])]


def _growing_pieces(text: bytes) -> Iterator[bytes]:
    """Yield a text in pieces, each as long as all before it: its first row is usually in the first."""
    start, stop = 0, _FIRST_PIECE
    while start < len(text):
        yield text[start:stop]
        start, stop = stop, 2 * stop


def starts_of_rows(chunks: Iterable[Any], delimiter: str) -> Iterator[NDArray[np.int64]]:
    r"""Yield the places where rows of a text begin, some at once.

    >>> [starts.tolist() for starts in starts_of_rows([b'a\n"b\n', b'b"\nc'], ",")]
    [[0], [2], [8]]
    """
    for rows in Splitter(delimiter).blocks(chunks):
        yield rows.start + np.append(0, rows.ends[:-1])


def places_between_rows(chunks: Iterable[Any], delimiter: str, size: int) -> Iterator[int]:
    r"""Yield places where a row of a text begins, at least `size` bytes apart, to divide it there.

    >>> list(places_between_rows([b'a\n"b\n', b'b"\nc\nd\n'], ",", 3))
    [8]
    """
    last = 0
    for starts in starts_of_rows(chunks, delimiter):
        while (i := int(np.searchsorted(starts, last + size))) < starts.size:
            last = int(starts[i])
            yield last


# Texts that a spreadsheet would run.


def harmless(text: str) -> str:
    r"""Return a text as it is written, so that no spreadsheet runs it.

    >>> harmless("=1+1")
    "'=1+1"
    >>> harmless("-1")
    '-1'
    """
    return f"'{text}" if _RUN.match(text) else text


def as_it_was(text: str) -> str:
    """Return the text that `harmless` was given.

    >>> as_it_was("'=1+1")
    '=1+1'
    >>> as_it_was("'tis")
    "'tis"
    """
    return text[1:] if text[:1] == "'" and _RUN.match(text, 1) else text


class Writer:
    r"""Writes rows of CSV as UTF-8 to a file that is open for writing bytes. None is an empty field.

    >>> import io
    >>> file = io.BytesIO()
    >>> Writer(file).row(["a", None, "=b", 'c"d\r'])
    >>> file.getvalue()
    b'a,,\'=b,"c""d\r"\n'
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        # With "\r\n" at the end of a row, the module puts texts that have a carriage return in quotes.
        self._writer = csv.writer(self, lineterminator="\r\n")

    def write(self, row: str) -> None:
        """Write the text of a row: the module `csv` calls this."""
        self._file.write(row[:-2].encode() + b"\n")

    def row(self, values: Iterable[Any]) -> None:
        """Write a row."""
        self._writer.writerow([harmless(value) if isinstance(value, str) else value for value in values])

    def rows(self, rows: Iterable[Iterable[Any]]) -> None:
        """Write several rows."""
        for row in rows:
            self.row(row)
