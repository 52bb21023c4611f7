"""Line breaking of PGN movetext."""

from collections.abc import Iterable, Iterator
from typing import Final

WIDTH: Final = 79  # PGN discourages lines of 80 characters or more


def comment_word(comment: str) -> str:
    """Return a comment as it is written, or "" for an empty one. A line break at its end ends the line.

    A line is not broken inside: python-chess would read the line break as a part of the comment.
    """
    comment = one_line(comment)
    if "}" in comment:  # only a comment to the end of the line can hold it
        return f"; {comment}\n"
    return f"{{{comment}}}" if comment else ""


def one_line(comment: str) -> str:
    """Return a comment on one line, with a space for each line break."""
    parts = comment.replace("\r", "\n").split("\n")
    return " ".join(filter(None, (part.strip() for part in parts)))


def fill(words: Iterable[str], prefix: str = "", *, width: int | None = WIDTH) -> Iterator[str]:
    """Yield lines filled with words up to `width` characters, or one line if `width` is None."""
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
