"""The start position of chess, for code that reads no FEN, and the 960 of Chess960, by their Scharnagl numbers.

The number encodes one of four squares for each bishop, one of six for the queen, and one of ten pairs of squares for
the knights. The rooks and, between them, the king take the remaining squares (Reinhard Scharnagl,
"Fischer-Random-Schach", 2004).
"""

import functools
import itertools
from typing import Final

from rookery.arguments import is_number, shown

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# The ten words of `rookery.rules.position.Position` for it. Boards that begin there, as most do, wait for no reader to
# be compiled or loaded.
START_POSITION: Final = (
    *(0x00FF_0000_0000_FF00, 0x4200_0000_0000_0042, 0x2C00_0000_0000_002C, 0x8900_0000_0000_0089),
    *(0x1000_0000_0000_0010, 0x0000_0000_0000_FFFF, 0xFFFF_0000_0000_0000, 0x8100_0000_0000_0081),
    *(0, 0),
)

_KNIGHTS: Final = tuple(itertools.combinations(range(5), 2))


def back_rank(number: int) -> str:
    """Return the pieces of the first rank.

    >>> back_rank(518)
    'RNBQKBNR'
    >>> back_rank(0)
    'BBQNNRKR'
    """
    if not is_number(number) or not 0 <= number <= 959:
        raise ValueError(
            f"scharnagl: {shown(number)}: expected an int from 0 to 959, the number of a Chess960 position"
        )
    rest, light = divmod(int(number), 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank: list[str] = [""] * 8
    rank[2 * light + 1] = rank[2 * dark] = "B"
    rank[_free(rank)[queen]] = "Q"
    free = _free(rank)
    for i in _KNIGHTS[knights]:
        rank[free[i]] = "N"
    for square, piece in zip(_free(rank), "RKR", strict=True):
        rank[square] = piece
    return "".join(rank)


def _free(rank: list[str]) -> list[int]:
    return [square for square, piece in enumerate(rank) if not piece]


@functools.cache
def _numbers() -> dict[str, int]:
    return {back_rank(number): number for number in range(960)}


def number_of(rank: str) -> int | None:
    """Return the number of a first rank, or None if it is not one of Chess960."""
    return _numbers().get(rank)


def fen_of(number: int) -> str:
    """Return the FEN of a start position."""
    rank = back_rank(number)
    rooks = "".join("ABCDEFGH"[file] for file in (7, 6, 5, 4, 3, 2, 1, 0) if rank[file] == "R")
    return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {rooks}{rooks.lower()} - 0 1"
