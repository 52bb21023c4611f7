"""``rookery search``: find positions in files of games by an expression."""

import contextlib
import csv
import io
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from rookery.cli.common import (
    INTERRUPTED,
    OutputFile,
    as_json_option,
    compilation_shown,
    err,
    out,
    plain,
    print_json,
    writes_files,
    writing,
)
from rookery.cli.game_files import Sources, StandardInput
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.games.games import Games
    from rookery.games.search.counts import HitCounts
    from rookery.games.search.hits import Hits
    from rookery.games.search.sources import FileSearch
    from rookery.games.search.sources import Progress as SearchProgress
    from rookery.positions.expressions.query import Query

FORMATS: Final = (".parquet", ".arrow", ".csv", ".pgn")
_OUT: Final = f"Write the hits, or with .pgn the games: {', '.join(FORMATS)}."
_DRAWN: Final = 3  # hits drawn as boards unless --boards says otherwise


@click.command("search")
@click.argument("files", nargs=-1, required=True, type=Sources())
@click.argument("query")
@click.option(
    "-o", "--out", "path", type=OutputFile(), help=f"Write the hits, or with .pgn the games: {', '.join(FORMATS)}."
)
@click.option("--count", "count_only", is_flag=True, help="Print only the number of hits.")
@click.option("--by", help="Count hits by a header, such as ECO, or by an expression, such as signature.")
@click.option("--where", help="Select games by their headers: 'WhiteElo >= 2000'.")
@click.option("--headers", default="White,Black", show_default=True, help="Headers to show, with commas between.")
@click.option("--limit", type=click.IntRange(1), help="Stop after this number of hits.")
@click.option("--one-per-game", is_flag=True, help="Find only the first hit of each game.")
@click.option("--sort-by", help="Show the hits with the greatest values of an expression first.")
@click.option("--context", type=click.IntRange(0, 1000), default=0, help="Show half-moves before and after each hit.")
@click.option("--boards", type=click.IntRange(0), default=_DRAWN, show_default=True, help="Hits to draw as boards.")
@click.option("--explain", is_flag=True, help="Print the plan: the order of the terms, their cost, what they keep.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="The number of threads.")
@as_json_option
@writes_files
def search_command(
    files: tuple[list[str], ...],
    query: str,
    path: Path | None,
    count_only: bool,
    by: str | None,
    where: str | None,
    headers: str,
    limit: int | None,
    one_per_game: bool,
    sort_by: str | None,
    context: int,
    boards: int,
    explain: bool,
    threads: int,
    as_json: bool,
) -> None:
    """Find the positions in files of games for which a query holds.

    QUERY is an expression such as 'them.knights & knight_attacks(us.king) & knight_attacks(us.queens)' or
    'is_mate and count(us.pieces) > 10'. Files are as in 'rookery games': PGN, packed or not, or tables of games in
    Parquet or Arrow; '-' is standard input. Parquet, CSV and Arrow get a row for each hit, and PGN the games with hits.
    """
    if path is not None and path.suffix not in FORMATS:
        raise ValueError(f"-o: {path.name}: expected a name that ends in {', '.join(FORMATS)}")
    if by is not None and (path is not None or sort_by is not None or limit is not None):
        raise ValueError("--by: counts all hits: expected neither -o, --sort-by nor --limit")
    if sort_by is not None and path is not None and path.suffix == ".pgn":
        raise ValueError("--sort-by: orders hits, not games: expected an output other than .pgn")
    from rookery.games.search.counts import HitCounts
    from rookery.games.search.find import checked_options
    from rookery.games.search.sources import FileSearch
    from rookery.positions.expressions.query import Query

    names = [name.strip() for name in headers.split(",") if name.strip()]
    counts = None if by is None else HitCounts(by)
    if counts is not None and counts.header is not None and counts.header not in names:
        names.append(counts.header)
    asked = Query(query)
    options = checked_options(names, limit, one_per_game, context, sort_by)
    sources = [StandardInput() if name == "-" else Path(name) for matched in files for name in matched]
    is_pgn = path is not None and path.suffix == ".pgn"
    run = FileSearch(sources, asked, options, where=where, texts=is_pgn, threads=threads)
    result = _Result(counts, boards, keep_all=as_json or (path is not None and not is_pgn), sorts=sort_by is not None)
    interrupted = False
    start = time.perf_counter()
    try:
        with compilation_shown(), run, contextlib.ExitStack() as stack:
            _compile(asked, options, texts=is_pgn)
            start = time.perf_counter()
            stack.enter_context(_shown(run, sources, start))
            if is_pgn:
                _write_games(run, result, path, threads)
            else:
                for _, hits in run:
                    result.add(hits)
                result.finish(options)
                if path is not None:
                    _write_hits(result.hits(), path)
    except KeyboardInterrupt:
        interrupted = True
    _report(run, result, asked, time.perf_counter() - start, count_only, explain, as_json, path, interrupted)


def _compile(query: "Query", options: Any, *, texts: bool) -> None:
    """Search one short game, so that the clock does not time the compiler."""
    from rookery.games.search.sources import FileSearch

    with FileSearch([b'[Event ""]\n\n1. e4 *'], query, options._replace(limit=None), texts=texts) as run:
        for _ in run:
            pass


class _Result:
    """The hits to show and to write, or their counts."""

    def __init__(self, counts: "HitCounts | None", boards: int, *, keep_all: bool, sorts: bool) -> None:
        self.counts = counts
        self.boards = boards
        self.found = 0
        self._keep_all, self._sorts = keep_all, sorts
        self._parts: list[Hits] = []
        self._kept = 0

    def add(self, hits: "Hits") -> None:
        """Count hits, and keep those that are needed."""
        self.found += len(hits)
        if self.counts is not None:
            self.counts.add(hits)
        elif not self._parts or ((self._keep_all or self._sorts or self._kept < self.boards) and len(hits)):
            part = hits if self._keep_all or self._sorts else hits[: self.boards - self._kept]
            self._parts.append(part)
            self._kept += len(part)

    def finish(self, options: Any) -> None:
        """Sort the hits of all batches, and cut them to the limit."""
        from rookery.games.search.find import limited

        if self._parts:
            self._parts = [limited(self.hits(), options)]
            self.found = min(self.found, options.limit) if options.limit is not None else self.found

    def hits(self) -> "Hits":
        """Return the hits that were kept."""
        from rookery.games.search.hits import Hits

        return Hits.concatenate(self._parts) if self._parts else Hits.empty()


@contextlib.contextmanager
def _shown(run: "FileSearch", sources: list[Any], start: float) -> Iterator[None]:
    """Show a progress bar while a search runs; damaged files are reported at the end."""
    from rookery.games.sources.failures import DamagedFileWarning

    sizes = [source.stat().st_size if isinstance(source, Path) and source.is_file() else None for source in sources]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with warnings.catch_warnings(), Progress(*columns, console=err, transient=True) as bar:
        warnings.simplefilter("ignore", DamagedFileWarning)
        task = bar.add_task("searching", total=total)

        def update(done: "SearchProgress") -> None:
            bar.update(task, completed=done.bytes_read, description=_line(done, time.perf_counter() - start))

        run.watch = update
        yield


def _line(done: "SearchProgress", seconds: float) -> str:
    rate = done.plies / max(seconds, 1e-9) / 1e6
    return f"{done.hits:,} hits in {done.games:,} games, {done.plies:,} plies, {seconds:.2f} s, {rate:.1f} M plies/s"


def _write_games(run: "FileSearch", result: _Result, path: Path | None, threads: int) -> None:
    """Write the games that have hits as PGN."""
    import numpy as np

    from rookery.games.write.writer import write_pgn

    assert path is not None

    def found() -> Iterator["Games"]:
        for games, hits in run:
            result.add(hits)
            first = run.progress.games - len(games)
            if len(hits):
                yield games[np.unique(hits.game) - first]

    with writing("-o", path):
        write_pgn(found(), path, threads=threads)


def _write_hits(hits: "Hits", path: Path) -> None:
    """Write a table of hits."""
    from rookery import files

    with writing("-o", path), files.replacing(path) as file:
        if path.suffix == ".csv":
            text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
            writer = csv.writer(text, lineterminator="\n")
            columns = hits.to_dict()
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
            text.flush()
            text.detach()
            return
        from rookery.arrow_tables import parquet_module, pyarrow_module

        table = hits.to_arrow()
        if path.suffix == ".parquet":
            parquet_module().write_table(table, file, compression="zstd")
        else:
            with pyarrow_module().ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)


