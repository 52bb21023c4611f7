"""Parquet files joined byte for byte: row groups are copied, and only the footer is written again.

Encoding takes more time than anything else that writes a table, so tasks encode, and the coordinator copies. pyarrow
cannot copy row groups from one file to another. The footer of a Parquet file is a structure in Thrift's compact
protocol (https://github.com/apache/thrift, thrift-compact-protocol.md; https://github.com/apache/parquet-format,
parquet.thrift); a few of its fields are places in the file, which move with the row groups.
"""

import errno
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, Final

from rookery.sources.disk import DISK

MARK: Final = b"PAR1"
_TAIL: Final = 8  # bytes at the end: the length of the footer in 4 bytes, and the mark
COPIED: Final = 1 << 22  # bytes copied at once

# Types of Thrift's compact protocol.
_TRUE, _FALSE, _BYTE, _INTEGERS, _DOUBLE, _BINARY, _LISTS, _STRUCT = 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 12
_STOP: Final = 0
_LONG: Final = 15  # as the length of a list: the length follows

# Fields by number, with their names in parquet.thrift.
_NUM_ROWS, _ROW_GROUPS = 3, 4  # of FileMetaData
_COLUMNS, _ROW_GROUP_PLACE, _ORDINAL = 1, 5, 7  # of RowGroup: columns, file_offset, ordinal
_CHUNK_PLACES, _META_DATA = (2, 4, 6), 3  # of ColumnChunk: file_offset, offset_index_offset, column_index_offset
_PAGE_PLACES: Final = (9, 10, 11, 14)  # of ColumnMetaData: pages of data, indices and dictionaries; Bloom filters

Struct = dict[int, tuple[int, Any]]  # the type and the value of each field; a list is (type of elements, elements)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def _take(self, n: int) -> bytes:
        self._at += n
        return self._data[self._at - n : self._at]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while (head := self._take(1)[0]) != _STOP:
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            fields[number] = kind, None if kind in (_TRUE, _FALSE) else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in _INTEGERS:
            return self._integer()
        if kind == _BINARY:
            return self._take(self._varint())
        if kind == _STRUCT:
            return self.struct()
        if kind in _LISTS:
            head = self._take(1)[0]
            size = head >> 4
            if size == _LONG:
                size = self._varint()
            return head & 15, [self._value(head & 15) for _ in range(size)]
        if kind in (_TRUE, _FALSE, _BYTE):  # in a list, a truth value takes a byte
            return self._take(1)
        if kind == _DOUBLE:
            return self._take(8)
        raise ValueError(f"a footer of Parquet with a field of type {kind}: expected a type of parquet.thrift")


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def _integer(value: int) -> bytes:
    return _varint(value << 1 if value >= 0 else (-value << 1) - 1)


def _struct(fields: Struct) -> bytes:
    parts, last = [], 0
    for number, (kind, value) in fields.items():
        step = number - last
        parts.append(bytes([step << 4 | kind]) if 0 < step < 16 else bytes([kind]) + _integer(number))
        last = number
        if kind not in (_TRUE, _FALSE):
            parts.append(_written(kind, value))
    return b"".join(parts) + bytes([_STOP])


def _written(kind: int, value: Any) -> bytes:
    if kind in _INTEGERS:
        return _integer(value)
    if kind == _BINARY:
        return _varint(len(value)) + bytes(value)
    if kind == _STRUCT:
        return _struct(value)
    if kind in _LISTS:
        element, values = value
        size = len(values)
        head = bytes([size << 4 | element]) if size < _LONG else bytes([_LONG << 4 | element]) + _varint(size)
        return head + b"".join(_written(element, one) for one in values)
    return bytes(value)


def _move(fields: Struct, numbers: Iterable[int], by: int) -> None:
    for number in numbers:
        kind, place = fields.get(number, (0, 0))
        if place:  # some writers leave out places that are not needed as 0
            fields[number] = kind, place + by


def _move_row_group(group: Struct, by: int) -> None:
    _move(group, [_ROW_GROUP_PLACE], by)
    group.pop(_ORDINAL, None)  # it is optional, and has 16 bits
    for column in group[_COLUMNS][1][1]:
        _move(column, _CHUNK_PLACES, by)
        if _META_DATA in column:
            _move(column[_META_DATA][1], _PAGE_PLACES, by)


def join(out: BinaryIO, files: Iterable[Path]) -> None:
    """Write the row groups of Parquet files with one schema to `out` as one file, in order.

    The files, at least one, must be of one writer with the same options, since the footer of the first describes all.
    """
    out.write(MARK)
    whole: Struct = {}
    groups: list[Struct] = []
    rows, at = 0, len(MARK)
    for path in files:
        with DISK.open(path, buffered=False) as file:
            size = file.seek(-_TAIL, 2)
            end = size - int.from_bytes(_next(file, 4), "little")
            file.seek(end)
            footer = _Reader(_next(file, size - end)).struct()
            for group in footer[_ROW_GROUPS][1][1]:
                _move_row_group(group, at - len(MARK))
                groups.append(group)
            rows += footer[_NUM_ROWS][1]
            whole = whole or footer
            file.seek(len(MARK))
            copy(file, out, end - len(MARK))
            at += end - len(MARK)
    whole[_NUM_ROWS] = whole[_NUM_ROWS][0], rows
    whole[_ROW_GROUPS] = whole[_ROW_GROUPS][0], (_STRUCT, groups)
    written = _struct(whole)
    out.write(written + len(written).to_bytes(4, "little") + MARK)


def copy(file: Any, out: BinaryIO, size: int) -> None:
    """Copy the next bytes of a file to another one."""
    while size:
        chunk = _next(file, min(size, COPIED))
        out.write(chunk)
        size -= len(chunk)


def _next(file: Any, size: int) -> bytes:
    """Read the next bytes of a file, of which the system may give fewer at a time."""
    read = file.read(size)
    while len(read) < size:
        more = file.read(size - len(read))
        if not more:
            raise OSError(errno.EIO, "was cut while it was read", str(file.name))
        read += more
    return bytes(read)
