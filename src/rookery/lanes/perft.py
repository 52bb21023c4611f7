"""Perft with its last two plies on vector lanes.

A *unit* is a position with three plies to go. Its side to move, `us`, moves up the board.

1. The moves of the unit are listed, and all positions after them made at once: the rows.
2. For all rows at once: how many replies does passing the turn leave, and which moves leave the same number (see
   `rookery.lanes.indifferent`)?
3. Row after row, the moves of `them` are generated. The indifferent ones are counted and multiplied; of the others
   from, to and the row's boards are put in columns, the children.
4. The children's moves are made, and our replies counted, eight children a register.
"""
from typing import Any, NamedTuple

import numpy as np

from rookery.bits import bit, reset_ls1b
from rookery.kernel import ONE, U64, UNIVERSE, ZERO, Board, Entry, Square, Word, byteswap, entry, kernel, popcount, rotate_left, trailing_zeros, write_squares
from rookery.lanes.columns import View, turned
from rookery.lanes.count import Movers, count, count_pieces, shields
from rookery.lanes.fills import slides
from rookery.lanes.indifferent import indifferent
from rookery.protocol import prepare
from rookery.rules.core import (
    BISHOP, KIND_MASK, KNIGHT, PROMOTION, ROOK, SIX_BITS, TO_SHIFT, Position, make,
)
from rookery.rules.generate import KING_MOVER, MOST_MOVES, Count, List, generate
from rookery.sets import white_pawn_any_attacks

ROWS = (MOST_MOVES + 7) // 8 * 8
BATCH = 256
CHILDREN = BATCH + ROWS + 32

_LOW = U64((1 << 20) - 1)
_LIGHTLY, _COUNTED = U64(20), U64(40)
_FROM_ONE, _FROM_MANY = U64(64), U64(65)
_DOUBLE = U64((1 << 64) - 16)
_EIGHT = U64(8)


class Rows(NamedTuple):
    pawns: Any
    knights: Any
    diagonals: Any
    orthogonals: Any
    kings: Any
    us: Any
    them: Any
    castling: Any
    en_passant: Any
    # indifferent
    i_pawns: Any
    i_knights: Any
    i_bishops: Any
    i_rooks: Any
    i_kings: Any
    seen: Any
    light: Any
    replies: Any
    kingly: Any


class Children(NamedTuple):
    pawns: Any
    knights: Any
    diagonals: Any
    orthogonals: Any
    kings: Any
    us: Any
    them: Any
    moves: Any


class Light(NamedTuple):
    knights: Any
    pawns: Any
    diagonals: Any
    orthogonals: Any
    us: Any
    occupied: Any
    moves: Any


class Workspace(NamedTuple):
    moves: Any
    rows: Rows
    children: Children
    lights: Light
    specials: Any
    numbers: Any  # [0] specials


def workspace() -> Workspace:
    def columns(n: int, length: int) -> list[Any]:
        stride = length + 24
        buffer = np.zeros(n * stride, np.uint64)
        return [buffer[i * stride : i * stride + length] for i in range(n)]

    return Workspace(
        np.zeros(ROWS, np.uint16),
        Rows(*columns(18, ROWS)),
        Children(*columns(7, CHILDREN), np.zeros(CHILDREN, np.uint16)),
        Light(*columns(6, CHILDREN), np.zeros(CHILDREN, np.uint16)),
        np.zeros(ROWS, np.uint16),
        np.zeros(2, np.uint64),
    )


@kernel
def _sort(sink: Any, n: Word, piece: Word, source: Square, targets: Board, kind: Word) -> Word:
    if kind:
        sink.specials[sink.numbers[0]] = np.uint16(source | trailing_zeros(targets) << TO_SHIFT | kind)
        sink.numbers[0] += ONE
        return n
    i = sink.i
    rows = sink.rows
    if piece == KNIGHT:
        calm = rows.i_knights[i]
    elif piece == BISHOP:
        calm = rows.i_bishops[i]
        if (sink.orthogonals >> source) & ONE:
            calm &= rows.i_rooks[i]
    elif piece == ROOK:
        calm = rows.i_rooks[i]
        if (sink.diagonals >> source) & ONE:
            calm &= rows.i_bishops[i]
    else:
        calm = rows.i_kings[i]
    return _split(sink, n, calm, calm & (ZERO - ((calm >> source) & ONE)), source, targets)


@kernel
def _split(sink: Any, n: Word, calm: Board, ok: Board, source: Square, targets: Board) -> Word:
    i = sink.i
    ok &= targets
    seen = sink.rows.seen[i]
    still = ok & sink.empty & ~seen & (((seen >> source) & ONE) - ONE)
    n += popcount(still) << _COUNTED
    light = (ok ^ still) & sink.rows.light[i]
    full = targets ^ still ^ light
    return _list_both(sink, n, light, full, _FROM_ONE, source)


@kernel
def _list_both(sink: Any, n: Word, light: Board, full: Board, scale: Word, base: Word) -> Word:
    write_squares(sink.lights, sink.light_start + ((n >> _LIGHTLY) & _LOW), light, scale, base)
    write_squares(sink.moves, sink.start + (n & _LOW), full, scale, base)
    return n + popcount(full) + (popcount(light) << _LIGHTLY)


