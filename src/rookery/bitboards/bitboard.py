"""Bitboard: a set of squares in a 64-bit int that prints as a board."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from rookery.arguments import board_number, is_number, is_of_numpy, iterator, mapping, set_as_number, shown, text
from rookery.bitboards.colours import WHITE, Colour
from rookery.bitboards.iteration import ONE_SQUARE, squares_from_highest, subsets
from rookery.bitboards.squares import SQUARE_NAMES, AnyBoard, check_square, parse_square
from rookery.kernel.native import bind_from_wheel, native, provide, uncollected
from rookery.lazy_imports import Named

if TYPE_CHECKING:
    from rookery.bitboards import pictures
else:
    pictures = Named("rookery.bitboards.pictures")

_MASK = (1 << 64) - 1
_and, _or, _xor = int.__and__, int.__or__, int.__xor__

# The methods of `SquareSet` that change it, and what does the same without a change.
_CHANGES: Final[dict[str, str]] = {
    "add": "`bitboard | Bitboard.of(square)` is another board with the square",
    "discard": "`bitboard & ~Bitboard.of(square)` is another board without the square",
    "remove": "`bitboard & ~Bitboard.of(square)` is another board without the square",
    "pop": "`next(iter(bitboard))` is its first square, and `bitboard & bitboard - 1` is another board without it",
    "clear": "`Bitboard.EMPTY` is the board without squares",
    "update": "`bitboard | other` is another board",
    "intersection_update": "`bitboard & other` is another board",
    "difference_update": "`bitboard & ~other` is another board",
    "symmetric_difference_update": "`bitboard ^ other` is another board",
}


@uncollected
class Bitboard(int):
    """A set of squares, stored as an int from 0 to 2**64 - 1 (a1 = bit 0, h8 = bit 63).

    A Bitboard is an int, and works wherever an int does. Its operators (``~``, ``-x``, ``<<``, ``+``, ``*`` and others)
    wrap at 64 bits and return a Bitboard. ``|``, ``&``, ``^`` and ``~`` are union, intersection, symmetric difference
    and complement; ``a & ~b`` is the difference. ``in`` tests a square, iteration yields squares, ``len`` counts them.

    >>> rank = Bitboard(0xFF)
    >>> len(rank)
    8
    >>> 3 in rank
    True
    >>> list(rank & 0x15)
    [0, 2, 4]
    >>> print(~rank & Bitboard.parse('''
    ...     . . . . . . . .
    ...     . . . . . . . .
    ...     . . . . . . . .
    ...     . . . . . . . .
    ...     . . . . . . . .
    ...     . . . . . . . .
    ...     . . . 1 . . . .
    ...     . . . 1 . . . .'''))
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . 1 . . . .
    . . . . . . . .
    """

    __slots__ = ()

    EMPTY: ClassVar["Bitboard"]
    UNIVERSE: ClassVar["Bitboard"]

    def __new__(cls, value: AnyBoard = 0) -> Self:
        """Make a board from its number, or from a `SquareSet`."""
        if type(value) is int and 0 <= value <= _MASK:  # takes a third of the time of the checks below
            return int.__new__(cls, value)
        number = set_as_number(value)
        if not is_number(number):
            raise TypeError(f"Bitboard: {shown(number)} is not a board: expected an int from 0 to 2**64 - 1")
        if not 0 <= number <= _MASK:
            raise ValueError(f"Bitboard: {shown(int(number))} is outside 0 to 2**64 - 1")
        return int.__new__(cls, number)

    @classmethod
    def of(cls, *squares: int | str) -> Self:
        """Return the board of some squares, given by number or by name.

        >>> Bitboard.of("e4", 0)
        Bitboard(0x0000000010000001)
        """
        return cls.from_squares(parse_square(s) if isinstance(s, str) else s for s in squares)

    @classmethod
    def from_squares(cls, squares: Iterable[int]) -> Self:
        """Return the board of an iterable of square numbers.

        >>> Bitboard.from_squares(range(0, 64, 9)).names()
        ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7', 'h8']
        """
        board = 0
        for square in iterator("squares", squares, "an iterable of squares"):
            board |= 1 << check_square(square)
        return int.__new__(cls, board)

    @classmethod
    def parse(cls, drawing: str) -> Self:
        """Read a drawn board: eight lines of eight characters, rank 8 on top, ``.`` for empty and ``1`` for a square.

        Blank lines and blanks between characters are ignored. `parse` reads what `print` writes.

        >>> Bitboard.parse('''
        ... . . . . . . . .
        ... . . . . . . . .
        ... . . . . . . . .
        ... . . . . . . . .
        ... . . . 1 . . . .
        ... . . . . . . . .
        ... . . . . . . . .
        ... 1 . . . . . . .
        ... ''').names()
        ['a1', 'd4']
        """
        lines = text("drawing", drawing, "a text of eight lines").splitlines()
        rows = ["".join(line.split()) for line in lines]
        rows = [row for row in rows if row]
        if len(rows) != 8:
            raise ValueError(f"drawing: {len(rows)} ranks, expected 8")
        board = 0
        for rank, row in zip(range(7, -1, -1), rows, strict=True):
            if len(row) != 8:
                raise ValueError(f"drawing, rank {rank + 1}: {shown(row)} has {len(row)} squares, expected 8")
            for file, character in enumerate(row):
                if character not in ".1":
                    raise ValueError(f"drawing, {SQUARE_NAMES[8 * rank + file]}: {character!r}, expected '.' or '1'")
                board |= (character == "1") << (8 * rank + file)
        return int.__new__(cls, board)

    def draw(self, marks: Mapping[int, str] | None = None) -> str:
        """Draw the board as eight lines, rank 8 on top; `marks` draws another character on some squares.

        >>> print(Bitboard.of("a1", "c1", "h8").draw({0: "R"}))
        . . . . . . . 1
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        R . 1 . . . . .
        """
        given = {} if marks is None else mapping("marks", marks, "texts by square")
        marks = {check_square(square, "marks"): text(f"marks[{square}]", mark) for square, mark in given.items()}
        signs = [*f"{+self:064b}".replace("0", ".")]
        signs.reverse()  # a1 first
        for square, mark in marks.items():
            signs[square] = mark
        return "\n".join([" ".join(signs[first : first + 8]) for first in range(56, -1, -8)])

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        return f"Bitboard(0x{int(self):016x})"

    def __format__(self, spec: str) -> str:
        return format(int(self), spec) if spec else str(self)

    def svg(
        self,
        pieces: Mapping[int, str] | None = None,
        *,
        arrows: "pictures.Arrows" = (),
        orientation: Colour = WHITE,
        coordinates: bool = True,
        size: int = 360,
        title: str = "Bitboard",
    ) -> str:
        """Return a picture of the board as SVG text: a disc on each of its squares, or a ring around a piece.

        `rookery.bitboards.pictures.board_svg` describes the options, and draws several sets at once.

        >>> Bitboard.of("a1", "h8").svg(size=200).count("<circle")
        2
        """
        from rookery.bitboards.pictures import board_svg

        return board_svg(
            pieces,
            sets={"squares": self},
            arrows=arrows,
            orientation=orientation,
            coordinates=coordinates,
            size=size,
            title=title,
        )

    def _repr_svg_(self) -> str:
        """Return a picture for notebooks."""
        return self.svg(size=240)

    # A set of squares.

    # `+board` is the board as a plain int, in a fourth of the time of `int(board)`.

    __len__ = int.bit_count  # takes half the time of a function that calls it

    @native
    def __iter__(self) -> Iterator[int]:
        board = +self
        while board:
            lowest = board & -board
            yield lowest.bit_length() - 1
            board ^= lowest

    def __reversed__(self) -> Iterator[int]:
        return squares_from_highest(+self)

    @native
    def __contains__(self, square: int) -> bool:
        if type(square) is int and 0 <= square <= 63:
            return +self & ONE_SQUARE[square] != 0
        return +self >> check_square(square) & 1 == 1

    def names(self) -> list[str]:
        """Return the names of the squares in ascending order.

        >>> Bitboard(5).names()
        ['a1', 'c1']
        """
        return [SQUARE_NAMES[square] for square in self]

    def tolist(self) -> list[bool]:
        """Return 64 truth values, a1 first.

        >>> Bitboard.of("b1").tolist()[:3]
        [False, True, False]
        """
        return [digit == "1" for digit in f"{+self:064b}"[::-1]]

    def copy(self) -> Self:
        """Return the board itself, since it does not change.

        >>> board = Bitboard.of("a1")
        >>> board.copy() is board
        True
        """
        return self

    def mirror(self) -> Self:
        """Return the board mirrored vertically: a8 for a1.

        >>> Bitboard.of("a1", "b2").mirror().names()
        ['b7', 'a8']
        """
        return self._wrap(int.from_bytes(int(self).to_bytes(8, "little"), "big"))

    def carry_rippler(self) -> Iterator[int]:
        """Iterate over all subsets, as ints.

        >>> list(Bitboard.of("a1", "c1").carry_rippler())
        [0, 1, 4, 5]
        """
        return subsets(int(self))

    def issubset(self, other: AnyBoard) -> bool:
        """Check whether every square of this board is in `other`.

        >>> Bitboard.of("a1").issubset(Bitboard.of("a1", "b1"))
        True
        """
        return not +self & ~_other(other)

    def issuperset(self, other: AnyBoard) -> bool:
        """Check whether every square of `other` is in this board.

        >>> Bitboard.of("a1", "b1").issuperset(Bitboard.of("a1"))
        True
        """
        return not ~+self & _other(other)

    def isdisjoint(self, other: AnyBoard) -> bool:
        """Check whether no square is in both boards.

        >>> Bitboard.of("a1").isdisjoint(Bitboard.of("b1"))
        True
        """
        return not +self & _other(other)

    def union(self, *others: AnyBoard) -> Self:
        """Return the squares that are in this board or in any of the others: ``self | other``.

        >>> Bitboard.of("a1").union(Bitboard.of("b1"), Bitboard.of("c1")).names()
        ['a1', 'b1', 'c1']
        """
        board = +self
        for other in others:
            board |= _other(other, "others")
        return int.__new__(type(self), board)

    def intersection(self, *others: AnyBoard) -> Self:
        """Return the squares that are in this board and in all of the others: ``self & other``.

        >>> Bitboard.of("a1", "b1").intersection(Bitboard.of("b1", "c1")).names()
        ['b1']
        """
        board = +self
        for other in others:
            board &= _other(other, "others")
        return int.__new__(type(self), board)

    def difference(self, *others: AnyBoard) -> Self:
        """Return the squares that are in this board and in none of the others: ``self & ~other``.

        >>> Bitboard.of("a1", "b1").difference(Bitboard.of("b1", "c1")).names()
        ['a1']
        """
        board = +self
        for other in others:
            board &= ~_other(other, "others")
        return int.__new__(type(self), board)

    def symmetric_difference(self, other: AnyBoard) -> Self:
        """Return the squares that are in exactly one of two boards: ``self ^ other``.

        >>> Bitboard.of("a1", "b1").symmetric_difference(Bitboard.of("b1", "c1")).names()
        ['a1', 'c1']
        """
        return int.__new__(type(self), +self ^ _other(other))

    if not TYPE_CHECKING:  # type checkers must still report names that do not exist

        def __getattr__(self, name):
            if name in _CHANGES:
                instead = f"SquareSet(bitboard) is a set that has {name!r}; {_CHANGES[name]}"
                raise AttributeError(f"{name}: a Bitboard does not change: {instead}")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @native
    def __invert__(self) -> Self:
        return int.__new__(type(self), +self ^ _MASK)

    # Arithmetic on one word.

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Run a NumPy function with boards as uint64.

        NumPy itself would take a board for an int64, and return a float for its sum with a uint64.
        """
        import numpy as np

        words = [np.uint64(int(x)) if isinstance(x, Bitboard) else x for x in inputs]
        with np.errstate(over="ignore"):
            try:
                return getattr(ufunc, method)(*words, **options)
            except TypeError:
                kinds = ", ".join(str(getattr(x, "dtype", type(x).__name__)) for x in words)
                raise TypeError(f"{ufunc.__name__}: {kinds}: expected a Bitboard and numbers of uint64") from None

    def _wrap(self, value: int) -> Self:
        return int.__new__(type(self), value & _MASK)

    def __neg__(self) -> Self:
        return self._wrap(-int(self))

    @native
    def __and__(self, other: int, /) -> Self:
        result = _and(self, other)
        return self._with(_and, other) if result is NotImplemented else int.__new__(type(self), result)

    @native
    def __or__(self, other: int, /) -> Self:
        result = _or(self, other)
        return self._with(_or, other) if result is NotImplemented else int.__new__(type(self), result & _MASK)

    @native
    def __xor__(self, other: int, /) -> Self:
        result = _xor(self, other)
        return self._with(_xor, other) if result is NotImplemented else int.__new__(type(self), result & _MASK)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def _with(self, operate: Callable[[int, int], int], other: Any) -> Any:
        """Return the result of an operator for a number of NumPy, whose own operator would run with its own width."""
        return self._wrap(operate(self, int(other))) if is_of_numpy(other, "integer") else NotImplemented

    if TYPE_CHECKING:  # `_word_operator` makes them, see below

        def __add__(self, other: int, /) -> Self: ...
        def __sub__(self, other: int, /) -> Self: ...
        def __mul__(self, other: int, /) -> Self: ...
        def __floordiv__(self, other: int, /) -> Self: ...
        def __mod__(self, other: int, /) -> Self: ...
        def __lshift__(self, other: int, /) -> Self: ...
        def __rshift__(self, other: int, /) -> Self: ...


