"""The compiled readers of headers, one line or value at a time, against regular expressions, `datetime` and codecs."""

import datetime
import re
from typing import Any

import numpy as np
import pytest

from rookery.pgn.scan import output
from rookery.pgn.scan.headers import copying, headings, reading
from rookery.pgn.scan.lexing.vocabulary import ESCAPED, KNOWN, UNKNOWN

NO_VALUE = reading._NO_VALUE


def array(text: str | bytes) -> Any:
    coded = text if isinstance(text, bytes) else text.encode()
    return np.frombuffer(coded + bytes(80), np.uint8)


# Lines.

LINES = [
    '[White "Anna"]', '[White "Anna" ]', '[White  "Anna"]', '[White"Anna"]', '[ White "Anna"]', '[White "Anna"]  ',
    '[White ""]', '[White "An\\"na"]', '[White "An\\\\"]', '[White "An"na"]', '[White "An\\"]', '[White "An\\na"]',
    '[White "Anna"', '[White "Anna]', '[White Anna]', '[White]', '[]', '[', '["Anna"]', '[-White "Anna"]',
    '[Wh.te "Anna"]', '[9White "Anna"]', '[_White "Anna"]',
    '[White_9 "Anna"]', '[White-9 "Anna"]', '[White "Anna"] x', '[White "Anna"][Black "Bert"]', '[White "Anna"] "]',
    '[White "[Anna]"]', '[White "Anna" "Bert"]', '[WHITE "Anna"]', '[white "Anna"]', '[A "x"]', '[White\t"Anna"]',
    '[White "\u00c4nna"]', '[White\u00a0"Anna"]', '[Wh\u00eete "Anna"]', '[White "' + "x" * 45 + '"]',
    '[White "' + "x" * 54 + '"]',
    '[White "' + "x" * 55 + '"]', '[White "' + "x" * 56 + '"]', '[White "' + "x" * 130 + '"]',
    '[White "' + "x" * 62 + '\\"y"]',
    '[White "x\\', '[White "\\"', '[White "x\\"', '[White "] "]', '[White "]', '[White " ]',
]  # fmt: skip
_TAG = re.compile(r'\[\s*([A-Za-z0-9_][A-Za-z0-9_+#=:-]*)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_ODD = re.compile(r'\[\s*([A-Za-z0-9_][A-Za-z0-9_+#=:-]*)\s*"(.*)"\s*\]\s*$')


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_taken_apart(line: str) -> None:
    text = array(line)
    size = len(line.encode())
    tag = headings.tag_at(text, 0, size)
    found = _TAG.match(line) or _ODD.match(line)
    assert bool(tag.end) == (found is not None)
    if found:
        coded = line.encode()
        assert coded[int(tag.name) : int(tag.name_end)].decode() == found[1]
        assert coded[int(tag.value) : int(tag.value_end)].decode() == found[2]
        is_regular = _TAG.match(line) is not None
        assert bool(tag.escaped) == ("\\" in found[2] and is_regular)
        assert tag.end == (len(found[0].encode()) if is_regular else size)
    for following in ("\n", "\r\n", "\\", "x"):
        plain, known = headings.plain_tag(array(line + following + "[Black"), 0)
        if plain.end:
            assert following != "\\"
            assert tuple(plain) == tuple(tag)
            assert tag.end == size
            assert known == headings.number_of(text, tag.name, tag.name_end)
    usual = re.fullmatch(r'\[[A-Za-z]+ "[^"\\]*"\]', line) and size < 64
    assert bool(headings.plain_tag(array(line + "\n"), 0)[0].end) == bool(usual and found)


@pytest.mark.parametrize("name", KNOWN)
def test_known_names_have_their_places_as_numbers(name: str) -> None:
    for before in ("", "x"):
        text = array(f'{before}{name}zzz "')
        assert headings.number_of(text, len(before), len(before) + len(name)) == KNOWN.index(name)
    for other in (name[:-1], name + "s", name.swapcase(), name[:-1] + "~", "x" + name[1:]):
        expected = KNOWN.index(other) if other in KNOWN else UNKNOWN
        assert headings.number_of(array(other), 0, len(other)) == expected


@pytest.mark.parametrize("name", ["", "x", "Elo", "ABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOPQ", "E" * 40])
def test_other_names_are_unknown(name: str) -> None:
    assert headings.number_of(array(name), 0, len(name)) == UNKNOWN


def test_equal_stretches() -> None:
    text = array("abcabcabd")
    assert [headings.same(text, 0, 3, 3, 6), headings.same(text, 0, 3, 6, 9), headings.same(text, 0, 3, 3, 5)] == [
        1,
        0,
        0,
    ]
    assert [headings.same(text, 0, 0, 5, 5), headings.same(text, 0, 2, 6, 8), headings.same(text, 0, 1, 1, 2)] == [
        1,
        1,
        0,
    ]


# Numbers, dates, times.


@pytest.mark.parametrize(
    "text",
    ["0", "7", "42", "999", "1234", "54321", "123456", "7654321", "12345678", "00000001", "99999999", "90000000"],
)
def test_digits(text: str) -> None:
    assert reading._digits(array("x" + text + "9"), 1, 1 + len(text)) == int(text)


@pytest.mark.parametrize("text", ["", "123456789", "12a4", "-1", "/", ":", "1/", "1:", "1 ", " 1", "\x00", "1.5"])
def test_what_are_not_one_to_eight_digits(text: str) -> None:
    assert reading._digits(array(text), 0, len(text)) == -1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2850", 2850), ("+5", 5), ("-12", -12), ("0", 0), ("-0", 0), ("+0", 0), ("32767", 32767), ("-32767", -32767),
        ("32768", None), ("-32768", None), ("", None), ("+", None), ("-", None), ("--1", None), ("2850?", None),
        ("007", 7),
        ("1.5", None), ("00032767", 32767), ("000032767", None),
    ],
)  # fmt: skip
def test_numbers_of_16_bits(text: str, value: int | None) -> None:
    assert reading._number(array(text), 0, len(text)) == (NO_VALUE if value is None else value)


@pytest.mark.parametrize(
    ("text", "plain", "signed"),
    [
        ("5", 1, 0), ("+5", 0, 1), ("-5", 1, 1), ("0", 1, 0), ("+0", 0, 1), ("-0", 0, 0), ("05", 0, 0), ("+05", 0, 0),
        ("-05", 0, 0), ("10", 1, 0), ("+10", 0, 1), ("00", 0, 0),
    ],
)  # fmt: skip
def test_numbers_that_are_written_as_they_were(text: str, plain: int, signed: int) -> None:
    assert bool(reading._is_usual(array(text), 0, len(text), False)) == bool(plain)
    assert bool(reading._is_usual(array(text), 0, len(text), True)) == bool(signed)


DAYS = [
    (1, 1, 1), (1600, 2, 29), (1600, 3, 1), (1700, 2, 28), (1700, 3, 1), (1858, 11, 17), (1899, 12, 31),
    (1900, 3, 1), (1969, 12, 31),
    (1970, 1, 1), (1999, 12, 31), (2000, 2, 28), (2000, 2, 29), (2000, 3, 1), (2023, 2, 28), (2024, 2, 29),
    (2024, 12, 31),
    (2025, 4, 30), (2025, 5, 1), (2100, 2, 28), (2100, 3, 1), (9999, 12, 31),
]  # fmt: skip


@pytest.mark.parametrize(("year", "month", "day"), DAYS)
def test_days_are_those_of_the_calendar(year: int, month: int, day: int) -> None:
    number = (year * 100 + month) * 100 + day
    date = datetime.date(year, month, day)
    assert reading._day_of(np.int64(number)) == (date - datetime.date(1970, 1, 1)).days
    assert reading._date(array(date.strftime("%Y.%m.%d").rjust(10, "0")), 0, 10) == number
    for sign in "./-":
        text = sign.join((f"{year:04}", f"{month:02}", f"{day:02}"))
        assert reading.date_at(array(text), 0, 10) == number
    following = date + datetime.timedelta(1) if year < 9999 else date
    if following.month != month:
        assert reading._date(array(f"{year:04}.{month:02}.{day + 1:02}"), 0, 10) == -1
        assert reading.date_at(array(f"{year:04}.{month:02}.{day + 1:02}"), 0, 10) == number - day


@pytest.mark.parametrize("month", range(14))
def test_months_have_their_days(month: int) -> None:
    for year in (1900, 2000, 2023, 2024):
        try:
            days = (datetime.date(year + month // 12, month % 12 + 1, 1) - datetime.date(year, month, 1)).days
        except ValueError:
            days = 0
        assert reading._days_in(np.int64(year), np.int64(month)) == days


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1886.??.??", 18860000), ("1886.05.??", 18860500), ("????.??.??", 0), ("1886", 18860000),
        ("1886.05", 18860500),
        ("1886.5.1", 18860501), ("1886.13.01", 18860001), ("1886.05.32", 18860500), ("1886.02.29", 18860200),
        ("????.02.29", 229), ("????.02.30", 200), ("01.02.1886", 18860000), ("1.2.1886", 18860000),
        ("1886/05/01", 18860501),
        ("1886-05/01", 0), ("1886.05-01", 0), ("1886 . 05 . 01", 18860501), (" 1886.05.01 ", 18860501), ("x", 0),
        ("", 0),
        ("1886.x", 0), ("1886.05.x", 0), ("1886.05.01.", 0), ("1886.005.01", 0), ("1886,05,01", 0), ("188.05.01", 501),
        ("18866.05.01", 0), ("1886.", 0), ("1886.05.", 0), ("1886.??.01", 18860001), ("1886.0.0", 18860000),
    ],
)  # fmt: skip
def test_dates_that_are_known_in_part(text: str, date: int) -> None:
    assert reading.date_at(array(text), 0, len(text)) == date


@pytest.mark.parametrize(
    "text", ["2025-05-01", "2025.05-01", "2025.5.001", "2025.00.01", "2025.01.00", "2025.13.01", "????.05.01"]
)
def test_what_is_not_a_date_as_pgn_writes_it(text: str) -> None:
    assert reading._date(array(text), 0, 10) == -1


@pytest.mark.parametrize("date", [0, -1, 20250000, 20250500, 20250001, 501])
def test_a_date_that_is_not_known_has_no_day(date: int) -> None:
    assert reading._day_of(np.int64(date)) == NO_VALUE


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:00:00", 0), ("23:59:59", 86399), ("12:34:56", 45296), ("00:00:01", 1), ("01:00:00", 3600),
        ("00:01:00", 60),
        ("24:00:00", None), ("00:60:00", None), ("00:00:60", None), ("1:00:00", None), ("00:00:000", None),
        ("00.00:00", None),
        ("00:00.00", None), ("xx:00:00", None), ("00:xx:00", None), ("00:00:xx", None), ("", None),
    ],
)  # fmt: skip
def test_times_of_day(text: str, seconds: int | None) -> None:
    assert reading._time(array(text), 0, len(text)) == (NO_VALUE if seconds is None else seconds)


