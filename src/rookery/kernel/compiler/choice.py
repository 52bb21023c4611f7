"""Which pipeline compiles: the full one, or the plain one where Numba is not as the full one expects.

Nothing of Numba is imported before it is needed.
"""

import functools
from collections.abc import Callable
from typing import Any, Final

from rookery.kernel.warn import has_warned, warn_once

_PYTHON: Final = "functions in Python"


@functools.cache
def fault() -> str:
    """Return why the plain pipeline compiles, or an empty text if the full one does."""
    from rookery.kernel.compiler import private

    return private.fault()


def entry_options(aliases: bool) -> dict[str, Any]:
    """Return Numba's options for an entry."""
    if fault():
        return _common(aliases)
    return {**_common(aliases), "_nrt": False}


def kernel_options(function: Callable[..., Any]) -> dict[str, Any]:
    """Return Numba's options for a kernel."""
    if fault():
        return {**_common(True), "forceinline": not getattr(function, "rookery_is_called", False)}
    return {**_common(True), "forceinline": True, "_nrt": False}


def _common(aliases: bool) -> dict[str, Any]:
    if fault():
        from rookery.kernel.compiler.plain import pipeline
    else:
        from rookery.kernel.compiler.pipeline import pipeline
    return {"nogil": True, "error_model": "numpy", "pipeline_class": pipeline(aliases)}


def warn_of_plain_code() -> None:
    """Say, once per process, that compiled code is slower than it could be."""
    if not has_warned(_PYTHON):
        warn_once("plain pipeline", f"{fault()}: compiled code gives the same answers, but compiles and runs slower.")


def warn_of_python(function: Callable[..., Any], error: Exception) -> None:
    """Say, once per process, that functions are not compiled at all."""
    first = str(error).strip().partition("\n")[0]
    reason = f"{fault()}, and cannot compile {function.__qualname__} ({type(error).__name__}: {first})"
    warn_once(_PYTHON, f"{reason}: it runs in Python, with the same answers but many times slower.")
