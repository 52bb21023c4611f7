"""Every name of the language, with its function."""

from typing import Final

from rookery.bitboards.squares import SQUARE_NAMES
from rookery.positions.expressions import identity, motifs, moves, numbers, patterns, sequences, sets
from rookery.positions.expressions.function import FUNCTIONS, Function

MODULES: Final = (sets, numbers, moves, motifs, identity, patterns, sequences)  # importing them fills FUNCTIONS

SIDES: Final = ("us", "them", "white", "black")
PIECES_OF_SIDES: Final = {
    "pawns": 1,
    "knights": 2,
    "bishops": 3,
    "rooks": 4,
    "queens": 5,
    "king": 6,
    "kings": 6,
    "pieces": None,
}
PUBLIC: Final[dict[str, Function]] = {name: f for name, f in FUNCTIONS.items() if name.isidentifier()}
PUBLIC_NAMES: Final = frozenset(PUBLIC) - {"board", "number", "text", "constant", "negative", "not", "pieces"}
ATTRIBUTES_OF_MOVE: Final = tuple(name.removeprefix("move.") for name in FUNCTIONS if name.startswith("move."))
ALL: Final = (*sorted(PUBLIC_NAMES), *SIDES, "move")


def square_named(name: str) -> int | None:
    """Return the square of a name, or None."""
    return SQUARE_NAMES.index(name) if name in SQUARE_NAMES else None
