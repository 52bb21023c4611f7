"""Setup: what stands on the board and who may do what; the part of `Board` that moves do not need."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from rookery.bitboard import Bitboard
from rookery.colours import Colour, read_colour
from rookery.placement import SIGNS, Placement
from rookery.rules import fen as notation
from rookery.rules import fen_writer
from rookery.rules.core import WORDS
from rookery.rules.engine import engine
from rookery.rules.fen import START
from rookery.rules.fen_writer import EnPassant
from rookery.rules.generate import MOST_MOVES
from rookery.rules.moves import Move
from rookery.rules.status import Fault, faults_of
from rookery.squares import check_square


class Before(NamedTuple):
    """What `pop` brings back."""

    move: Move
    words: bytes
    key: int
    halfmove_clock: int
    fullmove_number: int


class Setup:
    """A position and its counters: set up, looked at, written, validated, compared. `Board` adds the moves."""

    __slots__ = ("_history", "_key", "_row", "_scratch", "chess960", "fullmove_number", "halfmove_clock")

    def __init__(self, fen: str | None = START, chess960: bool | None = None, strict: bool = False) -> None:
        self._row = np.zeros(WORDS, np.uint64)
        self._scratch = np.empty(MOST_MOVES, np.uint16)
        self._history: list[Before] = []
        self.halfmove_clock = 0
        self.fullmove_number = 1
        self.chess960 = bool(chess960)
        self._key: int | None = None
        if fen is not None:
            self.set_fen(fen, chess960, strict=strict)

    # Setting up.

    def set_fen(self, fen: str, chess960: bool | None = None, *, strict: bool = False) -> None:
        """Set up the position of a FEN; the history is forgotten. If it raises, the board is as before."""
        parsed = notation.parse_fen(fen, chess960)
        code = engine()
        if strict or code.suspicious(parsed.words, code.tables):
            probe = self.__class__(None)
            probe._take(parsed)
            faults = [fault for fault in probe.status() if strict or not fault.strict]
            if faults:
                raise ValueError(f"FEN: {fen!r}: {'; '.join(map(str, faults))}")
        self._take(parsed)

    def _take(self, parsed: notation.Parsed) -> None:
        self._row = parsed.words
        self._history = []
        self._key = None
        self.halfmove_clock = parsed.halfmove_clock
        self.fullmove_number = parsed.fullmove_number
        self.chess960 = parsed.chess960

    @classmethod
    def unchecked(cls, fen: str) -> Self:
        """The position of a well-formed FEN, however impossible: `status` then says what is wrong."""
        board = cls(None)
        board._take(notation.parse_fen(fen))
        return board

    @classmethod
    def from_words(
        cls, words: Sequence[int], *, halfmove_clock: int = 0, fullmove_number: int = 1, chess960: bool = False
    ) -> Self:
        """The position of the ten words of `rookery.rules.core.Position`, unchecked."""
        board = cls(None)
        board._row[: len(words)] = words
        board.halfmove_clock, board.fullmove_number, board.chess960 = halfmove_clock, fullmove_number, chess960
        return board

    @classmethod
    def empty(cls) -> Self:
        """A board without pieces."""
        return cls(None)

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
        return {name: getattr(self, name) for name in Setup.__slots__ if name != "_scratch"}

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

    def words(self) -> Any:
        """The ten words of `rookery.rules.core.Position`, in a fresh array with room for a technique's state."""
        return self._row.copy()

    def pieces_of(self, colour: Colour) -> Bitboard:
        """All pieces of a colour."""
        return Bitboard(self._row[5 if read_colour(colour) == self.turn else 6])

    def king(self, colour: Colour) -> int | None:
        """The square of a king, if there is one."""
        kings = int(self._row[4]) & self.pieces_of(colour)
        return next(iter(Bitboard(kings)), None)

    def piece_at(self, square: int) -> str | None:
        """The sign of a piece, ``"Q"`` white, ``"q"`` black, or None."""
        kind = self.kind_at(check_square(square))
        if kind is None:
            return None
        ours = int(self._row[5]) >> square & 1
        return kind.upper() if bool(ours) == self.turn else kind

    def kind_at(self, square: int) -> str | None:
        """What stands on a square, of either colour: ``p``, ``n``, ``b``, ``r``, ``q``, ``k`` or None."""
        pawns, knights, diagonals, orthogonals, kings = (word >> square & 1 for word in self._row[:5].tolist())
        if diagonals:
            return "q" if orthogonals else "b"
        return "p" if pawns else "n" if knights else "r" if orthogonals else "k" if kings else None

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

    def _four_fields(self, shredder: bool, en_passant: EnPassant) -> str:
        if en_passant not in ("legal", "fen", "xfen"):
            raise ValueError(f"en_passant: {en_passant!r}: expected 'legal', 'fen' or 'xfen'")
        target = int(self._row[8])
        if en_passant == "legal":
            target = target if self.has_legal_en_passant() else 0
        elif en_passant == "xfen":
            target = fen_writer.target_beside_a_pawn(*(int(self._row[i]) for i in (0, 5, 8, 9)))
        return fen_writer.four_fields(self._row, target, shredder=shredder)

    def __str__(self) -> str:
        return str(self.placement)

    def __repr__(self) -> str:
        return f"Board({self.fen()!r})"

    def _repr_svg_(self) -> str:
        """A picture for notebooks."""
        return self.occupied._repr_svg_()

    def status(self) -> list[Fault]:
        """Everything that is wrong with the position. Faults with `strict` set are positions no game can reach."""
        placement = self.placement
        code = engine()
        theirs = self._row.copy()
        theirs[[5, 6]] = theirs[[6, 5]]
        theirs[9] ^= np.uint64(1)
        one_king_each = len(placement.white_king) == len(placement.black_king) == 1
        return faults_of(
            placement,
            not self.turn,
            int(self._row[7]),
            self.ep_square,
            code.checkers(theirs, code.tables) if one_king_each else 0,
            code.checkers(self._row, code.tables) if one_king_each else 0,
        )

    def is_valid(self) -> bool:
        """Whether the status is clean."""
        return not self.status()

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
        if not isinstance(other, Setup):
            return NotImplemented
        counters = (self.halfmove_clock, self.fullmove_number) == (other.halfmove_clock, other.fullmove_number)
        return counters and self._identity() == other._identity()

    def __hash__(self) -> int:
        return self.key

    # What setting up and writing must know of the rules.

    def has_legal_en_passant(self) -> bool:
        """Whether a pawn may legally take en passant."""
        if not self._row[8]:
            return False
        code = engine()
        return bool(code.en_passant_captures(self._row, code.tables))

    def checkers(self) -> Bitboard:
        """The pieces that give check to the side to move."""
        code = engine()
        return Bitboard(code.checkers(self._row, code.tables))

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return bool(self.checkers())
