"""The part of `Positions` that tells positions apart: Zobrist keys, and which are the same."""

from typing import Any, Literal, Self, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import Boards, flag
from rookery.positions import keys
from rookery.positions import threads as run
from rookery.positions.array import PositionArray
from rookery.positions.threads import check_threads
from rookery.positions.unique import groups_of
from rookery.rules.compiled import default_technique

Numbers: TypeAlias = NDArray[np.int64]


class ComparisonMethods(PositionArray):
    """Keys and equality."""

    __slots__ = ()

    def keys(self, *, out: Boards | None = None, threads: int = 1) -> NDArray[np.uint64]:
        """The Zobrist key of each, that of `Board.key`: uint64, (n,).

        It stands for what can be done from here on: pieces, side to move, castling rights, and the en-passant file if a
        capture is legal. Counters and the kind of chess do not matter. Keys are the same in every process and on every
        machine, and two different positions have the same one about never (1 in 2**64); `unique` is exact.

        >>> positions = Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")])
        >>> positions.keys().tolist() == [board.key for board in positions]
        True
        """
        out = self._output(out, (len(self),), np.uint64)
        run.over(keys.keys, threads, len(self), self.columns, out, default_technique().tables())
        return out

    @overload
    def unique(
        self,
        *,
        return_index: Literal[False] = False,
        return_inverse: Literal[False] = False,
        return_counts: Literal[False] = False,
        counters: bool = False,
        threads: int = 1,
    ) -> Self: ...
    @overload
    def unique(
        self,
        *,
        return_index: Literal[False] = False,
        return_inverse: Literal[False] = False,
        return_counts: Literal[True],
        counters: bool = False,
        threads: int = 1,
    ) -> tuple[Self, Numbers]: ...
    @overload
    def unique(
        self,
        *,
        return_index: Literal[False] = False,
        return_inverse: Literal[True],
        return_counts: Literal[False] = False,
        counters: bool = False,
        threads: int = 1,
    ) -> tuple[Self, Numbers]: ...
    @overload
    def unique(
        self,
        *,
        return_index: Literal[True],
        return_inverse: Literal[False] = False,
        return_counts: Literal[False] = False,
        counters: bool = False,
        threads: int = 1,
    ) -> tuple[Self, Numbers]: ...
    @overload
    def unique(
        self,
        *,
        return_index: Literal[False] = False,
        return_inverse: Literal[True],
        return_counts: Literal[True],
        counters: bool = False,
        threads: int = 1,
    ) -> tuple[Self, Numbers, Numbers]: ...
    @overload
    def unique(
        self,
        *,
        return_index: Literal[True],
        return_inverse: Literal[False] = False,
        return_counts: Literal[True],
        counters: bool = False,
        threads: int = 1,
    ) -> tuple[Self, Numbers, Numbers]: ...
    @overload
    def unique(
        self,
        *,
        return_index: Literal[True],
        return_inverse: Literal[True],
        return_counts: Literal[False] = False,
        counters: bool = False,
        threads: int = 1,
    ) -> tuple[Self, Numbers, Numbers]: ...
    @overload
    def unique(
        self,
        *,
        return_index: Literal[True],
        return_inverse: Literal[True],
        return_counts: Literal[True],
        counters: bool = False,
        threads: int = 1,
    ) -> tuple[Self, Numbers, Numbers, Numbers]: ...
    def unique(
        self,
        *,
        return_index: bool = False,
        return_inverse: bool = False,
        return_counts: bool = False,
        counters: bool = False,
        threads: int = 1,
    ) -> Any:
        """The different positions, each as it first comes, in that order (`numpy.unique` would sort them).

        Two are the same if their pieces, side to move, castling rights and legal en-passant captures are: a square that
        no pawn may take on does not count, nor do the counters and the kind of chess. With ``counters=True`` the
        counters must be equal, too, as boards are by ``==``. Positions are compared word by word, not only their keys.

        With any of the three arguments of `numpy.unique` the answer is a tuple, in this order: the positions; the
        index of each in the array (int64); for each position of the array the index of its like among the different
        ones (int64, so that ``different[inverse]`` are all again); how often each occurs (int64).

        >>> boards = [Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"), Board()]
        >>> different, inverse, counts = Positions.from_boards(boards).unique(return_inverse=True, return_counts=True)
        >>> len(different), inverse.tolist(), counts.tolist()
        (2, [0, 1, 0], [2, 1])
        """
        return_index, return_inverse = flag("return_index", return_index), flag("return_inverse", return_inverse)
        return_counts, counters = flag("return_counts", return_counts), flag("counters", counters)
        groups = groups_of(self.columns, counters, check_threads(threads))
        different = self[groups.first]
        asked = zip(groups, (return_index, return_inverse, return_counts), strict=True)
        further = [numbers for numbers, wanted in asked if wanted]
        return (different, *further) if further else different
