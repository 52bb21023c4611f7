"""The inputs of a dataset: files divided into parts that workers read, and the rows in each part.

A part is a whole file, or a range of a file of games that begins and ends between two games. How files are divided
depends on nothing but the files, so every run makes the same parts.
"""

import functools
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown, text
from rookery.bitboards.bits import SPLITMIX_STEP, mixed
from rookery.data.datasets.options import Options
from rookery.data.pipeline.features import computed
from rookery.data.plans.row_hashes import hashes_of
from rookery.data.training.binary.chains import firsts_of
from rookery.data.training.formats import format_of as training_format
from rookery.data.training.reading import TrainingScan
from rookery.data.training.row_positions import beginnings, positions_of
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.selection import in_whole_games
from rookery.frames.arrow import table_of
from rookery.frames.columns import Categorical
from rookery.games.games import Games
from rookery.games.methods.duplicates import game_hashes
from rookery.games.positions.game_positions import GamePositions
from rookery.games.read.game_ranges import ranges_of
from rookery.games.read.on_executor import StreamBlock, games_of_stream
from rookery.games.read.options import ReadOptions
from rookery.games.read.reader import scan_with
from rookery.kernel import U64
from rookery.positions.language.query import Query
from rookery.sources import ranges as division
from rookery.sources.failures import DamagedFileError, renamed
from rookery.sources.file_range import FileRange
from rookery.sources.formats import Kind, format_of
from rookery.sources.identity import Identity, identity_of
from rookery.sources.stores import absolute, is_remote, size_of
from rookery.sources.streams import check_source, expanded, head_of
from rookery.tasks.jobs import Stream

RANGE: Final = 1 << 24  # bytes of text that a worker reads at a time: a few seconds
_GAMES: Final = 1 << 11  # games whose positions are in memory at once: 12 MB
_BATCHES: Final = 2  # of games in a task of a file that cannot be divided
_ROWS: Final = 1 << 16
_BYTES_A_ROW: Final = {Kind.TEXT: 12, Kind.JSON: 12, Kind.PACKED: 3, Kind.ZIP: 3, Kind.ENCODED: 24, Kind.TABLE: 2}
_BYTES_A_TRAINING_ROW: Final = 3


class Part(NamedTuple):
    """A part of the inputs: a range of a file, the index of the file, the number of the range in it, and its format.

    The format is one of training data, or None for games. Of a file that cannot be divided, a part has the games. The
    `name` of the file is that which the caller gave it.
    """

    source: FileRange
    file: int
    number: int
    format: str | None
    games: StreamBlock | None = None
    name: str = ""


class Read(NamedTuple):
    """Rows that were read: each with a hash of its game, or what else divides rows, and of its place in the inputs.

    `selected` says which count.
    `files` and `numbers` say which games they are from: the numbers count from 1, in the part of the file. `begin` is
    the index of the first row from which moves lead to each, and `positions` are those of games, which expressions ask
    about, or None if there are none.
    """

    rows: ScoredPositions
    games: NDArray[np.uint64]
    places: NDArray[np.uint64]
    files: Categorical
    numbers: NDArray[np.int64]
    selected: NDArray[np.bool_] | None
    begin: NDArray[np.int64]
    positions: GamePositions | None
    number_of_games: int
    bad_games: int = 0


@dataclass(slots=True)
class Outcome:
    """Messages about files that are damaged and about rows that are bad, and the number of games of text passed."""

    damage: list[str] = field(default_factory=list)
    bad_rows: list[str] = field(default_factory=list)
    passed: int = 0


def files_of(source: Any, format: str | None) -> list[tuple[str, str | None]]:
    """Return the paths of the files of a source, each with its format of training data, or None if it has games."""
    found: list[tuple[str, str | None]] = []
    for i, file in enumerate(expanded(source)):
        if not isinstance(file, (str, os.PathLike)):
            raise TypeError(f"source[{i}]: {shown(file)}: expected a path")
        path = os.fsdecode(file)
        training = _training_format(path, format)
        if training is None:
            check_source(path)
        elif is_remote(path):
            size_of(path)  # raises the error of a file that is missing
        elif not Path(path).is_file():
            Path(path).stat()  # raises the right error
            raise ValueError(f"source[{i}]: {shown(path)}: expected a file")
        found.append((absolute(path), training))
    if not found:
        raise ValueError("source: no files: expected at least one")
    return found


def _training_format(path: str, format: str | None) -> str | None:
    if format is not None and text("format", format, "the name of a format") == "games":
        return None
    try:
        return training_format(format, "source", path).name
    except ValueError:
        if format is not None:
            raise
        return None


def ranges_of_files(
    files: list[tuple[str, str | None]],
    identities: Mapping[str, Identity] = MappingProxyType({}),
    encoding: str | None = None,
) -> list[list[FileRange]]:
    """Return the ranges of files. Who reads a range compares its file with the identity of that path.

    The identity of a path that is missing there is that of the file now.
    """
    ranges = []
    for path, training in files:
        identity = identities.get(path) or identity_of(path)
        if training is None:
            ranges.append(list(ranges_of(path, RANGE, identity, encoding)))
        else:  # only who reads it from the beginning knows where a game ends
            ranges.append(list(division.ranges_of(path, division.division_of(path), None, identity=identity)))
    return ranges


