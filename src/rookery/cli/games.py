"""``rookery games``: files of games filtered, counted, and turned into Parquet, Arrow, CSV or PGN."""

import contextlib
import itertools
import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from rookery.cli.common import (
    INTERRUPTED,
    OutputFile,
    Table,
    as_json_option,
    compilation_shown,
    err,
    out,
    plain,
    print_json,
    size,
    writing,
)

if TYPE_CHECKING:
    from rookery.games.games import Games

FORMATS: Final = (".parquet", ".arrow", ".pgn", ".csv")
_BATCH: Final = 10_000  # games written at once


class _StandardInput:
    """Standard input, under the name that messages give it."""

    name = "standard input"

    def read(self, size: int = -1) -> bytes:
        """Read so many bytes."""
        data: bytes = sys.stdin.buffer.read(size)
        return data


class _Sources(click.Path):
    """A file of games, or a pattern that files match."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The files."""
        from rookery.games.sources import expanded

        if value == "-":
            return [value]
        try:
            return [super(_Sources, self).convert(name, param, ctx) for name in expanded(value)]
        except OSError as error:
            self.fail(f"{value!r}: {error.strerror}", param, ctx)


class _Told:
    """What is known of the games so far."""

    def __init__(self) -> None:
        self.games = self.plies = self.bad = self.bytes = self.unpacked = 0
        self.results: Counter[str] = Counter()
        self.years: Counter[str] = Counter()
        self.failures: list[str] = []
        self.start = time.perf_counter()

    def add(self, games: "Games", statistics: bool) -> None:
        self.games += len(games)
        self.plies += int(games.plies.sum())
        self.bad += sum(error.game > 0 for error in games.errors)
        if statistics:
            self.results.update(games.results.tolist())
            days = games["UTCDate"]
            if "Date" in games.headers:
                other = games["Date"]
                missing = days != days  # NaT
                days[missing] = other[missing]
            self.years.update(
                ["unknown" if year == "NaT" else year for year in days.astype("M8[Y]").astype(str).tolist()]
            )

    def document(self, statistics: bool) -> dict[str, Any]:
        seconds = time.perf_counter() - self.start
        counts: dict[str, Any] = {"games": self.games, "plies": self.plies, "errors": self.bad}
        counts |= {"bytes": self.bytes, "unpacked_bytes": self.unpacked}
        if statistics:
            counts |= {"results": dict(sorted(self.results.items())), "years": dict(sorted(self.years.items()))}
        return counts | {"seconds": round(seconds, 3), "complete": not self.failures, "failures": self.failures}

    def line(self) -> str:
        seconds = max(time.perf_counter() - self.start, 1e-9)
        bad = f", {self.bad:,} bad" if self.bad else ""
        pace = f"{self.unpacked / seconds / 1e6:,.0f} MB/s, {self.games / seconds:,.0f} games/s"
        packed = f", {size(self.bytes)} unpacked to {size(self.unpacked)}" if self.bytes != self.unpacked else ""
        return f"{self.games:,} games{bad}, {self.plies:,} plies, {seconds:.2f} s, {pace}{packed}"


