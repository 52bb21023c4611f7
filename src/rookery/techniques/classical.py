"""The classical approach: a table of rays on the empty board, and a bitscan for the first blocker.

    rays[direction, sq]    the ray from sq on the empty board
    blocker                blockers on the ray: the nearest is the lowest bit on positive rays, the highest on negative
    s                      the square of the nearest blocker

The part of the ray beyond the first blocker is the blocker's own ray in the same direction, so the attacks are
``rays[direction, sq] ^ rays[direction, s]``. A rook on d4 looks north; d6 and d8 are occupied.

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> rays, sq, occupied = ray_table(), 27, Bitboard.of("d4", "d6", "d8", "f6")
>>> blocker = Bitboard(rays[NORT, sq]) & occupied
>>> s = hardware_forward(blocker)
>>> attacks = Bitboard(rays[NORT, sq] ^ rays[NORT, s])
>>> side_by_side({"occupied": occupied, "rays[NORT, sq]": rays[NORT, sq], "blocker": blocker,
...               "rays[NORT, s]": rays[NORT, s], "attacks": attacks})
occupied          rays[NORT, sq]    blocker           rays[NORT, s]     attacks
. . . 1 . . . .   . . . 1 . . . .   . . . 1 . . . .   . . . 1 . . . .   . . . . . . . .
. . . . . . . .   . . . 1 . . . .   . . . . . . . .   . . . 1 . . . .   . . . . . . . .
. . . 1 . 1 . .   . . . 1 . . . .   . . . 1 . . . .   . . . . . . . .   . . . 1 . . . .
. . . . . . . .   . . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . 1 . . . .
. . . 1 . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .   . . . . . . . .
>>> conditional(NORT, sq, occupied, tables()) == attacks
True

Seven forms differ in how they handle the direction and rays without a blocker. In Kaissa and Chess 4.x, 1973 and after;
source: chessprogramming wiki, "Classical Approach".

Positive directions step to higher squares: north 0, northeast 1, east 2, northwest 7. Negative ones are southeast 3 to
west 6.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import hardware_forward, hardware_reverse, scan_by_direction
from rookery.bitboards.lines import empty_board_attacks
from rookery.bitboards.lines import ray as empty_board_ray
from rookery.bitboards.squares import DIRECTIONS, EAST, NOEA, NORT, NOWE, SOEA, SOUT, SOWE, STEPS, WEST
from rookery.kernel import U64, UNIVERSE, Bits, Square, Word, kernel, leading_zeros, trailing_zeros
from rookery.techniques.base import Card, Kernels, Needs, Technique, Variant

Boards = NDArray[np.uint64]

MSB = 1 << 63
LSB = 1


class Rays(NamedTuple):
    """The rays on the empty board."""

    rays: Boards  # (8, 64); for `classical-zero-count` (8, 65), with an empty last entry for each direction


class GeneralizedBranchless(NamedTuple):
    """The rays, and two words for each direction."""

    rays: Boards
    dir_bit: Boards  # (8,): bit 63 for positive directions, bit 0 for negative
    dir_mask: Boards  # (8,): empty for positive directions, all squares for negative


class OneRun(NamedTuple):
    """The rays, and the attacks of the pieces on the empty board."""

    rays: Boards
    rook: Boards  # (64,): attacks on the empty board
    bishop: Boards


class Sherwin(NamedTuple):
    """Stops, rays and attacks of the rook and the bishop; two positive directions, then two negative ones."""

    rook_stops: Boards  # (64, 4): the ray, with bit 63 (positive) or bit 0 (negative) as a last stop
    rook_rays: Boards  # (4, 64)
    rook_attacks: Boards  # (64,)
    bishop_stops: Boards
    bishop_rays: Boards
    bishop_attacks: Boards


@kernel
def is_negative(direction: Word) -> Word:
    """Return 1 for the directions to lower squares, else 0."""
    return (direction >= SOEA) & (direction <= WEST)


@kernel
def conditional(direction: Word, sq: Square, occupied: Bits, t: Rays) -> Bits:
    """Scan only if there is a blocker: forward on positive rays, in reverse on negative ones."""
    attacks = t.rays[direction, sq]  # the ray on the empty board
    blocker = attacks & occupied
    if blocker:
        s = hardware_reverse(blocker) if is_negative(direction) else hardware_forward(blocker)
        attacks ^= t.rays[direction, s]  # remove the squares beyond the first blocker
    return attacks


@kernel
def branchless(direction: Word, sq: Square, occupied: Bits, t: Rays) -> Bits:
    """Add a sentinel in the corner that the scan reaches last. The ray of the corner is empty."""
    attacks = t.rays[direction, sq]  # the ray on the empty board
    blocker = attacks & occupied
    s = hardware_reverse(blocker | LSB) if is_negative(direction) else hardware_forward(blocker | MSB)
    return attacks ^ t.rays[direction, s]


@kernel
def generalized(direction: Word, sq: Square, occupied: Bits, t: Rays) -> Bits:
    """Use one scan for all directions, with an argument that keeps the lowest bit or the highest."""
    attacks = t.rays[direction, sq]  # the ray on the empty board
    blocker = attacks & occupied
    if blocker:
        # remove the squares beyond the first blocker
        attacks ^= t.rays[direction, scan_by_direction(blocker, U64(is_negative(direction)))]
    return attacks


@kernel
def generalized_branchless(direction: Word, sq: Square, occupied: Bits, t: GeneralizedBranchless) -> Bits:
    """Use one scan for all directions, and a sentinel.

    The sentinel must be set before the lowest bit is isolated. If it were set after, as on the wiki page, bit 63 would
    win every scan of a positive ray.
    """
    attacks = t.rays[direction, sq]  # the ray on the empty board
    blocker = (attacks & occupied) | t.dir_bit[direction]
    blocker &= -blocker | t.dir_mask[direction]
    return attacks ^ t.rays[direction, hardware_reverse(blocker)]


@kernel
def zero_count(direction: Word, sq: Square, occupied: Bits, t: Rays) -> Bits:
    """Use zero counts, which are 64 if there is no blocker.

    For positive directions there is a 65th, empty ray. For negative ones 64 becomes 63, the count for a1, whose
    negative rays are empty.
    """
    attacks = t.rays[direction, sq]  # the ray on the empty board
    blocker = attacks & occupied
    if is_negative(direction):
        zeros = leading_zeros(blocker)  # 64 if nothing blocks
        zeros -= zeros >> 6  # 64 becomes 63, as for a blocker on a1
        return attacks ^ t.rays[direction, 63 - zeros]
    return attacks ^ t.rays[direction, trailing_zeros(blocker)]


# All four rays in one run: start with the attacks on the empty board and cut each ray. Robert Hyatt.


@kernel
def cut_positive(attacks: Bits, occupied: Bits, ray: Boards, sq: Square) -> Bits:
    """Remove the squares beyond the first blocker of a positive ray."""
    blocker = ray[sq] & occupied
    if blocker:
        attacks ^= ray[hardware_forward(blocker)]  # the first blocker is the lowest bit
    return attacks


@kernel
def cut_negative(attacks: Bits, occupied: Bits, ray: Boards, sq: Square) -> Bits:
    """Remove the squares beyond the first blocker of a negative ray."""
    blocker = ray[sq] & occupied
    if blocker:
        attacks ^= ray[hardware_reverse(blocker)]  # the first blocker is the highest bit
    return attacks


@kernel
def one_run_rook(sq: Square, occupied: Bits, t: OneRun) -> Bits:
    """Cut the rook's four rays, one after the other."""
    attacks = t.rook[sq]  # all four rays on the empty board
    attacks = cut_positive(attacks, occupied, t.rays[NORT], sq)  # the ray to the north is cut at its first blocker
    attacks = cut_positive(attacks, occupied, t.rays[EAST], sq)  # the ray to the east is cut at its first blocker
    attacks = cut_negative(attacks, occupied, t.rays[SOUT], sq)  # the ray to the south is cut at its first blocker
    return cut_negative(attacks, occupied, t.rays[WEST], sq)


