"""Positions: an array of chess positions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from rookery.lanes import interchange, text
from rookery.lanes.columns import (
    BLACK_TO_MOVE,
    CHESS960,
    CLOCK_SHIFT,
    COUNTER,
    MARKED,
    NUMBER_SHIFT,
    Columns,
    empty_columns,
)
from rookery.lanes.text import BadLine, Errors
from rookery.rules.board import Board
from rookery.rules.fen import EnPassant


class Positions:
    """An array of chess positions, and every question about them answered for all at once.

    It is a struct of arrays: nine of ``uint64``, one word a position each, contiguous, a1 = 0. `len`, an index (a
    `Board`), slices (views), boolean masks and arrays of indices (copies) work as on an array.

    >>> positions = Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")])
    >>> len(positions), positions[1].fen()
    (2, '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1')
    """

    __slots__ = ("_bad_lines", "columns")
    _bad_lines: tuple[BadLine, ...]

    def __init__(self, columns: Columns) -> None:
        """Positions over nine arrays of equal length, which are not copied; see `rookery.lanes.columns`."""
        self.columns = columns

    # Making.

    @classmethod
    def from_boards(cls, boards: Iterable[Board]) -> Self:
        """The positions of boards, without their histories."""
        rows = [_words(board) for board in boards]
        columns = empty_columns(len(rows))
        if rows:
            for column, words in zip(columns, zip(*rows, strict=True), strict=True):
                column[:] = words
        return cls(columns)

    @classmethod
    def concatenate(cls, parts: Iterable["Positions"]) -> Self:
        """One array of several, in order."""
        parts = list(parts)
        columns = empty_columns(sum(map(len, parts)))
        if parts:
            for column, pieces in zip(columns, zip(*(part.columns for part in parts), strict=True), strict=True):
                np.concatenate(pieces, out=column)
        return cls(columns)

    # As a sequence.

    def __len__(self) -> int:
        return int(self.columns.pawns.size)

    @overload
    def __getitem__(self, index: int) -> Board: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | Sequence[Any]) -> Self: ...
    def __getitem__(self, index: Any) -> Any:
        """A `Board` for an int; `Positions` for a slice (a view), a boolean mask or an array of indices (a copy)."""
        if isinstance(index, (int, np.integer)) and not isinstance(index, (bool, np.bool_)):
            if not -len(self) <= index < len(self):
                raise IndexError(f"index: {index} is outside the {len(self)} positions")
            return _board([int(column[index]) for column in self.columns])
        if isinstance(index, slice):
            return type(self)(Columns(*(np.ascontiguousarray(column[index]) for column in self.columns)))
        chosen = np.asarray(index)
        if chosen.size == 0 and chosen.dtype == np.float64:  # an empty list
            chosen = chosen.astype(np.intp)
        if chosen.ndim != 1 or chosen.dtype.kind not in "bui":
            raise TypeError(f"index: {index!r}: expected an int, a slice, a boolean mask or a list of ints")
        if chosen.dtype.kind == "b":
            if chosen.size != len(self):
                raise IndexError(f"mask: {chosen.size} values for {len(self)} positions")
            chosen = np.flatnonzero(chosen)
        columns = empty_columns(chosen.size)
        for column, source in zip(columns, self.columns, strict=True):
            column[:] = source[chosen]
        return type(self)(columns)

    def __iter__(self) -> Iterator[Board]:
        return (_board(words) for words in zip(*(column.tolist() for column in self.columns), strict=True))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Positions):
            return NotImplemented
        return all(map(np.array_equal, self.columns, other.columns))

    __hash__ = None  # type: ignore[assignment]  # its arrays may change

    def copy(self) -> Self:
        """The same positions in arrays of their own."""
        return self[np.arange(len(self))]

    def __repr__(self) -> str:
        return f"<{len(self)} positions>"

    def __getstate__(self) -> tuple[Any, ...]:
        return tuple(self.columns)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.columns = Columns(*state)

    # What each is.

    @property
    def turn(self) -> NDArray[np.bool_]:
        """The side to move: True for white."""
        return (self.columns.state & BLACK_TO_MOVE) == 0

    @property
    def chess960(self) -> NDArray[np.bool_]:
        """Whether each is of Chess960."""
        return (self.columns.state & CHESS960) != 0

    @property
    def marked(self) -> NDArray[np.bool_]:
        """Where there is no position, but a line that could not be read."""
        return (self.columns.state & MARKED) != 0

    @property
    def halfmove_clock(self) -> NDArray[np.uint64]:
        """Moves of either side since a capture or a pawn's move."""
        return (self.columns.state >> CLOCK_SHIFT) & COUNTER

    @property
    def fullmove_number(self) -> NDArray[np.uint64]:
        """The number of the next move, as a score sheet counts."""
        return (self.columns.state >> NUMBER_SHIFT) & COUNTER

    # Text and tables.

    @classmethod
    def from_fens(cls, lines: Any, *, chess960: bool | None = None, errors: Errors = "raise") -> Self:
        r"""The positions of lines of FEN (four to six fields) or EPD (four fields and operations).

        `lines` is an iterable of texts; or a text or bytes of one a line; or a file opened either way, or a buffer
        like a mapped file. In an iterable every text is a line, an empty one a bad line. Elsewhere blank lines are
        passed over, though counted, and ``\r\n`` ends a line as ``\n`` does. Counters may be missing (0 and 1 then);
        those of an EPD are its operations ``hmvc`` and ``fmvn``, of the others only the form is looked at. Chess960 is
        recognised as by `Board`, unless `chess960` says which it is.

        Only the text is checked, as by `Board.unchecked`: impossible positions are taken. A line that cannot be read
        is a ValueError that gives its number (from 1), the reason, and its text; with ``errors="skip"`` it is left
        out, with ``errors="mark"`` an empty board stands in its place, see `marked`. `bad_lines` tells which they were.

        >>> positions = Positions.from_fens(b"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\n4k3/8/8/8 w - -\n", errors="skip")
        >>> len(positions), [str(bad) for bad in positions.bad_lines]
        (1, ["line 2: FEN field 1 (pieces): '4k3/8/8/8' has 4 ranks, expected 8, in '4k3/8/8/8 w - -'"])
        """
        columns, bad_lines = text.read(lines, chess960, errors)
        positions = cls(columns)
        positions._bad_lines = bad_lines
        return positions

    @property
    def bad_lines(self) -> tuple[BadLine, ...]:
        """What `from_fens` left out or marked, in order, each with its ``line`` (from 1), ``text`` and ``reason``.
        Slices, copies and pickles do not keep them.
        """
        return getattr(self, "_bad_lines", ())

    def to_fens(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> list[str]:
        """The FEN of each, as `Board.fen` writes it with the same arguments; an empty text where none is (`marked`).

        >>> Positions.from_fens(["8/8/8/8/8/4k3/4p3/4K3 w - -"]).to_fens()
        ['8/8/8/8/8/4k3/4p3/4K3 w - - 0 1']
        """
        return text.write(self.columns, en_passant=en_passant, shredder=shredder, counters=True)

    def to_epds(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> list[str]:
        """The same without the counters, as `Board.epd`."""
        return text.write(self.columns, en_passant=en_passant, shredder=shredder, counters=False)

    def to_numpy(self) -> dict[str, NDArray[np.uint64]]:
        """The nine columns by name, not copied; see `rookery.lanes.columns` for what they hold.

        ``np.savez(path, **positions.to_numpy())`` keeps them, ``Positions.from_numpy(np.load(path))`` reads them again.

        >>> hex(Positions.from_boards([Board()]).to_numpy()["white"][0])
        '0xffff'
        """
        return self.columns._asdict()

    @classmethod
    def from_numpy(cls, arrays: Mapping[str, Any], *, check: bool = True) -> Self:
        """The positions of arrays named as by `to_numpy`; other names are not looked at.

        Each is one-dimensional, of uint64, and all are equally long. Those that are contiguous and aligned are not
        copied, be they read-only or not. A position that no FEN could give is a ValueError that names its column and
        index: pieces on one square, castling without rook or king, an en-passant square on a wrong rank. With
        ``check=False`` that is not looked for, and what is asked of such positions has no meaning.

        >>> positions = Positions.from_boards([Board()])
        >>> Positions.from_numpy(positions.to_numpy()) == positions
        True
        """
        return cls(interchange.from_arrays(arrays, checked=check))

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` of the nine columns, not copied. Needs pyarrow: ``pip install 'rookery[arrow]'``.

        >>> Positions.from_boards([Board()]).to_arrow().num_rows
        1
        """
        return interchange.to_arrow(self.columns)

    @classmethod
    def from_arrow(cls, table: Any, *, check: bool = True) -> Self:
        """The positions of an Arrow table, a record batch, or of a data frame that hands itself out as one, with the
        columns of `to_arrow` among others. Checked as by `from_numpy`.

        A column in one piece is not copied: do not write to such positions, Arrow's memory never changes.

        >>> positions = Positions.from_boards([Board()])
        >>> Positions.from_arrow(positions.to_arrow()) == positions
        True
        """
        return cls(interchange.from_arrow(table, checked=check))


def _words(board: Board) -> list[int]:
    """The nine words of a board."""
    row = board.words().tolist()
    state = row[9] | board.chess960 << 1
    state |= board.halfmove_clock << int(CLOCK_SHIFT) | board.fullmove_number << int(NUMBER_SHIFT)
    return [*row[:5], row[6] if row[9] else row[5], row[7], row[8], state]


def _board(words: Sequence[int]) -> Board:
    """The board of nine words."""
    *pieces, white, castling, en_passant, state = words
    occupied = pieces[0] | pieces[1] | pieces[2] | pieces[3] | pieces[4]
    black = occupied & ~white
    turn = state & 1
    us, them = (black, white) if turn else (white, black)
    return Board.from_words(
        [*pieces, us, them, castling, en_passant, turn],
        halfmove_clock=state >> int(CLOCK_SHIFT) & int(COUNTER),
        fullmove_number=state >> int(NUMBER_SHIFT) & int(COUNTER),
        chess960=bool(state & int(CHESS960)),
    )
