"""Making moves and taking them back, and what a move does.

Functions take a `Move`, or the word that arrays store for it. In classical chess, castling may also be given as the
king taking its rook, and in Chess960 as the king's move to its target, where no other move has these squares.
"""

from typing import TYPE_CHECKING, Any

from rookery.bitboards.squares import check_square
from rookery.board import moves, rows
from rookery.kernel.native import native

if TYPE_CHECKING:
    from rookery.board.board import Board

# Making moves.


@native
def push(board: "Board", move: int) -> None:
    """Make a move. ``Move.null()`` passes the turn.

    Raises
    ------
    IllegalMoveError
        If the move is not legal, or is a null move in check.

    Examples
    --------
    >>> board = Board()
    >>> board.push(Move.of(12, 28))
    >>> board.push(Move.null())
    >>> board.fen()
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2'
    """
    if type(move) is not moves.Move:
        move = moves.as_move(move, chess960=board.chess960)
    word = 0
    if move is moves.NULL:
        board._check_null()
    else:
        word = legal_word(board, move) or board._the_legal_word(move)
    after = _row_after(board, word)
    board._history.append(board._row)
    board._row = after.tobytes()


@native
def pop(board: "Board") -> moves.Move:
    """Take back the last move and return it.

    >>> board = Board()
    >>> _ = board.push_san("e4")
    >>> board.pop()
    Move('e2e4')
    >>> board == Board()
    True
    """
    if not board._history:
        raise IndexError("pop: no move has been made")
    move = board.peek()
    board._row = board._history.pop()
    return move


@native
def peek(board: "Board") -> moves.Move:
    """Return the last move made.

    >>> board = Board()
    >>> _ = board.push_san("e4")
    >>> board.peek()
    Move('e2e4')
    """
    if not board._history:
        raise IndexError("peek: no move has been made")
    return move_of(board, rows.unpack(board._row)[rows.MOVE])


@native
def move_stack(board: "Board") -> list[moves.Move]:
    """Return a new list of the moves made, first to last."""
    earlier = [*board._history[1:], board._row] if board._history else []
    return [move_of(board, rows.unpack(row)[rows.MOVE]) for row in earlier]


@native
def clear_stack(board: "Board") -> None:
    """Clear the history: no move can be taken back, and repetitions count from this position.

    >>> board = Board()
    >>> _ = board.push_san("e4")
    >>> board.clear_stack()
    >>> board.move_stack
    []
    """
    board._history = []


def check_null(board: "Board") -> None:
    """Raise `IllegalMoveError` if the side to move is in check."""
    if board.is_check():
        raise moves.IllegalMoveError("null move: the king is in check")


def _row_after(board: "Board", word: int) -> Any:
    """Return the words of the row after the move of a word, or after the null move, whose word is 0."""
    code, after = rows.compiled(), rows.as_array(board._row)
    code.row_after(rows.as_array(board._row), word, after, code.tables)
    return after


# Legal moves and their words.


@native
def is_legal(board: "Board", move: int) -> bool:
    """Check whether a move is legal.

    Of the two ways to give castling, Chess960 knows only that as the king taking its rook.

    >>> Board().is_legal(Move.of(12, 28))
    True
    >>> Board().is_legal(Move.of(12, 36))
    False
    """
    try:
        move = moves.as_move(move, chess960=board.chess960)
    except ValueError:  # an int that is no move at all
        return False
    word = legal_word(board, move)
    if word == move:
        return word != 0
    return word != 0 and (moves.CHESS960[word] is move or (not board.chess960 and moves.CLASSICAL[word] is move))


@native
@native
def find_move(board: "Board", from_square: int, to_square: int, promotion: str | int | None = None) -> moves.Move:
    """Return the legal move from one square to another. A pawn promotes to a queen by default.

    >>> Board("8/P3k3/8/8/8/8/8/4K3 w - - 0 1").find_move(48, 56)
    Move('a7a8q')
    """
    source, target = check_square(from_square, "from_square"), check_square(to_square, "to_square")
    letter = moves.read_promotion(promotion)
    last_rank = target >> 3 in (0, 7) and board.kind_at(source) == "p"
    move = moves.Move.of(source, target, promotion=letter or ("q" if last_rank else None))
    if not board.is_legal(move):
        raise _not_legal(board, move)
    return move_of(board, legal_word(board, move))


