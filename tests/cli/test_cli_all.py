"""What holds for every command: JSON, help, Ctrl-C, errors of the machine, and texts from anywhere."""

import json
import os
import re
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from command_line import KIWIPETE, commands_of, run
from rookery.cli import main
from rookery.cli.options import OutputFile, writes_files

COMMANDS = dict(commands_of())
# What each needs to begin.
ARGUMENTS: dict[tuple[str, ...], list[str]] = {
    ("show",): ["rays"],
    ("attacks",): ["start", "a1"],
    ("explain",): ["rays", "a1"],
    ("explore",): ["--no-open"],
    ("perft",): ["start", "1"],
    ("moves",): ["start"],
    ("fen",): ["start"],
    ("games",): ["-", "--stats"],
    ("openings",): ["-"],
    ("duplicates",): ["-"],
    ("annotate",): ["-", "-o", "OUT.parquet"],
    ("convert",): ["-", "-o", "OUT.binpack"],
    ("dataset",): ["docs/lichess-2025-05.pgn.zst", "-o", "OUT"],
    ("index",): ["docs/lichess-2025-05.pgn.zst", "-o", "OUT"],
    ("search",): ["-", "is_mate"],
    ("stats",): ["-"],
    ("tactics",): ["tests/samples/puzzles.csv"],
    ("export",): ["c", "--technique", "rays"],
}
every_command = pytest.mark.parametrize("path", COMMANDS, ids=" ".join)


@every_command
def test_every_command_has_json(path: tuple[str, ...]) -> None:
    assert "--json" in [option for p in COMMANDS[path].params for option in p.opts]
    assert "--json" in run(*path, "--help").stdout


def test_help_and_version() -> None:
    for command in (
        [],
        ["attacks"],
        ["magics"],
        ["magics", "find"],
        ["bench", "attacks"],
        ["bench", "lanes"],
        ["verify"],
    ):
        assert "Usage:" in run(*command, "--help").stdout
    assert "rookery, version" in run("--version").stdout


