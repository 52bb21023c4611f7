"""Where output cannot go, or is not read to its end."""

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TextIO

import pytest

from command_line import run
from rookery.cli import main
from rookery.cli.common import out
from thinning import slow


def test_unwritable_output_is_reported_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    target, folder = tmp_path / "target", tmp_path / "folder"
    target.write_text("before")
    d1 = ["--piece", "bishop", "--square", "d1"]
    (tmp_path / "orders").write_text('{"orders": []}')
    (tmp_path / "ranges").write_text('{"ranges": []}')
    for path, command in (
        (target, ["magics", "atlas", "--force", "--out", str(target)]),
        (tmp_path / "orders", ["magics", "pilot", *d1, "--tries", "0", "--out", str(tmp_path / "orders")]),
        (tmp_path / "ranges", ["magics", "ranges", "--out", str(tmp_path / "ranges")]),
        (target, ["bench", "attacks", "rays", "--rounds", "1", "--positions", "8", "--force", "--out", str(target)]),
        (folder, ["export", "json", "--technique", "rays", "--out", str(folder)]),
    ):
        assert run(*command, status=1).stderr.strip() == f"Error: --out: {path}: No space left on device"
    assert {p.name: p.read_text() for p in tmp_path.iterdir() if p.is_file()} == {
        "target": "before",
        "orders": '{"orders": []}',
        "ranges": '{"ranges": []}',
    }
    assert [*folder.iterdir()] == []


# To start a process takes half a second, so most commands are called in this one, with its streams replaced by what
# Python makes of closed or full ones. A few commands, whose output is written in different ways, start processes.

SOURCE = Path(__file__).parents[2]
FULL = Path("/dev/full")


