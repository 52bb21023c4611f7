"""The Python side of native functions: which functions have a twin in machine code, and how it takes their place."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_marked: Final[set[Callable[..., Any]]] = set()
_objects: Final[dict[str, Any]] = {}


def native(function: F) -> F:
    """Mark a Python function that has a twin in machine code. `bind` puts the twin in its place.

    The function itself stays as it is: machine code calls it for whatever is not the usual case.
    """
    _marked.add(function)
    return function


def provide(name: str, value: Any) -> None:
    """Make an object known to machine code by a name: a class, or a tuple of objects that it returns."""
    _objects[name] = value


def provided(name: str) -> Any:
    """Return the object that machine code knows by a name."""
    return _objects[name]


def bind(owner: Any, kernels: str) -> None:
    """Put machine code in the place of the marked functions of a class. `kernels` is the module that declares it."""
