"""Indifferent moves: moves that cannot change the number of the opponent's replies.

The last two plies of perft count the replies to each move. Most quiet moves leave as many replies as passing the turn:
they affect nothing that the opponent's pieces see, and nothing near his king. Their replies are counted once a
position, and the moves are only counted. In the tree of the start position two moves of three are indifferent, in
Kiwipete's one of four.

    us      the side that replies, moving up the board; `them` is the side to move
    zone    the squares whose attackers matter: our king, the squares he may step to, the squares he castles over

A quiet move of their piece from f to t leaves the number of our replies unchanged if
- the piece attacks no square of the zone from f or t, and no slider of theirs is opened or blocked towards the zone:
  neither f nor t is attacked by a slider along a line on which the zone sees it;
- neither f nor t is on a line of our king with a slider of theirs, or is such a slider's new square: no pin begins,
  ends or changes;
- neither f nor t is on the way of a castling that is still allowed;
- no slider of ours attacks f or t, and no pawn of ours attacks or may step on either: the targets of our pieces stay.
The caller leaves out double pushes that could be captured en passant.

All conditions but the last concern our king. A move that violates only the last, or that captures, is *light*: it
leaves the king's replies unchanged, and neither pins nor frees a piece. The replies of the other pieces are counted
again without checks, pins or enemy attacks, at less than half the cost. If the captured piece is next to our king or
could castle, no move is light.
"""

from typing import NamedTuple

from rookery.bitboards.bits import antidiagonal_mask, diagonal_mask, file_mask, rank_mask
from rookery.bitboards.sets import king_moves, knight_moves, white_pawn_any_attacks
from rookery.kernel import Bits, Word, kernel, trailing_zeros
from rookery.positions.kernels.lanes import View
from rookery.positions.queries.count_kernels import ChecksAndPins, count, count_king, movers
from rookery.positions.queries.fills import east, no_ea, no_we, nort, slide_east, so_ea, so_we, sout, west

_A1, _H1 = 1 << 0, 1 << 7
_F1_G1, _B1_C1_D1 = 0x60, 0x0E
_SIX_BITS = 63


class Indifferent(NamedTuple):
    """For each kind of piece, the squares that do not concern our king.

    A move between two of them is light if its target is in `light`, and indifferent if it captures nothing and neither
    square is in `seen`.
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
    """Return the indifferent moves of the other side; `them` are to move."""
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
