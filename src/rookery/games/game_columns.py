"""The columns of an array of games, and how they are sliced, indexed and concatenated together."""

import dataclasses
import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.board.board import Board
from rookery.frames.columns import Categorical, Index, Lists, Texts, chosen, cut, joined
from rookery.games.errors import GameError
from rookery.games.headers.header_types import Header
from rookery.pgn.scan.lexing.vocabulary import RESULTS
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions

Report: TypeAlias = tuple[int, GameError]  # the row of a game, and what is wrong with it

PLY_VALUES: Final = ("clocks", "evals", "emts")
LISTS: Final = ("tags", "nags", "comments", "variations")


@dataclass(frozen=True, slots=True, eq=False)
class Starts:
    """The start position of each game: a row of a table of positions, or -1 for the usual one."""

    places: NDArray[np.int32]
    table: Positions

    @property
    def size(self) -> int:
        """Return the number of games."""
        return int(self.places.size)

    @property
    def chess960(self) -> NDArray[np.bool_] | None:
        """Return whether each game is one of Chess960, or None if none is."""
        flags = self.table.chess960
        if not flags.size or not flags.any():
            return None
        own = self.places >= 0
        found = np.zeros(self.size, np.bool_)
        found[own] = flags[self.places[own]]
        return found

    def cut(self, start: int, stop: int) -> Self:
        """Return a slice, with the same table."""
        return type(self)(self.places[start:stop], self.table)

    def chosen(self, index: Index) -> Self:
        """Return the starts of some games, with the same table."""
        return type(self)(self.places[index], self.table)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the concatenation of several columns of starts."""
        places, rows = [], 0
        for part in parts:
            places.append(np.where(part.places >= 0, part.places + rows, -1).astype(np.int32))
            rows += len(part.table)
        return cls(np.concatenate(places), Positions.concatenate([part.table for part in parts]))

    @property
    def all_positions(self) -> Columns:
        """Return the usual start position, followed by the table: start i is row ``places[i] + 1``."""
        usual, own = _usual_start().columns, self.table.columns
        return Columns(*map(np.concatenate, zip(usual, own, strict=True))) if len(self.table) else usual

    def positions(self, index: Index | slice = slice(None)) -> Positions:
        """Return the start positions of all games, or of those at some indices."""
        rows = self.places[index] + 1
        return Positions(Columns(*(column[rows] for column in self.all_positions)))

    def board(self, i: int) -> Board:
        """Return the start position of game `i`."""
        place = int(self.places[i])
        return Board() if place < 0 else self.table[place]


@functools.cache
def _usual_start() -> Positions:
    return Positions.from_boards([Board()])


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """Errors or warnings of `size` games, each with the row of its game, or -1 for a game that was left out."""

    size: int
    items: tuple[Report, ...] = ()

    @property
    def left_out(self) -> tuple[Report, ...]:
        """Return the reports of games that were left out."""
        return tuple(item for item in self.items if item[0] < 0)

    @property
    def of_rows(self) -> tuple[Report, ...]:
        """Return the reports of games that are there."""
        return tuple(item for item in self.items if item[0] >= 0)

    def cut(self, start: int, stop: int) -> Self:
        """Return the reports of a slice of the games."""
        return type(self)(stop - start, tuple((row - start, r) for row, r in self.items if start <= row < stop))

    def chosen(self, index: Index) -> Self:
        """Return the reports of some games, in the order of these games."""
        if not self.items:
            return type(self)(int(index.size))
        by_row: dict[int, list[GameError]] = {}
        for row, report in self.items:
            by_row.setdefault(row, []).append(report)
        items = ((i, report) for i, row in enumerate(index.tolist()) for report in by_row.get(row, ()))
        return type(self)(int(index.size), tuple(items))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the reports of several arrays of games as those of one array."""
        items: list[Report] = []
        size = 0
        for part in parts:
            items += [(row + size if row >= 0 else row, report) for row, report in part.items]
            size += part.size
        return cls(size, tuple(items))

    def after(self, left_out: Iterable[Report]) -> Self:
        """Return these reports, with reports of games that were left out in front of them."""
        return type(self)(self.size, (*left_out, *self.items))

    def changed(self, change: Callable[[int, GameError], GameError]) -> Self:
        """Return the reports that `change` makes of each row and its report."""
        return type(self)(self.size, tuple((row, change(row, report)) for row, report in self.items))


