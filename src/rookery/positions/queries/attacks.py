"""The squares that a whole side attacks: as one board, as a board for each kind of piece, or counted for each square.

    p        a position, a1 = 0: boards are not flipped here, since only pawns distinguish up from down
    w        the propagators of its sliders, see `rookery.positions.queries.fills`
    own      the pieces of the side in question; other, those of its opponent
    black    the universe if that side is black, else the empty board

A fill in one direction reaches each square from at most one slider: the nearest piece on the way back. One fill of many
sliders and another of some of them therefore separate the two groups, and the number of attackers of a square is the
number of directions, and of knight's steps, from which it is attacked.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bitboards import sets
from rookery.bitboards.bits import flip_diagonal
from rookery.kernel import U64, UNIVERSE, Bits, array_of, entry, kernel, signed, tuple_of
from rookery.positions.kernels.lanes import Lane, View, black_mask, load, occupied_of
from rookery.positions.layout import SIDES, ByPiece, Side, Words, empty_columns
from rookery.positions.queries import fills

BLOCK: Final = 64  # positions whose bit planes fit in the L1 cache until they become bytes
# Words also in `counts`, which is signed: a byte, and where the rows of `count_room` begin.
_BYTE = U64(0xFF)
_TWOS, _FOURS, _EIGHTS, _SIXTEENS = (U64(k * BLOCK) for k in range(1, 5))


class Sided(NamedTuple):
    """The two sides of one position, see the top of this file."""

    own: Bits
    other: Bits
    black: Bits


@kernel
def sided(p: Lane, side: Side) -> Sided:
    """Return the pieces and the colour of a side in one position."""
    black = (black_mask(p) & side.by_turn) ^ side.second
    occupied = occupied_of(p)
    own = (p.white ^ black) & occupied
    return Sided(own, occupied ^ own, black)


@kernel
def pawn_attacks(pawns: Bits, black: Bits) -> Bits:
    """Return the squares that pawns of one colour attack: down the board if `black` is the universe."""
    return sets.white_pawn_any_attacks(pawns & ~black) | sets.black_pawn_any_attacks(pawns & black)


@kernel
def attacks_by(w: fills.Slides, p: Lane | View, own: Bits, black: Bits) -> Bits:
    """Return the squares that the pieces of a side attack."""
    return (
        fills.orthogonal_attacks(w, p.orthogonals & own)
        | fills.diagonal_attacks(w, p.diagonals & own)
        | sets.knight_moves(p.knights & own)
        | sets.king_moves(p.kings & own)
        | pawn_attacks(p.pawns & own, black)
    )


@entry(examples=lambda: (empty_columns(1), array_of(U64), array_of(U64)))
def of_both(c: Any, white: Any, black: Any) -> None:
    """Write the squares that each colour attacks."""
    for i in range(white.size):
        p = load(c, i)
        occupied = occupied_of(p)
        w = fills.slides(~occupied)
        white[i] = attacks_by(w, p, occupied & p.white, 0)
        black[i] = attacks_by(w, p, occupied & ~p.white, UNIVERSE)


# Attacks by kind of piece, for both colours.


class SliderAttacks(NamedTuple):
    """The attacks of four groups of sliders; the plain ones are bishops, or rooks."""

    white_plain: Bits
    white_queens: Bits
    black_plain: Bits
    black_queens: Bits


@kernel
def separate(attacked: Bits, by_queens: Bits, by_white: Bits) -> SliderAttacks:
    """Return the attacks of four groups in one direction, from fills of all sliders, the queens and the white ones."""
    return SliderAttacks(
        by_white & ~by_queens,
        by_white & by_queens,
        attacked & ~(by_white | by_queens),
        by_queens & ~by_white,
    )


@kernel
def merge(a: SliderAttacks, b: SliderAttacks, c: SliderAttacks, d: SliderAttacks) -> SliderAttacks:
    """Return the union of the attacks in four directions."""
    return SliderAttacks(
        a.white_plain | b.white_plain | c.white_plain | d.white_plain,
        a.white_queens | b.white_queens | c.white_queens | d.white_queens,
        a.black_plain | b.black_plain | c.black_plain | d.black_plain,
        a.black_queens | b.black_queens | c.black_queens | d.black_queens,
    )


@entry(examples=lambda: (empty_columns(1), tuple_of(ByPiece, array_of(U64)), tuple_of(ByPiece, array_of(U64))))
def maps(c: Any, white: ByPiece, black: ByPiece) -> None:
    """Write the squares that the pieces of each kind and colour attack."""
    for k in range(white.pawns.size):
        # A signed index may count from the end: LLVM then gathers and scatters (64 M/s instead of 102).
        i = U64(k)
        p = load(c, i)
        w = fills.slides(~occupied_of(p))
        queens = p.diagonals & p.orthogonals
        x, x_white = p.diagonals, p.diagonals & p.white
        diagonal = merge(
            separate(fills.no_ea(w, x), fills.no_ea(w, queens), fills.no_ea(w, x_white)),
            separate(fills.so_ea(w, x), fills.so_ea(w, queens), fills.so_ea(w, x_white)),
            separate(fills.so_we(w, x), fills.so_we(w, queens), fills.so_we(w, x_white)),
            separate(fills.no_we(w, x), fills.no_we(w, queens), fills.no_we(w, x_white)),
        )
        x, x_white = p.orthogonals, p.orthogonals & p.white
        orthogonal = merge(
            separate(fills.nort(w, x), fills.nort(w, queens), fills.nort(w, x_white)),
            separate(fills.sout(w, x), fills.sout(w, queens), fills.sout(w, x_white)),
            separate(fills.east(w, x), fills.east(w, queens), fills.east(w, x_white)),
            separate(fills.west(w, x), fills.west(w, queens), fills.west(w, x_white)),
        )
        white.pawns[i] = sets.white_pawn_any_attacks(p.pawns & p.white)
        white.knights[i] = sets.knight_moves(p.knights & p.white)
        white.bishops[i] = diagonal.white_plain
        white.rooks[i] = orthogonal.white_plain
        white.queens[i] = diagonal.white_queens | orthogonal.white_queens
        white.kings[i] = sets.king_moves(p.kings & p.white)
        black.pawns[i] = sets.black_pawn_any_attacks(p.pawns & ~p.white)
        black.knights[i] = sets.knight_moves(p.knights & ~p.white)
        black.bishops[i] = diagonal.black_plain
        black.rooks[i] = orthogonal.black_plain
        black.queens[i] = diagonal.black_queens | orthogonal.black_queens
        black.kings[i] = sets.king_moves(p.kings & ~p.white)


# The number of attackers as bit planes: a full adder in logic instructions, on 64 squares at once.


class Sum(NamedTuple):
    """One bit of each sum, and the carry into the next."""

    bit: Bits
    carry: Bits


@kernel
def add_two(a: Bits, b: Bits) -> Sum:
    """Add two bits on each square: a half adder."""
    return Sum(a ^ b, a & b)


@kernel
def add_three(a: Bits, b: Bits, c: Bits) -> Sum:
    """Add three bits on each square: a full adder, two three-operand instructions of AVX-512."""
    return Sum(a ^ b ^ c, (a & b) | (a & c) | (b & c))


class Planes(NamedTuple):
    """The binary digits of a number from 0 to 16 on each square."""

    ones: Bits
    twos: Bits
    fours: Bits
    eights: Bits
    sixteens: Bits


@kernel
def count_attackers(w: fills.Slides, p: Lane | View, own: Bits, black: Bits) -> Planes:
    """Count the pieces of a side that attack each square: at most one from each direction, and eight knights."""
    o, d, kings = p.orthogonals & own, p.diagonals & own, p.kings & own
    up, down = kings | (p.pawns & own & ~black), kings | (p.pawns & own & black)
    n = p.knights & own
    e1, w1 = sets.east_one(n), sets.west_one(n)
    e2, w2 = sets.east_one(e1), sets.west_one(w1)
    a = add_three(fills.nort(w, o) | sets.nort_one(kings), fills.sout(w, o) | sets.sout_one(kings), e1 << 16)
    b = add_three(fills.east(w, o) | sets.east_one(kings), fills.west(w, o) | sets.west_one(kings), w1 << 16)
    c = add_three(fills.no_ea(w, d) | sets.no_ea_one(up), fills.so_ea(w, d) | sets.so_ea_one(down), e1 >> 16)
    e = add_three(fills.so_we(w, d) | sets.so_we_one(down), fills.no_we(w, d) | sets.no_we_one(up), w1 >> 16)
    f = add_three(e2 << 8, w2 << 8, e2 >> 8)
    # Six ones remain to be added, then eight twos, and so on.
    g = add_three(a.bit, b.bit, c.bit)
    h = add_three(e.bit, f.bit, w2 >> 8)
    ones = add_two(g.bit, h.bit)
    i = add_three(a.carry, b.carry, c.carry)
    j = add_three(e.carry, f.carry, g.carry)
    k = add_three(h.carry, ones.carry, i.bit)
    twos = add_two(j.bit, k.bit)
    m = add_three(i.carry, j.carry, k.carry)
    fours = add_two(m.bit, twos.carry)
    eights = add_two(m.carry, fours.carry)
    return Planes(ones.bit, twos.bit, fours.bit, eights.bit, eights.carry)


def count_room() -> Words:
    """Return work space for `counts`: a row for each plane."""
    return np.empty(len(Planes._fields) * BLOCK, U64)


@entry(examples=lambda: (count_room(), empty_columns(1), SIDES["us"], array_of(U64, 2)))
@signed
def counts(planes: Any, c: Any, side: Any, out: Any) -> None:
    """Write the number of attackers as a byte for each square; `out` has eight squares in a word.

    A rank of the five planes is a bit matrix with a plane in each row; transposed, it has a square in each row. The
    eight ranks of a position are eight lanes.
    """
    n, ranks = out.shape  # 8 ranks; with a literal 8 LLVM unrolls the loop and does not vectorise it
    for start in range(0, n, BLOCK):
        size = min(n - start, BLOCK)
        for i in range(size):
            p = load(c, U64(start) + U64(i))
            s = sided(p, side)
            counted = count_attackers(fills.slides(~occupied_of(p)), p, s.own, s.black)
            planes[U64(i)] = counted.ones
            planes[U64(i) + _TWOS] = counted.twos
            planes[U64(i) + _FOURS] = counted.fours
            planes[U64(i) + _EIGHTS] = counted.eights
            planes[U64(i) + _SIXTEENS] = counted.sixteens
        for i in range(size):
            a, b, d = planes[U64(i)], planes[U64(i) + _TWOS], planes[U64(i) + _FOURS]
            e, f = planes[U64(i) + _EIGHTS], planes[U64(i) + _SIXTEENS]
            for rank in range(ranks):
                shift = U64(8 * rank)
                rows = ((a >> shift) & _BYTE) | (((b >> shift) & _BYTE) << 8) | (((d >> shift) & _BYTE) << 16)
                rows |= (((e >> shift) & _BYTE) << 24) | (((f >> shift) & _BYTE) << 32)
                out[start + i, rank] = flip_diagonal(rows)
