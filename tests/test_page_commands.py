"""The commands of all pages run and print what the pages show; those that are only listed exist, with their options."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import commands_of, run

ROOT = Path(__file__).parents[1]
WRITTEN = [page for page in sorted((ROOT / "docs").rglob("*.md")) if "generated" not in page.parts]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *WRITTEN]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
GAMES = ROOT / "docs" / "lichess-2025-05.pgn.zst"
# A block of commands, the mark of who else runs it, and right behind it what the last of them prints, if the page does.
BLOCK = re.compile(
    r"(<!-- run by \.ci/run: \w+ -->\n)?^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", flags=re.M | re.S
)
NEED_COMPILER = re.compile(r"rookery (bench|compile|doctor)\b")
COMMANDS = [
    pytest.param(
        *(command, printed if command == commands.splitlines()[-1] else ""),
        id=f"{name}: {command}",
        marks=pytest.mark.compiler if NEED_COMPILER.match(command) else (),
    )
    for name, text in TEXTS.items()
    for elsewhere, commands, printed in BLOCK.findall(text)
    if not elsewhere
    for command in commands.splitlines()
]
LISTED = [
    pytest.param(line, id=f"{name}: {line}")
    for name, text in TEXTS.items()
    for block in re.findall(r"^```text\n(.*?)^```$", text, flags=re.M | re.S)
    for line in block.splitlines()
    if line.startswith("rookery ")
]


def lines(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip().splitlines())


def is_plain(command: str) -> bool:
    """Whether it is one command of ours, on files that are there."""
    unquoted = re.sub(r"'[^']*'", "", command.replace(f"docs/{GAMES.name}", ""))
    return not re.search(r"[|*]|lichess[\w-]*\.pgn|games\.pgn", unquoted)


@pytest.mark.parametrize(("command", "printed"), [p for p in COMMANDS if is_plain(str(p.values[0]))])
def test_a_command_prints_what_the_page_shows(
    command: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    python = shlex.quote(sys.executable)
    first, *arguments = shlex.split(command)
    assert first == "rookery"
    if "-o" in arguments and (place := arguments.index("-o") + 1) and "/" not in arguments[place]:
        arguments[place] = str(tmp_path / arguments[place])
    # A comparison that finds a difference ends with 1.
    status = 1 if " differs after " in printed else 0
    output = run(*(argument.replace("python3 ", f"{python} ") for argument in arguments), status=status).stdout
    assert output.strip()
    if printed:
        shown = lines(output.replace(python, "python3"))
        assert doctest.OutputChecker().check_output(lines(printed), shown, doctest.ELLIPSIS), shown


@pytest.mark.skipif(sys.platform == "win32", reason="lines of a shell")
@pytest.mark.parametrize(("command", "printed"), [p for p in COMMANDS if not is_plain(str(p.values[0]))])
def test_a_line_of_the_shell_runs_on_files_of_its_names(command: str, printed: str, tmp_path: Path) -> None:
    if "zstdcat" in command and not shutil.which("zstdcat"):
        pytest.skip("zstdcat is not installed")
    for name in re.findall(r"[\w-]+\.pgn(?:\.zst)?", command.replace("*.pgn", "one.pgn")):
        shutil.copy(
            GAMES if name.endswith(".zst") else ROOT / "tests" / "samples" / "lichess-2025-05.pgn", tmp_path / name
        )
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "rookery"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rookery "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    path = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-euc", command], cwd=tmp_path, env=path, check=True, capture_output=True, text=True)
    if printed:
        assert doctest.OutputChecker().check_output(lines(printed), lines(done.stdout), doctest.ELLIPSIS), done.stdout
    if written := re.search(r"-o (\S+)", command):
        assert (tmp_path / written[1]).stat().st_size > 100


def test_some_pages_show_what_is_printed() -> None:
    assert sum(bool(parameters.values[1]) for parameters in COMMANDS) >= 2


@pytest.mark.parametrize("line", LISTED)
def test_a_listed_command_exists_with_its_options(line: str) -> None:
    _, *words = line.split()
    command = next((found for path, found in commands_of() if path == tuple(words[: len(path)])), None)
    assert command is not None, line
    known = {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"(?<!\S)--[a-z][a-z-]*", " ".join(words))) <= known, line


def test_commands_are_listed() -> None:
    assert len(LISTED) > 30


@pytest.mark.parametrize("name", TEXTS)
def test_every_block_is_of_a_kind_that_is_tried(name: str) -> None:
    blocks = re.findall(r"^(`{3,}|:{3,})([^\n`]*)\n(.*?)^\1$", TEXTS[name], flags=re.M | re.S)
    for _, kind, block in blocks:
        assert kind in ("sh", "text", "python") or kind == "board", kind
        assert kind != "python" or block.startswith(">>> "), block
