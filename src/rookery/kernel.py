"""The one place that sets Numba up: kernels, entry points, 64-bit constants, hardware bit instructions.

A *kernel* is a small, straight-line Python function on 64-bit words. It stays an ordinary Python function:
call it with ints, with ``np.uint64`` or with whole arrays and it answers in plain Python and NumPy (that is
how tables are filled, and how a step-by-step explanation runs the real code). Inside an *entry* it is
compiled, and forced inline, because only then does LLVM vectorise the loop around it: a Kogge-Stone queen
over arrays ran at 131 M/s with calls and at 1,240 M/s inlined.

An *entry* is a loop that Python calls. It is compiled on its first call (never at import), releases the GIL,
and is kept in Numba's disk cache. Numba does not notice edits in the functions that a cached one inlines
(its issue 9483), so our cache is salted with a digest of the whole package.

A bare ``1`` is an int64 to Numba, and ``uint64 | int64`` is an int64 whose ``>>`` drags the sign along: every
bitboard constant is therefore a module-level ``U64(...)``. Plain literals are safe as shift counts only.
"""

import contextlib
import functools
import hashlib
import inspect
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

U64 = np.uint64
ZERO = U64(0)
ONE = U64(1)
UNIVERSE = U64(0xFFFF_FFFF_FFFF_FFFF)

# What kernels speak of. To the type checker they are Any: the same source runs on NumPy scalars, on arrays
# and on Numba's native words, and no stub describes all three.
Board: TypeAlias = Any  # 64 squares in a word
Square: TypeAlias = Any  # 0 (a1) to 63 (h8), as an unsigned word
Word: TypeAlias = Any  # any other 64-bit number
State: TypeAlias = Any  # what a technique keeps of the occupancy: a Board, or several rotated ones

F = TypeVar("F", bound=Callable[..., Any])

_registering = threading.RLock()
_pending: list[tuple[Callable[..., Any], Callable[[], Callable[..., Any]]]] = []


def wrapping() -> Any:
    """A context in which NumPy's words wrap without a warning, as kernels want them to."""
    return np.errstate(over="ignore")


def kernel(function: F) -> F:
    """Make `function` callable from entries (inlined) and from Python (ints are 64-bit words there).

    >>> @kernel
    ... def lowest(b: Board) -> Board:
    ...     return b & (ZERO - b)
    >>> lowest(12), lowest(np.array([12, 0], U64)).tolist()
    (4, [4, 0])
    """

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        ints = any(isinstance(a, int) for a in args)
        with wrapping():
            result = function(*(U64(a) if isinstance(a, int) else a for a in args) if ints else args)
        return int(result) if ints and isinstance(result, np.integer) else result

    _pending.append((call, lambda: lambda *args: function))
    return cast(F, call)


def specialised(choose: Callable[..., Callable[..., Any]]) -> Callable[[F], F]:
    """A kernel with one body per type: `choose(*numba_types)` returns the kernel to compile in its place.

    The decorated function is what plain Python runs.
    """

    def decorate(function: F) -> F:
        _pending.append((function, lambda: lambda *types: inspect.unwrap(choose(*types))))
        return function

    return decorate


