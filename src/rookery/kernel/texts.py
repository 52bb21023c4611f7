"""Instructions on text: eight bytes as a word, the places of a byte among 64, a copy of 64 bytes.

None checks the end of the text: the caller makes sure that enough bytes follow.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from rookery.kernel.compiling import U64, Bits, Word, compiled_as, kernel
from rookery.kernel.settings import settings


@kernel
def word_at_portable(text: Any, i: Word) -> Word:
    """Return bytes `i` to ``i + 7`` as a word, the first in its lowest bits."""
    word: Word = 0
    for k in range(8):
        word |= U64(text[i + k]) << (8 * k)
    return word


@kernel
def where_byte_portable(text: Any, i: Word, byte: Word) -> Bits:
    """Set bit k where ``text[i + k]`` is `byte`, for k from 0 to 63."""
    found = 0
    for k in range(64):
        found |= (1 if U64(text[i + k]) == byte else 0) << k
    return found


@kernel
def copy_64_portable(text: Any, i: Word, out: Any, n: Word) -> Bits:
    """Copy bytes `i` to ``i + 63`` to ``out[n]`` and on.

    Return a word whose bit k is set if ``text[i + k]`` is not ASCII.
    """
    found: Bits = 0
    for k in range(64):
        byte = U64(text[i + k])
        out[n + k] = np.uint8(byte)
        found |= (byte >> 7) << k
    return found


def _pointer(context: Any, builder: Any, array: Any, value: Any, i: Any, kind: Any) -> Any:
    place = builder.gep(context.make_array(array)(context, builder, value).data, [i])
    return builder.bitcast(place, kind.as_pointer())


def _is_plain(text: Any) -> bool:
    from numba import types

    # Numba checks bounds where it indexes an array, so only the portable twin has bounds checks.
    contiguous = isinstance(text, types.Array) and (text.dtype, text.ndim, text.layout) == (types.uint8, 1, "C")
    return contiguous and not settings().bounds_checked


def _word() -> Callable[..., Any]:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]  # numba is Any
    def load(typing: Any, text: Any, i: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.load(
                _pointer(context, builder, signature.args[0], args[0], args[1], ir.IntType(64)), align=1
            )

        return types.uint64(text, types.uint64), codegen

    def choose(text: Any, i: Any) -> Callable[..., Any]:
        import sys

        if _is_plain(text) and sys.byteorder == "little":
            return lambda text, i: load(text, i)
        return lambda text, i: word_at_portable(text, i)

    return choose


def _where() -> Callable[..., Any]:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]  # numba is Any
    def compare(typing: Any, text: Any, i: Any, byte: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            lane, index = ir.IntType(8), ir.IntType(32)
            lanes = ir.VectorType(lane, 64)
            read = builder.load(_pointer(context, builder, signature.args[0], args[0], args[1], lanes), align=1)
            low = builder.trunc(args[2], lane)
            one = builder.insert_element(ir.Constant(lanes, ir.Undefined), low, ir.Constant(index, 0))
            all_ = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(index, 64), [0] * 64))
            return builder.bitcast(builder.icmp_unsigned("==", read, all_), ir.IntType(64))

        return types.uint64(text, types.uint64, types.uint64), codegen

    def choose(text: Any, i: Any, byte: Any) -> Callable[..., Any]:
        import sys

        if _is_plain(text) and sys.byteorder == "little":
            return lambda text, i, byte: compare(text, i, byte)
        return lambda text, i, byte: where_byte_portable(text, i, byte)

    return choose


def _copy() -> Callable[..., Any]:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]  # numba is Any
    def copy(typing: Any, text: Any, i: Any, out: Any, n: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            lanes = ir.VectorType(ir.IntType(8), 64)
            from_ = _pointer(context, builder, signature.args[0], args[0], args[1], lanes)
            to = _pointer(context, builder, signature.args[2], args[2], args[3], lanes)
            read = builder.load(from_, align=1)
            builder.store(read, to, align=1)
            return builder.bitcast(builder.icmp_signed("<", read, ir.Constant(lanes, [0] * 64)), ir.IntType(64))

        return types.uint64(text, types.uint64, out, types.uint64), codegen

    def choose(text: Any, i: Any, out: Any, n: Any) -> Callable[..., Any]:
        if _is_plain(text) and _is_plain(out):
            return lambda text, i, out, n: copy(text, i, out, n)
        return lambda text, i, out, n: copy_64_portable(text, i, out, n)

    return choose


@compiled_as(_word)
def word_at(text: Any, i: Word) -> Word:
    """Return bytes `i` to ``i + 7`` of a contiguous uint8 array as a word, the first in its lowest bits.

    >>> hex(word_at(np.arange(1, 9, dtype=np.uint8), U64(0)))
    '0x807060504030201'
    """
    return word_at_portable(text, i)


@compiled_as(_where)
def where_byte(text: Any, i: Word, byte: Word) -> Bits:
    """Set bit k where ``text[i + k]`` is `byte`, for k from 0 to 63.

    It is one comparison of 64 bytes if the CPU has AVX-512, two of 32 with AVX2.
    """
    return where_byte_portable(text, i, byte)


@compiled_as(_copy)
def copy_64(text: Any, i: Word, out: Any, n: Word) -> Bits:
    """Copy bytes `i` to ``i + 63`` of a contiguous uint8 array to another, from ``out[n]`` on.

    Return a word whose bit k is set if ``text[i + k]`` is not ASCII.
    """
    return copy_64_portable(text, i, out, n)
