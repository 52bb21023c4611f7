"""SQLite on a crashing disk: each of its operations may be the point of a crash, or fail."""

import contextlib
import errno
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import apsw

from crashing_disk import Crash, CrashingDisk

SYNCHRONOUS = "FULL"  # SQLite's default, which the ledger relies on
JOURNAL: Final = "-journal"
_ERRORS: Final = {
    errno.ENOSPC: (apsw.FullError, sqlite3.SQLITE_FULL),
    errno.EIO: (apsw.IOError, sqlite3.SQLITE_IOERR),
    errno.EACCES: (apsw.CantOpenError, sqlite3.SQLITE_CANTOPEN),
}
_CHANGES: Final = ("INSERT", "DELETE")


@contextlib.contextmanager
def _failing() -> Iterator[None]:
    """Turn errors of the disk into those that SQLite knows."""
    try:
        yield
    except OSError as error:
        kind, code = _ERRORS[error.errno or 0]
        made: Any = kind(str(error))
        made.extendedresult = code
        raise made from error


class _Layer(apsw.VFS):
    """The operations of SQLite on names of files."""

    def __init__(self, name: str, disk: CrashingDisk) -> None:
        self.disk = disk
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> "_File":  # noqa: N802  # as SQLite calls it
        return _File(name, flags, self.disk)

    def xDelete(self, path: str, sync_folder: bool) -> None:  # noqa: N802  # as SQLite calls it
        with _failing():
            self.disk.remove(lambda path, **_: super(_Layer, self).xDelete(path, False), path)
            if sync_folder:
                self.disk.sync_folder(lambda _: None, Path(path).parent)


class _File(apsw.VFSFile):
    """An open file of SQLite."""

    def __init__(self, name: Any, flags: list[int], disk: CrashingDisk) -> None:
        self.disk, self.path = disk, Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        self.names_are_lost = str(self.path).endswith(JOURNAL)
        with _failing():
            if not self.path.exists():
                self.disk.open(lambda *_, **__: None, self.path, "xb", buffered=False).close()
        super().__init__("", name, flags)

    def xWrite(self, content: bytes, at: int) -> None:  # noqa: N802  # as SQLite calls it
        with _failing():
            try:
                self.disk.reaches(f"write {self.path.name}")
            except Crash:
                super().xWrite(bytes(content[: len(content) // 2]), at)
                raise
        super().xWrite(content, at)

    def xTruncate(self, size: int) -> None:  # noqa: N802  # as SQLite calls it
        with _failing():
            self.disk.reaches(f"truncate {self.path.name}")
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802
        with _failing():
            with self.path.open("rb") as file:
                self.disk.sync(lambda _: None, file)
            if self.names_are_lost:  # the first time that a new journal is forced to disk, its folder is, too
                self.disk.sync_folder(lambda _: None, self.path.parent)
                self.names_are_lost = False


class _Connection:
    """A connection by apsw with the methods of sqlite3 that the ledger uses: sqlite3 itself takes no VFS."""

    def __init__(self, path: Any, layer: str) -> None:
        self.text_factory: Any = str
        self._call: Any = apsw.Connection(str(path), vfs=layer)
        self._call.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")

    def _begins(self, text: str) -> None:
        if text.startswith(_CHANGES) and not self._call.in_transaction:
            self.execute("BEGIN")

    def execute(self, text: str, values: Any = ()) -> Any:
        self._begins(text)
        with _as_sqlite3():
            return self._call.execute(text, tuple(values))

    def executemany(self, text: str, rows: Any) -> None:
        self._begins(text)
        with _as_sqlite3():
            self._call.executemany(text, [tuple(row) for row in rows])

    executescript = execute

    def __enter__(self) -> "_Connection":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if self._call.in_transaction:
            self.execute("COMMIT" if kind is None else "ROLLBACK")

    def close(self) -> None:
        self._call.close()


@contextlib.contextmanager
def _as_sqlite3() -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        other = sqlite3.OperationalError(str(error))
        other.sqlite_errorcode = getattr(error, "extendedresult", 0)
        raise other from error


@contextlib.contextmanager
def on_disk(disk: CrashingDisk) -> Iterator[SimpleNamespace]:
    """Yield what takes the place of the module sqlite3 in the ledger: its files are on a crashing disk."""
    name = f"crashing-{id(disk)}"
    layer = _Layer(name, disk)

    def connect(path: Any, **_: Any) -> _Connection:
        with _as_sqlite3():
            return _Connection(path, name)

    yield SimpleNamespace(**{**vars(sqlite3), "connect": connect})
    layer.unregister()
