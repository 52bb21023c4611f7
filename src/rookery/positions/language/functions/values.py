"""Numbers, truth values and texts of positions, and the operators on them."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.bitboards.pieces import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from rookery.positions.language.block import Block
from rookery.positions.language.function import (
    NUMBER,
    PIECE,
    SET,
    SIDE,
    TEXT,
    TRUTH,
    WORDS,
    Node,
    Written,
    function,
)
from rookery.positions.language.functions import light
from rookery.positions.language.functions.sets import pieces_of_kind, pieces_of_side
from rookery.positions.layout import CHESS960

_GAMES: Final = {"needs_games": True}
_LAZY: Final = {"lazy": True, "many": True}
VALUES: Final = (1, 3, 3, 5, 9)  # pawn, knight, bishop, rook, queen
PHASE_VALUES: Final = (0, 1, 1, 2, 4)  # 24 in all at the start


def _header(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError('the name of a header in quotes, such as "White"')
    return value


HEADER: Final = Written("header in quotes", _header)

# Numbers of a position.


def _floats(values: Any) -> Any:
    """Return numbers as float64; a masked value becomes NaN, a missing value."""
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    return values.astype(np.float64)


@function(NUMBER, 8.0, side=(SIDE, "us"))
def material(block: Block, side: str) -> Any:
    """Return the value of a side's pieces: pawn 1, knight and bishop 3, rook 5, queen 9."""
    return light.weighed(block, VALUES, (), side)


@function(NUMBER, 10.0, squares=SET)
def value(block: Block, squares: Any) -> Any:
    """Return the value of the pieces of either side on the squares of a set, as in material: value(hanging(them))."""
    kinds = (pieces_of_kind(block, kind) for kind in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN))
    counts = (np.bitwise_count(squares & pieces).astype(np.int64) for pieces in kinds)
    return sum(worth * count for worth, count in zip(VALUES, counts, strict=True))


@function(NUMBER, 16.0)
def imbalance(block: Block) -> Any:
    """Return our material less theirs."""
    return light.weighed(block, VALUES, tuple(-value for value in VALUES), "us")


@function(NUMBER, 16.0)
def phase(block: Block) -> Any:
    """Return the material on the board as a phase of the game: 24 at the start, 0 with kings and pawns only.

    A knight or bishop counts 1, a rook 2 and a queen 4, as in a tapered evaluation.
    """
    return light.weighed(block, PHASE_VALUES, PHASE_VALUES, "white")


@function(NUMBER, 3.0, name="number of pieces", kind=PIECE, side=SIDE)
def number_of_pieces(block: Block, kind: int, side: str) -> Any:
    """Return the number of a side's pieces of a kind."""
    number = light.count_of(block, kind, side)
    return np.bitwise_count(pieces_of_side(block, kind, side)).astype(np.int64) if number is None else number


@function(TRUTH, 2.0, name="signature is", word=WORDS)
def signature_is(block: Block, word: int) -> Any:
    """Check whether the pieces of both sides are those of a signature."""
    return light.has_material(block, word)


@function(NUMBER, 25.0, side=(SIDE, "us"), piece=(PIECE, None))
def mobility(block: Block, side: str, piece: int | None) -> Any:
    """Return how many squares each piece of a side, or of one kind, attacks and its side does not occupy, added up."""
    if piece is None:
        return block.positions.mobility(side=side).sum(axis=0, dtype=np.int64)
    return block.positions.mobility(piece, side=side).astype(np.int64)


@function(NUMBER, 25.0)
def legal_moves(block: Block) -> Any:
    """Return the number of legal moves."""
    return block.positions.legal_move_counts().astype(np.int64)


@function(NUMBER, 2.0)
def halfmove_clock(block: Block) -> Any:
    """Return the number of half-moves since the last capture or pawn move; 100 allow a claim of a draw."""
    return block.positions.halfmove_clock.astype(np.int64)


@function(NUMBER, 2.0)
def move_number(block: Block) -> Any:
    """Return the number of the move, as on a score sheet."""
    return block.positions.fullmove_number.astype(np.int64)


# Truth values and texts of a position.


@function(TRUTH, 10.0)
def is_check(block: Block) -> Any:
    """Check whether the side to move is in check."""
    return block.positions.is_check()


@function(TRUTH, 25.0)
def is_mate(block: Block) -> Any:
    """Check whether the side to move is checkmated."""
    return _at_the_end(block, "is_checkmate")


@function(TRUTH, 25.0)
def is_stalemate(block: Block) -> Any:
    """Check whether the side to move is stalemated."""
    return _at_the_end(block, "is_stalemate")


