"""Positions as text and pictures: FEN, EPD, drawings for terminals and notebooks."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from rookery.aliases import AnyBoard, EnPassant
from rookery.arguments import flag, shown, text
from rookery.bitboards.colours import WHITE, Colour, read_colour
from rookery.bitboards.pieces import EMPTY_SQUARE
from rookery.bitboards.squares import FILE_NAMES, RANK_NAMES
from rookery.board import rows
from rookery.board.moves import InvalidMoveError, Move, as_move
from rookery.board.rows import EN_PASSANT, PAWNS, TURN, US, as_array, has_legal_target, unpack
from rookery.kernel.native import native
from rookery.lazy_imports import Named

if TYPE_CHECKING:
    from rookery.bitboards import pictures
    from rookery.board.board import Board
else:
    pictures = Named("rookery.bitboards.pictures")

B = TypeVar("B", bound="Board")

_DOTS: Final = {ord("0") + n: "." * n for n in range(1, 9)} | {ord("/"): "\n"}


# FEN.


@native
def fen(board: "Board", *, shredder: bool = False, en_passant: EnPassant = "legal") -> str:
    """Return the FEN.

    Parameters
    ----------
    shredder
        Name castling rights by the files of the rooks (Shredder-FEN).
    en_passant
        When to write the en-passant square: ``"legal"`` if a capture is legal, ``"fen"`` after every double push,
        ``"xfen"`` if a pawn attacks the square.

    Examples
    --------
    >>> board = Board()
    >>> _ = board.push_san("e4")
    >>> board.fen()
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    >>> board.fen(en_passant="fen")
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
    """
    return f"{_four_fields(board, shredder, en_passant)} {board.halfmove_clock} {board.fullmove_number}"


@native
def board_fen(board: "Board") -> str:
    """Return the first field of the FEN.

    >>> Board().board_fen()
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
    """
    return rows.four_fields(as_array(board._row), 0).partition(" ")[0]


def shredder_fen(board: "Board", *, en_passant: EnPassant = "legal") -> str:
    """Return the FEN with castling rights named by files: ``fen(shredder=True)``.

    >>> Board().shredder_fen()
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1'
    """
    return board.fen(shredder=True, en_passant=en_passant)


def _four_fields(board: "Board", shredder: bool, en_passant: EnPassant) -> str:
    if shredder is not False:
        shredder = flag("shredder", shredder)
    if not isinstance(en_passant, str) or en_passant not in ("legal", "fen", "xfen"):
        raise ValueError(f"en_passant: {shown(en_passant)}: expected 'legal', 'fen' or 'xfen'")
    words = unpack(board._row)
    target = words[EN_PASSANT]
    if target and en_passant == "legal":
        target = target if has_legal_target(board._row) else 0
    elif target and en_passant == "xfen":
        target = rows.target_next_to_pawn(words[PAWNS], words[US], target, words[TURN])
    return rows.four_fields(as_array(board._row), target, shredder=shredder)


# EPD, whose operations may hold moves.


@native
def epd(board: "Board", *, shredder: bool = False, en_passant: EnPassant = "legal", **operations: Any) -> str:
    """Return the first four fields of the FEN with operations: ``board.epd(bm=[move], id="test 1")``.

    An operand is a move, a string, a finite number, None, or an iterable of these. Moves are written in SAN: those
    of ``pv`` as a line of play, those of ``bm`` and ``am`` sorted.

    >>> Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").epd(bm=[Move.of(0, 56)], id="test 1")
    '4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+; id "test 1";'
    """
    written: dict[str, Any] = {}
    for opcode, operand in operations.items():
        operands = rows.epd.operands_of(operand)
        if opcode == "pv":
            line = board.copy()
            written[opcode] = [move if isinstance(move, str) else line.san_and_push(move) for move in operands]
        elif opcode in rows.epd.MOVE_LISTS:
            written[opcode] = sorted(move if isinstance(move, str) else board.san(move) for move in operands)
        else:
            written[opcode] = [rows.epd.Unquoted(board.san(o)) if isinstance(o, Move) else o for o in operands]
    text = _four_fields(board, shredder, en_passant)
    return f"{text} {rows.epd.write_operations(written)}" if written else text


def read_epd(cls: type[B], epd: str, chess960: bool | None, strict: bool) -> tuple[B, dict[str, Any]]:
    """Return the position of an EPD and its operations, see `Board.from_epd`."""
    chess960 = None if chess960 is None else flag("chess960", chess960)
    strict = flag("strict", strict)
    fields = epd.split(None, 4) if isinstance(epd, str) else []
    if len(fields) < 4:
        raise ValueError(f"EPD: {shown(epd)} has {len(fields)} fields, expected four and operations")
    counters, rest = rows.epd.split_counters(fields[4] if len(fields) > 4 else "")
    operations = rows.epd.parse_operations(rest)
    clock, number = ((counters | operations).get(name, least) for least, name in enumerate(("hmvc", "fmvn")))
    if not (isinstance(clock, int) and isinstance(number, int)) or clock < 0 or number < 0:
        raise ValueError(f"EPD: {shown(epd)}: hmvc and fmvn: expected numbers")
    board = cls(" ".join([*fields[:4], str(clock), str(number)]), chess960, strict=strict)
    for opcode in ("bm", "am"):
        if opcode in operations:
            operations[opcode] = [board.parse_san(str(text)) for text in operations[opcode]]
    if "pv" in operations:
        line = board.copy()
        operations["pv"] = [line.push_san(str(text)) for text in operations["pv"]]
    return board, {opcode: _read_operand(board, opcode, operand) for opcode, operand in operations.items()}


def set_epd(board: "Board", epd: str) -> dict[str, Any]:
    """Set up the position of an EPD and return its operations. The move stack is cleared. See `from_epd`.

    >>> board = Board()
    >>> board.set_epd("4k3/8/8/8/8/8/8/R3K3 w Q - hmvc 3;")
    {'hmvc': 3}
    >>> board.fen()
    '4k3/8/8/8/8/8/8/R3K3 w Q - 3 1'
    """
    other, operations = board.from_epd(epd, board.chess960 or None)
    board._row = other._row
    board._history = []
    board.chess960 = other.chess960
    return operations


def _read_operand(board: "Board", opcode: str, operand: Any) -> Any:
    """Return the operand of an opcode that takes no list of moves: as a move, if it is one."""
    if opcode in rows.epd.MOVES and isinstance(operand, str):
        return board.parse_san(operand)
    if isinstance(operand, list):
        return [str(one) if isinstance(one, rows.epd.Unquoted) else one for one in operand]
    if not isinstance(operand, rows.epd.Unquoted):
        return operand
    try:
        return board.parse_san(operand)
    except InvalidMoveError:
        return str(operand)


# Drawings.


@native
def drawing(board: "Board") -> str:
    """Return the board drawn with letters and dots, white at the bottom: ``str(board)``."""
    return " ".join(board.board_fen().translate(_DOTS)).replace(" \n ", "\n")


@native
def unicode(
    board: "Board",
    *,
    invert_color: bool = False,
    borders: bool = False,
    empty_square: str = EMPTY_SQUARE,
    orientation: Colour = WHITE,
) -> str:
    """Return the board drawn with chess figurines, for terminals; `orientation` is the colour at the bottom.

    >>> print(Board().unicode(empty_square="."))
    ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
    ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙
    ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖
    """
    invert_color, borders = flag("invert_color", invert_color), flag("borders", borders)
    text("empty_square", empty_square)
    signs = {square: piece.unicode_symbol(invert_color=invert_color) for square, piece in board.piece_map().items()}
    step = 1 if read_colour(orientation, "orientation") else -1
    rows = []
    rule = f"  {'-' * 17}\n"
    for rank in range(8)[::-step]:
        row = [signs.get(8 * rank + file, empty_square) for file in range(8)[::step]]
        rows.append(f"{rule}{RANK_NAMES[rank]} |{'|'.join(row)}|" if borders else " ".join(row))
    if borders:
        rows.append(f"{rule}   {' '.join(FILE_NAMES[::step])}")
    return "\n".join(rows)


@native
def representation(board: "Board") -> str:
    """Return the class and the FEN: ``repr(board)``."""
    return f"{type(board).__name__}({board.fen()!r})"


def svg(
    board: "Board",
    *,
    sets: Mapping[str, AnyBoard] | None = None,
    arrows: "pictures.Arrows" = (),
    last_move: int | None = None,
    orientation: Colour = WHITE,
    coordinates: bool = True,
    size: int = 360,
    title: str = "",
) -> str:
    """Return a picture of the position as SVG text, with the last move and a king in check marked.

    `sets` maps names to bitboards, each drawn in its own colour and with its own mark. `arrows` are pairs of
    squares, optionally with a colour. `last_move` is the last move on the stack by default. For details see
    `rookery.bitboards.pictures.board_svg`.

    >>> board = Board()
    >>> board.push_uci("e2e4")
    Move('e2e4')
    >>> picture = board.svg(arrows=[(62, 45)], sets={"centre": 0x0000001818000000}, orientation="black")
    >>> picture.count('class="last-move"')
    2
    >>> picture.count('class="piece ')
    32
    """
    from rookery.bitboards.pictures import board_svg

    if last_move is None and board.move_stack:
        last_move = board.move_stack[-1]
    move = None if last_move is None else as_move(last_move, "last_move", chess960=board.chess960)
    return board_svg(
        board.piece_map(),
        sets=sets,
        arrows=arrows,
        last_move=(move.from_square, move.to_square) if move else None,
        check=board.king(board.turn) if board.is_check() else None,
        orientation=orientation,
        coordinates=coordinates,
        size=size,
        title=text("title", title) or f"Chess position, {'white' if board.turn else 'black'} to move",
    )


def notebook_picture(board: "Board") -> str:
    """Return the picture that notebooks show."""
    return board.svg()
