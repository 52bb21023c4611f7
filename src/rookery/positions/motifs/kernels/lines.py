"""Pins, skewers, discovered attacks, forks and X-rays along one direction, for all pieces at once.

    d           one of eight directions
    front       squares that sliders attack in direction d
    back        squares from which a slider attacks given squares in direction d

A slider looks in direction d at a piece, and behind it stands another piece. The slider's `front` and the `back` of the
second piece meet on exactly the piece between them.
"""

from typing import Any, NamedTuple

from rookery.bitboards.bits import NOT_A_FILE, NOT_H_FILE
from rookery.bitboards.sets import east_one, west_one
from rookery.kernel import U64, UNIVERSE, Bits, Word, array_of, entry, kernel
from rookery.positions.queries.fills import Slides


class Way(NamedTuple):
    """Steps in a direction, as numbers: the kernels for all directions are one, and are compiled once.

    A step shifts by `left` or by `right`; the other one is 0. `one`, `two` and `four` are the propagators of an
    occupancy, as in `rookery.positions.queries.fills`.
    """

    left: Word
    right: Word
    one: Bits
    two: Bits
    four: Bits
    kept: Bits  # the squares that no step reaches by wrapping around the edge


class Direction(NamedTuple):
    """A direction and its opposite."""

    ahead: Way
    behind: Way


@kernel
def slide(d: Way, b: Bits) -> Bits:
    """Return the squares that sliders attack in a direction: a Kogge-Stone fill and one more step."""
    b = b | (d.one & ((b << d.left) >> d.right))
    b = b | (d.two & ((b << (d.left * 2)) >> (d.right * 2)))
    b = b | (d.four & ((b << (d.left * 4)) >> (d.right * 4)))
    return ((b << d.left) >> d.right) & d.kept


@kernel
def step(d: Way, b: Bits) -> Bits:
    """Return the squares one step further in a direction."""
    return ((b << d.left) >> d.right) & d.kept


@kernel
def upward(w: Slides) -> Direction:
    """Return the direction up the board."""
    return Direction(Way(8, 0, w.n1, w.n2, w.n4, UNIVERSE), Way(0, 8, w.n1, w.s2, w.s4, UNIVERSE))


@kernel
def eastward(w: Slides) -> Direction:
    """Return the direction towards the h-file."""
    two = w.e1 & (w.e1 << 1)
    return Direction(Way(1, 0, w.e1, two, two & (two << 2), NOT_A_FILE), Way(0, 1, w.w1, w.w2, w.w4, NOT_H_FILE))


@kernel
def north_eastward(w: Slides) -> Direction:
    """Return the direction up and towards the h-file."""
    return Direction(Way(9, 0, w.e1, w.ne2, w.ne4, NOT_A_FILE), Way(0, 9, w.w1, w.sw2, w.sw4, NOT_H_FILE))


@kernel
def north_westward(w: Slides) -> Direction:
    """Return the direction up and towards the a-file."""
    return Direction(Way(7, 0, w.w1, w.nw2, w.nw4, NOT_H_FILE), Way(0, 7, w.e1, w.se2, w.se4, NOT_A_FILE))


@kernel
def reverse(d: Direction) -> Direction:
    """Return the opposite direction."""
    return Direction(d.behind, d.ahead)


@kernel
def slide_both(d: Direction, b: Bits) -> Bits:
    """Return the squares that sliders attack along a line, in both directions."""
    return slide(d.ahead, b) | slide(d.behind, b)


class Army(NamedTuple):
    """The pieces of a side, and what each kind wants to attack: kings, more valuable and undefended pieces."""

    pawns: Bits
    minors: Bits  # knights and bishops
    rooks: Bits
    queens: Bits
    kings: Bits
    loose_minors: Bits  # undefended ones
    loose_majors: Bits  # undefended rooks and queens
    lone: Bits  # pieces that are attacked and have one defender
    pawn_targets: Bits
    minor_targets: Bits
    rook_targets: Bits
    queen_targets: Bits
    king_targets: Bits


class Sliders(NamedTuple):
    """The pieces that move along one kind of line: files and ranks, or diagonals."""

    plain: Bits  # the side's rooks, or bishops
    both: Bits  # with its queens
    targets: Bits  # what the plain ones want to attack
    their_plain: Bits  # the opponent's
    their_both: Bits
    openers: Bits  # pieces of both sides that capture along the line, which lets a slider behind them join in
    diagonal: Bits  # the universe for diagonals, else the empty board
    movers: Bits  # the side's pieces whose move opens a line of this kind


