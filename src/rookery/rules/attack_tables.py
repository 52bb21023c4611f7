"""Tables of moves on an empty board and of the ways of kings, which every position needs, and what they say."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import bit, reset_ls1b
from rookery.bitboards.leapers import table
from rookery.bitboards.line_tables import BETWEEN
from rookery.bitboards.lines import between, empty_board_attacks
from rookery.kernel import U64, Bits, Square, kernel, trailing_zeros
from rookery.rules.position import BACK_RANK, Boards, Position, castling_squares

# Frozen into the machine code.
KNIGHT_MOVES, KING_MOVES = table("knight"), table("king")
PAWN_ATTACKS = np.stack([table("white pawn"), table("black pawn")])
EMPTY_ROOK = np.array([int(empty_board_attacks("rook", s)) for s in range(64)], U64)
EMPTY_BISHOP = np.array([int(empty_board_attacks("bishop", s)) for s in range(64)], U64)


def _castling_ways() -> tuple[Boards, Boards]:
    kings, both = np.zeros(64, U64), np.zeros(64, U64)
    for k in range(8):
        for r in range(8):
            king_to, rook_to = castling_squares(k, r)
            kings[8 * k + r] = between(k, king_to) | bit(king_to)
            both[8 * k + r] = (kings[8 * k + r] | between(r, rook_to) | bit(rook_to)) & U64(0xFF ^ bit(k) ^ bit(r))
    return kings, both


# By the files of a king and of the rook with which it castles, on the first rank: the squares that the king passes and
# reaches, and those which must be empty. With four look-ups of `BETWEEN` instead, perft from the start was 12 % slower.
WAYS_OF_KINGS, CASTLING_WAYS = _castling_ways()


def _goals_of_kings() -> Any:
    """Return whether a king may reach a square: by its own square, 1 if it may castle, and the square."""
    files, ranks = np.arange(64, dtype=U64) & U64(7), np.arange(64, dtype=U64) & U64(BACK_RANK)
    ways = (WAYS_OF_KINGS[files * 8] | WAYS_OF_KINGS[files * 8 + 7]) << ranks
    goals = np.stack([KING_MOVES, KING_MOVES | ways], axis=1)
    return (goals[:, :, None] >> np.arange(64, dtype=U64)) & U64(1) == 1


def _near_kings() -> Boards:
    is_goal = _goals_of_kings()[:, :, None]
    seen_from = np.stack([KNIGHT_MOVES, KING_MOVES, EMPTY_BISHOP, EMPTY_ROOK])
    near: Boards = np.bitwise_or.reduce(np.where(is_goal, seen_from, U64(0)), axis=-1)
    return near.reshape(-1)


# Eight words for each square of a king: where knights, kings, bishops and rooks stand that on an empty board attack a
# square to which it may step, and the same for squares to which it may step or castle. 4 KiB.
NEAR_KINGS = _near_kings()


def _paths_to_kings() -> Boards:
    squares = np.arange(64, dtype=U64)
    is_seen = ((EMPTY_BISHOP | EMPTY_ROOK)[:, None] >> squares) & U64(1) == 1
    lines = np.where(is_seen, BETWEEN | (U64(1) << squares), U64(0))
    paths = np.zeros((64, 2, 64), U64)
    is_goal = _goals_of_kings()
    for goal in range(64):  # all at once would take 4 MB and three times as long
        paths |= np.where(is_goal[:, :, goal, None], lines[:, goal], U64(0))
    return paths.reshape(-1)


# By the square of a king, 1 if it may castle, and the square of a slider: the squares from the slider to those that the
# king may reach, these included. 64 KiB, of which one king uses half a KiB.
PATHS_TO_KINGS = _paths_to_kings()


@kernel
def leapers_to(p: Position, sq: Square) -> Bits:
    """Return the knights and kings of both sides that attack a square, and the pawns that attack `us` there."""
    return (KNIGHT_MOVES[sq] & p.knights) | (PAWN_ATTACKS[p.turn, sq] & p.pawns) | (KING_MOVES[sq] & p.kings)


@kernel
def way_of_king(k: Square, r: Square) -> Bits:
    """Return the squares that a king passes and reaches when it castles with a rook."""
    return WAYS_OF_KINGS[((k & 7) << 3) | (r & 7)] << (k & BACK_RANK)


@kernel
def is_way_free(k: Square, r: Square, occupied: Bits) -> bool:
    """Check whether no other piece stands where a king and a rook pass and arrive when they castle."""
    return not (CASTLING_WAYS[((k & 7) << 3) | (r & 7)] << (k & BACK_RANK)) & occupied


@kernel
def with_free_ways(k: Square, rooks: Bits, occupied: Bits) -> Bits:
    """Return those of the rooks with which a king may castle unless it is attacked on its way."""
    free: Bits = 0
    while rooks:
        if is_way_free(k, trailing_zeros(rooks), occupied):
            free |= rooks & -rooks
        rooks = reset_ls1b(rooks)
    return free
