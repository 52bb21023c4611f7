"""Three plies counted at once: the lower end of perft, many positions in vector registers.

A *unit* is a position with three plies to go. Its side to move, `us`, moves up the board.

1. The moves of the unit are listed. The positions after them, the *rows*, are stored as columns.
2. For all rows at once: count the replies after passing the turn, and find the moves that leave the same number, or
   that change only what our pieces see (`rookery.counting.quiet_moves`).
3. Row by row, generate the moves of `them`. Those that change nothing are counted and multiplied at once. The others
   are listed by source and target, together with the boards of their row: the *children*, before their moves.
4. Make the children, and count our replies, eight to a register. For *light* children only the replies of our pieces
   are counted, with or without pins; for the others all replies.

Castling, en passant and promotions are made one by one, and replies that capture en passant are counted by the scalar
generator. Three plies are better than two, because the rows of one unit fill nearly all lanes of the registers.

Samples of the machine code show where the time goes (AMD Zen 5). Step 3, branches and look-ups for each piece, takes
55 % in the start position and 45 % in Kiwipete; counting children takes 15 and 35 %. The counting loops are limited by
the number of vector instructions: 500 in 150 cycles for eight children, and 185 in 60 for eight light ones. That fills
four pipes nearly completely, however the stack is aligned.
"""

from typing import Any, NamedTuple

import numpy as np

from rookery.bitboards.bits import bit
from rookery.bitboards.sets import white_pawn_any_attacks
from rookery.counting.quiet_moves import indifferent
from rookery.counting.visitors import BATCH, LANES, Children, LightChildren, PinnedChildren, Rows, Workspace
from rookery.kernel import (
    U64,
    UNIVERSE,
    Bits,
    Square,
    Word,
    kernel,
    popcount,
    rotate_left,
    write_eight,
    write_squares_over,
)
from rookery.positions.kernels.lanes import View, load_pieces, store_pieces, turned, turned_pieces
from rookery.positions.queries.count_kernels import Movers, checks_and_pins, count, count_pieces, movers
from rookery.positions.queries.fills import slides
from rookery.positions.queries.pins import Lines, all_lines
from rookery.rules import generate, position
from rookery.rules.constants import BISHOP, KIND_MASK, KNIGHT, ROOK, SIX_BITS, TO_SHIFT
from rookery.rules.legality import legal_en_passant
from rookery.techniques.base.protocol import prepare

_ENOUGH, _EIGHT = BATCH, LANES
_DOUBLE_PUSH = (1 << 64) - 16
_EMPTY = View(*[U64(0)] * 9)

# What `Sort` counts, in one word, 16 bits each: children listed, light ones, special moves; moves that change nothing.
_LIGHT, _SPECIAL, _INDIFFERENT = 16, 32, 48
_LOW = (1 << 16) - 1


# The moves of a row are handed to `Sort`.


@kernel
def _list_both(sink: Any, n: Word, light: Bits, full: Bits, scale: Word, base: Word) -> Word:
    write_squares_over(sink.lights, sink.first_light + ((n >> _LIGHT) & _LOW), light, scale, base)
    write_squares_over(sink.children, sink.first_child + (n & _LOW), full, scale, base)
    return n + popcount(full) + (popcount(light) << _LIGHT)


@kernel
def _list_special(sink: Any, n: Word, targets: Bits, scale: Word, base: Word) -> Word:
    write_squares_over(sink.specials, (n >> _SPECIAL) & _LOW, targets, scale, base)
    return n + (popcount(targets) << _SPECIAL)


class Sort(NamedTuple):
    """The sink that counts a row's moves that change nothing, and lists the others."""

    children: Any
    lights: Any
    specials: Any
    first_child: Word
    first_light: Word
    rows: Rows
    row: Word
    empty: Bits
    diagonals: Bits
    orthogonals: Bits
    takes_en_passant: Bits


