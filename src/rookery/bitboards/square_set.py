"""SquareSet: a mutable set of squares, as in python-chess. A `Bitboard` is the immutable one."""

from collections.abc import Iterable, Iterator, MutableSet
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from rookery.arguments import UNIVERSE, board_number, is_number, shown
from rookery.bitboards import lines
from rookery.bitboards.bitboard import Bitboard, board_of
from rookery.bitboards.iteration import ONE_SQUARE, squares_from_highest, squares_of, subsets
from rookery.bitboards.squares import check_square
from rookery.kernel.native import bind_from_wheel, native, provide, uncollected, word_holder

Squares: TypeAlias = "int | SquareSet | Iterable[int]"


def _board_of(squares: Squares, name: str = "squares") -> int:
    """Return squares as a board, given as a board, a set or an iterable of squares."""
    if type(squares) is int and 0 <= squares <= UNIVERSE:
        return squares
    if isinstance(squares, SquareSet):
        return squares._board
    if is_number(squares):
        return board_number(name, squares)
    if isinstance(squares, Iterable):
        board = 0
        for square in squares:
            board |= ONE_SQUARE[check_square(square, name)]
        return board
    raise TypeError(f"{name}: {shown(squares)}: expected a board, or an iterable of squares")


def _shift_of(shift: Any) -> int:
    """Return by how many squares to shift a set: 64 for any larger number, which leaves none."""
    if type(shift) is int and 0 <= shift <= 64:
        return shift
    if not is_number(shift):
        raise TypeError(f"shift: {shown(shift)}: expected a number of squares, an int of at least 0")
    if shift < 0:
        raise ValueError(f"shift: {shown(int(shift))}: expected a number of squares, an int of at least 0")
    return min(int(shift), 64)


if TYPE_CHECKING:

    class _Word:
        """The class that `word_holder` returns, for type checkers."""

        __slots__ = ("_board",)
        _board: int

else:
    _Word = word_holder("rookery.bitboards.square_set.Word", "_board")


