"""Which files of machine code are read: those that nobody else can have written or replaced.

Machine code is run, and the file around it is unpickled, which can run code as well. A digest in the file shows damage,
but whoever writes a file can compute its digest. So a file is read only if it, its folder and all folders above belong
to the user, to root or to the owner of the source file, whose code runs anyway, and if nobody else may write to them.
In folders above, the sticky bit is enough, as in ``/tmp``: nobody may rename what belongs to others there.

A group of which the owner is the only member counts as the owner. Some systems give each user such a group, and let it
write to all that the user creates.

Windows has no such bits: there the permissions that a folder inherits decide, and the user's own folders are safe.
"""

import functools
import os
import stat
from pathlib import Path
from typing import Any, Final

_MOST_LINKS: Final = 40  # as many as Linux follows
_WRITABLE: Final = stat.S_IWGRP | stat.S_IWOTH


class Refused(Exception):
    """A file or a folder that others may have written. The message names it and says why."""


def owners(source: Path) -> frozenset[int]:
    """Return the numbers of the users whose machine code of a source file is trusted."""
    return frozenset((0, os.geteuid(), source.stat().st_uid)) if os.name == "posix" else frozenset()


def read(file: Path, trusted: frozenset[int]) -> bytes:
    """Return the bytes of a file. Raise `Refused` if others than the trusted users may have written it."""
    if os.name != "posix":
        return file.read_bytes()
    file = file.absolute()
    # What is checked is what is read: the open file. A pipe would wait for a writer.
    with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as opened:
        check_folder(file.parent, trusted)
        if file.is_symlink():
            _check_path(file, trusted, _MOST_LINKS)
        found = os.fstat(opened.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise Refused(f"{file} is not a file")
        _check(file, found, trusted)
        return opened.read()


def check_folder(folder: Path, trusted: frozenset[int]) -> None:
    """Raise `Refused` if others than the trusted users may write to a folder or replace it."""
    if os.name == "posix" and (reason := _fault_of_folder(str(folder.absolute()), trusted)):
        raise Refused(reason)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, if they do not exist, so that only the user may write to them."""
    if not folder.is_dir():
        if not folder.parent.is_dir():
            make_folder(folder.parent)
        folder.mkdir(mode=0o755, exist_ok=True)  # others may read it: root's cache can serve all users


def keep_to_owner(descriptor: int) -> None:
    """Let nobody but its owner write to an open file."""
    if os.name == "posix":
        os.fchmod(descriptor, stat.S_IMODE(os.fstat(descriptor).st_mode) & ~_WRITABLE)


# Of a folder that passes, only trusted users can change the permissions later.
@functools.cache
def _fault_of_folder(folder: str, trusted: frozenset[int]) -> str:
    try:
        path = Path(folder)
        _check_path(path, trusted, _MOST_LINKS)
        _check(path, path.stat(), trusted)  # the sticky bit is not enough: others could add files
    except Refused as refused:
        return str(refused)
    return ""


def _check_path(path: Path, trusted: frozenset[int], links: int) -> None:
    """Check each part of an absolute path, and each link in it with where it leads."""
    for part in (*reversed(path.parents), path):
        found = part.lstat()
        if stat.S_ISLNK(found.st_mode):
            if not links:
                raise Refused(f"{path} has too many links")
            _check_owner(part, found, trusted)
            _check_path(part.parent / part.readlink(), trusted, links - 1)
        elif not (stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX):
            _check(part, found, trusted)
        else:
            _check_owner(part, found, trusted)


def _check(path: Path, found: os.stat_result, trusted: frozenset[int]) -> None:
    _check_owner(path, found, trusted)
    if found.st_mode & stat.S_IWOTH or (found.st_mode & stat.S_IWGRP and not _is_private(found.st_gid, found.st_uid)):
        raise Refused(f"others may write to {path}")


def _check_owner(path: Path, found: os.stat_result, trusted: frozenset[int]) -> None:
    if found.st_uid not in trusted:
        raise Refused(f"{path} belongs to user {found.st_uid}")


@functools.cache
def _is_private(group: int, user: int) -> bool:
    """Check whether a group is that of one user alone: it has the user's name, and no other member."""
    import grp
    import pwd

    try:
        named: Any = grp.getgrgid(group)
        owner: Any = pwd.getpwuid(user)
    except KeyError:
        return False
    return bool((group, named.gr_name) == (owner.pw_gid, owner.pw_name) and {*named.gr_mem} <= {owner.pw_name})
