"""Kernels that check their arguments when Python calls them: the functions of `rookery.bits` and `rookery.sets`.

The annotations of a kernel declare what each argument is (`Bits`, `Square`, `Word`, or another `Kind`). From them
`checked_kernel` makes the function that Python calls. Compiled code inlines the kernel itself, unchecked. For words and
arrays of words, which kernels pass to each other, a look at the type is enough.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol, TypeAlias, get_args, get_origin, overload

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import AnySquareSet, is_number, set_as_number, shown
from rookery.frames.array_arguments import U64_TYPE, int_array, place
from rookery.kernel import U64, Kind, compile_in_place_of, wrapping

Number: TypeAlias = "int | np.integer[Any]"
Numbers: TypeAlias = "NDArray[np.integer[Any]] | Sequence[int]"

_UNIVERSE: Final = (1 << 64) - 1


class OneWord(Protocol):
    """A checked kernel of one argument."""

    __name__: str
    __wrapped__: Callable[..., Any]

    @overload
    def __call__(self, x: int, /) -> int: ...
    @overload
    def __call__(self, x: "np.integer[Any]", /) -> np.uint64: ...
    @overload
    def __call__(self, x: AnySquareSet, /) -> int: ...
    @overload
    def __call__(self, x: Numbers, /) -> NDArray[np.uint64]: ...


class TwoWords(Protocol):
    """A checked kernel of two arguments."""

    __name__: str
    __wrapped__: Callable[..., Any]

    @overload
    def __call__(self, x: int | AnySquareSet, y: int | AnySquareSet, /) -> int: ...
    @overload
    def __call__(self, x: "np.integer[Any]", y: Number, /) -> np.uint64: ...
    @overload
    def __call__(self, x: Numbers, y: "Number | Numbers", /) -> NDArray[np.uint64]: ...
    @overload
    def __call__(self, x: Number, y: Numbers, /) -> NDArray[np.uint64]: ...


@overload
def checked_kernel(function: Callable[[Any], Any]) -> OneWord: ...
@overload
def checked_kernel(function: Callable[[Any, Any], Any]) -> TwoWords: ...
def checked_kernel(function: Callable[..., Any]) -> Any:
    """Make `function` a kernel (see `rookery.kernel.kernel`) that checks its arguments when Python calls it.

    It takes ints, lists of ints, and arrays of any integer type. Anything else is a TypeError, and a number out of
    range a ValueError; both name the argument.

    >>> from rookery.kernel import Square
    >>> @checked_kernel
    ... def bit_of(s: Square) -> int:
    ...     return 1 << s
    >>> bit_of(5)
    32
    >>> bit_of([0, 1])
    array([1, 2], dtype=uint64)
    >>> bit_of(64)
    Traceback (most recent call last):
        ...
    ValueError: s: 64: expected a square from 0 (a1) to 63 (h8), or an array of squares
    """
    code = function.__code__
    kinds = [(name, _kind_of(function.__annotations__.get(name))) for name in code.co_varnames[: code.co_argcount]]
    alone = kinds[0][1].most if len(kinds) == 1 else -1

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        if named or len(args) != len(kinds):
            args = inspect.signature(function).bind(*args, **named).args
        if alone >= 0:  # takes two thirds of the time of the general case below
            value = args[0]
            if type(value) is int and 0 <= value <= alone:
                with wrapping():
                    result = function(U64(value))
                return int(result) if isinstance(result, np.integer) else result
            value = _without_sets(kinds[0], value)
            word = _word(kinds[0][0], value, kinds[0][1])
            with wrapping():
                result = function(word)
            return int(result) if isinstance(value, int) and isinstance(result, np.integer) else result
        args = tuple(map(_without_sets, kinds, args))
        words = [_word(name, value, kind) for (name, kind), value in zip(kinds, args, strict=True)]
        with wrapping():
            result = function(*words)
        if isinstance(result, np.integer) and any(isinstance(value, int) for value in args):
            return int(result)
        return result

    compile_in_place_of(call, lambda: lambda *types: function)
    return call


def _without_sets(parameter: tuple[str, Kind], value: Any) -> Any:
    """Return a set of squares as a number where a board is expected, and anything else as it is."""
    is_plain = isinstance(value, (int, np.generic, np.ndarray))
    return value if is_plain or parameter[1].most != _UNIVERSE else set_as_number(value)


def _kind_of(annotation: Any) -> Kind:
    kind = get_args(annotation)[-1] if get_origin(annotation) is Annotated else None
    if not isinstance(kind, Kind):
        raise TypeError(f"annotation {annotation!r}: expected Bits, Square, Word or another kind of word")
    return kind


def _word(name: str, value: Any, kind: Kind) -> Any:
    """Return the word, or the array of words, that the kernel runs on."""
    class_ = type(value)
    most = kind.most
    if class_ is int:
        if 0 <= value <= most:
            return U64(value)
    elif class_ is U64:
        if most == _UNIVERSE or int(value) <= most:
            return value
    elif class_ is np.ndarray and value.dtype is U64_TYPE:
        if most == _UNIVERSE or np.maximum.reduce(value, axis=None, initial=0) <= most:
            return value
    elif is_number(value) and 0 <= value <= most:
        return U64(value)
    return _converted(name, value, kind)


def _converted(name: str, value: Any, kind: Kind) -> NDArray[np.uint64]:
    """Convert a value that is not yet a word, or raise the error for one that cannot be."""
    if is_number(value):
        raise ValueError(f"{name}: {shown(int(value))}: expected {kind.expected}")
    array = int_array(name, value, kind.expected, sets=kind.most == _UNIVERSE)
    bad = (array < 0) | (array > kind.most)
    if bad.any():
        index = int(np.argmax(bad))
        at = f"[{place(array, index)}]" if array.ndim else ""
        raise ValueError(f"{name}{at}: {array.ravel()[index]}: expected {kind.expected}")
    return array.astype(U64, copy=False)


if TYPE_CHECKING:
    Direction: TypeAlias = Any
    Choice: TypeAlias = Any
    RankByte: TypeAlias = Any
else:
    Direction = Annotated[Any, Kind(7, "a direction from 0 (north) to 7 (northwest), or an array of directions")]
    Choice = Annotated[Any, Kind(1, "0 or 1, or an array of them")]
    RankByte = Annotated[Any, Kind(255, "the byte of a rank, from 0 to 255, or an array of bytes")]
