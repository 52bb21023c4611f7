"""How games end: mate, draws, and the claims of draws."""

from typing import Any

from rookery.board.kernels.sameness import occurs
from rookery.board.kernels.words import CLOCK, is_zeroing_word, position_of
from rookery.kernel import U64, UNIVERSE, Word, called_kernel, cold_kernel, kernel
from rookery.native_methods.kinds import BOOL, COLOUR, HISTORY, OUT_MOVES, ROW, item, machine_code
from rookery.rules.generate import Count, List, checkers_of, generate
from rookery.rules.position import Position, insufficient_sides, is_insufficient, make, read

FIFTY, SEVENTY_FIVE = 100, 150  # plies
# Items of "outcomes" and "results".
NOT_ENDED, WHITE_MATES, BLACK_MATES, STALEMATE, INSUFFICIENT, SEVENTY_FIVE_MOVES, FIVEFOLD, FIFTY_MOVES, THREEFOLD = (
    range(9)
)


@kernel
def has_move(p: Position, t: Any) -> Any:
    """Check whether there is a legal move."""
    return generate(p, t, Count(), UNIVERSE, UNIVERSE) != 0


@called_kernel
def has_move_then(p: Position, t: Any) -> Word:
    """Return 1 if there is a legal move, else 0. It is compiled once for all calls, which are rare."""
    return U64(1) if has_move(p, t) else U64(0)


@cold_kernel
def has_move_in(row: Any, t: Any) -> Any:
    """Check whether there is a legal move: for questions that seldom come to this, which stay short without it."""
    return has_move(position_of(row, t), t)


# Draws by the position and by counters.


@machine_code("has_insufficient_material", ROW, COLOUR, returns=BOOL, tables=False)
def has_insufficient_material(row: Any, white: Any) -> Any:
    """Return 1 if a colour cannot mate, else 0."""
    return (insufficient_sides(read(row, 0)) >> (white ^ row[9] ^ 1)) & 1


@machine_code("is_insufficient_material", ROW, returns=BOOL, tables=False)
def is_insufficient_material(row: Any) -> Any:
    """Return 1 if neither side can mate, else 0."""
    return U64(1) if is_insufficient(read(row, 0)) else U64(0)


@machine_code("is_fifty_moves", ROW, returns=BOOL)
def is_fifty_moves(row: Any, t: Any) -> Any:
    """Return 1 if each side has made fifty moves without a capture or pawn move, and a legal move is left."""
    return U64(1) if row[CLOCK] >= FIFTY and has_move_in(row, t) else U64(0)


@machine_code("is_seventyfive_moves", ROW, returns=BOOL)
def is_seventyfive_moves(row: Any, t: Any) -> Any:
    """Return 1 if each side has made 75 moves without a capture or pawn move, and a legal move is left."""
    return U64(1) if row[CLOCK] >= SEVENTY_FIVE and has_move_in(row, t) else U64(0)


# Claims of draws, for the position on the board or for one after a legal move.


@kernel
def claims_fifty(row: Any, p: Position, moves: Any, t: Any) -> Any:
    """Check whether fifty moves have passed, or will have after a legal move that does not end the game."""
    if row[CLOCK] >= FIFTY:
        return has_move_then(p, t) != 0
    if row[CLOCK] + 1 < FIFTY:
        return False
    n = generate(p, t, List(moves), UNIVERSE, UNIVERSE)
    i = U64(0)
    while i < n:
        move = U64(moves[i])
        if not is_zeroing_word(row, move) and has_move_then(make(p, move, t), t):
            return True
        i += 1
    return False


@kernel
def claims_threefold(row: Any, p: Position, history: Any, n: Word, moves: Any, t: Any) -> Any:
    """Check whether the position has occurred three times, or will have after a legal move.

    After the move, the row on the board is one ply back, so that rows one, three, five... before it are compared.
    """
    clock = row[CLOCK]
    if occurs(p, clock, history, n, 3, t):
        return True
    if clock < 3 or not n:  # too few plies for a position to occur a third time
        return False
    number = generate(p, t, List(moves), UNIVERSE, UNIVERSE)
    i = U64(0)
    while i < number:
        move = U64(moves[i])
        if not is_zeroing_word(row, move) and occurs(make(p, move, t), clock + 1, history, n + 1, 3, t):
            return True
        i += 1
    return False


@machine_code("can_claim_fifty_moves", ROW, OUT_MOVES, returns=BOOL)
def can_claim_fifty_moves(row: Any, moves: Any, t: Any) -> Any:
    """Return 1 if the side to move may claim a draw by fifty moves, else 0."""
    return U64(1) if claims_fifty(row, position_of(row, t), moves, t) else U64(0)


@machine_code("can_claim_threefold_repetition", ROW, HISTORY, OUT_MOVES, returns=BOOL)
def can_claim_threefold_repetition(row: Any, history: Any, n: Any, moves: Any, t: Any) -> Any:
    """Return 1 if the side to move may claim a draw by a threefold repetition, else 0."""
    return U64(1) if claims_threefold(row, position_of(row, t), history, n, moves, t) else U64(0)


@machine_code("can_claim_draw", ROW, HISTORY, OUT_MOVES, returns=BOOL)
def can_claim_draw(row: Any, history: Any, n: Any, moves: Any, t: Any) -> Any:
    """Return 1 if the side to move may claim a draw, else 0."""
    p = position_of(row, t)
    found = claims_fifty(row, p, moves, t) or claims_threefold(row, p, history, n, moves, t)
    return U64(1) if found else U64(0)


# The end.


@kernel
def end_of(row: Any, p: Position, history: Any, n: Word, t: Any) -> Word:
    """Return how the game has ended without a claim: the number of an item, see above."""
    if not has_move_then(p, t):
        if checkers_of(p, t):
            return WHITE_MATES if p.turn else BLACK_MATES
        if p.kings & p.us:
            return STALEMATE
        return INSUFFICIENT if is_insufficient(p) else NOT_ENDED
    if is_insufficient(p):
        return INSUFFICIENT
    if row[CLOCK] >= SEVENTY_FIVE:
        return SEVENTY_FIVE_MOVES
    return FIVEFOLD if occurs(p, row[CLOCK], history, n, 5, t) else NOT_ENDED


@machine_code("outcome", ROW, HISTORY, returns=item("outcomes"))
@machine_code("result", ROW, HISTORY, returns=item("results"))
def outcome(row: Any, history: Any, n: Any, t: Any) -> Any:
    """Return how the game has ended without a claim."""
    return end_of(row, position_of(row, t), history, n, t)


@machine_code("is_game_over", ROW, HISTORY, returns=BOOL)
def is_game_over(row: Any, history: Any, n: Any, t: Any) -> Any:
    """Return 1 if the game has ended without a claim, else 0."""
    return U64(1) if end_of(row, position_of(row, t), history, n, t) else U64(0)


@machine_code("_outcome_with_claims", ROW, HISTORY, OUT_MOVES, returns=item("outcomes"))
def outcome_with_claims(row: Any, history: Any, n: Any, moves: Any, t: Any) -> Any:
    """Return how the game has ended, also by a draw that the side to move may claim."""
    p = position_of(row, t)
    ended = end_of(row, p, history, n, t)
    if ended or not has_move_then(p, t):
        return ended
    if claims_fifty(row, p, moves, t):
        return U64(FIFTY_MOVES)
    return U64(THREEFOLD) if claims_threefold(row, p, history, n, moves, t) else U64(NOT_ENDED)
