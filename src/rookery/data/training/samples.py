"""ScoredPositions: positions with a move, a score, a game's result and a number of plies each.

Scores and results are seen from the side to move, as most formats store them; `rookery.data.training.views` has the
others.
"""

from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.data.training.from_games import columns_of_games
from rookery.data.training.views import NO_RESULT, from_white
from rookery.frames.array_arguments import plain_array
from rookery.frames.frame import Frame
from rookery.frames.reading import columns_in, number_array
from rookery.games.games import Games
from rookery.games.positions.scores import NO_SCORE
from rookery.lazy_imports import Named
from rookery.positions.layout import Columns, empty_columns
from rookery.positions.methods.position_array import PositionArray
from rookery.positions.notation.arrow import words_of_texts
from rookery.positions.notation.text import texts_of as fens_of
from rookery.positions.operands import plain
from rookery.positions.positions import Positions

if TYPE_CHECKING:
    from rookery.data.training import row_positions
    from rookery.positions.language import query as query_language
else:
    row_positions = Named("rookery.data.training.row_positions")
    query_language = Named("rookery.positions.language.query")

_DTYPES: Final = {"moves": np.uint16, "scores": np.int16, "results": np.int8, "plies": np.int32}


class ScoredPositions(Frame):
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
    <1 scored position>
    >>> rows.plies.tolist()
    [17]
    >>> rows.white_scores.tolist()
    [120]
    """

    __slots__ = ("moves", "plies", "positions", "results", "scores")
    _COLUMNS = ("moves", "positions", "scores", "results", "plies")
    _ROWS = ("scored position", "scored positions")
    positions: Positions
    moves: NDArray[np.uint16]
    scores: NDArray[np.int16]
    results: NDArray[np.int8]
    plies: NDArray[np.int32]

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
    def from_arrow(cls, table: Any) -> Self:
        """Return the rows in an Arrow table, or in any object with Arrow's C interface, that `to_arrow` made.

        `fen` is needed; ``move`` (SAN or UCI), ``score``, ``result`` and ``ply`` may be missing, or null.

        >>> from rookery import read_pgn
        >>> rows = ScoredPositions.from_games(read_pgn(b"1. e4 { [%eval 0.35] } 1... e5 1-0"))
        >>> ScoredPositions.from_arrow(rows.to_arrow()) == rows
        True
        """
        columns = columns_in(table, ["fen"])
        positions = Positions.from_fens(columns["fen"])
        filled = {"scores": ("score", NO_SCORE), "results": ("result", NO_RESULT), "plies": ("ply", None)}
        values: dict[str, Any] = {
            name: number_array(column, columns[column], _DTYPES[name], missing)
            for name, (column, missing) in filled.items()
            if column in columns
        }
        if "move" in columns:
            values["moves"] = words_of_texts(positions, "move", columns["move"])
        return cls(positions, **values)

    def evaluate(self, query: "query_language.Query | str", *, threads: int = 1) -> NDArray[Any]:
        """Return the value of an expression for each row; (n,). Rows know their moves, scores, results and plies.

        >>> rows = ScoredPositions(Positions.from_fens(["4k3/8/8/8/8/8/4P3/4K3 b - - 0 9"]), scores=[-120])
        >>> rows.evaluate("abs(score) + ply").tolist()
        [137.0]
        """
        return _query(query).evaluate(row_positions.positions_of(self), threads=threads)

    def where(self, query: "query_language.Query | str", *, threads: int = 1) -> Self:
        """Return the rows for which a condition holds, or a set is not empty.

        >>> positions = Positions.from_fens(["4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/4P3/4K3 b - -"])
        >>> ScoredPositions(positions, scores=[150, -150]).where("score > 0")
        <1 scored position>
        """
        mask = _query(query).mask(row_positions.positions_of(self), threads=threads)
        return self[np.flatnonzero(mask)]

    @classmethod
    def _empty(cls) -> Self:
        return cls(Positions(empty_columns(0)))

    def _arrow_columns(self) -> dict[str, Any]:
        """Return the columns with texts for positions and moves, and null for missing moves, scores and results."""
        moves = self.positions.uci(self.moves).astype(np.object_)
        moves[self.moves == 0] = None
        return {
            "fen": fens_of(self.positions.columns),
            "move": moves,
            "score": np.ma.MaskedArray(self.scores, ~self.has_score),
            "result": np.ma.MaskedArray(self.results, ~self.has_result),
            "ply": self.plies,
        }

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


def _query(query: Any) -> "query_language.Query":
    """Return a query. The language is loaded on first use."""
    from rookery.positions.language.query import query_of

    return query_of(query)
