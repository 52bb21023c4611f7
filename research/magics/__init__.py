"""The laboratory of magic factors: the searches, proofs and packings behind the factors that `rookery` stores.

Wheels do not have it. In a checkout, `rookery magics find`, `prove`, `pilot` and `pack` run it, and so does
`rookery.magics.laboratory.laboratory`, which imports its modules.

find       factors by laying copies of the occupancy, for rooks, bishops and any other rider
prove      which index widths are impossible: the branch and bound, its ledgers and certificates
pack       the tables of all squares in each other's gaps
ranges     the smallest ranges of indices
additions  the atlas with what was proved and found
widths     the widths of an index that can be searched
commands   the commands

This module imports nothing heavy, since the command line shows its constant in its help.
"""

from typing import Final

DIVES: Final = 10_000  # of a search, before it gives up or takes a wider index
