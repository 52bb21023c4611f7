"""Rotated bitboards: one file of a rook, then the layouts of Hyatt and of Heinz square by square.

From document 003 (drawings.py lists the documents).
"""

import re

import pytest

from drawings import board, boards
from rookery.bitboards import bits, lines, squares
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.mappings import convert_square
from rookery.bitboards.squares import parse_square
from rookery.techniques import rotated, rotated_heinz, technique

OURS = "rank-little-little"


def test_003_file_attacks_of_rook_a5() -> None:
    # Drawn with 0 and 1; the rook's R is an occupied square. The rotated board shows the file on the eighth rank.
    non_rotated, rotated_board, attacks = (
        drawn.replace("0", ".")
        for drawn in boards("""
non-rotated         rotated             file_attacks[a5][rotated]
1 0 0 0 0 0 0 0     1 0 0 1 R 0 1 1     0 0 0 0 0 0 0 0
1 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     1 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     1 0 0 0 0 0 0 0
R 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0
1 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     1 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0
1 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0     0 0 0 0 0 0 0 0
        """)
    )
    occupied = board(non_rotated, "1R")
    a5 = parse_square("a5")
    assert board(non_rotated, "R") == 1 << a5
    assert bits.rotate_90_clockwise(occupied) == board(rotated_board, "1R")
    assert bits.rotate_90_clockwise(1 << a5) == board(rotated_board, "R")
    # The index is written a1 first, as the rotated board's eighth rank is drawn.
    index = int("10011011"[::-1], 2)
    assert board(rotated_board, "1R") >> 56 == index
    for name in ("rotated-hyatt", "rotated-heinz", "rotated-hyatt-64", "rotated-heinz-64", "rotated-compact"):
        assert technique(name).file(a5, occupied) == board(attacks), name
    # DarkThought's table is indexed by that very byte.
    assert technique("rotated-heinz").tables().file[a5, index] == board(attacks)


def places(drawing: str, column: int) -> list[str]:
    """The names on one of two boards drawn side by side, from the lowest bit on: the last row first.

    Bars separate diagonals; `#7` is the byte's number.
    """
    names = [re.findall(r"[A-Ha-h][1-8]", line) for line in drawing.splitlines()]
    rows = [row for row in names if len(row) > 4]  # a heading like "A1-H8" has four
    assert [len(row) for row in rows] == [16] * 8
    return [name.lower() for row in reversed(rows) for name in row[8 * column : 8 * column + 8]]


