"""The facts about the games of an index: a file of rows that are read where they are, with a checksum for each block.

The rows come first, then the checksums: CRC-32, 4 bytes for each block of 256 rows.
"""

import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from rookery.games.openings.growth import NAME
from rookery.sources.disk import DISK
from rookery.sources.files import Damaged

FACTS: Final = NAME  # facts about a game: all but the number of its name
_BLOCK: Final = 1 << 8  # rows
_ROW: Final = 4 * FACTS
_CHECKSUM: Final = 4
_COPIED: Final = 1 << 10  # blocks at once


class Facts:
    """The facts about games in a file, which the system reads as they are needed.

    rows    uint32, (n, 4): the first four of `rookery.games.openings.facts`, which are result, ratings and day
    """

    def __init__(self, path: str | Path) -> None:
        size = Path(path).stat().st_size
        begin = checksums_begin(size)
        data: Any = np.asarray(DISK.mapped(path, private=True)) if size else np.zeros(0, np.uint8)
        self._path = path
        self.rows: NDArray[np.uint32] = data[:begin].view("<u4").reshape(-1, FACTS)
        self._checksums = data[begin:].view("<u4")
        self._checked = np.zeros(self._checksums.size, np.bool_)

    def of(self, games: NDArray[Any]) -> NDArray[np.uint32]:
        """Return the rows of games after a check of their blocks, unless it was done, which raises a ValueError."""
        blocks = games // _BLOCK
        are_checked = self._checked[blocks]
        if not are_checked.all():
            for block in np.unique(blocks[~are_checked]).tolist():
                self._check(block)
                self._checked[block] = True
        found: NDArray[np.uint32] = self.rows[games]
        return found

    def checked(self) -> Iterator[bytes]:
        """Yield all rows, block by block, after a check of each."""
        for block in range(self._checksums.size):
            self._check(block)
            yield self.rows[block * _BLOCK : (block + 1) * _BLOCK].tobytes()

    def _check(self, block: int) -> None:
        rows = self.rows[block * _BLOCK : (block + 1) * _BLOCK]
        if zlib.crc32(rows.data) != self._checksums[block]:
            raise Damaged(f"index: {self._path}: damaged from byte {block * _BLOCK * _ROW:,} on: make the index again")


def checksums_begin(size: int) -> int:
    """Return the first byte of the checksums in a file of so many bytes."""
    return size - _CHECKSUM * -(-size // (_BLOCK * _ROW + _CHECKSUM))


def write_facts(out: BinaryIO, pieces: Iterable[bytes]) -> None:
    """Write rows to an open file, and their checksums."""
    checksums: list[int] = []
    rest = b""
    for piece in pieces:
        data = rest + piece
        whole = len(data) - len(data) % (_BLOCK * _ROW)
        checksums += _checksums_of(data[:whole])
        out.write(piece)
        rest = data[whole:]
    out.write(np.array(checksums + _checksums_of(rest), "<u4").tobytes())


def _checksums_of(data: bytes) -> list[int]:
    size = _BLOCK * _ROW
    return [zlib.crc32(memoryview(data)[at : at + size]) for at in range(0, len(data), size)]


def pieces_of(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file of rows, some blocks at once."""
    with DISK.open(path, buffered=False) as file:
        while piece := file.read(_COPIED * _BLOCK * _ROW):
            yield piece
