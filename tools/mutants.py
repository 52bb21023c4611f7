"""Measure what tests would miss: ``python tools/mutants.py tasks --sample 200``.

A mutant is a file of a room with one operator, constant, comparison, slice or branch changed. The tests that belong to
the file (`tests_of`) run on each; a mutant that passes all of them has survived. Mutants are made in a copy of the
repository, ``build/mutants``. What is known is in a file of results there: the same command goes on from it.

The score of a room is the share that was caught, from a sample by a seed, with the interval of Wilson that holds the
true share in 95 of 100 samples. Survivors that are equal programs stand in ``tools/equal_mutants.txt`` with the reason,
and do not count.
"""

import argparse
import ast
import copy
import hashlib
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import tests_of

ROOT: Final = Path(__file__).resolve().parents[1]
COPY: Final = ROOT / "build" / "mutants"
EQUAL: Final = ROOT / "tools" / "equal_mutants.txt"
Run = Callable[[str, float | None], int | None]  # the tests of a file, within so many seconds: their exit status

_GRACE: Final = 20  # seconds that tests of a mutant may take more than three times those of the unchanged file
_Z: Final = 1.96  # of the interval that holds 95 of 100

_OPERATORS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


class Mutant(NamedTuple):
    """A change of a file: the characters from `start` to `stop` become `after`."""

    file: str  # relative to the root of the repository
    line: int
    start: int
    stop: int
    before: str
    after: str

    def __str__(self) -> str:
        """Return the place and the change in a line."""
        return f"{self.file}:{self.line}: {' '.join(self.before.split())} -> {' '.join(self.after.split())}"

    def text(self, source: str) -> str:
        """Return the changed text of the file."""
        return source[: self.start] + self.after + source[self.stop :]


def mutants_of(file: str, source: str) -> Iterator[Mutant]:
    r"""Yield all mutants of a file, by place.

    >>> for mutant in mutants_of("a.py", "def f(x):\n    return x[1:] if x < 3 else 0\n"):
    ...     print(mutant)
    a.py:2: x < 3 -> (not x < 3)
    a.py:2: x < 3 -> (x <= 3)
    a.py:2: 3 -> 4
    a.py:2: x[1:] -> (x[:])
    a.py:2: 1 -> 2
    a.py:2: 0 -> 1
    """
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line.encode()))
    raw = source.encode()

    def place(line: int, column: int) -> int:
        return len(raw[: lines[line - 1] + column].decode())

    for node, changed in _changes(ast.parse(source)):
        start = place(node.lineno, node.col_offset)
        stop = place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        after = ast.unparse(changed)
        if not isinstance(changed, ast.Constant):  # a change must not alter what the operators around it take
            after = f"({after})"
        yield Mutant(file, node.lineno, start, stop, source[start:stop], after)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield expressions, each with what stands in its place.

    Annotations, decorators, and the texts of errors are left alone: they do not decide what a program does.
    """
    if isinstance(node, ast.JoinedStr | ast.Raise):
        return
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
        return
    yield from _changes_of(node)
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list", "type_params"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _changes(child)


def _changes_of(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the changes of a statement or an expression, without those of its parts."""
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert) and not isinstance(node.test, ast.Constant):
        yield node.test, ast.UnaryOp(ast.Not(), node.test)
    if isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in _OPERATORS:
        yield node, _with(node, op=_OPERATORS[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        yield node, node.operand
    elif isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            yield node, _with(node, ops=[*node.ops[:i], _OPERATORS[type(op)](), *node.ops[i + 1 :]])
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        for end in ("lower", "upper"):
            if getattr(node.slice, end) is not None:
                yield node, _with(node, slice=_with(node.slice, **{end: None}))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        yield node, ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)


def _with(node: Any, **fields: object) -> Any:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def equal_mutants(path: Path = EQUAL) -> dict[str, str]:
    """Return the changes that leave a program the same, each with the reason.

    A line is ``FILE: BEFORE -> AFTER  # REASON``: the number of the line would change too often.
    """
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    entries = [line.rpartition("  # ") for line in lines if line and not line.startswith("#")]
    return {change: reason for change, _, reason in entries}


class Room:
    """The mutants of some files, their tests, and which of them the tests caught."""

    def __init__(self, root: Path, files: Sequence[str], tests: Run, results: Path) -> None:
        self.root, self.tests, self.results = root, tests, results
        self.sources = {file: (root / file).read_text(encoding="utf-8") for file in files}
        self.mutants = [mutant for file, source in self.sources.items() for mutant in mutants_of(file, source)]
        self._times: dict[str, float] = {}

    def sampled(self, number: int | None, seed: int) -> list[Mutant]:
        """Return a sample of the mutants, in order; all of them if there are not more."""
        if number is None or number >= len(self.mutants):
            return self.mutants
        return sorted(random.Random(seed).sample(self.mutants, number))

    def measure(self, mutants: Sequence[Mutant]) -> dict[Mutant, str]:
        """Run the tests on mutants that have no result yet; return "caught", "survived" or "too long" for each."""
        known = self._known()
        results: dict[Mutant, str] = {}
        for i, mutant in enumerate(mutants):
            digest = hashlib.sha256(self.sources[mutant.file].encode() + repr(mutant).encode()).hexdigest()[:16]
            if digest not in known:
                known[digest] = self._run(mutant)
                with self.results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([digest, known[digest], str(mutant)]) + "\n")
            results[mutant] = known[digest]
            print(f"{i + 1} of {len(mutants)}: {known[digest]}: {mutant}", flush=True)
        return results

    def _known(self) -> dict[str, str]:
        text = self.results.read_text(encoding="utf-8") if self.results.exists() else ""
        complete = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
        return {digest: result for digest, result, _ in map(json.loads, complete)}

    def _run(self, mutant: Mutant) -> str:
        path = self.root / mutant.file
        if mutant.file not in self._times:
            begin = time.monotonic()
            if self.tests(mutant.file, None) != 0:
                raise SystemExit(f"{mutant.file}: its tests fail without a change")
            self._times[mutant.file] = time.monotonic() - begin
        path.write_text(mutant.text(self.sources[mutant.file]), encoding="utf-8")
        try:
            status = self.tests(mutant.file, 3 * self._times[mutant.file] + _GRACE)
        finally:
            path.write_text(self.sources[mutant.file], encoding="utf-8")
        return {None: "too long", 0: "survived"}.get(status, "caught")


