"""``rookery convert``: training data of engines, from games with evaluations, text, or another format."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rookery.cli.common import out, plain, writing
from rookery.cli.games.training_rows import FORMATS, format_option, line_of, note_in, plan_of, show_doubtful
from rookery.cli.options import (
    RowOptions,
    as_json_option,
    chooses_rows,
    errors_option,
    executor_option,
    explain_option,
    out_option,
    overwrites,
    reads_games,
    writes_files,
)
from rookery.cli.runner import Run, progress_bar
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.data.plans.training import RowsRead
    from rookery.data.training.writing import NoResult, NoScore
    from rookery.games.read.options import ReadOptions

_CHOICE: Final = ("query", "every", "from_ply", "to_ply", "sample", "seed")
_ROWS: Final = (*_CHOICE, "unique", "sort", "shuffle", "memory", "limit")


@click.command("convert")
@reads_games("where", "encoding", "letters", "names", "errors", "threads")
@out_option("The file to write.", required=True)
@click.option("--format", "to", type=click.Choice(FORMATS), help="Its format. [default: by its suffix]")
@format_option
@click.option(
    "--no-result",
    type=click.Choice(("drop", "draw")),
    default="drop",
    show_default=True,
    help="Drop positions of games without a result, or take these for draws.",
)
@click.option(
    "--no-score",
    type=click.Choice(("drop", "zero")),
    default="drop",
    show_default=True,
    help="Drop positions without a score, or give them a score of 0.",
)
@chooses_rows(*_ROWS)
@click.option("--skip", type=click.IntRange(0), default=0, help="Leave out the first positions that are selected.")
@click.option(
    "--stride", type=click.IntRange(1), default=1, show_default=True, help="Write one of each N of the others."
)
@click.option("--limit-score", type=click.IntRange(1, 32767), help="Replace scores above this, and below its negative.")
@errors_option("rows and games that cannot be read")
@executor_option
@explain_option
@as_json_option
@writes_files
def convert_command(
    files: list[str],
    reading: "ReadOptions",
    path: Path,
    to: str | None,
    source: str | None,
    no_result: "NoResult",
    no_score: "NoScore",
    rows: RowOptions,
    skip: int,
    stride: int,
    limit_score: int | None,
    errors_path: Path | None,
    executor: str | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Convert positions with scores to a format of training data.

    FILES are games with evaluations (PGN with [%eval] or scores of engine matches, Parquet, Arrow, packed or not), CSV
    with the columns fen and cp, mate, evaluation or score (and move, line, result, ply), labelled lines such as
    'FEN | score | result' or EPD, or files in one of the formats.

    The formats are binpack (.binpack), viriformat (.vf, .viriformat), bulletformat (.bullet), plain (.plain),
    packed-sfen (.bin), leela (.leela.gz) and those of searchless chess (.bag, .bagz). A name may also end in .zst or
    .gz. What a format cannot hold is dropped, counted and listed. Several files become one. If a file is damaged or cut
    short, nothing is written.

    --query is a condition in the query language; of games it may look at headers and clocks, too. --limit-score changes
    scores, mates included; a query such as 'abs(score) <= 3000' leaves such positions out.

    What is read is kept in the folder OUT.parts until the output is complete: an interrupted command goes on when it is
    given again, and writes the same file, byte for byte, on any --executor.
    """
    from rookery.data.plans.training import NOTHING_READ
    from rookery.data.training.formats import format_of
    from rookery.games.errors import GameErrorException
    from rookery.tasks.jobs import goes_on

    found = format_of(to, "-o", str(path), written=True)
    plan = rows.ordered(rows.chosen(plan_of(files, reading, source)))
    if explain:
        out.print(plain(plan._explain_rows(reading.threads)))
        return
    run = Run(as_json, path)
    read = NOTHING_READ
    with run, _written(path, errors_path), progress_bar("reading") as bar:
        try:
            read = plan._write_rows(
                path,
                to,
                no_result=no_result,
                no_score=no_score,
                limit_score=limit_score,
                skip=skip,
                every=stride,
                keeps_empty=False,
                executor=executor,
                threads=reading.threads,
                errors=errors_path,
                progress=lambda done, total: bar.update(done=done, total=total or None),
                force=overwrites(),
            )
        except GameErrorException as error:  # an option asks to stop there
            raise click.ClickException(str(error)) from error
    note_in(run, read, skips_bad=reading.errors == "skip")
    written = read.written
    if not run.interrupted and (written is None or (not written.written and run.status)):
        run.output = None
    chooses = rows.choose or skip > 0 or stride > 1
    line = f"{line_of(read, chooses=chooses)}, {0 if written is None else written.written:,} written"
    line = f"{line}, {run.seconds:.2f} s"
    run.finish(_document(read), lambda: _show(line, run, read, found.name), goes_on=goes_on(path))


@contextlib.contextmanager
def _written(path: Path, errors_path: Path | None) -> Iterator[None]:
    """Write the output, and perhaps a file of errors."""
    with writing("-o", path), contextlib.ExitStack() as stack:
        if errors_path is not None:
            stack.enter_context(writing("--errors", errors_path))
        yield


def _document(read: "RowsRead") -> dict[str, object]:
    """Return what became of the positions, as JSON."""
    written = read.written
    return {
        "games": read.games,
        "positions": read.positions,
        "selected": read.selected,
        "written": 0 if written is None else written.written,
        "dropped": {} if written is None else written.dropped,
        "lost": [] if written is None else list(written.lost),
        "doubtful": read.doubtful,
        "bad": read.bad_games + read.bad_rows,
    }


def _show(line: str, run: Run, read: "RowsRead", format_name: str) -> None:
    """Print what became of the positions."""
    out.print(line)
    show_doubtful(read)
    if run.failures:
        out.print("nothing was written, since a file could not be read")
    if read.written is None:
        return
    written, dropped, lost = read.written
    if dropped:
        rows = [{"dropped": reason, "positions": n} for reason, n in dropped.items()]
        present(rows, (Column("dropped"), number("positions", "{positions:,}")))
    if "no result" in dropped:
        out.print("--no-result draw writes positions of games without a result as drawn")
    if "no score" in dropped and not written:
        out.print("--no-score zero writes positions without a score, for training by results alone")
    for what in lost:
        out.print(f"{format_name} does not keep {what}")