def _at_the_end(block: Block, method: str) -> Any:
    """Return where the side to move has no move; in games only where none was played: 5 ns a position instead of 40."""
    if not hasattr(block.positions, "_games"):  # known before `game`, which may be computed on first use
        return getattr(block.positions, method)()
    rows = np.flatnonzero(block.moves == 0)
    out = np.zeros(block.n, np.bool_)
    out[rows] = getattr(block.positions.taken(rows), method)()
    return out


@function(TRUTH, 1.0)
def white_to_move(block: Block) -> Any:
    """Check whether White is to move."""
    return block.positions.turn


@function(TRUTH, 1.0)
def is_chess960(block: Block) -> Any:
    """Check whether the position is one of Chess960."""
    return (block.columns.state & np.uint64(CHESS960)) != 0


@function(TEXT, 60.0)
def signature(block: Block) -> Any:
    """Return the pieces of both sides, White's first: "KRPvKR"."""
    return block.positions.signature()


# What the game says.

COMPUTED_HEADERS: Final = ("year", "base", "increment", "speed")  # functions of what is computed from headers


@function(NUMBER, 1.0, options=_GAMES)
def ply(block: Block) -> Any:
    """Return the number of half-moves before the position."""
    return block.positions.ply.astype(np.int64)


@function(NUMBER, 4.0, options=_GAMES)
def plies(block: Block) -> Any:
    """Return the number of half-moves of the game."""
    return block.positions.plies_of_game()


@function(NUMBER, 6.0, options=_GAMES, side=(SIDE, "us"))
def clock(block: Block, side: str) -> Any:
    """Return the seconds on a side's clock; missing where the game does not state them."""
    return _floats(block.positions.clock(side))


@function(NUMBER, 6.0, name="eval", options=_GAMES, side=(SIDE, "us"))
def evaluation(block: Block, side: str) -> Any:
    """Return the evaluation in pawns that the game states, from a side's view; missing where there is none."""
    return _floats(block.positions.eval(side))


@function(NUMBER, 6.0, options=_GAMES, side=(SIDE, "us"))
def eval_before(block: Block, side: str) -> Any:
    """Return the evaluation of the position one half-move earlier, from a side's view."""
    return _floats(block.positions.eval_before(side))


@function(NUMBER, 8.0, options=_GAMES, side=(SIDE, "us"))
def elo(block: Block, side: str) -> Any:
    """Return the rating of a side's player; missing where the game does not state it."""
    return _floats(block.positions.elo(side))


@function(NUMBER, 8.0, options=_GAMES, side=(SIDE, "us"))
def result(block: Block, side: str) -> Any:
    """Return the points that a side scored in the game: 1, 0.5 or 0; missing if the game has no result."""
    return _floats(block.positions.result(side))


@function(NUMBER, 8.0, options=_GAMES)
def year(block: Block) -> Any:
    """Return the year of the game; known for a date such as 1886.??.??, too."""
    return _of_game(block, "year")


@function(NUMBER, 8.0, options=_GAMES)
def base(block: Block) -> Any:
    """Return the seconds of the first period of the game's TimeControl."""
    return _of_game(block, "base")


@function(NUMBER, 8.0, options=_GAMES)
def increment(block: Block) -> Any:
    """Return the seconds that the game's TimeControl adds for each move."""
    return _of_game(block, "increment")


def _of_game(block: Block, name: str) -> Any:
    try:
        return _floats(block.positions.header(name))
    except KeyError as error:
        raise ValueError(f"query: {name}: {error.args[0]}") from None


@function(TEXT, 50.0, options=_GAMES)
def speed(block: Block) -> Any:
    """Return the speed of the game by its TimeControl: ultraBullet, bullet, blitz, rapid, classical, correspondence.

    It is empty where the TimeControl does not say it.
    """
    return header(block, "speed")


@function(TEXT, 50.0, options=_GAMES, name_=HEADER)
def header(block: Block, name: str) -> Any:
    """Return a header of the game as text; empty where the game does not have it.

    Dates are written 2025-05-01, and a date or number that is not known is empty. ValueError if the header is not one
    of those that were read.
    """
    try:
        values = block.positions.header(name)
    except KeyError as error:
        raise ValueError(f"query: header: {error.args[0]}") from None
    if isinstance(values, np.ma.MaskedArray):
        return np.where(np.ma.getmaskarray(values), "", values.data.astype(str))
    if values.dtype.kind in "mM":
        return np.where(np.isnat(values), "", values.astype(str))
    return np.array(["" if value is None else value for value in values.tolist()], dtype=np.str_)


# Operators.


