"""How games end: checkmate, stalemate, draws and the claims of draws."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from rookery.arguments import flag, is_number, shown
from rookery.bitboards.colours import Colour, read_colour
from rookery.board import rows
from rookery.board.rows import as_array, is_same_position
from rookery.kernel.native import native, provide
from rookery.results import BLACK_WON, DRAWN, UNFINISHED, WHITE_WON

if TYPE_CHECKING:
    from rookery.board.board import Board


class Termination(StrEnum):
    """Why a game ended: a text, with the name that python-chess gives it.

    >>> Termination.CHECKMATE == "checkmate"
    True
    >>> Termination("seventy-five moves").name
    'SEVENTYFIVE_MOVES'
    """

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    INSUFFICIENT_MATERIAL = "insufficient material"
    SEVENTYFIVE_MOVES = "seventy-five moves"
    FIVEFOLD_REPETITION = "fivefold repetition"
    FIFTY_MOVES = "fifty moves"
    THREEFOLD_REPETITION = "threefold repetition"

    def __repr__(self) -> str:
        return f"Termination.{self.name}"


class Outcome(NamedTuple):
    """How a game ended.

    >>> board = Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")
    >>> board.outcome().winner
    True
    >>> board.outcome().termination
    Termination.CHECKMATE
    >>> board.outcome().termination == "checkmate"
    True
    """

    termination: Termination
    winner: bool | None

    def result(self) -> str:
        """Return ``1-0``, ``0-1`` or ``1/2-1/2``.

        >>> Board("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1").outcome().result()
        '1/2-1/2'
        """
        return DRAWN if self.winner is None else WHITE_WON if self.winner else BLACK_WON


# The ends of games as machine code numbers them, see `rookery.board.kernels.ends`.
_OUTCOMES: Final = (
    None,
    Outcome(Termination.CHECKMATE, True),
    Outcome(Termination.CHECKMATE, False),
    Outcome(Termination.STALEMATE, None),
    Outcome(Termination.INSUFFICIENT_MATERIAL, None),
    Outcome(Termination.SEVENTYFIVE_MOVES, None),
    Outcome(Termination.FIVEFOLD_REPETITION, None),
    Outcome(Termination.FIFTY_MOVES, None),
    Outcome(Termination.THREEFOLD_REPETITION, None),
)
provide("outcomes", _OUTCOMES)
provide("results", tuple(outcome.result() if outcome else "*" for outcome in _OUTCOMES))


@native
def is_checkmate(board: "Board") -> bool:
    """Check whether the side to move is in check and has no legal move.

    >>> Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").is_checkmate()
    True
    """
    return _ended(board) == (True, True)


@native
def is_stalemate(board: "Board") -> bool:
    """Check whether the side to move has no legal move, and a king that is not in check.

    A side without a king is neither stalemated nor mated.

    >>> Board("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1").is_stalemate()
    True
    """
    return _ended(board) == (True, False) and board.king(board.turn) is not None


def _ended(board: "Board") -> tuple[bool, bool]:
    """Return whether there is no legal move, and whether the side to move is in check."""
    return not board.count_legal_moves(), board.is_check()


@native
def has_insufficient_material(board: "Board", colour: Colour) -> bool:
    """Check whether a colour cannot mate, whatever the other does.

    >>> board = Board("4k3/8/8/8/8/8/8/QN2K3 w - - 0 1")
    >>> board.has_insufficient_material("white")
    False
    >>> board.has_insufficient_material("black")
    True
    """
    return rows.compiled().has_insufficient_material(as_array(board._row), int(read_colour(colour))) != 0


@native
def is_insufficient_material(board: "Board") -> bool:
    """Check whether neither side can mate.

    >>> Board("4k3/8/8/8/8/8/8/N3K3 w - - 0 1").is_insufficient_material()
    True
    """
    return rows.compiled().is_insufficient_material(as_array(board._row)) != 0


@native
def is_fifty_moves(board: "Board") -> bool:
    """Check whether each side has made fifty moves without a capture or pawn move, and a legal move is left.

    >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 100 80").is_fifty_moves()
    True
    """
    return board.halfmove_clock >= 100 and board.count_legal_moves() > 0


@native
def is_seventyfive_moves(board: "Board") -> bool:
    """Check the same for seventy-five moves. This ends the game without a claim.

    >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 150 99").is_seventyfive_moves()
    True
    """
    return board.halfmove_clock >= 150 and board.count_legal_moves() > 0


@native
def repetitions(board: "Board") -> int:
    """Return how often this position has occurred, including now. Null moves count as moves.

    >>> board = Board()
    >>> for san in "Nf3 Nf6 Ng1 Ng8".split():
    ...     _ = board.push_san(san)
    >>> board.repetitions()
    2
    """
    row = board._row
    # No position before a capture or a pawn move can recur; one ply ago the other side was to move.
    earlier = board._history[-2 : -board.halfmove_clock - 1 : -2]
    return 1 + sum(is_same_position(row, before) for before in earlier)


@native
def is_repetition(board: "Board", count: int = 3) -> bool:
    """Check whether this position has occurred `count` times.

    >>> board = Board()
    >>> for san in "Nf3 Nf6 Ng1 Ng8".split():
    ...     _ = board.push_san(san)
    >>> board.is_repetition(2)
    True
    >>> board.is_repetition()
    False
    """
    if type(count) is not int and not is_number(count):
        raise TypeError(f"count: {shown(count)}: expected an int")
    # A position recurs after at least four plies, or two null moves; none of them captures or moves a pawn.
    return board.halfmove_clock >= 2 * (count - 1) and board.repetitions() >= count


@native
def is_fivefold_repetition(board: "Board") -> bool:
    """Check whether this position has occurred five times. This ends the game without a claim.

    >>> board = Board()
    >>> for san in 4 * "Nf3 Nf6 Ng1 Ng8 ".split():
    ...     _ = board.push_san(san)
    >>> board.is_fivefold_repetition()
    True
    """
    return board.is_repetition(5)


# Draws that the side to move may claim: for the position on the board, or for one after its next move.


@native
def can_claim_draw(board: "Board") -> bool:
    """Check whether the side to move may claim a draw, by fifty moves or by a threefold repetition.

    >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 99 80").can_claim_draw()
    True
    """
    return board.can_claim_fifty_moves() or board.can_claim_threefold_repetition()


@native
def can_claim_fifty_moves(board: "Board") -> bool:
    """Check whether fifty moves have passed, or will have after a legal move that does not end the game.

    >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 99 80").can_claim_fifty_moves()
    True
    """
    if board.halfmove_clock >= 100:
        return board.is_fifty_moves()
    if board.halfmove_clock < 99:
        return False
    after = board.copy(stack=False)
    for move in board.generate_legal_moves():
        if not board.is_zeroing(move):
            after.push(move)
            if after.is_fifty_moves():
                return True
            after.pop()
    return False


@native
def can_claim_threefold_repetition(board: "Board") -> bool:
    """Check whether the position has occurred three times, or will have after a legal move.

    >>> board = Board()
    >>> for san in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split():
    ...     _ = board.push_san(san)
    >>> board.can_claim_threefold_repetition()
    True
    """
    if board.is_repetition(3):
        return True
    after = board.copy()
    for move in board.generate_legal_moves():
        after.push(move)
        if after.is_repetition(3):
            return True
        after.pop()
    return False


# The end.


@native
def outcome(board: "Board", *, claim_draw: bool = False) -> Outcome | None:
    """Return how the game has ended, or None if it has not.

    With `claim_draw` the game has also ended if the side to move may claim a draw (`can_claim_draw`), by the
    position on the board or by one that a legal move leads to.

    >>> Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").outcome()
    Outcome(termination=Termination.CHECKMATE, winner=True)
    """
    if claim_draw is not False:
        claim_draw = flag("claim_draw", claim_draw)
    no_move, check = _ended(board)
    if no_move and check:
        return Outcome(Termination.CHECKMATE, not board.turn)
    if no_move and board.king(board.turn) is not None:
        return Outcome(Termination.STALEMATE, None)
    if board.is_insufficient_material():
        return Outcome(Termination.INSUFFICIENT_MATERIAL, None)
    if no_move:
        return None
    if board.halfmove_clock >= 150:
        return Outcome(Termination.SEVENTYFIVE_MOVES, None)
    if board.is_fivefold_repetition():
        return Outcome(Termination.FIVEFOLD_REPETITION, None)
    if claim_draw and board.can_claim_fifty_moves():
        return Outcome(Termination.FIFTY_MOVES, None)
    if claim_draw and board.can_claim_threefold_repetition():
        return Outcome(Termination.THREEFOLD_REPETITION, None)
    return None


@native
def is_game_over(board: "Board", *, claim_draw: bool = False) -> bool:
    """Check whether the game has ended: whether `outcome` returns one.

    >>> board = Board("4k3/8/8/8/8/8/8/R3K3 w - - 100 80")
    >>> board.is_game_over()
    False
    >>> board.is_game_over(claim_draw=True)
    True
    """
    return board.outcome(claim_draw=claim_draw) is not None


@native
def result(board: "Board", *, claim_draw: bool = False) -> str:
    """Return ``1-0``, ``0-1`` or ``1/2-1/2``, or ``*`` if the game has not ended.

    >>> Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").result()
    '1-0'
    >>> Board().result()
    '*'
    """
    outcome = board.outcome(claim_draw=claim_draw)
    return outcome.result() if outcome else UNFINISHED