@every_command
def test_ctrl_c_gives_130(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(COMMANDS[path], "callback", interrupted)
    result = run(*path, *ARGUMENTS.get(path, []), status=130)
    assert "Aborted" not in result.output
    assert "interrupted" in result.stderr


@every_command
@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_sigterm_gives_143(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    def terminated(**options: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)

    monkeypatch.setattr(COMMANDS[path], "callback", terminated)
    result = run(*path, *ARGUMENTS.get(path, []), status=143)
    assert "interrupted" in result.stderr
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_sigterm_stays_as_whoever_runs_a_command_has_set_it(monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[int] = []

    def terminated(**options: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(COMMANDS[("techniques",)], "callback", terminated)
    before = signal.signal(signal.SIGTERM, lambda number, frame: received.append(number))
    try:
        run("techniques")
        with ThreadPoolExecutor(1) as pool:  # where no handler can be set
            pool.submit(run, "techniques").result()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert received == [signal.SIGTERM] * 2


OUTPUTS = [
    (path, param)
    for path, command in COMMANDS.items()
    for param in command.params
    if isinstance(param.type, OutputFile)
]


@pytest.mark.parametrize(
    ("path", "param"), OUTPUTS, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_no_file_is_overwritten_unless_forced(
    path: tuple[str, ...], param: click.Parameter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Path] = []
    target, link, free = tmp_path / "a.json", tmp_path / "link.json", tmp_path / "free.json"
    target.write_text("precious")
    link.symlink_to(target)
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    work = writes_files(lambda **options: ran.append(options[param.name or ""]))
    monkeypatch.setattr(COMMANDS[path], "callback", work)
    monkeypatch.chdir(tmp_path)
    for written in (free, pipe, Path("/dev/null"), Path("/dev/stdout")):
        run(*path, *ARGUMENTS.get(path, []), param.opts[0], str(written))
        assert ran.pop() == written
    for written in (target, link):
        if param.type.continued:  # type: ignore[attr-defined]
            run(*path, *ARGUMENTS.get(path, []), param.opts[0], str(written))
            assert ran.pop() == written
            continue
        result = run(*path, *ARGUMENTS.get(path, []), param.opts[0], str(written), status=2)
        message = f"{param.opts[0]}: {str(written)!r} exists already: give another name, or --force to overwrite it"
        assert message in result.stderr
        assert ran == []
        run(*path, *ARGUMENTS.get(path, []), "--force", param.opts[0], str(written))
        assert ran.pop() == written
    assert target.read_text() == "precious"


@every_command
def test_errors_of_the_machine_are_reported_in_one_line(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for error, message in (
        (MemoryError("of 8 TiB"), "out of memory: of 8 TiB"),
        (RecursionError("maximum depth"), "nested too deep: maximum depth"),
        (OSError(28, "No space left on device", "[/x]\x1b.txt"), "[/x]\\x1b.txt: No space left on device"),
        (ModuleNotFoundError("needs zstandard: pip install it", name="zstandard"), "needs zstandard: pip install it"),
    ):

        def refuse(error: Exception = error, **options: object) -> None:
            raise error

        monkeypatch.setattr(COMMANDS[path], "callback", refuse)
        result = run(*path, *ARGUMENTS.get(path, []), status=1)
        assert result.stderr.strip() == f"Error: {message}"
        with pytest.raises(type(error)):
            CliRunner().invoke(main, ["--debug", *path, *ARGUMENTS.get(path, [])], catch_exceptions=False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "kogge"), "did you mean 'kogge-stone'"),
        (("attacks", "8/8/8/8/8/8/8/8", "e4"), "nothing on e4 is no sliding piece"),
        (("attacks", KIWIPETE, "e1"), "white king on e1 is no sliding piece"),
        (("attacks", KIWIPETE, "e9"), "square: 'e9'"),
        (("attacks", KIWIPETE, "f3", "--piece", "x"), "--piece: 'x': expected rook, bishop or queen"),
        (("attacks", "8/8", "f3"), "has 2 ranks, expected 8"),
        (("attacks", KIWIPETE, "f3", "--technique", "magic"), "did you mean"),
        (("verify", "pextt"), "did you mean 'pext'"),
        (("magics", "find", "--square", "z9"), "square: 'z9'"),
        (("magics", "find", "--seed", "-1"), "Invalid value for '--seed'"),
        (("nonsense",), "No such command"),
    ],
)
def test_errors_are_for_people(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments, status=2)
    assert message in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("perft", "start", "3", "--rounds", "2"), "--rounds: goes with --technique all only"),
        (("perft", "startx", "3"), "position: 'startx': expected a FEN, one of start, kiwipete"),
        (("perft", "start", "-1"), "No such option"),
        (("perft", "start", "65"), "depth: 65: expected 0 to 64"),
        (("perft", "start", "x"), "is not a valid integer"),
        (("perft", "start", "0", "--divide"), "depth: 0: expected at least 1 to divide"),
        (("perft", "start", "2", "--divide", "--stats"), "choose one"),
        (("perft", "start", "2", "--against", "no-such-engine"), "'no-such-engine' cannot be started"),
        (("perft", "8/8/8/8/8/8/8/8 w - - 0 1", "2"), "white has no king"),
        (("moves", "8/8 w - - 0 1"), "has 2 ranks, expected 8"),
    ],
)
def test_errors_of_positions_are_for_people(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments, status=2)
    assert message in result.stderr.replace("\n", " ")


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


def test_faults_of_a_fen_are_printed_without_markup() -> None:
    for fen in ("\x1b[31m[/red]", "4k3/8/8/8/8/8/8/4K3 [/x] \x1b[0m \x9b - [bold]"):
        result = run("fen", fen, status=1)
        assert not re.search("[\x1b\x9b]", result.output)
        assert "\\x1b" in result.output
        assert json.loads(run("fen", fen, "--json", status=1).stdout)["fen"] == fen


def test_names_of_files_are_printed_without_markup(tmp_path: Path) -> None:
    folder = tmp_path / "[red]\x1b]0;x\x07"
    text = run("export", "c", "--technique", "rays", "--out", str(folder)).stdout
    assert "\x1b" not in text
    assert "[red]\\x1b]0;x\\x07/rookery_attacks.c" in text
    result = run("export", "c", "--technique", "rays", "--out", str(folder), status=2)
    assert "already there; overwrite with --force" in result.stderr.replace("\n", " ")
    assert "\x1b" not in result.output
