"""What is made on first use is made once, whichever of many threads comes first.

Locks that no two threads wait for each other with. What compiles, or asks Numba anything, is made under Numba's own
lock; tables, which are plain Python and NumPy, under ours. A table may be wanted while something compiles, but nothing
is compiled to build a table. Machine code is loaded from the cache under a lock of `entries`, and nothing else is.
"""

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

_building = threading.RLock()


def compiler_lock() -> Any:
    """Numba's lock of all compilation, reentrant, as a context."""
    from numba.core.compiler_lock import global_compiler_lock

    return global_compiler_lock


def once(function: F) -> F:
    """`functools.cache`, but the function is never run twice for the same arguments, whatever the number of threads."""
    results: dict[Any, Any] = {}

    def first(*args: Any) -> Any:
        with _building:
            if args not in results:
                results[args] = function(*args)
            return results[args]

    # The cache in front answers in 40 ns; behind it, threads that came at the same time wait for the first.
    return cast(F, functools.wraps(function)(functools.cache(first)))


def once_compiled(function: F) -> F:
    """The same, for what looks up machine code, without a lock: an entry has its own. Threads that come at the same
    time may all run the function, and all get the result of one of them.
    """
    results: dict[Any, Any] = {}

    def first(*args: Any) -> Any:
        return results.setdefault(args, function(*args))

    return cast(F, functools.wraps(function)(functools.cache(first)))


class _Attribute:
    def __init__(self, lock: Callable[[], Any], function: Callable[[Any], Any]) -> None:
        self._lock = lock
        self._function = function
        functools.update_wrapper(self, function)  # type: ignore[arg-type]  # documented as the property it is

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        with self._lock():
            if self._name not in vars(instance):
                vars(instance)[self._name] = self._function(instance)
            return vars(instance)[self._name]


def attribute_once(function: Callable[[Any], Any]) -> Any:
    """`functools.cached_property`, but the function is run once, whatever the number of threads."""
    return _Attribute(lambda: _building, function)


def attribute_once_compiled(function: Callable[[Any], Any]) -> Any:
    """The same, for what compiles."""
    return _Attribute(compiler_lock, function)