def called(command: str, stdout: TextIO | None, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Call a command with this standard output; return its status and what it prints on standard error."""
    errors = io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stdout)
        patch.setattr(sys, "stderr", errors)
        patch.setattr("rookery.explain.explorer.explorer", lambda: "a page")  # which takes seconds to make
        patch.chdir(SOURCE)
        with pytest.raises(SystemExit) as end:
            main(shlex.split(command), prog_name="rookery")
        if stdout is None:
            assert sys.stdout is not None
            os.close(sys.stdout.fileno())  # opened in place of the closed stream
    out._buffer.clear()  # what could not be written, which the next command would print
    assert isinstance(end.value.code, int)
    return end.value.code, errors.getvalue().strip()


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
@pytest.mark.parametrize("command", ["--help", "fen start --json"])  # others are called in this process, below
def test_output_to_a_full_device_is_reported_in_one_line(command: str) -> None:
    assert_a_full_device_is_told(command.split())


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "--version",
        "magics --help",
        "techniques",
        "techniques --json",
        "show rays",
        "moves start",
        "fen start --json",
        "export json --technique rays",
        "magics atlas",
        "magics ranges --json",
    ],
)
def test_a_full_stream_is_reported_in_one_line(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with FULL.open("w", encoding="utf-8") as full:
        assert called(command, full, monkeypatch) == (1, "Error: output: No space left on device")


def assert_a_full_device_is_told(command: list[str], unbuffered: str = "") -> None:
    with FULL.open("wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "rookery", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert (result.returncode, result.stderr) == (1, "Error: output: No space left on device\n")


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
@pytest.mark.parametrize("command", [["--help"], ["fen", "start", "--json"]])
def test_the_same_without_a_buffer(command: list[str]) -> None:
    assert_a_full_device_is_told(command, unbuffered="1")


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_messages_to_a_full_device_are_lost_in_silence(unbuffered: str) -> None:
    with FULL.open("wb") as full:
        command = [sys.executable, "-m", "rookery", "techniques", "--no-such"]
        env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        assert subprocess.run(command, stdout=full, stderr=full, check=False, env=env).returncode in (1, 2)


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
def test_a_full_device_with_a_traceback() -> None:
    with FULL.open("wb") as full:
        arguments = [sys.executable, "-m", "rookery", "--debug", "techniques"]
        result = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.stderr.startswith("Traceback")


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m rookery show kogge-stone | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("kogge-stone")
    assert "Traceback" not in done.stderr


# Standard streams that were closed before the program started.

COMMANDS = (
    "--help",
    "--version",
    "magics --help",
    "techniques",
    "show rays",
    "explain rays a1",
    "explore --no-open",
    "attacks start a1 --piece rook",
    "verify rays",
    "perft start 2",
    "perft start 2 --divide",
    "moves start",
    "fen start",
    "fen nonsense",
    "games tests/samples/lichess-2025-05.pgn --stats",
    "search tests/samples/lichess-2025-05.pgn is_mate",
    "magics find --square a1",
    "magics sets",
    "magics atlas",
    "magics ranges",
    "magics pilot --piece bishop --square d1 --tries 0",
    "magics prove --piece bishop --square d1 --bits 4 --ledger :memory:",
    "export c --technique rays",
    "bench attacks rays --rounds 1 --positions 8",
)


def closed(command: str, streams: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command with some standard streams closed."""
    return subprocess.run(
        f"{shlex.quote(sys.executable)} -m rookery {command} {streams}",
        shell=True,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        cwd=SOURCE,
        env={**os.environ, "PYTHONPATH": str(SOURCE / "src")},
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_stream_that_is_closed_is_an_error(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = command.replace(":memory:", str(tmp_path / "ledger"))
    for form in (command, f"{command} --json") if "start" in command else (command,):
        assert called(form, None, monkeypatch) == (1, "Error: standard output is closed")


@pytest.mark.skipif(os.name != "posix", reason="no such shell")
@pytest.mark.parametrize("command", ["--help", "fen start --json"])
def test_output_that_is_closed_is_an_error(command: str) -> None:
    result = closed(command, ">&-")
    assert (result.returncode, result.stderr.strip()) == (1, "Error: standard output is closed")


@pytest.mark.skipif(os.name != "posix", reason="no such shell")
@pytest.mark.parametrize("command", ["--help", "moves start --json"])
def test_what_is_not_needed_may_be_closed(command: str) -> None:
    expected = closed(command, "")
    for streams in ("<&-", "2>&-", "<&- 2>&-"):
        result = closed(command, streams)
        assert (result.returncode, result.stdout, result.stderr) == (0, expected.stdout, "")
    assert closed(command, "<&- >&- 2>&-").returncode == 1


@pytest.mark.skipif(os.name != "posix", reason="no such shell")
def test_a_wrong_option_has_its_status_without_streams() -> None:
    assert closed("fen nonsense --no-such-option", "<&- >&- 2>&-").returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="no such shell")
def test_a_file_never_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """The first file that is opened would get the number of standard output, and what is printed with it."""
    for streams in (">&-", "<&- >&-", "<&- >&- 2>&-"):
        path = tmp_path / "rook.svg"
        result = closed(f"attacks start a1 --piece rook --svg {shlex.quote(str(path))}", streams)
        assert result.returncode == 1
        assert path.read_text().startswith("<svg ")
        assert path.read_text().endswith("</svg>\n") or path.read_text().endswith("</svg>")
        path.unlink()


@pytest.mark.skipif(os.name != "posix", reason="no such shell")
def test_input_that_is_closed_is_an_error() -> None:
    result = closed("games - --stats", "<&-")
    assert result.returncode == 1
    assert result.stderr.strip().startswith("Error: standard input: ")
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="no such shell")
def test_a_reader_that_leaves_is_no_error() -> None:
    for command, readers in (("techniques", ("head -c 1", "true")), ("export c --technique magic-fancy", ("true",))):
        for reader in readers:
            result = closed(command, f"| {reader}")
            assert len(result.stdout) <= 1
            assert result.stderr == ""


NAMED = '[White "Réti"]\n\n1. e4 e5 *\n\n'


@pytest.mark.parametrize(
    "command",
    ["duplicates {games} -o {out}", slow("search {games} 'ply == 1' -o {out}"), slow("search {games} 'ply == 1'")],
)
def test_names_that_the_locale_cannot_encode(command: str, tmp_path: Path) -> None:
    """Such output is an error before anything is written: neither a part of the table nor the file."""
    games, target = tmp_path / "games.pgn", tmp_path / "out.csv"
    games.write_text("".join(['[White "Anna"]\n\n1. e4 *\n\n'] + 2 * [NAMED]), encoding="utf-8")
    words = shlex.split(command.format(games=games, out=target))
    for encoding, is_bad in (("ascii", True), ("latin-1", False)):
        target.unlink(missing_ok=True)
        done = subprocess.run(
            [sys.executable, "-m", "rookery", *words],
            capture_output=True,
            env=os.environ | {"PYTHONIOENCODING": encoding},
            check=False,
        )
        assert done.returncode == is_bad, done.stderr
        assert (done.stdout == b"") == is_bad
        assert target.exists() == (not is_bad and "-o" in words)
        if is_bad:
            assert b"'\\xe9' cannot be written in ascii: set PYTHONIOENCODING=utf-8" in done.stderr
            assert len(done.stderr.splitlines()) == 1
        else:
            assert "Réti" in done.stdout.decode(encoding)
