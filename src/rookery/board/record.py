"""Record: the data of a board, that is its position in words, its counters and its history."""

from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import is_number, shown
from rookery.board.moves import Move
from rookery.notation.fen_reasons import LONGEST
from rookery.rules.compiled import compiled
from rookery.rules.position import WORDS

OCCUPIED: Final = 10  # index of the occupancy in `Record._spread`; rows hold a technique's state there
MASKS: Final = tuple(1 << square for square in range(64))  # an index takes less time than a shift
MOST_COUNTED: Final = 10**LONGEST - 1  # the largest counter that a FEN can hold


class Before(NamedTuple):
    """The state before a move, which `pop` restores."""

    move: Move
    row: Any
    words: tuple[int, ...] | None
    key: int
    halfmove_clock: int
    fullmove_number: int


class Record:
    """The ten words of a position (`rookery.rules.position.Position`), its counters and its history.

    A board never writes to its row: a move replaces it with another one. Copies and the history therefore share rows,
    and any number of threads may read one board.
    """

    __slots__ = ("_fullmove_number", "_halfmove_clock", "_history", "_key", "_row", "_words", "chess960")

    _history: list[Before]
    _key: int | None
    _row: Any
    _words: tuple[int, ...] | None  # the words of the row as ints, once something has read them
    chess960: bool
    _fullmove_number: int
    _halfmove_clock: int

    def _place(self, row: Any) -> None:
        """Replace the position and clear what was derived from the previous one."""
        self._row = row
        self._words = None
        self._key = None

    def _place_words(self, words: list[int]) -> None:
        self._place(np.array(words + [0] * (WORDS - len(words)), np.uint64))

    def _spread(self) -> tuple[int, ...]:
        """Return the ten words of the row as ints, followed by the occupancy.

        Code that runs often writes ``self._words or self._spread()``, which saves the call.
        """
        numbers = self._row.tolist()
        numbers[OCCUPIED] = numbers[5] | numbers[6]
        words = self._words = tuple(numbers)
        return words

    def words(self) -> NDArray[np.uint64]:
        """Return a new array of uint64: the ten words of a position, and room for a technique's state.

        The words are those of `rookery.rules.position.Position`.

        >>> [hex(word) for word in Board().words()[:3]]
        ['0xff00000000ff00', '0x4200000000000042', '0x2c0000000000002c']
        """
        words: NDArray[np.uint64] = self._row.copy()
        return words

    # Counters.

    @property
    def halfmove_clock(self) -> int:
        """Return the number of plies since the last capture or pawn move, an int from 0 to 999,999,999.

        >>> board = Board()
        >>> board.halfmove_clock = 7
        >>> board.fen().split()[4]
        '7'
        """
        return self._halfmove_clock

    @halfmove_clock.setter
    def halfmove_clock(self, value: int) -> None:
        self._halfmove_clock = _counter("halfmove_clock", value, 0)

    @property
    def fullmove_number(self) -> int:
        """Return the number of the next move, as a score sheet counts, an int from 1 to 999,999,999."""
        return self._fullmove_number

    @fullmove_number.setter
    def fullmove_number(self, value: int) -> None:
        self._fullmove_number = _counter("fullmove_number", value, 1)

    # Copies.

    def copy(self, *, stack: bool | int = True) -> Self:
        """Return a copy with the whole history, with its last `stack` moves, or without history (False).

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> copy = board.copy(stack=False)
        >>> copy == board
        True
        >>> copy.move_stack
        []
        """
        if stack is not True and stack is not False and (not is_number(stack) or stack < 0):
            raise ValueError(f"stack: {shown(stack)}: expected True, False or a number of moves")
        other = self.__class__.__new__(self.__class__)
        other._row = self._row
        other._words = self._words
        other._key = self._key
        other._history = self._history.copy() if stack is True else self._history[-stack:] if stack else []
        other._halfmove_clock = self._halfmove_clock
        other._fullmove_number = self._fullmove_number
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
        """Restore the state before a move."""
        _, self._row, self._words, self._key, self._halfmove_clock, self._fullmove_number = before

    def root(self) -> Self:
        """Return the position before the first move of the history, without history.

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
        """Return a new list of the moves made, first to last."""
        return [before.move for before in self._history]

    def clear_stack(self) -> None:
        """Clear the history: no move can be taken back, and repetitions count from this position.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.clear_stack()
        >>> board.move_stack
        []
        """
        self._history = []

    def ply(self) -> int:
        """Return the number of plies played, according to the counters.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.ply()
        1
        """
        return 2 * (self.fullmove_number - 1) + (self._words or self._spread())[9]

    # Equality.

    @property
    def key(self) -> int:
        """Return the Zobrist key of the position, an int of 64 bits, for dictionaries and sets of positions.

        The key depends on what repetitions compare: pieces, side to move, castling rights and a legal en-passant
        capture. Counters and history do not matter. Equal boards have equal keys. Boards themselves are mutable and
        therefore not hashable.

        >>> board = Board()
        >>> seen = {board.key: "start"}
        >>> for san in "Nf3 Nf6 Ng1 Ng8".split():
        ...     _ = board.push_san(san)
        >>> seen[board.key]
        'start'
        """
        if self._key is None:
            code = compiled()
            self._key = code.zobrist(self._row, code.tables)
        return self._key

    def has_legal_en_passant(self) -> bool:
        """Check whether an en-passant capture is legal.

        >>> Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").has_legal_en_passant()
        True
        """
        if not (self._words or self._spread())[8]:
            return False
        code = compiled()
        return code.en_passant_captures(self._row, code.tables) > 0

    def __eq__(self, other: object) -> bool:
        """Check whether pieces, side to move, castling rights, legal en-passant captures and counters are equal.

        The history, an en-passant square without a legal capture, and `chess960` do not matter.
        """
        if not isinstance(other, Record):
            return NotImplemented
        ours, theirs = self._words or self._spread(), other._words or other._spread()
        return (
            ours[:8] == theirs[:8]
            and ours[9] == theirs[9]
            and self._halfmove_clock == other._halfmove_clock
            and self._fullmove_number == other._fullmove_number
            and (
                ours[8] == theirs[8]
                or (ours[8] if self.has_legal_en_passant() else 0) == (theirs[8] if other.has_legal_en_passant() else 0)
            )
        )

    __hash__ = None  # type: ignore[assignment]  # boards are mutable; use `key`


def _counter(name: str, value: int, least: int) -> int:
    """Return a counter as an int, or raise an error if a FEN cannot have it."""
    if not is_number(value):
        raise TypeError(f"{name}: {shown(value)}: expected an int from {least} to {MOST_COUNTED:,}")
    if not least <= value <= MOST_COUNTED:
        raise ValueError(f"{name}: {shown(int(value))}: expected {least} to {MOST_COUNTED:,}")
    return int(value)
