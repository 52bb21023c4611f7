"""``rookery tactics``: the themes of a file of puzzles, or what a position shows."""

import contextlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rookery.cli.common import out, writing
from rookery.cli.options import as_json_option, errors_option, out_option, threads_option, writes_files
from rookery.cli.runner import Run, bad_text, compilation_shown, progress_bar
from rookery.cli.tables import Column, number, present
from rookery.cli.tactics_position import explain_position

if TYPE_CHECKING:
    from rookery.data.puzzles.files import BadRow, Tagged

_SHOWN: Final = 5  # bad rows that are printed
_RANKS: Final = 8


@click.command("tactics")
@click.argument("what", metavar="PUZZLES|FEN")
@out_option("Write PuzzleId and Themes of each puzzle: .csv.")
@errors_option("rows that cannot be tagged")
@threads_option()
@as_json_option
@writes_files
def tactics_command(what: str, path: Path | None, errors_path: Path | None, threads: int, as_json: bool) -> None:
    """Tag a file of puzzles with their themes, as Lichess defines them, or explain a position.

    PUZZLES is CSV as Lichess publishes it, plain or packed by xz, zstd, gzip or bzip2. Its columns PuzzleId, FEN and
    Moves are read. The first move of a puzzle is the opponent's. Rows that cannot be tagged are left out and reported;
    the command then ends with status 1. Without -o it only counts the themes.

    FEN is a position, or a name as for perft: the motifs of both sides are listed with their squares, and those of
    tactics are drawn.
    """
    if _is_position(what):
        if path is not None or errors_path is not None:
            raise click.UsageError("-o and --errors are for files of puzzles, not for a position")
        with compilation_shown():
            explain_position(what, as_json)
    else:
        _puzzles(Path(what), path, errors_path, threads, as_json)


def _is_position(text: str) -> bool:
    """Return whether an argument is a FEN or the name of a position, and not the name of a file."""
    from rookery.counting.walk import POSITIONS

    pieces = text.split(maxsplit=1)[:1]
    fen = bool(pieces) and pieces[0].count("/") == _RANKS - 1
    return (fen or text in POSITIONS) and not Path(text).exists()


# A file of puzzles.


class _Totals:
    """The running totals of the puzzles tagged so far."""

    def __init__(self) -> None:
        self.puzzles = 0
        self.themes: Counter[str] = Counter()
        self.bad: list[BadRow] = []
        self.bad_count = 0

    def add(self, block: "Tagged") -> None:
        from rookery.data.puzzles import THEMES

        self.puzzles += len(block.themes)
        for theme in THEMES:
            self.themes[theme] += int(block.themes.has(theme).sum())
        self.bad_count += len(block.bad)
        self.bad += block.bad[: max(_SHOWN - len(self.bad), 0)]

    def document(self) -> dict[str, Any]:
        return {"puzzles": self.puzzles, "bad": self.bad_count, "themes": dict(self.themes)}

    def line(self, seconds: float) -> str:
        bad = bad_text(self.bad_count, "bad rows")
        return f"{self.puzzles:,} puzzles{bad}, {seconds:.2f} s, {self.puzzles / seconds:,.0f} puzzles/s"


def _puzzles(source: Path, path: Path | None, errors_path: Path | None, threads: int, as_json: bool) -> None:
    from rookery.data.puzzles import tag_puzzles
    from rookery.data.puzzles.files import write_tags
    from rookery.sources import files

    if path is not None and path.suffix != ".csv" and not files.is_stream(path):
        raise click.UsageError(f"-o: {path.name}: expected a name that ends in .csv")
    if not source.exists():
        raise click.UsageError(f"{str(source)!r}: expected a file of puzzles or a FEN; there is no such file")
    if path is not None and path.exists() and source.samefile(path):
        raise click.UsageError(f"-o: {str(path)!r} is the file of puzzles itself: give another name")
    totals, run = _Totals(), Run(as_json, path)
    with run, contextlib.ExitStack() as stack:
        tag_puzzles(["6k1/5ppp/8/8/8/7P/5PP1/R5K1 b - - 0 1"], ["g8h8 a1a8"])  # so that the compiler is not timed
        run.restart_clock()
        errors_file = None
        if errors_path is not None:
            stack.enter_context(writing("--errors", errors_path))
            errors_file = stack.enter_context(files.replacing(errors_path))
        blocks = _read(source, threads, totals, errors_file, run)
        if path is None:
            for _ in blocks:
                pass
        else:
            with writing("-o", path):
                write_tags(blocks, path)
    hints = [f"{row}" for row in totals.bad]
    if totals.bad_count > len(totals.bad):
        hints.append(f"and {totals.bad_count - len(totals.bad):,} more bad rows; --errors FILE lists all")
    run.note_bad(totals.bad_count, hint="\nError: ".join(hints))

    def show() -> None:
        out.print(totals.line(run.seconds))
        rows = [{"theme": name, "puzzles": count} for name, count in totals.themes.most_common() if count]
        if path is None:
            present(rows, (Column("theme"), number("puzzles", "{puzzles:,}")))

    run.finish(totals.document(), show)


def _read(source: Path, threads: int, totals: _Totals, errors_file: Any, run: Run) -> Iterator["Tagged"]:
    """Yield the tagged puzzles of a file and count them, with a progress bar."""
    from rookery.data.puzzles.files import tagged_rows
    from rookery.sources.streams import Counted

    counted: Counted = Counted()
    with progress_bar("tagging", source.stat().st_size if source.is_file() else None) as bar:
        for block in tagged_rows(source, threads=threads, counted=counted):
            totals.add(block)
            if errors_file is not None:
                for row in block.bad:
                    errors_file.write(json.dumps(row._asdict()).encode() + b"\n")
            bar.update(totals.line(run.seconds), counted.read)
            yield block