def _register_pending() -> None:
    from numba.extending import overload

    options = {"forceinline": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    with _registering:  # another thread may be half way through
        while _pending:
            name, implementation = _pending[-1]
            overload(name, jit_options=options, strict=False)(implementation())
            _pending.pop()


class Entry:
    """A compiled loop: a Python function, compiled for the argument types it is called with.

    Unless `aliases` is set, LLVM is promised that no array is written through one argument and read through
    another. A table look-up reads where it likes: without the promise it might read what the loop has just
    written, and nothing is vectorised (hyperbola with its 512-byte table: 179 M/s without, 529 M/s with it).

    Unless `allocates` is set, it makes no array of its own: references to arrays are counted otherwise, and an atomic
    increment for each array that a NamedTuple passes on took five sixths of the time of a perft that passes many.
    """

    def __init__(self, function: Callable[..., Any], *, aliases: bool = False, allocates: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.aliases = aliases
        self.allocates = allocates

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's compiler of this function, made on first use."""
        import numba

        compiled = self._compiler()
        if not numba.config.DISABLE_JIT:
            compiled._cache = _salted_cache(self.function, "aliases" if self.aliases else "apart")
        return compiled

    def _compiler(self) -> Any:
        import numba
        from numba.core.compiler import Compiler

        aliases = self.aliases

        class Pipeline(Compiler):  # type: ignore[misc]  # numba is Any
            def define_pipelines(self) -> Any:
                self.state.flags.noalias = not aliases
                return super().define_pipelines()

        options = {"nogil": True, "error_model": "numpy", "_nrt": self.allocates}
        return numba.njit(**options, pipeline_class=Pipeline)(self.function)

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


@functools.cache
def source_digest() -> str:
    """A digest of the package's source files, the salt of the compile cache: all but commands and benchmarks, which
    nothing compiled depends on.
    """
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted({*root.rglob("*.py")} - {*root.glob("cli/*.py"), *root.glob("bench/*.py")}):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@functools.cache
def _salted_cache_class(flavour: str) -> Any:
    from numba.core import caching, config

    # Bounds checks are not part of Numba's own key either: a warm cache would load unchecked kernels.
    stamp = (source_digest(), bool(config.BOUNDSCHECK))

    def salted(locator: Any) -> Any:
        methods = {
            "get_source_stamp": lambda self: stamp,
            "get_disambiguator": lambda self: f"{self._lineno}-{flavour}",
        }
        return type(locator.__name__, (locator,), methods)

    # Older Numbas call them private.
    names = ("UserProvidedCacheLocator", "InTreeCacheLocator", "UserWideCacheLocator")
    locators = [getattr(caching, name, None) or getattr(caching, f"_{name}") for name in names]
    implementation = type(
        "Implementation",
        (caching.CompileResultCacheImpl,),
        {"_locator_classes": [salted(locator) for locator in locators]},
    )

    class SaltedCache(caching.FunctionCache):  # type: ignore[misc]  # numba is Any
        _impl_class = implementation

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            # The index is unpickled before its stamp is looked at: one that names a class which the package no
            # longer has, or that is damaged, is as good as none.
            try:
                return super().load_overload(sig, target_context)
            except Exception:
                self._cache_file.flush()
                return None

    return SaltedCache


def _salted_cache(function: Callable[..., Any], flavour: str) -> Any:
    from numba.core.caching import NullCache

    try:
        return _salted_cache_class(flavour)(function)
    except RuntimeError:  # no writable directory anywhere: compile anew each time
        return NullCache()


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


def cpu() -> tuple[str, str]:
    """The CPU that entries are compiled for: its LLVM name and its feature list."""
    from numba.core.registry import cpu_target

    _, name, features = cpu_target.target_context.codegen().magic_tuple()
    return str(name), str(features)


def has_pext() -> bool:
    """Whether the target CPU has BMI2's PEXT and PDEP (fast on Intel since 2013, on AMD since Zen 3)."""
    return "+bmi2" in cpu()[1].split(",")


# Hardware bit instructions. Each Python body is the portable twin; compiled code gets the LLVM intrinsic.


def _instruction(lower: Callable[..., Any], words: int = 1) -> Callable[[F], F]:
    """Compile the decorated function as `lower(builder, arguments)`, one LLVM value out of `words` in."""

    def implementation() -> Callable[..., Any]:
        from numba import types
        from numba.extending import intrinsic

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return lower(builder, args)

        if words == 1:

            @intrinsic  # type: ignore[untyped-decorator]  # numba is Any
            def one(typing: Any, x: Any) -> Any:
                return types.uint64(types.uint64), codegen

            return lambda x: lambda x: one(x)

        @intrinsic  # type: ignore[untyped-decorator]  # numba is Any
        def two(typing: Any, x: Any, y: Any) -> Any:
            return types.uint64(types.uint64, types.uint64), codegen

        return lambda x, y: lambda x, y: two(x, y)

    def decorate(function: F) -> F:
        wrapped = kernel(function)
        _pending[-1] = (wrapped, implementation)
        return wrapped

    return decorate


def _declared(name: str) -> Callable[..., Any]:
    def lower(builder: Any, args: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic(name, [a.type for a in args[:1]]), args)

    return lower


def _zero_count(name: str) -> Callable[..., Any]:
    def lower(builder: Any, args: Any) -> Any:
        from llvmlite import ir

        zero_is_defined = ir.Constant(ir.IntType(1), 0)
        return getattr(builder, name)(args[0], zero_is_defined)

    return lower


def _rotate_left(builder: Any, args: Any) -> Any:
    from llvmlite import ir

    word = ir.IntType(64)
    fshl = builder.module.declare_intrinsic("llvm.fshl", [word], ir.FunctionType(word, [word] * 3))
    return builder.call(fshl, [args[0], args[0], args[1]])


def _byte_view(builder: Any, args: Any) -> Any:
    from llvmlite import ir

    rows = builder.bitcast(args[0], ir.VectorType(ir.IntType(8), 8))
    return builder.zext(builder.extract_element(rows, args[1]), ir.IntType(64))


def _bmi2(name: str) -> Callable[..., Any]:
    def lower(builder: Any, args: Any) -> Any:
        from llvmlite import ir
        from numba.core import cgutils

        word = ir.IntType(64)
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word, word]), name)
        return builder.call(function, args)

    return lower


