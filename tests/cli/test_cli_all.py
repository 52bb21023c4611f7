"""What holds for every command: JSON, narrow terminals, Ctrl-C, errors of the machine, and texts from anywhere."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from rookery import techniques
from rookery.cli import common, export, main
from rookery.counting.walk import POSITIONS


def run(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status, result.output + str(result.exception)
    return result


def leaves(group: click.Group = main, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(leaves())
# What each needs to begin.
ARGUMENTS: dict[tuple[str, ...], list[str]] = {
    ("show",): ["rays"],
    ("attacks",): ["start", "a1"],
    ("perft",): ["start", "1"],
    ("moves",): ["start"],
    ("fen",): ["start"],
    ("export",): ["c", "--technique", "rays"],
}
every_command = pytest.mark.parametrize("path", COMMANDS, ids=" ".join)


@every_command
def test_every_command_has_json(path: tuple[str, ...]) -> None:
    assert "--json" in [option for p in COMMANDS[path].params for option in p.opts]
    assert "--json" in run(*path, "--help").stdout


@every_command
def test_ctrl_c_gives_130(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(COMMANDS[path], "callback", interrupted)
    result = run(*path, *ARGUMENTS.get(path, []), status=130)
    assert "Aborted" not in result.output
    assert "interrupted" in result.stderr


@every_command
def test_what_the_machine_refuses_is_told_in_a_line(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for error, message in (
        (MemoryError("of 8 TiB"), "out of memory: of 8 TiB"),
        (RecursionError("maximum depth"), "nested too deep: maximum depth"),
        (OSError(28, "No space left on device", "[/x]\x1b.txt"), "[/x]\\x1b.txt: No space left on device"),
    ):

        def refuse(error: Exception = error, **options: object) -> None:
            raise error

        monkeypatch.setattr(COMMANDS[path], "callback", refuse)
        result = run(*path, *ARGUMENTS.get(path, []), status=1)
        assert result.stderr.strip() == f"Error: {message}"
        with pytest.raises(type(error)):
            CliRunner().invoke(main, ["--debug", *path, *ARGUMENTS.get(path, [])], catch_exceptions=False)


def test_a_hash_table_that_does_not_fit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def counting(*arguments: object, hash_mb: int = 0, **options: object) -> Iterator[object]:
        if hash_mb:
            raise MemoryError
        return iter(())

    monkeypatch.setattr("rookery.counting.perft.counting", counting)
    assert (
        "--hash 1000000: this machine has no 1,000,000 MB"
        in run("perft", "start", "5", "--hash", "1000000", status=2).stderr
    )


# Tables.


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\s:]+", text))


NUMBERS = ("12,345,678,901", "0x0123456789abcdef", "1,234.56 KB", "0.001")


def printed(width: int, *rows: tuple[str, ...]) -> str:
    table = common.Table("name", "a longer heading")
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
        "  tables: 1,234.56 KB",
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
    for file in Path(common.__file__).parent.glob("*.py"):
        assert file.name == "common.py" or "rich.table" not in file.read_text(encoding="utf-8")


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


# Texts from anywhere.


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "\x1b[31mno"],
        ["attacks", "\x1b[31m", "e4"],
        ["attacks", "8/8/8/8/8/8/8/8", "\x1b[31m"],
        ["attacks", "8/8/8/8/8/8/8/R7", "a1", "--technique", "\x1b[31m"],
        ["attacks", "8/8/8/8/8/8/8/R7", "a1", "--piece", "\x1b[31m"],
        ["perft", "\x1b[31m", "1"],
        ["perft", "start", "\x1b[31m"],
        ["perft", "start", "1", "--technique", "\x1b[31m"],
        ["moves", "\x1b[31m/"],
        ["verify", "\x1b[31m"],
        ["export", "c", "--technique", "\x1b[31m"],
        ["export", "\x1b[31m", "--technique", "rays"],
        ["magics", "find", "--square", "\x1b[31m"],
        ["magics", "atlas", "--out", "no/\x1b[31m"],
        ["magics", "atlas", "--ledger", "\x1b[31m"],
        ["\x1b[31m"],
        ["--\x1b[31m"],
        ["techniques", "--\x1b[31m"],
        ["techniques", "\x1b[31m"],
        ["magics", "\x1b[31m"],
    ],
)
def test_no_error_repeats_an_escape_sequence(arguments: list[str]) -> None:
    result = run(*arguments, status=2)
    assert "\x1b" not in result.output
    assert "Traceback" not in result.output


def test_faults_of_a_fen_are_told_as_they_are() -> None:
    for fen in ("\x1b[31m[/red]", "4k3/8/8/8/8/8/8/4K3 [/x] \x1b[0m \x9b - [bold]"):
        result = run("fen", fen, status=1)
        assert not re.search("[\x1b\x9b]", result.output)
        assert "\\x1b" in result.output
        assert json.loads(run("fen", fen, "--json", status=1).stdout)["fen"] == fen


def test_names_of_files_are_told_as_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "[red]\x1b]0;x\x07"
    text = run("export", "c", "--technique", "rays", "--out", str(folder)).stdout
    assert "\x1b" not in text
    assert "[red]\\x1b]0;x\\x07/rookery_attacks.c" in text
    result = run("export", "c", "--technique", "rays", "--out", str(folder), status=2)
    assert "already there; overwrite with --force" in result.stderr.replace("\n", " ")
    assert "\x1b" not in result.output


# What single commands had to learn.


def test_export_as_json(tmp_path: Path) -> None:
    document = json.loads(run("export", "rust", "--technique", "rays", "--json").stdout)
    assert (document["technique"], document["language"], document["mapping"]) == ("rays", "rust", "rank-little-little")
    assert list(document["files"]) == ["rookery_attacks.rs", "selfcheck.rs"]
    assert "fn rook_attacks" in document["files"]["rookery_attacks.rs"]
    written = json.loads(run("export", "rust", "--technique", "rays", "--json", "--out", str(tmp_path / "x")).stdout)
    assert written["files"] == document["files"]
    assert {path.name: path.read_text(encoding="utf-8") for path in Path(written["folder"]).iterdir()} == written[
        "files"
    ]
    assert export.LANGUAGES[2] == "rust"


@pytest.mark.parametrize("position", POSITIONS)
def test_attacks_takes_the_names_of_positions(position: str) -> None:
    asked = [
        json.loads(run("attacks", p, "e4", "--piece", "q", "--json").stdout) for p in (position, POSITIONS[position])
    ]
    assert asked[0] == asked[1]
    assert "expected a FEN or one of start, kiwipete" in run("attacks", "startx", "e4", status=2).stderr


def test_the_board_of_fen_has_coordinates() -> None:
    lines = run("fen", "start").stdout.splitlines()
    assert lines[0] == "8 r n b q k b n r"
    assert lines[7] == "1 R N B Q K B N R"
    assert lines[8] == "  a b c d e f g h"


@pytest.mark.parametrize("t", techniques(), ids=lambda t: t.name)
def test_show_prints_what_the_answer_runs_through(t: Any) -> None:
    document = json.loads(run("show", t.name, "--json").stdout)
    whole = json.loads(run("show", t.name, "--source", "--json").stdout)["code"]
    code = document["code"]
    assert "@kernel" in code
    assert "Technique(" not in code  # records and what fills tables are the module's
    assert "def " + inspect_name(t) in code
    assert document["module"] == t.module
    if t.tables()._fields:
        assert f"class {type(t.tables()).__name__}(NamedTuple)" in code
    assert all(line in whole for line in code.split("# rookery.")[1].splitlines()[1:])
    compile(code, t.name, "exec")


def inspect_name(t: Any) -> str:
    import inspect

    for ask in ("rook", "file", "rank"):
        if kernel := t._kernels.get(ask):
            function = inspect.unwrap(kernel)
            if function.__module__.startswith("rookery.techniques"):
                return str(function.__qualname__.split(".")[0])
    return ""


def test_show_takes_no_attribute_for_a_function() -> None:
    """The tables of `magic-byte` have an array ``rook``, and another module has a kernel of that name."""
    shown = run("show", "magic-byte").stdout
    assert "def byte_rook(" in shown
    assert "def rook_index(" in shown
    assert "def rook(" not in shown


def test_show_leaves_the_sisters_out() -> None:
    fancy = run("show", "magic-fancy").stdout
    assert "class Fancy" in fancy
    for other in ("class Plain", "class Reduced", "def fixed_rook", "def fancy_tables"):
        assert other not in fancy
    assert "rookery show magic-fancy --source" in fancy
    whole = run("show", "magic-fancy", "--source").stdout
    assert "def fixed_rook" in whole
    assert "def fancy_tables" in whole


def test_code_is_shown_in_the_terminals_own_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common.out, "_force_terminal", True)
    monkeypatch.setattr(common.out, "_color_system", common.out._color_system or 3)
    text = run("show", "rays").stdout
    coloured = [(code, part) for code, part in re.findall(r"\x1b\[([0-9;]*)m([^\x1b]*)", text) if part.strip()]
    assert len(coloured) > 10
    for code, part in coloured:
        for number in map(int, filter(None, code.split(";"))):
            assert number < 38 or number in (39, 49) or 90 <= number < 98, (code, part)  # no 38;2;R;G;B, no backgrounds
            assert number not in (37, 97, 93), (code, part)  # white and bright yellow are not read on white


def test_rounds_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    from rookery.bench import perft_by_technique

    some = tuple(t for t in techniques() if t.name in ("pext", "magic-fancy", "rays"))
    monkeypatch.setattr(sys.modules["rookery.techniques"], "ALL", some)
    ran: list[tuple[str, int]] = []
    good = perft_by_technique.in_turns

    def watched(*arguments: Any) -> Iterator[perft_by_technique.Run]:
        for one in good(*arguments):
            ran.append((one.technique, one.round))
            yield one

    monkeypatch.setattr(perft_by_technique, "in_turns", watched)
    command = ["perft", "kiwipete", "2", "--technique", "all", "--rounds", "3", "--json"]
    document = json.loads(run(*command).stdout)
    assert [r for _, r in ran] == sorted(r for _, r in ran)  # in turns
    assert {name: [n for n, _ in ran].count(name) for name, _ in ran} == dict.fromkeys(
        ["pext", "magic-fancy", "rays"], 3
    )
    rows = document["techniques"]
    assert {row["nodes"] for row in rows} == {2039}
    assert [row["seconds"] for row in rows] == sorted(row["seconds"] for row in rows)
    assert all(row["spread"][0] <= row["ratio"] <= row["spread"][1] for row in rows)


def test_ranks_are_medians() -> None:
    from rookery.bench.perft_by_technique import Run, ranked

    runs = [
        Run(name, i, 7, s)
        for i in (1, 2, 3)
        for name, s in (("a", (1.0, 1.0, 9.0)[i - 1]), ("b", (2.0, 4.0, 3.0)[i - 1]))
    ]
    a, b = ranked(runs)
    assert (a.technique, a.seconds, a.ratio, a.spread) == ("a", 1.0, 1.0, (1.0, 1.0))
    assert (b.technique, b.seconds, b.ratio, b.spread) == ("b", 3.0, 0.5, (0.25, 3.0))
    assert ranked([*runs, Run("b", 4, 8, 1.0)])[1].nodes == 8  # a wrong count is not lost among right ones
    assert ranked([]) == []


def test_captures_have_their_exchanges_in_json() -> None:
    moves = json.loads(run("moves", "kiwipete", "--captures", "--json").stdout)["moves"]
    told = dict(re.findall(r"^(\w+) +\S+ +see ([+-]\d+)$", run("moves", "kiwipete", "--captures").stdout, re.MULTILINE))
    assert {move["uci"]: f"{move['see']:+d}" for move in moves} == told
    assert "see" not in json.loads(run("moves", "kiwipete", "--json").stdout)["moves"][0]


def test_against_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any, progress: Any) -> None:
        progress("depth 3 after e2e4")
        raise KeyboardInterrupt

    monkeypatch.setattr("rookery.counting.comparison.first_difference", interrupted)
    text = run("perft", "start", "3", "--against", "x", status=130).stdout
    assert "interrupted at depth 3 after e2e4: not compared to the end" in text
    document = json.loads(run("perft", "start", "3", "--against", "x", "--json", status=130).stdout)
    assert (document["complete"], document["reached"]) == (False, "depth 3 after e2e4")


def test_an_interrupted_benchmark_tells_the_rows_that_are_complete(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from rookery.bench import lanes, turns

    work = turns.Work(lambda: 7, 1, (7).__eq__)
    rows = [turns.Row("sevens", "sevens", work), turns.Row("more sevens", "sevens", work)]
    good = turns.compare

    def once(row: turns.Row, *rest: Any) -> dict[str, Any]:
        if row is rows[1]:
            raise KeyboardInterrupt
        return good(row, *rest)

    monkeypatch.setattr(lanes, "rows", lambda *_, **__: rows)
    monkeypatch.setattr(turns, "compare", once)
    path = tmp_path / "out.json"
    text = run("bench", "lanes", "--rounds", "1", "--out", str(path), status=130).stdout
    assert "sevens/s" in text
    assert "more sevens" not in text
    assert "interrupted: 1 rows were complete" in text
    document = json.loads(run("bench", "lanes", "--rounds", "1", "--json", status=130).stdout)
    assert (document["complete"], [row["what"] for row in document["rows"]]) == (False, ["sevens"])
    assert not path.exists()


def test_an_interrupted_benchmark_of_techniques_tells_the_whole_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    from rookery.bench import attacks, turns

    good, calls = turns.timed, 0

    def until(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        # Two techniques: one timing each to begin with, then two each a round; in the third round it breaks off.
        if calls == 2 + 4 + 4 + 3:
            raise KeyboardInterrupt
        return good(*arguments)

    monkeypatch.setattr(attacks, "timed", until)
    command = ["bench", "attacks", "rays", "--rounds", "5", "--positions", "8"]
    document = json.loads(run(*command, "--json", status=130).stdout)
    assert (document["rounds"], document["complete"]) == (2, False)
    assert {row["name"] for row in document["techniques"]} == {"pext", "rays"}
    calls = 0
    assert "2 rounds of 5: interrupted" in run(*command, status=130).stdout
    calls = 10
    assert "interrupted" in run(*command, status=130).stderr
