"""Entries: the loops that Python calls, compiled for the types of their arguments or loaded from the cache."""

import contextlib
import functools
import sys
import threading
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias, cast, overload

from rookery.kernel import notice
from rookery.kernel.codecache.cache import CodeCache
from rookery.kernel.codecache.type_keys import Unkeyed, classes_of, key_of, modules_of, text_of
from rookery.kernel.compiler.values import Unsupported
from rookery.kernel.first_use import compiler_lock
from rookery.kernel.native.marks import documentation
from rookery.kernel.native.shipped import FUNCTION, with_arrays
from rookery.kernel.native.units import Foreign, Loaded, Unit, as_function, fail, layouts_fit, load, symbol_of, unit_of
from rookery.kernel.settings import has_compiler, need_compiler, settings
from rookery.kernel.warn import warn_once

_loading: Final = threading.RLock()
_under_way: Final = threading.local()  # the compilation of a thread
_watchers: Final[list[tuple[Callable[[], None], Callable[[], None]]]] = []
_recorders: Final[list[Callable[["Entry", tuple[Any, ...]], None]]] = []

Examples: TypeAlias = Callable[[], tuple[Any, ...] | list[tuple[Any, ...]]]
declared: Final[list[tuple[str, "Entry", Examples]]] = []  # the module that declares it, the entry, its examples