@kernel
def _sort_steps(sink: Any, n: Word, targets: Board, step: Word, kind: Word) -> Word:
    special = targets if kind else ZERO
    if step == _DOUBLE:
        special = targets & (sink.passed >> 8)
    sink.numbers[0] = write_squares(sink.specials, sink.numbers[0], special, _FROM_MANY, kind - step)
    if kind:
        return n
    if step == _DOUBLE:
        targets &= ~(sink.passed >> 8)
    calm = sink.rows.i_pawns[sink.i]
    seen = sink.rows.seen[sink.i]
    ok = calm & rotate_left(calm, step) & targets
    still = ok & sink.empty & ~(seen | rotate_left(seen, step))
    n += popcount(still) << _COUNTED
    light = (ok ^ still) & sink.rows.light[sink.i]
    full = targets ^ still ^ light
    return _list_both(sink, n, light, full, _FROM_MANY, ZERO - step)


class Sort(NamedTuple):
    """The sink that counts indifferent moves and lists the others."""

    moves: Any
    lights: Any
    specials: Any
    numbers: Any
    rows: Any
    i: Any
    start: Any
    light_start: Any
    empty: Any
    diagonals: Any
    orthogonals: Any
    passed: Any

    add = _sort
    add_steps = _sort_steps


@kernel
def _carried(b: Board, source: Board, both: Board, target: Board) -> Board:
    return (b & ~both) | (target if b & source else ZERO)


@kernel
def after(v: View, move: Word) -> View:
    """The position after a usual move of either side, from the same side; a move to its own square changes nothing."""
    source = bit(move & SIX_BITS)
    target = bit((move >> TO_SHIFT) & SIX_BITS)
    both = source | target
    return View(
        _carried(v.pawns, source, both, target),
        _carried(v.knights, source, both, target),
        _carried(v.diagonals, source, both, target),
        _carried(v.orthogonals, source, both, target),
        _carried(v.kings, source, both, target),
        _carried(v.us, source, both, target),
        _carried(v.them, source, both, target),
        v.castling,
        ((source & v.pawns & v.us) << 8) & (target >> 8),
    )


@kernel
def write_row(r: Rows, i: Word, v: View) -> None:
    r.pawns[i] = v.pawns
    r.knights[i] = v.knights
    r.diagonals[i] = v.diagonals
    r.orthogonals[i] = v.orthogonals
    r.kings[i] = v.kings
    r.us[i] = v.us
    r.them[i] = v.them
    r.castling[i] = v.castling
    r.en_passant[i] = v.en_passant


@kernel
def read_row(r: Rows, i: Word) -> View:
    return View(r.pawns[i], r.knights[i], r.diagonals[i], r.orthogonals[i], r.kings[i], r.us[i], r.them[i], r.castling[i], r.en_passant[i])


@kernel
def put_child(c: Children, i: Word, v: View, move: Word) -> None:
    c.pawns[i] = v.pawns
    c.knights[i] = v.knights
    c.diagonals[i] = v.diagonals
    c.orthogonals[i] = v.orthogonals
    c.kings[i] = v.kings
    c.us[i] = v.us
    c.them[i] = v.them
    c.moves[i] = np.uint16(move)


@kernel
def get_child(c: Children, i: Word, castling: Board) -> View:
    return View(c.pawns[i], c.knights[i], c.diagonals[i], c.orthogonals[i], c.kings[i], c.us[i], c.them[i], castling, ZERO)


@kernel
def spread(c: Children, first: Word, last: Word, v: View) -> None:
    """Put the boards of a row beside each of its moves, eight at a time."""
    i = first
    while i < last:
        for k in range(8):
            c.pawns[i + U64(k)] = v.pawns
        for k in range(8):
            c.knights[i + U64(k)] = v.knights
        for k in range(8):
            c.diagonals[i + U64(k)] = v.diagonals
        for k in range(8):
            c.orthogonals[i + U64(k)] = v.orthogonals
        for k in range(8):
            c.kings[i + U64(k)] = v.kings
        for k in range(8):
            c.us[i + U64(k)] = v.us
        for k in range(8):
            c.them[i + U64(k)] = v.them
        i += _EIGHT


