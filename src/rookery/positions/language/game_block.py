"""The evaluation of expressions about games over columns of games, each part once."""

from collections.abc import Collection
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rookery.frames.columns import Numbers, Texts
from rookery.positions.language.grammar import JOINED, SET, Node


class GameTable(Protocol):
    """Columns of games by name: headers, and what is computed from headers and moves."""

    def column(self, name: str) -> Numbers | Texts:
        """Return a column; KeyError if there is none of this name."""

    def days(self, name: str) -> Numbers:
        """Return the column of a header as days."""


class GameBlock:
    """Some games, and the values of nodes for them.

    Values are arrays or `Texts` with an element for each game, or one value for all. `unread` are names of columns that
    are not known yet: a condition holds where it may hold.
    """

    def __init__(self, table: GameTable, n: int, unread: Collection[str] = ()) -> None:
        self.table = table
        self.n = n
        self._unread = frozenset(unread)
        self._values: dict[Node, Any] = {}

    def value(self, node: Node) -> Any:
        """Return the value of a node for each game, or one value for all."""
        if node not in self._values:
            function, args = node.function, node.args
            if not function.lazy:
                args = tuple(self.value(arg) if isinstance(arg, Node) else arg for arg in args)
            self._values[node] = function.run(self, *args)
        return self._values[node]

    def truth(self, node: Node) -> Any:
        """Return where a condition holds, or a set is not empty, for each game or for all."""
        if node.function.name not in JOINED and not self._unread.isdisjoint(node.columns):
            return np.True_
        value = self.value(node)
        return np.not_equal(value, 0) if node.kind == SET else value

    def joined(self, nodes: tuple[Node, ...], *, conjunction: bool) -> Any:
        """Join truth values by ``and``, or by ``or``."""
        join = np.logical_and if conjunction else np.logical_or
        value = self.truth(nodes[0])
        for node in nodes[1:]:
            value = join(value, self.truth(node))
        return value

    def mask(self, node: Node) -> NDArray[np.bool_]:
        """Return where a condition holds: bool, (n,)."""
        with np.errstate(all="ignore"):
            value = np.asarray(self.truth(node))
        return value if value.shape else np.full(self.n, bool(value))

    def column(self, name: str) -> Any:
        """Return the values of a column; numbers that may be missing are float64."""
        column = self.table.column(name)
        return column if isinstance(column, Texts) else _values(column)

    def days(self, name: str) -> Any:
        """Return the values of a header as days."""
        return _values(self.table.days(name))


def _values(column: Numbers) -> Any:
    values, valid = column.values, column.valid
    if values.dtype.kind in "mM":
        return values if valid.all() else np.where(valid, values, np.array("NaT", values.dtype))
    is_exact = values.dtype.itemsize == 8 and values.dtype.kind in "iu"  # float64 would change the greatest numbers
    if is_exact and (values.dtype.kind == "u" or valid.all()):
        return np.where(valid, values, np.zeros(1, values.dtype))
    return np.where(valid, values, np.nan)
