"""``rookery annotate``: columns about the positions of files."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rookery.cli.common import out, plain
from rookery.cli.options import (
    OutputFile,
    RowOptions,
    as_json_option,
    chooses_rows,
    errors_option,
    executor_option,
    explain_option,
    from_option,
    out_option,
    overwrites,
    reads_games,
    writes_files,
)
from rookery.cli.runner import Run, progress_bar

if TYPE_CHECKING:
    from rookery.data.plans.plan import Plan
    from rookery.data.plans.running import Written
    from rookery.games.read.options import ReadOptions

_FORMATS: Final = (
    *("fen", "csv", "jsonl", "games", "table", "labels"),
    *("binpack", "viriformat", "bulletformat", "plain", "packed-sfen", "leela"),
    *("action-value", "state-value", "behavioral-cloning", "bagz"),
)


@click.command("annotate")
@reads_games("where", "encoding", "letters", "names", "threads")
@out_option(
    "The file: .parquet, .arrow, .csv or .jsonl, or .pgn for the games with such positions.",
    required=True,
    kind=OutputFile(remote=True),
)
@click.option(
    "--features",
    multiple=True,
    metavar="NAME,...",
    help="Columns to add: names, or NAME=EXPRESSION of the query language. [default: legal_moves]",
)
@from_option(_FORMATS, "What FILES are", "their content")
@click.option("--fen", default="fen", show_default=True, help="The name of the column of FENs.")
@chooses_rows(*RowOptions._fields)
@errors_option("rows that cannot be read")
@executor_option
@explain_option
@as_json_option
@writes_files
def annotate_command(
    files: list[str],
    reading: "ReadOptions",
    path: Path | str,
    features: tuple[str, ...],
    source: str | None,
    fen: str,
    rows: RowOptions,
    errors_path: Path | None,
    executor: str | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Write a table of positions with columns about each.

    FILES are FEN or EPD text, CSV, JSON lines, Parquet or Arrow with a column of FENs, or games: packed or not, on this
    machine or of a store (s3://bucket/file), or - for standard input. Other columns are kept.

    Features are legal_moves, mobility, attacks, checkers, pins, is_check, is_mate, is_stalemate, tags, key, signature,
    material, and any expression of rookery search: --features 'legal_moves, pawns=count(us.pawns)'.

    The other options are those of rookery.scan: they choose rows and columns, and order them.

    An interrupted command goes on when it is given again: finished parts are kept in the folder OUT.parts. Packed games
    are one part, unless they are packed by zstd in several frames.
    """
    from rookery.data.pipeline.annotate import annotate
    from rookery.sources.failures import DamagedFileWarning
    from rookery.tasks.jobs import goes_on

    if "-" in files and source is None:
        source = "fen"
    run = Run(as_json, path)
    done: Any = None
    options: dict[str, Any] = {
        "errors": errors_path,
        "executor": executor,
        "threads": reading.threads,
        "force": overwrites(),
    }
    writes_games = str(path).lower().endswith(".pgn")
    chooses = rows._replace(every=1).choose  # which `annotate` does, too
    is_plan = any((reading.where, chooses, rows.select, rows.order, rows.limit is not None, writes_games, explain))
    try:
        with run, progress_bar("parts") as bar, warnings.catch_warnings():
            options["progress"] = lambda done, total: bar.update(done=done, total=total or None)
            if is_plan:
                warnings.simplefilter("ignore", DamagedFileWarning)  # which are reported at the end
                plan = rows.chosen(_scanned(files, reading, source, fen))
                if rows.select or features or not (writes_games or rows.by is not None):
                    added = features or (() if rows.select else ("legal_moves",))
                    plan = plan.select(*(rows.select or ("*",)), *added)
                plan = rows.ordered(plan)
                if explain:
                    out.print(plain(plan.explain(threads=reading.threads)))
                    return
                done = plan.write(path, **options)
            else:
                done = annotate(
                    files,
                    path,
                    features or "legal_moves",
                    fen=fen,
                    source=source,
                    every=rows.every,
                    encoding=reading.encoding,
                    letters=reading.letters,
                    names=reading.names,
                    **options,
                )
    except OSError as error:
        if error.filename is not None or not error.args:
            raise click.ClickException(f"{error.filename}: {error.strerror}") from error
        raise click.ClickException(str(error)) from error
    found = {} if done is None else {name: value for name, value in done._asdict().items() if name != "failures"}
    if done is not None:
        run.failures += done.failures
        listed = "" if errors_path else "; --errors FILE lists them"
        run.note_bad(done.bad, hint=f"{done.bad:,} bad {'row' if done.bad == 1 else 'rows'}{listed}")
    run.finish(found, lambda: _show(done, run), goes_on=goes_on(path))


def _scanned(files: list[str], reading: "ReadOptions", source: str | None, fen: str) -> "Plan":
    """Return a plan over files."""
    from rookery.data.plans.plan import scan

    return scan(
        files,
        where=reading.where,
        format=source,
        fen=fen,
        encoding=reading.encoding,
        letters=reading.letters,
        names=reading.names,
    )


def _show(done: "Written | None", run: Run) -> None:
    """Print how much was read and written."""
    if done is not None:
        read = f"{done.lines:,} lines" if done.lines else f"{done.games:,} games"
        out.print(plain(f"{read} read, {done.rows:,} rows written, {done.bad:,} bad, {run.seconds:.2f} s"))
