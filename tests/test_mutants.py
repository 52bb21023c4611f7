"""`tools/mutants.py`: mutants are programs that differ, tests run on each once, and equal programs do not count."""

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

import mutants
import mutations
import rookery
import traced_tests

SOURCE = Path(rookery.__file__).parent
ROOT = SOURCE.parents[1]
MODULE = "def larger(a, b):\n    return a if a > b else b\n\n\ndef first(items):\n    return items[:1]\n"


def test_each_mutant_is_another_program() -> None:
    number = 0
    for path in (SOURCE / "tasks").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        whole = ast.dump(ast.parse(source))
        for mutant in mutations.mutants_of(path.name, source):
            number += 1
            assert ast.dump(ast.parse(mutant.text(source))) != whole, mutant
    assert number > 400


@pytest.mark.parametrize(
    "source",
    [
        "x: int | None = y",
        "def f(x: int = z) -> 'a < b': pass",
        "if TYPE_CHECKING:\n    x = 1",
        "raise ValueError(1 + 1)",
        "T: TypeAlias = int | str",
        "s = f'{a + 1}'",
        "s = 'text'",
    ],
)
def test_what_does_not_decide_is_left_alone(source: str) -> None:
    assert not list(mutations.mutants_of("a.py", source))


class Counted:
    """Runs a test of the module in this process, which misses what happens to equal numbers and to empty lists."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.runs = folder, 0

    def __call__(self, mutant: mutations.Mutant, source: str, *, all_tests: bool) -> tuple[str, str]:
        self.runs += 1
        changed = (self.folder / mutant.file).read_text()
        assert changed == mutant.text(source) != source
        names: dict[str, Any] = {}
        exec(compile(changed, mutant.file, "exec"), names)
        larger, first = names["larger"], names["first"]
        passes = larger(1, 2) == larger(2, 1) == 2 and first("ab") == "a"
        return ("survived", "") if passes and not all_tests else ("caught", "test_larger")


def room_of(folder: Path) -> tuple[mutants.Room, Counted]:
    (folder / "a.py").write_text(MODULE)
    tests = Counted(folder)
    return mutants.Room(folder, ["a.py"], tests, folder / "results.jsonl"), tests


def test_survivors_are_found_once(tmp_path: Path) -> None:
    room, tests = room_of(tmp_path)
    results = room.measure(room.sampled(None, 1))
    assert [str(mutant) for mutant, result in results.items() if result == "survived"] == ["a.py:2: a > b -> (a >= b)"]
    assert sorted(set(results.values())) == ["caught", "survived"]
    assert (tmp_path / "a.py").read_text() == MODULE
    runs = tests.runs
    assert runs == len(results)
    with (tmp_path / "results.jsonl").open("a") as file:
        file.write('["unfinished')
    room, tests = room_of(tmp_path)
    assert room.measure(room.mutants) == results
    assert tests.runs == 0


def test_survivors_are_judged_again_by_all_tests(tmp_path: Path) -> None:
    room, tests = room_of(tmp_path)
    room.measure(room.mutants)
    tests.runs = 0
    assert set(room.measure(room.mutants, again=True, all_tests=True).values()) == {"caught"}
    assert tests.runs == 1


def test_a_sample_is_that_of_its_seed(tmp_path: Path) -> None:
    room, _ = room_of(tmp_path)
    assert room.sampled(3, 1) == room.sampled(3, 1) != room.sampled(3, 2)
    assert len(room.sampled(3, 1)) == 3
    assert room.sampled(100, 1) == room.mutants


def test_equal_programs_have_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "equal.txt"
    change = "a.py: a > b -> (a >= b) in return a if a > b else b"
    path.write_text(f"# a comment\n{change}  ## of equal numbers, either may be returned\n")
    assert mutants.equal_mutants(path) == {change: "of equal numbers, either may be returned"}
    assert change in [mutants.change_of(mutant, MODULE) for mutant in mutations.mutants_of("a.py", MODULE)]


def test_the_equal_programs_of_the_library_are_mutants_of_it() -> None:
    for change, reason in mutants.equal_mutants().items():
        file = change.partition(": ")[0]
        source = (ROOT / file).read_text(encoding="utf-8")
        found = {mutants.change_of(mutant, source) for mutant in mutations.mutants_of(file, source)}
        assert change in found, change
        assert reason


def test_the_files_of_a_room() -> None:
    files = mutants.files_of_room(["rules", "results.py"], ["rules/notation"])
    assert "src/rookery/results.py" in files
    assert "src/rookery/rules/position.py" in files
    assert not [file for file in files if "notation" in file]


# Traces, and the tests that judge a mutant.

LIBRARY = """\
import functools


