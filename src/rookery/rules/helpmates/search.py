"""The search for a helpmate: the best first, and no position twice.

A fair search counts moves that bring no progress. A greedy one prefers positions in which black's king has few free
squares, which finds mates where many pieces can move. `kernels` tries one after the other.

Positions that were seen are nodes, compared in full and never by a hash alone. Each has a cost, the number of its
moves that bring no progress, and waits in the bucket of this cost. A position that is looked at makes one move and
waits again, behind the new position. It makes its moves in three steps: those that bring progress cost nothing, usual
ones 1 unless they follow progress, and those that destroy what a mate may need cost 4. Progress is, as in Miguel
Ambrona's program CHA, what brings pawns and kings to where a mate happens: a capture or a pawn move of the side that
shall mate, and a step of a king or a knight towards a corner.

If no position is left to look at, no legal moves lead to a mate: every position that can be reached has been seen, but
those in which it was proved that the side cannot mate. The side that shall mate is white: callers turn the board.

A node has six words: the four of `packing`; then the turn (bit 0), its next step (1), whether a move of progress led to
it (3), its cost (8), its next move (20) and the next node of its bucket (32); then its parent (0) and the move that led
to it (32).
"""

from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import DARK_SQUARES, LIGHT_SQUARES, bit, mixed
from rookery.bitboards.pieces import KING, KNIGHT, PAWN
from rookery.kernel import (
    U64,
    UNIVERSE,
    Word,
    called_kernel,
    kernel,
    leading_zeros,
    popcount,
    trailing_zeros,
)
from rookery.rules.attack_tables import KING_MOVES, KNIGHT_MOVES, PAWN_ATTACKS
from rookery.rules.constants import KIND_MASK, PROMOTION, SIX_BITS, TO_SHIFT
from rookery.rules.generate import List, attacked_near, checkers_of, generate
from rookery.rules.helpmates.freedom import cannot_mate_ever, is_locked, white_of
from rookery.rules.helpmates.packing import packed, unpacked
from rookery.rules.helpmates.possibility import IMPOSSIBLE, POSSIBLE, UNKNOWN
from rookery.rules.helpmates.space import ANSWER, BUCKETS, DONE, EXPANDED, FOUND, GREEDY, HIGHEST, LEAST, LEFT, SIZE
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.position import Position, cannot_mate, make, passed, piece_type_on
from rookery.techniques.base.protocol import QUESTIONS, attacks

_ROOK, _BISHOP = QUESTIONS["rook"], QUESTIONS["bishop"]
_STEP, _PROGRESS, _COST, _INDEX, _NEXT, _MOVE = 1, 3, 8, 20, 32, 32
_OTHERS = (1 << _COST) - 1
_LAST_COST = BUCKETS - 1
_FLIGHT: Final = 4  # how much nearer a mate is with a free square less
PROGRESS, USUAL, HARMFUL = 0, 1, 2
_HARM: Final = 4  # what a harmful move costs
_SWEEP: Final = 2048  # positions of a bucket that are looked at before those of the next
# Positions that are seen before it is tried to prove of those with locked pawns that there is no mate, and that are
# looked at before it is tried of all.
_PROOFS_FROM, _PROOFS_OF_ALL_FROM = 1000, 20_000


def _distances() -> Any:
    """Return the moves of kings and of knights to a square: rows of white's and black's king, and of their knights.

    The first four rows are for a mate near h8, the others for one near a8.
    """
    rows = []
    for goal, table in ((54, KING_MOVES), (63, KING_MOVES), (36, KNIGHT_MOVES), (62, KNIGHT_MOVES)):
        for flip in (0, 7):
            row, near, moves = np.full(64, 255, np.uint8), {goal ^ flip}, 0
            while near:
                for square in near:
                    row[square] = moves
                near = {s for s in range(64) if row[s] == 255 and any(int(table[s]) >> n & 1 for n in near)}
                moves += 1
            rows.append(row)
    return np.stack(rows[::2] + rows[1::2])


DISTANCES: Final = _distances()


@kernel
def corner_of(p: Position) -> Word:
    """Return 0 if a mate is looked for near h8, and 4 if near a8: where a bishop of white's may attack the corner."""
    white = white_of(p)
    bishops = p.diagonals & ~p.orthogonals
    if bishops & white & DARK_SQUARES or (not bishops & white and bishops & ~white & LIGHT_SQUARES):
        return U64(0)
    return U64(4)


@kernel
def step_of(p: Position, move: Word, corner: Word) -> Word:
    """Return in which of the three steps a move is made."""
    source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
    kind = piece_type_on(p, source)
    takes = p.them & bit(target)
    if not p.turn and (kind == PAWN or takes):
        return PROGRESS
    if kind in (KING, KNIGHT):
        row = corner + p.turn + (2 if kind == KNIGHT else 0)
        if DISTANCES[row, target] < DISTANCES[row, source]:
            return PROGRESS
    return HARMFUL if takes else USUAL


