"""Setup: how positions are set up, edited and checked for faults."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Self

from rookery.arguments import count, flag, mapping, shown
from rookery.array_arguments import board_array
from rookery.bitboards.pieces import Piece, read_piece
from rookery.bitboards.placement import SIGNS, Placement
from rookery.bitboards.squares import check_square
from rookery.board import status
from rookery.board.rows import (
    CLOCK,
    NUMBER,
    POSITION,
    RETURNING,
    WORDS,
    as_array,
    packed,
    row_of,
    row_of_parsed,
    unpack,
)
from rookery.board.view import View
from rookery.notation import fen as notation
from rookery.notation.fen import START
from rookery.rules import start_positions
from rookery.rules.compiled import compiled
from rookery.rules.faults import UNREACHABLE

# Which of the first five words of `rookery.rules.position.Position` a piece is on, a bit each: a queen is on two.
_BOARDS: Final[dict[str, int]] = {
    sign: (0b1, 0b10, 0b100, 0b1000, 0b1100, 0b10000)[i % 6] for i, sign in enumerate(SIGNS)
}
_PUT: Final[dict[str | None, tuple[int, bool]]] = {sign: (boards, sign.isupper()) for sign, boards in _BOARDS.items()}
_PUT[None] = 0, False
_LONGEST: Final = 16  # a castling field of every rook that may stand on a back rank


class Setup(View):
    """A position and its counters that can be set up, edited and checked. `Board` adds the moves."""

    __slots__ = ()

    starting_fen: ClassVar[str] = START

    def __init__(self, fen: str | None = START, chess960: bool | None = None, strict: bool = False) -> None:
        self.chess960 = False if chess960 is None else flag("chess960", chess960)
        if fen is None:
            self.clear()
        else:
            self.set_fen(fen, chess960, strict=strict)

    # From a text.

    def set_fen(self, fen: str, chess960: bool | None = None, *, strict: bool = False) -> None:
        """Set up the position of a FEN and clear the history. If this raises, the board does not change.

        >>> board = Board()
        >>> board.set_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
        >>> board.count_legal_moves()
        16
        """
        if chess960 is not None:
            chess960 = flag("chess960", chess960)
        if strict is not False:
            strict = flag("strict", strict)
        if isinstance(fen, str) and fen == START:
            self._take(notation.parsed_start(chess960))
            return
        parsed = notation.parse_fen(fen, chess960)
        code = compiled()
        faults = code.faults(parsed.words, code.tables)
        if faults and (strict or faults & ~UNREACHABLE):
            board = self.__class__(None)
            board._take(parsed)
            reasons = [fault.reason for fault in board.status() if strict or not fault.strict]
            raise ValueError(f"FEN: {shown(fen, 120)}: {'; '.join(reasons)}")
        self._take(parsed)

    def _take(self, parsed: notation.Parsed) -> None:
        self._row = row_of_parsed(parsed)
        self._history = []
        self.chess960 = parsed.chess960

    def set_board_fen(self, fen: str) -> None:
        """Set up the pieces of a FEN's first field, and drop the rights that they rule out. Turn and counters stay.

        >>> board = Board()
        >>> board.set_board_fen("4k3/8/8/8/8/8/8/R3K3")
        >>> board.fen()
        '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'
        """
        if not isinstance(fen, str) or len(fen.split()) != 1:
            raise ValueError(f"FEN field 1 (pieces): {shown(fen)}: expected this field alone")
        self.set_piece_map(Placement.from_fen(fen).marks())

    def set_castling_fen(self, castling_fen: str) -> None:
        """Set the castling rights, written as in a FEN: ``Qk``, ``Ah`` or ``-``. Clear the history.

        >>> board = Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
        >>> board.set_castling_fen("Q")
        >>> board.castling_rights.names()
        ['a1']
        """
        if not isinstance(castling_fen, str) or len(castling_fen[:_LONGEST].split()) != 1 or castling_fen[_LONGEST:]:
            raise ValueError(
                f"FEN field 3 (castling): {shown(castling_fen)}: expected this field alone, like 'KQ' or '-'"
            )
        fields = self.fen(en_passant="fen").split()
        fields[2] = castling_fen
        parsed = notation.parse_fen(" ".join(fields), self.chess960 or None)
        self._take(parsed)

    @classmethod
    def unchecked(cls, fen: str) -> Self:
        """Return the position of a well-formed FEN, even if it is impossible: `status` lists its faults.

        >>> Board.unchecked("8/8/8/8/8/8/8/8 w - - 0 1").is_valid()
        False
        """
        board = cls(None)
        board._take(notation.parse_fen(fen))
        return board

    # From elsewhere.

    @classmethod
    def from_words(
        cls, words: Sequence[int], *, halfmove_clock: int = 0, fullmove_number: int = 1, chess960: bool = False
    ) -> Self:
        """Return the position of the ten words of `rookery.rules.position.Position`, as `words` returns them.

        The position is not checked: see `status`. Another number of words is a ValueError.

        >>> Board.from_words(Board().words()) == Board()
        True
        """
        given = board_array("words", words)
        if given.ndim != 1 or given.size not in (POSITION, WORDS):
            raise ValueError(f"words: {shown(words)}: expected {POSITION} words, or the {WORDS} of `Board.words`")
        if given[9] > 1:
            raise ValueError(f"words[9]: {given[9]}: expected 0, white to move, or 1, black to move")
        clock, number = count("halfmove_clock", halfmove_clock, 0), count("fullmove_number", fullmove_number, 0)
        position = given.tolist()
        returning = position[RETURNING] if len(position) == WORDS else 0
        return cls._from_words(position[:POSITION], clock, number, flag("chess960", chess960), returning)

    @classmethod
    def _from_words(
        cls, position: list[int], halfmove_clock: int, fullmove_number: int, chess960: bool, returning: int = 0
    ) -> Self:
        board = cls(None)
        board._row = row_of(position, returning=returning)
        board.halfmove_clock, board.fullmove_number, board.chess960 = halfmove_clock, fullmove_number, chess960
        return board

    @classmethod
    def empty(cls, *, chess960: bool = False) -> Self:
        """Return a board without pieces.

        >>> board = Board.empty()
        >>> board.set_piece_at(0, "K")
        >>> board.board_fen()
        '8/8/8/8/8/8/8/K7'
        """
        return cls(None, flag("chess960", chess960))

    def clear(self) -> None:
        """Remove all pieces, rights and moves. White is to move.

        >>> board = Board()
        >>> board.clear()
        >>> board.board_fen()
        '8/8/8/8/8/8/8/8'
        """
        self._row = row_of([0] * POSITION)
        self._history = []

    def reset(self) -> None:
        """Set up the start position of classical chess.

        >>> board = Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
        >>> board.reset()
        >>> board == Board()
        True
        """
        self.set_fen(START)

    @classmethod
    def from_chess960_pos(cls, scharnagl: int) -> Self:
        """Return the start position of Chess960 with a number from 0 to 959; 518 is that of classical chess.

        >>> Board.from_chess960_pos(0).board_fen().split("/")[-1]
        'BBQNNRKR'
        """
        return cls(start_positions.fen_of(scharnagl), chess960=True)

    def set_chess960_pos(self, scharnagl: int) -> None:
        """Set up the start position of Chess960 with a number from 0 to 959.

        >>> board = Board()
        >>> board.set_chess960_pos(0)
        >>> board.fen()
        'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1'
        """
        self.set_fen(start_positions.fen_of(scharnagl), chess960=True)

    def chess960_pos(
        self, *, ignore_turn: bool = False, ignore_castling: bool = False, ignore_counters: bool = True
    ) -> int | None:
        """Return the number of this start position of Chess960, or None if it is not one.

        >>> Board().chess960_pos()
        518
        """
        ignore_turn, ignore_castling = flag("ignore_turn", ignore_turn), flag("ignore_castling", ignore_castling)
        ignore_counters = flag("ignore_counters", ignore_counters)
        rank = self.board_fen().split("/")[-1]
        number = start_positions.number_of(rank)
        if number is None or self.ep_square is not None:
            return None
        began = self.from_chess960_pos(number)
        same = (
            self.placement == began.placement
            and (ignore_turn or self.turn)
            and (ignore_castling or self.castling_rights == began.castling_rights)
            and (ignore_counters or (self.halfmove_clock, self.fullmove_number) == (0, 1))
        )
        return number if same else None

    def mirror(self) -> Self:
        """Return the position with colours and ranks swapped, without history.

        >>> Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").mirror().fen()
        'r3k3/8/8/8/8/8/8/4K3 b q - 0 1'
        """
        other = self.copy(stack=False)
        words = unpack(self._row)
        flipped = [int.from_bytes(word.to_bytes(8, "little"), "big") for word in words[:9]]
        other._row = row_of([*flipped, 1 - words[9]], words[CLOCK], words[NUMBER])
        return other

    # Editing.

    def set_piece_at(self, square: int, piece: str | None) -> None:
        """Put a piece (``"Q"``, ``"q"``, ...) on a square, or with None remove the piece there.

        Drop castling rights and an en-passant square that this rules out, and clear the history.

        >>> board = Board()
        >>> board.set_piece_at(27, "Q")
        >>> board.board_fen()
        'rnbqkbnr/pppppppp/8/8/3Q4/8/PPPPPPPP/RNBQKBNR'
        """
        sq = check_square(square)
        try:
            boards, white = _PUT[piece]
        except (KeyError, TypeError):  # a list has no hash
            Piece.from_symbol(piece)  # type: ignore[arg-type]  # it is none: the error says so
            raise
        array = as_array(self._row)
        compiled().put(array, sq, boards, white)
        self._row = array.tobytes()
        self._history = []

    def remove_piece_at(self, square: int) -> Piece | None:
        """Remove the piece on a square and return it.

        >>> board = Board()
        >>> board.remove_piece_at(0)
        'R'
        >>> board.castling_rights.names()
        ['h1', 'a8', 'h8']
        """
        piece = self.piece_at(square)
        if piece:
            self.set_piece_at(square, None)
        return piece

    def set_piece_map(self, pieces: Mapping[int, str]) -> None:
        """Set up these pieces, by square, and no others. Rights and history change as with `set_piece_at`.

        >>> board = Board()
        >>> board.set_piece_map({4: "K", 60: "k", 0: "R"})
        >>> board.board_fen()
        '4k3/8/8/8/8/8/8/R3K3'
        """
        words = [0] * 7
        for square, sign in mapping("pieces", pieces, "letters of pieces by square").items():
            mask, piece = 1 << check_square(square, "pieces"), read_piece(sign, f"pieces[{square}]")
            for i in range(5):
                words[i] |= mask if _BOARDS[piece] >> i & 1 else 0
            words[5 if piece.isupper() == self.turn else 6] |= mask
        array = as_array(packed([*words, *unpack(self._row)[len(words) :]]))
        compiled().drop_impossible_rights(array)
        self._row = array.tobytes()
        self._history = []

    # Faults.

    def status(self) -> list[status.Fault]:
        """Return all faults of the position. Those with `strict` set do not prevent playing on: no game reaches it.

        >>> for fault in Board.unchecked("4k3/8/8/8/8/8/8/P7 w - - 0 1").status():
        ...     print(fault)
        white has no king, expected one
        white pawn on a1: pawns never stand on a back rank
        """
        code = compiled()
        faults = code.faults(as_array(self._row), code.tables)
        return status.faults_in_words(faults, self) if faults else []

    def is_valid(self) -> bool:
        """Check whether the position has no fault: whether `status` is empty.

        >>> Board().is_valid()
        True
        >>> Board.empty().is_valid()
        False
        """
        code = compiled()
        return not code.faults(as_array(self._row), code.tables)
