"""The kernels of boards as machine code for the default technique, for the Python bodies of `Board`'s methods."""

from collections.abc import Callable
from typing import Any

from rookery.board.kernels import attacks, ends, fen, moves, objects, pieces, sameness, setup, single, text
from rookery.kernel import once
from rookery.native_methods.kinds import TWINS, Twin
from rookery.native_methods.twins import Bound, twin_of
from rookery.rules.compiled import default_technique

MODULES = (attacks, ends, fen, moves, objects, pieces, sameness, setup, single, text)


class Compiled:
    """The kernels of this package by the names of their functions, called without the look-up of types.

    Each is compiled, or loaded from the cache, on first use. Those that need the technique's tables take `tables` as
    their last argument.
    """

    def __init__(self) -> None:
        self.tables = default_technique().tables()

    def __getattr__(self, name: str) -> Callable[..., int]:
        twin = twins().get(name)
        if twin is None:
            raise AttributeError(f"there is no compiled function {name!r}")
        code = twin.entry.resolve(*twin.examples, *((self.tables,) if twin.tables else ()))
        setattr(self, name, code)
        return code


def twins() -> dict[str, Twin]:
    """Return the declared kernels of this package by the names of their functions."""
    here = {module.__name__ for module in MODULES}
    found = ((twin.entry.function, twin) for twin in TWINS.values())
    return {function.__name__: twin for function, twin in found if function.__module__ in here}


@once
def compiled() -> Compiled:
    """Return the shared instance, created on first use."""
    return Compiled()


def tables() -> Any:
    """Return the default technique's tables, for `rookery.kernel.native`."""
    return compiled().tables


def machine_code_of(name: str) -> Bound | None:
    """Return the machine code of a native function of boards, or None where Python functions answer."""
    return twin_of(name, tables)
