"""Indifferent moves: those that cannot change the number of the opponent's replies.

Perft's last two plies ask, for each move, how many replies it leaves. Most quiet moves leave just as many as passing
the turn would: they touch nothing that the opponent sees, nothing that bears on his king. For those the replies are
counted once a position, and the moves themselves need only be counted too. In the tree of the start position that is
two moves out of three, in Kiwipete's one out of four.

    us      the side that replies, moving up the board; them: the side to move
    zone    where it matters what they attack: our king, the squares he may step to, the way he castles

A quiet move from f to t by a piece of theirs leaves our replies as many as before if
- the piece attacks nothing of the zone from f, nor from t, and no slider of theirs is opened or shut towards the zone:
  neither f nor t lies where one of them attacks and the zone looks back along the same kind of line;
- f and t are not on a line of our king on which a slider of theirs stands, or is put: no pin is made, moved or undone;
- f and t are not on the way of a castling that is still allowed;
- none of our sliders sees f or t, no pawn of ours attacks or may step on either: our pieces' targets stay.
A double push that could be taken en passant is the caller's to leave out.

All but the last are about our king. A move that breaks the last only, or takes a piece, is *light*: it leaves the
replies of the king as they are, and neither pins nor frees a piece. Those of the pieces are counted again, but with
neither checks nor pins nor enemy attacks to look for, at less than half the price. Where the piece taken stands beside
our king or could castle, no move is light.
"""

from typing import NamedTuple

from rookery.bitboards.bits import antidiagonal_mask, diagonal_mask, file_mask, rank_mask
from rookery.bitboards.sets import king_moves, knight_moves, white_pawn_any_attacks
from rookery.kernel import Bits, Word, kernel, trailing_zeros
from rookery.positions.counts import ChecksAndPins, count, count_king, movers
from rookery.positions.fills import east, no_ea, no_we, nort, slide_east, so_ea, so_we, sout, west
from rookery.positions.layout import View

_A1, _E1, _H1 = 1 << 0, 1 << 4, 1 << 7
_F1_G1, _B1_C1_D1 = 0x60, 0x0E
_SIX_BITS = 63


class Indifferent(NamedTuple):
    """For each kind of piece the squares that are no concern of our king's: a move between two of them is light, if it
    goes to a square of `light`; and indifferent, if it takes nothing and neither square is in `seen`.
    """

    pawns: Bits
    knights: Bits
    bishops: Bits
    rooks: Bits
    kings: Bits
    seen: Bits  # by our sliders and pawns
    light: Bits
    replies: Word  # to each indifferent move
    king_replies: Word  # of these the king's, castling included


@kernel
def indifferent(v: View, s: ChecksAndPins) -> Indifferent:
    """The indifferent moves of the other side; it is `them` who are to move."""
    p = s.p
    g = movers(v, s.pins)
    king = s.king
    seen = nort(p, g.file) | sout(p, g.file) | east(p, g.rank) | west(p, g.rank)
    seen |= no_ea(p, g.diagonal) | so_we(p, g.diagonal) | no_we(p, g.antidiagonal) | so_ea(p, g.antidiagonal)
    pawns = v.pawns & v.us
    seen |= white_pawn_any_attacks(pawns) | pawns << 8 | pawns << 16
    rights = v.castling & v.us
    way = (_F1_G1 if rights & _H1 else 0) | (_B1_C1_D1 if rights & _A1 else 0)
    zone = king | king_moves(king) & ~v.us | way
    zone_o = zone | nort(p, zone) | sout(p, zone) | slide_east(p, zone) | west(p, zone)
    zone_d = zone | no_ea(p, zone) | so_we(p, zone) | no_we(p, zone) | so_ea(p, zone)
    theirs_o, theirs_d = v.orthogonals & v.them, v.diagonals & v.them
    hit_o = nort(p, theirs_o) | sout(p, theirs_o) | east(p, theirs_o) | west(p, theirs_o)
    hit_d = no_ea(p, theirs_d) | so_we(p, theirs_d) | no_we(p, theirs_d) | so_ea(p, theirs_d)
    k = trailing_zeros(king) & _SIX_BITS
    file, rank = file_mask(k), rank_mask(k)
    diagonal, antidiagonal = diagonal_mask(k), antidiagonal_mask(k)
    pins = (file if file & theirs_o else 0) | (rank if rank & theirs_o else 0)
    pins |= (diagonal if diagonal & theirs_d else 0) | (antidiagonal if antidiagonal & theirs_d else 0)
    calm = ~(zone_o & hit_o | zone_d & hit_d | pins | way)
    light = ~((king_moves(king) | rights) & v.us)
    return Indifferent(
        calm & ~white_pawn_any_attacks(zone),
        calm & ~knight_moves(zone),
        calm & ~(zone_d | diagonal | antidiagonal),
        calm & ~(zone_o | file | rank),
        calm & ~(zone | king_moves(zone)),
        seen,
        light,
        count(v, s),
        count_king(v, s),
    )
