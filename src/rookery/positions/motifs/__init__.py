"""The dictionary of motifs: named patterns of a position, each with a definition and an example.

`MOTIFS` lists them in teaching order. The bit of a motif in `Positions.tags` is its index in `MOTIFS`; `names_of` reads
such a word.

>>> from rookery import Board, Positions
>>> positions = Positions.from_boards([Board("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1")])
>>> MOTIF_BY_NAME["phalanx"].summary
'Pawns next to a pawn of their side on the same rank.'
>>> names_of(positions.tags()[0])[:2]
['passed', 'connected_passed']
"""

from typing import Any, Final

import numpy as np

from rookery.arguments import is_number, shown
from rookery.positions.motifs.motif import Example, Family, Motif
from rookery.positions.motifs.pawn_motifs import PAWN_MOTIFS, PAWNS
from rookery.positions.motifs.piece_motifs import PIECE_MOTIFS, PIECES
from rookery.positions.motifs.tactic_motifs import TACTIC_MOTIFS, TACTICS

__all__ = ["FAMILIES", "MOTIFS", "MOTIF_BY_NAME", "Example", "Family", "Motif", "names_of"]

FAMILIES: Final = (PAWNS, PIECES, TACTICS)
MOTIFS: Final = (*PAWN_MOTIFS, *PIECE_MOTIFS, *TACTIC_MOTIFS)
MOTIF_BY_NAME: Final = {motif.name: motif for motif in MOTIFS}


def names_of(word: int | np.integer[Any]) -> list[str]:
    """Return the names of the motifs in a word of `Positions.tags`, in the order of `MOTIFS`.

    A word with a bit beyond the last motif is a ValueError.

    >>> names_of(0b101)
    ['passed', 'connected_passed']
    """
    if not is_number(word):
        raise TypeError(f"word: {shown(word)}: expected an int, a word of Positions.tags")
    if not 0 <= word < 1 << len(MOTIFS):
        raise ValueError(f"word: {shown(int(word))}: expected 0 to 2**{len(MOTIFS)} - 1, a bit for each motif")
    return [motif.name for i, motif in enumerate(MOTIFS) if int(word) >> i & 1]
