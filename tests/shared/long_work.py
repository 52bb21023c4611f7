"""Commands that work long on large files, here on small ones in memory: what they leave, by which runs are compared."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner

from rookery.cli import main

# Each work, its inputs and its arguments. IN and OUT are folders.
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
}
_ERROR = re.compile(r"^Error: (?!\d+ bad ).*", re.MULTILINE | re.DOTALL)  # not one that counts bad games or rows


@dataclass(frozen=True)
class Outcome:
    """The outcome of a command: its exit status, the result that it prints, its files, and its error or ""."""

    status: int
    answer: str
    files: dict[str, bytes]
    error: str
    printed: str = field(repr=False, compare=False)


def words_of(work: str, inputs: Path, out: Path) -> list[str]:
    return WORKS[work].replace("IN/", f"{inputs}/").replace("OUT/", f"{out}/").split()


def perform(work: str, inputs: Path, out: Path, *more: str, afterwards: Callable[[], object] = lambda: None) -> Outcome:
    """Run the command in this process. A crash passes through. `afterwards` runs before the files are read."""
    result = CliRunner().invoke(main, [*words_of(work, inputs, out), *more])
    afterwards()
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    error = _ERROR.search(result.output)
    answer = result.stdout if error is None and work in ("perft", "distinct") else ""
    lines = [line for line in answer.splitlines() if not line.startswith("Warning: ")]
    timeless = "\n".join(line for line in lines if " s, " not in line and not line.endswith(" s"))
    return Outcome(result.exit_code, timeless, files, error[0] if error else "", result.output)
