"""The depths at which a comparison shows faults that need several moves to appear.

A perft of few plies agrees with many wrong engines: a castling right that outlives its rook shows only where the rook
was captured and the king could castle. The tree below a position is searched for the first moves that would differ.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from rookery.bitboards.leapers import pawn_attacks
from rookery.bitboards.lines import between
from rookery.bitboards.pieces import KING, PAWN
from rookery.bitboards.squares import square_file, square_rank
from rookery.board.board import Board
from rookery.board.moves import Move

MOST_POSITIONS: Final = 20_000  # of a ply: about half a second

Fault = Literal[
    "castling",
    "en passant",
    "promotion",
    "a castling right kept after the rook was captured",
    "a castling right kept after the rook moved",
    "an en-passant square that is never cleared",
]
FAULTS: Final[tuple[Fault, ...]] = Fault.__args__  # type: ignore[attr-defined]  # the names above


class Depths(NamedTuple):
    """The least depth that shows each fault, and how far the tree was searched."""

    least: dict[Fault, int | None]  # None: no position that was searched shows it
    searched: int  # plies whose positions were all searched

    def deeper_than(self, depth: int) -> dict[Fault, int | None]:
        """Return the faults that a comparison of so many plies does not show."""
        return {fault: least for fault, least in self.least.items() if least is None or least > depth}


class _Kept(NamedTuple):
    """Rooks with their colours, and en-passant squares, that an engine may wrongly keep from earlier positions."""

    captured: frozenset[tuple[bool, int]] = frozenset()  # their side had the right to castle with them
    moved: frozenset[tuple[bool, int]] = frozenset()
    en_passant: frozenset[int] = frozenset()

    def after(self, board: Board, move: Move) -> "_Kept":
        """Return what is kept after a move."""
        colour, source, target = board.turn, move.from_square, move.to_square
        rights = int(board.castling_rights)
        captured, moved, en_passant = self
        if board.piece_type_at(source) == KING:
            captured = frozenset(rook for rook in captured if rook[0] != colour)
            moved = frozenset(rook for rook in moved if rook[0] != colour)
        else:
            if rights >> source & 1:
                moved |= {(colour, source)}
            if rights >> target & 1:
                captured |= {(not colour, target)}
        if board.ep_square is not None:
            en_passant |= {board.ep_square}
        return _Kept(captured, moved, en_passant)


def depths_that_show_faults(board: Board, most_positions: int = MOST_POSITIONS) -> Depths:
    """Return the least depth of a perft that shows each of some common faults.

    The tree is searched ply by ply, until all are found or the next ply has too many positions.

    >>> depths = depths_that_show_faults(Board("4k3/8/8/8/8/6n1/P7/4K2R b K - 0 1"))
    >>> depths.least["a castling right kept after the rook was captured"]
    2
    >>> depths.deeper_than(2)["an en-passant square that is never cleared"] is None
    True
    """
    least: dict[Fault, int | None] = dict.fromkeys(FAULTS)
    level = {(board.key, _Kept()): board.copy()}
    searched = 0
    while level and len(level) <= most_positions and None in least.values():
        below: dict[tuple[int, _Kept], Board] = {}
        for (_, kept), position in level.items():
            legal = list(position.legal_moves)
            for fault in _shown(position, legal, kept):
                if least[fault] is None:
                    least[fault] = searched + 1
            if len(below) <= most_positions:
                for move in legal:
                    child = position.copy(stack=False)
                    child.push(move)
                    below.setdefault((child.key, kept.after(position, move)), child)
        searched += 1
        level = below
    return Depths(least, searched)


def _shown(board: Board, legal: list[Move], kept: _Kept) -> Iterator[Fault]:
    """Return the faults that the moves of a position show."""
    if any(board.is_castling(move) for move in legal):
        yield "castling"
    if any(board.is_en_passant(move) for move in legal):
        yield "en passant"
    if any(move.promotion for move in legal):
        yield "promotion"
    if any(_castles_with(board, rook) for rook in kept.captured):
        yield "a castling right kept after the rook was captured"
    if any(_castles_with(board, rook) for rook in kept.moved):
        yield "a castling right kept after the rook moved"
    if any(_captures_en_passant(board, square) for square in kept.en_passant if square != board.ep_square):
        yield "an en-passant square that is never cleared"


def _castles_with(board: Board, rook: tuple[bool, int]) -> bool:
    """Check whether the side to move would castle if it still had the right to castle with a rook."""
    colour, square = rook
    king = board.king(colour)
    if colour != board.turn or king is None or int(board.castling_rights) >> square & 1:
        return False
    rank, is_kingside = 8 * square_rank(square), square > king
    target, rook_target = rank + (6 if is_kingside else 2), rank + (5 if is_kingside else 3)
    way = int(between(king, target)) | 1 << target
    free = (way | int(between(square, rook_target)) | 1 << rook_target | int(between(king, square))) & ~(1 << king)
    if free & int(board.occupied) & ~(1 << square):
        return False
    return not any(board.is_attacked_by(not colour, s) for s in range(64) if (way | 1 << king) >> s & 1)


def _captures_en_passant(board: Board, square: int) -> bool:
    """Check whether a pawn of the side to move would capture en passant on a square, if it were allowed."""
    victim = 8 * (4 if board.turn else 3) + square_file(square)
    if square_rank(square) != (5 if board.turn else 2) or board.piece_at(square):
        return False
    pawns = int(board.pieces(PAWN, board.turn)) & int(pawn_attacks(not board.turn, square))
    return bool(pawns) and int(board.pieces(PAWN, not board.turn)) >> victim & 1 == 1
