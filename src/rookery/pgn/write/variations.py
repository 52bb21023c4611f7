r"""Variations and comments as text: kept as written, with whitespace reduced to single blanks.

A comment to the end of its line still ends with a line break in this text. The moves are not checked.

>>> normal(" 1. d4\n  d5!? (1... Nf6 ; or e6\n)  ")
'1. d4 d5!? (1... Nf6 ; or e6\n)'
"""

import re
from collections.abc import Iterable
from typing import Final

from rookery.arguments import shown
from rookery.pgn.scan.lexing.split_tokens import BRACKET, COMMENT, HEADER, LINE_COMMENT, UNCLOSED, Token
from rookery.pgn.scan.lexing.split_tokens import tokens_of as split_tokens

_BYTE_ORDER_MARKS: Final = ("\ufeff", "ï»¿")


def joined(found: Iterable[Token]) -> str:
    """Return the text of a variation, given the tokens between its brackets without those of empty lines."""
    text, line_ends = "", True
    for k, token in enumerate(found):
        piece = _written(token)
        if line_ends and k:
            text += "\n " if piece.startswith(("%", *_BYTE_ORDER_MARKS)) else "\n"
        elif k and token.spaced:
            text += " "
        text += piece
        line_ends = token.kind == LINE_COMMENT
    return text


def normal(text: str) -> str:
    """Return the normal form of the text between the brackets of a variation."""
    return joined(tokens_of(text))


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of the text between the brackets of a variation."""
    return _in_brackets(text)[1:-1]


def checked(text: str) -> str:
    """Return the normal form of a variation; one that would not be read as this variation raises a ValueError."""
    found = _in_brackets(text)
    depth = 0
    for i, token in enumerate(found):
        if token.kind == UNCLOSED:
            raise ValueError(f"variation: {shown(text)}: a comment is not closed")
        if token.kind == HEADER:
            raise ValueError(f"variation: {shown(text)}: one of its lines begins with '[', like a header")
        if token.kind == BRACKET:
            depth += 1 if token.text == "(" else -1
        if not depth and i < len(found) - 1:
            raise ValueError(f"variation: {shown(text)}: ')' closes no variation in it")
    if depth:
        raise ValueError(f"variation: {shown(text)}: '(' is not closed")
    return joined(found[1:-1])


def one_line(comment: str) -> str:
    """Return a comment on one line, with a space for each line break."""
    parts = comment.replace("\r", "\n").split("\n")
    return " ".join(filter(None, (part.strip() for part in parts)))


def _in_brackets(text: str) -> list[Token]:
    found = split_tokens(f"({text})")
    if found[-1].kind == LINE_COMMENT:  # and therefore contains the closing bracket
        found = split_tokens(f"({text}\n)")
    return found


def _written(token: Token) -> str:
    if token.kind not in (COMMENT, LINE_COMMENT, UNCLOSED):
        return token.text
    text = _with_blanks(token.text)
    if token.kind == LINE_COMMENT:
        return f";{text.rstrip()}"
    return f"{{{text}}}" if token.kind == COMMENT else f"{{{text}"


def _with_blanks(comment: str) -> str:
    """Return a comment on one line: each line break, with the blanks around it, becomes one blank."""
    return re.sub(r"\s+", lambda blanks: " " if re.search(r"[\r\n]", blanks[0]) else blanks[0], comment)
