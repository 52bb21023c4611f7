"""ScoredPositions: positions with a move, a score, a game's result and a number of plies each.

Scores and results are seen from the side to move, as most formats store them; `rookery.training.views` has the others.
"""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final, Self, overload

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import Table, iterator, shown
from rookery.array_arguments import plain_array
from rookery.frames.selection import rows_of
from rookery.games.games import Games
from rookery.positions.layout import Columns, empty_columns
from rookery.positions.operands import plain
from rookery.positions.position_array import PositionArray
from rookery.positions.positions import Positions
from rookery.training.from_games import columns_of_games
from rookery.training.views import NO_RESULT, NO_SCORE, from_white

_DTYPES: Final = {"moves": np.uint16, "scores": np.int16, "results": np.int8, "plies": np.int32}


class ScoredPositions(Table):
    """Positions with scores: the rows of training data.

    positions   `Positions`
    moves       uint16: the move that was played or found best, encoded as in `rookery.Move`; 0 where there is none
    scores      int16: centipawns from the side to move; -32768 (``NO_SCORE``) where there is none. A mate in n plies
                is 32000 - n, and n - 32000 for the side that is mated
    results     int8: 1 if the side to move won the game, -1 if it lost, 0 for a draw; -128 (``NO_RESULT``) where it is
                not known
    plies       int32: half-moves since the beginning of the game

    `len`, slices (views), boolean masks and arrays of indices (copies) work as on an array; an int gives a row as a
    `ScoredPositions` of one. Missing columns are filled: no moves, scores and results, and the plies that the full-move
    numbers say.

    >>> from rookery import Positions
    >>> rows = ScoredPositions(Positions.from_fens(["4k3/8/8/8/8/8/4P3/4K3 b - - 0 9"]), scores=[-120], results=[-1])
    >>> rows
    <1 scored positions>
    >>> rows.plies.tolist()
    [17]
    >>> rows.white_scores.tolist()
    [120]
    """

    __slots__ = ("moves", "plies", "positions", "results", "scores")
    positions: Positions
    moves: NDArray[np.uint16]
    scores: NDArray[np.int16]
    results: NDArray[np.int8]
    plies: NDArray[np.int32]

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # the arrays are mutable

    def __init__(
        self, positions: Positions, *, moves: Any = None, scores: Any = None, results: Any = None, plies: Any = None
    ) -> None:
        """Take columns of one length. Arrays of the right dtype are not copied.

        Values that a column cannot hold raise ValueError, arrays of other kinds TypeError.
        """
        if not isinstance(positions, Positions):
            raise TypeError(f"positions: {shown(positions)}: expected Positions")
        n = len(positions)
        self.positions = positions
        self.moves = _column("moves", np.zeros(n, np.uint16) if moves is None else moves, n)
        self.scores = _column("scores", np.full(n, NO_SCORE, np.int16) if scores is None else scores, n)
        self.results = _column("results", np.full(n, NO_RESULT, np.int8) if results is None else results, n)
        self.plies = _column("plies", game_plies(positions.columns) if plies is None else plies, n)
        wrong = (np.abs(self.results) > 1) & (self.results != NO_RESULT)
        if wrong.any():
            i = int(np.argmax(wrong))
            raise ValueError(f"results[{i}]: {self.results[i]}: expected 1, 0, -1 or {NO_RESULT} for none")

    @classmethod
    def from_games(cls, games: Games, *, threads: int = 1) -> Self:
        """Return the positions of games, one after the other, each with its evaluation and the move that was played.

        PGN writes an evaluation behind the move that leads to its position, as in ``1. e4 { [%eval 0.17] }``, so the
        first position of a game has none. The last one has no move. Positions without an evaluation have no score, and
        those of games without a result no result.

        >>> from rookery import read_pgn
        >>> games = read_pgn(b"1. e4 { [%eval 0.35] } 1... e5 { [%eval 0.28] } 2. Nf3 1-0")
        >>> rows = ScoredPositions.from_games(games)
        >>> rows.scores.tolist()
        [-32768, -35, 28, -32768]
        >>> rows.results.tolist()
        [1, -1, 1, -1]
        """
        if not isinstance(games, Games):
            raise TypeError(f"games: {shown(games)}: expected Games")
        positions, columns = columns_of_games(games, threads)
        return cls(positions, **columns)

    @classmethod
    def concatenate(cls, parts: Iterable["ScoredPositions"]) -> Self:
        """Return several arrays as one, in order.

        >>> from rookery import Positions
        >>> part = ScoredPositions(Positions.from_fens(["4k3/8/8/8/8/8/4P3/4K3 w - -"]))
        >>> ScoredPositions.concatenate([part, part])
        <2 scored positions>
        """
        given = list(iterator("parts", parts, "an iterable of ScoredPositions"))
        for i, part in enumerate(given):
            if not isinstance(part, ScoredPositions):
                raise TypeError(f"parts[{i}]: {shown(part)}: expected ScoredPositions")
        rows = object.__new__(cls)
        rows.positions = Positions.concatenate(part.positions for part in given)
        for name, dtype in _DTYPES.items():
            columns = [getattr(part, name) for part in given]
            setattr(rows, name, np.concatenate(columns) if columns else np.empty(0, dtype))
        return rows

    def __len__(self) -> int:
        return self.moves.size

    @overload
    def __getitem__(self, index: int) -> Self: ...
    @overload
    def __getitem__(self, index: Any) -> Self: ...
    def __getitem__(self, index: Any) -> Self:
        """Return the rows of a slice (a view), a boolean mask or indices (copies); of an int, that row alone."""
        if isinstance(index, (int, np.integer)) and not isinstance(index, (bool, np.bool_)):
            if not -len(self) <= index < len(self):
                raise IndexError(f"index: {shown(int(index))} is outside the {len(self)} rows")
            at = int(index) % len(self)
            index = slice(at, at + 1)
        elif not isinstance(index, slice):
            index = rows_of("index", index, len(self), "rows")
        return self._part(index)

    def _part(self, index: Any) -> Self:
        part = object.__new__(type(self))
        part.positions = self.positions[index]
        for name in _DTYPES:
            setattr(part, name, np.ascontiguousarray(getattr(self, name)[index]))
        return part

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Check whether both have equal positions, moves, scores, results and plies."""
        if not isinstance(other, ScoredPositions):
            return NotImplemented
        return self.positions == other.positions and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in _DTYPES
        )

    def __repr__(self) -> str:
        return f"<{len(self):,} scored positions>"

    def _columns(self) -> dict[str, NDArray[Any]]:
        """Return the columns of a table of the rows, with texts for positions and moves."""
        fens = np.array(self.positions.to_fens(), np.object_)
        moves = np.where(self.moves != 0, self.positions.uci(self.moves), "").astype(np.object_)
        numbers = {name: getattr(self, f"{name}s") for name in ("score", "result")}
        return {"fen": fens, "move": moves, **numbers, "ply": self.plies}

    def _repr_html_(self) -> str:
        """Return a table of the first and the last rows, for notebooks."""
        from rookery.frames.html import first_and_last, table_html

        shown = first_and_last(len(self))
        part = self[np.array(shown, np.int64)]
        columns = part._columns()
        columns["score"] = np.where(part.has_score, part.scores.astype(np.str_), "")
        columns["result"] = np.where(part.has_result, part.results.astype(np.str_), "")
        rows = [(i, [column[k] for column in columns.values()]) for k, i in enumerate(shown)]
        return table_html(["", *columns], rows, repr(self)[1:-1])

    @property
    def has_score(self) -> NDArray[np.bool_]:
        """Return True for each row that has a score: bool, (n,).

        >>> ScoredPositions(Positions.from_fens(["4k3/8/8/8/8/8/4P3/4K3 w - -"])).has_score.tolist()
        [False]
        """
        return np.not_equal(self.scores, NO_SCORE)

    @property
    def has_result(self) -> NDArray[np.bool_]:
        """Return True for each row that has a result: bool, (n,).

        >>> ScoredPositions(Positions.from_fens(["4k3/8/8/8/8/8/4P3/4K3 w - -"]), results=[0]).has_result.tolist()
        [True]
        """
        return np.not_equal(self.results, NO_RESULT)

    @property
    def white_scores(self) -> NDArray[np.int16]:
        """Return the scores from white's side: int16, (n,); ``NO_SCORE`` where there is none.

        >>> lines = ["4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/4P3/4K3 b - -"]
        >>> ScoredPositions(Positions.from_fens(lines), scores=[150, -150]).white_scores.tolist()
        [150, 150]
        """
        return from_white(self.positions.columns, self.scores)

    @property
    def white_results(self) -> NDArray[np.int8]:
        """Return the results from white's side: int8, (n,), 1 if white won; ``NO_RESULT`` where it is not known.

        >>> lines = ["4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/4P3/4K3 b - -"]
        >>> ScoredPositions(Positions.from_fens(lines), results=[1, -1]).white_results.tolist()
        [1, 1]
        """
        return from_white(self.positions.columns, self.results)


def game_plies(c: Columns) -> NDArray[np.int32]:
    """Return the half-moves before each position, by its full-move number."""
    positions = PositionArray(c)
    numbers = np.maximum(positions.fullmove_number.astype(np.int64), 1)
    return (2 * (numbers - 1) + ~positions.turn).astype(np.int32)


def empty_rows_of(n: int) -> ScoredPositions:
    """Allocate `n` rows without values."""
    rows = object.__new__(ScoredPositions)
    rows.positions = Positions(empty_columns(n))
    for name, dtype in _DTYPES.items():
        setattr(rows, name, np.empty(n, dtype))
    return rows


def _column(name: str, values: Any, n: int) -> NDArray[Any]:
    """Return a column as a plain array of its dtype, after a check of its length and its values."""
    dtype: Any = np.dtype(_DTYPES[name])
    array = plain_array(name, values, f"an array of {dtype}")
    if array.size == 0:
        array = array.astype(dtype)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: an array of {array.dtype}: expected {dtype}")
    if array.shape != (n,):
        raise ValueError(f"{name}: shape {array.shape}: expected ({n},), one value for each position")
    limits = np.iinfo(dtype)
    outside = (array < limits.min) | (array > limits.max)
    if outside.any():
        i = int(np.argmax(outside))
        raise ValueError(f"{name}[{i}]: {array[i]}: expected {limits.min} to {limits.max}")
    return plain(array.astype(dtype, copy=False))
