"""The loop over puzzles: which themes each one has."""

from typing import Any

from rookery.data.puzzles.nodes import Line, at, empty_nodes
from rookery.data.puzzles.safety import balance
from rookery.data.puzzles.sequences import (
    attraction,
    capturing_defender,
    clearance,
    deflection,
    discovered_attack,
    interference,
    intermezzo,
    sacrifice,
    skewer,
    trapped_piece,
    x_ray_attack,
)
from rookery.data.puzzles.single import fork, kinds_of_move, pin, quiet_move
from rookery.data.puzzles.themes import BACK_RANK_MATE, FORK
from rookery.data.puzzles.whole import (
    attacking_f2_f7,
    defensive_move,
    endgame,
    exposed_king_checked,
    hanging_piece,
    length,
    mate,
    phase,
    side_attack,
)
from rookery.kernel import U64, Bits, Word, array_of, entry, kernel
from rookery.positions.layout import BLACK_TO_MOVE, empty_columns
from rookery.rules.compiled import default_technique


@kernel
def _of_moves(line: Line, t: Any) -> Bits:
    """Return the themes that a single move of the player shows."""
    found: Bits = 0
    q = line.first + 2
    while q <= line.last:
        found |= kinds_of_move(line, q) | pin(line, q, t) | attraction(line, q, t)
        if q < line.last:
            found |= fork(line, q, t) | quiet_move(line, q, t)
        q += 2
    return found


@kernel
def _of_sequences(line: Line, start: Word, t: Any) -> Bits:
    """Return the themes that a move of the player and the moves before it show."""
    found: Bits = 0
    decided: Bits = 0
    q = line.first + 4
    while q <= line.last:
        found |= x_ray_attack(line, q) | skewer(line, q, t) | trapped_piece(line, q, t) | deflection(line, q, t)
        found |= interference(line, q, t) | clearance(line, q, t) | capturing_defender(line, q, t)
        first = discovered_attack(line, q)
        found |= first.themes & ~decided
        decided |= first.decided
        second = intermezzo(line, q, t)
        found |= second.themes & ~decided
        decided |= second.decided
        third = sacrifice(line, q, start, t)
        found |= third.themes & ~decided
        decided |= third.decided
        q += 2
    return found


@entry(
    examples=lambda: (
        empty_columns(1),
        empty_nodes(1),
        array_of(U64),
        array_of(U64),
        array_of(U64),
        default_technique().tables(),
    )
)
def tag(c: Any, nodes: Any, firsts: Any, lasts: Any, out: Any, t: Any) -> None:
    """Write the themes of each puzzle, whose nodes are those from ``firsts[i]`` to ``lasts[i]``."""
    for i in range(out.size):
        first, last = firsts[i], lasts[i]
        black = U64(0) if c.state[first] & BLACK_TO_MOVE else ~U64(0)
        line = Line(c, nodes, first, last, black)
        p = at(line, first + 1, t)
        found = length(last - first) | phase(p, black) | endgame(line, t) | mate(line, t)
        found |= exposed_king_checked(line, p) | hanging_piece(line, t) | defensive_move(line, t)
        found |= attacking_f2_f7(line, t) | _of_moves(line, t) | _of_sequences(line, balance(p), t)
        if not found & (BACK_RANK_MATE | FORK):
            found |= side_attack(line, p)
        out[i] = found
