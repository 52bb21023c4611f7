"""`tools/mutants.py`: mutants are programs that differ, tests run on each once, and equal programs do not count."""

import ast
from pathlib import Path

import pytest

import mutants
import rookery

SOURCE = Path(rookery.__file__).parent
MODULE = "def larger(a, b):\n    return a if a > b else b\n\n\ndef first(items):\n    return items[:1]\n"


def test_each_mutant_is_another_program() -> None:
    number = 0
    for path in (SOURCE / "tasks").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        whole = ast.dump(ast.parse(source))
        for mutant in mutants.mutants_of(path.name, source):
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
    assert not list(mutants.mutants_of("a.py", source))


class Counted:
    """Runs a test of the module in this process, which misses what happens to equal numbers and to empty lists."""

    def __init__(self, path: Path) -> None:
        self.path, self.runs = path, 0

    def __call__(self, file: str, limit: float | None) -> int | None:  # noqa: ARG002
        self.runs += 1
        names: dict[str, object] = {}
        exec(compile(self.path.read_text(), file, "exec"), names)
        larger, first = names["larger"], names["first"]
        return int(not (larger(1, 2) == larger(2, 1) == 2 and first("ab") == "a"))  # type: ignore[operator]


def test_survivors_are_found_once(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(MODULE)
    tests = Counted(path)
    room = mutants.Room(tmp_path, ["a.py"], tests, tmp_path / "results.jsonl")
    results = room.measure(room.sampled(None, 1))
    assert [str(mutant) for mutant, result in results.items() if result == "survived"] == ["a.py:2: a > b -> (a >= b)"]
    assert sorted(set(results.values())) == ["caught", "survived"]
    assert path.read_text() == MODULE
    runs = tests.runs
    assert runs == len(results) + 1  # and once without a change
    with (tmp_path / "results.jsonl").open("a") as file:
        file.write('["unfinished')
    again = mutants.Room(tmp_path, ["a.py"], tests, tmp_path / "results.jsonl")
    assert again.measure(again.mutants) == results
    assert tests.runs == runs


def test_tests_that_fail_without_a_change_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MODULE.replace(">", "<"))
    room = mutants.Room(tmp_path, ["a.py"], Counted(tmp_path / "a.py"), tmp_path / "results.jsonl")
    with pytest.raises(SystemExit, match=r"a\.py: its tests fail without a change"):
        room.measure(room.mutants)


def test_a_sample_is_that_of_its_seed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MODULE)
    room = mutants.Room(tmp_path, ["a.py"], Counted(tmp_path / "a.py"), tmp_path / "results.jsonl")
    assert room.sampled(3, 1) == room.sampled(3, 1) != room.sampled(3, 2)
    assert len(room.sampled(3, 1)) == 3
    assert room.sampled(100, 1) == room.mutants


def test_equal_programs_have_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "equal.txt"
    path.write_text("# a comment\na.py: a > b -> (a >= b)  # of equal numbers, either may be returned\n")
    assert mutants.equal_mutants(path) == {"a.py: a > b -> (a >= b)": "of equal numbers, either may be returned"}
