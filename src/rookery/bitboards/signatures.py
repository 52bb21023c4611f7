"""The types of functions that return a `Bitboard` for one square or board, and an array for several.

Each class is the type of some functions, with one overload for each type of result. The decorator of the same name
gives a function this type and returns it unchanged. The types also describe methods.
"""

from collections.abc import Callable
from typing import Any, Protocol, Self, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import AnyBoard, Colour, Direction, Integer, Integers
from rookery.bitboards.bitboard import Bitboard

Boards: TypeAlias = NDArray[np.uint64]
Function: TypeAlias = Callable[..., Any]


class _Function(Protocol):
    """The attributes that these types share with functions and methods."""

    __name__: str

    def __get__(self, instance: object, owner: type | None = None, /) -> Self: ...


class LeaperAttacks(_Function, Protocol):
    """The attacks of a knight or a king."""

    @overload
    def __call__(self, square: Integer, out: None = None) -> Bitboard: ...

    @overload
    def __call__(self, square: Integers, out: Boards | None = None) -> Boards: ...

    @overload
    def __call__(self, square: Integer, out: Boards) -> Boards: ...

    @overload
    def __call__(self, square: Integer | Integers, out: Boards | None = None) -> Bitboard | Boards: ...


class PawnAttacks(_Function, Protocol):
    """The attacks of a pawn."""

    @overload
    def __call__(self, colour: Colour, square: Integer, out: None = None) -> Bitboard: ...

    @overload
    def __call__(self, colour: Colour, square: Integers, out: Boards | None = None) -> Boards: ...

    @overload
    def __call__(self, colour: Colour, square: Integer, out: Boards) -> Boards: ...

    @overload
    def __call__(self, colour: Colour, square: Integer | Integers, out: Boards | None = None) -> Bitboard | Boards: ...


class SliderAttacks(_Function, Protocol):
    """The attacks of a slider, or along one of its lines."""

    @overload
    def __call__(self, square: Integer, occupied: AnyBoard, out: None = None) -> Bitboard: ...

    @overload
    def __call__(self, square: Integers, occupied: AnyBoard | Integers, out: Boards | None = None) -> Boards: ...

    @overload
    def __call__(self, square: Integer, occupied: Integers, out: Boards | None = None) -> Boards: ...

    @overload
    def __call__(self, square: Integer, occupied: AnyBoard, out: Boards) -> Boards: ...

    @overload
    def __call__(
        self, square: Integer | Integers, occupied: AnyBoard | Integers, out: Boards | None = None
    ) -> Bitboard | Boards: ...


class RayAttacks(_Function, Protocol):
    """The attacks of a slider in a direction."""

    @overload
    def __call__(self, direction: Direction, square: Integer, occupied: AnyBoard, out: None = None) -> Bitboard: ...

    @overload
    def __call__(
        self, direction: Direction, square: Integers, occupied: AnyBoard | Integers, out: Boards | None = None
    ) -> Boards: ...

    @overload
    def __call__(
        self, direction: Direction, square: Integer, occupied: Integers, out: Boards | None = None
    ) -> Boards: ...

    @overload
    def __call__(self, direction: Direction, square: Integer, occupied: AnyBoard, out: Boards) -> Boards: ...

    @overload
    def __call__(
        self, direction: Direction, square: Integer | Integers, occupied: AnyBoard | Integers, out: Boards | None = None
    ) -> Bitboard | Boards: ...


class MoverAttacks(_Function, Protocol):
    """The attacks of a slider or along a line, given by name."""

    @overload
    def __call__(self, mover: str | int, square: Integer, occupied: AnyBoard, out: None = None) -> Bitboard: ...

    @overload
    def __call__(
        self, mover: str | int, square: Integers, occupied: AnyBoard | Integers, out: Boards | None = None
    ) -> Boards: ...

    @overload
    def __call__(self, mover: str | int, square: Integer, occupied: Integers, out: Boards | None = None) -> Boards: ...

    @overload
    def __call__(self, mover: str | int, square: Integer, occupied: AnyBoard, out: Boards) -> Boards: ...

    @overload
    def __call__(
        self, mover: str | int, square: Integer | Integers, occupied: AnyBoard | Integers, out: Boards | None = None
    ) -> Bitboard | Boards: ...


class Fill(_Function, Protocol):
    """A fill in a direction."""

    @overload
    def __call__(self, direction: Direction, sliders: AnyBoard, empty: AnyBoard, out: None = None) -> Bitboard: ...

    @overload
    def __call__(
        self, direction: Direction, sliders: Integers, empty: AnyBoard | Integers, out: Boards | None = None
    ) -> Boards: ...

    @overload
    def __call__(
        self, direction: Direction, sliders: AnyBoard, empty: Integers, out: Boards | None = None
    ) -> Boards: ...

    @overload
    def __call__(self, direction: Direction, sliders: AnyBoard, empty: AnyBoard, out: Boards) -> Boards: ...

    @overload
    def __call__(
        self, direction: Direction, sliders: AnyBoard | Integers, empty: AnyBoard | Integers, out: Boards | None = None
    ) -> Bitboard | Boards: ...


class FillByTechnique(_Function, Protocol):
    """A fill in a direction by a technique."""

    @overload
    def __call__(
        self, direction: Direction, sliders: AnyBoard, empty: AnyBoard, technique: str = "kogge-stone", out: None = None
    ) -> Bitboard: ...

    @overload
    def __call__(
        self,
        direction: Direction,
        sliders: Integers,
        empty: AnyBoard | Integers,
        technique: str = "kogge-stone",
        out: Boards | None = None,
    ) -> Boards: ...

    @overload
    def __call__(
        self,
        direction: Direction,
        sliders: AnyBoard,
        empty: Integers,
        technique: str = "kogge-stone",
        out: Boards | None = None,
    ) -> Boards: ...

    @overload
    def __call__(
        self, direction: Direction, sliders: AnyBoard, empty: AnyBoard, technique: str = "kogge-stone", *, out: Boards
    ) -> Boards: ...

    @overload
    def __call__(
        self,
        direction: Direction,
        sliders: AnyBoard | Integers,
        empty: AnyBoard | Integers,
        technique: str = "kogge-stone",
        out: Boards | None = None,
    ) -> Bitboard | Boards: ...


def leaper_attacks(function: Function) -> LeaperAttacks:
    """Give a function the type `LeaperAttacks`."""
    return function


def pawn_attacks(function: Function) -> PawnAttacks:
    """Give a function the type `PawnAttacks`."""
    return function


def slider_attacks(function: Function) -> SliderAttacks:
    """Give a function the type `SliderAttacks`."""
    return function


def ray_attacks(function: Function) -> RayAttacks:
    """Give a function the type `RayAttacks`."""
    return function


def mover_attacks(function: Function) -> MoverAttacks:
    """Give a function the type `MoverAttacks`."""
    return function


def fill(function: Function) -> Fill:
    """Give a function the type `Fill`."""
    return function


def fill_by_technique(function: Function) -> FillByTechnique:
    """Give a function the type `FillByTechnique`."""
    return function
