"""`read_pgn` and `scan_pgn`: games of files of any size."""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from rookery.aliases import PgnErrors
from rookery.arguments import count, shown
from rookery.games.errors import GameErrorException
from rookery.games.games import Games
from rookery.games.interchange.text_columns import TextColumn, column_of, is_column
from rookery.games.read.build import Wanted
from rookery.games.read.options import ReadOptions
from rookery.games.read.schedule import results_of
from rookery.games.read.worker import Work
from rookery.lazy_imports import modules_later
from rookery.sources.failures import DamagedFileError, NotGamesError
from rookery.sources.streams import Counted, check_source

if TYPE_CHECKING:
    from rookery.games.interchange import selection, table_files
else:
    selection, table_files = modules_later("rookery.games.interchange", "selection table_files")


R = TypeVar("R")


def read_pgn(
    source: Any,
    *,
    headers: Iterable[str] | str | None = None,
    clocks: bool = True,
    comments: bool = True,
    nags: bool = True,
    variations: bool = True,
    where: str | None = None,
    moves: bool = True,
    texts: bool = False,
    encoding: str | None = None,
    letters: str | None = None,
    names: Any = None,
    errors: PgnErrors = "keep",
    strict: bool = False,
    threads: int = 1,
) -> Games:
    r"""Read all games of a source as columns.

    `source` is the path of a file, a pattern like ``"games/*.pgn"``, bytes, an open file, or a list of these. A file
    may be packed by zstd, gzip, bzip2, xz or zip, be in UTF-16 or UTF-32, be a table of games in Parquet or Arrow, or
    be JSON of Lichess or chess.com, whose records become PGN: one game each, so that a bad record has its number.
    Anything else raises a `NotGamesError`, which is a ValueError. `source` may also be a column of PGN texts (of Arrow,
    Polars or pandas), or a table with a column ``movetext``: then each row is one game, and the other columns are kept.

    By default everything in a game is kept. The seven-tag roster and the other headers of the Lichess dataset are
    columns; `Games.tags` holds the headers that have no column. `headers` names other columns, and only these are read;
    a name that is not usual and that no game has is an error at the end. `clocks` reads the values that programs write
    in comments (``[%clk]``, ``[%eval]``, ``[%emt]``, scores of engine matches) into columns; `comments` keeps the
    comments that hold more than such values; `nags` and `variations` keep annotation glyphs and variations. `texts`
    also keeps the PGN of each game byte for byte, and `write_pgn` then writes it. Without `moves`, only headers are
    read, and a game ends before a line that begins with ``[Event``, or before any header after an empty line.

    Text is read as UTF-8; bytes that are not valid UTF-8 are read as Windows-1252. `encoding`, such as ``"cp1251"``,
    names another encoding; a byte order mark overrides it. Bytes that encode no character in it become U+FFFD, and
    offsets and `texts` refer to the text in UTF-8. Threads and tasks cannot divide such a file. `letters` names the
    language whose letters stand for pieces, as ``"german"`` for ``Sf3``, or gives the letters of king, queen, rook,
    bishop and knight, as ``"KDTLS"``; figurines are always read. A letter that the language does not use has its
    English meaning.

    `names` are names of openings by position: the path of a file in the format of Lichess' chess-openings, or what
    `read_opening_names` reads. A game without the header ``ECO`` or ``Opening`` then has that of its deepest position
    in the file, by whatever order of moves, also in `where`.

    `where` is a condition on headers, like ``'WhiteElo >= 2000 and TimeControl == "300+3"'``. Only games for which it
    is true are read; the moves of all others are skipped. The syntax is Python's: names of headers, numbers,
    ``+ - * / // %``, ``abs``, ``min``, ``max``, ``plies`` (half-moves), dates (``UTCDate >= 2025-05-01``), texts,
    comparisons, ``in`` (``WhiteTitle in ("GM", "IM")``, ``"Sicilian" in Opening``), ``White.startswith("A")``,
    ``endswith``, ``lower()``, ``WhiteTitle is not None``, ``and``, ``or``, ``not``. A comparison with a header that a
    game does not have is neither true nor false. A header that no game has is an error at the end, unless it is one of
    the PGN standard or of a well-known site. Skipped games are counted. In a table, a name is a column of the table,
    or else a header in its texts.

    Every move is checked. Annotations that are not PGN, like ``+/-`` and ``Qxf7ch``, and stray braces are skipped, and
    `Games.warnings` lists them; with `strict` they are faults. If a game has a fault, ``errors="keep"`` keeps the moves
    before it, and ``"skip"`` leaves the game out; `Games.errors` lists both. ``"raise"`` raises the first fault as a
    ValueError whose `games` are the games before it. With several `threads`, blocks are read in parallel, and the order
    of games is kept.

    If a file is damaged or cut short, the games before the damage are read, and the last of them is bad. A plain file
    is cut short if it ends within a comment or a header, or if its last game has no result although its headers or the
    game before it have one. The last error of such a file, with game number 0, says what is wrong with the file, and so
    does a `DamagedFileWarning`; ``errors="raise"`` raises a `DamagedFileError`. A game longer than 64 MiB is bad, and
    is skipped up to a line ``[Event`` after an empty line.

    >>> games = read_pgn(b"1. e4 e5 2. Nf3 {[%clk 0:03:00]} 1-0\n\n1. e4 Ke2 *")
    >>> games.plies, games.results, games.clocks[:3]
    (array([3, 1]), array(['1-0', '*'], dtype=object), array([ nan,  nan, 180.], dtype=float32))
    >>> games.errors[0].line, games.errors[0].place, games.errors[0].move
    (3, 'move 1...', 'Ke2')
    >>> read_pgn(b'[WhiteElo "2100"]\n\n1. e4 *\n\n[WhiteElo "1900"]\n\n1. d4 *', where="WhiteElo < 2000").numbers
    array([2])
    """
    options = ReadOptions.among(locals())
    checked = checked_source(source)
    work = work_of(checked, options)
    parts: list[Games] = []
    try:
        parts.extend(games for games, _ in results_of(checked, work, threading.Event()))
    except (GameErrorException, DamagedFileError, NotGamesError) as error:
        error.games = work.all_of(parts)
        raise
    return work.all_of(parts)


