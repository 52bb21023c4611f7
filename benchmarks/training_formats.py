"""Time reading and writing of each format of training data, and check that what is read is what was written.

``python benchmarks/training_formats.py`` writes the positions of random games with scores of a random walk to each
format in memory, and reads them back. With ``--judge PROGRAM``, the C++ program that
`tests/data/training/test_training_judges.py` describes, Stockfish's own reader reads the same binpack. Times are CPU
times of one thread.
"""

import io
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from recording import out_option, record
from rookery import Board, Positions, ScoredPositions, scan_training, write_training
from rookery.bench.machine import describe
from rookery.data.training.formats import FORMATS

PLIES: Final = 120


def random_rows(games: int) -> ScoredPositions:
    """Return the positions of random games, one game after the other."""
    rng = np.random.default_rng(1)
    now = Positions.from_boards([Board()] * games)
    results = rng.integers(-1, 2, games)
    scores = np.zeros(games)
    playing = np.arange(games)
    parts: list[ScoredPositions] = []
    game: list[np.ndarray[Any, Any]] = []
    for ply in range(PLIES):
        moves = now.random_moves(rng)
        on = np.flatnonzero(moves)
        now, playing, moves = now[on], playing[on], moves[on]
        scores[playing] = np.clip(np.rint(rng.normal(scores[playing], 35)), -3000, 3000)
        side = 1 if ply % 2 == 0 else -1
        parts.append(
            ScoredPositions(
                now,
                moves=moves,
                scores=(side * scores[playing]).astype(np.int16),
                results=(side * results[playing]).astype(np.int8),
            )
        )
        game.append(playing)
        now = now.play(moves, check=False)
    return ScoredPositions.concatenate(parts)[np.argsort(np.concatenate(game), kind="stable")]


# Formats of single nets, whose records keep less than rows have, or take thousands of bytes.
NOT_TIMED: Final = ("leela", "action-value", "state-value", "behavioral-cloning", "bagz")


def measure(
    games: int = 4000,
    rounds: int = 7,
    judge: Path | None = None,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time each format."""
    if games < 1 or rounds < 1:
        raise ValueError(f"games: {games}, rounds: {rounds}: expected at least 1")
    progress("positions")
    rows = random_rows(games)
    found = []
    for kind in FORMATS:
        if kind.writing is None or kind.read is None or kind.name in NOT_TIMED:
            continue
        progress(kind.name)
        part = rows if kind.name != "plain" else rows[: len(rows) // 10]
        written, read, data = [], [], b""
        for _ in range(rounds + 1):  # the first one compiles
            file = io.BytesIO()
            start = time.thread_time()
            write_training(part, file, kind.name)
            written.append(time.thread_time() - start)
            data = file.getvalue()
            start = time.thread_time()
            back = list(scan_training(data, kind.name))
            read.append(time.thread_time() - start)
            _check(kind.name, ScoredPositions.concatenate(back), part)
        row = {
            "format": kind.name,
            "bytes_a_position": round(len(data) / len(part), 2),
            "read_million_a_second": round(len(part) / statistics.median(read[1:]) / 1e6, 2),
            "written_million_a_second": round(len(part) / statistics.median(written[1:]) / 1e6, 2),
        }
        if judge is not None and kind.name == "binpack":
            progress("binpack, C++")
            row["cpp_read_million_a_second"] = round(_judged(judge, data, len(part), rounds), 2)
        found.append(row)
    return {
        "benchmark": "training_formats",
        "command": "python benchmarks/training_formats.py",
        "machine": describe(),
        "games": games,
        "positions": len(rows),
        "rounds": rounds,
        "rows": found,
    }


def _check(name: str, back: ScoredPositions, rows: ScoredPositions) -> None:
    same = back == rows if name != "bulletformat" else np.array_equal(back.scores, rows.scores)
    if not same:
        raise AssertionError(f"{name}: what was read is not what was written")


def _judged(judge: Path, data: bytes, positions: int, rounds: int) -> float:
    """Return the million positions a second that the C++ reader reads, without its start."""
    with tempfile.TemporaryDirectory() as folder:
        path, empty = Path(folder) / "a.binpack", Path(folder) / "empty.binpack"
        path.write_bytes(data)
        empty.write_bytes(b"")
        seconds = []
        for _ in range(rounds):
            starting, taken = (_cpu_seconds([str(judge), "count", str(file)]) for file in (empty, path))
            seconds.append(taken - starting)
        return positions / statistics.median(seconds) / 1e6


def _cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@click.command()
@click.option("--games", type=click.IntRange(1), default=4000, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=7, show_default=True)
@click.option(
    "--judge",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A C++ reader.",
)
@out_option
def main(games: int, rounds: int, judge: Path | None, out: Path | None) -> None:
    """Time reading and writing of each format of training data."""
    record(measure, out, games=games, rounds=rounds, judge=judge)


if __name__ == "__main__":
    main()
