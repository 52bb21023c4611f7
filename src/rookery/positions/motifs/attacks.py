"""The motifs of attacks, by set algebra on all positions: what is attacked, defended, threatened or pinned to a king.

    v           a position in the view of the side in question, whose pawns move up the board
    w           the propagators of its sliders, see `rookery.positions.queries.fills`
    loose       undefended pieces

Pieces are compared by kind: a pawn is worth less than a knight or bishop, then come rook, queen and king.
"""

from typing import Any, Final, NamedTuple

from rookery.kernel import entry_of

attacks: Final = entry_of("rookery.positions.motifs.kernels.attacks", "attacks")


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

    The last four are those of `rookery.positions.motifs.hanging.Settled`; the second loop adds to the doubtful pieces.
    """

    defended: Any  # squares that the side attacks
    attacked: Any  # squares that the opponent attacks
    lone: Any  # attacked pieces of the side with one defender
    unguarded: Any
    guarded: Any
    doubtful: Any
    even: Any