def _binary(kind: str, sign: str, run: Callable[[Any, Any], Any], summary: str, operands: str = NUMBER) -> None:
    def applied(block: Block, a: Any, b: Any) -> Any:
        with np.errstate(all="ignore"):
            return run(a, b)

    applied.__doc__ = summary
    function(kind, 1.0, name=sign if operands == NUMBER else f"{operands} {sign}", a=operands, b=operands)(applied)


def _quotient(divide: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a division whose result is missing where the divisor is 0."""
    return lambda a, b: np.where(np.equal(b, 0), np.nan, divide(a, np.where(np.equal(b, 0), 1, b)))


_binary(NUMBER, "+", np.add, "Return a sum.")
_binary(NUMBER, "-", np.subtract, "Return a difference.")
_binary(NUMBER, "*", np.multiply, "Return a product.")
_binary(NUMBER, "/", _quotient(np.true_divide), "Return a quotient; missing for a divisor of 0.")
_binary(NUMBER, "//", _quotient(np.floor_divide), "Return a quotient rounded down; missing for a divisor of 0.")
_binary(NUMBER, "%", _quotient(np.remainder), "Return a remainder; missing for a divisor of 0.")
_binary(TRUTH, "==", np.equal, "Check whether two numbers are equal.")
_binary(TRUTH, "!=", lambda a, b: np.less(a, b) | np.greater(a, b), "Check whether two numbers differ.")
_binary(TRUTH, "<", np.less, "Check whether a number is less than another.")
_binary(TRUTH, "<=", np.less_equal, "Check whether a number is at most another.")
_binary(TRUTH, ">", np.greater, "Check whether a number is greater than another.")
_binary(TRUTH, ">=", np.greater_equal, "Check whether a number is at least another.")
_binary(TRUTH, "==", np.equal, "Check whether two texts are equal.", TEXT)
_binary(TRUTH, "!=", np.not_equal, "Check whether two texts differ.", TEXT)
_binary(
    TRUTH,
    "in",
    lambda a, b: np.not_equal(a, "") & (np.strings.find(b, a) >= 0),
    "Check whether a text is not empty and another contains it.",
    TEXT,
)
_binary(TRUTH, "==", np.equal, "Check whether two truth values are equal.", TRUTH)
_binary(TRUTH, "!=", np.not_equal, "Check whether two truth values differ.", TRUTH)


@function(NUMBER, 1.0, name="negative", a=NUMBER)
def negative(block: Block, a: Any) -> Any:
    """Return a number with the opposite sign."""
    return np.negative(a)


@function(NUMBER, 0.0, name="number", value=WORDS)
def number(block: Block, value: Any) -> Any:
    """Return a number written in the expression."""
    return np.float64(value) if isinstance(value, float) or abs(value) >= 1 << 63 else np.int64(value)


@function(TEXT, 0.0, name="text", value=WORDS)
def text(block: Block, value: str) -> Any:
    """Return a text written in the expression."""
    return np.str_(value)


@function(TRUTH, 0.0, name="constant", value=WORDS)
def constant(block: Block, value: bool) -> Any:
    """Return True or False."""
    return np.bool_(value)


@function(NUMBER, 1.0, name="abs", number=NUMBER)
def absolute(block: Block, number: Any) -> Any:
    """Return a number without its sign."""
    return np.abs(number)


@function(NUMBER, 2.0, number=NUMBER)
def sqrt(block: Block, number: Any) -> Any:
    """Return the square root of a number; missing for a negative number."""
    with np.errstate(invalid="ignore"):
        return np.sqrt(number)


@function(NUMBER, 1.0, name="min", options={"many": True}, numbers=NUMBER)
def least(block: Block, *numbers: Any) -> Any:
    """Return the least of some numbers; missing if one is."""
    return _folded(np.minimum, numbers)


@function(NUMBER, 1.0, name="max", options={"many": True}, numbers=NUMBER)
def greatest(block: Block, *numbers: Any) -> Any:
    """Return the greatest of some numbers; missing if one is."""
    return _folded(np.maximum, numbers)


def _folded(operation: Any, values: tuple[Any, ...]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = operation(result, value)
    return result


@function(TRUTH, 1.0, name="all", options=_LAZY, conditions=TRUTH)
def all_of(block: Block, *conditions: Node) -> Any:
    """Check whether all conditions hold, as ``and`` does."""
    return block.joined(conditions, conjunction=True)


@function(TRUTH, 1.0, name="any", options=_LAZY, conditions=TRUTH)
def any_of(block: Block, *conditions: Node) -> Any:
    """Check whether at least one condition holds, as ``or`` does."""
    return block.joined(conditions, conjunction=False)


@function(TRUTH, 0.5, name="not", options={"lazy": True}, condition=TRUTH)
def contrary(block: Block, condition: Node) -> Any:
    """Check whether a condition does not hold."""
    return ~block.truth(condition)
