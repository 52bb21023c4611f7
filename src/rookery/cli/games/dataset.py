"""``rookery dataset``: make a dataset for training, from games or training data."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rookery.cli.common import out, plain
from rookery.cli.games.game_files import bad_games
from rookery.cli.games.training_rows import READ
from rookery.cli.options import (
    Names,
    RowOptions,
    as_json_option,
    chooses_rows,
    executor_option,
    from_option,
    out_option,
    overwrites,
    reads_games,
    writes_files,
)
from rookery.cli.runner import Bar, Run, bad_text, progress_bar
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.data.datasets.making import Progress as Made
    from rookery.data.datasets.manifest import Manifest
    from rookery.data.plans.plan import Plan
    from rookery.games.read.options import ReadOptions


_SPLIT = "0.98,0.01,0.01"


@click.command("dataset")
@reads_games("where", "encoding", "letters", "names", "threads")
@out_option("The folder to write the dataset to.", name="folder", required=True, kind=click.Path(path_type=Path))
@click.option(
    "--planes", type=Names(), default="default", show_default=True, help="Channels of the planes, with commas between."
)
@click.option(
    "--policy",
    type=click.Choice(("alphazero", "leela", "none")),
    default="alphazero",
    show_default=True,
    help="The layout of move indices; 'none' also keeps positions without a move.",
)
@click.option(
    "--value",
    type=click.Choice(("result", "eval", "none")),
    default="result",
    show_default=True,
    help="What is learnt; positions without it are dropped.",
)
@chooses_rows(
    "query", "select", "every", "from_ply", "to_ply", "sample", "seed",
    "unique", "sort", "shuffle", "split", "split_by", "memory", "limit",
    select="Own columns of rows, by name and expression: 'White, elo=elo(us)'.",
    split=f"The fractions of train, validation and test. [default: {_SPLIT}]",
)  # fmt: skip
@click.option(
    "--targets",
    type=click.Choice(("first", "mean")),
    default="first",
    show_default=True,
    help="With --unique: learn from the first row of a position, or from the mean of all.",
)
@click.option(
    "--history", type=click.IntRange(0, 7), default=0, show_default=True, help="Earlier positions in each row."
)
@click.option("--max-positions", type=click.IntRange(1), help="Keep a random sample of this many positions.")
@click.option("--shards", type=click.IntRange(1, 4096), help="The number of shards. [default: by rows]")
@from_option(READ, "The format of FILES", "their suffixes")
@executor_option
@as_json_option
@writes_files
def dataset_command(
    files: list[str],
    reading: "ReadOptions",
    rows: RowOptions,
    folder: Path,
    planes: tuple[str, ...] | None,
    policy: str,
    value: str,
    targets: str,
    history: int,
    max_positions: int | None,
    shards: int | None,
    source: str | None,
    executor: str | None,
    as_json: bool,
) -> None:
    """Make a dataset for training: shards of positions, which rookery.open_dataset reads as planes.

    FILES are games (PGN, Parquet or Arrow, packed or not), or training data of engines. A position keeps the move that
    was played, the result and the score. Equal games are in one split. A command that was stopped goes on when it is
    repeated, and makes the same bytes.
    """
    from rookery.data.datasets.making import UNFINISHED, plan_of, written
    from rookery.data.datasets.options import LEELA, checked_options

    if "-" in files:
        raise ValueError("FILES: '-': expected files, since a command that was stopped reads them again")
    if planes is None:
        raise ValueError("--planes: 'all': expected names of channels, with commas between, or default")
    of_planes: Any = planes[0] if len(planes) == 1 and planes[0] in ("default", *LEELA) else planes
    asked, learnt = (None if one == "none" else one for one in (policy, value))
    options = checked_options(of_planes, asked, learnt, history, targets)
    run, made = Run(as_json, folder), None
    try:
        with run, progress_bar("reading") as bar:
            plan = _ordered(rows.chosen(plan_of(files, source, reading)), rows, max_positions)
            watch, force = _Watched(bar).update, overwrites()
            made = written(plan, options, folder, shards, executor, reading.threads, watch, force=force)
    except FileExistsError as error:
        raise click.UsageError(str(error)) from error
    document: dict[str, Any] = {}
    if made is not None:
        document = made._asdict() | {"options": made.options.content(), "bad": made.counts["bad games"]}
        for name in ("shards", "texts"):
            document[name] = [shard._asdict() for shard in document[name]]
        run.failures += made.failures
        run.note_bad(bad := made.counts["bad games"], hint=bad_games(bad))
    run.finish(document, lambda: _show(made, folder), goes_on=(folder / UNFINISHED).exists())


def _ordered(plan: "Plan", rows: RowOptions, max_positions: int | None) -> "Plan":
    """Return a plan with own columns and the verbs that need all rows; a sample is of unique positions."""
    plan = plan.select(*rows.select) if rows.select else plan
    plan = RowOptions(unique=rows.unique, memory=rows.memory).ordered(plan)
    plan = plan if max_positions is None else plan.sample(max_positions, seed=rows.seed)
    return rows._replace(unique=False, split=_SPLIT if rows.split is None else rows.split).ordered(plan)


class _Watched:
    """The bars of what is done: one for reading, and one for writing."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._what = "reading"

    def update(self, made: "Made") -> None:
        """Show how far the work is."""
        if made.what != self._what:
            self._bar.begin(made.what)
            self._what = made.what
        self._bar.update(done=made.done, total=made.total)


def _show(made: "Manifest | None", folder: Path) -> None:
    """Print what is in a dataset."""
    if made is None:  # interrupted
        return
    read = {name: made.counts[name] for name in ("games", "bad games", "positions")}
    games = f"{read['games']:,} games{bad_text(read['bad games'])}"
    out.print(f"{games}, {read['positions']:,} positions read")
    dropped = [{"dropped": reason, "positions": n} for reason, n in made.counts.items() if reason not in read and n]
    if dropped:
        present(dropped, (Column("dropped"), number("positions", "{positions:,}")))
    shards = [(name, sum(shard.split == name for shard in made.shards)) for name in made.rows]
    rows = [{"split": name, "positions": made.rows[name], "shards": n} for name, n in shards]
    present(rows, (Column("split"), number("positions", "{positions:,}"), number("shards", "{shards:,}")))
    size = sum(shard.bytes for shard in (*made.shards, *made.texts))
    out.print(plain(f"{sum(made.rows.values()):,} positions, {size:,} bytes in {folder}"))
