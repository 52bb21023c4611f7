"""A check that the moves of a table are legal, game by game."""

from typing import Final

import numpy as np

from rookery.board.moves import IllegalMoveError
from rookery.games.game_columns import GameColumns
from rookery.kernel import entry_of
from rookery.pgn.faults import board_after
from rookery.positions.operands import plain
from rookery.rules.constants import default_tables

first_illegal: Final = entry_of("rookery.games.kernels.legal_games", "first_illegal")


_SLICE: Final = 1 << 14  # games checked between two checks for Ctrl-C


def illegal_move(games: GameColumns, start: int = 0, stop: int | None = None) -> tuple[int, int] | None:
    """Return the game and the ply, both from 0, of the first move of some games that is not legal, or None."""
    tables, stop = default_tables(), len(games) if stop is None else stop
    offsets, words = games.plies.offsets, plain(games.plies.columns["moves"])
    starts, rows = games.starts.all_positions, games.starts.places + 1
    for first in range(start, stop, _SLICE):
        last = min(first + _SLICE, stop)
        bad = int(first_illegal(offsets, words, starts, rows, first, last, tables))
        if bad >= 0:
            game = int(np.searchsorted(offsets, bad, "right")) - 1
            return game, bad - int(offsets[game])
    return None


def illegal_move_error(games: GameColumns, game: int) -> IllegalMoveError:
    """Return the error of a game whose moves were taken for legal and leave no position."""
    found = illegal_move(games, game, game + 1)
    where = "" if found is None else f", half-move {found[1] + 1}"
    # A move that is legal on a board that no game reaches, such as a capture en passant of an own pawn, is not found.
    words = "its moves leave no position" if found is None else illegal_words(games, *found)
    reason = "its moves were not checked, since the file says that they are legal, or since check=False was given"
    return IllegalMoveError(f"{file_of(games)}game {games.numbers[game]}{where}: {words}; {reason}")


def file_of(games: GameColumns) -> str:
    """Return the name of the table that games are from as messages begin, or an empty text."""
    return f"{games.table.name}: " if games.table.name else ""


def illegal_words(games: GameColumns, game: int, ply: int) -> str:
    """Return words that name an illegal move and the position in which it was made."""
    first, moves = int(games.plies.offsets[game]), games.plies.columns["moves"]
    board = board_after(games.starts.board(game), moves[first : first + ply].tolist())
    return f"{board.uci(int(moves[first + ply]))} is not legal in {board.fen()!r}"
