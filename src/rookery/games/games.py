"""Games: an array of games, as columns."""

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import count, flag, iterator, shown
from rookery.games.check_moves import illegal_move
from rookery.games.columns import Lists, Numbers, Texts, alike, joined_offsets
from rookery.games.dates import day_played
from rookery.games.errors import GameError, board_after
from rookery.games.interchange import arrow
from rookery.games.positions import GamePositions
from rookery.games.replay import Chosen, blocks_of, chosen, positions_of
from rookery.games.single import game_at
from rookery.games.tags import RESULTS
from rookery.positions.array import PositionArray
from rookery.positions.layout import Columns
from rookery.positions.moves import Moves
from rookery.positions.operands import row_of, rows_of
from rookery.positions.positions import Positions
from rookery.positions.threads import check_threads
from rookery.rules.board import Board
from rookery.rules.moves import Move
from rookery.rules.pgn_game import Game
from rookery.typing import NumberColumn, When

if TYPE_CHECKING:
    import pyarrow

Masked: TypeAlias = "np.ma.MaskedArray[tuple[Any, ...], np.dtype[np.int16]]"

USUAL_START: Final = -1  # instead of a place in the table of starts
_Reports: TypeAlias = list[tuple[int, GameError]]


class Games:
    r"""An array of games: columns, and no object a game.

    headers     by name: `Numbers` (int16, dates, times) or `Texts`, a value or none a game
    moves       `Moves`: uint16, flat, and int64 offsets; of a bad game those before its first fault
    clocks, evals, emts
                float32, a value a ply, flat like the moves: seconds left (``[%clk]``), pawns (``[%eval]``; a mate in n
                is 1000 - n, or n - 1000), seconds taken (``[%emt]``); NaN where there is none
    scores      uint8: 0 not over (``*``), 1 white won, 2 black won, 3 drawn
    starts      `Positions`, one a game
    errors      what is wrong with bad games, a `GameError` each
    warnings    what was stepped over in games, a `GameError` each
    tags        `Lists` of ``name`` and ``value``: headers that no column gives back, or None
    comments, nags, variations
                `Lists` with the number of half-moves before each, or None; see `rookery.read_pgn`
    texts       the PGN of each game as it stood in its source, an array of bytes, or None
    rows        int64, of a column of texts: which text each game is of; else None

    `len`, an index (a `rookery.pgn.Game`), slices (views), boolean masks and arrays of indices (copies) work as on an
    array; ``games["WhiteElo"]`` is a column.

    >>> games = read_pgn(b'[White "Anna"]\n[WhiteElo "2100"]\n\n1. e4 e5 2. Nf3 1-0\n\n1. d4 d5 *')
    >>> len(games), games[0].moves, games["WhiteElo"].tolist()
    (2, [Move('e2e4'), Move('e7e5'), Move('g1f3')], [2100, None])
    """

    __slots__ = (
        "_errors",
        "_moves",
        "_plies",
        "_start_table",
        "_tags",
        "_texts",
        "_warnings",
        "comments",
        "headers",
        "nags",
        "numbers",
        "offsets",
        "rows",
        "scores",
        "start_places",
        "variations",
    )
    headers: dict[str, Numbers | Texts]
    scores: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    offsets: NDArray[np.int64]
    start_places: NDArray[np.int32]
    rows: NDArray[np.int64] | None
    nags: Lists | None
    comments: Lists | None
    variations: Lists | None

    def __init__(
        self,
        *,
        headers: Mapping[str, Numbers | Texts],
        moves: Moves,
        plies: Mapping[str, NDArray[np.float32]],
        scores: NDArray[np.uint8],
        numbers: NDArray[np.int64],
        offsets: NDArray[np.int64],
        start_places: NDArray[np.int32],
        start_table: Positions,
        errors: Sequence[tuple[int, GameError]] = (),
        warnings: Sequence[tuple[int, GameError]] = (),
        rows: NDArray[np.int64] | None = None,
        tags: Lists | None = None,
        nags: Lists | None = None,
        comments: Lists | None = None,
        variations: Lists | None = None,
        texts: Texts | None = None,
    ) -> None:
        """Columns of one length; `rookery.read_pgn` makes them.

        `plies` maps ``clocks``, ``evals`` and ``emts`` to their values; what is missing there no game has.
        `start_places` are -1 for games from the usual start, others are rows of `start_table`. `errors` and `warnings`
        have the row of their game, or -1 where it was left out. `tags` (names and values of headers that no column
        gives back), `nags`, `comments`, `variations` and `texts` are None where they were not read.
        """
        self.headers = dict(headers)
        self._moves = moves
        self._plies = dict(plies)
        self.scores = scores
        self.numbers = numbers
        self.offsets = offsets
        self.start_places = start_places
        self._start_table = start_table
        self._errors = tuple(errors)
        self._warnings = tuple(warnings)
        self.rows = rows
        self._tags = tags
        self.nags = nags
        self.comments = comments
        self.variations = variations
        self._texts = texts

    # Columns.

    @property
    def moves(self) -> Moves:
        """The moves of each game."""
        return self._moves

    def _ply_values(self, name: str) -> NDArray[np.float32]:
        if name not in self._plies:
            return np.full(self._moves.moves.size, np.nan, np.float32)
        return self._plies[name]

    @property
    def clocks(self) -> NDArray[np.float32]:
        """Seconds left on the mover's clock after each ply, or NaN."""
        return self._ply_values("clocks")

    @property
    def evals(self) -> NDArray[np.float32]:
        """Pawns, as white sees it, after each ply, or NaN; a mate in n is 1000 - n, or n - 1000."""
        return self._ply_values("evals")

    @property
    def emts(self) -> NDArray[np.float32]:
        """Seconds each ply took, or NaN."""
        return self._ply_values("emts")

    @property
    def plies(self) -> NDArray[np.int64]:
        """How many half-moves each game has."""
        return np.diff(self._moves.offsets)

    @property
    def results(self) -> NDArray[np.object_]:
        """``1-0``, ``0-1``, ``1/2-1/2`` or ``*``, a text a game."""
        return np.array(RESULTS, object)[self.scores]

    @property
    def starts(self) -> Positions:
        """The position each game begins from."""
        return self.starts_of(np.arange(len(self)))

    def starts_of(self, index: NDArray[Any] | Sequence[int]) -> Positions:
        r"""The same, of some games.

        >>> games = read_pgn(b"1. e4 e5 *\n\n1. d4 d5 *")
        >>> games.starts_of(np.array([1]))
        <1 positions>
        """
        rows = self.start_places[rows_of("index", index, len(self), "games", "indices of games")] + 1
        return Positions(Columns(*(column[rows] for column in self._all_starts())))

    def _all_starts(self) -> Columns:
        """The usual start, and behind it the table of others."""
        usual, own = _usual().columns, self._start_table.columns
        return Columns(*map(np.concatenate, zip(usual, own, strict=True))) if len(self._start_table) else usual

    @property
    def tags(self) -> Lists | None:
        r"""Headers that no column gives back, ``name`` and ``value``; None if the columns were named.

        These are the headers without a column, and values that do not fit the type of their column.

        >>> games = read_pgn(b'[Date "2024.??.??"]\n[Annotator "Bert"]\n[White "Anna"]\n\n1. e4 *')
        >>> games.tags.rows(0)
        [('Date', '2024.??.??'), ('Annotator', 'Bert')]
        """
        return self._tags

    @property
    def texts(self) -> NDArray[np.object_] | None:
        r"""The PGN of each game as it stood in its source, bytes; None unless ``texts=True`` kept it.

        >>> read_pgn(b"1. e4 e5 *\n\n1. d4 *\n", texts=True).texts
        array([b'1. e4 e5 *\n\n', b'1. d4 *\n'], dtype=object)
        """
        if self._texts is None:
            return None
        out = np.empty(len(self), object)
        ends = self._texts.offsets
        out[:] = [self._texts.data[a:b].tobytes() for a, b in itertools.pairwise(ends.tolist())]
        return out

    def _append_to_last_text(self, tail: bytes) -> None:
        """Append bytes that follow the last game in its file to its text."""
        assert self._texts is not None
        offsets = self._texts.offsets.copy()
        offsets[-1] += len(tail)
        data = np.concatenate([self._texts.data, np.frombuffer(tail, np.uint8)])
        self._texts = Texts(offsets, data, self._texts.valid)

    @property
    def date(self) -> NDArray[np.datetime64]:
        r"""The day each game was played: the header UTCDate, or Date where a game has none; NaT where neither is whole.

        >>> read_pgn(b'[Date "2024.05.01"]\n\n*\n\n[Date "2024.??.??"]\n[UTCDate "2024.05.02"]\n\n*').date
        array(['2024-05-01', '2024-05-02'], dtype='datetime64[D]')
        """
        days = day_played(self.headers)
        if days is None:
            raise KeyError("column 'date': expected a column UTCDate or Date, of which it is made")
        played: NDArray[np.datetime64] = days.to_numpy()
        return played

    @property
    def errors(self) -> tuple[GameError, ...]:
        """What is wrong with bad games, in order: those that were left out, too; and, as game 0, with files that could
        not be read to their end. Slices and masks keep those of their games alone.
        """
        return tuple(error for _, error in self._errors)

    @property
    def parse_errors(self) -> NDArray[np.object_]:
        """What is wrong with each game, None where nothing is."""
        out = np.full(len(self), None, object)
        for row, error in self._errors:
            if row >= 0:
                out[row] = str(error)
        return out

    @property
    def warnings(self) -> tuple[GameError, ...]:
        """What was stepped over in games since it only annotates, like ``+/-``, in order; none if they were read with
        ``strict=True``. A game that has warnings alone is not bad. Slices and masks keep those of their games.

        >>> games = read_pgn(b"1. e4 +/- e5 2. Nf3 *")
        >>> print(games.warnings[0])
        game 1, line 1, move 1...: '+/-': an annotation, stepped over
        """
        return tuple(warning for _, warning in self._warnings)

    @property
    def warning_counts(self) -> NDArray[np.int64]:
        """How many warnings each game has.

        >>> read_pgn(b"1. e4 *  1. e4 = e5 2. Qh5 Nf6 3. Qxf7ch *").warning_counts
        array([0, 2])
        """
        return np.bincount([row for row, _ in self._warnings if row >= 0], minlength=len(self)).astype(np.int64)

    def _relabel(self, change: Callable[[int, GameError], GameError]) -> None:
        """Change every error and every warning; `change` is called with its row."""
        self._errors = tuple((row, change(row, error)) for row, error in self._errors)
        self._warnings = tuple((row, change(row, warning)) for row, warning in self._warnings)

    @property
    def is_bad(self) -> NDArray[np.bool_]:
        """Whether something is wrong with each game."""
        out = np.zeros(len(self), np.bool_)
        out[[row for row, _ in self._errors if row >= 0]] = True
        return out

    # Positions.

    def positions(
        self, when: When = "before", *, every: int = 1, start: int = 0, stop: int | None = None, threads: int = 1
    ) -> GamePositions:
        """The positions of all games: before each half-move, `after` it, `all` (before each and after the last), or the
        `last`. Of the half-moves from `start` to `stop` every `every`-th counts.

        A position takes 84 bytes: of many games ask `position_blocks`.

        >>> games = read_pgn(b"1. e4 e5 2. Nf3 Nc6 *")
        >>> games.positions("after", every=2).ply, games.positions("last").to_fens(en_passant="fen")[0]
        (array([1, 3], dtype=int32), 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3')
        """
        which = chosen(self.plies, when, every, start, stop)
        return self._positions(0, len(self), which, self._all_starts(), check_threads(threads))

    def position_blocks(
        self,
        size: int = 1 << 20,
        *,
        when: When = "before",
        every: int = 1,
        start: int = 0,
        stop: int | None = None,
        threads: int = 1,
    ) -> Iterator[GamePositions]:
        r"""The same, in blocks of whole games with at most `size` positions (more, where one game has more).

        >>> games = read_pgn(b"1. e4 e5 *\n\n1. d4 d5 2. c4 *")
        >>> [len(block) for block in games.position_blocks(3)]
        [2, 3]
        """
        size = count("size", size, 1)
        which = chosen(self.plies, when, every, start, stop)
        check_threads(threads)
        starts = self._all_starts()
        return (self._positions(a, b, which, starts, threads) for a, b in blocks_of(which.counts, size))

    def _positions(self, a: int, b: int, which: Chosen, starts: Columns, threads: int) -> GamePositions:
        offsets, rows = self._moves.offsets[a : b + 1], self.start_places[a:b] + 1
        part = Chosen(which.first[a:b], which.step, which.counts[a:b])
        return GamePositions.of(*positions_of(a, offsets, self._moves.moves, starts, rows, part, threads))

    # As a sequence.

    def __len__(self) -> int:
        return int(self.scores.size)

    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: NumberColumn) -> Masked: ...
    @overload
    def __getitem__(self, index: str) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | Sequence[Any]) -> Self: ...
    def __getitem__(self, index: Any) -> Any:
        """A `Game` for an int, a column for a name, `Games` for a slice, a boolean mask or an array of indices."""
        if isinstance(index, str):
            return self.column(index)
        if isinstance(index, (int, np.integer)) and not isinstance(index, (bool, np.bool_)):
            return game_at(self, row_of("index", index, len(self), "games"))
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return self._cut(start, max(start, stop))
            return self._chosen(np.arange(start, stop, step))
        return self._chosen(rows_of("index", index, len(self), "games", "an int, a name, a slice"))

    def __iter__(self) -> Iterator[Game]:
        return (game_at(self, i) for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Whether all columns are the same, apart from where games stood in their files and what is wrong with them."""
        if not isinstance(other, Games):
            return NotImplemented
        mine, others = self.parts(), other.parts()
        same = self.starts == other.starts and self.headers.keys() == other.headers.keys()
        same = same and all(alike(column, other.headers[name]) for name, column in self.headers.items())
        same = same and all(alike(self._ply_values(name), other._ply_values(name)) for name in arrow.PLIES)
        return same and all(alike(mine[name], others[name]) for name in ("moves", "scores", *arrow.LISTS))

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # its arrays may change

    def __repr__(self) -> str:
        bad = sum(row >= 0 for row, _ in self._errors)
        warned = sum(row >= 0 for row, _ in self._warnings)
        counts = f"{f', {bad} bad' if bad else ''}{f', {warned} warnings' if warned else ''}"
        return f"<{len(self)} games, {self._moves.moves.size} plies{counts}>"

    def _repr_html_(self) -> str:
        """Return a table of the first and the last games, for notebooks."""
        from rookery.games.html import games_html

        return games_html(self)

    @overload
    def column(self, name: NumberColumn) -> Masked: ...
    @overload
    def column(self, name: str) -> NDArray[Any]: ...
    def column(self, name: str) -> NDArray[Any]:
        r"""Return a header of every game by its name: a masked array of int16, ``datetime64[D]`` or ``timedelta64[s]``
        with NaT, or an array of str, None where a game has none. ``date`` is `Games.date`.

        >>> read_pgn(b'[WhiteElo "2100"]\n\n1. e4 *\n\n[White "Bert"]\n\n1. d4 *').column("WhiteElo").tolist()
        [2100, None]
        """
        if isinstance(name, str) and name == "Result":
            return self.results
        if isinstance(name, str) and name == "date" and name not in self.headers:
            return self.date
        if not isinstance(name, str) or name not in self.headers:
            names = ", ".join(["Result", "date", *self.headers])
            raise KeyError(f"column {shown(name)}: expected one of {names}")
        column: NDArray[Any] = self.headers[name].to_numpy()
        return column

    def _cut(self, start: int, stop: int) -> Self:
        a, b = (int(self._moves.offsets[i]) for i in (start, stop))
        return self._part(
            lambda column: column.cut(start, stop),
            lambda values: values[start:stop],
            lambda values: values[a:b],
            Moves(self._moves.offsets[start : stop + 1] - a, self._moves.moves[a:b]),
            [(row - start, error) for row, error in self._errors if start <= row < stop],
            [(row - start, warning) for row, warning in self._warnings if start <= row < stop],
        )

    def _chosen(self, index: NDArray[np.int64]) -> Self:
        moves = Lists(self._moves.offsets, {"moves": self._moves.moves, **self._plies}).chosen(index)
        part = self._part(
            lambda column: column.chosen(index),
            lambda values: values[index],
            None,
            Moves(moves.offsets, moves.columns["moves"]),
            _chosen_reports(self._errors, index),
            _chosen_reports(self._warnings, index),
        )
        part._plies = {name: moves.columns[name] for name in self._plies}
        return part

    def _part(self, column: Any, values: Any, plies: Any, moves: Moves, errors: _Reports, warnings: _Reports) -> Self:
        def of(lists: Lists | None) -> Lists | None:
            return None if lists is None else column(lists)

        return type(self)(
            headers={name: column(header) for name, header in self.headers.items()},
            moves=moves,
            plies={name: plies(value) for name, value in self._plies.items()} if plies else {},
            scores=values(self.scores),
            numbers=values(self.numbers),
            offsets=values(self.offsets),
            start_places=values(self.start_places),
            start_table=self._start_table,
            errors=errors,
            warnings=warnings,
            rows=None if self.rows is None else values(self.rows),
            tags=of(self._tags),
            nags=of(self.nags),
            comments=of(self.comments),
            variations=of(self.variations),
            texts=None if self._texts is None else column(self._texts),
        )

    @classmethod
    def concatenate(cls, parts: Iterable["Games"]) -> Self:
        """One array of several, in order. They must have the same columns, as those of one reader have.

        >>> games = read_pgn(b"1. e4 e5 *")
        >>> len(type(games).concatenate([games, games]))
        2
        """
        parts = list(iterator("parts", parts, "an iterable of Games"))
        for i, part in enumerate(parts):
            if not isinstance(part, Games):
                raise TypeError(f"parts[{i}]: {shown(part)}: expected Games")
            if part.headers.keys() != parts[0].headers.keys():
                raise ValueError(
                    f"parts[{i}]: columns {', '.join(part.headers)}: expected {', '.join(parts[0].headers)}"
                )
        if not parts:
            return cls._none()
        places, base, row = [], 0, 0
        errors: _Reports = []
        warnings: _Reports = []
        for part in parts:
            places.append(np.where(part.start_places >= 0, part.start_places + base, USUAL_START).astype(np.int32))
            errors += [(r + row if r >= 0 else r, error) for r, error in part._errors]
            warnings += [(r + row if r >= 0 else r, warning) for r, warning in part._warnings]
            base += len(part._start_table)
            row += len(part)
        names = {name for part in parts for name in part._plies}
        return cls(
            headers={name: _joined([part.headers[name] for part in parts]) for name in parts[0].headers},
            moves=Moves(
                joined_offsets([part.moves.offsets for part in parts]),
                np.concatenate([part.moves.moves for part in parts]),
            ),
            plies={name: np.concatenate([part._ply_values(name) for part in parts]) for name in names},
            scores=np.concatenate([part.scores for part in parts]),
            numbers=np.concatenate([part.numbers for part in parts]),
            offsets=np.concatenate([part.offsets for part in parts]),
            start_places=np.concatenate(places),
            start_table=Positions.concatenate([part._start_table for part in parts]),
            errors=errors,
            warnings=warnings,
            rows=_joined_rows([part.rows for part in parts]),
            tags=_joined_lists([part._tags for part in parts]),
            nags=_joined_lists([part.nags for part in parts]),
            comments=_joined_lists([part.comments for part in parts]),
            variations=_joined_lists([part.variations for part in parts]),
            texts=_joined_lists([part._texts for part in parts]),
        )

    @classmethod
    def _none(cls) -> Self:
        none = np.zeros(0, np.int64)
        return cls(
            headers={},
            moves=Moves(np.zeros(1, np.int64), np.zeros(0, np.uint16)),
            plies={},
            scores=none.astype(np.uint8),
            numbers=none,
            offsets=none,
            start_places=none.astype(np.int32),
            start_table=Positions.from_boards([]),
        )

    # Tables.

    def parts(self) -> dict[str, Any]:
        """What it is made of: the arguments of `Games`.

        >>> sorted(read_pgn(b"1. e4 e5 *").parts())[:4]
        ['comments', 'errors', 'headers', 'moves']
        """
        return {
            "headers": self.headers,
            "moves": self._moves,
            "plies": self._plies,
            "scores": self.scores,
            "numbers": self.numbers,
            "offsets": self.offsets,
            "start_places": self.start_places,
            "start_table": self._start_table,
            "errors": self._errors,
            "warnings": self._warnings,
            "tags": self._tags,
            "nags": self.nags,
            "comments": self.comments,
            "variations": self.variations,
            "texts": self._texts,
            "rows": self.rows,
        }

    def to_arrow(self) -> "pyarrow.Table":
        r"""An Arrow table, a row a game, without a copy of what need not be copied.

        Headers have the names and types of the Lichess dataset (``string``, ``int16``, ``date32``, ``time32[s]``);
        ``start`` is a FEN, null for the usual position; ``moves`` is a ``list<uint16>``; ``clocks`` and ``emts``
        (seconds) and ``evals`` (pawns) are ``list<float>`` of the same lengths; ``parse_error`` says what is wrong with
        a game, and ``warnings`` lists what was stepped over in it. Null is what is not there. Errors and warnings of
        games that were left out are metadata of the schema, 10,000 of each at most. pyarrow must be installed.

        >>> games = read_pgn(b'[White "Anna"]\n\n1. e4 {[%clk 0:03:00]} e5 1-0')
        >>> table = games.to_arrow()
        >>> table["White"].to_pylist(), table["clocks"].to_pylist(), Games.from_arrow(table) == games
        (['Anna'], [[180.0, None]], True)
        """
        table = arrow.joined([arrow.to_arrow(chunk.parts()) for chunk in self._chunks()])
        left_out = arrow.LeftOut()
        left_out.add(self._errors, self._warnings)
        return table.replace_schema_metadata(table.schema.metadata | left_out.metadata)

    def _chunks(self) -> list["Games"]:
        """Parts that are each one chunk of an Arrow table."""
        if len(self) < 2 or arrow.fits(self.parts()):
            return [self]
        half = len(self) // 2
        return [*self[:half]._chunks(), *self[half:]._chunks()]

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        return self[:0].to_arrow().schema.__arrow_c_schema__()

    @classmethod
    def from_arrow(cls, table: Any, *, check: bool = True) -> Self:
        r"""The games of an Arrow table that `to_arrow` made, or of anything that hands itself out as one, like a Polars
        data frame: ``moves`` must be there, other columns may be missing; what has another name is a header.

        A missing column or one of a wrong type is a ValueError or a TypeError, and so is a move that is not legal,
        unless `check` is false.

        >>> games = read_pgn(b'[White "Anna"]\n\n1. e4 e5 *')
        >>> type(games).from_arrow(games.to_arrow())["White"].tolist()
        ['Anna']
        """
        check = flag("check", check)
        parts = [cls(**arrow.from_arrow(part)) for part in arrow.chunks_of(table)]
        games = parts[0] if len(parts) == 1 else cls.concatenate(parts)
        found = illegal_move(games._moves, games.starts.columns) if check else None
        if found is not None:
            game, ply = found
            board = board_after(games.board(game), games._moves[game][:ply].tolist())
            move = Move(int(games._moves[game][ply])).uci()
            raise ValueError(f"moves[{game}], half-move {ply + 1}: {move} is not legal in {board.fen()!r}")
        return games

    # One game.

    def board(self, i: int) -> Board:
        r"""The position that game `i` begins from.

        >>> read_pgn(b'[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]\n\n1. Ra8+ *').board(0).board_fen()
        '4k3/8/8/8/8/8/8/R3K3'
        """
        place = int(self.start_places[row_of("i", i, len(self), "games")])
        return Board() if place < 0 else self._start_table[place]

    def _header_text(self, name: str, i: int) -> str | None:
        """Return a header of game `i` as PGN has it, or None."""
        column = self.headers[name]
        return column.text(i) if isinstance(column, Texts) else column.text(name, i)


def _chosen_reports(reports: Sequence[tuple[int, GameError]], index: NDArray[np.int64]) -> _Reports:
    """Errors or warnings of the chosen rows, with their new rows."""
    if not reports:
        return []
    of_rows: dict[int, list[GameError]] = {}
    for row, report in reports:
        of_rows.setdefault(row, []).append(report)
    return [(i, report) for i, row in enumerate(index.tolist()) for report in of_rows.get(row, ())]


def _joined(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else type(parts[0]).joined(parts)


def _joined_rows(parts: list[NDArray[np.int64] | None]) -> NDArray[np.int64] | None:
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if len(known) == len(parts) else None


def _joined_lists(parts: list[Any]) -> Any:
    return None if any(part is None for part in parts) else _joined(parts)


@functools.cache
def _usual() -> PositionArray:
    return Positions.from_boards([Board()])
