"""Themes that a move of the player and the moves before it decide.

Letters are those of `rookery.data.puzzles.nodes`. The moves are, from the last back:

    q        the player's move in question       q - 1    the opponent's reply before it
    q - 2    the player's move before that       q - 3    the opponent's move before that

Each kernel returns the bits of the themes that the move shows. Those of `final` decide a theme once and for all.
"""

from typing import Any, NamedTuple

from rookery.bitboards.bits import bit, file_mask, isolate_ls1b
from rookery.bitboards.line_tables import BETWEEN
from rookery.bitboards.pieces import BISHOP, KING, PAWN, QUEEN, ROOK
from rookery.data.puzzles.nodes import (
    NOTHING,
    Line,
    at,
    attacked_from,
    attackers,
    captured_at,
    is_capture,
    is_check,
    is_mate,
    is_promotion,
    kind_of,
    moved_at,
    source_of,
    target_of,
)
from rookery.data.puzzles.safety import VALUES, balance, is_hanging, is_in_bad_spot, is_trapped, side_of
from rookery.data.puzzles.themes import (
    ATTRACTION,
    CAPTURING_DEFENDER,
    CLEARANCE,
    DEFLECTION,
    DISCOVERED_ATTACK,
    INTERFERENCE,
    INTERMEZZO,
    SACRIFICE,
    SKEWER,
    TRAPPED_PIECE,
    X_RAY_ATTACK,
)
from rookery.kernel import U64, Bits, Word, cold_kernel, kernel, trailing_zeros
from rookery.positions.kernels.lanes import turned
from rookery.rules.constants import CASTLING
from rookery.rules.position import Position


class Found(NamedTuple):
    """Themes that a move shows, and themes that it decides, shown or not: later moves are not examined for them."""

    themes: Bits
    decided: Bits


@kernel
def is_slider(kind: Word) -> Any:
    """Check whether a kind of piece is a bishop, rook or queen."""
    return kind in (BISHOP, ROOK, QUEEN)


@kernel
def path(line: Line, q: Word) -> Bits:
    """Return the squares between the source and the target of a move."""
    return BETWEEN[source_of(line, q), target_of(line, q)]


@kernel
def x_ray_attack(line: Line, q: Word) -> Bits:
    """Return `X_RAY_ATTACK` if three captures on one square follow each other, the last through the second's source."""
    target = target_of(line, q)
    if not is_capture(line, q) or target_of(line, q - 1) != target or target_of(line, q - 2) != target:
        return 0
    through = path(line, q) & bit(source_of(line, q - 1))
    return X_RAY_ATTACK if through and moved_at(line, q - 1) != KING else 0


@kernel
def skewer(line: Line, q: Word, t: Any) -> Bits:
    """Return `SKEWER` if a slider captures what a more valuable piece, now gone from its path, stood in front of."""
    captured = captured_at(line, q)
    if captured == NOTHING or not is_slider(moved_at(line, q)) or is_mate(line, q):
        return 0
    if not path(line, q) & bit(source_of(line, q - 1)) or target_of(line, q - 1) == target_of(line, q):
        return 0
    if VALUES[moved_at(line, q - 1)] <= VALUES[captured]:
        return 0
    return SKEWER if is_in_bad_spot(at(line, q - 1, t), target_of(line, q), t) else 0


@kernel
def discovered_attack(line: Line, q: Word) -> Found:
    """Return `DISCOVERED_ATTACK` if the move captures through the square that the player's last move left.

    A capture on the square to which the opponent has just moved decides that there is none.
    """
    if not is_capture(line, q):
        return Found(0, 0)
    source, target = source_of(line, q), target_of(line, q)
    if target_of(line, q - 1) == target:
        return Found(0, DISCOVERED_ATTACK)
    before = target_of(line, q - 2)
    opened = path(line, q) & bit(source_of(line, q - 2))
    if opened and before not in (source, target) and kind_of(line, q - 2) != CASTLING:
        return Found(DISCOVERED_ATTACK, 0)
    return Found(0, 0)


@kernel
def trapped_piece(line: Line, q: Word, t: Any) -> Bits:
    """Return `TRAPPED_PIECE` if the move captures a piece that was trapped before the opponent's reply."""
    if captured_at(line, q) in (PAWN, NOTHING) or is_check(line, q - 2):
        return 0
    square = target_of(line, q)
    if target_of(line, q - 1) == square:
        square = source_of(line, q - 1)
    return TRAPPED_PIECE if is_trapped(at(line, q - 2, t), square, t) else 0


@cold_kernel
def deflection(line: Line, q: Word, t: Any) -> Bits:
    """Return `DEFLECTION` if the reply was forced and took a piece away from the square, or the file, of the move."""
    captured = captured_at(line, q)
    if captured == NOTHING and not is_promotion(line, q):
        return 0
    if captured != NOTHING and VALUES[captured] > VALUES[moved_at(line, q)]:
        return 0
    target, left, reached = target_of(line, q), source_of(line, q - 1), target_of(line, q - 1)
    if target in (reached, target_of(line, q - 2)):
        return 0
    if reached != target_of(line, q - 2) and not is_check(line, q - 2):
        return 0
    taken = captured_at(line, q - 2)
    if taken != NOTHING and VALUES[taken] >= moved_at(line, q - 2):  # the number of its type, not its value
        return 0
    guarded = attacked_from(at(line, q - 2, t), left, t)
    blocks = is_promotion(line, q) and bool(file_mask(target) & bit(left) and guarded & bit(source_of(line, q)))
    if not guarded & bit(target) and not blocks:
        return 0
    return 0 if attacked_from(at(line, q - 1, t), reached, t) & bit(target) else DEFLECTION


