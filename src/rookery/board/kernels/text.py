"""Moves as text: SAN, long algebraic notation and UCI."""

from typing import Any

from rookery.board.kernels.moves import store_after
from rookery.board.kernels.single import castles
from rookery.board.kernels.words import legal_word, position_of, target_of
from rookery.kernel import U64, Word, kernel
from rookery.native_methods import kinds
from rookery.rules.constants import SIX_BITS, TO_SHIFT
from rookery.rules.generate import checkers_of
from rookery.rules.notation import san_reader
from rookery.rules.notation.san_reader import read_san
from rookery.rules.notation.san_writer import write_any
from rookery.rules.notation.uci import NO_MOVE, castles_in_classical_chess, read_uci, write_uci
from rookery.rules.position import Position, castling_squares

_ROOM_FOR_SAN, _ROOM_FOR_UCI = 16, 8


@kernel
def or_refused(length: Word) -> Word:
    """Return the length of a text, or `REFUSED` if it is empty."""
    return length if length else U64(kinds.REFUSED)


@kinds.machine_code("san", kinds.ROW, kinds.MOVE, kinds.out_text(_ROOM_FOR_SAN), returns=kinds.TEXT_OF, refuses=True)
def san(row: Any, move: Any, out: Any, t: Any) -> Any:
    """Write a legal move in SAN."""
    return or_refused(write_any(out, position_of(row, t), move, 0, t))


@kinds.machine_code("lan", kinds.ROW, kinds.MOVE, kinds.out_text(_ROOM_FOR_SAN), returns=kinds.TEXT_OF, refuses=True)
def lan(row: Any, move: Any, out: Any, t: Any) -> Any:
    """Write a legal move in long algebraic notation."""
    return or_refused(write_any(out, position_of(row, t), move, 1, t))


@kernel
def made_from(word: Word, row: Any, p: Position, out: Any, t: Any) -> Word:
    """Write the row after the move of a word, and return the word. The null move is refused in check."""
    if word == kinds.REFUSED or (not word and checkers_of(p, t)):
        return U64(kinds.REFUSED)
    store_after(out, row, p, word, t)
    return word


# SAN.


@kernel
def word_of_san(text: Any, length: Word, p: Position, t: Any) -> Word:
    """Return the word of the only legal move that a text stands for, 0 for the null move, or `REFUSED`."""
    word = read_san(text, 0, length, p, t)
    return U64(kinds.REFUSED) if word == san_reader.REFUSED else word


@kinds.machine_code("parse_san", kinds.ROW, kinds.TEXT, returns=kinds.MOVE_OF, refuses=True)
@kinds.machine_code("parse_xboard", kinds.ROW, kinds.TEXT, returns=kinds.MOVE_OF, refuses=True)
def parse_san(row: Any, text: Any, length: Any, t: Any) -> Any:
    """Return the word of the legal move that a text in SAN stands for."""
    return word_of_san(text, length, position_of(row, t), t)


@kinds.machine_code("push_san", kinds.ROW, kinds.TEXT, kinds.OUT_ROW, returns=kinds.PUSH_MOVE, refuses=True)
@kinds.machine_code("push_xboard", kinds.ROW, kinds.TEXT, kinds.OUT_ROW, returns=kinds.PUSH_MOVE, refuses=True)
def push_san(row: Any, text: Any, length: Any, out: Any, t: Any) -> Any:
    """Make the move that a text in SAN stands for."""
    p = position_of(row, t)
    return made_from(word_of_san(text, length, p, t), row, p, out, t)


# UCI.


@kernel
def word_of_uci(text: Any, length: Word, p: Position, t: Any) -> Word:
    """Return the word of the legal move that a text stands for, 0 for the null move, or `REFUSED`."""
    move = read_uci(text, 0, length)
    if move == NO_MOVE or not move:
        return move
    word = legal_word(p, move, t)
    return word if word else U64(kinds.REFUSED)


@kinds.machine_code("parse_uci", kinds.ROW, kinds.TEXT, returns=kinds.MOVE_OF, refuses=True)
def parse_uci(row: Any, text: Any, length: Any, t: Any) -> Any:
    """Return the word of the legal move that a UCI text stands for."""
    return word_of_uci(text, length, position_of(row, t), t)


@kinds.machine_code("push_uci", kinds.ROW, kinds.TEXT, kinds.OUT_ROW, returns=kinds.PUSH_MOVE, refuses=True)
def push_uci(row: Any, text: Any, length: Any, out: Any, t: Any) -> Any:
    """Make the move that a UCI text stands for."""
    p = position_of(row, t)
    return made_from(word_of_uci(text, length, p, t), row, p, out, t)


@kinds.machine_code("_has_uci", kinds.ROW, kinds.TEXT, returns=kinds.BOOL, refuses=True)
def has_uci(row: Any, text: Any, length: Any, t: Any) -> Any:
    """Return 1 if a UCI text stands for a legal move, 0 for any other move, also the null move."""
    move = read_uci(text, 0, length)
    if move == NO_MOVE:
        return U64(kinds.REFUSED)
    return U64(1) if move and legal_word(position_of(row, t), move, t) else U64(0)


@kinds.machine_code(
    "uci", kinds.ROW, kinds.CHESS960, kinds.MOVE, kinds.out_text(_ROOM_FOR_UCI), returns=kinds.TEXT_OF, tables=False
)
def uci(row: Any, chess960: Any, move: Any, out: Any) -> Any:
    """Write a move in UCI. Castling of classical chess is written in the form of the board, whatever its own."""
    king, target = move & SIX_BITS, target_of(move)
    right = target > king
    king_to, _ = castling_squares(king, target)
    rook = king + 3 if right else king - 4
    if castles(row, move) and castles_in_classical_chess(king, rook) and target in (king_to, rook):
        if not chess960:
            move = king | king_to << TO_SHIFT
        elif not row[3] & ~row[2] & (U64(1) << target):
            move = king | rook << TO_SHIFT
    return write_uci(out, 0, move)
