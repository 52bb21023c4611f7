"""The file in which the finished prefixes of proofs are kept, so that a proof goes on where it was ended."""

import contextlib
import datetime
import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

_APPLICATION = 0x726F6F6B  # "rook", in the head of the file
_VERSION = 1
_HEAD = b"SQLite format 3\0"
_SCHEMA = f"""
    PRAGMA application_id = {_APPLICATION};
    PRAGMA user_version = {_VERSION};
    CREATE TABLE IF NOT EXISTS question (
        id INTEGER PRIMARY KEY, piece TEXT NOT NULL, square TEXT NOT NULL, bits INTEGER NOT NULL, plan TEXT NOT NULL,
        prefixes INTEGER NOT NULL, UNIQUE (piece, square, bits, plan));
    CREATE TABLE IF NOT EXISTS prefix (
        question INTEGER NOT NULL REFERENCES question, number INTEGER NOT NULL, nodes INTEGER NOT NULL,
        tested INTEGER NOT NULL, seconds REAL NOT NULL, magic TEXT, date TEXT NOT NULL,
        PRIMARY KEY (question, number)) WITHOUT ROWID;
"""


class Finished(NamedTuple):
    """What came out of one prefix: how much was done, and the factor if there is one."""

    number: int
    nodes: int
    tested: int
    seconds: float
    magic: int | None


class Question(NamedTuple):
    """A question a ledger knows of."""

    id: int
    piece: str
    square: str
    bits: int
    plan: str
    prefixes: int


class Ledger:
    """Finished prefixes in an SQLite file. A damaged file is renamed, never overwritten; `set_aside` then names it.

    >>> with Ledger(":memory:") as ledger:
    ...     question = ledger.question("bishop", "c1", 4, "plan", 64)
    ...     ledger.add(question, [Finished(3, 100, 200, 0.5, None)])
    ...     ledger.add(question, [Finished(3, 100, 200, 0.5, None)])  # counted once
    ...     ledger.finished(question)
    [Finished(number=3, nodes=100, tested=200, seconds=0.5, magic=None)]
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.set_aside: Path | None = None
        try:
            self._connection = self._open()
        except _Damaged:
            self.set_aside = free_name(Path(path))
            # What a crash left beside the file belongs to it, and would be played back into the next one.
            try:
                for suffix in ("", "-journal", "-wal", "-shm"):
                    with contextlib.suppress(FileNotFoundError):
                        Path(f"{path}{suffix}").rename(f"{self.set_aside}{suffix}")
            except OSError as error:
                raise ValueError(f"ledger: {path}: damaged, and not to be set aside: {error.strerror}") from error
            self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        self._look_at_the_file()
        try:
            connection = sqlite3.connect(self.path, timeout=30)
        except sqlite3.Error as error:
            raise ValueError(f"ledger: {self.path}: {error}") from error
        try:
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if not tables:
                connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
                raise _Damaged
            if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
                raise ValueError(f"ledger: {self.path}: a database of something else; expected a ledger of proofs")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version != _VERSION:
                raise ValueError(f"ledger: {self.path}: version {version}; expected {_VERSION}")
            connection.execute("SELECT question, number, nodes, tested, seconds, magic, date FROM prefix LIMIT 1")
            connection.execute("SELECT id, piece, square, bits, plan, prefixes FROM question LIMIT 1")
        except sqlite3.DatabaseError as error:
            connection.close()
            # A file that is locked, read-only or a directory is no damaged one.
            if isinstance(error, sqlite3.OperationalError) and "no such" not in str(error):
                raise ValueError(f"ledger: {self.path}: {error}") from error
            raise _Damaged from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _look_at_the_file(self) -> None:
        path = Path(self.path)
        if not path.parent.is_dir():
            raise ValueError(f"ledger: {path}: there is no folder {str(path.parent)!r}")
        if not path.exists():
            return
        if not path.is_file():
            raise ValueError(f"ledger: {path}: expected a file")
        try:
            with path.open("rb") as file:
                head = file.read(len(_HEAD))
        except OSError as error:
            raise ValueError(f"ledger: {path}: {error.strerror}") from error
        # SQLite itself takes a file of one byte for an empty one, and writes over it.
        if head not in (b"", _HEAD):
            raise _Damaged

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. What SQLite refuses, of a file that may not be written or is damaged, names the file."""
        try:
            with self._connection as connection:
                yield connection
        except sqlite3.Error as error:
            raise ValueError(f"ledger: {self.path}: {error}") from error

    def questions(self) -> list[Question]:
        """All that was ever asked."""
        with self._transaction() as c:
            rows = c.execute("SELECT id, piece, square, bits, plan, prefixes FROM question ORDER BY id").fetchall()
        return [Question(*row) for row in rows]

    def question(self, piece: str, square: str, bits: int, plan: str, prefixes: int) -> int:
        """The number of a question, old or new. Another plan makes it another question."""
        key = (piece, square, bits, plan)
        with self._transaction() as c:
            c.execute(
                "INSERT OR IGNORE INTO question (piece, square, bits, plan, prefixes) VALUES (?, ?, ?, ?, ?)",
                (*key, prefixes),
            )
            row = c.execute("SELECT id FROM question WHERE (piece, square, bits, plan) = (?, ?, ?, ?)", key)
            return int(row.fetchone()[0])

    def finished(self, question: int) -> list[Finished]:
        """The finished prefixes of a question, by number."""
        with self._transaction() as c:
            rows = c.execute(
                "SELECT number, nodes, tested, seconds, magic FROM prefix WHERE question = ? ORDER BY number",
                (question,),
            ).fetchall()
        return [self._finished(row) for row in rows]

    def _finished(self, row: tuple[Any, ...]) -> Finished:
        number, nodes, tested, seconds, magic = row
        if (
            all(type(count) is int and count >= 0 for count in (number, nodes, tested))
            and isinstance(seconds, float)
            and (magic is None or (isinstance(magic, str) and re.fullmatch("0x[0-9a-f]{16}", magic)))
        ):
            return Finished(number, nodes, tested, seconds, None if magic is None else int(magic, 16))
        raise ValueError(
            f"ledger: {self.path}: prefix {row}: expected number, nodes, tested, seconds, and a factor or none"
        )

    def last_date(self, question: int) -> str:
        """The day the last prefix was finished, or an empty string."""
        with self._transaction() as c:
            row = c.execute("SELECT max(date) FROM prefix WHERE question = ?", (question,)).fetchone()
        return str(row[0] or "")

    def add(self, question: int, prefixes: Iterable[Finished]) -> None:
        """Keep finished prefixes, all or none; one that is there already stays as it is."""
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        rows = [
            (question, f.number, f.nodes, f.tested, f.seconds, None if f.magic is None else f"0x{f.magic:016x}", today)
            for f in prefixes
        ]
        with self._transaction() as c:
            c.executemany("INSERT OR IGNORE INTO prefix VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


class _Damaged(Exception):
    """The file cannot be read as a ledger."""


def free_name(path: Path) -> Path:
    """A name beside a damaged file under which it can be kept."""
    n = 1
    while (name := path.with_name(f"{path.name}.damaged-{n}")).exists():
        n += 1
    return name
