"""Sets of squares: pieces, constant sets, attacks, lines and fills."""

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rookery.bitboards import bits
from rookery.bitboards.pieces import BISHOP, KIND_NAMES, KING, KNIGHT, PIECE_TYPES, QUEEN, ROOK
from rookery.bitboards.squares import DIRECTIONS
from rookery.kernel import U64, UNIVERSE
from rookery.lazy_imports import modules_later
from rookery.positions.language import grammar
from rookery.positions.language.block import Block
from rookery.positions.language.functions import light, written
from rookery.positions.layout import SIDES
from rookery.positions.queries.questions import PIECES

if TYPE_CHECKING:
    from rookery.bitboards import sets as kernels
    from rookery.positions.kernels import lanes
    from rookery.positions.queries import attacks as attack_queries
    from rookery.positions.queries import check_kernels
    from rookery.positions.queries import sets as queries
    from rookery.techniques import kogge_stone
    from rookery.techniques.base import card
else:
    (kernels,) = modules_later("rookery.bitboards", "sets")
    (lanes,) = modules_later("rookery.positions.kernels", "lanes")
    attack_queries, check_kernels, queries = modules_later("rookery.positions.queries", "attacks check_kernels sets")
    (card,) = modules_later("rookery.techniques.base", "card")
    (kogge_stone,) = modules_later("rookery.techniques", "kogge_stone")

_ANYWHERE: Final[dict[str, Any]] = {"scope": grammar.ANYWHERE}
_MAYBE: Final[dict[str, Any]] = {"scope": grammar.ANYWHERE, "missing": True}

CONSTANTS: Final = {
    "light_squares": (bits.LIGHT_SQUARES, "Return the light squares."),
    "dark_squares": (bits.DARK_SQUARES, "Return the dark squares."),
    "center": (0x0000_0018_1800_0000, "Return the squares d4, e4, d5 and e5."),
    "long_diagonals": (bits.MAIN_DIAGONAL | bits.MAIN_ANTIDIAGONAL, "Return the diagonals a1-h8 and h1-a8."),
    "edges": (0xFF81_8181_8181_81FF, "Return the 28 squares at the edge of the board."),
    "corners": (0x8100_0000_0000_0081, "Return the squares a1, h1, a8 and h8."),
    "all_squares": (UNIVERSE, "Return all 64 squares."),
    "no_squares": (0, "Return the empty set."),
}


def _constant(board: int) -> Callable[[Block], Any]:
    return lambda block: U64(board)


for _name, (_board, _summary) in CONSTANTS.items():
    _run = _constant(_board)
    _run.__doc__ = _summary
    grammar.function(grammar.SET, 0.0, name=_name, options=_ANYWHERE)(_run)


@grammar.function(grammar.SET, 0.0, options=_ANYWHERE, names=written.SQUARE_NAMES)
def squares(block: Block, names: int) -> Any:
    """Return the squares named in a text such as "e4 d5"."""
    return U64(names)


@grammar.function(grammar.SET, 0.0, name="board", options=_ANYWHERE, number=grammar.INTEGER)
def literal_board(block: Block, number: int) -> Any:
    """Return a set given as a 64-bit number, or as the name of a square."""
    return U64(number)


@grammar.function(grammar.SET, 0.0, options=_ANYWHERE, names=written.FILE_NAMES)
def file(block: Block, names: int) -> Any:
    """Return the squares of some files: file("abc")."""
    return U64(names)


@grammar.function(grammar.SET, 0.0, options=_ANYWHERE, number=written.RANK)
def rank(block: Block, number: int) -> Any:
    """Return the squares of a rank, from 1 to 8: rank 1 is White's first."""
    return U64(number)


@grammar.function(grammar.SET, 1.0, number=written.RANK, side=(grammar.SIDE, "us"))
def our_rank(block: Block, number: int, side: str) -> Any:
    """Return the squares of a rank as a side sees it: its pawns begin on rank 2 and promote on rank 8."""
    return lanes.turned(U64(number), black_mask(block, side))


# Pieces. The rules of the columns' layout are kernels; called without their wrappers, which take longer than the
# operations on a block, they work on whole columns.
@functools.cache
def _occupancy() -> Callable[..., Any]:
    kernel: Callable[..., Any] = inspect.unwrap(lanes.occupied_of)
    return kernel