@dataclass(frozen=True, slots=True)
class TableName:
    """The name of the table that all games are from, for messages; empty if it is unknown, or there are several."""

    name: str = ""

    def cut(self, *_: int) -> Self:
        """Return the name for a slice of the games."""
        return self

    def chosen(self, *_: Index) -> Self:
        """Return the name for some of the games."""
        return self

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the name for several arrays of games."""
        return parts[0] if len(set(parts)) == 1 else cls()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GameColumns:
    """The columns of an array of games, all of one length.

    headers       the columns of headers, by name
    plies         lists of ``moves`` (uint16) and of those of ``clocks``, ``evals`` and ``emts`` (float32) that any game
                  has
    scores        uint8: the index of the result in `rookery.pgn.scan.lexing.vocabulary.RESULTS`
    files         the name of each game's file as the caller gave it, empty if it has none
    numbers       int64: the number of each game in its file, from 1
    offsets       int64: the offset of the first byte of each game in its file
    starts        start positions
    dates         int32: the day each game was played as far as it is known, like 18860500 (see
                  `rookery.games.headers.dates`)
    errors, warnings
                  what is wrong with games, and what was skipped in them
    rows          int64: the row of a column of texts that each game is from
    tags          lists of ``name`` and ``value``: headers that no column can reproduce
    nags, comments, variations
                  lists of ``ply`` (int32, the number of half-moves before) and ``nag`` (int32) or ``text``; those of
                  NAGs and comments have ``after`` (int32): how many of the lists that follow precede it at its ply
    texts         the PGN of each game, byte for byte

    The last six are None if they were not read. `table` is the name of a table that they are from, for messages.
    """

    headers: dict[str, Header]
    plies: Lists
    scores: NDArray[np.uint8]
    files: Categorical
    numbers: NDArray[np.int64]
    offsets: NDArray[np.int64]
    starts: Starts
    dates: NDArray[np.int32]
    errors: Reports
    warnings: Reports
    rows: NDArray[np.int64] | None = None
    tags: Lists | None = None
    nags: Lists | None = None
    comments: Lists | None = None
    variations: Lists | None = None
    texts: Texts | None = None
    table: TableName = TableName()

    @classmethod
    def empty(cls) -> Self:
        """Return the columns of no games."""
        none = np.zeros(0, np.int64)
        return cls(
            headers={},
            plies=Lists(np.zeros(1, np.int64), {"moves": none.astype(np.uint16)}),
            scores=none.astype(np.uint8),
            files=Categorical.of("", 0),
            numbers=none,
            offsets=none,
            starts=Starts(none.astype(np.int32), Positions.from_boards([])),
            dates=none.astype(np.int32),
            errors=Reports(0),
            warnings=Reports(0),
        )

    def __len__(self) -> int:
        return int(self.scores.size)

    @property
    def size(self) -> int:
        """Return the number of games."""
        return int(self.scores.size)

    def cut(self, start: int, stop: int) -> Self:
        """Return the columns of a slice of the games, as views."""
        return self._each(lambda column: cut(column, start, stop))

    def chosen(self, index: Index) -> Self:
        """Return the columns of the games at some indices, copied."""
        return self._each(lambda column: chosen(column, index))

    def _each(self, change: Callable[[Any], Any]) -> Self:
        return type(self)(**{name: change(getattr(self, name)) for name in _FIELDS})

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the columns of several arrays of games as those of one array; a column that any lacks is None."""
        if len(parts) < 2:
            return parts[0] if parts else cls.empty()
        known = [name for name in PLY_VALUES if any(name in part.plies.columns for part in parts)]
        parts = [part.replace(plies=part._filled_plies(known)) for part in parts]
        return cls(**{name: joined([getattr(part, name) for part in parts]) for name in _FIELDS})

    def ply_values(self, name: str) -> NDArray[np.float32]:
        """Return the values of all plies for ``clocks``, ``evals`` or ``emts``, NaN where there is none."""
        columns = self.plies.columns
        values: NDArray[np.float32] = (
            columns[name] if name in columns else np.full(columns["moves"].size, np.nan, np.float32)
        )
        return values

    def _filled_plies(self, names: Iterable[str]) -> Lists:
        values = {name: self.ply_values(name) for name in names}
        return Lists(self.plies.offsets, {"moves": self.plies.columns["moves"], **values})

    def replace(self, **changes: Any) -> Self:
        """Return the same columns but for those given by name."""
        return dataclasses.replace(self, **changes)

    def with_reports(self, change: Callable[[int, GameError], GameError]) -> Self:
        """Return the same columns with the errors and warnings that `change` makes of each row and its report."""
        if not self.errors.items and not self.warnings.items:
            return self
        return self.replace(errors=self.errors.changed(change), warnings=self.warnings.changed(change))

    def with_more_text(self, tail: bytes) -> Self:
        """Return the same columns with some bytes added to the text of the last game."""
        assert self.texts is not None
        offsets = self.texts.offsets.copy()
        offsets[-1] += len(tail)
        data = np.concatenate([self.texts.data, np.frombuffer(tail, np.uint8)])
        return self.replace(texts=Texts(offsets, data, self.texts.valid))


