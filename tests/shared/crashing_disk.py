"""A disk on which the machine stops at any operation, and what may be left of its files.

The files are real, in a folder that should be in memory. `CrashingDisk` takes the place of the methods of `Disk`. It
counts the operations that change this folder, and remembers which bytes were forced to disk and which names were given
in which order. At one operation it raises `Crash`; nothing changes the folder after that. `leave` then puts into the
folder what a stopped process, or a machine without power, may leave.
"""

import contextlib
import errno
import io
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple
from unittest import mock

from rookery.sources.disk import Disk, InputFile

FOLDER: Final = None  # stands for a folder where else a file stands


class Crash(BaseException):
    """The machine stopped."""


class File:
    """A file, whatever its names: the bytes that were forced to disk, and the last bytes of a file without a name."""

    def __init__(self, durable: bytes) -> None:
        self.durable = durable
        self.last = durable


Names = dict[str, File | None]


class Step(NamedTuple):
    """An operation on names: the paths that it changed, and all names after it."""

    changed: frozenset[str]
    names: Names


class CrashingDisk:
    """A disk that stops before operation number `at`, or in the middle of it if it writes; with None, never.

    Reading is an operation, too, if the folder of the `inputs` is given.
    """

    def __init__(self, folder: Path, at: int | None = None, inputs: Path | None = None) -> None:
        self.folder, self.at, self.inputs = folder, at, inputs
        self.operations: list[str] = []
        self.is_dead = False
        self._lock = threading.RLock()
        files: Names = {str(path): File(path.read_bytes()) if path.is_file() else FOLDER for path in folder.rglob("*")}
        self._steps = [Step(frozenset(), files)]
        self._durable: set[int] = {0}  # steps that are on the disk

    # What counts as an operation.

    def reaches(self, operation: str, path: str | None = None) -> None:  # noqa: ARG002
        """Count an operation that is about to happen; stop at the one that was chosen.

        The system names the `path` of an operation on a path in its errors.
        """
        with self._lock:
            if self.is_dead:
                raise Crash
            self.operations.append(operation)
            if len(self.operations) - 1 == self.at:
                self.is_dead = True
                raise Crash

    def _inside(self, path: Any) -> str | None:
        text = os.path.abspath(os.fsdecode(path))  # noqa: PTH100  # as the caller named it
        return text if text.startswith(f"{self.folder}{os.sep}") else None

    def _counts_reading(self, path: Any) -> str | None:
        text = os.path.abspath(os.fsdecode(path))  # noqa: PTH100
        folders = () if self.inputs is None else (self.folder, self.inputs)
        return text if any(text.startswith(f"{folder}{os.sep}") for folder in folders) else None

    @property
    def reached(self) -> str:
        """The operation number `at`. Threads may have done others before it than in another run."""
        return self.operations[self.at] if self.at is not None and self.at < len(self.operations) else "no operation"

    @property
    def names(self) -> Names:
        """The files by their names now."""
        return self._steps[-1].names

    def _change(self, names: dict[str, Any], removed: tuple[str, ...] = ()) -> None:
        following = {name: file for name, file in self.names.items() if name not in removed} | names
        self._steps.append(Step(frozenset([*names, *removed]), following))

    def _forget(self, path: str) -> None:
        """Keep the bytes of a file that is about to lose this name."""
        file = self.names.get(path)
        if file is not None:
            with contextlib.suppress(PermissionError):  # the name may go all the same
                file.last = Path(path).read_bytes()

    # The operations of `Disk`, each with the real one before it.

    def open(self, real: Callable[..., Any], path: Any, mode: str = "rb", *, buffered: bool = True) -> Any:
        name = self._inside(path)
        if mode == "rb" and (read := self._counts_reading(path)):
            self.reaches(f"open rb {Path(read).name}", read)
            file = _RecordedInput(self, path, mode)
            return io.BufferedReader(file) if buffered else file
        if mode == "rb" or name is None:
            return real(path, mode, buffered=buffered)
        self.reaches(f"open {mode} {Path(name).name}", name)
        with self._lock:
            existed = Path(name).exists()
            raw = _Recorded(self, name, mode)
            if not existed:
                self._change({name: File(b"")})
        if not buffered:
            return raw
        return io.BufferedRandom(raw) if mode == "r+b" else io.BufferedWriter(raw)

    def open_native(self, real: Callable[..., Any], arrow: Any, path: Any, *, mapped: bool = False) -> Any:
        name = self._counts_reading(path)
        if name is None or mapped:
            if name is not None:
                self.reaches(f"map {Path(name).name}", name)
            return real(arrow, path, mapped=mapped)
        self.reaches(f"open_native {Path(name).name}", name)
        return arrow.PythonFile(_Recorded(self, name, "rb"), mode="r")

    def sync(self, real: Callable[..., None], file: BinaryIO) -> None:
        name = self._inside(file.name)
        if name is None:
            return real(file)
        file.flush()
        self.reaches(f"sync {Path(name).name}")
        with self._lock:
            synced = self.names[name]
            assert synced is not None
            synced.durable = Path(name).read_bytes()
        return None

    def sync_folder(self, real: Callable[..., None], path: Any) -> None:
        folder = os.path.abspath(path)  # noqa: PTH100
        if folder != str(self.folder) and self._inside(folder) is None:
            return real(path)
        try:
            self.reaches(f"sync_folder {Path(folder).name}")
        except OSError:  # `Disk` goes on, too
            return None
        with self._lock:
            self._durable |= {
                number
                for number, step in enumerate(self._steps)
                if any(os.path.dirname(name) == folder for name in step.changed)  # noqa: PTH120
            }
        return None

    def truncate(self, real: Callable[..., None], file: BinaryIO, size: int) -> None:
        if self._inside(file.name):
            self.reaches(f"truncate {Path(file.name).name}")
        real(file, size)

    def replace(self, real: Callable[..., None], old: Any, new: Any) -> None:
        source, target = self._inside(old), self._inside(new)
        if source is None or target is None:
            return real(old, new)
        self.reaches(f"replace {Path(target).name}", target)
        with self._lock:
            self._forget(target)
            real(old, new)
            inside = {name: name.replace(source, target, 1) for name in self.names if name.startswith(source + os.sep)}
            # A file that another process has written is not known here.
            moving = self.names[source] if source in self.names else File(Path(target).read_bytes())
            moved = {target: moving, **{inside[name]: self.names[name] for name in inside}}
            self._change(moved, (source, *inside))
        return None

    def link(self, real: Callable[..., None], old: Any, new: Any) -> None:
        source, target = self._inside(old), self._inside(new)
        if source is None or target is None:
            return real(old, new)
        self.reaches(f"link {Path(target).name}", target)
        with self._lock:
            real(old, new)
            self._change({target: self.names[source]})
        return None

    def copy_mode(self, real: Callable[..., None], source: Any, target: Any) -> None:
        if self._inside(target):
            self.reaches(f"copy_mode {Path(target).name}")
        real(source, target)

    def remove(self, real: Callable[..., None], path: Any, *, missing_ok: bool = False) -> None:
        name = self._inside(path)
        if name is None:
            return real(path, missing_ok=missing_ok)
        self.reaches(f"remove {Path(name).name}", name)
        with self._lock:
            self._forget(name)
            real(path, missing_ok=missing_ok)
            self._change({}, (name,))
        return None

    def make_folder(self, real: Callable[..., None], path: Any, *, parents: bool = False) -> None:
        name = self._inside(path)
        if name is None or Path(name).is_dir():
            return real(path, parents=parents)
        self.reaches(f"make_folder {Path(name).name}", name)
        with self._lock:
            real(path, parents=parents)
            made = [str(folder) for folder in (Path(name), *Path(name).parents) if self._inside(folder)]
            self._change({folder: FOLDER for folder in made if folder not in self.names})
        return None

    def remove_folder(self, real: Callable[..., None], path: Any) -> None:
        name = self._inside(path)
        if name is None:
            return real(path)
        self.reaches(f"remove_folder {Path(name).name}", name)
        with self._lock:
            real(path)
            self._change({}, (name,))
        return None

    def remove_tree(self, real: Callable[..., None], path: Any) -> None:
        name = self._inside(path)
        if name is None:
            return real(path)
        disk = Disk()

        def removed() -> None:
            for inside in sorted((str(one) for one in Path(name).rglob("*")), reverse=True):
                disk.remove_folder(inside) if Path(inside).is_dir() else disk.remove(inside)
            if Path(name).is_dir():
                disk.remove_folder(name)

        for _ in range(_ATTEMPTS):  # as `Disk` does: a task that is about to end may add a file meanwhile
            with contextlib.suppress(OSError):
                return removed()
        try:
            return removed()
        except OSError as error:
            error.filename = name
            raise

    # What is left.

    def states(self) -> Iterator[tuple[str, dict[str, bytes | None]]]:
        """Yield what may be left: names of damage, and the bytes of each file; None for a folder.

        A stopped process leaves what it wrote. A machine without power may lose bytes that were not forced to disk, or
        leave zeros in their place, and may lose the last names that were given, or one of them.
        """
        bytes_now = {id(file): self._bytes_of(name, file) for name, file in self.names.items() if file is not None}

        def now(file: File) -> bytes:
            return bytes_now.get(id(file), file.last)

        def torn(file: File) -> bytes:
            content, kept = now(file), len(file.durable)
            half = (kept + len(content)) // 2
            return content[:half].ljust(len(content), b"\0") if content.startswith(file.durable) else content[:half]

        def left(names: Names, content: Callable[[File], bytes]) -> dict[str, bytes | None]:
            return {name: None if file is None else content(file) for name, file in names.items()}

        yield "stopped", left(self.names, now)
        yield "bytes lost", left(self.names, lambda file: file.durable)
        yield "bytes torn", left(self.names, torn)
        for back in range(1, _LOST_NAMES + 1):
            number = len(self._steps) - back
            if number in self._durable or number < 0:
                continue
            if not self._durable.intersection(range(number, len(self._steps))):
                yield f"{back} names lost", left(self._steps[number - 1].names, now)
                yield f"{back} names and bytes lost", left(self._steps[number - 1].names, lambda file: file.durable)
            if back > 1 and (names := self._without(number)) is not None:
                yield f"name {back} before the last lost", left(names, now)

    def _without(self, step: int) -> Names | None:
        """Return the names as they are without one operation; None if later ones depend on it."""
        changed, before = self._steps[step].changed, self._steps[step - 1].names
        if any(changed & later.changed or _holds(changed, later.changed) for later in self._steps[step + 1 :]):
            return None
        kept = {name: file for name, file in self.names.items() if name not in changed}
        return kept | {name: before[name] for name in changed if name in before}

    def _bytes_of(self, name: str, file: File) -> bytes:
        return Path(name).read_bytes() if Path(name).is_file() else file.last

    def leave(self, state: dict[str, bytes | None]) -> None:
        """Put files into the folder in place of those that are there."""
        empty(self.folder)
        for name, content in sorted(state.items()):
            path = Path(name)
            if content is None:
                path.mkdir(parents=True, exist_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)


