"""``rookery convert``: training data of engines, from games with evaluations, text, or another format."""

import contextlib
import itertools
import json
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rookery.cli.common import out, writing
from rookery.cli.games.game_files import bad_games, opened, reading_shown, scan_of, size_of, total_size
from rookery.cli.options import (
    as_json_option,
    errors_option,
    executor_option,
    from_option,
    out_option,
    overwrites,
    reads_games,
    writes_files,
)
from rookery.cli.runner import Run, bad_text, progress_bar
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.data.training.samples import ScoredPositions
    from rookery.data.training.selection import RowSelection
    from rookery.data.training.text.rows import BadRow
    from rookery.data.training.writing import TrainingWriter
    from rookery.games.read.options import ReadOptions

_WRITTEN: Final = ("binpack", "viriformat", "bulletformat", "plain", "packed-sfen", "leela")
_READ: Final = ("games", *_WRITTEN, "csv", "text")
_GAMES: Final = 1_000  # games whose positions are made at once
_SHOWN: Final = 5  # bad rows that are printed


@click.command("convert")
@reads_games("where", "encoding", "letters", "errors", "threads")
@out_option("The file to write.", required=True)
@click.option("--format", "to", type=click.Choice(_WRITTEN), help="Its format. [default: by its suffix]")
@from_option(_READ, "The format of FILES", "their suffixes")
@click.option(
    "--no-result",
    type=click.Choice(("drop", "draw")),
    default="drop",
    show_default=True,
    help="Drop positions of games without a result, or take these for draws.",
)
@click.option("--query", help="Select positions: 'not move.captures and abs(score) < 400 and ply > 16'.")
@click.option("--skip", type=click.IntRange(0), default=0, help="Leave out the first positions that are selected.")
@click.option("--every", type=click.IntRange(1), default=1, help="Write every n-th of the others.")
@click.option("--limit-score", type=click.IntRange(1, 32767), help="Replace scores above this, and below its negative.")
@errors_option("rows that cannot be read")
@executor_option
@as_json_option
@writes_files
def convert_command(
    files: list[str],
    reading: "ReadOptions",
    path: Path,
    to: str | None,
    source: str | None,
    no_result: str,
    query: str | None,
    skip: int,
    every: int,
    limit_score: int | None,
    errors_path: Path | None,
    executor: str | None,
    as_json: bool,
) -> None:
    """Convert positions with scores to a format of training data.

    FILES are games with evaluations (PGN with [%eval] or scores of engine matches, Parquet, Arrow, packed or not), CSV
    with the columns fen and cp, mate, evaluation or score (and move, line, result, ply), labelled lines such as
    'FEN | score | result' or EPD, or files in one of the formats.

    The formats are binpack (.binpack), viriformat (.vf, .viriformat), bulletformat (.bullet), plain (.plain) and
    packed-sfen (.bin); leela (.leela.gz) is only written. A name may also end in .zst or .gz. What a format cannot hold
    is dropped, counted and listed. Several files become one. If a file is damaged or cut short, nothing is written.

    --query is a condition in the query language; of games it may look at headers and clocks, too. --limit-score changes
    scores, mates included; a query such as 'abs(score) <= 3000' leaves such positions out.

    What is read of games, and of all files by the tasks of --executor, is kept in the folder OUT.parts until the output
    is complete: an interrupted command goes on when it is given again, and writes the same file, byte for byte.
    """
    from rookery.data.training.formats import format_of
    from rookery.data.training.selection import RowSelection
    from rookery.data.training.writing import TrainingWriter

    format_of(to, "-o", str(path), written=True)
    selection = RowSelection(query, skip=skip, every=every, limit_score=limit_score)
    run = Run(as_json, path)
    headers = () if selection.query is None else selection.query.headers
    conversion = _Conversion(run, files, source, reading.for_moves(headers, clocks=True), executor, path, selection)
    of_games = (("--where", reading.where), ("--encoding", reading.encoding), ("--letters", reading.letters))
    for option, value in of_games:
        if value is not None and (without := [name for name in files if not conversion.has_games(name)]):
            raise click.UsageError(f"{option}: {without[0]!r} has positions, not games with headers")
    writer = None
    with run, contextlib.ExitStack() as stack:
        if errors_path is not None:
            conversion.keep_bad_rows(stack, errors_path)
        with contextlib.suppress(_NothingWritten), contextlib.ExitStack() as output:
            output.enter_context(writing("-o", path))
            writer = output.enter_context(TrainingWriter(path, to, no_result=no_result))  # type: ignore[arg-type]
            for rows in output.enter_context(contextlib.closing(conversion.rows())):
                conversion.selected += len(rows)
                writer.append(rows)
            if run.failures or (not writer.written and conversion.has_bad):
                run.output = None
                raise _NothingWritten
    conversion.note_in(run)
    document = conversion.document(writer, run.interrupted)
    run.finish(document, lambda: conversion.show(document, writer, run.seconds))


class _NothingWritten(Exception):
    """Leave no file, since a file is damaged, or nothing that was read could be written."""


