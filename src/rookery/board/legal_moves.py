"""The legal moves of a board, as `Board.legal_moves` has them."""

from collections.abc import Iterator

from rookery.board import san
from rookery.board.moves import Move
from rookery.board.play import Play


class LegalMoves:
    """The legal moves of a board: iterable, counted, and searched, always of the board as it then is.

    >>> moves = Board().legal_moves
    >>> len(moves), "e2e4" in moves, Move.from_uci("e2e5") in moves
    (20, True, False)
    """

    def __init__(self, board: Play) -> None:
        self._board = board

    def __iter__(self) -> Iterator[Move]:
        return iter(self._board.generate_legal_moves())

    def __len__(self) -> int:
        return self._board.count_legal_moves()

    def count(self) -> int:
        """How many there are."""
        return self._board.count_legal_moves()

    def __bool__(self) -> bool:
        return self._board.count_legal_moves() > 0

    def __contains__(self, move: int | str) -> bool:
        """Whether a move is legal, given as a `Move`, its word, or UCI text; what is none of them is an error."""
        if not isinstance(move, str):
            return self._board.is_legal(move)
        return self._board._by_uci(move) is not None

    def __repr__(self) -> str:
        return f"<legal moves: {', '.join(san.write(self._board, move) for move in self)}>"
