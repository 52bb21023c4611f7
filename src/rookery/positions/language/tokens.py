"""The words and signs of an expression, and errors that point to them."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Never

from rookery.arguments import printable
from rookery.lazy_imports import compile_later

QUOTED: Final = 80  # characters of an expression that an error shows at least
_KINDS: Final = ("blank", "date", "time", "number", "text", "name", "sign")
_MEANT: Final = {  # what word processors write
    **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", "the quote '\"'"),
    **dict.fromkeys("\u2018\u2019\u201a", 'the quote "\'"'),
    **dict.fromkeys("\u2013\u2014\u2212", "the sign '-'"),
    "\u2265": "the sign '>='",
    "\u2264": "the sign '<='",
    "\u2260": "the sign '!='",
}
_TOKEN: Final = compile_later(
    r"""(?P<blank>\s+)
    | (?P<date>\d{4}([.-])\d\d\3\d\d(?![\w.]))
    | (?P<time>\d\d:\d\d:\d\d(?!\w))
    | (?P<number>0[xX]_?[0-9a-fA-F][0-9a-fA-F_]*(?!\w)|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?(?!\w))
    | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<name>[^\W\d]\w*|`[^`]+`)
    | (?P<sign>[=!<>]=|<>|//|&&|\|\||[-+*/%<>=!()\[\]{},.&|^~])
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A word or sign of an expression: its kind, its text, and where it stands."""

    kind: str
    text: str
    start: int
    end: int


def tokens_of(text: str, label: str) -> Iterator[Token]:
    """Yield the tokens of an expression without blanks, and a last one of the kind ``end``.

    `label` begins the messages of errors: the name of the argument that holds the expression.
    """
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None or found.lastgroup is None:
            at = Token("", "", place, place + 1)
            if text[place] in "\"'":
                refuse(text, label, at, "a text that ends with the quote it begins with", printable(text[place:]))
            if text[place] in _MEANT:
                refuse(text, label, at, _MEANT[text[place]])
            word = re.match(r"[\w.]+", text[place:])
            end = place + (word.end() if word else 1)
            refuse(text, label, at._replace(end=end), "a name, a number, a text in quotes or an operator")
        start, place = found.span()
        kind = next(name for name in _KINDS if found[name])
        token = Token(kind, found[0], start, place)
        has_leading_zero = found[0][0] == "0" and found[0][1:2].isdigit()
        if kind == "number" and (has_leading_zero or text[place : place + 1] == "."):
            refuse(text, label, token, "a number without leading zeros; a date is written 2025-05-01")
        if kind != "blank":
            yield token
    end = len(text.rstrip())
    yield Token("end", "", end, end + 1)


def separated(text: str, label: str) -> list[str]:
    """Return the expressions of a text between commas that are outside brackets and quotes.

    >>> separated("ECO, max(ply, 3)", "group_by")
    ['ECO', 'max(ply, 3)']
    """
    parts, start, depth = [], 0, 0
    for token in tokens_of(text, label):
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        elif token.text == "," and depth == 0 and token.kind == "sign":
            parts.append(text[start : token.start])
            start = token.end
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def number_of(text: str) -> int | float:
    """Return the number that a token of the kind ``number`` stands for; one of 300 digits or more is infinite.

    >>> number_of("1_000"), number_of("0xff"), number_of(".5")
    (1000, 255, 0.5)
    """
    text = text.replace("_", "")
    if text[:2] in ("0x", "0X"):
        return int(text, 16) if len(text) < 250 else float("inf")
    return int(text) if text.isdecimal() and len(text) < 300 else float(text)


def text_of(text: str) -> str:
    r"""Return the text that a token of the kind ``text`` stands for: without quotes, with its escapes resolved.

    >>> text_of(r'"say \"yes\""')
    'say "yes"'
    """
    return re.sub(r"\\([\\\"'])", r"\1", text[1:-1])


def refuse(text: str, label: str, part: Any, expected: str, found: str | None = None) -> Never:
    """Raise an error that quotes an expression and points to a part of it, which has a `start` and an `end`."""
    start, end = part.start, max(part.end, part.start + 1)
    found = printable(text[start:end]) if found is None else found
    first = max(0, start - QUOTED) if len(text) > 2 * QUOTED else 0
    last = min(len(text), start + QUOTED) if len(text) > 2 * QUOTED else len(text)
    before = ("..." if first else "") + printable(text[first:start])
    quoted = before + printable(text[start:last]) + ("..." if last < len(text) else "")
    width = max(1, len(printable(text[start : min(end, last)])))
    found = found if len(found) <= QUOTED else f"{found[:QUOTED]}..."
    raise ValueError(
        f"{label}: {found or 'nothing'}: expected {expected}\n    {quoted}\n    {' ' * len(before)}{'^' * width}"
    )
