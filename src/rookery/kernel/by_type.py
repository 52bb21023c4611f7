"""Kernels chosen by the types of their arguments: `functools.singledispatch` for compiled code and plain Python.

A move generator that passes its moves to `sink` is compiled once for each type of sink, with the code of the sink
inlined. The types are NamedTuple classes, most of them without fields. They are known when the generator is compiled,
so the choice costs nothing at run time.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

from rookery.kernel.compiling import U64, F, NoKernelError, call_in_words, compile_in_place_of, note_file

P = ParamSpec("P")
R = TypeVar("R")


def class_of(value: Any) -> type:
    """Return the class of a NamedTuple, or of Numba's type of one; for anything else, arrays included, `U64`.

    >>> class_of(3) is class_of(U64(3)) is U64
    True
    """
    if isinstance(value, tuple):
        return type(value)
    # Numba's types are recognised by an attribute, because plain Python must run without Numba.
    found: type = getattr(value, "instance_class", U64)
    return found


class KernelByType(Generic[P, R]):
    """A kernel that runs the function registered for the types of its arguments.

    Kernels and Python call it alike. `kernel_by_type` makes it.
    """

    __name__: str

    def __init__(self, question: Callable[P, R], by: tuple[str, ...]) -> None:
        functools.update_wrapper(self, question)
        names = list(inspect.signature(question).parameters)
        self._places = [names.index(name) for name in by]
        self._arguments = " and ".join(by)
        self._width = len(names)
        self._kernels: dict[tuple[type, ...], Callable[..., Any]] = {}
        compile_in_place_of(self, lambda: lambda *types: self.kernel_for(*self._classes(types)))

    def register(self, *classes: type) -> Callable[[F], F]:
        """Register the decorated function for a class, or for one class of each argument that decides.

        Classes may be registered at any time, even after others have been compiled. Registering a class twice is a
        TypeError, because code that is already compiled would keep the first function.
        """
        if len(classes) != len(self._places):
            raise TypeError(f"{self.__name__} is chosen by {self._arguments}, not by {self._shown(classes)}")

        def add(function: F) -> F:
            source = inspect.unwrap(function)
            width = len(inspect.signature(source).parameters)
            if width != self._width:
                raise TypeError(f"{self.__name__} takes {self._width} arguments, {source.__qualname__} {width}")
            note_file(source)
            if self._kernels.setdefault(classes, source) is not source:
                raise TypeError(f"{self.__name__} has a kernel for {self._shown(classes)} already")
            return function

        return add

    def kernel_for(self, *classes: type) -> Callable[..., Any]:
        """Return the function registered for these classes.

        A class may be apart from its kernels, so that callers of compiled code need not import them. Then its static
        method `register_kernels` imports the module that registers them.
        """
        if classes not in self._kernels:
            for kind in classes:
                getattr(kind, "register_kernels", bool)()
        if classes not in self._kernels:
            known = "; ".join(map(self._shown, self._kernels)) or "nothing"
            requested = f"{self._arguments} of type {self._shown(classes)}"
            raise NoKernelError(f"{self.__name__} has no kernel for {requested}: registered are {known}")
        return self._kernels[classes]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function that compiled code would run, in plain Python."""
        if kwargs:
            raise TypeError(f"{self.__name__} takes no argument by name")
        result: R = call_in_words(self.kernel_for(*self._classes(args)), args)
        return result

    def _classes(self, args: tuple[Any, ...]) -> list[type]:
        return [class_of(args[place]) for place in self._places]

    @staticmethod
    def _shown(classes: tuple[type, ...]) -> str:
        return " and ".join("a word" if c is U64 else c.__name__ for c in classes)


def kernel_by_type(*by: str) -> Callable[[Callable[P, R]], KernelByType[P, R]]:
    """Make a kernel with one function for each class of the named arguments.

    The decorated function provides the signature and the documentation. The registered functions need not be kernels.
    `U64` stands for a word.

    >>> from typing import NamedTuple
    >>> class Twice(NamedTuple):
    ...     '''Doubling.'''
    >>> class Plus(NamedTuple):
    ...     '''Addition of `more`.'''
    ...     more: int
    >>> @kernel_by_type("question")
    ... def answer(question, x):
    ...     '''Return the answer to a question for a word.'''
    >>> @answer.register(Twice)
    ... def twice(question, x):
    ...     return x + x
    >>> @answer.register(Plus)
    ... def plus(question, x):
    ...     return x + question.more
    >>> answer(Twice(), 4)
    8
    >>> answer(Plus(3), 4)
    7
    >>> answer(4, 4)
    Traceback (most recent call last):
        ...
    rookery.kernel.compiling.NoKernelError: answer has no kernel for question of type a word: registered are Twice; Plus
    """

    def decorate(question: Callable[P, R]) -> KernelByType[P, R]:
        return KernelByType(question, by)

    return decorate
