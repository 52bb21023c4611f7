"""The file that keeps the finished prefixes of proofs, so that a proof can be continued.

Each prefix is an independent row: it names its question, and its digest covers all its columns. A row with a changed
bit is not counted, and its prefix is searched again.
"""

import contextlib
import datetime
import hashlib
import json
import re
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from rookery.sources.disk import DISK
from rookery.sources.files import check_place, free_name

_APPLICATION = 0x726F6F6B  # "rook", in the head of the file
_VERSION = 2
_HEAD = b"SQLite format 3\0"
_MARK = slice(68, 72)  # where SQLite keeps the application's number
_TABLE = """CREATE TABLE prefix (
    piece TEXT NOT NULL, square TEXT NOT NULL, bits INTEGER NOT NULL, plan TEXT NOT NULL, prefixes INTEGER NOT NULL,
    number INTEGER NOT NULL, nodes INTEGER NOT NULL, tested INTEGER NOT NULL, seconds REAL NOT NULL, magic TEXT,
    date TEXT NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (piece, square, bits, plan, prefixes, number)) WITHOUT ROWID"""
_QUESTION = "(piece, square, bits, plan, prefixes) = (?, ?, ?, ?, ?)"
# What SQLite answers of a file that cannot be one of its own, and not of one that is locked or may not be written.
_CORRUPT = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_ERRORS = (sqlite3.Error, UnicodeDecodeError)  # the latter where SQLite's own message quotes what is damaged


class Finished(NamedTuple):
    """The result of one prefix: the work done, and the factor if there is one."""

    number: int
    nodes: int
    tested: int
    seconds: float
    magic: int | None


class Question(NamedTuple):
    """The question whether a piece has a factor of `bits` bits.

    Each plan makes a separate question.
    """

    piece: str
    square: str
    bits: int
    plan: str
    prefixes: int


class _Row(NamedTuple):
    """A stored row; any field may hold anything where the file is damaged."""

    piece: Any
    square: Any
    bits: Any
    plan: Any
    prefixes: Any
    number: Any
    nodes: Any
    tested: Any
    seconds: Any
    magic: Any
    date: Any
    digest: Any = None

    def sealed(self) -> "_Row":
        """Return the row with its digest."""
        return self._replace(digest=hashlib.sha256(json.dumps(self[:-1]).encode()).hexdigest()[:16])

    @property
    def is_whole(self) -> bool:
        """Return whether the row is unchanged since it was written."""
        return (
            all(isinstance(text, str) for text in (self.piece, self.square, self.plan, self.date))
            and all(type(n) is int and n >= 0 for n in (self.bits, self.prefixes, self.number, self.nodes, self.tested))
            and isinstance(self.seconds, float)
            and (self.magic is None or isinstance(self.magic, str))
            and self == self.sealed()
            and (self.magic is None or re.fullmatch("0x[0-9a-f]{16}", self.magic) is not None)
        )

    @property
    def finished(self) -> Finished:
        """Return the result that an intact row holds."""
        magic = None if self.magic is None else int(self.magic, 16)
        return Finished(self.number, self.nodes, self.tested, self.seconds, magic)


_COLUMNS = ", ".join(_Row._fields)
_INSERT = f"INTO prefix VALUES ({', '.join('?' * len(_Row._fields))})"


