"""The machine code of a wheel: one extension module for each family of CPUs, chosen when it is first needed.

This imports neither NumPy nor anything of the compiler.
"""

import functools
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final, NamedTuple

from rookery.kernel.native import layouts
from rookery.kernel.targets import module_names

# What a unit becomes, see `extension`.
METHOD, ATTRIBUTE, CLASS_METHOD, FUNCTION, SLOT, OPERATOR, CONSTRUCTOR = range(7)
TWIN: Final = "native."  # what the symbols of marked functions begin with


class Shipped(NamedTuple):
    """An extension module, and what it says of its units, by their symbols."""

    module: Any
    numbers: dict[str, int]
    objects: dict[str, tuple[str, ...]]  # of marked functions, by the names under which they are provided

    def take(self, symbol: str, form: int, owner: Any, objects: tuple[Any, ...], documentation: bytes) -> Any:
        """Return what a unit becomes, or None if there is none, or if it was taken before."""
        number = self.numbers.get(symbol)
        return None if number is None else self.module.take(number, form, owner, objects, documentation)

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
    numbers, objects = {}, {}
    for number, line in enumerate(module.names().split("\n")):
        symbol = line
        if line.startswith(TWIN):
            symbol, _, names = line.partition("\t")
            objects[symbol] = tuple(names.split(","))
        numbers[symbol] = number
    return Shipped(module, numbers, objects)


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
