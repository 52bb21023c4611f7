"""The legal moves of a board, and those that may leave the king in check."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rookery.aliases import AnyBoard
from rookery.arguments import UNIVERSE as EVERYWHERE
from rookery.arguments import board_number
from rookery.board import rows
from rookery.board.moves import CASTLING, CHESS960, CLASSICAL, EN_PASSANT, NULL, Move, as_move
from rookery.board.playing import legal_move_of_uci, takes_in_passing
from rookery.board.rows import as_array
from rookery.kernel.native import native

if TYPE_CHECKING:
    from rookery.board.board import Board

_VICTIMS: Final = {None: 0, "p": 1, "n": 2, "b": 3, "r": 4, "q": 5, "k": 6}


class LegalMoves:
    """The legal moves of a board: iterable, counted, and searched, always of the board as it then is.

    >>> moves = Board().legal_moves
    >>> len(moves), "e2e4" in moves, Move.from_uci("e2e5") in moves
    (20, True, False)
    """

    __slots__ = ("_board",)

    def __init__(self, board: "Board") -> None:
        self._board = board

    @native
    def __iter__(self) -> Iterator[Move]:
        return iter(self._board.generate_legal_moves())

    @native
    def __len__(self) -> int:
        return self._board.count_legal_moves()

    @native
    def count(self) -> int:
        """Return the number of legal moves."""
        return self._board.count_legal_moves()

    @native
    def __bool__(self) -> bool:
        return self._board.count_legal_moves() > 0

    @native
    def __contains__(self, move: int | str) -> bool:
        """Check whether a move is legal, given as a `Move`, its word, or UCI text; anything else is an error."""
        if not isinstance(move, str):
            return self._board.is_legal(move)
        return legal_move_of_uci(self._board, move) is not None

    def __repr__(self) -> str:
        return f"<legal moves: {', '.join(self._board.san(move) for move in self)}>"


@native
def legal_moves(board: "Board") -> LegalMoves:
    """Return the legal moves, for ``list(board.legal_moves)``, ``len(...)``, ``move in ...``, ``"e2e4" in ...``."""
    return LegalMoves(board)


@native
def generate_legal_moves(
    board: "Board", from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE
) -> list[Move]:
    """Return the legal moves, or those from the squares of `from_mask` to the squares of `to_mask`.

    Castling is among those to the square of the rook, as in python-chess.

    >>> Board().generate_legal_moves(from_mask=1 << 1)
    [Move('b1a3'), Move('b1c3')]
    """
    if from_mask is to_mask is EVERYWHERE:
        return _generate(board, EVERYWHERE, EVERYWHERE)
    return _within(board, from_mask, to_mask)


@native
def count_legal_moves(board: "Board") -> int:
    """Return the number of legal moves.

    >>> Board().count_legal_moves()
    20
    """
    code = rows.compiled()
    return code.count_legal_moves(as_array(board._row), code.tables)


def words_of_moves(board: "Board", noisy: int, quiet: int) -> list[int]:
    """Return the words of the legal moves: of captures and promotions to `noisy`, of others to `quiet` squares."""
    import numpy as np

    code = rows.compiled()
    moves = np.empty(rows.MOST_MOVES, np.uint16)
    n = code.legal_moves_to(as_array(board._row), noisy, quiet, moves, code.tables)
    words: list[int] = moves[:n].tolist()
    return words


def _generate(board: "Board", noisy: int, quiet: int) -> list[Move]:
    moves = CHESS960 if board.chess960 else CLASSICAL
    return list(map(moves.__getitem__, words_of_moves(board, noisy, quiet)))


def _within(board: "Board", from_mask: AnyBoard, to_mask: AnyBoard, kind: int | None = None) -> list[Move]:
    """Return the legal moves of a kind, or of all kinds, from and to some squares."""
    moves = CHESS960 if board.chess960 else CLASSICAL
    sources, targets = board_number("from_mask", from_mask), board_number("to_mask", to_mask)
    return [
        moves[word]
        for word in words_of_moves(board, EVERYWHERE, EVERYWHERE)
        if sources >> (word & 63) & targets >> (word >> 6 & 63) & 1 and (kind is None or word >> 14 == kind)
    ]


# Some of the legal moves.


@native
def generate_captures(board: "Board") -> list[Move]:
    """Return captures and promotions, as a quiescence search wants them.

    The most valuable victim comes first; among equal victims, the least valuable attacker.

    >>> Board("4k3/8/8/3q1p2/4P3/8/8/4K3 w - - 0 1").generate_captures()
    [Move('e4d5'), Move('e4f5')]
    """
    return sorted(_generate(board, EVERYWHERE, 0), key=lambda move: _most_valuable_victim(board, move))


def _most_valuable_victim(board: "Board", move: Move) -> tuple[int, int]:
    value = _VICTIMS[board.kind_at(move.to_square)] or int(takes_in_passing(board, move))
    if move.promotion:
        value += move.promotion - 1
    return -value, _VICTIMS[board.kind_at(move.from_square)]


@native
def generate_quiet_moves(board: "Board") -> list[Move]:
    """Return the legal moves that neither capture nor promote.

    >>> Board("4k3/8/8/3q4/4P3/8/8/7K w - - 0 1").generate_quiet_moves()
    [Move('h1g1'), Move('h1g2'), Move('h1h2')]
    """
    return _generate(board, 0, EVERYWHERE)


@native
def generate_evasions(board: "Board") -> list[Move]:
    """Return the legal moves if the king is in check, else an empty list.

    >>> Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").generate_evasions()
    [Move('e1d1'), Move('e1f1'), Move('e1e2')]
    """
    return board.generate_legal_moves() if board.is_check() else []


@native
def generate_checks(board: "Board") -> list[Move]:
    """Return the legal moves that give check.

    >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").generate_checks()
    [Move('a1a8')]
    """
    return [move for move in _generate(board, EVERYWHERE, EVERYWHERE) if board.gives_check(move)]


@native
def generate_legal_captures(
    board: "Board", from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE
) -> list[Move]:
    """Return the legal captures. `generate_captures` also lists promotions, and sorts.

    >>> Board("4k3/8/8/3q1p2/4P3/8/8/4K3 w - - 0 1").generate_legal_captures(to_mask=1 << 37)
    [Move('e4f5')]
    """
    if from_mask is to_mask is EVERYWHERE:
        noisy = _generate(board, EVERYWHERE, 0)
        return [move for move in noisy if not move >> 14 or board.is_capture(move)]
    return [move for move in _within(board, from_mask, to_mask) if board.is_capture(move)]


@native
def generate_legal_ep(board: "Board", from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE) -> list[Move]:
    """Return the legal en-passant captures.

    >>> Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").generate_legal_ep()
    [Move('e5d6')]
    """
    return _within(board, from_mask, to_mask, EN_PASSANT)


@native
def generate_castling_moves(
    board: "Board", from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE
) -> list[Move]:
    """Return the legal castling moves from the squares of `from_mask`, with rooks on the squares of `to_mask`.

    >>> Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").generate_castling_moves()
    [Move('e1c1'), Move('e1g1')]
    """
    return _within(board, from_mask, to_mask, CASTLING)


# Moves that may leave the king in check; `rookery.rules.legality` generates them.


class PseudoLegalMoves:
    """The pseudo-legal moves of a board: iterable, counted, and searched, always of the board as it then is.

    >>> moves = Board().pseudo_legal_moves
    >>> len(moves), Move.from_uci("e2e4") in moves
    (20, True)
    """

    __slots__ = ("_board",)

    def __init__(self, board: "Board") -> None:
        self._board = board

    def __iter__(self) -> Iterator[Move]:
        return iter(self._board.generate_pseudo_legal_moves())

    def __len__(self) -> int:
        return len(self._board.generate_pseudo_legal_moves())

    def count(self) -> int:
        """Return the number of pseudo-legal moves."""
        return len(self)

    @native
    def __contains__(self, move: int) -> bool:
        return self._board.is_pseudo_legal(move)

    def __repr__(self) -> str:
        board = self._board
        words = (board.san(move) if board.is_legal(move) else move.uci() for move in self)
        return f"<pseudo-legal moves: {', '.join(words)}>"


@native
def pseudo_legal_moves(board: "Board") -> PseudoLegalMoves:
    """Return the pseudo-legal moves, for ``list(board.pseudo_legal_moves)`` and ``move in ...``.

    See `generate_pseudo_legal_moves`.
    """
    return PseudoLegalMoves(board)


@native
def generate_pseudo_legal_moves(
    board: "Board", from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE
) -> list[Move]:
    """List the moves that may leave the king in check, or those from and to the squares of two boards.

    Castling is listed if it is legal, among the moves to the rook's square.

    >>> board = Board("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")
    >>> Move.from_uci("a1a8") in board.generate_pseudo_legal_moves(), Move.from_uci("a1a8") in board.legal_moves
    (True, False)
    """
    return _pseudo_legal_within(board, from_mask, to_mask)


def _pseudo_legal_within(board: "Board", from_mask: AnyBoard, to_mask: AnyBoard, kind: int | None = None) -> list[Move]:
    """Return the pseudo-legal moves of a kind, or of all kinds, from and to some squares."""
    sources, targets = board_number("from_mask", from_mask), board_number("to_mask", to_mask)
    import numpy as np

    code = rows.compiled()
    room = np.empty(rows.MOST_MOVES, np.uint16)
    n = code.generate_pseudo_legal_moves(as_array(board._row), room, code.tables)
    moves = CHESS960 if board.chess960 else CLASSICAL
    return [
        moves[word]
        for word in room[:n].tolist()
        if sources >> (word & 63) & targets >> (word >> 6 & 63) & 1 and (kind is None or word >> 14 == kind)
    ]


@native
def generate_pseudo_legal_captures(
    board: "Board", from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE
) -> list[Move]:
    """List the pseudo-legal moves that take something.

    >>> Board("4k3/8/8/8/7b/8/5R2/r3K3 w - - 0 1").generate_pseudo_legal_captures()
    []
    >>> Board("4k3/8/8/8/5p1b/8/5R2/r3K3 w - - 0 1").generate_pseudo_legal_captures()
    [Move('f2f4')]
    """
    return [move for move in board.generate_pseudo_legal_moves(from_mask, to_mask) if board.is_capture(move)]


@native
def generate_pseudo_legal_ep(
    board: "Board", from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE
) -> list[Move]:
    """List the pseudo-legal en-passant captures.

    >>> board = Board("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1")
    >>> board.generate_pseudo_legal_ep(), board.generate_legal_ep()
    ([Move('e5d6')], [])
    """
    return _pseudo_legal_within(board, from_mask, to_mask, EN_PASSANT)


@native
def is_pseudo_legal(board: "Board", move: int) -> bool:
    """Return whether a move is pseudo-legal.

    >>> board = Board("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")
    >>> board.is_pseudo_legal(Move.from_uci("a1a8")), board.is_pseudo_legal(Move.from_uci("e1c1"))
    (True, False)
    """
    try:
        move = as_move(move, chess960=board.chess960)
    except ValueError:  # an int that is not a move
        return False
    return board.is_legal(move) or pseudo_legal_word(board, move) != 0


def pseudo_legal_word(board: "Board", move: Move) -> int:
    """Return the word of the pseudo-legal move that `move` stands for, or 0. Castling is not among them."""
    if move is NULL:
        return 0
    code, tables = rows.sources_code()
    words = [int(move)] if move >> 12 else [int(move), move | EN_PASSANT << 14]
    found = (word for word in words if code(as_array(board._row), word, tables) >> (move & 63) & 1)
    return next(found, 0)


@native
def is_into_check(board: "Board", move: int) -> bool:
    """Return whether a pseudo-legal move leaves the king in check.

    >>> board = Board("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")
    >>> board.is_into_check(Move.from_uci("a1a8")), board.is_into_check(Move.from_uci("e1e2"))
    (True, False)
    """
    return board.is_pseudo_legal(move) and not board.is_legal(move)
