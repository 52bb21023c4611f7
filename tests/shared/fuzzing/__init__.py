"""Long fuzzing: targets, each with a maker of random inputs and a check; `driver` runs them for a given time.

An input is bytes, so that one that fails becomes a file in `tests/regressions/TARGET/`, which the ordinary tests check.
"""

import importlib
import random
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

REGRESSIONS: Final = Path(__file__).parents[2] / "regressions"
MODULES: Final = ("games", "programs", "training", "arrow", "texts", "folders", "hostile", "commands")
Errors = tuple[type[Exception], ...]


class Target(NamedTuple):
    """A target of fuzzing: a name, a maker of random inputs, and a check that raises where the library is wrong.

    `check` is a function of the module that has the target in its `TARGETS`: processes find it there. It may take
    `limit` seconds of CPU time for an input, without what it compiles.
    """

    name: str
    make: Callable[[random.Random], bytes]
    check: Callable[[bytes], object]
    limit: float = 10.0


def all_targets() -> dict[str, Target]:
    """Return the targets of all modules by their names."""
    modules = [importlib.import_module(f"fuzzing.{name}") for name in MODULES]
    return {target.name: target for module in modules for target in module.TARGETS}


def answer(
    call: Callable[..., Any], *arguments: Any, says: str = "", expected: Errors = (ValueError,), **named: Any
) -> Any:
    """Return what a call returns, or None after an error of these classes. Its text must match the pattern `says`."""
    try:
        return call(*arguments, **named)
    except expected as error:
        message = str(error)
    assert re.match(says, message), message
    return None


def try_input(target: Target, data: bytes) -> None:
    """Check an input; warnings are no faults."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        target.check(data)
