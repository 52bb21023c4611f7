"""`read_pgn` and `scan_pgn`: games of files of any size."""

import collections
import contextlib
import enum
import functools
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import is_number, shown
from rookery.games import output
from rookery.games.assemble import Wanted, games_of, headers_of
from rookery.games.blocks import BlockReader, Found
from rookery.games.columns import Numbers, Texts
from rookery.games.cuts import Block, Buffers, next_game, safe_cut, whole_words
from rookery.games.errors import Errors, Fault, GameError, GameErrorException, board_after, place_of
from rookery.games.games import Games
from rookery.games.signs import PAD
from rookery.games.skim import Skimmed, Skimmer
from rookery.games.sources import DamagedFileError, DamagedFileWarning, Stream, check_source, streams_of
from rookery.games.tables import TextColumn, blocks_of, column_of, is_column
from rookery.games.tags import COLUMNS, RESULTS
from rookery.games.values import lines_in
from rookery.games.where import Condition
from rookery.positions.threads import check_threads

T = TypeVar("T")

LONGEST_GAME: Final = 1 << 26  # bytes

_SCORES: Final = {text: score for score, text in enumerate(RESULTS)} | {"1/2": 3}
_AHEAD: Final = 4  # blocks that are ready for threads while their caller is busy with what was read
_LOOKS: Final = 0.1  # seconds between two looks for Ctrl-C


class Begins(enum.IntEnum):
    """What a block begins with, which is not known from its text."""

    WITHIN_LINE = 0
    LINE = 1
    LONG_GAME = 2  # the rest of one that is too long to be read


class Part(NamedTuple):
    """What was read of a block: games, how many lines and bytes they took, and how many games were there; and why the
    file ends with it, if it is damaged.
    """

    games: list[Games]
    lines: int
    size: int
    number: int
    failure: DamagedFileError | None = None


class Read(NamedTuple):
    """Games, where what was not whole begins, how many games were before it, and whether it begins at a line's
    beginning.
    """

    games: list[Games]
    place: int
    number: int
    at_line: bool


def read_pgn(
    source: Any,
    *,
    headers: Iterable[str] | str | None = None,
    clocks: bool = True,
    comments: bool = False,
    nags: bool = False,
    variations: bool = False,
    where: str | None = None,
    moves: bool = True,
    errors: Errors = "keep",
    threads: int = 1,
) -> Games:
    r"""All games of a source, as columns.

    `source` is the path of a file, a list of paths, bytes, or an open file; a file may be packed by zstd, gzip or
    bzip2. Or it is a column of PGN texts (of Arrow, Polars or pandas), or a table with a column ``movetext``: then each
    row is one game, and the other columns are kept.

    `headers` are the names of the columns wanted, those of the Lichess dataset if None; ``"all"`` keeps every header of
    every game besides. `clocks` keeps what programs write in comments (``[%clk]``, ``[%eval]``, ``[%emt]``);
    `comments`, `nags` and `variations` keep these. Without `moves` headers alone are read, and a game is taken to end
    where a line begins with ``[Event``, or after an empty one with any header.

    With `where`, a condition over headers like ``'WhiteElo >= 2000 and TimeControl == "300+3"'``, only games for which
    it holds are read, and the moves of all others passed over. It is written as in Python: names of headers, numbers
    (ratings), dates (``UTCDate >= "2025.05.01"``), texts, comparisons, ``in`` (``WhiteTitle in ("GM", "IM")``,
    ``"Sicilian" in Opening``), ``White.startswith("A")``, ``WhiteTitle is not None``, ``and``, ``or``, ``not``. For a
    header that a game does not have no comparison holds, nor its contrary. Games that are passed over are counted. Of a
    table the names are those of its columns, which say what is a number, and then headers in its texts.

    Every move is checked. Of a game with a fault ``errors="keep"`` keeps the moves before it, ``"skip"`` leaves the
    game out; `Games.errors` tells both. ``"raise"`` raises the first as a ValueError, whose `games` are those before
    it. With `threads` blocks are read side by side, and the order of games is kept.

    Of a file that cannot be read to its end, since it is damaged or cut short, what comes before is read; its last game
    is bad. The last of its errors, of game 0, says what is wrong with the file, and so does a `DamagedFileWarning`.
    With ``errors="raise"`` it is a `DamagedFileError`. A game longer than 64 MiB is bad, and passed over up to a line
    ``[Event`` after an empty one.

    >>> games = read_pgn(b"1. e4 e5 2. Nf3 {[%clk 0:03:00]} 1-0\n\n1. e4 Ke2 *")
    >>> games.plies, games.results, games.clocks[:3]
    (array([3, 1]), array(['1-0', '*'], dtype=object), array([ nan,  nan, 180.], dtype=float32))
    >>> games.errors[0].line, games.errors[0].place, games.errors[0].move
    (3, 'move 1...', 'Ke2')
    >>> read_pgn(b'[WhiteElo "2100"]\n\n1. e4 *\n\n[WhiteElo "1900"]\n\n1. d4 *', where="WhiteElo < 2000").numbers
    array([2])
    """
    wanted = _wanted(headers, clocks, comments, nags, variations, moves)
    checked = _checked(source, errors, threads)
    parts: list[Games] = []
    try:
        parts.extend(_parts(checked, Work(wanted, where, _beside(checked)), errors, threads, threading.Event()))
    except (GameErrorException, DamagedFileError) as error:
        error.games = _all_of(parts, wanted)
        raise
    return _all_of(parts, wanted)


