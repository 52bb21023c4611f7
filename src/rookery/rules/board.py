"""Board: a game position with its history, as Python chess programmers know it.

What it can do stands by ideas: `record` what it keeps, `view` how it is looked at, `setup` how it is set up, `play` its
legal moves, `pseudo_legal` those that may leave the king in check, `endings` how a game ends, `notation` moves as text,
`queries` and `exchange` what is asked about attacks.
"""

from typing import Any, Self

from rookery.arguments import shown
from rookery.rules import exchange, queries
from rookery.rules.endings import Endings, Outcome
from rookery.rules.notation import Notation
from rookery.rules.pseudo_legal import PseudoLegal

__all__ = ["Board", "Outcome"]


class Board(Notation, PseudoLegal, Endings):
    """A position, its counters and the moves that led to it.

    `fen` is a FEN of four to six fields, or None for an empty board; an impossible position raises a ValueError that
    says what is wrong (with `strict`, one that no game can reach raises too). Chess960 is recognised from the
    castling field unless `chess960` says which it is.

    Any number of threads may read one board at once; one that changes it needs it for itself.

    >>> board = Board()
    >>> board.push_san("e4"), board.push_uci("c7c5")
    (Move('e2e4'), Move('c7c5'))
    >>> board.fen()
    'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    >>> len(board.legal_moves), board.is_check()
    (30, False)
    """

    __slots__ = ()

    # Questions about attacks.

    attacks = queries.attacks
    attackers = queries.attackers
    is_attacked_by = queries.is_attacked_by
    pinned = queries.pinned
    is_pinned = queries.is_pinned
    pin = queries.pin
    discoverers = queries.discoverers
    xray_attacks = queries.xray_attacks
    batteries = queries.batteries
    see = exchange.see

    # To and from python-chess, which this library does not import.

    @classmethod
    def from_chess(cls, board: Any) -> Self:
        """Read a python-chess board by its attributes, moves made included. A variant other than classical chess and
        Chess960 is a ValueError.

        >>> import chess
        >>> Board.from_chess(chess.Board()) == Board()
        True
        """
        _check_variant("board", board)
        root = board.root()
        ours = cls(root.fen(shredder=board.chess960, en_passant="fen"), board.chess960)
        for move in board.move_stack:
            ours.push_uci(move.uci())
        return ours

    def to_chess(self, board_class: Any) -> Any:
        """Fill a new board of a class like ``chess.Board``, moves made included. A variant's class is a ValueError.

        >>> import chess
        >>> Board().to_chess(chess.Board) == chess.Board()
        True
        """
        _check_variant("board_class", board_class)
        theirs = board_class(self.root().fen(en_passant="fen"), chess960=self.chess960)
        for move in self.move_stack:
            theirs.push_uci(move.uci(chess960=self.chess960))
        return theirs


def _check_variant(name: str, board: Any) -> None:
    """Refuse a python-chess board, or class of boards, of a variant."""
    variant = getattr(board, "uci_variant", None)
    if variant is None:
        raise TypeError(f"{name}: {shown(board)}: expected a board of python-chess")
    if variant != "chess":
        raise ValueError(f"{name}: of the variant {shown(variant)}: expected classical chess or Chess960")
