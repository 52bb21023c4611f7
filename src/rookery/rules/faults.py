"""Faults of positions: compiled code that finds every reason why a position is impossible.

`faults_of` returns a mask with a bit for each fault. `Board.status` describes the bits in words, and arrays of
positions test them. There are three kinds:

    FORM         words that do not describe a position: two pieces on one square, a right to castle without a rook
    UNREACHABLE  positions that can be played on, but that no game reaches: checks that no last move can have given
    all others   positions that cannot be played on: a missing king, the side to move giving check

Whether a game reaches a position is judged by one step of retrograde analysis. The side that has just moved cannot
have attacked the other king before its move: it would have been to move with that king in check. So every piece of it
is taken back to every square that it may have come from, with and without a captured piece. If the king is attacked
each time, no game reaches the position. The test is lenient: it does not check where a captured piece came from, or
whether the position before the move was possible.
"""

from typing import Any

from rookery.bitboards import bits
from rookery.bitboards.line_tables import BETWEEN
from rookery.kernel import U64, UNIVERSE, Bits, Square, Word, kernel, popcount, rotate_left, trailing_zeros
from rookery.rules import position
from rookery.rules.attack_tables import KING_MOVES
from rookery.rules.constants import SIX_BITS
from rookery.rules.generate import attackers_of, checkers_of
from rookery.rules.sliders import attacks_of_piece
from rookery.techniques.base.protocol import prepare

# The form of the words. "Overlap": the square of a piece of this kind also holds a piece of an earlier kind.
OVERLAPPING_KNIGHTS, OVERLAPPING_DIAGONALS, OVERLAPPING_ORTHOGONALS, OVERLAPPING_KINGS = 1 << 0, 1 << 1, 1 << 2, 1 << 3
COLOURS = 1 << 4  # a piece that has no colour or two, or a colour where no piece is
CASTLING_ROOK = 1 << 5  # a right without a rook of the side on its back rank
CASTLING_KING = 1 << 6  # a right of a side without a king, with several, or with one that is off its back rank
CASTLING_TWICE = 1 << 7  # rights of two rooks on the same side of their king
EN_PASSANT_RANK = 1 << 8  # an en-passant square on a wrong rank, or several of them
# Impossible positions. A bit of black is the one of white, shifted by one.
WHITE_KINGS, BLACK_KINGS = 1 << 9, 1 << 10  # not exactly one king
WHITE_PIECES, BLACK_PIECES = 1 << 11, 1 << 12  # more than 16 pieces
WHITE_PAWNS, BLACK_PAWNS = 1 << 13, 1 << 14  # more than 8 pawns
PAWNS_ON_BACK_RANK = 1 << 15
ADJACENT_KINGS = 1 << 16
OPPOSITE_CHECK = 1 << 17  # the side to move gives check
EN_PASSANT_PAWN = 1 << 18  # no pawn in front of the en-passant square
EN_PASSANT_WAY = 1 << 19  # a piece where the pawn passed or began
# Positions that no game reaches.
WHITE_PROMOTED, BLACK_PROMOTED = 1 << 20, 1 << 21  # more promoted pieces than missing pawns
TOO_MANY_CHECKERS = 1 << 22  # more than two
IMPOSSIBLE_CHECK = 1 << 23  # no last move can have given the check
IMPOSSIBLE_JUMP = 1 << 24  # the pawn's jump to its square cannot have been the last move

FORM = EN_PASSANT_RANK * 2 - 1
UNREACHABLE = WHITE_PROMOTED | BLACK_PROMOTED | TOO_MANY_CHECKERS | IMPOSSIBLE_CHECK | IMPOSSIBLE_JUMP

_UP, _DOWN = 8, 64 - 8  # rotations by a rank
_RANKS_1_AND_2, _RANKS_7_AND_8 = bits.RANK_1 | bits.RANK_2, bits.RANK_7 | bits.RANK_8
_MOST_PIECES, _MOST_PAWNS = 16, 8


