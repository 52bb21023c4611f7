"""Time the same work on threads, processes, loky, Dask and Ray, in turns, with every answer checked.

``python benchmarks/executors.py`` needs the extra ``engines``. It also measures the constants of the model in
docs/scaling.md: what a task costs, and how much work a core does. Times of a core are CPU times, so that a busy machine
changes them little; `rounds` of the same work on all executors are times of the clock.
"""

import contextlib
import pickle
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from recording import out_option, record
from rookery import annotate, make_dataset, perft, pgn_to_parquet, read_pgn, search
from rookery.bench.machine import describe
from rookery.board.board import Board
from rookery.counting.distinct import distinct_positions
from rookery.counting.weighted import WeightedTask, _products
from rookery.counting.workers import CountingTask, count_parts, leaves_of, warm_up
from rookery.games.read.game_ranges import ranges_of
from rookery.games.read.options import ReadOptions
from rookery.games.search.ranges import RangeOptions
from rookery.sources.ranges import RANGE
from rookery.tasks import open_executor
from rookery.tasks.journal import Journal
from rookery.tasks.parts import RangeTask
from rookery.tasks.running import run

EXECUTORS: Final = ("threads:1", "threads:2", "processes:2", "loky:2", "dask:2", "ray:local")
BASE: Final = "threads:2"
DEPTH, LEAVES = 8, 84_998_978_956
QUERY: Final = "is_mate"
SAMPLE: Final = Path(__file__).resolve().parents[1] / "tests" / "samples" / "lichess-2025-05.pgn"
EMPTY: Final = 1000  # tasks


def measure(
    rounds: int = 3, megabytes: int = 200, progress: Callable[[str], None] = lambda what: None
) -> dict[str, Any]:
    """Time the executors, and measure the constants of the model."""
    if rounds < 1 or megabytes < 1:
        raise ValueError(f"rounds: {rounds}, megabytes: {megabytes}: expected at least 1")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        pgn, copies = _games(Path(folder), megabytes)
        constants = _constants(Path(folder), pgn, copies, progress)
        hits = len(search(SAMPLE, QUERY)) * copies
        rows, opened = [], []
        for name in EXECUTORS:
            progress(f"{name}: start")
            start = time.perf_counter()
            executor = stack.enter_context(_opened(name))
            _check("perft", perft("start", 4, executor=executor), 197_281)
            search(SAMPLE, QUERY, executor=executor)
            rows.append({"executor": name, "start_seconds": round(time.perf_counter() - start, 2)})
            opened.append(executor)
        perfts: list[list[float]] = [[] for _ in opened]
        searches: list[list[float]] = [[] for _ in opened]
        alone: list[float] = []
        for i in range(rounds):
            start = time.perf_counter()
            _check("perft", perft("start", DEPTH), LEAVES)
            alone.append(time.perf_counter() - start)
            for name, executor, counted, searched in zip(EXECUTORS, opened, perfts, searches, strict=True):
                progress(f"{name}: round {i + 1} of {rounds}")
                start = time.perf_counter()
                _check(name, perft("start", DEPTH, executor=executor), LEAVES)
                middle = time.perf_counter()
                _check(name, len(search(pgn, QUERY, executor=executor)), hits)
                counted.append(middle - start)
                searched.append(time.perf_counter() - middle)
        base = EXECUTORS.index(BASE)
        for row, executor, counted, searched in zip(rows, opened, perfts, searches, strict=True):
            progress(f"{row['executor']}: empty tasks")
            row |= _times("perft", counted, perfts[base]) | _times("search", searched, searches[base])
            row |= _empty(executor)
        tasks = {"perft_tasks": _tasks(), "search_tasks": len(list(ranges_of(str(pgn))))}
    return {
        "benchmark": "executors",
        "command": f"python benchmarks/executors.py --rounds {rounds} --megabytes {megabytes}",
        "machine": describe(),
        "rounds": rounds,
        "leaves": LEAVES,
        "megabytes": megabytes,
        "alone_seconds": round(statistics.median(alone), 3),
        **tasks,
        "executors": rows,
        "constants": constants,
    }


def _opened(name: str) -> contextlib.AbstractContextManager[Executor]:
    if name != "ray:local":
        return open_executor(name)
    from rookery.tasks.ray_executor import RayExecutor

    return RayExecutor("local", num_cpus=2)


def _check(who: str, answer: int, expected: int) -> None:
    if answer != expected:
        raise AssertionError(f"{who}: {answer}: expected {expected}")


