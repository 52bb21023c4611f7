"""Boards and views of them as objects: made, copied, compared, taken back; and moves without a board."""

from typing import Any

import numpy as np

from rookery.board.kernels.fen import set_fen
from rookery.board.kernels.moves import count_legal_moves, generate_legal_moves
from rookery.board.kernels.words import MOVE_MADE
from rookery.kernel import U64
from rookery.kernel.instructions.bits import word_of_bytes
from rookery.native_methods.kinds import (
    BOARD_OF,
    BOOL,
    COPY,
    HISTORY,
    INT,
    MOST_MOVES,
    MOVE_ITERATOR,
    MOVE_LIST,
    MOVE_OF,
    MOVE_TEXT,
    OUT_MOVES,
    OUT_ROW,
    PLAIN_MOVE,
    POP,
    REFUSED,
    ROW,
    SELF_INT,
    SQUARE,
    TEXT,
    class_itself,
    flag_by_name,
    machine_code,
    or_object,
    out_text,
    view,
)
from rookery.rules.constants import BECOMES_SHIFT, KIND_MASK, PROMOTION, REPORT, TO_SHIFT
from rookery.rules.notation.uci import NO_MOVE, read_uci, write_uci

_WORD_OF_MOVE = 0xFFFF  # whatever a row says: moves are looked up by it

# Boards.

machine_code(
    "Board()",
    class_itself("Board"),
    or_object(TEXT, "starting row"),
    OUT_ROW,
    out_text(8 * REPORT),
    returns=BOARD_OF,
    refuses=True,
)(set_fen)


@machine_code("copy", flag_by_name("stack"), returns=COPY, tables=False)
def copied(stack: Any) -> Any:
    """Return whether a copy has the history: the wrapper makes it."""
    return stack


@machine_code("legal_moves", returns=view("LegalMoves"), getter=True, tables=False)
@machine_code("pseudo_legal_moves", returns=view("PseudoLegalMoves"), getter=True, tables=False)
def nothing() -> Any:
    """Return 0: the wrapper needs nothing but the board."""
    return U64(0)


@machine_code("pop", ROW, returns=POP, tables=False)
def pop(row: Any) -> Any:
    """Return the word of the move that led to a row."""
    return row[MOVE_MADE] & _WORD_OF_MOVE


@machine_code("peek", ROW, HISTORY, returns=MOVE_OF, refuses=True, tables=False)
def peek(row: Any, _: Any, n: Any) -> Any:
    """Return the word of the last move."""
    return row[MOVE_MADE] & _WORD_OF_MOVE if n else U64(REFUSED)


@machine_code("move_stack", ROW, HISTORY, OUT_MOVES, returns=MOVE_LIST, refuses=True, getter=True, tables=False)
def move_stack(row: Any, history: Any, n: Any, moves: Any) -> Any:
    """Write the words of the moves that were made."""
    if n > MOST_MOVES:
        return U64(REFUSED)
    for i in range(1, n):
        moves[i - 1] = np.uint16(word_of_bytes(history[i], MOVE_MADE))
    if n:
        moves[n - 1] = np.uint16(row[MOVE_MADE])
    return U64(n)


# Views.

machine_code("LegalMoves.__iter__", ROW, OUT_MOVES, returns=MOVE_ITERATOR, through="_board", slot="__iter__")(
    generate_legal_moves
)
machine_code("LegalMoves.count", ROW, returns=INT, through="_board")(count_legal_moves)
machine_code("LegalMoves.__len__", ROW, returns=INT, through="_board", slot="__len__")(count_legal_moves)
machine_code("LegalMoves.__bool__", ROW, returns=BOOL, through="_board", slot="__bool__")(count_legal_moves)


# Moves without a board.


@machine_code("Move.uci", SELF_INT, out_text(5), returns=MOVE_TEXT, refuses=True, tables=False)
@machine_code("Move.__str__", SELF_INT, out_text(5), returns=MOVE_TEXT, refuses=True, tables=False, slot="__str__")
def uci(move: Any, out: Any) -> Any:
    """Return the index of the text of a move, or write the text of a promotion."""
    if not move >> BECOMES_SHIFT:
        return move
    if move & KIND_MASK != PROMOTION:
        return U64(REFUSED)
    write_uci(out, 0, move)
    return move


@machine_code("Move.from_uci", class_itself("Move"), TEXT, returns=PLAIN_MOVE, refuses=True, tables=False)
def from_uci(text: Any, length: Any) -> Any:
    """Return the word of the move that a UCI text stands for."""
    move = read_uci(text, 0, length)
    return U64(REFUSED) if move == NO_MOVE else move


@machine_code("Move()", class_itself("Move"), SQUARE, SQUARE, returns=PLAIN_MOVE, tables=False)
@machine_code("Move.of", class_itself("Move"), SQUARE, SQUARE, returns=PLAIN_MOVE, tables=False)
def move_between(source: Any, target: Any) -> Any:
    """Return the word of the move from one square to another."""
    return source | target << TO_SHIFT
