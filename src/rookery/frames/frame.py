"""Frame: the base of tables of typed columns."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, overload

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import is_number, iterator, shown
from rookery.frames.arrow import ArrowTable, pandas_frame, polars_frame, table_of
from rookery.frames.columns import alike, array_of, chosen, cut, joined, nbytes_of, values_of
from rookery.frames.selection import row_of, rows_of
from rookery.lazy_imports import Named

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
else:
    pandas, polars, pyarrow = Named("pandas"), Named("polars"), Named("pyarrow")

_under_way = threading.local()  # `columns`: those that a thread computes now, by the identity of their frame


class Frame(ArrowTable):
    """A table of columns of one length, each with a name and a type: the base of `Positions`, `Games` and others.

    A subclass declares its columns as slots (`_COLUMNS`), and so the attributes that all parts of a table share
    (`_SHARED`). `_row` returns a row. A column is a NumPy array, one of the classes in `rookery.frames.columns`, a dict
    or a named tuple of columns, or another table. None is a column that a table lacks.

    A column `name` that is not set is computed on first use by the method `_make_name`, if the class has one.
    """

    __slots__ = ()

    _COLUMNS: ClassVar[tuple[str, ...]]
    _SHARED: ClassVar[tuple[str, ...]] = ()
    _PARTS: ClassVar["type[Frame] | None"] = None  # the class of the parts of a table, if it is another
    _ROWS: ClassVar[tuple[str, str]] = ("row", "rows")  # the noun for a row, and its plural

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # the arrays are mutable

    if not TYPE_CHECKING:  # a type checker would take every name for an attribute

        def __getattr__(self, name):
            """Compute a column on first use, and keep it. Python calls this where a slot is not set."""
            make = getattr(type(self), f"_make_{name}", None)
            # A frame without its columns, which `__new__` alone does not set, may compute each of two from the other.
            under_way = _under_way.__dict__.setdefault("columns", set())
            column = id(self), name
            if make is None or column in under_way:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            under_way.add(column)
            try:
                value = make(self)
            finally:
                under_way.remove(column)
            object.__setattr__(self, name, value)
            return value

    def _is_set(self, name: str) -> bool:
        """Check whether a column is set, without computing it."""
        try:
            object.__getattribute__(self, name)
        except AttributeError:
            return False
        return True

    # As a sequence.

    def _row(self, i: int) -> Any:
        """Return row `i`: by default, a table of this row alone."""
        return self[i : i + 1]

    def __len__(self) -> int:
        size: int = getattr(self, self._COLUMNS[0]).size
        return size

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: str) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | Sequence[int] | Sequence[bool]) -> Self: ...
    def __getitem__(self, index: Any) -> Any:
        """Return a row for an int, a column for a name, and a table for a slice (views), a mask or indices (copies)."""
        if type(index) is int and 0 <= index < len(self):  # takes a third of the time of the general case
            return self._row(index)
        if isinstance(index, str):
            return self._named("index", index)
        if is_number(index):
            return self._row(row_of("index", index, len(self), self._ROWS[1]))
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return self._part(lambda column: cut(column, start, max(start, stop)))
            rows = np.arange(start, stop, step)
        else:
            rows = rows_of("index", index, len(self), self._ROWS[1], "an int, a name, a slice")
        return self._part(lambda column: chosen(column, rows))

    def column(self, name: str) -> NDArray[Any]:
        """Return a column of `to_arrow` as an array: a masked array, or one with None, NaN or NaT for missing values.

        An unknown name raises KeyError, which lists the columns.

        >>> Positions.from_boards([Board()]).column("knights").tolist()
        [4755801206503243842]
        """
        return self._named("name", name)

    def _named(self, argument: str, name: str) -> NDArray[Any]:
        """Return a column by its name, which an argument gives."""
        columns = self._arrow_columns()
        if not isinstance(name, str) or name not in columns:
            raise KeyError(f"{argument}: {shown(name)}: expected one of {', '.join(columns)}")
        return array_of(columns[name])

    def __iter__(self) -> Iterator[Any]:
        return map(self._row, range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Check whether two tables have equal columns."""
        if not isinstance(other, Frame) or other._COLUMNS != self._COLUMNS:
            return NotImplemented
        return all(alike(getattr(self, name, None), getattr(other, name, None)) for name in self._COLUMNS)

    def copy(self) -> Self:
        """Return the same rows in new arrays.

        >>> positions = Positions.from_boards([Board()])
        >>> positions.copy() == positions
        True
        """
        return self._part(lambda column: chosen(column, np.arange(len(self))))

    @classmethod
    def concatenate(cls, parts: "Iterable[Frame]") -> Self:
        """Return the rows of several tables of this class as one table, in order.

        >>> one = Positions.from_boards([Board()])
        >>> Positions.concatenate([one, one])
        <2 positions>
        """
        given = list(iterator("parts", parts, f"an iterable of {cls.__name__}"))
        for i, part in enumerate(given):
            if not isinstance(part, cls):
                raise TypeError(f"parts[{i}]: {shown(part)}: expected {cls.__name__}")
        return cls._joined(given) if given else cls._empty()

    @property
    def nbytes(self) -> int:
        """Return the number of bytes of all columns. Of an array of str, only the references count.

        >>> Positions.from_boards([Board()]).nbytes
        72
        """
        return sum(nbytes_of(getattr(self, name, None)) for name in self._COLUMNS)

    def __repr__(self) -> str:
        return f"<{self._counted()}>"

    def _counted(self) -> str:
        """Return the number of rows with their noun."""
        return f"{len(self):,} {self._ROWS[len(self) != 1]}"

    # Making tables of the same kind.

    def _part(self, change: Callable[[Any], Any]) -> Self:
        """Return a table with the columns that `change` returns. A column that this table lacks stays unset."""
        part = object.__new__(self._PARTS or type(self))
        for name in part._COLUMNS:
            if hasattr(self, name):
                setattr(part, name, change(getattr(self, name)))
        for name in part._SHARED:
            if hasattr(self, name):
                setattr(part, name, getattr(self, name))
        return part  # type: ignore[return-value]  # `_PARTS` is a base of this class

    @classmethod
    def _empty(cls) -> Self:
        """Return a table without rows, or raise a ValueError if its columns depend on what is in it."""
        raise ValueError(f"parts: expected at least one {cls.__name__}")

    @classmethod
    def _joined(cls, parts: Sequence[Any]) -> Self:
        """Return the concatenation of tables of this class, of which there is at least one."""
        table = object.__new__(cls)
        for name in cls._COLUMNS:
            if all(hasattr(part, name) for part in parts):
                setattr(table, name, joined([getattr(part, name) for part in parts]))
        for name, value in cls._shared_of(parts).items():
            setattr(table, name, value)
        return table

    @classmethod
    def _shared_of(cls, parts: Sequence[Any]) -> dict[str, Any]:
        """Return what the concatenation of some tables shares: by default, what the first of them does."""
        return {name: getattr(parts[0], name) for name in cls._SHARED if hasattr(parts[0], name)}

    def _state(self) -> dict[str, Any]:
        """Return what a pickle keeps, by name."""
        names = (*self._COLUMNS, *self._SHARED)
        return {name: getattr(self, name) for name in names if hasattr(self, name)}

    def __reduce__(self) -> Any:
        return _restored, (self._PARTS or type(self), self._state())

    def _check(self) -> None:
        """Check the columns of an unpickled table, and convert them where necessary."""

    # For other libraries.

    def _arrow_columns(self) -> dict[str, Any]:
        """Return the columns of `to_arrow` and `to_dict`, by name."""
        return {name: getattr(self, name) for name in self._COLUMNS}

    def to_arrow(self) -> "pyarrow.Table":
        """Return an Arrow table with a row for each row of this table, without copying what need not be copied.

        Missing values are null. This needs pyarrow: ``pip install pyarrow``. Libraries that read Arrow accept
        tables directly, too: ``polars.DataFrame(positions)``, ``pyarrow.table(positions)``, and ``positions`` as the
        name of a table in DuckDB's SQL.

        >>> Positions.from_boards([Board()]).to_arrow()["knights"].to_pylist()
        [4755801206503243842]
        """
        return table_of(self._arrow_columns())

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns of `to_arrow` as lists of Python values, None where a value is missing.

        >>> Positions.from_boards([Board()]).to_dict()["knights"]
        [4755801206503243842]
        """
        return {name: values_of(column) for name, column in self._arrow_columns().items()}

    def to_polars(self) -> "polars.DataFrame":
        """Return a Polars data frame with the columns of `to_arrow`. polars must be installed.

        >>> Positions.from_boards([Board()]).to_polars()["knights"].to_list()
        [4755801206503243842]
        """
        return polars_frame(self.to_arrow())

    def to_pandas(self) -> "pandas.DataFrame":
        """Return a pandas data frame with the columns of `to_arrow`. pandas must be installed.

        >>> Positions.from_boards([Board()]).to_pandas()["knights"].tolist()
        [4755801206503243842]
        """
        return pandas_frame(self.to_arrow())

    def __arrow_c_schema__(self) -> Any:
        return self[:0].to_arrow().schema.__arrow_c_schema__()

    def _repr_html_(self) -> str:
        """Return a table of the first and the last rows, for notebooks."""
        from rookery.frames.html_tables import first_and_last, table_html

        numbers = first_and_last(len(self))
        part = self[np.array(numbers, np.int64)]
        columns = part.to_dict()
        rows = [(i, [column[k] for column in columns.values()]) for k, i in enumerate(numbers)]
        return table_html(["", *columns], rows, repr(self)[1:-1])


def _restored(kind: type[Frame], state: dict[str, Any]) -> Frame:
    """Return a table that was pickled."""
    table = object.__new__(kind)
    for name, value in state.items():
        setattr(table, name, value)
    table._check()
    return table
