"""Sherwin bitboards: relevant squares, the order of index bits, table layouts.

From document 001 (drawings.py lists the documents), which numbers squares from the h-file (h1 = 0, g1 = 1).
"""

import functools
import operator
import re

import numpy as np
import pytest

from drawings import D4, board, choices, letters, union
from rookery.bitboards import lines
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.mappings import convert_board, convert_square
from rookery.techniques import sherwin, technique

OURS = "rank-little-little"
ELEPHANT = "rank-little-big"
SHERWIN_D4 = """
 . . . . . . . -
 - . . . . . 1 .  giving 1 bit  or 2 different values from row 7
 . 1 . . . 1 . .  giving 2 bits or 4 different values from row 6
 . . 1 . 1 . . .  giving 2 bits or 4 different values from row 5
 . . . B . . . .  giving 0 bits or 0 different values from row 4
 . . 1 . 1 . . .  giving 2 bits or 4 different values from row 3
 . 1 . . . 1 . .  giving 2 bits or 4 different values from row 2
 - . . . . . - .
"""
SHERWIN_D4_ORDER = """
 . . . . . . . -
 - . . . . . i .  giving 1 bit  or 2 different values from row 7
 . g . . . h . .  giving 2 bits or 4 different values from row 6
 . . e . f . . .  giving 2 bits or 4 different values from row 5
 . . . B . . . .  giving 0 bits or 0 different values from row 4
 . . c . d . . .  giving 2 bits or 4 different values from row 3
 . a . . . b . .  giving 2 bits or 4 different values from row 2
 - . . . . . - .
"""


def eight_signs(drawing: str) -> str:
    """The boards of 001 have remarks behind their rows."""
    return "\n".join(line.split("  giving")[0] for line in drawing.splitlines())