@kernel
def _lowest_slider(line: Line, p: Position, target: Bits, t: Any) -> Bits:
    """Return the defender of a square if the one on the lowest square, as white sees it, is a slider, else nothing.

    The defenders are those of the opponent, whose piece the player captures there. A defender on a1 is overlooked.
    """
    defenders = attackers(p, trailing_zeros(target), p.us | p.them, t) & p.them
    lowest = turned(isolate_ls1b(turned(defenders, line.black)), line.black)
    return lowest & (p.diagonals | p.orthogonals) & ~turned(U64(1), line.black)


@cold_kernel
def interference(line: Line, q: Word, t: Any) -> Bits:
    """Return `INTERFERENCE` if the move captures a hanging piece whose defending slider was just cut off.

    The opponent's reply cut it off, or the player's move before that.
    """
    if captured_at(line, q) == NOTHING:
        return 0
    target = target_of(line, q)
    if not is_hanging(at(line, q - 1, t), target, t):
        return 0
    slider = _lowest_slider(line, at(line, q - 2, t), bit(target), t)
    if slider and BETWEEN[target, trailing_zeros(slider)] & bit(target_of(line, q - 1)):
        return INTERFERENCE
    if target_of(line, q - 1) == target:
        return 0
    slider = _lowest_slider(line, at(line, q - 3, t), bit(target), t)
    if slider and BETWEEN[target, trailing_zeros(slider)] & bit(target_of(line, q - 2)):
        return INTERFERENCE
    return 0


@cold_kernel
def intermezzo(line: Line, q: Word, t: Any) -> Found:
    """Return `INTERMEZZO` if the move recaptures one move later than it could have; the first such capture decides."""
    target = target_of(line, q)
    if not is_capture(line, q) or target_of(line, q - 2) == target:
        return Found(0, 0)
    p = at(line, q - 2, t)
    if attackers(p, target, p.us | p.them, t) & p.them & bit(source_of(line, q - 1)):
        return Found(0, 0)
    delayed = target_of(line, q - 3) == target and is_capture(line, q - 3) and line.nodes.legal_before[q]
    return Found(INTERMEZZO if delayed else 0, INTERMEZZO)


@cold_kernel
def clearance(line: Line, q: Word, t: Any) -> Bits:
    """Return `CLEARANCE` if a slider moves through, or to, the square that the player's last move gave up for it."""
    if captured_at(line, q) != NOTHING or not is_slider(moved_at(line, q)):
        return 0
    source, target, before = source_of(line, q), target_of(line, q), target_of(line, q - 2)
    if is_promotion(line, q - 2) or before in (source, target) or is_check(line, q - 1):
        return 0
    if is_check(line, q) and moved_at(line, q - 1) == KING:
        return 0
    if not (path(line, q) | bit(target)) & bit(source_of(line, q - 2)):
        return 0
    if captured_at(line, q - 2) == NOTHING or is_in_bad_spot(at(line, q - 2, t), before, t):
        return CLEARANCE
    return 0


@cold_kernel
def capturing_defender(line: Line, q: Word, t: Any) -> Bits:
    """Return `CAPTURING_DEFENDER` if the player's last move captured what defended the target of the move."""
    target = target_of(line, q)
    if not is_mate(line, q):
        captured, moved = captured_at(line, q), moved_at(line, q)
        if captured == NOTHING or moved == KING or VALUES[captured] > VALUES[moved]:
            return 0
        if target_of(line, q - 1) == target or not is_hanging(at(line, q - 1, t), target, t):
            return 0
    defender = target_of(line, q - 2)
    if is_check(line, q - 2) or defender == source_of(line, q) or captured_at(line, q - 2) == NOTHING:
        return 0
    p = at(line, q - 3, t)
    defends = attackers(p, target, p.us | p.them, t) & side_of(p, defender) & bit(defender)
    return CAPTURING_DEFENDER if defends and not is_check(line, q - 3) else 0


@cold_kernel
def attraction(line: Line, q: Word, t: Any) -> Bits:
    """Return `ATTRACTION` if the reply to the move captures on its square, and the next move attacks it there.

    The capturing piece is a king, or a queen or rook that the player captures in the move after that.
    """
    target = target_of(line, q)
    if q + 2 > line.last or target_of(line, q + 1) != target:
        return 0
    attracted = moved_at(line, q + 1)
    if attracted not in (KING, QUEEN, ROOK):
        return 0
    p = at(line, q + 2, t)
    if not attackers(p, target, p.us | p.them, t) & p.us & bit(target_of(line, q + 2)):
        return 0
    captured = q + 4 <= line.last and target_of(line, q + 4) == target
    return ATTRACTION if attracted == KING or captured else 0


@cold_kernel
def sacrifice(line: Line, q: Word, start: Word, t: Any) -> Found:
    """Return `SACRIFICE` if the player is down by two points or more since the start; the first such move decides.

    It is not a sacrifice if the opponent promotes in the line.
    """
    if balance(at(line, q, t)) + 2 > start:
        return Found(0, 0)
    reply = line.first + 3
    while reply <= line.last:
        if is_promotion(line, reply):
            return Found(0, SACRIFICE)
        reply += 2
    return Found(SACRIFICE, SACRIFICE)
