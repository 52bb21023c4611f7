"""Compiled code for the motifs of pieces."""

from typing import Any

from rookery.bitboards import bits, sets
from rookery.kernel import U64, Bits, array_of, entry, kernel, popcount, tuple_of
from rookery.positions.kernels.lanes import View, black_mask, load, turned, view_of
from rookery.positions.layout import SIDES, empty_columns
from rookery.positions.motifs.boards import PieceBoards
from rookery.positions.motifs.kernels.pawns import file_fill, opposing_passed_pawns, passed_pawns, rear_spans, sideways
from rookery.positions.queries.attacks import Planes, sided
from rookery.positions.queries.fills import Slides, diagonal_attacks, nort, orthogonal_attacks, slides, sout

_G_FILE = bits.H_FILE >> 1
_FILES_C_TO_F = bits.A_FILE << 2 | bits.A_FILE << 3 | bits.A_FILE << 4 | bits.A_FILE << 5

_FIANCHETTO = (bits.B_FILE | _G_FILE) & bits.RANK_2
_H7, _H5 = bits.H_FILE & bits.RANK_7, bits.H_FILE & bits.RANK_5
_G8, _G5 = _G_FILE & bits.RANK_8, _G_FILE & bits.RANK_5


@kernel
def only_if(condition: Bits, b: Bits) -> Bits:
    """Return `b` where `condition` is not empty, else the empty board."""
    return b if condition else U64(0)


@kernel
def fewer(a: Bits, b: Bits, result: Bits) -> Bits:
    """Return `result` where `a` has fewer squares than `b`, else the empty board."""
    return result if popcount(a) < popcount(b) else U64(0)


@kernel
def bishop_pair(bishops: Bits) -> Bits:
    """Return the bishops if they are on squares of both colours."""
    return only_if(bishops & bits.LIGHT_SQUARES, only_if(bishops & ~bits.LIGHT_SQUARES, bishops))


@kernel
def good_bishops(bishops: Bits, pawns: Bits) -> Bits:
    """Return the bishops on the colour with fewer pawns of their side."""
    light, dark = pawns & bits.LIGHT_SQUARES, pawns & ~bits.LIGHT_SQUARES
    return fewer(light, dark, bishops & bits.LIGHT_SQUARES) | fewer(dark, light, bishops & ~bits.LIGHT_SQUARES)


@kernel
def bad_bishops(bishops: Bits, pawns: Bits, occupied: Bits) -> Bits:
    """Return the bishops on the colour with more pawns of their side, one of them blocked on the files c to f."""
    light, dark = pawns & bits.LIGHT_SQUARES, pawns & ~bits.LIGHT_SQUARES
    blocked = pawns & sets.sout_one(occupied) & _FILES_C_TO_F
    on_light = only_if(blocked & bits.LIGHT_SQUARES, bishops & bits.LIGHT_SQUARES)
    on_dark = only_if(blocked & ~bits.LIGHT_SQUARES, bishops & ~bits.LIGHT_SQUARES)
    return fewer(dark, light, on_light) | fewer(light, dark, on_dark)


@kernel
def opposite_bishops(bishops: Bits, theirs: Bits) -> Bits:
    """Return the bishop of a side if each side has one, on squares of different colours."""
    split = only_if(bishops & bits.LIGHT_SQUARES, theirs & ~bits.LIGHT_SQUARES)
    split |= only_if(bishops & ~bits.LIGHT_SQUARES, theirs & bits.LIGHT_SQUARES)
    alone = U64(0) if bits.reset_ls1b(bishops) | bits.reset_ls1b(theirs) else bishops
    return only_if(split, alone)


@kernel
def guns(w: Slides, rooks: Bits, queens: Bits) -> Bits:
    """Return two rooks and a queen behind them on a file, with nothing between them."""
    rear = rooks & nort(w, queens)
    front = rooks & nort(w, rear)
    rear &= sout(w, front)
    return front | rear | (queens & sout(w, rear))


@kernel
def weak_back_rank(v: View, king: Bits, danger: Bits) -> Bits:
    """Return the king if it is shut in on its first rank, and no rook or queen of its side guards the rank.

    `danger` has the squares that the opponent attacks.
    """
    front = sets.nort_one(king | sideways(king))
    shut_in = U64(0) if front & ~(v.us | danger) else king & bits.RANK_1
    guarded = U64(0) if v.orthogonals & v.us & bits.RANK_1 else shut_in
    return only_if(v.orthogonals & v.them, guarded)


