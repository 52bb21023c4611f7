"""Compiled code that counts legal moves without lists: about 350 branch-free operations, eight positions a register.

    v            a position as the side to move sees it
    free         where a piece other than the king may go: not on its own pieces, and answering a check
    pins         our pieces that shield the king, line by line: they move along that line or not at all

A fill in one direction reaches each target from one source, so the popcounts of the eight directions (and of the eight
knight steps) add up to the number of moves, however many sliders there are. Pins and checks come from the same fills,
see `rookery.positions.queries.pins`.
"""

from typing import Any, NamedTuple

import numpy as np

from rookery.bitboards.bits import NOT_A_FILE, NOT_H_FILE, RANK_3, RANK_8, isolate_ls1b, reset_ls1b
from rookery.bitboards.sets import black_pawn_any_attacks, king_moves, knight_moves
from rookery.kernel import U64, UNIVERSE, Bits, Word, array_of, entry, kernel, popcount, trailing_zeros
from rookery.positions.kernels.lanes import View, load, position, view
from rookery.positions.layout import empty_columns
from rookery.positions.queries.fills import Slides, east, no_ea, no_we, nort, slides, so_ea, so_we, sout, west
from rookery.positions.queries.pins import Lines, all_lines, along, both, checkers
from rookery.positions.queries.questions import BLOCK
from rookery.rules.compiled import default_technique
from rookery.rules.generate import Count, generate


class ChecksAndPins(NamedTuple):
    """The checks, pins and attacks that restrict our moves."""

    king: Bits
    p: Slides
    danger: Bits  # squares that the enemy attacks, also through the king
    checkers: Bits
    between: Bits  # the empty squares between the king and the sliders that check it
    pins: Lines


class Movers(NamedTuple):
    """Our pieces that may move, for each line, and for knights and pawns."""

    file: Bits
    rank: Bits
    diagonal: Bits
    antidiagonal: Bits
    knights: Bits
    pushing: Bits  # pawns
    taking_east: Bits
    taking_west: Bits


_E1, _A1, _H1 = 1 << 4, 1 << 0, 1 << 7
_F1_G1, _B1_C1_D1, _C1_D1 = 0x60, 0x0E, 0x0C
_NOT_AB, _NOT_GH = 0xFCFCFCFCFCFCFCFC, 0x3F3F3F3F3F3F3F3F


@kernel
def checks_and_pins(v: View) -> ChecksAndPins:
    """Return the checks, the pins and the squares that our king may not enter."""
    occupied = v.us | v.them
    p = slides(~occupied)
    king = isolate_ls1b(v.kings & v.us)
    theirs_o = v.orthogonals & v.them
    theirs_d = v.diagonals & v.them
    seen, attacked = along(p, king, king), along(p, theirs_o, theirs_d)
    met = both(seen, attacked)
    checking = checkers(seen, v, king, v.them, 0)
    danger = all_lines(attacked) | knight_moves(v.knights & v.them)
    danger |= black_pawn_any_attacks(v.pawns & v.them) | king_moves(v.kings & v.them)
    # A checking slider attacks through the king. Adding the square behind the king saves the eight more fills of
    # `pins.danger`. The checker's own square is excluded. With a checker at each end of a line that would be wrong, but
    # no move leads to such a position: `may_miscount` leaves it to the scalar generator.
    a, h = (king >> 1) & NOT_H_FILE, (king << 1) & NOT_A_FILE
    behind = (king << 8 | king >> 8) if seen.file & theirs_o else 0
    behind |= (a | h) if seen.rank & theirs_o else 0
    behind |= (h << 8 | a >> 8) if seen.diagonal & theirs_d else 0
    behind |= (a << 8 | h >> 8) if seen.antidiagonal & theirs_d else 0
    pins = both(met, Lines(v.us, v.us, v.us, v.us))
    return ChecksAndPins(king, p, danger | behind & ~checking, checking, all_lines(met) & ~occupied, pins)


@kernel
def movers(v: View, pins: Lines) -> Movers:
    """Return the pieces that may move along each line. A pinned piece moves along the line of its pin only."""
    free = ~all_lines(pins)
    orthogonals, diagonals, pawns = v.orthogonals & v.us, v.diagonals & v.us, v.pawns & v.us
    by_file, by_diagonal, by_antidiagonal = free | pins.file, free | pins.diagonal, free | pins.antidiagonal
    return Movers(
        orthogonals & by_file,
        orthogonals & (free | pins.rank),
        diagonals & by_diagonal,
        diagonals & by_antidiagonal,
        v.knights & v.us & free,
        pawns & by_file,
        pawns & by_diagonal,
        pawns & by_antidiagonal,
    )