def scan_pgn(
    source: Any,
    *,
    games: int = 10_000,
    headers: Iterable[str] | str | None = None,
    clocks: bool = True,
    comments: bool = False,
    nags: bool = False,
    variations: bool = False,
    where: str | None = None,
    moves: bool = True,
    errors: Errors = "keep",
    threads: int = 1,
) -> "GameScan":
    r"""The games of a source of any size, `games` at a time: an iterator of `Games`, and a context manager.

    No more than some blocks of the source are in memory at once. Everything else is as in `read_pgn`.

    >>> with scan_pgn(b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n", games=2) as scan:
    ...     [len(games) for games in scan]
    [2, 1]
    """
    wanted = _wanted(headers, clocks, comments, nags, variations, moves)
    checked = _checked(source, errors, threads)
    if not is_number(games) or games < 1:
        raise ValueError(f"games: {shown(games)}: expected an int of at least 1")
    return GameScan(checked, int(games), Work(wanted, where, _beside(checked)), errors, threads)


class GameScan(Iterator[Games]):
    """An iterator of `Games`. Closing it, or leaving its ``with`` block, stops its threads and closes its files.

    `failures` are the `DamagedFileError` of files that could not be read to their ends, so far.
    """

    def __init__(self, source: Any, size: int, work: "Work", errors: Errors, threads: int) -> None:
        self.failures = work.failures
        self._stopped = threading.Event()
        self._batches = _batches(_parts(source, work, errors, threads, self._stopped), size)

    def __next__(self) -> Games:
        return next(self._batches)

    def close(self) -> None:
        """Stop reading."""
        self._stopped.set()
        self._batches.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _wanted(headers: Any, clocks: bool, comments: bool, nags: bool, variations: bool, moves: bool) -> Wanted:
    names: tuple[str, ...] = COLUMNS
    every = isinstance(headers, str) and headers == "all"
    if headers is not None and not every:
        if isinstance(headers, str) or not all(isinstance(name, str) for name in headers):
            raise TypeError(f"headers: {shown(headers)}: expected a list of names, 'all' or None")
        names = tuple(headers)
    return Wanted(names, every, bool(clocks), bool(comments), bool(nags), bool(variations), bool(moves))


def _checked(source: Any, errors: Any, threads: Any) -> Any:
    """The source, or its texts if it is a column or a table."""
    if errors not in ("keep", "skip", "raise"):
        raise ValueError(f"errors: {shown(errors)}: expected 'keep', 'skip' or 'raise'")
    check_threads(threads)
    if is_column(source):
        return column_of(source)
    check_source(source)
    return source


