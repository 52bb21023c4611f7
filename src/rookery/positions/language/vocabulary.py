"""Every name of the language, with its function, and what messages say of names that are not."""

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rookery.bitboards.squares import SQUARE_NAMES
from rookery.lazy_imports import modules_later
from rookery.positions.language import grammar
from rookery.positions.language.functions import (
    games,
    identity,
    motifs,
    moves,
    operators,
    patterns,
    sequences,
    sets,
    values,
)
from rookery.positions.language.headers import USUAL, near_header

if TYPE_CHECKING:
    import difflib
else:
    (difflib,) = modules_later("", "difflib")


# Importing these fills FUNCTIONS.
MODULES: Final = (sets, operators, values, games, moves, motifs, identity, patterns, sequences)

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
PUBLIC: Final[dict[str, grammar.Function]] = {name: f for name, f in grammar.FUNCTIONS.items() if name.isidentifier()}
_INTERNAL: Final = ("board", "number", "text", "constant", "day", "negative", "not", "pieces", "points")
PUBLIC_NAMES: Final = frozenset(PUBLIC).difference(_INTERNAL)
ATTRIBUTES_OF_MOVE: Final = tuple(name.removeprefix("move.") for name in grammar.FUNCTIONS if name.startswith("move."))
METHODS: Final = tuple(name.removeprefix(".") for name in grammar.FUNCTIONS if name.startswith("."))  # of texts
ALL: Final = (*sorted(PUBLIC_NAMES), *SIDES, "move")

