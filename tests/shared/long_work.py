"""Commands that work long on large files, here on small ones in memory: what they leave, by which runs are compared."""

import contextlib
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from click.testing import CliRunner

import rookery
from rookery.cli import main

_PLAN: Final = "rookery.scan('IN/games.pgn')"
_MORE: Final = ", force=FORCE, executor=EXECUTOR"

# Each work: a command, or an expression of Python. IN and OUT are folders.
WORKS = {
    "games": "games IN/games.pgn -o OUT/games.parquet",
    "annotate": "annotate IN/games.pgn -o OUT/rows.csv --features legal_moves,tags --every 3 --errors OUT/bad.jsonl",
    "annotate lines": "annotate IN/fens.txt -o OUT/rows.parquet --features legal_moves",
    "search": "search IN/games.pgn is_check -o OUT/found.parquet",
    "search games": "search IN/games.pgn is_check -o OUT/found.pgn",
    "dataset": "dataset IN/games.pgn -o OUT/data --split 0.6,0.2,0.2 --shuffle --unique --shards 2 --value none",
    "convert": "convert IN/rows.plain IN/rows.binpack -o OUT/rows.bullet --errors OUT/bad.jsonl",
    "openings": "openings IN/games.pgn -o OUT/tree.parquet",
    "index": "index IN/games.pgn -o OUT/index",
    "perft": "perft kiwipete 4 --checkpoint OUT/count",
    "distinct": "perft start 3 --distinct 2 --work OUT/work",
    "games text": "games IN/games.pgn -o OUT/games.csv --errors OUT/bad.jsonl",
    "search lines": "search IN/games.pgn is_check -o OUT/found.csv",
    "openings page": "openings IN/games.pgn -o OUT/tree.html",
    "duplicates parquet": "duplicates IN/games.pgn -o OUT/kept.parquet",
    "duplicates": "duplicates IN/games.pgn -o OUT/kept.pgn",
    "tactics": "tactics IN/puzzles.csv -o OUT/tags.csv --errors OUT/bad.jsonl",
    "stats": "stats IN/rows.plain --errors OUT/bad.jsonl",
    "export": "export c --technique hyperbola -o OUT/exported",
    "attacks": "attacks start d1 --svg OUT/board.svg",
    "atlas": "magics atlas -o OUT/atlas.json",
    "ranges": "magics ranges --square d8 -o OUT/ranges.json",
    "plan groups": f"{_PLAN}.group_by('Result', 'ply').agg('mean(elo(us))').write_parquet('OUT/a.parquet'{_MORE})",
    "plan sort": f"{_PLAN}.select('fen').unique('fen').sort('fen').write_csv('OUT/rows.csv'{_MORE})",
    "plan games": f"{_PLAN}.write_pgn('OUT/chosen.pgn'{_MORE})",
    "written rows": "rookery.write_training(rookery.read_training('IN/rows.plain'), 'OUT/rows.bullet')",
    "book": "rookery.read_book(bytes(48)).write('OUT/book.bin')",
    "plan training": "rookery.scan('IN/rows.plain').shuffle(1).write_training('OUT/mixed.binpack', force=FORCE)",
}
# Those of which what they print is compared, too; and those that take no executor.
ANSWERS: Final = ("perft", "distinct", "stats")
HERE: Final = tuple(
    (
        "search|search games|search lines|openings|openings page|duplicates|duplicates parquet|tactics|stats|export|"
        "attacks|atlas|ranges|plan training|written rows|book"
    ).split("|")
)
_STAYS: Final = ".*this folder is not needed any more"
_ERROR = re.compile(
    r"^Error: (?!\d+ bad |line \d+: row ).*", re.MULTILINE | re.DOTALL
)  # not one that counts bad games or rows


@dataclass(frozen=True)
class Outcome:
    """The outcome of a command: its exit status, the result that it prints, its files, and its error or ""."""

    status: int
    answer: str
    files: dict[str, bytes]
    error: str
    printed: str = field(repr=False, compare=False)


def perform(work: str, inputs: Path, out: Path, *more: str, afterwards: Callable[[], object] = lambda: None) -> Outcome:
    """Do the work in this process. A crash passes through. `afterwards` runs before the files are read."""
    text = WORKS[work].replace("IN/", f"{inputs}/").replace("OUT/", f"{out}/")
    status, printed, stdout = _of_python(text, more) if text.startswith("rookery.") else _of_command(text, more)
    afterwards()
    files = files_in(out)
    error = _ERROR.search(printed)
    answer = stdout if error is None and work in ANSWERS else ""
    lines = [line for line in answer.splitlines() if not line.startswith("Warning: ")]
    timeless = "\n".join(line for line in lines if " s, " not in line and not line.endswith(" s"))
    return Outcome(status, timeless, files, error[0] if error else "", printed)


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder. One may go away now: Python may close what failed work had open a moment later."""
    found: dict[str, bytes] = {}
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            if path.is_file():
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def _of_command(text: str, more: tuple[str, ...]) -> tuple[int, str, str]:
    """Run a command; return its exit status, all that it prints, and its standard output."""
    with warnings.catch_warnings():
        warnings.filterwarnings("always", _STAYS)
        result = CliRunner().invoke(main, [*text.split(), *more])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output, result.stdout


def _of_python(text: str, more: tuple[str, ...]) -> tuple[int, str, str]:
    """Evaluate an expression; return the same, as a command would give it."""
    executor = more[more.index("--executor") + 1] if "--executor" in more else None
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            eval(text, {"rookery": rookery, "FORCE": "--force" in more, "EXECUTOR": executor})
        except (OSError, ValueError) as error:
            return 1, f"Error: {error}", ""
    return 0, "\n".join(str(warning.message) for warning in warned), ""
