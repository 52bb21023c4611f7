"""Columns to and from the tables of others: a mapping of NumPy arrays, an Arrow table.

What is given is used as it lies, not copied, where that can be. Compiled code relies on positions being such as the
reader of FENs makes them, possible or not, so what is given is checked to be that.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arrow_tables import check_table, pyarrow_module, whole_array
from rookery.bits import FIRST_RANK, reset_ls1b
from rookery.kernel import U64, UNIVERSE, Bits, Word, entry, kernel
from rookery.positions.layout import BLACK_TO_MOVE, Columns, Lane, load, occupied_of
from rookery.positions.operands import checked_columns

_RANK_3, _RANK_6, _RANK_8 = (FIRST_RANK << U64(8 * (rank - 1)) for rank in (3, 6, 8))
_UNUSED: Final = 1 << 63
_FAULTS: Final = (
    ("knights", "a pawn stands there, too"),
    ("diagonals", "a pawn or knight stands there, too"),
    ("orthogonals", "a pawn or knight stands there, too"),
    ("kings", "another piece stands there, too"),
    ("white", "expected squares with pieces"),
    ("castling", "expected rooks on the back rank of their side's only king, at most one each way"),
    ("en_passant", "expected no square, or one: on rank 6 when white is to move, on rank 3 when black is"),
    ("state", "expected bit 63 not to be set"),
)
_KNIGHTS, _DIAGONALS, _ORTHOGONALS, _KINGS, _WHITE, _CASTLING, _EN_PASSANT, _STATE = range(1, 9)


@kernel
def _castling_fault(castling: Bits, kings: Bits, rooks: Bits, back: Bits) -> Bits:
    """What is wrong with the castling rooks of a side."""
    fault = castling & ~(rooks & back)
    fault |= 0 if kings & back and not reset_ls1b(kings) else castling
    left, right = castling & (kings - 1), castling & ~(kings - 1)
    return fault | reset_ls1b(left) | reset_ls1b(right)


@kernel
def fault_of(p: Lane) -> Word:
    """The first fault of a position by number, or 0."""
    light = p.pawns | p.knights
    occupied = occupied_of(p)
    black = occupied & ~p.white
    rooks = p.orthogonals & ~p.diagonals
    rights = p.castling & ~occupied
    rights |= _castling_fault(p.castling & p.white, p.kings & p.white, rooks, FIRST_RANK)
    rights |= _castling_fault(p.castling & black, p.kings & black, rooks, _RANK_8)
    third = _RANK_3 if p.state & BLACK_TO_MOVE else _RANK_6
    fault = _STATE if p.state & _UNUSED else 0
    fault = _EN_PASSANT if p.en_passant & (UNIVERSE ^ third) | reset_ls1b(p.en_passant) else fault
    fault = _CASTLING if rights else fault
    fault = _WHITE if p.white & ~occupied else fault
    fault = _KINGS if p.kings & (light | p.diagonals | p.orthogonals) else fault
    fault = _ORTHOGONALS if p.orthogonals & light else fault
    fault = _DIAGONALS if p.diagonals & light else fault
    return _KNIGHTS if p.pawns & p.knights else fault


@entry
def faults(c: Any, out: Any) -> None:
    """The first fault of each position."""
    for i in range(out.size):
        out[i] = fault_of(load(c, i))


def check(columns: Columns) -> None:
    """Raise a ValueError for the first position that is none, naming its column and its index."""
    out = np.empty(columns.state.size, np.uint8)
    faults(columns, out)
    if not out.any():
        return
    i = int(np.argmax(out != 0))
    name, expected = _FAULTS[out[i] - 1]
    raise ValueError(f"{name}[{i}]: {int(getattr(columns, name)[i]):#x}: {expected}")


def from_arrays(arrays: Mapping[str, Any], *, checked: bool) -> Columns:
    """The columns of a mapping from their names to arrays; other names are not looked at."""
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


def to_arrow(columns: Columns) -> Any:
    """Return an Arrow table over the columns."""
    return pyarrow_module().table(columns._asdict())


def from_arrow(table: Any, *, checked: bool) -> Columns:
    """Return the columns of an Arrow table or record batch, or of any object with Arrow's C interface."""
    arrow = pyarrow_module()
    if not isinstance(table, (arrow.Table, arrow.RecordBatch)):
        check_table(table)
        table = arrow.table(table)

    def column(name: str) -> NDArray[Any]:
        values = table.column(name)
        if values.type != arrow.uint64():
            raise TypeError(f"{name}: a column of {values.type}: expected uint64")
        if values.null_count:
            raise ValueError(f"{name}: {values.null_count} nulls: expected a number for every position")
        return np.asarray(whole_array(values).to_numpy(zero_copy_only=True))

    return _from_named("table", table.schema.names, column, checked)
