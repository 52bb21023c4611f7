"""Compiled code for the motifs of tactics."""

from typing import Any, NamedTuple

from rookery.kernel import U64, UNIVERSE, Bits, array_of, entry, kernel, tuple_of
from rookery.positions.kernels.lanes import View, load, turned, view_of
from rookery.positions.layout import SIDES, empty_columns
from rookery.positions.motifs.boards import Attacked, TacticBoards
from rookery.positions.motifs.kernels import lines
from rookery.positions.queries.attacks import sided
from rookery.positions.queries.fills import Slides, slides


@kernel
def army(v: View, defended: Bits, attacked: Bits, lone: Bits) -> lines.Army:
    """Return the pieces of a side and their targets; both sides' attacks are given."""
    all_queens, all_pieces = v.diagonals & v.orthogonals, v.knights | v.diagonals | v.orthogonals
    rooks, minors = v.orthogonals & ~v.diagonals, v.knights | (v.diagonals & ~v.orthogonals)
    loose, loose_targets = v.us & ~defended, v.them & ~attacked & ~v.kings
    queen_targets = (v.kings & v.them) | loose_targets
    rook_targets = queen_targets | (all_queens & v.them)
    return lines.Army(
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
def merged(a: lines.Found, b: lines.Found) -> lines.Found:
    """Return the union of what stands on the lines of two directions."""
    return lines.Found(
        a.relative | b.relative,
        a.skewered | b.skewered,
        a.discovering | b.discovering,
        a.attacking | b.attacking,
        a.defending | b.defending,
        a.xrayed | b.xrayed,
        a.joined | b.joined,
    )


class LinesFound(NamedTuple):
    """The pieces on all lines, with those that attack or defend twice."""

    found: lines.Found
    forks: Bits
    overloaded: Bits


@kernel
def all_directions(w: Slides, v: View, a: lines.Army) -> LinesFound:
    """Return what stands on the lines of all directions."""
    occupied, rooks, bishops = v.us | v.them, v.orthogonals & ~v.diagonals, v.diagonals & ~v.orthogonals
    o = lines.Sliders(
        a.rooks,
        v.orthogonals & v.us,
        a.rook_targets,
        rooks & v.them,
        v.orthogonals & v.them,
        v.orthogonals | v.kings,
        U64(0),
        v.us & ~v.orthogonals,
    )
    d = lines.Sliders(
        bishops & v.us,
        v.diagonals & v.us,
        a.minor_targets,
        bishops & v.them,
        v.diagonals & v.them,
        v.diagonals | v.kings | v.pawns,
        UNIVERSE,
        v.us & ~v.diagonals,
    )
    no = U64(0)
    files = o.movers & ~v.pawns
    up, right, rise, fall = lines.upward(w), lines.eastward(w), lines.north_eastward(w), lines.north_westward(w)
    n, s = lines.line(up, a, o, no, files, occupied), lines.line(lines.reverse(up), a, o, no, files, occupied)
    e, west = (
        lines.line(right, a, o, no, o.movers, occupied),
        lines.line(lines.reverse(right), a, o, no, o.movers, occupied),
    )
    ne, sw = (
        lines.line(rise, a, d, a.pawns, d.movers, occupied),
        lines.line(lines.reverse(rise), a, d, no, d.movers, occupied),
    )
    nw, se = (
        lines.line(fall, a, d, a.pawns, d.movers, occupied),
        lines.line(lines.reverse(fall), a, d, no, d.movers, occupied),
    )
    knights = v.knights & v.us
    forks = lines.add(lines.add(lines.add(lines.Tally(n.attacking, no), s.attacking), e.attacking), west.attacking)
    forks = lines.add(lines.add(lines.add(lines.add(forks, ne.attacking), sw.attacking), nw.attacking), se.attacking)
    loads = lines.add(lines.add(lines.add(lines.Tally(n.defending, no), s.defending), e.defending), west.defending)
    loads = lines.add(lines.add(lines.add(lines.add(loads, ne.defending), sw.defending), nw.defending), se.defending)
    found = merged(merged(merged(n, s), merged(e, west)), merged(merged(ne, sw), merged(nw, se)))
    return LinesFound(
        found, lines.add_knights(forks, knights, a.minor_targets).twice, lines.add_knights(loads, knights, a.lone).twice
    )


@entry(
    examples=lambda: (
        empty_columns(1),
        SIDES["us"],
        tuple_of(Attacked, array_of(U64)),
        tuple_of(TacticBoards, array_of(U64)),
    )
)
def tactics(c: Any, side: Any, shared: Attacked, out: TacticBoards) -> None:
    """Write the motifs of tactics, and add to the pieces that hang, and to those of which only an exchange tells."""
    for k in range(out.fork.size):
        i = U64(k)
        p = load(c, i)
        black = sided(p, side).black
        v = view_of(p, black)
        defended, attacked = shared.defended[i], shared.attacked[i]
        on_lines = all_directions(slides(~(v.us | v.them)), v, army(v, defended, attacked, shared.lone[i]))
        found = on_lines.found

        unguarded = shared.unguarded[i]
        out.hanging[i] |= turned(unguarded & ~found.xrayed, black)
        unclear = (unguarded & found.xrayed) | (shared.guarded[i] & found.joined)
        shared.doubtful[i] |= turned(unclear, black)
        out.overloaded[i] = turned(on_lines.overloaded, black)
        out.relative_pin[i] = turned(found.relative, black)
        out.skewered[i] = turned(found.skewered, black)
        out.x_rays[i] = turned(found.xrayed & v.them & ~v.pawns, black)
        out.discovered_attack[i] = turned(found.discovering, black)
        out.fork[i] = turned(on_lines.forks, black)
