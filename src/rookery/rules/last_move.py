"""Whether any last move can have led to a position: one step of retrograde analysis.

The side that has just moved may not have attacked the other's king before its move: it would have been to move with the
king in check. So every piece of it is taken back to every square that it may have come from, with and without a piece
that it captured, and the king looked at. Where each way back leaves him attacked, no game led here.

What is left out makes it lenient, never strict: a captured piece is assumed to have been there to capture, and how the
position before was reached is not asked.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rookery.leapers import table
from rookery.lines import between
from rookery.placement import Placement
from rookery.rules.compiled import default_technique

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = range(6)
_MOST_PIECES: Final = 16


class Before(NamedTuple):
    """A position before the last move, as far as the other king's safety is concerned."""

    pieces: tuple[int, ...]  # the boards of the side that moved, pawn to king
    occupied: int


class LastMoves:
    """The ways back from a position: `them` is the side that has just moved, `us` the one to move."""

    def __init__(self, placement: Placement, black_to_move: bool, en_passant: int | None, checkers: int) -> None:
        white, black = [int(board) for board in placement[:6]], [int(board) for board in placement[6:]]
        self.us, self.them = (black, white) if black_to_move else (white, black)
        self.white = black_to_move  # who has moved
        self.en_passant = en_passant
        self.checkers = checkers
        self.our_pieces, self.their_pieces = sum(self.us), sum(self.them)
        self.occupied = self.our_pieces | self.their_pieces
        self.king = self.us[_KING].bit_length() - 1
        self.up = 8 if self.white else -8

    def any_is_possible(self) -> bool:
        """Whether one of them leaves the king of the side to move alone."""
        return any(not self._attacked(before) for before in self._all())

    def _attacked(self, before: Before) -> bool:
        pawns, knights, bishops, rooks, queens, king = before.pieces
        sq = self.king
        # Where a pawn stands that attacks a square, a pawn of the other colour on that square attacks.
        if int(table("black pawn" if self.white else "white pawn")[sq]) & pawns:
            return True
        if int(table("knight")[sq]) & knights or int(table("king")[sq]) & king:
            return True
        ask = default_technique().ask
        return bool(
            ask("bishop", sq, before.occupied) & (bishops | queens)
            or ask("rook", sq, before.occupied) & (rooks | queens)
        )

    def _all(self) -> Iterator[Before]:
        if self.en_passant is not None:
            yield from self._pushes(self.en_passant + self.up, double_only=True)
            return
        # What gives check is most likely to have moved.
        likely = [(kind, board & self.checkers) for kind, board in enumerate(self.them)]
        others = [(kind, board & ~self.checkers) for kind, board in enumerate(self.them)]
        for kind, board in likely + others:
            for square in _squares(board):
                if kind == _PAWN:
                    yield from self._pushes(square)
                    yield from self._pawn_captures(square, _PAWN)
                    yield from self._in_passing(square)
                else:
                    yield from self._moves(kind, square)
                    if kind != _KING and square >> 3 == (7 if self.white else 0):
                        yield from self._promotions(kind, square)
        yield from self._castlings()

    def _before(self, was: int, origin: int, now: int, square: int, occupied: int) -> Before:
        """The piece `now` on a square was the piece `was` on another."""
        pieces = list(self.them)
        pieces[now] &= ~(1 << square)
        pieces[was] |= 1 << origin
        return Before(tuple(pieces), occupied | 1 << origin)

    def _quiet_and_capturing(self, was: int, origin: int, now: int, square: int) -> Iterator[Before]:
        yield self._before(was, origin, now, square, self.occupied & ~(1 << square))
        yield from self._capturing(was, origin, now, square)

    def _capturing(self, was: int, origin: int, now: int, square: int) -> Iterator[Before]:
        if self.our_pieces.bit_count() < _MOST_PIECES:
            yield self._before(was, origin, now, square, self.occupied)

    def _moves(self, kind: int, square: int) -> Iterator[Before]:
        if kind in (_KNIGHT, _KING):
            origins = int(table("knight" if kind == _KNIGHT else "king")[square])
        else:
            ask = default_technique().ask
            origins = int(ask(("bishop", "rook", "queen")[kind - _BISHOP], square, self.occupied))
        for origin in _squares(origins & ~self.occupied):
            yield from self._quiet_and_capturing(kind, origin, kind, square)

    def _pushes(self, square: int, *, double_only: bool = False) -> Iterator[Before]:
        rank = square >> 3 if self.white else 7 - (square >> 3)
        one, two = square - self.up, square - 2 * self.up
        if rank < 2 or self.occupied >> one & 1:
            return
        free = self.occupied & ~(1 << square)
        if not double_only:
            yield self._before(_PAWN, one, _PAWN, square, free)
        if rank == 3 and not self.occupied >> two & 1:
            yield self._before(_PAWN, two, _PAWN, square, free)

    def _askew(self, square: int) -> Iterator[int]:
        """The empty squares that a pawn may have come from by a capture."""
        rank = square >> 3 if self.white else 7 - (square >> 3)
        if rank >= 2:
            yield from _squares(int(table("black pawn" if self.white else "white pawn")[square]) & ~self.occupied)

    def _pawn_captures(self, square: int, now: int) -> Iterator[Before]:
        for origin in self._askew(square):
            yield from self._capturing(_PAWN, origin, now, square)

    def _promotions(self, now: int, square: int) -> Iterator[Before]:
        origin = square - self.up
        if not self.occupied >> origin & 1:
            yield self._before(_PAWN, origin, now, square, self.occupied & ~(1 << square))
        yield from self._pawn_captures(square, now)

    def _in_passing(self, square: int) -> Iterator[Before]:
        """A pawn that took another, which had come two steps and stood behind this square."""
        if square >> 3 != (5 if self.white else 2) or self.our_pieces.bit_count() >= _MOST_PIECES:
            return
        taken, began = square - self.up, square + self.up
        if self.occupied >> taken & 1 or self.occupied >> began & 1:
            return
        for origin in self._askew(square):
            yield self._before(_PAWN, origin, _PAWN, square, self.occupied & ~(1 << square) | 1 << taken)

    def _castlings(self) -> Iterator[Before]:
        """King and rook as they may have stood before, in Chess960, too: a FEN without rights does not say which."""
        rank = 0 if self.white else 56
        for king_to, rook_to, rooks_from in ((6, 5, range(1, 8)), (2, 3, range(7))):
            if not self.them[_KING] >> (rank + king_to) & 1 or not self.them[_ROOK] >> (rank + rook_to) & 1:
                continue
            left = 1 << rank + king_to | 1 << rank + rook_to
            free = ~self.occupied | left
            for rook in rooks_from:
                for king in range(1, rook) if king_to == 6 else range(rook + 1, 7):
                    home = 1 << rank + king | 1 << rank + rook
                    ways = between(rank + king, rank + king_to) | between(rank + rook, rank + rook_to) | home
                    if not int(ways) & ~free:
                        pieces = list(self.them)
                        pieces[_KING] = 1 << rank + king
                        pieces[_ROOK] = pieces[_ROOK] & ~left | 1 << rank + rook
                        yield Before(tuple(pieces), self.occupied & ~left | home)


def _squares(board: int) -> Iterator[int]:
    while board:
        yield (board & -board).bit_length() - 1
        board &= board - 1
