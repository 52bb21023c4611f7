"""Time how fast a dataset is made of PGN, and read as planes, and check what is counted.

``python benchmarks/datasets.py`` writes random games to a plain PGN file, makes datasets of it, and reads them. Times
are CPU times of one thread, so that a busy machine and its disk change them little; `wall_seconds` are of the clock.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from recording import out_option, record
from rookery import make_dataset, open_dataset, read_pgn
from rookery.bench.games import texts
from rookery.bench.machine import describe

OPTIONS: Final[list[tuple[str, dict[str, Any]]]] = [
    ("in order", {}),
    ("shuffled", {"shuffle": True}),
    ("shuffled, without duplicates", {"shuffle": True, "unique": True}),
]
READING: Final[list[tuple[str, dict[str, Any]]]] = [
    ("planes, uint8", {"dtype": np.uint8, "policy": None, "value": None}),
    ("planes, float32", {"policy": None, "value": None}),
    ("planes, indices and values", {}),
    ("planes, indices, values and legal moves", {"legal": True}),
]
PIECES: Final = 12  # the first planes are of pieces


def measure(copies: int = 40, rounds: int = 3, progress: Callable[[str], None] = lambda what: None) -> dict[str, Any]:
    """Time the making and the reading of datasets."""
    if copies < 1 or rounds < 1:
        raise ValueError(f"copies: {copies}, rounds: {rounds}: expected at least 1")
    games = texts(False)
    with tempfile.TemporaryDirectory() as folder:
        pgn = Path(folder) / "games.pgn"
        pgn.write_text("".join(games) * copies)
        read = read_pgn("".join(games).encode())
        ended = read.plies[read.scores > 0]
        expected = int(read.plies.sum() + len(read)) * copies, int(ended.sum()) * copies
        made = [_made(pgn, Path(folder), name, options, expected, rounds, progress) for name, options in OPTIONS]
        found = [_read(Path(folder) / "shuffled-1-0", name, options, rounds, progress) for name, options in READING]
    return {
        "benchmark": "datasets",
        "command": "python benchmarks/datasets.py",
        "machine": describe(),
        "positions": expected[0],
        "rows": expected[1],
        "rounds": rounds,
        "made": made,
        "read": found,
    }


def _made(
    pgn: Path,
    folder: Path,
    name: str,
    options: dict[str, Any],
    expected: tuple[int, int],
    rounds: int,
    progress: Callable[[str], None],
) -> dict[str, Any]:
    """Time one way to make a dataset. The positions and rows must be those of the games."""
    seconds, walls, manifest = [], [], None
    for i in range(rounds + 1):  # the first one compiles
        progress(f"{name}, round {i}")
        start, wall = time.process_time(), time.perf_counter()
        manifest = make_dataset(pgn, folder / f"{name.split(',')[0]}-{len(options)}-{i}", split=[0.98, 0.02], **options)
        seconds.append(time.process_time() - start)
        walls.append(time.perf_counter() - wall)
        rows = sum(manifest.rows.values()) + manifest.counts.get("repeated", 0)
        if (manifest.counts["positions"], rows) != expected:
            raise AssertionError(f"{name}: {manifest.counts['positions']} positions, {rows} rows: expected {expected}")
    assert manifest is not None
    return {
        "dataset": name,
        "rows": sum(manifest.rows.values()),
        "bytes_a_row": round(sum(shard.bytes for shard in manifest.shards) / sum(manifest.rows.values()), 2),
        "million_a_second": round(expected[0] / statistics.median(seconds[1:]) / 1e6, 2),
        "wall_seconds": round(statistics.median(walls[1:]), 2),
    }


def _read(
    folder: Path, name: str, options: dict[str, Any], rounds: int, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Time one way to read a dataset. Each piece must be on one plane."""
    dataset = open_dataset(folder, batch=1024, **options)
    seconds = []
    for i in range(rounds + 1):
        progress(f"{name}, round {i}")
        start = time.process_time()
        rows = sum(len(batch.planes) for batch in dataset)
        seconds.append(time.process_time() - start)
        if rows != dataset.rows:
            raise AssertionError(f"{name}: {rows} rows: expected {dataset.rows}")
    pieces = sum(int(batch.planes[:, :PIECES].sum(dtype=np.int64)) for _, batch in dataset.batches_of(0, 0, 50))
    columns = [dataset.read(start, start + 1024).positions.columns for start in range(0, dataset.rows, 50 * 1024)]
    fields = ("pawns", "knights", "diagonals", "orthogonals", "kings")
    occupied = [np.bitwise_or.reduce([getattr(c, field) for field in fields]) for c in columns]
    if pieces != sum(int(np.bitwise_count(boards).sum()) for boards in occupied):
        raise AssertionError(f"{name}: {pieces} pieces on planes are not those of the positions")
    return {"batches": name, "million_a_second": round(dataset.rows / statistics.median(seconds[1:]) / 1e6, 2)}


@click.command()
@click.option("--copies", type=click.IntRange(1), default=40, show_default=True, help="Copies of the games.")
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@out_option
def main(copies: int, rounds: int, out: Path | None) -> None:
    """Time the making and the reading of datasets."""
    record(measure, out, copies=copies, rounds=rounds)


if __name__ == "__main__":
    main()
