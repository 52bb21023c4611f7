"""The themes of puzzles: their names, and sets of themes packed into words.

A set of themes is a word: bit i stands for ``THEMES[i]``.

>>> names_of(bits_of(["short", "fork"]))
('fork', 'short')
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import iterator, shown
from rookery.positions.motifs.kernels.mates import MATES

THEMES: Final = tuple(
    """
    advancedPawn anastasiaMate arabianMate attackingF2F7 attraction backRankMate bishopEndgame bodenMate
    capturingDefender castling clearance defensiveMove deflection discoveredAttack doubleBishopMate doubleCheck
    dovetailMate enPassant endgame exposedKing fork hangingPiece hookMate interference intermezzo kingsideAttack
    knightEndgame long mate mateIn1 mateIn2 mateIn3 mateIn4 mateIn5 middlegame oneMove opening pawnEndgame pin
    promotion queenEndgame queenRookEndgame queensideAttack quietMove rookEndgame sacrifice short skewer smotheredMate
    trappedPiece underPromotion veryLong xRayAttack
    """.split()
)
_BITS: Final = {name: 1 << i for i, name in enumerate(THEMES)}

ADVANCED_PAWN = _BITS["advancedPawn"]
ATTACKING_F2_F7 = _BITS["attackingF2F7"]
ATTRACTION = _BITS["attraction"]
BACK_RANK_MATE = _BITS["backRankMate"]
BISHOP_ENDGAME = _BITS["bishopEndgame"]
CAPTURING_DEFENDER = _BITS["capturingDefender"]
CASTLING = _BITS["castling"]
CLEARANCE = _BITS["clearance"]
DEFENSIVE_MOVE = _BITS["defensiveMove"]
DEFLECTION = _BITS["deflection"]
DISCOVERED_ATTACK = _BITS["discoveredAttack"]
DOUBLE_CHECK = _BITS["doubleCheck"]
ENDGAME = _BITS["endgame"]
EN_PASSANT = _BITS["enPassant"]
EXPOSED_KING = _BITS["exposedKing"]
FORK = _BITS["fork"]
HANGING_PIECE = _BITS["hangingPiece"]
INTERFERENCE = _BITS["interference"]
INTERMEZZO = _BITS["intermezzo"]
KINGSIDE_ATTACK = _BITS["kingsideAttack"]
KNIGHT_ENDGAME = _BITS["knightEndgame"]
LONG = _BITS["long"]
MATE = _BITS["mate"]
MATE_IN_1 = _BITS["mateIn1"]
MIDDLEGAME = _BITS["middlegame"]
ONE_MOVE = _BITS["oneMove"]
OPENING = _BITS["opening"]
PAWN_ENDGAME = _BITS["pawnEndgame"]
PIN = _BITS["pin"]
PROMOTION = _BITS["promotion"]
QUEENSIDE_ATTACK = _BITS["queensideAttack"]
QUEEN_ENDGAME = _BITS["queenEndgame"]
QUEEN_ROOK_ENDGAME = _BITS["queenRookEndgame"]
QUIET_MOVE = _BITS["quietMove"]
ROOK_ENDGAME = _BITS["rookEndgame"]
SACRIFICE = _BITS["sacrifice"]
SHORT = _BITS["short"]
SKEWER = _BITS["skewer"]
TRAPPED_PIECE = _BITS["trappedPiece"]
UNDER_PROMOTION = _BITS["underPromotion"]
VERY_LONG = _BITS["veryLong"]
X_RAY_ATTACK = _BITS["xRayAttack"]

# By the index of a mate's name in `rookery.positions.motifs.kernels.mates.MATES`.
MATE_BITS: Final = np.array([_BITS[name] for name in MATES], np.uint64)


def bits_of(names: Iterable[str], argument: str = "names") -> int:
    """Return the word of a set of themes. Errors call the names `argument`.

    >>> bits_of(["advancedPawn", "arabianMate"])
    5
    """
    word = 0
    for name in iterator(argument, names, "an iterable of names of themes"):
        if not isinstance(name, str) or name not in _BITS:
            raise ValueError(f"{argument}: {shown(name)}: expected a name in rookery.data.puzzles.THEMES")
        word |= _BITS[name]
    return word


def names_of(themes: int) -> tuple[str, ...]:
    """Return the names of the themes in a word, sorted.

    >>> names_of(5)
    ('advancedPawn', 'arabianMate')
    """
    return tuple(name for i, name in enumerate(THEMES) if themes >> i & 1)


def texts_of(themes: NDArray[Any]) -> list[str]:
    """Return the names of the themes in each word, sorted and separated by spaces."""
    words, where = np.unique(themes, return_inverse=True)
    texts = [" ".join(names_of(int(word))) for word in words]
    return [texts[i] for i in where.tolist()]