@native
def move_word(board: "Board", move: int) -> int:
    """Return the word that arrays store for a legal move: 16 bits, see `rookery.board.moves`; 0 for the null move.

    It has the kind of the move. Castling goes to the square of the rook there. `Move.from_word` is the inverse.

    >>> board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    >>> castling = board.parse_san("O-O")
    >>> castling
    Move('e1g1')
    >>> word = board.move_word(castling)
    >>> hex(word)
    '0xc1c4'
    >>> Move.from_word(word) is castling
    True
    """
    return _word_or_null(board, move)


def legal_word(board: "Board", move: int) -> int:
    """Return the word of the legal move that `move` stands for, or 0. The null move is not legal."""
    if type(move) is not moves.Move:
        move = moves.as_move(move, chess960=board.chess960)
    code = rows.compiled()
    return code.word_of_move(rows.as_array(board._row), move, code.tables)


def the_legal_word(board: "Board", move: int) -> int:
    """Return the word of the legal move that `move` stands for, or raise `IllegalMoveError`."""
    word = legal_word(board, move)
    if not word:
        raise _not_legal(board, move)
    return word


def move_of(board: "Board", word: int) -> moves.Move:
    """Return the move of a word, as this board lists it."""
    return (moves.CHESS960 if board.chess960 else moves.CLASSICAL)[word]


def legal_move_of_uci(board: "Board", text: str) -> moves.Move | None:
    """Return the legal move that a UCI text stands for, or None."""
    if isinstance(text, str) and text == "0000":
        return None
    source, target, promotion = moves.parse_uci_parts(text)
    move = source | target << 6
    if promotion:
        move |= moves.PROMOTIONS.index(promotion) << 12 | moves.PROMOTION << 14
    code = rows.compiled()
    word = code.word_of_move(rows.as_array(board._row), move, code.tables)
    return move_of(board, word) if word else None


def _word_or_null(board: "Board", move: int) -> int:
    """Return the word of a legal move, and 0 for the null move; raise `IllegalMoveError` for any other."""
    word = legal_word(board, move)
    if not word and moves.as_move(move) is moves.NULL:
        board._check_null()
        return 0
    return word or board._the_legal_word(move)


def _not_legal(board: "Board", move: int) -> moves.IllegalMoveError:
    """Return the error for a move that is not legal."""
    return moves.IllegalMoveError(
        f"move: {moves.as_move(move, chess960=board.chess960)!s} is not legal in {board.fen()!r}"
    )


# What a legal move does.


@native
def gives_check(board: "Board", move: int) -> bool:
    """Check whether a legal move gives check.

    >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").gives_check(Move.of(0, 56))
    True
    """
    word = _word_or_null(board, move)
    if not word:
        return False
    code = rows.compiled()
    return code.is_check(_row_after(board, word), code.tables) != 0


@native
def check_after(board: "Board", move: int) -> int:
    """Return 2 if a legal move gives checkmate, 1 if it gives check, and 0 otherwise.

    >>> Board("7k/6pp/8/8/8/8/8/R3K3 w - - 0 1").check_after(Move.of(0, 56))
    2
    """
    code, after = rows.compiled(), _row_after(board, board._the_legal_word(move))
    if not code.is_check(after, code.tables):
        return 0
    return 1 if code.count_legal_moves(after, code.tables) else 2


@native
def is_capture(board: "Board", move: int) -> bool:
    """Check whether a legal move is a capture, en passant included.

    >>> Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").is_capture(Move.of(28, 35))
    True
    """
    if type(move) is not moves.Move:
        move = moves.as_move(move, chess960=board.chess960)
    words = rows.unpack(board._row)
    if words[rows.THEM] & rows.MASKS[move >> 6 & 63]:
        return move is not moves.NULL
    return words[rows.EN_PASSANT] != 0 and takes_in_passing(board, move)


