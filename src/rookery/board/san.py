"""Standard and long algebraic notation of single moves.

`rookery.notation` reads and writes moves. This module explains why a text is refused.
"""

from rookery.arguments import shown
from rookery.board.moves import (
    CASTLING,
    NULL,
    PROMOTION,
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    as_move,
)
from rookery.board.play import Play
from rookery.board.rows import as_array
from rookery.kernel import UNIVERSE
from rookery.notation.san_reader import REFUSED, move_of, spelled_move
from rookery.notation.san_spelling import CASTLES_LEFT, CASTLES_RIGHT, NO_MOVE, SpelledMove
from rookery.notation.san_writer import san_of


def write(board: Play, move: int, *, long: bool = False) -> str:
    """Return the SAN of a legal move, with ``+`` or ``#``; with `long`, in full: ``Ng1-f3``.

    The null move is ``--``. While in check it is an error, as it is in `Board.push`.
    """
    if type(move) is not Move:
        move = as_move(move, chess960=board.chess960)
    if move is NULL:
        board._check_null()
        return "--"
    return san_of(as_array(board._row), move, full=long) or san_of(
        as_array(board._row), board._the_legal_word(move), full=long
    )


def parse(board: Play, text: str) -> Move:
    """Return the legal move that a SAN text stands for. Ambiguous and illegal moves are errors.

    Check signs and ``!?`` may follow. Both squares may be given, with the letter of the piece or without (``Ng1-f3``,
    ``g1f3``, ``e1g1``), and a pawn may be written ``P``.
    """
    if not isinstance(text, str):
        raise TypeError(f"SAN move: {shown(text)}: expected text")
    word = move_of(text, as_array(board._row))
    if word == REFUSED:
        raise _refusal(board, text)
    return board._move_of(word)


def _refusal(board: Play, text: str) -> InvalidMoveError | IllegalMoveError | AmbiguousMoveError:
    """Return the error for a text that was refused."""
    spelled = spelled_move(text)
    if spelled.what == NO_MOVE:
        return InvalidMoveError(f"SAN move: {shown(text)}: expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O'")
    words = [word for word in board._words_of_moves(UNIVERSE, UNIVERSE) if _is_meant(board, spelled, word)]
    if len(words) > 1:
        ways = " or ".join(sorted(board._move_of(word).uci() for word in words))
        return AmbiguousMoveError(f"SAN move: {shown(text)} is ambiguous in {board.fen()!r}: {ways}")
    return IllegalMoveError(f"SAN move: {shown(text)} is not legal in {board.fen()!r}")


def _is_meant(board: Play, spelled: SpelledMove, word: int) -> bool:
    """Check whether a legal move, given as its word, fits what a text states."""
    source, target = word & 63, word >> 6 & 63
    if spelled.what in (CASTLES_RIGHT, CASTLES_LEFT):
        return word >> 14 == CASTLING and (target > source) == (spelled.what == CASTLES_RIGHT)
    becomes = (word >> 12 & 3) + 1 if word >> 14 == PROMOTION else 0
    fits = word >> 14 != CASTLING and (target, becomes) == (spelled.to, spelled.becomes)
    return fits and bool(spelled.mask >> source & 1) and board.kind_at(source) == "pnbrqk"[spelled.kind]
