"""Notation: moves as UCI, SAN and XBoard text, and positions as EPD."""

from collections.abc import Iterable
from typing import Any, Final, Self

from rookery.aliases import EnPassant
from rookery.arguments import flag, iterator, shown
from rookery.bitboards.squares import E1, E8
from rookery.board import san as san_notation
from rookery.board.legal_moves import LegalMoves
from rookery.board.moves import TEXTS, IllegalMoveError, InvalidMoveError, Move, as_move
from rookery.board.play import Play
from rookery.notation.epd import MOVE_LISTS, MOVES, Unquoted, operands_of, parse_operations, write_operations

# Castling in classical chess, given in either form: as the king's two steps, and as the king taking its rook.
_IN_BOTH_FORMS: Final = {
    move: (king_s, rook_s)
    for king in (E1, E8)
    for king_s, rook_s in ((Move(king, king + 2), Move(king, king + 3)), (Move(king, king - 2), Move(king, king - 4)))
    for move in (king_s, rook_s)
}


def _read_operand(board: Play, opcode: str, operand: Any) -> Any:
    """Return the operand of an opcode that takes no list of moves: as a move, if it is one."""
    if opcode in MOVES and isinstance(operand, str):
        return san_notation.parse(board, operand)
    if isinstance(operand, list):
        return [str(one) if isinstance(one, Unquoted) else one for one in operand]
    if not isinstance(operand, Unquoted):
        return operand
    try:
        return san_notation.parse(board, operand)
    except InvalidMoveError:
        return str(operand)


