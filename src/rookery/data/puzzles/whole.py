"""Themes of the puzzle as a whole: its length, its phase, its endgame, its mate, and what is attacked throughout."""

from typing import Any

from rookery.bitboards.bits import A_FILE, H_FILE, RANK_1, RANK_6, RANK_7, RANK_8, bit, rank_mask
from rookery.bitboards.pieces import PAWN
from rookery.bitboards.sets import king_moves
from rookery.data.puzzles import nodes, themes
from rookery.data.puzzles.safety import VALUES, balance, is_hanging
from rookery.data.puzzles.single import threatens_nothing
from rookery.kernel import U64, Bits, Word, cold_kernel, kernel, popcount, trailing_zeros
from rookery.positions.kernels.lanes import turned
from rookery.positions.motifs.kernels.mates import fitting_mates
from rookery.rules.position import Position

_FEWEST_REPLIES = 3  # of the player, for a defensive move
_LONGEST_MATE = 5
_MIDDLEGAME_PIECES, _ENDGAME_PIECES, _SPARSE = 10, 6, 4
_MIXED = 150
_KING_AREA = RANK_6 | RANK_7 | RANK_8
_F2, _F7, _E1, _E8 = 13, 53, 4, 60


@kernel
def length(moves: Word) -> Bits:
    """Return the theme of a puzzle of so many moves, the opponent's included."""
    if moves == 2:
        return themes.ONE_MOVE
    if moves == 4:
        return themes.SHORT
    return themes.VERY_LONG if moves >= 8 else themes.LONG