def _beside(source: Any) -> dict[str, Numbers | Texts]:
    """The columns beside the texts of a table."""
    return (source.beside or {}) if isinstance(source, TextColumn) else {}


def _all_of(parts: list[Games], wanted: Wanted) -> Games:
    return Games.concatenate(parts) if parts else _no_games(wanted)


def _no_games(wanted: Wanted) -> Games:
    """None, but with columns."""
    text = np.full(PAD + 1, 10, np.uint8)
    reader = BlockReader(wanted.flags)
    reader.begin(text, np.array([[0, 1, 1]], np.int64))
    found = reader.read()
    assert found is not None
    return games_of(found, text, wanted)


def _batches(parts: Iterator[Games], size: int) -> Generator[Games, None, None]:
    """The same games, so many at a time."""
    held: list[Games] = []
    n = 0
    failure = None
    try:
        for part in parts:
            held.append(part)
            n += len(part)
            while n >= size:
                n -= size
                first, rest = _divided(held.pop(), n)
                batch, held = Games.concatenate([*held, first]) if held else first, [rest]
                yield batch
    except (OSError, ValueError) as error:  # what was read comes first
        failure = error
    if n or any(part.errors for part in held):
        yield Games.concatenate(held)
    if failure:
        raise failure


def _divided(games: Games, last: int) -> tuple[Games, Games]:
    """All games but so many, and those."""
    if not last:
        return games, games[:0]
    first = games[:-last]
    # Games left out are of no slice.
    first._errors = (*(told for told in games._errors if told[0] < 0), *first._errors)
    return first, games[-last:]


# Blocks to games.


