"""Objects created once, on first use, by whichever thread comes first.

The locks cannot deadlock. Code that compiles runs under one lock, and takes Numba's own after it; tables, which need
only Python and NumPy, are built under another. A table may be built during a compilation, but building a table never
compiles anything. `entries` has a third lock, only for loading machine code from the cache.
"""

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

_building = threading.RLock()
_compiling = threading.RLock()


def compiler_lock() -> Any:
    """Return the reentrant lock of all compilation, a context manager."""
    return _compiling


def once(function: F) -> F:
    """Cache results like `functools.cache`, but never run the function twice for the same arguments, in any thread."""
    results: dict[Any, Any] = {}

    def first(*args: Any) -> Any:
        with _building:
            if args not in results:
                results[args] = function(*args)
            return results[args]

    # A hit in `functools.cache` takes 40 ns. On a miss, threads that call at the same time wait for the first.
    return cast(F, functools.wraps(function)(functools.cache(first)))


def once_compiled(function: F) -> F:
    """Cache results like `once`, but without a lock, for functions that look up machine code: entries have their own.

    Threads that call at the same time may all run the function, and all get the result of one of them.
    """
    results: dict[Any, Any] = {}

    def first(*args: Any) -> Any:
        return results.setdefault(args, function(*args))

    return cast(F, functools.wraps(function)(functools.cache(first)))


class attribute_once:  # noqa: N801  # used like `functools.cached_property`
    """A property that is cached like one of `functools.cached_property`, but run only once, in any thread."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        functools.update_wrapper(self, function)  # type: ignore[arg-type]  # documents it as a property

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        with _building:
            if self._name not in vars(instance):
                vars(instance)[self._name] = self._function(instance)
            return vars(instance)[self._name]