def _other(other: AnyBoard, name: str = "other") -> int:
    return +other if type(other) is Bitboard else board_number(name, other)


def _word_operator(name: str) -> Callable[[Bitboard, Any], Any]:
    operate, new = getattr(int, name), int.__new__

    def method(self: Bitboard, other: Any) -> Any:
        result = operate(self, other)
        return self._with(operate, other) if result is NotImplemented else new(type(self), result & _MASK)

    method.__name__ = name
    return method


def _shift_operator(name: str, *, left: bool, reflected: bool) -> Callable[[Bitboard, Any], Any]:
    """Return an operator that shifts by 64 squares at most: a longer int would take memory without bound."""
    new = int.__new__

    def method(self: Bitboard, other: Any) -> Any:
        if type(other) is int and 0 <= other <= 64 and not reflected:  # takes half the time of the rest
            return new(type(self), +self << other & _MASK if left else +self >> other)
        if not isinstance(other, int) and not is_of_numpy(other, "integer"):
            return NotImplemented
        number, by = (int(other), int(self)) if reflected else (int(self), int(other))
        if by < 0:
            raise ValueError(f"shift: {shown(by)}: expected a number of squares, an int of at least 0")
        return self._wrap(number << min(by, 64) if left else number >> min(by, 64))

    method.__name__ = name
    return method


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    setattr(Bitboard, f"__{_name}__", _word_operator(f"__{_name}__"))
    setattr(Bitboard, f"__r{_name}__", _word_operator(f"__r{_name}__"))
for _name in ("lshift", "rshift"):
    for _reflected in (False, True):
        _method = f"__{'r' if _reflected else ''}{_name}__"
        setattr(Bitboard, _method, _shift_operator(_method, left=_name == "lshift", reflected=_reflected))

# Make a Bitboard of an int that is known to be a board. `Bitboard(...)` checks it and takes four times as long.
board_of: Callable[[int], Bitboard] = functools.partial(int.__new__, Bitboard)

Bitboard.EMPTY = Bitboard(0)
Bitboard.UNIVERSE = Bitboard(_MASK)

provide("Bitboard", Bitboard)
bind_from_wheel(Bitboard)