class Entry:
    """A Python function that is compiled for the argument types of its calls.

    Unless `aliases` is set, LLVM may assume that no array is written through one argument and read through another (see
    `compiler.unit`).

    The function must not create arrays: callers pass work space and arrays for the results. If it did, Numba would
    count references to arrays: an atomic increment for each array in each NamedTuple passed on took five sixths of the
    time of a perft.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        aliases: bool = False,
        examples: Examples | None = None,
    ) -> None:
        functools.update_wrapper(self, function)
        self.function: Callable[..., Any] = function
        self.aliases = aliases
        self._code: dict[Hashable, Callable[..., Any]] = {}
        self._last: Callable[..., Any] = self._look_up
        self._python: Callable[..., Any] | None = None
        if examples is not None:
            declared.append((function.__module__, self, examples))

    def declare(self, examples: Examples) -> None:
        """Declare what `rookery compile` and wheels compile the function for, besides the examples it was made with.

        `examples` is a function, called only then. It returns the arguments of a call as a tuple, or a list of such
        tuples; only their types matter. Whatever needs the machine code may declare it, in its own module.
        """
        declared.append((examples.__module__, self, examples))

    @functools.cached_property
    def cache(self) -> CodeCache:
        """Return the cache of the machine code of this function."""
        return CodeCache(self.function, self._flavour())

    def _in_python(self) -> Callable[..., Any]:
        """Return the function that runs in plain Python."""
        if self._python is None:
            from rookery.kernel.in_python import in_python

            self._python = in_python(self.function)
        return self._python

    def _flavour(self) -> str:
        return "aliases" if self.aliases else "apart"

    def __call__(self, *args: Any) -> Any:
        """Run the function, compiled for the types of the arguments."""
        return self._last(*args)

    def _look_up(self, *args: Any) -> Any:
        """Run the machine code for the types of the arguments, and keep it for the next call.

        Machine code checks its arguments itself: looking it up takes 1 to 4 us. For other types it calls this. Python
        takes arguments of all types, so it is not kept where there may be machine code for others.
        """
        try:
            code = self._code[key_of(args)]
        except (KeyError, Unkeyed):
            code = self.resolve(*args)
        if code is not self._python or settings().no_compiler:
            self._last = code
        return code(*args)

    def _other_types(self, expected: tuple[str, ...], *given: Any, **named: Any) -> Any:
        """Answer for machine code that does not take its arguments: find the right one, or raise an error."""
        described = tuple(map(_described, given))
        if named or len(given) != len(expected) or described == expected or "" in described:
            _refuse(self.function, expected, given, named)
        return self._look_up(*given)

    def resolve(self, *examples: Any) -> Callable[..., Any]:
        """Return the machine code for arguments of the types of `examples`.

        Calling it directly skips the look-up by types, which takes 1 to 4 us a call for a NamedTuple of tables; the
        call itself takes 0.1 to 0.5 us. The caller must pass the same types: others are undefined behaviour.
        """
        if settings().no_compiler:
            return self._in_python()
        try:
            key = key_of(examples)
        except Unkeyed:
            return self._compiled(None, None, examples)
        if key in self._code:
            return self._code[key]
        try:
            types = text_of(examples)
        except Unkeyed:
            return self._compiled(key, None, examples)
        # Nothing is compiled under this lock, so it cannot deadlock.
        for recorder in _recorders:
            recorder(self, examples)
        # Several keys can stand for the same types: an int and a word with a sign, or arrays of one row and of many.
        same = types, *classes_of(examples)
        with _loading:
            code = self._code.get(key) or self._code.get(same) or self._from_wheel(types, examples)
            if code is None and (loaded := self.cache.load(types)) is not None:
                code = self._function_of(loaded, examples)
            if code is not None:
                self._code[key] = self._code[same] = code
        return code if code is not None else self._compiled(key, types, examples)

    def _from_wheel(self, types: str, examples: tuple[Any, ...]) -> Callable[..., Any] | None:
        """Return the machine code that the wheel carries for arguments of these types, or None."""
        if settings().bounds_checked:
            return None
        symbol = symbol_of(self.function, self._flavour(), types)
        for wheel in with_arrays():
            if symbol in wheel.numbers:
                given = self._objects(examples), _documentation(self.function)
                taken = wheel.take(symbol, FUNCTION, self.function.__module__, *given)
                return cast(Callable[..., Any] | None, taken)
        return None

    def _compiled(self, key: Hashable, types: str | None, examples: tuple[Any, ...]) -> Callable[..., Any]:
        if not has_compiler():
            warn_once(
                "no compiler",
                "Numba is not installed: functions run in Python, with the same answers but many times slower. "
                "pip install 'rookery[compile]' installs it.",
            )
            if key is not None:
                self._code[key] = self._in_python()
            return self._in_python()
        with compiler_lock():
            if key is not None and key in self._code:  # another thread has compiled it meanwhile
                return self._code[key]
            code = self.compile(types, examples)
            if key is not None:
                self._code[key] = code
            return code

    def compile(self, types: str | None, examples: tuple[Any, ...]) -> Callable[..., Any]:
        """Compile the function for arguments of the types of `examples`, and store the machine code.

        Nothing is stored if `types` is None. Nothing is run, so the target may be another CPU. Numba compiles what our
        compiler does not translate, or the function runs in Python: see `rookery.kernel.compiler.plain`.
        """
        need_compiler(f"compilation of {self.function.__qualname__}")
        with _reported(self.function):
            return self._compile(types, examples)

    def _compile(self, types: str | None, examples: tuple[Any, ...]) -> Callable[..., Any]:
        if types is not None and layouts_fit():
            with contextlib.suppress(Foreign, Unsupported):
                unit, files = self._unit(types, examples)
                self.cache.save(types, unit, files | _sources(modules_of(examples)))
                return self._function_of(load(unit), examples)
        from rookery.kernel.compiler.plain import pipeline

        return pipeline.compiled(self.function, examples, aliases=self.aliases) or self._in_python()

    def _unit(self, types: str, examples: tuple[Any, ...]) -> tuple[Unit, set[Path]]:
        """Return machine code with a wrapper of our own, and the files that it was made from."""
        from rookery.kernel.native.entry_wrappers import entry_wrapper

        kernel = self.compiled_ir(examples)
        symbol = symbol_of(self.function, self._flavour(), types)
        wrapper = entry_wrapper(self.function, kernel, symbol, examples)
        return unit_of(wrapper, kernel, symbol), {*map(Path, kernel.sources)}

    def compiled_ir(self, examples: tuple[Any, ...]) -> Any:
        """Return the function in LLVM's language, compiled for the types of `examples`."""
        from rookery.kernel.compiler.linkable import compiled_ir

        with compiler_lock(), _reported(self.function):
            return compiled_ir(self.function, examples, aliases=self.aliases)

    def _function_of(self, loaded: Loaded, examples: tuple[Any, ...]) -> Callable[..., Any]:
        """Return the Python function of machine code for arguments of the types of `examples`."""
        return as_function(loaded, self._objects(examples), self.function.__module__, _documentation(self.function))

    def _objects(self, examples: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return what machine code uses: see `entry_wrappers.entry_wrapper`."""
        expected = tuple(map(_described, examples))
        return (functools.partial(self._other_types, expected), fail, *classes_of(examples)[1:])

    def is_kept(self, *examples: Any) -> bool:
        """Check whether the cache has up-to-date machine code for arguments of the types of `examples`."""
        try:
            return self.cache.is_fresh(text_of(examples))
        except Unkeyed:
            return False

    def assembly(self, *examples: Any) -> str:
        """Compile the function anew and return its machine code as text, to see what was vectorised."""
        need_compiler("assembly")
        from rookery.kernel.compiler.linkable import assembly_of

        return assembly_of(self.compiled_ir(examples))


def _refuse(function: Callable[..., Any], expected: tuple[str, ...], given: tuple[Any, ...], named: Any) -> NoReturn:
    """Raise the error for arguments that no machine code takes."""
    name = function.__qualname__
    if named or len(given) != len(expected):
        raise TypeError(f"{name}: {len(given) + len(named)} arguments: expected {len(expected)}: {', '.join(expected)}")
    shown = ", ".join(_described(value) or type(value).__qualname__ for value in given)
    raise TypeError(f"{name}: {shown}: expected {', '.join(expected)}, contiguous arrays and numbers in range")


def _documentation(function: Callable[..., Any]) -> bytes:
    return documentation(function, of_class=False)


def _described(value: Any) -> str:
    """Return the type of an argument as text; nothing if entries take no values of its type."""
    try:
        key_of(value)
    except Unkeyed:
        return ""
    try:
        return text_of(value)
    except Unkeyed:
        return type(value).__qualname__


def _sources(modules: set[str]) -> set[Path]:
    files = (getattr(sys.modules.get(module), "__file__", None) for module in modules)
    return {Path(file) for file in files if file}


@overload
def entry(function: Callable[..., Any]) -> Entry: ...
@overload
def entry(*, examples: Examples) -> Callable[[Callable[..., Any]], Entry]: ...
def entry(function: Callable[..., Any] | None = None, *, examples: Examples | None = None) -> Any:
    """Make `function` an `Entry`. It must be at module level: a closure is not cached on disk.

    With examples of its arguments (see `Entry.declare`), it is compiled in advance: ``@entry(examples=lambda: (0,))``.
    """
    return functools.partial(Entry, examples=examples) if function is None else Entry(function, examples=examples)


@contextlib.contextmanager
def _reported(function: Callable[..., Any]) -> Iterator[None]:
    """Report the compilation of a function, once, to the watchers, or on the terminal if there are none."""
    if getattr(_under_way, "is_reported", False):
        yield
        return
    watchers = tuple(_watchers)
    _under_way.is_reported = True
    try:
        if not watchers:
            with notice.shown((function.__module__ or function.__name__).removeprefix("rookery.")):
                yield
            return
        for started, _ in watchers:
            started()
        try:
            yield
        finally:
            for _, finished in watchers:
                finished()
    finally:
        _under_way.is_reported = False


@contextlib.contextmanager
def watch_compilation(started: Callable[[], None], finished: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Call `started` and `finished` around each compilation of an entry; loading from the cache does not count.

    Nothing is printed on standard error meanwhile: the watcher reports the progress.
    """
    watcher = started, finished
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


@contextlib.contextmanager
def record_entries(recorder: Callable[[Entry, tuple[Any, ...]], None]) -> Iterator[None]:
    """Call `recorder` with entries and their arguments, whenever an entry looks for machine code for their types."""
    _recorders.append(recorder)
    try:
        yield
    finally:
        _recorders.remove(recorder)