@generate.add.register(Sort)
def _sort(sink: Sort, n: Word, piece: Word, source: Square, targets: Bits, kind: Word) -> Word:
    if kind:
        return _list_special(sink, n, targets, generate.FROM_ONE, source | kind)
    rows, i = sink.rows, sink.row
    if piece == KNIGHT:
        calm = rows.calm_knights[i]
    elif piece == BISHOP:
        calm = rows.calm_bishops[i] & (rows.calm_rooks[i] | (((sink.orthogonals >> source) & 1) - 1))
    elif piece == ROOK:
        calm = rows.calm_rooks[i] & (rows.calm_bishops[i] | (((sink.diagonals >> source) & 1) - 1))
    else:
        calm = rows.calm_kings[i]
    seen = rows.seen[i]
    calm &= targets & -((calm >> source) & 1)
    indifferent = calm & sink.empty & ~seen & (((seen >> source) & 1) - 1)
    light = (calm ^ indifferent) & rows.light[i]
    n += popcount(indifferent) << _INDIFFERENT
    return _list_both(sink, n, light, targets ^ indifferent ^ light, generate.FROM_ONE, source)


@generate.add_steps.register(Sort)
def _sort_steps(sink: Sort, n: Word, targets: Bits, step: Word, kind: Word) -> Word:
    if kind:
        return _list_special(sink, n, targets, generate.FROM_MANY, kind - step)
    if step == _DOUBLE_PUSH:
        takable = targets & (sink.takes_en_passant >> 8)
        if takable:
            n = _list_special(sink, n, takable, generate.FROM_MANY, -step)
            targets ^= takable
    rows, i = sink.rows, sink.row
    calm, seen = rows.calm_pawns[i], rows.seen[i]
    calm &= rotate_left(calm, step) & targets
    indifferent = calm & sink.empty & ~(seen | rotate_left(seen, step))
    light = (calm ^ indifferent) & rows.light[i]
    n += popcount(indifferent) << _INDIFFERENT
    return _list_both(sink, n, light, targets ^ indifferent ^ light, generate.FROM_MANY, -step)


@kernel
def after(v: View, move: Word) -> View:
    """Return the position after a move of either side that is not special, seen from the same side as before.

    A move from a square to itself changes nothing. In contrast to `rookery.rules.position.make` there is no branch, so
    that eight moves fill a register, and castling rights stay as they were: only moves of ours change them, in
    `_make_rows`, and that once per row rather than once per child.
    """
    source, target = bit(move & SIX_BITS), bit((move >> TO_SHIFT) & SIX_BITS)
    return View(
        *position.carried_pieces(v, position.boards_of(v, source), source, target),
        position.carried(v.us, position.mask_on(v.us, source), source, target),
        position.carried(v.them, position.mask_on(v.them, source), source, target),
        v.castling,
        position.skipped_square(source & v.pawns & v.us, target),
    )


@kernel
def _write_boards(c: Any, i: Word, v: Any) -> None:
    store_pieces(c, i, v)
    c.us[i], c.them[i] = v.us, v.them


@kernel
def _write_row(r: Rows, i: Word, v: View, castling: Bits) -> None:
    _write_boards(r, i, v)
    r.castling[i] = castling
    r.en_passant[i] = v.en_passant


@kernel
def _row(r: Rows, i: Word) -> View:
    return View(*load_pieces(r, i), r.us[i], r.them[i], r.castling[i], r.en_passant[i])


@kernel
def _spread_row(c: Children, first: Word, last: Word, v: View) -> None:
    """Store a row's boards next to each of its moves, and on to the end of the last register."""
    i = first
    while i < last:
        write_eight(c.pawns, i, v.pawns)
        write_eight(c.knights, i, v.knights)
        write_eight(c.diagonals, i, v.diagonals)
        write_eight(c.orthogonals, i, v.orthogonals)
        write_eight(c.kings, i, v.kings)
        write_eight(c.us, i, v.us)
        write_eight(c.them, i, v.them)
        i += _EIGHT


@kernel
def _spread_light(c: LightChildren, first: Word, last: Word, v: View) -> None:
    i = first
    while i < last:
        write_eight(c.pawns, i, v.pawns & v.us)
        write_eight(c.knights, i, v.knights & v.us)
        write_eight(c.diagonals, i, v.diagonals & v.us)
        write_eight(c.orthogonals, i, v.orthogonals & v.us)
        write_eight(c.us, i, v.us)
        write_eight(c.occupied, i, v.us | v.them)
        i += _EIGHT