class FailingDisk(CrashingDisk):
    """A disk on which operation number `at` fails with an error of the system. Later ones work, but one that is full
    stays full: nothing more is written.
    """

    def __init__(self, folder: Path, at: int | None, error: int, inputs: Path | None = None) -> None:
        super().__init__(folder, at, inputs)
        self.error = error

    def reaches(self, operation: str, path: str | None = None) -> None:
        with self._lock:
            self.operations.append(operation)
            later = self.at is not None and len(self.operations) > self.at
            stays = self.error == errno.ENOSPC and later and operation.startswith("write")
            if len(self.operations) - 1 == self.at or stays:
                raise OSError(self.error, os.strerror(self.error), *([] if path is None else [path]))


class ChangingDisk(CrashingDisk):
    """A disk on which another program does something just before operation number `at`."""

    def __init__(self, folder: Path, at: int | None, act: Callable[[], object], inputs: Path | None = None) -> None:
        super().__init__(folder, at, inputs)
        self.act = act

    def reaches(self, operation: str, path: str | None = None) -> None:  # noqa: ARG002
        with self._lock:
            self.operations.append(operation)
            if len(self.operations) - 1 == self.at:
                self.act()


class ShortReads(io.FileIO):
    """An open file that gives at most seven bytes at a time, as systems may."""

    def readinto(self, buffer: Any) -> int:
        return super().readinto(memoryview(buffer)[:7]) or 0

    def read(self, size: int | None = -1) -> bytes:
        return super().read(7 if size is None or size < 0 else min(size, 7)) or b""


