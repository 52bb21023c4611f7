"""Standard and long algebraic notation of single moves.

`rookery.notation` reads and writes moves. This module explains why a text is refused.
"""

from rookery.arguments import shown
from rookery.bitboards.pieces import PAWN
from rookery.board.moves import (
    INTERNED,
    NULL,
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    as_move,
)
from rookery.board.play import Play
from rookery.notation.san_reader import REFUSED, move_of, spelled_move
from rookery.notation.san_spelling import CASTLES_LEFT, CASTLES_RIGHT, NO_MOVE, SpelledMove
from rookery.notation.san_writer import san_of


def write(board: Play, move: int, *, long: bool = False) -> str:
    """Return the SAN of a legal move, with ``+`` or ``#``; with `long`, in full: ``Ng1-f3``.

    The null move is ``--``. While in check it is an error, as it is in `Board.push`.
    """
    move = as_move(move)
    if move is NULL:
        board._check_null()
        return "--"
    text = san_of(board._row, move, full=long)
    return text or san_of(board._row, board._the_legal(move), full=long)


def parse(board: Play, text: str) -> Move:
    """Return the legal move that a SAN text stands for. Ambiguous and illegal moves are errors.

    Check signs and ``!?`` may follow. Both squares may be given, with the letter of the piece or without (``Ng1-f3``,
    ``g1f3``, ``e1g1``), and a pawn may be written ``P``.
    """
    if not isinstance(text, str):
        raise TypeError(f"SAN move: {shown(text)}: expected text")
    word = move_of(text, board._row)
    if word == REFUSED:
        raise _refusal(board, text)
    return INTERNED[word]


def _refusal(board: Play, text: str) -> InvalidMoveError | IllegalMoveError | AmbiguousMoveError:
    """Return the error for a text that was refused."""
    spelled = spelled_move(text)
    if spelled.what == NO_MOVE:
        return InvalidMoveError(f"SAN move: {shown(text)}: expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O'")
    moves = [move for move in board.generate_legal_moves() if _is_meant(board, spelled, move)]
    if len(moves) > 1:
        ways = " or ".join(sorted(move.uci(chess960=True) for move in moves))
        return AmbiguousMoveError(f"SAN move: {shown(text)} is ambiguous in {board.fen()!r}: {ways}")
    return IllegalMoveError(f"SAN move: {shown(text)} is not legal in {board.fen()!r}")


def _is_meant(board: Play, spelled: SpelledMove, move: Move) -> bool:
    """Check whether a legal move fits what a text states."""
    if spelled.what in (CASTLES_RIGHT, CASTLES_LEFT):
        return move.is_castling and (move.to_square > move.from_square) == (spelled.what == CASTLES_RIGHT)
    becomes = 0 if move.promotion is None else move.promotion - PAWN
    fits = not move.is_castling and (move.to_square, becomes) == (spelled.to, spelled.becomes)
    kind = board.kind_at(move.from_square)
    return fits and bool(spelled.mask >> move.from_square & 1) and kind == "pnbrqk"[spelled.kind]
