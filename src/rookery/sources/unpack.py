"""Packed files and other encodings, piece by piece, in constant memory; and files that pack what is written to them.

Frames and members that follow each other are one stream, as Lichess writes them.
"""

import codecs
import contextlib
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from rookery.lazy_imports import modules_later
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
            "files packed by zstd need zstandard: pip install 'rookery[games]'", name="zstandard"
        ) from None
    return zstandard


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
