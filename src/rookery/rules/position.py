"""A position in words, and what a move makes of it: the part that is compiled.

    p.us, p.them     all pieces of the side to move, and of the other
    p.diagonals      bishops and queens of both sides; p.orthogonals rooks and queens: a queen is in both
    p.state          what the technique in use keeps of the occupancy, see `rookery.techniques.base`
    p.castling       the rooks that may still castle, of both sides, as squares: Chess960 needs nothing more
    p.en_passant     the square a pawn has just jumped over, as a board
    p.turn           0 when white is to move, 1 when black is

A position is copied, never unmade. It lives in registers while it is looked at, and in a row of `WORDS` words
when it is kept.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import DARK_SQUARES, LIGHT_SQUARES, bit
from rookery.kernel import U64, UNIVERSE, Bits, Square, State, Word, kernel, kernel_by_type, popcount
from rookery.rules import constants
from rookery.techniques.base.protocol import prepare, toggle
from rookery.techniques.rotated import Rotated

Boards = NDArray[np.uint64]

# The first five fields of a position in each of its forms: pawns, knights, diagonals, orthogonals, kings. Kernels that
# do the same to all five return them like this, and ``Position(*pieces, ...)`` takes them in.
Pieces: TypeAlias = tuple[Bits, Bits, Bits, Bits, Bits]


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
    """Return the state that `store_state` kept; only the type of `kind` matters."""


@load_state.register(U64)
def _load_one(row: Boards, kind: Bits) -> Bits:
    return row[10]


@load_state.register(Rotated)
def _load_four(row: Boards, kind: Rotated) -> Rotated:
    return Rotated(row[10], row[11], row[12], row[13])


@kernel_by_type("state")
def same_state(state: State, occupied: Bits) -> State:
    """Return a technique's state of an occupancy, as `occupied` itself if the state is a word.

    Compiled code then computes and holds one word instead of two that are always equal: perft of the start position and
    of Kiwipete was 3 and 2 % faster.
    """


@same_state.register(U64)
def _same_word(state: Bits, occupied: Bits) -> Bits:
    return occupied


@same_state.register(Rotated)
def _same_boards(state: Rotated, occupied: Bits) -> Rotated:
    return state


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
    """Return a position from the ten words that `write` kept, and the technique's state."""
    return Position(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9], state)


@kernel
def load(row: Boards, t: Any) -> Position:
    """Return a position from the words that `store` kept, for the same technique."""
    kind = prepare(0, t)  # its type alone matters; the compiler drops the value
    return read(row, load_state(row, kind))


@kernel
def prepared(row: Boards, t: Any) -> Position:
    """Return a position from a row that holds no state: the technique prepares its own."""
    return read(row, prepare(row[5] | row[6], t))


# What a move changes. Each of the library's makers of moves is put together from these kernels: `make` for any legal
# move; the readers of SAN, which know a move's squares as boards and rebuild the technique's state, take `stepped`
# itself; and `rookery.counting.three_plies.after`, which runs in vector registers, leaves out what it does not need.


@kernel
def piece_type_on(p: Any, sq: Square) -> Word:
    """Return the type of the piece on a square, 1 (pawn) to 6 (king), or 0 if it is empty. `p` is in any form."""
    diagonal, orthogonal = (p.diagonals >> sq) & 1, (p.orthogonals >> sq) & 1
    slider = 3 * diagonal + 4 * orthogonal - 2 * (diagonal & orthogonal)
    return ((p.pawns >> sq) & 1) + 2 * ((p.knights >> sq) & 1) + slider + 6 * ((p.kings >> sq) & 1)


@kernel
def mask_on(board: Bits, square: Bits) -> Bits:
    """Return a mask of all bits if `square` is on the board, or of none."""
    return UNIVERSE if board & square else U64(0)


@kernel
def boards_of(p: Any, source: Bits) -> Pieces:
    """Return a mask for each of the five boards of `p`, in any form: all bits if the piece on `source` is on it."""
    return (
        mask_on(p.pawns, source),
        mask_on(p.knights, source),
        mask_on(p.diagonals, source),
        mask_on(p.orthogonals, source),
        mask_on(p.kings, source),
    )


@kernel
def carried(board: Bits, is_on: Bits, source: Bits, target: Bits) -> Bits:
    """Return a board after a move: both squares are cleared, and `target` is set if the moving piece is on it.

    Here and below, `is_on` and the words of `piece` are masks, as `mask_on` returns them. With tests for nonzero in
    their place, perft from the start was 8 % slower.
    """
    return (board & ~(source | target)) | (target & is_on)


@kernel
def carried_pieces(p: Any, piece: Pieces, source: Bits, target: Bits) -> Pieces:
    """Return the pieces of `p`, in any form, after a piece has gone from `source` to `target` and captured there."""
    pawn, knight, diagonal, orthogonal, king = piece
    return (
        carried(p.pawns, pawn, source, target),
        carried(p.knights, knight, source, target),
        carried(p.diagonals, diagonal, source, target),
        carried(p.orthogonals, orthogonal, source, target),
        carried(p.kings, king, source, target),
    )


