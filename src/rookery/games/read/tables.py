"""Tables of games and columns of texts as sources, some rows at a time."""

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.frames.columns import Categorical, Texts
from rookery.games.errors import GameError
from rookery.games.games import Games
from rookery.games.headers.named_columns import scores_of, with_results
from rookery.games.headers.where import Condition
from rookery.games.interchange.rows_as_games import chosen_headers, games_in, games_of_table
from rookery.games.interchange.table_files import ColumnChoice, batches_of
from rookery.games.interchange.text_columns import TextColumn, column_of
from rookery.games.read.blocks import Block, Part, blocks_of_texts, in_order
from rookery.games.read.worker import Work, no_games
from rookery.sources.failures import DamagedFileError
from rookery.sources.streams import Counted, TableFile

_UNPACKED_BY_ONE: Final = 2  # threads: to make games of rows takes about as long as to unpack them


def table_parts(table: TableFile, work: Work, counted: Counted, threads: int) -> Iterator[Part]:
    """Yield the games of a Parquet or Arrow file, some rows at a time; the last part says if it is damaged.

    So many threads make games of the rows that are unpacked here. For more than two of them, threads of pyarrow unpack.
    """
    pieces = _pieces(table, work, counted, threads)
    yield from in_order(lambda read: work.finished(read()), pieces, threads)


def _pieces(table: TableFile, work: Work, counted: Counted, threads: int) -> Iterator[Callable[[], Part]]:
    """Yield functions that make games of some rows."""
    own = Work(replace(work.wanted, where=None), {})  # its rows are read one by one
    own.requested = work.requested
    condition_of = work.condition if work.wanted.where is not None and not work.names_decide else None
    by_columns = threads > _UNPACKED_BY_ONE
    needs = table, work.wanted, work.names_of_tables, condition_of, work.possible
    columns = ColumnChoice(*needs, by_columns=by_columns, footers=work.footers)
    rows, condition = table.rows_before, None

    def of_rows(selected: Condition | None, batch: Any, are_legal: Callable[[], bool]) -> Part:
        nonlocal condition
        whole = games_of_table(batch, table.name, check=not are_legal())
        if work.names_decide:
            whole = work.named(whole, both=True)
            selected = condition = condition or work.condition(whole.headers)
        games = work.named(games_in(whole, work.wanted, selected))
        work.requested.drop(batch.column_names)
        if (
            work.wanted.where is None and work.possible is None
        ):  # else games that were left out may have a header that none of these has
            work.requested.look(games.headers, len(games))
        return _part([games])

    try:
        for batch, are_legal in batches_of(table, columns, counted):
            if columns.selection is not None:
                yield functools.partial(of_rows, columns.selection.condition, batch, are_legal)
                continue
            column = column_of(batch)
            column = column._replace(rows=column.rows + rows)
            rows += batch.num_rows
            own.wanted, own.row_headers = work.wanted, column.row_headers or {}
            condition = own.where = condition or work.condition(own.row_headers)
            for part in column_parts(column, own, threads, table.name):
                yield functools.partial(_part, part.games)
    except DamagedFileError as failure:
        yield functools.partial(_part, [], failure)


def _part(games: list[Games], failure: DamagedFileError | None = None) -> Part:
    """Return a part of a table, whose rows are not counted like games of PGN."""
    return Part(games, 0, 0, 0, failure)


def column_parts(column: TextColumn, work: Work, threads: int, file: str = "") -> Iterator[Part]:
    """Yield the games of texts, each read by itself; `file` is the name of their table, if they have one."""
    named = chosen_headers(work.wanted) if file else None
    work.requested.drop(work.requested.names if work.where is not None else column.row_headers or ())
    if column.row_headers is not None:
        kept = tuple(name for name in work.wanted.columns if name not in column.row_headers and name != "Result")
        work.wanted = replace(work.wanted, columns=kept, one_each=True)
    work.wanted = replace(work.wanted, rows=True)
    is_known = work.where is not None and not work.names_decide and work.row_headers.keys() >= set(work.where.names)
    if work.where is not None and is_known:  # known before anything is read
        known, undecided = with_results(work.row_headers)
        column = column.chosen(np.flatnonzero(work.where.mask(known, column.texts.size) | undecided))
        work.row_headers = column.row_headers or {}
        if not (work.where.of_moves or undecided.any()):
            work.where = None

    def part_of(piece: tuple[Block, NDArray[np.int64]]) -> Part:
        block, ranges = piece
        row = block.row
        return work.finished(
            _part(
                [
                    _of_file(work.named(_placed_in_rows(games, row, column)), file, named)
                    for games in work.texts(block, ranges)
                ]
            )
        )

    yield from in_order(part_of, blocks_of_texts(column.texts, work.buffers), threads)
    if not column.texts.size:
        none = no_games(replace(work.wanted, one_each=False))
        yield work.finished(_part([_of_file(_placed_in_rows(none, 0, column), file, named)]))


def _placed_in_rows(games: Games, row: int, column: TextColumn) -> Games:
    """Name rows of the column instead of rows of the block, and add the other columns of its table to the games."""
    assert games.rows is not None
    places = games.rows + row
    rows, numbers = column.rows[places], games.numbers
    begins = column.texts.offsets[places] - column.texts.offsets[row] + column.skipped[places, 0]

    def relabelled(i: int, e: GameError) -> GameError:
        before, lines = column.skipped[places[i]].tolist()
        where = {"line": max(e.line - lines, 1), "offset": max(e.offset - before, 0)}
        return e._replace(file=f"row {rows[i]}", game=int(numbers[i]), **where)

    columns = games.columns.with_reports(relabelled)
    columns = columns.replace(rows=rows, offsets=np.maximum(games.offsets - begins, 0))  # in the text of the row
    if column.row_headers is None:  # each text has its own numbers
        code, of_row = np.unique(rows, return_inverse=True)
        names = tuple(f"row {row}" for row in code.tolist())
        columns = columns.replace(files=Categorical(of_row.astype(np.int32), names))
    else:
        row_headers = {name: values.chosen(places) for name, values in column.row_headers.items() if name != "Result"}
        columns = columns.replace(numbers=rows + 1, headers={**row_headers, **columns.headers})
        result = column.row_headers.get("Result")
        if isinstance(result, Texts):
            scores = scores_of(result.chosen(places))
            columns = columns.replace(scores=np.where(scores == 0, columns.scores, scores))
    return Games._of_columns(columns)


def _of_file(games: Games, file: str, named: tuple[str, ...] | None) -> Games:
    """Return the same games for a table that is a file: its rows are its games, with the named columns only."""
    if not file:
        return games
    rows, headers = games.rows, games.headers
    assert rows is not None
    if named is not None:
        headers = {name: headers[name] for name in named if name in headers}
    columns = games.columns.with_reports(lambda i, e: e._replace(file=file, game=int(rows[i]) + 1))
    files = Categorical.of(file, len(games))
    return Games._of_columns(columns.replace(files=files, rows=None, headers=headers))
