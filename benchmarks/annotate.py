"""Time how fast FENs become a table of features, and how much memory that takes, and check the sums of the table.

``python benchmarks/annotate.py`` writes files of FENs, and annotates each in a process of its own. Times are those of
the clock, and CPU seconds of all processes, which a busy machine changes less. Those of processes include their start.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click
import pyarrow.parquet as pq

from recording import out_option, record
from rookery import Board, read_pgn
from rookery.bench.games import texts
from rookery.bench.machine import describe

EXECUTORS: Final = ("threads:1", "threads:2", "processes:1", "processes:2")
MEMORY_EXECUTOR: Final = "threads:2"
FEATURES: Final = "legal_moves,mobility"
PROGRAM: Final = textwrap.dedent(
    """
    import json, resource, sys, time
    import rookery
    if __name__ == "__main__":
        warm, path, out, features, executor = sys.argv[1:]
        rookery.annotate(warm, out, features, executor="threads:1")  # imports and compiles
        start, cpu = time.perf_counter(), time.process_time()
        done = rookery.annotate(path, out, features, executor=executor)
        wall, cpu = time.perf_counter() - start, time.process_time() - cpu
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        cpu += children.ru_utime + children.ru_stime
        print(json.dumps({"rows": done.rows, "wall": wall, "cpu": cpu, "kib": memory}))
    """
)


def measure(
    lines: int = 4_000_000,
    rounds: int = 3,
    memory: tuple[int, ...] = (1_000_000, 10_000_000, 50_000_000),
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time `rookery.annotate` on executors in turns, and measure its peak memory for files of several sizes."""
    if lines < 1 or rounds < 1:
        raise ValueError(f"lines: {lines}, rounds: {rounds}: expected at least 1")
    positions = read_pgn("".join(texts(False)).encode()).positions("all")
    fens = positions.to_fens()[:20_000]
    counts = [Board(fen).legal_moves.count() for fen in fens]
    runs: dict[str, list[dict[str, Any]]] = {executor: [] for executor in EXECUTORS}
    peaks = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "warm.txt").write_text(f"{fens[0]}\n")
        expected = _write(place / "fens.txt", fens, counts, lines)
        for i in range(rounds):
            for executor, found in runs.items():
                progress(f"{executor}, round {i + 1}")
                found.append(_run(place, executor, expected))
        for size in memory:
            progress(f"memory of {size:,} lines")
            found_once = _run(place, MEMORY_EXECUTOR, _write(place / "fens.txt", fens, counts, size))
            peaks.append({"lines": size, "mib": round(found_once["kib"] / 1024)})
    return {
        "benchmark": "annotate",
        "command": "python benchmarks/annotate.py",
        "machine": describe(),
        "lines": lines,
        "features": FEATURES,
        "rounds": rounds,
        "executors": [
            {
                "executor": executor,
                "million_a_second": round(lines / statistics.median(one["wall"] for one in found) / 1e6, 2),
                "cpu_seconds_a_million": round(statistics.median(one["cpu"] for one in found) / lines * 1e6, 2),
            }
            for executor, found in runs.items()
        ],
        "memory_executor": MEMORY_EXECUTOR,
        "memory": peaks,
    }


def _write(path: Path, fens: list[str], counts: list[int], lines: int) -> tuple[int, int]:
    """Write FENs with other move numbers in each turn; return the lines and the sum of their legal moves."""
    boards = [fen.rsplit(" ", 1)[0] for fen in fens]
    left, turn, total = lines, 0, 0
    with path.open("w") as file:
        while left:
            turn += 1
            taken = min(left, len(boards))
            file.write("".join(f"{board} {turn}\n" for board in boards[:taken]))
            total += sum(counts[:taken])
            left -= taken
    return lines, total


def _run(folder: Path, executor: str, expected: tuple[int, int]) -> dict[str, Any]:
    """Annotate the file once. The table must have all rows, and the legal moves of single boards in sum."""
    program, out = folder / "program.py", folder / "out.parquet"
    program.write_text(PROGRAM)
    command = [sys.executable, *map(str, (program, folder / "warm.txt", folder / "fens.txt", out)), FEATURES, executor]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, Any] = json.loads(printed)
    column = pq.read_table(out, columns=["legal_moves"]).column(0).to_numpy()
    if (found["rows"], int(column.sum(dtype="i8"))) != expected:
        raise AssertionError(f"{executor}: {found['rows']} rows, {column.sum()} legal moves: expected {expected}")
    return found


@click.command()
@click.option("--lines", type=click.IntRange(1), default=4_000_000, show_default=True, help="Lines that are timed.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@out_option
def main(lines: int, rounds: int, out: Path | None) -> None:
    """Time the making of a table of features, and measure its memory."""
    record(measure, out, lines=lines, rounds=rounds)


if __name__ == "__main__":
    main()
