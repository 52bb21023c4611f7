"""Compare perft with Gigantua, the fastest C++ program known: ``python benchmarks/gigantua.py PROGRAM``.

PROGRAM is Gigantua (https://github.com/Gigantua/Gigantua), compiled as its ``Compile_linux.bat`` says. Both run in
turns on one core, without a hash table: the scalar generator, which counts one position at a time as Gigantua does, and
the lanes, which `rookery.perft` uses. Every number of leaves is compared with Gigantua's.

With a C compiler on Linux all times are CPU times: a library that is preloaded turns Gigantua's clock into one of CPU
time. Elsewhere they are wall times. ``--out FILE`` records the result, in less than a minute.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import click

import rookery
from recording import out_option, record
from rookery.bench.machine import describe
from rookery.bench.perft import scalar_perft
from rookery.bench.turns import WrongAnswer
from rookery.cli.common import err
from rookery.counting.walk import POSITIONS

# Positions, and the depth to which they are counted.
DEPTHS: Final = (("start", 6), ("kiwipete", 5), ("position4", 5), ("position5", 5), ("position6", 5))
COUNTERS: Final[dict[str, Callable[[str, int], int]]] = {"scalar": scalar_perft, "lanes": rookery.perft}


def cpu_clock(folder: Path) -> Path | None:
    """Compile ``cpu_clock.c`` into a folder and return the library; None where that is not possible."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None or sys.platform != "linux":
        return None
    library = folder / "cpu_clock.so"
    source = str(Path(__file__).with_name("cpu_clock.c"))
    command = [compiler, "-shared", "-fPIC", "-O1", source, "-o", str(library)]
    done = subprocess.run(command, capture_output=True, check=False)
    return None if done.returncode else library


def gigantua(program: Path, name: str, depth: int, clock: Path | None) -> tuple[int, float]:
    """Return Gigantua's number of leaves and its millions a second, by a clock that is preloaded."""
    command = [str(program.resolve()), POSITIONS[name], str(depth)]
    environment = {**os.environ, "LD_PRELOAD": str(clock)} if clock else None
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=environment
    )  # fmt: skip
    found = re.search(rf"^Perft {depth}: (\d+) \d+ms ([\d.e+]+) MNodes/s", done.stdout, re.M)
    if not found:
        raise click.ClickException(f"{program}: expected 'Perft {depth}:', found {done.stdout.splitlines()[-1:]}")
    return int(found[1]), float(found[2])


def compare(program: Path, name: str, depth: int, rounds: int, clock: Path | None) -> dict[str, Any]:
    """Return the row of a position."""
    expected, _ = gigantua(program, name, depth, clock)
    now = time.process_time if clock else time.perf_counter
    rates: dict[str, list[float]] = {"gigantua": [], **{kind: [] for kind in COUNTERS}}
    for count in COUNTERS.values():
        count(POSITIONS[name], 4)  # compiles
    for _ in range(rounds):
        rates["gigantua"].append(gigantua(program, name, depth, clock)[1])
        for kind, count in COUNTERS.items():
            start = now()
            leaves = count(POSITIONS[name], depth)
            seconds = now() - start
            if leaves != expected:
                raise WrongAnswer(f"perft {name} {depth}, {kind}: {leaves}, Gigantua {expected}")
            rates[kind].append(expected / seconds / 1e6)
    ratios = {
        kind: round(statistics.median(a / b for a, b in zip(rates[kind], rates["gigantua"], strict=True)), 3)
        for kind in COUNTERS
    }
    medians = {kind: round(statistics.median(found), 1) for kind, found in rates.items()}
    return {
        "position": name,
        "depth": depth,
        "leaves": expected,
        "million_leaves_per_second": medians,
        "ratios": ratios,
    }


def measure(
    *,
    program: Path,
    build: str | None = None,
    rounds: int = 9,
    depths: Sequence[tuple[str, int]] = DEPTHS,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Compare all positions; `build` says how the program was compiled."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        clock = cpu_clock(Path(folder))
        for name, depth in depths:
            progress(f"perft {name} {depth}")
            rows.append(compare(program, name, depth, rounds, clock))
    return {
        "benchmark": "gigantua",
        "command": "python benchmarks/gigantua.py PROGRAM",
        "machine": describe(),
        "build": build,
        "clock": "CPU" if clock else "wall",
        "rounds": rounds,
        "rows": rows,
    }


@click.command()
@click.argument("program", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--build", help="How PROGRAM was compiled, for the record.")
@click.option("--rounds", type=click.IntRange(1), default=9, show_default=True)
@out_option
def main(program: Path, build: str | None, rounds: int, out: Path | None) -> None:
    """Compare perft with PROGRAM, a build of Gigantua, in turns on one core."""
    result = record(measure, out, program=program, build=build, rounds=rounds)
    for row in result["rows"]:
        ratios = ", ".join(f"{kind} {ratio:.2f}" for kind, ratio in row["ratios"].items())
        err.print(f"{row['position']} {row['depth']}: {ratios} of Gigantua's speed", markup=False, highlight=False)


if __name__ == "__main__":
    main()
