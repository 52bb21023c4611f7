"""``rookery tactics``: the themes of a file of puzzles, or what a position shows."""

import contextlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rookery.cli.common import out, plain, print_json, with_coordinates, writing
from rookery.cli.games.search_output import present_cards
from rookery.cli.options import as_json_option, errors_option, out_option, threads_option, writes_files
from rookery.cli.runner import Run, bad_text, compilation_shown, progress_bar
from rookery.cli.tables import Column, number, present

if TYPE_CHECKING:
    from rookery.board.board import Board
    from rookery.data.puzzles.files import BadRow, Tagged
    from rookery.positions.motifs import Motif
    from rookery.positions.motifs.named_mates import NamedMate

_SHOWN: Final = 5  # bad rows that are printed
_RANKS: Final = 8
_DRAWN: Final = frozenset(
    """
    threatened hanging trapped overloaded absolute_pin relative_pin skewered battery x_rays discovered_attack
    discovered_check fork greek_gift back_rank_weakness
    """.split()
)


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


# A position.


def explain_position(text: str, as_json: bool) -> None:
    """Print the motifs of a position, a FEN or a name as for ``perft``: squares and meaning, for each side.

    Those of tactics are drawn, with their squares marked. A checkmate is printed with its names.
    """
    from rookery.counting.walk import as_board

    board = as_board(text)
    found = {side: _motifs(board, side) for side in ("white", "black")}
    if as_json:
        names = [mate.name for mate in _mates(board)]
        print_json({"fen": board.fen(), "mates": names, **{side: _document(motifs) for side, motifs in found.items()}})
        return
    for line in with_coordinates(str(board)):
        out.print(plain(line))
    if board.is_checkmate():
        out.print(plain("\nCheckmate"), style="bold")
    for mate in _mates(board):
        out.print(plain(f"  {mate.name}"))
        out.print(plain(f"      {mate.definition}"), style="dim")
    for side, motifs in found.items():
        out.print(plain(f"\n{side.capitalize()}: {len(motifs)} motifs"), style="bold")
        for motif, squares in motifs:
            out.print(plain(f"  {motif.name:<26}{_listed(squares)}"))
            out.print(plain(f"      {motif.summary}"), style="dim")
        cards = [_card(board, motif, squares) for motif, squares in motifs if motif.name in _DRAWN]
        if cards:
            out.print()
            present_cards(cards)


def _motifs(board: "Board", side: Any) -> "list[tuple[Motif, int]]":
    """Return the motifs that a side has, with their squares."""
    from rookery.positions.motifs import MOTIFS
    from rookery.positions.positions import Positions

    position = Positions.from_boards([board])
    squares = [(motif, int(position.motif(motif.name, side)[0])) for motif in MOTIFS]
    return [(motif, board) for motif, board in squares if board]


def _mates(board: "Board") -> "list[NamedMate]":
    """Return the mates by name that a position shows."""
    from rookery.positions.motifs.named_mates import NAMED_MATES, mate_names
    from rookery.positions.positions import Positions

    if not board.is_checkmate():
        return []  # without compiling
    names = mate_names(Positions.from_boards([board]).named_mates()[0])
    return [mate for mate in NAMED_MATES if mate.name in names]


def _document(motifs: "list[tuple[Motif, int]]") -> list[dict[str, Any]]:
    return [{"motif": m.name, "squares": _names(squares), "summary": m.summary} for m, squares in motifs]


def _names(squares: int) -> list[str]:
    from rookery.bitboards.bitboard import Bitboard

    return Bitboard(squares).names()


def _listed(squares: int) -> str:
    names = _names(squares)
    return " ".join(names) if len(names) <= 8 else f"{len(names)} squares"


def _card(board: "Board", motif: "Motif", squares: int) -> list[str]:
    from rookery.bitboards.pictures.text import marked

    return [motif.name, *with_coordinates(marked(str(board), squares))]
