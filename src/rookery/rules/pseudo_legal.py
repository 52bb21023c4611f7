"""Pseudo-legal moves: moves that may leave the king in check. Castling moves among them are fully legal.

They come from the generator of legal moves: for a side without a king it lists every move of the other pieces.
"""

from typing import Any

import numpy as np

from rookery.bitboards.bits import reset_ls1b
from rookery.kernel import U64, UNIVERSE, Word, array_of, entry, kernel, once_compiled, trailing_zeros
from rookery.rules.attack_tables import KING_MOVES
from rookery.rules.compiled import default_technique
from rookery.rules.generate import KING_MOVER, add, attacked_near, castling_rooks, checkers_of, generate, with_free_ways
from rookery.rules.legality import reach
from rookery.rules.limits import WORDS
from rookery.rules.move_words import CASTLING, SIX_BITS
from rookery.rules.position import Position, prepared


@kernel
def generate_pseudo_legal(p: Position, t: Any, sink: Any) -> Word:
    """Pass all pseudo-legal moves to `sink` and return their number."""
    us = p.us
    pieces = Position(*p[:4], p.kings & ~us, us, p.them, p.castling & ~us, p.en_passant, p.turn, p.state)
    n = generate(pieces, t, sink, UNIVERSE, UNIVERSE)
    kings = p.kings & us
    k = trailing_zeros(kings) & SIX_BITS
    rooks = with_free_ways(k, p.castling & us, us | p.them)
    if kings and rooks and not checkers_of(p, t):
        rooks = castling_rooks(p, t, k, rooks, attacked_near(p, k, U64(1), t))
        n = add(sink, n, KING_MOVER, k, rooks, CASTLING)
    while kings:
        k = trailing_zeros(kings)
        n = add(sink, n, KING_MOVER, k, KING_MOVES[k] & ~us, 0)
        kings = reset_ls1b(kings)
    return n


@entry(examples=lambda: (array_of(U64), U64(0), default_technique().tables()))
def pseudo_legal_sources(row: Any, move: Any, t: Any) -> Any:
    """Return the squares from which a pseudo-legal move of this kind goes to this target."""
    return generate_pseudo_legal(prepared(row, t), t, reach(move))


@once_compiled
def sources_code() -> tuple[Any, Any]:
    """Return the compiled `pseudo_legal_sources`, and its tables."""
    tables = default_technique().tables()
    return pseudo_legal_sources.resolve(np.zeros(WORDS, U64), U64(0), tables), tables
