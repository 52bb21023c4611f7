"""Calls of the library that write files; run as a program, one of them in a process that SIGTERM ends.

The signal has no handler, so it ends the process at once, as it ends a program that uses the library and not a command.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Final

import rookery
import small_tasks
from crashing_disk import CrashingDisk, installed

# Each call: an expression of Python. IN and OUT are folders.
CALLS: Final = {
    "annotate": "rookery.annotate('IN/games.pgn', 'OUT/a.parquet', 'legal_moves', executor=EXECUTOR)",
    "arrow": "PLAN.select('fen', 'is_check').write_arrow('OUT/a.arrow', executor=EXECUTOR)",
    "csv": "PLAN.shuffle(1).write_csv('OUT/a.csv', executor=EXECUTOR)",
    "dataset": "PLAN.shuffle(1).write_dataset('OUT/data', value=None, executor=EXECUTOR)",
    "index": "rookery.index_games('IN/games.pgn', 'OUT/index', executor=EXECUTOR)",
    "jsonl": "PLAN.write_jsonl('OUT/a.jsonl', executor=EXECUTOR)",
    "parquet of games": "rookery.pgn_to_parquet('IN/games.pgn', 'OUT/a.parquet', executor=EXECUTOR)",
    "parquet of rows": "PLAN.sort('fen').write_parquet('OUT/a.parquet', executor=EXECUTOR)",
    "pgn": "PLAN.write_pgn('OUT/a.pgn', executor=EXECUTOR)",
    "training": "rookery.scan('IN/rows.plain').write_training('OUT/a.binpack', executor=EXECUTOR)",
    "tree": "rookery.read_pgn('IN/games.pgn').opening_tree(4).to_parquet('OUT/a.parquet')",
}


class TerminatingDisk(CrashingDisk):
    """A disk that sends SIGTERM to this process before operation number `at`."""

    def reaches(self, operation: str, path: str | None = None) -> None:
        with self._lock:
            if len(self.operations) == self.at:
                os.kill(os.getpid(), signal.SIGTERM)
        super().reaches(operation, path)


def perform(call: str, inputs: Path, out: Path, executor: str | None = None) -> dict[str, bytes]:
    """Do a call; return the files that it leaves."""
    text = CALLS[call].replace("IN/", f"{inputs}/").replace("OUT/", f"{out}/")
    plan = rookery.scan(str(inputs / "games.pgn")).positions("is_check or ply == 0")
    eval(text, {"rookery": rookery, "PLAN": plan, "EXECUTOR": executor})
    return files_in(out)


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def main(call: str, inputs: str, out: str, at: str, executor: str) -> None:
    """Do a call in ranges of few bytes, on a disk that ends the process at an operation."""
    for module, name in small_tasks.SIZES:
        setattr(module, name, SIZE)
    with installed(TerminatingDisk(Path(out), int(at))):
        perform(call, Path(inputs), Path(out), executor or None)


SIZE: Final = 3_000  # bytes of a task

if __name__ == "__main__":
    main(*sys.argv[1:])
