"""Set up by hand: pieces put on a row and taken away, rights lost with them, and a quick look at what comes out."""

from typing import Any

from rookery.bits import bit, isolate_ls1b, reset_ls1b
from rookery.kernel import ONE, U64, ZERO, Bits, Word, entry, kernel, popcount, rotate_left, trailing_zeros
from rookery.protocol import QUESTIONS, attacks, prepare
from rookery.rules.generate import KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS, checkers_of
from rookery.rules.position import SIX_BITS, Position, moved_pieces, prepared, read

DOUBTFUL, FAULTY = U64(1), U64(2)

_RANK_1, _RANK_8 = U64(0xFF), U64(0xFF << 56)
_FIRST_WHITE, _FIRST_BLACK = U64(0xFFFF), U64(0xFFFF << 48)  # pawns here have not moved
_LIGHT_SQUARES = U64(0x55AA55AA55AA55AA)
_SIXTEEN, _EIGHT, _TWO = U64(16), U64(8), U64(2)
_ROOK, _BISHOP = QUESTIONS["rook"], QUESTIONS["bishop"]


@kernel
def jumped_over(p: Position) -> Bits:
    """The en-passant square, if a pawn can have jumped over it."""
    back, forth = (_EIGHT, ZERO - _EIGHT) if p.turn else (ZERO - _EIGHT, _EIGHT)
    sq = trailing_zeros(p.en_passant) & SIX_BITS
    jumper, origin = bit((sq + back) & SIX_BITS), bit((sq + forth) & SIX_BITS)
    return ZERO if not p.pawns & p.them & jumper or (p.us | p.them) & (p.en_passant | origin) else p.en_passant


@kernel
def able_to_castle(p: Position) -> Bits:
    """The rooks that may have a right to castle: those on a back rank with their king."""
    white, black = (p.them & _RANK_1, p.us & _RANK_8) if p.turn else (p.us & _RANK_1, p.them & _RANK_8)
    rooks = p.orthogonals & ~p.diagonals
    able = rooks & white if p.kings & white else ZERO
    return able | (rooks & black if p.kings & black else ZERO)


@entry
def put(row: Any, square: Any, boards: Any, white: Any) -> None:
    """Put a piece on a square, in place: on those of the first five words that `boards` has a bit for, none of them to
    take away what is there. Rights that no longer can be are lost.
    """
    piece = bit(square)
    for i in range(7):
        row[i] &= ~piece
    for i in range(5):
        if boards >> U64(i) & ONE:
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
    p = read(row, ZERO)
    row[7] = p.castling & able_to_castle(p)
    row[8] = jumped_over(p) if p.en_passant else ZERO


@kernel
def promoted(side: Bits, p: Position) -> Word:
    """How many pieces of a side were pawns once, at least."""
    bishops, queens = p.diagonals & ~p.orthogonals & side, p.diagonals & p.orthogonals & side
    found = above(p.knights & side, _TWO) + above(p.orthogonals & ~p.diagonals & side, _TWO) + above(queens, ONE)
    return found + above(bishops & _LIGHT_SQUARES, ONE) + above(bishops & ~_LIGHT_SQUARES, ONE)


@kernel
def above(pieces: Bits, at_first: Word) -> Word:
    """How many more of a kind there are than when the game began."""
    n = popcount(pieces)
    return n - at_first if n > at_first else ZERO


@kernel
def come_from(p: Position, checker: Bits, origin: Bits, t: Any) -> Word:
    """Whether the only checker, a knight, slider or pawn, may have come from an empty square, taking nothing: without
    it there, nothing gave check.
    """
    pieces = moved_pieces(p, trailing_zeros(checker), origin)
    them = p.them ^ checker ^ origin
    before = Position(*pieces, p.us, them, p.castling, ZERO, p.turn, prepare(p.us | them, t))
    return ZERO if checkers_of(before, t) else ONE


@kernel
def unlikely(p: Position, checkers: Bits, t: Any) -> Word:
    """Whether no quiet move of the only checker explains the check; then others must be looked for."""
    if reset_ls1b(checkers):
        return ONE
    sq = trailing_zeros(checkers)
    origins = KNIGHT_MOVES[sq] if p.knights & checkers else ZERO
    if p.diagonals & checkers:
        origins |= attacks(_BISHOP, sq, p.state, t)
    if p.orthogonals & checkers:
        origins |= attacks(_ROOK, sq, p.state, t)
    if p.pawns & checkers:
        back, first = (ZERO - _EIGHT, _FIRST_WHITE) if p.turn else (_EIGHT, _FIRST_BLACK)
        origins = rotate_left(checkers & ~first, back)
    origins &= ~(p.us | p.them)
    while origins:
        if come_from(p, checkers, isolate_ls1b(origins), t):
            return ZERO
        origins = reset_ls1b(origins)
    return ONE


@kernel
def faulty(p: Position, t: Any) -> Word:
    """Whether a position has a fault that no board may have; an en-passant square alone is not looked at."""
    white, black = (p.them, p.us) if p.turn else (p.us, p.them)
    ours, theirs = p.kings & p.us, p.kings & p.them
    if popcount(ours) != ONE or popcount(theirs) != ONE or KING_MOVES[trailing_zeros(ours)] & theirs:
        return ONE
    if popcount(white) > _SIXTEEN or popcount(black) > _SIXTEEN or p.pawns & (_RANK_1 | _RANK_8):
        return ONE
    if popcount(p.pawns & white) > _EIGHT or popcount(p.pawns & black) > _EIGHT:
        return ONE
    k = trailing_zeros(theirs)
    checkers_ = KNIGHT_MOVES[k] & p.knights | PAWN_ATTACKS[p.turn ^ ONE, k] & p.pawns
    checkers_ |= attacks(_BISHOP, k, p.state, t) & p.diagonals | attacks(_ROOK, k, p.state, t) & p.orthogonals
    if checkers_ & p.us:
        return ONE
    return ONE if p.castling & ~able_to_castle(p) else ZERO


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
        if promoted(side, p) + popcount(p.pawns & side) > _EIGHT:
            return DOUBTFUL
    checkers = checkers_of(p, t)
    return DOUBTFUL if checkers and unlikely(p, checkers, t) else ZERO
