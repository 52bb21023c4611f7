"""Standard algebraic notation, both ways."""

import re
from typing import TYPE_CHECKING, Final

from rookery.rules.moves import Move
from rookery.squares import FILE_NAMES, RANK_NAMES, SQUARE_NAMES, square_name

if TYPE_CHECKING:
    from rookery.rules.board import Board

_MOVE: Final = re.compile(r"([NBRQK])?([a-h])?([1-8])?[-x]?([a-h][1-8])(?:=?([nbrqNBRQ]))?")
_CASTLING: Final = {"O-O": "O-O", "0-0": "O-O", "O-O-O": "O-O-O", "0-0-0": "O-O-O"}


def write(board: "Board", move: Move) -> str:
    """The SAN of a legal move, with ``+`` or ``#``."""
    if move == 0:
        return "--"
    moves = board.generate_legal_moves()
    if move not in moves:
        raise ValueError(f"move: {move!s} is not legal in {board.fen()!r}")
    text = _without_check(board, move, moves)
    if board.gives_check(move):
        board.push(move)
        text += "+" if board.count_legal_moves() else "#"
        board.pop()
    return text


def _without_check(board: "Board", move: Move, moves: list[Move]) -> str:
    if move.is_castling:
        return "O-O" if move.to_square > move.from_square else "O-O-O"
    placement = board.placement
    kind = str(placement.piece_at(move.from_square)).upper()
    target = square_name(move.to_square)
    source = square_name(move.from_square)
    taking = "x" if board.is_capture(move) else ""
    if kind == "P":
        becomes = f"={move.promotion.upper()}" if move.promotion else ""
        return (source[0] if taking else "") + taking + target + becomes
    rivals = [
        square_name(other.from_square)
        for other in moves
        if other.to_square == move.to_square
        and other is not move
        and not other.is_castling
        and placement.piece_at(other.from_square) == placement.piece_at(move.from_square)
    ]
    which = ""
    if rivals:
        if all(rival[0] != source[0] for rival in rivals):
            which = source[0]
        elif all(rival[1] != source[1] for rival in rivals):
            which = source[1]
        else:
            which = source
    return kind + which + taking + target


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
        placement = board.placement
        matching = [
            m
            for m in moves
            if not m.is_castling
            and SQUARE_NAMES[m.to_square] == target
            and str(placement.piece_at(m.from_square)).upper() == (kind or "P")
            and (not file or FILE_NAMES[m.from_square & 7] == file)
            and (not rank or RANK_NAMES[m.from_square >> 3] == rank)
            and m.promotion == (becomes.lower() if becomes else None)
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