class Ledger:
    """Finished prefixes in an SQLite file.

    A file that is not a ledger is a ValueError and stays unchanged. A damaged ledger is renamed, never overwritten:
    `set_aside` then holds its new name, and its intact rows are copied. With `read_only` nothing is written or renamed.
    `tell` is called with a message about any damage.

    >>> with Ledger(":memory:") as ledger:
    ...     question = Question("bishop", "c1", 4, "plan", 64)
    ...     ledger.add(question, [Finished(3, 100, 200, 0.5, None)])
    ...     ledger.add(question, [Finished(3, 100, 200, 0.5, None)])  # counted once
    ...     ledger.finished(question)
    [Finished(number=3, nodes=100, tested=200, seconds=0.5, magic=None)]
    """

    def __init__(
        self, path: str | Path, *, read_only: bool = False, tell: Callable[[str], None] = warnings.warn
    ) -> None:
        self.path = path
        self.read_only = read_only
        self.tell = tell
        self.set_aside: Path | None = None
        self._bad: list[_Row] = []
        try:
            self._connection = self._open()
        except _Damaged as error:
            if read_only:
                raise ValueError(f"ledger: {path}: damaged: {error}") from error
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Rename a damaged file and copy the rows that can be trusted."""
        aside = self.set_aside = free_name(Path(self.path))
        # Files that a crash left next to it belong to it, and would be played back into the next one.
        try:
            for suffix in ("", "-journal", "-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    DISK.replace(f"{self.path}{suffix}", f"{aside}{suffix}")
        except OSError as error:
            raise ValueError(f"ledger: {self.path}: damaged, and cannot be renamed: {error.strerror}") from error
        self._connection = self._open()
        rows = _whole_rows(aside)
        with self._transaction() as c:
            c.executemany(f"INSERT OR IGNORE {_INSERT}", rows)
        kept = f"with the {len(rows):,} prefixes that are whole" if rows else "without any of its prefixes"
        self.tell(f"{self.path} was damaged: it is kept as {aside}, and a new one begun {kept}")

    def _open(self) -> sqlite3.Connection:
        self._look_at_the_file()
        try:
            if self.read_only:
                connection = sqlite3.connect(f"{Path(self.path).absolute().as_uri()}?mode=ro", timeout=30, uri=True)
            else:
                connection = sqlite3.connect(self.path, timeout=30)
        except sqlite3.Error as error:
            raise ValueError(f"ledger: {self.path}: {error}") from error
        connection.text_factory = _text
        try:
            schema = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
            if not schema:
                marks = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_VERSION}"
                table = _TABLE.replace("TABLE", "TABLE IF NOT EXISTS", 1)  # another process may be faster
                connection.executescript(f"BEGIN IMMEDIATE; {marks}; {table}; COMMIT;")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version != _VERSION:
                raise ValueError(f"ledger: {self.path}: version {version}; expected {_VERSION}: begin a new one")
            if schema not in ([], [(_TABLE,)]):
                raise _Damaged("its table is not that of a ledger")
            check = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if check != "ok":
                raise _Damaged(check)
        except _ERRORS as error:
            connection.close()
            if _is_damage(error):
                raise _Damaged(str(error)) from error
            raise ValueError(f"ledger: {self.path}: {error}") from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _look_at_the_file(self) -> None:
        check_place("ledger", self.path)
        path = Path(self.path)
        if not path.exists():
            return
        if not path.is_file():
            raise ValueError(f"ledger: {path}: expected a file")
        try:
            with DISK.open(path) as file:
                head = file.read(100)
        except OSError as error:
            raise ValueError(f"ledger: {path}: {error.strerror}") from error
        if not head and not self.read_only:  # SQLite's own beginning of a new one
            return
        # SQLite itself takes a file of one byte for an empty one, and writes over it.
        if not head.startswith(_HEAD):
            raise ValueError(f"ledger: {path}: not an SQLite file; expected a ledger of proofs")
        if head[_MARK] != _APPLICATION.to_bytes(4, "big"):
            raise ValueError(f"ledger: {path}: a database of something else; expected a ledger of proofs")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Run a block as one transaction.

        What SQLite refuses is a ValueError that names the file.
        """
        try:
            with self._connection as connection:
                yield connection
        except _ERRORS as error:
            raise ValueError(f"ledger: {self.path}: {error}") from error

    def questions(self) -> list[Question]:
        """Return all questions that have stored prefixes."""
        with self._transaction() as c:
            rows = c.execute("SELECT DISTINCT piece, square, bits, plan, prefixes FROM prefix").fetchall()
        return [Question(*row) for row in rows]

    def _rows(self, question: Question) -> list[_Row]:
        with self._transaction() as c:
            rows = c.execute(f"SELECT {_COLUMNS} FROM prefix WHERE {_QUESTION} ORDER BY number", question)
            return [_Row(*row) for row in rows]

    def finished(self, question: Question) -> list[Finished]:
        """Return the finished prefixes of a question, by number.

        A row that does not match its digest is reported and not counted. It is deleted at the next `add`.
        """
        rows = self._rows(question)
        bad = [row for row in rows if not row.is_whole]
        self._bad += bad
        if bad:
            count = "1 prefix does" if len(bad) == 1 else f"{len(bad):,} prefixes do"
            which = f"{question.piece} {question.square}: {count} not fit the digest kept with it"
            self.tell(f"ledger: {self.path}: {which}: not counted, to be searched again")
        return list({row.number: row.finished for row in rows if row.is_whole}.values())

    def last_date(self, question: Question) -> str:
        """Return the day the last prefix was finished, or an empty string."""
        return max((row.date for row in self._rows(question) if row.is_whole), default="")

    def add(self, question: Question, prefixes: Iterable[Finished]) -> None:
        """Store finished prefixes, all or none; a stored prefix stays as it is."""
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        with self._transaction() as c:
            while self._bad:
                c.execute(f"DELETE FROM prefix WHERE {_QUESTION} AND number IS ?", self._bad.pop()[:6])
            for f in prefixes:
                magic = None if f.magic is None else f"0x{f.magic:016x}"
                row = _Row(*question, f.number, f.nodes, f.tested, float(f.seconds), magic, today).sealed()
                c.execute(f"INSERT OR IGNORE {_INSERT}", row)


class _Damaged(Exception):
    """The error for a file that bears the mark of a ledger but cannot be read as one."""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")  # a damaged text is one that its digest does not fit, and no error


def _is_damage(error: Exception) -> bool:
    return isinstance(error, UnicodeDecodeError) or getattr(error, "sqlite_errorcode", 0) & 0xFF in _CORRUPT


def _whole_rows(path: Path) -> list[_Row]:
    """Return the intact rows of a damaged ledger, read from both ends as far as possible."""
    rows = {}
    uri = f"{path.absolute().as_uri()}?immutable=1"  # nothing is to be played back into it
    with contextlib.suppress(*_ERRORS), contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.text_factory = _text
        for order in ("ASC", "DESC"):
            by = ", ".join(f"{column} {order}" for column in (*Question._fields, "number"))
            with contextlib.suppress(*_ERRORS):
                for columns in connection.execute(f"SELECT {_COLUMNS} FROM prefix ORDER BY {by}"):
                    row = _Row(*columns)
                    if row.is_whole:
                        rows[row[:6]] = row
    return list(rows.values())
