"""The struct of arrays beneath `Positions`: construction, indexing, comparison and basic properties."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast, overload

import numpy as np
from numpy.typing import NDArray

from rookery import arguments
from rookery.arguments import shown
from rookery.board.board import Board
from rookery.board.setup import from_checked_words
from rookery.frames import array_arguments
from rookery.frames.columns import chosen
from rookery.frames.frame import Frame
from rookery.kernel import U64, UNIVERSE
from rookery.lazy_imports import modules_later
from rookery.positions import layout
from rookery.positions.operands import check_no_overlap, checked_columns

if TYPE_CHECKING:
    from rookery.positions import keys
    from rookery.positions.notation import text
else:
    (keys,) = modules_later("rookery.positions", "keys")
    (text,) = modules_later("rookery.positions.notation", "text")


class PositionArray(Frame):
    """Nine arrays of n words, the base class of `rookery.positions.positions.Positions`."""

    __slots__ = ("_bad_lines", "columns")
    _COLUMNS: ClassVar[tuple[str, ...]] = ("columns",)
    _ROWS = ("position", "positions")
    _MAY_MISS: ClassVar[bool] = False  # whether some positions may be missing
    _MARKED: ClassVar["type[PositionArray] | None"] = None  # the class of such positions
    _bad_lines: "tuple[text.BadLine, ...]"
    columns: layout.Columns

    def __init__(self, columns: layout.Columns) -> None:
        """Wrap nine arrays of equal length without copying them; see `rookery.positions.layout`.

        Anything but a `Columns`, and a column that is not an array of uint64, raises TypeError; columns of different
        lengths raise ValueError. The values are not checked: `Positions.from_numpy` checks them.
        """
        self.columns = checked_columns(columns)

    # Construction.

    @classmethod
    def from_boards(cls, boards: Iterable[Board]) -> Self:
        """Return the positions of boards, without their move histories.

        A counter has 30 bits: a board whose half-move clock or full-move number does not fit raises ValueError.

        >>> Positions.from_boards([Board(), Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")]).legal_move_counts()
        array([20, 16], dtype=uint16)
        """
        given = arguments.iterator("boards", boards, "an iterable of boards")
        rows = [_words(board, i) for i, board in enumerate(given)]
        columns = layout.empty_columns(len(rows))
        if rows:
            for column, words in zip(columns, zip(*rows, strict=True), strict=True):
                column[:] = words
        return cls(columns)

    # As a sequence.

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> Board: ...
        @overload
        def __getitem__(self, index: str) -> NDArray[Any]: ...
        @overload
        def __getitem__(self, index: slice | NDArray[Any] | Sequence[int] | Sequence[bool]) -> Self: ...
        def __getitem__(self, index: Any) -> Any: ...

    def __len__(self) -> int:
        return int(self.columns.pawns.size)  # every method calls this: it takes half the time of the general one

    def _row(self, i: int) -> Board:
        return _board([int(column[i]) for column in self.columns])

    def taken(self, index: NDArray[np.intp]) -> Self:
        """Return the positions at some indices from 0 to ``n - 1``, which are not checked, as an index array does.

        >>> Positions.from_boards([Board()]).taken(np.array([0, 0]))
        <2 positions>
        """
        if not isinstance(index, np.ndarray) or index.dtype.kind not in "iu" or index.ndim != 1:
            raise TypeError(f"index: {shown(index)}: expected a one-dimensional array of integers")
        return self._part(lambda column: chosen(column, index))

    def __iter__(self) -> Iterator[Board]:
        return (_board(words) for words in zip(*(column.tolist() for column in self.columns), strict=True))

    def __eq__(self, other: object) -> bool:
        """Check whether both arrays have the same length and equal positions.

        Positions are compared as boards are: pieces, side to move, castling rights, legal en-passant captures and
        counters. Bad lines equal bad lines.
        """
        if not isinstance(other, PositionArray):
            return NotImplemented
        ours, theirs = self.columns, other.columns
        if len(self) != len(other) or not all(map(np.array_equal, ours[:7], theirs[:7])):
            return False
        if (
            not np.array_equal(ours.state, theirs.state)
            and ((ours.state ^ theirs.state) & (UNIVERSE ^ layout.CHESS960)).any()
        ):
            return False
        differ = np.flatnonzero(ours.en_passant != theirs.en_passant)
        if not differ.size:
            return True
        return np.array_equal(keys.legal_targets(self[differ].columns), keys.legal_targets(other[differ].columns))

    def _knows_games(self) -> bool:
        """Check whether these are positions of games, which queries may ask about."""
        return False

    def _others(self, columns: layout.Columns) -> Self:
        """Return other positions, made of these by a method such as `play`."""
        return type(self)(columns)

    # Positions that are missing: see `rookery.positions.methods.marked`.

    @classmethod
    def _with_marks(cls, columns: layout.Columns) -> Self:
        """Return positions made of columns, in which lines that could not be read may be marked."""
        if cls._MARKED is None or not (columns.state & layout.MARKED).any():
            return cls(columns)
        positions: Self = cast("Any", cls._MARKED(columns))
        return positions

    def _boards_of_all(self) -> "PositionArray":
        """Return the same positions, with an empty board for each missing one."""
        return self

    def _answer(self, value: Any, axis: int = 0) -> Any:  # noqa: ARG002
        """Return an answer about all boards with missing values; `axis` is the one of the positions."""
        return value

    @classmethod
    def _joined(cls, parts: Sequence[Any]) -> Self:
        marked = next((type(part) for part in parts if part._MAY_MISS), None)
        if marked is not None and not cls._MAY_MISS:
            joined: Self = marked._joined(parts)
            return joined
        return super()._joined(parts)

    def _arrow_columns(self) -> dict[str, Any]:
        return self.columns._asdict()

    @classmethod
    def _empty(cls) -> Self:
        return cls(layout.empty_columns(0))

    def _check(self) -> None:
        self.columns = checked_columns(self.columns)

    def _output(self, out: Any, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """Return a new array, or the caller's own if it fits and shares no memory with the positions."""
        checked = array_arguments.output(out, shape, dtype)
        if out is not None:
            check_no_overlap(self.columns, checked)
        return checked

    # Properties of each position.

    @property
    def turn(self) -> NDArray[np.bool_]:
        """Return the side to move: True for white."""
        return ~(self.columns.state & layout.BLACK_TO_MOVE).astype(np.bool_)

    @property
    def chess960(self) -> NDArray[np.bool_]:
        """Return True for each Chess960 position."""
        return (self.columns.state & layout.CHESS960).astype(np.bool_)

    @property
    def marked(self) -> NDArray[np.bool_]:
        """Return True for each missing position: a line that `from_fens` could not read."""
        return (self.columns.state & layout.MARKED).astype(np.bool_)

    @property
    def halfmove_clock(self) -> NDArray[np.uint64]:
        """Return the number of plies since the last capture or pawn move."""
        return (self.columns.state >> U64(layout.CLOCK_SHIFT)) & U64(layout.COUNTER)

    @property
    def fullmove_number(self) -> NDArray[np.uint64]:
        """Return the number of the next move, as on a score sheet."""
        return (self.columns.state >> U64(layout.NUMBER_SHIFT)) & U64(layout.COUNTER)


def _words(board: Board, i: int) -> list[int]:
    """Return the nine words of a board; `i` is its index, for error messages."""
    if not isinstance(board, Board):
        raise arguments.not_a_board(f"boards[{i}]", board)
    for name in ("halfmove_clock", "fullmove_number"):
        counter = getattr(board, name)
        if not 0 <= counter <= layout.COUNTER:
            raise ValueError(f"boards[{i}]: {name} {shown(counter)}: expected 0 to {layout.COUNTER}")
    row = board.words().tolist()
    state = row[9] | board.chess960 << 1
    state |= board.halfmove_clock << layout.CLOCK_SHIFT | board.fullmove_number << layout.NUMBER_SHIFT
    return [*row[:5], row[6] if row[9] else row[5], row[7], row[8], state]


def _board(words: Sequence[int]) -> Board:
    """Return the board that nine words describe."""
    *pieces, white, castling, en_passant, state = words
    occupied = pieces[0] | pieces[1] | pieces[2] | pieces[3] | pieces[4]
    black = occupied & ~white
    turn = state & 1
    us, them = (black, white) if turn else (white, black)
    return from_checked_words(
        Board,
        [*pieces, us, them, castling, en_passant, turn],
        state >> layout.CLOCK_SHIFT & layout.COUNTER,
        state >> layout.NUMBER_SHIFT & layout.COUNTER,
        bool(state & int(layout.CHESS960)),
    )