# Hyatt's a1 is a rotated board's first bit and drawn last row first: the library keeps his order, a row's left square
# its lowest bit.
HYATT_90 = """
normal chess board bitmap      occupied_squares 90 degrees
A8 B8 C8 D8 E8 F8 G8 H8        H8 H7 H6 H5 H4 H3 H2 H1
A7 B7 C7 D7 E7 F7 G7 H7        G8 G7 G6 G5 G4 G3 G2 G1
A6 B6 C6 D6 E6 F6 G6 H6        F8 F7 F6 F5 F4 F3 F2 F1
A5 B5 C5 D5 E5 F5 G5 H5        E8 E7 E6 E5 E4 E3 E2 E1
A4 B4 C4 D4 E4 F4 G4 H4        D8 D7 D6 D5 D4 D3 D2 D1
A3 B3 C3 D3 E3 F3 G3 H3        C8 C7 C6 C5 C4 C3 C2 C1
A2 B2 C2 D2 E2 F2 G2 H2        B8 B7 B6 B5 B4 B3 B2 B1
A1 B1 C1 D1 E1 F1 G1 H1        A8 A7 A6 A5 A4 A3 A2 A1
"""
HYATT_DIAMONDS = """
       original left 45                    original right 45
              H8                                  A8
             G8 H7                               A7 B8
            F8 G7 H6                            A6 B7 C8
           E8 F7 G6 H5                         A5 B6 C7 D8
          D8 E7 F6 G5 H4                      A4 B5 C6 D7 E8
         C8 D7 E6 F5 G4 H3                   A3 B4 C5 D6 E7 F8
        B8 C7 D6 E5 F4 G3 H2                A2 B3 C4 D5 E6 F7 G8
       A8 B7 C6 D5 E4 F3 G2 H1             A1 B2 C3 D4 E5 F6 G7 H8
        A7 B6 C5 D4 E3 F2 G1                B1 C2 D3 E4 F5 G6 H7
         A6 B5 C4 D3 E2 F1                   C1 D2 E3 F4 G5 H6
          A5 B4 C3 D2 E1                      D1 E2 F3 G4 H5
           A4 B3 C2 D1                         E1 F2 G3 H4
            A3 B2 C1                            F1 G2 H3
             A2 B1                               G1 H2
              A1                                  H1
"""
HYATT_45 = """
original left 45                original right 45
G6 H5|F8 G7 H6|G8 H7|H8|        C7 D8|A6 B7 C8|A7 B8|A8|
H3|D8 E7 F6 G5 H4|E8 F7         F8|A4 B5 C6 D7 E8|A5 B6
F4 G3 H2|C8 D7 E6 F5 G4         E6 F7 G8|A3 B4 C5 D6 E7
E4 F3 G2 H1|B8 C7 D6 E5         E5 F6 G7 H8|A2 B3 C4 D5
D4 E3 F2 G1|A8 B7 C6 D5         E4 F5 G6 H7|A1 B2 C3 D4
B5 C4 D3 E2 F1|A7 B6 C5         D2 E3 F4 G5 H6|B1 C2 D3
C2 D1|A5 B4 C3 D2 E1|A6         G3 H4|D1 E2 F3 G4 H5|C1
|A1|A2 B1|A3 B2 C1|A4 B3        |H1|G1 H2|F1 G2 H3|E1 F2
"""
HEINZ_FLIPPED = """
Normal Bitboard.                                Flipped Bitboard.
#7 #6 #5 #4 #3 #2 #1 #0 Bit/Byte                #7 #6 #5 #4 #3 #2 #1 #0 Bit/Byte
a8 b8 c8 d8 e8 f8 g8 h8 #7                      a8 a7 a6 a5 a4 a3 a2 a1 #7
a7 b7 c7 d7 e7 f7 g7 h7 #6                      b8 b7 b6 b5 b4 b3 b2 b1 #6
a6 b6 c6 d6 e6 f6 g6 h6 #5                      c8 c7 c6 c5 c4 c3 c2 c1 #5
a5 b5 c5 d5 e5 f5 g5 h5 #4                      d8 d7 d6 d5 d4 d3 d2 d1 #4
a4 b4 c4 d4 e4 f4 g4 h4 #3                      e8 e7 e6 e5 e4 e3 e2 e1 #3
a3 b3 c3 d3 e3 f3 g3 h3 #2                      f8 f7 f6 f5 f4 f3 f2 f1 #2
a2 b2 c2 d2 e2 f2 g2 h2 #1                      g8 g7 g6 g5 g4 g3 g2 g1 #1
a1 b1 c1 d1 e1 f1 g1 h1 #0                      h8 h7 h6 h5 h4 h3 h2 h1 #0
"""
HEINZ_DIAGONALS = """
A1-H8 Bitboard.                                 A8-H1 Bitboard.
#7 #6 #5 #4 #3 #2 #1 #0 Bit/Byte                #7 #6 #5 #4 #3 #2 #1 #0 Bit/Byte
a8|b1 c2 d3 e4 f5 g6 h7 #7                      a8 b7 c6 d5 e4 f3 g2 h1 #7
a7 b8|c1 d2 e3 f4 g5 h6 #6                      a7 b6 c5 d4 e3 f2 g1|h8 #6
a6 b7 c8|d1 e2 f3 g4 h5 #5                      a6 b5 c4 d3 e2 f1|g8 h7 #5
a5 b6 c7 d8|e1 f2 g3 h4 #4                      a5 b4 c3 d2 e1|f8 g7 h6 #4
a4 b5 c6 d7 e8|f1 g2 h3 #3                      a4 b3 c2 d1|e8 f7 g6 h5 #3
a3 b4 c5 d6 e7 f8|g1 h2 #2                      a3 b2 c1|d8 e7 f6 g5 h4 #2
a2 b3 c4 d5 e6 f7 g8|h1 #1                      a2 b1|c8 d7 e6 f5 g4 h3 #1
a1 b2 c3 d4 e5 f6 g7 h8|#0                      a1|b8 c7 d6 e5 f4 g3 h2 #0
"""


def from_the_right(drawing: str, column: int) -> list[str]:
    """The same for boards whose rows are drawn with bit 7 on the left."""
    names = places(drawing, column)
    return [name for start in range(0, 64, 8) for name in reversed(names[start : start + 8])]


def check_places(names: list[str], computed: list[int], state_of: list[int]) -> None:
    """`names` by bit: against the places of the squares, and against a prepared board of one square each."""
    for place, name in enumerate(names):
        square = parse_square(name)
        assert computed[square] == place, name
        assert state_of[square] == 1 << place, name


