"""Entries: the loops that Python calls, compiled for the types of their arguments or loaded from the cache.

Machine code that a wheel carries is bound here. `making` has the cache and the compiler, and is imported for what the
wheel lacks. `entry_of` goes further: where the wheel has the machine code, the module of the kernels is not imported.
"""

import contextlib
import functools
from _thread import RLock
from collections.abc import Callable, Hashable, Iterator
from importlib import import_module
from types import FunctionType
from typing import Any, Final, NoReturn, TypeAlias, cast, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rookery.kernel.codecache.type_keys import Unkeyed, classes_of, key_of, symbol_of, text_of
from rookery.kernel.native.marks import documentation
from rookery.kernel.native.shipped import FUNCTION, with_arrays
from rookery.kernel.notice import warn_once
from rookery.kernel.settings import has_compiler, need_compiler, settings

_recorders: Final[list[Callable[["Entry", tuple[Any, ...]], None]]] = []
watchers: Final[list[tuple[Callable[[], None], Callable[[], None]]]] = []  # of compilation
_taking: Final = RLock()
_taken: Final[dict[Hashable, Callable[..., Any]]] = {}  # machine code of the wheel: each unit is taken once

Examples: TypeAlias = Callable[[], tuple[Any, ...] | list[tuple[Any, ...]]]
declared: Final[list[tuple[str, "Entry", Examples]]] = []  # the module that declares it, the entry, its examples


