"""The games of a source, part after part and in order: of files block by block, in threads or not, or of a column."""

import collections
import contextlib
import functools
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Final, TypeVar

import numpy as np

from rookery.arguments import threads_to_start
from rookery.games.columns import Texts
from rookery.games.errors import GameError, GameErrorException
from rookery.games.game_columns import Reports
from rookery.games.games import Games
from rookery.games.interchange.table_files import (
    ColumnChoice,
    batches_of,
    chosen_headers,
    games_in,
    games_of_table,
)
from rookery.games.interchange.text_columns import TextColumn, blocks_of, column_of
from rookery.games.read.blocks import Block, ends_with_result, safe_cut
from rookery.games.read.worker import Begins, Part, Work, no_games
from rookery.games.scan.tags import RESULTS
from rookery.games.sources.failures import DamagedFileError, DamagedFileWarning
from rookery.games.sources.streams import Stream, TableFile, streams_of
from rookery.typing import PgnErrors

T = TypeVar("T")

_SCORES: Final = {text: score for score, text in enumerate(RESULTS)} | {"1/2": 3}
_AHEAD: Final = 4  # blocks that are ready for threads while their caller is busy with what was read
_LOOKS: Final = 0.1  # seconds between two looks for Ctrl-C


def parts_of(source: Any, work: Work, errors: PgnErrors, threads: int, stopped: threading.Event) -> Iterator[Games]:
    """Yield the games of all files, block by block, in order; `source` is a list of files or a column."""
    threads = threads_to_start(threads)
    if isinstance(source, TextColumn):
        with _pool(threads) as pool:
            yield from _of_column(source, work, errors, threads, pool)
        work.check_names()
        return
    try:
        with contextlib.closing(streams_of(source, stopped, work.counted)) as streams:
            for stream in streams:
                if isinstance(stream, TableFile):
                    yield from _of_table(stream, work, errors, threads)
                else:
                    work.where = work.condition_of_streams()
                    yield from _of_stream(stream, work, errors, threads)
    finally:
        stopped.set()
    work.check_names()


