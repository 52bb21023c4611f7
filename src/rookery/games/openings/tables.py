"""The moves and the positions of an opening tree as tables."""

from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from rookery.frames.arrow import categorical_column
from rookery.frames.columns import Categorical, Numbers, Texts, cut, values_of
from rookery.frames.frame import Frame
from rookery.frames.reading import column_of, columns_in
from rookery.games.openings.growth import CHILD, EXAMPLE, MOVE, PARENT
from rookery.positions.notation.text import texts_of as fens_of

# Of columns that may have nothing but missing values.
_DTYPES: Final = {
    **dict.fromkeys(("score", "average_rating", "performance"), "f8"),
    **dict.fromkeys(("first_played", "last_played"), "M8[D]"),
}


class OpeningTable(Frame):
    r"""The moves, or the positions, of an `OpeningTree`: a table with a row for each; see `OpeningTree.table`.

    `columns` are `Numbers`, `Texts` and, for ``file``, `Categorical` columns by name. An int index gives a row as a
    dict, a slice, a mask or indices a table, and a name a column.

    >>> table = read_pgn(b"1. e4 e5 1-0\n\n1. e4 c5 0-1").opening_tree().table()
    >>> table
    <3 rows>
    >>> table["san"].tolist()
    ['e4', 'e5', 'c5']
    >>> table[0]["games"]
    2
    """

    __slots__ = ("columns",)
    _COLUMNS = ("columns",)
    columns: dict[str, Any]

    @classmethod
    def of(cls, columns: dict[str, Any]) -> Self:
        """Return the table of arrays, in which NaN and NaT are missing, and of columns of texts."""
        table = object.__new__(cls)
        table.columns = {name: _with_mask(column) for name, column in columns.items()}
        return table

    @classmethod
    def from_arrow(cls, table: Any) -> Self:
        r"""Return the rows in an Arrow table, or in any object with Arrow's C interface, that `to_arrow` made.

        >>> table = read_pgn(b"1. e4 e5 1-0").opening_tree().table("positions")
        >>> type(table).from_arrow(table.to_arrow()) == table
        True
        """
        columns = columns_in(table, ["position", "fen", "file", "number"])
        read = {name: column_of(name, array, _DTYPES.get(name)) for name, array in columns.items() if name != "file"}
        files = categorical_column("file", columns["file"])
        return cls.of({name: read.get(name, files) for name in columns})

    def __len__(self) -> int:
        size: int = self.columns["position"].size
        return size

    def _row(self, i: int) -> dict[str, Any]:
        return {name: values_of(cut(column, i, i + 1))[0] for name, column in self.columns.items()}

    def _arrow_columns(self) -> dict[str, Any]:
        return self.columns


def _with_mask(column: Any) -> Any:
    if not isinstance(column, np.ndarray):
        return column
    if column.dtype.kind in "OU":
        return Texts.of(column.tolist())
    missing = {"f": np.isnan, "M": np.isnat}.get(column.dtype.kind)
    valid = np.ones(column.size, np.bool_) if missing is None else ~missing(column)
    return Numbers(column, valid)


def table_of(tree: Any, rows: str) -> OpeningTable:
    """Return a table with a row for each of the ``"moves"`` or ``"positions"`` of an `OpeningTree`."""
    return OpeningTable.of(_moves(tree) if rows == "moves" else _positions(tree))


def _moves(tree: Any) -> dict[str, Any]:
    used = tree._storage.used_moves
    before, after = used.links[:, PARENT].astype(np.int64), used.links[:, CHILD].astype(np.int64)
    words = used.links[:, MOVE].astype(np.uint16)
    boards = tree._storage.boards(before)
    names = tree._best_names(np.arange(len(tree)))
    return {
        "position": before,
        "fen": fens_of(boards.columns),
        "uci": boards.uci(words),
        "san": boards.san(words),
        "after": after,
        **tree._move_statistics(slice(None))._asdict(),
        **_names(tree, names[after]),
        **_examples(tree, used.tallies[:, EXAMPLE]),
    }


def _positions(tree: Any) -> dict[str, Any]:
    rows = np.arange(len(tree))
    return {
        "position": rows,
        "fen": fens_of(tree._storage.boards().columns),
        **tree._position_statistics(slice(None))._asdict(),
        **_names(tree, tree._best_names(rows)),
        **_examples(tree, tree._storage.used_positions.tallies[:, EXAMPLE]),
    }


def _names(tree: Any, numbers: NDArray[np.int64]) -> dict[str, Texts]:
    columns = zip(*tree._names, strict=True)
    return {name: Texts.of(texts).chosen(numbers) for name, texts in zip(("eco", "opening"), columns, strict=True)}


def _examples(tree: Any, games: NDArray[np.uint32]) -> dict[str, Any]:
    """Return the file of the first game of each row, and its number there."""
    begins = np.array([before for before, _, _ in tree._added], np.int64)
    batch = np.searchsorted(begins, games.astype(np.int64) - 1, "right") - 1
    numbers = np.zeros(games.size, np.int64)
    for i in np.unique(batch).tolist():
        of_batch = batch == i
        before, _, given = tree._added[i]
        numbers[of_batch] = np.asarray(given)[games[of_batch].astype(np.int64) - 1 - before]
    names: dict[str, int] = {}
    codes = np.array([names.setdefault(file, len(names)) for _, file, _ in tree._added], np.int32)
    return {"file": Categorical(codes[batch], tuple(names)), "number": numbers}
