"""The pseudo-legal moves of a `Board`; `rookery.rules.pseudo_legal` generates them."""

from collections.abc import Iterator

import numpy as np

from rookery.aliases import AnyBoard
from rookery.arguments import UNIVERSE as EVERYWHERE
from rookery.arguments import board_number
from rookery.board import san
from rookery.board.moves import CHESS960, CLASSICAL, EN_PASSANT, NULL, Move, as_move
from rookery.board.play import Play
from rookery.board.rows import as_array
from rookery.rules.generate import MOST_MOVES
from rookery.rules.pseudo_legal import moves_code, sources_code


class PseudoLegal(Play):
    """A position with its pseudo-legal moves."""

    __slots__ = ()

    @property
    def pseudo_legal_moves(self) -> "PseudoLegalMoves":
        """Return the pseudo-legal moves, for ``list(board.pseudo_legal_moves)`` and ``move in ...``.

        See `generate_pseudo_legal_moves`.
        """
        return PseudoLegalMoves(self)

    def generate_pseudo_legal_moves(
        self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE
    ) -> list[Move]:
        """List the moves that may leave the king in check, or those from and to the squares of two boards.

        Castling is listed if it is legal, among the moves to the rook's square.

        >>> board = Board("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")
        >>> Move.from_uci("a1a8") in board.generate_pseudo_legal_moves(), Move.from_uci("a1a8") in board.legal_moves
        (True, False)
        """
        return self._pseudo_legal_within(from_mask, to_mask)

    def _pseudo_legal_within(self, from_mask: AnyBoard, to_mask: AnyBoard, kind: int | None = None) -> list[Move]:
        """Return the pseudo-legal moves of a kind, or of all kinds, from and to some squares."""
        sources, targets = board_number("from_mask", from_mask), board_number("to_mask", to_mask)
        code, tables = moves_code()
        room = np.empty(MOST_MOVES, np.uint16)
        n = code(as_array(self._row), room, tables)
        moves = CHESS960 if self.chess960 else CLASSICAL
        return [
            moves[word]
            for word in room[:n].tolist()
            if sources >> (word & 63) & targets >> (word >> 6 & 63) & 1 and (kind is None or word >> 14 == kind)
        ]

    def generate_pseudo_legal_captures(
        self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE
    ) -> list[Move]:
        """List the pseudo-legal moves that take something.

        >>> Board("4k3/8/8/8/7b/8/5R2/r3K3 w - - 0 1").generate_pseudo_legal_captures()
        []
        >>> Board("4k3/8/8/8/5p1b/8/5R2/r3K3 w - - 0 1").generate_pseudo_legal_captures()
        [Move('f2f4')]
        """
        return [move for move in self.generate_pseudo_legal_moves(from_mask, to_mask) if self.is_capture(move)]

    def generate_pseudo_legal_ep(self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE) -> list[Move]:
        """List the pseudo-legal en-passant captures.

        >>> board = Board("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1")
        >>> board.generate_pseudo_legal_ep(), board.generate_legal_ep()
        ([Move('e5d6')], [])
        """
        return self._pseudo_legal_within(from_mask, to_mask, EN_PASSANT)

    def is_pseudo_legal(self, move: int) -> bool:
        """Return whether a move is pseudo-legal.

        >>> board = Board("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")
        >>> board.is_pseudo_legal(Move.from_uci("a1a8")), board.is_pseudo_legal(Move.from_uci("e1c1"))
        (True, False)
        """
        try:
            move = as_move(move, chess960=self.chess960)
        except ValueError:  # an int that is not a move
            return False
        return self.is_legal(move) or self._pseudo_legal_word(move) != 0

    def _pseudo_legal_word(self, move: Move) -> int:
        """Return the word of the pseudo-legal move that `move` stands for, or 0. Castling is not among them."""
        if move is NULL:
            return 0
        code, tables = sources_code()
        words = [int(move)] if move >> 12 else [int(move), move | EN_PASSANT << 14]
        found = (word for word in words if code(as_array(self._row), word, tables) >> (move & 63) & 1)
        return next(found, 0)

    def is_into_check(self, move: int) -> bool:
        """Return whether a pseudo-legal move leaves the king in check.

        >>> board = Board("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")
        >>> board.is_into_check(Move.from_uci("a1a8")), board.is_into_check(Move.from_uci("e1e2"))
        (True, False)
        """
        return self.is_pseudo_legal(move) and not self.is_legal(move)


class PseudoLegalMoves:
    """The pseudo-legal moves of a board: iterable, counted, and searched, always of the board as it then is.

    >>> moves = Board().pseudo_legal_moves
    >>> len(moves), Move.from_uci("e2e4") in moves
    (20, True)
    """

    def __init__(self, board: PseudoLegal) -> None:
        self._board = board

    def __iter__(self) -> Iterator[Move]:
        return iter(self._board.generate_pseudo_legal_moves())

    def __len__(self) -> int:
        return len(self._board.generate_pseudo_legal_moves())

    def count(self) -> int:
        """How many there are."""
        return len(self)

    def __contains__(self, move: int) -> bool:
        return self._board.is_pseudo_legal(move)

    def __repr__(self) -> str:
        board = self._board
        words = (san.write(board, move) if board.is_legal(move) else move.uci() for move in self)
        return f"<pseudo-legal moves: {', '.join(words)}>"
