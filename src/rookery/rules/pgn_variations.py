r"""Variations of PGN games as text: kept as they are written, with one blank where there are several or a line breaks.

A comment to the end of its line ends with a line break in this text, too. Nothing is asked of the moves.

>>> normal(" 1. d4\n  d5!? (1... Nf6 ; or e6\n)  ")
'1. d4 d5!? (1... Nf6 ; or e6\n)'
"""

import io
import re
from collections.abc import Iterable, Iterator
from typing import Final

from rookery.arguments import shown
from rookery.rules.pgn_tokens import Token, tokens

_BYTE_ORDER_MARKS: Final = ("\ufeff", "ï»¿")


def joined(found: Iterable[Token]) -> str:
    """The text of a variation, of the tokens between its brackets, without those of empty lines."""
    return "".join(part for pair in _pieces(found) for part in pair)


def normal(text: str) -> str:
    """The text of a variation that is given as a file has it between its brackets."""
    return joined(tokens_of(text))


def tokens_of(text: str) -> list[Token]:
    """The tokens of a variation that is given as a file has it between its brackets."""
    return _in_brackets(text)[1:-1]


def words(text: str) -> list[str]:
    """What of a variation stands together on a line, in brackets; what ends with a line break ends the line. What would
    not be read as this variation is a ValueError.
    """
    found = _in_brackets(text)
    _check(text, found)
    done: list[str] = []
    word = "("
    for lead, piece in _pieces(found[1:-1]):
        parts = breakable(piece) if piece.startswith("{") else [piece]
        if lead.startswith("\n"):
            done.append(f"{word}\n")
            word = lead[1:] + parts[0]
        # A line of blanks has no Ctrl-Z, as DOS wrote it at the end.
        elif lead and not word.endswith("\x1a") and not _means_something(piece):
            done.append(word)
            word = parts[0]
        else:
            word += lead + parts[0]
        if len(parts) > 1:
            done += [word, *parts[1:-1]]
            word = parts[-1]
    if _is_line_comment(found[-2]):
        done.append(f"{word}\n")
        word = ""
    return [*done, f"{word})"]


def breakable(comment: str) -> list[str]:
    """The parts of a comment between which a line break may take a space's place: only that is read as one space. A
    line shall not begin with what means something there.
    """
    return re.split(r"(?<=\S) (?=[^\s%\[;])", comment)


def _in_brackets(text: str) -> list[Token]:
    found = _tokens(f"({text})")
    if _is_line_comment(found[-1]):  # which has taken the bracket for its own
        found = _tokens(f"({text}\n)")
    return found


def _tokens(text: str) -> list[Token]:
    return [token for token in tokens(io.StringIO(text, newline=None)) if token.kind != "blank"]


def _pieces(found: Iterable[Token]) -> Iterator[tuple[str, str]]:
    """The tokens as text, each after what stands between it and the one before."""
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
        first, line_ends = False, _is_line_comment(token)


def _written(token: Token) -> str:
    if token.kind == "tag":
        return f'[{token.text} "{token.value}"]'
    if token.kind == "unclosed":
        return f"{{{_with_blanks(token.text)}"
    if token.kind != "comment":
        return token.text
    text = _with_blanks(token.text)
    return f";{text.rstrip()}" if _is_line_comment(token) else f"{{{text}}}"


def _with_blanks(comment: str) -> str:
    """A comment on one line: each line break, with the blanks around it, is one."""
    return re.sub(r"\s+", lambda blanks: " " if re.search(r"[\r\n]", blanks[0]) else blanks[0], comment)


def _is_line_comment(token: Token) -> bool:
    return token.kind == "comment" and token.value == ";"


def _means_something(piece: str) -> bool:
    """Whether it is no word of a variation at the beginning of a line."""
    return piece.startswith(("%", "[", *_BYTE_ORDER_MARKS))


def _check(text: str, found: list[Token]) -> None:
    depth = 0
    for i, token in enumerate(found):
        if token.kind == "unclosed":
            raise ValueError(f"variation: {shown(text)}: a comment is not closed")
        if token.kind in ("tag", "broken"):
            raise ValueError(f"variation: {shown(text)}: a line of it begins with '[', as a header")
        if token.kind == "bracket":
            depth += 1 if token.text == "(" else -1
        if not depth and i < len(found) - 1:
            raise ValueError(f"variation: {shown(text)}: ')' closes no variation in it")
    if depth:
        raise ValueError(f"variation: {shown(text)}: '(' is not closed")
