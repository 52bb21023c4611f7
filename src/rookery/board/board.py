"""Board: a chess position with its history.

Its methods are grouped by topic: `record` (data), `view` (read-only queries), `setup` (setting up positions), `play`
(legal moves), `pseudo_legal` (moves that may leave the king in check), `endings` (the end of a game), `notation` (moves
as text), and `queries` (attacks).
"""

from typing import Any, Self

from rookery.arguments import shown
from rookery.board import queries
from rookery.board.endings import Endings, Outcome, Termination
from rookery.board.moves import NULL, Move
from rookery.board.notation import Notation
from rookery.board.pseudo_legal import PseudoLegal
from rookery.board.rows import CASTLING, CLOCK, NUMBER, TURN, unpack

__all__ = ["Board", "Outcome", "Termination"]


class Board(Notation, PseudoLegal, Endings):
    """A position, its counters and the moves that led to it.

    `fen` is a FEN of four to six fields, or None for an empty board. An impossible position raises a ValueError that
    explains the fault; with `strict`, so does a position that no game can reach. `chess960` is derived from the
    castling field unless it is given.

    Any number of threads may read a board at the same time, as long as none changes it.

    >>> board = Board()
    >>> board.push_san("e4")
    Move('e2e4')
    >>> board.push_uci("c7c5")
    Move('c7c5')
    >>> board.fen()
    'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    >>> len(board.legal_moves)
    30
    >>> board.is_check()
    False
    """

    __slots__ = ()

    # Attacks.

    attacks = queries.attacks
    attackers = queries.attackers
    is_attacked_by = queries.is_attacked_by
    pinned = queries.pinned
    is_pinned = queries.is_pinned
    pin = queries.pin
    discoverers = queries.discoverers
    xray_attacks = queries.xray_attacks
    batteries = queries.batteries
    see = queries.see
    pseudo_legal_see = queries.pseudo_legal_see

    # Conversion from and to python-chess, which this library does not import before `to_chess` needs it.

    @classmethod
    def from_chess(cls, board: Any) -> Self:
        """Return a copy of a python-chess board with its move stack.

        Variants other than classical chess and Chess960 raise a ValueError.

        >>> import chess
        >>> Board.from_chess(chess.Board()) == Board()
        True
        """
        _check_variant("board", board)
        root = board.root()
        ours = cls(root.fen(shredder=board.chess960, en_passant="fen"), board.chess960)
        for move in board.move_stack:
            if move:
                ours.push(Move.of(move.from_square, move.to_square, promotion=move.promotion))
            else:
                ours.push(NULL)
        return ours

    def to_chess(self, board_class: Any = None) -> Any:
        """Return a copy as a ``chess.Board`` of python-chess, or of a class derived from it, with its move stack.

        The class of a variant raises a ValueError. Without python-chess, this raises an ImportError.

        >>> import chess
        >>> Board().to_chess() == chess.Board()
        True
        """
        try:
            import chess
        except ImportError as error:
            raise ImportError("to_chess: expected python-chess: pip install chess") from error
        if board_class is None:
            board_class = chess.Board
        elif not isinstance(board_class, type):
            raise TypeError(f"board_class: {shown(board_class)}: expected chess.Board, or a class derived from it")
        _check_variant("board_class", board_class)
        root = self.root()
        # Attributes, because python-chess takes 40 us to read a FEN.
        theirs = board_class(None, chess960=self.chess960)
        theirs.pawns, theirs.knights, theirs.bishops, theirs.rooks, theirs.queens, theirs.kings = root._kinds()
        white, black = root._sides()
        theirs.occupied_co = [black, white]
        theirs.occupied = white | black
        words = unpack(root._row)
        theirs.castling_rights = words[CASTLING]
        theirs.ep_square = root.ep_square
        theirs.turn = not words[TURN]
        theirs.halfmove_clock, theirs.fullmove_number = words[CLOCK], words[NUMBER]
        # `push` takes castling as king takes rook, and stores it as it writes it.
        for move in self.move_stack:
            theirs.push(chess.Move(move & 63, move >> 6 & 63, move.promotion))
        return theirs


def _check_variant(name: str, board: Any) -> None:
    """Raise a ValueError for a board, or a class of boards, of a variant."""
    variant = getattr(board, "uci_variant", None)
    if variant is None:
        raise TypeError(f"{name}: {shown(board)}: expected a board of python-chess")
    if variant != "chess":
        raise ValueError(f"{name}: variant {shown(variant)}: expected classical chess or Chess960")
