"""Instructions that read and write arrays: the squares of a board as a list, and words that threads share.

One instruction writes a list if the CPU has it: the wiki's loop branches on every piece, and the CPU mispredicts most
of these branches. Words that several threads read and write are loaded and stored by monotonic atomics. They cost as
much as plain loads and stores, but are never torn or repeated.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from rookery.kernel import building
from rookery.kernel.compiling import Bits, Word, compiled_as, is_contiguous, kernel
from rookery.kernel.instructions.bits import trailing_zeros
from rookery.kernel.settings import cpu

_SIXTEEN_BITS = 0xFFFF


@kernel
def write_squares_portable(out: Any, n: Word, board: Bits, scale: Word, base: Word) -> Word:
    """Write ``base + scale * square`` in 16 bits for each square of `board`, lowest first, from ``out[n]`` on.

    Return the place behind the last.
    """
    while board:
        out[n] = np.uint16((base + scale * trailing_zeros(board)) & _SIXTEEN_BITS)
        board = board & (board - 1)
        n = n + 1
    return n


def has_compress() -> bool:
    """Check whether the target CPU has AVX-512 VBMI2's VPCOMPRESSB (Intel since 2019, AMD since Zen 4)."""
    return {"+avx512vbmi2", "+avx512bw", "+avx512vl", "+bmi2"} <= {*cpu()[1].split(",")}


def _compressed(builder: Any, data: Any, n: Any, board: Any, scale: Any, base: Any, *, over: bool) -> Any:
    """Build code that writes all squares at once.

    The bytes 0 to 63 are compressed with the board as a mask. The lowest 16 become words and are stored, no more of
    them than there are squares unless `over` is set. Further squares follow if there are any, which is rare: no piece
    attacks 16 squares.
    """
    from llvmlite import ir

    word, half, byte, flag, index = (ir.IntType(bits) for bits in (64, 16, 8, 1, 32))
    squares, halves, flags = ir.VectorType(byte, 64), ir.VectorType(half, 16), ir.VectorType(flag, 16)

    def call(name: str, result: Any, *args: Any) -> Any:
        function = ir.FunctionType(result, [a.type for a in args])
        return builder.call(building.external(builder, name, function), args)

    every, none = ir.Constant(squares, list(range(64))), ir.Constant(squares, None)
    mask = builder.bitcast(board, ir.VectorType(flag, 64))
    chosen = call("llvm.x86.avx512.mask.compress.v64i8", squares, every, none, mask)
    number = builder.call(builder.module.declare_intrinsic("llvm.ctpop", [word]), [board])
    enabled_lanes = call("llvm.x86.bmi.bzhi.64", word, ir.Constant(word, (1 << 64) - 1), number)
    scales, bases = (building.splat(builder, builder.trunc(value, half), 16) for value in (scale, base))

    def store(first: int) -> None:
        lanes = ir.Constant(ir.VectorType(index, 16), list(range(first, first + 16)))
        values = builder.zext(builder.shuffle_vector(chosen, none, lanes), halves)
        values = builder.add(builder.mul(values, scales), bases)
        where = builder.gep(data, [builder.add(n, ir.Constant(word, first))])
        where = builder.bitcast(where, halves.as_pointer())
        if over:
            builder.store(values, where, align=2)
            return
        these = builder.trunc(builder.lshr(enabled_lanes, ir.Constant(word, first)), half)
        enabled = builder.bitcast(these, flags)
        call("llvm.masked.store.v16i16.p0", ir.VoidType(), values, where, ir.Constant(index, 2), enabled)

    store(0)
    with builder.if_then(builder.icmp_unsigned(">", number, ir.Constant(word, 16)), likely=False):
        for first in (16, 32, 48):
            store(first)
    return builder.add(n, number)


def _compress(over: bool) -> Callable[..., Any]:
    def build(builder: Any, out: Any, n: Any, board: Any, scale: Any, base: Any) -> Any:
        return _compressed(builder, out.data, n, board, scale, base, over=over)

    return build


def _can_compress(out: Any, *others: Any) -> bool:
    return has_compress() and is_contiguous(out, "u", 16)


@compiled_as(_compress(over=True), _can_compress)
def write_squares_over(out: Any, n: Word, board: Bits, scale: Word, base: Word) -> Word:
    """Write squares like `write_squares`, but overwrite up to 64 places from ``out[n]`` on.

    That suits a list that grows at its end. Plain stores in place of masked ones make perft of the start position and
    of Kiwipete 5 % faster (AMD Zen 5).
    """
    return write_squares_portable(out, n, board, scale, base)


