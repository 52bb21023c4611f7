"""A position as the naive definitions of motifs see it: squares are (file, rank) pairs, seen from the side in question.

Nothing here is shared with rookery: python-chess says where the pieces are and what they attack.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final, TypeAlias

import chess

Square: TypeAlias = tuple[int, int]

ALL: Final = [(f, r) for r in range(8) for f in range(8)]
ROOK_LINES: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))
BISHOP_LINES: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))
QUEEN_LINES: Final = ROOK_LINES + BISHOP_LINES
LINES: Final = {chess.ROOK: ROOK_LINES, chess.BISHOP: BISHOP_LINES, chess.QUEEN: QUEEN_LINES}
VALUES: Final = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 99}
SLIDERS: Final = tuple(LINES)
PIECES: Final = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


class Scene:
    """One position and one side."""

    def __init__(self, board: chess.Board, side: chess.Color) -> None:
        self.board, self.side = board, side
        self.to_move = board.turn == side
        self.at: dict[Square, tuple[bool, int]] = {}
        for square, piece in board.piece_map().items():
            self.at[self.seen(square)] = (piece.color == side, piece.piece_type)
        self.own = {s for s, (mine, _) in self.at.items() if mine}
        self.other = self.at.keys() - self.own
        self.pawns = self.of(True, chess.PAWN)
        self.enemies = self.of(False, chess.PAWN)

    def seen(self, square: int) -> Square:
        return (square % 8, square // 8 if self.side else 7 - square // 8)

    def absolute(self, square: Square) -> int:
        return square[0] + 8 * (square[1] if self.side else 7 - square[1])

    def of(self, mine: bool, *kinds: int) -> set[Square]:
        return {s for s, (owner, kind) in self.at.items() if owner == mine and kind in kinds}

    def kind(self, square: Square) -> int:
        return self.at[square][1]

    def value(self, square: Square) -> int:
        return VALUES[self.kind(square)]

    @cached_property
    def attacks(self) -> dict[Square, set[Square]]:
        """What each piece attacks."""
        return {s: {self.seen(t) for t in self.board.attacks(self.absolute(s))} for s in self.at}

    @cached_property
    def attackers(self) -> dict[tuple[bool, Square], set[Square]]:
        """The pieces of a side that attack each square."""
        found: dict[tuple[bool, Square], set[Square]] = {(mine, s): set() for mine in (True, False) for s in ALL}
        for s, targets in self.attacks.items():
            for t in targets:
                found[self.at[s][0], t].add(s)
        return found

    def king(self, mine: bool) -> Square | None:
        """The king that counts: the one on the lowest square."""
        kings = self.of(mine, chess.KING)
        return min(kings, key=self.absolute) if kings else None

    def ray(self, square: Square, step: Square) -> Iterator[Square]:
        f, r = square[0] + step[0], square[1] + step[1]
        while 0 <= f < 8 and 0 <= r < 8:
            yield f, r
            f, r = f + step[0], r + step[1]

    def seen_along(self, square: Square, step: Square) -> list[Square]:
        """The pieces along a ray, nearest first."""
        return [s for s in self.ray(square, step) if s in self.at]


Naive: TypeAlias = Callable[[Scene], Iterable[Square]]


def near(a: Square, b: Square) -> int:
    """The distance of a king's walk."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))
