"""Checks and pins: what bears on a king, for all who ask: counts, queries and planes.

    w            the slides of an occupancy, see `rookery.positions.fills`
    king         one king, or nothing
    own, other   its side, and the side that attacks it

What a king sees along a line and what sliders attack along the same line meets in one direction only: where a slider's
way ends at the first piece that the king sees. That piece shields the king (chessprogramming wiki, "Checks and Pinned
Pieces"); where it is the checker, the squares before it are those that answer the check.

>>> from rookery.bitboard import Bitboard
>>> occupied = Bitboard.parse('''
...     . . . . 1 . . .
...     . . . . . . . .
...     . . . . . . . .
...     1 . . . . . . .
...     . . . . 1 . . .
...     . . . . . . . .
...     . . . . . . . .
...     . . . . 1 . . .
... ''')
>>> # A rook on e8 pins the knight on e4 to its king on e1; a bishop on a5 gives check.
>>> met = shields(slides(~occupied), Bitboard.of("e1"), Bitboard.of("e8"), Bitboard.of("a5"))
>>> Bitboard(int(met.file)).names(), Bitboard(int(met.antidiagonal)).names()
(['e4'], ['d2', 'c3', 'b4'])
"""

from typing import NamedTuple

from rookery.kernel import UNIVERSE, Bits, kernel
from rookery.positions.attacks import attacks_by, pawn_attacks
from rookery.positions.fills import Slides, east, no_ea, no_we, nort, slides, so_ea, so_we, sout, west
from rookery.positions.layout import Lane, View
from rookery.sets import knight_moves


class Lines(NamedTuple):
    """A board for each line through a square."""

    file: Bits
    rank: Bits
    diagonal: Bits
    antidiagonal: Bits


@kernel
def along(w: Slides, orthogonals: Bits, diagonals: Bits) -> Lines:
    """What sliders attack along each line, both ways."""
    return Lines(
        nort(w, orthogonals) | sout(w, orthogonals),
        east(w, orthogonals) | west(w, orthogonals),
        no_ea(w, diagonals) | so_we(w, diagonals),
        no_we(w, diagonals) | so_ea(w, diagonals),
    )


@kernel
def both(a: Lines, b: Lines) -> Lines:
    """What two have in common, line by line."""
    return Lines(a.file & b.file, a.rank & b.rank, a.diagonal & b.diagonal, a.antidiagonal & b.antidiagonal)


@kernel
def all_lines(a: Lines) -> Bits:
    """The four boards as one."""
    return a.file | a.rank | a.diagonal | a.antidiagonal


@kernel
def shields(w: Slides, king: Bits, orthogonals: Bits, diagonals: Bits) -> Lines:
    """What stands alone between a king and one of these sliders, whosever it is; and the empty squares up to a slider
    that gives check.
    """
    return both(along(w, king, king), along(w, orthogonals, diagonals))


@kernel
def checkers(seen: Lines, p: Lane | View, king: Bits, other: Bits, black: Bits) -> Bits:
    """The pieces that give check to a king that sees these lines, but for another king; `black` is the universe if the
    king's pawns move down the board.
    """
    return other & (
        ((seen.file | seen.rank) & p.orthogonals)
        | ((seen.diagonal | seen.antidiagonal) & p.diagonals)
        | (knight_moves(king) & p.knights)
        | (pawn_attacks(king, black) & p.pawns)
    )


@kernel
def danger(p: Lane | View, king: Bits, own: Bits, other: Bits, black: Bits) -> Bits:
    """What the other side attacks, the king off the board: where it may not go. The counts know a shorter way."""
    return attacks_by(slides(~(own | other) | king), p, other, UNIVERSE ^ black)