_SWAP_8 = U64(0x00FF00FF00FF00FF)
_SWAP_16 = U64(0x0000FFFF0000FFFF)
_SWAP_1 = U64(0x5555555555555555)
_SWAP_2 = U64(0x3333333333333333)
_SWAP_4 = U64(0x0F0F0F0F0F0F0F0F)
_SIXTEEN_BITS = U64(0xFFFF)


@_instruction(_declared("llvm.bswap"))
def byteswap(x: Board) -> Board:
    """Reverse the eight bytes (ranks)."""
    x = ((x >> 8) & _SWAP_8) | ((x & _SWAP_8) << 8)
    x = ((x >> 16) & _SWAP_16) | ((x & _SWAP_16) << 16)
    return (x >> 32) | (x << 32)


@_instruction(_declared("llvm.bitreverse"))
def bitreverse(x: Board) -> Board:
    """Reverse all 64 bits: a1 becomes h8 (one GFNI instruction and a byte swap in AVX-512 code)."""
    x = ((x >> 1) & _SWAP_1) | ((x & _SWAP_1) << 1)
    x = ((x >> 2) & _SWAP_2) | ((x & _SWAP_2) << 2)
    x = ((x >> 4) & _SWAP_4) | ((x & _SWAP_4) << 4)
    return byteswap(x)


@_instruction(_declared("llvm.ctpop"))
def popcount(x: Board) -> Word:
    """The number of one bits."""
    return np.bitwise_count(x).astype(U64)


@_instruction(_zero_count("cttz"))
def trailing_zeros(x: Board) -> Square:
    """The index of the lowest one bit; 64 for the empty board."""
    return popcount(~x & (x - ONE))


@_instruction(_zero_count("ctlz"))
def leading_zeros(x: Board) -> Word:
    """63 minus the index of the highest one bit; 64 for the empty board."""
    x = x | (x >> 1)
    x = x | (x >> 2)
    x = x | (x >> 4)
    x = x | (x >> 8)
    x = x | (x >> 16)
    x = x | (x >> 32)
    return U64(64) - popcount(x)


@_instruction(_rotate_left, words=2)
def rotate_left(x: Board, n: Word) -> Board:
    """Rotate by `n` modulo 64 places towards h8."""
    return (x << (n & U64(63))) | (x >> ((ZERO - n) & U64(63)))


@_instruction(_byte_view, words=2)
def byte_view(x: Board, row: Word) -> Word:
    """Byte `row` of `x`, read as an element of eight bytes laid over the word (a union, in C)."""
    return (x >> (U64(8) * row)) & U64(255)