@native
def is_en_passant(board: "Board", move: int) -> bool:
    """Check whether a legal move is an en-passant capture.

    >>> board = Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    >>> [board.is_en_passant(board.parse_san(san)) for san in ("exd6", "e6")]
    [True, False]
    """
    return takes_in_passing(board, moves.as_move(move, chess960=board.chess960))


def takes_in_passing(board: "Board", move: moves.Move) -> bool:
    """Check whether a pawn moves diagonally to the en-passant square."""
    words = rows.unpack(board._row)
    source, target = move & 63, move >> 6 & 63
    return words[rows.EN_PASSANT] == 1 << target and words[rows.PAWNS] >> source & 1 == 1 and (source ^ target) & 7 != 0


@native
def is_castling(board: "Board", move: int) -> bool:
    """Check whether a legal move is castling.

    >>> board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    >>> [board.is_castling(board.parse_san(san)) for san in ("O-O", "Kf1")]
    [True, False]
    """
    if type(move) is not moves.Move:
        move = moves.as_move(move, chess960=board.chess960)
    words = rows.unpack(board._row)
    source = move & 63
    if not words[rows.KINGS] & rows.MASKS[source]:
        return False
    target = move >> 6 & 63
    # The king goes more than one file, or takes its rook.
    return (
        not -1 <= (source & 7) - (target & 7) <= 1
        or words[rows.ORTHOGONALS] & ~words[rows.DIAGONALS] & words[rows.US] & rows.MASKS[target] != 0
    )


@native
@native
def is_kingside_castling(board: "Board", move: int) -> bool:
    """Check whether a legal move is castling with a rook to the right of the king.

    >>> board = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    >>> [board.is_kingside_castling(board.parse_san(san)) for san in ("O-O", "O-O-O")]
    [True, False]
    """
    move = moves.as_move(move, chess960=board.chess960)
    return board.is_castling(move) and move >> 6 & 7 > move & 7


@native
@native
def is_queenside_castling(board: "Board", move: int) -> bool:
    """Check whether a legal move is castling with a rook to the left of the king.

    >>> board = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    >>> [board.is_queenside_castling(board.parse_san(san)) for san in ("O-O", "O-O-O")]
    [False, True]
    """
    move = moves.as_move(move, chess960=board.chess960)
    return board.is_castling(move) and move >> 6 & 7 < move & 7


@native
def is_zeroing(board: "Board", move: int) -> bool:
    """Check whether a legal move resets the halfmove clock: a capture or a pawn move.

    >>> Board().is_zeroing(Move.of(12, 28))
    True
    >>> Board().is_zeroing(Move.of(6, 21))
    False
    """
    if type(move) is not moves.Move:
        move = moves.as_move(move, chess960=board.chess960)
    words = rows.unpack(board._row)
    # An en-passant capture is a pawn move.
    return (
        words[rows.PAWNS] & rows.MASKS[move & 63] | words[rows.THEM] & rows.MASKS[move >> 6 & 63]
    ) != 0 and move is not moves.NULL


@native
def is_irreversible(board: "Board", move: int) -> bool:
    """Check whether a legal move is irreversible.

    Captures, pawn moves, moves that lose a castling right, and all moves in a position with a legal en-passant
    capture are irreversible, the null move among them.

    >>> board = Board("4k3/8/8/8/8/8/4P3/R3K1N1 w Q - 0 1")
    >>> [board.is_irreversible(board.parse_san(san)) for san in ("e3", "Rb1", "Nf3")]
    [True, True, False]
    >>> board.is_irreversible(Move.null())
    False
    """
    word = _word_or_null(board, move)
    if not word:
        return board.has_legal_en_passant()
    if board.is_zeroing(move_of(board, word)) or board.has_legal_en_passant():
        return True
    after = board.copy(stack=False)
    after.push(word)
    return after.castling_rights != board.castling_rights