@kernel
def slot_of(words: Any, turn: Word, slots: Any) -> Word:
    """Return where the hash table has a position, if nothing else is there."""
    key = mixed(mixed(mixed(mixed(words[0] + turn) ^ words[1]) ^ words[2]) ^ words[3])
    return key & (U64(slots.size) - 1)


@kernel
def push(space: Any, n: Word, cost: Word) -> None:
    """Put a node into the bucket of its cost, before all others there."""
    node, state = space.nodes[n], space.state
    bucket = cost if cost < _LAST_COST else _LAST_COST
    node[4] = (node[4] & (_OTHERS | _LAST_COST << _INDEX)) | bucket << _COST | U64(space.heads[bucket]) << _NEXT
    space.heads[bucket] = np.uint32(n + 1)
    if bucket > state[HIGHEST]:
        state[HIGHEST] = bucket
    if state[GREEDY] and bucket < state[LEAST]:
        state[LEAST] = bucket


@called_kernel
def legal_moves(p: Position, moves: Any, t: Any) -> Word:
    """List the legal moves, and return their number."""
    return generate(p, t, List(moves), UNIVERSE, UNIVERSE)


@called_kernel
def has_escape(p: Position, moves: Any, t: Any) -> Any:
    """Check whether there is a legal move."""
    return generate(p, t, List(moves), UNIVERSE, UNIVERSE) != 0


@kernel
def is_mated(p: Position, space: Any, t: Any) -> Any:
    """Check whether black is mated."""
    return p.turn and checkers_of(p, t) and not has_escape(p, space.others, t)


@kernel
def remoteness(p: Position, t: Any) -> Word:
    """Return how far white seems to be from mate: by the free squares of black's king, and by what white has."""
    view = p if p.turn else passed(p)
    k = trailing_zeros(view.kings & view.us) & SIX_BITS
    flights = KING_MOVES[k] & ~view.us & ~attacked_near(view, k, U64(0), t)
    far = _FLIGHT * popcount(flights)
    if not view.orthogonals & view.them:
        pawns = view.pawns & view.them
        far += (leading_zeros(pawns) >> 3) * _FLIGHT if pawns else U64(2 * _FLIGHT)
    return far


@kernel
def swap_first(space: Any, n: Word, last: Word) -> None:
    """Put a node that was pushed last behind the one before it, if that is `last` and in the same bucket."""
    nodes = space.nodes
    bucket = (nodes[n, 4] >> _COST) & _LAST_COST
    after = nodes[n, 4] >> _NEXT
    if after == last + 1:
        nodes[n, 4] = (nodes[n, 4] & ((1 << _NEXT) - 1)) | (nodes[last, 4] >> _NEXT) << _NEXT
        nodes[last, 4] = (nodes[last, 4] & ((1 << _NEXT) - 1)) | (n + 1) << _NEXT
        space.heads[bucket] = np.uint32(last + 1)


@called_kernel
def see(p: Position, parent: Word, move: Word, progress: Word, cost: Word, space: Any, t: Any) -> None:
    """Add a position, unless it was seen before, and note if it is the mate."""
    state, nodes, slots = space.state, space.nodes, space.slots
    white = white_of(p)
    if state[SIZE] and cannot_mate(p, white, (p.us | p.them) ^ white):
        return
    words = packed(p, legal_en_passant_target(p, t))
    i = slot_of(words, p.turn, slots)
    while slots[i]:
        node = nodes[slots[i] - 1]
        differ = (node[0] ^ words[0]) | (node[1] ^ words[1]) | (node[2] ^ words[2]) | (node[3] ^ words[3])
        if not differ | ((node[4] & 1) ^ p.turn):
            return
        i = (i + 1) & (U64(slots.size) - 1)
    n = state[SIZE]
    if n == U64(nodes.shape[0]):
        state[ANSWER] = UNKNOWN
        state[DONE] = 1
        return
    slots[i] = np.uint32(n + 1)
    state[SIZE] = n + 1
    node = nodes[n]
    node[0], node[1], node[2], node[3] = words
    node[4] = p.turn | progress << _PROGRESS
    node[5] = parent | move << _MOVE
    if is_mated(p, space, t):
        state[ANSWER], state[FOUND], state[DONE] = POSSIBLE, n, 1
    elif state[GREEDY]:
        push(space, n, remoteness(p, t))
    else:
        worth = is_locked(p, white) if n > _PROOFS_FROM else False
        worth = worth or state[EXPANDED] > _PROOFS_OF_ALL_FROM
        if not worth or not cannot_mate_ever(p, space, t):
            push(space, n, cost)


