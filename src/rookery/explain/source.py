"""Find the source line of a step, and the sentence that explains it."""

import functools
import inspect
import io
import re
import sys
import textwrap
import tokenize
from collections.abc import Callable
from typing import Any

from rookery.explain.export.ir import Origin

_MEANING = re.compile(r" {4}(?P<name>[A-Za-z_][\w']*(?:, [A-Za-z_][\w']*)*) {2,}(?P<text>\S.*)")


@functools.cache
def lines_of(python: Callable[..., Any]) -> tuple[list[str], int]:
    """Return the lines of a function, and the number of the first."""
    return inspect.getsourcelines(python)


def definition(python: Callable[..., Any]) -> tuple[str, int]:
    """Return the line that defines a function, and its number.

    >>> from rookery.techniques.rotated import all_eight
    >>> definition(all_eight)[0]
    'def all_eight(line: Word) -> Word:'
    """
    lines, first = lines_of(python)
    return next((line.strip(), n) for n, line in enumerate(lines, first) if line.lstrip().startswith("def "))


def code_of(origin: Origin) -> str:
    """Return the lines of a statement, without comments and indentation."""
    lines, first = lines_of(origin.python)
    chosen = lines[origin.first - first : origin.last - first + 1]
    comments = _comments(origin.python)
    bare = [
        line.rstrip().removesuffix(comments.get(number, "")).rstrip()
        for number, line in enumerate(chosen, origin.first)
    ]
    return textwrap.dedent("\n".join(bare))


@functools.cache
def _comments(python: Callable[..., Any]) -> dict[int, str]:
    """Return the comments of a function, by line."""
    lines, first = lines_of(python)
    text = textwrap.dedent("".join(lines))
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {first + t.start[0] - 1: t.string for t in tokens if t.type == tokenize.COMMENT}


def comment_at(origin: Origin) -> str:
    """Return the comment at a statement: behind it, or in the lines above it."""
    lines, first = lines_of(origin.python)
    comments = _comments(origin.python)
    behind = [comments[number] for number in range(origin.first, origin.last + 1) if number in comments]
    above: list[str] = []
    number = origin.first - 1
    while number in comments and lines[number - first].lstrip().startswith("#"):
        above.insert(0, comments[number])
        number -= 1
    return " ".join(comment.lstrip("# ") for comment in behind or above)


def first_sentence(python: Callable[..., Any]) -> str:
    """Return the first sentence of a function's docstring."""
    text = " ".join((python.__doc__ or "").split())
    return text.partition(". ")[0].rstrip(".").replace("`", "")


@functools.cache
def vocabulary(module: str) -> dict[str, str]:
    """Return the meanings of a module's letters, from the list that opens it.

    >>> vocabulary("rookery.techniques.hyperbola")["r"]
    "the slider's own bit"
    """
    meanings: dict[str, str] = {}
    names: list[str] = []
    for line in (sys.modules[module].__doc__ or "").splitlines():
        found = _MEANING.fullmatch(line)
        if found:
            names = found["name"].split(", ")
            meanings |= dict.fromkeys(names, found["text"])
        elif names and line.startswith(" " * 6):
            meanings |= {name: f"{meanings[name]} {line.strip()}" for name in names}
        else:
            names = []
    return meanings


def meaning_of(python: Callable[..., Any], name: str) -> str:
    """Return the meaning of a variable, if its module defines it."""
    return vocabulary(python.__module__).get(name, "")
