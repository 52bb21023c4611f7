"""Files that the library keeps: replaced as a whole, and read back only if they are what was written.

A *document* is one JSON object. It begins with a mark that says which program's it is and which kind, and ends with the
SHA-256 of what stands between: what was cut short or changed since is told from what was never ours.

    {"about": "rookery perft, version 1", "depth": 7, "leaves": {"0": 108690, ...}, "digest": "9f86d0818..."}
"""

import contextlib
import errno
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from rookery import leftovers

_NO_ROOM: Final = (errno.ENOSPC, errno.EFBIG)
_STANDARD_STREAMS: Final = {"/dev/stdout": 1, "/dev/stderr": 2}


class Kind(NamedTuple):
    """A kind of document: what messages call it, and its mark."""

    name: str
    mark: str


class Damaged(ValueError):
    """A file that bears our mark and does not hold what was written."""


def write(path: str | os.PathLike[str], content: str | bytes, *, new: bool = False, durable: bool = True) -> None:
    """Write a file that is there whole or not at all: what goes wrong, a full disk too, leaves what was there before.

    Text is written as UTF-8. A link is followed, and the file keeps its permissions. A device or a pipe, which cannot
    be replaced, is written to as it is. With `new` a file that is there already is a FileExistsError. What is
    cheap to make again and checked when it is read need not be `durable`: not forced to the disk before it is renamed.
    """
    with replacing(path, new=new, durable=durable) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def check_path(name: str, path: object, other: str = "") -> None:
    """Refuse what no file can be called, under the argument's `name`; `other` is what else the caller takes."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{name}: {type(path).__name__}: expected a path{f' or {other}' if other else ''}")
    if "\0" in str(path):
        raise ValueError(f"{name}: {str(path)!r}: a path has no NUL character")


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], *, new: bool = False, durable: bool = True) -> Iterator[BinaryIO]:
    """Like `write`, but streamed: yield a temporary file that replaces `path` if the block succeeds.

    An exception within the ``with`` block, Ctrl-C too, removes it. What a killed process leaves behind is removed by
    a later call for a file of the same folder.
    """
    path = Path(path)
    if is_stream(path) or path.is_dir():  # opening a folder raises the error that says so
        with _full_disk_told(path), _opened_stream(path) as stream:
            yield stream
        return
    target = Path(os.path.realpath(path))
    if new and os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    if target.exists() and not os.access(target, os.W_OK):  # the folder alone would let it be replaced
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    leftovers.remove(target.parent)
    temporary = leftovers.Temporary(target.parent, path)
    try:
        with _full_disk_told(path), temporary.file as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if new:
            _take_free_name(temporary.path, target)
        else:
            if target.exists():
                shutil.copymode(target, temporary.path)
            temporary.path.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.path.unlink()
        raise
    finally:
        temporary.release()


def _take_free_name(temporary: Path, target: Path) -> None:
    """Rename a file. A FileExistsError if there is a file of that name, even one that has just appeared."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        target.open("xb").close()
        temporary.replace(target)
    else:
        temporary.unlink()


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a path names something that is written to as it is: a device, a pipe, or an open file of this process.

    >>> is_stream("/dev/stdout"), is_stream("no such file")
    (True, False)
    """
    path = Path(path)
    return _descriptor(path) is not None or (path.exists() and not path.is_file() and not path.is_dir())


def _descriptor(path: str | os.PathLike[str]) -> int | None:
    """The number of the open file that a path like ``/dev/stdout`` names, even one that the shell has redirected."""
    if os.name != "posix":
        return None
    text = os.path.abspath(os.fsdecode(path))  # noqa: PTH100  # links are not to be followed
    folder, name = os.path.split(text)
    if folder in ("/dev/fd", "/proc/self/fd") and name.isascii() and name.isdigit():
        return int(name)
    return _STANDARD_STREAMS.get(text)


def _opened_stream(path: Path) -> BinaryIO:
    """A device or a pipe, open for writing. An open file goes on where it is, and is not cut to nothing first."""
    number = _descriptor(path)
    if number is None:
        return path.open("wb")
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    try:
        return os.fdopen(os.dup(number), "wb")
    except OSError as error:
        error.filename = str(path)
        raise


@contextlib.contextmanager
def _full_disk_told(path: Path) -> Iterator[None]:
    """The system does not say which file has no room."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM and error.filename is None:
            error.filename = str(path)
        raise


def read(name: str, path: str | os.PathLike[str], begins: bytes = b"") -> bytes | None:
    """The bytes of a file, or None where there is none.

    A ValueError, which calls the file by `name`, if it cannot be read or does not begin as it should. Of a device or a
    pipe, which may have no end, nothing is read.
    """
    path = Path(path)
    try:
        if not path.exists():
            return None
        if not path.is_file() and not path.is_dir():  # the error of a folder is told by the system
            raise ValueError(f"{name}: {path}: expected a file")
        with path.open("rb") as file:
            head = file.read(len(begins))
            if head != begins:
                raise ValueError(
                    f"{name}: {path}: not a {name}, or damaged: expected it to begin with {begins.decode()}"
                )
            return head + file.read()
    except OSError as error:
        raise ValueError(f"{name}: {path}: {error.strerror}") from error


def check_place(name: str, path: str | os.PathLike[str]) -> None:
    """Refuse a path that names no file, or one in a folder that is not there."""
    if not Path(path).name:
        raise ValueError(f"{name}: {str(path)!r}: expected the name of a file")
    folder = Path(path).parent
    if not folder.is_dir():
        raise ValueError(f"{name}: {path}: there is no folder {str(folder)!r}")


def parse_json(text: str | bytes) -> Any:
    """A JSON document. Whatever is wrong with it is a ValueError.

    >>> parse_json("[1]")
    [1]
    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
        ...
    ValueError: nested too deep
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None


def save(path: str | os.PathLike[str], kind: Kind, content: dict[str, Any]) -> None:
    """Write a document. An OSError leaves the one that was there."""
    write(path, json.dumps({"about": kind.mark, **content, "digest": _digest(content)}))


def load(path: str | os.PathLike[str], kind: Kind) -> dict[str, Any] | None:
    """The content of a document, or None where there is no file.

    `Damaged` if it bears our mark and its digest does not fit; another ValueError if it is no document of this kind.
    """
    text = read(kind.name, path, json.dumps({"about": kind.mark})[:-1].encode())
    if text is None:
        return None
    try:
        content: dict[str, Any] = parse_json(text)
        del content["about"]
        whole = content.pop("digest", None) == _digest(content)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"{kind.name}: {path}: damaged: {error}") from error
    if not whole:
        raise Damaged(f"{kind.name}: {path}: damaged: its digest does not fit what it says")
    return content


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def free_name(path: Path) -> Path:
    """A name beside a damaged file under which it can be kept."""
    n = 1
    while os.path.lexists(name := path.with_name(f"{path.name}.damaged-{n}")):
        n += 1
    return name
