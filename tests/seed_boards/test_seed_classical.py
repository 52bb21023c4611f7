"""The classical approach: a blocked ray of a bishop.

From document 002 (drawings.py lists the documents). Its free rays, drawn in 000 too, are in test_seed_lines.py.
"""

from drawings import board, boards
from rookery.bitboards import bits, lines, squares
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import parse_square
from rookery.techniques import technique


def test_002_bishop_g2() -> None:
    occupied, ray, blockers = boards("""
occupied         &  NorthWest(g2)       {a8, c6}
1 . 1 1 1 1 1 1     1 . . . . . . .     1 . . . . . . .
1 . 1 1 1 1 1 1     . 1 . . . . . .     . . . . . . . .
. 1 1 . . . . .     . . 1 . . . . .     . . 1 . . . . .
. . . . . . . .     . . . 1 . . . .     . . . . . . . .
. . . . . . . .  &  . . . . 1 . . .  =  . . . . . . . .
. . . . . . 1 .     . . . . . 1 . .     . . . . . . . .
1 1 1 1 1 1 B 1     . . . . . . . .     . . . . . . . .
1 1 1 1 1 . 1 1     . . . . . . . .     . . . . . . . .
    """)
    (beyond,) = boards("""
                    xor NorthWest(c6 = bitscanForward{a8,c6}
                    1 . . . . . . .
                    . 1 . . . . . .
                    . . . . . . . .
                    . . . . . . . .
                    . . . . . . . .
                    . . . . . . . .
                    . . . . . . . .
                    . . . . . . . .
    """)
    (attacks,) = boards("""
                    =  final northWest Attacks
                    . . . . . . . .
                    . . . . . . . .
                    . . 1 . . . . .
                    . . . 1 . . . .
                    . . . . 1 . . .
                    . . . . . 1 . .
                    . . . . . . . .
                    . . . . . . . .
    """)
    g2 = parse_square("g2")
    all_pieces = board(occupied, "1B")
    assert lines.ray("northwest", g2) == board(ray)
    assert all_pieces & board(ray) == board(blockers) == Bitboard.of("a8", "c6")
    first = bits.hardware_forward(board(blockers))
    assert squares.square_name(first) == "c6"
    assert lines.ray("northwest", first) == board(beyond)
    assert board(ray) ^ board(beyond) == board(attacks)
    for name in ("classical", "classical-branchless", "classical-generalized", "classical-zero-count"):
        assert technique(name).ray("northwest", g2, all_pieces) == board(attacks), name
