"""The boards that the loops of motifs fill, by set algebra on all positions, apart from the kernels.

    v           a position in the view of the side in question, whose pawns move up the board
    w           the propagators of its sliders, see `rookery.positions.queries.fills`
    own, other  the pawns of that side, and of its opponent
    king, their_king  the king of each side, the one on the lowest square of the board if there are several
    loose       undefended pieces
    file byte   eight bits, one for each file, on the first rank

The view flips the board for black, which swaps light and dark squares: no definition depends on which is which. Pieces
are compared by kind: a pawn is worth less than a knight or bishop, then come rook, queen and king. The definitions are
those of the chessprogramming wiki ("Pawn Structure" and the pages it lists), unless the records in
`rookery.positions.motifs.pawn_motifs` say otherwise.

The loops for attacks and for tactics are separate because a loop whose machine code outgrows the processor's cache of
decoded instructions is slow: as one, they took 91 ns a position instead of 75.

A piece hangs if it loses at least a pawn to legal captures on its square, with the opponent to move.
`rookery.rules.exchange` judges the exchanges, one by one. Set algebra settles most of them first, on all positions: a
piece hangs if it is attacked and undefended, or attacked by a less valuable piece; it does not if a single attacker is
worth as much or more. The others are doubtful: pieces attacked twice, or with sliders behind other pieces, and all
whose captures may be illegal.
"""

from typing import Any, Final, NamedTuple

from rookery.bitboards import bits
from rookery.kernel import Bits, entry_of

add_hanging: Final = entry_of("rookery.positions.motifs.kernels.hanging", "add_hanging")
attacks: Final = entry_of("rookery.positions.motifs.kernels.attacks", "attacks")
pawn_structure: Final = entry_of("rookery.positions.motifs.kernels.pawns", "pawn_structure")
piece_placement: Final = entry_of("rookery.positions.motifs.kernels.pieces", "piece_placement")
tactics: Final = entry_of("rookery.positions.motifs.kernels.tactics", "tactics")


class PawnBoards(NamedTuple):
    """An array of boards for each motif of pawn structure."""

    passed: Any
    protected_passed: Any
    connected_passed: Any
    outside_passed: Any
    candidate: Any
    unstoppable: Any
    isolated: Any
    isolated_queen_pawn: Any
    doubled: Any
    tripled: Any
    backward: Any
    hanging_pawns: Any
    phalanx: Any
    chain: Any
    chain_base: Any
    islands: Any
    rammed: Any
    lever: Any
    majority: Any
    promotable: Any
    holes: Any
    open_files: Any
    half_open_files: Any
    front_span: Any


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


class TacticBoards(NamedTuple):
    """An array of boards for each motif of attacks and tactics, which two loops fill."""

    attacked_twice: Any
    center_control: Any
    king_attack: Any
    back_rank_weakness: Any
    greek_gift: Any
    undefended: Any
    threatened: Any
    hanging: Any
    trapped: Any
    overloaded: Any
    absolute_pin: Any
    relative_pin: Any
    skewered: Any
    battery: Any
    x_rays: Any
    discovered_attack: Any
    discovered_check: Any
    fork: Any


class Attacked(NamedTuple):
    """Arrays of boards that the first loop leaves to the others. All but the last two are in the view of the side.

    The last four are those of `rookery.positions.motifs.boards.Settled`; the second loop adds to the doubtful pieces.
    """

    defended: Any  # squares that the side attacks
    attacked: Any  # squares that the opponent attacks
    lone: Any  # attacked pieces of the side with one defender
    unguarded: Any
    guarded: Any
    doubtful: Any
    even: Any


class ByValue(NamedTuple):
    """The squares that the less valuable pieces of a side attack."""

    pawns: Bits
    light: Bits  # pawns, knights and bishops
    rooks: Bits


class Settled(NamedTuple):
    """The attacked pieces of a side, kings excepted, as far as set algebra settles them. Pieces in no set are kept."""

    lost: Bits  # they hang
    unguarded: Bits  # they hang, unless a slider of the side joins in behind the attacker: then they are doubtful
    guarded: Bits  # they are kept, unless a slider of the opponent joins in behind a piece: then they are doubtful
    doubtful: Bits  # an exchange must be counted
    even: Bits  # guarded pieces that are doubtful, too, if three or more pieces stand between the king and a slider
