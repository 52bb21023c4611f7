"""Tokens of expressions, and errors that point to them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.positions.language.tokens import Token, number_of, refuse, text_of, tokens_of


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", "end"),
        (" \t\n ", "end"),
        ("us.pawns", "name:us sign:. name:pawns end"),
        ("`Time Control`", "name:`Time_Control` end"),
        ("größe_2", "name:größe_2 end"),
        ("0xff 0XFF 0x_f 1_000", "number:0xff number:0XFF number:0x_f number:1_000 end"),
        ("1.5 .5 5. 1e3 1E-3", "number:1.5 number:.5 number:5. number:1e3 number:1E-3 end"),
        ("2025-05-01 2025.05.01", "date:2025-05-01 date:2025.05.01 end"),
        ("12:00:00", "time:12:00:00 end"),
        (r"""'a\'b' "c'd" """, r"""text:'a\'b' text:"c'd" end"""),
        ("a<=b!=c<>d", "name:a sign:<= name:b sign:!= name:c sign:<> name:d end"),
        ("a//b&&c||d", "name:a sign:// name:b sign:&& name:c sign:|| name:d end"),
        ("~a^b|c&d%e", "sign:~ name:a sign:^ name:b sign:| name:c sign:& name:d sign:% name:e end"),
    ],
)  # fmt: skip
def test_tokens(text: str, kinds: str) -> None:
    tokens = list(tokens_of(text, "query"))
    written = " ".join(f"{t.kind}:{t.text}".replace(" ", "_").rstrip(":") for t in tokens)
    assert written == kinds
    assert all(text[t.start : t.end] == t.text for t in tokens[:-1])


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a @ b", (2, 1), "@: expected a name, a number, a text in quotes or an operator"),
        ("a == 12abc", (5, 5), "12abc: expected a name, a number"),
        ("a == 0x", (5, 2), "0x: expected a name, a number"),
        ("a == 0x_", (5, 3), "0x_: expected a name, a number"),
        ("a == 0xfg", (5, 4), "0xfg: expected a name, a number"),
        ("a == 'b", (5, 1), "'b: expected a text that ends with the quote it begins with"),
        ('a == "b\\"', (5, 1), "expected a text that ends with the quote"),
        ("a == 05", (5, 2), "05: expected a number without leading zeros; a date is written 2025-05-01"),
        ("a == 2025-05.01", (10, 5), "05.01: expected a number without leading zeros"),
        ("a == 1.2.3", (5, 3), "1.2: expected a number without leading zeros"),
        ("`a", (0, 1), "`: expected a name"),
        ("a\\b", (1, 1), "expected a name"),
        ("a == \x00", (5, 4), "\\x00: expected a name"),
        ("a == 5²", (5, 2), "5²: expected a name"),
    ],
)
def test_what_is_not_a_token(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(ValueError, match="^query: .*" + re.escape(message)) as caught:
        list(tokens_of(text, "query"))
    caret = str(caught.value).split("\n")[2]
    assert (caret.index("^") - 4, caret.count("^")) == place


@given(st.text(max_size=40))
def test_tokens_and_blanks_are_the_whole_text(text: str) -> None:
    try:
        tokens = list(tokens_of(text, "query"))
    except ValueError as error:
        message = str(error)
        assert message.count("\n") == 2
        return
    place = 0
    for token in tokens[:-1]:
        assert not text[place : token.start].strip()
        assert token.start < token.end
        place = token.end
    assert not text[place:].strip()
    assert tokens[-1].kind == "end"


@given(st.one_of(st.integers(0, 10**320).map(str), st.integers(0, 16**270).map(hex), st.floats(0, 1e308).map(repr)))
def test_every_number_has_a_value(text: str) -> None:
    tokens = list(tokens_of(text, "query"))
    assert [token.kind for token in tokens] == ["number", "end"]
    value = number_of(text)
    assert float(value) >= 0  # no number is too large for a float
    if len(text) < 200:
        assert value == (float(text) if "." in text or ("e" in text and "x" not in text) else int(text, 0))


@given(st.text(st.sampled_from("ab'\"\\ \n"), max_size=12))
def test_texts_are_what_was_quoted(text: str) -> None:
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    (token, _) = tokens_of(quoted, "query")
    assert token.kind == "text"
    assert text_of(token.text) == text


def test_a_long_text_is_quoted_in_part() -> None:
    text = "a + " * 500 + "b"
    with pytest.raises(ValueError, match=r"^query: b: expected something") as caught:
        refuse(text, "query", Token("name", "b", 2000, 2001), "something")
    _, quoted, caret = str(caught.value).split("\n")
    assert len(quoted) < 180
    assert quoted[caret.index("^")] == "b"
