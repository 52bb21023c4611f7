"""The work of one task: it reads a part of an input, computes its columns, and writes a part of the output.

A part is a table in a file, with a file of bad rows next to it if there are any.
"""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.data.pipeline.evaluations import flat
from rookery.data.pipeline.features import Feature, arrow_type, computed
from rookery.data.pipeline.inputs import GAMES, Input, output_columns
from rookery.data.pipeline.lines import (
    BadLine,
    Block,
    Parse,
    block_of,
    blocks,
    csv_parser,
    fen_parser,
    json_parser,
)
from rookery.data.pipeline.outputs import STREAM, write_part
from rookery.frames.arrow import arrow_column, ipc_module, parquet_module, pyarrow_module, sound
from rookery.frames.columns import Categorical
from rookery.games.games import Games
from rookery.games.read import on_executor
from rookery.games.read.options import ReadOptions
from rookery.games.read.reader import scan_with
from rookery.positions.positions import Positions
from rookery.sources.failures import DamagedFileError, raise_system_errors, renamed
from rookery.sources.file_range import FileRange
from rookery.sources.ranges import STANDARD_INPUT
from rookery.tasks.parts import RangeTask, TaskFiles

_ROWS: Final = 1 << 16  # of a table, computed at once
BAD: Final = ".bad.jsonl"  # the suffix of the bad rows of a part


class Plan(NamedTuple):
    """The options that all tasks share.

    They are the features, the column of FENs, the step in half-moves, the rows of a group, whether some inputs have
    games, and how these are read.
    """

    features: tuple[Feature, ...]
    fen: str
    every: int
    row_group: int
    has_games: bool = False
    reading: ReadOptions = ReadOptions()

    def warm_up(self) -> None:
        """Compile what the tasks need."""
        if self.has_games:
            on_executor.warm_up()
        computed(
            [f for f in self.features if not f.needs_games], Positions.from_fens(["8/8/8/4k3/8/8/8/4K3 w - - 0 1"])
        )


@dataclass(frozen=True)
class WarmUp:
    """A function that compiles what a plan needs. Equal ones are equal, so that a worker calls it once."""

    plan: Plan

    def __call__(self) -> None:
        """Compile."""
        self.plan.warm_up()


class Source(NamedTuple):
    """An input, and what its tasks do: the plan, the suffix of the output, and the threads of a task."""

    input: Input
    plan: Plan
    suffix: str
    threads: int


def suffix_of(part: FileRange, source: Input, suffix: str) -> str:
    """Return the suffix of the part of a range, in an output of some suffix.

    The numbers of games in a later range of a file depend on the ranges before.
    """
    return STREAM if source.format == "games" and (part.start or part.skip) else suffix


def output_schema(made: Input, plan: Plan) -> Any:
    """Return the schema of the output for an input."""
    pa = pyarrow_module()
    columns = output_columns(made, plan.fen)
    for feature in plan.features:
        if feature.name in columns.names:
            raise ValueError(
                f"features: {feature.name!r}: is a column of {made.name}: give it another name, as in "
                f"other={feature.expression or feature.name}"
            )
    return pa.schema([*columns, *(pa.field(f.name, arrow_type(f)) for f in plan.features)])


def annotate_part(task: RangeTask, parts: TaskFiles) -> dict[str, Any]:
    """Do the work of a task, whose options are a `Source`, and return its counts of rows, bad rows, lines and games.

    Lines are also those of the text of games, and ``passed`` are the games of text alone: errors in tables have places
    in the whole file. The result has a failure, too ("" for none), and the suffix of the file of the part.
    """
    source: Source = task.options
    plan = source.plan
    schema = output_schema(source.input, plan)
    suffix = suffix_of(task.part, source.input, source.suffix)
    counts: dict[str, Any] = {"rows": 0, "bad": 0, "lines": 0, "games": 0, "passed": 0, "failure": ""}
    with contextlib.ExitStack() as stack:
        batches = _good_rows(task, schema, counts, parts, stack)
        counts["suffix"] = write_part(parts, batches, schema, suffix, plan.row_group)
    return counts


def _good_rows(
    task: RangeTask, schema: Any, counts: dict[str, Any], parts: TaskFiles, stack: contextlib.ExitStack
) -> Iterator[Any]:
    """Yield the rows of a range, count them, and write the bad ones to their file, which `stack` closes."""
    rejects: Any = None
    source: Source = task.options
    made = _games(task, source, counts) if source.input.format == "games" else _rows(task, source, counts)
    counts["failure"] = task.failure
    try:
        for batch, bad in parts.while_running(made):
            if bad and rejects is None:
                rejects = stack.enter_context(parts.writing(BAD))
            for line in bad:
                rejects.write(json.dumps([line.line, line.text, line.reason, line.game]).encode() + b"\n")
            counts["bad"] += len(bad)
            if batch is not None and batch.num_rows:
                counts["rows"] += batch.num_rows
                yield batch.cast(schema) if batch.schema != schema else batch
    except DamagedFileError as error:  # the rows before it are kept
        task.part.check()  # a file that was cut is not damaged
        counts["failure"] = renamed(str(error), source.input.path, source.input.name)