@kernel
def one_run_bishop(sq: Square, occupied: Bits, t: OneRun) -> Bits:
    """Cut the bishop's four rays, one after the other."""
    attacks = t.bishop[sq]  # all four rays on the empty board
    attacks = cut_positive(attacks, occupied, t.rays[NOEA], sq)  # the ray to the north-east is cut at its first blocker
    attacks = cut_positive(attacks, occupied, t.rays[NOWE], sq)  # the ray to the north-west is cut at its first blocker
    attacks = cut_negative(attacks, occupied, t.rays[SOEA], sq)  # the ray to the south-east is cut at its first blocker
    return cut_negative(attacks, occupied, t.rays[SOWE], sq)


@kernel
def sherwin(sq: Square, occupied: Bits, stops: Boards, rays: Boards, attacks: Boards) -> Bits:
    """Cut all four rays at Michael Sherwin's stop bits: one OR, four ANDs, four scans and four XORs."""
    occupied |= MSB | LSB  # stops in both corners, so that every scan finds a bit
    stop = stops[sq]
    return (
        attacks[sq]
        ^ rays[0, hardware_forward(occupied & stop[0])]
        ^ rays[1, hardware_forward(occupied & stop[1])]
        ^ rays[2, hardware_reverse(occupied & stop[2])]
        ^ rays[3, hardware_reverse(occupied & stop[3])]
    )


