"""Moves as text: UCI, SAN, long algebraic notation and the notation of XBoard."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rookery.arguments import flag, iterator, shown
from rookery.bitboards.squares import E1, E8
from rookery.board import rows
from rookery.board.moves import CLASSICAL, NULL, TEXTS, IllegalMoveError, Move, as_move
from rookery.board.playing import legal_move_of_uci, move_of
from rookery.board.rows import as_array
from rookery.kernel.native import native

if TYPE_CHECKING:
    from rookery.board.board import Board

# Castling in classical chess, given in either form: as the king's two steps, and as the king taking its rook.
_IN_BOTH_FORMS: Final = {
    move: (CLASSICAL[king | king + step << 6], CLASSICAL[king | rook << 6])
    for king in (E1, E8)
    for step, rook in ((2, king + 3), (-2, king - 4))
    for move in (king | king + step << 6, king | rook << 6)
}


# UCI.


@native
def parse_uci(board: "Board", text: str) -> Move:
    """Return the legal move that a UCI text stands for.

    Castling may be written as the king's two steps or as the king taking its rook. ``0000`` is the null move.

    Raises
    ------
    InvalidMoveError
        If the text is not a UCI move.
    IllegalMoveError
        If the move is not legal.

    Examples
    --------
    >>> Board().parse_uci("g1f3")
    Move('g1f3')
    >>> Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1").parse_uci("e1g1")
    Move('e1g1')
    """
    if isinstance(text, str) and text == "0000":
        return Move.null()
    found = legal_move_of_uci(board, text)
    if found is None:
        raise IllegalMoveError(f"UCI move: {text!r} is not legal in {board.fen()!r}")
    return found


@native
def push_uci(board: "Board", text: str) -> Move:
    """Make the move that a UCI text stands for, and return it.

    >>> Board().push_uci("g1f3")
    Move('g1f3')
    """
    move = board.parse_uci(text)
    board.push(move)
    return move


@native
def uci(board: "Board", move: int, *, chess960: bool | None = None) -> str:
    """Return a move in UCI.

    Castling is written as the king taking its rook if `chess960` is set, by default on boards of Chess960.

    >>> board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    >>> castling = board.parse_san("O-O")
    >>> board.uci(castling)
    'e1g1'
    >>> board.uci(castling, chess960=True)
    'e1h1'
    """
    if type(move) is not Move:
        move = as_move(move, chess960=board.chess960)
    if chess960 is None:
        chess960 = board.chess960
    elif chess960 is not True and chess960 is not False:
        chess960 = flag("chess960", chess960)
    if move in _IN_BOTH_FORMS and board.is_castling(move):
        king_s, rook_s = _IN_BOTH_FORMS[move]
        if not chess960:
            move = king_s
        elif move.to_square not in board.rooks:
            move = rook_s
    return TEXTS[move] if move < 1 << 12 else move.uci()


@native
def san(board: "Board", move: int) -> str:
    """Return a legal move in standard algebraic notation.

    >>> board = Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    >>> board.san(board.parse_uci("a1a8"))
    'Ra8+'
    >>> board.san(board.parse_uci("e1c1"))
    'O-O-O'
    """
    return _written(board, move)


@native
def lan(board: "Board", move: int) -> str:
    """Return a legal move in long algebraic notation: ``Ng1-f3``.

    >>> board = Board()
    >>> board.lan(board.parse_san("Nf3"))
    'Ng1-f3'
    """
    return _written(board, move, long=True)


def _written(board: "Board", move: int, *, long: bool = False) -> str:
    """Return a legal move with ``+`` or ``#`` in SAN or, with `long`, in full. The null move is ``--``.

    While in check, the null move is an error, as it is in `push`.
    """
    if type(move) is not Move:
        move = as_move(move, chess960=board.chess960)
    if move is NULL:
        board._check_null()
        return "--"
    row = as_array(board._row)
    return rows.san_of(row, move, full=long) or rows.san_of(row, board._the_legal_word(move), full=long)


@native
def parse_san(board: "Board", text: str) -> Move:
    """Return the legal move that a text in standard algebraic notation stands for.

    Raises
    ------
    InvalidMoveError
        If the text is not a move.
    IllegalMoveError
        If the move is not legal.
    AmbiguousMoveError
        If the text fits several legal moves.

    Examples
    --------
    >>> Board().parse_san("Nf3")
    Move('g1f3')
    """
    if not isinstance(text, str):
        raise TypeError(f"SAN move: {shown(text)}: expected text")
    word = rows.move_of(text, as_array(board._row))
    if word == rows.REFUSED:
        raise rows.san_refusal(board, text)
    return move_of(board, word)


@native
def push_san(board: "Board", text: str) -> Move:
    """Make the move that a SAN text stands for, and return it.

    >>> Board().push_san("Nf3")
    Move('g1f3')
    """
    move = board.parse_san(text)
    board.push(move)
    return move


def xboard(board: "Board", move: int, chess960: bool | None = None) -> str:
    """Return a legal move as XBoard writes it.

    That is UCI, but the null move is ``@@@@``, and castling is ``O-O`` if `chess960` is set, by default on boards
    of Chess960.

    >>> board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    >>> castling = board.parse_san("O-O")
    >>> board.xboard(castling)
    'e1g1'
    >>> board.xboard(castling, chess960=True)
    'O-O'
    >>> board.xboard(Move.null())
    '@@@@'
    """
    move = as_move(move, chess960=board.chess960)
    chess960 = board.chess960 if chess960 is None else flag("chess960", chess960)
    if chess960 and board.is_castling(move):
        return "O-O" if board.is_kingside_castling(move) else "O-O-O"
    return move.xboard()


@native
def parse_xboard(board: "Board", text: str) -> Move:
    """Return the legal move that a text of XBoard stands for. `parse_san` accepts the same texts.

    >>> Board().parse_xboard("g1f3")
    Move('g1f3')
    """
    return board.parse_san(text)


@native
def push_xboard(board: "Board", text: str) -> Move:
    """Make the move that a text of XBoard stands for, and return it.

    >>> Board().push_xboard("g1f3")
    Move('g1f3')
    """
    return board.push_san(text)


def san_and_push(board: "Board", move: int) -> str:
    """Make a legal move and return its SAN.

    >>> Board().san_and_push(Move.of(6, 21))
    'Nf3'
    """
    text = board.san(move)
    board.push(move)
    return text


def variation_san(board: "Board", variation: Iterable[int]) -> str:
    """Return a line of legal moves from this position in SAN, with move numbers. The board does not change.

    >>> line = [Move.from_uci(text) for text in ("e2e4", "e7e5", "g1f3")]
    >>> Board().variation_san(line)
    '1. e4 e5 2. Nf3'
    """
    board = board.copy(stack=False)
    words: list[str] = []
    for i, given in enumerate(iterator("variation", variation, "an iterable of moves")):
        move = as_move(given, f"variation[{i}]", chess960=board.chess960)
        if move and not board.is_legal(move):
            raise IllegalMoveError(f"variation[{i}]: illegal move {board.uci(move)} in {board.fen()!r}")
        if board.turn:
            words.append(f"{board.fullmove_number}. {board.san_and_push(move)}")
        else:
            words.append(f"{'' if words else f'{board.fullmove_number}...'}{board.san_and_push(move)}")
    return " ".join(words)
