"""``rookery index``: make an index of the positions of games, which ``rookery openings --index`` asks."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rookery.cli.common import out, plain
from rookery.cli.games.game_files import bad_games
from rookery.cli.options import as_json_option, executor_option, out_option, overwrites, reads_games, writes_files
from rookery.cli.runner import Run, bad_text, progress_bar

if TYPE_CHECKING:
    from rookery.data.index.game_index import GameIndex
    from rookery.games.read.options import ReadOptions


@click.command("index")
@reads_games("where", "encoding", "letters", "names", "threads")
@out_option("The folder of the index.", name="folder", required=True, kind=click.Path(path_type=Path))
@click.option("--merge", is_flag=True, help="Merge all parts of the index.")
@executor_option
@as_json_option
@writes_files
def index_command(
    files: list[str],
    reading: "ReadOptions",
    folder: Path,
    merge: bool,
    executor: str | None,
    as_json: bool,
) -> None:
    """Index the positions of games: 'rookery openings --index DIR' then shows any of them in milliseconds.

    FILES are games: PGN, packed or not, or tables in Parquet or Arrow. The folder gets Parquet files with the games,
    all their positions sorted by key, and the counts of frequent positions. If it has an index, files that are new
    become a part of it. --force makes an index anew. A command that was stopped goes on when it is repeated, and makes
    the same files.
    """
    from rookery.data.index.making import index_games
    from rookery.tasks.jobs import goes_on

    if "-" in files:
        raise ValueError("FILES: '-': expected files, since a command that was stopped reads them again")
    run, index = Run(as_json, folder), None
    try:
        with run, progress_bar("reading") as bar:
            index = index_games(
                files,
                folder,
                where=reading.where,
                encoding=reading.encoding,
                letters=reading.letters,
                names=reading.names,
                merge=merge,
                executor=executor,
                threads=reading.threads,
                progress=lambda done, total: bar.update(done=done, total=total),
                force=overwrites(),
            )
    except FileExistsError as error:
        raise click.UsageError(str(error)) from error
    document: dict[str, Any] = {}
    if index is not None:
        document = {
            "games": index.games,
            "bad": index.bad,
            "positions": len(index),
            "parts": index.parts,
            "bytes": index.nbytes,
        }
        run.failures += index.failures
        run.note_bad(index.bad, hint=bad_games(index.bad))
    run.finish(document, lambda: _show(index, folder, run.seconds), goes_on=goes_on(folder))


def _show(index: "GameIndex | None", folder: Path, seconds: float) -> None:
    """Print what an index has."""
    if index is None:  # interrupted
        return
    games = f"{index.games:,} games{bad_text(index.bad)}"
    parts = f"{index.parts} part{'' if index.parts == 1 else 's'}"
    out.print(plain(f"{games}, {len(index):,} positions, {parts}, {index.nbytes:,} bytes in {folder}, {seconds:.2f} s"))
