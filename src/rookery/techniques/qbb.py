"""QBB: find the first piece in each direction, and shift the line to end there.

    ray       the squares from the slider on in one direction: a line of the board's corner, shifted to the slider
    edge      the last squares in this direction, which count as occupied, so that every ray has a first piece
    first     the number of the first piece on the ray
    back      the line, shifted so that it ends at this piece and runs back over the slider

Where the two lines that run back overlap, from the first piece above to the first piece below, are the attacks. There
is no table; the constants are the four lines through a corner. A rook on d4, with d2 and d7 occupied:

>>> from rookery.bitboards.bitboard import Bitboard
>>> from rookery import side_by_side
>>> sq, occupied = 27, Bitboard.of("d2", "d4", "d7", "f6")
>>> above, below = Bitboard(A_FILE) << sq & occupied & ~bit(sq), Bitboard(H_FILE >> (63 - sq)) & occupied & ~bit(sq)
>>> first_up, first_down = trailing_zeros(above), 63 - leading_zeros(below)
>>> back_down, back_up = Bitboard(H_FILE >> (63 - first_up)), Bitboard(A_FILE) << first_down
>>> side_by_side({"above": above, "below": below, "back down": back_down, "back up": back_up,
...               "attacks": back_down & back_up & ~bit(sq)})
above             below             back down         back up           attacks
. . . . . . . .   . . . . . . . .   . . . . . . . .   . . . 1 . . . .   . . . . . . . .
. . . 1 . . . .   . . . . . . . .   . . . 1 . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . 1 . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . 1 . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . 1 . . . .   . . . 1 . . . .   . . . . . . . .
. . . . . . . .   . . . . . . . .   . . . 1 . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . 1 . . . .   . . . 1 . . . .   . . . 1 . . . .   . . . 1 . . . .
. . . . . . . .   . . . . . . . .   . . . 1 . . . .   . . . . . . . .   . . . . . . . .
>>> Bitboard(file(sq, occupied, NoTables())).names()
['d2', 'd3', 'd5', 'd6', 'd7']

QBBEngine removes the slider from the occupancy with ``occupied ^= piece``. If the square is empty, this puts a piece
there, and the attacks are wrong: a rook on the empty board attacks nothing. Here the slider's bit is cleared,
``occupied & ~r``, so the attacks of an empty square are right, too. Fabio Gobbato; the chess
programming wiki describes his QBBEngine since 2020.
"""

from rookery.bitboards.bits import A_FILE, FIRST_RANK, H_FILE, MAIN_DIAGONAL, bit
from rookery.kernel import Bits, Square, kernel, leading_zeros, trailing_zeros
from rookery.techniques.base import Card, Kernels, Needs, NoTables, Technique, Variant

LAST_RANK = 0xFF << 56
ANTIDIAGONAL_UP = 0x8102040810204081  # a8-h1 and both corners: shifted by a square, it begins there and runs up
TOP_RIGHT = LAST_RANK | H_FILE
BOTTOM_LEFT = FIRST_RANK | A_FILE
TOP_LEFT = LAST_RANK | A_FILE
BOTTOM_RIGHT = FIRST_RANK | H_FILE


@kernel
def between(sq: Square, occupied: Bits, up: Bits, down: Bits, top: Bits, bottom: Bits) -> Bits:
    """Return the attacks along a line.

    `up` is the line from a1 on, `down` the line that ends at h8; `top` and `bottom` are the squares where it ends.
    """
    r = bit(sq)  # the slider's own bit
    o = occupied & ~r  # the other pieces
    above = (up << sq) & (o | top)  # the pieces above, or the edge
    below = (down >> (63 - sq)) & (o | bottom)  # the pieces below, or the edge
    first_up = trailing_zeros(above)  # the first above
    first_down = 63 - leading_zeros(below)  # the first below
    back_down = down >> (63 - first_up)  # the line from the first above downward
    back_up = up << first_down  # the line from the first below upward
    return back_down & back_up & ~r  # where both overlap, without the slider


@kernel
def rank(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the rank."""
    return between(sq, occupied, FIRST_RANK, LAST_RANK, H_FILE, A_FILE)


@kernel
def file(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the file."""
    return between(sq, occupied, A_FILE, H_FILE, LAST_RANK, FIRST_RANK)


@kernel
def diagonal(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the diagonal."""
    return between(sq, occupied, MAIN_DIAGONAL, MAIN_DIAGONAL, TOP_RIGHT, BOTTOM_LEFT)


@kernel
def antidiagonal(sq: Square, occupied: Bits, t: NoTables) -> Bits:
    """Return the attacks along the anti-diagonal."""
    return between(sq, occupied, ANTIDIAGONAL_UP, ANTIDIAGONAL_UP, TOP_LEFT, BOTTOM_RIGHT)


QBB = Technique(
    Card(
        name="qbb",
        summary="the line shifted to end at the first piece in each direction",
        authors=("Fabio Gobbato",),
        year=2020,
        source="chessprogramming wiki, QBBEngine; Infuehr, Chess_Movegen, QBB.hpp",
        users="QBBEngine",
        needs=Needs.SCAN_FORWARD | Needs.SCAN_REVERSE,
        kernels=Kernels(rank=rank, file=file, diagonal=diagonal, antidiagonal=antidiagonal),
        variants=(
            Variant(
                "genetic-qbb",
                authors=("Daniel Infuehr",),
                year=2022,
                source="Chess_Movegen, GeneticQBB.hpp",
                difference="cuts the line above by a shift there and back, with one constant less",
            ),
        ),
    )
)
