"""Tables of every width: no number is cut."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from command_line import run
from rookery.cli import common, tables


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\s:]+", text))


NUMBERS = ("12,345,678,901", "0x0123456789abcdef", "1,234.56 KiB", "0.001")


def printed(width: int, *rows: tuple[str, ...]) -> str:
    table = tables.Table("name", "a longer heading")
    for heading in ("nodes", "factor of it", "tables", "ratio"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row)
    console = Console(width=width, force_terminal=True, color_system=None, soft_wrap=True)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


@pytest.mark.parametrize("width", [*range(1, 130), 10_000])
def test_nothing_is_cut_at_any_width(width: int) -> None:
    row = ("a-long-technique", "prose of several words, that may be folded", *NUMBERS)
    text = printed(width, row, ("b", "", *NUMBERS))
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    for number in NUMBERS:
        assert text.count(number) == 2  # in one piece, its unit beside it
    for word in (*row[0].split(), *row[1].split()):
        assert word in text
    for heading in "name a longer heading nodes factor of it tables ratio".split():
        assert heading in text
    if "nodes: " not in text:  # a table, and not a list
        assert max(map(len, text.splitlines())) <= max(width, 1)


def test_what_is_narrow_becomes_a_list() -> None:
    wide, narrow = (printed(width, ("rays", "walk", *NUMBERS)) for width in (130, 40))
    assert wide.splitlines()[1].split() == ["rays", "walk", *" ".join(NUMBERS).split()]
    assert narrow.splitlines() == [
        "name: rays",
        "  a longer heading: walk",
        "  nodes: 12,345,678,901",
        "  factor of it: 0x0123456789abcdef",
        "  tables: 1,234.56 KiB",
        "  ratio: 0.001",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["techniques"],
        ["show", "magic-plain"],
        ["attacks", "kiwipete", "f3", "--technique", "all"],
        ["perft", "kiwipete", "3", "--stats"],
        ["magics", "atlas"],
        ["magics", "sets"],
        ["magics", "ranges"],
        ["magics", "find", "--piece", "bishop"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("width", [80, 50])
def test_no_command_cuts_a_number(arguments: list[str], width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = run(*arguments).stdout
    monkeypatch.setattr(common.out, "width", width)
    narrow = run(*arguments).stdout
    assert "\N{HORIZONTAL ELLIPSIS}" not in narrow
    missing = {word for word in words(wide) - words(narrow) if re.search("[0-9]", word)}
    assert not {word for word in missing if "found" not in arguments and not re.fullmatch(r"[\d.]+", word)}


def test_every_table_is_the_one_that_never_cuts() -> None:
    for file in Path(common.__file__).parent.rglob("*.py"):
        assert file.name == "tables.py" or "rich.table" not in file.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="no pty")
def test_a_terminal_of_80_columns() -> None:
    import fcntl
    import pty
    import struct
    import termios

    main_end, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")} | {"TERM": "xterm"}
    command = [sys.executable, "-m", "rookery", "magics", "atlas"]
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment) as process:
        os.close(terminal)
        seen = b""
        while True:
            try:
                part = os.read(main_end, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
    os.close(main_end)
    assert process.returncode == 0
    text = seen.decode()
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    factors = [cell["magic"] for cell in json.loads(run("magics", "atlas", "--json").stdout)]
    assert all(factor in text for factor in factors)
