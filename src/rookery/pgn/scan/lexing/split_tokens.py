"""The tokens of a variation's text."""

from typing import Final, NamedTuple

import numpy as np

from rookery.kernel import entry_of
from rookery.pgn.scan.output import PAD

split: Final = entry_of("rookery.pgn.scan.lexing.splitting", "split")

# The kinds of tokens. A header is a line that begins with a bracket, and an unclosed comment ends with the text.
MOVE, NUMBER, GLYPH, RESULT, BRACKET, COMMENT, LINE_COMMENT, UNCLOSED, HEADER = range(9)
KIND, START, END, SPACED = range(4)  # a row


class Token(NamedTuple):
    """A token of a variation. The text of a comment is that between its braces, or after its semicolon.

    `spaced` is whether whitespace precedes the token.
    """

    kind: int
    text: str
    spaced: bool


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of the text of a variation.

    >>> [token.text for token in tokens_of("1. d4 {good} d5!")]
    ['1.', 'd4', 'good', 'd5', '!']
    """
    code = text.encode("utf-8", "surrogatepass")
    padded = np.frombuffer(bytearray(code + bytes(PAD)), np.uint8)
    rows = np.empty((len(code) + 1, 4), np.int32)
    n = int(split(padded, len(code), rows))
    return [
        Token(kind, code[start:end].decode("utf-8", "surrogatepass"), bool(spaced))
        for kind, start, end, spaced in rows[:n].tolist()
    ]
