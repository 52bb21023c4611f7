"""The loop over puzzles: which themes each one has."""

from typing import Any

from rookery.data.puzzles import sequences, whole
from rookery.data.puzzles.nodes import Line, at, empty_nodes
from rookery.data.puzzles.safety import balance
from rookery.data.puzzles.single import fork, kinds_of_move, pin, quiet_move
from rookery.data.puzzles.themes import BACK_RANK_MATE, FORK
from rookery.kernel import U64, Bits, Word, array_of, entry, kernel
from rookery.positions.layout import BLACK_TO_MOVE, empty_columns
from rookery.rules.compiled import default_technique


@kernel
def _of_moves(line: Line, t: Any) -> Bits:
    """Return the themes that a single move of the player shows."""
    found: Bits = 0
    q = line.first + 2
    while q <= line.last:
        found |= kinds_of_move(line, q) | pin(line, q, t) | sequences.attraction(line, q, t)
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
        found |= (
            sequences.x_ray_attack(line, q)
            | sequences.skewer(line, q, t)
            | sequences.trapped_piece(line, q, t)
            | sequences.deflection(line, q, t)
        )
        found |= (
            sequences.interference(line, q, t)
            | sequences.clearance(line, q, t)
            | sequences.capturing_defender(line, q, t)
        )
        first = sequences.discovered_attack(line, q)
        found |= first.themes & ~decided
        decided |= first.decided
        second = sequences.intermezzo(line, q, t)
        found |= second.themes & ~decided
        decided |= second.decided
        third = sequences.sacrifice(line, q, start, t)
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
        found = whole.length(last - first) | whole.phase(p, black) | whole.endgame(line, t) | whole.mate(line, t)
        found |= whole.exposed_king_checked(line, p) | whole.hanging_piece(line, t) | whole.defensive_move(line, t)
        found |= whole.attacking_f2_f7(line, t) | _of_moves(line, t) | _of_sequences(line, balance(p), t)
        if not found & (BACK_RANK_MATE | FORK):
            found |= whole.side_attack(line, p)
        out[i] = found
