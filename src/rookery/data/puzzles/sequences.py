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
from rookery.data.puzzles import nodes
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
def path(line: nodes.Line, q: Word) -> Bits:
    """Return the squares between the source and the target of a move."""
    return BETWEEN[nodes.source_of(line, q), nodes.target_of(line, q)]


@kernel
def x_ray_attack(line: nodes.Line, q: Word) -> Bits:
    """Return `X_RAY_ATTACK` if three captures on one square follow each other, the last through the second's source."""
    target = nodes.target_of(line, q)
    if (
        not nodes.is_capture(line, q)
        or nodes.target_of(line, q - 1) != target
        or nodes.target_of(line, q - 2) != target
    ):
        return 0
    through = path(line, q) & bit(nodes.source_of(line, q - 1))
    return X_RAY_ATTACK if through and nodes.moved_at(line, q - 1) != KING else 0


@kernel
def skewer(line: nodes.Line, q: Word, t: Any) -> Bits:
    """Return `SKEWER` if a slider captures what a more valuable piece, now gone from its path, stood in front of."""
    captured = nodes.captured_at(line, q)
    if captured == nodes.NOTHING or not is_slider(nodes.moved_at(line, q)) or nodes.is_mate(line, q):
        return 0
    if not path(line, q) & bit(nodes.source_of(line, q - 1)) or nodes.target_of(line, q - 1) == nodes.target_of(
        line, q
    ):
        return 0
    if VALUES[nodes.moved_at(line, q - 1)] <= VALUES[captured]:
        return 0
    return SKEWER if is_in_bad_spot(nodes.at(line, q - 1, t), nodes.target_of(line, q), t) else 0


@kernel
def discovered_attack(line: nodes.Line, q: Word) -> Found:
    """Return `DISCOVERED_ATTACK` if the move captures through the square that the player's last move left.

    A capture on the square to which the opponent has just moved decides that there is none.
    """
    if not nodes.is_capture(line, q):
        return Found(0, 0)
    source, target = nodes.source_of(line, q), nodes.target_of(line, q)
    if nodes.target_of(line, q - 1) == target:
        return Found(0, DISCOVERED_ATTACK)
    before = nodes.target_of(line, q - 2)
    opened = path(line, q) & bit(nodes.source_of(line, q - 2))
    if opened and before not in (source, target) and nodes.kind_of(line, q - 2) != CASTLING:
        return Found(DISCOVERED_ATTACK, 0)
    return Found(0, 0)


@kernel
def trapped_piece(line: nodes.Line, q: Word, t: Any) -> Bits:
    """Return `TRAPPED_PIECE` if the move captures a piece that was trapped before the opponent's reply."""
    if nodes.captured_at(line, q) in (PAWN, nodes.NOTHING) or nodes.is_check(line, q - 2):
        return 0
    square = nodes.target_of(line, q)
    if nodes.target_of(line, q - 1) == square:
        square = nodes.source_of(line, q - 1)
    return TRAPPED_PIECE if is_trapped(nodes.at(line, q - 2, t), square, t) else 0


@cold_kernel
def deflection(line: nodes.Line, q: Word, t: Any) -> Bits:
    """Return `DEFLECTION` if the reply was forced and took a piece away from the square, or the file, of the move."""
    captured = nodes.captured_at(line, q)
    if captured == nodes.NOTHING and not nodes.is_promotion(line, q):
        return 0
    if captured != nodes.NOTHING and VALUES[captured] > VALUES[nodes.moved_at(line, q)]:
        return 0
    target, left, reached = nodes.target_of(line, q), nodes.source_of(line, q - 1), nodes.target_of(line, q - 1)
    if target in (reached, nodes.target_of(line, q - 2)):
        return 0
    if reached != nodes.target_of(line, q - 2) and not nodes.is_check(line, q - 2):
        return 0
    taken = nodes.captured_at(line, q - 2)
    if taken != nodes.NOTHING and VALUES[taken] >= nodes.moved_at(line, q - 2):  # the number of its type, not its value
        return 0
    guarded = nodes.attacked_from(nodes.at(line, q - 2, t), left, t)
    blocks = nodes.is_promotion(line, q) and bool(
        file_mask(target) & bit(left) and guarded & bit(nodes.source_of(line, q))
    )
    if not guarded & bit(target) and not blocks:
        return 0
    return 0 if nodes.attacked_from(nodes.at(line, q - 1, t), reached, t) & bit(target) else DEFLECTION


@kernel
def _lowest_slider(line: nodes.Line, p: Position, target: Bits, t: Any) -> Bits:
    """Return the defender of a square if the one on the lowest square, as white sees it, is a slider, else nothing.

    The defenders are those of the opponent, whose piece the player captures there. A defender on a1 is overlooked.
    """
    defenders = nodes.attackers(p, trailing_zeros(target), p.us | p.them, t) & p.them
    lowest = turned(isolate_ls1b(turned(defenders, line.black)), line.black)
    return lowest & (p.diagonals | p.orthogonals) & ~turned(U64(1), line.black)


