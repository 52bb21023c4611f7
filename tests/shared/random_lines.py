"""Random lines of moves, in which themes of puzzles are common."""

import random

import chess


def random_line(rng: random.Random) -> tuple[str, str] | None:
    """A position of a random game, and a line from there in which captures, checks and promotions are common."""
    board = chess.Board()
    for _ in range(rng.randrange(1, 140)):
        moves = list(board.legal_moves)
        if not moves:
            return None
        board.push(rng.choice(moves))
    fen, line = board.fen(), list[chess.Move]()
    for _ in range(rng.choice((2, 4, 4, 6, 6, 8, 10))):
        moves = list(board.legal_moves)
        if not moves:
            break
        captures = [move for move in moves if board.is_capture(move)]
        special = [m for m in moves if board.gives_check(m) or m.promotion or board.is_castling(m)]
        back = [move for move in moves if line and move.to_square == line[-1].to_square]
        move = rng.choice(rng.choice((moves, captures, special, back, moves)) or captures or moves)
        line.append(move)
        board.push(move)
    line = line[: len(line) // 2 * 2]
    return (fen, " ".join(move.uci() for move in line)) if line else None
