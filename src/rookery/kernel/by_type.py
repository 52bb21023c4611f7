"""A kernel chosen by the types of its arguments: `functools.singledispatch` for compiled code and plain Python alike.

A generator that hands its moves to `sink` is compiled once for each type of sink, and what is done with a move is
inlined. The types are classes of NamedTuples, most of them without a field: which of them comes in is known when the
generator is compiled, and costs nothing when it runs.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

from rookery.kernel.compiling import U64, F, call_in_words, compile_in_place_of

P = ParamSpec("P")
R = TypeVar("R")


def class_of(value: Any) -> type:
    """The class of a NamedTuple, given one or Numba's type of one; `U64` of all else, arrays included.

    >>> class_of(3) is class_of(U64(3)) is U64
    True
    """
    if isinstance(value, tuple):
        return type(value)
    # Numba's types are asked for by an attribute: plain Python must run without Numba.
    found: type = getattr(value, "instance_class", U64)
    return found


class KernelByType(Generic[P, R]):
    """What `kernel_by_type` makes: call it from a kernel or from Python, `register` what is to be run."""

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
        """Decorate the function that is run for a class, or for one of each argument that is chosen by.

        A class that comes late, after others have been compiled, is as good as an early one. To register one a second
        time is a TypeError: what was compiled would go on with the first.
        """
        if len(classes) != len(self._places):
            raise TypeError(f"{self.__name__} is chosen by {self._arguments}, not by {self._shown(classes)}")

        def enter(function: F) -> F:
            source = inspect.unwrap(function)
            width = len(inspect.signature(source).parameters)
            if width != self._width:
                raise TypeError(f"{self.__name__} takes {self._width} arguments, {source.__qualname__} {width}")
            if self._kernels.setdefault(classes, source) is not source:
                raise TypeError(f"{self.__name__} has a kernel for {self._shown(classes)} already")
            return function

        return enter

    def kernel_for(self, *classes: type) -> Callable[..., Any]:
        """What is run for these classes."""
        try:
            return self._kernels[classes]
        except KeyError:
            known = "; ".join(map(self._shown, self._kernels)) or "nothing"
            asked = f"{self._arguments} of type {self._shown(classes)}"
            raise TypeError(f"{self.__name__} has no kernel for {asked}: registered are {known}") from None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """What compiled code does, in plain Python."""
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
    """A kernel with one body for each class of the arguments named; the decorated function gives signature and words.

    What is registered need be no `kernel` of its own. `U64` stands for a word.

    >>> from typing import NamedTuple
    >>> class Twice(NamedTuple):
    ...     '''The question: what is twice as much?'''
    >>> class Plus(NamedTuple):
    ...     '''The question: how much is it with so many more?'''
    ...     more: int
    >>> @kernel_by_type("question")
    ... def answer(question, x):
    ...     '''What a question gives for a word.'''
    >>> @answer.register(Twice)
    ... def twice(question, x):
    ...     return x + x
    >>> @answer.register(Plus)
    ... def plus(question, x):
    ...     return x + question.more
    >>> answer(Twice(), 4), answer(Plus(3), 4)
    (8, 7)
    >>> answer(4, 4)
    Traceback (most recent call last):
        ...
    TypeError: answer has no kernel for question of type a word: registered are Twice; Plus
    """

    def decorate(question: Callable[P, R]) -> KernelByType[P, R]:
        return KernelByType(question, by)

    return decorate
