"""Whose a piece is: True for white and False for black, as in python-chess; every function takes the names, too."""

from typing import Final, Literal, TypeAlias

import numpy as np

from rookery.arguments import shown

WHITE: Final = True
BLACK: Final = False

Colour: TypeAlias = bool | Literal["white", "black"]


def read_colour(colour: Colour, name: str = "colour") -> bool:
    """A colour as a bool: True (`WHITE`) and False (`BLACK`) as they are, ``"white"`` and ``"black"`` read.

    Anything else is an error under the argument's `name`: a TypeError, or of another text a ValueError.

    >>> read_colour("white"), read_colour(BLACK)
    (True, False)
    """
    if colour is True or colour is False:
        return colour
    if isinstance(colour, str):
        if colour in ("white", "black"):
            return colour == "white"
        raise ValueError(f"{name}: {shown(colour)}: expected 'white' or 'black'")
    if isinstance(colour, np.bool_):
        return bool(colour)
    raise TypeError(f"{name}: {shown(colour)}: expected WHITE or 'white', BLACK or 'black'")