@click.command("games")
@click.argument("files", nargs=-1, required=True, type=_Sources())
@click.option("-o", "--out", "path", type=OutputFile(), help=f"Write the games: {', '.join(FORMATS)}.")
@click.option("--where", help="Only games whose headers are such: 'WhiteElo >= 2000 and TimeControl == \"300+3\"'.")
@click.option("--headers", help="Names of the columns, with commas between, or 'all' [default: those of Lichess].")
@click.option("--comments", is_flag=True, help="Keep comments.")
@click.option("--nags", is_flag=True, help="Keep annotation glyphs.")
@click.option("--variations", is_flag=True, help="Keep variations, as text.")
@click.option(
    "--errors", "errors_path", type=OutputFile(), help="Write what is wrong with bad games, a JSON object a line."
)
@click.option(
    "--bad",
    type=click.Choice(["keep", "skip", "raise"]),
    default="keep",
    show_default=True,
    help="Keep a bad game's legal moves, skip it, or end with the first.",
)
@click.option("--row-group", type=click.IntRange(1), help="Games of a row group of Parquet [default: 32,768].")
@click.option(
    "--stats", "statistics", is_flag=True, help="Tell how many games, plies, results, errors there are, by year."
)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Read in so many threads.")
@as_json_option
def games_command(
    files: tuple[list[str], ...],
    path: Path | None,
    where: str | None,
    headers: str | None,
    comments: bool,
    nags: bool,
    variations: bool,
    errors_path: Path | None,
    bad: str,
    row_group: int | None,
    statistics: bool,
    threads: int,
    as_json: bool,
) -> None:
    """Read PGN, every move checked, and write it as Parquet, Arrow, CSV or PGN, or tell what is in it.

    Files may be packed by zstd, gzip, bzip2, xz or zip, or be tables of games in Parquet or Arrow; '-' is standard
    input, and 'games/*.pgn' in quotes all files that match. The output is written under another name, and takes its
    own when it is whole. A damaged or truncated file ends with an error, and what was read before is kept.
    """
    if path is not None and path.suffix not in FORMATS:
        raise ValueError(f"-o: {path.name}: expected a name that ends in {', '.join(FORMATS)}")
    if path is None and not statistics and errors_path is None:
        raise ValueError("nothing to do: give -o FILE, --errors FILE or --stats")
    names: Any = headers
    if headers is not None and headers != "all":
        names = [name.strip() for name in headers.split(",")]
    if statistics and path is None:
        names = ["UTCDate", "Date"]
    options = {
        "headers": names,
        "comments": comments,
        "nags": nags,
        "variations": variations,
        "errors": bad,
        "threads": threads,
        "clocks": path is not None,
    }
    if where is not None:
        options["where"] = where
    statistics = statistics and (names is None or names == "all" or "UTCDate" in names)
    from rookery.games.reader import read_pgn

    told, interrupted, sources = _Told(), False, [name for matched in files for name in matched]
    try:
        with compilation_shown(), contextlib.ExitStack() as stack:
            read_pgn(
                b'[Event ""]\n\n1. e4 *', **options | {"threads": 1}
            )  # so that the clock does not time the compiler
            told.start = time.perf_counter()
            errors_file = _opened(stack, "--errors", errors_path)
            blocks = stack.enter_context(contextlib.closing(_read(sources, options, told, statistics, errors_file)))
            if path is None:
                for _ in blocks:
                    pass
            else:
                with writing("-o", path):
                    _write(blocks, path, row_group, threads)
    except KeyboardInterrupt:
        interrupted = True
    _tell(told, statistics, path, interrupted, as_json)


def _tell(told: _Told, statistics: bool, path: Path | None, interrupted: bool, as_json: bool) -> None:
    document = told.document(statistics)
    if interrupted:
        document["complete"] = False
    if as_json:
        print_json(document | {"out": str(path) if path and not interrupted else None})
    else:
        if interrupted:
            out.print(f"interrupted{': nothing was written' if path else ''}")
        out.print(told.line())
        if statistics:
            out.print(_table("result", told.results))
            out.print(_table("year", told.years))
    for failure in told.failures:
        err.print(plain(f"Error: {failure}"))
    if interrupted or told.failures:
        sys.exit(INTERRUPTED if interrupted else 1)


def _table(heading: str, counts: Counter[str]) -> Table:
    table = Table(heading)
    table.add_column("games", justify="right")
    for name, count in sorted(counts.items()):
        table.add_row(name, f"{count:,}")
    return table


def _opened(stack: contextlib.ExitStack, option: str, path: Path | None) -> Any:
    from rookery import files

    if path is None:
        return None
    stack.enter_context(writing(option, path))
    return stack.enter_context(files.replacing(path))