class _ByTypes:
    """The base of entries: machine code by the types of the arguments, looked up when they change."""

    def __init__(self, name: str) -> None:
        self._name = name  # for errors
        self._code: dict[Hashable, Callable[..., Any]] = {}
        self._last: Callable[..., Any] = self._look_up
        self._python: Callable[..., Any] | None = None

    def __call__(self, *args: Any) -> Any:
        """Run the function, compiled for the types of the arguments."""
        return self._last(*args)

    def resolve(self, *examples: Any) -> Callable[..., Any]:
        """Return the machine code for arguments of the types of `examples`."""
        raise NotImplementedError

    def _look_up(self, *args: Any) -> Any:
        """Run the machine code for the types of the arguments, and keep it for the next call.

        Machine code checks its arguments itself: looking it up takes 1 to 4 us. For other types it calls this. Python
        takes arguments of all types, so it is not kept where there may be machine code for others.
        """
        try:
            code = self._code[key_of(args)]
        except (KeyError, Unkeyed):
            code = self.resolve(*args)
        if not self.runs_in_python(code) or settings().no_compiler:
            self._last = code
        return code(*args)

    def runs_in_python(self, code: Callable[..., Any]) -> bool:
        """Check whether code for some types is the function that runs in plain Python."""
        return code is self._python

    def _other_types(self, expected: tuple[str, ...], *given: Any, **named: Any) -> Any:
        """Answer for machine code that does not take its arguments: find the right one, or raise an error."""
        described = tuple(map(_described, given))
        if named or len(given) != len(expected) or described == expected or "" in described:
            _refuse(self._name, expected, given, named)
        return self._look_up(*given)

    def _from_wheel(
        self, symbol: str, module: str, documented: Callable[[], bytes], examples: tuple[Any, ...]
    ) -> Callable[..., Any] | None:
        """Return the machine code that the wheel carries under a symbol, or None."""
        if settings().bounds_checked:
            return None
        unit = symbol, *classes_of(examples)
        with _taking:
            if unit in _taken:
                return _taken[unit]
            for wheel in with_arrays():
                if symbol in wheel.numbers:
                    code = wheel.take(symbol, FUNCTION, module, self.objects(examples), documented())
                    if code is not None:
                        _taken[unit] = code
                    return cast(Callable[..., Any] | None, code)
        return None

    def objects(self, examples: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return what machine code uses: see `native.entry_wrappers.entry_wrapper`."""
        expected = tuple(map(_described, examples))
        return (functools.partial(self._other_types, expected), _fail, *classes_of(examples)[1:])


class Entry(_ByTypes):
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
        super().__init__(function.__qualname__)
        self.function: Callable[..., Any] = function
        self.aliases = aliases
        if examples is not None:
            declared.append((function.__module__, self, examples))

    def declare(self, examples: Examples) -> None:
        """Declare what `rookery compile` and wheels compile the function for, besides the examples it was made with.

        `examples` is a function, called only then. It returns the arguments of a call as a tuple, or a list of such
        tuples; only their types matter. Whatever needs the machine code may declare it, in its own module.
        """
        declared.append((examples.__module__, self, examples))

    @property
    def flavour(self) -> str:
        """Return what distinguishes its machine code from that of the same function with other options."""
        return "aliases" if self.aliases else "apart"

    def symbol(self, types: str) -> str:
        """Return what the symbols of its machine code begin with, for arguments of some types."""
        return symbol_of(self.function.__module__, self.function.__qualname__, self.flavour, types)

    def resolve(self, *examples: Any) -> Callable[..., Any]:
        """Return the machine code for arguments of the types of `examples`.

        Calling it directly skips the look-up by types, which takes 1 to 4 us a call for a NamedTuple of tables; the
        call itself takes 0.1 to 0.5 us. The caller must pass the same types: others are undefined behaviour.
        """
        if settings().no_compiler:
            return self.in_python()
        try:
            key = key_of(examples)
        except Unkeyed:
            return self._made(None, None, examples)
        if key in self._code:
            return self._code[key]
        try:
            types = text_of(examples)
        except Unkeyed:
            return self._made(key, None, examples)
        # Nothing is compiled under a lock of this, so it cannot deadlock.
        for recorder in _recorders:
            recorder(self, examples)
        # Several keys can stand for the same types: an int and a word with a sign, or arrays of one row and of many.
        same = types, *classes_of(examples)
        code = self._code.get(same)
        if code is None:
            documented = functools.partial(documentation_of, self.function)
            code = self._from_wheel(self.symbol(types), self.function.__module__, documented, examples)
        if code is None:
            code = cast(Callable[..., Any] | None, _making().loaded(self, self._code, same, types, examples))
        if code is None:
            return self._made(key, types, examples)
        self._code[key] = self._code[same] = code
        return code

    def _made(self, key: Hashable, types: str | None, examples: tuple[Any, ...]) -> Callable[..., Any]:
        """Return machine code from a compiler, or a function of Python where there is none."""
        if not has_compiler():
            warn_once(
                "no compiler",
                "Numba is not installed: functions run in Python, with the same answers but many times slower. "
                "pip install 'numba>=0.64,<0.69' installs it.",
            )
            if key is not None:
                self._code[key] = self.in_python()
            return self.in_python()
        return cast(Callable[..., Any], _making().compiled_once(self, self._code, key, types, examples))

    def in_python(self) -> Callable[..., Any]:
        """Return the function that does in plain Python what the entry does in compiled code."""
        if self._python is None:
            from rookery.kernel.in_python import in_python

            self._python = in_python(self.function)
        return self._python

    def compile(self, types: str | None, examples: tuple[Any, ...]) -> Callable[..., Any]:
        """Compile the function for arguments of the types of `examples`, and store the machine code.

        Nothing is stored if `types` is None. Nothing is run, so the target may be another CPU. Numba compiles what our
        compiler does not translate, or the function runs in Python: see `rookery.kernel.compiler.plain`.
        """
        need_compiler(f"compilation of {self.function.__qualname__}")
        return cast(Callable[..., Any], _making().compiled(self, types, examples))

    def compiled_ir(self, examples: tuple[Any, ...]) -> Any:
        """Return the function in LLVM's language, compiled for the types of `examples`."""
        return _making().compiled_ir_of(self, examples)

    def is_kept(self, *examples: Any) -> bool:
        """Check whether the cache has up-to-date machine code for arguments of the types of `examples`."""
        try:
            types = text_of(examples)
        except Unkeyed:
            return False
        return cast(bool, _making().cache_of(self).is_fresh(types))

    def assembly(self, *examples: Any) -> str:
        """Compile the function anew and return its machine code as text, to see what was vectorised."""
        need_compiler("assembly")
        from rookery.kernel.compiler.linkable import assembly_of

        return assembly_of(self.compiled_ir(examples))


class _EntryElsewhere(_ByTypes):
    """An entry known by its name: see `entry_of`."""

    def __init__(self, module: str, name: str) -> None:
        super().__init__(name)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name in ("_module", "_name"):  # before `__init__`, as when an object is copied
            raise AttributeError(name)
        return getattr(self._entry(), name)

    def runs_in_python(self, code: Callable[..., Any]) -> bool:
        """Check whether code for some types is the function that runs in plain Python."""
        return type(code) is FunctionType

    def _entry(self) -> Entry:
        entry: Entry = getattr(import_module(self._module), self._name)
        return entry

    def resolve(self, *examples: Any) -> Callable[..., Any]:
        """Return the machine code for arguments of the types of `examples`, as `Entry.resolve` does."""
        if settings().no_compiler or _recorders:
            return self._entry().resolve(*examples)
        try:
            key = key_of(examples)
            if key in self._code:
                return self._code[key]
            symbol = symbol_of(self._module, self._name, "apart", text_of(examples))
        except Unkeyed:
            return self._entry().resolve(*examples)
        code = self._from_wheel(symbol, self._module, lambda: self._name.encode(), examples)
        if code is None:
            code = self._entry().resolve(*examples)
        self._code[key] = code  # the symbol takes 0.3 ms for an entry of the reader of PGN
        return code


def entry_of(module: str, name: str) -> Entry:
    """Return the entry of a module, by its name. The module is imported if the wheel lacks the machine code.

    So a caller does not wait for the modules of kernels, and of those that these call, where nothing is compiled.

    >>> look_up = entry_of("rookery.bitboards.leapers", "look_up_arrays")
    >>> look_up.function.__name__
    'look_up_arrays'
    """
    return cast(Entry, _EntryElsewhere(module, name))


def _making() -> Any:
    """Return the module that loads machine code from the cache, and compiles."""
    return import_module("rookery.kernel.making")


def _fail() -> None:
    """Raise the error after machine code has failed."""
    raise IndexError("index is out of bounds")


def documentation_of(function: Callable[..., Any]) -> bytes:
    """Return the documentation of an entry's machine code."""
    return documentation(function, of_class=False)


def _refuse(name: str, expected: tuple[str, ...], given: tuple[Any, ...], named: Any) -> NoReturn:
    """Raise the error for arguments that no machine code takes."""
    if named or len(given) != len(expected):
        raise TypeError(f"{name}: {len(given) + len(named)} arguments: expected {len(expected)}: {', '.join(expected)}")
    shown = ", ".join(_described(value) or type(value).__qualname__ for value in given)
    raise TypeError(f"{name}: {shown}: expected {', '.join(expected)}, contiguous arrays and numbers in range")


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
def watch_compilation(started: Callable[[], None], finished: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Call `started` and `finished` around each compilation of an entry; loading from the cache does not count.

    Nothing is printed on standard error meanwhile: the watcher reports the progress.
    """
    watcher = started, finished
    watchers.append(watcher)
    try:
        yield
    finally:
        watchers.remove(watcher)


@contextlib.contextmanager
def record_entries(recorder: Callable[[Entry, tuple[Any, ...]], None]) -> Iterator[None]:
    """Call `recorder` with entries and their arguments, whenever an entry looks for machine code for their types."""
    _recorders.append(recorder)
    try:
        yield
    finally:
        _recorders.remove(recorder)


def array_of(dtype: DTypeLike, dimensions: int = 1, *, readonly: bool = False) -> NDArray[Any]:
    """Return an example of the arrays of a dtype.

    >>> array_of(np.uint64, 2)
    array([[0]], dtype=uint64)
    """
    array = np.zeros((1,) * dimensions, dtype)
    array.flags.writeable = not readonly
    return array


def tuple_of(kind: Any, value: Any) -> Any:
    """Return an example of a NamedTuple class whose fields are all alike.

    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     first: int
    ...     second: int
    >>> tuple_of(Pair, 0)
    Pair(first=0, second=0)
    """
    return kind(*[value] * len(kind._fields))
