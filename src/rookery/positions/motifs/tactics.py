"""The motifs of tactics, by set algebra on all positions; captures are then counted out by static exchange.

    v           a position in the view of the side in question, whose pawns move up the board
    w           the propagators of its sliders, see `rookery.positions.queries.fills`
    loose       undefended pieces

Pieces are compared by kind: a pawn is worth less than a knight or bishop, then come rook, queen and king.
"""

from typing import Any, NamedTuple

from rookery.bitboards.bits import isolate_ls1b
from rookery.bitboards.sets import (
    black_pawn_any_attacks,
    knight_moves,
)
from rookery.kernel import U64, UNIVERSE, Bits, entry, kernel
from rookery.positions.layout import View, load, turned, view_of
from rookery.positions.motifs.lines import (
    Army,
    Found,
    Sliders,
    Tally,
    add,
    add_knights,
    eastward,
    line,
    north_eastward,
    north_westward,
    reverse,
    slide_both,
    upward,
)
from rookery.positions.motifs.pieces import twice
from rookery.positions.queries.attacks import count_attackers, sided
from rookery.positions.queries.fills import Slides, diagonal_attacks, nort, orthogonal_attacks, slides, sout
from rookery.positions.queries.pins import all_lines, shields


class TacticBoards(NamedTuple):
    """An array of boards for each motif of tactics."""

    undefended: Any
    threatened: Any
    hanging: Any
    trapped: Any
    overloaded: Any
    absolute_pin: Any
    relative_pin: Any
    skewered: Any
    battery: Any
    x_rays: Any
    discovered_attack: Any
    discovered_check: Any
    fork: Any


@kernel
def threatened(w: Slides, v: View) -> Bits:
    """Return the pieces of a side that a less valuable piece of the opponent attacks."""
    by_pawns = black_pawn_any_attacks(v.pawns & v.them)
    by_minors = knight_moves(v.knights & v.them) | diagonal_attacks(w, v.diagonals & ~v.orthogonals & v.them)
    by_rooks = orthogonal_attacks(w, v.orthogonals & ~v.diagonals & v.them)
    minors = v.knights | (v.diagonals & ~v.orthogonals)
    by_light = by_pawns | by_minors
    queens = v.orthogonals & v.diagonals
    return v.us & ((minors & by_pawns) | (v.orthogonals & by_light) | (queens & by_rooks))


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
    movable = (v.knights & knight_moves(minor)) | (rooks & files) | (bishops & lines) | (all_queens & both)
    return pieces & (v.knights | v.diagonals | v.orthogonals) & ~movable


@kernel
def army(v: View, defended: Bits, attacked: Bits, lone: Bits) -> Army:
    """Return the pieces of a side and their targets; both sides' attacks are given."""
    all_queens, all_pieces = v.diagonals & v.orthogonals, v.knights | v.diagonals | v.orthogonals
    rooks, minors = v.orthogonals & ~v.diagonals, v.knights | (v.diagonals & ~v.orthogonals)
    loose, loose_targets = v.us & ~defended, v.them & ~attacked & ~v.kings
    queen_targets = (v.kings & v.them) | loose_targets
    rook_targets = queen_targets | (all_queens & v.them)
    return Army(
        v.pawns & v.us,
        minors & v.us,
        rooks & v.us,
        all_queens & v.us,
        v.kings & v.us,
        minors & loose,
        v.orthogonals & loose,
        lone,
        queen_targets | (all_pieces & v.them),
        rook_targets | (rooks & v.them),
        rook_targets,
        queen_targets,
        loose_targets,
    )


@kernel
def merged(a: Found, b: Found) -> Found:
    """Return the union of what stands on the lines of two directions."""
    return Found(
        a.relative | b.relative,
        a.skewered | b.skewered,
        a.discovering | b.discovering,
        a.attacking | b.attacking,
        a.defending | b.defending,
        a.xrayed | b.xrayed,
        a.aimed | b.aimed,
    )


class LinesFound(NamedTuple):
    """What stands on all lines, with the pieces that attack or defend twice."""

    found: Found
    forks: Bits
    overloaded: Bits


