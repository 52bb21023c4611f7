"""The streaming stage of plans: a task reads a part of an input, keeps some rows, computes columns, and writes a part.

A part is a table in a file, with a file of bad rows next to it if there are any.
"""

import contextlib
import functools
import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import SPLITMIX_STEP, mixed
from rookery.data.pipeline.evaluations import flat, flat_schema, is_of_lichess, label_parser
from rookery.data.pipeline.features import PACKED, Computation, arrow_type
from rookery.data.pipeline.inputs import GAMES, Input
from rookery.data.pipeline.line_columns import condition_of, headers_of, values_of_lines
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
from rookery.data.pipeline.outputs import PGN, STREAM, write_part
from rookery.data.pipeline.packed_rows import Earlier
from rookery.data.pipeline.stages import Source, Stage, is_later
from rookery.data.pipeline.training_rows import note_doubtful
from rookery.data.training.reading import TrainingScan
from rookery.data.training.row_positions import positions_of
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.selection import in_whole_games
from rookery.data.training.text.rows import BadRow
from rookery.frames.arrow import arrow_column, ipc_module, one_chunk, parquet_file, pyarrow_module, sound, without_views
from rookery.frames.columns import Categorical
from rookery.games.games import Games
from rookery.games.headers.known_headers import UnknownHeaderError, unknown_of
from rookery.games.methods.duplicates import game_hashes
from rookery.games.positions.later_positions import LaterPositions
from rookery.games.read.reader import scan_with
from rookery.games.read.schedule import judged
from rookery.games.write.writer import write_pgn
from rookery.positions.positions import Positions
from rookery.sources.failures import DamagedFileError, raise_system_errors, renamed
from rookery.sources.file_range import FileRange
from rookery.sources.ranges import STANDARD_INPUT
from rookery.tasks.parts import RangeTask, TaskFiles

_ROWS: Final = 1 << 16  # of a table, computed at once
BAD: Final = ".bad.jsonl"  # the suffix of the bad rows of a part


def output_schema(source: Input, stage: Stage) -> Any:
    """Return the schema of the rows of an input."""
    pa = pyarrow_module()
    own: Any = None if source.schema is None else flat_schema(source.schema)
    return pa.schema([pa.field(f.name, arrow_type(f) if f.type else own.field(f.asked).type) for f in stage.columns])


def stage_part(task: RangeTask, parts: TaskFiles) -> dict[str, Any]:
    """Do the work of a task, whose options are a `Source`.

    Return its counts of positions that were read, rows that were kept, bad rows, lines and games.

    Lines are also those of the text of games, and ``passed`` are the games of text alone: errors in tables have places
    in the whole file. The result has a failure, too ("" for none), and the suffix of the file of the part, or the
    record batches that are ``held``.
    """
    source: Source = task.options
    rows = source.stage.rows
    schema = output_schema(source.input, source.stage) if rows is None else None
    suffix = STREAM if source.suffix and is_later(task) else source.suffix
    counts: dict[str, Any] = {"positions": 0, "rows": 0, "bad": 0, "lines": 0, "games": 0, "passed": 0, "failure": ""}
    with contextlib.ExitStack() as stack:
        batches = _good_rows(task, schema, counts, parts, stack)
        if rows is not None:
            rows.keep(batches, parts, counts)
            return counts
        if source.stage.games:
            with parts.writing(PGN) as file:
                write_pgn(batches, file)
            counts["suffix"] = PGN
            return counts
        if not suffix:
            counts["held"] = list(batches)
            return counts
        counts["suffix"] = write_part(parts, batches, schema, suffix, source.stage.row_group)
    return counts


def _good_rows(
    task: RangeTask, schema: Any, counts: dict[str, Any], parts: TaskFiles, stack: contextlib.ExitStack
) -> Iterator[Any]:
    """Yield the rows of a range, count them, and write the bad ones to their file, which `stack` closes."""
    rejects: Any = None
    source: Source = task.options
    makers = {"games": _games, "training": _training}
    made = makers.get(source.input.format, _rows)(task, source, counts)
    counts["failure"] = task.failure
    try:
        for batch, bad in parts.while_running(made):
            if bad and rejects is None:
                rejects = stack.enter_context(parts.writing(BAD))
            for line in bad:
                rejects.write(json.dumps([line.line, line.text, line.reason, line.game]).encode() + b"\n")
            counts["bad"] += len(bad)
            if batch is not None and len(batch):
                counts["rows"] += len(batch)
                is_made = schema is None or source.stage.games or batch.schema == schema
                yield batch if is_made else batch.cast(schema)
    except DamagedFileError as error:  # the rows before it are kept
        task.part.check()  # a file that was cut is not damaged
        counts["failure"] = renamed(str(error), source.input.path, source.input.name)


