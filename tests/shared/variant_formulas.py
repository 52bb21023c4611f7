"""Published formulas that are a technique of rookery in another form, each written as its author described it.

A formula answers for all occupancies of a line, or of a piece's rays, from one square. The cases come from coordinates,
and tables are filled by walking.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

U64 = np.uint64
Boards: TypeAlias = NDArray[np.uint64]
ONE = U64(1)
FULL = (1 << 64) - 1
STEPS = {"rank": (1, 0), "file": (0, 1), "diagonal": (1, 1), "antidiagonal": (-1, 1)}
PIECES = {"rook": ("rank", "file"), "bishop": ("diagonal", "antidiagonal")}
A_FILE, RANK_1 = 0x0101010101010101, 0xFF
CORNER_LINES = {"rank": RANK_1, "file": A_FILE, "diagonal": 0x8040201008040201, "antidiagonal": 0x8102040810204081}


class Line(NamedTuple):
    """A line of a square, without it, and every occupancy of the line."""

    name: str
    sq: int
    squares: tuple[int, ...]  # in ascending order
    o: Boards

    @property
    def mask(self) -> U64:
        return union(self.squares)

    @property
    def up(self) -> U64:
        return union(s for s in self.squares if s > self.sq)

    @property
    def down(self) -> U64:
        return union(s for s in self.squares if s < self.sq)


Formula: TypeAlias = Callable[[Line], Boards]


def union(squares: object) -> U64:
    """Return the set of some squares as a word."""
    return U64(sum(1 << s for s in squares))  # type: ignore[attr-defined]


def squares_along(name: str, sq: int) -> tuple[int, ...]:
    """Return the other squares of a line, by coordinates."""
    dx, dy = STEPS[name]
    points = [(sq % 8 + k * dx, sq // 8 + k * dy) for k in range(-7, 8) if k]
    return tuple(sorted(x + 8 * y for x, y in points if 0 <= x < 8 and 0 <= y < 8))


def inside(squares: tuple[int, ...], sq: int) -> tuple[int, ...]:
    """Return the squares of a line without its two ends, on which a piece blocks nothing."""
    whole = (*squares, sq)
    return tuple(s for s in squares if min(whole) < s < max(whole))


def subsets(squares: tuple[int, ...]) -> Boards:
    """Return every set of some squares, in the order of the numbers whose bits select them."""
    bits = np.arange(1 << len(squares), dtype=U64)
    occupied = np.zeros_like(bits)
    for k, square in enumerate(squares):
        occupied |= (bits >> U64(k) & ONE) << U64(square)
    return occupied


def every_line() -> Iterator[Line]:
    """Yield each line of each square."""
    for name in STEPS:
        for sq in range(64):
            squares = squares_along(name, sq)
            yield Line(name, sq, squares, subsets(squares))


def bit_of(o: Boards, square: int) -> Boards:
    """Return 1 for each occupancy that has a square, else 0."""
    return np.asarray(o >> U64(square) & ONE)


def walked(sq: int, lines: tuple[tuple[int, ...], ...], o: Boards) -> Boards:
    """Return the attacks along some lines, square by square, up to the first that is occupied."""
    found = np.zeros_like(o)
    for squares in lines:
        for ray in ([s for s in squares if s > sq], [s for s in squares[::-1] if s < sq]):
            open_ = np.ones_like(o)
            for s in ray:
                found |= open_ << U64(s)
                open_ &= bit_of(o, s) ^ ONE
    return found


def highest_bit(x: Boards) -> Boards:
    """Return the number of the highest bit of each word, by smearing and counting."""
    for shift in (1, 2, 4, 8, 16, 32):
        x = x | x >> U64(shift)
    return np.asarray(np.bitwise_count(x).astype(U64) - ONE)


def reversed_bits(x: Boards) -> Boards:
    """Reverse all 64 bits, one by one."""
    found = np.zeros_like(x)
    for s in range(64):
        found |= bit_of(x, s) << U64(63 - s)
    return found


def times_matrix(x: NDArray[np.uint8], matrix: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Multiply bytes by an 8x8 matrix of bits, as GF2P8AFFINEQB does; the last axis of `matrix` has its eight rows.

    Bit i of an answer is the parity of ``matrix[7 - i] & x``.
    """
    found = np.zeros(np.broadcast_shapes(x.shape, matrix.shape[:-1]), np.uint8)
    for i in range(8):
        found |= (np.bitwise_count(matrix[..., 7 - i] & x) & np.uint8(1)) << np.uint8(i)
    return found


