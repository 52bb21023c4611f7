"""A puzzle's line on python-chess, for the second definitions of themes.

``b[k]`` is the board after k moves and ``m[k]`` the move made from it. The opponent makes ``m[0]``, ``m[2]``..., the
player ``m[1]``, ``m[3]``...
"""

import chess


class Line:
    """A puzzle: its boards and moves, and who solves it."""

    def __init__(self, fen: str, moves: str) -> None:
        board = chess.Board(fen)
        self.me = not board.turn
        self.b = [board.copy(stack=False)]
        self.m = [chess.Move.from_uci(text) for text in moves.split()]
        for move in self.m:
            board.push(move)
            self.b.append(board.copy(stack=False))

    def mine(self, first: int = 1) -> range:
        """The indices of the player's moves, from move `first` on."""
        return range(first, len(self.m), 2)

    def moved(self, k: int) -> chess.PieceType:
        found = self.b[k + 1].piece_type_at(self.m[k].to_square)
        assert found
        return found

    def taken(self, k: int) -> chess.PieceType | None:
        return self.b[k].piece_type_at(self.m[k].to_square)

    def captures(self, k: int) -> bool:
        return self.b[k].is_capture(self.m[k])

    def checks(self, k: int) -> bool:
        return self.b[k + 1].is_check()

    def path(self, k: int) -> chess.SquareSet:
        return chess.SquareSet.between(self.m[k].from_square, self.m[k].to_square)
