"""Permissions that count for this process, too: the user root may read and write every file without them."""

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_VERSION: Final = 0x20080522  # of the system call
_PASSES_BY: Final = 0b110  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


@contextlib.contextmanager
def without_privileges() -> Iterator[None]:
    """Let permissions count for this thread of root, and for threads that it begins, in the ``with`` block."""
    if sys.platform != "linux" or os.geteuid():
        yield
        return
    system, header, sets = ctypes.CDLL(None, use_errno=True), _Header(_VERSION, 0), (ctypes.c_uint32 * 6)()
    system.capget(ctypes.byref(header), sets)
    before = sets[0]
    sets[0] &= ~_PASSES_BY
    system.capset(ctypes.byref(header), sets)
    try:
        yield
    finally:
        sets[0] = before
        system.capset(ctypes.byref(header), sets)


def they_count(folder: Path) -> bool:
    """Return whether a file without permissions cannot be read here: on Windows it can."""
    path = folder / "unreadable"
    path.touch(0)
    try:
        with without_privileges():
            return not os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids)
    finally:
        path.unlink()
