"""Numba's disk cache, salted with a digest of the package."""

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any


@functools.cache
def source_digest() -> str:
    """A digest of the package's source files, the salt of the compile cache: all but commands and benchmarks, which
    nothing compiled depends on.
    """
    digest = hashlib.sha256()
    root = Path(__file__).parents[1]
    for path in sorted({*root.rglob("*.py")} - {*root.glob("cli/*.py"), *root.glob("bench/*.py")}):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@functools.cache
def _salted_cache_class(flavour: str) -> Any:
    from numba.core import caching, config

    # Bounds checks are not part of Numba's own key either: a warm cache would load unchecked kernels.
    stamp = (source_digest(), bool(config.BOUNDSCHECK))

    def salted(locator: Any) -> Any:
        methods = {
            "get_source_stamp": lambda self: stamp,
            "get_disambiguator": lambda self: f"{self._lineno}-{flavour}",
        }
        return type(locator.__name__, (locator,), methods)

    # Older Numbas call them private.
    names = ("UserProvidedCacheLocator", "InTreeCacheLocator", "UserWideCacheLocator")
    locators = [getattr(caching, name, None) or getattr(caching, f"_{name}") for name in names]
    implementation = type(
        "Implementation",
        (caching.CompileResultCacheImpl,),
        {"_locator_classes": [salted(locator) for locator in locators]},
    )

    class SaltedCache(caching.FunctionCache):  # type: ignore[misc]  # numba is Any
        _impl_class = implementation

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            # The index is unpickled before its stamp is looked at: one that names a class which the package no
            # longer has, or that is damaged, is as good as none.
            try:
                return super().load_overload(sig, target_context)
            except Exception:
                self._cache_file.flush()
                return None

    return SaltedCache


def salted_cache(function: Callable[..., Any], flavour: str) -> Any:
    """Numba's disk cache of an entry, which no edit of the package leaves stale."""
    from numba.core.caching import NullCache

    try:
        return _salted_cache_class(flavour)(function)
    except RuntimeError:  # no writable directory anywhere: compile anew each time
        return NullCache()
