"""The machine code of a wheel: one extension module for each family of CPUs, chosen when it is first needed.

This imports neither NumPy nor anything of the compiler.
"""

import functools
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final, NamedTuple

from rookery.kernel.native import layouts
from rookery.kernel.native.families import module_names

METHOD, ATTRIBUTE, CLASS_METHOD, FUNCTION = range(4)  # what a unit becomes, see `extension`
TWIN: Final = "native."  # what the symbols of marked functions begin with


class Unit(NamedTuple):
    """A native function of the extension module."""

    number: int
    objects: tuple[str, ...]  # of a marked function, by the names under which they are provided


class Shipped(NamedTuple):
    """An extension module, and its units by their symbols."""

    module: Any
    units: dict[str, Unit]

    def take(self, symbol: str, form: int, owner: Any, objects: tuple[Any, ...], documentation: bytes) -> Any:
        """Return what a unit becomes, or None if there is none, or if it was taken before."""
        unit = self.units.get(symbol)
        return unit and self.module.take(unit.number, form, owner, objects, documentation)

    def arrays_fit(self) -> bool:
        """Check that NumPy keeps the parts of arrays where machine code reads them."""
        if not _checked:
            _checked.append(layouts.fit_arrays(self.module.peek))
        return _checked[0]


_checked: Final[list[bool]] = []


@functools.cache
def _opened(name: str) -> Shipped | None:
    """Import an extension module. Return None if there is none, or if it was not made for this Python."""
    try:
        module = import_module(name)
    except ImportError:
        return None
    if not layouts.fit(module.peek):
        return None
    units = {}
    for number, line in enumerate(module.names().split("\n")):
        symbol, _, objects = line.partition("\t")
        units[symbol] = Unit(number, tuple(objects.split(",")) if objects else ())
    return Shipped(module, units)


@functools.cache
def shipped() -> Shipped | None:
    """Return the machine code of the wheel for native functions on this CPU, or None if there is none."""
    return next((_opened(name) for name in module_names(has_native=True)), None)


@functools.cache
def _names() -> list[str]:
    return module_names()


def with_arrays() -> Iterator[Shipped]:
    """Yield the modules of the wheel that this CPU can run, the best first, if NumPy's arrays are as they expect."""
    for name in _names():
        wheel = _opened(name)
        if wheel is None or not wheel.arrays_fit():
            return
        yield wheel
