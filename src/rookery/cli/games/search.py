"""``rookery search``: find positions in files of games by an expression."""

import contextlib
import functools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from rookery.cli.common import out, plain, rate, writing
from rookery.cli.games.game_files import StandardInput, bad_games, total_size
from rookery.cli.games.search_output import (
    FORMATS,
    Found,
    json_rows,
    present_boards,
    present_counts,
    present_hits,
    write_hits,
)
from rookery.cli.options import (
    RowOptions,
    as_json_option,
    chooses_rows,
    executor_option,
    explain_option,
    headers_option,
    out_option,
    overwrites,
    reads_games,
    writes_files,
)
from rookery.cli.runner import Run, bad_text, progress_bar

if TYPE_CHECKING:
    from rookery.games.games import Games
    from rookery.games.read.options import ReadOptions
    from rookery.games.search.counts import HitCounts
    from rookery.games.search.files import FileSearch
    from rookery.games.search.files import Progress as SearchProgress
    from rookery.games.search.ranges import RangeSearch
    from rookery.positions.language.query import Query

_DRAWN: Final = 3  # hits drawn as boards unless --boards says otherwise
_LISTED: Final = 10  # hits listed unless --list says otherwise
_PLANNED: Final = "--select, --every, --sample, --unique, --sort, --shuffle and --split"


class HitOptions(NamedTuple):
    """The options that say what is found and shown of hits."""

    count_only: bool
    headers: tuple[str, ...] | None
    one_per_game: bool
    sort_by: str | None
    context: int
    boards: int
    listed: int


