"""The motifs of pawn structure, by set algebra on all positions.

    v           a position in the view of the side in question, whose pawns move up the board
    own, other  the pawns of that side, and of its opponent
    file byte   eight bits, one for each file, on the first rank

The definitions are those of the chessprogramming wiki ("Pawn Structure" and the pages it lists), unless the records in
`rookery.positions.motifs.pawn_motifs` say otherwise.
"""

from typing import Any, Final, NamedTuple

from rookery.kernel import entry_of

pawn_structure: Final = entry_of("rookery.positions.motifs.kernels.pawns", "pawn_structure")


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


# Spans, on a board without pieces.


# Counts of pawns, as bit planes.


# The less simple motifs.
