"""Bags: the records of searchless chess, one after the other, then a table of their ends.

Three kinds of records say a position and what is learnt of it; a reader takes any of them.

    state-value         the length of the FEN, FEN, value
    action-value        the length of the FEN, FEN, the length of the move, move, value
    behavioral-cloning  the length of the FEN, FEN, move

A length is a varint, a value the chance to win of the side to move, a big-endian double: `win_chance` of the score. A
mate has the value 1 or 0, without its distance, so 1 and 0 are read as a mate in 1,000 plies. The table has the end of
each record, int64 little-endian, so its last entry is where it begins. In a ``.bagz`` file each record is packed by
zstd.

Source: google-deepmind/searchless_chess 90ae0e6 and google-deepmind/bagz, as facts.
"""

import itertools
import struct
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.data.encoders.searchless import scores_of_chances, win_chance
from rookery.data.training import limits
from rookery.data.training.binary.decoding import BAD_POSITION, CUT_SHORT, FAULTS
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.text.rows import OnBad
from rookery.games.positions.scores import MATE
from rookery.positions.positions import Positions
from rookery.sources.failures import DamagedFileError
from rookery.sources.unpack import zstd_compressor, zstd_decompressor

STATE_VALUE, ACTION_VALUE, BEHAVIORAL_CLONING = "state-value", "action-value", "behavioral-cloning"
LIMITS: Final = {
    STATE_VALUE: (limits.NO_SCORE, limits.INVALID, limits.NOT_STANDARD),
    ACTION_VALUE: (limits.NO_SCORE, limits.NO_MOVE, limits.INVALID, limits.NOT_STANDARD, limits.ILLEGAL),
    BEHAVIORAL_CLONING: (limits.NO_MOVE, limits.INVALID, limits.NOT_STANDARD, limits.ILLEGAL),
}
_ENTRY: Final = struct.Struct("<q")
_VALUE: Final = struct.Struct(">d")
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_LONGEST: Final = 1 << 16  # bytes of a record
_MATE: Final = MATE - 1000  # the score of the values 1 and 0
_AT_ONCE: Final = 4096  # records of a writer
_Record = tuple[bytes, bytes, bytes]  # FEN, move and value; b"" for what it does not have


class BagEncoder:
    """A writer of records of one kind, each of them packed if the file is a ``.bagz``."""

    def __init__(self, kind: str, *, packed: bool = False) -> None:
        self._kind = kind
        self._pack = zstd_compressor().compress if packed else bytes
        self._at = 0
        self._ends: list[NDArray[np.int64]] = []

    def add(self, rows: ScoredPositions) -> Iterator[bytes]:
        """Yield the records of some rows, all of which are within the limits."""
        for start in range(0, len(rows), _AT_ONCE):
            records = [self._pack(record) for record in self._records(rows[start : start + _AT_ONCE])]
            ends = self._at + np.cumsum([len(record) for record in records])
            self._ends.append(ends.astype(np.int64))
            self._at = int(ends[-1])
            yield b"".join(records)

    def _records(self, rows: ScoredPositions) -> list[bytes]:
        fens = [_with_length(fen) for fen in rows.positions.to_fens()]
        mates = np.abs(rows.scores) >= _MATE
        values = np.where(mates, rows.scores > 0, win_chance(rows.scores))
        ends = [_VALUE.pack(value) for value in values.tolist()]
        if self._kind == STATE_VALUE:
            return [fen + end for fen, end in zip(fens, ends, strict=True)]
        moves = rows.positions.uci(rows.moves).tolist()
        if self._kind == ACTION_VALUE:
            return [fen + _with_length(move) + end for fen, move, end in zip(fens, moves, ends, strict=True)]
        return [fen + move.encode() for fen, move in zip(fens, moves, strict=True)]

    def end(self) -> Iterator[bytes]:
        """Yield the table of ends."""
        yield from (ends.astype("<i8").tobytes() for ends in self._ends)


