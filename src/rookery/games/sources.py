"""Where games come from: files, plain or packed, open files, bytes; as streams of bytes.

What a file is packed with is known by its first bytes, not by its name. Frames and members that follow each other are
one stream, as Lichess writes them. What is damaged or cut short is an error that says where, behind all that could be
read before.
"""

import bz2
import errno
import itertools
import os
import threading
import zlib
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import shown
from rookery.files import check_path
from rookery.games.ahead import ahead

_CHUNK: Final = 1 << 15  # packed bytes unpacked at once, at most
_FEWEST: Final = 1 << 8  # and at least
_UNPACKED: Final = 1 << 20  # bytes that they should not become more than: readers wait for them, and they take memory
_PLAIN_CHUNK: Final = 1 << 20
_MAGIC: Final = 4  # first bytes that tell how a file is packed
_WINDOW: Final = 1 << 31  # Lichess packs with long windows


class Stream(NamedTuple):
    """A file's name ("" if it has none), and what fills a buffer with its next bytes, unpacked: it returns how many, 0
    at the end alone.
    """

    name: str
    fill: Callable[[memoryview], int]


class DamagedFileError(OSError):
    """A file that cannot be read to its end: damaged, cut short, or on a disk that fails. `reason` says why; `games`
    are those that `read_pgn` had read before.
    """

    games: Any = None

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.reason = reason


class DamagedFileWarning(UserWarning):
    """The same, where games are kept: they are not all that the file had."""


def streams_of(source: Any, stopped: threading.Event) -> Generator[Stream, None, None]:
    """The files of a source, opened one after the other, and closed if they were opened here. Packed ones are unpacked
    by a thread of their own, until `stopped` is set.
    """
    if isinstance(source, (list, tuple)):
        for i, one in enumerate(source):
            if not isinstance(one, (str, os.PathLike)):
                raise TypeError(f"source[{i}]: {shown(one)}: expected a path")
            yield from streams_of(one, stopped)
    elif isinstance(source, (str, os.PathLike)):
        path = Path(_checked(source))
        with path.open("rb") as file:
            head = file.peek(_MAGIC)[:_MAGIC]
            if kind := _packed(head):
                yield Stream(str(path), _from_chunks(ahead(_inflated(str(path), _read(file.read), kind), stopped)))
            else:
                yield Stream(str(path), file.readinto)
    elif hasattr(source, "read") and not _is_bytes(source):  # a mapped file is both
        name = str(getattr(source, "name", ""))
        yield Stream(name, _opened(name or "the file", _read(source.read), stopped))
    else:
        view = memoryview(source).cast("B")
        chunks = (view[i : i + _PLAIN_CHUNK] for i in range(0, len(view), _PLAIN_CHUNK))
        yield Stream("", _opened("the bytes", chunks, stopped))


