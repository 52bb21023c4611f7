"""Readers of the boards drawn in the five documents this library grew from.

    000    Gerd Isenberg, Efficient Generation of Sliding Piece Attacks
    001    Sherwin Bitboards
    002    Classical Approach
    003    Rotated Bitboards
    004    Move Generation [Sliding Pieces], on magic bitboards

The tests beside this file type every board as drawn and compute it. Drawings that stand side by side are typed side by
side. Where a document misprints, the test holds the corrected drawing and its comment says what the document draws.
"""

import itertools
import re
from collections.abc import Iterator

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import parse_square

UNIVERSE = (1 << 64) - 1
D4 = parse_square("d4")


def boards(drawing: str) -> list[str]:
    """The drawings that stand side by side: eight signs with blanks between are a row, all else is decoration.

    Brackets stand where a blank would; words stand for squares that do not matter.
    """
    for word, signs in (("[", " "), ("]", " "), ("garbadge", " . . . .")):
        drawing = drawing.replace(word, signs)
    rows = [re.findall(r"(?<!\S)\S(?: \S){7}(?!\S)", line) for line in drawing.splitlines()]
    return ["\n".join(column) for column in zip(*(row for row in rows if row), strict=True)]


def board(drawing: str, signs: str = "1") -> Bitboard:
    """The squares that are marked by one of `signs`."""
    return Bitboard.parse("".join("1" if c in signs else c if c.isspace() else "." for c in drawing))


def letters(drawing: str) -> dict[str, Bitboard]:
    """The squares of each letter or digit."""
    return {sign: board(drawing, sign) for sign in sorted(set(drawing)) if sign.isalnum()}


def union(pieces: dict[str, Bitboard], signs: str) -> int:
    return sum(pieces[sign] for sign in signs if sign in pieces)


def choices(signs: str) -> Iterator[str]:
    """All ways to leave some signs out."""
    for size in range(len(signs) + 1):
        yield from map("".join, itertools.combinations(signs, size))


def product(a: int, b: int) -> int:
    return a * b & UNIVERSE
