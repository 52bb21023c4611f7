"""Themes that one move of the player decides, with the positions before and after it.

Letters are those of `rookery.data.puzzles.nodes`: the move leads to node q, and its parent is node q - 1. Each kernel
returns the bits of the themes that the move shows.
"""

from typing import Any

from rookery.bitboards.bits import RANK_6, RANK_7, RANK_8, bit, isolate_ls1b, reset_ls1b
from rookery.bitboards.pieces import KING, PAWN
from rookery.data.puzzles.nodes import (
    Line,
    at,
    attacked_from,
    attackers,
    is_capture,
    is_check,
    is_promotion,
    kind_of,
    moved_at,
    promoted_to,
    target_of,
)
from rookery.data.puzzles.safety import (
    VALUES,
    below,
    is_hanging,
    is_in_bad_spot,
    king_of,
    pawn_targets,
    pinned_pieces,
    snipers_at,
)
from rookery.data.puzzles.themes import (
    ADVANCED_PAWN,
    CASTLING,
    DISCOVERED_ATTACK,
    DOUBLE_CHECK,
    EN_PASSANT,
    FORK,
    PIN,
    PROMOTION,
    QUIET_MOVE,
    UNDER_PROMOTION,
)
from rookery.kernel import Bits, Square, Word, cold_kernel, kernel, trailing_zeros
from rookery.rules import constants
from rookery.rules.position import Position, piece_type_on
from rookery.rules.sliders import line_through, shield

_LAST_RANKS = RANK_7 | RANK_8
_ADVANCED = RANK_6 | RANK_7 | RANK_8


@kernel
def is_pawn_push_to(line: Line, q: Word, ranks: Bits) -> Any:
    """Check whether the move was a promotion, or a pawn's move to one of these ranks."""
    return is_promotion(line, q) or (moved_at(line, q) == PAWN and bool(bit(target_of(line, q)) & ranks))


@kernel
def threatens_nothing(line: Line, q: Word, t: Any) -> Any:
    """Check whether the move neither gives check nor captures, attacks nothing and advances no pawn."""
    if is_check(line, q) or is_capture(line, q) or is_pawn_push_to(line, q, _ADVANCED):
        return False
    p = at(line, q, t)
    return not attacked_from(p, target_of(line, q), t) & p.them


@kernel
def kinds_of_move(line: Line, q: Word) -> Bits:
    """Return the themes that the move alone decides: castling, promotion and the like, and kinds of check."""
    target = bit(target_of(line, q))
    checkers = line.nodes.checkers[q]
    kind = kind_of(line, q)
    found: Bits = 0
    found |= CASTLING if kind == constants.CASTLING else 0
    found |= EN_PASSANT if kind == constants.EN_PASSANT else 0
    found |= PROMOTION if kind == constants.PROMOTION else 0
    found |= ADVANCED_PAWN if is_pawn_push_to(line, q, _LAST_RANKS) else 0
    found |= DOUBLE_CHECK if reset_ls1b(checkers) else 0
    found |= DISCOVERED_ATTACK if checkers and not checkers & target else 0
    if kind == constants.PROMOTION:
        # A mate by promotion counts only if a knight gives it: a rook could be a queen as well.
        mate = checkers != 0 and line.nodes.replies[q] == 0
        becomes = promoted_to(line, q)
        found |= UNDER_PROMOTION if (becomes == constants.KNIGHT if mate else becomes != constants.QUEEN) else 0
    return found


@cold_kernel
def fork(line: Line, q: Word, t: Any) -> Bits:
    """Return `FORK` if the piece that moved attacks two pieces that it can win.

    These are pieces of more value than its own, and hanging ones that do not attack it. Pawns do not count.
    """
    if moved_at(line, q) == KING:
        return 0
    p, sq = at(line, q, t), target_of(line, q)
    attacked = attacked_from(p, sq, t) & p.them & ~p.pawns
    if not reset_ls1b(attacked) or is_in_bad_spot(p, sq, t):
        return 0
    own_value = VALUES[moved_at(line, q)]
    back = attackers(p, sq, p.us | p.them, t)
    n = 0
    while attacked:
        piece = isolate_ls1b(attacked)
        attacked ^= piece
        at_piece = trailing_zeros(piece)
        more = VALUES[piece_type_on(p, at_piece)] > own_value
        if more or (not piece & back and is_hanging(p, at_piece, t)):
            n += 1
    return FORK if n > 1 else 0


@cold_kernel
def quiet_move(line: Line, q: Word, t: Any) -> Bits:
    """Return `QUIET_MOVE` if a piece other than the king moves without a threat and out of no check."""
    if moved_at(line, q) == KING or is_check(line, q - 1):
        return 0
    return QUIET_MOVE if threatens_nothing(line, q, t) else 0


@kernel
def _cannot_attack(p: Position, sq: Square, line: Bits, t: Any) -> Any:
    """Check whether a pinned piece attacks, off its line, a piece of ours that is worth more or hanging."""
    attacked = attacked_from(p, sq, t) & p.us & ~line
    own_value = VALUES[piece_type_on(p, sq)]
    while attacked:
        piece = trailing_zeros(attacked)
        attacked = reset_ls1b(attacked)
        if VALUES[piece_type_on(p, piece)] > own_value or is_hanging(p, piece, t):
            return True
    return False


@kernel
def _cannot_escape(p: Position, sq: Square, line: Bits, t: Any) -> Any:
    """Check whether a pinned piece is attacked along its line by less, or is hanging and could move off the line."""
    piece = bit(sq)
    along = attackers(p, sq, p.us | p.them, t) & p.us & line
    if not along:
        return False
    kind = piece_type_on(p, sq)
    if along & below(p, kind):
        return True
    attacked = attacked_from(p, sq, t)
    if not along & ~attacked or not is_hanging(p, sq, t):
        return False
    targets = attacked & ~p.them
    if kind == PAWN:
        targets = pawn_targets(p, piece) | (attacked & (p.us | p.en_passant))
    return bool(targets & ~line)


@cold_kernel
def pin(line: Line, q: Word, t: Any) -> Bits:
    """Return `PIN` if a piece pinned to its king cannot attack, or cannot escape an attack."""
    p = at(line, q, t)
    if not pinned_pieces(p, p.them, p.us):
        return 0
    k = king_of(p, p.them)
    snipers = snipers_at(p, k, p.us)
    while snipers:
        sniper = trailing_zeros(snipers)
        snipers = reset_ls1b(snipers)
        pinned = shield(k, sniper, p.us | p.them) & p.them
        if pinned:
            sq, through = trailing_zeros(pinned), line_through(k, sniper)
            if _cannot_attack(p, sq, through, t) or _cannot_escape(p, sq, through, t):
                return PIN
    return 0
