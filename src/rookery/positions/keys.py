"""Zobrist keys of all positions, those of `Board.key`: built from nothing, piece by piece.

A position's pieces lie in three planes, which tell six kinds apart: knights and kings, diagonal sliders and kings,
orthogonal sliders. So three bits and the colour of a square say which of its sixteen words to take, and one loop goes
over all pieces of a position, where one loop for each kind and colour would be twelve whose ends nobody foresees.
"""

from typing import Any, Final

import numpy as np

from rookery.bits import reset_ls1b
from rookery.kernel import U64, Bits, Word, entry, kernel, trailing_zeros
from rookery.positions.layout import BLACK_TO_MOVE, Columns, Lane, Words, load, occupied_of, position
from rookery.rules.compiled import KEYS, default_technique, keys_of, legal_en_passant

_PLANES: Final = (0, 1, 2, 4, 6, 3)  # pawn, knight, bishop, rook, queen, king
_WHITE = 8
_SQUARE_SHIFT = 4
_CASTLING: Final = 12
_EN_PASSANT, _TURN = 13 * 64, 13 * 64 + 8


def _words() -> Any:
    """The key of each piece on each square: 64 times 16 words."""
    words = np.zeros((64, 16), U64)
    for kind, planes in enumerate(_PLANES):
        words[:, planes + int(_WHITE)] = KEYS[64 * kind : 64 * (kind + 1)]
        words[:, planes] = KEYS[64 * (kind + 6) : 64 * (kind + 7)]
    return words.reshape(-1)


_WORDS: Final = _words()


@kernel
def target_if_legal(p: Lane, t: Any) -> Bits:
    """The en-passant square if a pawn may legally take there."""
    if not p.en_passant:
        return 0
    return p.en_passant if legal_en_passant(position(p, t), t) else 0


@kernel
def key_of(p: Lane, target: Bits) -> Word:
    """The key of a position, `target` its en-passant square."""
    x, y, z = p.knights | p.kings, p.diagonals | p.kings, p.orthogonals
    key = keys_of(p.castling, _CASTLING)
    if p.state & BLACK_TO_MOVE:
        key ^= KEYS[_TURN]
    if target:
        key ^= KEYS[_EN_PASSANT + (trailing_zeros(target) & 7)]
    left = occupied_of(p)
    while left:
        s = trailing_zeros(left)
        piece = ((x >> s) & 1) | ((y >> s) & 1) << 1 | ((z >> s) & 1) << 2 | ((p.white >> s) & 1) << 3
        key ^= _WORDS[(s << _SQUARE_SHIFT) | piece]
        left = reset_ls1b(left)
    return key


@entry
def targets(c: Any, out: Any, t: Any) -> None:
    """The en-passant squares where a capture is legal."""
    for i in range(out.size):
        out[i] = target_if_legal(load(c, i), t)


def legal_targets(columns: Columns) -> Words:
    """Return the en-passant square of each position, as a board, where a capture is legal."""
    out = np.empty(columns.state.size, U64)
    targets(columns, out, default_technique().tables())
    return out


@entry
def keys(c: Any, out: Any, t: Any) -> None:
    """The keys of all positions."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = key_of(p, target_if_legal(p, t))


@entry
def keys_and_targets(c: Any, out: Any, targets: Any, t: Any) -> None:
    """The keys, and the en-passant squares where a capture is legal."""
    for i in range(out.size):
        p = load(c, i)
        target = target_if_legal(p, t)
        targets[i] = target
        out[i] = key_of(p, target)