@uncollected
class SquareSet(_Word, MutableSet[int]):
    """A mutable set of squares.

    `squares` is a board (an int whose bit n is square n) or an iterable of squares. Methods that take another set also
    take these. A set equals a `SquareSet`, a `Bitboard` or an int with the same squares.

    >>> squares = SquareSet([0, 7])
    >>> squares.add(63)
    >>> squares.names()
    ['a1', 'h1', 'h8']
    >>> squares |= 0xFF
    >>> len(squares)
    9
    >>> 8 in squares
    False
    >>> hex(squares)
    '0x80000000000000ff'
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # it is mutable

    @native
    def __init__(self, squares: Squares = 0) -> None:
        if type(squares) is int and 0 <= squares <= UNIVERSE:  # takes half the time of a call of `_board_of`
            self._board = squares
        else:
            self._board = _board_of(squares)

    @classmethod
    def _of(cls, board: int) -> Self:
        """Return the set of a board that is in range."""
        result = cls.__new__(cls)
        result._board = +board  # no Bitboard, which `__index__` must not return
        return result

    @classmethod
    def from_square(cls, square: int) -> Self:
        """Return the set of one square.

        >>> SquareSet.from_square(28).names()
        ['e4']
        """
        return cls._of(ONE_SQUARE[check_square(square)])

    @classmethod
    def between(cls, a: int, b: int) -> Self:
        """Return the squares strictly between two squares on one line.

        >>> SquareSet.between(0, 3).names()
        ['b1', 'c1']
        """
        return cls._of(lines.between(a, b))

    @classmethod
    def ray(cls, a: int, b: int) -> Self:
        """Return the line through two squares, from edge to edge, or the empty set if they are not on one line.

        >>> SquareSet.ray(0, 9).names()
        ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7', 'h8']
        """
        return cls._of(lines.line(a, b))

    # Reading.

    @native
    def __contains__(self, square: object) -> bool:
        if type(square) is int and 0 <= square <= 63:
            return self._board & ONE_SQUARE[square] != 0
        return self._board >> check_square(square) & 1 == 1  # type: ignore[arg-type]  # anything but a square is an error

    @native
    def __iter__(self) -> Iterator[int]:
        return squares_of(self._board)

    def __reversed__(self) -> Iterator[int]:
        return squares_from_highest(self._board)

    @native
    def __len__(self) -> int:
        return self._board.bit_count()

    @native
    def __bool__(self) -> bool:
        return self._board != 0

    def __int__(self) -> int:
        return self._board

    __index__ = __int__

    def __repr__(self) -> str:
        return f"SquareSet(0x{self._board:016x})"

    def __str__(self) -> str:
        return str(board_of(self._board))

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks."""
        return board_of(self._board)._repr_svg_()

    def bitboard(self) -> Bitboard:
        """Return the same squares as a `Bitboard`.

        >>> SquareSet([0, 1]).bitboard()
        Bitboard(0x0000000000000003)
        """
        return board_of(self._board)

    def names(self) -> list[str]:
        """Return the names of the squares in ascending order.

        >>> SquareSet([8, 0]).names()
        ['a1', 'a2']
        """
        return board_of(self._board).names()

    def tolist(self) -> list[bool]:
        """Return 64 truth values, a1 first.

        >>> SquareSet([1]).tolist()[:3]
        [False, True, False]
        """
        return board_of(self._board).tolist()

    def mirror(self) -> Self:
        """Return the set mirrored vertically: a8 for a1.

        >>> SquareSet([0, 9]).mirror().names()
        ['b7', 'a8']
        """
        return self._of(int.from_bytes(self._board.to_bytes(8, "little"), "big"))

    def carry_rippler(self) -> Iterator[int]:
        """Iterate over all subsets, as ints.

        >>> list(SquareSet([0, 2]).carry_rippler())
        [0, 1, 4, 5]
        """
        return subsets(self._board)

    # Comparing.

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SquareSet) or is_number(other):
            return self._board == int(other)  # type: ignore[call-overload,no-any-return]
        return NotImplemented

    def __le__(self, other: Any) -> bool:
        return self.issubset(other)

    def __ge__(self, other: Any) -> bool:
        return self.issuperset(other)

    def __lt__(self, other: Any) -> bool:
        return self.issubset(other) and self != other

    def __gt__(self, other: Any) -> bool:
        return self.issuperset(other) and self != other

    def isdisjoint(self, other: Squares) -> bool:
        """Check whether no square is in both sets.

        >>> SquareSet([0]).isdisjoint([1])
        True
        """
        return not self._board & _board_of(other, "other")

    def issubset(self, other: Squares) -> bool:
        """Check whether every square is in `other`.

        >>> SquareSet([0]).issubset([0, 1])
        True
        """
        return not self._board & ~_board_of(other, "other")

    def issuperset(self, other: Squares) -> bool:
        """Check whether every square of `other` is in this set.

        >>> SquareSet([0, 1]).issuperset([0])
        True
        """
        return not _board_of(other, "other") & ~self._board

    # New sets.

    def copy(self) -> Self:
        """Return an independent copy.

        >>> squares = SquareSet([0])
        >>> copy = squares.copy()
        >>> copy.clear()
        >>> squares.names()
        ['a1']
        """
        return self._of(self._board)

    __copy__ = copy

    def union(self, *others: Squares) -> Self:
        """Return the squares that are in this set or in any of the others.

        >>> SquareSet([0]).union([1], [2]).names()
        ['a1', 'b1', 'c1']
        """
        board = self._board
        for other in others:
            board |= _board_of(other, "others")
        return self._of(board)

    def intersection(self, *others: Squares) -> Self:
        """Return the squares that are in this set and in all of the others.

        >>> SquareSet([0, 1]).intersection([1, 2]).names()
        ['b1']
        """
        board = self._board
        for other in others:
            board &= _board_of(other, "others")
        return self._of(board)

    def difference(self, *others: Squares) -> Self:
        """Return the squares that are in this set and in none of the others.

        >>> SquareSet([0, 1]).difference([1, 2]).names()
        ['a1']
        """
        board = self._board
        for other in others:
            board &= ~_board_of(other, "others")
        return self._of(board)

    def symmetric_difference(self, other: Squares) -> Self:
        """Return the squares that are in exactly one of the two sets.

        >>> SquareSet([0, 1]).symmetric_difference([1, 2]).names()
        ['a1', 'c1']
        """
        return self._of(self._board ^ _board_of(other, "other"))

    @native
    def __or__(self, other: Any) -> Self:
        return self._of(self._board | (other._board if type(other) is SquareSet else _board_of(other, "others")))

    @native
    def __and__(self, other: Any) -> Self:
        return self._of(self._board & (other._board if type(other) is SquareSet else _board_of(other, "others")))

    @native
    def __sub__(self, other: Any) -> Self:
        return self._of(self._board & ~(other._board if type(other) is SquareSet else _board_of(other, "others")))

    @native
    def __xor__(self, other: Any) -> Self:
        return self._of(self._board ^ (other._board if type(other) is SquareSet else _board_of(other, "other")))

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __rsub__(self, other: Any) -> Self:
        return self._of(_board_of(other, "other") & ~self._board)

    @native
    def __invert__(self) -> Self:
        return self._of(self._board ^ UNIVERSE)

    def __lshift__(self, shift: int) -> Self:
        return self._of(self._board << _shift_of(shift) & UNIVERSE)

    def __rshift__(self, shift: int) -> Self:
        return self._of(self._board >> _shift_of(shift))

    # Changing.

    @native
    def add(self, square: int) -> None:
        """Add a square.

        >>> squares = SquareSet()
        >>> squares.add(28)
        >>> squares.names()
        ['e4']
        """
        if type(square) is int and 0 <= square <= 63:
            self._board |= ONE_SQUARE[square]
        else:
            self._board |= ONE_SQUARE[check_square(square)]

    @native
    def discard(self, square: int) -> None:
        """Remove a square if it is in the set.

        >>> squares = SquareSet([0, 1])
        >>> squares.discard(0)
        >>> squares.discard(63)
        >>> squares.names()
        ['b1']
        """
        if type(square) is int and 0 <= square <= 63:
            self._board &= ~ONE_SQUARE[square]
        else:
            self._board &= ~ONE_SQUARE[check_square(square)]

    def remove(self, square: int) -> None:
        """Remove a square; raise a KeyError if it is not in the set.

        >>> squares = SquareSet([0, 1])
        >>> squares.remove(0)
        >>> squares.names()
        ['b1']
        """
        if square not in self:
            raise KeyError(square)
        self.discard(square)

    def pop(self) -> int:
        """Remove and return the lowest square; raise a KeyError if the set is empty.

        >>> squares = SquareSet([5, 9])
        >>> squares.pop()
        5
        >>> squares.names()
        ['b2']
        """
        if not self._board:
            raise KeyError("pop: the set is empty")
        lowest = self._board & -self._board
        self._board ^= lowest
        return lowest.bit_length() - 1

    def clear(self) -> None:
        """Remove all squares.

        >>> squares = SquareSet([0])
        >>> squares.clear()
        >>> len(squares)
        0
        """
        self._board = 0

    def update(self, *others: Squares) -> None:
        """Add the squares of other sets.

        >>> squares = SquareSet([0])
        >>> squares.update([1], 1 << 2)
        >>> squares.names()
        ['a1', 'b1', 'c1']
        """
        for other in others:
            self._board |= _board_of(other, "others")

    def intersection_update(self, *others: Squares) -> None:
        """Keep the squares that are in all of the other sets.

        >>> squares = SquareSet([0, 1])
        >>> squares.intersection_update([1, 2])
        >>> squares.names()
        ['b1']
        """
        for other in others:
            self._board &= _board_of(other, "others")

    def difference_update(self, *others: Squares) -> None:
        """Remove the squares of other sets.

        >>> squares = SquareSet([0, 1])
        >>> squares.difference_update([1, 2])
        >>> squares.names()
        ['a1']
        """
        for other in others:
            self._board &= ~_board_of(other, "others")

    def symmetric_difference_update(self, other: Squares) -> None:
        """Keep the squares that are in exactly one of the two sets.

        >>> squares = SquareSet([0, 1])
        >>> squares.symmetric_difference_update([1, 2])
        >>> squares.names()
        ['a1', 'c1']
        """
        self._board ^= _board_of(other, "other")

    def __ior__(self, other: Any) -> Self:
        self._board |= _board_of(other, "others")
        return self

    def __iand__(self, other: Any) -> Self:
        self._board &= _board_of(other, "others")
        return self

    def __isub__(self, other: Any) -> Self:
        self._board &= ~_board_of(other, "others")
        return self

    def __ixor__(self, other: Any) -> Self:
        self._board ^= _board_of(other, "other")
        return self

    def __ilshift__(self, shift: int) -> Self:
        self._board = self._board << _shift_of(shift) & UNIVERSE
        return self

    def __irshift__(self, shift: int) -> Self:
        self._board >>= _shift_of(shift)
        return self


provide("SquareSet", SquareSet)
bind_from_wheel(SquareSet)