def _of_hits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Pass the options of hits to a command as the record `hits`."""

    @functools.wraps(command)
    def with_record(*args: Any, **kwargs: Any) -> Any:
        return command(*args, hits=HitOptions(**{name: kwargs.pop(name) for name in HitOptions._fields}), **kwargs)

    return with_record


@click.command("search")
@reads_games("where", "encoding", "letters", "names", "threads")
@click.argument("query")
@out_option(f"Write the hits, or with .pgn the games: {', '.join(FORMATS)}.")
@click.option("--count", "count_only", is_flag=True, help="Print only the number of hits.")
@headers_option("White,Black", "Headers to show, with commas between.")
@chooses_rows(
    *(field for field in RowOptions._fields if field != "query"),
    by="Count hits by a header, such as ECO, or by expressions: 'elo(us)//200, move.san'; -o writes a table.",
    limit="Stop after this number of hits, or of rows.",
)
@click.option("--one-per-game", is_flag=True, help="Find only the first hit of each game.")
@click.option("--sort-by", help="Show the hits with the greatest values of an expression first.")
@click.option("--context", type=click.IntRange(0, 1000), default=0, help="Show half-moves before and after each hit.")
@click.option("--boards", type=click.IntRange(0), default=_DRAWN, show_default=True, help="Hits to draw as boards.")
@click.option(
    "--list", "listed", type=click.IntRange(0), default=_LISTED, show_default=True, help="Hits to list, one per line."
)
@explain_option
@executor_option
@as_json_option
@writes_files
@_of_hits
def search_command(
    files: list[str],
    reading: "ReadOptions",
    query: str,
    path: Path | None,
    rows: RowOptions,
    hits: "HitOptions",
    explain: bool,
    executor: str | None,
    as_json: bool,
) -> None:
    """Find the positions in files of games for which a query holds.

    QUERY is an expression such as 'them.knights & knight_attacks(us.king) & knight_attacks(us.queens)' or
    'is_mate and count(us.pieces) > 10'. Files are as in 'rookery games': PGN, packed or not, or tables of games in
    Parquet or Arrow; '-' is standard input. Parquet, CSV and Arrow get a row for each hit, and PGN the games with hits.

    With --select, --every, --sample, --unique, --sort, --shuffle or --split, -o writes the rows of a plan, as in
    'rookery annotate'; with --by, hits and games for each value.
    """
    _check_output(path, rows, hits)
    rows = rows._replace(query=_between(query, rows.from_ply, rows.to_ply), from_ply=0, to_ply=None)
    if _is_plan(rows) or (rows.by is not None and path is not None):
        _write_plan(files, reading, rows, path, executor, explain=explain, as_json=as_json)
    else:
        _search(files, reading, rows, hits, path, executor, explain=explain, as_json=as_json)


def _between(query: str, first: int, last: int | None) -> str:
    """Return a query that holds only for some half-moves of games."""
    bounds = ([f"ply >= {first}"] if first else []) + ([f"ply <= {last}"] if last is not None else [])
    return " and ".join([*bounds, f"({query})"]) if bounds else query


def _is_plan(rows: RowOptions) -> bool:
    """Check whether a plan must make the rows, which are not those of hits."""
    makes = rows.every > 1 or rows.sample is not None or bool(rows.select)
    return makes or rows._replace(by=None).order


def _search(
    files: list[str],
    reading: "ReadOptions",
    rows: RowOptions,
    hit_options: "HitOptions",
    path: Path | None,
    executor: str | None,
    *,
    explain: bool,
    as_json: bool,
) -> None:
    """Find hits, and show, count or write them."""
    from rookery.games.search.counts import HitCounts
    from rookery.games.search.files import FileSearch
    from rookery.games.search.find import checked_options
    from rookery.positions.language.query import Query

    count_only, headers, one_per_game, sort_by, context, boards, listed = hit_options
    if headers is None:
        raise ValueError("--headers: 'all': expected names of headers, with commas between")
    counts = None if rows.by is None else HitCounts(rows.by, "--by")
    asked = Query(rows.query or "")
    groups = () if counts is None else counts.queries
    options = checked_options(list(headers), rows.limit, one_per_game, context, sort_by, groups)
    sources = [StandardInput() if name == "-" else Path(name) for name in files]
    is_pgn = path is not None and path.suffix == ".pgn"
    read_as = replace(reading, texts=is_pgn)
    search = _search_of(sources, asked, options, read_as, executor, counts, explain=explain)
    found = Found(counts, max(boards, listed), keep_all=as_json, sorts=sort_by is not None)
    run = Run(as_json, path)
    with run, search, contextlib.ExitStack() as stack:
        _compile(asked, options, texts=is_pgn)
        run.restart_clock()
        stack.enter_context(_shown(search, files, run))
        if is_pgn and isinstance(search, FileSearch):
            _write_games(search, found, path, reading)
        else:
            hits = found.from_search(search, options)
            if path is not None:
                write_hits(hits, path)
            for _ in hits:
                pass
    run.failures += [*map(str, search.failures), *search.unreadable]
    run.note_bad(search.progress.bad, hint=bad_games(search.progress.bad))

    def show() -> None:
        if count_only and found.counts is None:
            out.print(str(found.hits))
            return
        if found.counts is not None:
            present_counts(found.counts)
        else:
            kept = found.kept()
            present_boards(kept[:boards])
            present_hits(kept[:listed], files=len(sources) > 1)
        if not count_only:
            out.print(_summary(search.progress, found, run.seconds))
        if explain:
            out.print(plain(asked.explain()))

    run.finish(_document(search, found, asked, count_only, explain), show)


def _check_output(path: Path | None, rows: RowOptions, hits: "HitOptions") -> None:
    """Refuse options that do not go with each other, or with the kind of output."""
    if path is not None and path.suffix not in FORMATS:
        raise ValueError(f"-o: {path.name}: expected a name that ends in {', '.join(FORMATS)}")
    if rows.by is not None and (hits.sort_by is not None or rows.limit is not None or _is_plan(rows._replace(every=1))):
        lacking = "--sort-by, --limit, --select, --sample, --unique, --sort, --shuffle or --split"
        raise ValueError(f"--by: counts all hits: expected none of {lacking}")
    if hits.sort_by is not None and path is not None and path.suffix == ".pgn":
        raise ValueError("--sort-by: orders hits, not games: expected an output other than .pgn")


def _write_plan(
    files: list[str],
    reading: "ReadOptions",
    rows: RowOptions,
    path: Path | None,
    executor: str | None,
    *,
    explain: bool,
    as_json: bool,
) -> None:
    """Write the rows of a plan: columns of the hits, or the hits and the games of each value."""
    from rookery.data.plans.plan import scan
    from rookery.data.plans.running import NOTHING_WRITTEN
    from rookery.sources.failures import DamagedFileWarning
    from rookery.tasks.jobs import goes_on

    if path is None:
        raise ValueError(f"{_PLANNED} make the rows of -o: expected -o")
    context = click.get_current_context()
    for param in context.command.params:
        is_given = context.get_parameter_source(param.name or "") is click.core.ParameterSource.COMMANDLINE
        if param.name in HitOptions._fields and is_given:
            raise ValueError(f"{param.opts[0]}: shows hits: expected an output without --by, {_PLANNED}")
    if rows.by is not None and path.suffix == ".pgn":
        raise ValueError("--by: counts hits: expected an output other than .pgn")
    named: dict[str, Any] = {name: getattr(reading, name) for name in ("where", "encoding", "letters", "names")}
    plan = rows.chosen(scan(files, format="games", **named))
    plan = rows.ordered(plan.select(*rows.select) if rows.select else plan)
    if explain:
        out.print(plain(plan.explain(threads=reading.threads)))
        return
    run = Run(as_json, path)
    done = NOTHING_WRITTEN
    with run, progress_bar("parts") as bar, warnings.catch_warnings():
        warnings.simplefilter("ignore", DamagedFileWarning)
        done = plan.write(
            path,
            executor=executor,
            threads=reading.threads,
            progress=lambda done, total: bar.update(done=done, total=total or None),
            force=overwrites(),
        )
    run.failures += done.failures
    run.note_bad(done.bad, hint=bad_games(done.bad))
    what = "rows" if rows.by is None else "values"
    document = {"games": done.games, what: done.rows, "bad": done.bad}
    text = f"{done.games:,} games read{bad_text(done.bad)}, {done.rows:,} {what}, {run.seconds:.2f} s"
    run.finish(document, lambda: out.print(plain(text)), goes_on=goes_on(path))


def _search_of(
    sources: list[Any],
    asked: "Query",
    options: Any,
    reading: "ReadOptions",
    executor: str | None,
    counts: "HitCounts | None",
    *,
    explain: bool,
) -> "FileSearch | RangeSearch":
    """Return the search of the files, here or on an executor."""
    from rookery.games.search.files import FileSearch
    from rookery.games.search.ranges import RangeSearch

    if executor is None:
        return FileSearch(sources, asked, options, reading, counts=counts)
    if reading.texts or explain or not all(isinstance(source, Path) for source in sources):
        raise ValueError("--executor: goes neither with -o FILE.pgn nor with --explain nor with standard input")
    return RangeSearch(sources, asked, options, reading, executor, counts=counts)


def _compile(query: "Query", options: Any, *, texts: bool) -> None:
    """Search one short game, so that the clock does not time the compiler."""
    from rookery.games.headers.known_headers import UnknownHeaderError
    from rookery.games.read.options import ReadOptions
    from rookery.games.search.files import FileSearch
    from rookery.games.search.find import valued
    from rookery.positions.language.query import Query

    every = Query("ply >= 0")
    queries = [query, *valued(options)]
    names = tuple(dict.fromkeys([*options.headers, *(name for q in queries for name in q.headers)]))
    asked = options._replace(limit=None, headers=names, group_by=())  # so that these headers are read
    game = [b'[Event ""]\n\n1. e4 *']
    with contextlib.suppress(UnknownHeaderError), FileSearch(game, every, asked, ReadOptions(texts=texts)) as run:
        for games, hits in run:
            hits.san()
            for q in queries:
                q.plan.prepare(games.positions(when="all"))


@contextlib.contextmanager
def _shown(search: "FileSearch | RangeSearch", files: list[str], run: Run) -> Iterator[None]:
    """Show a progress bar while a search runs; damaged files are reported at the end."""
    from rookery.sources.failures import DamagedFileWarning

    with warnings.catch_warnings(), progress_bar("searching", total_size(files)) as bar:
        warnings.simplefilter("ignore", DamagedFileWarning)

        def update(done: "SearchProgress") -> None:
            text = f"{done.hits:,} hits in {done.games:,} games, {_speed(done, run.seconds)}"
            bar.update(text, done.bytes_read)

        search.watch = update
        yield


def _summary(done: "SearchProgress", found: Found, seconds: float) -> str:
    hits = f"{found.hits:,} hit{'' if found.hits == 1 else 's'}"
    games = f"{found.games:,} of {done.games:,} game{'' if done.games == 1 else 's'}"
    return f"{hits} in {games}{bad_text(done.bad)}, {done.plies:,} plies, {seconds:.2f} s, {_speed(done, seconds)}"


def _speed(done: "SearchProgress", seconds: float) -> str:
    return rate(done.plies / max(seconds, 1e-9), "plies")


def _write_games(run: "FileSearch", found: Found, path: Path | None, reading: "ReadOptions") -> None:
    """Write the games that have hits as PGN: byte for byte, or anew with names of openings."""
    import numpy as np

    from rookery.games.games import Games
    from rookery.games.write.writer import write_pgn

    assert path is not None

    def games_found() -> Iterator["Games"]:
        for games, hits in run:
            found.add(hits)
            first = run.first_game
            if len(hits):
                chosen = games[np.unique(hits.game) - first]
                is_copy = reading.names is None
                yield chosen if is_copy else Games._of_columns(chosen.columns.replace(texts=None))

    with writing("-o", path):
        write_pgn(games_found(), path, threads=reading.threads)


def _document(
    search: "FileSearch | RangeSearch", found: Found, query: "Query", count_only: bool, explain: bool
) -> dict[str, Any]:
    done = search.progress
    document: dict[str, Any] = {"query": query.text, "hits": found.hits, "games": done.games, "bad": done.bad}
    document |= {"plies": done.plies, "games_with_hits": found.games}
    if found.counts is not None:
        document["counts"] = [count._asdict() for count in found.counts]
    elif not count_only:
        document["rows"] = json_rows(found.kept())
    if explain:
        document["plan"] = query.explain().splitlines()
    return document