def _read(
    files: list[str], options: dict[str, Any], told: _Told, statistics: bool, errors_file: Any
) -> Generator["Games", None, None]:
    """The games of all files, counted, with a bar that says how far they are read."""
    from rookery.games.failures import DamagedFileError, DamagedFileWarning
    from rookery.games.reader import scan_pgn
    from rookery.games.sources import check_source

    check_source([name for name in files if name != "-"])  # before anything is read
    sizes = [Path(name).stat().st_size if name != "-" and Path(name).is_file() else None for name in files]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("reading", total=total)
        before = unpacked = 0
        for name in files:
            with contextlib.ExitStack() as stack:
                stack.enter_context(warnings.catch_warnings())
                source = _StandardInput() if name == "-" else Path(name)
                scan = stack.enter_context(scan_pgn(source, games=_BATCH, **options))
                games_before, bad_before = told.games, told.bad
                warnings.simplefilter("ignore", DamagedFileWarning)  # they are told at the end
                try:
                    for games in scan:
                        told.bytes, told.unpacked = before + scan.bytes_read, unpacked + scan.bytes_unpacked
                        told.add(games, statistics)
                        if errors_file is not None:
                            for error in games.errors:
                                errors_file.write(json.dumps(error._asdict()).encode() + b"\n")
                        bar.update(task, completed=told.bytes, description=told.line())
                        yield games
                except DamagedFileError as error:  # which is no error of what is written
                    raise ValueError(str(error)) from error
                told.failures += map(str, scan.failures)
                told.bytes, told.unpacked = before + scan.bytes_read, unpacked + scan.bytes_unpacked
                before, unpacked = told.bytes, told.unpacked
                bad = told.bad - bad_before
                good = told.games - games_before - (bad if options["errors"] == "keep" else 0)
                if bad and not good and "where" not in options:
                    shown_name = source.name if name == "-" else name
                    told.failures.append(f"{shown_name}: every game in it is bad ({bad:,}): is it PGN?")


def _write(blocks: Iterator["Games"], path: Path, row_group: int | None, threads: int) -> None:
    from rookery.games.parquet import ROW_GROUP, write_parquet
    from rookery.games.writer import write_pgn

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
    from rookery import files
    from rookery.games.arrow import without_left_out
    from rookery.games.games import Games
    from rookery.positions.arrow import pyarrow_module

    arrow = pyarrow_module()
    with files.replacing(path) as file, contextlib.ExitStack() as stack:
        writer = None
        for games in blocks:
            table = without_left_out(games.to_arrow())
            writer = writer or stack.enter_context(arrow.ipc.new_file(file, table.schema))
            writer.write_table(table)
        if writer is None:
            stack.enter_context(arrow.ipc.new_file(file, Games.concatenate([]).to_arrow().schema))


def _write_csv(blocks: Iterator["Games"], path: Path) -> None:
    """Headers, the start position if it is another, moves as engines write them, and what is wrong."""
    import csv
    import io

    from rookery import files

    with files.replacing(path) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        writer = csv.writer(text, lineterminator="\n")
        written = False
        for games in blocks:
            table = games.to_arrow().select([*_csv_columns(games), "start", "parse_error"])
            moves = _uci_texts(games)
            if not written:
                writer.writerow([*table.schema.names, "moves"])
                written = True
            columns = [column.to_pylist() for column in table.columns]
            writer.writerows(zip(*columns, moves, strict=True))
        if not written:
            writer.writerow(["start", "parse_error", "moves"])
        text.flush()
        text.detach()


def _csv_columns(games: "Games") -> list[str]:
    from rookery.games.tags import COLUMNS

    names = [*games.headers, "Result"]
    return [name for name in COLUMNS if name in names] + [name for name in names if name not in COLUMNS]


def _uci_texts(games: "Games") -> list[str]:
    import numpy as np

    from rookery.positions import uci

    chess960 = np.repeat(games.starts.chess960, games.plies)
    words = uci.texts_of(games.moves.moves, chess960, 1).tolist()
    ends = games.moves.offsets.tolist()
    return [" ".join(words[a:b]) for a, b in itertools.pairwise(ends)]
