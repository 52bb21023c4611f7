"""Machine code for wheels: ``python -m rookery.shipping FOLDER`` compiles it in advance for families of CPUs.

The build hook of the package runs this command if ``ROOKERY_PRECOMPILE=1`` is set. The calls of `precompiled` say what
is compiled. They have to run, so the first family is one that this CPU belongs to. For the others the same calls run
again, with that machine code, in processes that have not imported Numba yet. These note the entries and the types of
their arguments, and then compile them for the other CPU, without running any of it.
"""

import argparse
import functools
import os
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rookery.kernel import Entry, record_entries
from rookery.kernel.codecache import trust
from rookery.kernel.codecache.cache import read, write
from rookery.kernel.codecache.type_keys import Unkeyed, text_of
from rookery.kernel.compiler import choice
from rookery.kernel.settings import need_compiler
from rookery.kernel.targets import VARIABLE, Target, missing_features, of_machine
from rookery.precompiled import UNITS, compile_unit, in_turn


def _compile_for(name: str, target: Target) -> str:
    """Compile the entries of a unit for a family of CPUs to which this one need not belong."""
    calls: list[tuple[Entry, tuple[Any, ...]]] = []
    with record_entries(lambda entry, examples: calls.append((entry, examples))):
        compile_unit(name)
    if "numba" in sys.modules:
        raise RuntimeError(f"{name}: its calls import Numba, so it cannot be compiled for {target.name}")
    os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"] = target.cpu, target.listed
    for entry, examples in calls:
        try:
            types = text_of(examples)
        except Unkeyed:
            continue
        if not entry.is_kept(*examples):
            entry.compile(types, examples)
    return name


def _run(work: Callable[[str], object], units: list[str], target: Target, jobs: int) -> None:
    """Call ``work(unit)`` for each unit, each time in a new process, and report progress on standard error."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for done, (name, _, _) in enumerate(in_turn(pool, work, units), 1):
            print(f"{target.name}: {done} of {len(units)}: {name}", file=sys.stderr, flush=True)


def shipped_units() -> list[str]:
    """Return the names of the units whose machine code wheels carry."""
    return [unit.name for unit in UNITS if unit.shipped]


def compile_targets(folder: Path, *, jobs: int, units: list[str] | None = None) -> dict[str, int]:
    """Compile units for all families of this kind of machine; write a folder of machine code for each.

    Return the number of files by family. `units` are all that wheels carry unless given.
    """
    need_compiler("machine code for wheels")
    units = shipped_units() if units is None else units
    if fault := choice.fault():
        raise RuntimeError(f"{fault}: wheels carry only what rookery's own passes compile")
    first = next((target for target in of_machine() if not missing_features(target)), None)
    if first is None:
        names = ", ".join(target.name for target in of_machine()) or "none"
        raise RuntimeError(f"this CPU belongs to none of the families for which wheels carry machine code ({names})")
    with tempfile.TemporaryDirectory() as scratch:
        os.environ.update({"NUMBA_CACHE_DIR": scratch, VARIABLE: first.name})
        _run(compile_unit, units, first, jobs)
        for target in of_machine():
            if target is not first:
                _run(functools.partial(_compile_for, target=target), units, target, jobs)
        return {target.name: _collect(Path(scratch), folder, target) for target in of_machine()}


def _collect(cache: Path, folder: Path, target: Target) -> int:
    """Copy machine code of a family from a cache, under the keys of a wheel; return the number of files."""
    count = 0
    trusted = trust.owners(Path(__file__))
    trust.make_folder(folder / target.name)
    for file in sorted(cache.rglob("*.code")):
        kept = read(file, trusted)
        if kept is not None and kept.key.target[1:] == (target.cpu, target.listed):
            write(folder / target.name, kept._replace(key=kept.key.shipped(target)))
            count += 1
    return count


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m rookery.shipping", description="Compile machine code for wheels.")
    parser.add_argument("folder", type=Path, help="the folder to write, with a folder for each family")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="the number of processes [all CPUs]")
    given = parser.parse_args()
    for name, count in compile_targets(given.folder, jobs=given.jobs).items():
        print(f"{name}: {count} functions")


if __name__ == "__main__":
    main()