class _Conversion:
    """The files to read, and what was read of them."""

    def __init__(
        self,
        run: Run,
        names: list[str],
        source: str | None,
        options: "ReadOptions",
        executor: str | None,
        out: Path,
        selection: "RowSelection",
    ) -> None:
        self.selected = self.bad_count = self.games = self._read_by_tasks = 0
        self._selection = selection
        self.bad: list[BadRow] = []  # the first few
        self._run, self._names, self._source, self._options = run, names, source, options
        self._errors: Any = None
        self._executor, self._out = executor, out

    def keep_bad_rows(self, stack: contextlib.ExitStack, path: Path) -> None:
        """Write bad rows to a file, which replaces the one at `path` when the stack is left without an error."""
        from rookery.sources import files

        stack.enter_context(writing("--errors", path))
        self._errors = stack.enter_context(files.replacing(path))

    def rows(self) -> Generator["ScoredPositions", None, None]:
        """Yield the rows of all files, with a progress bar."""
        for are_games, names in itertools.groupby(self._names, self.has_games):
            if are_games:
                yield from self._games(list(names))
            elif self._executor is not None:
                yield from self._training_on_executor(list(names), self._executor)
            else:
                for name in names:
                    yield from self._training(name)

    @property
    def has_bad(self) -> bool:
        """Check whether something could not be read that was not to be skipped."""
        return bool(self._run.status or self.bad_count)

    def note_in(self, run: Run) -> None:
        """Tell a run what could not be read."""
        games = 0 if run.bad_are_skipped else run.bad
        hints = [bad_games(games)] if games else []
        hints += [f"{row}" for row in self.bad]
        if self.bad_count > len(self.bad):
            hints.append(f"and {self.bad_count - len(self.bad):,} more bad rows; --errors FILE lists all")
        self.bad_games = run.bad
        run.note_bad(games + self.bad_count, hint="\nError: ".join(hints))

    def has_games(self, name: str) -> bool:
        """Return whether a file is read as games."""
        from rookery.data.training.formats import format_of

        if self._source is not None:
            return self._source == "games"
        try:
            format_of(None, "FILES", name)
        except ValueError:
            return True
        return False

    def _games(self, names: list[str]) -> Generator["ScoredPositions", None, None]:
        scan = scan_of(self._run, names, self._options, executor=self._executor, out=self._place_of_parts())
        with reading_shown(self._run, scan, lambda: f"{scan.games:,} games, {self._line()}"):
            for games in scan:
                for i in range(0, len(games), _GAMES):
                    yield from self._selection.of_games(games[i : i + _GAMES])
        self.games += scan.games

    def _place_of_parts(self) -> Path:
        """Return the name next to which the next files that are read together keep their parts."""
        n = len(self._run.jobs)
        return self._out.with_name(f"{self._out.name}-{n}") if n else self._out

    def _training(self, name: str) -> Generator["ScoredPositions", None, None]:
        from rookery.data.training.reading import TrainingScan
        from rookery.sources.failures import DamagedFileError

        scan = TrainingScan(
            opened(name), self._source, 1 << 16, raises=False, on_bad=self._note, selection=self._selection
        )
        with progress_bar("reading", size_of(name)) as bar, scan:
            try:
                for rows in scan:
                    yield rows
                    bar.update(self._line(), scan.bytes_read)
            except DamagedFileError as error:
                self._run.failures.append(str(error))

    def _training_on_executor(self, names: list[str], executor: str) -> Generator["ScoredPositions", None, None]:
        from rookery.data.training.tasks.on_executor import TrainingOnExecutor

        tasks = TrainingOnExecutor(
            names, self._source, self._place_of_parts(), executor, self._selection, force=overwrites()
        )
        self._run.jobs.append(tasks)
        with progress_bar("reading", total_size(names)) as bar, tasks:
            for rows in tasks.rows(self._note, self._run.failures.append):
                yield rows
                bar.update(self._line(), tasks.bytes_read)
        self._read_by_tasks += tasks.rows_read

    def _note(self, row: "BadRow") -> None:
        self.bad_count += 1
        if len(self.bad) < _SHOWN:
            self.bad.append(row)
        if self._errors is not None:
            self._errors.write(json.dumps(row._asdict()).encode() + b"\n")

    @property
    def read(self) -> int:
        """Return the number of positions that were read, selected or not."""
        return self._selection.rows_read + self._read_by_tasks

    def _line(self) -> str:
        return f"{self.read:,} positions"

    def document(self, writer: "TrainingWriter | None", interrupted: bool) -> dict[str, Any]:
        """Return what became of the positions."""
        return {
            "games": self.games,
            "positions": self.read,
            "selected": self.selected,
            "written": 0 if interrupted or writer is None or self._run.output is None else writer.written,
            "dropped": dict(writer.dropped) if writer else {},
            "lost": list(writer.lost) if writer else [],
            "bad": self.bad_games + self.bad_count,
        }

    def show(self, document: dict[str, Any], writer: "TrainingWriter | None", seconds: float) -> None:
        """Print what became of the positions."""
        bad = bad_text(self.bad_games, "bad games") + bad_text(self.bad_count, "bad rows")
        selected = f", {self.selected:,} selected" if self._selection.selects else ""
        out.print(f"{self.read:,} positions read{bad}{selected}, {document['written']:,} written, {seconds:.2f} s")
        if self._run.failures:
            out.print("nothing was written, since a file could not be read")
        if writer is None:
            return
        if writer.dropped:
            rows = [{"dropped": reason, "positions": n} for reason, n in writer.dropped.items()]
            present(rows, (Column("dropped"), number("positions", "{positions:,}")))
        if "no result" in writer.dropped:
            out.print("--no-result draw writes positions of games without a result as drawn")
        for lost in writer.lost:
            out.print(f"{writer.format} does not keep {lost}")
