"""The calls of a board that are compared, as an expression for each library.

Variables are those of `corpus.py`: b a board, m a move, s a square, c a colour, k a kind of piece, p a piece, t a text,
x and y sets of squares, n a number. A list comprehension evaluates the expression for all rows, so that nothing but the
call is timed, and its answers are checked.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from boards.corpus import Arguments
from boards.libraries import LIBRARIES, RUST, C, Library


class Call(NamedTuple):
    """One call: its name, the arguments it is given, and the expression of each library that has it.

    A statement changes its board `b`, and the boards are its answers. `form` brings a list of answers to a form that
    all libraries share.
    """

    what: str
    arguments: str
    expressions: dict[str, str]
    statement: bool = False
    form: Callable[[list[Any]], list[Any]] | None = None


def compiled(call: Call, library: Library, arguments: Arguments) -> Callable[[list[Any]], list[Any]] | None:
    """Return a function that makes a call for all rows of its arguments, or None if the library lacks the call."""
    expression = call.expressions.get(library.name)
    if expression is None:
        return None
    variables = ", ".join(arguments.kinds)
    lines = (
        [f"for {variables} in rows: {expression}", "return rows"]
        if call.statement
        else [f"return [{expression} for {variables} in rows]"]
    )
    scope = dict(library.names)
    exec("\n    ".join(["def run(rows):", *lines]), scope)  # as timeit does
    run: Callable[[list[Any]], list[Any]] = scope["run"]
    return run


def shown(answer: Any) -> Any:
    """Return an answer in a form that the libraries' answers share: texts and numbers."""
    if answer is None or isinstance(answer, (str, bool)):
        return answer
    for form in ("fen", "uci", "symbol", "result"):
        if hasattr(answer, form):
            return shown_fen(answer.fen()) if form == "fen" else getattr(answer, form)()
    if isinstance(answer, (list, tuple)):
        return [shown(one) for one in answer]
    if isinstance(answer, dict):
        return {int(square): shown(piece) for square, piece in answer.items()}
    kind = type(answer)
    if kind.__module__ == _BULLETCHESS and kind.__name__ in _TEXTS:
        return _TEXTS[kind.__name__](str(answer))
    return int(answer)  # a number or a set of squares


_BULLETCHESS: Final = "bulletchess"
# The classes of bulletchess that are neither texts nor numbers.
_TEXTS: Final[dict[str, Callable[[str], Any]]] = {
    "Color": "Black White".split().index,
    "PieceType": ". Pawn Knight Bishop Rook Queen King".split().index,
    "Piece": str,
    "Square": lambda name: "abcdefgh".index(name[0].lower()) + 8 * (int(name[1]) - 1),
}


def shown_fen(fen: str) -> str:
    """Return a FEN without its en-passant field, which bulletchess writes after each double step."""
    placement, turn, castling, _, *counters = fen.split()
    return " ".join([placement, turn, castling, *counters])


def _fens(answers: list[Any]) -> list[Any]:
    return [shown_fen(fen) for fen in answers]


def _without_equals_signs(answers: list[str]) -> list[Any]:
    return [san.replace("=", "") for san in answers]


def _last(answers: list[Any]) -> list[Any]:
    return [answer[-1] for answer in answers]


def _truths(answers: list[Any]) -> list[Any]:
    return [bool(answer) for answer in answers]


def _sorted(answers: list[Any]) -> list[Any]:
    return [sorted(answer) for answer in answers]


def _drawn(answers: list[str]) -> list[Any]:
    return [[line.split() for line in text.replace("-", ".").strip().split("\n")] for text in answers]


def _firsts(keys: list[int]) -> list[Any]:
    """Return the place of the first equal key for each key: libraries have other keys for the same positions."""
    return [keys.index(key) for key in keys]


def _lower(answers: list[str]) -> list[Any]:
    return [name.lower() for name in answers]


def _call(
    what: str,
    arguments: str,
    bulletchess: str | None = None,
    *,
    rust: bool = True,
    statement: bool = False,
    form: Callable[[list[Any]], list[Any]] | None = None,
    **others: str,
) -> Call:
    """Return a call; rookery, python-chess and pyrust_chess share its text, but for those that `others` name."""
    expressions = {name: others.pop(name, what) for name in LIBRARIES if name != C and (rust or name != RUST)}
    if bulletchess is not None:
        expressions[C] = bulletchess
    return Call(what, arguments, expressions | others, statement, form)


