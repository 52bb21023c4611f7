"""Whole boards: copies, comparison, keys, pickling, and conversion from and to python-chess.

python-chess is not imported before `to_chess` needs it.
"""

from typing import TYPE_CHECKING, Any, Final, TypeVar

from rookery.arguments import is_number, shown
from rookery.board import rows
from rookery.board.moves import NULL, Move
from rookery.board.placing import kinds, sides
from rookery.kernel.native import native
from rookery.lazy_imports import Named

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rookery.board.board import Board
else:
    np, npt = Named("numpy"), Named("numpy.typing")

B = TypeVar("B", bound="Board")

_STATE: Final = ("_history", "_row", "chess960")


@native
def copy(board: B, *, stack: bool | int = True) -> B:
    """Return a copy with the whole history, with its last `stack` moves, or without history (False).

    >>> board = Board()
    >>> _ = board.push_san("e4")
    >>> copy = board.copy(stack=False)
    >>> copy == board
    True
    >>> copy.move_stack
    []
    """
    if stack is not True and stack is not False and (not is_number(stack) or stack < 0):
        raise ValueError(f"stack: {shown(stack)}: expected True, False or a number of moves")
    other = board.__class__.__new__(board.__class__)
    other._row = board._row
    other._history = board._history.copy() if stack is True else board._history[-stack:] if stack else []
    other.chess960 = board.chess960
    return other


def deep_copy(board: B, memo: dict[int, Any]) -> B:  # noqa: ARG001  # the signature of `__deepcopy__`
    """Return a copy, for `copy.deepcopy`: rows never change, so copies share them."""
    return board.copy()


def state(board: "Board") -> dict[str, Any]:
    """Return what `pickle` stores."""
    return {name: getattr(board, name) for name in _STATE}


def set_state(board: "Board", state: dict[str, Any]) -> None:
    """Take over what `pickle` has stored."""
    for name, value in state.items():
        setattr(board, name, value)


@native
def root(board: B) -> B:
    """Return the position before the first move of the history, without history.

    >>> board = Board()
    >>> _ = board.push_san("e4")
    >>> board.root() == Board()
    True
    """
    other = board.copy(stack=False)
    if board._history:
        other._row = board._history[0]
    return other


@native
def key(board: "Board") -> int:
    """Return the Zobrist key of the position, an int of 64 bits, for dictionaries and sets of positions.

    The key depends on what repetitions compare: pieces, side to move, castling rights and a legal en-passant
    capture. Counters and history do not matter. Equal boards have equal keys. Boards themselves are mutable and
    therefore not hashable.

    >>> board = Board()
    >>> seen = {board.key: "start"}
    >>> for san in "Nf3 Nf6 Ng1 Ng8".split():
    ...     _ = board.push_san(san)
    >>> seen[board.key]
    'start'
    """
    code = rows.compiled()
    return code.key(rows.as_array(board._row), code.tables)


@native
def polyglot_key(board: "Board") -> int:
    """Return the key of the position in opening books of Polyglot's format, an int of 64 bits. See `rookery.Book`.

    An en-passant square counts if a pawn stands where it could capture, whether or not the capture is legal.

    >>> hex(Board().polyglot_key)
    '0x463b96181691fc9c'
    """
    code = rows.compiled()
    return code.polyglot_key(rows.as_array(board._row), code.tables)


@native
def is_equal(board: "Board", other: object) -> bool:
    """Check whether pieces, side to move, castling rights, legal en-passant captures and counters are equal.

    The history, an en-passant square without a legal capture, and `chess960` do not matter.
    """
    if not isinstance(other, Board):
        return NotImplemented  # type: ignore[no-any-return]  # it is `__eq__`
    ours, theirs = rows.unpack(board._row), rows.unpack(other._row)
    same_counters = ours[rows.CLOCK] == theirs[rows.CLOCK] and ours[rows.NUMBER] == theirs[rows.NUMBER]
    return same_counters and rows.is_same_position(board._row, other._row)


def words(board: "Board") -> "npt.NDArray[np.uint64]":
    """Return a new array of uint64: the ten words of a position, and room for a technique's state.

    The words are those of `rookery.rules.position.Position`.

    >>> [hex(word) for word in Board().words()[:3]]
    ['0xff00000000ff00', '0x4200000000000042', '0x2c0000000000002c']
    """
    words = rows.unpack(board._row)
    array: npt.NDArray[np.uint64] = rows.as_array(rows.row_of(words[: rows.POSITION], 0, 0, words[rows.RETURNING]))
    return array


@native
def mirror(board: B) -> B:
    """Return the position with colours and ranks swapped, without history.

    >>> Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").mirror().fen()
    'r3k3/8/8/8/8/8/8/4K3 b q - 0 1'
    """
    other = board.copy(stack=False)
    words = rows.unpack(board._row)
    flipped = [int.from_bytes(word.to_bytes(8, "little"), "big") for word in words[:9]]
    other._row = rows.row_of([*flipped, 1 - words[rows.TURN]], words[rows.CLOCK], words[rows.NUMBER])
    return other


def from_chess(cls: type[B], board: Any) -> B:
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


def to_chess(board: "Board", board_class: Any = None) -> Any:
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
    root = board.root()
    # Attributes, because python-chess takes 40 us to read a FEN.
    theirs = board_class(None, chess960=board.chess960)
    theirs.pawns, theirs.knights, theirs.bishops, theirs.rooks, theirs.queens, theirs.kings = kinds(root)
    white, black = sides(root)
    theirs.occupied_co = [black, white]
    theirs.occupied = white | black
    words = rows.unpack(root._row)
    theirs.castling_rights = words[rows.CASTLING]
    theirs.ep_square = root.ep_square
    theirs.turn = not words[rows.TURN]
    theirs.halfmove_clock, theirs.fullmove_number = words[rows.CLOCK], words[rows.NUMBER]
    # `push` takes castling as king takes rook, and stores it as it writes it.
    for move in board.move_stack:
        theirs.push(chess.Move(move & 63, move >> 6 & 63, move.promotion))
    return theirs


def _check_variant(name: str, board: Any) -> None:
    """Raise a ValueError for a board, or a class of boards, of a variant."""
    variant = getattr(board, "uci_variant", None)
    if variant is None:
        raise TypeError(f"{name}: {shown(board)}: expected a board of python-chess")
    if variant != "chess":
        raise ValueError(f"{name}: variant {shown(variant)}: expected classical chess or Chess960")
