"""Positions: an array of chess positions."""

from rookery.positions.methods.comparison import ComparisonMethods
from rookery.positions.methods.features import FeatureMethods
from rookery.positions.methods.moves import MoveMethods
from rookery.positions.methods.queries import QueryMethods
from rookery.positions.methods.text import TextMethods


class Positions(TextMethods, QueryMethods, ComparisonMethods, MoveMethods, FeatureMethods):
    """An array of chess positions, and every question about them answered for all at once.

    It is a struct of arrays: nine of ``uint64``, one word a position each, contiguous, a1 = 0. `len`, an index (a
    `Board`), slices (views), boolean masks and arrays of indices (copies) work as on an array.

    >>> from rookery import Board
    >>> positions = Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")])
    >>> len(positions), positions[1].fen(), positions.legal_move_counts().tolist()
    (2, '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1', [20, 0])
    """

    __slots__ = ()
