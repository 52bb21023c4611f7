r"""Journals: files of finished tasks, from which interrupted work goes on.

A journal is a file of lines. Each line is a JSON document and the start of its SHA-256, and stands for itself, so a
task is kept once its line is on disk, and a line that a killed process left unfinished is dropped.

    {"about": "rookery journal, version 1", "work": {"command": "perft", "fen": "...", "depth": 9}} 5d41402abc4b2a76
    {"task": 0, "result": [102, 4865609]} 7d793037a0760186
"""

import contextlib
import hashlib
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from rookery.sources import files
from rookery.sources.disk import DISK, Disk, naming
from rookery.tasks.differences import OtherWorkError, difference

_MARK: Final = "rookery journal, version 1"
_DIGITS: Final = 16
_HEAD: Final = json.dumps({"about": _MARK})[:-1].encode()


class Journal:
    """The results of finished tasks by number, in a file that belongs to the work that `work` describes.

    `work` and the results are anything that JSON holds. Opening a file that exists reads the results in it. Raises
    ValueError if the file is no journal, belongs to other work, is in use by another process, or a line before its last
    is damaged. Use it in a ``with`` statement: it then closes the file.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "journal"
    >>> with Journal(path, {"squares of": 3}) as journal:
    ...     journal.add(1, 1)
    >>> with Journal(path, {"squares of": 3}) as journal:
    ...     journal.results
    {1: 1}
    """

    def __init__(self, path: str | os.PathLike[str], work: Any, *, disk: Disk = DISK) -> None:
        files.check_place("journal", path)
        self.path = Path(path)
        self._disk = disk
        self.results: dict[int, Any] = {}
        content = files.read("journal", path, _HEAD)
        if not content:
            files.write(self.path, _line({"about": _MARK, "work": work}), disk=disk)
        try:
            # A buffer would keep a line for which there was no space, and write it when the file is closed.
            self._file = disk.open(self.path, "r+b", buffered=False)
        except OSError as error:
            raise ValueError(f"journal: {path}: {error.strerror}") from error
        try:
            self._lock()
            with naming(self.path):
                self._end = self._take(self._file.read(), work)
                disk.truncate(self._file, self._end)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        with contextlib.suppress(OSError):  # a file system without locks
            if not self._disk.lock(self._file):
                raise ValueError(f"journal: {self.path}: is in use by another process: wait until that ends")

    def _take(self, content: bytes, work: Any) -> int:
        """Take the results from the content of the file; return how many bytes of it are intact."""
        head, *lines = content.split(b"\n")
        first = _parse(head) if lines else None  # without its line break it was cut
        if first is None:
            raise files.Damaged(f"journal: {self.path}: line 1: damaged: remove the file")
        expected = json.loads(json.dumps(work))
        if first.get("work") != expected:
            raise OtherWorkError(self.path, difference(first.get("work"), expected))
        lines.pop()  # what follows the last line break: nothing, or an unfinished line
        intact = len(head) + 1
        for i, line in enumerate(lines):
            entry = _parse(line)
            if entry is None or type(entry.get("task")) is not int or "result" not in entry:
                if i == len(lines) - 1:  # a system that crashed may have lost a part of it
                    break
                raise files.Damaged(f"journal: {self.path}: line {i + 2}: damaged: remove the line to repeat its task")
            self.results[entry["task"]] = entry["result"]
            intact += len(line) + 1
        return intact

    def add(self, task: int, result: Any) -> None:
        """Store the result of a task: it is on disk when the method returns. A task that is stored is left alone.

        Raises OSError, for example if the disk is full; the journal is then as before.
        """
        if task in self.results:
            return
        line = _line({"task": task, "result": result})
        with naming(self.path):
            try:
                self._file.seek(self._end)
                rest = memoryview(line)
                while rest:
                    rest = rest[self._file.write(rest) :]
                self._disk.sync(self._file)
            except OSError:
                self._disk.truncate(self._file, self._end)
                raise
        self._end += len(line)
        self.results[task] = result

    def forget(self, task: int) -> None:
        """Forget the result of a task, which may then be added again: of two lines about a task the later counts."""
        self.results.pop(task, None)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def work_of(path: str | os.PathLike[str]) -> Any:
    """Return the work that a journal belongs to; None if there is no journal, or a damaged one."""
    try:
        head = _parse((files.read("journal", path, _HEAD) or b"").partition(b"\n")[0])
    except ValueError:
        return None
    return head and head.get("work")


def _line(document: dict[str, Any]) -> bytes:
    text = json.dumps(document).encode()
    return text + b" " + hashlib.sha256(text).hexdigest()[:_DIGITS].encode() + b"\n"


def _parse(line: bytes) -> dict[str, Any] | None:
    """Return the document of a line, or None if the line is damaged."""
    text, _, digest = line.rpartition(b" ")
    if hashlib.sha256(text).hexdigest()[:_DIGITS].encode() != digest:
        return None
    document = files.parse_json(text)
    return document if isinstance(document, dict) else None