def _games(folder: Path, megabytes: int) -> tuple[Path, int]:
    text = SAMPLE.read_bytes()
    copies = max(megabytes * 1_000_000 // len(text), 1)
    path = folder / "games.pgn"
    with path.open("wb") as file:
        for _ in range(copies):
            file.write(text)
    return path, copies


def _times(what: str, seconds: list[float], base: list[float]) -> dict[str, float]:
    ratios = [a / b for a, b in zip(seconds, base, strict=True)]
    return {
        f"{what}_seconds": round(statistics.median(seconds), 3),
        f"{what}_ratio": round(statistics.median(ratios), 2),
    }


def _empty(executor: Executor) -> dict[str, float]:
    """Return the milliseconds of an empty task, by the clock and of the coordinator's CPU."""
    start, cpu = time.perf_counter(), time.process_time()
    _check("empty tasks", sum(result for _, result in run(executor, abs, range(EMPTY))), EMPTY * (EMPTY - 1) // 2)
    return {
        "task_ms": round((time.perf_counter() - start) / EMPTY * 1e3, 3),
        "coordinator_ms": round((time.process_time() - cpu) / EMPTY * 1e3, 3),
    }


def _tasks() -> int:
    """Return the number of tasks of the count."""
    from rookery.counting.workers import MOST_TASKS, parts

    number = len(parts(Board(), DEPTH))
    return -(-number // -(-number // MOST_TASKS))


def _seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of the second call, and its answer."""
    call()
    start = time.process_time()
    answer = call()
    return time.process_time() - start, answer


def _constants(folder: Path, pgn: Path, copies: int, progress: Callable[[str], None]) -> dict[str, float]:
    """Measure what one core does, and what a task and its result weigh."""
    progress("constants")
    warm_up()
    board = Board()
    for plies in (4, 5):
        start = time.process_time()
        ply = distinct_positions(board, plies, folder / "distinct")
        seconds = time.process_time() - start
    size = sum(file.stat().st_size for file in ply.folder.glob("*.npz")) / sum(ply.sizes)
    bucket = ply.bucket(0)
    sample = [bucket.positions[i] for i in range(0, len(bucket.positions), len(bucket.positions) // 12)]
    below, leaves = _seconds(lambda: sum(leaves_of(b, 5) for b in sample))
    weighted = WeightedTask(tuple(column[:246] for column in bucket.positions.columns), 5)
    values = np.arange(246, dtype=np.uint64)
    with Journal(folder / "journal", {}) as journal:
        start, cpu = time.perf_counter(), time.process_time()
        for i in range(200):
            journal.add(i, _products(bucket.paths[:, :246], values))
        merge, merge_cpu = time.perf_counter() - start, time.process_time() - cpu
    counting = CountingTask(tuple((i, board.fen(), 4) for i in range(1)), 0)
    _check("a part", count_parts(counting)[0][1], 197_281)
    searching = RangeTask(next(ranges_of(str(pgn))), RangeOptions(QUERY, {}, ReadOptions(), None), 0)
    part = folder / "part.pgn"
    part.write_bytes(SAMPLE.read_bytes() * (copies // 10))
    reading, games = _seconds(lambda: read_pgn(part))
    searching_seconds, _ = _seconds(lambda: search(part, QUERY))
    annotating, annotated = _seconds(lambda: annotate(part, folder / "out.parquet", "legal_moves, mobility"))
    parquet, _ = _seconds(lambda: pgn_to_parquet(part, folder / "games.parquet"))
    names = iter(("first", "second"))
    making, made = _seconds(lambda: make_dataset(part, folder / next(names)))
    million = part.stat().st_size / 1e6
    return {
        "references_a_second": round(moves_made(ply) / seconds),
        "bytes_a_position": round(size, 1),
        "leaves_a_second": round(leaves / below),
        "weighted_task_bytes": len(pickle.dumps(weighted)),
        "counting_task_bytes": len(pickle.dumps(counting)),
        "search_task_bytes": len(pickle.dumps(searching)),
        "merge_ms": round(merge / 200 * 1e3, 3),
        "merge_cpu_ms": round(merge_cpu / 200 * 1e3, 3),
        "range_bytes": RANGE,
        "bytes_a_game": round(part.stat().st_size / len(games)),
        "plies_a_game": round(float(games.plies.mean()), 1),
        "read_megabytes_a_second": round(million / reading),
        "search_megabytes_a_second": round(million / searching_seconds),
        "annotate_megabytes_a_second": round(million / annotating),
        "annotate_bytes_a_row": round((folder / "out.parquet").stat().st_size / annotated.rows, 2),
        "parquet_megabytes_a_second": round(million / parquet),
        "parquet_bytes_a_game": round((folder / "games.parquet").stat().st_size / len(games), 1),
        "dataset_megabytes_a_second": round(million / making),
        "dataset_bytes_a_game": round(sum(shard.bytes for shard in made.shards) / len(games), 1),
    }


def moves_made(ply: Any) -> int:
    """Return the moves of the ply before, each of which was made once."""
    before = type(ply)(ply.folder.parent, ply.plies - 1)
    return sum(int(bucket.positions.legal_moves().moves.size) for bucket in before.buckets())


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@click.option("--megabytes", type=click.IntRange(1), default=200, show_default=True, help="Of games to search.")
@out_option
def main(rounds: int, megabytes: int, out: Path | None) -> None:
    """Time the executors, and measure the constants of the model."""
    record(measure, out, rounds=rounds, megabytes=megabytes)


if __name__ == "__main__":
    main()
