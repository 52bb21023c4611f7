"""Board: a game position with its history, as Python chess programmers know it."""

import functools
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple, Self

import numpy as np

from rookery.arguments import shown
from rookery.bitboard import Bitboard
from rookery.kernel import UNIVERSE, ZERO
from rookery.placement import Placement
from rookery.rules import exchange, queries
from rookery.rules import san as san_notation
from rookery.rules.colours import BLACK, WHITE
from rookery.rules.engine import engine
from rookery.rules.epd import parse_operations, write_operations
from rookery.rules.fen_writer import EnPassant
from rookery.rules.moves import INTERNED, Move, as_move, parse_uci_parts
from rookery.rules.setup import Before, Setup

_LIGHT_SQUARES: Final = 0x55AA55AA55AA55AA


class Outcome(NamedTuple):
    """How a game ended."""

    termination: Literal[
        "checkmate",
        "stalemate",
        "insufficient material",
        "seventy-five moves",
        "fivefold repetition",
        "fifty moves",
        "threefold repetition",
    ]
    winner: bool | None

    def result(self) -> str:
        """``1-0``, ``0-1`` or ``1/2-1/2``."""
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner else "0-1"


class LegalMoves:
    """The legal moves of a board: iterable, counted, and searched, always of the board as it then is."""

    def __init__(self, board: "Board") -> None:
        self._board = board

    def __iter__(self) -> Iterator[Move]:
        return iter(self._board.generate_legal_moves())

    def __len__(self) -> int:
        return self._board.count_legal_moves()

    def __bool__(self) -> bool:
        return len(self) > 0

    def __contains__(self, move: object) -> bool:
        return isinstance(move, int) and self._board.is_legal(move)

    def __repr__(self) -> str:
        return f"<legal moves: {', '.join(map(self._board.san, self))}>"


