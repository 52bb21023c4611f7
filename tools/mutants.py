"""Measure what tests would miss: ``python tools/mutants.py tasks --sample 200``.

A mutant is a file of a room with one operator, constant, comparison, slice or branch changed. The tests that execute
the line (`mutant_tests`) run on each, the fastest first; a mutant that passes all of them has survived. Mutants are
made in a copy of the repository below ``build/mutants``. What is known is in a file of results there: the same command
goes on from it. It needs Python 3.12, and the tests' packages.

The score of a room is the share that was caught, from a sample by a seed, with the interval of Wilson that holds the
true share in 95 of 100 samples. Survivors that are equal programs stand in ``tools/equal_mutants.txt`` with the reason,
and do not count.
"""

import argparse
import hashlib
import json
import math
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from mutant_tests import TracedJudge
from mutations import Mutant, mutants_of
from traced_tests import Forks, Traces

ROOT: Final = Path(__file__).resolve().parents[1]
WORK: Final = ROOT / "build" / "mutants"
EQUAL: Final = ROOT / "tools" / "equal_mutants.txt"

_Z: Final = 1.96  # of the interval that holds 95 of 100


def equal_mutants(path: Path = EQUAL) -> dict[str, str]:
    """Return the changes that leave a program the same, each with the reason.

    A line is ``FILE: BEFORE -> AFTER in LINE OF THE SOURCE  ## REASON``: the number of the line would change too often.
    """
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    entries = [line.rpartition("  ## ") for line in lines if line and not line.startswith("#")]
    return {change: reason for change, _, reason in entries}


class Judge(Protocol):
    """Runs tests on the mutant that is in the copy."""

    def __call__(self, mutant: Mutant, source: str, *, all_tests: bool) -> tuple[str, str]:
        """Return "caught", "survived" or "too long", and the test that failed."""


class Room:
    """The mutants of some files, and which of them the tests caught."""

    def __init__(self, root: Path, files: Sequence[str], judge: Judge, results: Path) -> None:
        self.root, self.judge, self.results = root, judge, results
        self.sources = {file: (root / file).read_text(encoding="utf-8") for file in files}
        self.mutants = [mutant for file, source in self.sources.items() for mutant in mutants_of(file, source)]

    def sampled(self, number: int | None, seed: int) -> list[Mutant]:
        """Return a sample of the mutants, in order; all of them if there are not more."""
        if number is None or number >= len(self.mutants):
            return self.mutants
        return sorted(random.Random(seed).sample(self.mutants, number))

    def measure(self, mutants: Sequence[Mutant], *, again: bool = False, all_tests: bool = False) -> dict[Mutant, str]:
        """Run the tests on mutants that have no result yet; return "caught", "survived" or "too long" for each.

        With `again`, judge those that survived before once more. With `all_tests`, run all tests of the file, with
        kernels in machine code.
        """
        known = self._known()
        results: dict[Mutant, str] = {}
        for i, mutant in enumerate(mutants):
            digest = hashlib.sha256(self.sources[mutant.file].encode() + repr(mutant).encode()).hexdigest()[:16]
            if digest not in known or (again and known[digest] == "survived"):
                begin = time.monotonic()
                known[digest], by = self._run(mutant, all_tests=all_tests)
                with self.results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([digest, known[digest], str(mutant), by]) + "\n")
                took = f" in {time.monotonic() - begin:.1f} s"
                print(f"{i + 1} of {len(mutants)}: {known[digest]}{took}: {mutant}", flush=True)
            results[mutant] = known[digest]
        return results

    def _known(self) -> dict[str, str]:
        text = self.results.read_text(encoding="utf-8") if self.results.exists() else ""
        complete = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
        return {record[0]: record[1] for record in map(json.loads, complete)}

    def _run(self, mutant: Mutant, *, all_tests: bool) -> tuple[str, str]:
        path = self.root / mutant.file
        path.write_text(mutant.text(self.sources[mutant.file]), encoding="utf-8")
        try:
            return self.judge(mutant, self.sources[mutant.file], all_tests=all_tests)
        finally:
            path.write_text(self.sources[mutant.file], encoding="utf-8")


def interval(caught: int, number: int) -> tuple[float, float]:
    """Return Wilson's interval of a share, in which the true share lies in 95 of 100 samples.

    >>> [round(end, 3) for end in interval(180, 200)]
    [0.851, 0.934]
    """
    share, square = caught / number, _Z**2 / number
    middle = (share + square / 2) / (1 + square)
    half = _Z / (1 + square) * math.sqrt(share * (1 - share) / number + square / (4 * number))
    return middle - half, middle + half


