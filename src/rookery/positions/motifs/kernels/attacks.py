"""Compiled code for the attacks that the motifs of tactics share."""

from typing import Any

from rookery.bitboards import sets
from rookery.bitboards.bits import isolate_ls1b
from rookery.kernel import U64, UNIVERSE, Bits, array_of, entry, kernel, tuple_of
from rookery.positions.kernels.lanes import View, load, turned, view_of
from rookery.positions.layout import SIDES, empty_columns
from rookery.positions.motifs.boards import CENTER, Attacked, ByValue, TacticBoards
from rookery.positions.motifs.kernels.hanging import settle, threatened
from rookery.positions.motifs.kernels.lines import eastward, north_eastward, north_westward, slide_both, upward
from rookery.positions.motifs.kernels.pawns import at_least
from rookery.positions.motifs.kernels.pieces import greek_gift, twice, weak_back_rank
from rookery.positions.queries.attacks import count_attackers, sided
from rookery.positions.queries.fills import Slides, diagonal_attacks, nort, orthogonal_attacks, slides, sout
from rookery.positions.queries.pins import all_lines, shields


@kernel
def by_minors(w: Slides, v: View, side: Bits) -> Bits:
    """Return the squares that the knights and bishops of a side attack."""
    return sets.knight_moves(v.knights & side) | diagonal_attacks(w, v.diagonals & ~v.orthogonals & side)


@kernel
def without_escape(w: Slides, v: View, pieces: Bits, attacked: Bits) -> Bits:
    """Return the pieces, knights to queens, that cannot go to a safe square or capture a piece worth as much.

    `attacked` has the squares that the opponent attacks.
    """
    free = ~(v.us | v.kings)
    safe = free & ~attacked
    major = safe | (free & v.orthogonals)
    minor = major | (free & (v.knights | v.diagonals))
    queen = safe | (free & v.orthogonals & v.diagonals)
    all_queens = v.orthogonals & v.diagonals
    rooks, bishops = v.orthogonals & ~v.diagonals, v.diagonals & ~v.orthogonals
    n, e, ne, nw = upward(w), eastward(w), north_eastward(w), north_westward(w)
    files = slide_both(n, major) | slide_both(e, major)
    lines = slide_both(ne, minor) | slide_both(nw, minor)
    both = slide_both(n, queen) | slide_both(e, queen) | slide_both(ne, queen) | slide_both(nw, queen)
    movable = (v.knights & sets.knight_moves(minor)) | (rooks & files) | (bishops & lines) | (all_queens & both)
    return pieces & (v.knights | v.diagonals | v.orthogonals) & ~movable


@entry(
    examples=lambda: (
        empty_columns(1),
        SIDES["us"],
        tuple_of(TacticBoards, array_of(U64)),
        tuple_of(Attacked, array_of(U64)),
    )
)
def attacks(c: Any, side: Any, out: TacticBoards, shared: Attacked) -> None:
    """Write the motifs of attacks, and what the loop for tactics needs."""
    for k in range(out.fork.size):
        i = U64(k)
        p = load(c, i)
        sides = sided(p, side)
        black = sides.black
        v = view_of(p, black)
        king = turned(isolate_ls1b(p.kings & sides.own), black)
        their_king = turned(isolate_ls1b(p.kings & sides.other), black)
        w = slides(~(v.us | v.them))
        n, theirs = count_attackers(w, v, v.us, 0), count_attackers(w, v, v.them, UNIVERSE)
        defended, attacked = n.ones | twice(n), theirs.ones | twice(theirs)
        pieces = v.us & ~v.kings
        own_o, own_d = v.orthogonals & v.us, v.diagonals & v.us
        by_their_pawns, by_pawns = (
            sets.black_pawn_any_attacks(v.pawns & v.them),
            sets.white_pawn_any_attacks(v.pawns & v.us),
        )
        by_rooks = orthogonal_attacks(w, v.orthogonals & ~v.diagonals & v.them)
        a = ByValue(by_their_pawns, by_their_pawns | by_minors(w, v, v.them), by_rooks)
        by_light = by_pawns | by_minors(w, v, v.us)
        cheaply, loose = threatened(v, a), pieces & ~defended

        out.attacked_twice[i] = turned(twice(n), black)
        out.center_control[i] = turned(CENTER & ~at_least(theirs, n), black)
        aimed = their_king | sets.king_moves(their_king)
        out.king_attack[i] = turned(defended & (aimed | sets.sout_one(aimed)), black)
        out.back_rank_weakness[i] = turned(weak_back_rank(v, king, attacked), black)
        gifts = greek_gift(w, v, own_d & ~v.orthogonals, their_king, twice(theirs))
        out.greek_gift[i] = turned(gifts, black)
        out.undefended[i] = turned(loose & ~v.pawns, black)
        out.threatened[i] = turned(cheaply, black)
        out.trapped[i] = turned(without_escape(w, v, cheaply | (loose & attacked), attacked), black)
        pinned = all_lines(shields(w, king, v.orthogonals & v.them, v.diagonals & v.them)) & v.us
        out.absolute_pin[i] = turned(pinned, black)
        checks = all_lines(shields(w, their_king, own_o, own_d)) & v.us
        out.discovered_check[i] = turned(checks, black)
        lined_up = (own_o & (nort(w, own_o) | sout(w, own_o))) | (own_d & diagonal_attacks(w, own_d))
        out.battery[i] = turned(lined_up, black)

        shared.defended[i] = defended
        shared.attacked[i] = attacked
        shared.lone[i] = pieces & attacked & n.ones & ~twice(n)
        settled = settle(w, v, king, their_king, n, theirs, a, ByValue(by_pawns, by_light, U64(0)))
        shared.unguarded[i], shared.guarded[i] = settled.unguarded, settled.guarded
        out.hanging[i] = turned(settled.lost, black)
        shared.doubtful[i], shared.even[i] = turned(settled.doubtful, black), turned(settled.even, black)
