"""Machine code for wheels: ``python -m rookery.shipping.wheels FOLDER`` compiles it in advance for families of CPUs.

The build hook of the package runs this command if ``ROOKERY_PRECOMPILE=1`` is set. Entries declare what is compiled
(see `precompiled`). None of it runs, so this CPU need not belong to any of the families. The machine code of each
family becomes one extension module of Python.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from rookery.kernel.codecache import trust
from rookery.kernel.codecache.cache import read
from rookery.kernel.native.shipped import TWIN
from rookery.kernel.settings import llvm_triple, need_compiler
from rookery.kernel.targets import CPU_MODULE, HOST, VARIABLE, X86, Target, missing_features, of_machine
from rookery.native_methods.twins import names_of_objects
from rookery.shipping.precompiled import compile_unit, in_pool, is_technique
from rookery.shipping.precompiled import units as all_units

_AVX2: Final = "x86-64-v3"
_AVX512: Final = "avx512f"
# Units that gain from registers of 512 bits: loops over arrays. Legal moves of 8,000 positions are counted in half the
# time. Boards, the readers and writers of games, and whatever else looks at one position at a time are as fast without.
_WIDE: Final = ("bitboards.leapers", "counting.", "positions.")
# Among these, what looks at the text, or at moves, of one position at a time.
_AS_FAST: Final = (
    "positions.notation.",
    "positions.language.",
    "positions.kernels.exchanges",
    "positions.kernels.rollouts",
)
# Units that the least family lacks, for CPUs that are mostly older than 2013: an installed wheel takes at most 12 MB.
_OF_STUDIES: Final = (
    "data.",
    "games.kernels.legal_games",
    "games.kernels.mailboxes",
    "games.kernels.naming",
    "games.methods.",
    "games.openings.",
    "games.write.",
    "pgn.scan.engine_scores",
    "pgn.time_control_at",
    "pgn.write.",
    "positions.features.",
    "positions.kernels.dead",
    "positions.kernels.exchanges",
    "positions.kernels.outcomes",
    "positions.kernels.rollouts",
    "positions.motifs.",
    "positions.notation.arrow",
    "positions.notation.san",
    "positions.notation.uci",
    "positions.queries.",
    "rules.helpmates.",
)


def _compile_for(target: Target, units: list[str], jobs: int) -> None:
    """Compile units for a family of CPUs, in new processes, and report progress on standard error."""
    os.environ.update({VARIABLE: HOST, "NUMBA_CPU_NAME": target.cpu, "NUMBA_CPU_FEATURES": target.listed})
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for done, (name, _, _) in enumerate(in_pool(pool, compile_unit, units), 1):
            print(f"{target.name}: {done} of {len(units)}: {name}", file=sys.stderr, flush=True)


def units_of(target: Target, wanted: list[str], families: Iterable[str]) -> list[str]:
    """Return the units that the wheel carries for a family, given the names of all families that it is for.

    A CPU runs the code of lesser families, too. So one family of each kind of machine has the answers of fifty
    techniques over arrays. And where there is code for AVX2, there is code for AVX-512 only of units that gain from it,
    and none without AVX2 of training data, nets, motifs, trees of openings, duplicates, games as PGN, comments and time
    controls of single games, names of openings, moves of games in tables, dead positions, SAN and UCI of arrays, and
    questions about arrays of positions but their moves and keys, which Numba compiles there.
    """
    has_techniques = target.name == _AVX2 or target.machines != X86
    is_for_wide = _AVX512 in target.features and _AVX2 in families
    only = _WIDE if is_for_wide else ("",)
    chosen = [name for name in wanted if name.startswith(only) and (has_techniques or not is_technique(name))]
    chosen = [name for name in chosen if not (is_for_wide and name.startswith(_AS_FAST))]
    is_least = target.machines == X86 and not has_techniques and _AVX512 not in target.features
    return [name for name in chosen if not (is_least and _AVX2 in families and name.startswith(_OF_STUDIES))]


def compile_targets(
    folder: Path, *, jobs: int, units: list[str] | None = None, families: list[str] | None = None
) -> dict[str, int]:
    """Compile units for families of this kind of machine; write an extension module for each to a folder.

    Return the number of functions by family. `units` are all that wheels carry unless given, and `families` are all.
    """
    need_compiler("machine code for wheels")
    from rookery.kernel.native.linking import link_cpu_module

    wanted = [*all_units()] if units is None else units
    chosen = [target for target in of_machine() if families is None or target.name in families]
    if not chosen:
        names = ", ".join(target.name for target in of_machine()) or "none"
        raise RuntimeError(f"families: {families}: expected some of those of this kind of machine ({names})")
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["NUMBA_CACHE_DIR"] = scratch
        for target in chosen:
            _compile_for(target, units_of(target, wanted, [other.name for other in chosen]), jobs)
        linked = {target: _link(Path(scratch), folder, target) for target in chosen}
    modules = [target.module for target in chosen]
    native = [target.module for target, symbols in linked.items() if any(s.startswith(TWIN) for s in symbols)]
    if sys.platform != "darwin" and chosen[0].machines == X86:
        link_cpu_module(folder, llvm_triple())
        modules.append(CPU_MODULE)
    source = f'"""Machine code for families of CPUs."""\n\nMODULES = {tuple(modules)!r}\nNATIVE = {tuple(native)!r}\n'
    (folder / "__init__.py").write_text(source, encoding="ascii")
    return {target.name: len(symbols) for target, symbols in linked.items()}


def _link(cache: Path, folder: Path, target: Target) -> list[str]:
    """Link the machine code of a family from a cache; return the symbols of its functions."""
    from rookery.kernel.native.linking import link

    trusted = trust.owners(Path(__file__))
    found = {}
    for file in sorted(cache.rglob("*.code")):
        kept = read(file, trusted)
        if kept is not None and kept.key.target[1:] == (target.cpu, target.listed):
            found[kept.unit.symbol] = kept.unit
    described = llvm_triple(), target.cpu, target.listed
    all_units()  # declares all native functions
    link(target.module, found.values(), names_of_objects(), folder, described)
    return [*found]


def main() -> None:
    """Run the command."""
    program = "python -m rookery.shipping.wheels"
    parser = argparse.ArgumentParser(prog=program, description="Compile machine code for wheels.")
    parser.add_argument("folder", type=Path, help="the folder to write extension modules to")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="the number of processes [all CPUs]")
    help_ = "a family of CPUs, or the best that this CPU belongs to [all of this kind of machine]"
    parser.add_argument("--family", action="append", metavar="NAME|best", help=help_)
    given = parser.parse_args()
    best = next((target.name for target in of_machine() if not missing_features(target)), "best")
    families = given.family and [best if name == "best" else name for name in given.family]
    for name, count in compile_targets(given.folder, jobs=given.jobs, families=families).items():
        print(f"{name}: {count} functions")


if __name__ == "__main__":
    main()