class Notation(Play):
    """The part of a board that reads and writes moves and positions as text."""

    __slots__ = ()

    @property
    def legal_moves(self) -> LegalMoves:
        """Return the legal moves, for ``list(board.legal_moves)``, ``len(...)``, ``move in ...``, ``"e2e4" in ...``."""
        return LegalMoves(self)

    # UCI.

    def parse_uci(self, text: str) -> Move:
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
        found = self._by_uci(text)
        if found is None:
            raise IllegalMoveError(f"UCI move: {text!r} is not legal in {self.fen()!r}")
        return found

    def push_uci(self, text: str) -> Move:
        """Make the move that a UCI text stands for, and return it.

        >>> Board().push_uci("g1f3")
        Move('g1f3')
        """
        move = self.parse_uci(text)
        self.push(move)
        return move

    def uci(self, move: int, *, chess960: bool | None = None) -> str:
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
            move = as_move(move, chess960=self.chess960)
        if chess960 is None:
            chess960 = self.chess960
        elif chess960 is not True and chess960 is not False:
            chess960 = flag("chess960", chess960)
        if move in _IN_BOTH_FORMS and self.is_castling(move):
            king_s, rook_s = _IN_BOTH_FORMS[move]
            if not chess960:
                move = king_s
            elif move.to_square not in self.rooks:
                move = rook_s
        return TEXTS[move] if move < 1 << 12 else move.uci()

    # SAN.

    def san(self, move: int) -> str:
        """Return a legal move in standard algebraic notation.

        >>> board = Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
        >>> board.san(board.parse_uci("a1a8"))
        'Ra8+'
        >>> board.san(board.parse_uci("e1c1"))
        'O-O-O'
        """
        return san_notation.write(self, move)

    def lan(self, move: int) -> str:
        """Return a legal move in long algebraic notation: ``Ng1-f3``.

        >>> board = Board()
        >>> board.lan(board.parse_san("Nf3"))
        'Ng1-f3'
        """
        return san_notation.write(self, move, long=True)

    def parse_san(self, text: str) -> Move:
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
        return san_notation.parse(self, text)

    def push_san(self, text: str) -> Move:
        """Make the move that a SAN text stands for, and return it.

        >>> Board().push_san("Nf3")
        Move('g1f3')
        """
        move = self.parse_san(text)
        self.push(move)
        return move

    # The notation of XBoard.

    def xboard(self, move: int, chess960: bool | None = None) -> str:
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
        move = as_move(move, chess960=self.chess960)
        chess960 = self.chess960 if chess960 is None else flag("chess960", chess960)
        if chess960 and self.is_castling(move):
            return "O-O" if self.is_kingside_castling(move) else "O-O-O"
        return move.xboard()

    def parse_xboard(self, text: str) -> Move:
        """Return the legal move that a text of XBoard stands for. `parse_san` accepts the same texts.

        >>> Board().parse_xboard("g1f3")
        Move('g1f3')
        """
        return self.parse_san(text)

    def push_xboard(self, text: str) -> Move:
        """Make the move that a text of XBoard stands for, and return it.

        >>> Board().push_xboard("g1f3")
        Move('g1f3')
        """
        return self.push_san(text)

    def san_and_push(self, move: int) -> str:
        """Make a legal move and return its SAN.

        >>> Board().san_and_push(Move.of(6, 21))
        'Nf3'
        """
        text = self.san(move)
        self.push(move)
        return text

    def variation_san(self, variation: Iterable[int]) -> str:
        """Return a line of legal moves from this position in SAN, with move numbers. The board does not change.

        >>> line = [Move.from_uci(text) for text in ("e2e4", "e7e5", "g1f3")]
        >>> Board().variation_san(line)
        '1. e4 e5 2. Nf3'
        """
        board = self.copy(stack=False)
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

    def shredder_fen(self, *, en_passant: EnPassant = "legal") -> str:
        """Return the FEN with castling rights named by files: ``fen(shredder=True)``.

        >>> Board().shredder_fen()
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1'
        """
        return self.fen(shredder=True, en_passant=en_passant)

    # EPD, whose operations may hold moves.

    def set_epd(self, epd: str) -> dict[str, Any]:
        """Set up the position of an EPD and return its operations. The move stack is cleared. See `from_epd`.

        >>> board = Board()
        >>> board.set_epd("4k3/8/8/8/8/8/8/R3K3 w Q - hmvc 3;")
        {'hmvc': 3}
        >>> board.fen()
        '4k3/8/8/8/8/8/8/R3K3 w Q - 3 1'
        """
        other, operations = self.from_epd(epd, self.chess960 or None)
        self._row = other._row
        self._history = []
        self.chess960 = other.chess960
        return operations

    @classmethod
    def from_epd(cls, epd: str, chess960: bool | None = None, *, strict: bool = False) -> tuple[Self, dict[str, Any]]:
        """Return the position of an EPD and its operations.

        ``bm``, ``am`` and ``pv`` become lists of moves. The operand of ``sm`` and ``pm`` becomes a move, and so does
        that of any other opcode if it has no quotes and is a legal move. Empty operations and a missing ``;`` at the
        end are accepted. An illegal move, a repeated opcode and an unclosed quote are errors.

        >>> Board.from_epd('4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+; pm Ra2; id "test 1";')[1]
        {'bm': [Move('a1a8')], 'pm': Move('a1a2'), 'id': 'test 1'}
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
        if "pv" in operations:
            line = board.copy()
            operations["pv"] = [line.push_san(str(text)) for text in operations["pv"]]
        return board, {opcode: _read_operand(board, opcode, operand) for opcode, operand in operations.items()}

    def epd(self, *, shredder: bool = False, en_passant: EnPassant = "legal", **operations: Any) -> str:
        """Return the first four fields of the FEN with operations: ``board.epd(bm=[move], id="test 1")``.

        An operand is a move, a string, a finite number, None, or an iterable of these. Moves are written in SAN: those
        of ``pv`` as a line of play, those of ``bm`` and ``am`` sorted.

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
                written[opcode] = [Unquoted(self.san(o)) if isinstance(o, Move) else o for o in operands]
        text = self._four_fields(shredder, en_passant)
        return f"{text} {write_operations(written)}" if written else text
