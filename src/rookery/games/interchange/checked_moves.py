"""Digests of moves that were found legal when a file was written, so that they need not be checked again.

The metadata of a Parquet file has a digest of the start positions and moves of each 4,096 games of a row group, if all
moves of the group are legal. A reader computes the digest again, in a tenth of the time that a check of the moves
takes. Where it differs, or where there is none, every move is checked: in damaged files, in files that another program
has changed, and in files that rookery did not write.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final, Self

import numpy as np

from rookery.frames.arrow import is_text, pyarrow_module, whole_array
from rookery.frames.reading import flat_lists
from rookery.games.games import Games
from rookery.games.interchange.schema import FORMAT
from rookery.games.positions.check_moves import illegal_move

BATCH: Final = 1 << 12  # games that have a digest together
_KEY: Final = b"rookery moves checked"


def digest(table: Any) -> str:
    """Return a digest of the start positions and the moves of a table of games; "" if they have other types."""
    pa = pyarrow_module()
    kind = table.schema.field("moves").type
    if not ((pa.types.is_list(kind) or pa.types.is_large_list(kind)) and kind.value_type == pa.uint16()):
        return ""
    offsets, words = flat_lists("moves", whole_array(table.column("moves")))
    if words.null_count:
        return ""
    content = hashlib.sha256(f"{FORMAT} {table.num_rows} ".encode())
    content.update(np.ascontiguousarray(offsets).data)
    content.update(np.ascontiguousarray(words.to_numpy(zero_copy_only=False)).data)
    for name, is_right in (("start", is_text), ("chess960", pa.types.is_boolean)):
        column = whole_array(table.column(name)) if name in table.column_names else None
        if column is not None and not (is_right(column.type) or column.null_count == len(column)):
            return ""
        content.update(json.dumps([name, _rows_with_values(column)]).encode())
    return content.hexdigest()[:32]


def _rows_with_values(column: Any) -> list[Any]:
    """Return the number and the value of each row that is not null, false or empty."""
    if column is None or column.null_count == len(column):
        return []
    if column.type == pyarrow_module().bool_():  # true in few rows: a batch as a list takes 0.3 ms
        values = column.fill_null(False) if column.null_count else column
        rows = np.flatnonzero(values.to_numpy(zero_copy_only=False))
        return [[i, True] for i in rows.tolist()]
    return [[i, value] for i, value in enumerate(column.to_pylist()) if value]


class CheckedMoves:
    """The digests of a file's moves: a list for each row group, which is empty if some move of it is not legal."""

    def __init__(self, groups: list[list[str]]) -> None:
        self._groups = groups

    @classmethod
    def of_metadata(cls, metadata: Mapping[bytes, bytes] | None) -> Self:
        """Return the digests in a file's metadata; there are none if another program has written something else."""
        try:
            groups = json.loads((metadata or {}).get(_KEY, b"[]"))
        except ValueError:
            groups = []
        is_readable = isinstance(groups, list) and all(isinstance(group, list) for group in groups)
        return cls(groups if is_readable else [])

    @property
    def metadata(self) -> dict[bytes, bytes]:
        """Return the entry of the metadata."""
        return {_KEY: json.dumps(self._groups).encode()}

    def add(self, games: Games, table: Any) -> None:
        """Check the moves of a row group, and add their digests if they are legal."""
        is_legal = illegal_move(games.columns) is None
        self._groups.append([digest(part) for part in _batches(table)] if is_legal else [])

    def agree(self, group: int, batch: int, table: Any) -> bool:
        """Check whether the games of one batch of a row group are those that were checked when they were written."""
        digests = self._groups[group] if group < len(self._groups) else []
        return batch < len(digests) and digests[batch] != "" and digests[batch] == digest(table)

    def agree_in(self, group: int, table: Any) -> bool:
        """Check the same for a whole row group."""
        return all(self.agree(group, k, part) for k, part in enumerate(_batches(table)))


def _batches(table: Any) -> list[Any]:
    return [table.slice(start, BATCH) for start in range(0, table.num_rows, BATCH)]
