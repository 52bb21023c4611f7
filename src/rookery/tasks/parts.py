"""Tasks of a job as workers get them: what they read, and the files that they write."""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, TypeVar

from rookery.sources import files
from rookery.sources.disk import DISK, Disk
from rookery.sources.failures import DamagedFileError, raise_system_errors
from rookery.sources.file_range import FileRange

T = TypeVar("T")

stopped: Final[set[str]] = set()  # jobs of this process that have ended, but whose tasks may still run


class InterruptedTaskError(RuntimeError):
    """A task that ended because its job was interrupted."""


@dataclass(frozen=True, slots=True)
class RangeTask:
    """A range of a file, the options of the file, and the number of the range in it.

    `size` is the number of bytes of the file that the range takes. Of a file that `is_streamed`, a task has the
    content, a `block`; the last one has None, and the reason for which the file could not be read to its end, if any,
    as `failure`.
    """

    part: FileRange
    options: Any
    number: int
    size: int = field(default=0, repr=False)
    is_streamed: bool = False
    block: Any = field(default=None, repr=False)
    failure: str = ""

    def __str__(self) -> str:
        """Return the file and the range."""
        return f"{self.part}, part {self.number}" if self.is_streamed else str(self.part)


class TaskResult(NamedTuple):
    """A finished task: its number, its result, and the folder of its part.

    `Job.read` also gives the range that was read, and the number of its file.
    """

    number: int
    value: Any
    folder: str
    file: int = 0
    part: FileRange = FileRange("")

    def path(self, suffix: str = "") -> Path:
        """Return the path of the file of the part that has a suffix."""
        return _part_path(self.folder, self.number, suffix)


class TaskFiles:
    """The files that a task writes, and whether its job still runs."""

    def __init__(self, folder: str, number: int, job: str, disk: Disk = DISK) -> None:
        self.kept: list[tuple[str, int, str]] = []  # name, size and digest of each file
        self._folder, self._number, self._job, self._disk = folder, number, job, disk

    @contextlib.contextmanager
    def writing(self, suffix: str = "", *, name: str | None = None, durable: bool = False) -> Iterator[BinaryIO]:
        """Yield a file of the part, which gets its name when it is complete.

        A file that is part of the output has a `name` of its own, relative to the folder of the job, and is `durable`.
        """
        path = Path(self._folder, name) if name is not None else _part_path(self._folder, self._number, suffix)
        with files.replacing(path, durable=durable, disk=self._disk) as file:
            yield file
        self.kept.append((os.path.relpath(path, self._folder), *size_and_digest(path)))

    @property
    def last(self) -> tuple[int, str]:
        """Return the size and the SHA-256 of the last file."""
        return self.kept[-1][1:]

    def while_running(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items until the job is interrupted, which raises `InterruptedTaskError`."""
        for item in items:
            if self._job in stopped:
                raise InterruptedTaskError("interrupted")
            yield item


class TaskCall(NamedTuple):
    """A task as a worker gets it."""

    work: Callable[[Any, TaskFiles], Any]
    task: Any
    folder: str
    number: int
    job: str
    disk: Disk

    def __str__(self) -> str:
        """Return what the task reads."""
        return str(self.task)

    def __call__(self) -> tuple[Any, list[tuple[str, int, str]]]:
        """Do the task; return its result and its files."""
        parts = TaskFiles(self.folder, self.number, self.job, self.disk)
        return self.work(self.task, parts), parts.kept


def perform(call: TaskCall) -> tuple[Any, list[tuple[str, int, str]]]:
    """Do a task; this runs in a worker."""
    return call()


def _part_path(folder: str, number: int, suffix: str) -> Path:
    return Path(folder) / f"part-{number:06d}{suffix}"


def size_and_digest(path: Path) -> tuple[int, str]:
    """Return the size and the SHA-256 of a file."""
    with DISK.open(path) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # a file has readinto
        return file.tell(), digest


def size_of_ranges(ranges: Sequence[FileRange]) -> int:
    """Return the bytes of a file, 0 if they are not known."""
    identity = ranges[0].identity if ranges else None
    return (identity.size or 0) if identity is not None else 0


def divided(ranges: Sequence[FileRange], options: Any) -> Iterator[RangeTask]:
    """Yield the tasks of a file that is divided; its ranges have about the same size."""
    size = size_of_ranges(ranges)
    for i, part in enumerate(ranges):
        share = size * (i + 1) // len(ranges) - size * i // len(ranges)
        yield RangeTask(part, options, i, size=share)


def streamed(part: FileRange, options: Any, blocks: Iterator[tuple[Any, int]]) -> Iterator[RangeTask]:
    """Yield the tasks of a file that is read from its beginning to its end."""
    read = number = 0
    failure = ""
    try:
        for block, at in blocks:
            yield RangeTask(part, options, number, at - read, True, block)
            number, read = number + 1, at
    except DamagedFileError as error:
        raise_system_errors([error])
        failure = str(error)
    yield RangeTask(part, options, number, max(size_of_ranges([part]) - read, 0), True, None, failure)
