"""Instructions on text: eight bytes as a word, and back, the places of a byte among 64, a copy of 64 bytes.

None checks the end of the text: the caller makes sure that enough bytes follow.
"""

import sys
from typing import Any

import numpy as np

from rookery.kernel import building
from rookery.kernel.compiling import U64, Bits, Word, compiled_as, is_contiguous, kernel


@kernel
def word_at_portable(text: Any, i: Word) -> Word:
    """Return bytes `i` to ``i + 7`` as a word, the first in its lowest bits."""
    word: Word = 0
    for k in range(8):
        word |= U64(text[i + k]) << (8 * k)
    return word


@kernel
def write_word_portable(out: Any, n: Word, word: Word) -> None:
    """Write a word to bytes `n` to ``n + 7``, its lowest bits first."""
    for k in range(8):
        out[n + k] = np.uint8((word >> (8 * k)) & 0xFF)


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


def _pointer(builder: Any, array: Any, i: Any, kind: Any) -> Any:
    return builder.bitcast(builder.gep(array.data, [i]), kind.as_pointer())


def _is_text(text: Any, *others: Any) -> bool:
    return sys.byteorder == "little" and is_contiguous(text, "u", 8)


def _word(builder: Any, text: Any, i: Any) -> Any:
    from llvmlite import ir

    return builder.load(_pointer(builder, text, i, ir.IntType(64)), align=1)


def _write_word(builder: Any, out: Any, n: Any, word: Any) -> None:
    builder.store(word, _pointer(builder, out, n, word.type), align=1)


def _where(builder: Any, text: Any, i: Any, byte: Any) -> Any:
    from llvmlite import ir

    wanted = building.splat(builder, builder.trunc(byte, ir.IntType(8)), 64)
    read = builder.load(_pointer(builder, text, i, wanted.type), align=1)
    return builder.bitcast(builder.icmp_unsigned("==", read, wanted), ir.IntType(64))


def _copy(builder: Any, text: Any, i: Any, out: Any, n: Any) -> Any:
    from llvmlite import ir

    lanes = ir.VectorType(ir.IntType(8), 64)
    read = builder.load(_pointer(builder, text, i, lanes), align=1)
    builder.store(read, _pointer(builder, out, n, lanes), align=1)
    return builder.bitcast(builder.icmp_signed("<", read, ir.Constant(lanes, [0] * 64)), ir.IntType(64))


@compiled_as(_word, _is_text)
def word_at(text: Any, i: Word) -> Word:
    """Return bytes `i` to ``i + 7`` of a contiguous uint8 array as a word, the first in its lowest bits.

    >>> hex(word_at(np.arange(1, 9, dtype=np.uint8), U64(0)))
    '0x807060504030201'
    """
    return word_at_portable(text, i)


@compiled_as(_write_word, _is_text, returns_word=False)
def write_word(out: Any, n: Word, word: Word) -> None:
    """Write a word to bytes `n` to ``n + 7`` of a contiguous uint8 array, its lowest bits first."""
    write_word_portable(out, n, word)


@compiled_as(_where, _is_text)
def where_byte(text: Any, i: Word, byte: Word) -> Bits:
    """Set bit k where ``text[i + k]`` is `byte`, for k from 0 to 63.

    It is one comparison of 64 bytes if the CPU has AVX-512, two of 32 with AVX2.
    """
    return where_byte_portable(text, i, byte)


@compiled_as(_copy, lambda text, i, out, n: _is_text(text) and _is_text(out))
def copy_64(text: Any, i: Word, out: Any, n: Word) -> Bits:
    """Copy bytes `i` to ``i + 63`` of a contiguous uint8 array to another, from ``out[n]`` on.

    Return a word whose bit k is set if ``text[i + k]`` is not ASCII.
    """
    return copy_64_portable(text, i, out, n)
