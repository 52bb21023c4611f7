"""The first try: both sides play moves that tend to lead to mate. No position is kept, and no move is taken back.

Most positions of games have so many helpmates that such a playout finds one within 40 half-moves. Black's king goes to
a corner, and white's next to it; white's pawns promote; and where black's king has few free squares, white looks for a
move that mates. Each move is the one with the highest score, which is a weight for its kind plus noise. If a playout
finds no mate, others follow, with other noise and for other corners. What all of them miss is left to `search`.

The moves of a playout are nodes of the search's space, each the child of the one before.
"""

from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import A_FILE, DARK_SQUARES, H_FILE, LIGHT_SQUARES, bit, mixed
from rookery.bitboards.pieces import KING, KNIGHT, PAWN
from rookery.kernel import U64, Bits, Square, Word, called_kernel, kernel, popcount, trailing_zeros
from rookery.rules.attack_tables import KING_MOVES, KNIGHT_MOVES
from rookery.rules.constants import BECOMES_SHIFT, KIND_MASK, PROMOTION, SIX_BITS, TO_SHIFT
from rookery.rules.generate import checkers_of
from rookery.rules.helpmates.freedom import white_of
from rookery.rules.helpmates.search import legal_moves, mating_move
from rookery.rules.helpmates.space import EXPANDED, FOUND
from rookery.rules.position import Position, cannot_mate, make, piece_type_on

_CORNERS: Final = (0, 7, 56, 63)  # flips of h8: to a8, h1 and a1
_MOVE: Final = 32
_STEP_OF_SEED: Final = 0x9E3779B97F4A7C15
_NOISE: Final = 31
_FEW: Final = 3  # free squares of black's king from which on white looks for a mate

# What white has: rooks or queens, else pawns, or neither. For each: the half-moves of a playout, the number of
# playouts, and a cost for each corner that comes before it in turn.
HEAVY, PAWNS, LIGHT = 0, 1, 2
PLAYOUTS: Final = np.array([(120, 40, 0), (120, 40, 3), (332, 100, 8)], np.uint16)

# The weights of moves, for what white has: white's moves in the first three rows, and black's. They were found by
# random changes that were kept if 6,000 questions about positions of games took fewer half-moves.
TOWARDS, AROUND, AWAY, PUSHES, PROMOTES, PAWN_TAKES = range(6)  # the first three are steps of kings
TAKES = 6  # and the next four are other moves of knights, bishops, rooks and queens
TO_ZONE, FROM_OUTSIDE, BECOMES, KNIGHT_TOWARDS, TAKES_NOTHING = range(11, 16)
WEIGHTS: Final = np.array(
    [
        (105, 55, 15, 50, 0, 60, 45, 30, 35, 40, 40, 0, 0, 0, 0, 0),
        (150, 15, 0, 80, 135, 80, 195, 0, 35, 45, 0, 30, 45, 49, 20, 55),
        (85, 25, 0, 0, 10, 5, 10, 20, 30, 0, 0, 0, 5, 0, 5, 50),
        (60, 20, 5, 15, 0, 10, 0, 30, 25, 30, 50, 0, 0, 0, 0, 0),
        (60, 15, 0, 25, 40, 40, 5, 40, 25, 40, 40, 15, 15, 15, 0, 55),
        (80, 40, 0, 25, 260, 90, 0, 10, 0, 20, 20, 15, 15, 20, 15, 75),
    ],
    np.uint16,
)


def _steps(table: Any, goals: set[int]) -> list[int]:
    """Return how many moves of a piece each square is away from the nearest goal."""
    steps = dict.fromkeys(goals, 0)
    for moves in range(1, 8):
        near = [s for s in range(64) if s not in steps and any(int(table[s]) >> n & 1 for n in steps)]
        steps |= dict.fromkeys(near, moves)
    return [steps[s] for s in range(64)]


# The steps of white's and black's king, and of their knights, to where a mate in each corner needs them.
STEPS: Final = np.array(
    [
        _steps(table, {goal ^ flip for goal in goals})
        for flip in _CORNERS
        for table, goals in (
            (KING_MOVES, (46, 47, 53, 61)),  # g6, h6, f7, f8
            (KING_MOVES, (63,)),
            (KNIGHT_MOVES, (46, 53)),
            (KNIGHT_MOVES, (55, 62)),  # where a knight takes its king a free square
        )
    ],
    np.uint8,
)
# The squares next to each corner at the edge of the board.
_BESIDE: Final = np.array([1 << (55 ^ flip) | 1 << (62 ^ flip) for flip in _CORNERS], np.uint64)


@kernel
def material_of(p: Position) -> Word:
    """Return what white has: `HEAVY`, `PAWNS` or `LIGHT`."""
    white = white_of(p)
    return U64(HEAVY) if white & p.orthogonals else (U64(PAWNS) if white & p.pawns else U64(LIGHT))


@kernel
def corner_for(p: Position, nth: Word, cost: Word) -> Word:
    """Return the row of `STEPS` of the corner that is nearest for both kings, or of another where it is not in turn."""
    white = white_of(p)
    bishops = p.diagonals & white
    k, other = trailing_zeros(p.kings & white) & SIX_BITS, trailing_zeros(p.kings & ~white) & SIX_BITS
    best, least = U64(0), U64(1 << 20)
    i = U64(0)
    while i < 4:
        far = U64(STEPS[4 * i, k]) + U64(STEPS[4 * i + 1, other])
        far += ((i - nth) & 3) * cost if nth else U64(0)
        if material_of(p) == LIGHT and bishops and not bishops & (LIGHT_SQUARES if i in (1, 2) else DARK_SQUARES):
            far += 1 << 16
        if far < least:
            best, least = i, far
        i += 1
    return 4 * best