class Work:
    """Reads blocks, each thread with arrays of its own."""

    def __init__(self, wanted: Wanted, where: str | None, beside: dict[str, Numbers | Texts]) -> None:
        self.wanted = wanted
        self.where = None if where is None else Condition(where, beside)
        self.beside = beside  # of a table: by its rows
        self.failures: list[DamagedFileError] = []
        self.buffers = Buffers()
        self._own = threading.local()

    def _read_block(self, block: Block, stop: int, final: bool, at_line: bool) -> "Read":
        """The games of a block that are wanted: if headers say so, without a look at the moves of others."""
        if self.where and at_line and not self.where.holds_without_headers:
            if not hasattr(self._own, "skimmer"):
                self._own.skimmer = Skimmer(self.where.names)
            skimmed = self._own.skimmer.skim(block.text, stop, final)
            if skimmed.stop:
                return self._read_some(block, skimmed)
        return self._read(block, np.array([[0, stop, final]], np.int64), at_line)

    def _reader(self) -> BlockReader:
        reader = getattr(self._own, "reader", None)
        if reader is None:
            reader = self._own.reader = BlockReader(self.wanted.flags)
        return reader

    def _read(self, block: Block, ranges: NDArray[np.int64], at_line: bool) -> "Read":
        """The games of stretches of a block that are wanted."""
        reader = self._reader()
        reader.begin(block.text, ranges, at_line)
        parts, place, n = [], 0, 0
        last = before = 0  # the stretch that was read last, and how many of its games
        while (found := reader.read()) is not None:
            of_range = found.games[:, output.OF_RANGE]
            numbers = np.arange(1, of_range.size + 1) - np.searchsorted(of_range, of_range)
            numbers[of_range == last] += before
            if numbers.size:
                last, before = int(of_range[-1]), int(numbers[-1])
            parts.append(self._kept(found, block, numbers))
            n += len(found.games)
            place = found.place
        return Read(parts, place, n, reader.at_line)

    def _kept(self, found: Found, block: Block, numbers: NDArray[np.int64]) -> Games:
        """The games that are wanted, with their numbers in their stretches."""
        games = games_of(found, block.text, self.wanted)
        games.numbers = numbers
        if self.where is None:
            return games
        of_rows = block.row + found.games[:, output.OF_RANGE]
        beside = {name: self.beside[name].chosen(of_rows) for name in self.where.names if name in self.beside}
        names = tuple(name for name in self.where.names if name not in beside)
        mask = self.where.mask(headers_of(found, block.text, names) | beside, len(games))
        return games if mask.all() else games[mask]

    def _read_some(self, block: Block, skimmed: Skimmed) -> "Read":
        """The same of those stretches alone whose headers are such, or do not tell enough."""
        assert self.where
        columns = headers_of(skimmed.found, block.text, self.where.names)
        chosen = np.flatnonzero(self.where.mask(columns, len(skimmed.plain)) | ~skimmed.plain)
        ranges = np.ones((chosen.size, 3), np.int64)
        ranges[:, :2] = skimmed.stretches[chosen]
        games_in = np.ones(len(skimmed.plain), np.int64)  # each has one, as far as it is not read
        games_in[chosen] = 0
        found_parts = []
        reader = self._reader()
        if chosen.size:
            reader.begin(block.text, ranges)
            while (found := reader.read()) is not None:
                of_stretch = chosen[found.games[:, output.OF_RANGE]]
                np.add.at(games_in, of_stretch, 1)
                found_parts.append((self._kept_later(found, block), of_stretch))
        before = np.cumsum(games_in) - games_in
        parts = []
        seen = np.zeros_like(games_in)
        for (games, mask), of_stretch in found_parts:
            numbers = np.empty(of_stretch.size, np.int64)
            for i, k in enumerate(of_stretch.tolist()):
                seen[k] += 1
                numbers[i] = before[k] + seen[k]
            games.numbers = numbers[mask]
            _placed_in_block(games, block, skimmed.stretches[of_stretch[mask], 0])
            parts.append(games)
        return Read(parts, skimmed.stop, int(games_in.sum()), True)

    def _kept_later(self, found: Found, block: Block) -> tuple[Games, NDArray[np.bool_]]:
        assert self.where
        mask = self.where.mask(headers_of(found, block.text, self.where.names), len(found.games))
        return games_of(found, block.text, self.wanted)[mask], mask

    def texts(self, block: Block, ranges: NDArray[np.int64]) -> list[Games]:
        """The games of several texts in a block."""
        games = self._read(block, ranges, True).games
        self.buffers.give_back(block)
        return games

    def part(self, block: Block, stop: int) -> Part:
        """All games of a block up to `stop`."""
        read = self._read_block(block, stop, True, True)
        part = Part(read.games, int(lines_in(block.text, 0, stop)), stop, read.number)
        self.buffers.give_back(block)
        return part

    def leading_part(self, block: Block, ended: bool, begins: Begins) -> tuple[Part, Begins]:
        """The games of a block that are whole, and what begins behind them."""
        games: list[Games] = []
        number = 0
        if begins == Begins.LONG_GAME:
            place, found = next_game(block.text, block.stop, ended)
            begins = Begins.LINE if found else Begins.LONG_GAME
        else:
            at_line = begins == Begins.LINE
            games, place, number, following = self._read_block(block, block.stop, ended, at_line)
            begins = Begins(following)
            if ended:
                place = block.stop
            elif not place and block.stop >= LONGEST_GAME:
                reason = f"longer than {LONGEST_GAME:,} bytes: passed over up to the next line [Event"
                cut = self._cut_game(block, at_line, reason, from_its_end=False)
                if cut.number < 2:  # else the first one was nearly whole, and will be
                    games, number, place, begins = cut.games, cut.number, cut.place, Begins.LONG_GAME
        return Part(games, int(lines_in(block.text, 0, place)), place, number), begins

    def broken_part(self, block: Block, begins: Begins, failure: DamagedFileError) -> Part:
        """What is left of a file that cannot be read to its end."""
        games: list[Games] = []
        number = 0
        if begins != Begins.LONG_GAME:
            games, _, number, _ = self._cut_game(block, begins == Begins.LINE, "the file ends here", from_its_end=True)
        return Part(games, int(lines_in(block.text, 0, block.stop)), block.stop, number, failure)

    def _cut_game(self, block: Block, at_line: bool, reason: str, *, from_its_end: bool) -> "Read":
        """All games of a block, the last of which is bad, since nobody knows how it goes on."""
        read = self._read_block(block, whole_words(block.text, block.stop), True, at_line)
        games = next((games for games in reversed(read.games) if len(games)), None)
        if games is not None and games.numbers[-1] == read.number:
            row = len(games) - 1
            told = dict(games._errors).get(row)
            if told is None:
                place = block.stop if from_its_end else int(games.offsets[row])
                board = board_after(games.board(row), games.moves[row].tolist())
                where = place_of(Fault(0, "", "", "", bool(games.plies[row])), board)
                error = GameError("", read.number, 1 + int(lines_in(block.text, 0, place)), place, where, "", reason)
                games._errors = (*games._errors, (row, error))
            else:
                games._errors = (*games._errors[:-1], (row, told._replace(reason=f"{told.reason}; {reason}")))
        return read._replace(place=block.stop)


