"""The limits of opening trees."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    pass


DEPTH: Final = 20  # half-moves, if nothing else is requested
