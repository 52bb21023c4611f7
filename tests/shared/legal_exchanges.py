"""Exchanges by exhaustive search of legal captures, with python-chess: no order of captures, no rule about pins.

`board` is a board of python-chess. Each side may make any legal capture on the square, or stop.
"""

from typing import Final

import chess

VALUES: Final = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}


def won_on(board: chess.Board, square: int) -> int:
    """Return what the side to move wins by captures on a square, at least 0."""
    best = 0
    for move in board.generate_legal_moves(to_mask=chess.BB_SQUARES[square]):
        if board.is_capture(move):
            best = max(best, won_by(board, move))
    return best


def won_by(board: chess.Board, move: chess.Move) -> int:
    """Return what a legal move wins in the exchange on its target square; 0 for castling."""
    if board.is_castling(move):
        return 0
    gain = 0
    if board.is_en_passant(move):
        gain = VALUES[chess.PAWN]
    elif victim := board.piece_type_at(move.to_square):
        gain = VALUES[victim]
    if move.promotion:
        gain += VALUES[move.promotion] - VALUES[chess.PAWN]
    after = board.copy(stack=False)
    after.push(move)
    return gain - won_on(after, move.to_square)


def lost_on(board: chess.Board, square: int) -> int:
    """Return what the opponent of the piece on a square wins there if it moves first, whoever is to move."""
    colour = board.color_at(square)
    assert colour is not None
    asked = board.copy(stack=False)
    asked.turn, asked.ep_square = not colour, None
    return won_on(asked, square)
