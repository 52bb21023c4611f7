"""Hanging pieces: those that lose at least a pawn to legal captures on their square, if the opponent moves first.

`rookery.rules.exchange` judges the exchanges, one by one. Set algebra settles most of them first, on all positions: a
piece hangs if it is attacked and undefended, or attacked by a less valuable piece; it does not if a single attacker is
worth as much or more. The others are doubtful: pieces attacked twice, or with sliders behind other pieces, and all
whose captures may be illegal.

Letters are those of `rookery.positions.motifs.attacks`. `a` has what the opponent's pieces attack, `d` the side's.
"""

from typing import Final, NamedTuple

from rookery.kernel import Bits, entry_of

add_hanging: Final = entry_of("rookery.positions.motifs.kernels.hanging", "add_hanging")


class ByValue(NamedTuple):
    """The squares that the less valuable pieces of a side attack."""

    pawns: Bits
    light: Bits  # pawns, knights and bishops
    rooks: Bits


# Exchanges that need no counting: the defender recaptures once and stops, or recaptures each time.


class Settled(NamedTuple):
    """The attacked pieces of a side, kings excepted, as far as set algebra settles them. Pieces in no set are kept."""

    lost: Bits  # they hang
    unguarded: Bits  # they hang, unless a slider of the side joins in behind the attacker: then they are doubtful
    guarded: Bits  # they are kept, unless a slider of the opponent joins in behind a piece: then they are doubtful
    doubtful: Bits  # an exchange must be counted
    even: Bits  # guarded pieces that are doubtful, too, if three or more pieces stand between the king and a slider