def _rows(task: RangeTask, source: Source, counts: dict[str, Any]) -> Iterator[tuple[Any, list[BadLine]]]:
    """Yield the rows of FENs with their columns, and the rows that cannot be read."""
    pa = pyarrow_module()
    fen = source.plan.fen
    for block in _blocks(task, source.input, fen):
        counts["lines"] += block.lines
        bad = list(block.bad)
        if block.table is None or not block.table.num_rows:
            yield None, bad
            continue
        table = flat(block.table)
        positions = Positions.from_fens(table.column(fen), errors="mark")
        bad += [BadLine(int(block.numbers[b.line - 1]), b.text, b.reason) for b in positions.bad_lines]
        marked = positions.marked
        if marked.any():
            keep = np.flatnonzero(~marked)
            table, positions = table.take(pa.array(keep)), Positions(positions.taken(keep).columns)
        bad.sort(key=lambda one: one.line)
        yield _with_features(source.plan, table, positions), bad


def _with_features(plan: Plan, table: Any, positions: Positions) -> Any:
    pa = pyarrow_module()
    arrays = [c.combine_chunks() if c.num_chunks != 1 else c.chunk(0) for c in table.columns]
    arrays = [c.chunk(0) if isinstance(c, pa.ChunkedArray) else c for c in arrays]
    features = plan.features
    names = [*table.column_names, *(feature.name for feature in features)]
    return pa.RecordBatch.from_arrays([*arrays, *computed(features, positions)], names=names)


def _blocks(task: RangeTask, source: Input, fen: str) -> Iterator[Block]:
    """Yield the rows of a range, as they are in the file."""
    part = task.part
    if task.is_streamed:
        parse = _parser(source, fen)
        is_header = source.format == "csv" and task.number == 0
        yield from (block_of(rows, parse, is_header) for rows in task.block or ())
        return
    with part.opened() as file:
        if source.format in ("fen", "csv", "jsonl"):
            is_header = source.format == "csv" and not part.start
            packed = map(bytes, part.unpacked(file, source.packing)) if source.packing else None
            chunks = part.packed_chunks(file) if packed is None else packed
            yield from blocks(chunks, _parser(source, fen), delimiter=source.delimiter_of_rows, header=is_header)
            return
        row = 1
        for batch in _table_batches(part, source, file):
            numbers = np.arange(row, row + batch.num_rows)
            row += batch.num_rows
            yield Block(pyarrow_module().Table.from_batches([batch]), numbers, [], batch.num_rows)


def _parser(source: Input, fen: str) -> Parse:
    """Return the function that reads the rows of an input as a table."""
    if source.format == "fen":
        return fen_parser(fen)
    return csv_parser(source.schema.names, source.delimiter) if source.format == "csv" else json_parser(source.schema)


def _table_batches(part: FileRange, source: Input, file: Any) -> Iterator[Any]:
    pa = pyarrow_module()
    try:
        if source.format == "Parquet":
            opened_file = parquet_module().ParquetFile(file)
            if groups := range(opened_file.num_row_groups)[part.start : part.stop]:
                yield from opened_file.iter_batches(_ROWS, groups, use_threads=False)
            return
        ipc = ipc_module()
        if source.format == "Arrow":
            reader = ipc.open_file(file)
            chosen = range(reader.num_record_batches)[part.start : part.stop]
            batches: Any = (reader.get_batch(i) for i in chosen)
        else:
            batches = ipc.open_stream(file)
        for batch in map(sound, batches):
            for start in range(0, batch.num_rows, _ROWS):
                yield batch.slice(start, _ROWS)
    except (pa.ArrowException, OSError) as error:
        raise DamagedFileError(source.name, f"damaged {source.format} file: {error}") from error


def reading_of(plan: Plan, threads: int) -> ReadOptions:
    """Return how games are read for the features of a plan."""
    headers = sorted({name for feature in plan.features for name in feature.headers})
    return replace(plan.reading, threads=threads).for_moves(headers, clocks=True)


def _games(task: RangeTask, source: Source, counts: dict[str, Any]) -> Iterator[tuple[Any, list[BadLine]]]:
    """Yield the positions of games with their columns, and the games that cannot be read to their ends."""
    failures: list[str] = []
    for games in _batches_of_games(task, source, counts, failures):
        errors = [error for error in games.errors if error.game > 0]
        bad = [BadLine(e.line, e.move or None, f"{e.place}: {e.reason}", e.game) for e in errors]
        yield _positions_of(source, games), bad
        counts["games"] += len(games)
    if failures:
        counts["failure"] = renamed(failures[0], source.input.path, source.input.name)


def _batches_of_games(task: RangeTask, source: Source, counts: dict[str, Any], failures: list[str]) -> Iterator[Games]:
    if task.is_streamed:  # games have their numbers and lines in the file
        batches, result = task.block or ([], {"failures": []})
        yield from batches
        failures += [text for text, _ in result["failures"]]
        return
    with scan_with(task.part, reading_of(source.plan, source.threads), GAMES).without_warnings() as scan:
        scan.only_requested(())
        yield from scan
        raise_system_errors(scan.failures)
        counts["lines"], counts["passed"] = scan.counted.lines, scan.counted.games
        failures += map(str, scan.failures)


def _positions_of(source: Source, games: Games) -> Any:
    pa, made = pyarrow_module(), source.input
    positions = games.positions("all", every=source.plan.every)
    if made.path == STANDARD_INPUT:
        files = Categorical.of(made.name, len(positions))
    else:
        files = games.columns.files.chosen(positions.game).renamed(lambda text: renamed(text, made.path, made.name))
    columns = {
        "file": arrow_column(files),
        "number": pa.array(games.numbers[positions.game], pa.int64()),
        "ply": pa.array(positions.ply),
        source.plan.fen: pa.array(positions.to_fens(), pa.string()),
    }
    return _with_features(source.plan, pa.table(columns), positions)
