"""``rookery convert``: training data of engines, from games with evaluations, text, or another format."""

import contextlib
import itertools
import json
import sys
import time
from collections.abc import Generator
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
    executor_option,
    out,
    overwrites,
    plain,
    print_json,
    writes_files,
    writing,
)
from rookery.cli.game_batches import GameBatches
from rookery.cli.game_files import Sources, opened, size_of
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.games.read.options import ReadOptions
    from rookery.training.samples import ScoredPositions
    from rookery.training.tasks.on_executor import TrainingOnExecutor
    from rookery.training.text.rows import BadRow
    from rookery.training.writing import TrainingWriter

_BOTH: Final = ("binpack", "viriformat", "bulletformat", "plain", "packed-sfen")
_WRITTEN: Final = (*_BOTH, "leela")
_READ: Final = ("games", *_BOTH, "csv", "text")
_GAMES: Final = 1_000  # games whose positions are made at once
_SHOWN: Final = 5  # bad rows that are printed


@click.command("convert")
@click.argument("files", nargs=-1, required=True, type=Sources())
@click.option("-o", "--out", "path", type=OutputFile(), required=True, help="The file to write.")
@click.option("--format", "to", type=click.Choice(_WRITTEN), help="Its format. [default: by its suffix]")
@click.option("--from", "source", type=click.Choice(_READ), help="The format of FILES. [default: by their suffixes]")
@click.option(
    "--no-result",
    type=click.Choice(("drop", "draw")),
    default="drop",
    show_default=True,
    help="Drop positions of games without a result, or take these for draws.",
)
@click.option("--where", help="Select games by their headers: 'WhiteElo >= 2000'.")
@click.option("--errors", "errors_path", type=OutputFile(), help="Write rows that cannot be read as lines of JSON.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads that read games.")
@executor_option
@as_json_option
@writes_files
def convert_command(
    files: tuple[list[str], ...],
    path: Path,
    to: str | None,
    source: str | None,
    no_result: str,
    where: str | None,
    errors_path: Path | None,
    threads: int,
    executor: str | None,
    as_json: bool,
) -> None:
    """Convert positions with scores to a format of training data.

    FILES are games with evaluations (PGN with [%eval], Parquet, Arrow, packed or not), CSV with the columns fen and cp,
    mate or score (and move, line, result, ply), lines of 'FEN | score | result', or files in one of the formats.

    The formats are binpack (.binpack), viriformat (.vf, .viriformat), bulletformat (.bullet), plain (.plain) and
    packed-sfen (.bin); leela (.leela.gz) is only written. A name may also end in .zst or .gz. What a format cannot hold
    is dropped, counted and listed.

    With --executor, tasks read ranges of the files and keep what they read in the folder OUT.parts. An interrupted
    command then goes on when it is given again, and writes the same file, byte for byte.
    """
    from rookery.games.read.options import ReadOptions
    from rookery.training.formats import format_of
    from rookery.training.writing import TrainingWriter

    format_of(to, "-o", str(path), written=True)
    names = [name for matched in files for name in matched]
    options = ReadOptions(where=where, threads=threads).for_moves(clocks=True)
    conversion = _Conversion(names, source, options, executor, path)
    if where is not None and (without := [name for name in names if not conversion.has_games(name)]):
        raise click.UsageError(f"--where: {without[0]!r} has positions, not games with headers")
    interrupted, writer = False, None
    try:
        with compilation_shown(), contextlib.ExitStack() as stack:
            if errors_path is not None:
                conversion.keep_bad_rows(stack, errors_path)
            stack.enter_context(writing("-o", path))
            writer = stack.enter_context(TrainingWriter(path, to, no_result=no_result))  # type: ignore[arg-type]
            for rows in stack.enter_context(contextlib.closing(conversion.rows())):
                conversion.read += len(rows)
                writer.append(rows)
        conversion.discard_parts()
    except KeyboardInterrupt:
        interrupted = True
    conversion.report(writer, path, interrupted, as_json)
    if interrupted or conversion.failures or conversion.bad_count:
        sys.exit(INTERRUPTED if interrupted else 1)


