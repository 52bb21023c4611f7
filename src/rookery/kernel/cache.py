"""Machine code kept on disk: a file for each function and the types it was compiled for.

Numba's own cache keeps an index beside its files, which two processes may overwrite for each other, executes whatever
lies in them, does not notice edits in inlined functions, raises when the disk is full, and cannot be read without
importing Numba. So ours is another one, of files that stand alone:

    SHA-256 of what follows            32 bytes; a file that fails it is compiled anew
    (key, files, image), pickled       the whole key, of which the name holds a digest; see `dependencies`, `loader`

A file is written under another name and renamed when whole. Where nothing can be written, compiled code lives as long
as the process, with one warning.
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
from rookery.kernel import dependencies, loader
from rookery.kernel.settings import compiler_version, settings, target

_DIGEST: Final = hashlib.sha256
_DIGEST_SIZE: Final = _DIGEST().digest_size
_FORMAT: Final = 2


def _user_cache_folder() -> Path:
    """Where programs keep what they can make again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "rookery" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "rookery"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rookery"


def cache_folders(source: Path) -> list[Path]:
    """Where machine code of a source file is looked for, and kept in the first that can be written: the folder that
    ``NUMBA_CACHE_DIR`` names, or else ``__pycache__`` beside the source and the user's cache folder.
    """
    # Two checkouts may share a folder: each file's own has its parent's name and a digest of the path.
    parent = source.resolve().parent
    own = f"{parent.name}_{hashlib.sha1(str(parent).encode(), usedforsecurity=False).hexdigest()}"
    if named := settings().cache_folder:
        return [Path(named) / own]
    folders = [parent / "__pycache__"]
    with contextlib.suppress(RuntimeError):  # a user without a home
        folders.append(_user_cache_folder() / own)
    return folders


_told = False


def _warn_that_nothing_is_kept(why: str) -> None:
    global _told
    if not _told:
        _told = True
        warnings.warn(
            f"compiled code cannot be kept ({why}): it is compiled again in every process, for up to half a minute. "
            "Set NUMBA_CACHE_DIR to a folder that can be written to.",
            RuntimeWarning,
            stacklevel=2,
        )


@functools.cache
def _made_by(version: str) -> str:
    return f"{_FORMAT}, {version}, {sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"


class CodeCache:
    """The files of one function."""

    def __init__(self, function: Callable[..., Any], flavour: str) -> None:
        self._function = function
        self._flavour = flavour
        self._source = Path(function.__code__.co_filename)
        # Of a function typed in at a prompt, or one that closes over values, no file tells what it does.
        self._lasts = self._source.is_file() and function.__closure__ is None
        self._family = f"{self._source.stem}.{function.__qualname__}-{flavour}-".replace("<", "").replace(">", "")

    def folders(self) -> list[Path]:
        """Where its files are looked for."""
        return cache_folders(self._source) if self._lasts else []

    def _key(self, types: str) -> tuple[Any, ...]:
        now = settings()
        return (
            *(self._function.__module__, self._function.__qualname__, self._flavour, types),
            *(_made_by(compiler_version()), target()),
            *(now.bounds_checked, now.optimised),  # compiled in: a warm cache must not answer with unchecked code
        )

    def _name(self, key: tuple[Any, ...]) -> str:
        return f"{self._family}{_DIGEST(repr(key).encode()).hexdigest()[:24]}.code"

    def _image(self, types: str) -> loader.Image | None:
        for folder in self.folders():
            # What cannot be read, or asks for what is no more, is as good as none.
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
        """Whether there is machine code for arguments of these types, whole and up to date."""
        return self._image(types) is not None

    def load(self, types: str) -> Any:
        """The machine code for arguments of these types, or None if it is not there, stale or damaged."""
        image = self._image(types)
        if image is not None:
            # An unknown version of Numba's private parts.
            with contextlib.suppress(Exception):
                return loader.load(image)
        return None

    def save(self, types: str, result: Any, sources: set[Path]) -> None:
        """Keep a result of compilation for arguments whose classes are defined in some source files."""
        if not self._lasts:
            return
        image = loader.image_of(result)
        if image is None:
            _warn_that_nothing_is_kept(f"{self._function.__qualname__} holds an address or an array over 1 MB")
            return
        sources = {self._source, *sources, *map(Path, loader.compiled_in(result.library))}
        if not all(file.is_file() for file in sources):  # a kernel typed in at a prompt
            return
        made_from = dependencies.dependencies(file.resolve() for file in sources)
        if made_from is None:
            return
        key = self._key(types)
        content = pickle.dumps((key, made_from, image), protocol=5)
        content = _DIGEST(content).digest() + content
        faults = []
        for folder in self.folders():
            try:
                folder.mkdir(parents=True, exist_ok=True)
                files.write(folder / self._name(key), content, durable=False)
            except OSError as error:
                faults.append(f"{folder}: {error.strerror or error}")
                continue
            return
        _warn_that_nothing_is_kept("; ".join(faults))
