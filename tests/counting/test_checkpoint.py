"""Counts that go on from a file: after any interruption, with a full disk, and not from another count's file."""

import errno
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from rookery.board.board import Board
from rookery.cli import main
from rookery.counting.checkpoint import Checkpoint, read_checkpoint
from rookery.counting.walk import POSITIONS
from rookery.counting.workers import counting
from rookery.sources import files

OTHER = r"of other work \(depth was 7, now 6\): repeat that work, or remove the file, or start anew with --force"


def test_a_count_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "count.json"
    board = Board()
    begun = counting(board, 7, checkpoint=file)
    for progress in begun:
        if progress.done > 20:
            break
    begun.close()
    kept = json.loads(file.read_text())
    assert 20 < len(kept["leaves"]) < 400
    steps = list(counting(board, 7, threads=2, hash_mb=1, checkpoint=file))
    assert steps[-1].nodes == 3_195_901_860
    assert steps[-1].fresh == 3_195_901_860 - sum(kept["leaves"].values())
    assert list(counting(board, 7, checkpoint=file))[-1] == (3_195_901_860, 0, 400, 400)


def test_a_checkpoint_is_of_one_count_only(tmp_path: Path) -> None:
    file = tmp_path / "count.json"
    with Checkpoint(file, Board(), 7, 400) as checkpoint:
        checkpoint.save({1: 5})
        with pytest.raises(ValueError, match=r"^checkpoint: .*count\.json: is in use by another process: wait until"):
            next(counting(Board(), 7, checkpoint=file))
    before = file.read_bytes()
    with pytest.raises(ValueError, match=OTHER):
        next(counting(Board(), 6, checkpoint=file))
    damaged = {
        "not json": b"{",
        "another document": b'{"a": 1}',
        "no document": b"[]",
        "a changed count": before.replace(b'"1": 5', b'"1": 6'),
        "a part that is no number": before.replace(b'"1": 5', b'"x": 5'),
    }
    for what, content in damaged.items():
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"checkpoint: .*count\.json: .*damaged"):
            next(counting(Board(), 7, checkpoint=file))
        assert file.read_bytes() == content, what


@pytest.mark.parametrize("change", [lambda text: text, lambda text: text.replace("0", "1", 1)])
def test_force_begins_a_checkpoint_of_other_work_or_a_damaged_one_anew(
    tmp_path: Path, change: Callable[[str], str]
) -> None:
    file = tmp_path / "count.json"
    with Checkpoint(file, Board(), 7, 400) as held:
        result = CliRunner().invoke(main, ["perft", "start", "5", "--checkpoint", str(file), "--force"])
        assert result.exit_code == 2
        assert "is in use by another process: wait until that ends" in result.stderr
        held.save({1: 5})
    file.write_text(change(file.read_text()))
    command = ["perft", "start", "5", "--checkpoint", str(file)]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 2
    assert ", or start anew with --force" in result.stderr.splitlines()[-1]
    assert CliRunner().invoke(main, [*command, "--force"]).stdout.startswith("4,865,609 nodes, ")
    again = CliRunner().invoke(main, command).stdout
    assert again.startswith("4,865,609 nodes (4,865,609 of them from the checkpoint)")
    (tmp_path / "notes").write_text("my notes")
    result = CliRunner().invoke(main, ["perft", "start", "5", "--checkpoint", str(tmp_path / "notes"), "--force"])
    assert result.exit_code == 2
    assert (tmp_path / "notes").read_text() == "my notes"


@pytest.mark.parametrize(
    "content", [b"", b"my notes", b"[" * 100_000, b"\0", b'{"about": "rookery perft, version 1", "a": 1}']
)
def test_a_file_that_is_no_checkpoint_is_reported_and_kept(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"^checkpoint: .*notes: .*damaged"):
        next(counting(Board(), 5, checkpoint=file))
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("notes", content)]


@pytest.mark.parametrize(
    "leaves", [7, {"x": 5}, {"-1": 5}, {"1": -5}, {"1": 5.0}, {"1": "5"}, {"1": math.inf}, {"400": 5}, {"²": 1}]
)
def test_leaves_that_cannot_be(tmp_path: Path, leaves: Any) -> None:
    file = tmp_path / "count.json"
    count = {"fen": Board().fen(shredder=True), "depth": 7, "parts": 400}
    files.save(file, files.Kind("checkpoint", "rookery perft, version 1"), {**count, "leaves": leaves})
    with pytest.raises(ValueError, match=r"^checkpoint: .*count\.json: (leaves|part 400): expected"):
        next(counting(Board(), 7, checkpoint=file))


