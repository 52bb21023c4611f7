"""The inputs of maia2 and Maia-3, which predict the moves of people.

Their lists of moves are the layouts ``"maia2"`` and ``"maia3"`` of `Positions.policy_mask`.

Sources: CSSLab's maia2 67bee6c and maia3 1e13597, as facts.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rookery.arguments import shown
from rookery.data.encoders.histories import histories_of
from rookery.kernel import U64
from rookery.positions.positions import Positions

HISTORY: Final = 8  # boards of Maia-3
_PIECES: Final = ("pawns", "knights", "bishops", "rooks", "queens", "king")
_CHANNELS: Final = (
    *(f"our_{kind}" for kind in _PIECES),
    *(f"their_{kind}" for kind in _PIECES),
    "ones",
    "our_kingside",
    "our_queenside",
    "their_kingside",
    "their_queenside",
    "en_passant",
)


def maia2_planes(positions: Positions, *, dtype: DTypeLike = np.float32, threads: int = 1) -> NDArray[Any]:
    """Return the planes that maia2 sees: (n, 18, 8, 8), by plane, rank and file as the side to move sees them.

    They are planes of `Positions.planes`: own pieces, their pieces, ones, rights to castle, and the square that a pawn
    has just jumped over. The dtype is ``float32`` or ``uint8``.

    >>> from rookery import Board
    >>> maia2_planes(Positions.from_boards([Board()]))[0, 12:, 0, 0]
    array([1., 1., 1., 1., 1., 0.], dtype=float32)
    """
    if not isinstance(positions, Positions):
        raise TypeError(f"positions: {shown(positions)}: expected Positions")
    return positions.planes(_CHANNELS, dtype=dtype, threads=threads)


def maia3_squares(games: Any, history: int = HISTORY) -> NDArray[np.uint8]:
    """Return the squares that Maia-3 sees: uint8, (n, 64, 12 * history), 1 for the piece that stands on a square.

    For each board there are own pawns, knights, bishops, rooks, queens, king, and their six; boards come oldest first,
    each as its own side to move saw it. Where a game has fewer boards, the oldest is repeated. `games` are as in
    `leela_planes`; `history` is at least 1.

    >>> from rookery import Board
    >>> squares = maia3_squares([Board()])
    >>> squares.shape
    (1, 64, 96)
    >>> squares[0, 8, :12].tolist()
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    """
    if not isinstance(history, int) or isinstance(history, bool) or history < 1:
        raise ValueError(f"history: {shown(history)}: expected an int of at least 1")
    histories = histories_of(games)
    black = ~histories.positions.turn
    boards = np.where(black[:, None], histories.pieces[1], histories.pieces[0])
    boards[black] = boards[black].byteswap()  # a flip: ranks are bytes
    squares = ((boards[:, None, :] >> np.arange(64, dtype=U64)[:, None]) & U64(1)).astype(np.uint8)
    begin = histories.begin[histories.rows]
    ages = range(history - 1, -1, -1)
    return np.concatenate([squares[np.maximum(histories.rows - age, begin)] for age in ages], axis=2)
