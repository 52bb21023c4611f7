"""``rookery games``: filter and count games, and convert them to Parquet, Arrow, CSV or PGN."""

import contextlib
import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rookery.cli.common import out, size, writing
from rookery.cli.games.game_files import reading_shown, scan_of
from rookery.cli.options import as_json_option, errors_option, executor_option, out_option, reads_games, writes_files
from rookery.cli.runner import Run, bad_text
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.games.games import Games
    from rookery.games.read.on_executor import JobScan
    from rookery.games.read.options import ReadOptions

FORMATS: Final = (".parquet", ".arrow", ".pgn", ".csv")


class _Totals:
    """The running totals of the games read so far."""

    def __init__(self, run: Run, scan: "JobScan") -> None:
        self.read = scan
        self.plies = self.warnings = 0
        self.results: Counter[str] = Counter()
        self.years: Counter[str] = Counter()
        self._run = run

    def add(self, games: "Games", statistics: bool) -> None:
        self.plies += int(games.plies.sum())
        self.warnings += len(games.warnings)
        if statistics:
            self.results.update(games.results.tolist())
            self.years.update(["unknown" if year is None else f"{year:04}" for year in games["year"].tolist()])

    def document(self, statistics: bool) -> dict[str, Any]:
        read = self.read
        counts: dict[str, Any] = {"games": read.games, "plies": self.plies, "bad": read.bad}
        counts |= {"warnings": self.warnings, "bytes": read.bytes_read, "unpacked_bytes": read.bytes_unpacked}
        if statistics:
            counts |= {"results": dict(sorted(self.results.items())), "years": dict(sorted(self.years.items()))}
        return counts

    def line(self) -> str:
        read = self.read
        seconds, packed, unpacked = self._run.seconds, read.bytes_read, read.bytes_unpacked
        bad = bad_text(read.bad) + bad_text(self.warnings, "warnings")
        pace = f"{unpacked / seconds / 1e6:,.0f} MB/s, {read.games / seconds:,.0f} games/s"
        packed_text = f", {size(packed)} unpacked to {size(unpacked)}" if packed != unpacked else ""
        return f"{read.games:,} games{bad}, {self.plies:,} plies, {seconds:.2f} s, {pace}{packed_text}"


@click.command("games")
@reads_games(
    "where",
    "headers",
    "comments",
    "nags",
    "variations",
    "texts",
    "encoding",
    "letters",
    "names",
    "strict",
    "errors",
    "threads",
)
@out_option(f"Write the games: {', '.join(FORMATS)}.")
@errors_option("errors, and warnings about skipped annotations,")
@click.option("--row-group", type=click.IntRange(1), help="Games in a row group of Parquet [default: 32,768].")
@click.option("--stats", "statistics", is_flag=True, help="Count games, plies, results and errors, by year.")
@executor_option
@as_json_option
@writes_files
def games_command(
    files: list[str],
    reading: "ReadOptions",
    path: Path | None,
    errors_path: Path | None,
    row_group: int | None,
    statistics: bool,
    executor: str | None,
    as_json: bool,
) -> None:
    """Read PGN, check every move, and write the games as Parquet, Arrow, CSV or PGN, or count them.

    By default nothing is lost. Parquet and Arrow keep all headers, moves, clocks, comments, glyphs and variations. PGN
    is copied byte for byte, or written anew if an option drops or adds something. CSV has columns for headers and
    moves.

    Files may be compressed by zstd, gzip, bzip2, xz or zip, be tables of games in Parquet or Arrow, or be JSON of
    Lichess or chess.com. '-' is standard input; 'games/*.pgn' in quotes stands for all files that match. The output
    file appears under its name once it is complete. A damaged or truncated file ends with an error; the games before
    the damage are kept.

    What is read for -o is kept in the folder OUT.parts until the output is complete. So an interrupted command goes on
    when it is given again. With --executor, tasks read ranges of the files there; the output is the same bytes.
    """
    if path is not None and path.suffix not in FORMATS:
        raise ValueError(f"-o: {path.name}: expected a name that ends in {', '.join(FORMATS)}")
    if path is None and not statistics and errors_path is None:
        raise ValueError("nothing to do: give -o FILE, --errors FILE or --stats")
    if executor is not None and path is None:
        raise ValueError("--executor: needs -o FILE, next to which the finished parts are kept")
    from rookery.games.headers.computed_headers import with_sources
    from rookery.games.headers.known_headers import UnknownHeaderError
    from rookery.games.read.reader import scan_with

    if path is None:  # only counts are needed
        reading = reading.for_moves(["UTCDate", "Date"] if statistics else ())
    elif is_copied(path, reading):
        reading = replace(reading, texts=True)
    names = reading.headers
    statistics = statistics and (names is None or not {"UTCDate", "Date"}.isdisjoint(with_sources(names)))
    run = Run(as_json, path)
    scan = scan_of(run, files, reading, executor=executor, out=path)
    totals = _Totals(run, scan)
    with run, contextlib.ExitStack() as stack:
        with contextlib.suppress(UnknownHeaderError):  # so that the clock does not time the compiler
            list(scan_with(b'[Event ""]\n\n1. e4 *', replace(reading, threads=1)))
        run.restart_clock()
        stack.enter_context(reading_shown(run, scan, totals.line))
        errors_file = _opened(stack, "--errors", errors_path)
        blocks = _read(totals, statistics, errors_file)
        if path is None:
            for _ in blocks:
                pass
        else:
            with writing("-o", path):
                write_games(blocks, path, row_group, reading.threads)

    def show() -> None:
        out.print(totals.line())
        if statistics:
            _present_counts("result", totals.results)
            _present_counts("year", totals.years)

    run.finish(totals.document(statistics), show)