class Runner:
    """Runs the tests of a file, in a copy of the repository."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __call__(self, file: str, limit: float | None) -> int | None:
        """Run them; return the exit status of pytest, None if they took longer than the limit in seconds."""
        words = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", *tests_of.of_file(ROOT / file)]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.root / "src"),
            "NUMBA_CACHE_DIR": str(self.root / "build" / "cache"),
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *words],
            cwd=self.root,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


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
    """Copy the files of the repository that git knows; what has not changed keeps its time."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, to / name
        if source.is_file() and not (target.exists() and target.read_bytes() == source.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return to


def main() -> None:
    """Measure a room, print its survivors and its score, and add the score to a document."""
    parser = argparse.ArgumentParser(description="Measure what tests would miss.")
    parser.add_argument("room", help="a folder or a file below src/rookery, such as tasks")
    parser.add_argument("--sample", type=int, help="so many mutants, chosen by the seed; all without this option")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a JSON document of rooms to which the score is added")
    chosen = parser.parse_args()
    place = ROOT / "src" / "rookery" / chosen.room
    paths = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    files = [str(path.relative_to(ROOT)) for path in paths]
    root = copied(COPY)
    room = Room(root, files, Runner(root), COPY / "results.jsonl")
    sample = room.sampled(chosen.sample, chosen.seed)
    results = room.measure(sample)
    equal = equal_mutants()
    counted = {mutant: result for mutant, result in results.items() if _change(mutant) not in equal}
    caught = sum(result != "survived" for result in counted.values())
    low, high = interval(caught, len(counted)) if len(counted) < len(room.mutants) else (caught / len(counted),) * 2
    print(*(f"survived: {mutant}" for mutant, result in counted.items() if result == "survived"), sep="\n")
    share = f"{caught / len(counted):.1%} ({low:.1%} to {high:.1%})"
    print(f"{chosen.room}: {caught} of {len(counted)} mutants caught, {share}; {len(room.mutants):,} in all")
    print(f"{len(results) - len(counted)} of the sample are equal programs")
    if chosen.out is not None:
        known = json.loads(chosen.out.read_text(encoding="utf-8")) if chosen.out.exists() else {}
        known[chosen.room] = {
            "mutants": len(room.mutants),
            "sample": len(counted),
            "seed": chosen.seed,
            "caught": caught,
            "equal": len(results) - len(counted),
            "interval": [round(low, 4), round(high, 4)],
        }
        chosen.out.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _change(mutant: Mutant) -> str:
    place, _, change = str(mutant).partition(": ")
    return f"{place.rpartition(':')[0]}: {change}"


if __name__ == "__main__":
    main()