def check_source(source: Any) -> None:
    """Refuse what is no source, and files that are not there, before anything is read."""
    if isinstance(source, (str, os.PathLike)):
        path = Path(_checked(source))
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a directory: expected a file of games, or a list of files")
        path.stat()
        if not os.access(path, os.R_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    elif isinstance(source, (list, tuple)):
        for one in source:
            if not isinstance(one, (str, os.PathLike)):
                raise TypeError(f"source: {shown(one)} in a list: expected paths")
            check_source(one)
    elif not (_is_bytes(source) or hasattr(source, "read")):
        raise TypeError(
            f"source: {type(source).__name__}: expected a path, a list of paths, bytes, an open file or a column of "
            "texts"
        )


def _checked(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    if isinstance(path, str) and ("\n" in path or path.lstrip().startswith("[")):
        raise ValueError(f"source: {shown(path)}: a str is the path of a file; pass PGN itself as text.encode()")
    check_path("source", path)
    return path


def _is_bytes(source: Any) -> bool:
    try:
        view = memoryview(source)
    except (TypeError, ValueError, BufferError):
        return False
    return view.contiguous and view.format in ("B", "b", "c")


def _read(read: Callable[[int], Any]) -> Iterator[bytes]:
    while chunk := read(_PLAIN_CHUNK):
        yield chunk.encode("utf-8", "backslashreplace") if isinstance(chunk, str) else chunk


def _packed(head: bytes) -> str:
    """How a file is packed that begins so, or ""."""
    if head[:4] == b"\x28\xb5\x2f\xfd" or (head[:1] and head[0] & 0xF0 == 0x50 and head[1:4] == b"\x2a\x4d\x18"):
        return "zstd"
    if head[:2] == b"\x1f\x8b":
        return "gzip"
    return "bzip2" if head[:3] == b"BZh" else ""


def _opened(name: str, chunks: Iterator[Any], stopped: threading.Event) -> Callable[[memoryview], int]:
    """What fills a buffer with the chunks, unpacked if they are packed."""
    head: list[Any] = []
    try:
        while sum(map(len, head)) < _MAGIC and (chunk := next(chunks, None)) is not None:
            head.append(chunk)
    except OSError as error:  # what was read comes first
        chunks = _failing(error)
    whole = itertools.chain(head, chunks)
    if kind := _packed(b"".join(bytes(chunk[:_MAGIC]) for chunk in head)):
        return _from_chunks(ahead(_inflated(name, whole, kind), stopped))
    return _from_chunks(whole)


def _failing(error: OSError) -> Iterator[bytes]:
    raise error
    yield b""


def _from_chunks(chunks: Iterator[Any]) -> Callable[[memoryview], int]:
    held = memoryview(b"")

    def fill(buffer: memoryview) -> int:
        nonlocal held
        while not held:
            chunk = next(chunks, None)
            if chunk is None:
                return 0
            held = memoryview(chunk)
        n = min(len(buffer), len(held))
        # NumPy copies while other threads run.
        np.copyto(np.frombuffer(buffer[:n], np.uint8), np.frombuffer(held[:n], np.uint8))
        held = held[n:]
        return n

    return fill


def _zstandard() -> Callable[[], Any]:
    try:
        import zstandard
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "files packed by zstd need zstandard: pip install 'rookery[games]'", name="zstandard"
        ) from None
    # One that is made anew for each frame, as its tables are.
    return lambda: zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()


def _unpacker(kind: str) -> Callable[[], Any]:
    """What makes an object that unpacks one frame."""
    if kind == "zstd":
        return _zstandard()
    return bz2.BZ2Decompressor if kind == "bzip2" else lambda: zlib.decompressobj(31)


def _inflated(name: str, chunks: Iterator[Any], kind: str) -> Iterator[bytes]:
    """All frames of a packed stream. Zeros behind the last are passed over, as the programs themselves do."""
    unpacker = _unpacker(kind)
    unpack: Any = None
    done = 0  # packed bytes
    size = _FEWEST  # of the next piece: nobody knows what it will become, but neighbours are alike
    for chunk in chunks:
        view = memoryview(chunk)
        while view:
            rest, view = bytes(view[:size]), view[size:]
            done += len(rest)
            size = min(2 * size, _CHUNK)
            while rest:
                if unpack is None:
                    rest = rest.lstrip(b"\0") if kind == "gzip" else rest
                    if not rest:
                        break
                    unpack = unpacker()
                try:
                    out = unpack.decompress(rest)
                except Exception as error:  # each library has its own
                    if isinstance(error, MemoryError):
                        raise
                    raise DamagedFileError(
                        name, f"damaged {kind} data within {_CHUNK:,} bytes before byte {done:,}: {error}"
                    ) from error
                rest = unpack.unused_data if unpack.eof else b""
                if unpack.eof:
                    unpack = None
                if out:
                    yield out
                if len(out) > _UNPACKED // 2:
                    size = max(size * _UNPACKED // (4 * len(out)), _FEWEST)
    if unpack is not None:
        raise DamagedFileError(name, f"cut short: its {kind} data end at byte {done:,} in the middle of a frame")
