"""The names under which files are made and written in a folder, as the system reports them, whatever writes them."""

import contextlib
import ctypes
import os
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from unittest import mock

from rookery.sources.disk import Disk

HAS_EVENTS: Final = sys.platform == "linux"
_MODIFIED, _CREATED = 0x2, 0x100  # of inotify.h
_HEAD: Final = struct.Struct("iIII")


class Events:
    """Events of a folder: the paths of files made under this name, not renamed to it, and of files written."""

    def __init__(self) -> None:
        self.made: set[str] = set()
        self.written: set[str] = set()
        self._system = ctypes.CDLL(None, use_errno=True)
        self._descriptor = self._system.inotify_init1(os.O_NONBLOCK)
        self._folders: dict[int, Path] = {}

    def watch(self, folder: Path) -> None:
        number = self._system.inotify_add_watch(self._descriptor, os.fsencode(folder), _MODIFIED | _CREATED)
        if number >= 0:
            self._folders[number] = folder

    def close(self) -> None:
        """Take what has happened, and end."""
        content = b""
        with contextlib.suppress(BlockingIOError):
            while more := os.read(self._descriptor, 1 << 16):
                content += more
        os.close(self._descriptor)
        at = 0
        while at < len(content):
            number, kind, _, size = _HEAD.unpack_from(content, at)
            at += _HEAD.size + size
            name = content[at - size : at].rstrip(b"\0").decode()
            if number in self._folders and (path := self._folders[number] / name) not in self._folders.values():
                (self.made if kind & _CREATED else self.written).add(str(path))


@contextlib.contextmanager
def folder_events(folder: Path) -> Iterator[Events]:
    """Watch a folder in the ``with`` block, and the folders that the library makes in it."""
    events = Events()
    events.watch(folder)
    make = Disk.make_folder

    def make_folder(self: Disk, path: Any, *, parents: bool = False) -> None:
        make(self, path, parents=parents)
        events.watch(Path(path))

    with mock.patch.object(Disk, "make_folder", make_folder):
        yield events
    events.close()