@kernel
def _spread_pinned(c: PinnedChildren, first: Word, last: Word, m: Movers, us: Bits, occupied: Bits) -> None:
    i = first
    while i < last:
        write_eight(c.file, i, m.file)
        write_eight(c.rank, i, m.rank)
        write_eight(c.diagonal, i, m.diagonal)
        write_eight(c.antidiagonal, i, m.antidiagonal)
        write_eight(c.knights, i, m.knights)
        write_eight(c.pushing, i, m.pushing)
        write_eight(c.taking_east, i, m.taking_east)
        write_eight(c.taking_west, i, m.taking_west)
        write_eight(c.us, i, us)
        write_eight(c.occupied, i, occupied)
        i += _EIGHT


@kernel
def _replies(c: Children, n: Word, castling: Bits) -> Word:
    """Return the number of our replies to all children's moves.

    The last register is filled with empty boards, which have none.
    """
    _spread_row(c, n, n + 1, _EMPTY)
    total = 0
    for i in range((n + 7) >> 3 << 3):
        child = View(*load_pieces(c, i), c.us[i], c.them[i], castling, 0)
        v = after(child, U64(c.moves[i]))
        total += count(v, checks_and_pins(v))
    return total


@kernel
def _light_replies(c: LightChildren, n: Word) -> Word:
    """Return the number of replies of our pieces, without the king's, to all light children's moves."""
    _spread_light(c, n, n + 1, _EMPTY)
    total = 0
    for i in range((n + 7) >> 3 << 3):
        move = U64(c.moves[i])
        source, target = bit(move & SIX_BITS), bit((move >> TO_SHIFT) & SIX_BITS)
        occupied = (c.occupied[i] & ~source) | target
        us = c.us[i] & ~target
        orthogonals, diagonals = c.orthogonals[i] & us, c.diagonals[i] & us
        knights, pawns = c.knights[i] & us, c.pawns[i] & us
        m = Movers(orthogonals, orthogonals, diagonals, diagonals, knights, pawns, pawns, pawns)
        total += count_pieces(slides(~occupied), m, ~occupied, occupied & ~us, ~us)
    return total


@kernel
def _pinned_replies(c: PinnedChildren, n: Word) -> Word:
    """Return the same for light children in which pieces of ours are pinned."""
    _spread_pinned(c, n, n + 1, Movers(0, 0, 0, 0, 0, 0, 0, 0), 0, 0)
    total = 0
    for i in range((n + 7) >> 3 << 3):
        move = U64(c.moves[i])
        source, target = bit(move & SIX_BITS), bit((move >> TO_SHIFT) & SIX_BITS)
        occupied = (c.occupied[i] & ~source) | target
        us = c.us[i] & ~target
        m = Movers(
            c.file[i] & us,
            c.rank[i] & us,
            c.diagonal[i] & us,
            c.antidiagonal[i] & us,
            c.knights[i] & us,
            c.pushing[i] & us,
            c.taking_east[i] & us,
            c.taking_west[i] & us,
        )
        total += count_pieces(slides(~occupied), m, ~occupied, occupied & ~us, ~us)
    return total


@kernel
def _position(v: View, us: Bits, them: Bits, turn: Word, t: Any) -> position.Position:
    """Return a view as a position of the scalar generator; `turn` is 0 if the side that moves up is to move, else 1."""
    state = prepare(us | them, t)
    return position.Position(*v[:5], us, them, v.castling, v.en_passant, turn, state)