# Copies.


def read_as(text: bytes) -> str:
    """A text in UTF-8, or byte by byte in Windows-1252 where it is not."""
    found, i = "", 0
    while i < len(text):
        for n in (1, 2, 3, 4):
            try:
                sign = text[i : i + n].decode()
            except UnicodeDecodeError:
                continue
            break
        else:
            sign, n = text[i : i + 1].decode("cp1252"), 1
        found, i = found + sign, i + n
    return found


COPIED = [
    b"", b"a", b"Anna",
    b"x" * 63, b"x" * 64, b"x" * 65, b"x" * 200, "Zoë".encode(), "Zoë".encode("cp1252"), "♔".encode(), "😀".encode(),
    b"\x80\x99\xff", b"x" * 63 + "é".encode(), b"x" * 64 + b"\xe9" + b"y" * 70, b'An\\"na', b"An\\\\na",
    b"An\\na", b"An\\",
    b"\\\\\\\\", b'\\"\\"', b"\xc3", b"\xe2\x99", "é".encode() + b"\xe9",
]  # fmt: skip


@pytest.mark.parametrize("text", COPIED)
@pytest.mark.parametrize("escaped", [0, ESCAPED])
def test_texts_are_copied_as_utf8(text: bytes, escaped: int) -> None:
    expected = read_as(text)
    if escaped:
        expected = re.sub(r'\\([\\"])', r"\1", expected)
    for before in (0, 5):
        out = np.zeros(3 * len(text) + 80, np.uint8)
        n = int(copying.copy_text(array(b"ab" + text + b"zz"), 2, 2 + len(text), int(escaped), out, before))
        assert bytes(out[before:n]).decode() == expected
        assert not out[:before].any()


