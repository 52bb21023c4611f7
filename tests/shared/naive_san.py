"""A reader of SAN made of a regular expression and the list of legal moves, to judge the compiled one."""

import re

from rookery.board.board import Board
from rookery.board.moves import Move

_MOVE = re.compile(r"([PNBRQK])?([a-h])?([1-8])?[-x]?([a-h][1-8])(?:=?([nbrqNBRQ]))?")
_CASTLING = re.compile(r"O-O(-O)?|0-0(-0)?")


def naive_san(board: Board, text: str) -> int | str:
    """Return the move that a text stands for, or ``illegal``, ``ambiguous`` or ``invalid``."""
    bare = text.rstrip("!?")
    bare = bare.rstrip("+#") if len(bare) <= 60 else ""
    if bare in ("--", "Z0", "0000", "@@@@"):
        return 0
    match = _MOVE.fullmatch(bare)
    if _CASTLING.fullmatch(bare):
        found = [move for move in board.legal_moves if board.is_castling(move) and _is_right(move) == (len(bare) == 3)]
    elif match:
        found = [move for move in board.legal_moves if _fits(board, move, *match.groups())]
    else:
        return "invalid"
    return board.move_word(found[0]) if len(found) == 1 else "ambiguous" if found else "illegal"


def _is_right(move: Move) -> bool:
    return move.to_square > move.from_square


def _fits(
    board: Board, move: Move, kind: str | None, file: str | None, rank: str | None, target: str, becomes: str | None
) -> bool:
    uci = board.uci(move, chess960=True)
    by_squares = not kind and file and rank
    if board.is_castling(move):
        # Only the two squares name it: those of king and rook, or the king's last, unless a usual move goes there.
        if not by_squares or becomes or uci[:2] != f"{file}{rank}":
            return False
        usual = any(uci[:2] + target == other.uci() for other in board.legal_moves if not board.is_castling(other))
        rooks = [board.uci(m, chess960=True)[2:] for m in board.legal_moves if board.is_castling(m)]
        last = ("g" if _is_right(move) else "c") + uci[1]
        return target == uci[2:] or (target == last and not usual and target not in rooks)
    if uci[2:4] != target or uci[4:] != (becomes or "").lower():
        return False
    if (file and uci[0] != file) or (rank and uci[1] != rank):
        return False
    piece = board.piece_at(move.from_square)
    assert piece is not None
    letter = piece.symbol().upper()
    if by_squares:
        return True
    if letter != (kind or "P"):
        return False
    return letter != "P" or file is not None or uci[0] == uci[2]