def _parts(source: Any, work: Work, errors: Errors, threads: int, stopped: threading.Event) -> Iterator[Games]:
    """The games of all files, block by block, in order."""
    if isinstance(source, TextColumn):
        yield from _of_column(source, work, errors, threads)
        return
    try:
        with contextlib.closing(streams_of(source, stopped)) as streams:
            for stream in streams:
                yield from _of_stream(stream, work, errors, threads)
    finally:
        stopped.set()


def _of_stream(stream: Stream, work: Work, errors: Errors, threads: int) -> Iterator[Games]:
    number = lines = offset = 0
    read = _parts_read(stream, work) if threads == 1 else _parts_threaded(stream, work, threads)
    for part in read:
        if part.failure is not None and errors == "raise":
            raise part.failure
        for games in part.games:
            _placed(games, number, lines, offset, stream.name)
            yield _judged(games, errors)
        number += part.number
        lines += part.lines
        offset += part.size
        if part.failure is not None:
            work.failures.append(part.failure)
            warnings.warn(DamagedFileWarning(str(part.failure)), stacklevel=2)
            none = _no_games(work.wanted)
            none._errors = ((-1, GameError(stream.name, 0, lines + 1, offset, "", "", part.failure.reason)),)
            yield none


def _of_column(column: TextColumn, work: Work, errors: Errors, threads: int) -> Iterator[Games]:
    """The games of texts, each read for itself."""
    if column.beside is not None:
        kept = tuple(name for name in work.wanted.headers if name not in column.beside and name != "Result")
        work.wanted = work.wanted._replace(headers=kept, one_each=True)
    work.wanted = work.wanted._replace(rows=True)
    if work.where is not None and work.beside.keys() >= set(work.where.names):  # known before anything is read
        column = column.chosen(np.flatnonzero(work.where.mask(work.beside, column.texts.size)))
        work.where = None
    if not column.texts.size:
        none = _no_games(work.wanted._replace(one_each=False))
        _placed_in_rows(none, 0, column)
        yield none
    waiting: collections.deque[tuple[int, Future[list[Games]]]] = collections.deque()
    pool = ThreadPoolExecutor(threads, "rookery-games")

    def next_ones() -> Iterator[Games]:
        row, future = waiting.popleft()
        for games in _result(future):
            _placed_in_rows(games, row, column)
            yield _judged(games, errors)

    try:
        for block, ranges in blocks_of(column.texts, work.buffers):
            waiting.append((block.row, pool.submit(work.texts, block, ranges)))
            while len(waiting) > threads + 1:
                yield from next_ones()
        while waiting:
            yield from next_ones()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _placed_in_rows(games: Games, row: int, column: TextColumn) -> None:
    """Name rows of the column, not of the block; and put the columns beside it to the games."""
    assert games.rows is not None
    places = games.rows + row
    games.rows = column.rows[places]
    told = []
    for i, e in games._errors:
        before, lines = column.skipped[places[i]].tolist()
        where = {"line": max(e.line - lines, 1), "offset": max(e.offset - before, 0)}
        told.append((i, e._replace(file=f"row {games.rows[i]}", game=int(games.numbers[i]), **where)))
    games._errors = tuple(told)
    if column.beside is not None:
        games.numbers = games.rows + 1
        beside = {name: values.chosen(places) for name, values in column.beside.items() if name != "Result"}
        games.headers = {**beside, **games.headers}
        result = column.beside.get("Result")
        if isinstance(result, Texts):
            scores = np.array([_SCORES.get(text or "*", 0) for text in result.chosen(places)], np.uint8)
            games.scores = np.where(games.scores == 0, scores, games.scores)


