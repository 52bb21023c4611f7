r"""Variations of PGN games as text: kept as written, with whitespace reduced to single blanks.

A comment to the end of its line still ends with a line break in this text. The moves are not checked.

>>> normal(" 1. d4\n  d5!? (1... Nf6 ; or e6\n)  ")
'1. d4 d5!? (1... Nf6 ; or e6\n)'
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from rookery.arguments import shown
from rookery.pgn.scan.lexing.split_tokens import BRACKET, COMMENT, HEADER, LINE_COMMENT, UNCLOSED, Token
from rookery.pgn.scan.lexing.split_tokens import tokens_of as split_tokens

_BYTE_ORDER_MARKS: Final = ("\ufeff", "ï»¿")


def joined(found: Iterable[Token]) -> str:
    """Return the text of a variation, given the tokens between its brackets without those of empty lines."""
    return "".join(part for pair in _pieces(found) for part in pair)


def normal(text: str) -> str:
    """Return the normal form of the text between the brackets of a variation."""
    return joined(tokens_of(text))


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of the text between the brackets of a variation."""
    return _in_brackets(text)[1:-1]


def words(text: str) -> list[str]:
    """Return the pieces of a variation, brackets included, between which a line may be broken.

    A piece that ends with a line break ends its line. A text that would not be read as this variation raises a
    ValueError.
    """
    found = _in_brackets(text)
    _check(text, found)
    done: list[str] = []
    word = "("
    for lead, piece in _pieces(found[1:-1]):
        if lead.startswith("\n"):
            done.append(f"{word}\n")
            word = lead[1:] + piece
        # A line of blanks has no Ctrl-Z, as DOS wrote it at the end.
        elif lead and not word.endswith("\x1a") and not _means_something(piece):
            done.append(word)
            word = piece
        else:
            word += lead + piece
    if found[-2].kind == LINE_COMMENT:
        done.append(f"{word}\n")
        word = ""
    return [*done, f"{word})"]


def _in_brackets(text: str) -> list[Token]:
    found = split_tokens(f"({text})")
    if found[-1].kind == LINE_COMMENT:  # and therefore contains the closing bracket
        found = split_tokens(f"({text}\n)")
    return found


def _pieces(found: Iterable[Token]) -> Iterator[tuple[str, str]]:
    """Yield the tokens as text, each with the whitespace before it."""
    line_ends = first = True
    for token in found:
        piece = _written(token)
        if first:
            lead = ""
        elif line_ends:
            lead = "\n " if piece.startswith(("%", *_BYTE_ORDER_MARKS)) else "\n"
        else:
            lead = " " if token.spaced else ""
        yield lead, piece
        first, line_ends = False, token.kind == LINE_COMMENT


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


def _means_something(piece: str) -> bool:
    """Return whether a piece at the beginning of a line would not be read as a word of a variation."""
    return piece.startswith(("%", "[", *_BYTE_ORDER_MARKS))


def _check(text: str, found: list[Token]) -> None:
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
