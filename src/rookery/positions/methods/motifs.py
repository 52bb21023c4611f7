"""The methods of `Positions` that look for motifs: `motif`, `tags` and `named_mates`."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import Side
from rookery.arguments import choice
from rookery.frames.array_arguments import Boards
from rookery.lazy_imports import modules_later
from rookery.positions.methods.position_array import PositionArray
from rookery.positions.operands import side_of

if TYPE_CHECKING:
    from rookery.positions import motifs
    from rookery.positions.motifs import motif, named_mates
else:
    (motifs,) = modules_later("rookery.positions", "motifs")
    motif, named_mates = modules_later("rookery.positions.motifs", "motif named_mates")


class MotifMethods(PositionArray):
    """Queries for the motifs of `rookery.positions.motifs`."""

    __slots__ = ()

    def motif(self, name: str, side: Side = "us", *, out: Boards | None = None, threads: int = 1) -> Boards:
        """Return the squares that show a motif for a side: uint64 boards, (n,), empty where it is absent.

        `rookery.positions.motifs.MOTIFS` lists the motifs, with their definitions. An unknown name is a ValueError.

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board("4k3/p7/8/3P4/8/P7/8/4K3 w - - 0 1")])
        >>> Bitboard(positions.motif("passed")[0]).names()
        ['d5']
        >>> Bitboard(positions.motif("isolated", "black")[0]).names()
        ['a7']
        """
        found = choice("name", name, motifs.MOTIF_BY_NAME)
        boards: Boards = self._output(out, (len(self),), np.uint64)
        motif.boards_into([found], [boards], self.columns, side_of(side), threads)
        return boards

    def tags(self, side: Side = "us", *, out: NDArray[np.uint64] | None = None, threads: int = 1) -> NDArray[np.uint64]:
        """Return which motifs a side has, as a bit set: uint64, (n,).

        Bit ``i`` is 1 where ``MOTIFS[i]`` of `rookery.positions.motifs` has any square. A motif keeps its bit from
        version to version, and new motifs get the next bits. `rookery.positions.motifs.names_of` returns the names.

        >>> from rookery.positions.motifs import names_of
        >>> positions = Positions.from_boards([Board("4k3/p7/8/3P4/8/P7/8/4K3 w - - 0 1")])
        >>> "passed" in names_of(positions.tags()[0])
        True
        """
        words: NDArray[np.uint64] = self._output(out, (len(self),), np.uint64)
        motif.tags_into(motifs.FAMILIES, words, self.columns, side_of(side), threads)
        return words

    def named_mates(self, *, out: NDArray[np.uint64] | None = None, threads: int = 1) -> NDArray[np.uint64]:
        """Return which mates by name a position shows, as a bit set: uint64, (n,); 0 where it is not checkmate.

        Bit ``i`` stands for ``NAMED_MATES[i]`` of `rookery.positions.motifs.named_mates`, whose `mate_names` returns
        the names. The side to move is mated. Several names may fit.

        >>> from rookery.positions.motifs.named_mates import mate_names
        >>> positions = Positions.from_boards([Board("6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1"), Board()])
        >>> mate_names(positions.named_mates()[0])
        ['smothered_mate']
        >>> int(positions.named_mates()[1])
        0
        """
        words: NDArray[np.uint64] = self._output(out, (len(self),), np.uint64)
        named_mates.mates_into(words, self.columns, threads)
        return words
