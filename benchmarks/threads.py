"""Time the work that threads share, with one thread and with two, and what a single thread must do of it.

``python benchmarks/threads.py`` writes random games to a plain PGN file, zstd files and a Parquet file. `cpu` are
seconds of all threads: with two threads they should be those of one. `caller` are seconds of the thread that calls,
which orders the results and joins them. `python` are those of one thread outside compiled code, None if they are not
known: Python's lock, which one thread has at a time, is held no longer. `wall` are seconds of the clock, the least of
all rounds, and mean little on a busy machine: `load` is the number of programs that wanted to run.
"""

import contextlib
import os
import re
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np

import rookery
from recording import out_option, record
from rookery.bench.games import texts
from rookery.bench.machine import describe
from rookery.kernel import Entry

FRAME: Final = 16_000_000  # bytes of text in a frame, as in files of several frames
QUERY: Final = "is_check and us.queens and pinned"
POSITIONS: Final = 4_000_000
PERFT_7: Final = 3_195_901_860
GROUP: Final = 8192  # games


class Work(NamedTuple):
    """Work that threads share: its name, a function of the number of threads, and the right answer."""

    name: str
    call: Callable[[int], int]
    answer: int


def games_of(path: Path) -> Callable[[int], int]:
    """Return a function that counts the games of a file."""

    def count(threads: int) -> int:
        with rookery.scan_pgn(path, threads=threads) as scan:
            return sum(map(len, scan))

    return count


def varied(text: bytes, copies: int) -> bytes:
    """Return copies of games with other clocks: the same bytes again would be packed to nearly nothing."""
    places = np.array([found.end() for found in re.finditer(rb"%clk \d:\d\d:", text)])
    seconds = (len(text) * np.arange(copies)[:, None] + places).ravel()
    whole, rng = np.frombuffer(text * copies, np.uint8).copy(), np.random.default_rng(0)
    for digit, count in enumerate((6, 10)):
        whole[seconds + digit] = ord("0") + rng.integers(0, count, seconds.size)
    return whole.tobytes()


def works(folder: Path, megabytes: int) -> list[Work]:
    """Write the files, and return the work."""
    import zstandard

    some = "\n".join(texts(True)).encode() + b"\n"
    copies = max(megabytes * 1_000_000 // len(some), 2)
    n = len(texts(True)) * copies
    names = ("a.pgn", "one.pgn.zst", "many.pgn.zst", "a.parquet", "out.parquet")
    plain, one, many, table, out = (folder / name for name in names)
    text = varied(some, copies)
    plain.write_bytes(text)
    packer = zstandard.ZstdCompressor(3)
    one.write_bytes(packer.compress(text))
    size = max(FRAME // len(some), 1) * len(some)
    with many.open("wb") as file:
        for start in range(0, len(text), size):
            file.write(packer.compress(text[start : start + size]))
    with rookery.scan_pgn(plain) as scan:
        rookery.write_parquet(scan, table, row_group_size=GROUP)
    positions = rookery.read_pgn(some).positions()
    positions = positions[np.arange(POSITIONS) % len(positions)]
    moves = int(positions.legal_move_counts().sum(dtype=np.int64))
    hits = len(rookery.search(some, QUERY)) * copies
    return [
        Work("read PGN", games_of(plain), n),
        Work("read PGN packed by zstd, several frames", games_of(many), n),
        Work("read PGN packed by zstd, one frame", games_of(one), n),
        Work("read Parquet", games_of(table), n),
        Work("convert PGN to Parquet", lambda threads: rookery.pgn_to_parquet(plain, out, threads=threads), n),
        Work("search PGN", lambda threads: len(rookery.search(plain, QUERY, threads=threads)), hits),
        Work("search Parquet", lambda threads: len(rookery.search(table, QUERY, threads=threads)), hits),
        Work("perft(7) of the start position", lambda threads: rookery.perft("start", 7, threads=threads), PERFT_7),
        Work(
            f"legal move counts of {POSITIONS:,} positions",
            lambda threads: int(positions.legal_move_counts(threads=threads).sum(dtype=np.int64)),
            moves,
        ),
    ]


def measure(
    megabytes: int = 200, rounds: int = 5, progress: Callable[[str], None] = lambda what: None
) -> dict[str, Any]:
    """Time all work, one thread and two in turns."""
    if megabytes < 1 or rounds < 1:
        raise ValueError(f"megabytes: {megabytes}, rounds: {rounds}: expected at least 1")
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = [_timed(work, rounds, progress) for work in works(Path(folder), megabytes)]
    return {
        "benchmark": "threads",
        "command": "python benchmarks/threads.py",
        "machine": describe(),
        "load": round(os.getloadavg()[1], 1) if hasattr(os, "getloadavg") else None,
        "megabytes": megabytes,
        "rounds": rounds,
        "rows": rows,
    }


@contextlib.contextmanager
def compiled_seconds() -> Iterator[list[float]]:
    """Yield a list whose sum is the CPU seconds of compiled code, which runs without Python's lock."""
    seconds: list[float] = []
    resolve = Entry.resolve

    def timed(entry: Entry, *examples: Any) -> Callable[..., Any]:
        code = resolve(entry, *examples)

        def call(*args: Any) -> Any:
            start = time.thread_time()
            try:
                return code(*args)
            finally:
                seconds.append(time.thread_time() - start)

        return call

    def called(entry: Entry, *args: Any) -> Any:
        return timed(entry, *args)(*args)

    with contextlib.ExitStack() as stack:
        for name, function in (("resolve", timed), ("__call__", called)):
            stack.callback(setattr, Entry, name, getattr(Entry, name))
            setattr(Entry, name, function)
        yield seconds


def _timed(work: Work, rounds: int, progress: Callable[[str], None]) -> dict[str, Any]:
    """Time one piece of work; the first round is not counted, since it compiles."""
    found: dict[int, list[tuple[float, float, float]]] = {1: [], 2: []}
    for i in range(rounds + 1):
        progress(f"{work.name}, round {i}")
        for threads, times in found.items():
            wall, cpu, caller = time.perf_counter(), time.process_time(), time.thread_time()
            answer = work.call(threads)
            times.append((time.perf_counter() - wall, time.process_time() - cpu, time.thread_time() - caller))
            if answer != work.answer:
                raise AssertionError(f"{work.name}, {threads} threads: {answer:,}: expected {work.answer:,}")
    row: dict[str, Any] = {"work": work.name}
    for threads, times in found.items():
        walls, cpus, callers = zip(*times[1:], strict=True)
        row |= {
            f"wall_{threads}": round(min(walls), 3),
            f"cpu_{threads}": round(statistics.median(cpus), 3),
            f"caller_{threads}": round(statistics.median(callers), 3),
        }
    with compiled_seconds() as compiled:
        start = time.thread_time()
        work.call(1)
        caller = time.thread_time() - start
    return row | {"python": round(max(caller - sum(compiled), 0.0), 3) if compiled else None}


@click.command()
@click.option("--megabytes", type=click.IntRange(1), default=200, show_default=True, help="Text of the files.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@out_option
def main(megabytes: int, rounds: int, out: Path | None) -> None:
    """Time the work that threads share."""
    record(measure, out, megabytes=megabytes, rounds=rounds)


if __name__ == "__main__":
    main()
