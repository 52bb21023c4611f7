"""Endings: how a game stands, and how it ends."""

from typing import Literal, NamedTuple

from rookery.arguments import flag, is_number, shown
from rookery.colours import Colour, read_colour
from rookery.rules.compiled import compiled
from rookery.rules.play import Play

_SIDE_TO_MOVE, _OTHER_SIDE = 1, 2  # bits of `rookery.rules.material.insufficient_sides`


class Outcome(NamedTuple):
    """How a game ended.

    >>> board = Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")
    >>> board.outcome().winner, board.outcome().termination
    (True, 'checkmate')
    """

    termination: Literal[
        "checkmate",
        "stalemate",
        "insufficient material",
        "seventy-five moves",
        "fivefold repetition",
        "fifty moves",
        "threefold repetition",
    ]
    winner: bool | None

    def result(self) -> str:
        """``1-0``, ``0-1`` or ``1/2-1/2``.

        >>> Board("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1").outcome().result()
        '1/2-1/2'
        """
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner else "0-1"


class Endings(Play):
    """The rules by which a game ends."""

    __slots__ = ()

    def is_checkmate(self) -> bool:
        """Whether the side to move is in check and has no move.

        >>> Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").is_checkmate()
        True
        """
        return self._ended() == (True, True)

    def is_stalemate(self) -> bool:
        """Whether the side to move has a king, who is not in check, and has no move.

        A side without a king is never stalemated, nor mated: only a board set up by hand has such a side.

        >>> Board("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1").is_stalemate()
        True
        """
        return self._ended() == (True, False) and self.king(self.turn) is not None

    def has_insufficient_material(self, colour: Colour) -> bool:
        """Whether a colour cannot mate, whatever the other does.

        >>> board = Board("4k3/8/8/8/8/8/8/QN2K3 w - - 0 1")
        >>> board.has_insufficient_material("white"), board.has_insufficient_material("black")
        (False, True)
        """
        # The word is 1 when black is to move, and `WHITE` is True.
        side = _SIDE_TO_MOVE if read_colour(colour) != (self._words or self._spread())[9] else _OTHER_SIDE
        return bool(compiled().insufficient(self._row) & side)

    def is_insufficient_material(self) -> bool:
        """Whether neither side can mate.

        >>> Board("4k3/8/8/8/8/8/8/N3K3 w - - 0 1").is_insufficient_material()
        True
        """
        return compiled().insufficient(self._row) == _SIDE_TO_MOVE | _OTHER_SIDE

    def is_fifty_moves(self) -> bool:
        """Whether fifty moves of each side have passed without a capture or pawn move, and the game goes on.

        >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 100 80").is_fifty_moves()
        True
        """
        return self.halfmove_clock >= 100 and self.count_legal_moves() > 0

    def is_seventyfive_moves(self) -> bool:
        """The same with seventy-five: the game has ended.

        >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 150 99").is_seventyfive_moves()
        True
        """
        return self.halfmove_clock >= 150 and self.count_legal_moves() > 0

    def repetitions(self) -> int:
        """Return how often this position has stood on the board, now included. Null moves count as moves.

        >>> board = Board()
        >>> for san in "Nf3 Nf6 Ng1 Ng8".split():
        ...     _ = board.push_san(san)
        >>> board.repetitions()
        2
        """
        key = self.key
        # Before a capture or a pawn's move stood other positions; one ply ago the other side was to move.
        earlier = self._history[-2 : -self._halfmove_clock - 1 : -2]
        return 1 + sum(before.key == key for before in earlier)

    def is_repetition(self, count: int = 3) -> bool:
        """Whether this position stands on the board for the `count`-th time.

        >>> board = Board()
        >>> for san in "Nf3 Nf6 Ng1 Ng8".split():
        ...     _ = board.push_san(san)
        >>> board.is_repetition(2), board.is_repetition()
        (True, False)
        """
        if type(count) is not int and not is_number(count):
            raise TypeError(f"count: {shown(count)}: expected an int")
        # To come back takes four plies at least, or two null moves, of which none captures or moves a pawn.
        return self._halfmove_clock >= 2 * (count - 1) and self.repetitions() >= count

    def is_fivefold_repetition(self) -> bool:
        """The fifth time: the game has ended.

        >>> board = Board()
        >>> for san in 4 * "Nf3 Nf6 Ng1 Ng8 ".split():
        ...     _ = board.push_san(san)
        >>> board.is_fivefold_repetition()
        True
        """
        return self.is_repetition(5)

    # Draws that the side to move may claim, of the position on the board or of one that a move of its own brings.

    def can_claim_draw(self) -> bool:
        """Whether the side to move may claim a draw, by fifty moves or by a threefold repetition.

        >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 99 80").can_claim_draw()
        True
        """
        return self.can_claim_fifty_moves() or self.can_claim_threefold_repetition()

    def can_claim_fifty_moves(self) -> bool:
        """Whether fifty moves have passed, or will have with a legal move that the game can go on from.

        >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 99 80").can_claim_fifty_moves()
        True
        """
        if self.halfmove_clock >= 100:
            return self.is_fifty_moves()
        if self.halfmove_clock < 99:
            return False
        after = self.copy(stack=False)
        for move in self.generate_legal_moves():
            if not self.is_zeroing(move):
                after.push(move)
                if after.is_fifty_moves():
                    return True
                after.pop()
        return False

    def can_claim_threefold_repetition(self) -> bool:
        """Whether the position stands here for the third time, or will with a legal move.

        >>> board = Board()
        >>> for san in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split():
        ...     _ = board.push_san(san)
        >>> board.can_claim_threefold_repetition()
        True
        """
        if self.is_repetition(3):
            return True
        after = self.copy()
        for move in self.generate_legal_moves():
            after.push(move)
            if after.is_repetition(3):
                return True
            after.pop()
        return False

    # The end.

    def outcome(self, *, claim_draw: bool = False) -> Outcome | None:
        """Return how the game has ended, or None. With `claim_draw` it has also ended if the side to move may claim a
        draw (`can_claim_draw`), by the position on the board or by one that a legal move leads to.

        >>> Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").outcome()
        Outcome(termination='checkmate', winner=True)
        """
        if claim_draw is not False:
            claim_draw = flag("claim_draw", claim_draw)
        no_move, check = self._ended()
        if no_move and check:
            return Outcome("checkmate", not self.turn)
        if no_move and self.king(self.turn) is not None:
            return Outcome("stalemate", None)
        if self.is_insufficient_material():
            return Outcome("insufficient material", None)
        if no_move:
            return None
        if self.halfmove_clock >= 150:
            return Outcome("seventy-five moves", None)
        if self.is_fivefold_repetition():
            return Outcome("fivefold repetition", None)
        if claim_draw and self.can_claim_fifty_moves():
            return Outcome("fifty moves", None)
        if claim_draw and self.can_claim_threefold_repetition():
            return Outcome("threefold repetition", None)
        return None

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Whether there is an outcome.

        >>> board = Board("4k3/8/8/8/8/8/8/R3K3 w - - 100 80")
        >>> board.is_game_over(), board.is_game_over(claim_draw=True)
        (False, True)
        """
        return self.outcome(claim_draw=claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the game goes on.

        >>> Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").result(), Board().result()
        ('1-0', '*')
        """
        outcome = self.outcome(claim_draw=claim_draw)
        return outcome.result() if outcome else "*"
