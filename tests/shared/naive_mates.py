"""Mates by name and phases, written a second time on python-chess. `ring` has the squares next to the king."""

from collections.abc import Callable, Iterator

import chess

from naive_lines import Line


def mates(line: Line) -> Iterator[str]:
    board = line.b[-1]
    if not board.is_checkmate():
        return
    yield "mate"
    yield f"mateIn{min(len(line.m) // 2, 5)}"
    king = board.king(not line.me)
    assert king is not None
    ring = chess.SquareSet(chess.BB_KING_ATTACKS[king])
    for name, fits in NAMED:
        if fits(line, board, king, ring):
            yield name
            return


def blocked(line: Line, board: chess.Board, square: int) -> bool:
    return board.color_at(square) == (not line.me)


def smothered(line: Line, board: chess.Board, king: int, ring: chess.SquareSet) -> bool:
    knight = any(board.piece_type_at(s) == chess.KNIGHT for s in board.checkers())
    return knight and all(blocked(line, board, s) for s in ring)


def back_rank(line: Line, board: chess.Board, king: int, ring: chess.SquareSet) -> bool:
    back, front = (7, 6) if line.me else (0, 1)
    before = [s for s in ring if chess.square_rank(s) == front]
    held = all(blocked(line, board, s) and not board.attackers(line.me, s) for s in before)
    checked = any(chess.square_rank(s) == back for s in board.checkers())
    return chess.square_rank(king) == back and held and checked


def anastasia(line: Line, board: chess.Board, king: int, ring: chess.SquareSet) -> bool:
    file, rank, to = chess.square_file(king), chess.square_rank(king), line.m[-1].to_square
    if file not in (0, 7) or rank in (0, 7) or chess.square_file(to) != file:
        return False
    inward = 1 if file == 0 else -1
    knight = chess.Piece(chess.KNIGHT, line.me)
    heavy = board.piece_type_at(to) in (chess.QUEEN, chess.ROOK)
    return heavy and blocked(line, board, king + inward) and board.piece_at(king + 3 * inward) == knight


def hook(line: Line, board: chess.Board, king: int, ring: chess.SquareSet) -> bool:
    to = line.m[-1].to_square
    if board.piece_type_at(to) != chess.ROOK or to not in ring:
        return False
    knights = [s for s in board.attackers(line.me, to) & ring if board.piece_type_at(s) == chess.KNIGHT]
    pawns = board.pieces(chess.PAWN, line.me)
    return any(board.attackers(line.me, knight) & pawns for knight in knights)


def arabian(line: Line, board: chess.Board, king: int, ring: chess.SquareSet) -> bool:
    to = line.m[-1].to_square
    if king not in (chess.A1, chess.A8, chess.H1, chess.H8) or board.piece_type_at(to) != chess.ROOK or to not in ring:
        return False
    knights = [s for s in board.attackers(line.me, to) if board.piece_type_at(s) == chess.KNIGHT]
    return any(
        abs(chess.square_rank(s) - chess.square_rank(king)) == abs(chess.square_file(s) - chess.square_file(king)) == 2
        for s in knights
    )


def only_bishops(line: Line, board: chess.Board, king: int, ring: chess.SquareSet) -> bool:
    bishops = board.pieces(chess.BISHOP, line.me)
    return len(bishops) >= 2 and all(board.attackers(line.me, s).issubset(bishops) for s in [king, *ring])


def boden(line: Line, board: chess.Board, king: int, ring: chess.SquareSet) -> bool:
    if not only_bishops(line, board, king, ring):
        return False
    first, second = sorted(board.pieces(chess.BISHOP, line.me))[:2]
    file = chess.square_file(king)
    return (chess.square_file(first) < file) == (chess.square_file(second) > file)


def dovetail(line: Line, board: chess.Board, king: int, ring: chess.SquareSet) -> bool:
    to = line.m[-1].to_square
    diagonal = chess.square_file(to) != chess.square_file(king) and chess.square_rank(to) != chess.square_rank(king)
    if len(ring) != 8 or board.piece_type_at(to) != chess.QUEEN or to not in ring or not diagonal:
        return False
    for square in ring - chess.SquareSet([to]):
        attackers = set(board.attackers(line.me, square))
        if attackers - {to} or (attackers and board.piece_at(square)):
            return False
    return True


NAMED = (
    ("smotheredMate", smothered),
    ("backRankMate", back_rank),
    ("anastasiaMate", anastasia),
    ("hookMate", hook),
    ("arabianMate", arabian),
    ("bodenMate", boden),
    ("doubleBishopMate", only_bishops),
    ("dovetailMate", dovetail),
)


# The phase, as scalachess divided games until June 2025.


def phase(board: chess.Board) -> str:
    pieces = chess.popcount(board.occupied & ~board.pawns & ~board.kings)
    white, black = (chess.SquareSet(board.occupied_co[colour]) for colour in (True, False))
    if pieces <= 6:
        return "endgame"
    sparse = len(white & chess.BB_RANK_1) < 4 or len(black & chess.BB_RANK_8) < 4
    return "middlegame" if pieces <= 10 or sparse or mixedness(white, black) > 150 else "opening"


def mixedness(white: chess.SquareSet, black: chess.SquareSet) -> int:
    total = 0
    for rank in range(7):
        for file in range(7):
            block = chess.SquareSet([8 * r + f for r in (rank, rank + 1) for f in (file, file + 1)])
            score = MIXED.get((len(white & block), len(black & block)))
            total += score(rank + 1) if score else 0
    return total


MIXED: dict[tuple[int, int], Callable[[int], int]] = {
    (1, 0): lambda y: 9 - y,
    (2, 0): lambda y: y if y > 2 else 0,
    (3, 0): lambda y: 2 + y if y > 1 else 0,
    (4, 0): lambda y: 2 + y if y > 1 else 0,
    (0, 1): lambda y: 1 + y,
    (1, 1): lambda y: 5 + abs(3 - y),
    (2, 1): lambda y: 4 + y,
    (3, 1): lambda y: 5 + y,
    (0, 2): lambda y: 8 - y if y < 6 else 0,
    (1, 2): lambda y: 10 - y,
    (2, 2): lambda y: 7,
    (0, 3): lambda y: 10 - y if y < 7 else 0,
    (1, 3): lambda y: 11 - y,
    (0, 4): lambda y: 10 - y if y < 7 else 0,
}
