"""Dead positions: whether any sequence of legal moves ends in checkmate, by either side or by one.

[Dead positions](docs/dead-positions.md) has the definition and the method.
"""

from typing import TYPE_CHECKING, Final

from rookery.bitboards.colours import Colour, read_colour
from rookery.board.moves import Move
from rookery.lazy_imports import modules_later
from rookery.rules.helpmates.possibility import IMPOSSIBLE, LIMIT, POSSIBLE

if TYPE_CHECKING:
    from rookery.board.board import Board
    from rookery.rules.helpmates import finding
else:
    (finding,) = modules_later("rookery.rules.helpmates", "finding")

_ANSWERS: Final = {IMPOSSIBLE: False, POSSIBLE: True}


def can_mate(board: "Board", colour: Colour, *, limit: int = LIMIT) -> bool | None:
    """Check whether a colour mates in some sequence of legal moves, in which the other side helps.

    If this colour's opponent runs out of time, the game is drawn where the answer is False. None means that the search
    has seen `limit` positions without an answer, or that the position is not valid. Counters and earlier positions do
    not matter. Unlike `has_insufficient_material`, this looks at moves.

    >>> board = Board("5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1")
    >>> board.can_mate("white")
    True
    >>> board.can_mate("black")
    False
    >>> board.has_insufficient_material("black")
    False
    """
    limit = finding.checked_limit(limit)
    return _ANSWERS.get(finding.answer(board.words(), not read_colour(colour), limit)[0])


def is_dead_position(board: "Board", *, limit: int = LIMIT) -> bool | None:
    """Check whether neither side can mate by any sequence of legal moves: such a game is drawn at once.

    None means that the search has seen `limit` positions for each side without an answer (see `can_mate`).

    >>> Board("8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1").is_dead_position()
    True
    >>> Board().is_dead_position()
    False
    """
    limit = finding.checked_limit(limit)
    found = set()
    for black in _in_order(board):
        found.add(finding.answer(board.words(), black, limit)[0])
        if POSSIBLE in found:
            return False
    return True if found == {IMPOSSIBLE} else None


def find_helpmate(board: "Board", winner: Colour | None = None, *, limit: int = LIMIT) -> list[Move] | None:
    """Return legal moves of both sides that end in checkmate by the winner, or by either side.

    The line is not the shortest. None means that there is none, or that the search has seen `limit` positions:
    `can_mate` and `is_dead_position` tell these apart. The list is empty if the position is checkmate.

    >>> board = Board("7k/8/6K1/8/8/8/8/6Q1 w - - 0 1")
    >>> for move in board.find_helpmate("white"):
    ...     board.push(move)
    >>> board.is_checkmate()
    True
    >>> board.find_helpmate("black") is None
    True
    """
    limit = finding.checked_limit(limit)
    sides = _in_order(board) if winner is None else (not read_colour(winner, "winner"),)
    for black in sides:
        found, words = finding.answer(board.words(), black, limit)
        if found == POSSIBLE:
            return [Move.from_word(word, chess960=board.chess960) for word in words]
    return None


def _in_order(board: "Board") -> tuple[bool, bool]:
    """Return for both sides whether they are black, first that with more pieces, which mates sooner."""
    us, them, black = (int(word) for word in board.words()[[5, 6, 9]])
    black = (us.bit_count() >= them.bit_count()) == bool(black)
    return black, not black
