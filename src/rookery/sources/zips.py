"""Zip archives read from front to back, in constant memory, from files and streams, even if they are cut short.

Each member follows a header of its own. The directory at the end of the archive repeats the headers and is not
needed. APPNOTE.TXT of PKWARE describes the format.
"""

import struct
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rookery.lazy_imports import modules_later
from rookery.sources.failures import DamagedFileError, NotGamesError
from rookery.sources.unpack import Pace, pieces, unpacker

if TYPE_CHECKING:
    import bz2
    import lzma
    import zlib
else:
    bz2, lzma, zlib = modules_later("", "bz2 lzma zlib")


_HEADER: Final = struct.Struct("<4s5H3L2H")  # of a member
_MEMBER, _DESCRIPTOR = b"PK\x03\x04", b"PK\x07\x08"
_DIRECTORY: Final = (b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x08")  # what follows the last member
_ENCRYPTED, _SIZES_BEHIND, _UTF_8 = 1 << 0, 1 << 3, 1 << 11  # flags
_STORED: Final = 0
_ZIP64: Final = 1  # an extra field
_ALL_ONES: Final = (1 << 32) - 1
_STORED_CHUNK: Final = 1 << 15


class _Raw:
    """A raw stream of lzma, which begins with its version and properties."""

    def __init__(self) -> None:
        self._head = b""
        self._unpack: Any = None

    def decompress(self, packed: bytes, most: int) -> bytes:
        """Unpack some bytes."""
        if self._unpack is None:
            self._head += packed
            if len(self._head) < 9:
                return b""
            first, packed = self._head[4], self._head[9:]
            filters = {"id": lzma.FILTER_LZMA1, "dict_size": int.from_bytes(self._head[5:9], "little")}
            filters |= {"lc": first % 9, "lp": first // 9 % 5, "pb": first // 45}
            self._unpack = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[filters])
        out: bytes = self._unpack.decompress(packed, most)
        return out

    @property
    def eof(self) -> bool:
        """Return whether the end of the stream was reached."""
        return self._unpack is not None and self._unpack.eof

    @property
    def needs_input(self) -> bool:
        """Return whether more packed bytes are needed to unpack more."""
        return self._unpack is None or self._unpack.needs_input

    @property
    def unused_data(self) -> bytes:
        """Return the bytes after the end of the stream."""
        return self._unpack.unused_data if self._unpack is not None else b""


_METHODS: Final[dict[int, Callable[[], Any]]] = {
    8: lambda: zlib.decompressobj(-15),
    12: lambda: bz2.BZ2Decompressor(),
    14: _Raw,
    93: lambda: unpacker("zstd")(),
    95: lambda: unpacker("xz")(),
}


class _Entry(NamedTuple):
    """The header of a member."""

    name: str
    flags: int
    method: int
    crc: int
    packed: int
    long: bool  # whether its sizes have eight bytes


class _Bytes:
    """A stream from which as many bytes can be taken as are needed, and given back."""

    def __init__(self, chunks: Iterator[Any]) -> None:
        self._chunks = chunks
        self._held = memoryview(b"")
        self._place = 0  # in it
        self.done = 0

    def take(self, most: int) -> bytes:
        """Return the next bytes, `most` or fewer; none at the end."""
        while self._place >= len(self._held):
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            self._held, self._place = memoryview(chunk), 0
        out = bytes(self._held[self._place : self._place + most])
        self._place += len(out)
        self.done += len(out)
        return out

    def exactly(self, n: int) -> bytes:
        """Return the next `n` bytes; fewer at the end."""
        out = b""
        while len(out) < n and (more := self.take(n - len(out))):
            out += more
        return out

    def give_back(self, rest: bytes) -> None:
        """Put back the last bytes that were taken."""
        self.done -= len(rest)
        if len(rest) <= self._place:
            self._place -= len(rest)
        else:
            self._held, self._place = memoryview(rest + bytes(self._held[self._place :])), 0


class _Member(Iterator[bytes]):
    """The bytes of a member, whose checksum is compared at its end. `lost` is set if its end is unknown."""

    def __init__(self, name: str, source: _Bytes, entry: _Entry) -> None:
        self.lost = False
        self._name, self._source, self._entry = name, source, entry
        self._crc = 0
        unknown = bool(entry.flags & _SIZES_BEHIND) and not entry.packed
        self._sum_is_known = not (unknown and entry.method == _STORED)  # else the descriptor with it is searched for
        if not self._sum_is_known:
            self._content = _stored_until_descriptor(name, source, entry)
        elif entry.method == _STORED:
            self._content = _stored(name, source, entry)
        else:
            self._content = _inflated(name, source, entry)

    def __next__(self) -> bytes:
        try:
            out = next(self._content, None)
        except DamagedFileError:
            self.lost = True
            raise
        if out is not None:
            self._crc = zlib.crc32(out, self._crc)
            return out
        if self._sum_is_known:
            self._sum_is_known = False
            entry = self._entry
            crc = _descriptor(self._source, entry.long) if entry.flags & _SIZES_BEHIND else entry.crc
            if crc != self._crc:
                raise DamagedFileError(self._name, "damaged zip data: its checksum is wrong")
        raise StopIteration


def members(name: str, folder: str, chunks: Iterator[Any]) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the files of a zip archive, in order: the name of each with its folder, and its bytes.

    The unread rest of a file is skipped when the next is requested. Raises `DamagedFileError` for an archive that is
    damaged or cut short, here or when the bytes of a file are read, and `NotGamesError` for an encrypted file.
    """
    source = _Bytes(chunks)
    while (entry := _next_entry(name, source)) is not None:
        member = _Member(folder + entry.name, source, entry)
        if not entry.name.endswith("/"):  # else it is a folder
            yield folder + entry.name, member
        if member.lost:
            return
        for _ in member:
            pass


def _next_entry(name: str, source: _Bytes) -> _Entry | None:
    """Read the next member's header; return None behind the last one."""
    start = source.done
    head = source.exactly(_HEADER.size)
    if head[:4] in _DIRECTORY:
        return None
    if len(head) == _HEADER.size and head[:4] != _MEMBER:
        raise DamagedFileError(name, f"damaged zip archive at byte {start:,}: expected another file or a directory")
    if len(head) < _HEADER.size:
        raise _cut_short(name, source)
    _, _, flags, method, _, _, crc, packed, size, of_name, of_extra = _HEADER.unpack(head)
    raw, extra = source.exactly(of_name), source.exactly(of_extra)
    if len(raw) + len(extra) < of_name + of_extra:
        raise _cut_short(name, source)
    inner = raw.decode("utf-8" if flags & _UTF_8 else "cp437", "replace")
    if flags & _ENCRYPTED:
        raise NotGamesError(f"{name}: {inner!r} is encrypted: unpack it with its password first")
    if method != _STORED and method not in _METHODS:
        raise NotGamesError(f"{name}: {inner!r} is packed by method {method} of zip: unpack it first")
    long, packed = _zip64(extra, packed, size)
    return _Entry(inner, flags, method, crc, packed, long)


def _cut_short(name: str, source: _Bytes) -> DamagedFileError:
    return DamagedFileError(name, f"cut short: its zip data end at byte {source.done:,} within a file")


def _zip64(extra: bytes, packed: int, size: int) -> tuple[bool, int]:
    """Return whether the sizes of a member have eight bytes, and its packed size."""
    while len(extra) >= 4:
        tag, length = struct.unpack_from("<2H", extra)
        if tag == _ZIP64:
            sizes = extra[4 : 4 + length]
            place = 8 if size == _ALL_ONES else 0
            if packed == _ALL_ONES and len(sizes) >= place + 8:
                packed = int.from_bytes(sizes[place : place + 8], "little")
            return True, packed
        extra = extra[4 + length :]
    return False, packed


def _stored(name: str, source: _Bytes, entry: _Entry) -> Iterator[bytes]:
    left = entry.packed
    while left:
        out = source.take(min(left, _STORED_CHUNK))
        if not out:
            raise _cut_short(name, source)
        left -= len(out)
        yield out


def _stored_until_descriptor(name: str, source: _Bytes, entry: _Entry) -> Iterator[bytes]:
    """Yield the bytes of a member whose size follows it, up to the descriptor that states size and checksum."""
    held, crc, n = b"", 0, 0
    widths = (8, 4) if entry.long else (4, 8)  # no bytes have both descriptors: all zeros
    while True:
        more = source.take(_STORED_CHUNK)
        held += more
        place = held.find(_DESCRIPTOR)
        while place >= 0 and (len(held) >= place + 24 or not more):
            sum_so_far = zlib.crc32(held[:place], crc)
            descriptor = held[place + 4 : place + 24]
            for width in widths:
                sizes = (n + place).to_bytes(8, "little")[:width]
                if descriptor[: 4 + 2 * width] == sum_so_far.to_bytes(4, "little") + 2 * sizes:
                    yield held[:place]
                    source.give_back(held[place + 8 + 2 * width :])
                    return
            place = held.find(_DESCRIPTOR, place + 1)
        if not more:
            raise _cut_short(name, source)
        ready = place if place >= 0 else max(len(held) - 3, 0)
        out, held = held[:ready], held[ready:]
        crc, n = zlib.crc32(out, crc), n + len(out)
        if out:
            yield out


def _inflated(name: str, source: _Bytes, entry: _Entry) -> Iterator[bytes]:
    unpack, pace = _METHODS[entry.method](), Pace()
    left = None if entry.flags & _SIZES_BEHIND else entry.packed
    while not unpack.eof:
        packed = source.take(pace.next_size() if left is None else min(pace.next_size(), left))
        if left is not None:
            left -= len(packed)
        if not packed:
            if left == 0 and entry.method == 14:  # which may end without a mark
                return
            raise _cut_short(name, source)
        n = 0
        try:
            for out in pieces(unpack, packed):
                n += len(out)
                if out:
                    yield out
        except Exception as error:  # each library has its own
            if isinstance(error, MemoryError):
                raise
            place = f"before byte {source.done:,}"
            raise DamagedFileError(
                name, f"damaged zip data {place}: {error}; the files behind it are not read"
            ) from error
        pace.became(n)
    source.give_back(unpack.unused_data)


def _descriptor(source: _Bytes, long: bool) -> int:
    """Read the checksum and the sizes that follow a member, and return the checksum."""
    first = source.exactly(4)
    crc = source.exactly(4) if first == _DESCRIPTOR else first
    source.exactly(16 if long else 8)
    return int.from_bytes(crc, "little")
