"""Pseudo-legal moves: moves that may leave the king in check. Castling moves among them are fully legal.

They come from the generator of legal moves: for a side without a king it lists every move of the other pieces.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from rookery.arguments import UNIVERSE as EVERYWHERE
from rookery.arguments import board_number
from rookery.bitboards.bits import reset_ls1b
from rookery.board import san
from rookery.board.moves import INTERNED, USUAL, Move, as_move
from rookery.board.play import Play
from rookery.kernel import U64, UNIVERSE, Word, entry, kernel, once_compiled, trailing_zeros
from rookery.protocol import toggle
from rookery.rules.compiled import default_technique
from rookery.rules.generate import (
    KING_MOVER,
    KING_MOVES,
    MOST_MOVES,
    List,
    add,
    attacked_by_them,
    castle,
    checkers_of,
    generate,
)
from rookery.rules.legality import reach
from rookery.rules.position import WORDS, Position, prepared


@kernel
def generate_pseudo_legal(p: Position, t: Any, sink: Any) -> Word:
    """Hand all pseudo-legal moves to `sink`; returns their number."""
    us = p.us
    pieces = Position(*p[:4], p.kings & ~us, us, p.them, p.castling & ~us, p.en_passant, p.turn, p.state)
    n = generate(pieces, t, sink, UNIVERSE, UNIVERSE)
    kings = p.kings & us
    rights = p.castling & us
    if kings and rights and not checkers_of(p, t):
        k = trailing_zeros(kings)
        n = castle(p, t, sink, n, k, attacked_by_them(p, toggle(p.state, k, t), t), us | p.them)
    while kings:
        k = trailing_zeros(kings)
        n = add(sink, n, KING_MOVER, k, KING_MOVES[k] & ~us, 0)
        kings = reset_ls1b(kings)
    return n


@entry
def pseudo_legal(row: Any, moves: Any, t: Any) -> Any:
    """Write the pseudo-legal moves; returns their number."""
    return generate_pseudo_legal(prepared(row, t), t, List(moves))


@entry
def pseudo_legal_sources(row: Any, move: Any, t: Any) -> Any:
    """Return the squares from which a pseudo-legal move of this kind goes to this target."""
    return generate_pseudo_legal(prepared(row, t), t, reach(move))


@once_compiled
def _sources_code() -> tuple[Any, Any]:
    tables = default_technique().tables()
    return pseudo_legal_sources.resolve(np.zeros(WORDS, U64), U64(0), tables), tables


@once_compiled
def _code() -> tuple[Any, Any]:
    tables = default_technique().tables()
    return pseudo_legal.resolve(np.zeros(WORDS, U64), np.zeros(MOST_MOVES, np.uint16), tables), tables


class PseudoLegal(Play):
    """A position with its pseudo-legal moves."""

    __slots__ = ()

    @property
    def pseudo_legal_moves(self) -> "PseudoLegalMoves":
        """Return the pseudo-legal moves, for ``list(board.pseudo_legal_moves)`` and ``move in ...``.

        See `generate_pseudo_legal_moves`.
        """
        return PseudoLegalMoves(self)

    def generate_pseudo_legal_moves(self, from_mask: int = EVERYWHERE, to_mask: int = EVERYWHERE) -> list[Move]:
        """List the moves that may leave the king in check, or those from and to the squares of two boards.

        Castling is listed if it is legal, and goes to the rook's square.

        >>> board = Board("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")
        >>> Move.from_uci("a1a8") in board.generate_pseudo_legal_moves(), Move.from_uci("a1a8") in board.legal_moves
        (True, False)
        """
        code, tables = _code()
        room = np.empty(MOST_MOVES, np.uint16)
        n = code(self._row, room, tables)
        moves = list(map(INTERNED.__getitem__, room[:n].tolist()))
        if from_mask is to_mask is EVERYWHERE:
            return moves
        from_mask, to_mask = board_number("from_mask", from_mask), board_number("to_mask", to_mask)
        return [move for move in moves if from_mask >> move.from_square & to_mask >> move.to_square & 1]

    def generate_pseudo_legal_captures(self, from_mask: int = EVERYWHERE, to_mask: int = EVERYWHERE) -> list[Move]:
        """List the pseudo-legal moves that take something.

        >>> Board("4k3/8/8/8/7b/8/5R2/r3K3 w - - 0 1").generate_pseudo_legal_captures()
        []
        >>> Board("4k3/8/8/8/5p1b/8/5R2/r3K3 w - - 0 1").generate_pseudo_legal_captures()
        [Move('f2f4')]
        """
        return [move for move in self.generate_pseudo_legal_moves(from_mask, to_mask) if self.is_capture(move)]

    def generate_pseudo_legal_ep(self, from_mask: int = EVERYWHERE, to_mask: int = EVERYWHERE) -> list[Move]:
        """List the pseudo-legal en-passant captures.

        >>> board = Board("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1")
        >>> board.generate_pseudo_legal_ep(), board.generate_legal_ep()
        ([Move('e5d6')], [])
        """
        return [move for move in self.generate_pseudo_legal_moves(from_mask, to_mask) if move.is_en_passant]

    def is_pseudo_legal(self, move: int) -> bool:
        """Return whether a move is pseudo-legal.

        >>> board = Board("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")
        >>> board.is_pseudo_legal(Move.from_uci("a1a8")), board.is_pseudo_legal(Move.from_uci("e1c1"))
        (True, False)
        """
        try:
            move = as_move(move)
        except ValueError:  # an int that is not a move
            return False
        if move == 0:
            return False
        source, target = move.from_square, move.to_square
        code, tables = _sources_code()
        words = [int(move)]
        if move >> 12 == USUAL:  # `Move.from_uci` does not know that a move castles or captures en passant
            words.extend(self._candidates(source, target, None))
        return any(code(self._row, word, tables) >> source & 1 for word in words)

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
        words = (san.write(board, move) if board.is_legal(move) else move.uci(board.chess960) for move in self)
        return f"<pseudo-legal moves: {', '.join(words)}>"
