"""Files, plain or packed, open files and bytes, opened as streams of text or as tables.

The first bytes of a file show its format, and the first bytes inside a packed file show the format of its content. A
file that is damaged or cut short raises an error that names the place, after everything before the damage was yielded.
"""

import codecs
import errno
import io
import os
import re
import stat
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rookery.arguments import check_path, shown
from rookery.lazy_imports import compile_later, modules_later
from rookery.sources import stores
from rookery.sources.chunks import Chunks, Filled, prefetch
from rookery.sources.failures import DamagedFileError, DamagedFileWarning, NotGamesError
from rookery.sources.file_range import FileRange
from rookery.sources.formats import (
    HEAD,
    JSON_LINES,
    OTHER_JSON,
    TAG_NAME,
    Kind,
    format_of,
    format_with_games,
    has_games,
)
from rookery.sources.unpack import decoded, inflated

if TYPE_CHECKING:
    import glob

    from rookery.sources import json_games, zips
else:
    (glob,) = modules_later("", "glob")
    json_games, zips = modules_later("rookery.sources", "json_games zips")


_PLAIN_CHUNK: Final = 1 << 20
_DEEPEST: Final = 8  # files within files: an archive may hold itself
_NAMED: Final = 5  # files that a message names
_PGN_NAME: Final = compile_later(r"\.pgn(\.\w+)?$", re.IGNORECASE)
_SAN: Final = r"(?:[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](?:=[NBRQ])?[+#]?|[O0]-[O0](?:-[O0])?)"
_TAG: Final = rf'\[\s*{TAG_NAME}\s*(?:"|(?:\.\.\.)?$)'
_PGN: Final = compile_later(rf"\s*(?:{_TAG}|(?:[0-9]+\s*\.+\s*)?{_SAN}(?:\s|$))")


@dataclass(slots=True)
class Counted:
    """The number of bytes read, the number that they became unpacked, and the games, lines and bytes of PGN."""

    read: int = 0
    unpacked: int = 0
    games: int = 0
    lines: int = 0
    bytes_of_pgn: int = 0


class Stream(NamedTuple):
    """A file's name ("" if it has none), and a function that fills a buffer with its next bytes, unpacked.

    The function returns the number of bytes, which is 0 only at the end. `is_file` is False where the end of the stream
    need not be that of a file: for bytes, and for a range of a file. `after_result` is True for a range that follows a
    game with a result. `is_long` is True for packed files that are worth a thread that unpacks.
    """

    name: str
    fill: Callable[[memoryview], int]
    is_file: bool
    after_result: bool = False
    is_long: bool = False


class TableFile(NamedTuple):
    """A Parquet or Arrow file: its name in messages, its format, and its path, bytes, or chunks of bytes.

    A table in memory is its own content, and has no format.

    `start` and `stop` are the row groups or batches to read, to the end if `stop` is None, after `rows_before` rows.
    Who opens the path calls `check`, which raises `ChangedFileError` if it is not the file that was divided. `file` is
    its name, empty if it has none.
    """

    name: str
    format: str
    content: Any
    start: int = 0
    stop: int | None = None
    rows_before: int = 0
    check: Callable[[], None] = lambda: None
    file: str = ""


def expanded(source: Any) -> list[Any]:
    """Return the paths, bytes and open files that a source consists of, patterns replaced by the files that match."""
    if isinstance(source, (list, tuple)):
        return [part for one in source for part in _matched(one)]
    return _matched(source)


def check_source(source: Any, *, any_text: bool = False) -> list[Any]:
    """Raise an error for a wrong argument and for files that are missing or have no games, before anything is read.

    With `any_text`, texts without games are not refused. Return what `expanded` returns.
    """
    if isinstance(source, TableFile):
        return [source]
    if isinstance(source, (list, tuple)):
        for i, one in enumerate(source):
            if not (isinstance(one, (str, os.PathLike, FileRange)) or _is_bytes(one) or hasattr(one, "read")):
                raise TypeError(f"source[{i}]: {shown(one)}: expected a path, bytes or an open file")
    elif not (isinstance(source, (str, os.PathLike, FileRange)) or _is_bytes(source) or hasattr(source, "read")):
        raise TypeError(
            f"source: {type(source).__name__}: expected a path, a list of paths, bytes, an open file or a column of "
            "texts"
        )
    parts = [stores.plain(part) if isinstance(part, (str, os.PathLike)) else part for part in expanded(source)]
    for part in parts:
        path = part.path if isinstance(part, FileRange) and part.is_whole else part
        if stores.is_remote(path):
            stores.size_of(path)  # raises the error of a file that is missing
            format_with_games(path, head_of(path), any_text)
        elif isinstance(path, (str, os.PathLike)):
            _check_path(Path(path), any_text)
    return parts


def _check_path(path: Path, any_text: bool) -> None:
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a directory: expected a file of games, or a list of files")
    mode = path.stat().st_mode
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    if stat.S_ISREG(mode):  # of others the first bytes can be read once
        format_with_games(str(path), head_of(path), any_text)


