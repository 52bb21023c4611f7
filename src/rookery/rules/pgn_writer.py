"""The words of PGN movetext, in lines of a width."""

from collections.abc import Iterable, Iterator
from typing import Final

from rookery.rules.pgn_variations import breakable

WIDTH: Final = 79  # PGN discourages lines of 80 characters or more


def comment_words(comment: str) -> Iterator[str]:
    """What of a comment stands together on a line; what ends with a line break ends it."""
    comment = one_line(comment)
    if "}" in comment:  # only a comment to the end of the line can hold it
        yield from (f"{line}\n" for line in fill(breakable(comment), "; "))
    elif comment:
        yield from breakable(f"{{{comment}}}")


def one_line(comment: str) -> str:
    """A comment without its line breaks: a space stands for those between its lines."""
    parts = comment.replace("\r", "\n").split("\n")
    return " ".join(filter(None, (part.strip() for part in parts)))


def fill(words: Iterable[str], prefix: str = "", *, width: int | None = WIDTH) -> Iterator[str]:
    """Lines of words, each as long as the width allows it; all on one line if the width is None."""
    line = ""
    for word in words:
        if line and width is not None and len(line) + 1 + len(word.rstrip("\n")) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else prefix + word
        if line.endswith("\n"):
            yield line[:-1]
            line = ""
    if line:
        yield line