def scan_pgn(
    source: Any,
    *,
    games: int = 10_000,
    headers: Iterable[str] | str | None = None,
    clocks: bool = True,
    comments: bool = True,
    nags: bool = True,
    variations: bool = True,
    where: str | None = None,
    moves: bool = True,
    texts: bool = False,
    encoding: str | None = None,
    letters: str | None = None,
    names: Any = None,
    errors: PgnErrors = "keep",
    strict: bool = False,
    threads: int = 1,
) -> "GameScan":
    r"""Read a source of any size in batches of `games` games: an iterator of `Games`, and a context manager.

    Only a few blocks of the source are in memory at once. Everything else is as in `read_pgn`.

    >>> with scan_pgn(b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n", games=2) as scan:
    ...     [len(games) for games in scan]
    [2, 1]
    """
    options = ReadOptions.among(locals())
    return scan_with(source, options, games)


def scan_with(source: Any, options: ReadOptions, games: int = 10_000) -> "GameScan":
    """Read a source in batches, as `scan_pgn` does."""
    checked = checked_source(source)
    return GameScan(checked, count("games", games, 1), work_of(checked, options))


class GameScan(Iterator[Games]):
    """An iterator of `Games`. Closing it, or leaving its ``with`` block, stops its threads and closes its files.

    `failures` are the `DamagedFileError` of files that could not be read to their ends, so far.
    """

    counted: Counted  # bytes, games and lines so far

    def __init__(self, source: Any, size: int, work: "Work") -> None:
        self.failures = work.failures
        self._work = work
        self.counted = work.counted
        self._stopped = threading.Event()
        self._results = results_of(source, work, self._stopped)
        self._batches = in_batches((games for games, _ in self._results), size)

    @property
    def bytes_read(self) -> int:
        """Return the number of bytes read from the source so far, as they are stored."""
        return self.counted.read

    @property
    def bytes_unpacked(self) -> int:
        """Return the number of bytes read so far after unpacking; for a table, its bytes in memory."""
        return self.counted.unpacked

    @property
    def idle_threads(self) -> int:
        """Return the number of threads that have nothing left to read, so that others may use as many."""
        return self._work.idle_threads()

    def only_possible(self, possible: "selection.Possible") -> Self:
        r"""Leave out games of Parquet files whose stored summaries rule them out, and return the scan.

        `possible` takes the `Summaries` of some games and returns a boolean array, False for those to leave out. Games
        of other sources have no stored summaries, so `possible` is not called for them, and they are kept.

        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "games.parquet"
        >>> import rookery
        >>> _ = rookery.write_parquet(read_pgn(b"1. e4 e5 *\n\n1. d4 d5 2. c4 *"), path)
        >>> with scan_pgn(path).only_possible(lambda summaries: summaries.plies > 2) as scan:
        ...     [games.numbers.tolist() for games in scan]
        [[2]]
        """
        if not callable(possible):
            raise TypeError(f"possible: {shown(possible)}: expected a function of summaries")
        self._work.possible = possible
        return self

    def only_requested(self, names: Iterable[str]) -> Self:
        """Refuse at the end only those of some names that no game has, although more headers are read."""
        self._work.requested.drop(self._work.requested.names.difference(names))
        return self

    def results(self, each: Callable[[Games], R]) -> Iterator[tuple[Games, R | None]]:
        r"""Call a function of some games in the thread that reads them; yield these and the result, in order.

        The function sees numbers of games, lines and offsets that count from the beginning of a block; those of the
        games that are yielded count from the beginning of the file. The result is None where games have only the error
        of a file. Bad games must be kept.

        >>> with scan_pgn(b"1. e4 *\n\n1. d4 d5 *\n") as scan:
        ...     [longest for games, longest in scan.results(lambda games: games.plies.max().item())]
        [2]
        """
        if (errors := self._work.wanted.errors) != "keep":
            raise ValueError(f"errors: {errors!r}: expected 'keep', since results are those of all games")
        if not callable(each):
            raise TypeError(f"each: {shown(each)}: expected a function of games")
        self._work.each = each
        return self._results

    def without_warnings(self) -> Self:
        """Report damaged files in `failures` alone: a filter of warnings would hold for all threads."""
        self._work.warns = False
        return self

    def __next__(self) -> Games:
        return next(self._batches)

    def close(self) -> None:
        """Stop reading."""
        self._stopped.set()
        self._batches.close()
        self._results.close()
        self._work.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def checked_source(source: Any) -> Any:
    """Return the files of a source, or its texts if it is a column or a table."""
    return column_of(source) if is_column(source) else check_source(source)


