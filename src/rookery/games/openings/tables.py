"""An opening tree as an Arrow table."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.frames.arrow import pyarrow_module
from rookery.games.openings.growth import CHILD, EXAMPLE, MOVE, PARENT


def table_of(tree: Any, rows: str) -> Any:
    """Return a table with a row for each of the ``"moves"`` or ``"positions"`` of an `OpeningTree`."""
    return _moves(tree) if rows == "moves" else _positions(tree)


def _moves(tree: Any) -> Any:
    arrow, used = pyarrow_module(), tree._storage.used_moves
    before, after = used.links[:, PARENT].astype(np.int64), used.links[:, CHILD].astype(np.int64)
    words = used.links[:, MOVE].astype(np.uint16)
    boards = tree._storage.boards(before)
    names = tree._best_names(np.arange(len(tree)))
    return arrow.table(
        {
            "position": before,
            "fen": boards.to_fens(),
            "uci": boards.uci(words),
            "san": boards.san(words),
            "after": after,
            **_statistics(tree._move_statistics(slice(None))),
            **_names(tree, names[after]),
            **_examples(tree, used.tallies[:, EXAMPLE]),
        }
    )


def _positions(tree: Any) -> Any:
    arrow, used = pyarrow_module(), tree._storage.used_positions
    rows = np.arange(len(tree))
    return arrow.table(
        {
            "position": rows,
            "fen": tree._storage.boards().to_fens(),
            **_statistics(tree._position_statistics(slice(None))),
            **_names(tree, tree._best_names(rows)),
            **_examples(tree, used.tallies[:, EXAMPLE]),
        }
    )


def _statistics(columns: Any) -> dict[str, Any]:
    arrow = pyarrow_module()
    return {name: arrow.array(column, from_pandas=True) for name, column in columns._asdict().items()}


def _names(tree: Any, numbers: NDArray[np.int64]) -> dict[str, Any]:
    return {
        "eco": _chosen([code for code, _ in tree._names], numbers),
        "opening": _chosen([opening for _, opening in tree._names], numbers),
    }


def _chosen(texts: Sequence[str | None], numbers: NDArray[np.int64]) -> Any:
    arrow = pyarrow_module()
    return arrow.array(texts, arrow.string()).take(arrow.array(numbers))


def _examples(tree: Any, games: NDArray[np.uint32]) -> dict[str, Any]:
    """Return the file of the first game of each row, and its number there."""
    arrow = pyarrow_module()
    begins = np.array([before for before, _, _ in tree._added], np.int64)
    batch = np.searchsorted(begins, games.astype(np.int64) - 1, "right") - 1
    numbers = np.zeros(games.size, np.int64)
    for i in np.unique(batch).tolist():
        of_batch = batch == i
        before, _, given = tree._added[i]
        numbers[of_batch] = np.asarray(given)[games[of_batch].astype(np.int64) - 1 - before]
    return {
        "file": _chosen([file for _, file, _ in tree._added], batch),
        "number": arrow.array(numbers),
    }