@kernel
def sherwin_rook(sq: Square, occupied: Bits, t: Sherwin) -> Bits:
    """Return the attacks of a rook by its stops."""
    return sherwin(sq, occupied, t.rook_stops, t.rook_rays, t.rook_attacks)


@kernel
def sherwin_bishop(sq: Square, occupied: Bits, t: Sherwin) -> Bits:
    """Return the attacks of a bishop by its stops."""
    return sherwin(sq, occupied, t.bishop_stops, t.bishop_rays, t.bishop_attacks)


def ray_table() -> Boards:
    """Return the rays on the empty board, (8, 64)."""
    return np.array([[int(empty_board_ray(d, sq)) for sq in range(64)] for d in DIRECTIONS], U64)


def attack_table(piece: str) -> Boards:
    """Return the attacks of a piece on the empty board, (64,)."""
    return np.array([int(empty_board_attacks(piece, sq)) for sq in range(64)], U64)


def tables() -> Rays:
    """Build the rays."""
    return Rays(ray_table())


def generalized_branchless_tables() -> GeneralizedBranchless:
    """Build the rays, and two words for each direction."""
    negative = np.array(STEPS) < 0
    corners, signs = np.where(negative, U64(LSB), U64(MSB)), np.where(negative, U64(UNIVERSE), U64(0))
    return GeneralizedBranchless(ray_table(), corners, signs)


def zero_count_tables() -> Rays:
    """Build the rays, with an empty one as the 65th of each direction."""
    return Rays(np.pad(ray_table(), ((0, 0), (0, 1))))


def one_run_tables() -> OneRun:
    """Build the rays, and the attacks of the pieces on the empty board."""
    return OneRun(ray_table(), attack_table("rook"), attack_table("bishop"))


def sherwin_tables() -> Sherwin:
    """Build the stops, the rays and the attacks on the empty board of each piece."""
    rays = ray_table()

    def piece(positive: tuple[int, int], negative: tuple[int, int], name: str) -> tuple[Boards, Boards, Boards]:
        stops = [rays[d] | MSB for d in positive] + [rays[d] | LSB for d in negative]
        return np.array(stops).T.copy(), rays[[*positive, *negative]], attack_table(name)

    return Sherwin(*piece((NORT, EAST), (SOUT, WEST), "rook"), *piece((NOEA, NOWE), (SOEA, SOWE), "bishop"))


