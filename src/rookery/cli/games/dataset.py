"""``rookery dataset``: make a dataset for training, from games or training data."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rookery.cli.common import out, plain
from rookery.cli.games.game_files import bad_games
from rookery.cli.games.training_rows import READ
from rookery.cli.options import (
    Names,
    as_json_option,
    every_option,
    executor_option,
    fractions_in,
    from_option,
    out_option,
    overwrites,
    query_option,
    reads_games,
    seed_option,
    select_option,
    shuffle_option,
    sort_option,
    split_by_option,
    split_option,
    unique_option,
    writes_files,
)
from rookery.cli.runner import Bar, Run, bad_text, progress_bar
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.data.datasets.making import Progress as Made
    from rookery.data.datasets.manifest import Manifest
    from rookery.games.read.options import ReadOptions


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
@split_option("The fractions of train, validation and test.", "0.98,0.01,0.01")
@split_by_option("game", "date", "player", "position")
@sort_option
@shuffle_option
@seed_option("The random order, and the sample.", (1 << 63) - 1)
@unique_option
@click.option(
    "--targets",
    type=click.Choice(("first", "mean")),
    default="first",
    show_default=True,
    help="With --unique: learn from the first row of a position, or from the mean of all.",
)
@select_option("Own columns of rows, by expression: 'White, elo=elo(us)'.", "--columns", "columns")
@click.option(
    "--history", type=click.IntRange(0, 7), default=0, show_default=True, help="Earlier positions in each row."
)
@query_option
@every_option
@click.option("--max-positions", type=click.IntRange(1), help="Keep a random sample of this many positions.")
@click.option("--shards", type=click.IntRange(1, 4096), help="The number of shards. [default: by rows]")
@from_option(READ, "The format of FILES", "their suffixes")
@executor_option
@as_json_option
@writes_files
def dataset_command(
    files: list[str],
    reading: "ReadOptions",
    folder: Path,
    planes: tuple[str, ...] | None,
    policy: str,
    value: str,
    split: str,
    by: str,
    sort: str | None,
    shuffle: bool,
    seed: int,
    unique: bool,
    targets: str,
    columns: str | None,
    history: int,
    query: str | None,
    every: int,
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
    from rookery.data.datasets.making import UNFINISHED, make_dataset
    from rookery.data.datasets.options import LEELA

    if "-" in files:
        raise ValueError("FILES: '-': expected files, since a command that was stopped reads them again")
    if planes is None:
        raise ValueError("--planes: 'all': expected names of channels, with commas between, or default")
    of_planes: Any = planes[0] if len(planes) == 1 and planes[0] in ("default", *LEELA) else planes
    asked: dict[str, Any] = {"policy": policy, "value": value}
    learnt: dict[str, Any] = {name: None if asked[name] == "none" else asked[name] for name in asked}
    run, made = Run(as_json, folder), None
    try:
        with run, progress_bar("reading") as bar:
            made = make_dataset(
                files,
                folder,
                planes=of_planes,
                split=fractions_in(split),
                by=by,  # type: ignore[arg-type]
                sort=sort,
                shuffle=shuffle,
                seed=seed,
                unique=unique,
                targets=targets,  # type: ignore[arg-type]
                columns=columns,
                history=history,
                where=reading.where,
                query=query,
                every=every,
                max_positions=max_positions,
                shards=shards,
                format=source,
                encoding=reading.encoding,
                letters=reading.letters,
                names=reading.names,
                executor=executor,
                threads=reading.threads,
                watch=_Watched(bar).update,
                force=overwrites(),
                **learnt,
            )
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
