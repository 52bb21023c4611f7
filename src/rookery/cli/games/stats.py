"""``rookery stats``: what is in training data: results, and histograms of scores, plies, pieces and phases."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rookery.cli.common import out, plain, writing
from rookery.cli.games.training_rows import format_option, line_of, note_in, plan_of, show_doubtful
from rookery.cli.options import (
    RowOptions,
    as_json_option,
    chooses_rows,
    errors_option,
    executor_option,
    explain_option,
    reads_games,
    writes_files,
)
from rookery.cli.runner import Run, progress_bar
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.data.plans.training import RowsRead
    from rookery.data.training.stats import TrainingStats
    from rookery.games.read.options import ReadOptions

_LINES: Final = 24  # of a histogram
_BAR: Final = 40  # characters


@click.command("stats")
@reads_games("where", "encoding", "letters", "names", "errors", "threads")
@format_option
@chooses_rows("query", "every", "from_ply", "to_ply", "sample", "seed", "unique", "memory", "limit")
@click.option("--score-bin", type=click.IntRange(1, 32768), default=100, show_default=True, help="Centipawns in a bin.")
@click.option("--ply-bin", type=click.IntRange(1, 4096), default=10, show_default=True, help="Half-moves in a bin.")
@errors_option("rows and games that cannot be read")
@executor_option
@explain_option
@as_json_option
@writes_files
def stats_command(
    files: list[str],
    reading: "ReadOptions",
    source: str | None,
    rows: RowOptions,
    score_bin: int,
    ply_bin: int,
    errors_path: Path | None,
    executor: str | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Count the positions of training data: results, scores, plies, pieces, phases and moves.

    FILES are those that rookery convert reads: training data in any format, text, and games. --query selects positions,
    as there. Scores and results are those of the side to move, and results also those of White.

    The phase is 24 at the start of a game and 0 with kings and pawns alone. JSON has all bins; the text joins them.
    """
    from rookery.data.plans.training import NOTHING_READ
    from rookery.data.training.stats import RowCounter
    from rookery.games.errors import GameErrorException

    plan = rows.ordered(rows.chosen(plan_of(files, reading, source)))
    if explain:
        out.print(plain(plan._explain_rows(reading.threads)))
        return
    run = Run(as_json)
    counter, read = RowCounter(), NOTHING_READ
    with run, contextlib.ExitStack() as stack:
        if errors_path is not None:
            stack.enter_context(writing("--errors", errors_path))
        bar = stack.enter_context(progress_bar("reading"))
        try:
            counter, read = plan._count_rows(
                executor=executor,
                threads=reading.threads,
                errors=errors_path,
                progress=lambda done, total: bar.update(done=done, total=total or None),
            )
        except GameErrorException as error:  # an option asks to stop there
            raise click.ClickException(str(error)) from error
    note_in(run, read, skips_bad=reading.errors == "skip")
    stats = counter.stats(score_bin, ply_bin)
    bad = read.bad_games + read.bad_rows
    document = {"positions": read.positions, **stats._asdict(), "doubtful": read.doubtful, "bad": bad}
    line = f"{line_of(read, chooses=rows.choose)}, {run.seconds:.2f} s"
    run.finish(document, lambda: _show(line, stats, score_bin, ply_bin, read))


def _show(line: str, stats: "TrainingStats", score_bin: int, ply_bin: int, read: "RowsRead") -> None:
    out.print(line)
    show_doubtful(read)
    if not stats.rows:
        return
    what = [("rows", stats.rows), ("games", stats.games), ("without a score", stats.no_score), ("mates", stats.mates)]
    mean = [] if stats.mean_score is None else [{"what": "mean of other scores", "n": f"{stats.mean_score:,.1f}"}]
    moves = [("no move" if name == "missing" else name, n) for name, n in stats.moves.items()]
    named = [{"what": name, "n": f"{n:,}"} for name, n in (*what, *moves)] + mean
    present(named, (Column("what"), number("number", "{n}")))
    results = [
        {"view": view, **{name: f"{n:,}" for name, n in counts.items()}}
        for view, counts in (("side to move", stats.results), ("White", stats.white_results))
    ]
    present(results, (Column("results of", "{view}"), *map(number, ("won", "drawn", "lost", "unknown"))))
    for name, histogram, width in (
        ("score", stats.scores, score_bin),
        ("ply", stats.plies, ply_bin),
        ("pieces", stats.pieces, 1),
        ("phase", stats.phases, 1),
    ):
        bars = Column("", "{bar}")
        present(_lines(histogram, width), (number(name, "{bin}"), number("rows", "{rows:,}"), number("%"), bars))


def _lines(histogram: Mapping[int, int], width: int) -> Iterator[dict[str, Any]]:
    """Yield the lines of a histogram; bins are joined until there are few of them."""
    if not histogram:
        return
    total = sum(histogram.values())
    joined = dict(histogram)
    while len(joined) > _LINES:
        width *= 2
        joined = {}
        for start, rows in histogram.items():
            joined[start // width * width] = joined.get(start // width * width, 0) + rows
    most = max(joined.values())
    for start, rows in joined.items():
        bin_name = f"{start:,}" if width == 1 else f"{start:,} to {start + width - 1:,}"
        yield {"bin": bin_name, "rows": rows, "%": f"{100 * rows / total:.1f}", "bar": "#" * round(_BAR * rows / most)}
