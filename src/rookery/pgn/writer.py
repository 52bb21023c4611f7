"""Line breaking of PGN movetext."""

from collections.abc import Iterable, Iterator
from typing import Final

from rookery.pgn.variations import breakable

WIDTH: Final = 79  # PGN discourages lines of 80 characters or more


def comment_words(comment: str) -> Iterator[str]:
    """Yield the pieces of a comment between which a line may be broken. A piece with a line break ends its line."""
    comment = one_line(comment)
    if "}" in comment:  # only a comment to the end of the line can hold it
        yield from (f"{line}\n" for line in fill(breakable(comment), "; "))
    elif comment:
        yield from breakable(f"{{{comment}}}")


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
