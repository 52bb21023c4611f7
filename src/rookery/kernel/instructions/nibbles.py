"""Look-ups by nibbles of many rows at once: a hash of bits without a loop over the bits.

A hash that is the XOR of a word for each one bit can take four bits at a time: one of 16 words for each nibble. CPUs
look up 16 or 32 bytes in a table of 16 in one instruction, so that 32 rows are hashed byte by byte of the result.
"""

import sys
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.kernel import building
from rookery.kernel.compiling import U64, compiled_as, is_contiguous, kernel
from rookery.kernel.settings import cpu

NIBBLE_ROWS: Final = 32  # the bytes of a register of 256 bits
_VALUES, _NIBBLES, _BYTES, _LANE = 16, 16, 8, 16


def byte_planes(table: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return the bytes of a table of `xor_by_nibbles` in the order in which vectors look them up.

    Byte b of ``table[16 * n + v]`` is ``planes[128 * n + 16 * b + v]``.
    """
    planes = table.astype("<u8").view(np.uint8).reshape(-1, _VALUES, _BYTES).transpose(0, 2, 1)
    return np.ascontiguousarray(planes).reshape(-1)


def has_byte_look_ups() -> bool:
    """Check whether the target CPU looks up bytes in a register: AVX2's VPSHUFB or NEON's TBL."""
    return bool({"+avx2", "+neon"} & {*cpu()[1].split(",")})


@kernel
def xor_by_nibbles_portable(words: Any, table: Any, planes: Any, out: Any) -> None:
    """Do what `xor_by_nibbles` does, row by row. `planes` are not needed."""
    for i in range(NIBBLE_ROWS):
        key = U64(0)
        for n in range(table.size // _VALUES):
            nibble = (words[n // _NIBBLES * NIBBLE_ROWS + i] >> U64(4 * (n % _NIBBLES))) & U64(15)
            key ^= table[U64(_VALUES * n) + nibble]
        out[i] = key


class _Vectors:
    """The parts of `xor_by_nibbles` in LLVM's instructions, on vectors of 32 bytes."""

    def __init__(self, builder: Any) -> None:
        from llvmlite import ir

        self.ir, self.builder = ir, builder
        self.byte, self.index, self.word = ir.IntType(8), ir.IntType(32), ir.IntType(64)
        self.bytes = ir.VectorType(self.byte, NIBBLE_ROWS)
        self.lane = ir.VectorType(self.byte, _LANE)

    def splat(self, value: int) -> Any:
        return self.ir.Constant(self.bytes, [value] * NIBBLE_ROWS)

    def shuffled(self, a: Any, b: Any, lanes: list[int]) -> Any:
        mask = self.ir.Constant(self.ir.VectorType(self.index, len(lanes)), lanes)
        return self.builder.shuffle_vector(a, b, mask)

    def unpacked(self, a: Any, b: Any, size: int, high: bool) -> Any:
        """Interleave units of `size` bytes of the low or high half of each 16 bytes: PUNPCKL and PUNPCKH."""
        half = [i + 8 * high for i in range(0, 8, size)]
        places = [
            lane + start + k + of for lane in (0, 16) for start in half for of in (0, NIBBLE_ROWS) for k in range(size)
        ]
        return self.shuffled(a, b, places)

    def transposed(self, rows: list[Any]) -> list[Any]:
        """Return eight vectors of words as the vectors of their bytes 0 to 7, or these as words again.

        Units of 1, 2, 4 and 8 bytes are interleaved in turn. Words and bytes change places within the vectors, and are
        back in place after the second time. The vectors come out in the order of their reversed binary numbers.
        """
        for size in (1, 2, 4, 8):
            pairs = [(rows[i], rows[i + 1]) for i in range(0, 8, 2)]
            rows = [self.unpacked(a, b, size, high) for high in (False, True) for a, b in pairs]
        return [rows[i] for i in (0, 4, 2, 6, 1, 5, 3, 7)]

    def looked_up(self, table: Any, nibbles: Any) -> Any:
        """Return the byte of a table of 16 bytes for each of 32 nibbles."""
        entries = self.builder.load(self.builder.bitcast(table, self.lane.as_pointer()), align=1)
        if "+avx2" in cpu()[1].split(","):
            both = self.shuffled(entries, entries, [*range(_LANE)] * 2)
            return self.call("llvm.x86.avx2.pshuf.b", self.bytes, both, nibbles)
        halves = [self.shuffled(nibbles, nibbles, [*range(start, start + _LANE)]) for start in (0, _LANE)]
        found = [self.call("llvm.aarch64.neon.tbl1.v16i8", self.lane, entries, half) for half in halves]
        return self.shuffled(found[0], found[1], [*range(NIBBLE_ROWS)])

    def call(self, name: str, result: Any, *args: Any) -> Any:
        function = self.ir.FunctionType(result, [a.type for a in args])
        return self.builder.call(building.external(self.builder, name, function), args)


def _xor(builder: Any, words: Any, _table: Any, planes: Any, out: Any) -> None:
    """Build a loop over the words of 32 rows, which transposes them into vectors of bytes, and looks up their nibbles.

    Eight registers collect the bytes of the result, one of each row.
    """
    v = _Vectors(builder)

    def number(n: int) -> Any:
        return v.ir.Constant(v.word, n)

    def place(pointer: Any, *indices: Any) -> Any:
        return builder.gep(pointer, indices)

    rows, result = (builder.bitcast(p.data, v.bytes.as_pointer()) for p in (words, out))
    of_a_word = [building.place(builder, v.bytes) for _ in range(_BYTES)]
    turned = building.place(builder, v.bytes, number(_BYTES))
    for collected in of_a_word:
        builder.store(v.splat(0), collected)
    bytes_of_rows = builder.udiv(planes.size, number(2 * _VALUES * _BYTES))
    with building.counting(builder, bytes_of_rows, _BYTES) as first:
        loaded = [builder.load(place(rows, builder.add(first, number(i))), align=8) for i in range(_BYTES)]
        for i, vector in enumerate(v.transposed(loaded)):
            builder.store(vector, place(turned, number(i)))
        left = builder.sub(bytes_of_rows, first)
        few = builder.icmp_unsigned("<", left, number(_BYTES))
        with building.counting(builder, builder.select(few, left, number(_BYTES))) as which:
            both = builder.load(place(turned, which))
            low = builder.and_(both, v.splat(15))
            high = builder.lshr(both, v.splat(4))
            table = place(planes.data, builder.mul(builder.add(first, which), number(2 * _VALUES * _BYTES)))
            for b, collected in enumerate(of_a_word):
                found = v.looked_up(place(table, number(_VALUES * b)), low)
                other = v.looked_up(place(table, number(_VALUES * (_BYTES + b))), high)
                builder.store(builder.xor(builder.load(collected), builder.xor(found, other)), collected)
    for i, vector in enumerate(v.transposed([builder.load(collected) for collected in of_a_word])):
        builder.store(vector, place(result, number(i)), align=8)


def _has_vectors(words: Any, table: Any, planes: Any, out: Any) -> bool:
    are_arrays = all(is_contiguous(kind, "u", 64) for kind in (words, table, out)) and is_contiguous(planes, "u", 8)
    return are_arrays and has_byte_look_ups() and sys.byteorder == "little"


@compiled_as(_xor, _has_vectors, returns_word=False)
def xor_by_nibbles(words: Any, table: Any, planes: Any, out: Any) -> None:
    """Write to ``out[i]`` the XOR of a word of `table` for each nibble of row i, for `NIBBLE_ROWS` rows.

    Word k of row i is ``words[NIBBLE_ROWS * k + i]``. Nibble n of a row, from the lowest of its first word, has the 16
    words from ``table[16 * n]`` on; the number of nibbles is even. `planes` are the `byte_planes` of the table. All
    arrays are contiguous.
    """
    xor_by_nibbles_portable(words, table, planes, out)