def test_parts_of_a_checkpoint_are_those_of_its_count(tmp_path: Path) -> None:
    file = tmp_path / "count.json"
    with Checkpoint(file, Board(), 7, 400) as checkpoint:
        checkpoint.save({0: 0, 399: 7})
    assert read_checkpoint(file) == {0: 0, 399: 7}
    with Checkpoint(file, Board(), 7, 400) as checkpoint:
        assert checkpoint.leaves == {0: 0, 399: 7}
        checkpoint.save({0: 1, 400: 5})
    with pytest.raises(ValueError, match=r"^checkpoint: .*count\.json: part 400: expected parts up to 399$"):
        Checkpoint(file, Board(), 7, 400)


def test_a_checkpoint_where_none_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for path, message in (
        ("no/such", "checkpoint: no/such: there is no folder 'no'"),
        ("file/such", "checkpoint: file/such: there is no folder 'file'"),
        ("", "checkpoint: '': expected the name of a file"),
        ("/dev/full", "checkpoint: /dev/full: expected a file"),
    ):
        with pytest.raises(ValueError, match=f"^{message}$"):
            next(counting(Board(), 5, checkpoint=path))
        # The command says so before it compiles anything, and asks for no position first.
        result = CliRunner().invoke(main, ["perft", "no position", "5", "--checkpoint", path])
        assert result.exit_code == 2
        assert message in result.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_a_checkpoint_of_another_count_is_reported_before_compilation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "count.json"
    Checkpoint(file, Board(), 7, 400).close()
    monkeypatch.setattr("rookery.counting.workers.counting", None)
    for position, depth in (("start", "6"), ("kiwipete", "7")):
        result = CliRunner().invoke(main, ["perft", position, depth, "--checkpoint", str(file)])
        assert result.exit_code == 2
        assert "is of other work" in result.stderr


def full(descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_does_not_end_a_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "count.json"
    monkeypatch.setattr("rookery.counting.workers._SAVES", 0.0)
    printed: list[str] = []
    begun = counting(Board(), 7, threads=2, checkpoint=file, tell=printed.append)
    next(begun)
    whole = file.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    assert [*begun][-1].nodes == 3_195_901_860
    assert printed == [f"checkpoint: {file}: No space left on device: what is counted from now on may not be kept"]
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("count.json", whole)]
    monkeypatch.undo()
    assert [*counting(Board(), 7, checkpoint=file)][-1].nodes == 3_195_901_860


def test_a_full_disk_from_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ValueError, match=r"^checkpoint: .*count\.json: No space left on device$"):
        next(counting(Board(), 6, checkpoint=tmp_path / "count.json"))
    assert [*tmp_path.iterdir()] == []


def test_a_full_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "count.json"
    Checkpoint(file, Board(), 5, 20).close()
    monkeypatch.setattr(os, "fsync", full)
    result = CliRunner().invoke(main, ["perft", "start", "5", "--checkpoint", str(file)])
    assert result.exit_code == 0
    assert result.stdout.startswith("4,865,609 nodes, ")
    assert f"checkpoint: {file}: No space left on device" in result.stderr


# The command, with a pause before each part: without them, it ends in a second and a half.
SLOWLY: Final = """
import runpy, time
from rookery.counting import workers
portions = workers.portions
workers.portions = lambda *arguments: (time.sleep(0.01), portions(*arguments))[1]
runpy.run_module("rookery", run_name="__main__")
"""


def begin(file: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", SLOWLY, "perft", "kiwipete", "6", "--checkpoint", str(file), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def parts_kept(file: Path) -> int:
    try:
        return len(json.loads(file.read_text())["leaves"])
    except FileNotFoundError:
        return 0


def test_an_interrupted_command_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Ended by Ctrl-C, gone on with, killed, and gone on with."""
    file = tmp_path / "count.json"
    kept = 0
    for sign in (signal.SIGINT, signal.SIGKILL):
        run = begin(file)
        deadline = time.monotonic() + 120
        while parts_kept(file) < kept + 3 and time.monotonic() < deadline:
            time.sleep(0.02)
        run.send_signal(sign)
        try:
            out, err = run.communicate(timeout=60)
        finally:
            run.kill()
        if sign == signal.SIGINT:
            assert run.returncode == 130, (out, err, parts_kept(file))
            assert "so far: interrupted" in out
        before, kept = kept, parts_kept(file)
        assert before + 3 <= kept < 2_039
    # Finish it here: what the file says is counted is not counted again.
    steps = list(counting(Board(POSITIONS["kiwipete"]), 6, threads=2, checkpoint=file))
    assert steps[0].done >= kept
    assert steps[-1].nodes == 8_031_647_685
