"""The visitor that counts three plies at once, in vector registers, as compiled code.

A walk goes down to three plies from the leaves, where it counts a whole unit (`rookery.counting.three_plies`).
"""

from typing import Any

from rookery.counting.hash_table import enter, look_up
from rookery.counting.three_plies import count_unit
from rookery.counting.tree import recall, remember, visit, visit_all, visit_each, walk, walk_example
from rookery.counting.visitors import UNIT, UNKNOWN, Units, Workspace, table, workspace
from rookery.kernel import U64, UNIVERSE, Word, kernel, popcount
from rookery.rules.generate import Count, List, generate
from rookery.rules.position import Position, make

__all__ = ["walk"]

_WHITE_ROOKS, _BLACK_ROOKS = 0x81, 0x81 << 56
_E1, _E8 = 1 << 4, 1 << 60


@kernel
def _fits(p: Position) -> Word:
    """Check whether units may be counted in lanes: single kings, and castling as in classical chess."""
    white = p.them if p.turn else p.us
    classical = (_WHITE_ROOKS if p.kings & white & _E1 else 0) | (_BLACK_ROOKS if p.kings & ~white & _E8 else 0)
    single = (popcount(p.kings & p.us) <= 1) & (popcount(p.kings & p.them) <= 1)
    return single & (p.castling & ~classical == 0)


@kernel
def _three_plies(p: Position, w: Workspace, t: Any) -> Word:
    if _fits(p):
        return count_unit(p, w, t)
    total = 0
    for i in range(generate(p, t, List(w.moves), UNIVERSE, UNIVERSE)):
        q = make(p, U64(w.moves[i]), t)
        for j in range(generate(q, t, List(w.specials), UNIVERSE, UNIVERSE)):
            total += generate(make(q, U64(w.specials[j]), t), t, Count(), UNIVERSE, UNIVERSE)
    return total


walk.declare(lambda: walk_example(Units(workspace(), table(0))))


@recall.register(Units)
def _recall(visitor: Units, p: Position, depth: Word, t: Any) -> Word:
    return look_up(visitor.table, p, depth, t) if visitor.table.size else UNKNOWN


@remember.register(Units)
def _remember(visitor: Units, p: Position, depth: Word, leaves: Word, t: Any) -> None:
    if visitor.table.size:
        enter(visitor.table, p, depth, leaves, t)


@visit.register(Units)
def _visit(visitor: Units, p: Position, move: Word, t: Any) -> Word:
    child = make(p, move, t)
    leaves = recall(visitor, child, U64(UNIT), t)
    if leaves == UNKNOWN:
        leaves = _three_plies(child, visitor.workspace, t)
        remember(visitor, child, U64(UNIT), leaves, t)
    return leaves


visit_all.register(Units)(visit_each)