@kernel
def rights_after(p: Any, is_king: Bits, source: Bits, target: Bits) -> Bits:
    """Return the castling rights after a move of `us`.

    A king's move loses all of its side's rights; a rook that moves or is captured loses its own.
    """
    return p.castling & ~(source | target) & ~(is_king & p.us)


@kernel
def skipped_square(pawn: Bits, target: Bits) -> Bits:
    """Return the square that a pawn's double step skips; empty for a single step, or where `pawn` is empty."""
    return ((pawn << 8) & (target >> 8)) | ((pawn >> 8) & (target << 8))


@kernel
def occupied_after(p: Position, source: Bits, target: Bits, victim: Bits) -> Bits:
    """Return the occupancy after a move that is not castling. `victim` is a pawn captured en passant, or empty."""
    return ((p.us | p.them) & ~(source | victim)) | target


@kernel
def castling_squares(king: Square, rook: Square) -> tuple[Square, Square]:
    """Return the squares to which a king and its rook go when they castle."""
    right, rank = rook > king, king & BACK_RANK
    return rank | (G_FILE if right else C_FILE), rank | (F_FILE if right else D_FILE)


@kernel
def stepped(p: Position, piece: Pieces, source: Bits, target: Bits, victim: Bits, state: State) -> Position:
    """Return the position after a move that is neither castling nor promotion.

    `piece` has the masks of `boards_of`. The readers of SAN know it from the text, and reading was a tenth slower when
    they derived it from `source`. `victim` is a pawn captured en passant, or empty; `state` is the technique's state
    after the move. Every double step leaves an en-passant square.
    """
    pawns, knights, diagonals, orthogonals, kings = carried_pieces(p, piece, source, target)
    return Position(
        pawns & ~victim,
        knights,
        diagonals,
        orthogonals,
        kings,
        p.them & ~(target | victim),
        p.us ^ (source | target),
        rights_after(p, piece[4], source, target),
        skipped_square(source & piece[0], target),
        p.turn ^ 1,
        state,
    )


@kernel
def make_castling(p: Position, king: Square, rook: Square, t: Any) -> Position:
    """Return the position after castling.

    In Chess960 king and rook may cross, swap, or one of them may stay: both leave before either arrives.
    """
    king_to, rook_to = castling_squares(king, rook)
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
    """Return the position after a legal move."""
    source = move & constants.SIX_BITS
    target = (move >> constants.TO_SHIFT) & constants.SIX_BITS
    kind = move & constants.KIND_MASK
    if kind == constants.CASTLING:
        return make_castling(p, source, target, t)
    to = bit(target)
    state = toggle(p.state, source, t)
    if not p.them & to:
        state = toggle(state, target, t)
    victim = U64(0)  # not a plain 0, whose complement is -1 in Python
    if kind == constants.EN_PASSANT:
        victim = bit(target ^ 8)
        state = toggle(state, target ^ 8, t)
    origin = bit(source)
    q = stepped(p, boards_of(p, origin), origin, to, victim, state)
    if kind != constants.PROMOTION:
        return q
    becomes = (move >> constants.BECOMES_SHIFT) & _TWO_BITS
    return Position(
        q.pawns ^ to,
        q.knights | (to if becomes == constants.KNIGHT else 0),
        q.diagonals | (to if becomes in (constants.BISHOP, constants.QUEEN) else 0),
        q.orthogonals | (to if becomes >= constants.ROOK else 0),
        *q[4:],
    )


@kernel
def passed(p: Position) -> Position:
    """Return the position after a null move: the other side is to move."""
    return Position(*p[:5], p.them, p.us, p.castling, 0, p.turn ^ 1, p.state)


@kernel
def cannot_mate(p: Any, own: Bits, other: Bits) -> Any:
    """Check whether a side cannot mate, whatever the other side does. `p` is in any form."""
    queens = p.diagonals & p.orthogonals
    bishops = p.diagonals ^ queens
    if own & (p.pawns | p.orthogonals):
        return False
    if own & p.knights:
        return popcount(own) <= 2 and not other & ~p.kings & ~queens
    if own & bishops:
        return not p.pawns and not p.knights and (not bishops & LIGHT_SQUARES or not bishops & DARK_SQUARES)
    return True


@kernel
def insufficient_sides(p: Position) -> Word:
    """Return which sides cannot mate: bit 0 is the side to move, bit 1 the other."""
    return (1 if cannot_mate(p, p.us, p.them) else 0) | (2 if cannot_mate(p, p.them, p.us) else 0)


@kernel
def is_insufficient(p: Position) -> Any:
    """Check whether neither side can mate."""
    if p.pawns | p.orthogonals:
        return False
    return cannot_mate(p, p.us, p.them) and cannot_mate(p, p.them, p.us)
