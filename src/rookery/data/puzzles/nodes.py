"""The positions of a block of puzzles, as the kernels of the themes read them.

    node     a position of a puzzle, and the move that led to it
    first    the node before the opponent's move; the player moves into nodes first + 2, first + 4 and so on
    q        the node after the player's move in question
    black    the universe if the player is black, else the empty board

All boards and squares are seen from the player's side, who moves up the board: one kernel serves both colours. `us` is
always the player and `them` the opponent, whoever is to move.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import U64, Bits, Square, Word, array_of, cold_kernel, entry, kernel
from rookery.positions.kernels.lanes import from_side, load, position, turned
from rookery.positions.layout import BLACK_TO_MOVE, Columns, empty_columns
from rookery.rules.compiled import default_technique
from rookery.rules.constants import BECOMES_SHIFT, CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, SIX_BITS, TO_SHIFT
from rookery.rules.generate import checkers_of
from rookery.rules.position import BACK_RANK, Position, castling_squares, piece_type_on
from rookery.rules.sliders import attacks_from
from rookery.rules.swap_off import attackers_of_both

NOTHING = 0  # in place of a type of piece, where there is none


class Nodes(NamedTuple):
    """Facts about n nodes, in arrays of their own.

    source, target      uint8: the squares of the move that led to the node; castling goes to the king's target
    moved               uint8: the type of the piece that moved, after the move (a promoted pawn has its new type)
    captured            uint8: the type of the piece that was on the target, or `NOTHING`
    kind                uint16: the bits of the move that say promotion, en passant or castling
    checkers            uint64: the pieces that give check to the side to move
    replies             uint16: the number of legal moves
    legal_before        uint8: 1 if the move was already legal two plies earlier
    """

    source: NDArray[np.uint8]
    target: NDArray[np.uint8]
    moved: NDArray[np.uint8]
    captured: NDArray[np.uint8]
    kind: NDArray[np.uint16]
    checkers: NDArray[np.uint64]
    replies: NDArray[np.uint16]
    legal_before: NDArray[np.uint8]


def empty_nodes(n: int) -> Nodes:
    """Return room for the facts of `n` nodes."""
    small, short = (np.zeros(n, np.uint8) for _ in range(5)), (np.zeros(n, np.uint16) for _ in range(2))
    source, target, moved, captured, legal_before = small
    kind, replies = short
    return Nodes(source, target, moved, captured, kind, np.zeros(n, np.uint64), replies, legal_before)


class Line(NamedTuple):
    """One puzzle: its nodes among those of a block."""

    c: Columns
    nodes: Nodes
    first: Word
    last: Word  # the node after the last move
    black: Bits


@cold_kernel
def at(line: Line, q: Word, t: Any) -> Position:
    """Return the position of a node."""
    return from_side(line.c, q, line.black, t)


@entry(
    examples=lambda: (
        empty_columns(1),
        array_of(np.uint16),
        array_of(U64),
        array_of(U64),
        empty_nodes(1),
        default_technique().tables(),
    )
)
def describe(c: Any, moves: Any, firsts: Any, lasts: Any, nodes: Any, t: Any) -> None:
    """Write the facts of all nodes that follow from their positions and moves, but not `replies` and `legal_before`.

    ``moves[i]`` is the move that led to node i, and is not read for the first node of a puzzle. The nodes of puzzle i
    are those from ``firsts[i]`` to ``lasts[i]``.
    """
    for i in range(firsts.size):
        first, last = firsts[i], lasts[i]
        black = U64(0) if c.state[first] & BLACK_TO_MOVE else ~U64(0)
        before = from_side(c, first, black, t)
        nodes.checkers[first] = turned(checkers_of(position(load(c, first), t), t), black)
        q = first + 1
        while q <= last:
            p = from_side(c, q, black, t)
            move = U64(moves[q])
            kind = move & KIND_MASK
            source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
            if kind == CASTLING:
                target, _ = castling_squares(source, target)
            source ^= black & BACK_RANK
            target ^= black & BACK_RANK
            nodes.source[q] = np.uint8(source)
            nodes.target[q] = np.uint8(target)
            nodes.moved[q] = np.uint8(piece_type_on(p, target))
            nodes.captured[q] = np.uint8(NOTHING if kind == CASTLING else piece_type_on(before, target))
            nodes.kind[q] = np.uint16(move & ~U64((1 << BECOMES_SHIFT) - 1))
            nodes.checkers[q] = turned(checkers_of(position(load(c, q), t), t), black)
            before = p
            q += 1


# Facts of a node, by short names. All are words.


@kernel
def source_of(line: Line, q: Word) -> Square:
    """Return the square that the move left."""
    return U64(line.nodes.source[q])


@kernel
def target_of(line: Line, q: Word) -> Square:
    """Return the square that the move reached."""
    return U64(line.nodes.target[q])


@kernel
def moved_at(line: Line, q: Word) -> Word:
    """Return the type of the piece that moved, after the move."""
    return U64(line.nodes.moved[q])


@kernel
def captured_at(line: Line, q: Word) -> Word:
    """Return the type of the piece on the move's target before the move, or `NOTHING`."""
    return U64(line.nodes.captured[q])


@kernel
def kind_of(line: Line, q: Word) -> Word:
    """Return `PROMOTION`, `EN_PASSANT`, `CASTLING` or 0."""
    return U64(line.nodes.kind[q]) & KIND_MASK


@kernel
def promoted_to(line: Line, q: Word) -> Word:
    """Return what a pawn became: `KNIGHT`, `BISHOP`, `ROOK` or `QUEEN` of `rookery.rules.position`."""
    return (U64(line.nodes.kind[q]) >> BECOMES_SHIFT) & 3


@kernel
def is_capture(line: Line, q: Word) -> Any:
    """Check whether the move captured, en passant included."""
    return captured_at(line, q) != NOTHING or kind_of(line, q) == EN_PASSANT


@kernel
def is_promotion(line: Line, q: Word) -> Any:
    """Check whether the move was a promotion."""
    return kind_of(line, q) == PROMOTION


@kernel
def is_check(line: Line, q: Word) -> Any:
    """Check whether the side to move is in check."""
    return line.nodes.checkers[q] != 0


@kernel
def is_mate(line: Line, q: Word) -> Any:
    """Check whether the side to move is checkmated."""
    return line.nodes.checkers[q] != 0 and line.nodes.replies[q] == 0


# Attacks, each compiled once.


@cold_kernel
def attackers(p: Position, sq: Square, occupied: Bits, t: Any) -> Bits:
    """Return the pieces of `occupied`, of either side, that attack a square."""
    return attackers_of_both(p, sq, occupied, t)


@cold_kernel
def attacked_from(p: Position, sq: Square, t: Any) -> Bits:
    """Return the squares that the piece on a square attacks."""
    return attacks_from(p, sq, t)
