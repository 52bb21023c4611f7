"""``rookery duplicates``: find games that occur several times, and drop them."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rookery.cli.common import check_printable, out, writing
from rookery.cli.games.game_files import reading_shown, scan_of
from rookery.cli.games.games import FORMATS, is_copied, write_games
from rookery.cli.options import as_json_option, limit_option, out_option, reads_games, writes_files
from rookery.cli.runner import Run, bad_text
from rookery.cli.tables import Column, Row, number, present

if TYPE_CHECKING:
    from rookery.games.games import Games
    from rookery.games.methods.duplicates import DuplicateFinder
    from rookery.games.read.on_executor import JobScan
    from rookery.games.read.options import ReadOptions


@click.command("duplicates")
@reads_games("where", "encoding", "letters", "names", "errors", "threads")
@click.option("--same-headers", is_flag=True, help="Only games that also agree in players, day and result.")
@click.option("--prefix", is_flag=True, help="Also games that are the beginning of another game.")
@click.option(
    "--min-plies", type=click.IntRange(0), default=1, show_default=True, help="Ignore games of fewer half-moves."
)
@limit_option("Groups to print as a table.", 20)
@out_option(f"Write each game once: {', '.join(FORMATS)}.")
@as_json_option
@writes_files
def duplicates_command(
    files: list[str],
    reading: "ReadOptions",
    same_headers: bool,
    prefix: bool,
    min_plies: int,
    limit: int,
    path: Path | None,
    as_json: bool,
) -> None:
    """Find games that occur several times, within a file or in several files.

    Games are the same if they have the same moves from the same start position. With --same-headers players, day and
    result must agree, too; names are compared without case, accents, punctuation and the order of words. The game to
    keep is the first of each group, or with --prefix the longest.

    Games that were read are kept on disk, and compared there two or three times. Memory is needed for 12 bytes of each
    game, and for the moves of likely duplicates. With -o the games to keep are written, as 'rookery games' does.
    """
    if path is not None and path.suffix not in FORMATS:
        raise ValueError(f"-o: {path.name}: expected a name that ends in {', '.join(FORMATS)}")
    from rookery.games.methods.duplicates import HEADERS, DuplicateFinder

    run = Run(as_json, path)
    finder = DuplicateFinder(headers=same_headers, prefixes=prefix, min_plies=min_plies)
    groups: list[list[int]] = []
    rows: list[list[dict[str, Any]]] = []
    reading = reading.for_moves(HEADERS) if path is None else replace(reading, texts=is_copied(path, reading))
    scan = scan_of(run, files, reading, out=path, again=True)
    with run, reading_shown(run, scan, lambda: f"{scan.games:,} games"):
        for take in (finder.add, *([finder.add_prefixes] if prefix else []), finder.confirm):
            for games in scan:
                take(games)
        groups = finder.groups()
        rows = _rows(finder, scan, groups if as_json else groups[:limit])
        if not as_json:
            check_printable(str(value) for group in rows for row in group for value in row.values())
        if path is not None:
            dropped = [i for group in groups for i in group[1:]]
            with writing("-o", path):
                write_games(_kept(scan, finder.games, dropped), path, None, reading.threads)
    count = sum(len(group) - 1 for group in groups)
    document = {"games": finder.games, "bad": run.bad, "groups": rows, "duplicates": count}
    run.finish(document, lambda: _show(document, len(groups), run.seconds))


def _kept(scan: "JobScan", number: int, dropped: list[int]) -> Iterator["Games"]:
    """Yield all games but for those to drop."""
    import numpy as np

    is_dropped = np.zeros(number, np.bool_)
    is_dropped[dropped] = True
    read = 0
    for games in scan:
        yield games[~is_dropped[read : read + len(games)]]
        read += len(games)


def _rows(finder: "DuplicateFinder", scan: "JobScan", groups: list[list[int]]) -> list[list[dict[str, Any]]]:
    """Return where the games of each group are, and what their headers say."""
    if not groups:
        return []
    import numpy as np

    index, games = finder.candidates()
    wanted = np.concatenate([np.array(group, np.int64) for group in groups])
    chosen = games[np.searchsorted(index, wanted)]
    days = chosen.date.astype(str)
    columns = {
        "file": [scan.names[file] for file in np.searchsorted(scan.ends, wanted, "right").tolist()],
        "number": chosen.numbers.tolist(),
        "white": list(chosen["White"]),
        "black": list(chosen["Black"]),
        "date": [None if day == "NaT" else day for day in days.tolist()],
        "result": list(map(str, chosen.results)),
        "plies": chosen.plies.tolist(),
    }
    rows = (dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True))
    return [list(itertools.islice(rows, len(group))) for group in groups]


def _show(document: dict[str, Any], found: int, seconds: float) -> None:
    groups = document["groups"]
    games = f"{document['games']:,} games{bad_text(document['bad'])}"
    out.print(f"{games}, {document['duplicates']:,} duplicates in {found:,} groups, {seconds:.2f} s")
    rows = [
        {"group": n, "role": "keep" if i == 0 else "drop", **row}
        for n, group in enumerate(groups, 1)
        for i, row in enumerate(group)
    ]
    if rows:
        columns = [number("group"), Column("", "{role}"), Column("file"), number("game", "{number}")]
        columns += [_text_column(name) for name in ("white", "black", "date", "result")]
        present(rows, [*columns, number("plies")])
    if found > len(groups):
        out.print(f"{found - len(groups):,} more groups: --limit N prints more, --json all")


def _text_column(name: str) -> Column:
    def text(row: Row) -> str:
        return str(row[name] or "")

    return Column(name, text)