@kernel
def pext_portable(x: Board, mask: Board) -> Word:
    """Gather the bits of `x` under `mask` at the low end, in six doubling steps.

    The compress of Hacker's Delight (Henry S. Warren, 2002, section 7-4): `below` marks the bits that have an
    odd number of gaps to their right; those move by 1, then what is odd of the halves moves by 2, 4, ... 32.
    """
    x = x & mask
    below = ~mask << 1
    for i in range(6):
        odd = below
        odd = odd ^ (odd << 1)
        odd = odd ^ (odd << 2)
        odd = odd ^ (odd << 4)
        odd = odd ^ (odd << 8)
        odd = odd ^ (odd << 16)
        odd = odd ^ (odd << 32)
        shift = ONE << U64(i)
        moving = odd & mask
        mask = (mask ^ moving) | (moving >> shift)
        moving_bits = x & moving
        x = (x ^ moving_bits) | (moving_bits >> shift)
        below = below & ~odd
    return x


@kernel
def pdep_portable(x: Word, mask: Board) -> Board:
    """Scatter the low bits of `x` to the bits of `mask`, the inverse of `pext_portable`: one bit of the mask a step,
    without a branch, so that arrays may take it too.
    """
    result = ZERO
    for _ in range(64):
        lowest = mask & (ZERO - mask)
        result = result | (lowest & (ZERO - (x & ONE)))
        mask = mask ^ lowest
        x = x >> 1
    return result


def _hardware_or_twin(name: str, twin: Callable[..., Any]) -> Callable[[], Callable[..., Any]]:
    """BMI2's instruction where the target CPU has it, else the portable twin."""

    def implementation() -> Callable[..., Any]:
        from numba import types
        from numba.extending import intrinsic

        @intrinsic  # type: ignore[untyped-decorator]  # numba is Any
        def hardware(typing: Any, x: Any, mask: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return _bmi2(name)(builder, args)

            return types.uint64(types.uint64, types.uint64), codegen

        def choose(x: Any, mask: Any) -> Callable[..., Any]:
            if has_pext():
                return lambda x, mask: hardware(x, mask)
            return lambda x, mask: twin(x, mask)

        return choose

    return implementation


@kernel
def pext(x: Board, mask: Board) -> Word:
    """Gather the bits of `x` under `mask` at the low end: BMI2's PEXT where the CPU has it."""
    return pext_portable(x, mask)


_pending[-1] = (pext, _hardware_or_twin("llvm.x86.bmi.pext.64", pext_portable))


@kernel
def pdep(x: Word, mask: Board) -> Board:
    """Scatter the low bits of `x` to the bits of `mask`: BMI2's PDEP where the CPU has it."""
    return pdep_portable(x, mask)


_pending[-1] = (pdep, _hardware_or_twin("llvm.x86.bmi.pdep.64", pdep_portable))


# Serialising a board: the loop of the wiki branches on every piece, and the CPU guesses wrong on most of them.


@kernel
def write_squares_portable(out: Any, n: Word, board: Board, scale: Word, base: Word) -> Word:
    """Write ``base + scale * square``, in 16 bits, from ``out[n]`` on, one for each square of `board`, the lowest
    first. Returns where the next would go.
    """
    while board:
        out[n] = np.uint16((base + scale * trailing_zeros(board)) & _SIXTEEN_BITS)
        board = board & (board - ONE)
        n = n + ONE
    return n


def has_compress() -> bool:
    """Whether the target CPU has AVX-512 VBMI2's VPCOMPRESSB (Intel since 2019, AMD since Zen 4)."""
    return {"+avx512vbmi2", "+avx512bw", "+avx512vl", "+bmi2"} <= {*cpu()[1].split(",")}


def _compressed(builder: Any, data: Any, n: Any, board: Any, scale: Any, base: Any) -> Any:
    """All squares at once: the bytes 0 to 63 compressed by the board as a mask, the lowest 16 made words and stored,
    no more of them than there are. The rest follow if there are any, which is rare: no piece reaches 16 squares.
    """
    from llvmlite import ir
    from numba.core import cgutils

    word, half, byte, flag, index = (ir.IntType(bits) for bits in (64, 16, 8, 1, 32))
    squares, halves, flags = ir.VectorType(byte, 64), ir.VectorType(half, 16), ir.VectorType(flag, 16)

    def call(name: str, result: Any, *args: Any) -> Any:
        function = ir.FunctionType(result, [a.type for a in args])
        return builder.call(cgutils.get_or_insert_function(builder.module, function, name), args)

    def splat(value: Any) -> Any:
        low = builder.trunc(value, half)
        one = builder.insert_element(ir.Constant(halves, ir.Undefined), low, ir.Constant(index, 0))
        return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(index, 16), [0] * 16))

    every, none = ir.Constant(squares, list(range(64))), ir.Constant(squares, None)
    mask = builder.bitcast(board, ir.VectorType(flag, 64))
    chosen = call("llvm.x86.avx512.mask.compress.v64i8", squares, every, none, mask)
    number = builder.call(builder.module.declare_intrinsic("llvm.ctpop", [word]), [board])
    wanted = call("llvm.x86.bmi.bzhi.64", word, ir.Constant(word, (1 << 64) - 1), number)
    scales, bases = splat(scale), splat(base)

    def store(first: int) -> None:
        lanes = ir.Constant(ir.VectorType(index, 16), list(range(first, first + 16)))
        values = builder.zext(builder.shuffle_vector(chosen, none, lanes), halves)
        values = builder.add(builder.mul(values, scales), bases)
        here = builder.trunc(builder.lshr(wanted, ir.Constant(word, first)), half)
        where = builder.gep(data, [builder.add(n, ir.Constant(word, first))])
        where = builder.bitcast(where, halves.as_pointer())
        enabled = builder.bitcast(here, flags)
        call("llvm.masked.store.v16i16.p0", ir.VoidType(), values, where, ir.Constant(index, 2), enabled)

    store(0)
    with builder.if_then(builder.icmp_unsigned(">", number, ir.Constant(word, 16)), likely=False):
        for first in (16, 32, 48):
            store(first)
    return builder.add(n, number)


