"""Machine code on disk: one file for each function and the types it was compiled for.

This cache replaces Numba's own, which has an index file that two processes may overwrite for each other, executes
whatever its files contain, does not notice edits in inlined functions, raises if the disk is full, and cannot be read
without importing Numba. Here each file stands alone:

    SHA-256 of what follows            32 bytes; if it does not match, the function is compiled again
    (key, files, unit), pickled        the file name has digests of the key; see `dependencies`, `native.units`

A file is written under a temporary name and renamed when complete. If nothing can be written, compiled code lives as
long as the process, and one warning is issued. Nothing is unpickled that others may have written: see `trust`.
"""

import contextlib
import functools
import glob
import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.kernel.codecache import dependencies, trust
from rookery.kernel.native import units
from rookery.kernel.notice import has_warned, warn_once
from rookery.kernel.settings import compiler_version, settings, target
from rookery.sources import files

_DIGEST: Final = hashlib.sha256
_DIGEST_SIZE: Final = _DIGEST().digest_size
_FORMAT: Final = 5
# Machine code for so many CPUs and versions is kept of each function. All of it is some 50 MB for one of them.
MOST_VARIANTS: Final = 8


def _user_cache_folder() -> Path:
    """Return the folder in which the system expects the user's caches."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "rookery" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "rookery"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rookery"


def cache_folders(source: Path) -> list[Path]:
    """Return the folders in which machine code of a source file is looked for.

    The first that can be written to keeps it. If ``NUMBA_CACHE_DIR`` is set, there is only the folder it names.
    Otherwise there is the ``__pycache__`` next to the source, and then the user's cache folder.
    """
    # Two checkouts may share a cache folder: the subfolder is named after the source's folder and a digest of its path.
    parent = source.resolve().parent
    own = f"{parent.name}_{hashlib.sha1(str(parent).encode(), usedforsecurity=False).hexdigest()}"
    if named := settings().cache_folder:
        return [Path(named) / own]
    folders = [parent / "__pycache__"]
    with contextlib.suppress(RuntimeError):  # a user without a home
        folders.append(_user_cache_folder() / own)
    return folders


_REFUSED: Final = "refused machine code"


def _warn_refused(reason: str) -> None:
    warn_once(
        _REFUSED,
        f"compiled code is not read where others may have written it ({reason}): it is compiled again. "
        "Let only its owner write there, or set NUMBA_CACHE_DIR to a folder of your own.",
    )


def _warn_not_cached(reason: str) -> None:
    warn_once(
        "cache",
        f"compiled code cannot be cached ({reason}): every process compiles it again, for up to half a minute. "
        "Set NUMBA_CACHE_DIR to a writable folder of your own.",
    )


@functools.cache
def _made_by(version: str) -> str:
    return f"{_FORMAT}, {version}, {sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"


class Key(NamedTuple):
    """The identity of machine code: its function, its compiler and its target."""

    module: str
    function: str
    flavour: str
    types: str  # of the arguments
    made_by: str  # llvmlite, Python
    target: tuple[str, ...]  # LLVM's triple, CPU and features
    bounds_checked: bool  # a cached function without checks must not pass for one with
    optimised: str

    def family(self) -> str:
        """Return the beginning of the names of files with the same code for other CPUs, or made by other versions."""
        stem = self.module.rpartition(".")[2]
        function = f"{stem}.{self.function}-{self.flavour}-".replace("<", "").replace(">", "")
        return f"{function}{_short_digest(self[:4])}-"

    def name(self) -> str:
        """Return the name of the file."""
        return f"{self.family()}{_short_digest(self[4:])}.code"


def _short_digest(parts: tuple[Any, ...]) -> str:
    return _DIGEST(repr(parts).encode()).hexdigest()[:16]


class Kept(NamedTuple):
    """The content of a cache file."""

    key: Key
    made_from: list[dependencies.Dependency]
    unit: units.Unit


def read(file: Path, trusted: frozenset[int]) -> Kept | None:
    """Return what a file holds, or None if it is damaged.

    Raise `trust.Refused` if others than the trusted users may have written it.
    """
    content = memoryview(trust.read(file, trusted))
    if _DIGEST(content[_DIGEST_SIZE:]).digest() != content[:_DIGEST_SIZE]:
        return None
    key, made_from, unit = pickle.loads(content[_DIGEST_SIZE:])
    return Kept(Key(*key), made_from, units.Unit(*unit))


def write(folder: Path, kept: Kept) -> None:
    """Write a file in a folder.

    Of the same code for other CPUs or made by other versions, the oldest files are removed once there are more than
    `MOST_VARIANTS`.
    """
    content = pickle.dumps((tuple(kept.key), kept.made_from, tuple(kept.unit)), protocol=5)
    with files.replacing(folder / kept.key.name(), durable=False) as file:
        file.write(_DIGEST(content).digest() + content)
        trust.keep_to_owner(file.fileno())
    variants = list(folder.glob(f"{glob.escape(kept.key.family())}*.code"))
    if len(variants) > MOST_VARIANTS:
        with contextlib.suppress(OSError):  # another process may remove them, too
            for old in sorted(variants, key=lambda file: file.stat().st_mtime)[:-MOST_VARIANTS]:
                old.unlink(missing_ok=True)


class CodeCache:
    """The cache files of one function."""

    def __init__(self, function: Callable[..., Any], flavour: str) -> None:
        self._function = function
        self._flavour = flavour
        self._source = Path(function.__code__.co_filename)
        # No file describes what a function does if it was typed at a prompt, or if it closes over values.
        self._cacheable = self._source.is_file() and function.__closure__ is None

    def folders(self) -> list[Path]:
        """Return the folders in which its files are looked for."""
        return cache_folders(self._source) if self._cacheable else []

    def _key(self, types: str) -> Key:
        current = settings()
        return Key(
            *(self._function.__module__, self._function.__qualname__, self._flavour, types),
            *(_made_by(compiler_version()), target()),
            *(current.bounds_checked, current.optimised),
        )

    def _unit(self, types: str) -> units.Unit | None:
        refused = unit = None
        # What cannot be read, or needs a module that no longer exists, counts as missing.
        with contextlib.suppress(Exception):
            trusted = trust.owners(self._source)
            key = self._key(types)
            for folder in self.folders():
                try:
                    kept = read(folder / key.name(), trusted)
                    if kept is not None and kept.key == key and dependencies.unchanged(kept.made_from):
                        unit = kept.unit
                        break
                except trust.Refused as reason:
                    refused = refused or str(reason)
                except Exception:
                    continue
        if refused:
            _warn_refused(refused)
        return unit

    def is_fresh(self, types: str) -> bool:
        """Check whether there is intact, up-to-date machine code for arguments of these types."""
        return self._unit(types) is not None

    def load(self, types: str) -> units.Loaded | None:
        """Return the machine code for arguments of these types, or None if it is missing, stale or damaged."""
        unit = self._unit(types)
        if unit is not None:
            with contextlib.suppress(Exception):  # llvmlite may differ in another version
                return units.load(unit)
        return None

    def save(self, types: str, unit: units.Unit, sources: set[Path]) -> None:
        """Store machine code. `sources` are the files of its kernels, and those that define its arguments' classes."""
        if not self._cacheable:
            return
        sources = {self._source, *sources}
        if not all(file.is_file() for file in sources):  # a kernel was typed at a prompt
            return
        made_from = dependencies.dependencies(file.resolve() for file in sources)
        if made_from is None:
            return
        kept = Kept(self._key(types), made_from, unit)
        errors, refused = [], []
        for folder in self.folders():
            try:
                self._write(folder, kept)
            except trust.Refused as reason:
                refused.append(str(reason))
            except OSError as error:
                errors.append(f"{folder}: {error.strerror or error}")
            else:
                return
        if errors or not has_warned(_REFUSED):
            _warn_not_cached("; ".join(refused + errors))

    def _write(self, folder: Path, kept: Kept) -> None:
        trusted = trust.owners(self._source)
        trust.make_folder(folder)
        trust.check_folder(folder, trusted)
        file = folder / kept.key.name()
        try:
            trust.read(file, trusted)
        except FileNotFoundError:
            pass
        except trust.Refused:
            file.unlink()  # the new file would keep its permissions
        write(folder, kept)
