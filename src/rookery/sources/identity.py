"""The identity of a file: tasks that read parts of it at different times must read the same file."""

import contextlib
import io
import os
import stat
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from rookery.lazy_imports import modules_later
from rookery.sources import stores
from rookery.sources.failures import ChangedFileError

if TYPE_CHECKING:
    import hashlib
else:
    (hashlib,) = modules_later("", "hashlib")


_BLOCK: Final = 1 << 12  # bytes of the first and of the last block, which are read to compare files


class Identity(NamedTuple):
    """The size of a file in bytes, when it changed, and a digest of its first and last block.

    A file of another store has its ETag, or its time if the store gives no ETag, and no digest. A size or a time that
    the store does not give is None.
    """

    size: int | None
    changed: int | str | None
    digest: str = ""


def identity_of(path: str, file: BinaryIO | None = None) -> Identity:
    """Return the identity of a file, which may be open already. Raises OSError for a file that cannot be read."""
    if stores.is_remote(path):
        return Identity(*stores.size_and_state(path))
    with stores.open_file(path) if file is None else contextlib.nullcontext(file) as opened:
        state = os.fstat(opened.fileno())
        if not stat.S_ISREG(state.st_mode):  # the bytes of a pipe can be read once
            return Identity(state.st_size, state.st_mtime_ns)
        digest = _digest(opened, state.st_size)
        opened.seek(0)
        return Identity(state.st_size, state.st_mtime_ns, digest)


def _digest(file: BinaryIO, size: int) -> str:
    """Return the digest of the first and the last block of the first `size` bytes of a file."""
    digest = hashlib.sha256()
    for place in (0, max(size - _BLOCK, 0)):
        file.seek(place)
        digest.update(file.read(min(size, _BLOCK)))
    return digest.hexdigest()[:32]


def check_identity(path: str, expected: Identity, *, may_grow: bool = False, file: BinaryIO | None = None) -> None:
    """Raise `ChangedFileError` if a file, which may be open already, is not the expected one.

    With `may_grow` other programs may have added to its end. Then its first bytes are still those of the expected file.
    """
    try:
        now = identity_of(path, file)
        has_grown = may_grow and _begins_with(path, expected, now)
    except FileNotFoundError as error:
        raise ChangedFileError(f"{path}: was removed while it was read: {_ADVICE}") from error
    if now != expected and not has_grown:
        sizes = ""
        if expected.size is not None and now.size is not None and expected.size != now.size:
            sizes = f" (it had {expected.size:,} bytes and has {now.size:,})"
        raise ChangedFileError(f"{path}: changed while it was read{sizes}: {_ADVICE}")


_ADVICE: Final = "start again when no other program writes to it"


def _begins_with(path: str, expected: Identity, now: Identity) -> bool:
    """Check whether a file has grown and its first and last block are where they were."""
    if not expected.digest or expected.size is None or now.size is None or now.size <= expected.size:
        return False
    with stores.open_file(path) as file:
        return _digest(file, expected.size) == expected.digest


@contextlib.contextmanager
def changes_explained(files: Mapping[str, Identity]) -> Iterator[None]:
    """Raise `ChangedFileError` in place of an error of the block if a file has changed: the change may be the cause."""
    try:
        yield
    except ChangedFileError:
        raise
    except Exception as error:
        try:
            check_all(files)
        except ChangedFileError as change:
            raise change from error
        raise


def check_all(files: Mapping[str, Identity]) -> None:
    """Raise `ChangedFileError` if one of the files is not the expected one."""
    for path, expected in files.items():
        check_identity(path, expected)


@contextlib.contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[Any]:
    """Open a file for reading bytes, and check when the block ends that it was not cut or written over meanwhile.

    Other programs may add to its end. A file that replaces it does not matter, since the open one is read. Devices,
    pipes and files of other stores are not checked.
    """
    with stores.open_file(os.fsdecode(path)) as file:
        if not isinstance(file, io.BufferedReader):
            yield file
            return
        before = os.fstat(file.fileno())
        try:
            yield file
        except Exception as error:
            if not isinstance(error, ChangedFileError) and _is_rewritten(file, before):
                raise _rewritten(path) from error
            raise
        if _is_rewritten(file, before):
            raise _rewritten(path)


def _is_rewritten(file: BinaryIO, before: os.stat_result) -> bool:
    if file.closed or not stat.S_ISREG(before.st_mode):
        return False
    after = os.fstat(file.fileno())
    return after.st_size < before.st_size or (
        after.st_size == before.st_size and after.st_mtime_ns != before.st_mtime_ns
    )


def _rewritten(path: str | os.PathLike[str]) -> ChangedFileError:
    return ChangedFileError(f"{os.fsdecode(path)}: was cut or written over while it was read: {_ADVICE}")
