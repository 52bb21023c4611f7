"""Every command and every public function that writes files is stopped at each operation, or the reason stands here."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import pytest

import rookery
import test_proofs_after_crashes
from command_line import commands_of
from long_work import WORKS
from simulated_time import DECIDING

# Works of `long_work`, by the commands and functions that they run.
STOPPED: Final[dict[str, tuple[str, ...]]] = {
    "annotate": ("annotate", "annotate lines"),
    "attacks": ("attacks",),
    "convert": ("convert",),
    "dataset": ("dataset",),
    "duplicates": ("duplicates",),
    "export": ("export",),
    "games": ("games", "games text"),
    "index": ("index",),
    "magics atlas": ("atlas",),
    "magics ranges": ("ranges",),
    "openings": ("openings", "openings page"),
    "perft": ("perft", "distinct"),
    "search": ("search", "search games", "search lines"),
    "stats": ("stats",),
    "tactics": ("tactics",),
    "OpeningTree.to_parquet": ("openings",),
    "Plan.write": ("plan groups",),
    "Plan.write_arrow": ("plan groups",),
    "Plan.write_csv": ("plan sort",),
    "Plan.write_dataset": ("dataset",),
    "Plan.write_jsonl": ("plan sort",),
    "Plan.write_parquet": ("plan groups",),
    "Plan.write_pgn": ("plan games", "search games"),
    "Plan.write_training": ("plan training", "convert"),
    "index_games": ("index",),
    "make_dataset": ("dataset",),
    "pgn_to_parquet": ("games",),
    "write_parquet": ("duplicates parquet",),
    "write_pgn": ("duplicates",),
    "write_training": ("written rows",),
    "Book.write": ("book",),
}
# Those that are not, each with the reason.
ONE_FILE: Final = "writes one small file, at once, by the same function as attacks"
NOTHING: Final = "writes no file"
NOT_STOPPED: Final = {
    **dict.fromkeys(["explain", "explore", "doctor"], ONE_FILE),
    **dict.fromkeys(
        [f"bench {name}" for name in ("attacks", "games", "lanes", "perft", "query")],
        "times differ from run to run; " + ONE_FILE,
    ),
    "compile": "writes code of this CPU, which is checked when it is read: tests/kernel/test_trust.py",
    **dict.fromkeys(
        ["fen", "magics check", "magics find", "magics sets", "moves", "show", "techniques", "verify"], NOTHING
    ),
    "magics pilot": "writes one small file, at once, by the same function as ranges",
    "magics pack": "a round takes half a minute; it keeps its state in one document, as perft its checkpoint",
    "magics prove": f"is stopped at each operation of SQLite: {test_proofs_after_crashes.__name__}.py",
}
_TARGETS: Final = frozenset(["path", "folder", "out", "target"])


def names_of_commands() -> list[str]:
    return [" ".join(path) for path, _ in commands_of()]


def writers() -> Iterator[str]:
    """Yield the public functions and methods that write to a path, by their docstrings and parameters."""
    for name in rookery.__all__:
        value: Any = getattr(rookery, name)
        members = {name: value}
        if inspect.isclass(value):
            public = (member for member in dir(value) if not member.startswith("_"))
            members = {f"{name}.{member}": inspect.getattr_static(value, member) for member in public}
        for full, member in members.items():
            function = getattr(member, "__func__", member)
            if (
                inspect.isfunction(function)
                and (function.__doc__ or "").startswith(("Write", "Make"))
                and _TARGETS.intersection(inspect.signature(function).parameters)
            ):
                yield full


@pytest.mark.parametrize("name", [*names_of_commands(), *writers()])
def test_each_is_stopped_or_says_why_not(name: str) -> None:
    assert (name in STOPPED) != (name in NOT_STOPPED), f"{name}: add it to tests/shared/long_work.py, or say why not"


def test_the_tables_name_what_exists() -> None:
    assert {*STOPPED, *NOT_STOPPED} <= {*names_of_commands(), *writers()}
    assert {work for works in STOPPED.values() for work in works} == {*WORKS}


@pytest.mark.parametrize(
    "name", [name for name, why in NOT_STOPPED.items() if why == NOTHING and name in names_of_commands()]
)
def test_a_command_that_writes_no_file_has_no_output(name: str) -> None:
    (command,) = (one for path, one in commands_of() if " ".join(path) == name)
    assert not [one.name for one in command.params if isinstance(one.type, click.Path)]


# Modules that look at a clock, and what for. Where it decides what happens to files, the simulation has it.
CLOCKS: Final = {
    "sources/leftovers.py": "simulated",
    "counting/workers.py": "simulated",
    "kernel/codecache/dependencies.py": "whether a module changed since this process started: tests/kernel",
    "kernel/codecache/cache.py": "which code of a function is the oldest, if it has too many variants",
    "cli/magics.py": "the day on which a factor was found",
    "counting/engines/uci.py": "how long an engine may be silent; it has no files",
    **dict.fromkeys(
        [
            "cli/runner.py",
            "data/plans/explaining.py",
            "kernel/notice.py",
            "positions/language/block.py",
            "positions/language/plan.py",
            "shipping/precompiled.py",
        ],
        "what is shown",
    ),
}


def test_every_clock_is_known() -> None:
    looks = re.compile(r"\btime\.(time|monotonic|perf_counter|sleep)(_ns)?\(|\bst_mtime\b|\bdatetime\.now\(|\.today\(")
    root = Path(rookery.__file__).parent
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if looks.search(path.read_text(encoding="utf-8"))
    }
    assert {name for name in found if not name.startswith("bench/")} == {*CLOCKS}
    simulated = {Path(str(module.__file__)).relative_to(root).as_posix() for module in DECIDING}
    assert simulated == {name for name, why in CLOCKS.items() if why == "simulated"}
