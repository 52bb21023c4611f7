"""Bitboard: an int of 64 bits that is a set of squares, and looks like a board."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from rookery.arguments import board_number, iterator, mapping, shown, text
from rookery.bits import squares_of
from rookery.colours import WHITE, Colour
from rookery.kernel import wrapping
from rookery.squares import SQUARE_NAMES, check_square, parse_square

if TYPE_CHECKING:
    from rookery.pictures import Arrows

_MASK = (1 << 64) - 1


class Bitboard(int):
    """A set of squares in an int from 0 to 2**64 - 1 (a1 = bit 0, h8 = bit 63).

    It is an int everywhere an int will do, but stays one word: ``~``, ``-x``, ``<<``, ``+``, ``*`` and the
    like wrap at 64 bits and give a Bitboard. ``|``, ``&``, ``^``, ``~`` are the set algebra (``a & ~b`` is the
    difference), ``in`` and iteration speak of squares, ``len`` counts them.

    >>> rank = Bitboard(0xFF)
    >>> len(rank), 3 in rank, list(rank & 0x15)
    (8, True, [0, 2, 4])
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

    def __new__(cls, value: int = 0) -> Self:
        """A board from its number."""
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
            raise TypeError(f"Bitboard: {shown(value)} is no board: expected an int from 0 to 2**64 - 1")
        if not 0 <= value <= _MASK:
            raise ValueError(f"Bitboard: {shown(int(value))} is outside 0 to 2**64 - 1")
        return int.__new__(cls, value)

    @classmethod
    def of(cls, *squares: int | str) -> Self:
        """The board of these squares, by number or by name: ``Bitboard.of("e4", 0)``.

        >>> Bitboard.of("e4", 0)
        Bitboard(0x0000000010000001)
        """
        return cls.from_squares(parse_square(s) if isinstance(s, str) else s for s in squares)

    @classmethod
    def from_squares(cls, squares: Iterable[int]) -> Self:
        """The board of an iterable of square numbers.

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

        Blank lines and the blanks between characters are free. What `print` writes is read back.

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
            for file, sign in enumerate(row):
                if sign not in ".1":
                    raise ValueError(f"drawing, {SQUARE_NAMES[8 * rank + file]}: {sign!r}, expected '.' or '1'")
                board |= (sign == "1") << (8 * rank + file)
        return int.__new__(cls, board)

    def draw(self, marks: Mapping[int, str] | None = None) -> str:
        """The board as eight lines, rank 8 on top; `marks` puts another character on some squares.

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
        marks = {check_square(square, "marks"): text(f"marks[{square}]", sign) for square, sign in given.items()}
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
        """The board as a picture, a text of SVG: a disc on each of its squares, or a ring round a piece.

        What may be on it besides is said at `rookery.pictures.board_svg`, which also draws several sets at once.

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
        """A picture for notebooks."""
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
        """The names of the squares, ascending: ``Bitboard(5).names()`` is ``['a1', 'c1']``.

        >>> Bitboard(0x8100000000000081).names()
        ['a1', 'h1', 'a8', 'h8']
        """
        return [SQUARE_NAMES[square] for square in self]

    def issubset(self, other: int) -> bool:
        """Whether every square of this board is in `other`.

        >>> Bitboard.of("a1").issubset(Bitboard.of("a1", "b1"))
        True
        """
        return not int(self) & ~_other(other)

    def issuperset(self, other: int) -> bool:
        """Whether every square of `other` is in this board.

        >>> Bitboard.of("a1", "b1").issuperset(Bitboard.of("a1"))
        True
        """
        return not _other(other) & ~int(self)

    def isdisjoint(self, other: int) -> bool:
        """Whether no square is in both.

        >>> Bitboard.of("a1").isdisjoint(Bitboard.of("b1"))
        True
        """
        return not int(self) & _other(other)

    def difference(self, other: int) -> Self:
        """The squares of this board that are not in `other`: ``self & ~other``.

        >>> Bitboard.of("a1", "b1").difference(Bitboard.of("b1", "c1")).names()
        ['a1']
        """
        return self._wrap(int(self) & ~_other(other))

    def __invert__(self) -> Self:
        return self._wrap(~int(self))

    # Arithmetic of one word.

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Beside NumPy's numbers and arrays a board is a uint64. Left to itself NumPy takes the int it is for an
        int64, and makes floats of the sum.
        """
        words = [np.uint64(int(x)) if isinstance(x, Bitboard) else x for x in inputs]
        with wrapping():
            return getattr(ufunc, method)(*words, **options)

    def _wrap(self, value: int) -> Self:
        return int.__new__(type(self), value & _MASK)

    def __neg__(self) -> Self:
        return self._wrap(-int(self))

    if TYPE_CHECKING:  # set below, for all alike

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


def _other(other: int) -> int:
    return int(other) if type(other) is Bitboard else board_number("other", other)


def _word_operator(name: str) -> Callable[[Bitboard, Any], Any]:
    operate = getattr(int, name)

    def method(self: Bitboard, other: Any) -> Any:
        if isinstance(other, np.integer):
            other = int(other)  # else NumPy's own operator would answer, with its own width
        result = operate(self, other)
        return result if result is NotImplemented else self._wrap(result)

    method.__name__ = name
    return method


for _name in ("and", "or", "xor", "add", "sub", "mul", "floordiv", "mod", "lshift", "rshift"):
    setattr(Bitboard, f"__{_name}__", _word_operator(f"__{_name}__"))
    setattr(Bitboard, f"__r{_name}__", _word_operator(f"__r{_name}__"))

# A board of a number known to be one: to look whether it is takes four times as long.
board_of: Callable[[int], Bitboard] = functools.partial(int.__new__, Bitboard)

Bitboard.EMPTY = Bitboard(0)
Bitboard.UNIVERSE = Bitboard(_MASK)