_WIKI = "chessprogramming wiki, Classical Approach, revision of 2018"
_BOTH_SCANS = Needs.SCAN_FORWARD | Needs.SCAN_REVERSE

CLASSICAL = Technique(
    Card(
        name="classical",
        summary="empty-board rays, cut at the first blocker if there is one",
        authors=("the authors of Kaissa", "the authors of Chess"),
        year=1973,
        source=_WIKI,
        users="Chess 4.x and Kaissa, in the 1970s (chessprogramming wiki, Classical Approach)",
        needs=_BOTH_SCANS,
        tables=tables,
        kernels=Kernels(ray=conditional),
        variants=(
            Variant(
                "blockers-and-beyond",
                authors=("Fabien Letouzey",),
                year=2014,
                source="Senpai; chessprogramming wiki, Blockers and Beyond",
                difference="removes what lies beyond every blocker, in any order, without a scan for the nearest",
            ),
            Variant(
                "shifted-bitboards",
                authors=("Neels Groenewald",),
                year=2002,
                source="NagaSkaki; chessprogramming wiki, Shifted Bitboards",
                difference="six shifts of all blockers make what lies beyond them, without a scan and a second look-up",
            ),
        ),
    )
)
CLASSICAL_BRANCHLESS = Technique(
    Card(
        name="classical-branchless",
        summary="a sentinel bit makes the scan always succeed",
        authors=("Gerd Isenberg",),
        year=2018,
        source=_WIKI,
        needs=_BOTH_SCANS,
        tables=tables,
        kernels=Kernels(ray=branchless),
        gathers=False,
    )
)
CLASSICAL_GENERALIZED = Technique(
    Card(
        name="classical-generalized",
        summary="one bitscan for all directions",
        authors=("Gerd Isenberg",),
        year=2018,
        source=_WIKI,
        needs=Needs.SCAN_REVERSE,
        tables=tables,
        kernels=Kernels(ray=generalized),
    )
)
CLASSICAL_GENERALIZED_BRANCHLESS = Technique(
    Card(
        name="classical-generalized-branchless",
        summary="one bitscan, with a sentinel and a mask per direction",
        authors=("Gerd Isenberg",),
        year=2018,
        source=_WIKI,
        needs=Needs.SCAN_REVERSE,
        tables=generalized_branchless_tables,
        kernels=Kernels(ray=generalized_branchless),
    )
)
CLASSICAL_ZERO_COUNT = Technique(
    Card(
        name="classical-zero-count",
        summary="zero counts, that give 64 where nothing blocks",
        authors=("Gerd Isenberg",),
        year=2018,
        source=_WIKI,
        needs=_BOTH_SCANS,
        tables=zero_count_tables,
        kernels=Kernels(ray=zero_count),
        gathers=False,
    )
)
CLASSICAL_ONE_RUN = Technique(
    Card(
        name="classical-one-run",
        summary="all rays of the piece at once, cut one by one",
        authors=("Robert Hyatt",),
        year=2018,
        source=_WIKI,
        needs=_BOTH_SCANS,
        tables=one_run_tables,
        kernels=Kernels(rook=one_run_rook, bishop=one_run_bishop),
    )
)
CLASSICAL_SHERWIN = Technique(
    Card(
        name="classical-sherwin",
        summary="one run without branches: stop bits in every ray's mask",
        authors=("Michael Sherwin",),
        year=2018,
        source=_WIKI,
        needs=_BOTH_SCANS,
        tables=sherwin_tables,
        kernels=Kernels(rook=sherwin_rook, bishop=sherwin_bishop),
        gathers=False,
    )
)
