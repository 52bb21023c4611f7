"""Whose a piece is: True for white and False for black, as in python-chess."""

from typing import Final

import numpy as np

WHITE: Final = True
BLACK: Final = False


def check_colour(colour: bool) -> bool:
    """`colour` as a bool, or an error that names it."""
    if not isinstance(colour, (bool, np.bool_)):
        raise TypeError(f"colour: {colour!r}: expected True (WHITE) or False (BLACK)")
    return bool(colour)
