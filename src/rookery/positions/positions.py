"""Positions: an array of chess positions."""

from typing import Final

from rookery.positions.methods.comparison import ComparisonMethods
from rookery.positions.methods.expressions import ExpressionMethods
from rookery.positions.methods.features import FeatureMethods
from rookery.positions.methods.marked import MissingAnswers, answer_with_missing
from rookery.positions.methods.motifs import MotifMethods
from rookery.positions.methods.moves import MoveMethods
from rookery.positions.methods.pieces import PieceMethods
from rookery.positions.methods.queries import QueryMethods
from rookery.positions.methods.text import TextMethods

_DRAWN: Final = 8  # positions in a notebook


class Positions(
    TextMethods,
    PieceMethods,
    QueryMethods,
    MotifMethods,
    ComparisonMethods,
    MoveMethods,
    FeatureMethods,
    ExpressionMethods,
):
    """An array of chess positions, with methods that process all of them at once.

    The positions are stored as a struct of arrays: nine contiguous arrays of ``uint64``, with one word for each
    position (a1 = 0). `len`, indices (which give a `Board`), slices (views), boolean masks and arrays of indices
    (copies) work as they do for a NumPy array.

    >>> from rookery import Board
    >>> positions = Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")])
    >>> len(positions)
    2
    >>> positions[1].fen()
    '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1'
    >>> positions.legal_move_counts().tolist()
    [20, 0]
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return pictures of the first positions, for notebooks."""
        boards = (self[i] for i in range(min(len(self), _DRAWN)))
        pictures = "".join(f"<div>{'missing' if board is None else board.svg(size=200)}</div>" for board in boards)
        rest = f"<p>and {len(self) - _DRAWN:,} more positions</p>" if len(self) > _DRAWN else ""
        return f'<div style="display:flex;flex-wrap:wrap;gap:1em">{pictures}</div>{rest}'


class MarkedPositions(MissingAnswers, Positions):
    """`Positions` of which some are missing (`marked`): every answer about them is a missing value.

    >>> positions = Positions.from_fens(["8/8/8/8/8/4k3/4p3/4K3 w - -", "bad"], errors="mark")
    >>> positions.legal_move_counts().tolist()
    [0, None]
    >>> positions.to_fens()
    ['8/8/8/8/8/4k3/4p3/4K3 w - - 0 1', None]
    """

    __slots__ = ()


answer_with_missing(MarkedPositions, Positions)
