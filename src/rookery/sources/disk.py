"""The operations by which rookery opens, makes, renames, locks and removes files of this machine.

Everything else in the library works through `DISK`. A function that takes `disk` passes it on, so that a test can put a
failing disk in its place.
"""

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, TypeAlias

if sys.platform != "win32":
    import fcntl

AnyPath: TypeAlias = str | os.PathLike[str]

_ATTEMPTS: Final = 5  # to remove a folder


@contextlib.contextmanager
def naming(path: AnyPath) -> Iterator[None]:
    """Add the path to errors of an open file, such as that of a full disk: the system leaves it out."""
    try:
        yield
    except OSError as error:
        _name(error, path)
        raise


def _name(error: OSError, path: Any) -> None:
    if error.errno is not None and error.filename is None:
        error.filename = os.fsdecode(path)


class InputFile(io.FileIO):
    """An open file that is read. Its errors name it: the system names a file only where it cannot be opened."""

    def readinto(self, buffer: Any) -> Any:
        """Read into a buffer; return the number of bytes."""
        try:
            return super().readinto(buffer)
        except OSError as error:
            _name(error, self.name)
            raise

    def readall(self) -> Any:
        """Read to the end."""
        try:
            return super().readall()
        except OSError as error:
            _name(error, self.name)
            raise

    def read(self, size: int | None = -1) -> Any:
        """Read some bytes."""
        try:
            return super().read(-1 if size is None else size)
        except OSError as error:
            _name(error, self.name)
            raise


class Disk:
    """The files of this machine. Every failure is an OSError of the system."""

    def open(self, path: AnyPath, mode: Literal["rb", "wb", "xb", "r+b"] = "rb", *, buffered: bool = True) -> BinaryIO:
        """Open a file for bytes: to read it, write it anew, create it, or change it."""
        # The caller closes it. A Path takes as long to make as the file to open.
        if mode == "rb":
            raw = InputFile(path)
            return io.BufferedReader(raw) if buffered else raw
        file: BinaryIO = open(path, mode, -1 if buffered else 0)  # noqa: PTH123, SIM115
        return file

    def open_native(self, arrow: Any, path: AnyPath, *, mapped: bool = False) -> Any:
        """Open a file as one of pyarrow, which is `arrow`. It is read without Python's lock, and needs `naming`.

        Only a file that no other program changes may be `mapped`: reading behind the end of one that was cut ends the
        process.
        """
        return arrow.memory_map(os.fspath(path)) if mapped else arrow.OSFile(os.fspath(path))

    def mapped(self, path: AnyPath, *, private: bool = False) -> Any:
        """Return the bytes of a file that no other program changes: an array that the system reads as needed.

        A `private` one can be changed, as compiled code expects of arrays; the file stays as it is.
        """
        import numpy as np

        return np.memmap(path, np.uint8, "c" if private else "r")

    def sync(self, file: BinaryIO) -> None:
        """Return when all that was written to a file is on the disk."""
        file.flush()
        os.fsync(file.fileno())

    def sync_folder(self, path: AnyPath) -> None:
        """Return when the names of the files in a folder are on the disk, on systems that can do that."""
        if sys.platform != "win32":
            # As SQLite does, go on where that fails: many file systems keep the order of names without it.
            with contextlib.suppress(OSError):
                folder = os.open(path, os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)

    def truncate(self, file: BinaryIO, size: int) -> None:
        """Cut a file to some bytes."""
        file.truncate(size)

    def lock(self, file: BinaryIO | int) -> bool:
        """Lock an open file for this process; return False if another process holds it.

        An OSError means that the file system has no locks. On Windows nothing is locked.
        """
        if sys.platform != "win32":
            try:
                fcntl.flock(file if isinstance(file, int) else file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    def replace(self, old: AnyPath, new: AnyPath) -> None:
        """Rename a file, in place of the one that has the new name."""
        Path(old).replace(new)

    def link(self, old: AnyPath, new: AnyPath) -> None:
        """Give a file another name; an error if it exists, or if the file system has no hard links."""
        os.link(old, new)

    def copy_mode(self, source: AnyPath, target: AnyPath) -> None:
        """Give a file the permissions of another one."""
        import shutil  # takes 5 ms to import, and most programs write nothing

        shutil.copymode(source, target)

    def remove(self, path: AnyPath, *, missing_ok: bool = False) -> None:
        """Remove a file."""
        Path(path).unlink(missing_ok)

    def make_folder(self, path: AnyPath, *, parents: bool = False) -> None:
        """Make a folder unless it exists."""
        Path(path).mkdir(parents=parents, exist_ok=True)

    def remove_folder(self, path: AnyPath) -> None:
        """Remove an empty folder."""
        Path(path).rmdir()

    def remove_tree(self, path: AnyPath) -> None:
        """Remove a folder and all in it, if it exists. If something stays, the error names the folder."""
        import shutil

        # A task that is about to end may add a file while the folder is emptied.
        for _ in range(_ATTEMPTS):
            shutil.rmtree(path, ignore_errors=True)
            if not os.path.lexists(path):
                return
        try:
            shutil.rmtree(path)
        except OSError as error:
            error.filename = os.fsdecode(path)  # in place of a file in it, of which the system gives only the last name
            raise

    def discard(self, folder: AnyPath) -> None:
        """Remove a folder that nothing needs any more. If something stays, warn: the work that made it is done."""
        try:
            self.remove_tree(folder)
        except OSError as error:
            what = "this folder is not needed any more, and could not be removed"
            warnings.warn(f"{os.fsdecode(folder)}: {what} ({error.strerror}): remove it", stacklevel=2)

    @contextlib.contextmanager
    def temporary_folder(self) -> Iterator[Path]:
        """Yield a folder of the system's for temporary files, which is removed when the block ends."""
        import tempfile

        name = tempfile.mkdtemp(prefix="rookery-")
        try:
            yield Path(name)
        finally:
            self.discard(name)

    def unused_name(self, prefix: str, suffix: str) -> Path:
        """Make an empty file in the system's folder for temporary files, which stays there, and return its path."""
        import tempfile

        handle, name = tempfile.mkstemp(suffix, prefix)
        os.close(handle)
        return Path(name)

    def temporary_file(self, in_memory: int) -> Any:
        """Return a file without a name, in memory until it has more than so many bytes."""
        import tempfile

        return tempfile.SpooledTemporaryFile(in_memory)  # the caller closes it


DISK: Final = Disk()  # the one that all functions use unless they are given another
