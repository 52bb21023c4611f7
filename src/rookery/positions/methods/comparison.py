"""The methods of `Positions` that compare: Zobrist keys and unique positions."""

from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_threads, flag
from rookery.frames.array_arguments import Boards
from rookery.lazy_imports import modules_later
from rookery.positions import threads as run
from rookery.positions.methods.position_array import PositionArray
from rookery.rules.constants import default_tables

if TYPE_CHECKING:
    from rookery.positions import keys
else:
    (keys,) = modules_later("rookery.positions", "keys")


Numbers: TypeAlias = NDArray[np.int64]


class ComparisonMethods(PositionArray):
    """Keys and equality."""

    __slots__ = ()

    def keys(self, *, out: Boards | None = None, threads: int = 1) -> NDArray[np.uint64]:
        """Return the Zobrist key of each position, equal to `Board.key`: uint64, (n,).

        The key covers the pieces, the side to move, the castling rights, and the en-passant file if a capture is legal.
        Counters and the chess variant do not matter. Keys are the same in every process and on every machine. Two
        different positions have the same key with a probability of 1 in 2**64; `unique` is exact.

        >>> positions = Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")])
        >>> positions.keys().tolist() == [board.key for board in positions]
        True
        """
        out = self._output(out, (len(self),), np.uint64)
        no_targets = np.empty(0, np.uint64)
        tables = default_tables()
        run.over(keys.keys, threads, len(self), self.columns, out, no_targets, tables, room=keys.key_room)
        return out

    def polyglot_keys(self, *, out: Boards | None = None, threads: int = 1) -> NDArray[np.uint64]:
        """Return the key of each position in opening books of Polyglot's format, equal to `Board.polyglot_key`.

        The keys are uint64, (n,). An en-passant square counts if a pawn stands where it could capture, as the format
        says, whether or not the capture is legal. See `rookery.Book`.

        >>> [hex(key) for key in Positions.from_boards([Board()]).polyglot_keys()]
        ['0x463b96181691fc9c']
        """
        out = self._output(out, (len(self),), np.uint64)
        run.over(keys.polyglot_keys, threads, len(self), self.columns, out, room=keys.key_room)
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
        """Return the different positions, in the order in which they first occur (`numpy.unique` would sort them).

        Two positions are the same if their pieces, side to move, castling rights and legal en-passant captures are.
        Counters, the chess variant and en-passant squares that allow no capture do not matter. With ``counters=True``
        the counters must be equal, too, as for ``==`` of boards. Positions are compared word by word, not only by their
        keys.

        With any of the three arguments of `numpy.unique` the result is a tuple, in this order: the different positions;
        the index of each in the array (int64); for each position of the array its index among the different ones
        (int64, so that ``different[inverse]`` restores the array); the number of occurrences of each (int64).

        >>> boards = [Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"), Board()]
        >>> different, inverse, counts = Positions.from_boards(boards).unique(return_inverse=True, return_counts=True)
        >>> len(different)
        2
        >>> inverse.tolist()
        [0, 1, 0]
        >>> counts.tolist()
        [2, 1]
        """
        return_index, return_inverse = flag("return_index", return_index), flag("return_inverse", return_inverse)
        return_counts, counters = flag("return_counts", return_counts), flag("counters", counters)
        groups = keys.groups_of(self.columns, counters, check_threads(threads))
        different = self[groups.first]
        selected = zip(groups, (return_index, return_inverse, return_counts), strict=True)
        further = [numbers for numbers, wanted in selected if wanted]
        return (different, *further) if further else different
