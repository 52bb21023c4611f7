"""The motifs of pieces, kings, files and squares, by set algebra on all positions.

    v           a position in the view of the side in question, whose pawns move up the board
    w           the propagators of its sliders, see `rookery.positions.queries.fills`
    king, their_king  the king of each side, the one on the lowest square of the board if there are several

Letters are those of `rookery.positions.motifs.pawns`. The view flips the board for black, which swaps light and dark
squares: no definition depends on which is which.
"""

from typing import Any, Final, NamedTuple

from rookery.bitboards import bits
from rookery.kernel import entry_of

piece_placement: Final = entry_of("rookery.positions.motifs.kernels.pieces", "piece_placement")


CENTER = (bits.A_FILE << 3 | bits.A_FILE << 4) & (bits.RANK_4 | bits.RANK_5)


class PieceBoards(NamedTuple):
    """An array of boards for each motif of pieces, kings, files and squares."""

    bishop_pair: Any
    good_bishop: Any
    bad_bishop: Any
    opposite_coloured_bishops: Any
    fianchetto: Any
    outpost: Any
    blockade: Any
    knight_on_rim: Any
    rook_on_open_file: Any
    rook_on_half_open_file: Any
    rook_on_seventh: Any
    rook_behind_passed: Any
    connected_rooks: Any
    doubled_rooks: Any
    alekhines_gun: Any
    king_zone: Any
    king_shelter: Any
    king_on_open_file: Any
    opposition: Any
    space: Any


# Bishops.


# Rooks.


# Kings.