def streams_of(
    files: list[tuple[str, str | None]], ranges: list[list[FileRange]], options: Options, threads: int
) -> dict[int, Stream]:
    """Return the content of those files of games that cannot be divided before they are read."""
    reading = _reading(options, threads)
    return {
        file: functools.partial(games_of_stream, parts[0], reading, _GAMES, _BATCHES)
        for file, ((path, training), parts) in enumerate(zip(files, ranges, strict=True))
        if training is None and len(parts) == 1 and division.division_of(path, options.encoding).is_stream
    }


def rows_about(files: list[tuple[str, str | None]]) -> int:
    """Return roughly how many rows files have, by their sizes."""
    rows = 0
    for path, training in files:
        each = _BYTES_A_TRAINING_ROW if training else _BYTES_A_ROW.get(format_of(head_of(path)).kind, 2)
        rows += (size_of(path) or 0) // each
    return rows


def read(part: Part, options: Options, threads: int, outcome: Outcome) -> Iterator[Read]:
    """Yield the rows of a part, and say in `outcome` what became of it."""
    asked = None if options.query is None else Query(options.query)
    if part.format is None:
        yield from _games(part, options, asked, threads, outcome)
    else:
        yield from _training(part, options, asked, threads, outcome)


def _reading(options: Options, threads: int) -> ReadOptions:
    headers = set(() if options.query is None else Query(options.query).headers)
    headers.update(name for column in options.columns for name in column.headers)
    headers.update(name for column in options.divider for name in column.headers)
    reading = ReadOptions(
        where=options.where,
        encoding=options.encoding,
        letters=options.letters,
        names=options.names,
        threads=threads,
    )
    return reading.for_moves(sorted(headers - {"Result"}), clocks=True)


def _games(part: Part, options: Options, asked: Query | None, threads: int, outcome: Outcome) -> Iterator[Read]:
    before = 0
    for games in _batches_of_games(part, options, threads, outcome):
        yield _read_games(games, part, before, options, asked, threads)
        before += len(games)


def _batches_of_games(part: Part, options: Options, threads: int, outcome: Outcome) -> Iterator[Games]:
    if part.games is not None:
        batches, result = part.games
        yield from batches
        outcome.damage += [text for text, _ in result["failures"]]
        return
    with scan_with(part.source, _reading(options, threads), _GAMES).without_warnings() as scan:
        scan.only_requested(())
        yield from scan
        outcome.damage += map(str, scan.failures)
        outcome.passed = scan.counted.games


def _read_games(games: Games, part: Part, before: int, options: Options, asked: Query | None, threads: int) -> Read:
    rows = ScoredPositions.from_games(games, threads=threads)
    lengths = games.plies + 1
    game = np.repeat(np.arange(len(games)), lengths)
    begin = np.repeat(np.cumsum(lengths) - lengths, lengths)
    ply = (np.arange(game.size) - begin).astype(np.uint64)
    numbers = (game + before).astype(np.uint64)
    needs_positions = asked is not None or options.columns or options.divider
    positions = games.positions("all", threads=threads) if needs_positions else None
    hashes = game_hashes(games)[game] if positions is None or not options.divider else _hashes_by(options, positions)
    selected = None if asked is None or positions is None else asked.mask(positions, threads=threads)
    bad = sum(error.game > 0 for error in games.errors)
    files = games.columns.files.renamed(lambda text: renamed(text, part.source.path, part.name))
    return Read(
        rows,
        hashes,
        _places(part, numbers, ply),
        files.chosen(game),
        games.numbers[game],
        selected,
        begin,
        positions,
        len(games),
        bad,
    )


def _hashes_by(options: Options, positions: GamePositions) -> NDArray[np.uint64]:
    """Return a hash of what divides the rows, the same as in `Plan.split`."""
    (column,) = computed(options.divider, positions)
    return hashes_of(table_of({options.by: column}), [options.by])


def _places(part: Part, numbers: NDArray[np.uint64], plies: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a hash of where rows come from: their part of the inputs, their game in it, and their ply."""
    source = mixed(np.uint64(part.file << 32 | part.number))
    found: NDArray[np.uint64] = mixed(mixed(numbers ^ source) + plies * U64(SPLITMIX_STEP))
    return found


def _training(part: Part, options: Options, asked: Query | None, threads: int, outcome: Outcome) -> Iterator[Read]:
    """Yield the rows of training data, whole games at a time."""
    before = games = 0
    with TrainingScan(part.source, part.format, _ROWS, raises=False) as scan:
        try:
            for rows in in_whole_games(scan):
                yield (found := _read_training(rows, part, before, games, options, asked, threads))
                before, games = before + len(rows), games + found.number_of_games
        except DamagedFileError as error:
            outcome.damage.append(str(error))
        outcome.bad_rows += map(str, scan.bad_rows)


def _read_training(
    rows: ScoredPositions,
    part: Part,
    before: int,
    games: int,
    options: Options,
    asked: Query | None,
    threads: int,
) -> Read:
    first = beginnings(rows)
    offsets = np.append(first, len(rows)).astype(np.int64)
    game = np.repeat(np.arange(first.size), np.diff(offsets))
    numbers = (np.arange(len(rows)) + before).astype(np.uint64)
    positions = positions_of(rows)
    selected = None if asked is None else asked.mask(positions, threads=threads)
    index = np.arange(len(rows))
    # Files may leave out positions of a game: history goes back as far as moves lead from row to row.
    begin = np.maximum.accumulate(np.where(firsts_of(rows), index, 0)) if options.history else index
    places = _places(part, numbers, np.zeros_like(numbers))
    files = Categorical.of(part.name, len(rows))
    return Read(rows, positions.game_hashes(), places, files, game + 1 + games, selected, begin, positions, first.size)
