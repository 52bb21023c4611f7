"""Zobrist keys of all positions, the same as `Board.key`, and hashes of lists of moves."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import SPLITMIX_STEP
from rookery.kernel import U64, Bits, Word, entry, kernel, popcount
from rookery.positions.layout import BLACK_TO_MOVE, Columns, Lane, Words, load, occupied_of, position
from rookery.rules.compiled import default_technique
from rookery.rules.legality import legal_en_passant_target
from rookery.rules.zobrist import pieces_key, pieces_key_difference, rights_key

_FEW = 6  # squares that become empty or occupied: a move changes at most four


@kernel
def target_if_legal(p: Lane, t: Any) -> Bits:
    """Return the en-passant square if a pawn may legally capture there, else an empty board.

    Few positions have an en-passant square, so only those are made ready for the generator.
    """
    return legal_en_passant_target(position(p, t), t) if p.en_passant else 0


@kernel
def next_pieces_key(before: Lane, key: Word, p: Lane) -> Word:
    """Return the key of the pieces of a position; `key` is that of the position `before` it in the array.

    Neighbours in a game differ on two to four squares, and only these are looked up: 61 million positions a second
    instead of 16. Where more pawns and pieces moved, all are looked up.
    """
    occupied, occupied_before = occupied_of(p), occupied_of(before)
    if popcount(occupied ^ occupied_before) > _FEW:
        return pieces_key(p, p.white, occupied)
    return key ^ pieces_key_difference(before, before.white, occupied_before, p, p.white, occupied)


@kernel
def lane_rights_key(p: Lane, target: Bits) -> Word:
    """Return the key of everything but the pieces; a legal en-passant capture goes to `target`."""
    return rights_key(p.castling, p.state & BLACK_TO_MOVE, target)


@entry
def targets(c: Any, out: Any, t: Any) -> None:
    """Write the en-passant squares where a capture is legal."""
    for i in range(out.size):
        out[i] = target_if_legal(load(c, i), t)


def legal_targets(columns: Columns) -> Words:
    """Return the en-passant square of each position, as a board, where a capture is legal."""
    out = np.empty(columns.state.size, U64)
    targets(columns, out, default_technique().tables())
    return out


@kernel
def _no_lane() -> Lane:
    return Lane(0, 0, 0, 0, 0, 0, 0, 0, 0)


@entry
def keys(c: Any, out: Any, t: Any) -> None:
    """Write the keys of all positions."""
    before, key = _no_lane(), U64(0)
    for i in range(out.size):
        p = load(c, i)
        key = next_pieces_key(before, key, p)
        out[i] = lane_rights_key(p, target_if_legal(p, t)) ^ key
        before = p


@entry
def keys_and_targets(c: Any, out: Any, targets: Any, t: Any) -> None:
    """Write the keys, and the en-passant squares where a capture is legal."""
    before, key = _no_lane(), U64(0)
    for i in range(out.size):
        p = load(c, i)
        target = target_if_legal(p, t)
        targets[i] = target
        key = next_pieces_key(before, key, p)
        out[i] = lane_rights_key(p, target) ^ key
        before = p


@kernel
def next_move_hash(value: Word, move: Word) -> Word:
    """Return the hash of a list of moves with one move more. The hash of no moves is `SPLITMIX_STEP`."""
    value = (value ^ (move + 1)) * SPLITMIX_STEP  # one more, since the null move is 0
    return value ^ (value >> 29)


@entry
def move_hashes(offsets: Any, moves: Any, most: Any, out: Any) -> None:
    """Write a hash of the first moves of each list, at most `most` of them."""
    for i in range(out.size):
        value: Word = SPLITMIX_STEP
        for j in range(offsets[i], min(offsets[i + 1], offsets[i] + most)):
            value = next_move_hash(value, U64(moves[j]))
        out[i] = value
