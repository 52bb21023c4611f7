"""The move in question: the one that was played, or each legal alternative within `possible`."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from rookery.bitboards.pieces import PIECE_SYMBOLS
from rookery.kernel import U64
from rookery.positions.language import grammar
from rookery.positions.language.block import Block
from rookery.positions.language.functions import light
from rookery.positions.moves import chess960_of, target_squares
from rookery.positions.queries.questions import may_check
from rookery.rules.constants import CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, SIX_BITS

_MOVE: Final = {"uses_move": True}
_LAZY: Final = {"lazy": True, "uses_move": True}
ALTERNATIVES: Final = 8192  # legal moves that are evaluated at once: their positions stay in the cache
# By piece type; 0 stands for none.
_LETTERS: Final = np.array(["", *(symbol.upper() for symbol in PIECE_SYMBOLS if symbol)])


def _is_kind(block: Block, kind: int) -> Any:
    return (block.moves & np.uint16(KIND_MASK)) == kind


def _boards(block: Block, squares: Any) -> Any:
    return np.where(block.moves == 0, U64(0), U64(1) << squares.astype(U64))


@grammar.function(grammar.SET, 4.0, name="move.from_square", options=_MOVE)
def from_square(block: Block) -> Any:
    """Return the square that the move leaves; empty where there is no move."""
    return _boards(block, block.moves & np.uint16(SIX_BITS))


@grammar.function(grammar.SET, 4.0, name="move.to_square", options=_MOVE)
def to_square(block: Block) -> Any:
    """Return the square that the move goes to: the king's in castling, in Chess960 the rook's; empty for no move."""
    return _boards(block, target_squares(block.moves, chess960_of(block.columns)))


@grammar.function(grammar.TEXT, 12.0, name="move.piece", options=_MOVE)
def piece(block: Block) -> Any:
    """Return the letter of the piece that moves, "P" to "K"; empty where there is no move."""
    return _LETTERS[light.pieces_of_moves(block, "moving")]


@grammar.function(grammar.TEXT, 12.0, name="move.captured", options=_MOVE)
def captured(block: Block) -> Any:
    """Return the letter of the piece that the move captures, "P" to "Q"; empty if it captures nothing."""
    return _LETTERS[light.pieces_of_moves(block, "captured")]


@grammar.function(grammar.TRUTH, 8.0, name="move.captures", options=_MOVE)
def captures(block: Block) -> Any:
    """Check whether the move is a capture."""
    return light.pieces_of_moves(block, "captured") != 0


@grammar.function(
    grammar.TRUTH, 3.0, name="piece of the move is", options=_MOVE, which=grammar.WORDS, kind=grammar.INTEGER
)
def is_piece(block: Block, which: str, kind: int) -> Any:
    """Check whether the piece that the move moves, or that it captures, is of a kind."""
    return light.pieces_of_moves(block, which) == np.uint8(kind)


@grammar.function(grammar.TEXT, 6.0, name="move.promotion", options=_MOVE)
def promotion(block: Block) -> Any:
    """Return the letter of the piece to which a pawn promotes; empty if the move is not a promotion."""
    kinds = np.where(_is_kind(block, PROMOTION), (block.moves >> np.uint16(12) & np.uint16(3)) + np.uint16(2), 0)
    return _LETTERS[kinds]


@grammar.function(grammar.TRUTH, 2.0, name="move.promotes", options=_MOVE)
def promotes(block: Block) -> Any:
    """Check whether the move is a promotion."""
    return _is_kind(block, PROMOTION)


@grammar.function(grammar.TRUTH, 2.0, name="move.castles", options=_MOVE)
def castles(block: Block) -> Any:
    """Check whether the move is castling."""
    return _is_kind(block, CASTLING)


@grammar.function(grammar.TRUTH, 2.0, name="move.is_en_passant", options=_MOVE)
def is_en_passant(block: Block) -> Any:
    """Check whether the move is a capture en passant."""
    return _is_kind(block, EN_PASSANT)


@grammar.function(grammar.TRUTH, 0.5, name="move.exists", options=_MOVE)
def exists(block: Block) -> Any:
    """Check whether a move follows: False in the last position of a game."""
    return block.moves != 0


@grammar.function(grammar.TRUTH, 40.0, name="move.is_check", options=_MOVE)
def is_check(block: Block) -> Any:
    """Check whether the move gives check."""
    return block.after.positions.is_check() & (block.moves != 0)


@grammar.function(grammar.TRUTH, 50.0, name="move.is_mate", options=_MOVE)
def is_mate(block: Block) -> Any:
    """Check whether the move gives mate."""
    return block.after.positions.is_checkmate() & (block.moves != 0)


@grammar.function(grammar.TRUTH, 50.0, name="move.is_stalemate", options=_MOVE)
def is_stalemate(block: Block) -> Any:
    """Check whether the move stalemates the other side."""
    return block.after.positions.is_stalemate() & (block.moves != 0)


@grammar.function(grammar.TEXT, 500.0, name="move.san", options=_MOVE)
def san(block: Block) -> Any:
    """Return the move in standard algebraic notation; empty where there is none."""
    return _written(block, "san")


@grammar.function(grammar.TEXT, 100.0, name="move.uci", options=_MOVE)
def uci(block: Block) -> Any:
    """Return the move in UCI notation; empty where there is none."""
    return _written(block, "uci")


def _written(block: Block, notation: str) -> Any:
    rows = np.flatnonzero(block.moves)
    texts = getattr(block.positions[rows], notation)(block.moves[rows])
    out = np.zeros(block.n, texts.dtype)
    out[rows] = texts
    return out


@grammar.function(grammar.SAME, 50.0, options={**_LAZY, "missing": True}, value=grammar.ANY)
def after(block: Block, value: grammar.Node) -> Any:
    """Return a value in the position after the move; empty, False or missing where there is no move.

    The other side is to move then, and is "us" within the brackets.
    """
    values = block.after.full(value)
    if value.kind == grammar.NUMBER:
        values = values.astype(np.float64)
    return np.where(block.moves == 0, grammar.NOTHING[value.kind], values).astype(values.dtype)


@grammar.function(grammar.TRUTH, 2000.0, options={"lazy": True}, condition=grammar.TRUTH)
def possible(block: Block, condition: grammar.Node) -> Any:
    """Check whether a condition holds for at least one legal move: possible(move.is_mate)."""
    return _legal(block, condition) > 0


@grammar.function(grammar.NUMBER, 2000.0, options={"lazy": True}, condition=grammar.TRUTH)
def count_possible(block: Block, condition: grammar.Node) -> Any:
    """Return the number of legal moves for which a condition holds."""
    return _legal(block, condition)


def _legal(block: Block, condition: grammar.Node) -> Any:
    numbers = np.zeros(block.n, np.int64)
    for part, alternatives in _alternatives(block, condition):
        numbers += np.bincount(part[alternatives.truth(condition)], minlength=block.n)
    return numbers


def _alternatives(block: Block, condition: grammar.Node) -> Iterator[tuple[Any, Block]]:
    """Yield blocks of the legal moves for which a condition may hold, each with the rows of the moves' positions."""
    moves = block.positions.legal_moves()
    words, index = moves.moves, np.repeat(np.arange(block.n), np.diff(moves.offsets))
    if _implies_check(condition):
        maybe = np.empty(words.size, np.bool_)
        may_check(block.columns, moves.offsets, words, maybe)
        words, index = words[maybe], index[maybe]
    for start in range(0, index.size, ALTERNATIVES):
        part = index[start : start + ALTERNATIVES]
        yield part, Block(block.positions[part], block.statistics, block, part, words[start : start + ALTERNATIVES])


def _implies_check(node: grammar.Node) -> bool:
    """Check whether a condition about a move holds only for moves that give check."""
    name = node.function.name
    if name == "after":
        return node.nodes[0].function.name in ("is_check", "is_mate")
    return name in ("move.is_check", "move.is_mate") or (name == "all" and any(map(_implies_check, node.nodes)))


def squares_of_move(block: Block) -> Any:
    """Return the two squares of each move, uint64; none where there is no move."""
    return from_square(block) | to_square(block)


def squares_of_possible(block: Block, condition: grammar.Node) -> Any:
    """Return the squares of the legal moves for which a condition holds, uint64."""
    squares = np.zeros(block.n, U64)
    for part, alternatives in _alternatives(block, condition):
        rows = alternatives.truth(condition)
        np.bitwise_or.at(squares, part[rows], squares_of_move(alternatives)[rows])
    return squares


__all__ = ["after", "possible"]
