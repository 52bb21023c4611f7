"""The compiled readers of characters, words and numbers, one call at a time, against what Python says of the text."""

import itertools
import re
from typing import Any

import numpy as np
import pytest

from rookery.pgn.scan.lexing import signs, tokens
from rookery.pgn.scan.lexing.vocabulary import NO_RESULT
from rookery.pgn.write import numerals

ENDS_OF_UTF8 = [0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF, 0xA0, 0xFF, 0x20AC, 0x1F600]
BLANKS = " \t\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2005\u200a\u2028\u2029\u202f\u205f\u3000"
NO_BLANKS = (
    "a0.{\x00\x08\x0e\x1b!\xa1\xbd\u167f\u1681\u1fff\u200b\u2010\u2027\u202e\u2030\u205e\u2060\u2fff\u3001\u20ac"
)


def array(text: bytes) -> Any:
    return np.frombuffer(text + bytes(80), np.uint8)


def length_of(text: bytes) -> int:
    """The bytes of the first character in UTF-8, or 1."""
    for n in range(1, 5):
        try:
            if len(text[:n].decode()) == 1 and n <= len(text):
                return n
        except UnicodeDecodeError:
            continue
    return 1


@pytest.mark.parametrize("code", ENDS_OF_UTF8)
def test_a_character_has_the_length_that_it_has_in_utf8(code: int) -> None:
    coded = chr(code).encode()
    for after in (b"", b"x", b"\x80", b"\xff"):
        text = coded + after
        assert signs.sign_length(array(text), 0, len(text)) == len(coded)
        assert signs.wide_sign(array(text), 0, len(text)) == int.from_bytes(coded, "big")
        assert signs.length_before(array(text), len(coded), 0) == len(coded)
    for cut in range(1, len(coded)):
        assert signs.sign_length(array(coded), 0, cut) == 1
    assert signs.length_before(array(b"ab" + coded), 2 + len(coded), 0) == len(coded)
    if len(coded) > 1:
        assert signs.length_before(array(b"ab" + coded), 2 + len(coded), 3) == 1  # it begins before the text does


FIRST = (
    0x7F,
    0x80,
    0xBF,
    0xC0,
    0xC1,
    0xC2,
    0xDF,
    0xE0,
    0xE1,
    0xEC,
    0xED,
    0xEE,
    0xEF,
    0xF0,
    0xF1,
    0xF3,
    0xF4,
    0xF5,
    0xFF,
)
LATER = (0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)


@pytest.mark.parametrize("first", FIRST)
def test_bytes_that_are_no_utf8_are_one_character_each(first: int) -> None:
    for later in itertools.product(LATER, (0x7F, 0x80, 0xBF, 0xC0), (0x7F, 0x80, 0xC0)):
        text = bytes((first, *later))
        assert signs.sign_length(array(text), 0, 4) == length_of(text), text.hex()


@pytest.mark.parametrize("blank", BLANKS)
def test_blanks(blank: str) -> None:
    for text in {blank.encode(), blank.encode("cp1252" if blank == "\xa0" else "utf-8")}:
        assert signs.blank_length(array(text), 0, len(text)) == len(text)
        assert signs.past_blanks(array(text + b" " + text + b"x"), 0, 2 * len(text) + 2) == 2 * len(text) + 1
        assert signs.past_blanks(array(text), 0, len(text)) == len(text)
        assert signs.is_end(array(b"e4" + text), 2, 2 + len(text), 0) == 1
        assert signs.word_end(array(b"e4" + text), 0, 2 + len(text), 0) == 2


@pytest.mark.parametrize("sign", NO_BLANKS)
def test_other_characters_are_no_blanks(sign: str) -> None:
    text = sign.encode()
    assert signs.blank_length(array(text), 0, len(text)) == 0
    assert signs.past_blanks(array(b"  " + text), 0, 2 + len(text)) == 2


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (b"\x1a", 1), (b"\x1a\n", 1), (b"\x1a \t\r", 3), (b"\x1a\x1a\n", 2), (b"\x1ax", 0), (b"\x1a \xc2\xa0\n", 4),
        (b"\x1a\xa0\n", 2), (b"\x1a\xc3\xa9", 0), (b"\x1a" + b" " * 63 + b"\n", 64), (b"\x1a" + b" " * 64 + b"\n", 65),
        (b"\x1a" + b" " * 65 + b"\n", 0), (b"\x1a\xe2\x80\x82\xe2\x80\x83", 7), (b"\x1a{", 0), (b"\x1a0", 0),
    ],
)  # fmt: skip
def test_a_ctrl_z_is_a_blank_at_the_end_of_a_line(text: bytes, end: int) -> None:
    assert signs.past_ctrl_z(array(text), 0, len(text)) == end
    assert signs.blank_length(array(text), 0, len(text)) == end


