"""Which tests judge a mutant: those that execute its line, the fastest first."""

import ast
import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import tests_of
from mutations import Mutant
from traced_tests import Forks, Mode, Test, Traces

_SECONDS: Final = 6  # of tests that run on a mutant before it survives
_GRACE: Final = 8  # seconds that tests may take more than three times those of the unchanged file
_ALL_TESTS: Final = 300  # seconds for all tests of a file, which compile what depends on it


class TracedJudge:
    """Judges mutants by the tests that execute their lines.

    A kernel is judged in plain Python, which executes the same code: to compile all that depends on it would take
    minutes. Other functions are judged with machine code that was compiled before, as if their file were unchanged.
    """

    def __init__(self, forks: Forks, traces: Traces, files: Sequence[str], further_tests: Sequence[str]) -> None:
        self.forks, self.records = forks, traces
        judged: dict[Mode, list[str]] = {"compiled": list(files), "plain": list(filter(has_kernels, files))}
        self.traces = {
            mode: traces.of(mode, _test_files(those, further_tests), those) for mode, those in judged.items() if those
        }
        self.unusable: set[tuple[Mode, str]] = set()  # tests that pass in their file, and fail alone
        self.usable: set[tuple[Mode, str]] = set()

    def __call__(self, mutant: Mutant, source: str, *, all_tests: bool) -> tuple[str, str]:
        """Return "caught", "survived" or "too long" for the mutant in the copy, and the test that caught it."""
        file, first, last = mutant.file, mutant.line, mutant.last_line
        if all_tests:
            tests_of_file = tests_of.of_file(tests_of.ROOT / file)
            return self._verdict("compiled", tests_of_file, _ALL_TESTS, file, source, all_tests=True)
        found = False
        modes: list[Mode] = ["compiled", "plain"] if has_kernels(file) else ["compiled"]
        for mode in reversed(modes) if in_kernel(file, first) else modes:
            while tests := self.tests(mode, file, first, last):
                found = True
                limit = 3 * sum(test.seconds for test in tests) + _GRACE
                verdict, by = self._verdict(mode, [test.name for test in tests], limit, file, source)
                if verdict != "unusable":
                    break
            else:
                continue
            if verdict != "survived":
                return verdict, by
        return ("survived", "") if found else ("survived", "no test executes the line")

    def tests(self, mode: Mode, file: str, first: int, last: int) -> list[Test]:
        """Return the fastest tests that execute a line, together a few seconds.

        Of a line that is no function's, they are those that execute any line of the file, and those of its test files:
        a test of constants executes none.
        """
        traced = self.traces[mode]
        lines: Iterable[int] = range(first, last + 1)
        own: set[Test] = set()
        if not in_function(file, first):
            lines = (line for name, line in traced if name == file)
            own = {test for test_file in test_files_of(file) for test in self.records.passed(mode, test_file)}
        tests = sorted(own | {test for line in lines for test in traced.get((file, line), ())})
        chosen: list[Test] = []
        seconds = 0.0
        for test in tests:
            if (mode, test.name) not in self.unusable:
                seconds += test.seconds
                if chosen and seconds > _SECONDS:
                    break
                chosen.append(test)
        return chosen

    def _verdict(
        self, mode: Mode, tests: Sequence[str], limit: float, file: str, source: str, *, all_tests: bool = False
    ) -> tuple[str, str]:
        pinned = None if all_tests else (file, source)
        failure = self.forks.first_failure(tests, mode, limit, pinned)
        if failure is None:
            return "survived", ""
        if failure.is_late:
            return "too long", failure.test
        if failure.test and (mode, failure.test) not in self.usable:
            path = self.forks.root / file
            mutated = path.read_text(encoding="utf-8")
            path.write_text(source, encoding="utf-8")
            passes = self.forks.first_failure([failure.test], mode, 120) is None
            path.write_text(mutated, encoding="utf-8")
            (self.usable if passes else self.unusable).add((mode, failure.test))
            if not passes:
                return "unusable", failure.test
        return "caught", failure.test


def _test_files(files: Sequence[str], further_tests: Sequence[str]) -> list[str]:
    """Return the files of tests for some files, and further ones."""
    return sorted({test for file in files for test in test_files_of(file)} | set(_in_folders(further_tests)))


@functools.cache
def test_files_of(file: str) -> list[str]:
    """Return the files of tests for a file of the library, and the file itself for its doctests."""
    return _in_folders(tests_of.of_file(tests_of.ROOT / file))


def _in_folders(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        path = tests_of.ROOT / name
        found += [str(test.relative_to(tests_of.ROOT)) for test in path.rglob("test_*.py")] if path.is_dir() else [name]
    return found


def has_kernels(file: str) -> bool:
    """Check whether a file has functions that are compiled."""
    return any(is_kernel for _, _, is_kernel in _functions(tests_of.ROOT / file))


def in_kernel(file: str, line: int) -> bool:
    """Check whether a line is part of a function that is compiled."""
    return any(first <= line <= last for first, last, is_kernel in _functions(tests_of.ROOT / file) if is_kernel)


def in_function(file: str, line: int) -> bool:
    """Check whether a line is part of a function's body."""
    return any(first <= line <= last for first, last, _ in _functions(tests_of.ROOT / file))


@functools.cache
def _functions(path: Path) -> list[tuple[int, int, bool]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [(node.body[0].lineno, node.end_lineno or node.lineno, _is_kernel(node)) for node in nodes]


def _is_kernel(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    marks = ast.unparse(ast.Tuple(node.decorator_list))
    return any(mark in marks for mark in ("entry", "kernel", "native", "machine_code"))
