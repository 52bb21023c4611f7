"""``rookery compile``."""

import os
from typing import Any

import click

from rookery.cli.common import out, print_json
from rookery.cli.options import as_json_option
from rookery.cli.runner import Run, progress_bar
from rookery.kernel.settings import need_compiler


def _cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@click.command("compile")
@click.option("--jobs", type=click.IntRange(1), help="The number of processes [default: the number of CPUs].")
@as_json_option
def compile_command(jobs: int | None, as_json: bool) -> None:
    """Compile everything for this CPU in advance, for example for containers and clusters.

    Functions whose machine code is up to date are skipped.
    """
    need_compiler("rookery compile")
    from rookery.shipping.precompiled import Done, compile_unit, in_pool, units
    from rookery.tasks import open_executor

    names = units()
    jobs = min(jobs or _cpus(), len(names), 61)  # Windows waits for no more than 61
    done: list[Done] = []
    with (
        Run(as_json) as run,
        progress_bar("", len(names), counts=True, elapsed=True, width=40) as bar,
        open_executor(f"processes:{jobs}") as pool,
    ):
        for _, result, running in in_pool(pool, compile_unit, names):
            done.append(result)
            now = ", ".join(running[:jobs])
            bar.update(f"compiling {now}" if now else "", len(done))
    compiled = sum(piece.compiled for piece in done)
    document: dict[str, Any] = {
        "command": "rookery compile",
        "complete": not run.interrupted,
        "jobs": jobs,
        "compiled": compiled,
        "pieces": [piece._asdict() for piece in sorted(done)],
    }
    if as_json:
        print_json(document)
    elif run.interrupted:
        out.print(f"interrupted: {compiled} functions compiled; the next run goes on from there.")
    elif compiled:
        out.print(f"{compiled} functions compiled for this CPU.")
    else:
        out.print("All was there.")
    run.end()
