"""Pieces followed through games, from the square on which they begin."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.frames.array_arguments import Boards
from rookery.kernel import U64, entry_of
from rookery.positions.layout import Columns

follow: Final = entry_of("rookery.games.kernels.track", "follow")


class Tracked(NamedTuple):
    """The square of a piece in each position, the number of its moves, and whether it has been captured."""

    boards: Boards  # uint64: one square, or none once the piece is captured
    moves: NDArray[np.int32]
    captured: NDArray[np.bool_]


def tracked(
    square: int,
    game: NDArray[np.int64],
    ply: NDArray[np.int32],
    offsets: NDArray[np.int64],
    moves: NDArray[np.uint16],
    starts: Columns,
    rows: NDArray[np.int32],
) -> Tracked:
    """Return where the piece is in each position that began its game on a square.

    `offsets` and `moves` are those of the games, which begin from `rows` of `starts`.
    """
    n = game.size
    found = Tracked(np.empty(n, U64), np.empty(n, np.int32), np.empty(n, np.bool_))
    follow(U64(square), game, ply, offsets, moves, starts, rows, *found)
    return found
