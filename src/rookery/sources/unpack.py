"""Packed files and other encodings, piece by piece, in constant memory; and files that pack what is written to them.

Frames and members that follow each other are one stream, as Lichess writes them.
"""

import codecs
import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeAlias

from rookery.lazy_imports import modules_later
from rookery.sources import stores
from rookery.sources.chunks import Chunks, Fill, Filling, one_after_other, without_first_bytes
from rookery.sources.failures import DamagedFileError

if TYPE_CHECKING:
    import bz2
    import lzma
    import zlib
else:
    bz2, lzma, zlib = modules_later("", "bz2 lzma zlib")


_CHUNK: Final = 1 << 15  # packed bytes unpacked at once, at most
_FEWEST: Final = 1 << 8  # and at least
_UNPACKED: Final = 1 << 20  # bytes that they should not become more than: readers wait for them, and they take memory
_WINDOW: Final = 1 << 31  # Lichess packs with long windows
_LEVEL: Final = 3  # of zstd: levels above it are slower and gain little on packed positions
_WRITTEN: Final = {".zst": "zstd", ".gz": "gzip"}  # by the suffix of a file
_PADDED: Final = ("gzip", "xz")  # zeros may follow these


def zstandard_module() -> Any:
    """Return zstandard. A missing one is an error that says how to install it."""
    try:
        import zstandard
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "files packed by zstd need zstandard: pip install zstandard", name="zstandard"
        ) from None
    return zstandard


def zstd_compressor() -> Any:
    """Return an object that packs bytes as frames of zstd."""
    return zstandard_module().ZstdCompressor(level=_LEVEL)


def zstd_decompressor() -> Any:
    """Return an object that unpacks one frame of zstd."""
    return zstandard_module().ZstdDecompressor(max_window_size=_WINDOW)


@contextlib.contextmanager
def packed(file: BinaryIO, kind: str) -> Iterator[Any]:
    """Yield a file that packs what is written to it, by "gzip" or "zstd", into another one, which stays open."""
    if kind == "gzip":
        import gzip

        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packing:
            yield packing
        return
    with zstandard_module().ZstdCompressor(level=_LEVEL).stream_writer(file, closefd=False) as packing:
        yield packing


def packing_of(path: str | os.PathLike[str]) -> str | None:
    """Return how a file is packed, by its suffix: ``"zstd"``, ``"gzip"`` or None.

    >>> packing_of("games.binpack.zst")
    'zstd'
    """
    return _WRITTEN.get(os.path.splitext(os.fsdecode(path))[1].lower())  # noqa: PTH122  # open files have names as texts


@contextlib.contextmanager
def packed_by_name(file: BinaryIO, name: str | os.PathLike[str] | None) -> Iterator[Any]:
    """Yield a file that packs what is written to it if the name ends in ``.gz`` or ``.zst``; else the file itself."""
    kind = None if name is None else packing_of(name)
    if kind is None:
        yield file
        return
    with packed(file, kind) as packing:
        yield packing


def unpacker(kind: str) -> Callable[[], Any]:
    """Return a function that makes an object that unpacks one frame."""
    return {
        "zstd": lambda: zstd_decompressor().decompressobj(),
        "gzip": lambda: zlib.decompressobj(31),
        "bzip2": lambda: bz2.BZ2Decompressor(),
        "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_WINDOW),
        "lzma": lambda: lzma.LZMADecompressor(lzma.FORMAT_ALONE, memlimit=_WINDOW),
    }[kind]


def pieces(unpack: Any, packed: bytes) -> Iterator[bytes]:
    """Unpack some bytes; pieces are no longer than a megabyte where the library can stop there."""
    if isinstance(unpack, type(zlib.decompressobj())):
        yield (out := unpack.decompress(packed, _UNPACKED))
        while not unpack.eof and (unpack.unconsumed_tail or len(out) == _UNPACKED):
            yield (out := unpack.decompress(unpack.unconsumed_tail, _UNPACKED))
    elif hasattr(unpack, "needs_input"):  # bz2 and lzma
        yield unpack.decompress(packed, _UNPACKED)
        while not (unpack.eof or unpack.needs_input):
            yield unpack.decompress(b"", _UNPACKED)
    else:
        yield unpack.decompress(packed)


