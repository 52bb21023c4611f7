"""Temporary files that are renamed when complete, and the removal of those whose process was killed.

A process holds a lock on its temporary file until the file has its final name. The system releases the lock when the
process ends, however it ends, so a temporary file that can be locked is a leftover. Process numbers would not do: they
are used again, and machines that share the folder use the same ones.
"""

import contextlib
import functools
import hashlib
import os
import platform
import re
import stat
import sys
import time
from pathlib import Path
from typing import BinaryIO, Final

from rookery.sources.disk import DISK, Disk

_NAME: Final = re.compile(r"\.rookery-(?:([0-9a-f]{8})-)?[0-9a-f]{16}\.new")
_PAUSE: Final = 60.0  # seconds between two scans of a folder
# Some network file systems do not show locks to other machines. Files left by another machine, or by this one before it
# was restarted, are removed when they have not changed for so many seconds.
_OLD: Final = 86_400.0
_OLD_ON_WINDOWS: Final = 3_600.0

_last_scans: dict[Path, float] = {}


class Temporary:
    """A new temporary file in a folder, locked by this process until `release`."""

    def __init__(self, folder: Path, target: Path, disk: Disk = DISK) -> None:
        """Create the file. An error names `target`, the file's final name."""
        self._disk = disk
        self._lock: int | None = None
        while True:
            self.path = folder / f".rookery-{machine()}-{os.urandom(8).hex()}.new"
            try:
                self.file: BinaryIO = disk.open(self.path, "xb")
            except OSError as error:
                error.filename = str(target)
                raise
            if self._lock_file():
                return
            self.file.close()

    def _lock_file(self) -> bool:
        """Lock the file; return False if another process has just removed it as a leftover."""
        if sys.platform != "win32":  # Windows does not remove open files
            try:
                if not self._disk.lock(self.file):
                    return False
            except OSError:  # a file system without locks, where no leftovers are removed
                pass
            if not os.fstat(self.file.fileno()).st_nlink:
                return False
            self._lock = os.dup(self.file.fileno())  # closing the file keeps the lock
        return True

    def release(self) -> None:
        """Close the file and release the lock."""
        self.file.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


@functools.cache
def machine() -> str:
    """Return eight hexadecimal digits that identify this machine until it restarts; its containers share them."""
    try:
        text = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
    except OSError:
        text = platform.node()
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def remove(folder: Path, disk: Disk = DISK) -> None:
    """Remove this user's temporary files in a folder whose processes have ended."""
    now = time.monotonic()
    if now - _last_scans.get(folder, -_PAUSE) < _PAUSE:
        return
    _last_scans[folder] = now
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if _NAME.fullmatch(entry.name)]
    except OSError:
        return
    for name in names:
        with contextlib.suppress(OSError):  # another process removed or locked it, or the file system has no locks
            _remove_one(folder / name, disk)


def _remove_one(path: Path, disk: Disk) -> None:
    """Remove a temporary file; raise an OSError if a process holds it."""
    state = path.lstat()
    if not stat.S_ISREG(state.st_mode):
        return
    age = time.time() - state.st_mtime
    if sys.platform == "win32":
        if age > _OLD_ON_WINDOWS:
            disk.remove(path)  # an error while a process has it open
    else:
        named = _NAME.fullmatch(path.name)
        if state.st_uid != os.geteuid() or (age < _OLD and not (named and named[1] == machine())):
            return
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            # Its process may have renamed it since.
            if disk.lock(descriptor) and os.path.samestat(os.fstat(descriptor), path.lstat()):
                disk.remove(path)
        finally:
            os.close(descriptor)
