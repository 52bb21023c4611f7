"""The public names: those of `rookery`, and what their classes and modules offer."""

import inspect
from collections.abc import Iterator
from types import ClassMethodDescriptorType, FunctionType, GetSetDescriptorType, MethodDescriptorType, ModuleType
from typing import Any, NamedTuple

import rookery
from rookery.bitboards.squares import SQUARE_NAMES

# Of Python, and of machine code in the place of Python's.
FUNCTIONS = (FunctionType, MethodDescriptorType, ClassMethodDescriptorType)
ATTRIBUTES = (property, GetSetDescriptorType)
SQUARES = frozenset(name.upper() for name in SQUARE_NAMES)


class Public(NamedTuple):
    """A public name: its path from `rookery` on, and what it stands for."""

    path: str
    value: Any

    @property
    def is_described(self) -> bool:
        """Whether it can have a docstring of its own: what is a text or a number has that of its type."""
        return isinstance(self.value, (*FUNCTIONS, *ATTRIBUTES, type, ModuleType)) and not self.is_alias

    @property
    def is_alias(self) -> bool:
        """Whether it is another name of a type of Python, for annotations: `Square` is int."""
        return isinstance(self.value, type) and self.value.__module__ == "builtins"

    @property
    def is_called(self) -> bool:
        """Whether it is a function or a method, or a class."""
        return isinstance(self.value, (*FUNCTIONS, type)) and not self.is_alias


def names() -> Iterator[Public]:
    """Every public name, classes with their methods and properties; squares, A1 to H8, are left out."""
    for name in rookery.__all__:
        if name not in SQUARES:
            yield from _with_parts(Public(f"rookery.{name}", getattr(rookery, name)))


def _with_parts(whole: Public) -> Iterator[Public]:
    yield whole
    if isinstance(whole.value, type):
        yield from (Public(f"{whole.path}.{name}", part) for name, part in methods_of(whole.value))
    elif isinstance(whole.value, ModuleType):
        # Names that a package imports on first use are not in it before.
        for name in dict.fromkeys((*vars(whole.value), *getattr(whole.value, "__all__", ()))):
            part = getattr(whole.value, name)
            # Of a package, the names of its module `reader`; what it returns has examples of its own.
            if not name.startswith("_") and getattr(part, "__module__", "") == f"{whole.value.__name__}.reader":
                yield from _with_parts(Public(f"{whole.path}.{name}", part))


def methods_of(owner: type) -> Iterator[tuple[str, Any]]:
    """Methods and properties written here: not those of `int` or of a NamedTuple, nor fields."""
    for name in dir(owner):
        part = inspect.getattr_static(owner, name)
        part = getattr(part, "__func__", part)  # of a classmethod or staticmethod
        code = part.fget if isinstance(part, property) else part
        if not name.startswith("_") and isinstance(code, (*FUNCTIONS, *ATTRIBUTES)) and _is_ours(code):
            yield name, part


def _is_ours(code: Any) -> bool:
    """Check whether a function, or machine code in its place, belongs to the library."""
    return str(getattr(code, "__objclass__", code).__module__).startswith("rookery.")
