"""Pieces scattered over boards, thousands at once: many sliders, many checks, both kings in check, no king or several.

No game reaches most of them; a reader of FENs takes them all.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.positions.layout import BLACK_TO_MOVE, NUMBER_SHIFT, empty_columns
from rookery.positions.positions import Positions

_ONE, _NONE, _EIGHT = np.uint64(1), np.uint64(0), np.uint64(8)
_BACK_RANKS, _RANK_3, _RANK_6 = np.uint64(0xFF000000000000FF), np.uint64(0xFF << 16), np.uint64(0xFF << 40)
_BOARDS: Final = (("pawns",), ("knights",), ("diagonals",), ("orthogonals",), ("diagonals", "orthogonals"))


class Family(NamedTuple):
    """What is scattered: how many kings a side has, how many other pieces there are, and what part of them slides."""

    kings: tuple[int, ...]
    pieces: tuple[int, int]
    sliders: float


FAMILIES: Final = {
    "few": Family((1,), (2, 4), 1.0),
    "sliders": Family((1,), (2, 8), 1.0),
    "mixed": Family((1,), (4, 20), 0.6),
    "pawns": Family((1,), (6, 30), 0.2),
    "crowded": Family((1,), (20, 50), 0.9),
    "kings": Family((0, 1, 2, 3), (3, 25), 0.7),
}


def scattered(family: Family, n: int, seed: int) -> Positions:
    """`n` positions of a family."""
    rng = np.random.default_rng(seed)
    columns = empty_columns(n)
    for column in columns:
        column[:] = 0
    squares = _ONE << np.argsort(rng.random((n, 64)), axis=1).astype(np.uint64)
    taken = 0

    def put(where: NDArray[np.bool_], names: tuple[str, ...], white: NDArray[np.bool_]) -> None:
        board = np.where(where, squares[:, taken], _NONE)
        for name in names:
            getattr(columns, name)[:] |= board
        columns.white[:] |= np.where(white, board, _NONE)

    for white in (True, False):
        kings = rng.choice(family.kings, n)
        for number in range(max(family.kings)):
            put(kings > number, ("kings",), np.full(n, white))
            taken += 1
    least, most = family.pieces
    pieces = rng.integers(least, most + 1, n)
    light, heavy = (1 - family.sliders) / 2, family.sliders / 4
    for number in range(most):
        kind = rng.choice(5, n, p=[light, light, heavy, heavy, 2 * heavy])
        white_ones = rng.random(n) < 0.5
        for i, names in enumerate(_BOARDS):
            at_home = squares[:, taken] & _BACK_RANKS if i == 0 else _NONE
            put((kind == i) & (number < pieces) & (at_home == 0), names, white_ones)
        taken += 1
    black = rng.integers(0, 2, n).astype(np.uint64)
    columns.state[:] = black * BLACK_TO_MOVE | _ONE << NUMBER_SHIFT
    p = columns
    occupied = p.pawns | p.knights | p.diagonals | p.orthogonals | p.kings
    behind = np.where(black, (p.pawns & p.white) >> _EIGHT & _RANK_3, (p.pawns & ~p.white) << _EIGHT & _RANK_6)
    behind &= ~occupied
    columns.en_passant[:] = np.where(rng.random(n) < 0.7, behind & (_NONE - behind), _NONE)
    return Positions(columns)