@kernel
def _castling_faults(rights: Bits, king: Bits, back: Bits) -> Word:
    """Return the faults of one side's rights to castle, given its kings and its back rank."""
    left, right = rights & (king - 1), rights & ~(king - 1)
    found = CASTLING_KING if rights and (not king & back or bits.reset_ls1b(king)) else 0
    return found | (CASTLING_TWICE if bits.reset_ls1b(left) | bits.reset_ls1b(right) else 0)


@kernel
def form_faults(p: position.Position) -> Word:
    """Return the faults of the form: whether these words describe a position at all."""
    light = p.pawns | p.knights
    sliders = p.diagonals | p.orthogonals
    white, black = (p.them, p.us) if p.turn else (p.us, p.them)
    rooks = p.orthogonals & ~p.diagonals & ((white & bits.RANK_1) | (black & bits.RANK_8))
    found = OVERLAPPING_KNIGHTS if p.pawns & p.knights else 0
    found |= OVERLAPPING_DIAGONALS if p.diagonals & light else 0
    found |= OVERLAPPING_ORTHOGONALS if p.orthogonals & light else 0
    found |= OVERLAPPING_KINGS if p.kings & (light | sliders) else 0
    found |= COLOURS if (p.us & p.them) | ((p.us | p.them) ^ (light | sliders | p.kings)) else 0
    found |= CASTLING_ROOK if p.castling & ~rooks else 0
    found |= _castling_faults(p.castling & white, p.kings & white, bits.RANK_1)
    found |= _castling_faults(p.castling & black, p.kings & black, bits.RANK_8)
    rank = bits.RANK_3 if p.turn else bits.RANK_6
    return found | (EN_PASSANT_RANK if (p.en_passant & (UNIVERSE ^ rank)) | bits.reset_ls1b(p.en_passant) else 0)


@kernel
def _jump_faults(p: position.Position) -> Word:
    """Return the fault of an en-passant square over which no pawn can have jumped."""
    if not p.en_passant:
        return 0
    back, forth = (_UP, _DOWN) if p.turn else (_DOWN, _UP)
    jumper, origin = rotate_left(p.en_passant, back), rotate_left(p.en_passant, forth)
    found = EN_PASSANT_WAY if (p.us | p.them) & (p.en_passant | origin) else 0
    return found if p.pawns & p.them & jumper else EN_PASSANT_PAWN


@kernel
def _surplus(pieces: Bits, initial: Word) -> Word:
    """Return how many pieces of a kind there are beyond those that a game begins with."""
    n = popcount(pieces)
    return n - initial if n > initial else 0


@kernel
def promoted_pieces(knights: Bits, diagonals: Bits, orthogonals: Bits) -> Word:
    """Return how many of one side's pieces are promoted pawns, at least."""
    bishops, queens = diagonals & ~orthogonals, diagonals & orthogonals
    promoted = _surplus(knights, 2) + _surplus(orthogonals & ~diagonals, 2) + _surplus(queens, 1)
    return promoted + _surplus(bishops & bits.LIGHT_SQUARES, 1) + _surplus(bishops & bits.DARK_SQUARES, 1)


@kernel
def _side_faults(p: position.Position, side: Bits) -> Word:
    """Return the faults of the number of one side's pieces, as bits of white."""
    found = WHITE_KINGS if popcount(p.kings & side) != 1 else 0
    found |= WHITE_PIECES if popcount(side) > _MOST_PIECES else 0
    return found | (WHITE_PAWNS if popcount(p.pawns & side) > _MOST_PAWNS else 0)


@kernel
def _promotion_faults(p: position.Position, side: Bits) -> Word:
    """Return the fault of more promoted pieces of one side than it lacks pawns, as a bit of white."""
    promoted = promoted_pieces(p.knights & side, p.diagonals & side, p.orthogonals & side)
    pawns = popcount(p.pawns & side)
    return WHITE_PROMOTED if pawns <= _MOST_PAWNS and pawns + promoted > _MOST_PAWNS else 0


