"""Rows of training data that commands read by a plan: from files of rows and of games."""

from typing import TYPE_CHECKING, Any, Final

from rookery.cli.common import out
from rookery.cli.games.game_files import bad_games
from rookery.cli.options import from_option
from rookery.cli.runner import Run, bad_text

if TYPE_CHECKING:
    from rookery.data.plans.plan import Plan
    from rookery.data.plans.training import RowsRead
    from rookery.games.read.options import ReadOptions

_OF_ENGINES: Final = ("binpack", "viriformat", "bulletformat", "plain", "packed-sfen")
FORMATS: Final = (*_OF_ENGINES, "leela", "action-value", "state-value", "behavioral-cloning", "bagz")
READ: Final = ("games", *FORMATS, "csv", "text")

format_option = from_option(READ, "The format of FILES", "their suffixes")


def plan_of(files: list[str], reading: "ReadOptions", source: str | None) -> "Plan":
    """Return the plan over files of rows or games; text is rows of training data."""
    from rookery.data.plans.plan import scan

    named: dict[str, Any] = {name: getattr(reading, name) for name in ("where", "encoding", "letters", "names")}
    return scan(files, format="fen" if source == "text" else source, bad=reading.errors, **named)


def note_in(run: Run, read: "RowsRead", *, skips_bad: bool) -> None:
    """Add to a run what could not be read."""
    run.failures += read.failures
    games = 0 if skips_bad else read.bad_games
    hints = [bad_games(games)] if games else []
    hints += map(str, read.first_bad)
    if more := read.bad_rows - len(read.first_bad):
        hints.append(f"and {more:,} more bad rows; --errors FILE lists all")
    run.note_bad(games + read.bad_rows, hint="\nError: ".join(hints))


def line_of(read: "RowsRead", *, chooses: bool) -> str:
    """Return how many positions were read and could not be, and how many of them were chosen."""
    bad = bad_text(read.bad_games, "bad games") + bad_text(read.bad_rows, "bad rows")
    return f"{read.positions:,} positions read{bad}" + (f", {read.selected:,} selected" if chooses else "")


def show_doubtful(read: "RowsRead") -> None:
    """Print how many games have scores that were not read."""
    if n := read.doubtful:
        out.print(f"{n:,} {'game has' if n == 1 else 'games have'} scores that were not read: {read.first_doubtful}")
