"""Rows of a dataset: a position in 32 bytes, its move, score, result and ply in 8, and where it comes from in 8 more.

    occupied  the squares that have a piece
    low, high the pieces in four bits each, in the order of their squares; a rook that may castle has a code of its own
    state     bit 0 black to move, 1 Chess960, 2 a pawn has just jumped; then the half-move clock (30 bits), the
              full-move number (27 bits) and the file of the pawn that jumped (3 bits)

Everything of a position is stored, so it comes back as it was. Only what no game reaches cannot be stored: more than 32
pieces, an empty board, a full-move number of 2 to the power of 27 or more.
"""

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.data.training.binary.nibbles import KINDS, MOST_PIECES, ROOK, WHITE, codes_of, nibbles_of, pack, unpack
from rookery.data.training.binary.nibbles import MARKED as CASTLES
from rookery.data.training.samples import ScoredPositions
from rookery.kernel import U64, Word, array_of, entry, kernel, popcount, trailing_zeros
from rookery.positions.kernels.lanes import Lane, load, occupied_of, store, with_state
from rookery.positions.layout import BLACK_TO_MOVE, CHESS960, CLOCK_SHIFT, COUNTER, MARKED, NUMBER_SHIFT, empty_columns
from rookery.positions.positions import Positions
from rookery.rules.faults import form_faults

if TYPE_CHECKING:
    from rookery.data.datasets.options import Options
else:
    Options = Any

ROW: Final = np.dtype(
    [
        ("position", "<u8", 4), ("move", "<u2"), ("score", "<i2"), ("result", "<i2"), ("ply", "<u2"),
        ("file", "<u4"), ("number", "<u4"),  # the index of the file, and the number of the game in it, from 1
    ]
)  # fmt: skip
# With `targets="mean"`: how many rows had the position, how they ended, and the mean of their scores, NaN without one.
_MEANS: Final = [("count", "<u4"), ("wins", "<u4"), ("draws", "<u4"), ("losses", "<u4"), ("mean_score", "<f4")]
MOST_PLIES: Final = (1 << 16) - 1
_CODES: Final = codes_of(*KINDS, *(kind | WHITE for kind in KINDS), ROOK | CASTLES, ROOK | WHITE | CASTLES)
_NIBBLES: Final = nibbles_of(_CODES)
_JUMPED = MARKED  # rows with the mark of a bad line are not stored, so its bit is free
_FILE_SHIFT = 60
_NUMBER = (1 << (_FILE_SHIFT - NUMBER_SHIFT)) - 1
_RANK_3, _RANK_6, _SEVEN = 16, 40, 7


@entry(examples=lambda: (empty_columns(1), array_of(np.uint8), array_of(U64, 2)))
def pack_rows(c: Any, nibbles: Any, out: Any) -> None:
    """Write the four words of each position, (n, 4). Those that cannot be stored are zeros."""
    for i in range(out.shape[0]):
        p = load(c, i)
        occupied = occupied_of(p)
        number = p.state >> NUMBER_SHIFT & COUNTER
        if popcount(occupied) > MOST_PIECES or number > _NUMBER or p.state & MARKED:
            out[i, 0] = out[i, 1] = out[i, 2] = out[i, 3] = U64(0)
            continue
        low, high = pack(p[:5], p.white, p.castling, nibbles)
        state = p.state
        if p.en_passant:
            state |= _JUMPED | (trailing_zeros(p.en_passant) & _SEVEN) << _FILE_SHIFT
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = occupied, low, high, state


@kernel
def _lane(occupied: Word, low: Word, high: Word, stored: Word, codes: Any) -> tuple[Lane, Word]:
    """Return the position of four words, and whether they are those of no position."""
    found = unpack(occupied, low, high, codes)
    black = stored & BLACK_TO_MOVE
    square = (_RANK_3 if black else _RANK_6) + (stored >> _FILE_SHIFT & _SEVEN)
    en_passant = U64(1) << square if stored & _JUMPED else 0
    number = stored >> NUMBER_SHIFT & _NUMBER
    state = stored & (BLACK_TO_MOVE | CHESS960 | COUNTER << CLOCK_SHIFT) | number << NUMBER_SHIFT
    p = Lane(*found.pieces, found.white, found.marked, en_passant, state)
    return p, found.invalid | form_faults(with_state(p, 0)) | stored >> 63


@entry(examples=lambda: (array_of(U64, 2), array_of(np.uint8), empty_columns(1)))
def unpack_rows(words: Any, codes: Any, c: Any) -> Any:
    """Write the positions of rows of four words; return the index of the first that is not a position, or n."""
    n = U64(words.shape[0])
    first = n
    for i in range(n):
        p, fault = _lane(words[i, 0], words[i, 1], words[i, 2], words[i, 3], codes)
        store(c, i, p)
        if fault and first == n:
            first = U64(i)
    return first


class NotAPositionError(ValueError):
    """Words of a row that are of no position: the row is damaged."""


def row_dtype(options: Options) -> np.dtype[Any]:
    """Return the dtype of the rows of a dataset: `ROW`, and what its options add.

    With history, ``earlier`` are the words of earlier positions, the newest first, zeros where the game has none, and
    bit k of ``repeated`` says whether the position k half-moves before has occurred before.
    """
    fields: list[Any] = list(ROW.descr)
    fields += _MEANS if options.targets == "mean" else []
    fields += earlier_fields(options.history)
    return np.dtype([*fields, *((column.name, column.dtype) for column in options.columns)])


def earlier_fields(history: int) -> list[Any]:
    """Return the fields of a row for some earlier positions."""
    return [("earlier", "<u8", (history, 4)), ("repeated", "u1")] if history else []


def packed(rows: ScoredPositions) -> NDArray[Any]:
    """Return rows as an array of the dtype `ROW`. The words of positions that cannot be stored are zeros."""
    out = np.zeros(len(rows), ROW)
    out["position"] = words_of(rows.positions)
    out["move"], out["score"], out["result"] = rows.moves, rows.scores, rows.results
    out["ply"] = np.clip(rows.plies, 0, MOST_PLIES)
    return out


def words_of(positions: Positions) -> NDArray[np.uint64]:
    """Return the four words of each position, (n, 4); zeros for those that cannot be stored."""
    words = np.empty((len(positions), 4), np.uint64)
    pack_rows(positions.columns, _NIBBLES, words)
    return words


def unpacked(rows: NDArray[Any]) -> Positions:
    """Return the positions of rows. Raise NotAPositionError for the first row whose words are of none."""
    return positions_of(np.ascontiguousarray(rows["position"]))


def positions_of(words: NDArray[np.uint64]) -> Positions:
    """Return the positions of words, (n, 4); the inverse of `words_of`."""
    columns = empty_columns(len(words))
    bad = int(unpack_rows(words, _CODES, columns))
    if bad < len(words):
        raise NotAPositionError(f"row {bad}: {[hex(word) for word in words[bad].tolist()]}: not a position")
    return Positions(columns)


def scored(rows: NDArray[Any]) -> ScoredPositions:
    """Return rows as `ScoredPositions`; the inverse of `packed`."""
    return ScoredPositions(
        unpacked(rows), moves=rows["move"], scores=rows["score"], results=rows["result"], plies=rows["ply"]
    )
