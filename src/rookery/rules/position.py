"""A position in words, and what a move makes of it: the part that is compiled.

    p.us, p.them     all pieces of the side to move, and of the other
    p.diagonals      bishops and queens of both sides; p.orthogonals rooks and queens: a queen is in both
    p.state          what the technique in use keeps of the occupancy, see `rookery.technique`
    p.castling       the rooks that may still castle, of both sides, as squares: Chess960 needs nothing more
    p.en_passant     the square a pawn has just jumped over, as a board
    p.turn           0 when white is to move, 1 when black is

A position is copied, never unmade. It lives in registers while it is looked at, and in a row of `WORDS` words
when it is kept.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.bits import bit
from rookery.kernel import U64, Bits, Square, State, Word, kernel, kernel_by_type
from rookery.protocol import prepare, toggle
from rookery.techniques.rotated import Rotated

Boards = NDArray[np.uint64]

# The first five fields of a position in each of its forms: pawns, knights, diagonals, orthogonals, kings. Kernels that
# do the same to all five return them like this, and ``Position(*pieces, ...)`` takes them in.
Pieces: TypeAlias = tuple[Bits, Bits, Bits, Bits, Bits]

# A move is 16 bits: from 0-5, to 6-11, what a pawn becomes 12-13, kind 14-15. Castling is king takes own rook.
KIND_MASK = 3 << 14
PROMOTION, EN_PASSANT, CASTLING = 1 << 14, 2 << 14, 3 << 14
TO_SHIFT, BECOMES_SHIFT = 6, 12
KNIGHT, BISHOP, ROOK, QUEEN = 0, 1, 2, 3  # what a pawn becomes
SIX_BITS = 63

BACK_RANK = 56  # the bits of a square that tell its rank
C_FILE, D_FILE, F_FILE, G_FILE = 2, 3, 5, 6

_TWO_BITS = 3


class Position(NamedTuple):
    """See the top of this file."""

    pawns: Bits
    knights: Bits
    diagonals: Bits
    orthogonals: Bits
    kings: Bits
    us: Bits
    them: Bits
    castling: Bits
    en_passant: Bits
    turn: Word
    state: State


WORDS = 14  # the ten before `state`, and up to four for rotated boards


@kernel_by_type("state")
def store_state(row: Boards, state: State) -> None:
    """Keep what a technique keeps, in the words behind the ten."""


@store_state.register(U64)
def _store_one(row: Boards, state: Bits) -> None:
    row[10] = state


@store_state.register(Rotated)
def _store_four(row: Boards, state: Rotated) -> None:
    row[10] = state.plain
    row[11] = state.r90
    row[12] = state.l45
    row[13] = state.r45


@kernel_by_type("kind")
def load_state(row: Boards, kind: State) -> State:
    """What `store_state` kept of a state of this kind; no more than the type of `kind` matters."""


@load_state.register(U64)
def _load_one(row: Boards, kind: Bits) -> Bits:
    return row[10]


@load_state.register(Rotated)
def _load_four(row: Boards, kind: Rotated) -> Rotated:
    return Rotated(row[10], row[11], row[12], row[13])


@kernel
def write(row: Boards, p: Position) -> None:
    """Keep the ten words of a position, without the technique's state."""
    row[0], row[1], row[2], row[3], row[4] = p[:5]
    row[5], row[6], row[7], row[8], row[9] = p[5:10]


@kernel
def store(row: Boards, p: Position) -> None:
    """Keep a position with its state."""
    write(row, p)
    store_state(row, p.state)


@kernel
def read(row: Boards, state: State) -> Position:
    """A position from the ten words that `write` kept, and the technique's state."""
    return Position(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9], state)


@kernel
def load(row: Boards, t: Any) -> Position:
    """A position from the words that `store` kept, for the same technique."""
    kind = prepare(0, t)  # its type alone matters; the compiler drops the value
    return read(row, load_state(row, kind))


@kernel
def prepared(row: Boards, t: Any) -> Position:
    """A position from a row that holds no state: the technique prepares its own."""
    return read(row, prepare(row[5] | row[6], t))


@kernel
def moved(board: Bits, source: Square, both: Bits) -> Bits:
    """`board` after what stands on `source`, if it is in this board, has gone to the other square of `both`."""
    return board ^ (both & -((board >> source) & 1))


@kernel
def moved_pieces(p: Position, source: Square, to: Bits) -> Pieces:
    """The pieces after what stands on `source` has gone to the square of `to`, and taken what was there."""
    both = bit(source) | to
    return (
        moved(p.pawns & ~to, source, both),
        moved(p.knights & ~to, source, both),
        moved(p.diagonals & ~to, source, both),
        moved(p.orthogonals & ~to, source, both),
        moved(p.kings & ~to, source, both),
    )


@kernel
def make_castling(p: Position, king: Square, rook: Square, t: Any) -> Position:
    """King and rook may cross, swap, or one of them stay where it is: all leave before any arrives."""
    right = rook > king
    king_to = (king & BACK_RANK) | (G_FILE if right else C_FILE)
    rook_to = (king & BACK_RANK) | (F_FILE if right else D_FILE)
    state = toggle(toggle(p.state, king, t), rook, t)
    state = toggle(toggle(state, king_to, t), rook_to, t)
    left = bit(king) | bit(rook)
    arrived = bit(king_to) | bit(rook_to)
    return Position(
        *p[:3],
        (p.orthogonals & ~bit(rook)) | bit(rook_to),
        (p.kings & ~bit(king)) | bit(king_to),
        p.them,
        (p.us & ~left) | arrived,
        p.castling & ~p.us,
        0,
        p.turn ^ 1,
        state,
    )


@kernel
def make(p: Position, move: Word, t: Any) -> Position:
    """The position after a legal move. An en-passant square is noted after every double push."""
    source = move & SIX_BITS
    target = (move >> TO_SHIFT) & SIX_BITS
    kind = move & KIND_MASK
    if kind == CASTLING:
        return make_castling(p, source, target, t)
    to = bit(target)
    both = bit(source) | to
    state = toggle(p.state, source, t)
    if not p.them & to:
        state = toggle(state, target, t)
    pawn = (p.pawns >> source) & 1
    pawns, knights, diagonals, orthogonals, kings = moved_pieces(p, source, to)
    them = p.them & ~to
    en_passant = 0
    if pawn:
        if source ^ target == 16:
            en_passant = bit((source + target) >> 1)
        if kind == PROMOTION:
            becomes = (move >> BECOMES_SHIFT) & _TWO_BITS
            pawns ^= to
            if becomes == KNIGHT:
                knights |= to
            if becomes in (BISHOP, QUEEN):
                diagonals |= to
            if becomes >= ROOK:
                orthogonals |= to
        if kind == EN_PASSANT:
            captured = target ^ 8
            pawns &= ~bit(captured)
            them &= ~bit(captured)
            state = toggle(state, captured, t)
    castling = p.castling & ~both
    if (p.kings >> source) & 1:
        castling &= ~p.us
    pieces = (pawns, knights, diagonals, orthogonals, kings)
    return Position(*pieces, them, p.us ^ both, castling, en_passant, p.turn ^ 1, state)


@kernel
def passed(p: Position) -> Position:
    """The position after a null move: the other side is to move."""
    return Position(*p[:5], p.them, p.us, p.castling, 0, p.turn ^ 1, p.state)