@functools.cache
def _pieces_of(kind: int) -> Callable[..., Any]:
    kernel: Callable[..., Any] = check_kernels.pieces_of.kernel_for(type(PIECES[kind]))
    return kernel


def black_mask(block: Block, side: str) -> Any:
    """Return the universe where a side is black, else the empty board."""
    if side in ("white", "black"):
        return U64(UNIVERSE if side == "black" else 0)
    return block.black if side == "us" else ~block.black


def _side(block: Block, side: str) -> Any:
    """Return a set of which the pieces are those of a side."""
    key = f"side {side}"
    if key not in block.shared:
        white = block.columns.white
        block.shared[key] = white if side == "white" else white ^ black_mask(block, side)
    return block.shared[key]


@grammar.function(grammar.SET, 1.5)
def occupied(block: Block) -> Any:
    """Return all pieces of both sides."""
    squares = block.shared.get("occupied")
    if squares is None:
        squares = block.shared["occupied"] = _occupancy()(block.columns)
    return squares


@grammar.function(grammar.SET, 2.0)
def empty(block: Block) -> Any:
    """Return the empty squares."""
    return ~occupied(block)


@grammar.function(grammar.SET, 3.0, name="pieces", side=grammar.SIDE)
def pieces(block: Block, side: str) -> Any:
    """Return all pieces of a side."""
    return occupied(block) & _side(block, side)


@grammar.function(grammar.SET, 2.0, name="pieces of a kind", kind=grammar.PIECE)
def pieces_of_kind(block: Block, kind: int) -> Any:
    """Return the pieces of a kind, of both sides."""
    return _pieces_of(kind)(PIECES[kind], block.columns)


@grammar.function(grammar.SET, 3.0, name="pieces of a side", kind=grammar.PIECE, side=grammar.SIDE)
def pieces_of_side(block: Block, kind: int, side: str) -> Any:
    """Return the pieces of a kind and side."""
    return pieces_of_kind(block, kind) & _side(block, side)


grammar.FUNCTIONS["pieces of a side"].has_any = light.has_any

for _kind, _name in zip(PIECE_TYPES, KIND_NAMES, strict=True):

    def _both(block: Block, kind: int = _kind) -> Any:
        return pieces_of_kind(block, kind)

    _both.__doc__ = f"Return the {_name}s of both sides."
    grammar.function(grammar.SET, 2.0, name=f"{_name}s")(_both)


@grammar.function(grammar.SET, 2.0, side=(grammar.SIDE, "us"))
def castling_rooks(block: Block, side: str) -> Any:
    """Return the rooks with which a side may still castle, now or later in the game."""
    return block.columns.castling & pieces(block, side)


# Operators.


@grammar.function(grammar.SET, 0.5, name="&", options=_ANYWHERE, a=grammar.SET, b=grammar.SET)
def intersection(block: Block, a: Any, b: Any) -> Any:
    """Return the squares of both sets."""
    return a & b


@grammar.function(grammar.SET, 0.5, name="|", options=_ANYWHERE, a=grammar.SET, b=grammar.SET)
def union(block: Block, a: Any, b: Any) -> Any:
    """Return the squares of either set."""
    return a | b


@grammar.function(grammar.SET, 0.5, name="^", options=_ANYWHERE, a=grammar.SET, b=grammar.SET)
def symmetric_difference(block: Block, a: Any, b: Any) -> Any:
    """Return the squares of exactly one of two sets."""
    return a ^ b


@grammar.function(grammar.SET, 1.0, name="set -", options=_ANYWHERE, a=grammar.SET, b=grammar.SET)
def difference(block: Block, a: Any, b: Any) -> Any:
    """Return the squares of one set that are not in another."""
    return a & ~b


@grammar.function(grammar.SET, 0.5, name="~", options=_ANYWHERE, a=grammar.SET)
def complement(block: Block, a: Any) -> Any:
    """Return the squares that are not in a set."""
    return ~a


@grammar.function(grammar.TRUTH, 0.5, name="set ==", options=_ANYWHERE, a=grammar.SET, b=grammar.SET)
def equal_sets(block: Block, a: Any, b: Any) -> Any:
    """Check whether two sets have the same squares."""
    return np.equal(a, b)