def leorik(c: Line) -> Boards:
    """MaskLow(blockers above) ^ MaskHigh(blockers below)."""
    below = U64((1 << c.sq) - 1)
    above_ = c.o & ~below
    mask_high = U64(FULL >> 1) >> U64(63) - highest_bit(c.o & below | ONE)
    return np.asarray((above_ ^ above_ - ONE ^ mask_high) & c.mask)


def hyperbola_with_double(c: Line) -> Boards:
    """o ^ (o - 2r) on both boards, with the slider in the occupancy: the form that PR 6870 replaced by ``o - r``."""
    r = np.full_like(c.o, 1 << c.sq)
    both = c.o | r
    back = (both.byteswap() - r.byteswap() - r.byteswap()).byteswap()
    return np.asarray((both - r - r ^ back) & c.mask)


def hyperbola_in_lanes(c: Line) -> Boards:
    """``(o & m) - r`` and its reverse in a lane for each line, as in PR 6845."""
    r = np.full(4, 1 << c.sq, U64)
    lanes = np.stack([c.o] * 4, axis=1) & c.mask
    found = (lanes - r ^ (lanes.byteswap() - r.byteswap()).byteswap()) & c.mask
    assert (found == found[:, :1]).all()
    return np.ascontiguousarray(found[:, 0])


def tinker(c: Line) -> Boards:
    """Keep each square of the line if all squares between are empty."""
    found = np.zeros_like(c.o)
    for s in c.squares:
        between = union(t for t in c.squares if min(s, c.sq) < t < max(s, c.sq))
        found |= np.where(c.o & between, U64(0), ONE << U64(s))
    return found


def switch(c: Line) -> Boards:
    """One case for each occupancy of the inner squares, with a constant for each."""
    inner = union(inside(c.squares, c.sq))
    found = np.zeros_like(c.o)
    for case in np.unique(c.o & inner):
        found[c.o & inner == case] = walked(c.sq, (c.squares,), np.array([case]))[0]
    return found


def blockers_and_beyond(c: Line) -> Boards:
    """Remove what lies beyond each blocker from the attacks on the empty board."""
    found = np.full_like(c.o, c.mask)
    for s in c.squares:
        beyond = union(t for t in c.squares if (s - c.sq) * (t - s) > 0)
        found &= np.where(bit_of(c.o, s), ~beyond, U64(FULL))
    return found


def shifted_bitboards(c: Line) -> Boards:
    """Shift the blockers of each ray by one to six steps, and remove the squares that they reach."""
    step = abs(STEPS[c.name][0] + 8 * STEPS[c.name][1])
    up, down = np.zeros_like(c.o), np.zeros_like(c.o)
    for times in range(1, 7):
        up |= (c.o & c.up) << U64(step * times)
        down |= (c.o & c.down) >> U64(step * times)
    return np.asarray(c.up ^ up & c.up | c.down ^ down & c.down)


def folding_hash(c: Line) -> Boards:
    """``(high half ^ 3 * low half) * factor``, six bits of index; the factor is found by trying random ones."""
    relevant = inside(c.squares, c.sq)
    cases = subsets(relevant)
    attacks, half = walked(c.sq, (c.squares,), cases), U64(0xFFFF_FFFF)

    def folded(o: Boards) -> Boards:
        filled = o | ~union(relevant)
        return np.asarray((filled >> U64(32) ^ filled * U64(3)) & half)

    rng = np.random.default_rng(c.sq)
    while True:
        factor = rng.integers(0, 1 << 32, dtype=U64)
        index = ((folded(cases) * factor & half) >> U64(26)).astype(np.int64)
        table = np.zeros(64, U64)
        table[index] = attacks
        if np.array_equal(table[index], attacks):
            return np.asarray(table[((folded(c.o) * factor & half) >> U64(26)).astype(np.int64)])


