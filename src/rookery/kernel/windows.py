"""Reading 512 bits of a bitmap from any bit on, to test many places of a table at once."""

from typing import Any

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


@compiled_as(_windows, lambda *kinds: all(is_contiguous(kind, "u", 64) for kind in kinds[:3]), returns_word=False)
def union_of_windows(out: Any, source: Any, starts: Any, count: Word, offset: Word) -> None:
    """OR `count` windows of 512 bits of `source` into `out`; window n starts at bit ``starts[n] + offset``.

    All arrays are contiguous and of uint64. `source` is read up to one word past each window.
    """
    union_of_windows_portable(out, source, starts, count, offset)