@contextlib.contextmanager
def short_reads() -> Iterator[None]:
    """Let files opened for reading give few bytes at a time in the ``with`` block."""
    real = Disk.open

    def opened(self: Disk, path: Any, mode: Any = "rb", *, buffered: bool = True) -> Any:
        if mode != "rb":
            return real(self, path, mode, buffered=buffered)
        file = ShortReads(path)
        return io.BufferedReader(file, 16) if buffered else file

    with mock.patch.object(Disk, "open", opened):
        yield


_LOST_NAMES: Final = 3
_ATTEMPTS: Final = 5
_LONGEST: Final = 10  # seconds until the last thread of stopped work ends
OPERATIONS: Final = tuple(
    """
    open open_native sync sync_folder truncate replace link copy_mode remove make_folder remove_folder remove_tree
    """.split()
)


def _holds(changed: frozenset[str], later: frozenset[str]) -> bool:
    return any(name.startswith(folder + os.sep) for folder in changed for name in later)


def empty(folder: Path) -> None:
    """Remove all in a folder."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


class _Recorded(io.FileIO):
    """An open file of a crashing disk, whose writes are operations; if its disk counts them, its reads, too."""

    def __init__(self, disk: CrashingDisk, name: Any, mode: str) -> None:
        self._disk = disk
        super().__init__(name, mode.replace("b", ""))

    def readinto(self, buffer: Any) -> Any:
        self._reads()
        return super().readinto(buffer)

    def readall(self) -> Any:
        self._reads()
        return super().readall()

    def read(self, size: int | None = -1) -> Any:
        self._reads()
        return super().read(size)

    def _reads(self) -> None:
        if self._disk.inputs is not None:
            self._disk.reaches(f"read {Path(os.fsdecode(self.name)).name}")

    def write(self, content: Any) -> int:
        content = bytes(content)
        if self._disk.is_dead:
            return len(content)  # buffers of a stopped process are lost; raising here would be reported when it ends
        try:
            self._disk.reaches(f"write {Path(str(self.name)).name}")
        except Crash:
            super().write(content[: len(content) // 2])
            raise
        return super().write(content)


class _RecordedInput(InputFile, _Recorded):
    """One that is read."""


@contextlib.contextmanager
def installed(disk: CrashingDisk) -> Iterator[CrashingDisk]:
    """Let `Disk` work through a crashing disk in the ``with`` block."""

    def method(name: str) -> Callable[..., Any]:
        real, simulated = getattr(Disk, name), getattr(disk, name)

        def call(self: Disk, *arguments: Any, **options: Any) -> Any:
            return simulated(lambda *a, **o: real(self, *a, **o), *arguments, **options)

        return call

    before = set(threading.enumerate())
    with contextlib.ExitStack() as stack:
        for name in OPERATIONS:
            stack.enter_context(mock.patch.object(Disk, name, method(name)))
        try:
            yield disk
        finally:
            _wait_for_others(before)


def _wait_for_others(before: set[threading.Thread]) -> None:
    """Wait until threads that began since have ended: after a crash, tasks may still run, or be about to begin."""
    longest = time.monotonic() + _LONGEST
    while (left := set(threading.enumerate()) - before) and time.monotonic() < longest:
        for thread in left:
            if thread.ident is not None:  # which one that is about to begin does not have
                thread.join(0.1)
