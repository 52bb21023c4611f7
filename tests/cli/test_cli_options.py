"""Options that several commands share are declared in one module, and each command that reads games has its share."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import rookery.cli
from read_options import NAMES, PGN, VALUES, fields_of
from rookery.cli import main, options
from rookery.data.pipeline import parts
from rookery.games.read import on_executor, reader
from rookery.games.read.options import ReadOptions
from rookery.games.read.schedule import judged

FOLDER = Path(rookery.cli.__file__).parent
LABORATORY = Path(__file__).parents[2] / "research" / "magics" / "commands"
SHARED = "options.py"
# Options of several commands that have nothing in common but their names.
OWN = {
    "--against",
    "--bits",
    "--fen",
    "--form",
    "--html",
    "--ledger",
    "--mapping",
    "--piece",
    "--prefix",
    "--rounds",
    "--square",
    "--stats",
    "--svg",
    "--technique",
    "--tries",
}
# The options of reading that a command lacks, with what takes their place.
WITHOUT: dict[str, dict[str, str]] = {
    "games": {},
    "openings": dict.fromkeys(("headers", "comments", "nags", "variations", "texts", "strict"), "a tree needs none"),
    "duplicates": dict.fromkeys(("headers", "comments", "nags", "variations", "texts", "strict"), "games are copied"),
    "convert": dict.fromkeys(("headers", "comments", "nags", "variations", "texts", "strict"), "rows have none"),
    "search": {
        **dict.fromkeys(("comments", "nags", "variations", "texts", "strict"), "games are copied"),
        "headers": "those to show",
        "errors": "bad games are searched up to the fault",
    },
    "dataset": dict.fromkeys(
        ("headers", "comments", "nags", "variations", "texts", "strict", "errors"),
        "rows have none",
    ),
    "index": {
        **dict.fromkeys(("headers", "texts", "strict"), "games are kept with all headers and the legal moves"),
        **dict.fromkeys(("comments", "nags", "variations"), "games are kept without them"),
        "errors": "bad games count up to the fault",
    },
    "annotate": dict.fromkeys(
        ("headers", "comments", "nags", "variations", "texts", "strict", "errors"), "rows have none"
    ),
}
GIVEN: dict[str, list[str]] = {
    "where": ["--where", "White == 'Карпов'"],
    "headers": ["--headers", "ECO"],
    "comments": ["--no-comments"],
    "nags": ["--no-nags"],
    "variations": ["--no-variations"],
    "texts": ["--texts"],
    "encoding": ["--encoding", "cp1251"],
    "letters": ["--letters", "german"],
    "names": ["--names", "names.tsv"],
    "errors": ["--bad", "skip"],
    "strict": ["--strict"],
    "threads": ["--threads", "2"],
}
OUTPUTS = {
    "games": ["-o", "out.parquet"],
    "openings": [],
    "duplicates": [],
    "convert": ["-o", "out.plain"],
    "search": ["ply >= 0"],
    "dataset": ["-o", "set"],
    "index": ["-o", "index"],
    "annotate": ["-o", "out.csv"],
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in (*sorted(FOLDER.rglob("*.py")), *sorted(LABORATORY.glob("*.py"))):
        yield path.name, ast.parse(path.read_text())


def declared() -> dict[str, set[str]]:
    """Return the names of options that `click.option` declares, each with its modules."""
    found: dict[str, set[str]] = {}
    for name, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "click.option":
                texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
                for text in texts:
                    for option in str(text).split("/"):
                        if option.startswith("-"):
                            found.setdefault(option, set()).add(name)
    return found


def test_shared_options_are_declared_once() -> None:
    found = declared()
    shared = {option for option, where in found.items() if SHARED in where}
    assert {"--threads", "--executor", "--errors", "--where", "--encoding", "--force", "--json", "-o"} <= shared
    assert {option: where for option, where in found.items() if option in shared and where != {SHARED}} == {}
    assert {option for option, where in found.items() if len(where) > 1} == OWN


def test_one_module_builds_progress_bars_and_waits_for_ctrl_c() -> None:
    """Only the runner does, but for what ends workers or keeps what was found before the command goes on to print."""
    may_catch = {"common.py", "runner.py", "compile.py", "find.py", "pack.py", "prove.py"}
    for name, tree in modules():
        imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        uses = [ast.unparse(node) for node in imports if "rich.progress" in ast.unparse(node)]
        assert not uses or name == "runner.py", (name, uses)
        handlers = [node.type for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.type]
        caught = [node for kind in handlers for node in ast.walk(kind) if ast.unparse(node) == "KeyboardInterrupt"]
        assert not caught or name in may_catch, name


def test_options_of_reading_are_those_of_the_record() -> None:
    assert options.READING.keys() == fields_of(ReadOptions).keys() - {"clocks", "moves"}
    for name, declare in options.READING.items():
        given: list[dict[str, Any]] = []
        command = click.command()(declare(lambda given=given, **values: given.append(values)))
        assert CliRunner().invoke(command, []).exit_code == 0
        assert given == [{name: fields_of(ReadOptions)[name]}]


@pytest.mark.parametrize("command", WITHOUT)
def test_commands_have_the_options_of_reading(command: str) -> None:
    found = main.commands[command]
    names = {param.opts[0].removeprefix("--") for param in found.params}
    has = {name for name in options.READING if (GIVEN[name][0].removeprefix("--no-").removeprefix("--")) in names}
    lacking = WITHOUT[command].keys() - ({"headers"} if command == "search" else set())
    assert has == options.READING.keys() - lacking


@pytest.mark.parametrize(
    ("command", "name"),
    [(command, name) for command, lacking in WITHOUT.items() for name in GIVEN if name not in lacking],
)
def test_options_of_reading_arrive(command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[ReadOptions] = []
    original = reader.work_of

    def noted(source: Any, reading: ReadOptions) -> Any:
        seen.append(reading)
        return original(source, reading)

    def noted_errors(games: Any, errors: Any) -> Any:  # tasks keep bad games, and what becomes of them is decided later
        seen.append(ReadOptions(errors=errors))
        return judged(games, errors)

    monkeypatch.setattr(reader, "work_of", noted)
    monkeypatch.setattr(on_executor, "judged", noted_errors)
    monkeypatch.setattr(parts, "judged", noted_errors)
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_bytes(PGN.encode("cp1251" if name in ("encoding", "where") else "utf-8"))
    Path("names.tsv").write_bytes(NAMES)
    further = GIVEN["encoding"] if name == "where" else []
    result = CliRunner().invoke(main, [command, "in.pgn", *OUTPUTS[command], *GIVEN[name], *further])
    assert not isinstance(result.exception, Exception) or isinstance(result.exception, SystemExit), result.exception
    expected = getattr(ReadOptions(**{name: VALUES[name]}), name)
    assert expected in [getattr(reading, name) for reading in seen], result.output
