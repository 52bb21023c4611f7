"""Bounds of rows of CSV, compared with a walk through the text, character by character."""

import io
import itertools
from collections.abc import Iterable

import pytest

from rookery.sources import csv_text
from rookery.sources.csv_text import (
    LINE_TOO_LONG,
    UNCLOSED,
    Row,
    Splitter,
    Writer,
    as_it_was,
    first_row,
    harmless,
    places_between_rows,
    rows_of,
    starts_of_rows,
)

Found = tuple[int, int, int, str]  # where a row begins and ends, its line, and why it is bad


def end_of_row(text: str, begin: int) -> int | None:
    """Return the place behind a row and its line break; None if a quote stays open."""
    is_quoted, is_first, i = False, True, begin
    while i < len(text):
        sign = text[i]
        if is_quoted:
            if text[i : i + 2] == '""':
                i += 1
            elif sign == '"':
                is_quoted = False
        elif sign == '"' and is_first:
            is_quoted = True
        elif sign == "\n":
            return i + 1
        is_first = sign == "," and not is_quoted
        i += 1
    return None if is_quoted else len(text)


def rows_by_definition(text: str) -> list[Found]:
    rows, begin, line = [], 0, 1
    while begin < len(text):
        end, reason = end_of_row(text, begin), ""
        if end is None:
            end, reason = text.find("\n", begin) + 1 or len(text), UNCLOSED
        rows.append((begin, end, line, reason))
        line += text.count("\n", begin, end)
        begin = end
    return rows


def rows_in(chunks: Iterable[bytes], delimiter: str = ",") -> list[Found]:
    found, place, height = [], None, 0
    for rows in Splitter(delimiter).blocks(chunks):
        begin = rows.start
        assert place in (None, begin)
        for i, (end, line) in enumerate(zip(rows.ends.tolist(), rows.lines.tolist(), strict=True)):
            found.append((begin, rows.start + end, line, rows.bad.get(i, "")))
            begin = rows.start + end
        place = rows.start + len(rows.data)
        height += rows.height
    last = found[-1] if found else None
    assert last is None or height >= last[2]
    return found


SHORT = ["".join(signs) for n in range(6) for signs in itertools.product('",a\n', repeat=n)]


@pytest.mark.parametrize("piece", [1, 2, 100])
def test_rows_of_all_short_texts(piece: int) -> None:
    for text in SHORT:
        data = text.encode()
        chunks = [data[i : i + piece] for i in range(0, len(data), piece)]
        assert rows_in(chunks) == rows_by_definition(text), repr(text)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("beginning", ["", "x,y\n", '"a\nb",', "é,"])
def test_rows_of_texts_of_fields(beginning: str, end: str) -> None:
    fields = ('"a"', '"a""b"', '"p\nq"', "r", '"', 'u"', '"v"w', '""')
    for some in itertools.product(fields, repeat=2):
        text = beginning + f",{some[1]}{end}".join(("", some[0], "z"))
        by_signs = rows_by_definition(text.encode().decode("latin-1"))
        assert rows_in([text.encode()]) == by_signs, repr(text)


def test_a_mark_is_left_out() -> None:
    mark = b"\xef\xbb\xbf"
    for n in range(5):
        text = mark + b"a,b\n"
        assert [row.fields for row in rows_of([text[:n], text[n:]], ",")] == [["a", "b"]]
    assert [starts.tolist() for starts in starts_of_rows([mark + b"a\nb\n"], ",")] == [[3, 5]]
    assert [starts.tolist() for starts in starts_of_rows([b"a"], ",")] == [[0]]
    assert [starts.tolist() for starts in starts_of_rows([b"a", b"\nb\n", b"c"], ",")] == [[0, 2], [4]]
    assert list(rows_of([mark], ",")) == []
    assert list(rows_of([], ",")) == []
    assert [row.fields for row in rows_of([b"x\n" + mark + b"a"], ",")] == [["x"], ["\ufeffa"]]