def head_of(path: str | os.PathLike[str]) -> bytes:
    """Return the first bytes of a file; none if they cannot be read."""
    try:
        with stores.open_file(os.fsdecode(path)) as file:
            return file.read(HEAD)
    except OSError:
        return b""


def _matched(source: Any) -> list[Any]:
    """Return the files that match a pattern, sorted; anything else is itself, and so is a file that has such a name."""
    if isinstance(source, FileRange) and source.is_whole and source.identity is None:
        source = source.path
    if not isinstance(source, (str, os.PathLike)):
        return [source]
    check_path("source", source)
    path = os.fsdecode(source)
    if os.path.lexists(path) or stores.is_remote(source):
        return [source]
    if isinstance(source, str) and ("\n" in path or _PGN.match(path)):
        raise ValueError(
            f"source: {shown(path)}: a str is the path of a file, and there is no such file; pass PGN text itself as "
            "bytes: text.encode()"
        )
    if not glob.has_magic(path):
        return [source]
    matches = sorted(name for name in glob.glob(path, recursive=True) if not os.path.isdir(name))  # noqa: PTH112
    if not matches:
        raise FileNotFoundError(errno.ENOENT, "no file matches", path)
    return matches


def _is_bytes(source: Any) -> bool:
    try:
        view = memoryview(source)
    except (TypeError, ValueError, BufferError):
        return False
    return view.contiguous and view.format in ("B", "b", "c")


def streams_of(
    parts: list[Any],
    stopped: threading.Event,
    counted: Counted,
    *,
    ahead: bool = True,
    any_text: bool = False,
    encoding: str | None = None,
) -> Generator[Stream | TableFile, None, None]:
    """Yield the files of a source, opened one after the other, and closed if they were opened here.

    With `ahead`, packed files are unpacked in a thread, until `stopped` is set. With `any_text`, texts without games
    are not refused. `encoding` is that of texts that do not begin with a byte order mark, None for UTF-8.
    """
    opener = _Opener(stopped, counted, ahead, any_text, encoding)
    for part in parts:
        if isinstance(part, TableFile):
            yield part
        elif isinstance(part, FileRange):
            yield from opener.range(part)
        elif isinstance(part, (str, os.PathLike)):
            yield from opener.range(FileRange(os.fsdecode(part)))
        elif hasattr(part, "read") and not _is_bytes(part):  # a mapped file is both
            name = part.name if isinstance(getattr(part, "name", None), str) else ""
            chunks = opener.noted(_read(part.read, encoding))
            yield from opener.content(_File(name, name or "the file", True, chunks))
        else:
            yield from opener.bytes(memoryview(part).cast("B"))


class _File(NamedTuple):
    """A file: its name, its name in messages, whether it is a file and not bytes, its content, how often it was packed.

    `is_utf8` says that its text has been converted; `whole` are all bytes of a file that is in memory.

    A file of an archive is skipped if it contains no games, since the archive may have others.
    """

    name: str
    called: str
    is_file: bool
    chunks: Iterator[Any]
    depth: int = 0
    may_be_no_games: bool = False
    after_result: bool = False
    is_utf8: bool = False
    whole: memoryview | None = None