@cold_kernel
def mate(line: nodes.Line, t: Any) -> Bits:
    """Return `MATE`, the number of moves up to five, and the name of the mate; nothing if the line ends otherwise."""
    last = line.last
    if not nodes.is_mate(line, last):
        return 0
    found = themes.MATE | themes.MATE_IN_1 << min((last - line.first) // 2 - 1, U64(_LONGEST_MATE - 1))
    fitting = fitting_mates(
        nodes.at(line, last, t), bit(nodes.target_of(line, last)), line.nodes.checkers[last], line.black, t
    )
    return found | themes.MATE_BITS[trailing_zeros(fitting)] if fitting else found


@kernel
def _square_score(y: Word, white: Word, black: Word) -> Word:
    """Return how mixed two by two squares are, from the number of their lower rank and the pieces of each side.

    These are the numbers that scalachess had until June 2025, when the published puzzles got their phases.
    """
    if white + black == 0 or white + black > 4:
        return 0
    if not black:
        if white == 1:
            return 9 - y
        if white == 2:
            return y if y > 2 else 0
        return y + 2 if y > 1 else 0
    if not white:
        if black == 1:
            return y + 1
        if black == 2:
            return 8 - y if y < 6 else 0
        return 10 - y if y < 7 else 0
    if white == 1:
        return 5 + (max(y, U64(3)) - min(y, U64(3))) if black == 1 else (10 - y if black == 2 else 11 - y)
    return 7 if black == 2 else y + white + 2


@kernel
def mixedness(white: Bits, black: Bits) -> Word:
    """Return how much the sides' pieces stand among each other: the sum over all 49 blocks of two by two squares."""
    total = U64(0)
    for i in range(49):
        place = U64(i)
        block = U64(0x0303) << (place % 7 + 8 * (place // 7))
        total += _square_score(place // 7 + 1, popcount(white & block), popcount(black & block))
    return total


@cold_kernel
def phase(p: Position, black: Bits) -> Bits:
    """Return `OPENING`, `MIDDLEGAME` or `ENDGAME`, as scalachess divides games; it looks at this position alone."""
    white = turned(p.us ^ ((p.us | p.them) & black), black)
    both = turned(p.us | p.them, black)
    others = both & ~white
    pieces = popcount((p.us | p.them) & ~p.kings & ~p.pawns)
    if pieces <= _ENDGAME_PIECES:
        return themes.ENDGAME
    sparse = popcount(white & RANK_1) < _SPARSE or popcount(others & RANK_8) < _SPARSE
    if pieces <= _MIDDLEGAME_PIECES or sparse or mixedness(white, others) > _MIXED:
        return themes.MIDDLEGAME
    return themes.OPENING


@kernel
def _endgame(p: Position) -> Bits:
    """Return the theme of a position with kings, pawns and one more kind of pieces, or queens and rooks."""
    queens = p.diagonals & p.orthogonals
    rooks, bishops = p.orthogonals ^ queens, p.diagonals ^ queens
    if not queens | rooks | bishops | p.knights:
        return themes.PAWN_ENDGAME if p.pawns else 0
    if not rooks | bishops | p.knights:
        return themes.QUEEN_ENDGAME
    if not queens | bishops | p.knights:
        return themes.ROOK_ENDGAME
    if not queens | rooks | p.knights:
        return themes.BISHOP_ENDGAME
    if not queens | rooks | bishops:
        return themes.KNIGHT_ENDGAME
    return themes.QUEEN_ROOK_ENDGAME if not bishops | p.knights and popcount(queens) == 1 and rooks else 0


@kernel
def endgame(line: nodes.Line, t: Any) -> Bits:
    """Return the kind of endgame before and after the player's first move, if it is the same."""
    return _endgame(nodes.at(line, line.first + 1, t)) & _endgame(nodes.at(line, line.first + 2, t))


@kernel
def exposed_king(p: Position) -> Any:
    """Check whether their king is on its last three ranks, without a pawn of its own next to it or in front of it."""
    king = p.kings & p.them
    front = king_moves(king) & ~(rank_mask(trailing_zeros(king)) << 8)
    return bool(king & _KING_AREA) and not front & p.pawns & p.them


@kernel
def hanging_piece(line: nodes.Line, t: Any) -> Bits:
    """Return `HANGING_PIECE` if the player's first move captures a hanging piece, and does not lose it again.

    The opponent must not have captured the like on that square just before.
    """
    q = line.first + 2
    target, captured = nodes.target_of(line, q), nodes.captured_at(line, q)
    if captured in (nodes.NOTHING, PAWN):
        return 0
    taken = nodes.captured_at(line, q - 1)
    traded = taken != nodes.NOTHING and VALUES[taken] >= VALUES[captured] and nodes.target_of(line, q - 1) == target
    if traded or not is_hanging(nodes.at(line, q - 1, t), target, t):
        return 0
    if q + 2 > line.last:
        return themes.HANGING_PIECE
    return themes.HANGING_PIECE if balance(nodes.at(line, q + 2, t)) >= balance(nodes.at(line, q, t)) else 0


@cold_kernel
def defensive_move(line: nodes.Line, t: Any) -> Bits:
    """Return `DEFENSIVE_MOVE` if the last move threatens nothing, or a move escapes from check without a threat.

    The player has at least three legal moves then.
    """
    last = line.last
    if line.nodes.replies[last - 1] >= _FEWEST_REPLIES and threatens_nothing(line, last, t):
        return themes.DEFENSIVE_MOVE
    q = line.first + 2
    while q <= last:
        if nodes.is_check(line, q) or nodes.is_capture(line, q) or line.nodes.replies[q - 1] < _FEWEST_REPLIES:
            return 0
        if nodes.is_check(line, q - 1):
            return themes.DEFENSIVE_MOVE
        q += 2
    return 0


@kernel
def attacking_f2_f7(line: nodes.Line, t: Any) -> Bits:
    """Return `ATTACKING_F2_F7` if the first capture on f2 or f7 is next to their king on its initial square."""
    q = line.first + 2
    while q <= line.last:
        target = nodes.target_of(line, q)
        if nodes.captured_at(line, q) != nodes.NOTHING and target in (_F2, _F7):
            p = nodes.at(line, q, t)
            home = bit(_E8 if target == _F7 else _E1)
            return themes.ATTACKING_F2_F7 if home & p.kings & p.them else 0
        q += 2
    return 0


@kernel
def _distance(a: Word, b: Word) -> Word:
    """Return the number of a king's steps between two squares."""
    files = max(a & 7, b & 7) - min(a & 7, b & 7)
    ranks = max(a >> 3, b >> 3) - min(a >> 3, b >> 3)
    return max(files, ranks)


@kernel
def _side_score(line: nodes.Line, corner: Word) -> Word:
    """Return the number of checks, and of captures near a corner, minus moves far from it, plus 1,024."""
    score, q = U64(1024), line.first + 2
    while q <= line.last:
        steps = _distance(corner, nodes.target_of(line, q))
        if nodes.is_check(line, q):
            score += 1
        if nodes.is_capture(line, q) and steps <= 3:
            score += 1
        elif steps >= 5:
            score -= 1
        q += 2
    return score


@cold_kernel
def side_attack(line: nodes.Line, p: Position) -> Bits:
    """Return `KINGSIDE_ATTACK` or `QUEENSIDE_ATTACK` if checks and captures go on around their castled king.

    `p` is the position before the player's first move. A white king on a1 is overlooked.
    """
    king = p.kings & p.them & RANK_8 & ~turned(U64(1), line.black)
    pieces = popcount(p.us | p.them)
    checks = False
    q = line.first + 2
    while q <= line.last:
        checks = checks or nodes.is_check(line, q)
        q += 2
    if not checks or not king:
        return 0
    if king & (H_FILE | (H_FILE >> 1)) and pieces >= 20:
        return themes.KINGSIDE_ATTACK if _side_score(line, 63) >= 1026 else 0
    if king & (A_FILE | (A_FILE << 1) | (A_FILE << 2)) and pieces >= 18:
        return themes.QUEENSIDE_ATTACK if _side_score(line, 56) >= 1026 else 0
    return 0


@kernel
def exposed_king_checked(line: nodes.Line, p: Position) -> Bits:
    """Return `EXPOSED_KING` if their king is exposed, and a check follows that is neither the first nor the last move.

    `p` is the position before the player's first move.
    """
    if not exposed_king(p):
        return 0
    q = line.first + 4
    while q < line.last:
        if nodes.is_check(line, q):
            return themes.EXPOSED_KING
        q += 2
    return 0
