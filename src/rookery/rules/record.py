"""Record: what a board keeps. A position in words, its counters, and the moves that led to it."""

from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import is_number, shown
from rookery.rules.compiled import compiled
from rookery.rules.moves import Move
from rookery.rules.position import WORDS

OCCUPIED: Final = 10  # of the words told as ints: all pieces, in the room for a technique's state


class Before(NamedTuple):
    """What `pop` brings back."""

    move: Move
    row: Any
    words: tuple[int, ...] | None
    key: int
    halfmove_clock: int
    fullmove_number: int


class Record:
    """The ten words of a position (`rookery.rules.position.Position`), its counters and its history.

    A row is never written to once it is the board's: a move puts another in its place. So copies and the history share
    rows, and any number of threads may read one board.
    """

    __slots__ = ("_history", "_key", "_row", "_words", "chess960", "fullmove_number", "halfmove_clock")

    _history: list[Before]
    _key: int | None
    _row: Any
    _words: tuple[int, ...] | None  # those of the row, once they have been asked for
    chess960: bool
    fullmove_number: int
    halfmove_clock: int

    def _place(self, row: Any) -> None:
        """Another position; what is known of the one before is forgotten."""
        self._row = row
        self._words = None
        self._key = None

    def _place_words(self, words: list[int]) -> None:
        self._place(np.array(words + [0] * (WORDS - len(words)), np.uint64))

    def _spread(self) -> tuple[int, ...]:
        """The words as ints, and all pieces behind them. What is asked for often writes ``self._words or
        self._spread()``, and spares the call.
        """
        numbers = self._row.tolist()
        numbers[OCCUPIED] = numbers[5] | numbers[6]
        words = self._words = tuple(numbers)
        return words

    def words(self) -> NDArray[np.uint64]:
        """The ten words of `rookery.rules.position.Position`, in a fresh array with room for a technique's state.

        >>> Board().words().dtype, [hex(int(word)) for word in Board().words()[:3]]
        (dtype('uint64'), ['0xff00000000ff00', '0x4200000000000042', '0x2c0000000000002c'])
        """
        words: NDArray[np.uint64] = self._row.copy()
        return words

    # Copies.

    def copy(self, *, stack: bool | int = True) -> Self:
        """The same position with the same history, or with the last `stack` moves of it, or with none (False).

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> copy = board.copy(stack=False)
        >>> copy == board, board.move_stack, copy.move_stack
        (True, [Move('e2e4')], [])
        """
        if stack is not True and stack is not False and (not is_number(stack) or stack < 0):
            raise ValueError(f"stack: {shown(stack)}: expected True, False or a number of moves")
        other = self.__class__.__new__(self.__class__)
        other._row = self._row
        other._words = self._words
        other._key = self._key
        other._history = self._history.copy() if stack is True else self._history[-stack:] if stack else []
        other.halfmove_clock = self.halfmove_clock
        other.fullmove_number = self.fullmove_number
        other.chess960 = self.chess960
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in Record.__slots__ if name != "_words"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._words = None

    def _back(self, before: Before) -> None:
        """The position before a move."""
        _, self._row, self._words, self._key, self.halfmove_clock, self.fullmove_number = before

    def root(self) -> Self:
        """The position that the moves made began from, without history.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.root() == Board()
        True
        """
        other = self.copy(stack=False)
        if self._history:
            other._back(self._history[0])
        return other

    @property
    def move_stack(self) -> list[Move]:
        """The moves made, first to last, in a list of its own: to change it changes nothing here."""
        return [before.move for before in self._history]

    def clear_stack(self) -> None:
        """Forget the moves made: they cannot be taken back then, and repetitions count from here.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.clear_stack()
        >>> board.move_stack
        []
        """
        self._history = []

    def ply(self) -> int:
        """How many moves of either side the game has, by its counters.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.ply()
        1
        """
        return 2 * (self.fullmove_number - 1) + (self._words or self._spread())[9]

    # What is the same.

    @property
    def key(self) -> int:
        """The Zobrist key: pieces, turn, castling rights, and the en-passant file if a capture is legal."""
        if self._key is None:
            code = compiled()
            self._key = code.zobrist(self._row, code.tables)
        return self._key

    def has_legal_en_passant(self) -> bool:
        """Whether a pawn may legally take en passant.

        >>> Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").has_legal_en_passant()
        True
        """
        if not (self._words or self._spread())[8]:
            return False
        code = compiled()
        return code.en_passant_captures(self._row, code.tables) > 0

    def __eq__(self, other: object) -> bool:
        """Same pieces, turn, castling rights, legal en passant and counters; the history does not matter."""
        if not isinstance(other, Record):
            return NotImplemented
        ours, theirs = self._words or self._spread(), other._words or other._spread()
        return (
            ours[:8] == theirs[:8]
            and ours[9] == theirs[9]
            and self.halfmove_clock == other.halfmove_clock
            and self.fullmove_number == other.fullmove_number
            and self.chess960 == other.chess960
            and (ours[8] if self.has_legal_en_passant() else 0) == (theirs[8] if other.has_legal_en_passant() else 0)
        )

    def __hash__(self) -> int:
        return self.key
