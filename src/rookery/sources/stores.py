"""Paths of files: local ones, and those of other stores through fsspec, such as ``s3://bucket/file``."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeGuard

from rookery.lazy_imports import compile_later
from rookery.sources.disk import DISK

_CHUNK: Final = 1 << 20
_STATES: Final = ("ETag", "etag", "LastModified", "last_modified", "mtime", "created")  # as file systems call them
_SCHEME: Final = compile_later(r"[A-Za-z][A-Za-z0-9+.-]+:(?://|:)")


def is_remote(path: object) -> TypeGuard[str]:
    """Check whether a path begins with the scheme of a store.

    >>> is_remote("s3://bucket/a.txt"), is_remote("a.txt"), is_remote("C:/a.txt")
    (True, False, False)
    """
    return isinstance(path, str) and _SCHEME.match(path) is not None


def absolute(path: str | os.PathLike[str]) -> str:
    """Return a path that means the same in any folder: workers of an executor may have another one.

    >>> absolute("s3://bucket/a.txt"), os.path.isabs(absolute("a.txt"))
    ('s3://bucket/a.txt', True)
    """
    return path if is_remote(path) else os.path.abspath(os.fsdecode(path))  # noqa: PTH100  # do not follow links


def plain(path: str | os.PathLike[str]) -> str:
    """Return the same path as a text, in the spelling of this system.

    >>> plain("s3://bucket/a.txt"), plain(Path("a.txt"))
    ('s3://bucket/a.txt', 'a.txt')
    """
    return path if is_remote(path) else str(Path(path))


def _fsspec() -> Any:
    try:
        import fsspec
    except ModuleNotFoundError:
        raise ModuleNotFoundError("files of other stores need fsspec: pip install fsspec", name="fsspec") from None
    return fsspec


def open_file(path: str) -> BinaryIO:
    """Open a file for reading bytes; every failure is an OSError that names the path."""
    if not is_remote(path):
        return DISK.open(path)
    fsspec = _fsspec()
    try:
        opened: BinaryIO = fsspec.open(path, "rb").open()
    except (ImportError, OSError):
        raise
    except Exception as error:  # each store has its own
        raise OSError(f"{path}: {error}") from error
    return opened


def chunks(path: str, file: BinaryIO, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
    """Yield the content of an open file, or a range of it; every failure is an OSError that names the path.

    Chunks of a range end at the same bytes as those of the whole file.
    """
    try:
        if start:
            file.seek(start)
        size = _CHUNK - start % _CHUNK
        while chunk := file.read(size if stop is None else min(size, stop - start)):
            start += len(chunk)
            size = _CHUNK - start % _CHUNK
            yield chunk
    except OSError:
        raise
    except Exception as error:  # each store has its own
        raise OSError(errno.EIO, str(error), path) from error


def size_of(path: str) -> int | None:
    """Return the size of a file in bytes, None if its store does not give it."""
    return size_and_state(path)[0] if is_remote(path) else os.stat(path).st_size  # noqa: PTH116  # pipes, too


def size_and_state(path: str) -> tuple[int | None, str | None]:
    """Return the size of a file of another store in bytes, and its ETag or the time when it changed."""
    store, name = _fsspec().core.url_to_fs(path)
    try:
        info = store.info(name)
    except FileNotFoundError:
        raise FileNotFoundError(2, "no such file", path) from None
    except OSError:
        raise
    except Exception as error:  # each store has its own
        raise OSError(f"{path}: {error}") from error
    state = next((info[key] for key in _STATES if info.get(key)), None)
    return info.get("size"), None if state is None else str(state)


def upload(file: Path, path: str) -> None:
    """Copy a local file to another store, where it appears when it is complete."""
    store, name = _fsspec().core.url_to_fs(path)
    try:
        store.put_file(str(file), name)
    except OSError:
        raise
    except Exception as error:  # each store has its own
        raise OSError(f"{path}: {error}") from error