@cold_kernel
def interference(line: nodes.Line, q: Word, t: Any) -> Bits:
    """Return `INTERFERENCE` if the move captures a hanging piece whose defending slider was just cut off.

    The opponent's reply cut it off, or the player's move before that.
    """
    if nodes.captured_at(line, q) == nodes.NOTHING:
        return 0
    target = nodes.target_of(line, q)
    if not is_hanging(nodes.at(line, q - 1, t), target, t):
        return 0
    slider = _lowest_slider(line, nodes.at(line, q - 2, t), bit(target), t)
    if slider and BETWEEN[target, trailing_zeros(slider)] & bit(nodes.target_of(line, q - 1)):
        return INTERFERENCE
    if nodes.target_of(line, q - 1) == target:
        return 0
    slider = _lowest_slider(line, nodes.at(line, q - 3, t), bit(target), t)
    if slider and BETWEEN[target, trailing_zeros(slider)] & bit(nodes.target_of(line, q - 2)):
        return INTERFERENCE
    return 0


@cold_kernel
def intermezzo(line: nodes.Line, q: Word, t: Any) -> Found:
    """Return `INTERMEZZO` if the move recaptures one move later than it could have; the first such capture decides."""
    target = nodes.target_of(line, q)
    if not nodes.is_capture(line, q) or nodes.target_of(line, q - 2) == target:
        return Found(0, 0)
    p = nodes.at(line, q - 2, t)
    if nodes.attackers(p, target, p.us | p.them, t) & p.them & bit(nodes.source_of(line, q - 1)):
        return Found(0, 0)
    delayed = nodes.target_of(line, q - 3) == target and nodes.is_capture(line, q - 3) and line.nodes.legal_before[q]
    return Found(INTERMEZZO if delayed else 0, INTERMEZZO)


@cold_kernel
def clearance(line: nodes.Line, q: Word, t: Any) -> Bits:
    """Return `CLEARANCE` if a slider moves through, or to, the square that the player's last move gave up for it."""
    if nodes.captured_at(line, q) != nodes.NOTHING or not is_slider(nodes.moved_at(line, q)):
        return 0
    source, target, before = nodes.source_of(line, q), nodes.target_of(line, q), nodes.target_of(line, q - 2)
    if nodes.is_promotion(line, q - 2) or before in (source, target) or nodes.is_check(line, q - 1):
        return 0
    if nodes.is_check(line, q) and nodes.moved_at(line, q - 1) == KING:
        return 0
    if not (path(line, q) | bit(target)) & bit(nodes.source_of(line, q - 2)):
        return 0
    if nodes.captured_at(line, q - 2) == nodes.NOTHING or is_in_bad_spot(nodes.at(line, q - 2, t), before, t):
        return CLEARANCE
    return 0


@cold_kernel
def capturing_defender(line: nodes.Line, q: Word, t: Any) -> Bits:
    """Return `CAPTURING_DEFENDER` if the player's last move captured what defended the target of the move."""
    target = nodes.target_of(line, q)
    if not nodes.is_mate(line, q):
        captured, moved = nodes.captured_at(line, q), nodes.moved_at(line, q)
        if captured == nodes.NOTHING or moved == KING or VALUES[captured] > VALUES[moved]:
            return 0
        if nodes.target_of(line, q - 1) == target or not is_hanging(nodes.at(line, q - 1, t), target, t):
            return 0
    defender = nodes.target_of(line, q - 2)
    if (
        nodes.is_check(line, q - 2)
        or defender == nodes.source_of(line, q)
        or nodes.captured_at(line, q - 2) == nodes.NOTHING
    ):
        return 0
    p = nodes.at(line, q - 3, t)
    defends = nodes.attackers(p, target, p.us | p.them, t) & side_of(p, defender) & bit(defender)
    return CAPTURING_DEFENDER if defends and not nodes.is_check(line, q - 3) else 0


@cold_kernel
def attraction(line: nodes.Line, q: Word, t: Any) -> Bits:
    """Return `ATTRACTION` if the reply to the move captures on its square, and the next move attacks it there.

    The capturing piece is a king, or a queen or rook that the player captures in the move after that.
    """
    target = nodes.target_of(line, q)
    if q + 2 > line.last or nodes.target_of(line, q + 1) != target:
        return 0
    attracted = nodes.moved_at(line, q + 1)
    if attracted not in (KING, QUEEN, ROOK):
        return 0
    p = nodes.at(line, q + 2, t)
    if not nodes.attackers(p, target, p.us | p.them, t) & p.us & bit(nodes.target_of(line, q + 2)):
        return 0
    captured = q + 4 <= line.last and nodes.target_of(line, q + 4) == target
    return ATTRACTION if attracted == KING or captured else 0


@cold_kernel
def sacrifice(line: nodes.Line, q: Word, start: Word, t: Any) -> Found:
    """Return `SACRIFICE` if the player is down by two points or more since the start; the first such move decides.

    It is not a sacrifice if the opponent promotes in the line.
    """
    if balance(nodes.at(line, q, t)) + 2 > start:
        return Found(0, 0)
    reply = line.first + 3
    while reply <= line.last:
        if nodes.is_promotion(line, reply):
            return Found(0, SACRIFICE)
        reply += 2
    return Found(SACRIFICE, SACRIFICE)
