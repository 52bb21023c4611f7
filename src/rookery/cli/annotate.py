"""``rookery annotate``: columns about the positions of files."""

import sys
import time
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
)
from rookery.cli.game_files import Sources

if TYPE_CHECKING:
    from rookery.pipeline.annotate import Annotated

_FORMATS: Final = ("fen", "csv", "jsonl", "games", "table")


class _Output(OutputFile):
    """The type of an option that names an output file, which may be one of another store."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from rookery.sources.stores import is_remote

        return value if is_remote(value) else super().convert(value, param, ctx)


@click.command("annotate")
@click.argument("files", metavar="INPUT...", nargs=-1, required=True, type=Sources())
@click.option("-o", "--out", "path", type=_Output(), required=True, help="The file: .parquet, .arrow or .csv.")
@click.option(
    "--features",
    multiple=True,
    metavar="NAME,...",
    help="Columns to add: names, or NAME=EXPRESSION of the query language. [default: legal_moves]",
)
@click.option("--from", "source", type=click.Choice(_FORMATS), help="What INPUT is. [default: by its content]")
@click.option("--fen", default="fen", show_default=True, help="The name of the column of FENs.")
@click.option("--every", type=click.IntRange(1), default=1, show_default=True, help="Of games, every N-th half-move.")
@click.option("--errors", "errors_path", type=OutputFile(), help="Write rows that cannot be read as lines of JSON.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads that do the work.")
@executor_option
@as_json_option
@writes_files
def annotate_command(
    files: tuple[list[str], ...],
    path: Path | str,
    features: tuple[str, ...],
    source: str | None,
    fen: str,
    every: int,
    errors_path: Path | None,
    threads: int,
    executor: str | None,
    as_json: bool,
) -> None:
    """Write a table of positions with columns about each.

    INPUT is FEN or EPD text, CSV, JSON lines, Parquet or Arrow with a column of FENs, or games: packed or not, on this
    machine or of a store (s3://bucket/file), or - for standard input. Other columns are kept.

    Features are legal_moves, mobility, attacks, checkers, pins, is_check, is_mate, is_stalemate, tags, key, signature,
    material, and any expression of rookery search: --features 'legal_moves, pawns=count(us.pawns)'.

    An interrupted command goes on when it is given again: finished parts are kept in the folder OUT.parts. A packed
    file is one part, unless it is packed by zstd in several frames.
    """
    from rookery.pipeline.annotate import annotate
    from rookery.tasks.jobs import goes_on

    names = [name for matched in files for name in matched]
    if "-" in names and source is None:
        source = "fen"
    start = time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    try:
        with compilation_shown(), Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
            shown = bar.add_task("parts", total=None)
            done = annotate(
                names,
                path,
                features or "legal_moves",
                fen=fen,
                source=source,
                every=every,
                errors=errors_path,
                executor=executor,
                threads=threads,
                progress=lambda done, total: bar.update(shown, completed=done, total=total),
                force=overwrites(),
            )
    except KeyboardInterrupt:
        err.print(f"interrupted: {'the same command goes on from here' if goes_on(path) else 'nothing was kept'}")
        sys.exit(INTERRUPTED)
    except OSError as error:
        if error.filename is not None or not error.args:
            raise click.ClickException(f"{error.filename}: {error.strerror}") from error
        raise click.ClickException(str(error)) from error
    _report(done, path, time.perf_counter() - start, errors_path, as_json)
    if done.bad or done.failures:
        sys.exit(1)


def _report(done: "Annotated", path: Path | str, seconds: float, errors_path: Path | None, as_json: bool) -> None:
    if as_json:
        document: dict[str, Any] = {"rows": done.rows, "bad": done.bad, "lines": done.lines, "games": done.games}
        failures = list(done.failures)
        print_json(document | {"failures": failures, "seconds": round(seconds, 3), "out": str(path)})
    else:
        read = f"{done.lines:,} lines" if done.lines else f"{done.games:,} games"
        out.print(plain(f"{read} read, {done.rows:,} rows written, {done.bad:,} bad, {seconds:.2f} s"))
    if done.bad and errors_path is None:
        err.print(f"Error: {done.bad:,} bad rows; --errors FILE lists them")
    for failure in done.failures:
        err.print(plain(f"Error: {failure}"), soft_wrap=True)