OPERATORS: Final[dict[type, str]] = {
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def square_named(name: str) -> int | None:
    """Return the square of a name, or None."""
    return SQUARE_NAMES.index(name) if name in SQUARE_NAMES else None


# Messages.

EXAMPLES: Final = {
    grammar.SET: "a set of squares, such as us.knights",
    grammar.NUMBER: "a number, such as count(us.pawns)",
    grammar.TRUTH: "a condition, such as is_check or count(us.pawns) > 4",
    grammar.TEXT: 'a text, such as move.piece or "N"',
    grammar.DATE: "a date, such as 2025-05-01",
    grammar.TIME: "a time, such as 23:59:59",
}
EXAMPLES_OF_GAMES: Final = EXAMPLES | {
    grammar.NUMBER: "a number, such as WhiteElo",
    grammar.TRUTH: "a comparison, such as WhiteElo >= 2000",
    grammar.TEXT: "a text, such as White",
}
# What a value may be compared with.
COMPARABLE: Final = {
    grammar.SET: "us.knights",
    grammar.NUMBER: "2000",
    grammar.TRUTH: "True",
    grammar.TEXT: '"Anna"',
    grammar.DATE: "2025-05-01",
    grammar.TIME: "23:59:59",
}
KINDS: Final = {grammar.SET: "sets", grammar.TRUTH: "conditions"}
_METHODS_MEANT: Final = {
    "upper": "lower",
    "casefold": "lower",
    "matches": "startswith, endswith or in; there are no regular expressions",
    "match": "startswith, endswith or in; there are no regular expressions",
}
_OFTEN_MEANT: Final = {
    **{name: f"move.{name}" for name in ATTRIBUTES_OF_MOVE if name not in PUBLIC_NAMES},
    **{kind: f"us.{kind}s or {kind}s" for kind in ("pawn", "knight", "bishop", "rook", "queen")},
    **dict.fromkeys(("len", "size", "popcount"), "count"),
    **dict.fromkeys(("checkmate", "is_checkmate", "mate"), "is_mate"),
    **dict.fromkeys(("capture", "is_capture"), "move.captures"),
    **dict.fromkeys(("promotion", "is_promotion"), "move.promotes"),
    **dict.fromkeys(("castling", "is_castling"), "move.castles"),
    **dict.fromkeys(("turn", "side_to_move"), "white_to_move"),
    **dict.fromkeys(("threefold", "is_repetition", "threefold_repetition"), "repetitions >= 3"),
    **dict.fromkeys(("fifty_moves", "is_fifty_moves"), "halfmove_clock >= 100"),
    "king": "us.king or kings",
    "gives_check": "move.is_check",
    "en_passant": "move.is_en_passant",
    "stalemate": "is_stalemate",
    "double_check": "count(checkers) == 2",
    "exclude": "not, as in not pattern(...)",
}
_OWNERS: Final = {
    **dict.fromkeys(("our", "my", "me", "we", "ours", "mover"), "us"),
    **dict.fromkeys(("their", "they", "opponent", "enemy", "other"), "them"),
}
_ATTRIBUTES: Final = {
    "to": "to_square",
    "capture": "captures",
    "is_promotion": "promotes",
    "is_castling": "castles",
    "castling": "castles",
    "en_passant": "is_en_passant",
}


def meant_by(name: str) -> str | None:
    """Return what a name that is not one of the language was probably meant to be, or None.

    >>> meant_by("knight_atacks"), meant_by("white_pawns"), meant_by("WhitElo"), meant_by("Coach")
    ('knight_attacks', 'white.pawns', 'WhiteElo', None)
    """
    lower = name.lower()
    side, _, kind = lower.partition("_")
    if name in _OFTEN_MEANT:
        return _OFTEN_MEANT[name]
    if square_named(lower) is not None:
        return lower
    if side in SIDES and kind in PIECES_OF_SIDES:
        return f"{side}.{kind}"
    header = near_header(name) if name[0].isupper() and len(name) > 1 else None
    if header in USUAL:
        return header
    return near(name, ALL, 0.85 if name[0].isupper() else 0.72)


def is_header(name: str) -> bool:
    """Check whether a name that is not one of the language is that of a header.

    >>> is_header("WhiteElo"), is_header("Coach"), is_header("WhitElo"), is_header("coach")
    (True, True, False, False)
    """
    return name in USUAL or (name[0].isupper() and len(name) > 1 and meant_by(name) is None)


def known_name(name: str) -> str:
    """Return a description of the names of the language that fits what stands instead of one.

    >>> known_name("knight_atacks")
    'a name of the language; did you mean knight_attacks?'
    """
    meant = meant_by(name)
    hint = f"; did you mean {meant}?" if meant else ", such as us.knights, center or is_check"
    return f"a name of the language{hint}"


def method_of_text(name: str) -> str:
    """Return a description of what may stand after a text and a dot.

    >>> method_of_text("upper")
    'lower'
    """
    return _METHODS_MEANT.get(name, "startswith, endswith or lower")


def literal_hint(node: grammar.Node, kind: str) -> str:
    """Return how a set is written, if a text or a number stands where a set was expected."""
    if kind == grammar.SET and node.function.name == "text":
        names = node.args[0].lower().split()
        if names and all(square_named(name) is not None for name in names):
            meant = names[0] if len(names) == 1 else f"squares({chr(34)}{node.args[0]}{chr(34)})"
            return f"; did you mean {meant}?"
    if kind == grammar.SET and node.function.name == "number" and isinstance(node.args[0], int):
        return f"; a number that is a set is hexadecimal, such as {node.args[0]:#x}"
    if kind == grammar.SET and node.function.name == "header column" and node.args[0].lower() in SIDES:
        return f"; did you mean {node.args[0].lower()}?"
    if kind == grammar.TEXT and node.kind == grammar.DATE and node.function.name != "day":
        return "; for the year alone, write year == 1886"
    return ""


def near(name: str, names: Sequence[str], least: float = 0.6) -> str | None:
    """Return the name that is most like another, or None.

    >>> near("mirorr", ["mirror", "flip"])
    'mirror'
    """
    found = difflib.get_close_matches(name.lower(), names, 1, least)
    return found[0] if found else None


def one_of(owner: str, attribute: str, attributes: Sequence[str]) -> str:
    """Return a description of the attributes of a side or the move, or a question that names the nearest.

    >>> one_of("us", "pawn", ["pawns", "king"])
    'an attribute of us; did you mean us.pawns?'
    >>> one_of("us", "material", ["pawns", "king"])
    'an attribute of us; did you mean material(us)?'
    """
    is_move = owner == "move"
    found = (_ATTRIBUTES.get(attribute) if is_move else None) or near(attribute, attributes)
    if found:
        return f"an attribute of {owner}; did you mean {owner}.{found}?"
    if not is_move and attribute in PUBLIC_NAMES and any(p.kind == grammar.SIDE for p in PUBLIC[attribute].parameters):
        return f"an attribute of {owner}; did you mean {attribute}({owner})?"
    return f"one of {', '.join(f'{owner}.{a}' for a in attributes)}"


def owner_of(owner: str, attribute: str) -> str:
    """Return a description of what may stand before a dot, and what was probably meant.

    >>> owner_of("board", "is_check")
    'us, them, white, black or move before the dot; did you mean is_check?'
    >>> owner_of("our", "pawns")
    'us, them, white, black or move before the dot; did you mean us.pawns?'
    """
    expected = "us, them, white, black or move before the dot"
    side = _OWNERS.get(owner.lower()) or near(owner, SIDES, 0.75)
    if owner in PUBLIC_NAMES and attribute in SIDES:
        meant = f"{owner}({attribute})"
    elif attribute in PIECES_OF_SIDES:
        meant = f"{side or 'us'}.{attribute}"
    elif attribute in ("count", "popcount"):
        meant = f"count({owner})"
    else:
        meant = attribute if attribute in PUBLIC_NAMES and "." not in owner else _OFTEN_MEANT.get(attribute, "")
    return f"{expected}; did you mean {meant}?" if meant else expected


def side_expected(text: str, parameter: str, function: grammar.Function) -> str:
    """Return a description of a side as an argument, where a text stands instead of one.

    >>> side_expected("us.rooks", "side", grammar.FUNCTIONS["hanging"])
    'us, them, white or black as side of hanging(side=us); did you mean us.rooks & hanging(us)?'
    """
    side, _, kind = text.partition(".")
    meant = ""
    if text.strip("\"'").lower() in SIDES:
        meant = text.strip("\"'").lower()
    elif side in SIDES and kind in PIECES_OF_SIDES and len(function.parameters) > 1 and function.name == "attacks":
        meant = f'attacks({side}, "{kind.removesuffix("s")}")'
    elif side in SIDES and kind in PIECES_OF_SIDES and function.kind == grammar.SET:
        meant = f"{text} & {function.name}({side})"
    expected = f"us, them, white or black as {parameter} of {function.signature()}"
    return f"{expected}; did you mean {meant}?" if meant else expected