def _rows(task: RangeTask, source: Source, counts: dict[str, Any]) -> Iterator[tuple[Any, list[BadLine]]]:
    """Yield the rows of FENs with their columns, and the rows that cannot be read."""
    pa = pyarrow_module()
    stage, computation = source.stage, Computation(source.stage.columns, source.stage.choice.query)
    fen = stage.fen
    condition = condition_of(source.input, stage.reading.where)
    if source.input.format == "positions":
        for positions, first in [task.block] if task.block is not None else ():
            counts["positions"] += len(positions)
            yield _chosen_positions(task, computation, positions, first, counts), []
        return
    for block in _blocks(task, source.input, fen):
        counts["lines"] += block.lines
        bad = list(block.bad)
        if block.table is None or not block.table.num_rows:
            yield None, bad
            continue
        table = flat(block.table)
        positions = Positions.from_fens(table.column(fen), errors="mark")
        bad += [BadLine(int(block.numbers[b.line - 1]), b.text, b.reason) for b in positions.bad_lines]
        bad.sort(key=lambda one: one.line)
        keep = stage.choice.sampled(_places_of_rows(source, block.places))
        keep = ~positions.marked if keep is None else keep & ~positions.marked
        if condition is not None:
            keep &= condition.mask(headers_of(condition.names, table), table.num_rows)
        counts["positions"] += table.num_rows
        rows = np.arange(table.num_rows)
        if not keep.all():
            rows = np.flatnonzero(keep)
            positions = Positions(positions.taken(rows).columns)
        if computation.query is not None:
            held = np.flatnonzero(computation.query.mask(positions))
            rows, positions = rows[held], Positions(positions.taken(held).columns)
        if rows.size < table.num_rows:
            table = table.take(pa.array(rows))
        given = {f.asked: one_chunk(table.column(f.asked)) for f in stage.columns if not f.type}
        given |= {f.asked: values_of_lines(f, table) for f in stage.columns if f.of_lines}
        yield _batch_of_lines(source, computation, computation.chosen(positions), given, counts), bad


def _batch_of_lines(
    source: Source, computation: Computation, block: Any, given: dict[str, Any], counts: dict[str, Any]
) -> Any:
    """Return the rows of a block of positions without games, with some columns that are `given`."""
    if source.stage.packing is not None:
        files = Categorical.of(source.input.name, block.n)
        block, index, column = source.stage.packing.packed(block, files, counts)
        kept = pyarrow_module().array(index)
        given = {PACKED: column, **{name: values.take(kept) for name, values in given.items()}}
    return _batch(source.stage, computation.columns(block, given))


def _chosen_positions(
    task: RangeTask, computation: Computation, positions: Positions, first: int, counts: dict[str, Any]
) -> Any:
    """Return the rows of positions in memory, of which the first has a number."""
    source: Source = task.options
    keep = source.stage.choice.sampled(_places_of_rows(source, first + np.arange(len(positions))))
    keep = ~positions.marked if keep is None else keep & ~positions.marked
    known = positions if keep.all() else Positions(positions.taken(np.flatnonzero(keep)).columns)
    return _batch_of_lines(source, computation, computation.chosen(known), {}, counts)


def _batch(stage: Stage, columns: list[Any]) -> Any:
    return pyarrow_module().RecordBatch.from_arrays(columns, names=[column.name for column in stage.columns])


