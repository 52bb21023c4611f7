"""Reading 512 bits of a bitmap from any bit on, to test many places of a table at once."""

from typing import Any

from rookery.kernel import building
from rookery.kernel.compiling import Word, compiled_as, is_contiguous, kernel

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
