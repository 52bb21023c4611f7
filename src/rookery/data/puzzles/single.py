"""Themes that one move of the player decides, with the positions before and after it.

Letters are those of `rookery.data.puzzles.nodes`: the move leads to node q, and its parent is node q - 1. Each kernel
returns the bits of the themes that the move shows.
"""

from typing import Any

from rookery.bitboards.bits import RANK_6, RANK_7, RANK_8, bit, isolate_ls1b, reset_ls1b
from rookery.bitboards.pieces import KING, PAWN
from rookery.data.puzzles import nodes, safety, themes
from rookery.kernel import Bits, Square, Word, cold_kernel, kernel, trailing_zeros
from rookery.rules import constants
from rookery.rules.position import Position, piece_type_on
from rookery.rules.sliders import line_through, shield

_LAST_RANKS = RANK_7 | RANK_8
_ADVANCED = RANK_6 | RANK_7 | RANK_8


@kernel
def is_pawn_push_to(line: nodes.Line, q: Word, ranks: Bits) -> Any:
    """Check whether the move was a promotion, or a pawn's move to one of these ranks."""
    return nodes.is_promotion(line, q) or (
        nodes.moved_at(line, q) == PAWN and bool(bit(nodes.target_of(line, q)) & ranks)
    )


@kernel
def threatens_nothing(line: nodes.Line, q: Word, t: Any) -> Any:
    """Check whether the move neither gives check nor captures, attacks nothing and advances no pawn."""
    if nodes.is_check(line, q) or nodes.is_capture(line, q) or is_pawn_push_to(line, q, _ADVANCED):
        return False
    p = nodes.at(line, q, t)
    return not nodes.attacked_from(p, nodes.target_of(line, q), t) & p.them


@kernel
def kinds_of_move(line: nodes.Line, q: Word) -> Bits:
    """Return the themes that the move alone decides: castling, promotion and the like, and kinds of check."""
    target = bit(nodes.target_of(line, q))
    checkers = line.nodes.checkers[q]
    kind = nodes.kind_of(line, q)
    found: Bits = 0
    found |= themes.CASTLING if kind == constants.CASTLING else 0
    found |= themes.EN_PASSANT if kind == constants.EN_PASSANT else 0
    found |= themes.PROMOTION if kind == constants.PROMOTION else 0
    found |= themes.ADVANCED_PAWN if is_pawn_push_to(line, q, _LAST_RANKS) else 0
    found |= themes.DOUBLE_CHECK if reset_ls1b(checkers) else 0
    found |= themes.DISCOVERED_ATTACK if checkers and not checkers & target else 0
    if kind == constants.PROMOTION:
        # A mate by promotion counts only if a knight gives it: a rook could be a queen as well.
        mate = checkers != 0 and line.nodes.replies[q] == 0
        becomes = nodes.promoted_to(line, q)
        found |= themes.UNDER_PROMOTION if (becomes == constants.KNIGHT if mate else becomes != constants.QUEEN) else 0
    return found


@cold_kernel
def fork(line: nodes.Line, q: Word, t: Any) -> Bits:
    """Return `FORK` if the piece that moved attacks two pieces that it can win.

    These are pieces of more value than its own, and hanging ones that do not attack it. Pawns do not count.
    """
    if nodes.moved_at(line, q) == KING:
        return 0
    p, sq = nodes.at(line, q, t), nodes.target_of(line, q)
    attacked = nodes.attacked_from(p, sq, t) & p.them & ~p.pawns
    if not reset_ls1b(attacked) or safety.is_in_bad_spot(p, sq, t):
        return 0
    own_value = safety.VALUES[nodes.moved_at(line, q)]
    back = nodes.attackers(p, sq, p.us | p.them, t)
    n = 0
    while attacked:
        piece = isolate_ls1b(attacked)
        attacked ^= piece
        at_piece = trailing_zeros(piece)
        more = safety.VALUES[piece_type_on(p, at_piece)] > own_value
        if more or (not piece & back and safety.is_hanging(p, at_piece, t)):
            n += 1
    return themes.FORK if n > 1 else 0


@cold_kernel
def quiet_move(line: nodes.Line, q: Word, t: Any) -> Bits:
    """Return `QUIET_MOVE` if a piece other than the king moves without a threat and out of no check."""
    if nodes.moved_at(line, q) == KING or nodes.is_check(line, q - 1):
        return 0
    return themes.QUIET_MOVE if threatens_nothing(line, q, t) else 0


@kernel
def _cannot_attack(p: Position, sq: Square, line: Bits, t: Any) -> Any:
    """Check whether a pinned piece attacks, off its line, a piece of ours that is worth more or hanging."""
    attacked = nodes.attacked_from(p, sq, t) & p.us & ~line
    own_value = safety.VALUES[piece_type_on(p, sq)]
    while attacked:
        piece = trailing_zeros(attacked)
        attacked = reset_ls1b(attacked)
        if safety.VALUES[piece_type_on(p, piece)] > own_value or safety.is_hanging(p, piece, t):
            return True
    return False


@kernel
def _cannot_escape(p: Position, sq: Square, line: Bits, t: Any) -> Any:
    """Check whether a pinned piece is attacked along its line by less, or is hanging and could move off the line."""
    piece = bit(sq)
    along = nodes.attackers(p, sq, p.us | p.them, t) & p.us & line
    if not along:
        return False
    kind = piece_type_on(p, sq)
    if along & safety.below(p, kind):
        return True
    attacked = nodes.attacked_from(p, sq, t)
    if not along & ~attacked or not safety.is_hanging(p, sq, t):
        return False
    targets = attacked & ~p.them
    if kind == PAWN:
        targets = safety.pawn_targets(p, piece) | (attacked & (p.us | p.en_passant))
    return bool(targets & ~line)


@cold_kernel
def pin(line: nodes.Line, q: Word, t: Any) -> Bits:
    """Return `PIN` if a piece pinned to its king cannot attack, or cannot escape an attack."""
    p = nodes.at(line, q, t)
    if not safety.pinned_pieces(p, p.them, p.us):
        return 0
    k = safety.king_of(p, p.them)
    snipers = safety.snipers_at(p, k, p.us)
    while snipers:
        sniper = trailing_zeros(snipers)
        snipers = reset_ls1b(snipers)
        pinned = shield(k, sniper, p.us | p.them) & p.them
        if pinned:
            sq, through = trailing_zeros(pinned), line_through(k, sniper)
            if _cannot_attack(p, sq, through, t) or _cannot_escape(p, sq, through, t):
                return themes.PIN
    return 0
