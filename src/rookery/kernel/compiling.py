"""Kernels, entries, and the 64-bit words they work on."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from rookery.kernel.cache import CodeCache
from rookery.kernel.first_use import attribute_once_compiled, compiler_lock
from rookery.kernel.pipeline import pipeline

U64 = np.uint64
ZERO = U64(0)
ONE = U64(1)
UNIVERSE = U64(0xFFFF_FFFF_FFFF_FFFF)

# What kernels speak of. To the type checker they are Any: the same source runs on NumPy scalars, on arrays
# and on Numba's native words, and no stub describes all three.
Bits: TypeAlias = Any  # 64 squares in a word
Square: TypeAlias = Any  # 0 (a1) to 63 (h8), as an unsigned word
Word: TypeAlias = Any  # any other 64-bit number
State: TypeAlias = Any  # what a technique keeps of the occupancy: a board, or several rotated ones

F = TypeVar("F", bound=Callable[..., Any])

_pending: list[tuple[Callable[..., Any], Callable[[], Callable[..., Any]]]] = []


def wrapping() -> Any:
    """A context in which NumPy's words wrap without a warning, as kernels want them to."""
    return np.errstate(over="ignore")


def call_in_words(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Run a kernel's source in plain Python: ints go in as 64-bit words, and if any did, a word comes out as an int."""
    ints = any(isinstance(a, int) for a in args)
    with wrapping():
        result = function(*(U64(a) if isinstance(a, int) else a for a in args) if ints else args)
    return int(result) if ints and isinstance(result, np.integer) else result


def kernel(function: F) -> F:
    """Make `function` callable from entries (inlined) and from Python (ints are 64-bit words there).

    >>> @kernel
    ... def lowest(b: Bits) -> Bits:
    ...     return b & (ZERO - b)
    >>> lowest(12), lowest(np.array([12, 0], U64)).tolist()
    (4, [4, 0])
    """

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        return call_in_words(function, args)

    _pending.append((call, lambda: lambda *args: function))
    return cast(F, call)


def compile_in_place_of(function: Callable[..., Any], implementation: Callable[[], Callable[..., Any]]) -> None:
    """Have compiled code that calls `function` get what ``implementation()`` makes, a function of the argument types as
    Numba's ``overload`` takes it.
    """
    _pending.append((function, implementation))


def compiled_as(implementation: Callable[[], Callable[..., Any]]) -> Callable[[F], F]:
    """A kernel that compiled code gets from elsewhere: from what `implementation()` makes, a function of the argument
    types as Numba's ``overload`` takes it. The decorated function is what plain Python runs.
    """

    def decorate(function: F) -> F:
        wrapped = kernel(function)
        _pending[-1] = (wrapped, implementation)
        return wrapped

    return decorate


def _register_pending() -> None:
    if not _pending:
        return
    from numba.extending import overload

    options = {"forceinline": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    options["pipeline_class"] = pipeline(aliases=True)
    # Who finds nothing pending while another thread registers the last must compile, and waits for it there.
    with compiler_lock():
        while _pending:
            name, implementation = _pending.pop()
            try:
                overload(name, jit_options=options, strict=False)(implementation())
            except BaseException:
                _pending.append((name, implementation))
                raise


class Entry:
    """A compiled loop: a Python function, compiled for the argument types it is called with.

    Unless `aliases` is set, LLVM is promised that no array is written through one argument and read through
    another (see `pipeline`).

    Unless `allocates` is set, it makes no array of its own: references to arrays are counted otherwise, and an atomic
    increment for each array that a NamedTuple passes on took five sixths of the time of a perft that passes many.
    """

    def __init__(self, function: Callable[..., Any], *, aliases: bool = False, allocates: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.aliases = aliases
        self.allocates = allocates

    @attribute_once_compiled
    def dispatcher(self) -> Any:
        """Numba's compiler of this function, made on first use."""
        import numba

        compiled = self._compiler()
        if not numba.config.DISABLE_JIT:
            compiled._cache = CodeCache(self.function, "aliases" if self.aliases else "apart")
        return compiled

    def _compiler(self) -> Any:
        import numba

        options = {"nogil": True, "error_model": "numpy", "_nrt": self.allocates}
        return numba.njit(**options, pipeline_class=pipeline(self.aliases))(self.function)

    def __call__(self, *args: Any) -> Any:
        """Run it, compiled for the arguments' types."""
        _register_pending()
        return self.dispatcher(*args)

    def resolve(self, *examples: Any) -> Callable[..., Any]:
        """The machine code for arguments typed like `examples`, without the look-up of their types.

        Typing a NamedTuple of tables costs Numba's dispatcher 1 to 2 us a call; this costs 0.1 to 0.5.
        The caller answers for the types: a wrong one is undefined behaviour.
        """
        import numba

        _register_pending()
        if numba.config.DISABLE_JIT:
            return self.function
        signature = tuple(numba.typeof(example) for example in examples)
        self.dispatcher.compile(signature)
        return cast(Callable[..., Any], self.dispatcher.overloads[signature].entry_point)

    def assembly(self, *examples: Any) -> str:
        """The machine code as text, to see what was vectorised. Compiles anew: the cache keeps no text."""
        import numba

        _register_pending()
        fresh = self._compiler()
        signature = tuple(numba.typeof(example) for example in examples)
        fresh.compile(signature)
        return cast(str, fresh.inspect_asm(signature))


def entry(function: Callable[..., Any]) -> Entry:
    """Make `function` an `Entry`. It must stand at module level: a closure is never found in the cache."""
    return Entry(function)


def allocating_entry(function: Callable[..., Any]) -> Entry:
    """An entry that makes room for itself by ``np.empty`` or ``np.zeros``."""
    return Entry(function, allocates=True)


@contextlib.contextmanager
def watch_compilation(started: Callable[[], None], finished: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Report each compilation of an entry (not its loading from the cache) to two callbacks."""
    from numba.core import event

    depth = 0

    class Watch(event.Listener):  # type: ignore[misc]  # numba is Any
        def on_start(self, event: Any) -> None:
            nonlocal depth
            depth += 1
            if depth == 1:
                started()

        def on_end(self, event: Any) -> None:
            nonlocal depth
            depth -= 1
            if depth == 0:
                finished()

    with event.install_listener("numba:compile", Watch()):
        yield
