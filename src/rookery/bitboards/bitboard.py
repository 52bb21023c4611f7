"""Bitboard: a set of squares in a 64-bit int that prints as a board."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from rookery.arguments import board_number, is_number, is_of_numpy, iterator, mapping, set_as_number, shown, text
from rookery.bitboards.colours import WHITE, Colour
from rookery.bitboards.iteration import squares_of, subsets
from rookery.bitboards.squares import SQUARE_NAMES, AnyBoard, check_square, parse_square

if TYPE_CHECKING:
    from rookery.pictures import Arrows

_MASK = (1 << 64) - 1

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
        return "\n".join(
            " ".join(marks.get(8 * rank + file, "1" if self >> (8 * rank + file) & 1 else ".") for file in range(8))
            for rank in range(7, -1, -1)
        )

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
        arrows: "Arrows" = (),
        orientation: Colour = WHITE,
        coordinates: bool = True,
        size: int = 360,
        title: str = "Bitboard",
    ) -> str:
        """Return a picture of the board as SVG text: a disc on each of its squares, or a ring around a piece.

        `rookery.pictures.board_svg` describes the options, and draws several sets at once.

        >>> Bitboard.of("a1", "h8").svg(size=200).count("<circle")
        2
        """
        from rookery.pictures import board_svg

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

    def __len__(self) -> int:
        return self.bit_count()

    def __bool__(self) -> bool:
        return int(self) != 0

    def __iter__(self) -> Iterator[int]:
        return squares_of(int(self))

    def __reversed__(self) -> Iterator[int]:
        board = int(self)
        while board:
            square = board.bit_length() - 1
            yield square
            board ^= 1 << square

    def __contains__(self, square: int) -> bool:
        return int(self) >> check_square(square) & 1 == 1

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
        return [int(self) >> square & 1 == 1 for square in range(64)]

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
        return not int(self) & ~_other(other)

    def issuperset(self, other: AnyBoard) -> bool:
        """Check whether every square of `other` is in this board.

        >>> Bitboard.of("a1", "b1").issuperset(Bitboard.of("a1"))
        True
        """
        return not _other(other) & ~int(self)

    def isdisjoint(self, other: AnyBoard) -> bool:
        """Check whether no square is in both boards.

        >>> Bitboard.of("a1").isdisjoint(Bitboard.of("b1"))
        True
        """
        return not int(self) & _other(other)

    def union(self, *others: AnyBoard) -> Self:
        """Return the squares that are in this board or in any of the others: ``self | other``.

        >>> Bitboard.of("a1").union(Bitboard.of("b1"), Bitboard.of("c1")).names()
        ['a1', 'b1', 'c1']
        """
        board = int(self)
        for other in others:
            board |= _other(other, "others")
        return self._wrap(board)

    def intersection(self, *others: AnyBoard) -> Self:
        """Return the squares that are in this board and in all of the others: ``self & other``.

        >>> Bitboard.of("a1", "b1").intersection(Bitboard.of("b1", "c1")).names()
        ['b1']
        """
        board = int(self)
        for other in others:
            board &= _other(other, "others")
        return self._wrap(board)

    def difference(self, *others: AnyBoard) -> Self:
        """Return the squares that are in this board and in none of the others: ``self & ~other``.

        >>> Bitboard.of("a1", "b1").difference(Bitboard.of("b1", "c1")).names()
        ['a1']
        """
        board = int(self)
        for other in others:
            board &= ~_other(other, "others")
        return self._wrap(board)

    def symmetric_difference(self, other: AnyBoard) -> Self:
        """Return the squares that are in exactly one of two boards: ``self ^ other``.

        >>> Bitboard.of("a1", "b1").symmetric_difference(Bitboard.of("b1", "c1")).names()
        ['a1', 'c1']
        """
        return self._wrap(int(self) ^ _other(other))

    if not TYPE_CHECKING:  # type checkers must still report names that do not exist

        def __getattr__(self, name):
            if name in _CHANGES:
                instead = f"SquareSet(bitboard) is a set that has {name!r}; {_CHANGES[name]}"
                raise AttributeError(f"{name}: a Bitboard does not change: {instead}")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __invert__(self) -> Self:
        return self._wrap(~int(self))

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

    if TYPE_CHECKING:  # `_word_operator` makes them, see below

        def __and__(self, other: int, /) -> Self: ...
        def __or__(self, other: int, /) -> Self: ...
        def __xor__(self, other: int, /) -> Self: ...
        def __add__(self, other: int, /) -> Self: ...
        def __sub__(self, other: int, /) -> Self: ...
        def __mul__(self, other: int, /) -> Self: ...
        def __floordiv__(self, other: int, /) -> Self: ...
        def __mod__(self, other: int, /) -> Self: ...
        def __lshift__(self, other: int, /) -> Self: ...
        def __rshift__(self, other: int, /) -> Self: ...
        def __rand__(self, other: int, /) -> Self: ...
        def __ror__(self, other: int, /) -> Self: ...
        def __rxor__(self, other: int, /) -> Self: ...


def _other(other: AnyBoard, name: str = "other") -> int:
    return int(other) if type(other) is Bitboard else board_number(name, other)


def _word_operator(name: str) -> Callable[[Bitboard, Any], Any]:
    operate = getattr(int, name)

    def method(self: Bitboard, other: Any) -> Any:
        if is_of_numpy(other, "integer"):
            other = int(other)  # else NumPy's operator would run, with its own width
        result = operate(self, other)
        return result if result is NotImplemented else self._wrap(result)

    method.__name__ = name
    return method


def _shift_operator(name: str, *, left: bool, reflected: bool) -> Callable[[Bitboard, Any], Any]:
    """Return an operator that shifts by 64 squares at most: a longer int would take memory without bound."""

    def method(self: Bitboard, other: Any) -> Any:
        if not isinstance(other, int) and not is_of_numpy(other, "integer"):
            return NotImplemented
        number, by = (int(other), int(self)) if reflected else (int(self), int(other))
        if by < 0:
            raise ValueError(f"shift: {shown(by)}: expected a number of squares, an int of at least 0")
        return self._wrap(number << min(by, 64) if left else number >> min(by, 64))

    method.__name__ = name
    return method


for _name in ("and", "or", "xor", "add", "sub", "mul", "floordiv", "mod"):
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
