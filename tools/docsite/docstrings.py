"""Docstrings as reStructuredText: they are plain text with examples and lists of what letters mean."""

import re
import textwrap
from collections.abc import Callable, Iterator

_TERM = re.compile(r"(?P<term>\S.*?) {2,}(?P<meaning>\S.*)")
_CODE = re.compile(r"``(?P<long>.+?)``|`(?P<short>[^`]+)`", re.S)
_SPECIAL = re.compile(r"([*|\\])|(?<=\w)(_)(?!\w)")
_NAME = re.compile(r"[A-Za-z_][\w.]*")


def as_rst(text: str, link: Callable[[str], str | None] = lambda name: None) -> str:
    """Return a docstring as reStructuredText, without common indentation.

    Examples stay as they are. A block in two columns becomes a list of terms; any other block indented by four is shown
    literally. `link` may return a reference for a name in single backquotes.
    """
    return "\n\n".join(_block(block, link) for block in _blocks(text.splitlines())) + "\n"


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            block.append(line.rstrip())
        elif block:
            yield block
            block = []


def _block(lines: list[str], link: Callable[[str], str | None]) -> str:
    if lines[0].lstrip().startswith(">>>"):
        return "\n".join(lines)
    terms = _terms(textwrap.dedent("\n".join(lines)).splitlines())
    if terms:
        listed = [f"{_literal(term)}\n    {_inline(meaning, link)}" for term, meaning in terms]
        return "\n".join([".. rst-class:: terms", "", *listed])
    if all(line.startswith("    ") for line in lines):
        return "\n".join(["::", "", *lines])
    return _inline("\n".join(lines), link)


def _terms(lines: list[str]) -> list[tuple[str, str]]:
    """Terms and what they mean; none if the lines are something else. A long term has a line of its own."""
    terms: list[tuple[str, str]] = []
    for line in lines:
        found = _TERM.fullmatch(line)
        if line.startswith("  "):
            if not terms:
                return []
            terms[-1] = (terms[-1][0], f"{terms[-1][1]} {line.strip()}".lstrip())
        elif found:
            terms.append((found["term"], found["meaning"]))
        else:
            terms.append((line, ""))
    return terms if all(meaning for _, meaning in terms) else []


def _inline(text: str, link: Callable[[str], str | None]) -> str:
    """Return a paragraph in which code stays code, and other special characters are escaped."""
    parts, end = [], 0
    for found in _CODE.finditer(text):
        parts.append(_escaped(text[end : found.start()]))
        parts.append(_literal(found["long"]) if found["long"] else _short(found["short"], link))
        end = found.end()
    return "".join([*parts, _escaped(text[end:])])


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda m: f"\\{m[0]}", text)


def _short(code: str, link: Callable[[str], str | None]) -> str:
    # A name is left to Sphinx, which links what it knows.
    return link(code) or (f"`{code}`" if _NAME.fullmatch(code) else _literal(code))


def _literal(code: str) -> str:
    return f"``{' '.join(code.split())}``"
