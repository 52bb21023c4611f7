"""The commands of the tutorial and the guides run, and print what the pages show."""

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from command_line import run

ROOT = Path(__file__).parents[1]
PAGES = sorted(page for room in ("tutorial", "guides") for page in (ROOT / "docs" / room).glob("*.md"))
# A block of commands, and right behind it the block of what the last of them prints, if the page shows that.
BLOCK = re.compile(r"^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", flags=re.M | re.S)
COMMANDS = [
    pytest.param(command, printed if command == commands.splitlines()[-1] else "", id=f"{page.stem}: {command}")
    for page in PAGES
    for commands, printed in BLOCK.findall(page.read_text(encoding="utf-8"))
    for command in commands.splitlines()
]


def lines(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.strip().splitlines())


@pytest.mark.parametrize(("command", "printed"), COMMANDS)
def test_a_command_prints_what_the_page_shows(command: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    python = shlex.quote(sys.executable)
    first, *arguments = shlex.split(command)
    assert first == "rookery"
    # A comparison that finds a difference ends with 1.
    status = 1 if " differs after " in printed else 0
    output = run(*(argument.replace("python3 ", f"{python} ") for argument in arguments), status=status).stdout
    assert output.strip()
    if printed:
        shown = lines(output.replace(python, "python3"))
        assert doctest.OutputChecker().check_output(lines(printed), shown, doctest.ELLIPSIS), shown


def test_some_pages_show_what_is_printed() -> None:
    assert sum(bool(parameters.values[1]) for parameters in COMMANDS) >= 2
