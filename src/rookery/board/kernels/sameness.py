"""Which positions are the same: keys, equality and repetitions.

Positions are the same if they agree in pieces, side to move, castling rights and a legal en-passant capture.
"""

from typing import Any

from rookery.board.kernels.words import CLOCK, NUMBER, position_of
from rookery.kernel import U64, Bits, Word, kernel
from rookery.kernel.instructions.bits import word_of_bytes
from rookery.native_methods import kinds
from rookery.rules.legality import legal_en_passant, legal_en_passant_target
from rookery.rules.polyglot import polyglot_key_of
from rookery.rules.position import Position
from rookery.rules.zobrist import key_of
from rookery.techniques.base.protocol import prepare

# No position before a capture or a pawn move can recur.
RECENT = kinds.recent_history(CLOCK)


@kinds.machine_code("key", kinds.ROW, returns=kinds.INT, getter=True)
def key(row: Any, t: Any) -> Any:
    """Return the Zobrist key of the position."""
    return key_of(position_of(row, t), t)


@kinds.machine_code("polyglot_key", kinds.ROW, returns=kinds.INT, getter=True)
def polyglot_key(row: Any, t: Any) -> Any:
    """Return the key of the position in books of Polyglot's format."""
    return polyglot_key_of(position_of(row, t))


@kinds.machine_code("has_legal_en_passant", kinds.ROW, returns=kinds.BOOL)
def has_legal_en_passant(row: Any, t: Any) -> Any:
    """Return 1 if an en-passant capture is legal, else 0."""
    if not row[8]:
        return U64(0)
    return U64(1) if legal_en_passant(position_of(row, t), t) else U64(0)


@kernel
def position_at(earlier: Word, t: Any) -> Position:
    """Return the position of a row in the history."""
    us, them = word_of_bytes(earlier, 5), word_of_bytes(earlier, 6)
    pieces = (
        word_of_bytes(earlier, 0),
        word_of_bytes(earlier, 1),
        word_of_bytes(earlier, 2),
        word_of_bytes(earlier, 3),
        word_of_bytes(earlier, 4),
    )
    rights = word_of_bytes(earlier, 7), word_of_bytes(earlier, 8), word_of_bytes(earlier, 9)
    return Position(*pieces, us, them, *rights, prepare(us | them, t))


@kernel
def differ(p: Position, q: Position) -> Any:
    """Check whether two positions differ, but for captures en passant."""
    pieces = (p.pawns ^ q.pawns) | (p.knights ^ q.knights) | (p.diagonals ^ q.diagonals)
    pieces |= (p.orthogonals ^ q.orthogonals) | (p.kings ^ q.kings) | (p.us ^ q.us) | (p.them ^ q.them)
    return pieces | (p.castling ^ q.castling) | (p.turn ^ q.turn) != 0


@kernel
def is_same(p: Position, target: Bits, q: Position, t: Any) -> Any:
    """Check whether two positions are the same. `target` is the square of a legal en-passant capture in the first."""
    if differ(p, q):
        return False
    return p.en_passant == q.en_passant or target == legal_en_passant_target(q, t)


@kinds.machine_code("is_equal", kinds.ROW, kinds.OTHER_ROW, returns=kinds.BOOL)
@kinds.machine_code("Board.__eq__", kinds.ROW, kinds.OTHER_ROW, returns=kinds.BOOL, slot="__eq__")
def is_equal(row: Any, other: Any, t: Any) -> Any:
    """Return 1 if two boards have the same position and equal counters, else 0."""
    if row[CLOCK] != other[CLOCK] or row[NUMBER] != other[NUMBER]:
        return U64(0)
    p, q = position_of(row, t), position_of(other, t)
    if differ(p, q):
        return U64(0)
    if p.en_passant == q.en_passant:  # spares the search for a legal capture
        return U64(1)
    return U64(1) if legal_en_passant_target(p, t) == legal_en_passant_target(q, t) else U64(0)


@kernel
def times_before(p: Position, clock: Word, history: Any, n: Word, t: Any) -> Word:
    """Return how often a position has occurred among the first `n` rows of a history.

    No position before a capture or a pawn move can recur; one ply ago the other side was to move.
    """
    found, back = U64(0), U64(2)
    if clock < 2 or n < 2:
        return found
    target = legal_en_passant_target(p, t)
    while back <= n and back <= clock:
        found += 1 if is_same(p, target, position_at(history[n - back], t), t) else 0
        back += 2
    return found


@kernel
def occurs(p: Position, clock: Word, history: Any, n: Word, count: Word, t: Any) -> Any:
    """Check whether a position occurs for at least the `count`-th time.

    It recurs after at least four plies, or two null moves; none of them captures or moves a pawn.
    """
    if count < 2:
        return True
    return clock >= 2 * (count - 1) and 1 + times_before(p, clock, history, n, t) >= count


@kinds.machine_code("repetitions", kinds.ROW, RECENT, returns=kinds.INT)
def repetitions(row: Any, history: Any, n: Any, t: Any) -> Any:
    """Return how often the position has occurred, including now."""
    return 1 + times_before(position_of(row, t), row[CLOCK], history, n, t)


@kernel
def is_repeated(row: Any, history: Any, n: Word, count: Word, t: Any) -> Word:
    """Return 1 if the position of a row has occurred `count` times, else 0."""
    return U64(1) if occurs(position_of(row, t), row[CLOCK], history, n, count, t) else U64(0)


@kinds.machine_code("_occurs", kinds.ROW, RECENT, kinds.SMALL, returns=kinds.BOOL)
def is_repetition_of(row: Any, history: Any, n: Any, count: Any, t: Any) -> Any:
    """Return 1 if the position has occurred `count` times, else 0."""
    return is_repeated(row, history, n, count, t)


@kinds.machine_code("is_repetition", kinds.ROW, RECENT, returns=kinds.BOOL)
def is_repetition(row: Any, history: Any, n: Any, t: Any) -> Any:
    """Return 1 if the position has occurred three times, else 0."""
    return is_repeated(row, history, n, 3, t)


@kinds.machine_code("is_fivefold_repetition", kinds.ROW, RECENT, returns=kinds.BOOL)
def is_fivefold_repetition(row: Any, history: Any, n: Any, t: Any) -> Any:
    """Return 1 if the position has occurred five times, else 0."""
    return is_repeated(row, history, n, 5, t)