def work_of(source: Any, options: ReadOptions) -> Work:
    """Return the work that reads a source, which is checked. A condition that cannot be met is an error."""
    wanted = Wanted.of(options)
    if isinstance(source, TextColumn):
        return Work(wanted, source.row_headers or {})
    return Work(wanted, {}, table_files.kinds_in(source) if wanted.where is not None else None)


def in_batches(parts: Iterator[Games], size: int) -> Generator[Games, None, None]:
    """Yield the same games in batches of this size."""
    held: list[Games] = []
    n = 0
    failure = None
    try:
        for part in parts:
            held.append(part)
            n += len(part)
            while n >= size:
                n -= size
                batch, held = _parted(held, n)
                yield batch
    except (OSError, ValueError) as error:  # what was read comes first
        failure = error
    if n or any(part.errors for part in held):
        yield Games.concatenate(held)
    if failure:
        raise failure


def _parted(held: list[Games], n: int) -> tuple[Games, list[Games]]:
    """Split off the last `n` games, which all belong to the last part. Return the others as one array, and these."""
    *whole, last = held
    first, rest = last, []
    if n:
        first, rest = last[:-n], [last[-n:]]
        # No slice has the reports of games that were left out.
        columns = first.columns
        errors = columns.errors.after(last.columns.errors.left_out)
        warnings = columns.warnings.after(last.columns.warnings.left_out)
        first = Games._of_columns(columns.replace(errors=errors, warnings=warnings))
    return Games.concatenate([*whole, first]) if whole else first, rest


__all__ = ["GameScan", "read_pgn", "scan_pgn"]