def _placed_in_block(games: Games, block: Block, begins: NDArray[np.int64]) -> None:
    """Count lines and bytes of errors from the block's beginning, not from those of the games' stretches."""
    told, lines, place = [], 0, 0
    for row, e in games._errors:
        begin = int(begins[row])
        lines += int(lines_in(block.text, place, begin))
        place = begin
        told.append((row, e._replace(line=e.line + lines, offset=e.offset + begin)))
    games._errors = tuple(told)


def _placed(games: Games, number: int, lines: int, offset: int, file: str) -> None:
    """Count games, lines and bytes from the file's beginning, not the block's."""
    games.numbers += number
    games.offsets += offset
    games._errors = tuple(
        (row, e._replace(file=file, game=int(games.numbers[row]), line=e.line + lines, offset=e.offset + offset))
        for row, e in games._errors
    )


def _judged(games: Games, errors: Errors) -> Games:
    """The games to keep."""
    if errors == "raise" and games._errors:
        raise GameErrorException(games._errors[0][1])
    if errors == "skip" and games._errors:
        left_out: list[tuple[int, GameError]] = [(-1, error) for _, error in games._errors]
        games = games[~games.is_bad]
        games._errors = tuple(left_out)
    return games


def _parts_read(stream: Stream, work: Work) -> Iterator[Part]:
    """One block after the other: what is left of one begins the next."""
    block, begins, failure, ended, done = work.buffers.block(), Begins.LINE, None, False, False
    while not done:
        if not ended:
            ended, failure = _filled(block, stream)
        part, begins = work.leading_part(block, ended and not failure, begins)
        done = ended and (bool(failure) or part.size == block.stop)
        rest = work.buffers.rest(block, part.size)
        work.buffers.give_back(block)
        block = rest
        yield part
    if failure:
        yield work.broken_part(block, begins, failure)
    work.buffers.give_back(block)


def _filled(block: Block, stream: Stream) -> tuple[bool, DamagedFileError | None]:
    """Fill a block up; returns whether the stream has ended, and why if that is not the file's end."""
    try:
        return block.fill(stream.fill), None
    except DamagedFileError as error:
        return True, error
    except OSError as error:
        failure = DamagedFileError(stream.name or "the file", str(error))
        failure.__cause__ = error
        return True, failure


def _parts_threaded(stream: Stream, work: Work, threads: int) -> Iterator[Part]:
    """Blocks side by side, given out in order. Where none can be cut safely, they are read here, as above."""
    block, begins, failure, ended, done = work.buffers.block(), Begins.LINE, None, False, False
    waiting: collections.deque[Callable[[], Part]] = collections.deque()
    pool = ThreadPoolExecutor(threads, "rookery-games")
    try:
        while not done:
            if not ended:
                ended, failure = _filled(block, stream)
            whole = ended and not failure
            cut = block.stop if whole else safe_cut(block.text, block.stop)
            if cut and begins == Begins.LINE:
                rest = work.buffers.rest(block, cut)
                waiting.append(functools.partial(_result, pool.submit(work.part, block, cut)))
            else:
                part, begins = work.leading_part(block, whole, begins)
                cut = part.size
                rest = work.buffers.rest(block, cut)
                waiting.append(functools.partial(_itself, part))
            done = ended and (bool(failure) or cut == block.stop)
            block = rest
            while len(waiting) > threads + _AHEAD:
                yield waiting.popleft()()
        while waiting:
            yield waiting.popleft()()
        if failure:
            yield work.broken_part(block, begins, failure)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _itself(part: Part) -> Part:
    return part


def _result(part: Future[T]) -> T:
    # A signal that comes just before Python begins to wait is not seen until the wait is over.
    while not part.done():
        wait([part], timeout=_LOOKS)
    return part.result()


__all__ = ["GameScan", "read_pgn", "scan_pgn"]
