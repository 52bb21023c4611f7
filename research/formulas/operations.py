"""The operations of which programs consist, as compiled loops over arrays of words.

The order of the codes tells how many operands an operation has: first those whose operands may be exchanged, then
those whose operands are ordered, then those of one operand. A product is among the ordered ones, although its operands
may be exchanged: the second search takes the first codes as simple.
"""

from typing import Any, Final, NamedTuple

from rookery.kernel import (
    U64,
    Bits,
    Word,
    bitreverse,
    byteswap,
    cold_kernel,
    leading_zeros,
    pdep,
    pext,
    popcount,
    trailing_zeros,
)

ADD, XOR, AND, OR = range(4)
SUB, ANDN, SHL, SHR, SHL_LANE, SHR_LANE, SAR_LANE, PEXT, PDEP, MUL = range(4, 14)
NOT, NEG, BYTESWAP, BITREVERSE, POPCOUNT, LZCNT, TZCNT, BLSI, BLSR, BLSMSK, SHL_BY, SHR_BY, MUL_BY = range(14, 27)
LOOK_UP: Final = 27  # has no compiled form: the contents of a table are what the search decides about

FIRST_ORDERED: Final = SUB
FIRST_UNARY: Final = NOT


class Operation(NamedTuple):
    """An operation: its code, its constant if it has one, and how it is written with the operands `x` and `y`."""

    code: int
    text: str
    constant: int = 0

    @property
    def operands(self) -> int:
        """Return the number of operands, 1 or 2."""
        return 1 if self.code >= FIRST_UNARY else 2


def _shift_left(by: int) -> Operation:
    return Operation(SHL_BY, f"{{x}} << {by}", by)


def _shift_right(by: int) -> Operation:
    return Operation(SHR_BY, f"{{x}} >> {by}", by)


def _multiply(by: int) -> Operation:
    return Operation(MUL_BY, f"{{x}} * 0x{by:x}", by)


add: Final = Operation(ADD, "{x} + {y}")
xor: Final = Operation(XOR, "{x} ^ {y}")
and_: Final = Operation(AND, "{x} & {y}")
or_: Final = Operation(OR, "{x} | {y}")
sub: Final = Operation(SUB, "{x} - {y}")
andn: Final = Operation(ANDN, "~{x} & {y}")

ARITHMETIC: Final = (add, xor, and_, or_, sub, andn, Operation(NOT, "~{x}"), Operation(NEG, "-{x}"))
DOUBLE: Final = (_shift_left(1),)
SWAP: Final = (Operation(BYTESWAP, "byteswap({x})"),)
REVERSE: Final = (Operation(BITREVERSE, "bitreverse({x})"),)
# Scalar shifts of x86-64 and AArch64 use the low six bits of the distance.
SCAN: Final = (
    Operation(LZCNT, "lzcnt({x})"),
    Operation(TZCNT, "tzcnt({x})"),
    Operation(SHL, "{x} << {y}"),
    Operation(SHR, "{x} >> {y}"),
)
# Shifts of vector lanes: a distance of 64 or more leaves nothing, or copies of the sign.
LANES: Final = (
    Operation(LZCNT, "lzcnt({x})"),
    Operation(SHL_LANE, "lane_shl({x}, {y})"),
    Operation(SHR_LANE, "lane_shr({x}, {y})"),
    Operation(SAR_LANE, "lane_sar({x}, {y})"),
)
LOWEST: Final = (
    Operation(BLSI, "blsi({x})"),
    Operation(BLSR, "blsr({x})"),
    Operation(BLSMSK, "blsmsk({x})"),
)
GATHER: Final = (Operation(PEXT, "pext({x}, {y})"), Operation(POPCOUNT, "popcount({x})"))
# The steps on the board, and the constants that gather or spread a file, a diagonal and an anti-diagonal.
STEPS: Final = tuple(f(by) for by in (1, 7, 8, 9) for f in (_shift_left, _shift_right))
MULTIPLY: Final = tuple(map(_multiply, (0x0101010101010101, 0x8040201008040201, 0x0102040810204080)))
SCATTER: Final = (Operation(PDEP, "pdep({x}, {y})"),)
# What gathers six bits at the top of a word, and spreads a byte.
FACTORS: Final = (Operation(MUL, "{x} * {y}"), _shift_right(58))
look_up: Final = Operation(LOOK_UP, "T[{x}]")
CPU: Final = (*ARITHMETIC, *SWAP, *REVERSE, *SCAN, *LOWEST, *GATHER, *STEPS, *MULTIPLY)