def copied(to: Path) -> Path:
    """Copy the files of the repository that git knows; what has not changed keeps its time.

    Python's bytecode is made in advance, so that no run of tests compiles a thousand modules. It is valid for a hash
    of the source, since a mutant may have the size and the time of the file.
    """
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, to / name
        if source.is_file() and not (target.exists() and target.read_bytes() == source.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    command = [sys.executable, "-m", "compileall", "-qq", "-j", "0", "--invalidation-mode", "checked-hash"]
    folders = [str(to / name) for name in ("src", "tests", "tools")]
    subprocess.run([*command, *folders], check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})
    return to


def main() -> None:
    """Measure a room, print its survivors and its score, and add the score to a document."""
    parser = argparse.ArgumentParser(description="Measure what tests would miss.")
    parser.add_argument("room", nargs="+", help="folders or files below src/rookery, such as tasks; together a room")
    parser.add_argument("--name", help="the name of the room; the first folder without this option")
    parser.add_argument("--without", nargs="*", default=[], help="folders below src/rookery that are left out")
    parser.add_argument("--sample", type=int, help="so many mutants, chosen by the seed; all without this option")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="judge those that survived once more")
    parser.add_argument("--all-tests", action="store_true", help="run all tests of the file, however long they take")
    parser.add_argument("--tests", nargs="*", default=[], help="further files or folders of tests that use the room")
    parser.add_argument("--copy", default="copy", help="the name of the copy: two rooms at once need two")
    parser.add_argument("--out", type=Path, help="a JSON document of rooms to which the score is added")
    chosen = parser.parse_args()
    files = files_of_room(chosen.room, chosen.without)
    root = copied(WORK / chosen.copy)
    forks = Forks(root)
    judge = TracedJudge(forks, Traces(forks, WORK / "traces"), files, chosen.tests)
    room = Room(root, files, judge, WORK / "results.jsonl")
    results = room.measure(room.sampled(chosen.sample, chosen.seed), again=chosen.again, all_tests=chosen.all_tests)
    equal = equal_mutants()
    is_equal = {mutant: change_of(mutant, room.sources[mutant.file]) in equal for mutant in results}
    counted = {mutant: result for mutant, result in results.items() if result != "survived" or not is_equal[mutant]}
    caught = sum(result != "survived" for result in counted.values())
    low, high = interval(caught, len(counted)) if len(counted) < len(room.mutants) else (caught / len(counted),) * 2
    print(*(f"survived: {mutant}" for mutant, result in counted.items() if result == "survived"), sep="\n")
    share = f"{caught / len(counted):.1%} ({low:.1%} to {high:.1%})"
    name = chosen.name or chosen.room[0]
    print(f"{name}: {caught} of {len(counted)} mutants caught, {share}; {len(room.mutants):,} in all")
    print(f"{len(results) - len(counted)} of the sample are equal programs")
    if chosen.out is not None:
        known = json.loads(chosen.out.read_text(encoding="utf-8")) if chosen.out.exists() else {}
        known[name] = {
            "mutants": len(room.mutants),
            "sample": len(counted),
            "seed": chosen.seed,
            "caught": caught,
            "equal": len(results) - len(counted),
            "interval": [round(low, 4), round(high, 4)],
        }
        chosen.out.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def files_of_room(places: Sequence[str], without: Sequence[str] = ()) -> list[str]:
    """Return the files of some folders and files below src/rookery, relative to the root of the repository."""
    source = ROOT / "src" / "rookery"
    left_out = [source / name for name in without]
    paths = {
        path
        for name in places
        for path in ((source / name).rglob("*.py") if (source / name).is_dir() else [source / name])
    }
    kept = sorted(path for path in paths if not any(path.is_relative_to(out) for out in left_out))
    return [str(path.relative_to(ROOT)) for path in kept]


def change_of(mutant: Mutant, source: str) -> str:
    """Return a mutant as `equal_mutants` names it."""
    line = source.splitlines()[mutant.line - 1].strip()
    return f"{mutant.file}: {' '.join(mutant.before.split())} -> {' '.join(mutant.after.split())} in {line}"


if __name__ == "__main__":
    main()
