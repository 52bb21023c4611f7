"""Board: a game position with its history, as Python chess programmers know it."""

import functools
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple, Self

import numpy as np

from rookery.bitboard import Bitboard
from rookery.kernel import UNIVERSE, ZERO
from rookery.placement import SIGNS, Placement
from rookery.rules import fen as notation
from rookery.rules import san as san_notation
from rookery.rules.core import WORDS
from rookery.rules.engine import engine
from rookery.rules.fen import START, EnPassant
from rookery.rules.generate import MOST_MOVES
from rookery.rules.moves import INTERNED, Move, parse_uci_parts
from rookery.rules.status import Fault, faults_of
from rookery.squares import check_square, square_name

WHITE: Final = True
BLACK: Final = False

_BITS = (1 << 64) - 1
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


class _Before(NamedTuple):
    """What `pop` brings back."""

    move: Move
    words: bytes
    key: int
    halfmove_clock: int
    fullmove_number: int


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

    def __contains__(self, move: int) -> bool:
        return self._board.is_legal(move)

    def __repr__(self) -> str:
        return f"<legal moves: {', '.join(map(self._board.san, self))}>"


class Board:
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

    __slots__ = ("_history", "_key", "_row", "_scratch", "chess960", "fullmove_number", "halfmove_clock")

    def __init__(self, fen: str | None = START, chess960: bool | None = None, *, strict: bool = False) -> None:
        self._row = np.zeros(WORDS, np.uint64)
        self._scratch = np.empty(MOST_MOVES, np.uint16)
        self._history: list[_Before] = []
        self.halfmove_clock = 0
        self.fullmove_number = 1
        self.chess960 = bool(chess960)
        self._key: int | None = None
        if fen is not None:
            self.set_fen(fen, chess960, strict=strict)

    # Setting up.

    def set_fen(self, fen: str, chess960: bool | None = None, *, strict: bool = False) -> None:
        """Set up the position of a FEN; the history is forgotten. If it raises, the board is as before."""
        self._set(notation.parse_fen(fen), fen, chess960, strict)

    def _set(self, parsed: notation.Parsed, text: str, chess960: bool | None, strict: bool) -> None:
        if chess960 is False and parsed.chess960:
            raise ValueError(f"FEN field 3 (castling): {text!r} is Chess960, but chess960=False was asked for")
        p = parsed.placement
        us, them = (p.black, p.white) if parsed.black_to_move else (p.white, p.black)
        words = (
            p[0] | p[6],
            p[1] | p[7],
            p[2] | p[8] | p[4] | p[10],
            p[3] | p[9] | p[4] | p[10],
            p[5] | p[11],
            us,
            them,
            parsed.castling,
            0 if parsed.en_passant is None else 1 << parsed.en_passant,
            int(parsed.black_to_move),
        )
        row = np.zeros(WORDS, np.uint64)
        row[:10] = words
        faults = [fault for fault in self._faults(row) if strict or not fault.strict]
        if faults:
            raise ValueError(f"FEN: {text!r}: {'; '.join(map(str, faults))}")
        self._row = row
        self._history = []
        self.halfmove_clock = parsed.halfmove_clock
        self.fullmove_number = parsed.fullmove_number
        self.chess960 = parsed.chess960 if chess960 is None else chess960
        self._key = None

    @classmethod
    def empty(cls) -> Self:
        """A board without pieces."""
        return cls(None)

    @classmethod
    def from_epd(cls, epd: str, chess960: bool | None = None, *, strict: bool = False) -> tuple[Self, dict[str, Any]]:
        """The position of an EPD, and its operations (``bm``, ``am`` and ``pv`` as lists of moves)."""
        fields = epd.split(None, 4) if isinstance(epd, str) else []
        if len(fields) < 4:
            raise ValueError(f"EPD: {epd!r} has {len(fields)} fields, expected four and operations")
        operations = notation.parse_operations(fields[4]) if len(fields) > 4 else {}
        clock, number = operations.get("hmvc", 0), operations.get("fmvn", 1)
        if not (isinstance(clock, int) and isinstance(number, int)) or clock < 0 or number < 1:
            raise ValueError(f"EPD: {epd!r}: hmvc and fmvn: expected numbers")
        board = cls(" ".join([*fields[:4], str(clock), str(number)]), chess960, strict=strict)
        for opcode in ("bm", "am"):
            if opcode in operations:
                operations[opcode] = [board.parse_san(str(text)) for text in operations[opcode]]
        if "pv" in operations:
            line = board.copy()
            operations["pv"] = [line.push_san(str(text)) for text in operations["pv"]]
        return board, operations

    def copy(self) -> Self:
        """The same position with the same history."""
        other = self.__class__.__new__(self.__class__)
        other._row = self._row.copy()
        other._scratch = np.empty(MOST_MOVES, np.uint16)
        other._history = self._history.copy()
        other.halfmove_clock = self.halfmove_clock
        other.fullmove_number = self.fullmove_number
        other.chess960 = self.chess960
        other._key = self._key
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__ if name != "_scratch"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._scratch = np.empty(MOST_MOVES, np.uint16)

    def mirror(self) -> Self:
        """The position with colours and ranks swapped, without history."""
        other = self.__class__(None)
        words = [int(word) for word in self._row[:9]]
        other._row[:9] = [int.from_bytes(word.to_bytes(8, "little"), "big") for word in words]
        other._row[9] = 1 - int(self._row[9])
        other.halfmove_clock, other.fullmove_number = self.halfmove_clock, self.fullmove_number
        other.chess960 = self.chess960
        return other

    # Looking at it.

    @property
    def turn(self) -> bool:
        """Whose move it is: True (`WHITE`) or False (`BLACK`)."""
        return bool(self._row[9] == 0)

    @property
    def ep_square(self) -> int | None:
        """The square a pawn has just jumped over, whether or not it can be taken there."""
        word = int(self._row[8])
        return word.bit_length() - 1 if word else None

    @property
    def castling_rights(self) -> Bitboard:
        """The rooks that may still castle."""
        return Bitboard(self._row[7])

    @property
    def placement(self) -> Placement:
        """The twelve boards."""
        pawns, knights, diagonals, orthogonals, kings, us, them = (int(word) for word in self._row[:7])
        white, black = (us, them) if self.turn else (them, us)
        kinds = (pawns, knights, diagonals & ~orthogonals, orthogonals & ~diagonals, diagonals & orthogonals, kings)
        return Placement(*(Bitboard(kind & side) for side in (white, black) for kind in kinds))

    @property
    def occupied(self) -> Bitboard:
        """All pieces."""
        return Bitboard(self._row[5] | self._row[6])

    def pieces_of(self, colour: bool) -> Bitboard:
        """All pieces of a colour."""
        return Bitboard(self._row[5 if bool(colour) == self.turn else 6])

    def king(self, colour: bool) -> int | None:
        """The square of a king, if there is one."""
        kings = int(self._row[4]) & self.pieces_of(colour)
        return next(iter(Bitboard(kings)), None)

    def piece_at(self, square: int) -> str | None:
        """The sign of a piece, ``"Q"`` white, ``"q"`` black, or None."""
        return self.placement.piece_at(square)

    def set_piece_at(self, square: int, piece: str | None) -> None:
        """Put a piece (``"Q"``, ``"q"``, ...), or with None take what is there. The history is forgotten, and so
        are castling rights and an en-passant square that no longer can be.
        """
        mask = 1 << check_square(square)
        if piece is not None and (not isinstance(piece, str) or len(piece) != 1 or piece not in SIGNS):
            raise ValueError(f"piece: {piece!r}: expected one of {SIGNS}, or None")
        words = [int(word) & ~mask for word in self._row[:7]]
        if piece is not None:
            for i in ((0,), (1,), (2,), (3,), (2, 3), (4,))[SIGNS.index(piece) % 6]:
                words[i] |= mask
            words[5 if piece.isupper() == self.turn else 6] |= mask
        self._row[:7] = words
        self._history.clear()
        self._key = None
        self._drop_impossible_rights()

    def remove_piece_at(self, square: int) -> str | None:
        """Take a piece away; returns what it was."""
        piece = self.piece_at(square)
        if piece:
            self.set_piece_at(square, None)
        return piece

    def _drop_impossible_rights(self) -> None:
        p = self.placement
        kept = 0
        for rooks, king, back_rank in ((p.white_rooks, p.white_king, 0xFF), (p.black_rooks, p.black_king, 0xFF << 56)):
            if len(king) == 1 and int(king) & back_rank:
                kept |= rooks & back_rank
        self._row[7] = int(self._row[7]) & kept
        if self.ep_square is not None and any("en passant" in fault.reason for fault in self.status()):
            self._row[8] = 0

    def board_fen(self) -> str:
        """The first field of the FEN."""
        return self.placement.to_fen()

    def fen(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> str:
        """The FEN. `en_passant` says when its square is written: if a capture is ``legal``, after every double push
        (``fen``), or if a pawn stands beside (``xfen``). With `shredder` castling rights are named by files.
        """
        return f"{self._four_fields(shredder, en_passant)} {self.halfmove_clock} {self.fullmove_number}"

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
        return f"{text} {notation.write_operations(written)}" if written else text

    def _four_fields(self, shredder: bool, en_passant: EnPassant) -> str:
        placement = self.placement
        castling = notation.castling_field(placement, int(self._row[7]), shredder=shredder)
        square = self.ep_square
        if square is not None and not self._en_passant_counts(en_passant):
            square = None
        target = "-" if square is None else square_name(square)
        return f"{placement.to_fen()} {'w' if self.turn else 'b'} {castling} {target}"

    def _en_passant_counts(self, how: EnPassant) -> bool:
        if how == "legal":
            return self.has_legal_en_passant()
        if how == "xfen":
            square = self.ep_square
            if square is None:
                return False
            beside = (1 << square + (-8 if self.turn else 8)) & _BITS
            beside = (beside << 1 & 0xFEFEFEFEFEFEFEFE) | (beside >> 1 & 0x7F7F7F7F7F7F7F7F)
            return bool(beside & int(self._row[0]) & int(self._row[5]))
        if how == "fen":
            return self.ep_square is not None
        raise ValueError(f"en_passant: {how!r}: expected 'legal', 'fen' or 'xfen'")

    def __str__(self) -> str:
        return str(self.placement)

    def __repr__(self) -> str:
        return f"Board({self.fen()!r})"

    def _repr_svg_(self) -> str:
        """A picture for notebooks."""
        return self.occupied._repr_svg_()

    def status(self) -> list[Fault]:
        """Everything that is wrong with the position. Faults with `strict` set are positions no game can reach."""
        return self._faults(self._row)

    def is_valid(self) -> bool:
        """Whether the status is clean."""
        return not self.status()

    def _faults(self, row: Any) -> list[Fault]:
        probe = self.__class__.__new__(self.__class__)
        probe._row = row
        placement = probe.placement
        code = engine()
        theirs = row.copy()
        theirs[[5, 6]] = theirs[[6, 5]]
        theirs[9] ^= np.uint64(1)
        one_king_each = len(placement.white_king) == len(placement.black_king) == 1
        return faults_of(
            placement,
            not probe.turn,
            int(row[7]),
            probe.ep_square,
            code.checkers(theirs, code.tables) if one_king_each else 0,
            code.checkers(row, code.tables) if one_king_each else 0,
        )

    # Equality: what can be done from here on.

    @property
    def key(self) -> int:
        """The Zobrist key: pieces, turn, castling rights, and the en-passant file if a capture is legal."""
        if self._key is None:
            code = engine()
            self._key = code.zobrist(self._row, code.tables)
        return self._key

    def _identity(self) -> tuple[bytes, bool]:
        words = self._row[:10].copy()
        words[8] = words[8] if self.has_legal_en_passant() else 0
        return words.tobytes(), self.chess960

    def __eq__(self, other: object) -> bool:
        """Same pieces, turn, castling rights, legal en passant and counters; the history does not matter."""
        if not isinstance(other, Board):
            return NotImplemented
        counters = (self.halfmove_clock, self.fullmove_number) == (other.halfmove_clock, other.fullmove_number)
        return counters and self._identity() == other._identity()

    def __hash__(self) -> int:
        return self.key

    # Moves.

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves: ``list(board.legal_moves)``, ``len(...)``, ``move in ...``."""
        return LegalMoves(self)

    def _generate(self, noisy: Any, quiet: Any) -> list[Move]:
        code = engine()
        n = code.legal(self._row, self._scratch, noisy, quiet, code.tables)
        return [INTERNED[word] for word in self._scratch[:n].tolist()]

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

    def count_legal_moves(self) -> int:
        """How many moves are legal."""
        code = engine()
        return code.legal(self._row, self._scratch, UNIVERSE, UNIVERSE, code.tables)

    def is_legal(self, move: int) -> bool:
        """Whether a move is legal here."""
        if not 0 <= move < 1 << 16:
            return False
        code = engine()
        return bool(code.is_legal(self._row, int(move), self._scratch, code.tables))

    def gives_check(self, move: Move) -> bool:
        """Whether a legal move gives check."""
        code = engine()
        return bool(code.gives_check(self._row, int(move), code.tables))

    def is_capture(self, move: Move) -> bool:
        """Whether a legal move takes something."""
        return move.is_en_passant or bool(int(self._row[6]) >> move.to_square & 1)

    def push(self, move: Move) -> None:
        """Make a move. An illegal one is a ValueError; ``Move.null()`` passes the turn (not while in check)."""
        code = engine()
        if move == 0:
            if self.is_check():
                raise ValueError("null move: the king is in check")
        elif not self.is_legal(move):
            raise ValueError(f"move: {move!s} is not legal in {self.fen()!r}")
        zeroing = move != 0 and (self.is_capture(move) or int(self._row[0]) >> move.from_square & 1)
        key = self.key
        self._history.append(_Before(move, self._row.tobytes(), key, self.halfmove_clock, self.fullmove_number))
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

    def has_legal_en_passant(self) -> bool:
        """Whether a pawn may legally take en passant."""
        if not self._row[8]:
            return False
        code = engine()
        return bool(code.en_passant_captures(self._row, code.tables))

    # The state of the game.

    def checkers(self) -> Bitboard:
        """The pieces that give check to the side to move."""
        code = engine()
        return Bitboard(code.checkers(self._row, code.tables))

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return bool(self.checkers())

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


def _most_valuable_victim(placement: Placement, move: Move) -> tuple[int, int]:
    order = "pnbrqk"
    victim = placement.piece_at(move.to_square)
    value = order.index(victim.lower()) + 1 if victim else int(move.is_en_passant)
    if move.promotion:
        value += order.index(move.promotion)
    attacker = placement.piece_at(move.from_square) or "p"
    return -value, order.index(attacker.lower())
