"""Decide where the bits of a word are drawn, and how the cells are named."""

import re
from typing import Final, Literal

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.lines import line_through
from rookery.bitboards.mappings import Mapping
from rookery.bitboards.squares import SQUARE_NAMES
from rookery.explain.run import Step, StepPart
from rookery.explain.steps import Explanation
from rookery.kernel import U64, once, wrapping
from rookery.techniques.base import Technique

Layout = Literal["squares", "turned", "bits"]

# The lines that boards are turned for, by what a technique calls these boards.
TURNED: Final = {"r90": "file", "r45": "diagonal", "l45": "antidiagonal"}


def layout_of(explanation: Explanation, step: Step, part: StepPart) -> Layout:
    """Return the layout in which a word of a step is drawn.

    >>> from rookery.explain import explain
    >>> explanation = explain("magic-fancy", "rook", 27, 0)
    >>> [(part.text, layout_of(explanation, explanation.steps[6], part)) for part in explanation.steps[6].parts[::2]]
    [('o', 'squares'), ('o * magic', 'bits')]
    """
    if turned_field(explanation, part):
        return "turned"
    # What becomes an index, and a word that a function does not take as a board (`line: Word`).
    is_word = step.what == "called" and re.search(rf"\b{re.escape(part.text)}: Word\b", step.code)
    return "bits" if part.marked or is_word else "squares"


def turned_field(explanation: Explanation, part: StepPart) -> str:
    """Return the turned board that a word is or was read for, or an empty string.

    It is `r45` for `r45`, `o_r45` and `r45[sq]`.
    """
    if not explanation.preparation:
        return ""
    names = (part.text.strip("_").rpartition("_")[2], part.table)
    return next((name for name in names if name in TURNED), "")


def turned_line(explanation: Explanation, part: StepPart) -> int:
    """Return the places of the piece's line on the turned board of a part.

    This is the board when just this line is occupied, and 0 for anything that is not a turned board.

    >>> from rookery.explain import explain
    >>> hex(turned_line(explain("rotated-hyatt", "rook", 27, 0), StepPart("r90", 0, "board")))
    '0xff000000'
    """
    field = turned_field(explanation, part)
    if not field:
        return 0
    sq = int(explanation.mapping.index(explanation.square))
    return _turned(explanation.technique, field, int(line_through(TURNED[field], sq)) | 1 << sq)


def _turned(technique: Technique, field: str, board: int) -> int:
    with wrapping():
        return int(getattr(technique.prepare_kernel(U64(board), technique.tables()), field))


@once
def _turned_names(technique: Technique, field: str, mapping: Mapping) -> tuple[str, ...]:
    """Return the name of the square whose bit each place of a turned board holds, by the square it is drawn on."""
    names = [""] * 64
    for square, name in enumerate(SQUARE_NAMES):
        place = _turned(technique, field, 1 << int(mapping.index(square)))
        if place:
            names[int(mapping.square(place.bit_length() - 1))] = name
    return tuple(names)


def cells(explanation: Explanation, step: Step, part: StepPart) -> tuple[str, ...]:
    """Return the names of the cells of a drawing, a1 first: squares on a turned board, bits in another word.

    The result is empty where the cells are the squares themselves.

    >>> from rookery.explain import explain
    >>> explanation = explain("rotated-hyatt", "rook", 27, 0)
    >>> cells(explanation, explanation.steps[1], StepPart("r90", 0, "board"))[24:32]  # the fourth row
    ('d8', 'd7', 'd6', 'd5', 'd4', 'd3', 'd2', 'd1')
    """
    layout = layout_of(explanation, step, part)
    if layout == "turned":
        return _turned_names(explanation.technique, turned_field(explanation, part), explanation.mapping)
    return tuple(str(explanation.mapping.index(sq)) for sq in range(64)) if layout == "bits" else ()


def bit_edges(mapping: Mapping) -> tuple[list[int], list[int]]:
    """Return the numbers at the edges of a word drawn by bits: one per row, lowest first, and one per column.

    The number of a bit is the sum of both.

    >>> bit_edges(Mapping("rank", "little", "big"))
    ([0, 8, 16, 24, 32, 40, 48, 56], [7, 6, 5, 4, 3, 2, 1, 0])
    """
    rows = [min(int(mapping.index(8 * rank + file)) for file in range(8)) for rank in range(8)]
    return rows, [int(mapping.index(file)) - rows[0] for file in range(8)]


def in_words(explanation: Explanation, bits: list[int]) -> str:
    """Return where adjacent bits are drawn, in order: runs along a rank or file, by the names of squares.

    >>> from rookery.explain import explain
    >>> in_words(explain("rays", "rook", 0, 0), [63, 62, 61, 60, 59, 58, 57, 56, 55, 54])
    'h8 to a8, then h7 to g7'
    """
    squares = [int(explanation.mapping.square(bit)) for bit in bits]
    runs: list[list[int]] = []
    for square in squares:
        if runs and any(same(square) == same(runs[-1][0]) == same(runs[-1][-1]) for same in (_rank, _file)):
            runs[-1].append(square)
        else:
            runs.append([square])
    return ", then ".join(" to ".join(dict.fromkeys(SQUARE_NAMES[end] for end in (run[0], run[-1]))) for run in runs)


def _rank(square: int) -> int:
    return square >> 3


def _file(square: int) -> int:
    return square & 7


def names(explanation: Explanation, word: int) -> str:
    """Return the names of the squares in a word of the mapping.

    >>> from rookery.explain import explain
    >>> names(explain("rays", "rook", 0, 0, "file-little-little"), 6)
    'a2 a3'
    """
    return " ".join(Bitboard(explanation.squares(word)).names())