@grammar.function(grammar.TRUTH, 1.5, name="set in", options=_ANYWHERE, a=grammar.SET, b=grammar.SET)
def is_subset(block: Block, a: Any, b: Any) -> Any:
    """Check whether a set is not empty and all of it lies in another."""
    return np.not_equal(a, 0) & np.equal(a & ~b, 0)


@grammar.function(grammar.TRUTH, 0.5, name="set !=", options=_ANYWHERE, a=grammar.SET, b=grammar.SET)
def unequal_sets(block: Block, a: Any, b: Any) -> Any:
    """Check whether two sets differ."""
    return np.not_equal(a, b)


# Attacks.


@grammar.function(grammar.SET, 3.0, squares=grammar.SET, by=(grammar.SIDE, "us"))
def pawn_attacks_(block: Block, squares: Any, by: str) -> Any:
    """Return the squares that a side's pawns would attack from the squares of a set."""
    return attack_queries.pawn_attacks(squares, black_mask(block, by))


def _attacks(block: Block, kind: int, squares: Any, through: Any) -> Any:
    """Return the attacks of pieces of a kind; constant sets are computed once."""
    out = np.empty(block.n, U64)
    queries.attacks_of_sets(PIECES[kind], block.boards(through), block.boards(squares), out)
    return out


@grammar.function(grammar.SET, 3.0, squares=grammar.SET)
def knight_attacks(block: Block, squares: Any) -> Any:
    """Return the squares that knights would attack from the squares of a set."""
    return kernels.knight_moves(squares) if np.ndim(squares) == 0 else _attacks(block, KNIGHT, squares, squares)


@grammar.function(grammar.SET, 3.0, squares=grammar.SET)
def king_attacks(block: Block, squares: Any) -> Any:
    """Return the squares that kings would attack from the squares of a set."""
    return kernels.king_moves(squares) if np.ndim(squares) == 0 else _attacks(block, KING, squares, squares)


def _slider(kind: int, name: str, cost: float) -> None:
    def run(block: Block, squares: Any, through: Any) -> Any:
        return _attacks(block, kind, squares, occupied(block) if through is None else through)

    run.__doc__ = (
        f"Return the squares that {name}s would attack from the squares of a set.\n\n"
        "`through` has the blockers, by default all pieces. A piece of the set does not block itself."
    )
    grammar.function(grammar.SET, cost, name=f"{name}_attacks", squares=grammar.SET, through=(grammar.SET, None))(run)


_slider(BISHOP, "bishop", 6.0)
_slider(ROOK, "rook", 6.0)
_slider(QUEEN, "queen", 10.0)


@grammar.function(grammar.SET, 12.0, side=grammar.SIDE, piece=(grammar.PIECE, None))
def attacks(block: Block, side: str, piece: int | None) -> Any:
    """Return the squares that a side's pieces attack: those of one kind, or all."""
    return block.positions.attacks(side, piece)


@grammar.function(grammar.SET, 12.0, squares=grammar.SET, by=grammar.SIDE)
def attackers(block: Block, squares: Any, by: str) -> Any:
    """Return the pieces of a side that attack at least one square of a set."""
    out = np.empty(block.n, U64)
    queries.attackers(block.columns, block.boards(squares), SIDES[by], out)
    return out


@grammar.function(grammar.SET, 9.0, side=(grammar.SIDE, "us"))
def checkers(block: Block, side: str) -> Any:
    """Return the pieces that give check to a side's king."""
    return block.positions.checkers(side)


@grammar.function(grammar.SET, 10.0, side=(grammar.SIDE, "us"), line=(written.LINE_NAME, None))
def pinned(block: Block, side: str, line: str | None) -> Any:
    """Return the pieces of a side that are pinned to its king: on all lines, or on its "file", "rank" or so on."""
    return block.positions.pinned(side, line)


@grammar.function(grammar.SET, 12.0, side=(grammar.SIDE, "us"))
def pinners(block: Block, side: str) -> Any:
    """Return the other side's sliders that pin a piece of a side to its king."""
    return block.positions.pinners(side)


@grammar.function(grammar.SET, 10.0, side=(grammar.SIDE, "us"))
def discoverers(block: Block, side: str) -> Any:
    """Return the pieces of a side that give a discovered check by leaving their line."""
    return block.positions.discoverers(side)