@kernel
def playing_faults(p: position.Position, t: Any) -> Word:
    """Return the faults without which a position can be played on: all but those of `UNREACHABLE`."""
    white, black = (p.them, p.us) if p.turn else (p.us, p.them)
    found = form_faults(p) | _jump_faults(p) | _side_faults(p, white) | (_side_faults(p, black) << 1)
    found |= PAWNS_ON_BACK_RANK if p.pawns & (bits.RANK_1 | bits.RANK_8) else 0
    if found & (WHITE_KINGS | BLACK_KINGS):
        return found
    k = trailing_zeros(p.kings & p.them) & SIX_BITS
    found |= ADJACENT_KINGS if KING_MOVES[k] & p.kings & p.us else 0
    return found | (OPPOSITE_CHECK if attackers_of(position.passed(p), k, p.state, t) else 0)


@kernel
def faults_of(p: position.Position, t: Any) -> Word:
    """Return the mask of all faults of a position. The last move is looked at only if there are no other faults."""
    white, black = (p.them, p.us) if p.turn else (p.us, p.them)
    found = playing_faults(p, t) | _promotion_faults(p, white) | (_promotion_faults(p, black) << 1)
    return found if found else _last_move_faults(p, t)


# Rights that the pieces rule out.


@kernel
def _possible_rights(rights: Bits, king: Bits, back: Bits) -> Bits:
    """Return the rights of one side that are possible: of two rooks on one side of the king, that of the outer one."""
    left, right = rights & (king - 1), rights & ~(king - 1)
    outer = rights if bits.reset_ls1b(king) else bits.isolate_ls1b(left) | bits.isolate_ms1b(right)
    return outer if king & back else 0


@kernel
def possible_castling(p: position.Position) -> Bits:
    """Return the rooks that may castle, without those that the pieces rule out."""
    white, black = (p.them, p.us) if p.turn else (p.us, p.them)
    rights = p.castling & p.orthogonals & ~p.diagonals
    found = _possible_rights(rights & white & bits.RANK_1, p.kings & white, bits.RANK_1)
    return found | _possible_rights(rights & black & bits.RANK_8, p.kings & black, bits.RANK_8)


@kernel
def possible_en_passant(p: position.Position) -> Bits:
    """Return the en-passant square, or nothing if the pieces rule it out."""
    return 0 if (form_faults(p) & EN_PASSANT_RANK) | _jump_faults(p) else p.en_passant


# The last move.


@kernel
def _safe_before(p: position.Position, sq: Square, origins: Bits, occupied: Bits, t: Any) -> Word:
    """Check whether our king was safe before a piece of theirs came to `sq` from one of `origins`.

    `occupied` holds the other pieces that were on the board then.
    """
    k = trailing_zeros(p.kings & p.us)
    while origins:
        origin = bits.isolate_ls1b(origins)
        them = p.them ^ bits.bit(sq) ^ origin
        before = position.Position(
            *position.carried_pieces(p, position.boards_of(p, bits.bit(sq)), bits.bit(sq), origin),
            p.us,
            them,
            0,
            0,
            p.turn,
            p.state,
        )
        if not attackers_of(before, k, prepare(occupied | origin, t), t):
            return 1
        origins = bits.reset_ls1b(origins)
    return 0