class Pace:
    """The number of packed bytes to unpack at once, estimated from what the bytes before them became."""

    def __init__(self) -> None:
        self._size = _FEWEST

    def next_size(self) -> int:
        """Return the size of the next piece: twice the last, unless that became too much."""
        size = self._size
        self._size = min(2 * size, _CHUNK)
        return size

    def became(self, n: int) -> None:
        """Note the number of bytes that a piece became."""
        if n > _UNPACKED // 2:
            self._size = max(self._size * _UNPACKED // (4 * n), _FEWEST)


def inflated(name: str, chunks: Iterator[Any], kind: str, done: int = 0) -> Iterator[bytes]:
    """Unpack all frames of a stream. Zeros after the last frame are skipped, as the programs themselves do.

    `done` is the number of packed bytes before the stream. The place at which damage is noticed depends on the frame
    and on the ends of chunks, not on the frames before it.
    """
    make = unpacker(kind)
    unpack: Any = None
    pace = Pace()
    for chunk in chunks:
        view = memoryview(chunk)
        while view:
            if unpack is None:
                if kind in _PADDED and not view[0]:
                    padding = len(view) - len(bytes(view).lstrip(b"\0"))
                    view = view[padding:]
                    done += padding
                    continue
                unpack, pace = make(), Pace()
            piece = bytes(view[: pace.next_size()])
            n = 0
            try:
                for out in pieces(unpack, piece):
                    n += len(out)
                    if out:
                        yield out
            except Exception as error:  # each library has its own
                if isinstance(error, MemoryError):
                    raise
                raise DamagedFileError(
                    name, f"damaged {kind} data within {_CHUNK:,} bytes after byte {done:,}: {error}"
                ) from error
            size = len(piece)
            if unpack.eof:
                size -= len(unpack.unused_data)
                unpack = None
            view = view[size:]
            done += size
            pace.became(n)
    if unpack is not None:
        raise DamagedFileError(name, f"cut short: its {kind} data end at byte {done:,} in the middle of a frame")


def decoded(name: str, chunks: Iterator[Any], encoding: str) -> Iterator[bytes]:
    """Convert text of another encoding to UTF-8. Bytes that encode no character become U+FFFD."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        if text := decoder.decode(bytes(chunk)):
            yield text.encode()
    if decoder.getstate()[0]:
        raise DamagedFileError(
            name,
            f"cut short: its {encoding.upper().removesuffix('-LE').removesuffix('-BE')} text ends within a character",
        )


# Local zstd files are unpacked straight into the buffers of their readers. Python's lock is free while a buffer is
# filled, so the threads that read what was unpacked before do not wait. A frame that is damaged or cut short is
# unpacked again in small pieces: these find what precedes the damage, and its place.

Read: TypeAlias = Callable[[int, int], bytes]  # from a place, so many bytes

_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_SKIPPED_MAGIC: Final = b"\x2a\x4d\x18"  # after a byte from 0x50 to 0x5f
_LONGEST_HEADER: Final = 18
_RLE, _RESERVED = 1, 3  # types of blocks
_PIECE: Final = 1 << 18  # packed bytes that are read at once


class ZstdText(Filling):
    """The text of the frames of a zstd file from `start` up to `stop`, which are the first bytes of frames.

    `noted` is called with the number of packed bytes that were read since its last call.
    """

    def __init__(
        self,
        path: str,
        file: BinaryIO,
        start: int = 0,
        stop: int | None = None,
        noted: Callable[[int], None] = lambda size: None,
    ) -> None:
        self._path, self._file, self._stop, self._noted = path, file, stop, noted
        self._place = start  # where the next frame begins
        self._frame: _Frame | None = None
        self._reader: Any = None
        self._given = 0  # bytes of text of the frame
        self._counted = start
        self._rest: Fill | None = None  # what comes from damage on

    def fill(self, buffer: memoryview) -> int:
        """Fill a buffer with the next bytes, as a `Fill` does."""
        while self._rest is None:
            if self._frame is None and not self._opens_frame():
                self._rest = self._in_small_pieces()
                break
            assert self._frame is not None
            try:
                n: int = self._reader.readinto(buffer[:_UNPACKED])
            except Exception:  # the number of bytes filled is unknown
                self._rest = self._in_small_pieces(self._before_damage())
                break
            self._note(self._frame.place)
            if n:
                self._given += n
                return n
            if self._frame.place != self._frame.end:
                self._rest = self._in_small_pieces()
                break
            self._place, self._given, self._frame = self._frame.place, 0, None
        return self._rest(buffer)

    def _opens_frame(self) -> bool:
        begin = next_frame(functools.partial(read_at, self._file), self._place)
        if begin is None or (self._stop is not None and begin >= self._stop):
            return False
        self._place, self._frame = begin, _Frame(self._file, begin)
        self._reader = self._frame.reader()
        return True

    def _before_damage(self) -> bytes:
        """Return the rest of a frame before its damage, after the bytes that were given.

        A call that meets damage returns nothing, so the rest is unpacked byte by byte.
        """
        unpacked, byte = bytearray(), bytearray(1)
        reader = _Frame(self._file, self._place).reader()
        left = self._given
        try:
            while left:
                left -= len(reader.read(min(left, _UNPACKED)))
            while reader.readinto(byte):
                unpacked += byte
        except Exception:  # the same as before
            pass
        return bytes(unpacked)

    def _in_small_pieces(self, more: bytes = b"") -> Fill:
        """Return a function that fills `more` and then the rest of this frame and of the file."""
        self._reader = None
        self._file.seek(self._place)
        packed = self._noted_chunks(stores.chunks(self._path, self._file, self._place, self._stop))
        text = Chunks(inflated(self._path, packed, "zstd", self._place))
        rest = without_first_bytes(text.fill, self._given + len(more))
        return one_after_other(Chunks(iter([more])).fill, rest) if more else rest

    def _noted_chunks(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        place = self._place
        for chunk in chunks:
            place += len(chunk)
            self._note(place)
            yield chunk

    def _note(self, place: int) -> None:
        if place > self._counted:
            self._noted(place - self._counted)
            self._counted = place


class _Frame:
    """The bytes of a frame, as a file that ends with it. `end` is None until it is known, or if a header is damaged."""

    def __init__(self, file: BinaryIO, begin: int) -> None:
        self._file, self.place = file, begin
        self._piece, self._piece_start = b"", begin
        self._ends = ends_of_blocks(self._bytes, begin)
        self._known = begin  # the frame goes on at least up to here
        self._is_damaged = False
        self.end: int | None = None

    def reader(self) -> Any:
        """Return an object that unpacks the frame."""
        return zstd_decompressor().stream_reader(self, _PIECE, read_across_frames=False)

    def read(self, size: int) -> bytes:
        """Return the next bytes of the frame, at most so many; none at its end."""
        if self.place == self.end:
            return b""
        self._piece, self._piece_start = read_at(self._file, self.place, size), self.place
        stop = self.place + len(self._piece)
        while self._known < stop and self.end is None and not self._is_damaged:
            self._known, is_last = next(self._ends, (0, False))
            self._is_damaged = not self._known
            self.end = self._known if is_last else None
        if not self._is_damaged:
            stop = min(stop, self._known)
        piece = self._piece[: stop - self.place]
        self.place = stop
        return piece

    def _bytes(self, place: int, size: int) -> bytes:
        """Return bytes of the file from a place on, from the piece in memory if it has them."""
        start = place - self._piece_start
        if start >= 0 and start + size <= len(self._piece):
            return self._piece[start : start + size]
        return read_at(self._file, place, size)


# Where frames and their blocks end (RFC 8878, section 3.1), found without unpacking them.


def frames_of(file: BinaryIO) -> Iterator[int]:
    """Yield the first byte of each frame with data, in order. Stop where a header is damaged or the file ends."""
    read = functools.partial(read_at, file)
    place: int | None = 0
    while place is not None and (begin := next_frame(read, place)) is not None:
        yield begin
        place = None
        for end, is_last in ends_of_blocks(read, begin):
            place = end if is_last else None


def next_frame(read: Read, place: int) -> int | None:
    """Return the first byte of the first frame with data from a place between frames on; None if no frame follows."""
    while True:
        head = read(place, _LONGEST_HEADER)
        if len(head) >= 8 and head[0] & 0xF0 == 0x50 and head[1:4] == _SKIPPED_MAGIC:
            place += 8 + int.from_bytes(head[4:8], "little")
        else:
            return place if len(head) > 5 and head.startswith(_MAGIC) else None


def ends_of_blocks(read: Read, begin: int) -> Iterator[tuple[int, bool]]:
    """Yield where each block of a frame ends, and whether it is the last, whose end is that of the frame.

    Where a header is damaged or missing, the last one is missing.
    """
    flags = read(begin + 4, 1)[0]
    is_single_segment = flags >> 5 & 1
    size_of_content = (is_single_segment, 2, 4, 8)[flags >> 6]
    place = begin + 5 + (1 - is_single_segment) + (0, 1, 2, 4)[flags & 3] + size_of_content
    while True:
        header = read(place, 3)
        block = int.from_bytes(header, "little")
        kind = block >> 1 & 3
        if len(header) < 3 or kind == _RESERVED:
            return
        place += 3 + (1 if kind == _RLE else block >> 3)
        if block & 1:
            yield place + 4 * (flags >> 2 & 1), True  # a checksum
            return
        yield place, False


def read_at(file: BinaryIO, place: int, size: int) -> bytes:
    """Return bytes of a file from a place on; fewer at its end."""
    file.seek(place)
    return file.read(size)