@called_kernel
def mating_move(p: Position, number: Word, space: Any, t: Any) -> Word:
    """Return a move of white's, of those in `space.moves`, that gives check and mates, or 0."""
    k = trailing_zeros(p.kings & p.them) & SIX_BITS
    diagonal, orthogonal = attacks(_BISHOP, k, p.state, t), attacks(_ROOK, k, p.state, t)
    pawns, sliders = p.pawns & p.us, p.diagonals | p.orthogonals
    i = U64(0)
    while i < number:
        move = U64(space.moves[i])
        i += 1
        source, target = bit(move & SIX_BITS), bit((move >> TO_SHIFT) & SIX_BITS)
        promotes = source & pawns and move & KIND_MASK == PROMOTION
        from_ = U64(0)
        if source & sliders or promotes:
            from_ = diagonal | orthogonal
        if source & p.knights or promotes:
            from_ |= KNIGHT_MOVES[k]
        elif source & pawns:
            from_ = PAWN_ATTACKS[p.turn ^ 1, k]
        if from_ & target:
            q = make(p, move, t)
            if checkers_of(q, t) and not has_escape(q, space.others, t):
                return move
    return 0


@kernel
def look(n: Word, space: Any, t: Any) -> None:
    """Make the next move of a node's step. If there is none, the node waits for its next step."""
    node, moves = space.nodes[n], space.moves
    info = node[4]
    p = unpacked(node[0], node[1], node[2], node[3], info & 1, t)
    step, after_progress, cost = (info >> _STEP) & 3, (info >> _PROGRESS) & 1, (info >> _COST) & _LAST_COST
    i = (info >> _INDEX) & _LAST_COST
    number = legal_moves(p, moves, t)
    corner = corner_of(p)
    if step == PROGRESS and not p.turn and not i:
        move = mating_move(p, number, space, t)
        if move:
            see(make(p, move, t), n, move, U64(0), cost, space, t)
    size = space.state[SIZE]
    while i < number and not space.state[DONE]:
        move = U64(moves[i])
        i += 1
        if step_of(p, move, corner) == step:
            see(make(p, move, t), n, move, U64(1) if step == PROGRESS else U64(0), cost, space, t)
            if space.state[SIZE] != size:  # the new position comes first, and this one behind it
                node[4] = (node[4] & _OTHERS) | i << _INDEX
                push(space, n, cost)
                swap_first(space, n, size)
                return
    later = U64(3)
    i = U64(0)
    while i < number:
        move_step = step_of(p, U64(moves[i]), corner)
        if move_step > step and move_step < later:
            later = move_step
        i += 1
    if later < 3:
        node[4] = (info & _OTHERS & ~(U64(3) << _STEP)) | later << _STEP
        base = cost - price(step, after_progress)
        push(space, n, base + price(later, after_progress))


@kernel
def price(step: Word, after_progress: Word) -> Word:
    """Return what a move costs."""
    return 0 if step == PROGRESS else (after_progress ^ 1 if step == USUAL else U64(_HARM))


@kernel
def begin(p: Position, greedy: Word, space: Any, t: Any) -> None:
    """Begin a search from a position: a greedy one, which goes where mate seems near, or one that is fair."""
    state = space.state
    state[:] = 0
    state[LEFT] = _SWEEP
    state[GREEDY] = greedy
    state[ANSWER] = IMPOSSIBLE
    see(p, 0, 0, 0, 0, space, t)


@kernel
def proceed(space: Any, steps: Word, t: Any) -> None:
    """Look at some positions."""
    state, heads = space.state, space.heads
    while steps and not state[DONE]:
        bucket = state[LEAST]
        while bucket <= state[HIGHEST] and not heads[bucket]:
            bucket += 1
        if bucket > state[HIGHEST]:
            if not state[LEAST]:
                state[DONE] = 1  # nothing is left: the answer is that of `begin`
                break
            state[LEAST] = 0
            state[LEFT] = _SWEEP
            continue
        if bucket != state[LEAST]:
            state[LEAST] = bucket
            state[LEFT] = _SWEEP
        n = U64(heads[bucket]) - 1
        heads[bucket] = np.uint32(space.nodes[n, 4] >> _NEXT)
        state[EXPANDED] += 1
        steps -= 1
        state[LEFT] -= 1
        if not state[LEFT]:
            state[LEAST] = bucket + 1
            state[LEFT] = _SWEEP
        look(n, space, t)


@kernel
def forget(space: Any) -> None:
    """Empty the hash table and the buckets for the next search."""
    state, slots = space.state, space.slots
    n = U64(0)
    while n < state[SIZE]:
        i = slot_of(space.nodes[n], space.nodes[n, 4] & 1, slots)
        while slots[i]:
            slots[i] = 0
            i = (i + 1) & (U64(slots.size) - 1)
        n += 1
    n = U64(0)
    while n <= state[HIGHEST]:
        space.heads[n] = 0
        n += 1