class Board(Setup):
    """A position, its counters and the moves that led to it.

    `fen` is a FEN of four to six fields, or None for an empty board; an impossible position raises a ValueError that
    says what is wrong (with `strict`, one that no game can reach raises too). Chess960 is recognised from the
    castling field unless `chess960` says which it is.

    >>> board = Board()
    >>> board.push_san("e4"), board.push_uci("c7c5")
    (Move('e2e4'), Move('c7c5'))
    >>> board.fen()
    'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    >>> len(board.legal_moves), board.is_check()
    (30, False)
    """

    __slots__ = ()

    # Moves.

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves: ``list(board.legal_moves)``, ``len(...)``, ``move in ...``."""
        return LegalMoves(self)

    def _generate(self, noisy: Any, quiet: Any) -> list[Move]:
        code = engine()
        n = code.legal(self._row, self._scratch, noisy, quiet, code.tables)
        return list(map(INTERNED.__getitem__, self._scratch[:n].tolist()))

    def generate_legal_moves(self) -> list[Move]:
        """All legal moves."""
        return self._generate(UNIVERSE, UNIVERSE)

    def generate_captures(self) -> list[Move]:
        """Captures and promotions, the greatest victim first and for the same the least attacker, for quiescence."""
        placement = self.placement
        return sorted(self._generate(UNIVERSE, ZERO), key=functools.partial(_most_valuable_victim, placement))

    def generate_quiet_moves(self) -> list[Move]:
        """All that neither captures nor promotes."""
        return self._generate(ZERO, UNIVERSE)

    def generate_evasions(self) -> list[Move]:
        """The legal moves if the king is in check, else none."""
        return self.generate_legal_moves() if self.is_check() else []

    def generate_checks(self) -> list[Move]:
        """The legal moves that give check."""
        return [move for move in self.generate_legal_moves() if self.gives_check(move)]

    def check_after(self, move: Move) -> int:
        """0, 1 or 2: whether a legal move leaves the other side alone, gives check, or mates."""
        code = engine()
        return code.check_after(self._row, int(move), code.tables)

    def count_legal_moves(self) -> int:
        """How many moves are legal."""
        code = engine()
        return code.legal(self._row, self._scratch, UNIVERSE, UNIVERSE, code.tables)

    def is_legal(self, move: int) -> bool:
        """Whether a move is legal here."""
        try:
            word = int(as_move(move))
        except ValueError:  # an int that is no move at all
            return False
        code = engine()
        return bool(code.is_legal(self._row, word, self._scratch, code.tables))

    def gives_check(self, move: Move) -> bool:
        """Whether a legal move gives check."""
        code = engine()
        return bool(code.gives_check(self._row, int(move), code.tables))

    def is_capture(self, move: Move) -> bool:
        """Whether a legal move takes something."""
        return move.is_en_passant or bool(int(self._row[6]) >> move.to_square & 1)

    def push(self, move: Move) -> None:
        """Make a move. An illegal one is a ValueError; ``Move.null()`` passes the turn (not while in check)."""
        move = as_move(move)
        code = engine()
        if move == 0:
            if self.is_check():
                raise ValueError("null move: the king is in check")
        elif not self.is_legal(move):
            raise ValueError(f"move: {move!s} is not legal in {self.fen()!r}")
        zeroing = move != 0 and (self.is_capture(move) or int(self._row[0]) >> move.from_square & 1)
        key = self.key
        self._history.append(Before(move, self._row.tobytes(), key, self.halfmove_clock, self.fullmove_number))
        self.fullmove_number += not self.turn
        self.halfmove_clock = 0 if zeroing else self.halfmove_clock + 1
        if move == 0:
            self._key = code.pass_turn(self._row, key, code.tables)
        else:
            self._key = code.play(self._row, int(move), key, code.tables)

    def pop(self) -> Move:
        """Take the last move back."""
        if not self._history:
            raise IndexError("pop: no move has been made")
        before = self._history.pop()
        self._row[:] = np.frombuffer(before.words, np.uint64)
        self._key = before.key
        self.halfmove_clock = before.halfmove_clock
        self.fullmove_number = before.fullmove_number
        return before.move

    @property
    def move_stack(self) -> list[Move]:
        """The moves made, first to last."""
        return [before.move for before in self._history]

    def peek(self) -> Move:
        """The last move made."""
        if not self._history:
            raise IndexError("peek: no move has been made")
        return self._history[-1].move

    def parse_uci(self, text: str) -> Move:
        """The legal move of a UCI text; castling as the king's two steps or as king takes rook."""
        if text == "0000":
            return Move.null()
        parts = parse_uci_parts(text)
        matching = [
            move
            for move in self.generate_legal_moves()
            if move.from_square == parts.from_square and text in (move.uci(), move.uci(chess960=True))
        ]
        if len(matching) > 1:  # Chess960: a king's step to where it would castle, too
            matching = [move for move in matching if text == move.uci(chess960=True)]
        if not matching:
            raise ValueError(f"UCI move: {text!r} is not legal in {self.fen()!r}")
        return matching[0]

    def push_uci(self, text: str) -> Move:
        """Make the move of a UCI text; returns it."""
        move = self.parse_uci(text)
        self.push(move)
        return move

    def uci(self, move: Move) -> str:
        """A move in UCI, as king takes rook in Chess960."""
        return move.uci(chess960=self.chess960)

    def san(self, move: Move) -> str:
        """A legal move in standard algebraic notation."""
        return san_notation.write(self, move)

    def parse_san(self, text: str) -> Move:
        """The legal move of a text in standard algebraic notation."""
        return san_notation.parse(self, text)

    def push_san(self, text: str) -> Move:
        """Make the move of a SAN text; returns it."""
        move = self.parse_san(text)
        self.push(move)
        return move

    # The state of the game.

    def is_checkmate(self) -> bool:
        """Whether the side to move is in check and has no move."""
        return self.is_check() and not self.count_legal_moves()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no move and is not in check."""
        return not self.is_check() and not self.count_legal_moves()

    def has_insufficient_material(self, colour: bool) -> bool:
        """Whether a colour cannot mate, whatever the other does."""
        own, other = int(self.pieces_of(colour)), int(self.pieces_of(not colour))
        pawns, knights, diagonals, orthogonals, kings = (int(word) for word in self._row[:5])
        if own & (pawns | orthogonals):
            return False
        queens = diagonals & orthogonals
        if own & knights:
            return own.bit_count() <= 2 and not other & ~kings & ~queens
        if own & diagonals:
            bishops = diagonals & ~orthogonals
            one_colour = not bishops & _LIGHT_SQUARES or not bishops & ~_LIGHT_SQUARES
            return one_colour and not pawns and not knights
        return True

    def is_insufficient_material(self) -> bool:
        """Whether neither side can mate."""
        return self.has_insufficient_material(WHITE) and self.has_insufficient_material(BLACK)

    def is_fifty_moves(self) -> bool:
        """Whether fifty moves of each side have passed without a capture or pawn move, and the game goes on."""
        return self.halfmove_clock >= 100 and self.count_legal_moves() > 0

    def is_seventyfive_moves(self) -> bool:
        """The same with seventy-five: the game has ended."""
        return self.halfmove_clock >= 150 and self.count_legal_moves() > 0

    def repetitions(self) -> int:
        """How often this position has stood on the board, now included."""
        count = 1
        key = self.key
        reach = self.halfmove_clock
        for before in reversed(self._history):
            if reach <= 0 or before.move == 0:
                break
            reach -= 1
            count += before.key == key
        return count

    def is_repetition(self, count: int = 3) -> bool:
        """Whether this position stands on the board for the `count`-th time."""
        return self.repetitions() >= count

    def is_fivefold_repetition(self) -> bool:
        """The fifth time: the game has ended."""
        return self.is_repetition(5)

    def outcome(self, *, claim_draw: bool = False) -> Outcome | None:
        """How the game has ended, or None. Fifty moves and a threefold repetition end it only if a draw is claimed."""
        if not self.count_legal_moves():
            return Outcome("checkmate", not self.turn) if self.is_check() else Outcome("stalemate", None)
        if self.is_insufficient_material():
            return Outcome("insufficient material", None)
        if self.is_seventyfive_moves():
            return Outcome("seventy-five moves", None)
        if self.is_fivefold_repetition():
            return Outcome("fivefold repetition", None)
        if claim_draw and self.is_fifty_moves():
            return Outcome("fifty moves", None)
        if claim_draw and self.is_repetition(3):
            return Outcome("threefold repetition", None)
        return None

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Whether there is an outcome."""
        return self.outcome(claim_draw=claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the game goes on."""
        outcome = self.outcome(claim_draw=claim_draw)
        return outcome.result() if outcome else "*"

    # To and from python-chess, which this library does not import.

    @classmethod
    def from_chess(cls, board: Any) -> Self:
        """Read a python-chess board by its attributes, moves made included."""
        root = board.root()
        ours = cls(root.fen(shredder=board.chess960, en_passant="fen"), board.chess960)
        for move in board.move_stack:
            ours.push_uci(move.uci())
        return ours

    def to_chess(self, board_class: Any) -> Any:
        """Fill a new board of a class like ``chess.Board``, moves made included."""
        root = self.copy()
        while root._history:
            root.pop()
        theirs = board_class(root.fen(en_passant="fen"), chess960=self.chess960)
        for move in self.move_stack:
            theirs.push_uci(move.uci(chess960=self.chess960))
        return theirs

    # EPD: its operations may hold moves.

    @classmethod
    def from_epd(cls, epd: str, chess960: bool | None = None, *, strict: bool = False) -> tuple[Self, dict[str, Any]]:
        """The position of an EPD, and its operations (``bm``, ``am`` and ``pv`` as lists of moves)."""
        fields = epd.split(None, 4) if isinstance(epd, str) else []
        if len(fields) < 4:
            raise ValueError(f"EPD: {shown(epd)} has {len(fields)} fields, expected four and operations")
        operations = parse_operations(fields[4]) if len(fields) > 4 else {}
        clock, number = operations.get("hmvc", 0), operations.get("fmvn", 1)
        if not (isinstance(clock, int) and isinstance(number, int)) or clock < 0 or number < 1:
            raise ValueError(f"EPD: {shown(epd)}: hmvc and fmvn: expected numbers")
        board = cls(" ".join([*fields[:4], str(clock), str(number)]), chess960, strict=strict)
        for opcode in ("bm", "am"):
            if opcode in operations:
                operations[opcode] = [board.parse_san(str(text)) for text in operations[opcode]]
        if "pv" in operations:
            line = board.copy()
            operations["pv"] = [line.push_san(str(text)) for text in operations["pv"]]
        return board, operations

    def epd(self, *, shredder: bool = False, en_passant: EnPassant = "legal", **operations: Any) -> str:
        """Four fields of the FEN, and operations: ``board.epd(bm=[move], id="test 1")``. Moves are written in SAN."""
        written: dict[str, Any] = {}
        for opcode, operand in operations.items():
            operands = operand if isinstance(operand, (list, tuple)) else [operand]
            if opcode == "pv":
                line = self.copy()
                written[opcode] = []
                for move in operands:
                    written[opcode].append(line.san(move))
                    line.push(move)
            elif any(isinstance(o, Move) for o in operands):
                written[opcode] = [self.san(o) if isinstance(o, Move) else o for o in operands]
            else:
                written[opcode] = operand
        text = self._four_fields(shredder, en_passant)
        return f"{text} {write_operations(written)}" if written else text

    # Attack queries.

    def attackers(self, colour: bool, square: int, occupied: int | None = None) -> Bitboard:
        """The pieces of a colour that attack a square, seen through another occupancy if one is given."""
        return queries.attackers(self, colour, square, occupied)

    def is_attacked_by(self, colour: bool, square: int) -> bool:
        """Whether a piece of a colour attacks a square."""
        return queries.is_attacked_by(self, colour, square)

    def pinned(self, colour: bool) -> tuple[queries.Pin, ...]:
        """The pieces of a colour that are pinned to their king, each with its pinner and the line between."""
        return queries.pinned(self, colour)

    def is_pinned(self, colour: bool, square: int) -> bool:
        """Whether a piece of a colour stands on a square and is pinned to its king."""
        return queries.is_pinned(self, colour, square)

    def discoverers(self, colour: bool) -> Bitboard:
        """The pieces of a colour that give a discovered check by leaving the line they stand on."""
        return queries.discoverers(self, colour)

    def xray_attacks(self, square: int, blockers: int | None = None) -> Bitboard:
        """What the slider on a square attacks through the first pieces (its own, or `blockers`) in its way."""
        return queries.xray_attacks(self, square, blockers)

    def batteries(self, colour: bool) -> tuple[queries.Battery, ...]:
        """The pairs of sliders of a colour that bear on a line one behind the other."""
        return queries.batteries(self, colour)

    def see(self, move: Move) -> int:
        """Static exchange evaluation: what a legal move wins on its target square, in centipawns."""
        return exchange.see(self, move)


def _most_valuable_victim(placement: Placement, move: Move) -> tuple[int, int]:
    order = "pnbrqk"
    victim = placement.piece_at(move.to_square)
    value = order.index(victim.lower()) + 1 if victim else int(move.is_en_passant)
    if move.promotion:
        value += order.index(move.promotion)
    attacker = placement.piece_at(move.from_square) or "p"
    return -value, order.index(attacker.lower())
