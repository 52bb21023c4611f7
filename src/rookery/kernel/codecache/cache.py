"""Machine code on disk: one file for each function and the types it was compiled for.

This cache replaces Numba's own, which has an index file that two processes may overwrite for each other, executes
whatever its files contain, does not notice edits in inlined functions, raises if the disk is full, and cannot be read
without importing Numba. Here each file stands alone:

    SHA-256 of what follows            32 bytes; if it does not match, the function is compiled again
    (key, files, image), pickled       the file name has a digest of the key; see `dependencies`, `loader`

A file is written under a temporary name and renamed when complete. If nothing can be written, compiled code lives as
long as the process, and one warning is issued.
"""

import contextlib
import functools
import hashlib
import os
import pickle
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

from rookery import files
from rookery.kernel.codecache import dependencies, loader
from rookery.kernel.settings import compiler_version, settings, target

_DIGEST: Final = hashlib.sha256
_DIGEST_SIZE: Final = _DIGEST().digest_size
_FORMAT: Final = 2


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


_warned = False


def _warn_not_cached(reason: str) -> None:
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            f"compiled code cannot be cached ({reason}): every process compiles it again, for up to half a minute. "
            "Set NUMBA_CACHE_DIR to a writable folder.",
            RuntimeWarning,
            stacklevel=2,
        )


@functools.cache
def _made_by(version: str) -> str:
    return f"{_FORMAT}, {version}, {sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"


class CodeCache:
    """The cache files of one function."""

    def __init__(self, function: Callable[..., Any], flavour: str) -> None:
        self._function = function
        self._flavour = flavour
        self._source = Path(function.__code__.co_filename)
        # No file describes what a function does if it was typed at a prompt, or if it closes over values.
        self._cacheable = self._source.is_file() and function.__closure__ is None
        self._family = f"{self._source.stem}.{function.__qualname__}-{flavour}-".replace("<", "").replace(">", "")

    def folders(self) -> list[Path]:
        """Return the folders in which its files are looked for."""
        return cache_folders(self._source) if self._cacheable else []

    def _key(self, types: str) -> tuple[Any, ...]:
        current = settings()
        return (
            *(self._function.__module__, self._function.__qualname__, self._flavour, types),
            *(_made_by(compiler_version()), target()),
            *(current.bounds_checked, current.optimised),  # a cached function without checks must not pass for one with
        )

    def _name(self, key: tuple[Any, ...]) -> str:
        return f"{self._family}{_DIGEST(repr(key).encode()).hexdigest()[:24]}.code"

    def _image(self, types: str) -> loader.Image | None:
        for folder in self.folders():
            # A file that cannot be read, or that needs a module that no longer exists, counts as missing.
            with contextlib.suppress(Exception):
                key = self._key(types)
                content = memoryview((folder / self._name(key)).read_bytes())
                if _DIGEST(content[_DIGEST_SIZE:]).digest() != content[:_DIGEST_SIZE]:
                    continue
                kept, made_from, image = pickle.loads(content[_DIGEST_SIZE:])
                if kept == key and dependencies.unchanged(made_from):
                    return cast(loader.Image, image)
        return None

    def is_fresh(self, types: str) -> bool:
        """Check whether there is intact, up-to-date machine code for arguments of these types."""
        return self._image(types) is not None

    def load(self, types: str) -> Any:
        """Return the machine code for arguments of these types, or None if it is missing, stale or damaged."""
        image = self._image(types)
        if image is not None:
            # Numba's private parts may differ in another version.
            with contextlib.suppress(Exception):
                return loader.load(image)
        return None

    def save(self, types: str, result: Any, sources: set[Path]) -> None:
        """Store a result of compilation. `sources` are the files that define the classes of its arguments."""
        if not self._cacheable:
            return
        image = loader.image_of(result)
        if image is None:
            _warn_not_cached(f"{self._function.__qualname__} holds an address or an array over 1 MB")
            return
        sources = {self._source, *sources, *map(Path, loader.compiled_in(result.library))}
        if not all(file.is_file() for file in sources):  # a kernel was typed at a prompt
            return
        made_from = dependencies.dependencies(file.resolve() for file in sources)
        if made_from is None:
            return
        key = self._key(types)
        content = pickle.dumps((key, made_from, image), protocol=5)
        content = _DIGEST(content).digest() + content
        errors = []
        for folder in self.folders():
            try:
                folder.mkdir(parents=True, exist_ok=True)
                files.write(folder / self._name(key), content, durable=False)
            except OSError as error:
                errors.append(f"{folder}: {error.strerror or error}")
                continue
            return
        _warn_not_cached("; ".join(errors))
