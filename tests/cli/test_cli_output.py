"""Where output cannot go, or is not read to its end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run


def test_what_cannot_be_written_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    target, folder = tmp_path / "target", tmp_path / "folder"
    target.write_text("before")
    d1 = ["--piece", "bishop", "--square", "d1"]
    (tmp_path / "orders").write_text('{"orders": []}')
    (tmp_path / "ranges").write_text('{"ranges": []}')
    for path, command in (
        (target, ["magics", "atlas", "--out", str(target)]),
        (tmp_path / "orders", ["magics", "pilot", *d1, "--tries", "0", "--out", str(tmp_path / "orders")]),
        (tmp_path / "ranges", ["magics", "ranges", "--out", str(tmp_path / "ranges")]),
        (target, ["bench", "attacks", "rays", "--rounds", "1", "--positions", "8", "--out", str(target)]),
        (folder, ["export", "json", "--technique", "rays", "--out", str(folder)]),
    ):
        assert run(*command, status=1).stderr.strip() == f"Error: --out: {path}: No space left on device"
    assert {p.name: p.read_text() for p in tmp_path.iterdir() if p.is_file()} == {
        "target": "before",
        "orders": '{"orders": []}',
        "ranges": '{"ranges": []}',
    }
    assert [*folder.iterdir()] == []


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
@pytest.mark.parametrize(
    "command",
    [
        ["--help"],
        ["--version"],
        ["magics", "--help"],
        ["techniques"],
        ["techniques", "--json"],
        ["show", "rays"],
        ["moves", "start"],
        ["fen", "start", "--json"],
        ["export", "json", "--technique", "rays"],
        ["magics", "atlas"],
        ["magics", "ranges", "--json"],
    ],
)
def test_output_to_a_full_device_is_told_in_a_line(command: list[str]) -> None:
    assert_a_full_device_is_told(command)


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
@pytest.mark.parametrize("command", [["--help"], ["techniques"], ["fen", "start", "--json"]])
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
