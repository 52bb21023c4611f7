"""Machine code kept on disk: a file for each function and the types it was compiled for.

Numba's own cache keeps an index beside its files, which two processes may overwrite for each other, executes whatever
lies in them, does not notice edits in inlined functions, and raises when the disk is full. So ours is another one, of
files that stand alone:

    SHA-256 of what follows    32 bytes; a file that fails it is compiled anew
    (key, code), pickled       the whole key, of which the name holds a digest

A file is written under another name and renamed when whole. Where nothing can be written, compiled code lives as long
as the process, with one warning.
"""

import contextlib
import functools
import hashlib
import pickle
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from rookery import files

_DIGEST: Final = hashlib.sha256
_DIGEST_SIZE: Final = _DIGEST().digest_size


@functools.cache
def source_digest() -> str:
    """A digest of the package's source files, the salt of the compile cache: all but commands and benchmarks, which
    nothing compiled depends on.
    """
    digest = _DIGEST()
    root = Path(__file__).parents[1]
    for path in sorted({*root.rglob("*.py")} - {*root.glob("cli/*.py"), *root.glob("bench/*.py")}):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@functools.cache
def _of_file(path: Path) -> str:
    return _DIGEST(path.read_bytes()).hexdigest()


def cache_folders(source: Path) -> list[Path]:
    """Where machine code of a source file is looked for, and kept in the first that can be written: the folder that
    ``NUMBA_CACHE_DIR`` names, or else ``__pycache__`` beside the source and the user's cache folder.
    """
    from numba.core import config
    from numba.misc.appdirs import AppDirs

    # Two checkouts may share a folder: each file's own has its parent's name and a digest of the path.
    parent = source.resolve().parent
    own = f"{parent.name}_{hashlib.sha1(str(parent).encode(), usedforsecurity=False).hexdigest()}"
    if config.CACHE_DIR:
        return [Path(config.CACHE_DIR) / own]
    return [parent / "__pycache__", Path(AppDirs(appname="rookery", appauthor=False).user_cache_dir) / own]


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


class CodeCache:
    """The files of one function, behind the calls that Numba's dispatcher makes of a cache."""

    def __init__(self, function: Callable[..., Any], flavour: str) -> None:
        import llvmlite
        import numba

        source = Path(function.__code__.co_filename)
        self._function = function
        # Of a function typed in at a prompt, or one that closes over values, no file tells what it does.
        lasting = source.is_file() and function.__closure__ is None
        self._folders = cache_folders(source) if lasting else []
        made_by = source_digest(), _of_file(source) if lasting else "", numba.__version__, llvmlite.__version__
        stamp = _DIGEST(repr(made_by).encode()).hexdigest()
        tag = f"py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
        name = f"{source.stem}.{function.__qualname__}".replace("<", "").replace(">", "")
        self._family = f"{name}-{flavour}.{tag}-"  # all versions of the function's code
        self._fresh = f"{self._family}{stamp[:12]}-"  # those of the source as it is

    def _key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        from numba.core import config

        # Bounds checks are compiled in: a warm cache must not answer with unchecked code.
        return signature, codegen.magic_tuple(), self._function.__code__.co_code, bool(config.BOUNDSCHECK)

    def _name(self, key: tuple[Any, ...]) -> str:
        signature, *rest = key
        return f"{self._fresh}{_DIGEST(repr((str(signature), *rest)).encode()).hexdigest()[:16]}.code"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The code for these types, or None if it is not there, stale or damaged."""
        from numba.core.compiler import CompileResult

        target_context.refresh()
        key = self._key(signature, target_context.codegen())
        for folder in self._folders:
            # What cannot be read, or names a class that is no more, is as good as none.
            with contextlib.suppress(Exception):
                content = memoryview((folder / self._name(key)).read_bytes())
                if _DIGEST(content[_DIGEST_SIZE:]).digest() != content[:_DIGEST_SIZE]:
                    continue
                kept, code = pickle.loads(content[_DIGEST_SIZE:])
                if kept == key:
                    return CompileResult._rebuild(target_context, *code)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a result of compilation."""
        from numba.core.serialize import dumps

        if not self._folders:
            return
        if result.library.has_dynamic_globals or any(not lifted.can_cache for lifted in result.lifted):
            _warn_that_nothing_is_kept(f"{self._function.__qualname__} holds an address or an array over 1 MB")
            return
        key = self._key(signature, result.codegen)
        content = dumps((key, result._reduce()))
        content = _DIGEST(content).digest() + content
        faults = []
        for folder in self._folders:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                files.write(folder / self._name(key), content, durable=False)
            except OSError as error:
                faults.append(f"{folder}: {error.strerror or error}")
                continue
            self._remove_stale(folder)
            return
        _warn_that_nothing_is_kept("; ".join(faults))

    def _remove_stale(self, folder: Path) -> None:
        with contextlib.suppress(OSError):
            for path in folder.iterdir():
                if path.name.startswith(self._family) and not path.name.startswith(self._fresh):
                    path.unlink(missing_ok=True)

    # The rest of what a dispatcher may ask of its cache.

    @property
    def cache_path(self) -> str:
        """The folder that is looked in first."""
        return str(self._folders[0])

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """It always is enabled."""

    def flush(self) -> None:
        """Files are whole when they are written."""
