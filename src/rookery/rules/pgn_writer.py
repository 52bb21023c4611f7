"""The moves of a PGN game as text, with what is remarked on them, in lines of a width."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rookery.rules import pgn_variations
from rookery.rules.board import Board
from rookery.rules.moves import Move
from rookery.rules.pgn_variations import breakable

_WIDTH: Final = 79  # PGN discourages lines of 80 characters or more


def words(
    board: Board,
    moves: Sequence[Move],
    comments: Mapping[int, str],
    nags: Mapping[int, Sequence[int]],
    variations: Mapping[int, Sequence[str]],
) -> Iterator[str]:
    """What stands together on a line; what ends with a line break ends it. `board` is played on."""
    number_needed = True
    for ply, move in enumerate([None, *moves]):
        if move is not None:
            if board.turn or number_needed:
                yield f"{board.fullmove_number}{'.' if board.turn else '...'}"
            yield board.san(move)
            board.push(move)
        yield from (f"${nag}" for nag in nags.get(ply, ()))
        comment = one_line(comments.get(ply, ""))
        if "}" in comment:  # only a comment to the end of the line can hold it
            yield from (f"{line}\n" for line in fill(breakable(comment), "; "))
        elif comment:
            yield from breakable(f"{{{comment}}}")
        for variation in variations.get(ply, ()):
            yield from pgn_variations.words(variation)
        number_needed = ply == 0 or bool(comment) or bool(variations.get(ply))


def one_line(comment: str) -> str:
    """A comment without its line breaks: a space stands for those between its lines."""
    parts = comment.replace("\r", "\n").split("\n")
    return " ".join(filter(None, (part.strip() for part in parts)))


def fill(words: Iterable[str], prefix: str = "") -> Iterator[str]:
    """Lines of words, each as long as the width allows it."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word.rstrip("\n")) > _WIDTH:
            yield line
            line = ""
        line = f"{line} {word}" if line else prefix + word
        if line.endswith("\n"):
            yield line[:-1]
            line = ""
    if line:
        yield line
