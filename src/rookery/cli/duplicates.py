"""``rookery duplicates``: find games that occur several times, and drop them."""

import contextlib
import itertools
import sys
import time
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rookery.cli.common import (
    INTERRUPTED,
    OutputFile,
    as_json_option,
    check_printable,
    compilation_shown,
    err,
    out,
    plain,
    print_json,
    writes_files,
    writing,
)
from rookery.cli.game_batches import GameBatches
from rookery.cli.game_files import Sources
from rookery.cli.games import FORMATS, write_games
from rookery.cli.tables import Column, Row, number, present

if TYPE_CHECKING:
    from rookery.games.duplicates import DuplicateFinder
    from rookery.games.games import Games
    from rookery.games.read.options import ReadOptions


@click.command("duplicates")
@click.argument("files", nargs=-1, required=True, type=Sources())
@click.option("--same-headers", is_flag=True, help="Only games that also agree in players, day and result.")
@click.option("--prefix", is_flag=True, help="Also games that are the beginning of another game.")
@click.option(
    "--min-plies", type=click.IntRange(0), default=1, show_default=True, help="Ignore games of fewer half-moves."
)
@click.option("--where", help="Select games by their headers: 'WhiteElo >= 2000'.")
@click.option("--limit", type=click.IntRange(0), default=20, show_default=True, help="Groups to print as a table.")
@click.option("-o", "--out", "path", type=OutputFile(), help=f"Write each game once: {', '.join(FORMATS)}.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="The number of threads.")
@as_json_option
@writes_files
def duplicates_command(
    files: tuple[list[str], ...],
    same_headers: bool,
    prefix: bool,
    min_plies: int,
    where: str | None,
    limit: int,
    path: Path | None,
    threads: int,
    as_json: bool,
) -> None:
    """Find games that occur several times, within a file or in several files.

    Games are the same if they have the same moves from the same start position. With --same-headers players, day and
    result must agree, too; names are compared without case, accents, punctuation and the order of words. The game to
    keep is the first of each group, or with --prefix the longest.

    The files are read twice or more, so standard input is not accepted. Memory is needed for 12 bytes of each game,
    and for the moves of likely duplicates. With -o the games to keep are written, as 'rookery games' does.
    """
    if path is not None and path.suffix not in FORMATS:
        raise ValueError(f"-o: {path.name}: expected a name that ends in {', '.join(FORMATS)}")
    names = [name for matched in files for name in matched]
    if "-" in names:
        raise ValueError("FILES: '-': standard input can be read only once: expected names of files")
    from rookery.games.duplicates import DuplicateFinder

    start = time.perf_counter()
    search = _Search(names, DuplicateFinder(headers=same_headers, prefixes=prefix, min_plies=min_plies), where, threads)
    interrupted, groups = False, list[list[int]]()
    rows: list[list[dict[str, Any]]] = []
    try:
        with compilation_shown():
            groups = search.run(prefix)
            rows = search.rows(groups if as_json else groups[:limit])
            if not as_json:
                check_printable(str(value) for group in rows for row in group for value in row.values())
            if path is not None:
                dropped = [i for group in groups for i in group[1:]]
                with writing("-o", path), contextlib.closing(search.kept(dropped, path)) as blocks:
                    write_games(blocks, path, None, threads)
    except KeyboardInterrupt:
        interrupted = True
    dropped_count = sum(len(group) - 1 for group in groups)
    document = {
        "games": search.finder.games,
        "groups": rows,
        "duplicates": dropped_count,
        "seconds": round(time.perf_counter() - start, 3),
        "complete": not interrupted and not search.failures,
        "failures": search.failures,
        "out": str(path) if path and not interrupted else None,
    }
    if as_json:
        print_json(document)
    else:
        _show(document, len(groups), interrupted, path)
    for failure in search.failures:
        err.print(plain(f"Error: {failure}"), soft_wrap=True)
    if interrupted or search.failures:
        sys.exit(INTERRUPTED if interrupted else 1)


class _Search:
    """The passes over the files, and where each game is."""

    def __init__(self, names: list[str], finder: "DuplicateFinder", where: str | None, threads: int) -> None:
        from rookery.games.read.options import ReadOptions

        self.finder = finder
        self.failures: list[str] = []
        self._names = names
        self._options = ReadOptions(where=where, threads=threads)
        self._begins: list[int] = []  # the index of the first game of each batch
        self._files: list[str] = []  # and its file

    def run(self, prefix: bool) -> list[list[int]]:
        """Read the files as often as needed, and return the groups."""
        passes = 3 if prefix else 2
        for name, games in self._read(f"pass 1 of {passes}"):
            self._begins.append(self.finder.games)
            self._files.append(name)
            self.finder.add(games)
        if prefix:
            for _, games in self._read("pass 2 of 3"):
                self.finder.add_prefixes(games)
        for _, games in self._read(f"pass {passes} of {passes}"):
            self.finder.confirm(games)
        return self.finder.groups()

    def _read(self, label: str, options: "ReadOptions | None" = None) -> Iterator[tuple[str, "Games"]]:
        """Yield all games, with no more than what is compared unless `options` say so."""
        from rookery.games.duplicates import HEADERS

        options = options or self._options.for_moves(HEADERS)
        reading = GameBatches(self._names, options, lambda: f"{label}: {reading.games:,} games")
        with contextlib.closing(reading.batches()) as batches:
            yield from batches
        self.failures = reading.failures

    def kept(self, dropped: list[int], path: Path) -> Generator["Games", None, None]:
        """Yield all games, complete, but for those to drop."""
        import numpy as np

        is_dropped = np.zeros(self.finder.games, np.bool_)
        is_dropped[dropped] = True
        read = 0
        for _, games in self._read("writing", replace(self._options, texts=path.suffix == ".pgn")):
            yield games[~is_dropped[read : read + len(games)]]
            read += len(games)

    def rows(self, groups: list[list[int]]) -> list[list[dict[str, Any]]]:
        """Return where the games of each group are, and what their headers say."""
        if not groups:
            return []
        import numpy as np

        index, games = self.finder.candidates()
        wanted = np.concatenate([np.array(group, np.int64) for group in groups])
        chosen = games[np.searchsorted(index, wanted)]
        batches = np.searchsorted(self._begins, wanted, "right") - 1
        days = chosen.date.astype(str)
        columns = {
            "file": [self._files[batch] for batch in batches.tolist()],
            "number": chosen.numbers.tolist(),
            "white": list(chosen["White"]),
            "black": list(chosen["Black"]),
            "date": [None if day == "NaT" else day for day in days.tolist()],
            "result": list(map(str, chosen.results)),
            "plies": chosen.plies.tolist(),
        }
        rows = (dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True))
        return [list(itertools.islice(rows, len(group))) for group in groups]


def _show(document: dict[str, Any], found: int, interrupted: bool, path: Path | None) -> None:
    if interrupted:
        out.print(f"interrupted{': nothing was written' if path else ''}")
    groups = document["groups"]
    print_count = f"{document['games']:,} games, {document['duplicates']:,} duplicates in {found:,} groups"
    out.print(f"{print_count}, {document['seconds']:.2f} s")
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
