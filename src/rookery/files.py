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
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

_NO_ROOM: Final = (errno.ENOSPC, errno.EFBIG)


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
    """The same for content that comes piece by piece: a binary file beside it, which takes its name when all is well.

    An exception within the ``with`` block, Ctrl-C too, removes it.
    """
    path = Path(path)
    if not new and path.exists() and not path.is_file():
        with _full_disk_told(path), path.open("wb") as stream:
            yield stream
        return
    target = Path(os.path.realpath(path))
    if new:
        target.open("xb").close()
    elif target.exists() and not os.access(target, os.W_OK):  # the folder alone would let it be replaced
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    beside = target.with_name(f".rookery-{secrets.token_hex(8)}.new")
    try:
        with _full_disk_told(path), _opened(beside, path) as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except BaseException:
        for left in (beside, target) if new else (beside,):
            with contextlib.suppress(OSError):
                left.unlink()
        raise


def _opened(beside: Path, path: Path) -> BinaryIO:
    """A new file. An error names the path that was asked for."""
    try:
        return beside.open("xb")
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
