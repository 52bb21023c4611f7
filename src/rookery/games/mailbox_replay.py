"""Facts about the moves of games, without boards: the material before each move, the moving and the captured pieces.

A game is replayed on a mailbox, an array with the piece on each square, at four times the speed of bitboards.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.frames.array_arguments import Boards
from rookery.kernel import U64, entry_of
from rookery.positions.layout import Columns

replay: Final = entry_of("rookery.games.kernels.mailboxes", "replay")


class Mailbox(NamedTuple):
    """The material before each half-move and at the end of each game, and the pieces that move and are captured.

    `material` has words as in `rookery.positions.queries.questions`; `moving` and `captured` have piece types, or 0.
    """

    material: Boards
    moving: NDArray[np.uint8]
    captured: NDArray[np.uint8]


def mailbox_of(
    offsets: NDArray[np.int64], moves: NDArray[np.uint16], starts: Columns, rows: NDArray[np.int32]
) -> Mailbox | None:
    """Return what the moves of games say, or None if a game begins with more pieces than a digit can count."""
    n = int(offsets[-1] - offsets[0]) + rows.size
    out = Mailbox(np.empty(n, U64), np.empty(n, np.uint8), np.empty(n, np.uint8))
    return out if replay(offsets, moves, starts, rows, np.empty(64, np.uint8), out) else None
