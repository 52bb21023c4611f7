"""What the README shows is run, and its generated figures are those recorded."""

import doctest
import json
from pathlib import Path

import figures
import rookery
from rookery.magics.tables import entries, magic_techniques

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_examples_run() -> None:
    # The closing fence of a block would be taken for output.
    examples = doctest.DocTestParser().get_doctest(README.replace("```", ""), {}, "README.md", "README.md", 0)
    assert len(examples.examples) > 10
    runner = doctest.DocTestRunner()
    runner.run(examples)
    assert runner.failures == 0


def test_generated_blocks_are_fresh() -> None:
    assert figures.generated(README) == README


def test_the_recorded_benchmark_covers_every_technique() -> None:
    recorded = json.loads((ROOT / "benchmarks" / "attacks.json").read_text(encoding="utf-8"))
    assert [row["name"] for row in recorded["techniques"]] == [t.name for t in rookery.techniques()]
    for row in recorded["techniques"]:
        assert row["table_bytes"] == rookery.technique(row["name"]).table_bytes


def test_the_recorded_tables_are_as_long_as_they_are_now() -> None:
    recorded = json.loads((ROOT / "benchmarks" / "magics.json").read_text(encoding="utf-8"))
    now = [{"name": t.name, "entries": entries(t), "bytes": t.table_bytes} for t in magic_techniques()]
    assert recorded["tables"] == now


def test_the_two_commands_stand_alone() -> None:
    commands = [block.splitlines()[1] for block in README.split("```")[1::2] if block.startswith("sh\n")]
    assert len(commands) == 2
    assert all(command.startswith("python3 -m venv ") for command in commands)
    assert "rookery attacks" in commands[0]
    assert "pytest" in commands[1]


def test_public_names() -> None:
    assert len(set(rookery.__all__)) == len(rookery.__all__)  # their order is the linter's to check
    for name in rookery.__all__:
        assert getattr(rookery, name) is not None
    assert rookery.__version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
