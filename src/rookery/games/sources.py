"""Where games come from: files, plain or packed, open files, bytes; as streams of bytes.

What a file is packed with is known by its first bytes, not by its name. Frames and members that follow each other are
one stream, as Lichess writes them. What is damaged or cut short is an error that says where, behind all that could be
read before.
"""

import bz2
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.arguments import shown

_CHUNK: Final = 1 << 18  # packed bytes read at once
_PLAIN_CHUNK: Final = 1 << 20
_WINDOW: Final = 1 << 31  # Lichess packs with long windows


class Stream(NamedTuple):
    """Bytes of one file, unpacked, chunk by chunk, and its name ("" if it has none)."""

    name: str
    chunks: Iterator[bytes]


class DamagedFileError(OSError):
    """A packed file that cannot be unpacked to its end."""


def streams_of(source: Any) -> Iterator[Stream]:
    """The files of a source, opened one after the other, and closed if they were opened here."""
    if isinstance(source, (list, tuple)):
        for i, one in enumerate(source):
            if not isinstance(one, (str, os.PathLike)):
                raise TypeError(f"source[{i}]: {shown(one)}: expected a path")
            yield from streams_of(one)
    elif isinstance(source, (str, os.PathLike)):
        path = Path(_checked(source))
        with path.open("rb") as file:
            yield Stream(str(path), _unpacked(str(path), _read(file.read)))
    elif hasattr(source, "read") and not _is_bytes(source):  # a mapped file is both
        name = str(getattr(source, "name", ""))
        yield Stream(name, _unpacked(name or "the file", _read(source.read)))
    else:
        view = memoryview(source).cast("B")
        yield Stream("", _unpacked("the bytes", (bytes(view[i : i + (1 << 22)]) for i in range(0, len(view), 1 << 22))))


def check_source(source: Any) -> None:
    """Refuse what is no source, and files that are not there, before anything is read."""
    if isinstance(source, (str, os.PathLike)):
        path = Path(_checked(source))
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a directory: expected a file of games, or a list of files")
        path.stat()
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
        raise ValueError(
            f"source: {shown(path)}: a text is the path of a file; pass PGN itself as bytes: text.encode()"
        )
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


def _unpacked(name: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The chunks, unpacked if their first bytes say that they are packed."""
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= 4:
            break
    whole = _chained(head, chunks)
    if head[:4] == b"\x28\xb5\x2f\xfd" or (head[:1] and head[0] & 0xF0 == 0x50 and head[1:4] == b"\x2a\x4d\x18"):
        return _inflated(name, whole, _zstandard(), "zstd")
    if head[:2] == b"\x1f\x8b":
        return _inflated(name, whole, lambda: zlib.decompressobj(31), "gzip")
    if head[:3] == b"BZh":
        return _inflated(name, whole, bz2.BZ2Decompressor, "bzip2")
    return whole


def _chained(head: bytes, chunks: Iterable[bytes]) -> Iterator[bytes]:
    if head:
        yield head
    yield from chunks


def _zstandard() -> Callable[[], Any]:
    try:
        import zstandard
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "files packed by zstd need zstandard: pip install 'rookery[games]'", name="zstandard"
        ) from None
    # One that is made anew for each frame, as its tables are.
    return lambda: zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()


def _inflated(name: str, chunks: Iterator[bytes], unpacker: Callable[[], Any], kind: str) -> Iterator[bytes]:
    """All frames of a packed stream. Zeros behind the last are passed over, as the programs themselves do."""
    unpack: Any = None
    done = 0  # packed bytes
    for chunk in chunks:
        view = memoryview(chunk)
        for start in range(0, len(view), _CHUNK):
            rest = bytes(view[start : start + _CHUNK])
            done += len(rest)
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
                        f"{name}: damaged {kind} data within {_CHUNK:,} bytes before byte {done:,}: {error}"
                    ) from error
                rest = unpack.unused_data if unpack.eof else b""
                if unpack.eof:
                    unpack = None
                if out:
                    yield out
    if unpack is not None:
        raise DamagedFileError(f"{name}: cut short: its {kind} data end at byte {done:,} in the middle of a frame")