def test_001_relevant_squares_of_bishop_d4() -> None:
    drawing = eight_signs(SHERWIN_D4)
    relevant, border = board(drawing), board(drawing, "-")
    assert board(drawing, "B").names() == ["d4"]
    assert lines.relevant_occupancy("bishop", D4) == relevant
    assert lines.empty_board_attacks("bishop", D4) == relevant | border
    inner_board = Bitboard(0x007E7E7E7E7E7E00)
    assert lines.empty_board_attacks("bishop", D4) & inner_board == relevant
    remarks = re.findall(r"giving (\d) bits? +or (\d) different values from row (\d)", SHERWIN_D4)
    assert [int(row) for _, _, row in remarks] == [7, 6, 5, 4, 3, 2]
    rows = technique("sherwin").tables().bishop_rows[D4]
    for count, values, row in remarks:
        assert sum(square // 8 == int(row) - 1 for square in relevant) == int(count)
        # The document gives row 4, where no bit is, 0 different values: it has one.
        assert len(np.unique(rows[int(row) - 2])) == max(int(values), 1)


def test_001_order_of_index_bits() -> None:
    in_order = "abcdefghi"  # 0x0000000ihgfedcba: a is the index's bit 0
    drawn = letters(eight_signs(SHERWIN_D4_ORDER))
    places = [drawn[sign] for sign in in_order]
    assert sum(places) == lines.relevant_occupancy("bishop", D4)
    assert [next(iter(place)) for place in places] == list(lines.relevant_occupancy("bishop", D4))
    # Ascending like this, a file first, is our numbering. In the document's own the h-file's side comes first.
    from_h = sorted(in_order, key=lambda sign: convert_board(drawn[sign], OURS, ELEPHANT))
    assert "".join(from_h) == "badcfehgi"

    rows = technique("sherwin").tables().bishop_rows[D4]
    base = rows[0, 0]

    def index(occupied: int) -> int:
        return int(functools.reduce(operator.or_, (rows[i, occupied >> 8 * (i + 1) + 1 & 63] for i in range(6))))

    for present in choices(in_order):
        assert index(union(drawn, present)) == base + sum(1 << in_order.index(sign) for sign in present)


SQUARE_BITS = {
    "bishop": [
        6, 5, 5, 5, 5, 5, 5, 6,
        5, 5, 5, 5, 5, 5, 5, 5,
        5, 5, 7, 7, 7, 7, 5, 5,
        5, 5, 7, 9, 9, 7, 5, 5,
        5, 5, 7, 9, 9, 7, 5, 5,
        5, 5, 7, 7, 7, 7, 5, 5,
        5, 5, 5, 5, 5, 5, 5, 5,
        6, 5, 5, 5, 5, 5, 5, 6,
    ],
    "rook": [
        12, 11, 11, 11, 11, 11, 11, 12,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        12, 11, 11, 11, 11, 11, 11, 12,
    ],
}  # fmt: skip


@pytest.mark.parametrize("piece", ["bishop", "rook"])
def test_001_square_bits(piece: str) -> None:
    for theirs, width in enumerate(SQUARE_BITS[piece]):
        ours = convert_square(theirs, ELEPHANT, OURS)
        assert len(lines.relevant_occupancy(piece, ours)) == width


def test_001_square_bits_of_d4() -> None:
    # The squares the document names, in its own numbers.
    d4 = convert_square(D4, OURS, ELEPHANT)
    assert d4 == 28
    assert SQUARE_BITS["bishop"][d4] == 9
    assert SQUARE_BITS["rook"][d4] == 10


@pytest.mark.parametrize(
    ("piece", "counts", "total"),
    [("bishop", {9: 4, 7: 12, 5: 44, 6: 4}, 5248), ("rook", {12: 4, 11: 24, 10: 36}, 102_400)],
)
def test_001_counts(piece: str, counts: dict[int, int], total: int) -> None:
    widths = [len(lines.relevant_occupancy(piece, square)) for square in range(64)]
    assert {width: widths.count(width) for width in set(widths)} == counts
    tables = technique("sherwin").tables()
    attacks = {"bishop": tables.bishop_attacks, "rook": tables.rook_attacks}[piece]
    assert sum(count << width for width, count in counts.items()) == len(attacks) == total


def test_001_bishop_totals() -> None:
    assert [4 << 9, 12 << 7, 44 << 5, 4 << 6] == [2048, 1536, 1408, 256]


# A line is a square's index: its base in binary, then a sign for each bit of the occupancy.
BISHOP_LAYOUT = """
0000999999999 4 times 9 bit
0001999999999
0010999999999
0011999999999
0100007777777 12 times 7 bit
01....7777777
0110117777777
0111000666666 4 times 6 bit
0111001666666
0111010666666
0111011666666
0111100055555 44 times 5 bit
........55555
1010001155555
"""
# The document ends the eleven bits with 100111 and runs the ten from 1010000 to 1110011: after 8 times 2,048 come 24
# squares, up to 31 (011111), not 32 up to 39. Its own total, 102,400, is a hundred times 1,024 and bears this out.
ROOK_LAYOUT = """
00000cccccccccccc 4 times 12 bit
00001cccccccccccc
00010cccccccccccc
00011cccccccccccc
001000bbbbbbbbbbb 24 times 11 bit
0.....bbbbbbbbbbb
011111bbbbbbbbbbb
1000000aaaaaaaaaa 36 times 10 bit
.......aaaaaaaaaa
1100011aaaaaaaaaa
"""


@pytest.mark.parametrize(("piece", "drawing"), [("bishop", BISHOP_LAYOUT), ("rook", ROOK_LAYOUT)])
def test_001_layout(piece: str, drawing: str) -> None:
    tables = technique("sherwin").tables()
    rows = {"bishop": tables.bishop_rows, "rook": tables.rook_rows}[piece]
    bases: dict[int, list[int]] = {}
    for square in range(64):
        bases.setdefault(len(lines.relevant_occupancy(piece, square)), []).append(int(rows[square, 0, 0]))
    times = re.findall(r"(\d+) times (\d+) bit", drawing)
    assert {int(width): int(count) for count, width in times} == {w: len(b) for w, b in bases.items()}
    drawn: dict[int, list[int]] = {}
    for prefix, signs in re.findall(r"^([01]+)([5679a-c]+)\b", drawing, re.MULTILINE):
        drawn.setdefault(len(signs), []).append(int(prefix, 2) << len(signs))
    assert sorted(drawn) == sorted(bases)
    for width, starts in drawn.items():
        assert set(starts) <= set(bases[width])
        assert (starts[0], starts[-1]) == (min(bases[width]), max(bases[width]))
        assert sorted(bases[width]) == list(range(starts[0], starts[-1] + 1, 1 << width))
    assert sherwin.bases(piece) == {square: int(rows[square, 0, 0]) for square in range(64)}


def test_001_rook_rays() -> None:
    # The document's own way to leave the outer squares out, in its numbers.
    for theirs in range(64):
        rank, file = divmod(theirs, 8)
        ray_bits = sum(1 << s for s in range(64) if s != theirs and (s // 8 == rank or s % 8 == file))
        for spared, inner in (
            (file != 7, 0x7F7F7F7F7F7F7F7F),
            (file != 0, 0xFEFEFEFEFEFEFEFE),
            (rank != 7, 0x00FFFFFFFFFFFFFF),
            (rank != 0, 0xFFFFFFFFFFFFFF00),
        ):
            if spared:
                ray_bits &= inner
        ours = convert_square(theirs, ELEPHANT, OURS)
        assert convert_board(ray_bits, ELEPHANT, OURS) == lines.relevant_occupancy("rook", ours)
