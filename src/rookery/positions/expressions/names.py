"""Every name of the language, with its function, and what messages say of names that are not."""

import difflib
from collections.abc import Sequence
from typing import Final

from rookery.bitboards.squares import SQUARE_NAMES
from rookery.positions.expressions import identity, motifs, moves, numbers, patterns, sequences, sets
from rookery.positions.expressions.function import FUNCTIONS, NUMBER, SET, TEXT, TRUTH, Function

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


# Messages.

EXAMPLES: Final = {
    SET: "a set of squares, such as us.knights",
    NUMBER: "a number, such as count(us.pawns)",
    TRUTH: "a condition, such as is_check or count(us.pawns) > 4",
    TEXT: 'a text, such as move.piece or "N"',
}
KINDS: Final = {SET: "sets", TRUTH: "conditions", TEXT: "texts"}
_OFTEN_MEANT: Final = {
    **{name: f"move.{name}" for name in ATTRIBUTES_OF_MOVE if name not in PUBLIC_NAMES},
    "capture": "move.captures",
    "checkmate": "is_mate",
    "is_checkmate": "is_mate",
    "stalemate": "is_stalemate",
    "turn": "white_to_move",
    "White": 'white or header("White")',
    "Black": 'black or header("Black")',
}


def known_name(name: str) -> str:
    """Return a description of the names of the language that fits what stands instead of one.

    >>> known_name("knight_atacks")
    'a name of the language; did you mean knight_attacks?'
    """
    near = difflib.get_close_matches(name.lower(), ALL, 1, 0.85 if name[0].isupper() else 0.6)
    meant = _OFTEN_MEANT.get(name) or (near[0] if near else "")
    if meant:
        hint = f"; did you mean {meant}?"
    elif name[0].isupper() and len(name) > 1:
        hint = f'; a header of a game is written header("{name}")'
    else:
        hint = ", such as us.knights, center or is_check"
    return f"a name of the language{hint}"


def one_of(owner: str, attribute: str, attributes: Sequence[str]) -> str:
    """Return a description of the attributes of a name, or a question that names the nearest.

    >>> one_of("us", "pawn", ["pawns", "king"])
    'an attribute of us; did you mean us.pawns?'
    """
    near = difflib.get_close_matches(attribute.lower(), attributes, 1, 0.6)
    if near:
        return f"an attribute of {owner}; did you mean {owner}.{near[0]}?"
    return f"one of {', '.join(f'{owner}.{a}' for a in attributes)}"