def avx_shift(c: Line) -> Boards:
    """Shift seven times, and stop on blockers and on the edges that the direction must not cross."""
    dx, dy = STEPS[c.name]
    found = np.zeros_like(c.o)
    for sign in (1, -1):
        edge = {1: A_FILE << 7, -1: A_FILE, 0: 0}[sign * dx] | {1: RANK_1 << 56, -1: RANK_1, 0: 0}[sign * dy]
        step = sign * (dx + 8 * dy)
        here = np.full_like(c.o, 1 << c.sq)
        for _ in range(7):
            here = here & ~(c.o | U64(edge))
            here = here << U64(step) if step > 0 else here >> U64(-step)
            found |= here
    return found


def set_wise_gfni(c: Line) -> Boards:
    """Fill eight directions in eight lanes; the bits of equal squares of all lanes are a row of a matrix."""
    lanes = np.zeros((len(c.o), 8), U64)
    for lane, sign in ((0, 1), (5, -1)):
        dx, dy = (sign * d for d in STEPS[c.name])
        allowed = [s for s in range(64) if 0 <= s % 8 - dx < 8 and 0 <= s // 8 - dy < 8]
        rotation, mask = (dx + 8 * dy) % 64, union(allowed)

        def rotated(x: Boards, by: int) -> Boards:
            by %= 64
            return np.asarray(x << U64(by) | x >> U64(64 - by))

        g, p = np.full_like(c.o, 1 << c.sq), ~c.o & mask
        for times in (1, 2, 4):
            g = g | p & rotated(g, rotation * times)
            p = p & rotated(p, rotation * times)
        lanes[:, lane] = rotated(g, rotation) & mask
    return united_by_matrix(lanes)


def united_by_matrix(lanes: Boards) -> Boards:
    """Unite eight words: gather the bytes of each rank, transpose them as a matrix of bits, test each for zero."""
    ranks = np.ascontiguousarray(lanes).view(np.uint8).reshape(len(lanes), 8, 8).transpose(0, 2, 1)
    units = np.uint8(1) << np.arange(8, dtype=np.uint8)  # byte f selects the column of file f
    columns = np.stack([times_matrix(units[f], ranks) for f in range(8)], axis=2)
    return np.ascontiguousarray(np.packbits(columns != 0, axis=2, bitorder="little")[:, :, 0]).view(U64)[:, 0]


def reverse_bitboards(c: Line) -> Boards:
    """x ^ (x - 2) with the slider shifted to bit 0, on the occupancy and on a reversed one kept square by square."""
    kept = np.zeros_like(c.o)
    for s in c.squares:
        kept ^= bit_of(c.o, s) << U64(63 - s)

    def positive(sq: int, o: Boards, ray: U64) -> Boards:
        x = (o & ray) >> U64(sq) | ONE
        return np.asarray((x ^ x - U64(2)) << U64(sq) & ray)

    back = positive(63 - c.sq, kept, union(63 - s for s in c.squares if s < c.sq))
    return positive(c.sq, c.o, c.up) | reversed_bits(back)


def bitrotation(c: Line) -> Boards:
    """(o - r) ^ reversed(reversed(o) - reversed(r))."""
    r, back = U64(1 << c.sq), U64(1 << (63 - c.sq))
    return np.asarray((c.o - r ^ reversed_bits(reversed_bits(c.o) - back)) & c.mask)


def galois_field(c: Line) -> Boards:
    """The same; the bits of each byte are reversed by the anti-diagonal matrix, then the bytes are swapped."""
    matrix = np.array([0x8040201008040201], U64).view(np.uint8)

    def reversed_by_matrix(x: Boards) -> Boards:
        found: Boards = times_matrix(np.ascontiguousarray(x).view(np.uint8), matrix).view(U64).byteswap()
        return found

    r, back = U64(1 << c.sq), U64(1 << (63 - c.sq))
    return np.asarray((c.o - r ^ reversed_by_matrix(reversed_by_matrix(c.o) - back)) & c.mask)


def a_b_bitboards(c: Line) -> Boards:
    """Isolate the first blocker of each ray and keep what lies below or above it.

    The wiki's form gives no attacks on a negative ray without a blocker: ``0 ^ -0`` is 0, not all bits.
    """
    low = c.o & c.up
    low &= -low
    high = c.o & c.down
    first = ONE << highest_bit(high | ONE)
    first[high == 0] = 0
    above_ = np.where(first == 0, ~U64(0), first ^ -first)
    return np.asarray(low | c.up & low - ONE | first | c.down & above_)


def cfish_avx2(c: Line) -> Boards:
    """BLSMSK upward; downward, fill the ray behind all blockers and remove it."""
    step = U64(abs(STEPS[c.name][0] + 8 * STEPS[c.name][1]))
    x, f = c.o & c.up, c.o & c.down
    for times in (1, 2, 4):
        f = f | f >> step * U64(times)
    return np.asarray((x ^ x - ONE) & c.up | c.down & ~(f >> step))


def genetic_8_ray(c: Line) -> Boards:
    """``(o - 1) << 1`` on each ray, on the reversed board for negative ones; ranks with ``o ^ (o - 1)``."""

    def positive(o: Boards, ray: U64) -> Boards:
        less = (o & ray) - ONE
        return np.asarray((o ^ less if c.name == "rank" else less << ONE) & ray)

    down = union(63 - s for s in c.squares if s < c.sq)
    return positive(c.o, c.up) | reversed_bits(positive(reversed_bits(c.o), down))


def genetic_qbb(c: Line) -> Boards:
    """Shift the line to begin at the first piece below, and cut it above the first piece above by shifting."""
    whole = (*c.squares, c.sq)
    top = c.o & c.up | U64(1 << max(whole))
    top &= -top
    cut = U64(63) - highest_bit(top)
    bottom = highest_bit(c.o & c.down | U64(1 << min(whole)))
    return np.asarray((U64(CORNER_LINES[c.name]) << bottom) << cut >> cut & ~U64(1 << c.sq))


def rotated_indices(c: Line) -> Boards:
    """Look up by an index that each piece on the line changes when it is placed."""
    index = np.zeros(len(c.o), np.int64)
    for k, s in enumerate(c.squares):
        index ^= bit_of(c.o, s).astype(np.int64) << k
    return np.asarray(walked(c.sq, (c.squares,), subsets(c.squares))[index])


def sse2_movemask(c: Line) -> Boards:
    """The masked bytes that are not zero give the occupancy by rank; its attacks fill the ranks, masked by the line."""
    ranks = np.zeros_like(c.o)
    for rank in range(8):
        ranks |= (c.o & U64(RANK_1 << 8 * rank) & c.mask != 0).astype(U64) << U64(rank)
    files = tuple(s for s in range(8) if s != c.sq // 8)
    table = walked(c.sq // 8, (files,), np.arange(256, dtype=U64))
    found = table[ranks.astype(np.int64)]
    filled = np.zeros_like(found)
    for rank in range(8):
        filled |= bit_of(found, rank) * U64(RANK_1 << 8 * rank)
    return np.asarray(filled & c.mask)


ALL_LINES, DIAGONALS = tuple(STEPS), ("diagonal", "antidiagonal")
NOT_RANKS = ("file", *DIAGONALS)
FORMULAS: dict[str, tuple[Formula, tuple[str, ...]]] = {
    "leorik": (leorik, ALL_LINES),
    "hyperbola-no-double": (hyperbola_with_double, NOT_RANKS),
    "hyperbola-dual": (hyperbola_in_lanes, NOT_RANKS),
    "tinker": (tinker, ALL_LINES),
    "switch": (switch, ALL_LINES),
    "blockers-and-beyond": (blockers_and_beyond, ALL_LINES),
    "shifted-bitboards": (shifted_bitboards, ALL_LINES),
    "folding-hash": (folding_hash, ALL_LINES),
    "avx-shift": (avx_shift, ALL_LINES),
    "set-wise-gfni": (set_wise_gfni, ALL_LINES),
    "reverse-bitboards": (reverse_bitboards, ALL_LINES),
    "bitrotation": (bitrotation, ALL_LINES),
    "galois-field": (galois_field, ALL_LINES),
    "a-b-bitboards": (a_b_bitboards, ALL_LINES),
    "cfish-avx2": (cfish_avx2, ALL_LINES),
    "genetic-8-ray": (genetic_8_ray, ALL_LINES),
    "genetic-qbb": (genetic_qbb, ALL_LINES),
    "rotated-indices": (rotated_indices, ALL_LINES),
    "sse2-movemask": (sse2_movemask, DIAGONALS),
}