class Found(NamedTuple):
    """The pieces on the lines of one direction."""

    relative: Bits  # pieces of the side pinned to a more valuable piece
    skewered: Bits  # pieces of the side in front of a piece that falls if they move
    discovering: Bits  # pieces of the side whose move uncovers an attack
    attacking: Bits  # pieces of the side that attack a target in this direction
    defending: Bits  # pieces of the side that defend a lone piece in this direction
    xrayed: Bits  # squares behind another piece, seen by the side's sliders
    joined: Bits  # squares where a slider of the opponent can join in captures after others


@kernel
def line(d: Direction, a: Army, s: Sliders, pawns: Bits, movers: Bits, occupied: Bits) -> Found:
    """Return what stands on the lines of one direction.

    `pawns` are those that capture in this direction, and `movers` the pieces whose move opens a line of this direction.
    """
    by_plain, by_any = slide(d.ahead, s.their_plain), slide(d.ahead, s.their_both)
    queen, rook = slide(d.behind, a.queens), slide(d.behind, a.rooks) & s.diagonal
    major, minor = slide(d.behind, a.loose_majors), slide(d.behind, a.loose_minors)
    light, royal = a.pawns | a.minors, a.kings | a.queens
    relative = by_plain & ((light & (queen | rook)) | (a.rooks & queen)) | (by_any & light & major)
    skewered = by_plain & ((royal & (queen | rook | major | minor)) | (a.rooks & s.diagonal & (rook | minor)))
    skewered |= by_any & a.kings & (major | minor)

    plain, any_slider = slide(d.ahead, s.plain), slide(d.ahead, s.both)
    target, royal_target = slide(d.behind, s.targets), slide(d.behind, a.queen_targets)
    attacking = (s.plain & target) | (a.queens & royal_target)
    attacking |= (a.kings & step(d.behind, a.king_targets)) | (pawns & step(d.behind, a.pawn_targets))
    defending = (s.both & slide(d.behind, a.lone)) | ((a.kings | pawns) & step(d.behind, a.lone))
    # A slider of the opponent joins in behind one piece that captures, or behind one and a slider of the side.
    second = slide(d.ahead, by_any & s.both) & s.openers
    return Found(
        relative,
        skewered,
        movers & ((plain & target) | (any_slider & ~plain & royal_target)),
        attacking,
        defending,
        slide(d.ahead, any_slider & occupied),
        slide(d.ahead, (by_any & s.openers) | second),
    )


class Tally(NamedTuple):
    """The squares counted at least once, and at least twice."""

    once: Bits
    twice: Bits


@kernel
def add(n: Tally, b: Bits) -> Tally:
    """Count the squares of one more board."""
    return Tally(n.once | b, n.twice | (n.once & b))


@kernel
def add_knights(n: Tally, knights: Bits, targets: Bits) -> Tally:
    """Count the targets of each knight, one of the eight jumps after another."""
    e1, w1 = east_one(targets), west_one(targets)
    e2, w2 = east_one(e1), west_one(w1)
    n = add(add(n, knights & (e1 << 16)), knights & (e1 >> 16))
    n = add(add(n, knights & (w1 << 16)), knights & (w1 >> 16))
    n = add(add(n, knights & (e2 << 8)), knights & (e2 >> 8))
    return add(add(n, knights & (w2 << 8)), knights & (w2 >> 8))


@entry(examples=lambda: (array_of(U64, 2), U64(0), array_of(U64)))
def pack(rows: Any, shift: Any, words: Any) -> None:
    """Set one bit of each word for each row that is not empty there: bit `shift` for the first row."""
    k, n = U64(0), U64(rows.shape[0])
    while k + 4 <= n:  # four at a time: a fifth less time
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        for j in range(words.size):
            i = U64(j)
            found = (1 if a[i] else U64(0)) | (2 if b[i] else 0) | (4 if c[i] else 0) | (8 if d[i] else 0)
            words[i] |= found << (shift + k)
        k += 4
    while k < n:
        row = rows[k]
        for j in range(words.size):
            i = U64(j)
            words[i] |= (1 if row[i] else U64(0)) << (shift + k)
        k += 1