@kernel
def all_directions(w: Slides, v: View, a: Army) -> LinesFound:
    """Return what stands on the lines of all directions."""
    occupied, rooks, bishops = v.us | v.them, v.orthogonals & ~v.diagonals, v.diagonals & ~v.orthogonals
    their_o, their_d = v.orthogonals & v.them, v.diagonals & v.them
    o = Sliders(a.rooks, v.orthogonals & v.us, a.rook_targets, rooks & v.them, their_o, U64(0), v.us & ~v.orthogonals)
    d = Sliders(
        bishops & v.us,
        v.diagonals & v.us,
        a.minor_targets,
        bishops & v.them,
        their_d,
        UNIVERSE,
        v.us & ~v.diagonals,
    )
    no = U64(0)
    files = o.movers & ~v.pawns
    w0 = slides(UNIVERSE)
    up, up0, right, right0 = upward(w), upward(w0), eastward(w), eastward(w0)
    rise, rise0, fall, fall0 = north_eastward(w), north_eastward(w0), north_westward(w), north_westward(w0)
    n, s = line(up, up0, a, o, no, files, occupied), line(reverse(up), reverse(up0), a, o, no, files, occupied)
    e = line(right, right0, a, o, no, o.movers, occupied)
    west = line(reverse(right), reverse(right0), a, o, no, o.movers, occupied)
    ne = line(rise, rise0, a, d, a.pawns, d.movers, occupied)
    sw = line(reverse(rise), reverse(rise0), a, d, no, d.movers, occupied)
    nw = line(fall, fall0, a, d, a.pawns, d.movers, occupied)
    se = line(reverse(fall), reverse(fall0), a, d, no, d.movers, occupied)
    knights = v.knights & v.us
    forks = add(add(add(Tally(n.attacking, no), s.attacking), e.attacking), west.attacking)
    forks = add(add(add(add(forks, ne.attacking), sw.attacking), nw.attacking), se.attacking)
    loads = add(add(add(Tally(n.defending, no), s.defending), e.defending), west.defending)
    loads = add(add(add(add(loads, ne.defending), sw.defending), nw.defending), se.defending)
    found = merged(merged(merged(n, s), merged(e, west)), merged(merged(ne, sw), merged(nw, se)))
    return LinesFound(
        found, add_knights(forks, knights, a.minor_targets).twice, add_knights(loads, knights, a.lone).twice
    )


@entry
def tactics(c: Any, side: Any, out: TacticBoards) -> None:
    """Write the motifs of tactics; `hanging` gets the pieces whose exchange is worth counting out."""
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
        defended = n.ones | twice(n)
        doubly = twice(theirs)
        attacked = theirs.ones | doubly
        pieces = v.us & ~v.kings
        lone = pieces & attacked & n.ones & ~twice(n)
        a = army(v, defended, attacked, lone)
        lines = all_directions(w, v, a)
        found = lines.found
        cheaply = threatened(w, v)
        loose = pieces & ~defended
        own_o, own_d = v.orthogonals & v.us, v.diagonals & v.us

        out.undefended[i] = turned(loose & ~v.pawns, black)
        out.threatened[i] = turned(cheaply, black)
        exchanged = pieces & attacked & (loose | cheaply | doubly | found.aimed)
        out.hanging[i] = turned(exchanged, black)
        out.trapped[i] = turned(without_escape(w, v, cheaply | (loose & attacked), attacked), black)
        out.overloaded[i] = turned(lines.overloaded, black)
        pinned = all_lines(shields(w, king, v.orthogonals & v.them, v.diagonals & v.them)) & v.us
        out.absolute_pin[i] = turned(pinned, black)
        out.relative_pin[i] = turned(found.relative, black)
        out.skewered[i] = turned(found.skewered, black)
        lined_up = (own_o & (nort(w, own_o) | sout(w, own_o))) | (own_d & diagonal_attacks(w, own_d))
        out.battery[i] = turned(lined_up, black)
        out.x_rays[i] = turned(found.xrayed & v.them & ~v.pawns, black)
        out.discovered_attack[i] = turned(found.discovering, black)
        checks = all_lines(shields(w, their_king, own_o, own_d)) & v.us
        out.discovered_check[i] = turned(checks, black)
        out.fork[i] = turned(lines.forks, black)