class _Opener:
    """Opens files, and those inside packed ones."""

    def __init__(
        self, stopped: threading.Event, counted: Counted, ahead: bool, any_text: bool, encoding: str | None
    ) -> None:
        self._stopped, self._counted, self._ahead, self._any_text = stopped, counted, ahead, any_text
        self._encoding = encoding

    def range(self, part: FileRange) -> Iterator[Stream | TableFile]:
        """Yield the files at a path, or a range of one."""
        with part.reading() as (file, head):
            detected = format_of(head) if head else None
            kind = None if detected is None else detected.kind
            is_last, is_later = part.stop is None, part.start > 0
            if detected is not None and kind is Kind.TABLE:
                place = part.start, part.stop, part.rows_before, part.check
                yield TableFile(part.path, detected.name, Path(part.path), *place, part.path)
            elif kind is Kind.TEXT and self._encoding is None and isinstance(file, io.BufferedReader):
                yield Stream(part.path, self._filling(part.filling(file), True), is_last, is_later)
            else:
                packing = detected.name if detected is not None and kind is Kind.PACKED else ""
                text = part.unpacked(file, packing, self._note)
                yield from self.content(
                    _File(part.path, part.path, is_last, text, depth=bool(packing), after_result=is_later)
                )

    def bytes(self, view: memoryview) -> Iterator[Stream | TableFile]:
        """Yield the files that bytes contain."""
        chunks = self.noted(view[i : i + _PLAIN_CHUNK] for i in range(0, len(view), _PLAIN_CHUNK))
        yield from self.content(_File("", "the bytes", False, chunks, whole=view))

    def noted(self, chunks: Iterator[Any]) -> Iterator[Any]:
        """Yield the same chunks, and count their bytes."""
        for chunk in chunks:
            self._note(len(chunk))
            yield chunk

    def _note(self, size: int) -> None:
        self._counted.read += size

    def _filling(self, fill: Callable[[memoryview], int], plain: bool) -> Callable[[memoryview], int]:
        """Return the same function, which also counts the bytes of a file."""
        counted = self._counted

        def noted(buffer: memoryview) -> int:
            n = fill(buffer)
            counted.unpacked += n
            if plain:
                counted.read += n
            return n

        return noted

    def content(self, file: _File) -> Iterator[Stream | TableFile]:
        """Yield the files in chunks of bytes, unpacked as often as they are packed."""
        while True:
            chunks = file.chunks if isinstance(file.chunks, Chunks) else Chunks(file.chunks)
            head = chunks.peek(HEAD)
            may_skip = file.may_be_no_games and head and format_of(head).kind in (Kind.OTHER, Kind.TEXT)
            if may_skip and not has_games(head):
                return
            if (
                file.after_result and format_of(head) is OTHER_JSON
            ):  # the first range of the file shows that it has games
                detected = JSON_LINES
            else:
                detected = format_with_games(file.called, head, file.after_result or self._any_text)
            if file.depth > _DEEPEST:
                raise NotGamesError(f"{file.called}: packed more than {_DEEPEST} times: unpack it first")
            encoding = detected.name if detected.kind is Kind.ENCODED else self._encoding
            if detected.kind is Kind.PACKED:
                file = file._replace(chunks=inflated(file.called, chunks, detected.name), whole=None)
            elif detected.kind in (Kind.ZIP, Kind.TABLE):
                break
            elif encoding is not None and not file.is_utf8 and not head.startswith(codecs.BOM_UTF8):
                file = file._replace(chunks=decoded(file.called, chunks, encoding), is_utf8=True)
            elif detected.kind is Kind.JSON:
                file = file._replace(chunks=json_games.as_pgn(file.called, chunks), is_utf8=True, whole=None)
            else:
                break
            file = file._replace(depth=file.depth + 1)
        if detected.kind is Kind.ZIP:
            yield from self._members(file._replace(chunks=chunks, depth=file.depth + 1))
        elif detected.kind is Kind.TABLE:
            yield TableFile(file.called, detected.name, chunks if file.whole is None else file.whole, file=file.name)
        else:
            is_long = bool(file.depth) and not chunks.is_short
            if is_long and self._ahead:
                chunks = Chunks(prefetch(chunks, self._stopped))
            yield Stream(file.name, self._filling(chunks.fill, False), file.is_file, file.after_result, is_long)

    def _members(self, archive: _File) -> Iterator[Stream | TableFile]:
        """Yield the games in a zip archive."""
        names, games = [], 0
        try:
            folder = f"{archive.name}/" if archive.name else ""
            for name, content in zips.members(archive.called, folder, archive.chunks):
                if name.startswith(f"{folder}__MACOSX/"):  # macOS' notes about the other files
                    continue
                names.append(name.removeprefix(folder))
                no_games = not _PGN_NAME.search(name)
                for opened in self.content(
                    archive._replace(name=name, called=name, chunks=content, may_be_no_games=no_games)
                ):
                    games += 1
                    yield opened
        except DamagedFileError as error:  # what was read comes first
            games += 1
            yield Stream(archive.name, Chunks(_failing(error)).fill, archive.is_file)
        if not games:
            some = ", ".join(map(shown, names[:_NAMED])) + (", ..." if len(names) > _NAMED else "")
            has = f"it has only {some}" if names else "it is empty"
            raise NotGamesError(f"{archive.called}: a zip archive without games: {has}")


def text_of(source: Any) -> bytes:
    """Return the whole text of a source, unpacked and in UTF-8. Each file ends with a line break."""
    stopped, files = threading.Event(), []
    streams = streams_of(check_source(source, any_text=True), stopped, Counted(), any_text=True)
    try:
        for stream in streams:
            if not isinstance(stream, Stream):
                raise ValueError(f"{stream.name}: a table in {stream.format}: expected text")
            files.append(b"".join(map(bytes, Filled(stream.fill))))
    finally:
        stopped.set()
        streams.close()
    return b"\n".join(files)


def _read(read: Callable[[int], Any], encoding: str | None = None) -> Iterator[bytes]:
    while chunk := read(_PLAIN_CHUNK):
        if encoding is not None and isinstance(chunk, str):
            raise ValueError(f"encoding: {encoding!r}: the source is open as text: expected a file open for bytes")
        yield chunk.encode("utf-8", "backslashreplace") if isinstance(chunk, str) else chunk


def _failing(error: OSError) -> Iterator[bytes]:
    raise error
    yield b""


__all__ = [
    "Counted",
    "DamagedFileError",
    "DamagedFileWarning",
    "NotGamesError",
    "Stream",
    "TableFile",
    "check_source",
    "expanded",
    "head_of",
    "streams_of",
    "text_of",
]
