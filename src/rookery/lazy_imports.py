"""Modules that are imported on first use: those behind the names of a package (PEP 562), or one that a module needs.

Names are listed twice: in imports under `TYPE_CHECKING`, for type checkers, and in a table or a call, for Python.
`Named` stands for a module that annotations name.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    import re


class Named:
    """A module that is imported when an attribute is read.

    An annotation in quotes may name it. Python reads annotations when `typing.get_type_hints` asks for them, which
    would find no name that is imported under `TYPE_CHECKING` alone.

    >>> Named("fractions").Fraction(1, 2)
    Fraction(1, 2)
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        # What is read is kept: the next reading takes 20 ns instead of 1 us.
        value = vars(self)[name] = getattr(import_module(self._module), name)
        return value


if not TYPE_CHECKING:
    re = Named("re")


def is_installed(module: str) -> bool:
    """Return whether a module is installed, without importing it.

    >>> is_installed("fractions"), is_installed("no_such_module")
    (True, False)
    """
    return module in sys.modules or PathFinder.find_spec(module) is not None


def import_later(package: str, table: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the function `__getattr__` of a package, which imports a name and stores it in the package.

    `table` has the names by module, separated by blanks. A name may be a submodule. ``NAME=OTHER`` is `OTHER` of the
    module under another name.

    >>> later = import_later("rookery", {"rookery.bitboards.squares": "E4", "rookery.bitboards": "squares"})
    >>> later("E4")
    28
    >>> later("E9")
    Traceback (most recent call last):
        ...
    AttributeError: module 'rookery' has no attribute 'E9'
    """
    origins: dict[str, tuple[str, str]] = {}
    for module, names in table.items():
        for name in names.split():
            exported, _, original = name.partition("=")
            origins[exported] = module, original or exported

    def get(name: str) -> Any:
        if name not in origins:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = origins[name]
        # A package asked for its own name would ask this function again.
        found = getattr(import_module(module), original, None) if module != package else None
        if found is None:
            found = import_module(f"{module}.{original}")
        setattr(sys.modules[package], name, found)
        return found

    return get


def modules_later(package: str, names: str) -> tuple[Any, ...]:
    """Return stand-ins for modules of a package, which import the modules when an attribute is first read.

    Without a package, the modules are those of the standard library.

    >>> bits, lines = modules_later("rookery.bitboards", "bits lines")
    >>> lines.between(0, 18).names()
    ['b2']
    """
    return tuple(Named(f"{package}.{name}" if package else name) for name in names.split())


class _Pattern:
    """A regular expression that is not compiled yet."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.text, self.flags = text, flags

    def __getattr__(self, name: str) -> Any:
        # Methods are kept: later calls take as long as those of a compiled pattern.
        value = vars(self)[name] = getattr(re.compile(self.text, self.flags), name)
        return value


def compile_later(text: AnyStr, flags: int = 0) -> "re.Pattern[AnyStr]":
    """Return a regular expression that is compiled when it is first used. Compiling one takes up to 3 ms.

    >>> compile_later("[a-h][1-8]").match("e4").group()
    'e4'
    """
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))