@kernel
def count_pieces(p: Slides, m: Movers, empty: Bits, them: Bits, free: Bits) -> Word:
    """Count the moves of all pieces except the king to `free` squares, without en passant."""
    n = popcount(nort(p, m.file) & free) + popcount(sout(p, m.file) & free)
    n += popcount(east(p, m.rank) & free) + popcount(west(p, m.rank) & free)
    n += popcount(no_ea(p, m.diagonal) & free) + popcount(so_we(p, m.diagonal) & free)
    n += popcount(no_we(p, m.antidiagonal) & free) + popcount(so_ea(p, m.antidiagonal) & free)
    free_h, free_a = free & NOT_A_FILE, free & NOT_H_FILE
    free_gh, free_ab = free & _NOT_AB, free & _NOT_GH
    n += popcount((m.knights << 17) & free_h) + popcount((m.knights >> 15) & free_h)
    n += popcount((m.knights << 15) & free_a) + popcount((m.knights >> 17) & free_a)
    n += popcount((m.knights << 10) & free_gh) + popcount((m.knights >> 6) & free_gh)
    n += popcount((m.knights << 6) & free_ab) + popcount((m.knights >> 10) & free_ab)
    pushed = (m.pushing << 8) & empty
    doubled = ((pushed & RANK_3) << 8) & empty & free
    pushed &= free
    hit_e = (m.taking_east << 9) & free_h & them
    hit_w = (m.taking_west << 7) & free_a & them
    # Pushes, jumps and eastward captures have disjoint targets: one popcount for three sets.
    ahead = pushed | hit_e
    promotions = popcount((ahead & RANK_8) >> 8 | hit_w & RANK_8)
    return n + popcount(ahead | doubled) + popcount(hit_w) + promotions + (promotions << 1)


@kernel
def count_king(v: View, s: ChecksAndPins) -> Word:
    """Count the king's moves, with castling from the squares of classical chess only."""
    occupied = v.us | v.them
    n = popcount(king_moves(s.king) & ~(v.us | s.danger))
    rights = v.castling & v.us if s.king & _E1 and not s.checkers else 0
    n += 1 if rights & _H1 and not (occupied | s.danger) & _F1_G1 else 0
    n += 1 if rights & _A1 and not (occupied & _B1_C1_D1 | s.danger & _C1_D1) else 0
    return n


@kernel
def count(v: View, s: ChecksAndPins) -> Word:
    """Count the legal moves, without en passant and without castling from other squares than in classical chess."""
    free = ~v.us & ((s.checkers | s.between) if s.checkers else UNIVERSE)
    free = 0 if reset_ls1b(s.checkers) else free
    return count_king(v, s) + count_pieces(s.p, movers(v, s.pins), ~(v.us | v.them), v.them, free)


@kernel
def may_miscount(v: View, s: ChecksAndPins) -> Bits:
    """Return a board that is not empty where `count` may be wrong.

    That is the case with a pawn next to one that has just jumped; with a rook that may castle, other than in classical
    chess, and sees its king; with a second king; and with a checker next to the king that another checker may defend
    through the king.
    """
    en_passant = black_pawn_any_attacks(v.en_passant) & v.pawns & v.us
    classical = (_A1 | _H1) if s.king & _E1 else 0
    rooks = 0 if s.checkers else v.castling & v.us & (UNIVERSE ^ classical)
    seen = east(s.p, s.king) | west(s.p, s.king)
    defended = king_moves(s.king) & s.checkers if reset_ls1b(s.checkers) else 0
    return en_passant | (rooks & seen) | reset_ls1b(v.kings & v.us) | defended


@kernel
def count_block(c: Any, start: Word, out: Any, t: Any) -> None:
    """Write the numbers of legal moves of at most `BLOCK` positions from `start` on; `t` holds the tables."""
    marks: Word = 0
    for i in range(out.size):
        v = view(load(c, start + U64(i)))
        s = checks_and_pins(v)
        out[i] = count(v, s)
        marks |= (1 if may_miscount(v, s) else 0) << U64(i)
    while marks:
        i = trailing_zeros(marks)
        out[i] = generate(position(load(c, start + i), t), t, Count(), UNIVERSE, UNIVERSE)
        marks = reset_ls1b(marks)


@entry(examples=lambda: (empty_columns(1), array_of(np.uint16), default_technique().tables()))
def counts(c: Any, out: Any, t: Any) -> None:
    """Write the number of legal moves of each position."""
    for start in range(0, out.size, BLOCK):
        count_block(c, U64(start), out[start : start + BLOCK], t)