def test_values_are_copied_one_after_the_other() -> None:
    text = b'[White "Anna"][Black "B\\"rt"][Round "1"]'
    tags = np.array([[1, 6, 8, 12, 0], [15, 20, 22, 27, ESCAPED], [30, 35, 37, 38, 0]], np.int32)
    for column, wanted in ((0, ["Black", "", "White"]), (2, ['B"rt', "", "Anna"])):
        out, offsets = np.zeros(200, np.uint8), np.zeros(4, np.int64)
        size = copying.copy_values.function(array(text), tags, np.array([1, -1, 0]), column, out, offsets)
        assert size == offsets[3] == len("".join(wanted))
        assert [bytes(out[offsets[i] : offsets[i + 1]]).decode() for i in range(3)] == wanted


def test_the_first_tag_of_a_name_is_found() -> None:
    text = b'[Foo "1"][Bar "2"][Foo "3"][Fop "4"][Fo "5"]'
    starts = [text.index(b"Foo"), text.index(b"Bar"), text.rindex(b"Foo"), text.index(b"Fop"), text.rindex(b"Fo ")]
    ends = [start + length for start, length in zip(starts, (3, 3, 3, 3, 2), strict=True)]
    tags = np.zeros((5, 5), np.int32)
    tags[:, 0], tags[:, 1] = starts, ends
    first = output.FIRST_TAG
    games = np.zeros((3, first + 1), np.int64)
    games[:, first] = 0, 3, 5
    for name, expected in ((b"Foo", [0, -1, -1]), (b"Bar", [1, -1, -1]), (b"Fop", [-1, 3, -1]), (b"Fo", [-1, 4, -1])):
        out = np.full(3, 7, np.int64)
        copying.rows_named.function(array(text), tags, games, 5, np.frombuffer(name, np.uint8), out)
        assert out.tolist() == expected


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("\n\n[", 2),
        ("\r\n \r\n[", 5),
        ("\r\r[", 2),
        ("  x", 0),
        ("\n  x", 1),
        ("", 0),
        (" ", 0),
        ("\r", 0),
        ("\n\r", 1),
        ("\t\n\t", 2),
    ],
)
def test_the_empty_lines_behind_a_game(text: str, end: int) -> None:
    games = np.zeros((1, output.STOPS + 1), np.int64)
    games[0, output.STOPS] = 3
    ends = np.array([3 + len(text)], np.int64)
    copying.past_blank_lines.function(array("1-0" + text), games, ends)
    assert ends.tolist() == [3 + end]
