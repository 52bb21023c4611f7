"""Positions some of which are missing: lines that `Positions.from_fens` could not read, with ``errors="mark"``.

The columns have an empty board for such a line. Every method of `Positions` answers about these boards, too, and here,
in one place, its answers about them become missing values (see docs/missing-values.md).
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from rookery.frames.columns import Numbers
from rookery.positions.layout import MARKED, NO_POSITION, Columns
from rookery.positions.methods.position_array import PositionArray
from rookery.positions.moves import Moves

# Methods whose arrays have the positions in the last axis; in all others it is the first.
_LAST: Final = frozenset(("attack_maps", "attacks", "mobility", "progressive_mobility"))
# Methods that take a move, or a text, for each position.
_WITH_OPERANDS: Final = frozenset(
    (
        *("captured_pieces", "moving_pieces", "play", "policy_index", "policy_moves"),
        *("parse_san", "san", "see", "uci"),
    )
)
# What says nothing about a position, or speaks of missing ones itself.
_AS_THEY_ARE: Final = frozenset(
    (
        *("bad_lines", "columns", "copy", "marked", "nbytes", "taken", "to_numpy", "unique", "where"),
        *("column", "to_arrow", "to_dict", "to_pandas", "to_polars"),  # which use the columns with missing values
    )
)


def without_rows(value: Any, missing: NDArray[np.bool_], axis: int = 0) -> Any:
    """Return an answer about positions with missing values for some of them.

    Whole numbers and truth values become masked arrays, and texts None. Floats become NaN, also in the array of a
    caller. `axis` is the axis of an array that has the positions.

    >>> without_rows(np.array([20, 0]), np.array([False, True])).tolist()
    [20, None]
    """
    if isinstance(value, np.ndarray):
        return _of_array(value, missing, axis)
    if isinstance(value, PositionArray):
        columns = Columns(*(np.where(missing, np.uint64(0), column) for column in value.columns))
        return value._with_marks(columns._replace(state=np.where(missing, NO_POSITION, columns.state)))
    if isinstance(value, Moves):
        return Moves(value.offsets, value.moves, value.chess960, missing)
    if isinstance(value, list):
        return [None if is_missing else one for one, is_missing in zip(value, missing.tolist(), strict=True)]
    if isinstance(value, dict):
        return {name: without_rows(one, missing, axis) for name, one in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return type(value)._make(without_rows(one, missing, axis) for one in value)
    return value


def _of_array(values: NDArray[Any], missing: NDArray[np.bool_], axis: int) -> Any:
    if values.shape[axis] != missing.size:  # a value for each move of `Moves`, which are none for a missing position
        return values
    if values.dtype.kind in "UO":
        texts = values.astype(np.object_)
        texts[missing] = None
        return texts
    index = (..., missing) if axis else missing
    if values.dtype.kind == "f":
        values[index] = np.nan
        return values
    mask = np.zeros(values.shape, np.bool_)
    mask[index] = True
    return np.ma.MaskedArray(values, mask | np.ma.getmaskarray(values))


def _answering(plain: type[PositionArray], name: str) -> Callable[..., Any]:
    """Return a method that answers as the one of a class of this name, with missing values."""
    method = getattr(plain, name)

    @functools.wraps(method)
    def answer(self: "MissingAnswers", *arguments: Any, **named: Any) -> Any:
        return self._answer(method(self._boards_of_all(), *arguments, **named), -1 if name in _LAST else 0)

    @functools.wraps(method)
    def answer_with_operands(self: "MissingAnswers", operands: Any, *arguments: Any, **named: Any) -> Any:
        boards = self._boards_of_all()
        if isinstance(operands, Moves):
            return method(boards, operands, *arguments, **named)
        rows = self._rows_instead()
        if not rows.size and len(self):  # all are missing
            value = method(boards[:0], [], *arguments, **named)
            return self._answer(np.zeros(len(self), value.dtype) if isinstance(value, np.ndarray) else boards)
        return self._answer(method(boards.taken(rows), _chosen_operands(operands, rows), *arguments, **named))

    return answer_with_operands if name in _WITH_OPERANDS else answer


def _chosen_operands(operands: Any, rows: NDArray[np.intp]) -> Any:
    """Return the operands of some rows, or all if there is not one for each row, which the method then says."""
    if isinstance(operands, np.ndarray):
        return operands[rows] if operands.shape[:1] == rows.shape else operands
    if isinstance(operands, (str, bytes)) or not hasattr(operands, "__len__") or len(operands) != rows.size:
        return operands
    given = list(operands)
    return [given[i] for i in rows.tolist()]


class MissingAnswers(PositionArray):
    """The part of `rookery.positions.positions.MarkedPositions` that knows which positions are missing."""

    __slots__ = ()
    _MAY_MISS = True

    _PLAIN: ClassVar[type[Any]]  # the class of the same positions, with an empty board for each missing one

    def _boards_of_all(self) -> Any:
        return self._PLAIN(self.columns)

    def _answer(self, value: Any, axis: int = 0) -> Any:
        """Return an answer about all boards with missing values."""
        missing = self.marked
        return without_rows(value, missing, axis) if missing.any() else value

    def _rows_instead(self) -> NDArray[np.intp]:
        """Return for each position one that is not missing, itself or else one before it; empty if all are missing.

        A method that needs a legal move for each position takes it from there.
        """
        rows = np.where(self.marked, -1, np.arange(len(self)))
        if not rows.size or rows.max() < 0:
            return rows[:0]
        rows = np.maximum.accumulate(rows)
        return np.where(rows < 0, rows.max(), rows)

    def _row(self, i: int) -> Any:
        return None if int(self.columns.state[i]) & MARKED else super()._row(i)

    def __iter__(self) -> Iterator[Any]:
        return iter(without_rows(list(self._boards_of_all()), self.marked))

    def where(self, query: Any, *, threads: int = 1) -> Self:
        """Return the positions for which a condition holds. It does not hold for a missing one."""
        found: Self = self[np.flatnonzero(~self.marked)]._boards_of_all().where(query, threads=threads)
        return found

    def _arrow_columns(self) -> dict[str, Any]:
        present = ~self.marked
        return {name: Numbers(column, present) for name, column in self.columns._asdict().items()}


def _property(name: str, doc: str | None) -> property:
    """Return a property that answers as the one of this name without missing positions, with missing values."""
    return property(lambda self: self._answer(getattr(self._boards_of_all(), name)), doc=doc)


def answer_with_missing(kind: type[MissingAnswers], plain: type[PositionArray]) -> None:
    """Give a class of positions, some of which are missing, all public methods and properties of a plain class."""
    kind._PLAIN, plain._MARKED = plain, kind
    for name in dir(plain):
        if name.startswith("_") or name in _AS_THEY_ARE:
            continue
        attribute = next(vars(base)[name] for base in plain.__mro__ if name in vars(base))
        if isinstance(attribute, property):
            setattr(kind, name, _property(name, attribute.__doc__))
        elif not isinstance(attribute, classmethod):
            setattr(kind, name, _answering(plain, name))
