"""Numba's options, and what is said where it cannot compile. Nothing of Numba is imported before it is needed."""

import functools
from collections.abc import Callable
from typing import Any

from rookery.kernel.compiling import pending
from rookery.kernel.first_use import compiler_lock
from rookery.kernel.warn import warn_once


@functools.cache
def fault() -> str:
    """Return what is missing in Numba, or an empty text if nothing is."""
    from rookery.kernel.compiler.plain import private

    return private.fault()


def entry_options(aliases: bool) -> dict[str, Any]:
    """Return Numba's options for an entry."""
    return _common(aliases)


def kernel_options(function: Callable[..., Any]) -> dict[str, Any]:
    """Return Numba's options for a kernel."""
    return {**_common(True), "forceinline": not getattr(function, "rookery_is_called", False)}


def _common(aliases: bool) -> dict[str, Any]:
    from rookery.kernel.compiler.plain.pipeline import pipeline

    return {"nogil": True, "error_model": "numpy", "pipeline_class": pipeline(aliases)}


def warn_of_python(function: Callable[..., Any], error: Exception) -> None:
    """Say, once per process, that functions are not compiled at all."""
    first = str(error).strip().partition("\n")[0]
    reason = f"{fault()}, and cannot compile {function.__qualname__} ({type(error).__name__}: {first})"
    warn_once("functions in Python", f"{reason}: it runs in Python, with the same answers but many times slower.")


def register_pending() -> None:
    """Register with Numba the kernels that it does not know yet."""
    left = pending()
    if not left:
        return
    from numba.extending import overload

    # A thread that finds nothing pending while another one registers goes on to compile, and waits for the lock there.
    with compiler_lock():
        while left:
            name, implementation = left.pop()
            try:
                overload(name, jit_options=kernel_options(name), strict=False)(implementation())
            except BaseException:
                left.append((name, implementation))
                raise
