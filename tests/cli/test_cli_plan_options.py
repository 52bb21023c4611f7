"""Commands that are plans have the same options under the same names, as the page about plans says."""

from pathlib import Path

import click
import pytest

from command_line import run
from game_samples import SAMPLE
from rookery.cli import main
from rookery.cli.options import ROWS, RowOptions

PAGE = Path(__file__).parents[2] / "docs" / "plans.md"
# Options with another meaning or default, in the command that makes shards of one output.
OTHERS = {"dataset": {"--select", "--split", "--split-by", "--seed"}, "search": {"--by", "--limit"}}


def table() -> tuple[list[str], dict[str, list[str]]]:
    """Return the commands in the table of options, and for each option the cells of its row."""
    lines = PAGE.read_text().partition("\n| option |")[2].partition("\n\n")[0].splitlines()
    commands = [cell.strip() for cell in lines[0].split("|")[:-2]]
    rows = [[cell.strip() for cell in line.split("|")[1:-2]] for line in lines[2:]]
    return commands, {row[0].strip("`"): row[1:] for row in rows}


def options_of(command: str) -> dict[str, click.Option]:
    """Return the options of a command by their names."""
    params = main.commands[command].params
    return {name: param for param in params if isinstance(param, click.Option) for name in param.opts}


def test_the_page_lists_the_options_of_each_command() -> None:
    commands, rows = table()
    assert len(commands) == 6
    assert set(rows) >= {f"--{field.replace('_', '-')}" for field in RowOptions._fields}
    for i, command in enumerate(commands):
        has = options_of(command)
        assert {option for option, cells in rows.items() if cells[i] == "yes"} == set(rows).intersection(has), command
    assert rows["--query"][commands.index("search")] == "`QUERY`"


@pytest.mark.parametrize("field", ROWS)
def test_options_of_rows_are_alike_in_all_commands(field: str) -> None:
    name = f"--{field.replace('_', '-')}"
    known = [
        (option.type.to_info_dict(), option.default, option.multiple, option.is_flag, option.metavar)
        for command in table()[0]
        for option in [options_of(command).get(name)]
        if option is not None and name not in OTHERS.get(command, ())
    ]
    assert known
    assert all(one == known[0] for one in known)
    assert name in options_of("annotate")


@pytest.mark.parametrize(
    "command",
    [
        ["annotate", "IN", "-o", "OUT.csv", "--query", "is_check"],
        ["convert", "IN", "-o", "OUT.vf", "--query", "is_check"],
        ["stats", "IN", "--query", "is_check"],
        ["search", "IN", "is_check", "-o", "OUT.csv", "--select", "ply"],
    ],
)
def test_plans_are_explained_and_not_run(command: list[str], tmp_path: Path) -> None:
    words = [word.replace("IN", str(SAMPLE)).replace("OUT", str(tmp_path / "out")) for word in command]
    lines = run(*words, "--explain").stdout.splitlines()
    assert lines[0].split() == ["step", "rows", "seconds"]
    assert lines[2].startswith("positions('is_check')")
    assert "~24" in lines[2]
    assert not list(tmp_path.iterdir())