def states(name: str, board_name: str) -> list[int]:
    """One rotated board for each occupancy of a single square."""
    t = technique(name)
    prepared = [getattr(t.prepare(1 << square), board_name) for square in range(64)]
    toggled = [getattr(t.toggle(t.prepare(0), square), board_name) for square in range(64)]
    assert prepared == toggled
    return prepared


def test_003_hyatt_normal_and_90_degrees() -> None:
    assert places(HYATT_90, 0) == list(squares.SQUARE_NAMES)
    check_places(places(HYATT_90, 0), list(range(64)), states("rotated-hyatt", "plain"))
    check_places(places(HYATT_90, 1), rotated.hyatt_places()["r90"], states("rotated-hyatt", "r90"))


@pytest.mark.parametrize(("column", "board_name"), [(0, "l45"), (1, "r45")])
def test_003_hyatt_45_degrees(column: int, board_name: str) -> None:
    drawn = places(HYATT_45, column)
    check_places(drawn, rotated.hyatt_places()[board_name], states("rotated-hyatt", board_name))


@pytest.mark.parametrize(("column", "line"), [(0, "antidiagonal"), (1, "diagonal")])
def test_003_hyatt_diamonds(column: int, line: str) -> None:
    # The diamond packed from below, row after row, gives the eight by eight board.
    rows = [re.findall(r"[A-H][1-8]", drawn) for drawn in HYATT_DIAMONDS.splitlines()]
    rows = [row[column * len(row) // 2 : (column + 1) * len(row) // 2] for row in rows if row]
    assert [len(row) for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1]
    packed = [name.lower() for row in reversed(rows) for name in row]
    assert packed == places(HYATT_45, column)
    for row in rows:
        first = parse_square(row[0].lower())
        whole = lines.line_through(line, first) | 1 << first
        assert whole == Bitboard.of(*(name.lower() for name in row))


def test_003_hyatt_bars_separate_diagonals() -> None:
    for column, line in ((0, "antidiagonal"), (1, "diagonal")):
        halves = [re.split(r"\s{4,}", drawn) for drawn in HYATT_45.splitlines() if re.search(r"[A-H][1-8]", drawn)]
        ring = " ".join(half[column] for half in reversed(halves))
        runs = [run.split() for run in ring.split("|") if run.strip()]
        assert len(runs) == 15
        for run in runs:
            first = parse_square(run[0].lower())
            assert Bitboard.of(*map(str.lower, run)) == lines.line_through(line, first) | 1 << first


def test_003_heinz_normal_board_counts_from_h1() -> None:
    names = from_the_right(HEINZ_FLIPPED, 0)
    assert names[0] == "h1"
    for index, name in enumerate(names):
        assert convert_square(index, "rank-little-big", OURS) == parse_square(name)


@pytest.mark.parametrize(
    ("drawing", "column", "board_name"),
    [
        pytest.param(HEINZ_FLIPPED, 1, "r90", id="flipped"),
        pytest.param(HEINZ_DIAGONALS, 0, "r45", id="A1-H8"),
        pytest.param(HEINZ_DIAGONALS, 1, "l45", id="A8-H1"),
    ],
)
def test_003_heinz(drawing: str, column: int, board_name: str) -> None:
    drawn = from_the_right(drawing, column)
    check_places(drawn, rotated_heinz.heinz_places()[board_name], states("rotated-heinz", board_name))


@pytest.mark.parametrize(("column", "line"), [(0, "diagonal"), (1, "antidiagonal")])
def test_003_heinz_bars_separate_diagonals(column: int, line: str) -> None:
    halves = [re.split(r"\s{4,}", drawn)[column] for drawn in HEINZ_DIAGONALS.splitlines() if "#" in drawn]
    runs = [run.split() for half in halves for run in half.split("#")[0].split("|") if run.strip()]
    assert len(runs) == 15
    for run in runs:
        first = parse_square(run[0])
        assert Bitboard.of(*run) == lines.line_through(line, first) | 1 << first


@pytest.mark.parametrize("author", ["hyatt", "heinz"])
def test_003_table_sizes(author: str) -> None:
    # Four tables of 128 KiB; the outer squares left out, four of 32 KiB (000 has this number too).
    for name, kilobytes in ((f"rotated-{author}", 128), (f"rotated-{author}-64", 32)):
        tables = technique(name).tables()
        for line in ("rank", "file", "diagonal", "antidiagonal"):
            assert getattr(tables, line).nbytes == kilobytes * 1024