def _compress_or_twin() -> Callable[..., Any]:
    import numba
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]  # numba is Any
    def hardware(typing: Any, out: Any, n: Any, board: Any, scale: Any, base: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, args[0])
            return _compressed(builder, array.data, *args[1:])

        return types.uint64(out, types.uint64, types.uint64, types.uint64, types.uint64), codegen

    def choose(out: Any, n: Any, board: Any, scale: Any, base: Any) -> Callable[..., Any]:
        contiguous = isinstance(out, types.Array) and (out.dtype, out.ndim, out.layout) == (types.uint16, 1, "C")
        # Bounds checks are made where Numba indexes an array, so that only the twin has them.
        if contiguous and has_compress() and not numba.config.BOUNDSCHECK:
            return lambda out, n, board, scale, base: hardware(out, n, board, scale, base)
        return lambda out, n, board, scale, base: write_squares_portable(out, n, board, scale, base)

    return choose


@kernel
def write_squares(out: Any, n: Word, board: Board, scale: Word, base: Word) -> Word:
    """Write ``base + scale * square``, in 16 bits, from ``out[n]`` on, one for each square of `board`, the lowest
    first. Returns where the next would go. Nothing behind the last is written.

    One VPCOMPRESSB and a masked store where the CPU has them: lists of legal moves came three times as fast (227 and
    640 M moves/s on an AMD Zen 4).
    """
    return write_squares_portable(out, n, board, scale, base)


_pending[-1] = (write_squares, _compress_or_twin)


# Words that several threads read and write. Monotonic loads and stores cost what plain ones do, but none is torn,
# and none is repeated.


def _element(context: Any, builder: Any, array: Any, value: Any, i: Any) -> Any:
    return builder.gep(context.make_array(array)(context, builder, value).data, [i])