def _report(
    run: "FileSearch",
    result: _Result,
    query: "Query",
    seconds: float,
    count_only: bool,
    explain: bool,
    as_json: bool,
    path: Path | None,
    interrupted: bool,
) -> None:
    done = run.progress
    if as_json:
        document: dict[str, Any] = {"query": query.text, "hits": result.found, "games": done.games, "plies": done.plies}
        if result.counts is not None:
            document["counts"] = [count._asdict() for count in result.counts]
        elif not count_only:
            columns = result.hits().to_dict()
            document["rows"] = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        if explain:
            document["plan"] = query.explain().splitlines()
        document |= {"seconds": round(seconds, 3), "complete": not (interrupted or run.failures)}
        print_json(document | {"failures": list(map(str, run.failures)), "out": str(path) if path else None})
    elif count_only:
        out.print(str(result.found))
    else:
        if interrupted:
            out.print(f"interrupted{': nothing was written' if path else ''}")
        if result.counts is not None:
            rows = [
                {"value": count.value or "none", "hits": count.hits, "games": count.games} for count in result.counts
            ]
            heads = (Column(result.counts.name, "{value}"), number("hits", "{hits:,}"), number("games", "{games:,}"))
            present(rows, heads)
        for hit in result.hits()[: result.boards]:
            out.print(plain(f"{hit}\n" if hit.context is None else f"{hit}\n{hit.context}\n"))
        out.print(_line(done, seconds))
        if explain:
            out.print(plain(query.explain()))
    for failure in run.failures:
        err.print(plain(f"Error: {failure}"))
    if interrupted or run.failures:
        sys.exit(INTERRUPTED if interrupted else 1)