def _places_of_rows(source: Source, places: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a word for each place of a row of lines or of a table in its input, however the input is divided."""
    found: NDArray[np.uint64] = mixed(places.astype(np.uint64) ^ mixed(source.file << 32))
    return found


def _places_of_training(rows: ScoredPositions) -> NDArray[np.uint64]:
    """Return a word for each row of training data: that of its values, since nothing tells its place in all formats.

    The first row of a range has no number in its file unless all before it is read.
    """
    found = np.zeros(len(rows), np.uint64)
    for column in (*rows.positions.columns, rows.moves, rows.scores, rows.results):
        found = mixed(found * np.uint64(SPLITMIX_STEP) ^ column.astype(np.int64).astype(np.uint64))
    return found


def _places_of_games(games: Games) -> Callable[[Any, Any], NDArray[np.uint64]]:
    """Return a function that returns a word for the place of each position: its game, and the ply there.

    The first position and the moves stand for the game, so that neither tasks nor formats change a sample.
    """

    def places(game: NDArray[np.int64], ply: NDArray[np.int32]) -> NDArray[np.uint64]:
        found: NDArray[np.uint64] = mixed(game_hashes(games)[game] + ply.astype(np.uint64) * np.uint64(SPLITMIX_STEP))
        return found

    return places


def _blocks(task: RangeTask, source: Input, fen: str) -> Iterator[Block]:
    """Yield the rows of a range, as they are in the file."""
    part = task.part
    if task.is_streamed and not source.path:
        if task.block is not None:
            table, first = task.block
            numbers = np.arange(1, table.num_rows + 1)
            yield Block(table, numbers, [], table.num_rows, numbers + (first - 1))
        return
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
            made = blocks(chunks, _parser(source, fen), delimiter=source.delimiter_of_rows, header=is_header)
            # A packed file is one range where its places are needed.
            yield from (block._replace(places=block.places + part.start) for block in made)
            return
        row = 1
        for batch in _table_batches(part, source, file):
            numbers = np.arange(row, row + batch.num_rows)
            row += batch.num_rows
            places = numbers + (part.rows_before - 1)
            yield Block(pyarrow_module().Table.from_batches([batch]), numbers, [], batch.num_rows, places)


def _parser(source: Input, fen: str) -> Parse:
    """Return the function that reads the rows of an input as a table."""
    if source.format == "fen":
        return fen_parser(fen) if len(source.schema) == 1 else label_parser(source.schema)
    if source.format == "csv":
        return csv_parser(source.schema, source.delimiter)
    return json_parser(source.schema, reports_others=is_of_lichess(source.schema) is None)


def _table_batches(part: FileRange, source: Input, file: Any) -> Iterator[Any]:
    pa = pyarrow_module()
    try:
        if source.format == "Parquet":
            opened_file = parquet_file(file)
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
        for batch in (without_views(sound(batch)) for batch in batches):
            for start in range(0, batch.num_rows, _ROWS):
                yield batch.slice(start, _ROWS)
    except (pa.ArrowException, OSError) as error:
        raise DamagedFileError(source.name, f"damaged {source.format} file: {error}") from error


def _games(task: RangeTask, source: Source, counts: dict[str, Any]) -> Iterator[tuple[Any, list[BadLine]]]:
    """Yield the positions of games with their columns, and the games that cannot be read to their ends."""
    failures: list[str] = []
    computation = Computation(source.stage.columns, source.stage.choice.query)
    for games in _batches_of_games(task, source, counts, failures):
        errors = [error for error in games.errors if error.game > 0]
        if errors and source.stage.reading.errors == "raise":
            counts.setdefault("error", list(errors[0]))
        games = judged(games, "skip") if source.stage.reading.errors == "skip" else games
        bad = [BadLine(e.line, e.move or None, f"{e.place}: {e.reason}", e.game) for e in errors]
        if source.stage.rows is not None:
            note_doubtful(games, counts)
            yield _rows_of_games(task, games), bad
        else:
            yield _positions_of(task, computation, games, counts), bad
        counts["games"] += len(games)
        counts["positions"] += int(games.plies.sum()) + len(games)
    if failures:
        counts["failure"] = renamed(failures[0], source.input.path, source.input.name)


def _rows_of_games(task: RangeTask, games: Games) -> ScoredPositions:
    """Return the rows of training data of some games."""
    source: Source = task.options
    return source.stage.kept(
        ScoredPositions.from_games(games),
        lambda: games.positions("all"),
        lambda positions: _places_of_games(games)(positions.game, positions.ply),
    )


def _training(task: RangeTask, source: Source, counts: dict[str, Any]) -> Iterator[tuple[Any, list[BadLine]]]:
    """Yield the rows of training data with their columns, and the rows that cannot be read."""
    stage, computation = source.stage, Computation(source.stage.columns, source.stage.choice.query)
    for rows, bad in _batches_of_training(task, source, counts):
        places = None if stage.choice.sample is None else _places_of_training(rows)
        counts["positions"] += len(rows)
        if stage.rows is not None:
            yield stage.kept(rows, functools.partial(positions_of, rows), places), bad
            continue
        positions = positions_of(rows)
        block = computation.chosen(positions, stage.choice.rows_kept(positions.ply, places))
        given: dict[str, Any] = {}
        if stage.packing is not None:
            earlier = Earlier.in_rows(rows, block.positions) if stage.packing.history else None
            files = Categorical.of(source.input.name, block.n)
            block, _, given[PACKED] = stage.packing.packed(block, files, counts, earlier)
        game = block.positions.game + counts["games"]
        given |= {
            "file": arrow_column(Categorical.of(source.input.name, game.size)),
            "number": arrow_column(game + 1),
            "game": arrow_column(game),
        }
        yield _batch(stage, computation.columns(block, given)), bad
        counts["games"] += int(positions.game[-1]) + 1 if len(rows) else 0
    counts["passed"] = counts["games"]


def _batches_of_training(
    task: RangeTask, source: Source, counts: dict[str, Any]
) -> Iterator[tuple[ScoredPositions, list[BadLine]]]:
    """Yield rows, whole games of them if the stage needs these, and the bad rows of text before their ends."""
    if task.is_streamed:
        if task.block is not None:
            rows, rejected = task.block
            yield rows, [BadLine(row.line, row.text, row.reason) for row in rejected]
        return
    bad: list[BadRow] = []

    def taken() -> list[BadLine]:
        found = [BadLine(row.line - scan.header_lines, row.text, row.reason) for row in bad]
        bad.clear()
        return found

    damage: DamagedFileError | None = None
    with TrainingScan(task.part, source.input.packing, _ROWS, raises=False, on_bad=bad.append) as scan:
        try:
            for rows in in_whole_games(scan) if source.stage.needs_whole_games else scan:
                yield rows, taken()
        except DamagedFileError as error:  # the bad rows before it come first
            damage = error
        counts["lines"] = scan.lines_read
        if bad:
            yield ScoredPositions.concatenate([]), taken()
    if damage is not None:
        raise damage


def _batches_of_games(task: RangeTask, source: Source, counts: dict[str, Any], failures: list[str]) -> Iterator[Games]:
    if task.is_streamed:  # games have their numbers and lines in the file
        batches, result = task.block or ([], {"failures": []})
        counts["unknown"] = result.get("unknown")
        yield from batches
        failures += [text for text, _ in result["failures"]]
        return
    reading = source.stage.reading_of_games(source.threads)
    with scan_with(task.part, reading, GAMES).without_warnings() as scan:
        scan.only_requested(source.stage.requested)
        counts["unknown"] = {}
        try:
            yield from scan
        except UnknownHeaderError as error:  # another range may have the header
            counts["unknown"] = unknown_of(error)
        raise_system_errors(scan.failures)
        counts["lines"], counts["passed"] = scan.counted.lines, scan.counted.games
        failures += map(str, scan.failures)


def _chosen(
    stage: Stage, computation: Computation, positions: LaterPositions, places: Callable[[Any, Any], Any]
) -> Any:
    """Return the block of the positions of games that are kept; `places` returns words for games and plies."""
    rows = None
    if stage.choice.thins:
        words = None if stage.choice.sample is None else places(positions.game, positions.ply)
        rows = stage.choice.rows_kept(positions.ply, words)
    return computation.chosen(positions, rows)


def games_kept(stage: Stage, games: Games) -> Games:
    """Return the games that have a position which a stage keeps, without a sample."""
    block = _chosen(stage, Computation((), stage.choice.query), LaterPositions(games, 0, len(games)), lambda *_: None)
    return games[np.unique(block.positions.game)]


def _positions_of(task: RangeTask, computation: Computation, games: Games, counts: dict[str, Any]) -> Any:
    """Return the rows of some games, after those of the task that are counted."""
    pa, source, before = pyarrow_module(), task.options, counts["games"]
    stage = source.stage
    positions = LaterPositions(games, 0, len(games))
    block = _chosen(stage, computation, positions, _places_of_games(games))
    if stage.games:
        return games[np.unique(block.positions.game)]
    given: dict[str, Any] = {}
    if stage.packing is not None:
        earlier = Earlier.in_games(games, positions, block.positions) if stage.packing.history else None
        files = _files_of(source.input, games, block.positions.game)
        block, _, given[PACKED] = stage.packing.packed(block, files, counts, earlier)
    game, asked = block.positions.game, {column.asked for column in stage.columns}
    given["game"] = pa.array(game + before, pa.int64())
    if "file" in asked:
        given["file"] = arrow_column(_files_of(source.input, games, game))
    if "number" in asked:
        given["number"] = pa.array(games.numbers[game], pa.int64())
    return _batch(stage, computation.columns(block, given))


def _files_of(source: Input, games: Games, game: NDArray[np.int64]) -> Categorical:
    """Return the name of the file of each of some games of an input, as the caller gave it."""
    if source.path == STANDARD_INPUT:
        return Categorical.of(source.name, game.size)
    files = games.columns.files.chosen(game)
    return files.renamed(lambda text: renamed(text, source.path, source.name)) if source.path else files