class _Conversion:
    """The files to read, and what was read of them."""

    def __init__(
        self, names: list[str], source: str | None, options: "ReadOptions", executor: str | None, out: Path
    ) -> None:
        self.read = self.bad_count = 0
        self.bad: list[BadRow] = []  # the first few
        self.failures: list[str] = []
        self._names, self._source, self._options = names, source, options
        self._errors: Any = None
        self._executor, self._out = executor, out
        self._readings: list[GameBatches] = []
        self._tasks: list[TrainingOnExecutor] = []
        self._start = time.perf_counter()

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

    def has_games(self, name: str) -> bool:
        """Return whether a file is read as games."""
        from rookery.training.formats import format_of

        if self._source is not None:
            return self._source == "games"
        try:
            format_of(None, "FILES", name)
        except ValueError:
            return True
        return False

    def _games(self, names: list[str]) -> Generator["ScoredPositions", None, None]:
        from rookery.training.samples import ScoredPositions

        reading = GameBatches(
            names,
            self._options,
            lambda: f"{reading.games:,} games, {self._line()}",
            executor=self._executor,
            out=self._place_of_parts(),
        )
        self._readings.append(reading)
        with contextlib.closing(reading.batches()) as batches:
            for _, games in batches:
                for i in range(0, len(games), _GAMES):
                    yield ScoredPositions.from_games(games[i : i + _GAMES])
        self.failures += reading.failures

    def _place_of_parts(self) -> Path:
        """Return the name next to which the next files that are read together keep their parts."""
        n = len(self._readings) + len(self._tasks)
        return self._out.with_name(f"{self._out.name}-{n}") if n else self._out

    @property
    def goes_on(self) -> bool:
        """Check whether the same command would continue from finished tasks."""
        return any(reading.goes_on for reading in self._readings) or any(tasks.goes_on for tasks in self._tasks)

    def discard_parts(self) -> None:
        """Remove what tasks have kept, once the output is complete."""
        for reading in self._readings:
            reading.discard_parts()
        for tasks in self._tasks:
            tasks.discard()

    def _training(self, name: str) -> Generator["ScoredPositions", None, None]:
        from rookery.sources.failures import DamagedFileError
        from rookery.training.reading import TrainingScan

        with self._bar() as bar:
            task = bar.add_task("reading", total=size_of(name))
            with TrainingScan(opened(name), self._source, 1 << 16, raises=False, on_bad=self._note) as scan:
                try:
                    for rows in scan:
                        yield rows
                        bar.update(task, completed=scan.bytes_read, description=self._line())
                except DamagedFileError as error:  # the rows before it are kept
                    self.failures.append(str(error))

    def _training_on_executor(self, names: list[str], executor: str) -> Generator["ScoredPositions", None, None]:
        from rookery.training.tasks.on_executor import TrainingOnExecutor

        tasks = TrainingOnExecutor(names, self._source, self._place_of_parts(), executor, force=overwrites())
        self._tasks.append(tasks)
        sizes = [size_of(name) for name in names]
        with self._bar() as bar, tasks:
            task = bar.add_task("reading", total=None if None in sizes else sum(size or 0 for size in sizes))
            for rows in tasks.rows(self._note, self.failures.append):
                yield rows
                bar.update(task, completed=tasks.bytes_read, description=self._line())

    @staticmethod
    def _bar() -> Progress:
        columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
        return Progress(*columns, console=err, transient=True)

    def _note(self, row: "BadRow") -> None:
        self.bad_count += 1
        if len(self.bad) < _SHOWN:
            self.bad.append(row)
        if self._errors is not None:
            self._errors.write(json.dumps(row._asdict()).encode() + b"\n")

    def _line(self) -> str:
        return f"{self.read:,} positions"

    def report(self, writer: "TrainingWriter | None", path: Path, interrupted: bool, as_json: bool) -> None:
        """Print what became of the positions."""
        seconds = time.perf_counter() - self._start
        written = 0 if interrupted or writer is None else writer.written
        document = {
            "positions": self.read,
            "written": written,
            "dropped": dict(writer.dropped) if writer else {},
            "lost": list(writer.lost) if writer else [],
            "bad": self.bad_count,
            "seconds": round(seconds, 3),
            "complete": not interrupted and not self.failures,
            "failures": self.failures,
            "out": None if interrupted else str(path),
        }
        if as_json:
            print_json(document)
        else:
            if interrupted:
                goes_on = "the same command goes on from here" if self.goes_on else "nothing was written"
                out.print(f"interrupted: {goes_on}")
            out.print(f"{self.read:,} positions read, {written:,} written, {seconds:.2f} s")
            if writer is not None:
                self._show(writer)
        for row in self.bad:
            err.print(plain(f"Error: {row}"), soft_wrap=True)
        if self.bad_count > len(self.bad):
            err.print(plain(f"Error: and {self.bad_count - len(self.bad):,} more bad rows; --errors FILE lists all"))
        for failure in self.failures:
            err.print(plain(f"Error: {failure}"), soft_wrap=True)

    @staticmethod
    def _show(writer: "TrainingWriter") -> None:
        if writer.dropped:
            rows = [{"dropped": reason, "positions": n} for reason, n in writer.dropped.items()]
            present(rows, (Column("dropped"), number("positions", "{positions:,}")))
        if "no result" in writer.dropped:
            out.print("--no-result draw writes positions of games without a result as drawn")
        for lost in writer.lost:
            out.print(f"{writer.format} does not keep {lost}")
