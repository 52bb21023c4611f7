"""Checks and pins, for counts, queries and feature planes alike.

    w            the propagators of an occupancy, see `rookery.positions.queries.fills`
    king         one king, or the empty board
    own, other   its side, and the side that attacks it

The squares that a king sees along a line and the squares that sliders attack along it can meet in one direction only:
the slider's ray ends at the first piece that the king sees. That piece shields the king (chessprogramming wiki, "Checks
and Pinned Pieces"). If that piece is the checker itself, the squares they share answer the check.

>>> from rookery.bitboards.bitboard import Bitboard
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
>>> Bitboard(int(met.file)).names()
['e4']
>>> Bitboard(int(met.antidiagonal)).names()
['d2', 'c3', 'b4']
"""

from typing import NamedTuple

from rookery.bitboards.sets import knight_moves
from rookery.kernel import UNIVERSE, Bits, kernel
from rookery.positions.kernels.lanes import Lane, View
from rookery.positions.queries.attacks import attacks_by, pawn_attacks
from rookery.positions.queries.fills import Slides, east, no_ea, no_we, nort, slides, so_ea, so_we, sout, west


class Lines(NamedTuple):
    """Four boards, one for each line through a square."""

    file: Bits
    rank: Bits
    diagonal: Bits
    antidiagonal: Bits


@kernel
def along(w: Slides, orthogonals: Bits, diagonals: Bits) -> Lines:
    """Return the squares that sliders attack along each line, in both directions."""
    return Lines(
        nort(w, orthogonals) | sout(w, orthogonals),
        east(w, orthogonals) | west(w, orthogonals),
        no_ea(w, diagonals) | so_we(w, diagonals),
        no_we(w, diagonals) | so_ea(w, diagonals),
    )


@kernel
def both(a: Lines, b: Lines) -> Lines:
    """Return the intersection of two sets of lines, line by line."""
    return Lines(a.file & b.file, a.rank & b.rank, a.diagonal & b.diagonal, a.antidiagonal & b.antidiagonal)


@kernel
def all_lines(a: Lines) -> Bits:
    """Return the union of the four boards."""
    return a.file | a.rank | a.diagonal | a.antidiagonal


@kernel
def shields(w: Slides, king: Bits, orthogonals: Bits, diagonals: Bits) -> Lines:
    """Return the squares that shield a king from these sliders, line by line.

    They are the pieces of either side that stand alone between the king and a slider, and the empty squares between the
    king and a slider that gives check.
    """
    return both(along(w, king, king), along(w, orthogonals, diagonals))


@kernel
def second_shields(w: Slides, king: Bits, occupied: Bits, orthogonals: Bits, diagonals: Bits) -> Bits:
    """Return the pieces next to these sliders, where they and another piece alone shield a king from the slider."""
    o, d = orthogonals, diagonals
    file = (nort(w, nort(w, king) & occupied) & sout(w, o)) | (sout(w, sout(w, king) & occupied) & nort(w, o))
    rank = (east(w, east(w, king) & occupied) & west(w, o)) | (west(w, west(w, king) & occupied) & east(w, o))
    rising = (no_ea(w, no_ea(w, king) & occupied) & so_we(w, d)) | (so_we(w, so_we(w, king) & occupied) & no_ea(w, d))
    falling = (no_we(w, no_we(w, king) & occupied) & so_ea(w, d)) | (so_ea(w, so_ea(w, king) & occupied) & no_we(w, d))
    return (file | rank | rising | falling) & occupied


@kernel
def checkers(seen: Lines, p: Lane | View, king: Bits, other: Bits, black: Bits) -> Bits:
    """Return the pieces that give check to a king that sees these lines; an adjacent king does not count.

    `black` is the universe if the pawns on the king's side move down the board.
    """
    return other & (
        ((seen.file | seen.rank) & p.orthogonals)
        | ((seen.diagonal | seen.antidiagonal) & p.diagonals)
        | (knight_moves(king) & p.knights)
        | (pawn_attacks(king, black) & p.pawns)
    )


@kernel
def danger(p: Lane | View, king: Bits, own: Bits, other: Bits, black: Bits) -> Bits:
    """Return the squares that the other side attacks once the king is off the board: it may not go there.

    `rookery.positions.queries.questions` has a cheaper way.
    """
    return attacks_by(slides(~(own | other) | king), p, other, UNIVERSE ^ black)