@kernel
def replies_to(c: Children, n: Word, castling: Board) -> Word:
    nothing = View(ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
    for k in range(7):
        put_child(c, n + U64(k), nothing, ZERO)
    total = ZERO
    for i in range((n + U64(7)) // _EIGHT * _EIGHT):
        v = after(get_child(c, i, castling), U64(c.moves[i]))
        total += count(v, shields(v))
    return total


@kernel
def spread_light(c: Light, first: Word, last: Word, v: View) -> None:
    i = first
    while i < last:
        for k in range(8):
            c.pawns[i + U64(k)] = v.pawns & v.us
        for k in range(8):
            c.knights[i + U64(k)] = v.knights & v.us
        for k in range(8):
            c.diagonals[i + U64(k)] = v.diagonals & v.us
        for k in range(8):
            c.orthogonals[i + U64(k)] = v.orthogonals & v.us
        for k in range(8):
            c.us[i + U64(k)] = v.us
        for k in range(8):
            c.occupied[i + U64(k)] = v.us | v.them
        i += _EIGHT


@kernel
def light_replies(c: Light, n: Word) -> Word:
    for k in range(7):
        i = n + U64(k)
        c.knights[i] = ZERO
        c.pawns[i] = ZERO
        c.diagonals[i] = ZERO
        c.orthogonals[i] = ZERO
    total = ZERO
    for i in range((n + U64(7)) // _EIGHT * _EIGHT):
        move = U64(c.moves[i])
        source = bit(move & SIX_BITS)
        target = bit((move >> TO_SHIFT) & SIX_BITS)
        occupied = (c.occupied[i] & ~source) | target
        us = c.us[i] & ~target
        o, d, pawns = c.orthogonals[i] & ~target, c.diagonals[i] & ~target, c.pawns[i] & ~target
        m = Movers(o, o, d, d, c.knights[i] & ~target, pawns, pawns, pawns)
        total += count_pieces(slides(~occupied), m, ~occupied, occupied & ~us, ~us)
    return total


@kernel
def three(p: Position, w: Workspace, t: Any) -> Word:
    """Perft 3."""
    black = ZERO - p.turn
    v = View(
        turned(p.pawns, black), turned(p.knights, black), turned(p.diagonals, black), turned(p.orthogonals, black),
        turned(p.kings, black), turned(p.us, black), turned(p.them, black), turned(p.castling, black), turned(p.en_passant, black),
    )
    rows, children = w.rows, w.children
    up = Position(v.pawns, v.knights, v.diagonals, v.orthogonals, v.kings, v.us, v.them, v.castling, v.en_passant, ZERO, prepare(v.us | v.them, t))
    n = generate(up, t, List(w.moves), UNIVERSE, UNIVERSE)
    for i in range(n):
        move = U64(w.moves[i])
        write_row(rows, i, after(v, move))
        source = bit(move & SIX_BITS)
        rows.castling[i] = v.castling & ~(source | bit((move >> TO_SHIFT) & SIX_BITS)) & ~(v.us if source & v.kings else ZERO)
    for i in range(n):
        move = U64(w.moves[i])
        if move & KIND_MASK:
            q = make(up, move, t)
            write_row(rows, i, View(q.pawns, q.knights, q.diagonals, q.orthogonals, q.kings, q.them, q.us, q.castling, ZERO))
    full = (n + U64(7)) // _EIGHT * _EIGHT
    nothing = View(ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
    for i in range(n, full):
        write_row(rows, i, nothing)
    for i in range(full):
        u = read_row(rows, i)
        s = indifferent(u, shields(u))
        rows.i_pawns[i] = s.pawns
        rows.i_knights[i] = s.knights
        rows.i_bishops[i] = s.bishops
        rows.i_rooks[i] = s.rooks
        rows.i_kings[i] = s.kings
        rows.seen[i] = s.seen
        rows.light[i] = s.light
        rows.replies[i] = s.replies
        rows.kingly[i] = s.kingly
    total = ZERO
    m = ZERO
    l = ZERO
    for i in range(n):
        u = read_row(rows, i)
        occupied = u.us | u.them
        q = Position(u.pawns, u.knights, u.diagonals, u.orthogonals, u.kings, u.them, u.us, u.castling, u.en_passant, ONE, prepare(occupied, t))
        w.numbers[0] = ZERO
        sink = Sort(children.moves, w.lights.moves, w.specials, w.numbers, rows, i, m, l, ~occupied, u.diagonals, u.orthogonals, white_pawn_any_attacks(u.pawns & u.us))
        found = generate(q, t, sink, UNIVERSE, UNIVERSE)
        total += (found >> _COUNTED) * rows.replies[i]
        k = m + (found & _LOW)
        spread(children, m, k, u)
        lightly = (found >> _LIGHTLY) & _LOW
        total += lightly * rows.kingly[i]
        spread_light(w.lights, l, l + lightly, u)
        l += lightly
        m = k
        for j in range(w.numbers[0]):
            r = make(q, U64(w.specials[j]), t)
            if r.en_passant:
                total += generate(r, t, Count(), UNIVERSE, UNIVERSE)
            else:
                put_child(children, m, View(r.pawns, r.knights, r.diagonals, r.orthogonals, r.kings, r.us, r.them, ZERO, ZERO), ZERO)
                m += ONE
        if m >= BATCH_:
            total += replies_to(children, m, v.castling)
            m = ZERO
        if l >= BATCH_:
            total += light_replies(w.lights, l)
            l = ZERO
    total += light_replies(w.lights, l)
    if m:
        total += replies_to(children, m, v.castling)
    return total

BATCH_ = U64(BATCH)


@kernel
def _visit_three(visitor: Any, p: Position, move: Word, t: Any) -> Word:
    return three(make(p, move, t), visitor.workspace, t)


class Units(NamedTuple):
    """The visitor that counts three plies of each child."""

    workspace: Any

    visit = _visit_three
