"""Kernels, and the 64-bit words they work on."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np

U64 = np.uint64
UNIVERSE = 0xFFFF_FFFF_FFFF_FFFF


class NoKernelError(TypeError):
    """A call with types for which no kernel is registered."""


class Kind(NamedTuple):
    """The kind of a kernel's argument: an integer from 0 to `most`. Errors quote `expected`."""

    most: int
    expected: str


# The types of kernel arguments. Type checkers see Any: the same source runs on NumPy scalars, on arrays and on Numba's
# native words, and no stub describes all three. At run time each has a `Kind`, which
# `rookery.bitboards.checked_kernels` uses to check arguments.
if TYPE_CHECKING:
    Bits: TypeAlias = Any  # 64 squares in a word
    Square: TypeAlias = Any  # 0 (a1) to 63 (h8) in a word
    Word: TypeAlias = Any  # any other 64-bit number
    State: TypeAlias = Any  # a technique's form of the occupancy: a board, or several rotated ones
else:
    Bits = Annotated[Any, Kind((1 << 64) - 1, "a board from 0 to 2**64 - 1, or an array of boards")]
    Square = Annotated[Any, Kind(63, "a square from 0 (a1) to 63 (h8), or an array of squares")]
    Word = Annotated[Any, Kind((1 << 64) - 1, "an int from 0 to 2**64 - 1, or an array of uint64")]
    State = Any

F = TypeVar("F", bound=Callable[..., Any])

_files: set[str] = set()
_replaced: dict[Callable[..., Any], Callable[[], Callable[..., Any]]] = {}
_instructions: dict[Callable[..., Any], "Instruction"] = {}


def wrapping() -> Any:
    """Return a context in which NumPy's words wrap without a warning, as kernels require."""
    return np.errstate(over="ignore")


def call_in_words(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Run a kernel in plain Python: ints become 64-bit words, and if there were any, a word becomes an int."""
    ints = any(isinstance(a, int) for a in args)
    with wrapping():
        result = function(*(U64(a) if isinstance(a, int) else a for a in args) if ints else args)
    return int(result) if ints and isinstance(result, np.integer) else result


def kernel(function: F) -> F:
    """Make `function` a kernel: entries inline it, and Python calls it with ints as 64-bit words.

    >>> @kernel
    ... def lowest(b: Bits) -> Bits:
    ...     return b & -b
    >>> lowest(12)
    4
    >>> lowest(np.array([12, 0], U64))
    array([4, 0], dtype=uint64)
    """

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        return call_in_words(function, args)

    note_file(function)
    compile_in_place_of(call, lambda: lambda *kinds: function)
    return cast(F, call)


def kernel_made_by(make: Callable[[], F]) -> F:
    """Make a kernel of the function that `make` returns once the kernel is compiled or called, and not before.

    So a kernel of tables that are in the machine code already does not have them built again.

    >>> @kernel_made_by
    ... def double():
    ...     print("made")
    ...     return lambda b: b + b
    >>> double(3)
    made
    6
    """
    made = functools.cache(make)

    @functools.wraps(make)
    def call(*args: Any) -> Any:
        return call_in_words(made(), args)

    note_file(make)
    compile_in_place_of(call, lambda: lambda *kinds: made())
    return cast(F, call)


def called_kernel(function: F) -> F:
    """Make `function` a kernel that entries call instead of inlining it.

    LLVM then compiles it once, however often it is called, and apart from the loop, whose compilation takes longer the
    longer it is. A call takes a few nanoseconds.
    """
    function.__dict__["rookery_is_called"] = True  # for `compiler.unit`
    return kernel(function)


def cold_kernel(function: F) -> F:
    """Make `function` a kernel for rare cases: one that entries call, and that LLVM expects to be called seldom."""
    function.__dict__["rookery_is_cold"] = True  # for `compiler.unit`
    return called_kernel(function)


def signed(function: F) -> F:
    """Mark a kernel or an entry whose literals are int64, except where they meet words.

    This decorator goes directly above the function.
    """
    function.__dict__["signed_ints"] = True  # for `compiler.flow`
    return function


def compile_in_place_of(function: Callable[..., Any], implementation: Callable[[], Callable[..., Any]]) -> None:
    """Replace calls of `function` in compiled code by calls of another function.

    ``implementation()`` returns a function of the types of the arguments, or of the arguments themselves for entries
    that run in Python, which returns the other function.
    """
    _replaced[function] = implementation
    function.__dict__["rookery_twin"] = lambda *args: _twin_of(implementation()(*args))  # for `in_python`


def _twin_of(function: Callable[..., Any]) -> Callable[..., Any]:
    from rookery.kernel.in_python import twin_of

    return twin_of(function)


class Instruction(NamedTuple):
    """A kernel that compiled code replaces by instructions of LLVM: see `compiled_as`."""

    function: Callable[..., Any]
    build: Callable[..., Any]
    applies: Callable[..., bool]
    returns_word: bool


def compiled_as(
    build: Callable[..., Any],
    applies: Callable[..., bool] = lambda *kinds: True,
    *,
    returns_word: bool = True,
    plain: Callable[..., Any] | None = None,
) -> Callable[[F], F]:
    """Make a kernel that runs as decorated in plain Python, and as ``build(builder, *arguments)`` in compiled code.

    `builder` is one of llvmlite's. Each argument is a word, or `building.Memory` for an array. Where
    ``applies(*kinds)`` is false for the types of the arguments (see `rookery.kernel.compiler.kinds`), compiled code
    runs the decorated function, too. So it does for all instructions on arrays where bounds are checked, because
    instructions check none. Numba compiles `plain`, or the decorated function.
    """

    def decorate(function: F) -> F:
        wrapped = kernel(function)
        instruction = Instruction(function, build, applies, returns_word)
        _instructions[wrapped] = instruction
        if plain is not None:
            _replaced[wrapped] = lambda: lambda *kinds: plain
        kinds = [hasattr(kind, "__metadata__") for name, kind in function.__annotations__.items() if name != "return"]

        def in_words(*args: Any) -> Any:
            words = (U64(int(a) & UNIVERSE) if is_word else a for a, is_word in zip(args, kinds, strict=True))
            return _twin_of(function)(*words)

        wrapped.__dict__["rookery_twin"] = lambda *args: in_words
        return wrapped

    return decorate


def is_contiguous(kind: Any, letter: str, bits: int) -> bool:
    """Check whether a type is that of a contiguous array of numbers."""
    is_flat = getattr(kind, "ndim", 0) == 1 and kind.layout == "C"
    return is_flat and (kind.item.kind, kind.item.bits) == (letter, bits)


def instruction_of(function: Callable[..., Any]) -> Instruction | None:
    """Return the instruction that compiled code has for a kernel, or None."""
    return _instructions.get(function)


def replacement_of(function: Callable[..., Any], kinds: tuple[Any, ...]) -> Callable[..., Any] | None:
    """Return the function that compiled code calls in place of another for arguments of some types, or None."""
    implementation = _replaced.get(function)
    return implementation()(*kinds) if implementation is not None else None


def note_file(function: Callable[..., Any]) -> None:
    """Note the file of a kernel for `files_of_kernels`."""
    _files.add(function.__code__.co_filename)


def files_of_kernels() -> frozenset[str]:
    """Return the source files of all kernels of this process."""
    return frozenset(_files)


def replacements() -> dict[Callable[..., Any], Callable[[], Callable[..., Any]]]:
    """Return the functions that compiled code replaces, each with what returns its implementation."""
    return _replaced