def test_lines_and_heights_of_blocks() -> None:
    blocks = list(Splitter(",").blocks([b'a\n"b\n', b'c"\nd\n\ne', b'f\n"g\nh"']))
    assert [rows.start for rows in blocks] == [0, 2, 11, 14]
    assert [rows.data for rows in blocks] == [b"a\n", b'"b\nc"\nd\n\n', b"ef\n", b'"g\nh"']
    assert [rows.ends.tolist() for rows in blocks] == [[2], [6, 8, 9], [3], [5]]
    assert [rows.lines.tolist() for rows in blocks] == [[1], [2, 4, 5], [6], [7]]
    assert [rows.height for rows in blocks] == [1, 4, 1, 2]
    assert [rows.texts() for rows in blocks] == [[b"a"], [b'"b\nc"', b"d", b""], [b"ef"], [b'"g\nh"']]
    assert all(rows.bad == {} for rows in blocks)


def test_texts_without_their_line_breaks() -> None:
    (rows,) = Splitter(None).blocks([b"a\r\n\r\nb\r\r\nc\n"])
    assert rows.texts() == [b"a", b"", b"b\r", b"c"]


def test_rows_that_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_text, "LONGEST", 20)
    exact, long = b"x" * 20 + b"\n", b"y" * 21 + b"\n"
    for size in (1, 7, 21, 22, 100):
        data = b"a\n" + exact + long + exact + b"b\n"
        chunks = [data[i : i + size] for i in range(0, len(data), size)]
        found = list(rows_of(chunks, ","))
        assert [(row.line, row.reason) for row in found] == [(1, ""), (2, ""), (3, LINE_TOO_LONG), (4, ""), (5, "")]
        assert found[2].fields == []
        assert (b"y" * 21).startswith(found[2].text.encode())
    quoted, too_long = b'"' + b"x\n" * 9 + b'"\n', b'"' + b"xy\n" * 7 + b'"\n'
    assert (len(quoted), len(too_long)) == (21, 24)
    for size in (1, 5, 21, 22, 100):
        data = quoted + too_long + b"b\n"
        chunks = [data[i : i + size] for i in range(0, len(data), size)]
        found = list(rows_of(chunks, ","))
        assert (found[0].line, found[0].reason, found[0].text) == (1, "", quoted.decode()[:-1])
        assert (found[1].line, found[1].reason, found[1].text) == (11, UNCLOSED, '"xy')
        assert [row.text for row in found[2:8]] == ["xy"] * 6


def test_a_line_of_several_chunks_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_text, "LONGEST", 20)
    monkeypatch.setattr(csv_text, "_KEPT", 4)
    chunks = [b"a\n01234567", b"8901234567890123", b"0123", b"4567\nb\n", b"c"]
    blocks = list(Splitter(",").blocks(chunks))
    assert [rows.data for rows in blocks] == [b"a\n", b"0123", b"b\n", b"c"]
    assert [rows.bad for rows in blocks] == [{}, {0: LINE_TOO_LONG}, {}, {}]
    assert [rows.lines.tolist() for rows in blocks] == [[1], [2], [3], [4]]
    assert [rows.height for rows in blocks] == [1, 1, 1, 1]
    assert [rows.ends.tolist() for rows in blocks] == [[2], [4], [2], [1]]
    place = b"".join(chunks).index(b"b\n")
    assert [blocks[i].start for i in (0, 2, 3)] == [0, place, place + 2]
    blocks = list(Splitter(",").blocks([*chunks[:3], b"45"]))  # it is the last one
    assert [rows.data for rows in blocks] == [b"a\n", b"0123"]
    assert blocks[-1].bad == {0: LINE_TOO_LONG}


def test_the_longest_line() -> None:
    longest = b"x" * (1 << 20) + b"\n"
    blocks = list(Splitter(None).blocks([longest, longest[:-2], b"xx", b"x\n"]))
    assert [rows.data for rows in blocks] == [longest, b"x" * 4_000]
    assert [rows.bad for rows in blocks] == [{}, {0: LINE_TOO_LONG}]


