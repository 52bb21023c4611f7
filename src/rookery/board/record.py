"""Record: the data of a board, that is its row (see `rookery.board.rows`) and the rows before it."""

from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import is_number, shown
from rookery.board.moves import CHESS960, CLASSICAL, Move
from rookery.board.rows import (
    CLOCK,
    EN_PASSANT,
    MOVE,
    NUMBER,
    POSITION,
    RETURNING,
    TURN,
    as_array,
    is_same_but_target,
    replaced,
    row_of,
    unpack,
)
from rookery.notation.fen_reasons import LONGEST
from rookery.rules.compiled import compiled

MOST_COUNTED: Final = 10**LONGEST - 1  # the largest counter that a FEN can hold


def has_legal_target(row: bytes) -> bool:
    """Check whether an en-passant capture is legal in a position."""
    if not unpack(row)[EN_PASSANT]:
        return False
    code = compiled()
    return code.en_passant_captures(as_array(row), code.tables) > 0


def is_same_position(a: bytes, b: bytes) -> bool:
    """Check whether pieces, side to move, castling rights and legal en-passant captures of two rows are equal."""
    if not is_same_but_target(a, b):
        return False
    ours, theirs = unpack(a)[EN_PASSANT], unpack(b)[EN_PASSANT]
    return ours == theirs or (ours if has_legal_target(a) else 0) == (theirs if has_legal_target(b) else 0)


class Record:
    """A position, its counters and its history: one row for now, and one for each position before a move.

    A move replaces the row by another one. Copies and the history therefore share rows, and any number of threads may
    read one board.
    """

    __slots__ = ("_history", "_row", "chess960")

    _history: list[bytes]  # first to last
    _row: bytes
    chess960: bool

    def words(self) -> NDArray[np.uint64]:
        """Return a new array of uint64: the ten words of a position, and room for a technique's state.

        The words are those of `rookery.rules.position.Position`.

        >>> [hex(word) for word in Board().words()[:3]]
        ['0xff00000000ff00', '0x4200000000000042', '0x2c0000000000002c']
        """
        words = unpack(self._row)
        array: NDArray[np.uint64] = as_array(row_of(words[:POSITION], 0, 0, words[RETURNING]))
        return array

    # Counters.

    @property
    def halfmove_clock(self) -> int:
        """Return the number of plies since the last capture or pawn move, an int from 0 to 999,999,999.

        >>> board = Board()
        >>> board.halfmove_clock = 7
        >>> board.fen().split()[4]
        '7'
        """
        return unpack(self._row)[CLOCK]

    @halfmove_clock.setter
    def halfmove_clock(self, value: int) -> None:
        self._row = replaced(self._row, CLOCK, _counter("halfmove_clock", value, 0))

    @property
    def fullmove_number(self) -> int:
        """Return the number of the next move, as a score sheet counts, an int from 1 to 999,999,999."""
        return unpack(self._row)[NUMBER]

    @fullmove_number.setter
    def fullmove_number(self, value: int) -> None:
        self._row = replaced(self._row, NUMBER, _counter("fullmove_number", value, 1))

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
        other._history = self._history.copy() if stack is True else self._history[-stack:] if stack else []
        other.chess960 = self.chess960
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in Record.__slots__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)

    def root(self) -> Self:
        """Return the position before the first move of the history, without history.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.root() == Board()
        True
        """
        other = self.copy(stack=False)
        if self._history:
            other._row = self._history[0]
        return other

    def _move_of(self, word: int) -> Move:
        """Return the move of a word, as this board lists it."""
        return (CHESS960 if self.chess960 else CLASSICAL)[word]

    @property
    def move_stack(self) -> list[Move]:
        """Return a new list of the moves made, first to last."""
        rows = [*self._history[1:], self._row] if self._history else []
        return [self._move_of(unpack(row)[MOVE]) for row in rows]

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
        words = unpack(self._row)
        return 2 * (words[NUMBER] - 1) + words[TURN]

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
        code = compiled()
        return code.zobrist(as_array(self._row), code.tables)

    def has_legal_en_passant(self) -> bool:
        """Check whether an en-passant capture is legal.

        >>> Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").has_legal_en_passant()
        True
        """
        return has_legal_target(self._row)

    def __eq__(self, other: object) -> bool:
        """Check whether pieces, side to move, castling rights, legal en-passant captures and counters are equal.

        The history, an en-passant square without a legal capture, and `chess960` do not matter.
        """
        if not isinstance(other, Record):
            return NotImplemented
        ours, theirs = unpack(self._row), unpack(other._row)
        counters = ours[CLOCK] == theirs[CLOCK] and ours[NUMBER] == theirs[NUMBER]
        return counters and is_same_position(self._row, other._row)

    __hash__ = None  # type: ignore[assignment]  # boards are mutable; use `key`


def _counter(name: str, value: int, least: int) -> int:
    """Return a counter as an int, or raise an error if a FEN cannot have it."""
    if not is_number(value):
        raise TypeError(f"{name}: {shown(value)}: expected an int from {least} to {MOST_COUNTED:,}")
    if not least <= value <= MOST_COUNTED:
        raise ValueError(f"{name}: {shown(int(value))}: expected {least} to {MOST_COUNTED:,}")
    return int(value)