@pytest.mark.parametrize("lenient", [0, 1])
def test_where_words_end(lenient: int) -> None:
    for ends, characters in ((1, b" \t\r\n{}();$!?"), (0, b"abhzABZ0189-+#=*[]"), (lenient, b"\0")):
        for code in characters:
            word = b"e4" + bytes([code]) + b" "
            assert signs.is_end(array(word), 2, 3, lenient) == ends, word
            assert signs.is_end(array(word), 2, 2, lenient) == 1
            assert signs.word_end(array(word), 0, 4, lenient) == (2 if ends else 3), word
            assert signs.word_end(array(word), 2, 4, lenient) == 3  # a word has at least one character


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"", 0),
        (b"a", 0),
        (b"a\n", 1),
        (b"a\r\nb", 1),
        (b"\n\r", 2),
        (b"\r\r\n\n", 3),
        (b"\n\n\n", 3),
        (b"\r\n\r\n", 2),
    ],
)
@pytest.mark.parametrize("before", [0, 1, 61, 62, 63, 64, 126, 127, 128])
def test_lines_end_by_a_feed_a_return_or_both(text: bytes, lines: int, before: int) -> None:
    whole = b"x" * before + text
    assert signs.count_lines(array(whole + b"\n\r\n"), 0, len(whole)) == lines
    first = re.search(rb"[\r\n]", whole)
    assert signs.line_end(array(whole + b"\n"), 0, len(whole)) == (first.start() if first else len(whole))
    if first:
        stop = first.start()
        assert signs.past_newline(array(whole), stop, len(whole)) == stop + (
            2 if whole[stop:].startswith(b"\r\n") else 1
        )
    assert signs.past_newline(array(whole), len(whole), len(whole)) == len(whole)
    assert signs.past_newline(array(b"\r\n"), 0, 1) == 1


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 0), ("x", 0), ("\ufeff", 3), ("\ufeff\ufeffx", 6), ("\u00ef\u00bb\u00bf", 6),
        ("\u00ef\u00bb\u00bf\ufeff", 9),
        ("\u00ef\u00bb", 0), ("\u00ef\u00bbx", 0), ("\u00efx\u00bf", 0), ("\u00ee\u00bb\u00bf", 0), ("\ufefe", 0),
    ],
)  # fmt: skip
def test_byte_order_marks(text: str, length: int) -> None:
    coded = text.encode()
    assert signs.mark_length(array(coded), 0, len(coded)) == length
    if text.startswith("\u00ef") and length == 6:
        assert signs.mark_length(array(coded), 0, 5) == 0


@pytest.mark.parametrize(
    ("kind", "members", "others"),
    [
        (
            "wide_invisible",
            "\u00ad\u200b\u200c\u200f\u2060\ufeff\ufe0e\ufe0f",
            "\u200a\u2010\u2061\u205f\ufe0d\ufe10\u00ac",
        ),
        ("wide_glyph", "‼⁇⁈⁉", "\u203b\u203d\u2046\u204a"),
        ("wide_dash", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "\u200f\u2016\u2211\u2213\u00ad"),
    ],
)
def test_characters_with_a_meaning(kind: str, members: str, others: str) -> None:
    check = getattr(signs, kind)
    assert [check(int.from_bytes(sign.encode(), "big")) for sign in members] == [1] * len(members)
    assert [check(int.from_bytes(sign.encode(), "big")) for sign in others] == [0] * len(others)


def test_dashes_of_windows_1252() -> None:
    assert [signs.is_dash(array(sign), 0, 1) for sign in (b"-", b"\x96", b"\x97", b"\x95", b"\x98", b"_")] == [
        1,
        1,
        1,
        0,
        0,
        0,
    ]
    assert [signs.wide_invisible(code) for code in (0xAD, 0xAC, 0xAE)] == [1, 0, 0]
    for text, length in ((b"\x85", 1), ("…".encode(), 3), (b".", 0), (b"\x84", 0), ("‥".encode(), 0)):
        assert signs.ellipsis_length(array(text), 0, len(text)) == length


def test_invisible_characters_are_stepped_over() -> None:
    text = "\u200b\u00ad\ufeffx\u200b".encode()
    assert signs.past_invisible(array(text), 0, len(text)) == 8
    assert signs.past_invisible(array(text), 0, 3) == 3
    assert signs.past_invisible(array(b"x"), 0, 1) == 0


@pytest.mark.parametrize("left", [0, 1, 5, 63, 64, 65, 1000])
def test_the_lowest_bits_are_kept(left: int) -> None:
    assert signs.among((1 << 64) - 1, left) == (1 << min(left, 64)) - 1


# Words.

RESULTS = {"*": 0, "1-0": 1, "0-1": 2, "1/2": 3, "1/2-1/2": 3}


@pytest.mark.parametrize(
    "word", [*RESULTS, "1-1", "0-0", "1/2-1/3", "1/2-0", "*x", "1-0x", "1-", "1/2-1/2x", "2-0", "e4"]
)
def test_results(word: str) -> None:
    for after in (b"", b" ", b"\n", b")", b"{", b";"):
        text = word.encode() + after
        found, stop = tokens.result_word(array(text), 0, len(text), 0)
        assert found == RESULTS.get(word, NO_RESULT), text
        assert word not in RESULTS or stop == len(word)
    cut = word.encode()[:-1]
    assert (
        tokens.result_word(array(word.encode()), 0, len(cut), 0)[0] == RESULTS.get(cut.decode(), NO_RESULT) or not cut
    )


