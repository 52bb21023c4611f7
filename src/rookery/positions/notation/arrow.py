"""Conversion of columns from and to mappings of NumPy arrays and Arrow tables.

Arrays are not copied where that can be avoided. Compiled code relies on positions that a FEN can describe, possible or
not, so arrays are checked for faults of the form (`rookery.rules.faults`).
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.frames.arrow import as_table, check_sound, whole_array
from rookery.frames.reading import text_column
from rookery.kernel import array_of, entry
from rookery.positions.kernels.lanes import load, with_state
from rookery.positions.layout import NO_POSITION, UNUSED, Columns, empty_columns
from rookery.positions.operands import checked_columns
from rookery.rules import faults

_STATE: Final = 2 * faults.EN_PASSANT_RANK  # a bit that no fault of the form has

# For each fault of the form: the column that has it, and what was expected. The first of them is reported.
_EXPECTED: Final = {
    faults.OVERLAPPING_KNIGHTS: ("knights", "a pawn stands there, too"),
    faults.OVERLAPPING_DIAGONALS: ("diagonals", "a pawn or knight stands there, too"),
    faults.OVERLAPPING_ORTHOGONALS: ("orthogonals", "a pawn or knight stands there, too"),
    faults.OVERLAPPING_KINGS: ("kings", "another piece stands there, too"),
    faults.COLOURS: ("white", "expected squares with pieces"),
    faults.CASTLING_ROOK | faults.CASTLING_KING | faults.CASTLING_TWICE: (
        "castling",
        "expected rooks on the back rank of their side's only king, at most one each way",
    ),
    faults.EN_PASSANT_RANK: (
        "en_passant",
        "expected no square, or one: on rank 6 when white is to move, on rank 3 when black is",
    ),
    _STATE: ("state", "expected bit 63 not to be set"),
}


@entry(examples=lambda: (empty_columns(1), array_of(np.uint16)))
def column_faults(c: Any, out: Any) -> None:
    """Write the mask of what is wrong with the columns at each position."""
    for i in range(out.size):
        p = load(c, i)
        out[i] = faults.form_faults(with_state(p, 0)) | (_STATE if p.state & UNUSED else 0)


def check(columns: Columns) -> None:
    """Raise a ValueError that names the column and index of the first thing that is not a position."""
    out = np.empty(columns.state.size, np.uint16)
    column_faults(columns, out)
    if not out.any():
        return
    i = int(np.argmax(out != 0))
    name, expected = next(message for fault, message in _EXPECTED.items() if out[i] & fault)
    raise ValueError(f"{name}[{i}]: {int(getattr(columns, name)[i]):#x}: {expected}")


def from_arrays(arrays: Mapping[str, Any], *, checked: bool) -> Columns:
    """Return the columns of a mapping from their names to arrays; other names are ignored."""
    if not isinstance(arrays, Mapping):
        raise TypeError(f"arrays: {type(arrays).__name__}: expected a mapping from the names of columns to arrays")
    return _from_named("arrays", arrays, lambda name: np.asarray(arrays[name]), checked)


def _from_named(name: str, names: Any, column: Callable[[str], NDArray[Any]], checked: bool) -> Columns:
    missing = [name for name in Columns._fields if name not in names]
    if missing:
        raise ValueError(f"{name}: no column {', '.join(missing)}: expected {', '.join(Columns._fields)}")
    columns = checked_columns(Columns(*(column(name) for name in Columns._fields)))
    if checked:
        check(columns)
    return columns


def from_arrow(table: Any, *, checked: bool) -> Columns:
    """Return the columns of an Arrow table or record batch, or of any object with Arrow's C interface."""
    table = as_table(table)
    missing = None
    present = [name for name in Columns._fields if name in table.schema.names]
    for name in present if checked else ():
        check_sound(table.column(name))
    nulls = {name: table.column(name).null_count for name in present}
    if len(present) == len(Columns._fields) and all(nulls.values()):
        missing = whole_array(table.column("state").is_null()).to_numpy(zero_copy_only=False)
        for name in present:
            if not np.array_equal(missing, whole_array(table.column(name).is_null()).to_numpy(zero_copy_only=False)):
                raise ValueError(f"{name}: nulls in other rows than those of state: a missing position has no columns")

    def column(name: str) -> NDArray[Any]:
        values = table.column(name)
        if str(values.type) != "uint64":
            raise TypeError(f"{name}: a column of {values.type}: expected uint64")
        if missing is not None:
            values = values.fill_null(int(NO_POSITION) if name == "state" else 0)
        elif values.null_count:
            raise ValueError(f"{name}: {values.null_count} nulls: expected a number for every position")
        return np.asarray(whole_array(values).to_numpy(zero_copy_only=True))

    return _from_named("table", table.schema.names, column, checked)


def words_of_texts(positions: Any, name: str, array: Any) -> NDArray[np.uint16]:
    """Return the moves of an Arrow array of texts, one for each position, as words: 0 for a null or an empty text."""
    texts = list(text_column(name, whole_array(array)))
    words = np.zeros(len(positions), np.uint16)
    rows = np.flatnonzero([bool(text) for text in texts])
    if rows.size:
        words[rows] = positions[rows].parse_san([texts[i] for i in rows.tolist()])
    return words