def _shared_load() -> Callable[..., Any]:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]  # numba is Any
    def atomic(typing: Any, words: Any, i: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load_atomic(_element(context, builder, signature.args[0], *args), "monotonic", 8)

        return types.uint64(words, types.uint64), codegen

    return lambda words, i: lambda words, i: atomic(words, i)


def _shared_store() -> Callable[..., Any]:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]  # numba is Any
    def atomic(typing: Any, words: Any, i: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store_atomic(args[2], _element(context, builder, signature.args[0], *args[:2]), "monotonic", 8)
            return context.get_dummy_value()

        return types.void(words, types.uint64, types.uint64), codegen

    return lambda words, i, word: lambda words, i, word: atomic(words, i, word)


@kernel
def shared_load(words: Any, i: Word) -> Word:
    """``words[i]`` of a contiguous uint64 array that other threads write to. `i` must be inside."""
    return words[i]


_pending[-1] = (shared_load, _shared_load)


@kernel
def shared_store(words: Any, i: Word, word: Word) -> None:
    """``words[i] = word`` where other threads read."""
    words[i] = word


_pending[-1] = (shared_store, _shared_store)


# Bitmaps that are read from any bit on: where slots of a table are taken, and all places are asked at once.

_SIX = U64(6)
_EIGHT = U64(8)
_LOW_SIX = U64(63)


@kernel
def union_of_windows_portable(out: Any, source: Any, starts: Any, count: Word, offset: Word) -> None:
    """OR to the first 512 bits of `out` those of `source` from bit ``starts[n] + offset`` on, for each n of `count`."""
    for n in range(count):
        start = starts[n] + offset
        word, down = start >> _SIX, start & _LOW_SIX
        for k in range(_EIGHT):
            above = source[word + k + ONE] << ONE << (_LOW_SIX - down)
            out[k] |= source[word + k] >> down | above


def _windows(builder: Any, out: Any, source: Any, starts: Any, count: Any, offset: Any) -> None:
    """A loop that keeps the union in one register of eight words."""
    from llvmlite import ir

    word, index = ir.IntType(64), ir.IntType(32)
    vector = ir.VectorType(word, 8)

    def constant(n: int) -> Any:
        return ir.Constant(word, n)

    def splat(value: Any) -> Any:
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(index, 0))
        return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(index, 8), [0] * 8))

    def eight(n: Any) -> Any:
        return builder.load(builder.bitcast(builder.gep(source, [n]), vector.as_pointer()), align=8)

    target = builder.bitcast(out, vector.as_pointer())
    before = builder.load(target, align=8)
    entered = builder.block
    head, body, end = (builder.append_basic_block(name) for name in ("head", "body", "end"))
    builder.branch(head)
    builder.position_at_end(head)
    n, union = builder.phi(word), builder.phi(vector)
    n.add_incoming(constant(0), entered)
    union.add_incoming(before, entered)
    builder.cbranch(builder.icmp_unsigned("<", n, count), body, end)
    builder.position_at_end(body)
    start = builder.add(builder.load(builder.gep(starts, [n]), align=8), offset)
    at, down = builder.lshr(start, constant(6)), builder.and_(start, constant(63))
    low = builder.lshr(eight(at), splat(down))
    high = builder.shl(eight(builder.add(at, constant(1))), splat(constant(1)))
    high = builder.shl(high, splat(builder.sub(constant(63), down)))
    union.add_incoming(builder.or_(union, builder.or_(low, high)), body)
    n.add_incoming(builder.add(n, constant(1)), body)
    builder.branch(head)
    builder.position_at_end(end)
    builder.store(union, target, align=8)


def _union_of_windows() -> Callable[..., Any]:
    import numba
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]  # numba is Any
    def vectors(typing: Any, out: Any, source: Any, starts: Any, count: Any, offset: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            arrays = zip(signature.args[:3], args[:3], strict=True)
            pointers = [context.make_array(kind)(context, builder, value).data for kind, value in arrays]
            _windows(builder, *pointers, *args[3:])
            return context.get_dummy_value()

        return types.void(out, source, starts, types.uint64, types.uint64), codegen

    def choose(out: Any, source: Any, starts: Any, count: Any, offset: Any) -> Callable[..., Any]:
        if numba.config.BOUNDSCHECK:
            return lambda out, source, starts, count, offset: union_of_windows_portable(
                out, source, starts, count, offset
            )
        return lambda out, source, starts, count, offset: vectors(out, source, starts, count, offset)

    return choose


@kernel
def union_of_windows(out: Any, source: Any, starts: Any, count: Word, offset: Word) -> None:
    """OR to the first 512 bits of `out` those of `source` from bit ``starts[n] + offset`` on, for each n of `count`.

    All are contiguous uint64 arrays; `source` is read up to a word behind each window.
    """
    union_of_windows_portable(out, source, starts, count, offset)


_pending[-1] = (union_of_windows, _union_of_windows)