@cold_kernel
def apply(
    code: int, constant: Bits, x: Any, first_x: int, y: Any, first_y: int, out: Any, count: int
) -> int:  # pragma: no cover - compiled
    """Write ``x[a + i] OPERATION y[b + i]`` to ``out[i]`` for every i below `count`; return `count`."""
    # words as indices: Numba lets a signed index count from the end, which keeps LLVM from vectorising the loops
    a, b, n = U64(first_x), U64(first_y), U64(count)
    if code == ADD:
        for i in range(n):
            out[i] = x[a + i] + y[b + i]
    elif code == XOR:
        for i in range(n):
            out[i] = x[a + i] ^ y[b + i]
    elif code == AND:
        for i in range(n):
            out[i] = x[a + i] & y[b + i]
    elif code == OR:
        for i in range(n):
            out[i] = x[a + i] | y[b + i]
    elif code == SUB:
        for i in range(n):
            out[i] = x[a + i] - y[b + i]
    elif code == ANDN:
        for i in range(n):
            out[i] = ~x[a + i] & y[b + i]
    elif code == SHL:
        for i in range(n):
            out[i] = x[a + i] << (y[b + i] & 63)
    elif code == SHR:
        for i in range(n):
            out[i] = x[a + i] >> (y[b + i] & 63)
    elif code == PEXT:
        for i in range(n):
            out[i] = pext(x[a + i], y[b + i])
    elif code == PDEP:
        for i in range(n):
            out[i] = pdep(x[a + i], y[b + i])
    elif code == MUL:
        for i in range(n):
            out[i] = x[a + i] * y[b + i]
    elif code < FIRST_UNARY:
        _apply_in_lanes(code, x, a, y, b, out, n)
    else:
        _apply_to_one(code, constant, x, a, out, n)
    return count


@cold_kernel
def _apply_in_lanes(code: int, x: Any, a: Word, y: Any, b: Word, out: Any, n: Word) -> Word:
    for i in range(n):
        word, by = x[a + i], y[b + i]
        low = by & 63
        if code == SHL_LANE:
            out[i] = word << low if by == low else 0
        elif code == SHR_LANE:
            out[i] = word >> low if by == low else 0
        else:
            sign = -(word >> 63)  # all ones if the sign is set
            out[i] = ((word ^ sign) >> low) ^ sign if by == low else sign
    return n


@cold_kernel
def _apply_to_one(code: int, constant: Bits, x: Any, a: Word, out: Any, n: Word) -> Word:
    if code == NOT:
        for i in range(n):
            out[i] = ~x[a + i]
    elif code == NEG:
        for i in range(n):
            out[i] = -x[a + i]
    elif code == BYTESWAP:
        for i in range(n):
            out[i] = byteswap(x[a + i])
    elif code == BITREVERSE:
        for i in range(n):
            out[i] = bitreverse(x[a + i])
    elif code == POPCOUNT:
        for i in range(n):
            out[i] = popcount(x[a + i])
    elif code == LZCNT:
        for i in range(n):
            out[i] = leading_zeros(x[a + i])
    elif code == TZCNT:
        for i in range(n):
            out[i] = trailing_zeros(x[a + i])
    elif code == BLSI:
        for i in range(n):
            out[i] = x[a + i] & -x[a + i]
    elif code == BLSR:
        for i in range(n):
            out[i] = x[a + i] & (x[a + i] - 1)
    elif code == BLSMSK:
        for i in range(n):
            out[i] = x[a + i] ^ (x[a + i] - 1)
    elif code == SHL_BY:
        for i in range(n):
            out[i] = x[a + i] << constant
    elif code == SHR_BY:
        for i in range(n):
            out[i] = x[a + i] >> constant
    else:
        for i in range(n):
            out[i] = x[a + i] * constant
    return n
