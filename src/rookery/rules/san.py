"""Standard algebraic notation, both ways."""

import re
from typing import TYPE_CHECKING, Final

from rookery.rules.moves import Move, as_move
from rookery.squares import FILE_NAMES, RANK_NAMES, SQUARE_NAMES

if TYPE_CHECKING:
    from rookery.rules.board import Board

_MOVE: Final = re.compile(r"([NBRQK])?([a-h])?([1-8])?[-x]?([a-h][1-8])(?:=?([nbrqNBRQ]))?")
_CASTLING: Final = {"O-O": "O-O", "0-0": "O-O", "O-O-O": "O-O-O", "0-0-0": "O-O-O"}


def write(board: "Board", move: Move) -> str:
    """The SAN of a legal move, with ``+`` or ``#``."""
    move = as_move(move)
    if move == 0:
        return "--"
    moves = board.generate_legal_moves()
    if move not in moves:
        raise ValueError(f"move: {move!s} is not legal in {board.fen()!r}")
    return _without_check(board, move, moves) + ("", "+", "#")[board.check_after(move)]


def _without_check(board: "Board", move: Move, moves: list[Move]) -> str:
    target, source = move.to_square, move.from_square
    if move.is_castling:
        return "O-O" if target > source else "O-O-O"
    kind = board.kind_at(source)
    taking = "x" if board.is_capture(move) else ""
    if kind == "p":
        becomes = f"={move.promotion.upper()}" if move.promotion else ""
        return (FILE_NAMES[source & 7] if taking else "") + taking + SQUARE_NAMES[target] + becomes
    reaching = [other & 63 for other in moves if other >> 6 == move >> 6]  # same target, and no castling
    rivals = [s for s in reaching if s != source and board.kind_at(s) == kind]
    which = ""
    if rivals:
        if all((s ^ source) & 7 for s in rivals):
            which = FILE_NAMES[source & 7]
        elif all(s >> 3 != source >> 3 for s in rivals):
            which = RANK_NAMES[source >> 3]
        else:
            which = SQUARE_NAMES[source]
    return str(kind).upper() + which + taking + SQUARE_NAMES[target]


def parse(board: "Board", text: str) -> Move:
    """The legal move of a SAN text. Check signs and ``!?`` may follow; what is ambiguous or illegal is an error."""
    if not isinstance(text, str):
        raise TypeError(f"SAN move: {text!r}: expected text")
    bare = text.rstrip("!?").rstrip("+#")
    if bare in ("--", "Z0", "0000", "@@@@"):
        return Move.null()
    moves = board.generate_legal_moves()
    if bare in _CASTLING:
        right = _CASTLING[bare] == "O-O"
        matching = [m for m in moves if m.is_castling and (m.to_square > m.from_square) == right]
    else:
        match = _MOVE.fullmatch(bare)
        if not match:
            raise ValueError(f"SAN move: {text!r}: expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O'")
        kind, file, rank, target, becomes = match.groups()
        square = SQUARE_NAMES.index(target)
        promotion = becomes.lower() if becomes else None
        matching = [
            m
            for m in moves
            if int(m) >> 6 & 63 == square
            and not m.is_castling
            and board.kind_at(m.from_square) == (kind or "P").lower()
            and (not file or FILE_NAMES[m.from_square & 7] == file)
            and (not rank or RANK_NAMES[m.from_square >> 3] == rank)
            and m.promotion == promotion
        ]
        # A pawn takes only where its file is told: "d5" is no capture.
        if not kind and not file:
            matching = [m for m in matching if m.from_square & 7 == m.to_square & 7]
    if not matching:
        raise ValueError(f"SAN move: {text!r} is not legal in {board.fen()!r}")
    if len(matching) > 1:
        ways = " or ".join(sorted(m.uci() for m in matching))
        raise ValueError(f"SAN move: {text!r} is ambiguous in {board.fen()!r}: {ways}")
    return matching[0]
