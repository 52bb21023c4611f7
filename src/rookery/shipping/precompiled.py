"""Everything that `rookery compile` compiles, in units: modules, and techniques.

An entry declares examples of its arguments (see `rookery.kernel.Entry.declare`), and a native function the kinds of its
arguments. Nothing but the examples runs, so that machine code can be made for any CPU.
"""

import functools
import pkgutil
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from importlib import import_module
from typing import Any, Final, NamedTuple

import rookery
from rookery.board.kernels.compiled import machine_code_of
from rookery.kernel import Entry, watch_compilation
from rookery.kernel.codecache.type_keys import text_of
from rookery.kernel.entries import declared
from rookery.native_methods.kinds import TWINS, Twin
from rookery.rules.compiled import default_technique
from rookery.techniques import ALL
from rookery.techniques.base.calls import examples_of

# Packages without entries, or whose entries only benchmarks run. A test looks for others.
_PASSED_OVER: Final = {*("bench", "cli", "compat", "explain", "kernel", "native_methods", "tasks", "__main__")}
# Those that take longest, in seconds: 7, 4, 3, 2, ... They come first, so that no process is left with one at the end.
_LONGEST: Final = (
    "pgn.scan.scanner",
    "counting.lanes",
    "positions.features.planes",
    "positions.motifs.kernels.attacks",
    "positions.motifs.kernels.tactics",
    "data.puzzles.tagger",
    "dumb7fill",
    "positions.queries.check_kernels",
    "positions.queries.pieces",
)
_TECHNIQUES: Final = {t.name: t for t in ALL}

Call = tuple[Entry, tuple[Any, ...]]  # an entry, and an example of its arguments


@functools.cache
def units() -> tuple[str, ...]:
    """Return the names of all units: modules without the name of the package, and techniques."""
    for package in pkgutil.iter_modules(rookery.__path__, "rookery."):
        if package.name.rpartition(".")[2] not in _PASSED_OVER:
            module = import_module(package.name)
            for found in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{package.name}."):
                import_module(found.name)
    modules = {module for module, _, _ in declared}
    modules |= {twin.entry.__module__ for twin in TWINS.values()}
    names = {name.removeprefix("rookery.") for name in modules if name.startswith("rookery.")}
    rest = sorted(names - {*_LONGEST}) + [t.name for t in ALL if t.name not in _LONGEST]
    return (*(name for name in _LONGEST if name in names or name in _TECHNIQUES), *rest)


def is_technique(name: str) -> bool:
    """Return whether a unit is a technique's answers over arrays."""
    return name in _TECHNIQUES


def calls_of(name: str) -> Iterator[Call]:
    """Yield the entries of a unit, each with an example of the arguments that it is compiled for."""
    if name in _TECHNIQUES:
        yield from examples_of(_TECHNIQUES[name])
        return
    own = import_module(f"rookery.{name}").__name__
    for module, entry, examples in declared:
        if module == own:
            made = examples()
            yield from ((entry, example) for example in (made if isinstance(made, list) else [made]))
    # Python bodies of a board's methods call its kernels, too. Some functions share one.
    if name.startswith("board."):
        for twin in {twin.entry.function: twin for twin in _twins_of(name).values()}.values():
            yield twin.entry, (*twin.examples, *([default_technique().tables()] if twin.tables else []))


def _twins_of(name: str) -> dict[str, Twin]:
    """Return the native functions whose kernels a unit declares."""
    return {native: twin for native, twin in TWINS.items() if twin.entry.__module__ == f"rookery.{name}"}


class Done(NamedTuple):
    """A compiled unit."""

    name: str
    compiled: int  # entries; the others were in the cache
    seconds: float


def compile_unit(name: str) -> Done:
    """Compile the entries and the native functions of a unit that are not in the cache."""
    compiled = 0

    def count() -> None:
        nonlocal compiled
        compiled += 1

    start = time.perf_counter()
    with watch_compilation(count):
        for entry, example in calls_of(name):
            if not entry.is_kept(*example):
                entry.compile(text_of(example), example)
        for native in _twins_of(name):
            machine_code_of(native)
    return Done(name, compiled, round(time.perf_counter() - start, 3))


def in_pool(pool: Executor, work: Callable[[str], Any], names: Iterable[str]) -> Iterator[tuple[str, Any, list[str]]]:
    """Call ``work(name)`` in a pool for each unit; yield its name, the result and the units that run then."""
    waiting: dict[Future[Any], str] = {pool.submit(work, name): name for name in names}
    while waiting:
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            name = waiting.pop(future)
            yield name, future.result(), [other for submitted, other in waiting.items() if submitted.running()]
