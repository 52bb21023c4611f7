"""Positions: an array of chess positions."""

from rookery.lanes.asked import Asked
from rookery.lanes.compared import Compared
from rookery.lanes.featured import Featured
from rookery.lanes.moved import Moved
from rookery.lanes.written import Written


class Positions(Written, Asked, Compared, Moved, Featured):
    """An array of chess positions, and every question about them answered for all at once.

    It is a struct of arrays: nine of ``uint64``, one word a position each, contiguous, a1 = 0. `len`, an index (a
    `Board`), slices (views), boolean masks and arrays of indices (copies) work as on an array.

    >>> from rookery import Board
    >>> positions = Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")])
    >>> len(positions), positions[1].fen(), positions.legal_move_counts().tolist()
    (2, '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1', [20, 0])
    """

    __slots__ = ()
