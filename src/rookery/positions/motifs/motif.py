"""What a motif is, and how the families of motifs are evaluated for arrays of positions.

A family is a group of motifs whose boards one loop writes: they share attack sets and spans, and each loop takes
seconds to compile on its first use. The positions pass through it in blocks whose boards stay in the cache.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from rookery.arguments import Boards
from rookery.kernel import U64, entry
from rookery.positions.layout import Columns, empty_rows
from rookery.positions.operands import side_of
from rookery.positions.queries.attacks import Side as Who
from rookery.positions.threads import check_threads, each_in_threads, part_of, spans
from rookery.typing import Side

if TYPE_CHECKING:
    from rookery.positions.array import PositionArray

BLOCK: Final = 1024  # positions: the boards of the largest family, 200 KiB, stay in the L2 cache


@dataclass(frozen=True)
class Family:
    """A group of motifs that one loop evaluates.

    `rows` is a NamedTuple class with a field for each motif. ``write(columns, side, boards)`` fills an instance of it.
    """

    rows: type[Any]
    write: Callable[[Columns, Who, Any], None]


class Example(NamedTuple):
    """A position, a side, and the squares of the motif for that side."""

    fen: str
    squares: str
    side: Side = "white"


@dataclass(frozen=True)
class Motif:
    """A named pattern: a function from a position and a side to the squares that show it.

    `name` is also a function of the query language. `formula` defines the motif in that language, with ``us`` for the
    side in question and north for the direction in which its pawns move. `source` names the definition that it follows.
    """

    name: str
    summary: str
    formula: str
    leaves_out: str
    example: Example
    family: Family
    source: str | None = None

    def of(self, positions: "PositionArray", side: Side = "us", *, threads: int = 1) -> Boards:
        """Return the squares that show the motif for a side: uint64 boards, (n,), empty where it is absent.

        >>> from rookery import Board, Positions
        >>> from rookery.bitboards.bitboard import Bitboard
        >>> from rookery.positions.motifs import MOTIF_BY_NAME
        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/2P5/8/4K3 w - - 0 1")])
        >>> Bitboard(MOTIF_BY_NAME["passed"].of(positions)[0]).names()
        ['c3']
        """
        out = np.empty(len(positions), np.uint64)
        boards_into([self], [out], positions.columns, side_of(side), threads)
        return out


@entry
def pack(rows: Any, shift: Any, words: Any) -> None:
    """Set one bit of each word for each row that is not empty there: bit `shift` for the first row."""
    for k in range(rows.shape[0]):
        row, bit = rows[U64(k)], shift + U64(k)
        for i in range(words.size):
            words[U64(i)] |= (1 if row[U64(i)] else 0) << bit


def boards_into(
    motifs: Sequence[Motif], outputs: Sequence[Boards], columns: Columns, side: Who, threads: int = 1
) -> None:
    """Write the boards of motifs, each to its output. Each family is evaluated once."""

    def copy(family: Family, rows: Boards, part: slice) -> None:
        for motif, out in zip(motifs, outputs, strict=True):
            if motif.family is family:
                row = family.rows._fields.index(motif.name)
                out[part] = rows[row, : part.stop - part.start]

    _each_block({motif.family.rows: motif.family for motif in motifs}.values(), columns, side, threads, copy)


def tags_into(families: Sequence[Family], words: Boards, columns: Columns, side: Who, threads: int = 1) -> None:
    """Write a bit for each motif of the families, in their order: 1 where the motif has any square."""
    shifts, shift = {}, 0
    for family in families:
        shifts[family.rows] = U64(shift)
        shift += len(family.rows._fields)
    words[:] = 0
    _each_block(families, columns, side, threads, lambda f, rows, part: pack(rows, shifts[f.rows], words[part]))


def _each_block(
    families: Any, columns: Columns, side: Who, threads: int, use: Callable[[Family, Boards, slice], None]
) -> None:
    """Evaluate families block by block, and pass the rows of each block to `use`."""
    families = list(families)
    n = columns.pawns.size

    def work(span: tuple[int, int]) -> None:
        size = min(BLOCK, max(span[1] - span[0], 1))
        scratch = empty_rows(max(len(family.rows._fields) for family in families), size)
        for start in range(*span, BLOCK):
            stop = min(start + BLOCK, span[1])
            part = part_of(columns, start, stop, n)
            for family in families:
                rows = scratch[: len(family.rows._fields)]
                family.write(part, side, family.rows(*rows[:, : stop - start]))
                use(family, rows, slice(start, stop))

    for _ in each_in_threads(work, spans(n, check_threads(threads)), threads):
        pass
