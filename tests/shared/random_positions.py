"""Random positions by python-chess: middlegames and endings, classical and Chess960."""

import random

import chess


def random_position(rng: random.Random, chess960: bool) -> chess.Board:
    """A legal position of 3 to 30 pieces, kings at home with rooks in half of them."""
    while True:
        board = chess.Board.empty()
        board.chess960 = chess960
        board.turn = rng.random() < 0.5
        rights = 0
        at_home = rng.random() < 0.5
        for colour in chess.COLORS:
            rank = 0 if colour else 7
            king = chess.square(rng.randrange(1, 7) if chess960 else 4, rank) if at_home else rng.randrange(64)
            if board.piece_at(king):
                break
            board.set_piece_at(king, chess.Piece(chess.KING, colour))
            if not at_home:
                continue
            k = chess.square_file(king)
            for rook in (rng.randrange(k), rng.randrange(k + 1, 8)) if chess960 else (0, 7):
                if rng.random() < 0.8:
                    board.set_piece_at(chess.square(rook, rank), chess.Piece(chess.ROOK, colour))
                    rights |= chess.BB_SQUARES[chess.square(rook, rank)]
        else:
            for _ in range(rng.choice((2, 6, 12, 26, 26))):
                kind = rng.choice((1, 1, 1, 1, 1, 2, 3, 3, 4, 5))
                rank = rng.randrange(1, 7) if kind == chess.PAWN else rng.randrange(8)
                square = chess.square(rng.randrange(8), rank)
                if not board.piece_at(square):
                    board.set_piece_at(square, chess.Piece(kind, rng.random() < 0.5))
            if rng.random() < 0.4:
                set_up_en_passant(rng, board)
            board.castling_rights = rights
            board.halfmove_clock = rng.choice((0, 0, 7, 97, 140))
            board.fullmove_number = rng.randrange(1, 200)
            if board.is_valid():
                return board


def set_up_en_passant(rng: random.Random, board: chess.Board) -> None:
    """Let a pawn have jumped beside one of the side to move, unless a king is in the way."""
    file, side = rng.randrange(8), rng.choice((-1, 1))
    if not 0 <= file + side < 8:
        side = -side
    origin, passed, jumped = (chess.square(file, rank) for rank in ((6, 5, 4) if board.turn else (1, 2, 3)))
    if board.kings & (chess.BB_SQUARES[origin] | chess.BB_SQUARES[passed] | chess.BB_SQUARES[jumped]):
        return
    if board.kings & chess.BB_SQUARES[jumped + side]:
        return
    for square in (origin, passed):
        board.remove_piece_at(square)
    board.set_piece_at(jumped, chess.Piece(chess.PAWN, not board.turn))
    board.set_piece_at(jumped + side, chess.Piece(chess.PAWN, board.turn))
    board.ep_square = passed
