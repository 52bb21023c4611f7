"""Notation: moves read and written, and positions with what is said of them (EPD)."""

from collections.abc import Iterable
from typing import Any, Self

from rookery.arguments import flag, iterator, shown
from rookery.rules import san as san_notation
from rookery.rules.epd import MOVE_LISTS, SanText, operands_of, parse_operations, write_operations
from rookery.rules.legal_moves import LegalMoves
from rookery.rules.moves import IllegalMoveError, Move, as_move
from rookery.rules.play import Play
from rookery.typing import EnPassant


class Notation(Play):
    """Moves and positions as text."""

    __slots__ = ()

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves: ``list(board.legal_moves)``, ``len(...)``, ``move in ...``, ``"e2e4" in ...``."""
        return LegalMoves(self)

    # UCI.

    def parse_uci(self, text: str) -> Move:
        """The legal move of a UCI text; castling as the king's two steps or as king takes rook. ``0000`` passes.

        `InvalidMoveError` if the text is no UCI move, `IllegalMoveError` if it is none here.

        >>> Board().parse_uci("g1f3"), Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1").parse_uci("e1g1")
        (Move('g1f3'), Move('e1g1'))
        """
        if isinstance(text, str) and text == "0000":
            return Move.null()
        found = self._by_uci(text)
        if found is None:
            raise IllegalMoveError(f"UCI move: {text!r} is not legal in {self.fen()!r}")
        return found

    def push_uci(self, text: str) -> Move:
        """Make the move of a UCI text; returns it.

        >>> Board().push_uci("g1f3")
        Move('g1f3')
        """
        move = self.parse_uci(text)
        self.push(move)
        return move

    def uci(self, move: int, *, chess960: bool | None = None) -> str:
        """A move in UCI; castling as king takes rook in Chess960, or if `chess960` says so.

        >>> board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        >>> castling = board.parse_san("O-O")
        >>> board.uci(castling), board.uci(castling, chess960=True)
        ('e1g1', 'e1h1')
        """
        return as_move(move).uci(self.chess960 if chess960 is None else flag("chess960", chess960))

    # SAN.

    def san(self, move: int) -> str:
        """A legal move in standard algebraic notation.

        >>> board = Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
        >>> board.san(board.parse_uci("a1a8")), board.san(board.parse_uci("e1c1"))
        ('Ra8+', 'O-O-O')
        """
        return san_notation.write(self, move)

    def lan(self, move: int) -> str:
        """A legal move in long algebraic notation: ``Ng1-f3``.

        >>> board = Board()
        >>> board.lan(board.parse_san("Nf3")), board.lan(board.parse_san("e4"))
        ('Ng1-f3', 'e2-e4')
        """
        return san_notation.write(self, move, long=True)

    def parse_san(self, text: str) -> Move:
        """The legal move of a text in standard algebraic notation.

        `InvalidMoveError` if the text is no move, `IllegalMoveError` if it is none here, `AmbiguousMoveError` if it is
        several.

        >>> Board().parse_san("Nf3")
        Move('g1f3')
        """
        return san_notation.parse(self, text)

    def push_san(self, text: str) -> Move:
        """Make the move of a SAN text; returns it.

        >>> Board().push_san("Nf3")
        Move('g1f3')
        """
        move = self.parse_san(text)
        self.push(move)
        return move

    # XBoard's notation.

    def xboard(self, move: int, chess960: bool | None = None) -> str:
        """A legal move as XBoard writes it: as in UCI, but castling as ``O-O`` in Chess960, or if `chess960` says so,
        and the null move as ``@@@@``.

        >>> board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        >>> castling = board.parse_san("O-O")
        >>> board.xboard(castling), board.xboard(castling, chess960=True), board.xboard(Move.null())
        ('e1g1', 'O-O', '@@@@')
        """
        move = as_move(move)
        chess960 = self.chess960 if chess960 is None else flag("chess960", chess960)
        if chess960 and self.is_castling(move):
            return "O-O" if self.is_kingside_castling(move) else "O-O-O"
        return move.xboard()

    def parse_xboard(self, text: str) -> Move:
        """The legal move of a text as XBoard writes it, which is read as `parse_san` reads it.

        >>> Board().parse_xboard("g1f3")
        Move('g1f3')
        """
        return self.parse_san(text)

    def push_xboard(self, text: str) -> Move:
        """Make the move of a text as XBoard writes it; returns it.

        >>> Board().push_xboard("g1f3")
        Move('g1f3')
        """
        return self.push_san(text)

    def san_and_push(self, move: int) -> str:
        """Make a legal move; returns its SAN.

        >>> board = Board()
        >>> board.san_and_push(Move.of(6, 21)), board.turn
        ('Nf3', False)
        """
        text = self.san(move)
        self.push(move)
        return text

    def variation_san(self, variation: Iterable[int]) -> str:
        """A line of legal moves from here, with move numbers.

        >>> board = Board()
        >>> line = [Move.from_uci(text) for text in ("e2e4", "e7e5", "g1f3")]
        >>> board.variation_san(line), len(board.move_stack)
        ('1. e4 e5 2. Nf3', 0)
        """
        board = self.copy(stack=False)
        words: list[str] = []
        for i, given in enumerate(iterator("variation", variation, "an iterable of moves")):
            move = as_move(given, f"variation[{i}]")
            if board.turn:
                words.append(f"{board.fullmove_number}. {board.san_and_push(move)}")
            else:
                words.append(f"{'' if words else f'{board.fullmove_number}...'}{board.san_and_push(move)}")
        return " ".join(words)

    def shredder_fen(self, *, en_passant: EnPassant = "legal") -> str:
        """The FEN with castling rights named by files: ``fen(shredder=True)``.

        >>> Board().shredder_fen()
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1'
        """
        return self.fen(shredder=True, en_passant=en_passant)

    # EPD: its operations may hold moves.

    def set_epd(self, epd: str) -> dict[str, Any]:
        """Set up the position of an EPD, and return its operations; the history is forgotten. See `from_epd`.

        >>> board = Board()
        >>> board.set_epd("4k3/8/8/8/8/8/8/R3K3 w Q - hmvc 3;"), board.fen()
        ({'hmvc': 3}, '4k3/8/8/8/8/8/8/R3K3 w Q - 3 1')
        """
        other, operations = self.from_epd(epd, self.chess960 or None)
        self._place(other._row)
        self._history = []
        self.halfmove_clock, self.fullmove_number = other.halfmove_clock, other.fullmove_number
        self.chess960 = other.chess960
        return operations

    @classmethod
    def from_epd(cls, epd: str, chess960: bool | None = None, *, strict: bool = False) -> tuple[Self, dict[str, Any]]:
        """Return the position of an EPD and its operations.

        ``bm``, ``am`` and ``pv`` are lists of moves, ``sm`` is a move. Empty operations and a missing ``;`` at the end
        are accepted. A move that is not legal is an error; so are an opcode that comes twice and an unclosed quote.

        >>> Board.from_epd('4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+; id "test 1";')[1]
        {'bm': [Move('a1a8')], 'id': 'test 1'}
        """
        chess960 = None if chess960 is None else flag("chess960", chess960)
        strict = flag("strict", strict)
        fields = epd.split(None, 4) if isinstance(epd, str) else []
        if len(fields) < 4:
            raise ValueError(f"EPD: {shown(epd)} has {len(fields)} fields, expected four and operations")
        operations = parse_operations(fields[4]) if len(fields) > 4 else {}
        clock, number = operations.get("hmvc", 0), operations.get("fmvn", 1)
        if not (isinstance(clock, int) and isinstance(number, int)) or clock < 0 or number < 0:
            raise ValueError(f"EPD: {shown(epd)}: hmvc and fmvn: expected numbers")
        board = cls(" ".join([*fields[:4], str(clock), str(number)]), chess960, strict=strict)
        for opcode in ("bm", "am"):
            if opcode in operations:
                operations[opcode] = [board.parse_san(str(text)) for text in operations[opcode]]
        if isinstance(operations.get("sm"), str):
            operations["sm"] = board.parse_san(operations["sm"])
        if "pv" in operations:
            line = board.copy()
            operations["pv"] = [line.push_san(str(text)) for text in operations["pv"]]
        return board, operations

    def epd(self, *, shredder: bool = False, en_passant: EnPassant = "legal", **operations: Any) -> str:
        """Return four fields of the FEN, and operations: ``board.epd(bm=[move], id="test 1")``.

        An operand is a move, a text, a finite number, None, or several in a list, a set or any other iterable. Moves
        are written in SAN: those of ``pv`` as a line of play, those of ``bm`` and ``am`` sorted.

        >>> Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").epd(bm=[Move.of(0, 56)], id="test 1")
        '4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+; id "test 1";'
        """
        written: dict[str, Any] = {}
        for opcode, operand in operations.items():
            operands = operands_of(operand)
            if opcode == "pv":
                line = self.copy()
                written[opcode] = [move if isinstance(move, str) else line.san_and_push(move) for move in operands]
            elif opcode in MOVE_LISTS:
                written[opcode] = sorted(move if isinstance(move, str) else self.san(move) for move in operands)
            else:
                written[opcode] = [SanText(self.san(o)) if isinstance(o, Move) else o for o in operands]
        text = self._four_fields(shredder, en_passant)
        return f"{text} {write_operations(written)}" if written else text
