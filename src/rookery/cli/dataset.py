"""``rookery dataset``: make a dataset for training, from games or training data."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from rookery.cli.common import (
    INTERRUPTED,
    as_json_option,
    compilation_shown,
    err,
    executor_option,
    out,
    overwrites,
    plain,
    print_json,
    writes_files,
)
from rookery.cli.game_files import Sources
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.datasets.making import Progress as Made
    from rookery.datasets.manifest import Manifest

_FORMATS: Final = ("games", "binpack", "viriformat", "bulletformat", "plain", "packed-sfen", "csv", "text")
_SHOWN: Final = 5  # failures that are printed


@click.command("dataset")
@click.argument("files", nargs=-1, required=True, type=Sources())
@click.option(
    "-o", "--out", "folder", type=click.Path(path_type=Path), required=True, help="The folder to write the dataset to."
)
@click.option("--planes", default="default", show_default=True, help="Channels of the planes, with commas between.")
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
@click.option(
    "--split", default="0.98,0.01,0.01", show_default=True, help="The fractions of train, validation and test."
)
@click.option(
    "--by", type=click.Choice(("game", "position")), default="game", show_default=True, help="What is divided."
)
@click.option("--shuffle", is_flag=True, help="Put all rows in random order.")
@click.option("--seed", type=click.IntRange(0, (1 << 63) - 1), default=0, show_default=True, help="The random order.")
@click.option("--dedupe", is_flag=True, help="Keep each position once, the first in the inputs.")
@click.option("--where", help="Select games by their headers: 'WhiteElo >= 2000'.")
@click.option("--query", help="Select positions by an expression: 'not is_check'.")
@click.option("--max-positions", type=click.IntRange(1), help="Keep a random sample of this many positions.")
@click.option("--shards", type=click.IntRange(1, 4096), help="The number of shards. [default: by the size of FILES]")
@click.option("--from", "source", type=click.Choice(_FORMATS), help="The format of FILES. [default: by their suffixes]")
@executor_option
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="The number of threads.")
@as_json_option
@writes_files
def dataset_command(
    files: tuple[list[str], ...],
    folder: Path,
    planes: str,
    policy: str,
    value: str,
    split: str,
    by: str,
    shuffle: bool,
    seed: int,
    dedupe: bool,
    where: str | None,
    query: str | None,
    max_positions: int | None,
    shards: int | None,
    source: str | None,
    executor: str | None,
    threads: int,
    as_json: bool,
) -> None:
    """Make a dataset for training: shards of positions, which rookery.open_dataset reads as planes.

    FILES are games (PGN, Parquet or Arrow, packed or not), or training data of engines. A position keeps the move that
    was played, the result and the score. Equal games are in one split. A command that was stopped goes on when it is
    repeated, and makes the same bytes.
    """
    from rookery.datasets.making import make_dataset

    names = [name for matched in files for name in matched]
    if "-" in names:
        raise ValueError("FILES: '-': expected files, since a command that was stopped reads them again")
    watched = _Watched()
    asked: dict[str, Any] = {"policy": policy, "value": value}
    learnt: dict[str, Any] = {name: None if asked[name] == "none" else asked[name] for name in asked}
    try:
        with compilation_shown(), watched.bar:
            made = make_dataset(
                names,
                folder,
                planes=planes if planes == "default" else [name.strip() for name in planes.split(",")],
                split=_numbers(split),
                by=by,  # type: ignore[arg-type]
                shuffle=shuffle,
                seed=seed,
                dedupe=dedupe,
                where=where,
                query=query,
                max_positions=max_positions,
                shards=shards,
                format=source,
                executor=executor,
                threads=threads,
                watch=watched.update,
                force=overwrites(),
                **learnt,
            )
    except KeyboardInterrupt:
        err.print(plain(f"interrupted: what is done is in {folder}: repeat the command to go on"))
        sys.exit(INTERRUPTED)
    except FileExistsError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        document = made._asdict()
        document["shards"] = [shard._asdict() for shard in made.shards]
        print_json(document | {"options": made.options._asdict(), "out": str(folder)})
    else:
        _show(made, folder)
    for failure in made.failures[:_SHOWN]:
        err.print(plain(f"Error: {failure}"), soft_wrap=True)
    if len(made.failures) > _SHOWN:
        err.print(plain(f"Error: and {len(made.failures) - _SHOWN:,} more; the manifest lists all"))
    if made.failures:
        sys.exit(1)


def _numbers(split: str) -> list[float]:
    try:
        return [float(number) for number in split.split(",")]
    except ValueError:
        raise ValueError(f"--split: {split!r}: expected numbers with commas between, such as 0.98,0.01,0.01") from None


class _Watched:
    """A progress bar."""

    def __init__(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
        self.bar = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
        self._tasks: dict[str, TaskID] = {}

    def update(self, made: "Made") -> None:
        """Show how far the work is."""
        if made.what not in self._tasks:
            self._tasks[made.what] = self.bar.add_task(made.what, total=made.tasks)
        self.bar.update(self._tasks[made.what], completed=made.done)


def _show(made: "Manifest", folder: Path) -> None:
    """Print what is in a dataset."""
    read = {name: made.counts[name] for name in ("games", "positions")}
    out.print(f"{read['games']:,} games, {read['positions']:,} positions read")
    dropped = [{"dropped": reason, "positions": n} for reason, n in made.counts.items() if reason not in read and n]
    if dropped:
        present(dropped, (Column("dropped"), number("positions", "{positions:,}")))
    shards = [(name, sum(shard.split == name for shard in made.shards)) for name in made.rows]
    rows = [{"split": name, "positions": made.rows[name], "shards": n} for name, n in shards]
    present(rows, (Column("split"), number("positions", "{positions:,}"), number("shards", "{shards:,}")))
    size = sum(shard.bytes for shard in made.shards)
    out.print(plain(f"{sum(made.rows.values()):,} positions, {size:,} bytes in {folder}"))
