"""The array beneath `Games`: its columns, and its behaviour as a sequence."""

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import NumberColumn
from rookery.frames.columns import Lists, alike
from rookery.frames.frame import Frame
from rookery.games.game_columns import LISTS, PLY_VALUES, GameColumns, check_columns
from rookery.games.headers.header_types import Header
from rookery.games.headers.named_columns import OWN, column_named, missing_column
from rookery.games.views import game_at, games_html
from rookery.lazy_imports import modules_later
from rookery.pgn.scan.lexing.vocabulary import RESULTS
from rookery.pgn.tree.game import Game
from rookery.positions.language.headers import near_header
from rookery.positions.moves import Moves

if TYPE_CHECKING:
    from rookery.games.headers import known_headers
else:
    (known_headers,) = modules_later("rookery.games.headers", "known_headers")

Masked: TypeAlias = "np.ma.MaskedArray[tuple[Any, ...], np.dtype[np.int16]]"


class GameArray(Frame):
    """An array of games; `rookery.games.games.Games` adds positions, reports and tables."""

    __slots__ = ("_moves", "columns")
    _COLUMNS = ("columns",)
    _ROWS = ("game", "games")
    columns: GameColumns
    _moves: Moves

    def __init__(self, columns: GameColumns) -> None:
        """Make an array of games from their columns, which `rookery.read_pgn` and `Games.from_arrow` make.

        Anything but a `GameColumns`, and columns of the wrong types, raise TypeError; columns of different lengths and
        offsets that lead out of their arrays raise ValueError.
        """
        check_columns(columns)
        self.columns = columns

    @classmethod
    def _of_columns(cls, columns: GameColumns) -> Self:
        """Make an array of games from columns that are known to be right: a check takes 50 us."""
        games = object.__new__(cls)
        games.columns = columns
        return games

    def _make__moves(self) -> Moves:
        plies = self.columns.plies
        return Moves(plies.offsets, plies.columns["moves"], self.columns.starts.chess960)

    # Columns.

    @property
    def headers(self) -> dict[str, Header]:
        """Return the columns of headers, by name: `Numbers` (int16, dates, times) or `Texts`."""
        return self.columns.headers

    @property
    def moves(self) -> Moves:
        """Return the moves of each game."""
        return self._moves

    @property
    def clocks(self) -> NDArray[np.float32]:
        """Return the seconds left on the mover's clock after each ply, or NaN."""
        return self.columns.ply_values("clocks")

    @property
    def evals(self) -> NDArray[np.float32]:
        """Return the evaluation after each ply in pawns, from white's side, or NaN.

        A mate in n is 1000 - n if white mates, n - 1000 if black does. Scores of engine matches in comments, such as
        ``+0.35/12 0.45s``, are what the engine said of its move.
        """
        return self.columns.ply_values("evals")

    @property
    def emts(self) -> NDArray[np.float32]:
        """Return the seconds that each ply took, or NaN."""
        return self.columns.ply_values("emts")

    @property
    def plies(self) -> NDArray[np.int64]:
        """Return the number of half-moves of each game."""
        return np.diff(self.columns.plies.offsets)

    @property
    def scores(self) -> NDArray[np.uint8]:
        """Return the score of each game: 0 not over (``*``), 1 white won, 2 black won, 3 drawn."""
        return self.columns.scores

    @property
    def results(self) -> NDArray[np.object_]:
        """Return the result of each game: ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``."""
        return np.array(RESULTS, object)[self.scores]

    @property
    def files(self) -> NDArray[np.object_]:
        """Return the name of each game's file, as the caller gave it, or an empty text: an array of str.

        A game is known by its file and its number in it, in all tables.

        >>> read_pgn(b"1. e4 *").files.tolist()
        ['']
        """
        return self.columns.files.to_numpy()

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Return the number of each game in its file, from 1."""
        return self.columns.numbers

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Return the offset of each game's first byte in its file, unpacked."""
        return self.columns.offsets

    @property
    def rows(self) -> NDArray[np.int64] | None:
        """Return the row of each game in the column of texts that it was read from; None for other sources."""
        return self.columns.rows

    @property
    def tags(self) -> Lists | None:
        r"""Return the headers that no column can reproduce, as lists of ``name`` and ``value``.

        These are headers without a column, and values that do not fit the type of their column. None if `headers`
        chose the columns to read.

        >>> games = read_pgn(b'[Date "2024.??.??"]\n[Annotator "Bert"]\n[White "Anna"]\n\n1. e4 *')
        >>> games.tags.rows(0)
        [('Date', '2024.??.??'), ('Annotator', 'Bert')]
        """
        return self.columns.tags

    @property
    def nags(self) -> Lists | None:
        """Return the NAGs of each game, as lists of ``ply``, ``nag`` and ``after``; None if they were not read.

        `after` counts the comments and variations of the same ply before it.
        """
        return self.columns.nags

    @property
    def comments(self) -> Lists | None:
        """Return the comments of each game, as lists of ``ply``, ``text`` and ``after``; None if they were not read.

        `after` counts the variations of the same ply before it.
        """
        return self.columns.comments

    @property
    def variations(self) -> Lists | None:
        """Return the variations of each game, as lists of ``ply`` and ``text``; None if they were not read."""
        return self.columns.variations

    @property
    def texts(self) -> NDArray[np.object_] | None:
        r"""Return the PGN of each game byte for byte as in its source; None unless it was read with ``texts=True``.

        >>> read_pgn(b"1. e4 e5 *\n\n1. d4 *\n", texts=True).texts
        array([b'1. e4 e5 *\n\n', b'1. d4 *\n'], dtype=object)
        """
        texts = self.columns.texts
        if texts is None:
            return None
        out = np.empty(len(self), object)
        out[:] = [texts.data[a:b].tobytes() for a, b in itertools.pairwise(texts.offsets.tolist())]
        return out

    @property
    def date(self) -> NDArray[np.datetime64]:
        r"""Return the day each game was played: the header UTCDate, or Date where a game has no UTCDate.

        It is NaT where neither is a complete date.

        >>> read_pgn(b'[Date "2024.05.01"]\n\n*\n\n[Date "2024.??.??"]\n[UTCDate "2024.05.02"]\n\n*').date
        array(['2024-05-01', '2024-05-02'], dtype='datetime64[D]')
        """
        return self.column("date")

    @overload
    def column(self, name: NumberColumn) -> Masked: ...
    @overload
    def column(self, name: str) -> NDArray[Any]: ...
    def column(self, name: str) -> NDArray[Any]:
        r"""Return a header of every game as an array, or what is computed from headers.

        These are `date`, and ``year``, which is known for ``1886.??.??``, too; and of TimeControl the seconds of its
        first period, ``base``, those added for each move, ``increment``, and ``speed``: ultraBullet, bullet, blitz,
        rapid, classical or correspondence, as Lichess calls base + 40 increments. ``file`` and ``number`` say where
        each game is from.

        The array is a masked array of int16, ``datetime64[D]`` or ``timedelta64[s]`` with NaT, or an array of str with
        None for a game that does not have the header.

        >>> read_pgn(b'[WhiteElo "2100"]\n\n1. e4 *\n\n[White "Bert"]\n\n1. d4 *').column("WhiteElo").tolist()
        [2100, None]
        >>> games = read_pgn(b'[Date "1886.??.??"]\n[TimeControl "600+5"]\n\n1. e4 *')
        >>> games.column("year").tolist()
        [1886]
        >>> games.column("base").tolist()
        [600.0]
        >>> games.column("speed").tolist()
        ['rapid']
        """
        if isinstance(name, str) and name in OWN and name not in self.headers:
            own: NDArray[Any] = getattr(self, OWN[name])
            return own
        header = column_named(self.columns, name) if isinstance(name, str) else None
        if header is None:
            raise missing_column(self.columns, name)
        column: NDArray[Any] = header.to_numpy()
        return column

    def _check_headers(self, names: Iterable[str]) -> None:
        """Refuse names of headers that no game has, unless they are usual."""
        columns = self.columns
        unseen = known_headers.UnseenHeaders(names)
        unseen.drop(columns.headers)
        if unseen.names and columns.tags is not None:
            unseen.drop(columns.tags.columns["name"])
        if unseen.names and len(self):
            near = {name: near_header(name, columns.headers) for name in sorted(unseen.names)}
            raise known_headers.UnknownHeaderError(near, "headers")

    def _named(self, argument: str, name: str) -> NDArray[Any]:  # noqa: ARG002  # `column` names it
        return self.column(name)

    # As a sequence.

    if TYPE_CHECKING:

        @overload  # type: ignore[override]  # of the names of columns, some are numbers
        def __getitem__(self, index: int) -> Game: ...
        @overload
        def __getitem__(self, index: NumberColumn) -> Masked: ...
        @overload
        def __getitem__(self, index: str) -> NDArray[Any]: ...
        @overload
        def __getitem__(self, index: slice | NDArray[Any] | Sequence[int] | Sequence[bool]) -> Self: ...
        def __getitem__(self, index: Any) -> Any: ...

    def _row(self, i: int) -> Game:
        return game_at(self.columns, i)

    def __eq__(self, other: object) -> bool:
        """Check whether all columns are equal, except the places of games in their files, errors and warnings."""
        if not isinstance(other, GameArray):
            return NotImplemented
        a, b = self.columns, other.columns
        return (
            a.starts.positions() == b.starts.positions()
            and alike(a.headers, b.headers)
            and self.moves == other.moves
            and all(alike(a.ply_values(name), b.ply_values(name)) for name in PLY_VALUES)
            and all(alike(getattr(a, name), getattr(b, name)) for name in ("scores", *LISTS))
        )

    def __repr__(self) -> str:
        bad, warned = len(self.columns.errors.of_rows), len(self.columns.warnings.of_rows)
        counts = f"{f', {bad} bad' if bad else ''}{f', {warned} warnings' if warned else ''}"
        return f"<{self._counted()}, {self.moves.moves.size:,} plies{counts}>"

    def _repr_html_(self) -> str:
        """Return a table of the first and the last games, for notebooks."""
        return games_html(self)

    @classmethod
    def _empty(cls) -> Self:
        return cls._of_columns(GameColumns.empty())

    @classmethod
    def _joined(cls, parts: Sequence[Any]) -> Self:
        for i, part in enumerate(parts):
            if part.headers.keys() != parts[0].headers.keys():
                raise ValueError(
                    f"parts[{i}]: columns {', '.join(part.headers)}: expected {', '.join(parts[0].headers)}"
                )
        return super()._joined(parts)