GLYPHS = {
    "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "‼": 3, "⁇": 4, "⁈": 6, "⁉": 5,
    "$0": 0, "$1": 1, "$14": 14, "$139": 139, "$255": 255, "$123456789": 123456789,
}  # fmt: skip


@pytest.mark.parametrize("glyph", GLYPHS)
def test_annotation_glyphs_are_numbers(glyph: str) -> None:
    for after in ("", " ", "\n", ")", " 7", "{"):
        text = (glyph + after).encode()
        stop = tokens.nag_end(array(text), 0, len(text), 1)
        assert stop == len(glyph.encode())
        assert tokens.nag_of(array(text), 0, int(stop)) == GLYPHS[glyph]
    assert tokens.nag_end(array(glyph.encode()), 0, len(glyph.encode()), 0) == (
        0 if glyph[0] in "‼⁇⁈⁉" else len(glyph.encode())
    )


@pytest.mark.parametrize("text", ["$", "$ ", "$x", "$1234567890", "$1x", "e4", "‽", "$1.", "#", "%"])
def test_what_is_not_an_annotation_glyph(text: str) -> None:
    assert tokens.nag_end(array(text.encode()), 0, len(text.encode()), 1) == 0


@pytest.mark.parametrize(
    ("text", "stop"), [("x", 0), (".", 1), ("...", 3), ("…", 3), (".… .", 4), (". ", 1), ("..e4", 2), ("\u2025", 0)]
)
def test_periods_behind_a_number(text: str, stop: int) -> None:
    coded = text.encode()
    assert tokens.past_points(array(coded), 0, len(coded)) == stop
    assert tokens.past_points(array(b"..."), 0, 2) == 2


@pytest.mark.parametrize(
    ("before", "begins"),
    [
        ("1-0\n\n", True), ("e4 1-0\r\n\r\n", True), ("0-1\n\n", True), ("1/2-1/2\n\n", True), ("1/2\n\n", True),
        ("*\n\n", True), ("\n*\n\n\n", True), ("1-0\n", False), ("1-0\n\n\n\n", False), ("x1-0\n\n", False),
        ("x*\n\n", False),
        ("1-1\n\n", False), ("; 1-0\n\n", False), (";\n1-0\n\n", True), ("e4\n\n", False), ("", False), ("\n\n", False),
        (";" + "x" * 197 + " *\n\n", False), (";" + "x" * 198 + " *\n\n", False), (";" + "x" * 199 + " *\n\n", True),
        ("a\t1-0\n\n", False), ("{1-0\n\n", False),
    ],
)  # fmt: skip
def test_an_event_after_a_result_and_an_empty_line_begins_a_game(before: str, begins: bool) -> None:
    for name, expected in (("[Event ", begins), ("[Site ", False), ("[Event\t", False), ("[Events", False)):
        text = (before + name).encode()
        assert bool(tokens.begins_game(array(text), len(before))) is expected, text


# Numbers that are written.


def written(write: Any, *values: Any) -> str:
    out = np.zeros(40, np.uint8)
    n = int(write(out, 3, *values))
    assert not out[:3].any()
    assert not out[n:].any()
    return bytes(out[3:n]).decode()


@pytest.mark.parametrize("value", [0, 1, 9, 10, 99, 100, 12345, 4_294_967_296])
@pytest.mark.parametrize("least", [0, 1, 2, 5])
def test_digits(value: int, least: int) -> None:
    assert written(numerals.write_digits, value, least) == f"{value:0{max(least, 1)}d}"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00:00"), (9, "0:00:09"), (59, "0:00:59"), (60, "0:01:00"), (599, "0:09:59"), (3599, "0:59:59"),
        (3600, "1:00:00"), (35999, "9:59:59"), (36000, "10:00:00"), (360000, "100:00:00"), (0.5, "0:00:00.5"),
        (0.1, "0:00:00.1"), (59.9, "0:00:59.9"), (7.25, "0:00:07.25"), (3.125, "0:00:03.125"), (90.05, "0:01:30.05"),
    ],
)  # fmt: skip
def test_times(seconds: float, text: str) -> None:
    assert written(numerals.write_time, np.float32(seconds)) == text


@pytest.mark.parametrize(
    ("pawns", "text"),
    [
        (0.0, "0.0"), (0.31, "0.31"), (-0.31, "-0.31"), (1.0, "1.0"), (-1.5, "-1.5"), (12.125, "12.125"),
        (499.0, "499.0"), (499.5, "499.5"), (500.0, "#500"), (500.5, "500.5"), (999.0, "#1"),
        (-997.0, "#-3"), (1000.0, "#0"),
        (1001.0, "1001.0"), (-1000.0, "#-0"), (-500.0, "#-500"), (1e-3, "0.001"), (-499.0, "-499.0"),
    ],
)  # fmt: skip
def test_evaluations(pawns: float, text: str) -> None:
    assert written(numerals.write_evaluation, np.float32(pawns)) == text
