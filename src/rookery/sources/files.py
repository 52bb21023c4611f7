"""Files that the library writes: replaced as a whole, and read back only if they are unchanged.

A *document* is one JSON object. Its first entry marks it as a document of this library of some kind, and its last is
the SHA-256 of the content. This distinguishes a truncated or edited document from a foreign file.

    {"about": "rookery perft, version 1", "depth": 7, "leaves": {"0": 108690, ...}, "digest": "9f86d0818..."}
"""

import contextlib
import errno
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from rookery.sources import leftovers
from rookery.sources.disk import DISK, Disk, naming

FULL_DISK: Final = (errno.ENOSPC, errno.EFBIG)
_STANDARD_STREAMS: Final = {"/dev/stdout": 1, "/dev/stderr": 2}


class Kind(NamedTuple):
    """A kind of document: its name in messages, and its mark."""

    name: str
    mark: str


class Damaged(ValueError):
    """A document of this library whose content has changed."""


def write(
    path: str | os.PathLike[str],
    content: str | bytes,
    *,
    new: bool = False,
    durable: bool = True,
    disk: Disk = DISK,
) -> None:
    """Write a file completely or not at all: an error, such as a full disk, leaves the previous file.

    Text is written as UTF-8. Links are followed, and the file keeps its permissions. A device or a pipe cannot be
    replaced and is written to directly. With `new` an existing file is a FileExistsError. A file that is checked when
    it is read and cheap to make again need not be `durable`, that is, forced to disk before and after it is renamed.
    """
    with replacing(path, new=new, durable=durable, disk=disk) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike[str], *, new: bool = False, durable: bool = True, disk: Disk = DISK
) -> Iterator[BinaryIO]:
    """Yield a temporary file that replaces `path` if the block succeeds: `write` for streamed content.

    An exception in the ``with`` block, including Ctrl-C, removes the temporary file. Those of killed processes are
    removed by a later call for a file in the same folder.
    """
    path = Path(path)
    if is_stream(path) or path.is_dir():  # opening a folder raises the right error
        with naming(path), _open_stream(path, disk) as stream:
            yield stream
        return
    target = Path(os.path.realpath(path))
    if new and os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    if target.exists() and not os.access(target, os.W_OK):  # replacing needs only permission for the folder
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    leftovers.remove(target.parent, disk)
    temporary = leftovers.Temporary(target.parent, path, disk)
    try:
        with naming(path), temporary.file as file:
            yield file
            if durable:
                disk.sync(file)
        if new:
            _rename_to_new(temporary.path, target, disk)
        else:
            if target.exists():
                disk.copy_mode(target, temporary.path)
            disk.replace(temporary.path, target)
        if durable:
            disk.sync_folder(target.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            disk.remove(temporary.path)
        raise
    finally:
        temporary.release()


def move(folder: Path, target: Path, names: Iterable[str], *, disk: Disk = DISK) -> None:
    """Move finished files to another folder, which is made if it does not exist; return when they have their names."""
    disk.make_folder(target)
    for name in names:
        disk.replace(folder / name, target / name)
    disk.sync_folder(target)


def _rename_to_new(temporary: Path, target: Path, disk: Disk) -> None:
    """Rename a file; raise a FileExistsError if the target exists, even if it has just appeared."""
    try:
        disk.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        disk.open(target, "xb").close()
        disk.replace(temporary, target)
    else:
        disk.remove(temporary)


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Check whether a path is written to directly: a device, a pipe, or an open file of this process.

    >>> is_stream("/dev/stdout"), is_stream("no such file")
    (True, False)
    """
    path = Path(path)
    return _descriptor(path) is not None or (path.exists() and not path.is_file() and not path.is_dir())


def _descriptor(path: str | os.PathLike[str]) -> int | None:
    """Return the number of the open file that a path like ``/dev/stdout`` names, even if it is redirected."""
    if os.name != "posix":
        return None
    text = os.path.abspath(os.fsdecode(path))  # noqa: PTH100  # do not follow links
    folder, name = os.path.split(text)
    if folder in ("/dev/fd", "/proc/self/fd") and name.isascii() and name.isdigit():
        return int(name)
    return _STANDARD_STREAMS.get(text)


def _open_stream(path: Path, disk: Disk) -> BinaryIO:
    """Open a device or a pipe for writing. An open file keeps its position and is not truncated."""
    number = _descriptor(path)
    if number is None:
        return disk.open(path, "wb")
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    try:
        return os.fdopen(os.dup(number), "wb")
    except OSError as error:
        error.filename = str(path)
        raise


def read(name: str, path: str | os.PathLike[str], begins: bytes = b"") -> bytes | None:
    """Return the bytes of a file, or None if it does not exist.

    If the file cannot be read or does not begin with `begins`, raise a ValueError that calls it `name`. Devices and
    pipes are not read, since they may have no end.
    """
    path = Path(path)
    try:
        if not path.exists():
            return None
        if not path.is_file() and not path.is_dir():  # opening a folder raises the right error
            raise ValueError(f"{name}: {path}: expected a file")
        with DISK.open(path) as file:
            head = file.read(len(begins))
            if head != begins:
                raise ValueError(
                    f"{name}: {path}: not a {name}, or damaged: expected it to begin with {begins.decode()}"
                )
            return head + file.read()
    except OSError as error:
        raise ValueError(f"{name}: {path}: {error.strerror}") from error


def check_place(name: str, path: str | os.PathLike[str]) -> None:
    """Raise an error if a path does not name a file in an existing folder."""
    if not Path(path).name:
        raise ValueError(f"{name}: {str(path)!r}: expected the name of a file")
    folder = Path(path).parent
    if not folder.is_dir():
        raise ValueError(f"{name}: {path}: there is no folder {str(folder)!r}")


def parse_json(text: str | bytes) -> Any:
    """Parse a JSON document; every error is a ValueError.

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


def save(path: str | os.PathLike[str], kind: Kind, content: dict[str, Any], *, disk: Disk = DISK) -> None:
    """Write a document. An OSError leaves the previous one."""
    write(path, json.dumps({"about": kind.mark, **content, "digest": _digest(content)}), disk=disk)


def load(path: str | os.PathLike[str], kind: Kind) -> dict[str, Any] | None:
    """Return the content of a document, or None if the file does not exist.

    Raise `Damaged` if the file has the mark of its kind but not a matching digest, and another ValueError if it is not
    a document of this kind.
    """
    text = read(kind.name, path, json.dumps({"about": kind.mark})[:-1].encode())
    if text is None:
        return None
    try:
        content: dict[str, Any] = parse_json(text)
        del content["about"]
        intact = content.pop("digest", None) == _digest(content)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"{kind.name}: {path}: damaged ({error}): remove the file") from error
    if not intact:
        raise Damaged(f"{kind.name}: {path}: damaged (its digest does not match its content): remove the file")
    return content


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def free_name(path: Path) -> Path:
    """Return an unused name, in the same folder, under which to keep a damaged file."""
    n = 1
    while os.path.lexists(name := path.with_name(f"{path.name}.damaged-{n}")):
        n += 1
    return name