@kernel
def _make_rows(v: View, w: Workspace, t: Any) -> Word:
    """Make the positions after each move of a unit, with their indifferent moves; return their number."""
    rows = w.rows
    up = _position(v, v.us, v.them, 0, t)
    n = generate.generate(up, t, generate.List(w.moves), UNIVERSE, UNIVERSE)
    kinds: Word = 0
    for i in range(n):
        move = U64(w.moves[i])
        kinds |= move
        source, target = bit(move & SIX_BITS), bit((move >> TO_SHIFT) & SIX_BITS)
        rights = position.rights_after(v, position.mask_on(v.kings, source), source, target)
        _write_row(rows, i, after(v, move), rights)
    if kinds & KIND_MASK:
        for i in range(n):
            move = U64(w.moves[i])
            if move & KIND_MASK:
                q = position.make(up, move, t)
                _write_row(rows, i, View(*q[:5], q.them, q.us, 0, 0), q.castling)
    full = (n + 7) >> 3 << 3
    for i in range(n, full):
        _write_row(rows, i, _EMPTY, 0)
    for i in range(full):
        u = _row(rows, i)
        s = checks_and_pins(u)
        found = indifferent(u, s)
        rows.calm_pawns[i] = found.pawns
        rows.calm_knights[i] = found.knights
        rows.calm_bishops[i] = found.bishops
        rows.calm_rooks[i] = found.rooks
        rows.calm_kings[i] = found.kings
        rows.seen[i] = found.seen
        rows.light[i] = found.light
        rows.pinned_file[i] = s.pins.file
        rows.pinned_rank[i] = s.pins.rank
        rows.pinned_diagonal[i] = s.pins.diagonal
        rows.pinned_antidiagonal[i] = s.pins.antidiagonal
        rows.replies[i] = found.replies
        rows.king_replies[i] = found.king_replies
    return n


@kernel
def count_unit(p: position.Position, w: Workspace, t: Any) -> Word:
    """Return perft 3 of a position in which both kings are single, and castling is as in classical chess."""
    black = -p.turn
    us, them = turned(p.us, black), turned(p.them, black)
    v = View(*turned_pieces(p, black), us, them, turned(p.castling, black), turned(p.en_passant, black))
    rows, children, lights, pinned = w.rows, w.children, w.lights, w.pinned
    total, waiting, waiting_light, waiting_pinned = 0, 0, 0, 0
    n = _make_rows(v, w, t)
    for i in range(n):
        u = _row(rows, i)
        q = _position(u, u.them, u.us, 1, t)
        pins = Lines(rows.pinned_file[i], rows.pinned_rank[i], rows.pinned_diagonal[i], rows.pinned_antidiagonal[i])
        bound = all_lines(pins)
        sink = Sort(
            children.moves,
            pinned.moves if bound else lights.moves,
            w.specials,
            waiting,
            waiting_pinned if bound else waiting_light,
            rows,
            U64(i),
            ~(u.us | u.them),
            u.diagonals,
            u.orthogonals,
            white_pawn_any_attacks(u.pawns & u.us),
        )
        found = generate.generate(q, t, sink, UNIVERSE, UNIVERSE)
        listed, listed_light = found & _LOW, (found >> _LIGHT) & _LOW
        total += (found >> _INDIFFERENT) * rows.replies[i] + listed_light * rows.king_replies[i]
        _spread_row(children, waiting, waiting + listed, u)
        waiting += listed
        if bound:
            m = movers(u, pins)
            _spread_pinned(pinned, waiting_pinned, waiting_pinned + listed_light, m, u.us, u.us | u.them)
            waiting_pinned += listed_light
        else:
            _spread_light(lights, waiting_light, waiting_light + listed_light, u)
            waiting_light += listed_light
        for j in range((found >> _SPECIAL) & _LOW):
            r = position.make(q, U64(w.specials[j]), t)
            if r.en_passant:
                total += legal_en_passant(r, t)
            _write_boards(children, waiting, r)
            children.moves[waiting] = np.uint16(0)  # from a1 to a1: it has been made
            waiting += 1
        last = U64(i) + 1 == n
        if waiting >= _ENOUGH or last:
            total += _replies(children, waiting, v.castling)
            waiting = 0
        if waiting_light >= _ENOUGH or last:
            total += _light_replies(lights, waiting_light)
            waiting_light = 0
        if waiting_pinned >= _ENOUGH or last:
            total += _pinned_replies(pinned, waiting_pinned)
            waiting_pinned = 0
    return total