_PUSHED = "legal moves"
CALLS: Final = (
    # Boards as texts and values.
    _call("Board()", "boards", "Board()"),
    _call("Board(t)", "FENs", "Board.from_fen(t)"),
    _call("b.fen()", "boards", "b.fen()", form=_fens),
    _call("b.board_fen()", "boards"),
    _call("b.epd()", "boards"),
    _call("str(b)", "boards", "str(b)", form=_drawn),
    _call("b.unicode()", "boards"),
    _call("b.copy()", "boards", "b.copy()"),
    _call("b.copy(stack=False)", "boards"),
    _call("b.mirror()", "boards"),
    _call("b == other", "pairs of boards", "b == other"),
    _call("b.key", "boards", "hash(b)", rust=False, chess="zobrist_hash(b)", form=_firsts),
    _call("b.is_valid()", "boards"),
    # Pieces.
    _call("b.piece_at(s)", "squares of boards", "b[s]"),
    _call("b.piece_type_at(s)", "squares of boards"),
    _call("b.color_at(s)", "squares of boards"),
    _call("b.piece_map()", "boards"),
    _call("b.pieces(k, c)", "kinds of pieces of boards", "b[c, k]"),
    _call("b.king(c)", "colours of boards", "utils.king_square(b, c)"),
    _call("b.pawns", "boards", "b[PAWN]"),
    _call("b.occupied", "boards"),
    _call("b.set_piece_at(s, p)", "pieces put back", "b[s] = p", statement=True),
    # Other state.
    _call("b.turn", "boards", "b.turn"),
    _call("b.halfmove_clock", "boards", "b.halfmove_clock"),
    _call("b.fullmove_number", "boards", "b.fullmove_number"),
    _call("b.ep_square", "boards", "b.en_passant_square"),
    _call("b.has_kingside_castling_rights(c)", "colours of boards", "b.castling_rights.kingside(c)"),
    _call("b.ply()", "boards"),
    _call("b.move_stack", "boards", "b.history"),
    # Attacks.
    _call("b.attacks(s)", "squares of boards"),
    _call("b.attackers(c, s)", "squares attacked by White"),
    _call("b.is_attacked_by(c, s)", "squares attacked by White"),
    _call("b.is_pinned(c, s)", "pieces of boards"),
    _call("b.pin(c, s)", "pieces of boards"),
    _call("b.is_check()", "boards", "b in CHECK"),
    _call("b.checkers()", "boards", rust=False),
    # Legal moves.
    _call("list(b.legal_moves)", "boards", "b.legal_moves()", form=_sorted),
    _call("b.legal_moves.count()", "boards", "utils.count_moves(b)"),
    _call("bool(b.legal_moves)", "boards", "b not in MATE"),
    _call("list(b.generate_legal_captures())", "boards", form=_sorted),
    _call("m in b.legal_moves", _PUSHED, "m in b.legal_moves()"),
    _call("b.is_legal(m)", _PUSHED),
    # bulletchess does not count en passant as a capture.
    _call("b.is_capture(m)", "legal moves but en passant", "m.is_capture(b)"),
    _call("b.is_castling(m)", _PUSHED, "m.is_castling(b)", form=_truths),
    _call("b.is_zeroing(m)", _PUSHED),
    _call("b.gives_check(m)", _PUSHED),
    _call("(b.push(m), b.pop())", _PUSHED, "(b.apply(m), b.undo())", form=_last),
    _call("(b.push_san(t), b.pop())", "SAN of legal moves", "(b.apply(Move.from_san(t, b)), b.undo())", form=_last),
    _call("(b.push_uci(t), b.pop())", "UCI of legal moves", form=_last),
    # Moves as text.
    _call("b.parse_uci(t)", "UCI of legal moves"),
    _call("b.san(m)", _PUSHED, "m.san(b)", form=_without_equals_signs),
    _call("b.parse_san(t)", "SAN of legal moves", "Move.from_san(t, b)"),
    # The end of a game.
    _call("b.is_checkmate()", "boards", "b in CHECKMATE"),
    _call("b.is_stalemate()", "boards", "b in STALEMATE"),
    _call("b.is_insufficient_material()", "boards", "b in INSUFFICIENT_MATERIAL"),
    _call("b.is_repetition()", "boards", "b in THREEFOLD_REPETITION"),
    _call("b.is_fifty_moves()", "boards", "b in FIFTY_MOVE_TIMEOUT"),
    _call("b.can_claim_draw()", "boards"),
    _call("b.outcome()", "boards"),
    _call("b.is_game_over()", "boards", "b in CHECKMATE or b in FORCED_DRAW"),
    # Moves, pieces, squares and sets.
    _call("Move.from_uci(t)", "UCI", "Move.from_uci(t)"),
    _call("Move(s, to)", "two squares", "Move(s, to)"),
    _call("m.uci()", "moves", "m.uci()"),
    _call("m.from_square", "moves", "m.origin"),
    _call("m.promotion", "moves", "m.promotion"),
    _call("m == other", "pairs of moves", "m == other"),
    _call("Piece(k, c)", "kinds of pieces", "Piece(c, k)"),
    _call("Piece.from_symbol(t)", "letters", "Piece.from_chr(t)"),
    _call("p.symbol()", "pieces", "str(p)"),
    _call("p.piece_type", "pieces", "p.piece_type"),
    _call("square(f, r)", "files and ranks", rust=False),
    _call("square_file(s)", "squares", rust=False),
    _call("square_name(s)", "squares", "str(s)", rust=False, form=_lower),
    _call("parse_square(t)", "names of squares", "Square.from_str(t)", rust=False),
    _call("SquareSet(n)", "numbers", "Bitboard.from_int(n)"),
    _call("s in x", "squares and sets", "s in x"),
    _call("len(x)", "sets", "len(x)"),
    _call("x | y", "sets", "x | y"),
    _call("list(x)", "sets", "list(x)"),
)