@grammar.function(grammar.SET, 14.0, side=(grammar.SIDE, "us"))
def king_danger(block: Block, side: str) -> Any:
    """Return the squares that the other side attacks once a side's king is off the board."""
    return block.positions.king_danger(side)


@grammar.function(grammar.SET, 20.0, piece=grammar.PIECE, targets=written.TARGETS, side=(grammar.SIDE, "us"))
def forks(block: Block, piece: int, targets: str, side: str) -> Any:
    """Return the pieces of a kind and side that attack all targets at once: forks("N", "kq")."""
    return block.positions.forks(piece, targets, side)


# Lines and steps.


@grammar.function(grammar.SET, 6.0, a=grammar.SET, b=grammar.SET)
def between(block: Block, a: Any, b: Any) -> Any:
    """Return the squares strictly between a square of one set and a square of another on a common line."""
    return _joined(block, a, b, queries.BETWEEN)


@grammar.function(grammar.SET, 6.0, a=grammar.SET, b=grammar.SET)
def line(block: Block, a: Any, b: Any) -> Any:
    """Return the whole lines through a square of one set and a square of another."""
    return _joined(block, a, b, queries.LINE)


def _joined(block: Block, a: Any, b: Any, table: Any) -> Any:
    out = np.empty(block.n, U64)
    queries.joined(block.boards(a), block.boards(b), table, out)
    return out


def _in_direction(block: Block, direction: str, run: Callable[[int], Any]) -> Any:
    """Run a function of a compass direction, of the two that a relative direction means for White and Black."""
    if direction not in written.RELATIVE:
        return run(DIRECTIONS.index(direction))
    number = written.RELATIVE[direction]
    white, black = run(number), run((number + 4) % 8)
    return white ^ ((white ^ black) & block.black)


@grammar.function(grammar.SET, 2.0, squares=grammar.SET, direction=written.DIRECTION, steps=(written.STEPS, 1))
def shift(block: Block, squares: Any, direction: str, steps: int) -> Any:
    """Return the squares of a set moved by some steps; those that leave the board are dropped."""

    def moved(number: int) -> Any:
        result = squares
        for _ in range(steps):
            result = kernels.step(U64(number), result)
        return result

    return _in_direction(block, direction, moved)


@grammar.function(grammar.SET, 8.0, squares=grammar.SET, direction=written.DIRECTION, through=(grammar.SET, None))
def fill(block: Block, squares: Any, direction: str, through: Any) -> Any:
    """Return a set and the squares that it reaches in a direction through `through`, by default the empty squares."""
    free = empty(block) if through is None else through

    def filled(number: int) -> Any:
        return kogge_stone.fill(U64(number), squares, free, card.NoTables())

    return _in_direction(block, direction, filled)


@grammar.function(grammar.NUMBER, 1.0, name="count", options=_ANYWHERE, squares=grammar.SET)
def count(block: Block, squares: Any) -> Any:
    """Return the number of squares of a set."""
    return np.bitwise_count(squares).astype(np.int64)


@grammar.function(grammar.NUMBER, 3.0, options=_MAYBE, squares=grammar.SET)
def file_number(block: Block, squares: Any) -> Any:
    """Return the file of the only square of a set, from 1 for a to 8 for h; missing if it has no square or several."""
    return _number_of_only(squares) % 8 + 1


@grammar.function(grammar.NUMBER, 3.0, options=_MAYBE, squares=grammar.SET)
def rank_number(block: Block, squares: Any) -> Any:
    """Return the rank of the only square of a set, from 1 to 8; missing if it has no square or several."""
    return _number_of_only(squares) // 8 + 1


def _number_of_only(squares: Any) -> Any:
    """Return the number of the only square of a set, or NaN."""
    number = np.bitwise_count(squares - U64(1)).astype(np.float64)  # the zeros below the lowest square
    return np.where(np.bitwise_count(squares) == 1, number, np.nan)


@grammar.function(grammar.NUMBER, 6.0, options={"missing": True}, a=grammar.SET, b=grammar.SET)
def distance(block: Block, a: Any, b: Any) -> Any:
    """Return the number of king's moves between the nearest squares of two sets; missing if either is empty."""
    out = np.empty(block.n, np.uint8)
    queries.distances(block.boards(a), block.boards(b), queries.DISTANCE, out)
    return np.where(out == queries.NO_DISTANCE, np.nan, out)
