"""Set up by hand: pieces put on a row and taken away, rights lost with them, and a quick look at what comes out."""

from typing import Any

from rookery.bits import DARK_SQUARES, LIGHT_SQUARES, bit, isolate_ls1b, reset_ls1b
from rookery.kernel import Bits, Word, entry, kernel, popcount, rotate_left, trailing_zeros
from rookery.protocol import QUESTIONS, attacks, prepare
from rookery.rules.generate import KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS, checkers_of
from rookery.rules.position import SIX_BITS, Position, carried_pieces, prepared, read

DOUBTFUL, FAULTY = 1, 2

_DOWN = 64 - 8  # a rank down: squares count modulo 64
_RANK_1, _RANK_8 = 0xFF, 0xFF << 56
_FIRST_WHITE, _FIRST_BLACK = 0xFFFF, 0xFFFF << 48  # pawns here have not moved
_ROOK, _BISHOP = QUESTIONS["rook"], QUESTIONS["bishop"]


@kernel
def jumped_over(p: Position) -> Bits:
    """The en-passant square, if a pawn can have jumped over it."""
    back, forth = (8, _DOWN) if p.turn else (_DOWN, 8)
    sq = trailing_zeros(p.en_passant) & SIX_BITS
    jumper, origin = bit((sq + back) & SIX_BITS), bit((sq + forth) & SIX_BITS)
    return 0 if not p.pawns & p.them & jumper or (p.us | p.them) & (p.en_passant | origin) else p.en_passant


@kernel
def able_to_castle(p: Position) -> Bits:
    """The rooks that may have a right to castle: those on a back rank with their king."""
    white, black = (p.them & _RANK_1, p.us & _RANK_8) if p.turn else (p.us & _RANK_1, p.them & _RANK_8)
    rooks = p.orthogonals & ~p.diagonals
    able = rooks & white if p.kings & white else 0
    return able | (rooks & black if p.kings & black else 0)


@entry
def put(row: Any, square: Any, boards: Any, white: Any) -> None:
    """Put a piece on a square, in place: on those of the first five words that `boards` has a bit for, none of them to
    take away what is there. Rights that no longer can be are lost.
    """
    piece = bit(square)
    for i in range(7):
        row[i] &= ~piece
    for i in range(5):
        if boards >> i & 1:
            row[i] |= piece
    if boards:
        row[5 if white != row[9] else 6] |= piece
    drop_rights(row)


@entry
def settle(row: Any) -> None:
    """Drop the rights that no longer can be, in place."""
    drop_rights(row)


@kernel
def drop_rights(row: Any) -> None:
    """The same, for one row."""
    p = read(row, 0)
    row[7] = p.castling & able_to_castle(p)
    row[8] = jumped_over(p) if p.en_passant else 0


@kernel
def promoted(side: Bits, p: Position) -> Word:
    """How many pieces of a side were pawns once, at least."""
    bishops, queens = p.diagonals & ~p.orthogonals & side, p.diagonals & p.orthogonals & side
    found = above(p.knights & side, 2) + above(p.orthogonals & ~p.diagonals & side, 2) + above(queens, 1)
    return found + above(bishops & LIGHT_SQUARES, 1) + above(bishops & DARK_SQUARES, 1)


@kernel
def above(pieces: Bits, at_first: Word) -> Word:
    """How many more of a kind there are than when the game began."""
    n = popcount(pieces)
    return n - at_first if n > at_first else 0


@kernel
def come_from(p: Position, checker: Bits, origin: Bits, t: Any) -> Word:
    """Whether the only checker, a knight, slider or pawn, may have come from an empty square, taking nothing: without
    it there, nothing gave check.
    """
    pieces = carried_pieces(p, checker, origin)
    them = p.them ^ checker ^ origin
    before = Position(*pieces, p.us, them, p.castling, 0, p.turn, prepare(p.us | them, t))
    return 0 if checkers_of(before, t) else 1


@kernel
def unlikely(p: Position, checkers: Bits, t: Any) -> Word:
    """Whether no quiet move of the only checker explains the check; then others must be looked for."""
    if reset_ls1b(checkers):
        return 1
    sq = trailing_zeros(checkers)
    origins = KNIGHT_MOVES[sq] if p.knights & checkers else 0
    if p.diagonals & checkers:
        origins |= attacks(_BISHOP, sq, p.state, t)
    if p.orthogonals & checkers:
        origins |= attacks(_ROOK, sq, p.state, t)
    if p.pawns & checkers:
        back, first = (_DOWN, _FIRST_WHITE) if p.turn else (8, _FIRST_BLACK)
        origins = rotate_left(checkers & ~first, back)
    origins &= ~(p.us | p.them)
    while origins:
        if come_from(p, checkers, isolate_ls1b(origins), t):
            return 0
        origins = reset_ls1b(origins)
    return 1


@kernel
def faulty(p: Position, t: Any) -> Word:
    """Whether a position has a fault that no board may have; an en-passant square alone is not looked at."""
    white, black = (p.them, p.us) if p.turn else (p.us, p.them)
    ours, theirs = p.kings & p.us, p.kings & p.them
    if popcount(ours) != 1 or popcount(theirs) != 1 or KING_MOVES[trailing_zeros(ours)] & theirs:
        return 1
    if popcount(white) > 16 or popcount(black) > 16 or p.pawns & (_RANK_1 | _RANK_8):
        return 1
    if popcount(p.pawns & white) > 8 or popcount(p.pawns & black) > 8:
        return 1
    k = trailing_zeros(theirs)
    checkers_ = KNIGHT_MOVES[k] & p.knights | PAWN_ATTACKS[p.turn ^ 1, k] & p.pawns
    checkers_ |= attacks(_BISHOP, k, p.state, t) & p.diagonals | attacks(_ROOK, k, p.state, t) & p.orthogonals
    if checkers_ & p.us:
        return 1
    return 1 if p.castling & ~able_to_castle(p) else 0


@entry
def suspicious(row: Any, t: Any) -> Any:
    """A quick look at a position, `status` says more: `FAULTY` if it has a fault that no board may have, `DOUBTFUL` if
    it may have one that no game leads to, else 0.
    """
    p = prepared(row, t)
    if faulty(p, t):
        return FAULTY
    if p.en_passant:
        return DOUBTFUL if jumped_over(p) else FAULTY
    white, black = (p.them, p.us) if p.turn else (p.us, p.them)
    for side in (white, black):
        if promoted(side, p) + popcount(p.pawns & side) > 8:
            return DOUBTFUL
    checkers = checkers_of(p, t)
    return DOUBTFUL if checkers and unlikely(p, checkers, t) else 0