@kernel
def around(b: Bits) -> Bits:
    """Return squares and those next to them."""
    b |= (b & ~A_FILE) >> 1 | (b & ~H_FILE) << 1
    return b | b << 8 | b >> 8


@kernel
def way_to(k: Square, goals: Bits) -> Bits:
    """Return squares that are nearer to some goals than a king on `k`: all that are next to it are among them."""
    nearer, farther = goals, around(goals)
    while not farther & bit(k):
        nearer, farther = farther, around(farther)
    return nearer


@kernel
def zone_of(p: Position, material: Word, row: Word) -> Bits:
    """Return squares to which moves help, and from which they do not: those next to black's king, or out of the way."""
    white = white_of(p)
    if not p.turn:
        return KING_MOVES[trailing_zeros(p.kings & ~white) & SIX_BITS]
    if material != PAWNS:
        return _BESIDE[row >> 2]
    fronts = (p.pawns & white) << 8
    fronts |= fronts << 8
    fronts |= fronts << 16
    return ~(fronts | fronts << 32)


@kernel
def way_of_king(p: Position, material: Word) -> Bits:
    """Return where white's king goes if pawns of black's block all of white's, its last hope; else no squares."""
    fronts = (p.pawns & p.us) << 8
    blockers = fronts & p.pawns & p.them
    if p.turn or material != PAWNS or not blockers or fronts & ~(p.us | p.them):
        return U64(0)
    return way_to(trailing_zeros(p.kings & p.us) & SIX_BITS, blockers)


@kernel
def score_of(p: Position, move: Word, row: Word, weights: Word, zone: Bits, way: Bits) -> Word:
    """Return the score of a move, given its row of `WEIGHTS`."""
    source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
    kind = piece_type_on(p, source)
    takes = p.them & bit(target)
    score = U64(WEIGHTS[weights, TAKES if takes else TAKES_NOTHING])
    if kind == KING:
        before, after = STEPS[row + p.turn, source], STEPS[row + p.turn, target]
        if (way & bit(target)) if way else after < before:
            return score + WEIGHTS[weights, TOWARDS]
        return score + WEIGHTS[weights, AROUND if after == before else AWAY]
    if zone & bit(target):
        score += WEIGHTS[weights, TO_ZONE]
    if not zone & bit(source):
        score += WEIGHTS[weights, FROM_OUTSIDE]
    if kind == PAWN:
        if move & KIND_MASK == PROMOTION:  # white's to a queen, black's to a knight, which mates where white takes it
            becomes = ((move >> BECOMES_SHIFT) ^ (p.turn * 3)) & 3
            return score + WEIGHTS[weights, PROMOTES] + becomes * WEIGHTS[weights, BECOMES]
        return score + WEIGHTS[weights, PAWN_TAKES if takes else PUSHES]
    if kind == KNIGHT and STEPS[row + p.turn + 2, target] < STEPS[row + p.turn + 2, source]:
        score += WEIGHTS[weights, KNIGHT_TOWARDS]
    return score + WEIGHTS[weights, PAWN_TAKES + kind]


@kernel
def best_move(p: Position, number: Word, row: Word, noise: Word, space: Any) -> Word:
    """Return the move with the highest score, of those in `space.moves`."""
    material = material_of(p)
    weights = material + 3 * p.turn
    zone, way = zone_of(p, material, row), way_of_king(p, material)
    best, most = U64(0), U64(0)
    i = U64(0)
    while i < number:
        move = U64(space.moves[i])
        score = score_of(p, move, row, weights, zone, way) + ((noise >> ((i * 5) & 31)) & _NOISE) + 1
        if score > most:
            best, most = move, score
        i += 1
    return best


@kernel
def is_mate_near(p: Position) -> Any:
    """Check whether black's king has so few free squares that a move of white's may well mate."""
    k, ours = trailing_zeros(p.kings & p.them) & SIX_BITS, trailing_zeros(p.kings & p.us) & SIX_BITS
    return popcount(KING_MOVES[k] & ~p.them & ~KING_MOVES[ours]) <= _FEW


@called_kernel
def play(p: Position, row: Word, seed: Word, most: Word, space: Any, t: Any) -> Any:
    """Play at most so many half-moves, and return whether white mates, with the last node in `FOUND`."""
    n, noise = U64(0), seed
    while True:
        number = legal_moves(p, space.moves, t)
        space.state[FOUND] = n
        space.state[EXPANDED] += 1
        if not number:
            return p.turn and checkers_of(p, t)
        if n == most:
            return False
        move = U64(0)
        if not p.turn and (n == 0 or is_mate_near(p)):
            move = mating_move(p, number, space, t)
        if not move:
            noise = mixed(noise + _STEP_OF_SEED)
            move = best_move(p, number, row, noise, space)
        p = make(p, move, t)
        n += 1
        space.nodes[n, 5] = (n - 1) | move << _MOVE
        white = white_of(p)
        if cannot_mate(p, white, (p.us | p.them) ^ white):
            return False


@kernel
def mates_in_playouts(p: Position, space: Any, t: Any) -> Any:
    """Check whether white mates in one of the playouts, which have fewer half-moves than the search has positions."""
    limit = U64(space.nodes.shape[0] - 1)
    material = material_of(p)
    length, number, cost = U64(PLAYOUTS[material, 0]), U64(PLAYOUTS[material, 1]), U64(PLAYOUTS[material, 2])
    length = min(length, limit)
    i = U64(0)
    while i < number and (i + 1) * length <= limit:
        if play(p, corner_for(p, i, cost), i, length, space, t):
            return True
        i += 1
    return False