def check_columns(columns: object) -> None:
    """Raise a TypeError or a ValueError that names the first column of an array of games that is not as it should be.

    Compiled code relies on types, lengths and offsets. Texts in columns are trusted.
    """
    if not isinstance(columns, GameColumns):
        raise TypeError(
            f"columns: {shown(columns)}: expected GameColumns; rookery.read_pgn reads games, and Games.from_arrow "
            "takes a table"
        )
    n, plies = len(columns), columns.plies
    for name, dtype in _DTYPES.items():
        array = getattr(columns, name)
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != 1:
            raise TypeError(f"columns: {name}: {shown(array)}: expected one dimension of {np.dtype(dtype)}")
    sized = ("files", "numbers", "offsets", "dates", "starts", "plies")
    lengths = {name: getattr(columns, name).size for name in sized}
    lengths |= {name: lists.size for name in LISTS if (lists := getattr(columns, name)) is not None}
    lengths |= {f"headers[{name!r}]": column.size for name, column in columns.headers.items()}
    wrong = next((name for name, size in lengths.items() if size != n), None)
    if wrong is not None:
        raise ValueError(f"columns: {wrong}: {lengths[wrong]} games: expected {n}, as in scores")
    moves = plies.columns["moves"]
    if not isinstance(moves, np.ndarray) or moves.dtype != np.uint16:
        raise TypeError(f"columns: moves: {shown(moves)}: expected uint16")
    for name, values in plies.columns.items():
        if values.size != moves.size:
            raise ValueError(f"columns: {name}: {values.size} values: expected {moves.size}, one for each move")
    offsets = plies.offsets
    if offsets[0] < 0 or offsets[-1] > moves.size or (offsets[1:] < offsets[:-1]).any():
        raise ValueError(
            f"columns: plies: offsets from {offsets[0]} to {offsets[-1]} of {moves.size} moves: expected "
            "offsets that never fall, within the moves"
        )
    places, rows = columns.starts.places, len(columns.starts.table)
    if places.size and not -1 <= places.min() <= places.max() < rows:
        raise ValueError(f"columns: starts: places from {places.min()} to {places.max()}: expected -1 to {rows - 1}")
    if n and columns.scores.max() >= len(RESULTS):
        raise ValueError(f"columns: scores: {columns.scores.max()}: expected 0 to {len(RESULTS) - 1}")


_DTYPES: Final = {"scores": np.uint8, "numbers": np.int64, "offsets": np.int64, "dates": np.int32}
_FIELDS: Final = tuple(field.name for field in dataclasses.fields(GameColumns))
