"""Numbers, truth values and texts of positions."""

from typing import Any, Final

import numpy as np

from rookery.bitboards.pieces import BISHOP, KNIGHT, PAWN, QUEEN, ROOK
from rookery.positions.language import grammar
from rookery.positions.language.block import Block
from rookery.positions.language.functions import light
from rookery.positions.language.functions.sets import pieces_of_kind, pieces_of_side
from rookery.positions.layout import CHESS960

VALUES: Final = (1, 3, 3, 5, 9)  # pawn, knight, bishop, rook, queen
PHASE_VALUES: Final = (0, 1, 1, 2, 4)  # 24 in all at the start


# Numbers of a position.


@grammar.function(grammar.NUMBER, 8.0, side=(grammar.SIDE, "us"))
def material(block: Block, side: str) -> Any:
    """Return the value of a side's pieces: pawn 1, knight and bishop 3, rook 5, queen 9."""
    return light.weighed(block, VALUES, (), side)


@grammar.function(grammar.NUMBER, 10.0, squares=grammar.SET)
def value(block: Block, squares: Any) -> Any:
    """Return the value of the pieces of either side on the squares of a set, as in material: value(hanging(them))."""
    kinds = (pieces_of_kind(block, kind) for kind in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN))
    counts = (np.bitwise_count(squares & pieces).astype(np.int64) for pieces in kinds)
    return sum(worth * count for worth, count in zip(VALUES, counts, strict=True))


@grammar.function(grammar.NUMBER, 16.0)
def imbalance(block: Block) -> Any:
    """Return our material less theirs."""
    return light.weighed(block, VALUES, tuple(-value for value in VALUES), "us")


@grammar.function(grammar.NUMBER, 16.0)
def phase(block: Block) -> Any:
    """Return the material on the board as a phase of the game: 24 at the start, 0 with kings and pawns only.

    A knight or bishop counts 1, a rook 2 and a queen 4, as in a tapered evaluation.
    """
    return light.weighed(block, PHASE_VALUES, PHASE_VALUES, "white")


@grammar.function(grammar.NUMBER, 3.0, name="number of pieces", kind=grammar.PIECE, side=grammar.SIDE)
def number_of_pieces(block: Block, kind: int, side: str) -> Any:
    """Return the number of a side's pieces of a kind."""
    number = light.count_of(block, kind, side)
    return np.bitwise_count(pieces_of_side(block, kind, side)).astype(np.int64) if number is None else number


@grammar.function(grammar.TRUTH, 2.0, name="signature is", word=grammar.WORDS)
def signature_is(block: Block, word: int) -> Any:
    """Check whether the pieces of both sides are those of a signature."""
    return light.has_material(block, word)


@grammar.function(grammar.NUMBER, 25.0, side=(grammar.SIDE, "us"), piece=(grammar.PIECE, None))
def mobility(block: Block, side: str, piece: int | None) -> Any:
    """Return how many squares each piece of a side, or of one kind, attacks and its side does not occupy, added up."""
    if piece is None:
        return block.positions.mobility(side=side).sum(axis=0, dtype=np.int64)
    return block.positions.mobility(piece, side=side).astype(np.int64)


@grammar.function(grammar.NUMBER, 25.0)
def legal_moves(block: Block) -> Any:
    """Return the number of legal moves."""
    return block.positions.legal_move_counts().astype(np.int64)


@grammar.function(grammar.NUMBER, 2.0)
def halfmove_clock(block: Block) -> Any:
    """Return the number of half-moves since the last capture or pawn move; 100 allow a claim of a draw."""
    return block.positions.halfmove_clock.astype(np.int64)


@grammar.function(grammar.NUMBER, 2.0)
def move_number(block: Block) -> Any:
    """Return the number of the move, as on a score sheet."""
    return block.positions.fullmove_number.astype(np.int64)


# Truth values and texts of a position.


@grammar.function(grammar.TRUTH, 10.0)
def is_check(block: Block) -> Any:
    """Check whether the side to move is in check."""
    return block.positions.is_check()


@grammar.function(grammar.TRUTH, 25.0)
def is_mate(block: Block) -> Any:
    """Check whether the side to move is checkmated."""
    return _at_the_end(block, "is_checkmate")


@grammar.function(grammar.TRUTH, 25.0)
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


@grammar.function(grammar.TRUTH, 1.0)
def white_to_move(block: Block) -> Any:
    """Check whether White is to move."""
    return block.positions.turn


@grammar.function(grammar.TRUTH, 1.0)
def is_chess960(block: Block) -> Any:
    """Check whether the position is one of Chess960."""
    return (block.columns.state & np.uint64(CHESS960)) != 0


@grammar.function(grammar.TEXT, 60.0)
def signature(block: Block) -> Any:
    """Return the pieces of both sides, White's first: "KRPvKR"."""
    return block.positions.signature()
