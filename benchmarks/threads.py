"""Time the work that threads share, with one thread and with two, and what a single thread must do of it.

``python benchmarks/threads.py`` writes random games to a plain PGN file, zstd files and a Parquet file. `cpu` are
seconds of all threads: with two threads they should be those of one. `caller` are seconds of the thread that calls,
which orders the results and joins them. `python` are those of one thread outside compiled code, None if they are not
known: Python's lock, which one thread has at a time, is held no longer. `wall` are seconds of the clock, the least of
all rounds, and mean little on a busy machine: `load` is the number of programs that wanted to run. `scale` is how many
times as fast two threads are: the median over the rounds, in which one and two took turns. `lock` is the share of the
time in which a thread holds Python's lock, in a round of its own, the median of three; None without a C compiler or
Python's headers.

The row of two processes says what the machine itself allows: each counts a perft alone, at the same time. `--only
perft` runs the works whose names hold this text, and may be repeated.
"""

import contextlib
import functools
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np

import lock_held
import rookery
from recording import out_option, record
from rookery.bench.games import texts
from rookery.bench.machine import describe
from rookery.cli.common import err
from rookery.kernel import Entry

FRAME: Final = 16_000_000  # bytes of text in a frame, as in files of several frames
QUERY: Final = "is_check and us.queens and pinned"
POSITIONS: Final = 4_000_000
PERFT_7: Final = 3_195_901_860
GROUP: Final = 8192  # games
WATCHED: Final = 3  # rounds in which the lock is watched


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
    megabytes: int = 400,
    rounds: int = 5,
    only: Sequence[str] = (),
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time all work, or what `only` names, one thread and two in turns."""
    if megabytes < 1 or rounds < 1:
        raise ValueError(f"megabytes: {megabytes}, rounds: {rounds}: expected at least 1")
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        progress("writing files")
        chosen = [
            work for work in works(Path(folder), megabytes) if not only or any(text in work.name for text in only)
        ]
        if not chosen:
            raise ValueError(f"only: no work holds {' or '.join(map(repr, only))}")
        watcher = lock_held.watcher(Path(folder))
        rows = [_timed(work, rounds, watcher, progress) for work in chosen]
        progress("two processes")
        machine_scale = _of_processes(rounds)
    return {
        "benchmark": "threads",
        "command": "python benchmarks/threads.py",
        "machine": describe(),
        "load": round(os.getloadavg()[1], 1) if hasattr(os, "getloadavg") else None,
        "megabytes": megabytes,
        "rounds": rounds,
        "two_processes": machine_scale,
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


_PROCESS: Final = f"""
import sys, time, rookery
rookery.perft("start", 5)
for line in sys.stdin:
    start = time.perf_counter()
    assert rookery.perft("start", 7) == {PERFT_7}
    print(time.perf_counter() - start, flush=True)
"""


def _of_processes(rounds: int) -> float:
    """Return how many times as much two processes do as one, of a perft: what the machine's two cores allow."""
    with contextlib.ExitStack() as stack:
        command = [sys.executable, "-c", _PROCESS]
        pair = [
            stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
            for _ in range(2)
        ]

        def seconds(*processes: Any) -> float:
            for process in processes:
                process.stdin.write("\n")
                process.stdin.flush()
            return max(float(process.stdout.readline()) for process in processes)

        seconds(*pair)
        ratios = [2 * seconds(pair[0]) / seconds(*pair) for _ in range(rounds)]
        for process in pair:
            assert process.stdin
            process.stdin.close()
    return round(statistics.median(ratios), 2)


def _timed(work: Work, rounds: int, watcher: Any, progress: Callable[[str], None]) -> dict[str, Any]:
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
    row["scale"] = round(statistics.median(a[0] / b[0] for a, b in zip(found[1][1:], found[2][1:], strict=True)), 2)
    for threads in found:
        call = functools.partial(work.call, threads)
        shares = [lock_held.share(watcher, call) for _ in range(WATCHED) if watcher is not None]
        row[f"lock_{threads}"] = round(statistics.median(shares), 2) if shares else None
    with compiled_seconds() as compiled:
        start = time.thread_time()
        work.call(1)
        caller = time.thread_time() - start
    return row | {"python": round(max(caller - sum(compiled), 0.0), 3) if compiled else None}


@click.command()
@click.option("--megabytes", type=click.IntRange(1), default=400, show_default=True, help="Text of the files.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option("--only", "only", multiple=True, help="Time only work whose name holds this text; may be repeated.")
@out_option
def main(megabytes: int, rounds: int, only: tuple[str, ...], out: Path | None) -> None:
    """Time the work that threads share."""
    result = record(measure, out, megabytes=megabytes, rounds=rounds, only=only)
    for row in result["rows"]:
        lock = "unknown" if row["lock_2"] is None else f"{row['lock_1']:.2f} and {row['lock_2']:.2f}"
        text = f"{row['work']:44}{row['scale']:.2f} times as fast with two threads; lock held {lock}"
        err.print(text, markup=False, highlight=False, soft_wrap=True)
    text = f"two processes, each a perft: {result['two_processes']:.2f} times as much as one; load {result['load']}"
    err.print(text, markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
