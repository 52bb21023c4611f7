"""The games of a source, part after part and in order: of files in one thread or side by side, or of a column."""

import threading
import warnings
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.aliases import PgnErrors
from rookery.frames.columns import Categorical
from rookery.games.errors import GameError, GameErrorException
from rookery.games.game_columns import Reports
from rookery.games.games import Games
from rookery.games.interchange.text_columns import TextColumn
from rookery.games.read.side_by_side import File, files_of
from rookery.games.read.worker import Work, no_games
from rookery.lazy_imports import modules_later
from rookery.sources.failures import DamagedFileError, DamagedFileWarning

if TYPE_CHECKING:
    from rookery.games.read import tables
else:
    (tables,) = modules_later("rookery.games.read", "tables")


def results_of(source: Any, work: Work, stopped: threading.Event) -> Generator[tuple[Games, Any], None, None]:
    """Yield the games of all files, block by block, in order; `source` is a list of files or a column.

    Each comes with the result of `work.each`, or None for those that only have the error of a file.
    """
    threads, errors = work.threads, work.wanted.errors
    if isinstance(source, TextColumn):
        for part in tables.column_parts(source, work, threads):
            for games, result in part.with_results():
                yield judged(games, errors), result
    else:
        try:
            for file in files_of(source, work, threads, stopped):
                yield from (_of_table if file.is_table else _of_text)(file, work)
        finally:
            stopped.set()
    work.release(all_read=True)
    work.check_names()


def _of_text(file: File, work: Work) -> Iterator[tuple[Games, Any]]:
    """Yield the games of a file of text."""
    errors = work.wanted.errors
    number = lines = offset = 0
    held: tuple[Games, Any] | None = None  # if texts are kept: blank lines may follow the last one
    for part in file.parts:
        if part.failure is not None and errors == "raise":
            if held is not None:
                yield held
            for games, result in part.with_results():
                placed = _placed(games, number, lines, offset, file.name)
                yield placed[~placed.is_bad], result
            raise part.failure
        if held is not None and part.tail and len(held[0]) and held[0].numbers[-1] == number:
            held = Games._of_columns(held[0].columns.with_more_text(part.tail)), held[1]
        for games, result in part.with_results():
            if held is not None:
                if not len(games):
                    continue
                yield held
            held = judged(_placed(games, number, lines, offset, file.name), errors), result
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
            error = GameError(file.name, 0, lines + 1, offset, "", "", part.failure.reason)
            held = _noted(part.failure, error, no_games(work.wanted), work), None
    if held is not None:
        yield held


def _of_table(file: File, work: Work) -> Iterator[tuple[Games, Any]]:
    """Yield the games of a Parquet or Arrow file."""
    errors = work.wanted.errors
    kept: Games | None = None
    for part in file.parts:
        for games, result in part.with_results():
            kept = judged(games, errors)
            yield kept, result
        if part.failure is not None:
            if errors == "raise":
                raise part.failure
            error = GameError(file.name, 0, 1, 0, "", "", part.failure.reason)
            yield _noted(part.failure, error, no_games(work.wanted) if kept is None else kept[:0], work), None


def _noted(failure: DamagedFileError, error: GameError, none: Games, work: Work) -> Games:
    """Warn of a file that is damaged, and return no games but its error."""
    work.failures.append(failure)
    if work.warns:
        warnings.warn(DamagedFileWarning(str(failure)), stacklevel=2)
    return Games._of_columns(none.columns.replace(errors=Reports(0, ((-1, error),))))


def _placed(games: Games, number: int, lines: int, offset: int, file: str) -> Games:
    """Count games, lines and bytes from the file's beginning, not the block's."""
    numbers = games.numbers + number
    columns = games.columns.with_reports(
        lambda row, e: e._replace(file=file, game=int(numbers[row]), line=e.line + lines, offset=e.offset + offset)
    )
    files = Categorical.of(file, len(games))
    return Games._of_columns(columns.replace(files=files, numbers=numbers, offsets=games.offsets + offset))


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
    return Games._of_columns(
        kept.replace(errors=Reports(len(kept)).after(left_out_errors), warnings=kept.warnings.after(left_out))
    )