@kernel
def _may_have_moved(p: position.Position, sq: Square, t: Any) -> Word:
    """Check whether the last move can have been one of their piece on `sq`. Castling is looked at elsewhere."""
    piece, occupied = bits.bit(sq), p.us | p.them
    vacated, empty = occupied ^ piece, ~occupied
    first, fourth, sixth, last = (_RANKS_1_AND_2, bits.RANK_4, bits.RANK_6, bits.RANK_8)
    back, forth = _DOWN, _UP
    if not p.turn:  # black has moved
        first, fourth, sixth, last = (_RANKS_7_AND_8, bits.RANK_5, bits.RANK_3, bits.RANK_1)
        back, forth = _UP, _DOWN
    captures = 0 if popcount(p.us) >= _MOST_PIECES else empty
    if not p.pawns & piece:
        origins = attacks_of_piece(p, sq, t)
        if _safe_before(p, sq, origins & empty, vacated, t) or _safe_before(p, sq, origins & captures, occupied, t):
            return 1
        if not piece & last or p.kings & piece:
            return 0
    # A pawn now, or before it was promoted here.
    pieces = (p.pawns | piece, p.knights & ~piece, p.diagonals & ~piece, p.orthogonals & ~piece, p.kings)
    q = position.Position(*pieces, p.us, p.them, p.castling, p.en_passant, p.turn, p.state)
    moved = piece & (UNIVERSE ^ first)
    pushed = rotate_left(moved, back) & empty
    pushed |= rotate_left(pushed, back) & empty if piece & fourth else 0
    captured = (rotate_left(moved, back + 1) & bits.NOT_A_FILE) | (rotate_left(moved, back - 1) & bits.NOT_H_FILE)
    captured &= captures
    if _safe_before(q, sq, pushed, vacated, t) or _safe_before(q, sq, captured, occupied, t):
        return 1
    # En passant: the pawn taken stood behind this square, and had come from the square in front of it.
    taken = rotate_left(piece, back)
    if not piece & sixth or (taken | rotate_left(piece, forth)) & occupied:
        return 0
    return _safe_before(q, sq, captured, vacated | taken, t)


@kernel
def _may_have_castled(p: position.Position, t: Any) -> Word:
    """Check whether the last move can have been castling, also in Chess960: a FEN without rights does not say which."""
    k = trailing_zeros(p.kings & p.us)
    back = 0 if p.turn else position.BACK_RANK
    rooks = p.orthogonals & ~p.diagonals & p.them
    for right in range(2):
        king_to = back + (position.G_FILE if right else position.C_FILE)
        rook_to = back + (position.F_FILE if right else position.D_FILE)
        if not (p.kings & p.them) >> king_to & 1 or not rooks >> rook_to & 1:
            continue
        arrived = bits.bit(king_to) | bits.bit(rook_to)
        others = (p.us | p.them) & ~arrived
        for king_file in range(1, 7):
            for rook_file in range(8):
                king, rook = back + U64(king_file), back + U64(rook_file)
                home = bits.bit(king) | bits.bit(rook)
                ways = BETWEEN[king, king_to] | BETWEEN[rook, rook_to] | home
                if king == rook or (rook > king) != (right == 1) or ways & others:
                    continue
                orthogonals, kings = (p.orthogonals & ~arrived) | bits.bit(rook), (p.kings & p.us) | bits.bit(king)
                them = (p.them & ~arrived) | home
                before = position.Position(*p[:3], orthogonals, kings, p.us, them, 0, 0, p.turn, p.state)
                if not attackers_of(before, k, prepare(others | home, t), t):
                    return 1
    return 0


@kernel
def _may_have_come(p: position.Position, checkers: Bits, t: Any) -> Word:
    """Check whether any last move can have led to a position in check. A checker is most likely to have moved."""
    pieces, others = checkers, p.them & ~checkers
    while pieces:
        if _may_have_moved(p, trailing_zeros(pieces), t):
            return 1
        pieces = bits.reset_ls1b(pieces)
        if not pieces:
            pieces, others = others, 0
    return _may_have_castled(p, t)


@kernel
def _last_move_faults(p: position.Position, t: Any) -> Word:
    """Return the fault of a check, or of an en-passant square, to which no last move can have led."""
    checkers = checkers_of(p, t)
    if p.en_passant:
        back, forth = (_UP, _DOWN) if p.turn else (_DOWN, _UP)
        jumper, origin = rotate_left(p.en_passant, back), rotate_left(p.en_passant, forth)
        possible = _safe_before(p, trailing_zeros(jumper) & SIX_BITS, origin, (p.us | p.them) ^ jumper, t)
    else:
        possible = 1 if not checkers else _may_have_come(p, checkers, t)
    if possible:
        return 0
    if popcount(checkers) > 2:
        return TOO_MANY_CHECKERS
    return IMPOSSIBLE_JUMP if p.en_passant else IMPOSSIBLE_CHECK
