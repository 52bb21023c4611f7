"""Hardware bit instructions: compiled code uses LLVM's intrinsics, and Python runs the portable bodies given here."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rookery.kernel import building
from rookery.kernel.compiling import U64, Bits, Square, Word, compiled_as, kernel
from rookery.kernel.settings import has_pext


def _declared(name: str) -> Callable[..., Any]:
    def build(builder: Any, x: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic(name, [x.type]), [x])

    return build


def _zero_count(name: str) -> Callable[..., Any]:
    def build(builder: Any, x: Any) -> Any:
        from llvmlite import ir

        zero_is_defined = ir.Constant(ir.IntType(1), 0)
        return getattr(builder, name)(x, zero_is_defined)

    return build


def _rotate_left(builder: Any, x: Any, n: Any) -> Any:
    from llvmlite import ir

    word = ir.IntType(64)
    fshl = builder.module.declare_intrinsic("llvm.fshl", [word], ir.FunctionType(word, [word] * 3))
    return builder.call(fshl, [x, x, n])


def _byte_view(builder: Any, x: Any, row: Any) -> Any:
    from llvmlite import ir

    rows = builder.bitcast(x, ir.VectorType(ir.IntType(8), 8))
    return builder.zext(builder.extract_element(rows, row), ir.IntType(64))


def _bmi2(name: str) -> Callable[..., Any]:
    def build(builder: Any, x: Any, mask: Any) -> Any:
        from llvmlite import ir

        word = ir.IntType(64)
        return builder.call(building.external(builder, name, ir.FunctionType(word, [word, word])), [x, mask])

    return build


_SWAP_8 = 0x00FF00FF00FF00FF
_SWAP_16 = 0x0000FFFF0000FFFF
_SWAP_1 = 0x5555555555555555
_SWAP_2 = 0x3333333333333333
_SWAP_4 = 0x0F0F0F0F0F0F0F0F
_EACH_BYTE = 0x0101010101010101


@compiled_as(_declared("llvm.bswap"))
def byteswap(x: Bits) -> Bits:
    """Reverse the eight bytes (ranks)."""
    x = ((x >> 8) & _SWAP_8) | ((x & _SWAP_8) << 8)
    x = ((x >> 16) & _SWAP_16) | ((x & _SWAP_16) << 16)
    return (x >> 32) | (x << 32)


@compiled_as(_declared("llvm.bitreverse"))
def bitreverse(x: Bits) -> Bits:
    """Reverse all 64 bits: a1 becomes h8. AVX-512 code does it with one GFNI instruction and a byte swap."""
    x = ((x >> 1) & _SWAP_1) | ((x & _SWAP_1) << 1)
    x = ((x >> 2) & _SWAP_2) | ((x & _SWAP_2) << 2)
    x = ((x >> 4) & _SWAP_4) | ((x & _SWAP_4) << 4)
    return byteswap(x)


def _counted(x: Bits) -> Word:
    """Count the one bits by adding up neighbours."""
    x = x - ((x >> 1) & _SWAP_1)
    x = (x & _SWAP_2) + ((x >> 2) & _SWAP_2)
    x = (x + (x >> 4)) & _SWAP_4
    return (x * _EACH_BYTE) >> 56


@compiled_as(_declared("llvm.ctpop"), plain=_counted)
def popcount(x: Bits) -> Word:
    """Count the one bits."""
    return np.bitwise_count(x).astype(U64)


@compiled_as(_zero_count("cttz"))
def trailing_zeros(x: Bits) -> Square:
    """Return the index of the lowest one bit, or 64 for the empty board."""
    return popcount(~x & (x - 1))


@compiled_as(_zero_count("ctlz"))
def leading_zeros(x: Bits) -> Word:
    """Return 63 minus the index of the highest one bit, or 64 for the empty board."""
    x = x | (x >> 1)
    x = x | (x >> 2)
    x = x | (x >> 4)
    x = x | (x >> 8)
    x = x | (x >> 16)
    x = x | (x >> 32)
    return 64 - popcount(x)


@compiled_as(_rotate_left)
def rotate_left(x: Bits, n: Word) -> Bits:
    """Rotate by `n` modulo 64 places towards h8."""
    return (x << (n & 63)) | (x >> (-n & 63))


@compiled_as(_byte_view)
def byte_view(x: Bits, row: Word) -> Word:
    """Return byte `row` of `x`, read as an element of a vector of eight bytes (a union, in C)."""
    return (x >> (8 * row)) & 255


@kernel
def pext_portable(x: Bits, mask: Bits) -> Word:
    """Gather the bits of `x` under `mask` at the low end, in six doubling steps.

    The compress of Hacker's Delight (Henry S. Warren, 2002, section 7-4): `below` marks the bits with an odd number of
    gaps to their right. These move by 1, then those with odd halves of that number by 2, and so on by 4, 8, 16 and 32.
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
        shift = 1 << i
        moving = odd & mask
        mask = (mask ^ moving) | (moving >> shift)
        moving_bits = x & moving
        x = (x ^ moving_bits) | (moving_bits >> shift)
        below = below & ~odd
    return x


@kernel
def pdep_portable(x: Word, mask: Bits) -> Bits:
    """Scatter the low bits of `x` to the bits of `mask`: the inverse of `pext_portable`.

    Each step handles one bit of the mask. There are no branches, so that arrays work, too.
    """
    result = 0
    for _ in range(64):
        lowest = mask & -mask
        result = result | (lowest & -(x & 1))
        mask = mask ^ lowest
        x = x >> 1
    return result


@compiled_as(_bmi2("llvm.x86.bmi.pext.64"), lambda *kinds: has_pext())
def pext(x: Bits, mask: Bits) -> Word:
    """Gather the bits of `x` under `mask` at the low end: BMI2's PEXT if the CPU has it."""
    return pext_portable(x, mask)


@compiled_as(_bmi2("llvm.x86.bmi.pdep.64"), lambda *kinds: has_pext())
def pdep(x: Word, mask: Bits) -> Bits:
    """Scatter the low bits of `x` to the bits of `mask`: BMI2's PDEP if the CPU has it."""
    return pdep_portable(x, mask)


# Bytes begin behind the count of references, the type, the size and the hash, which `kernel.native.layouts` checks.
_WORDS_BEFORE_BYTES = 4


def _word_of_bytes(builder: Any, address: Any, i: Any) -> Any:
    from llvmlite import ir

    word = ir.IntType(64)
    place = builder.add(i, ir.Constant(word, _WORDS_BEFORE_BYTES))
    return builder.load(builder.gep(builder.inttoptr(address, word.as_pointer()), [place]))


@compiled_as(_word_of_bytes)
def word_of_bytes(address: Any, i: Word) -> Word:
    """Return word `i` of the bytes object at an address, which the caller holds. In plain Python, pass the words."""
    return address[i]
