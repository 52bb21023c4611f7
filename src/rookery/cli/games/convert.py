"""``rookery convert``: training data of engines, from games with evaluations, text, or another format."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rookery.cli.common import out, writing
from rookery.cli.games.training_rows import FORMATS, TrainingRows, format_option
from rookery.cli.options import (
    as_json_option,
    errors_option,
    every_option,
    executor_option,
    out_option,
    query_option,
    reads_games,
    seed_option,
    shuffle_option,
    writes_files,
)
from rookery.cli.runner import Run
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.data.training.writing import TrainingWriter
    from rookery.games.read.options import ReadOptions


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
@query_option
@click.option("--skip", type=click.IntRange(0), default=0, help="Leave out the first positions that are selected.")
@every_option("Write every n-th of the others.")
@click.option("--limit-score", type=click.IntRange(1, 32767), help="Replace scores above this, and below its negative.")
@shuffle_option
@seed_option("Decides the random order.")
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
    no_score: str,
    query: str | None,
    skip: int,
    every: int,
    limit_score: int | None,
    shuffle: bool,
    seed: int,
    errors_path: Path | None,
    executor: str | None,
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

    --shuffle keeps the positions in the folder OUT.shuffle until they are written, 49 bytes each; memory does not bound
    their number. The seed and the files decide the order.

    --query is a condition in the query language; of games it may look at headers and clocks, too. --limit-score changes
    scores, mates included; a query such as 'abs(score) <= 3000' leaves such positions out.

    What is read of games, and of all files by the tasks of --executor, is kept in the folder OUT.parts until the output
    is complete: an interrupted command goes on when it is given again, and writes the same file, byte for byte.
    """
    from rookery.data.training.formats import format_of
    from rookery.data.training.selection import RowSelection
    from rookery.data.training.shuffling import shuffled
    from rookery.data.training.writing import TrainingWriter
    from rookery.sources.files import is_stream

    format_of(to, "-o", str(path), written=True)
    selection = RowSelection(query, skip=skip, every=every, limit_score=limit_score)
    if shuffle and is_stream(path):
        raise click.UsageError(f"--shuffle: -o {str(path)!r}: expected a file, next to which positions are kept")
    run = Run(as_json, path)
    headers = () if selection.query is None else selection.query.headers
    source_rows = TrainingRows(run, files, source, reading.for_moves(headers, clocks=True), selection, executor, path)
    writer, selected = None, 0
    unstorable: dict[str, int] = {}
    with run, contextlib.ExitStack() as stack:
        if errors_path is not None:
            source_rows.keep_bad_rows(stack, errors_path)
        with contextlib.suppress(_NothingWritten), contextlib.ExitStack() as output:
            output.enter_context(writing("-o", path))
            writer = output.enter_context(TrainingWriter(path, to, no_result=no_result, no_score=no_score))  # type: ignore[arg-type]
            batches = output.enter_context(contextlib.closing(source_rows.rows()))
            if shuffle:
                folder = path.with_name(f"{path.name}.shuffle")
                batches = output.enter_context(contextlib.closing(shuffled(batches, seed, folder, unstorable)))
            for rows in batches:
                selected += len(rows)
                writer.append(rows)
            writer.dropped.update(unstorable)
            if run.failures or (not writer.written and source_rows.has_bad):
                run.output = None
                raise _NothingWritten
    source_rows.note_in(run)
    written = 0 if run.interrupted or writer is None or run.output is None else writer.written
    document = _document(source_rows, selected, written, writer)
    line = f"{source_rows.line_of(selected)}, {written:,} written, {run.seconds:.2f} s"
    run.finish(document, lambda: _show(line, run, writer, source_rows))


def _document(
    source_rows: TrainingRows, selected: int, written: int, writer: "TrainingWriter | None"
) -> dict[str, object]:
    """Return what became of the positions, as JSON."""
    return {
        "games": source_rows.games,
        "positions": source_rows.read,
        "selected": selected,
        "written": written,
        "dropped": dict(writer.dropped) if writer else {},
        "lost": list(writer.lost) if writer else [],
        "doubtful": source_rows.doubtful_games,
        "bad": source_rows.bad_games + source_rows.bad_count,
    }


class _NothingWritten(Exception):
    """Leave no file, since a file is damaged, or nothing that was read could be written."""


def _show(line: str, run: Run, writer: "TrainingWriter | None", source_rows: TrainingRows) -> None:
    """Print what became of the positions."""
    out.print(line)
    source_rows.show_doubtful()
    if run.failures:
        out.print("nothing was written, since a file could not be read")
    if writer is None:
        return
    if writer.dropped:
        rows = [{"dropped": reason, "positions": n} for reason, n in writer.dropped.items()]
        present(rows, (Column("dropped"), number("positions", "{positions:,}")))
    if "no result" in writer.dropped:
        out.print("--no-result draw writes positions of games without a result as drawn")
    if "no score" in writer.dropped and not writer.written:
        out.print("--no-score zero writes positions without a score, for training by results alone")
    for lost in writer.lost:
        out.print(f"{writer.format} does not keep {lost}")