def _present_counts(heading: str, counts: Counter[str]) -> None:
    rows = [{heading: name, "games": count} for name, count in sorted(counts.items())]
    present(rows, (Column(heading), number("games", "{games:,}")))


def _opened(stack: contextlib.ExitStack, option: str, path: Path | None) -> Any:
    from rookery.sources import files

    if path is None:
        return None
    stack.enter_context(writing(option, path))
    return stack.enter_context(files.replacing(path))


def _read(totals: _Totals, statistics: bool, errors_file: Any) -> Iterator["Games"]:
    """Yield all games, and count them."""
    for games in totals.read:
        totals.add(games, statistics)
        if errors_file is not None:
            for kind, report in _reports(games):
                errors_file.write(json.dumps({"kind": kind, **report._asdict()}).encode() + b"\n")
        yield games


def _reports(games: "Games") -> list[tuple[str, Any]]:
    """Return errors and warnings in the order of the file."""
    reports = [("error", error) for error in games.errors] + [("warning", warning) for warning in games.warnings]
    return sorted(reports, key=lambda report: report[1].offset)


def write_games(blocks: Iterator["Games"], path: Path, row_group: int | None, threads: int) -> None:
    """Write games in the format that the name of the file says."""
    from rookery.games.interchange.parquet import ROW_GROUP, write_parquet
    from rookery.games.write.writer import write_pgn

    match path.suffix:
        case ".parquet":
            write_parquet(blocks, path, row_group_size=row_group or ROW_GROUP)
        case ".pgn":
            write_pgn(blocks, path, threads=threads)
        case ".arrow":
            _write_arrow(blocks, path)
        case _:
            _write_csv(blocks, path)


def _write_arrow(blocks: Iterator["Games"], path: Path) -> None:
    from rookery.frames.arrow import new_writer
    from rookery.games.games import Games
    from rookery.games.interchange.left_out import without_left_out
    from rookery.sources import files

    with files.replacing(path) as file, contextlib.ExitStack() as stack:
        writer = None
        for games in blocks:
            table = without_left_out(games.to_arrow())
            writer = writer or stack.enter_context(new_writer(file, table.schema, parquet=False))
            writer.write_table(table)
        if writer is None:
            stack.enter_context(new_writer(file, Games.concatenate([]).to_arrow().schema, parquet=False))


def _write_csv(blocks: Iterator["Games"], path: Path) -> None:
    """Write headers, the start position where it differs, the error of a bad game, and moves in UCI notation."""
    from rookery.sources import files
    from rookery.sources.csv_text import Writer

    with files.replacing(path) as file:
        writer, written = Writer(file), False
        for games in blocks:
            table = games.to_arrow()
            table = table.select([*_csv_columns(table.column_names), "start", "parse_error"])
            moves = _uci_texts(games)
            if not written:
                writer.row([*table.schema.names, "moves"])
                written = True
            columns = [column.to_pylist() for column in table.columns]
            writer.rows(zip(*columns, moves, strict=True))
        if not written:
            writer.row(["start", "parse_error", "moves"])


def _csv_columns(names: list[str]) -> list[str]:
    """Return the names of the columns that identify a game, of headers, and of those computed from headers."""
    from rookery.games.headers.computed_headers import SOURCES
    from rookery.games.interchange.schema import IDENTITY, OWN

    return [name for name in names if name in (*IDENTITY, *SOURCES) or name not in OWN]


def is_copied(path: Path, reading: "ReadOptions") -> bool:
    """Return whether games are copied byte for byte: to PGN, where no option drops or adds anything."""
    keeps = reading.headers is None and reading.comments and reading.nags and reading.variations
    return path.suffix == ".pgn" and keeps and reading.names is None


def _uci_texts(games: "Games") -> list[str]:
    import numpy as np

    from rookery.positions.notation import uci

    chess960 = np.repeat(games.starts.chess960, games.plies)
    words = uci.texts_of(games.moves.moves, chess960, 1).tolist()
    ends = games.moves.offsets.tolist()
    return [" ".join(words[a:b]) for a, b in itertools.pairwise(ends)]
