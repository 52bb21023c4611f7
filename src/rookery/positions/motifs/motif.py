"""Motifs, and the evaluation of their families for arrays of positions.

A family is a group of motifs whose boards one loop writes: they share attack sets and spans, and each loop takes
seconds to compile on its first use. The positions pass through it in blocks whose boards stay in the cache.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from rookery.aliases import Side
from rookery.arguments import check_threads
from rookery.frames.array_arguments import Boards
from rookery.kernel import U64, entry_of
from rookery.lazy_imports import Named
from rookery.positions.layout import Columns, empty_rows
from rookery.positions.layout import Side as Who
from rookery.positions.operands import side_of
from rookery.positions.threads import each_in_threads, part_of, spans

if TYPE_CHECKING:
    from rookery.positions.methods import position_array
else:
    position_array = Named("rookery.positions.methods.position_array")

pack: Final = entry_of("rookery.positions.motifs.kernels.lines", "pack")


BLOCK: Final = 2048  # positions: the boards of the largest family, 400 KiB, stay in the L2 cache


@dataclass(frozen=True)
class Family:
    """A group of motifs that one loop evaluates.

    `rows` is a NamedTuple class with a field for each motif. ``resolve(columns, side, boards)`` returns a function of
    the same arguments that fills `boards`, an instance of this class. Resolving it once saves 11 us a block.
    """

    rows: type[Any]
    resolve: Callable[[Columns, Who, Any], Callable[[Columns, Who, Any], None]]


class Example(NamedTuple):
    """A position, a side, and the squares of the motif for that side."""

    fen: str
    squares: str
    side: Side = "white"


@dataclass(frozen=True)
class Motif:
    """A named pattern: a function from a position and a side to the squares that show it.

    `name` is also a function of the query language. `formula` defines the motif for the side to move, ``us``: as an
    expression of that language, or, where it cannot say it, in words about its sets. `source` is the page of the
    chessprogramming wiki whose definition it follows or refines.
    """

    name: str
    summary: str
    formula: str
    leaves_out: str
    example: Example
    family: Family
    source: str | None = None
    in_words: bool = False

    def of(self, positions: "position_array.PositionArray", side: Side = "us", *, threads: int = 1) -> Boards:
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


def boards_into(
    motifs: Sequence[Motif], outputs: Sequence[Boards], columns: Columns, side: Who, threads: int = 1
) -> None:
    """Write the boards of motifs, each to its output. Each family is evaluated once."""
    families = list({motif.family.rows: motif.family for motif in motifs}.values())
    wanted: dict[type, list[tuple[int, Boards]]] = {family.rows: [] for family in families}
    for motif, out in zip(motifs, outputs, strict=True):
        wanted[motif.family.rows].append((motif.family.rows._fields.index(motif.name), out))

    def copy(family: Family, rows: Boards, start: int, stop: int) -> None:
        for row, out in wanted[family.rows]:
            out[start:stop] = rows[row, : stop - start]

    _each_block(families, columns, side, threads, copy)


def tags_into(families: Sequence[Family], words: Boards, columns: Columns, side: Who, threads: int = 1) -> None:
    """Write a bit for each motif of the families, in their order: 1 where the motif has any square."""
    sizes = [len(family.rows._fields) for family in families]
    shifts = {family.rows: U64(sum(sizes[:i])) for i, family in enumerate(families)}
    words[:] = 0
    add_bits = pack.resolve(empty_rows(1, 1), U64(0), words)

    def add(family: Family, rows: Boards, start: int, stop: int) -> None:
        add_bits(rows, shifts[family.rows], words[start:stop])

    _each_block(families, columns, side, threads, add)


def _each_block(
    families: Sequence[Family],
    columns: Columns,
    side: Who,
    threads: int,
    use: Callable[[Family, Boards, int, int], None],
) -> None:
    """Evaluate families block by block, and pass the rows of each block to `use`, with its start and stop."""
    n = columns.pawns.size

    def work(span: tuple[int, int]) -> None:
        size = min(BLOCK, span[1] - span[0])
        rows = empty_rows(max(len(family.rows._fields) for family in families), size)
        fields = [rows[: len(family.rows._fields)] for family in families]
        boards = [family.rows(*words[:, :size]) for family, words in zip(families, fields, strict=True)]
        writes = [family.resolve(columns, side, block) for family, block in zip(families, boards, strict=True)]
        for start in range(*span, BLOCK):
            stop = min(start + BLOCK, span[1])
            part = part_of(columns, start, stop, n)
            for i, family in enumerate(families):
                whole = stop - start == size
                writes[i](part, side, boards[i] if whole else family.rows(*fields[i][:, : stop - start]))
                use(family, fields[i], start, stop)

    for _ in each_in_threads(work, spans(n, check_threads(threads)), threads):
        pass
