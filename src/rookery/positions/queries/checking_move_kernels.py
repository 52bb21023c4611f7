"""Compiled code for moves that may give check."""

from typing import Any

import numpy as np

from rookery.bitboards.bits import isolate_ls1b
from rookery.bitboards.sets import king_moves, knight_moves
from rookery.kernel import U64, UNIVERSE, array_of, entry
from rookery.positions.kernels.lanes import black_mask, load, occupied_of
from rookery.positions.layout import empty_columns
from rookery.positions.queries.attacks import pawn_attacks
from rookery.positions.queries.fills import diagonal_attacks, orthogonal_attacks, slides
from rookery.positions.queries.pins import all_lines, shields
from rookery.rules.move_words import KIND_MASK, SIX_BITS, TO_SHIFT


@entry(examples=lambda: (empty_columns(1), array_of(np.int64), array_of(np.uint16), array_of(np.bool_)))
def may_check(c: Any, offsets: Any, moves: Any, out: Any) -> None:
    """Write False for each legal move that surely gives no check; position i has ``moves[offsets[i]:offsets[i + 1]]``.

    A piece gives check from a square that the king would attack if it moved like that piece, or by leaving a line of
    its own side's slider. Castling, promotions and captures en passant may always give check. So may every move where
    the other side is in check already or a side has several kings, which no game has.
    """
    for i in range(offsets.size - 1):
        p = load(c, i)
        occupied, black = occupied_of(p), black_mask(p)
        own = (p.white ^ black) & occupied
        kings = p.kings & ~own
        king, w = isolate_ls1b(kings), slides(~occupied)
        straight, slanting = orthogonal_attacks(w, king), diagonal_attacks(w, king)
        hops, pawns = knight_moves(king), pawn_attacks(king, ~black)
        orthogonals, diagonals = p.orthogonals & own, p.diagonals & own
        leaving = all_lines(shields(w, king, orthogonals, diagonals)) & own
        attackers = straight & orthogonals | slanting & diagonals | hops & p.knights & own | pawns & p.pawns & own
        attackers |= king_moves(king) & p.kings & own
        if attackers or kings != king or p.kings & own != isolate_ls1b(p.kings & own):
            leaving = UNIVERSE
        for j in range(offsets[i], offsets[i + 1]):
            move = U64(moves[j])
            source, target = move & SIX_BITS, (move >> TO_SHIFT) & SIX_BITS
            reached = (
                (pawns & -((p.pawns >> source) & 1))
                | (hops & -((p.knights >> source) & 1))
                | (straight & -((orthogonals >> source) & 1))
                | (slanting & -((diagonals >> source) & 1))
            )
            special = 1 if move & KIND_MASK else 0
            out[j] = ((reached >> target | leaving >> source) & 1 | special) != 0
