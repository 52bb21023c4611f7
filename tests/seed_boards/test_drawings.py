"""The reader of drawings itself: side by side, with words and brackets between."""

from drawings import board, boards, letters


def test_the_reader_of_drawings() -> None:
    a, b, c = boards("""
          words are not read
. . . . . . . 1     . . .[C D E F G]    . . . . . . . 1  >> 56
. . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .  *  . . . . . . . .  =  . . . . . . . .
. . . . . . . .     . . . . . . . .  >> . . . . . . . .
. . . . . . . .     . .garbadge . .  56 . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .
. . . . . . . .     . . . . . . . .     . . . . . . . .
1 . . . . . . .     . . . . . . . .     C . . . . . . .
    """)
    assert board(a) == 1 << 63 | 1
    assert [cells.names() for cells in letters(b).values()] == [["d8"], ["e8"], ["f8"], ["g8"], ["h8"]]
    assert {sign: cells.names() for sign, cells in letters(c).items()} == {"1": ["h8"], "C": ["a1"]}
