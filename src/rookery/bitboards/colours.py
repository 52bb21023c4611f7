"""Colours: True is white and False is black, as in python-chess. Every function also takes the names."""

from typing import Final, Literal, TypeAlias

from rookery.arguments import is_of_numpy, shown

WHITE: Final = True
BLACK: Final = False
COLORS: Final = (WHITE, BLACK)
COLOR_NAMES: Final = ("black", "white")  # by colour, as an index

Color: TypeAlias = bool
"""A colour as python-chess has it, for annotations. Functions take any `Colour`."""

Colour: TypeAlias = bool | Literal["white", "black"]


def read_colour(colour: Colour, name: str = "colour") -> bool:
    """Return a colour as a bool: True for `WHITE` and ``"white"``, False for `BLACK` and ``"black"``.

    Another text is a ValueError, and anything else a TypeError. Both name the argument, `name`.

    >>> read_colour("white")
    True
    >>> read_colour(BLACK)
    False
    """
    if colour is True or colour is False:
        return colour
    if isinstance(colour, str):
        if colour in ("white", "black"):
            return colour == "white"
        raise ValueError(f"{name}: {shown(colour)}: expected 'white' or 'black'")
    if is_of_numpy(colour, "bool_"):
        return bool(colour)
    raise TypeError(f"{name}: {shown(colour)}: expected WHITE or 'white', BLACK or 'black'")