@kernel
def greek_gift(w: Slides, v: View, bishops: Bits, their_king: Bits, guarded: Bits) -> Bits:
    """Return the bishops that can be sacrificed on h7, with knight and queen ready to follow.

    `guarded` has the squares that at least two of the opponent's pieces attack, one of which is the king for h7.
    """
    knights = v.knights & v.us
    ready = bishops & diagonal_attacks(w, _H7)
    ready = only_if(their_king & _G8, only_if(v.pawns & v.them & _H7, ready))
    ready = only_if(sets.knight_moves(knights) & _G5 & ~v.us, ready)
    through = slides(~(v.us | v.them) | knights)
    queens = v.diagonals & v.orthogonals & v.us
    ready = only_if(queens & (orthogonal_attacks(through, _H5) | diagonal_attacks(through, _H5)), ready)
    return U64(0) if guarded & _H7 else ready


@kernel
def two_steps_away(king: Bits, empty: Bits) -> Bits:
    """Return the squares two steps from a king along a file, rank or diagonal, over an empty square."""
    found = sets.nort_one(sets.nort_one(king) & empty) | sets.sout_one(sets.sout_one(king) & empty)
    found |= sets.east_one(sets.east_one(king) & empty) | sets.west_one(sets.west_one(king) & empty)
    found |= sets.no_ea_one(sets.no_ea_one(king) & empty) | sets.so_we_one(sets.so_we_one(king) & empty)
    return found | sets.no_we_one(sets.no_we_one(king) & empty) | sets.so_ea_one(sets.so_ea_one(king) & empty)


@kernel
def twice(n: Planes) -> Bits:
    """Return the squares whose number is at least two."""
    return n.twos | n.fours | n.eights | n.sixteens


@entry(examples=lambda: (empty_columns(1), SIDES["us"], tuple_of(PieceBoards, array_of(U64))))
def piece_placement(c: Any, side: Any, out: PieceBoards) -> None:
    """Write the motifs of pieces, kings, files and squares."""
    for k in range(out.bishop_pair.size):
        i = U64(k)
        p = load(c, i)
        s = sided(p, side)
        black = s.black
        v = view_of(p, black)
        king = turned(bits.isolate_ls1b(p.kings & s.own), black)
        their_king = turned(bits.isolate_ls1b(p.kings & s.other), black)
        occupied = v.us | v.them
        w = slides(~occupied)
        own, other = v.pawns & v.us, v.pawns & v.them
        all_bishops, all_rooks = v.diagonals & ~v.orthogonals, v.orthogonals & ~v.diagonals
        bishops, rooks = all_bishops & v.us, all_rooks & v.us
        files, closed = file_fill(own), file_fill(other)
        behind = rear_spans(other)

        out.bishop_pair[i] = turned(bishop_pair(bishops), black)
        out.good_bishop[i] = turned(good_bishops(bishops, own), black)
        out.bad_bishop[i] = turned(bad_bishops(bishops, own, occupied), black)
        out.opposite_coloured_bishops[i] = turned(opposite_bishops(bishops, all_bishops & v.them), black)
        out.fianchetto[i] = turned(bishops & _FIANCHETTO & ((own >> 8) | (own >> 16)), black)
        held = sets.white_pawn_any_attacks(own) & ~sideways(behind) & (bits.RANK_4 | bits.RANK_5 | bits.RANK_6)
        out.outpost[i] = turned((bishops | (v.knights & v.us)) & held, black)
        out.blockade[i] = turned(v.us & ~v.pawns & sets.sout_one(opposing_passed_pawns(own, other)), black)
        out.knight_on_rim[i] = turned(v.knights & v.us & (bits.A_FILE | bits.H_FILE), black)

        out.rook_on_open_file[i] = turned(rooks & ~(files | closed), black)
        out.rook_on_half_open_file[i] = turned(rooks & closed & ~files, black)
        useful = (their_king & bits.RANK_8) | (other & bits.RANK_7)
        out.rook_on_seventh[i] = turned(only_if(useful, rooks & bits.RANK_7), black)
        out.rook_behind_passed[i] = turned(rooks & sout(w, passed_pawns(own, other)), black)
        out.connected_rooks[i] = turned(rooks & orthogonal_attacks(w, rooks), black)
        out.doubled_rooks[i] = turned(rooks & (nort(w, rooks) | sout(w, rooks)), black)
        out.alekhines_gun[i] = turned(guns(w, rooks, v.diagonals & v.orthogonals & v.us), black)

        zone = king | sets.king_moves(king)
        out.king_zone[i] = turned(zone | sets.nort_one(zone), black)
        front = sets.nort_one(king | sideways(king))
        out.king_shelter[i] = turned(own & (front | sets.nort_one(front)), black)
        out.king_on_open_file[i] = turned(king & ~(files | closed), black)
        waiting = black_mask(p) ^ black  # the universe if the opponent is to move
        out.opposition[i] = turned(king & two_steps_away(their_king, ~occupied) & waiting, black)

        safe = (bits.RANK_2 | bits.RANK_3 | bits.RANK_4) & ~sets.black_pawn_any_attacks(other)
        out.space[i] = turned(_FILES_C_TO_F & safe & ~own, black)
