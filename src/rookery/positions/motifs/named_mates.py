"""The mates of the dictionary: their names, definitions and examples, and which of them each position shows.

Bit ``i`` of a word of `Positions.named_mates` stands for ``NAMED_MATES[i]``. The first eight are Lichess' (`MATES`).

>>> mate_names(0b11)
['smothered_mate', 'back_rank_mate']
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.arguments import is_number, shown
from rookery.frames.array_arguments import Boards
from rookery.kernel import entry_of
from rookery.positions import rollouts
from rookery.positions.layout import Columns
from rookery.positions.rollouts import TerminationCode
from rookery.positions.threads import over
from rookery.rules.constants import default_tables

write_mates: Final = entry_of("rookery.positions.motifs.kernels.mates", "write_mates")


class NamedMate(NamedTuple):
    """A mate with a name: its definition, and a position that shows it."""

    name: str
    definition: str
    fen: str


NAMED_MATES: Final = (
    NamedMate(
        "smothered_mate",
        "A knight gives check, and the king's own pieces are on all squares next to it.",
        "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "back_rank_mate",
        "A check along the back rank, and the king's own pieces, none of them attacked, on the squares in front of it.",
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "anastasia_mate",
        "A queen or rook mates along an edge file; on the king's rank are its own piece and, two squares on, a knight.",
        "8/4N1pk/8/7R/8/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "hook_mate",
        "A rook mates next to the king, guarded by a knight next to the king, which a pawn guards.",
        "7R/6pk/6N1/5P2/8/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "arabian_mate",
        "A rook mates next to a king in the corner, guarded by a knight two diagonal steps from the king.",
        "7k/7R/5N2/8/8/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "boden_mate",
        "Only bishops attack the king and the squares next to it, and they come from both sides of its file.",
        "2kr4/3p4/B7/8/5B2/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "double_bishop_mate",
        "Only bishops, at least two, attack the king and the squares next to it, from one side of its file.",
        "7k/7p/8/4B3/2B5/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "dovetail_mate",
        "A queen mates from a square diagonal to the king, whose other squares she alone attacks, and only empty ones.",
        "8/4p3/4kp2/3Q4/2P5/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "epaulette_mate",
        "A queen mates from two squares in front of a king at the edge, with its own pieces on both sides of it.",
        "3rkr2/8/4Q3/8/8/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "swallows_tail_mate",
        "A queen mates straight next to the king, whose own pieces are on both squares diagonally behind it.",
        "3r1r2/4k3/4Q3/5P2/8/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "opera_mate",
        "A rook mates next to a king on its back rank, on that rank, guarded by a bishop.",
        "3Rkb2/5p2/8/6B1/8/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "corner_mate",
        "A knight mates a king in the corner; its own piece is on its file, and rooks or queens attack the next file.",
        "7k/5N1p/8/8/8/8/8/K5R1 b - - 0 1",
    ),
    NamedMate(
        "kill_box_mate",
        "A rook mates straight next to the king, with a queen next to the rook and two king's steps from the king.",
        "3Rk3/2Q5/8/8/8/8/8/6K1 b - - 0 1",
    ),
    NamedMate(
        "vukovic_mate",
        "A guarded rook mates in front of a king at the edge, with a knight behind the rook on the same line.",
        "4k3/4R3/3KN3/8/8/8/8/8 b - - 0 1",
    ),
)


def mates_into(words: Boards, columns: Columns, threads: int = 1) -> None:
    """Write a bit for each of `NAMED_MATES` that fits each position; 0 if it is not a checkmate."""
    tables, ends = default_tables(), np.empty(words.size, np.uint8)
    over(rollouts.mates, threads, words.size, columns, ends, tables, room=rollouts.mate_room)
    over(write_mates, threads, words.size, columns, ends == TerminationCode.CHECKMATE, words, tables)


def mate_names(word: int | np.integer[Any]) -> list[str]:
    """Return the names of the mates in a word of `Positions.named_mates`.

    A word with a bit beyond the last name is a ValueError.

    >>> mate_names(1 << 10)
    ['opera_mate']
    """
    if not is_number(word):
        raise TypeError(f"word: {shown(word)}: expected an int, a word of Positions.named_mates")
    if not 0 <= word < 1 << len(NAMED_MATES):
        raise ValueError(f"word: {shown(int(word))}: expected 0 to 2**{len(NAMED_MATES)} - 1, a bit for each mate")
    return [mate.name for i, mate in enumerate(NAMED_MATES) if int(word) >> i & 1]