def sign(number):
    if number < 0:
        return -1
    return int(number > 0)


@functools.cache
def kept(number):
    return number + 1
"""
TESTS = """\
from small import kept, sign


def test_slowly():
    assert sum(range(10_000_000))
    assert sign(3) == 1


def test_quickly():
    assert sign(2) == 1


def test_negative():
    assert sign(-2) == -1


def test_that_fails():
    assert sign(0) == 1


def test_other():
    pass
"""


@pytest.fixture
def forks(tmp_path: Path) -> traced_tests.Forks:
    """Runs of tests in a small repository."""
    if sys.version_info < (3, 12):
        pytest.skip("needs Python 3.12: sys.monitoring")
    root = tmp_path / "copy"
    for name, text in {"src/rookery/small.py": LIBRARY, "tests/test_small.py": TESTS}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "pytest.ini").write_text("[pytest]\npythonpath = src/rookery\n")
    return traced_tests.Forks(root)


def test_traces_name_the_tests_of_a_line(forks: traced_tests.Forks, tmp_path: Path) -> None:
    traces = traced_tests.Traces(forks, tmp_path / "traces")
    found = traces.of("compiled", ["tests/test_small.py"], ["src/rookery/small.py"])
    names = {line: [test.name.partition("::")[2] for test in tests] for (_, line), tests in found.items()}
    assert sorted(names[5]) == ["test_negative", "test_quickly", "test_slowly"]
    assert names[5][-1] == "test_slowly"  # the slowest last
    assert names[6] == ["test_negative"]
    assert names[7][0] == "test_quickly"
    assert 13 not in names  # no test calls it
    assert not [test for tests in names.values() for test in tests if test in ("test_that_fails", "test_other")]
    passed = [test.name.partition("::")[2] for test in traces.passed("compiled", "tests/test_small.py")]
    assert passed == ["test_slowly", "test_quickly", "test_negative", "test_other"]
    assert traces.passed("plain", "tests/test_small.py") == []  # it was not traced in this mode
    broken = forks.root / "tests" / "conftest.py"
    broken.write_text("raise ValueError")
    assert traces.of("compiled", ["tests/test_small.py"], ["src/rookery/small.py"]) == found  # it is not traced twice
    broken.unlink()
    (forks.root / "src" / "rookery" / "small.py").write_text("\n" + LIBRARY)
    moved = traces.of("compiled", ["tests/test_small.py"], ["src/rookery/small.py"])
    assert {line for _, line in moved} == {line + 1 for _, line in found}


def test_the_first_failure_is_named(forks: traced_tests.Forks) -> None:
    tests = [f"tests/test_small.py::{name}" for name in ("test_quickly", "test_that_fails")]
    assert forks.first_failure(tests[:1], "compiled", 60) is None
    assert forks.first_failure(tests, "compiled", 60) == (tests[1], False)
    (forks.root / "src" / "rookery" / "small.py").write_text("raise ValueError")
    assert forks.first_failure(tests, "compiled", 60) == ("", False)
    (forks.root / "src" / "rookery" / "small.py").write_text(LIBRARY.replace("return -1", "while True: pass"))
    assert forks.first_failure(["tests/test_small.py::test_negative"], "compiled", 2) == ("", True)
