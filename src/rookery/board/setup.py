"""How positions are set up and checked for faults."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from rookery.arguments import count, flag, shown
from rookery.board import rows
from rookery.board.rows import POSITION, RETURNING, START_ROW, WORDS, as_array, row_of, row_of_parsed
from rookery.kernel.native import native
from rookery.lazy_imports import Named
from rookery.rules.notation.start import START

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rookery.board import reasons
    from rookery.board.board import Board
else:
    np, npt, reasons = Named("numpy"), Named("numpy.typing"), Named("rookery.board.reasons")

B = TypeVar("B", bound="Board")


def take(board: "Board", row: bytes, chess960: bool) -> None:
    """Take over a position without its history."""
    board._row = row
    board._history = []
    board.chess960 = chess960


# From a text.


@native
def set_fen(board: "Board", fen: str, chess960: bool | None = None, *, strict: bool = False) -> None:
    """Set up the position of a FEN and clear the history. If this raises, the board does not change.

    >>> board = Board()
    >>> board.set_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    >>> board.count_legal_moves()
    16
    """
    if chess960 is not None:
        chess960 = flag("chess960", chess960)
    if strict is not False:
        strict = flag("strict", strict)
    if isinstance(fen, str) and fen == START:
        board._take(START_ROW, bool(chess960))
        return
    parsed = rows.parse_fen(fen, chess960)
    code = rows.compiled()
    faults = code.faults(parsed.words, code.tables)
    if faults and (strict or faults & ~rows.UNREACHABLE):
        board = board.__class__(None)
        board._take(row_of_parsed(parsed), parsed.chess960)
        reasons = [fault.reason for fault in status(board) if strict or not fault.strict]
        raise ValueError(f"FEN: {shown(fen, 120)}: {'; '.join(reasons)}")
    board._take(row_of_parsed(parsed), parsed.chess960)


def unchecked(cls: type[B], fen: str) -> B:
    """Return the position of a well-formed FEN, even if it is impossible: `status` lists its faults.

    >>> Board.unchecked("8/8/8/8/8/8/8/8 w - - 0 1").is_valid()
    False
    """
    board, parsed = cls(None), rows.parse_fen(fen)
    board._take(row_of_parsed(parsed), parsed.chess960)
    return board


# From elsewhere.


def from_words(
    cls: type[B],
    words: "Sequence[int] | npt.NDArray[np.uint64]",
    *,
    halfmove_clock: int = 0,
    fullmove_number: int = 1,
    chess960: bool = False,
) -> B:
    """Return the position of the ten words of `rookery.rules.position.Position`, as `words` returns them.

    The position is not checked: see `status`. Another number of words is a ValueError.

    >>> Board.from_words(Board().words()) == Board()
    True
    """
    given = rows.board_array("words", words)
    if given.ndim != 1 or given.size not in (POSITION, WORDS):
        raise ValueError(f"words: {shown(words)}: expected {POSITION} words, or the {WORDS} of `Board.words`")
    if given[9] > 1:
        raise ValueError(f"words[9]: {given[9]}: expected 0, white to move, or 1, black to move")
    clock, number = count("halfmove_clock", halfmove_clock, 0), count("fullmove_number", fullmove_number, 0)
    position = given.tolist()
    returning = position[RETURNING] if len(position) == WORDS else 0
    return from_checked_words(cls, position[:POSITION], clock, number, flag("chess960", chess960), returning)


def from_checked_words(
    cls: type[B], position: list[int], halfmove_clock: int, fullmove_number: int, chess960: bool, returning: int = 0
) -> B:
    """Return the position of ten words that have been checked."""
    board = cls(None)
    board._row = row_of(position, returning=returning)
    board.halfmove_clock, board.fullmove_number, board.chess960 = halfmove_clock, fullmove_number, chess960
    return board


def empty(cls: type[B], *, chess960: bool = False) -> B:
    """Return a board without pieces.

    >>> board = Board.empty()
    >>> board.set_piece_at(0, "K")
    >>> board.board_fen()
    '8/8/8/8/8/8/8/K7'
    """
    return cls(None, flag("chess960", chess960))


def clear(board: "Board") -> None:
    """Remove all pieces, rights and moves. White is to move.

    >>> board = Board()
    >>> board.clear()
    >>> board.board_fen()
    '8/8/8/8/8/8/8/8'
    """
    board._row = row_of([0] * POSITION)
    board._history = []


@native
def reset(board: "Board") -> None:
    """Set up the start position of classical chess.

    >>> board = Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    >>> board.reset()
    >>> board == Board()
    True
    """
    board.set_fen(START)


# Chess960.


def from_chess960_pos(cls: type[B], scharnagl: int) -> B:
    """Return the start position of Chess960 with a number from 0 to 959; 518 is that of classical chess.

    >>> Board.from_chess960_pos(0).board_fen().split("/")[-1]
    'BBQNNRKR'
    """
    return cls(rows.fen_of(scharnagl), chess960=True)


def set_chess960_pos(board: "Board", scharnagl: int) -> None:
    """Set up the start position of Chess960 with a number from 0 to 959.

    >>> board = Board()
    >>> board.set_chess960_pos(0)
    >>> board.fen()
    'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1'
    """
    board.set_fen(rows.fen_of(scharnagl), chess960=True)


def chess960_pos(
    board: "Board", *, ignore_turn: bool = False, ignore_castling: bool = False, ignore_counters: bool = True
) -> int | None:
    """Return the number of this start position of Chess960, or None if it is not one.

    >>> Board().chess960_pos()
    518
    """
    ignore_turn, ignore_castling = flag("ignore_turn", ignore_turn), flag("ignore_castling", ignore_castling)
    ignore_counters = flag("ignore_counters", ignore_counters)
    rank = board.board_fen().split("/")[-1]
    number = rows.number_of(rank)
    if number is None or board.ep_square is not None:
        return None
    began = board.from_chess960_pos(number)
    same = (
        board.placement == began.placement
        and (ignore_turn or board.turn)
        and (ignore_castling or board.castling_rights == began.castling_rights)
        and (ignore_counters or (board.halfmove_clock, board.fullmove_number) == (0, 1))
    )
    return number if same else None


# Faults.


def status(board: "Board") -> "list[reasons.Fault]":
    """Return all faults of the position. Those with `strict` set do not prevent playing on: no game reaches it.

    >>> for fault in Board.unchecked("4k3/8/8/8/8/8/8/P7 w - - 0 1").status():
    ...     print(fault)
    white has no king, expected one
    white pawn on a1: pawns never stand on a back rank
    """
    code = rows.compiled()
    faults = code.faults(as_array(board._row), code.tables)
    return rows.faults_in_words(faults, board) if faults else []


@native
def is_valid(board: "Board") -> bool:
    """Check whether the position has no fault: whether `status` is empty.

    >>> Board().is_valid()
    True
    >>> Board.empty().is_valid()
    False
    """
    code = rows.compiled()
    return not code.faults(as_array(board._row), code.tables)