@compiled_as(_compress(over=False), _can_compress)
def write_squares(out: Any, n: Word, board: Bits, scale: Word, base: Word) -> Word:
    """Write ``base + scale * square`` in 16 bits for each square of `board`, lowest first, from ``out[n]`` on.

    Return the place behind the last. Nothing behind it is written. One VPCOMPRESSB and a masked store, if the CPU has
    them, made lists of legal moves three times as fast (227 and 640 M moves/s on an AMD Zen 4).
    """
    return write_squares_portable(out, n, board, scale, base)


def _eight_at_once(builder: Any, out: Any, n: Any, word: Any) -> None:
    every = building.splat(builder, word, 8)
    builder.store(every, builder.bitcast(builder.gep(out.data, [n]), every.type.as_pointer()), align=8)


@kernel
def write_eight_portable(out: Any, n: Word, word: Word) -> None:
    """Write a word to ``out[n]`` and the next seven places."""
    for k in range(8):
        out[n + k] = word


@compiled_as(_eight_at_once, lambda out, *others: is_contiguous(out, "u", 64), returns_word=False)
def write_eight(out: Any, n: Word, word: Word) -> None:
    """Write a word to ``out[n]`` and the next seven places: one splat and one store of 512 bits, if the CPU has them.

    Numba does not enable LLVM's vectorisation of straight-line code, and eight stores took 9 % of a perft.
    """
    write_eight_portable(out, n, word)


def _shared_load(builder: Any, words: Any, i: Any) -> Any:
    return builder.load_atomic(builder.gep(words.data, [i]), "monotonic", 8)


def _shared_store(builder: Any, words: Any, i: Any, word: Any) -> None:
    builder.store_atomic(word, builder.gep(words.data, [i]), "monotonic", 8)


@compiled_as(_shared_load, lambda words, i: is_contiguous(words, "u", 64))
def shared_load(words: Any, i: Word) -> Word:
    """Load ``words[i]`` of a contiguous uint64 array that other threads write to. `i` must be in range."""
    return words[i]


@compiled_as(_shared_store, lambda words, *others: is_contiguous(words, "u", 64), returns_word=False)
def shared_store(words: Any, i: Word, word: Word) -> None:
    """Store `word` in ``words[i]``, which other threads read."""
    words[i] = word


_LOW_SIX = 63


@kernel
def union_of_windows_portable(out: Any, source: Any, starts: Any, count: Word, offset: Word) -> None:
    """OR `count` windows of 512 bits of `source` into `out`; window n starts at bit ``starts[n] + offset``."""
    for n in range(count):
        start = starts[n] + offset
        word, down = start >> 6, start & _LOW_SIX
        for k in range(8):
            above = source[word + k + 1] << 1 << (_LOW_SIX - down)
            out[k] |= source[word + k] >> down | above


def _windows(builder: Any, *arguments: Any) -> None:
    """Build a loop that keeps the union in one register of eight words."""
    from llvmlite import ir

    out, source, starts = (array.data for array in arguments[:3])
    count, offset = arguments[3:]
    word = ir.IntType(64)
    vector = ir.VectorType(word, 8)

    def eight(n: Any) -> Any:
        return builder.load(builder.bitcast(builder.gep(source, [n]), vector.as_pointer()), align=8)

    target = builder.bitcast(out, vector.as_pointer())
    union = building.place(builder, vector)  # which LLVM keeps in the register
    builder.store(builder.load(target, align=8), union)
    with building.counting(builder, count) as n:
        start = builder.add(builder.load(builder.gep(starts, [n]), align=8), offset)
        at, down = builder.lshr(start, word(6)), builder.and_(start, word(_LOW_SIX))
        low = builder.lshr(eight(at), building.splat(builder, down, 8))
        high = builder.shl(eight(builder.add(at, word(1))), building.splat(builder, word(1), 8))
        high = builder.shl(high, building.splat(builder, builder.sub(word(_LOW_SIX), down), 8))
        builder.store(builder.or_(builder.load(union), builder.or_(low, high)), union)
    builder.store(builder.load(union), target, align=8)


@compiled_as(_windows, lambda *kinds: all(is_contiguous(kind, "u", 64) for kind in kinds[:3]), returns_word=False)
def union_of_windows(out: Any, source: Any, starts: Any, count: Word, offset: Word) -> None:
    """OR `count` windows of 512 bits of `source` into `out`; window n starts at bit ``starts[n] + offset``.

    All arrays are contiguous and of uint64. `source` is read up to one word past each window.
    """
    union_of_windows_portable(out, source, starts, count, offset)
