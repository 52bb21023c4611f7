"""Packed rows: what a dataset stores of a position, as one column of bytes that exchanges move as a whole.

A row has the words of its position, its move, score, result and ply, a hash of the name of its file, and if asked for
the words of earlier positions of its game.
"""

import hashlib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.data.encoders.histories import Histories
from rookery.data.pipeline.features import PACKED, Feature, result_words, score_words
from rookery.data.training import limits
from rookery.data.training.binary.chains import firsts_of
from rookery.data.training.row_positions import RowPositions
from rookery.data.training.samples import ScoredPositions
from rookery.frames.arrow import pyarrow_module
from rookery.frames.columns import Categorical
from rookery.games.games import Games
from rookery.lazy_imports import Named
from rookery.positions.language.block import Block
from rookery.positions.positions import Positions

if TYPE_CHECKING:
    from rookery.data.datasets import rows as stored_rows
else:
    stored_rows = Named("rookery.data.datasets.rows")

_LIMITS: Final = {one.name: one for one in (limits.NO_MOVE, limits.NO_RESULT, limits.NO_SCORE, limits.ILLEGAL)}
ROWS, NUMBER = "\x1frows", "\x1fnumber"  # the columns of packed rows, and of the numbers of games
UNSTORABLE: Final = "position that cannot be stored"


class Earlier(NamedTuple):
    """Positions in the order of their games: all of them, where the game of each begins, and which of them rows are."""

    positions: Positions
    begin: NDArray[np.int64]
    rows: NDArray[np.int64]

    @classmethod
    def in_games(cls, games: Games, positions: Any, chosen: Any) -> "Earlier":
        """Return all `positions` of games, some of which are `chosen`."""
        lengths = games.plies + 1
        firsts = np.cumsum(lengths) - lengths
        return cls(positions, np.repeat(firsts, lengths), firsts[chosen.game] + chosen.ply)

    @classmethod
    def in_rows(cls, rows: ScoredPositions, chosen: RowPositions) -> "Earlier":
        """Return the positions of training data: files may leave out some of a game, where moves do not lead on."""
        index = np.arange(len(rows))
        return cls(rows.positions, np.maximum.accumulate(np.where(firsts_of(rows), index, 0)), chosen.rows)


class Packing(NamedTuple):
    """How rows are packed: the names of the limits that leave some out, and the number of earlier positions."""

    limits: tuple[str, ...] = ()
    history: int = 0

    @property
    def dtype(self) -> np.dtype[Any]:
        """Return the dtype of a packed row."""
        words = [(name, *field) for name, *field in stored_rows.ROW.descr if name not in ("file", "number")]
        return np.dtype([*words, ("file", "<u8"), *stored_rows.earlier_fields(self.history)])

    def column(self, name: str) -> Feature:
        """Return the column of packed rows under some name."""
        return Feature(name, f"binary[{self.dtype.itemsize}]", PACKED, needs_games=True)

    def packed(
        self, block: Block, files: Categorical, counts: dict[str, Any], earlier: Earlier | None = None
    ) -> tuple[Block, NDArray[np.intp], Any]:
        """Return those rows of a block that are kept, their indices in it, and their packed column.

        `files` are the files of the rows. Rows that are left out are counted by reason.
        """
        rows = _scored(block.positions)
        keep = np.ones(block.n, np.bool_)
        counts["chosen"] = counts.get("chosen", 0) + block.n
        dropped = counts.setdefault("dropped", {})
        limits.drop(rows, [_LIMITS[name] for name in self.limits], dropped, keep)
        stored = stored_rows.packed(rows)
        lost = keep & (stored["position"][:, 0] == 0)
        if lost.any():
            dropped[UNSTORABLE] = dropped.get(UNSTORABLE, 0) + int(np.count_nonzero(lost))
            keep &= ~lost
        index = np.flatnonzero(keep)
        out = np.zeros(index.size, self.dtype)
        for name in ("position", "move", "score", "result", "ply"):
            out[name] = stored[name] if index.size == block.n else stored[name][index]
        names = counts.setdefault("names", [])
        names += [name for name in files.names if name not in names]
        out["file"] = np.array([file_hash(name) for name in files.names] or [0], np.uint64)[files.codes[index]]
        if self.history and earlier is not None:
            self._add_earlier(out, earlier._replace(rows=earlier.rows[index]))
        pa = pyarrow_module()
        column = pa.Array.from_buffers(pa.binary(self.dtype.itemsize), index.size, [None, pa.py_buffer(out)])
        return block if index.size == block.n else block.part(index), index, column

    def _add_earlier(self, out: NDArray[Any], earlier: Earlier) -> None:
        """Write the earlier positions of rows, and which of them have occurred before."""
        positions, begin, index = earlier
        words = stored_rows.words_of(positions)
        repeated = Histories(positions, begin, index).repeated
        for k in range(self.history + 1):
            before = index - k
            known = before >= begin[index]
            if k:
                out["earlier"][known, k - 1] = words[before[known]]
            out["repeated"][known] |= repeated[before[known]].astype(np.uint8) << np.uint8(k)


def file_hash(name: str) -> int:
    """Return 64 bits of a digest of the name of a file."""
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest()[:8], "little")


def _scored(positions: Any) -> ScoredPositions:
    """Return positions with what their games say, if they have any."""
    board = Positions(positions.columns)
    if not positions._knows_games():
        return ScoredPositions(board)
    results, scores = result_words(positions), score_words(positions)
    return ScoredPositions(board, moves=positions.played_moves(), scores=scores, results=results, plies=positions.ply)
