"""Machine code of entries that no wheel carries: from the cache, or from a compiler.

`entries` imports this where it is needed.
"""

import contextlib
import sys
import threading
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Any, Final

from rookery.kernel import notice
from rookery.kernel.codecache.cache import CodeCache
from rookery.kernel.codecache.type_keys import modules_of
from rookery.kernel.compiler.values import Unsupported
from rookery.kernel.entries import Entry, documentation_of, watchers
from rookery.kernel.first_use import compiler_lock, once_compiled
from rookery.kernel.native.units import Foreign, Loaded, Unit, as_function, layouts_fit, load, unit_of

_loading: Final = threading.RLock()
_under_way: Final = threading.local()  # the compilation of a thread

Code = dict[Hashable, Callable[..., Any]]


@once_compiled
def cache_of(entry: Entry) -> CodeCache:
    """Return the cache of the machine code of an entry."""
    return CodeCache(entry.function, entry.flavour)


def loaded(entry: Entry, known: Code, key: Hashable, types: str, examples: tuple[Any, ...]) -> Any:
    """Return the machine code that the cache has for arguments of some types, or None, and note it in `known`."""
    # Nothing is compiled under this lock, so it cannot deadlock.
    with _loading:
        code = known.get(key)
        if code is None and (found := cache_of(entry).load(types)) is not None:
            code = known[key] = _function_of(entry, found, examples)
    return code


def compiled_once(
    entry: Entry, known: Code, key: Hashable, types: str | None, examples: tuple[Any, ...]
) -> Callable[..., Any]:
    """Compile an entry unless another thread has compiled it meanwhile, and note the machine code in `known`."""
    with compiler_lock():
        if key is not None and key in known:
            return known[key]
        code = entry.compile(types, examples)
        if key is not None:
            known[key] = code
        return code


def compiled(entry: Entry, types: str | None, examples: tuple[Any, ...]) -> Callable[..., Any]:
    """Compile an entry: see `Entry.compile`."""
    with _reported(entry.function):
        refused: Unsupported | None = None
        if types is not None and layouts_fit():
            try:
                unit, files = unit_for(entry, types, examples)
                cache_of(entry).save(types, unit, files | _sources(modules_of(examples)))
                return _function_of(entry, load(unit), examples)
            except Foreign:
                pass
            except Unsupported as reason:
                refused = reason
        from rookery.kernel.compiler.plain import pipeline

        return pipeline.compiled(entry.function, examples, refused, aliases=entry.aliases) or entry.in_python()


def unit_for(entry: Entry, types: str, examples: tuple[Any, ...]) -> tuple[Unit, set[Path]]:
    """Return machine code with a wrapper of our own, and the files that it was made from."""
    from rookery.kernel.native import entry_wrappers

    kernel = entry.compiled_ir(examples)
    symbol = entry.symbol(types)
    wrapper = entry_wrappers.entry_wrapper(entry.function, kernel, symbol, examples)
    return unit_of(wrapper, kernel, symbol), {*map(Path, kernel.sources), Path(entry_wrappers.__file__)}


def compiled_ir_of(entry: Entry, examples: tuple[Any, ...]) -> Any:
    """Return an entry in LLVM's language: see `Entry.compiled_ir`."""
    from rookery.kernel.compiler.linkable import compiled_ir

    with compiler_lock(), _reported(entry.function):
        return compiled_ir(entry.function, examples, aliases=entry.aliases)


def _function_of(entry: Entry, found: Loaded, examples: tuple[Any, ...]) -> Callable[..., Any]:
    """Return the Python function of machine code for arguments of the types of `examples`."""
    function = entry.function
    return as_function(found, entry.objects(examples), function.__module__, documentation_of(function))


def _sources(modules: set[str]) -> set[Path]:
    files = (getattr(sys.modules.get(module), "__file__", None) for module in modules)
    return {Path(file) for file in files if file}


@contextlib.contextmanager
def _reported(function: Callable[..., Any]) -> Iterator[None]:
    """Report the compilation of a function, once, to the watchers, or on the terminal if there are none."""
    if getattr(_under_way, "is_reported", False):
        yield
        return
    watching = tuple(watchers)
    _under_way.is_reported = True
    try:
        if not watching:
            with notice.shown((function.__module__ or function.__name__).removeprefix("rookery.")):
                yield
            return
        for started, _ in watching:
            started()
        try:
            yield
        finally:
            for _, finished in watching:
                finished()
    finally:
        _under_way.is_reported = False