@contextlib.contextmanager
def _pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that read texts."""
    pool = ThreadPoolExecutor(threads, "rookery-games")
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _of_stream(stream: Stream, work: Work, errors: PgnErrors, threads: int) -> Iterator[Games]:
    number = lines = offset = 0
    read = _parts_read(stream, work) if threads == 1 else _parts_threaded(stream, work, threads)
    held: Games | None = None  # if texts are kept: blank lines may follow the last one
    for part in read:
        if part.failure is not None and errors == "raise":
            if held is not None:
                yield held
            for games in part.games:
                placed = _placed(games, number, lines, offset, stream.name)
                yield placed[~placed.is_bad]
            raise part.failure
        if held is not None and part.tail and len(held) and held.numbers[-1] == number:
            held = Games(held.columns.with_more_text(part.tail))
        for games in part.games:
            if held is not None:
                if not len(games):
                    continue
                yield held
            held = judged(_placed(games, number, lines, offset, stream.name), errors)
            if not work.wanted.texts:
                yield held
                held = None
        number += part.number
        lines += part.lines
        offset += part.size
        work.counted.games += part.number
        work.counted.lines += part.lines
        work.counted.bytes_of_pgn += part.size
        if part.failure is not None:
            if held is not None:
                yield held
            error = GameError(stream.name, 0, lines + 1, offset, "", "", part.failure.reason)
            held = _noted(part.failure, error, no_games(work.wanted), work)
    if held is not None:
        yield held


def _noted(failure: DamagedFileError, error: GameError, none: Games, work: Work) -> Games:
    """Warn of a file that is damaged, and return no games but its error."""
    work.failures.append(failure)
    if work.warns:
        warnings.warn(DamagedFileWarning(str(failure)), stacklevel=2)
    return Games(none.columns.replace(errors=Reports(0, ((-1, error),))))


def _of_table(table: TableFile, work: Work, errors: PgnErrors, threads: int) -> Iterator[Games]:
    """Yield the games of a Parquet or Arrow file, some rows at a time."""
    own = Work(work.wanted, None, {})  # its rows are read one by one
    names = work.where.names if work.where is not None else ()
    columns = ColumnChoice(table, work.wanted, names, work.condition, work.possible)
    none, rows, condition = None, table.rows_before, None
    try:
        with _pool(threads) as pool:
            for batch, are_legal in batches_of(table, columns, work.counted):
                if columns.selection is not None:
                    whole = games_of_table(batch, table.name, check=not are_legal)
                    games = judged(games_in(whole, work.wanted, columns.selection.condition), errors)
                    none = games[:0]
                    yield games
                    continue
                column = column_of(batch)
                column = column._replace(rows=column.rows + rows)
                rows += batch.num_rows
                own.wanted, own.row_headers = work.wanted, column.row_headers or {}
                condition = own.where = condition or work.condition(own.row_headers)
                for games in _of_column(column, own, errors, threads, pool, table.name):
                    none = games[:0]
                    yield games
    except DamagedFileError as failure:
        if errors == "raise":
            raise
        error = GameError(table.name, 0, 1, 0, "", "", failure.reason)
        yield _noted(failure, error, no_games(work.wanted) if none is None else none, work)


def _of_column(
    column: TextColumn, work: Work, errors: PgnErrors, threads: int, pool: ThreadPoolExecutor, file: str = ""
) -> Iterator[Games]:
    """Yield the games of texts, each read by itself; `file` is the name of their table, if they have one."""
    named = chosen_headers(work.wanted) if file else None
    if column.row_headers is not None:
        kept = tuple(name for name in work.wanted.headers if name not in column.row_headers and name != "Result")
        work.wanted = work.wanted._replace(headers=kept, one_each=True)
    work.wanted = work.wanted._replace(rows=True)
    if work.where is not None and work.row_headers.keys() >= set(work.where.names):  # known before anything is read
        column = column.chosen(np.flatnonzero(work.where.mask(work.row_headers, column.texts.size)))
        work.row_headers = column.row_headers or {}
        if not work.where.of_moves:
            work.where = None
    if not column.texts.size:
        none = _placed_in_rows(no_games(work.wanted._replace(one_each=False)), 0, column)
        yield _of_file(none, file, named)
    waiting: collections.deque[tuple[int, Future[list[Games]]]] = collections.deque()

    def next_ones() -> Iterator[Games]:
        row, future = waiting.popleft()
        for games in _result(future):
            yield judged(_of_file(_placed_in_rows(games, row, column), file, named), errors)

    for block, ranges in blocks_of(column.texts, work.buffers):
        waiting.append((block.row, pool.submit(work.texts, block, ranges)))
        while len(waiting) > threads + 1:
            yield from next_ones()
    while waiting:
        yield from next_ones()


def _placed_in_rows(games: Games, row: int, column: TextColumn) -> Games:
    """Name rows of the column instead of rows of the block, and add the other columns of its table to the games."""
    assert games.rows is not None
    places = games.rows + row
    rows, numbers = column.rows[places], games.numbers

    def relabelled(i: int, e: GameError) -> GameError:
        before, lines = column.skipped[places[i]].tolist()
        where = {"line": max(e.line - lines, 1), "offset": max(e.offset - before, 0)}
        return e._replace(file=f"row {rows[i]}", game=int(numbers[i]), **where)

    columns = games.columns.with_reports(relabelled).replace(rows=rows)
    if column.row_headers is not None:
        row_headers = {name: values.chosen(places) for name, values in column.row_headers.items() if name != "Result"}
        columns = columns.replace(numbers=rows + 1, headers={**row_headers, **columns.headers})
        result = column.row_headers.get("Result")
        if isinstance(result, Texts):
            scores = np.array([_SCORES.get(text or "*", 0) for text in result.chosen(places)], np.uint8)
            columns = columns.replace(scores=np.where(columns.scores == 0, scores, columns.scores))
    return Games(columns)


def _of_file(games: Games, file: str, named: tuple[str, ...] | None) -> Games:
    """Return the same games for a table that is a file: its rows are its games, with the named columns only."""
    if not file:
        return games
    rows, headers = games.rows, games.headers
    assert rows is not None
    if named is not None:
        headers = {name: headers[name] for name in named if name in headers}
    columns = games.columns.with_reports(lambda i, e: e._replace(file=file, game=int(rows[i]) + 1))
    return Games(columns.replace(rows=None, headers=headers))


def _placed(games: Games, number: int, lines: int, offset: int, file: str) -> Games:
    """Count games, lines and bytes from the file's beginning, not the block's."""
    numbers = games.numbers + number
    columns = games.columns.with_reports(
        lambda row, e: e._replace(file=file, game=int(numbers[row]), line=e.line + lines, offset=e.offset + offset)
    )
    return Games(columns.replace(numbers=numbers, offsets=games.offsets + offset))


def judged(games: Games, errors: PgnErrors) -> Games:
    """Return the games to keep."""
    if errors == "keep" or not games.errors:
        return games
    if errors == "raise":
        raise GameErrorException(games.errors[0])
    bad = games.is_bad
    kept = games.columns.chosen(np.flatnonzero(~bad))
    left_out = [(-1, warning) for row, warning in games.columns.warnings.items if row < 0 or bad[row]]
    left_out_errors = [(-1, error) for error in games.errors]
    return Games(kept.replace(errors=Reports(len(kept)).after(left_out_errors), warnings=kept.warnings.after(left_out)))


def _parts_read(stream: Stream, work: Work) -> Iterator[Part]:
    """One block after the other: what is left of one begins the next."""
    block, begins, failure, ended, done = work.buffers.block(), Begins.LINE, None, False, False
    marked = stream.after_result
    while not done:
        if not ended:
            ended, failure = _filled(block, stream)
        part, begins, failure = _leading(block, stream, work, begins, ended, failure, marked)
        marked = ends_with_result(block.text, part.size) if part.number else marked
        done = ended and (bool(failure) or part.size == block.stop)
        rest = work.buffers.rest(block, part.size)
        work.buffers.give_back(block)
        block = rest
        yield part
    if failure:
        yield work.broken_part(block, begins, failure)
    work.buffers.give_back(block)


def _leading(
    block: Block,
    stream: Stream,
    work: Work,
    begins: Begins,
    ended: bool,
    failure: DamagedFileError | None,
    marked: bool,
) -> tuple[Part, Begins, DamagedFileError | None]:
    """Return the complete games of a block, the bytes after them, and why the stream ends.

    The reason is empty if the stream ends with its file.
    """
    part, following = work.leading_part(block, ended and not failure, begins)
    if ended and not failure and stream.is_file and (reason := work.cut_short(block, part.last, marked)):
        failure = DamagedFileError(stream.name or "the file", reason)
        part, following = work.leading_part(block, False, begins)
    return part, following, failure


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
    marked = stream.after_result
    pool = ThreadPoolExecutor(threads, "rookery-games")
    try:
        while not done:
            if not ended:
                ended, failure = _filled(block, stream)
            cut = 0 if ended and not failure else safe_cut(block.text, block.stop)
            if cut and begins == Begins.LINE:
                marked = True
                rest = work.buffers.rest(block, cut)
                waiting.append(functools.partial(_result, pool.submit(work.part, block, cut)))
            else:
                part, begins, failure = _leading(block, stream, work, begins, ended, failure, marked)
                cut = part.size
                marked = ends_with_result(block.text, cut) if part.number else marked
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
