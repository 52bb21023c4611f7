"""``rookery duplicates``: find games that occur several times, and drop them."""

import contextlib
import itertools
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rookery.cli.common import check_printable, out, writing
from rookery.cli.game_batches import GameBatches
from rookery.cli.games import FORMATS, write_games
from rookery.cli.options import as_json_option, out_option, reads_games, writes_files
from rookery.cli.runner import Run, bad_text
from rookery.cli.tables import Column, Row, number, present

if TYPE_CHECKING:
    from rookery.games.duplicates import DuplicateFinder
    from rookery.games.games import Games
    from rookery.games.read.options import ReadOptions


@click.command("duplicates")
@reads_games("where", "encoding", "letters", "errors", "threads")
@click.option("--same-headers", is_flag=True, help="Only games that also agree in players, day and result.")
@click.option("--prefix", is_flag=True, help="Also games that are the beginning of another game.")
@click.option(
    "--min-plies", type=click.IntRange(0), default=1, show_default=True, help="Ignore games of fewer half-moves."
)
@click.option("--limit", type=click.IntRange(0), default=20, show_default=True, help="Groups to print as a table.")
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

    The files are read twice or more, so standard input is not accepted. Memory is needed for 12 bytes of each game,
    and for the moves of likely duplicates. With -o the games to keep are written, as 'rookery games' does.
    """
    if path is not None and path.suffix not in FORMATS:
        raise ValueError(f"-o: {path.name}: expected a name that ends in {', '.join(FORMATS)}")
    if "-" in files:
        raise ValueError("FILES: '-': standard input can be read only once: expected names of files")
    from rookery.games.duplicates import DuplicateFinder

    run = Run(as_json, path)
    finder = DuplicateFinder(headers=same_headers, prefixes=prefix, min_plies=min_plies)
    search = _Search(files, finder, reading)
    groups: list[list[int]] = []
    rows: list[list[dict[str, Any]]] = []
    with run:
        groups = search.run(prefix)
        rows = search.rows(groups if as_json else groups[:limit])
        if not as_json:
            check_printable(str(value) for group in rows for row in group for value in row.values())
        if path is not None:
            dropped = [i for group in groups for i in group[1:]]
            with writing("-o", path), contextlib.closing(search.kept(dropped, path)) as blocks:
                write_games(blocks, path, None, reading.threads)
    if search.last is not None:
        search.last.note_in(run)
    count = sum(len(group) - 1 for group in groups)
    document = {"games": finder.games, "bad": run.bad, "groups": rows, "duplicates": count}
    run.finish(document, lambda: _show(document, len(groups), run.seconds))


class _Search:
    """The passes over the files, and where each game is."""

    def __init__(self, names: list[str], finder: "DuplicateFinder", reading: "ReadOptions") -> None:
        self.finder = finder
        self.last: GameBatches | None = None  # the last pass
        self._names, self._options = names, reading
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
        self.last = reading
        with contextlib.closing(reading.batches()) as batches:
            yield from batches

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
