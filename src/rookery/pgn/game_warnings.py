"""The warnings of a game."""

from typing import NamedTuple


class GameWarning(NamedTuple):
    """A warning of a lenient PGN reader: the game's number in the file, the line and place, and the reason.

    >>> import rookery
    >>> (game,) = rookery.pgn.read("1. e4 +/- e5 *")
    >>> print(game.warnings[0])
    game 1, line 1, move 1...: '+/-': an annotation, stepped over
    """

    number: int
    line: int
    place: str
    reason: str

    def __str__(self) -> str:
        return f"game {self.number}, line {self.line}, {self.place}: {self.reason}"