def _with_length(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()  # FENs and moves have less than 128 characters


def read(name: str, chunks: Iterator[Any], batch: int, on_bad: OnBad, start: int) -> Iterator[ScoredPositions]:
    """Yield the rows of a file; damage is a `DamagedFileError`, raised after the rows before it."""
    del on_bad, start  # records after a fault cannot be found; files are read from the beginning
    bag = _Bag(name, chunks)
    records, first = bag.records(), 0
    while True:
        held: list[_Record] = []
        error: DamagedFileError | None = None
        try:
            held.extend(itertools.islice(records, batch))
        except DamagedFileError as failure:  # what was read comes first
            error = failure
        if held:
            yield from _rows(name, held, first)
        if error is not None:
            raise error
        if len(held) < batch:
            return
        first += batch


def _rows(name: str, records: list[_Record], first: int) -> Iterator[ScoredPositions]:
    """Yield the rows of records, those before a bad one in parts."""
    try:
        rows = _rows_of(records)
    except ValueError as error:
        n = len(records) // 2
        if not n:
            raise DamagedFileError(name, f"record {first + 1:,}: {str(error).removeprefix('line 1: ')}") from error
        yield from _rows(name, records[:n], first)
        yield from _rows(name, records[n:], first + n)
    else:
        yield rows


def _rows_of(records: list[_Record]) -> ScoredPositions:
    fens, moves, values = zip(*records, strict=True)
    positions = Positions.from_fens([fen.decode("utf-8", "replace") for fen in fens])
    if not positions.is_valid(strict=False).all():
        raise ValueError(f"FEN {shown(fens[0].decode())}: {FAULTS[BAD_POSITION]}")
    rows = ScoredPositions(positions)
    if moves[0]:
        rows.moves[:] = positions.parse_san([move.decode("utf-8", "replace") for move in moves])
    if values[0]:
        chances = np.frombuffer(b"".join(values), ">f8").astype(np.float64)
        if not ((chances >= 0) & (chances <= 1)).all():
            raise ValueError(f"value {chances[0]}: expected 0 to 1")
        rows.scores[:] = scores_of_chances(chances)
    return rows


class _Bag:
    """The records of a file, found from its beginning: where they end, the table begins with the end of the first."""

    def __init__(self, name: str, chunks: Iterator[Any]) -> None:
        self._name, self._chunks = name, chunks
        self._data, self._at, self._before = bytearray(), 0, 0  # what is held, the place in it, and the bytes before
        self._count, self._first, self._end = 0, 0, 0  # records, the end of the first, and that of the last

    def _fill(self, n: int) -> bool:
        """Hold `n` bytes from here on; return False if the file has fewer."""
        while len(self._data) - self._at < n:
            chunk = next(self._chunks, None)
            if chunk is None:
                return False
            self._before += self._at
            del self._data[: self._at]
            self._at = 0
            self._data += chunk
        return True

    def _fail(self, reason: str) -> None:
        raise DamagedFileError(self._name, f"byte {self._before + self._at:,}: {reason}")

    def records(self) -> Iterator[_Record]:
        """Yield the records."""
        if not self._fill(1):
            return
        self._fill(len(_ZSTD))
        is_packed = self._data.startswith(_ZSTD)
        kind = ""
        while not self._is_table():
            if is_packed:
                record = self._unpacked()
                size = len(record)
            else:
                self._fill(_LONGEST)
                record = bytes(self._data[self._at : self._at + 256])
                size = 0
            kind = kind or _kind_of(record)
            found, used = _parsed(record, kind)
            if not used or (is_packed and used != size):
                self._fail(FAULTS[CUT_SHORT] if not self._fill(256) else "a record that is not of searchless chess")
            if not is_packed:
                self._at += used
            self._end = self._before + self._at
            self._first = self._first or self._end
            self._count += 1
            yield found
        self._check_table()

    def _unpacked(self) -> bytes:
        unpack = zstd_decompressor().decompressobj()
        parts = []
        while not unpack.eof:
            if not self._fill(1):
                self._fail(FAULTS[CUT_SHORT])
            given = bytes(self._data[self._at :])
            try:
                parts.append(unpack.decompress(given))
            except Exception as error:  # zstandard raises a class of its own, which may be missing
                raise DamagedFileError(self._name, f"byte {self._before + self._at:,}: {error}") from error
            self._at += len(given) - len(unpack.unused_data)
        return b"".join(parts)

    def _is_table(self) -> bool:
        if not self._count:
            return False
        if not self._fill(_ENTRY.size):
            self._fail(FAULTS[CUT_SHORT])
        return bool(_ENTRY.unpack_from(self._data, self._at)[0] == self._first)

    def _check_table(self) -> None:
        """Read the table to the end of the file, and compare its length and its last entry with the records."""
        left = self._count * _ENTRY.size
        last = -1
        while left and self._fill(_ENTRY.size):
            n = min(left, (len(self._data) - self._at) // _ENTRY.size * _ENTRY.size)
            last = _ENTRY.unpack_from(self._data, self._at + n - _ENTRY.size)[0]
            self._at, left = self._at + n, left - n
        if left:
            self._fail(FAULTS[CUT_SHORT])
        if last != self._end or self._fill(1):
            self._fail(f"the table of ends does not fit the {self._count:,} records before it")


def _kind_of(record: bytes) -> str:
    """Return the kind of a record by what follows its FEN: a length of 4 or 5, the letter of a file, or a number."""
    after = record[record[0] + 1 : record[0] + 2] if record else b""
    if after in (b"\x04", b"\x05"):
        return ACTION_VALUE
    return BEHAVIORAL_CLONING if after and after in b"abcdefgh" else STATE_VALUE


def _parsed(record: bytes, kind: str) -> tuple[_Record, int]:
    """Return the FEN, the move and the value of the record at the beginning of some bytes, and its size, 0 if none."""
    none = (b"", b"", b""), 0
    if not record or record[0] & 0x80:
        return none
    at = 1 + record[0]
    fen, move = record[1:at], b""
    if kind == ACTION_VALUE:
        size = record[at] if at < len(record) else 0
        move = record[at + 1 : at + 1 + size]
        at += 1 + size
    elif kind == BEHAVIORAL_CLONING:
        size = 5 if record[at + 4 : at + 5] and record[at + 4 : at + 5] in b"qrbn" else 4
        move = record[at : at + size]
        at += size
    value = b"" if kind == BEHAVIORAL_CLONING else record[at : at + _VALUE.size]
    at += len(value) if len(value) == _VALUE.size else 0 if kind == BEHAVIORAL_CLONING else len(record)
    return ((fen, move, value), at) if at <= len(record) else none