def test_a_long_row_goes_on_in_the_next_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_text, "LONGEST", 20)
    chunks = [b"abcdefg\n" * 3 + b'"a\nb\n', b'c"\nd\n']
    assert [row.text for row in rows_of(chunks, ",")] == ["abcdefg"] * 3 + ['"a\nb\nc"', "d"]
    rows = list(rows_of([b"x" * 1_500 + b"\ny\n"], ","))
    assert [(row.text, row.reason) for row in rows] == [("x" * 1_000, LINE_TOO_LONG), ("y", "")]


def test_lines_with_quotes() -> None:
    (rows,) = Splitter(None).blocks([b'a\n"b\nc"\n'])
    assert rows.texts() == [b"a", b'"b', b'c"']


def test_the_fields_of_rows() -> None:
    text = b'a,\'=b\n\n"c\nd","e""f"\r\n\xff,\'\'@x\n"g'
    assert list(rows_of([text], ",")) == [
        Row(1, ["a", "=b"], "a,'=b"),
        Row(2, [], ""),
        Row(3, ["c\nd", 'e"f'], '"c\nd","e""f"'),
        Row(5, ["\\xff", "'@x"], "\\xff,''@x"),
        Row(6, [], '"g', UNCLOSED),
    ]
    assert list(rows_of([b"'=a\t'x\ty\n", b"z\r\n"], "\t")) == [
        Row(1, ["=a", "'x", "y"], "'=a\t'x\ty"),
        Row(2, ["z"], "z"),
    ]


def test_rows_that_the_module_refuses() -> None:
    long = b"x" * 140_000  # more than a field of the module `csv` may have
    rows = list(rows_of([b"a,b\n" + long + b"\nc,d\n\n"], ","))
    assert [(row.line, row.fields) for row in rows] == [(1, ["a", "b"]), (2, []), (3, ["c", "d"]), (4, [])]
    assert [row.reason for row in rows] == ["", "field larger than field limit (131072)", "", ""]
    assert rows[1].text == "x" * 1_000
    rows = list(rows_of([b"a,b\nc,'=d\n" + long + b"\ne,'=f\n"], ","))
    assert [row.fields for row in rows] == [["a", "b"], ["c", "=d"], [], ["e", "=f"]]
    assert [row.line for row in rows] == [1, 2, 3, 4]


@pytest.mark.parametrize("size", [1, 4095, 4096, 4097, 8192, 9000, 20_000])
def test_the_first_row_of_a_long_text(size: int) -> None:
    first = b'"' + b"x" * size + b'\n"\n'
    for text in (first, first + b"b,c\n"):
        assert first_row(text, ",") == first
    assert first_row(b"", ",") == b""
    assert first_row(b"a;b", ";") == b"a;b"
    assert first_row(b"\xef\xbb\xbfa\nb\n", ",") == b"\xef\xbb\xbfa\n"


def test_places_at_least_so_far_apart() -> None:
    text = b"abc\n" * 25  # a row every four bytes
    assert list(places_between_rows([text], ",", 4)) == list(range(4, 100, 4))
    assert list(places_between_rows([text], ",", 5)) == list(range(8, 100, 8))
    assert list(places_between_rows([text], ",", 8)) == list(range(8, 100, 8))
    assert list(places_between_rows([text[i : i + 10] for i in range(0, 100, 10)], ",", 30)) == [32, 64, 96]
    assert list(places_between_rows([text], ",", 97)) == []


def test_texts_that_a_spreadsheet_runs() -> None:
    pairs = {"=a": "'=a", "'=a": "''=a", "@": "'@", "\tb": "'\tb", "\r": "'\r", "''@": "'''@"}
    for text, safe in pairs.items():
        assert harmless(text) == safe
        assert as_it_was(safe) == text
    for text in ("", "a", "-1", "+1", "'", "'a", "a=", "''", " =a"):
        assert harmless(text) == text
        assert as_it_was(text) == text


def test_written_rows() -> None:
    file = io.BytesIO()
    writer = Writer(file)
    writer.row(["é", 'a"b', None, 1, "x\ny", "=c"])
    writer.rows([["a", "b"], [2, "\r"]])
    assert file.getvalue().decode() == 'é,"a""b",,1,"x\ny",\'=c\na,b\n2,"\'\r"\n'
