"""`rookery convert --executor` writes the same file as without, also after it was killed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from game_samples import SAMPLE

RANGES = "import sys; from rookery.games.read import on_executor; on_executor.RANGE = 20_000; "
COMMAND = "from rookery.cli import main; sys.argv[0] = 'rookery'; main()"


def start(words: list[str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", RANGES + COMMAND, "convert", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    (tmp_path / "a.pgn").write_bytes(SAMPLE.read_bytes() * 30)
    (tmp_path / "b.pgn").write_bytes(SAMPLE.read_bytes() * 5 + b"\n1. e4 { [%eval 0.2] } Ke3 *\n")
    (tmp_path / "c.csv").write_text("fen,cp,result\n8/8/8/4k3/8/8/4P3/4K3 w - - 0 1,310,1.0\n")
    return [str(tmp_path / name) for name in ("a.pgn", "b.pgn", "c.csv", "b.pgn")]


@pytest.mark.parametrize("suffix", [".binpack", ".vf", ".plain", ".bullet.zst"])
@pytest.mark.parametrize("executor", ["threads:2", "processes:2"])
def test_the_file_and_the_counts_are_the_same(suffix: str, executor: str, inputs: list[str], tmp_path: Path) -> None:
    documents = []
    for name, options in (("one", []), ("two", ["--executor", executor])):
        process = start([*inputs, "-o", str(tmp_path / f"{name}{suffix}"), "--json", *options])
        printed, errors = process.communicate(timeout=120)
        assert printed, errors
        document = json.loads(printed)
        for key in ("out", "seconds"):
            document.pop(key)
        documents.append(document)
    assert documents[0] == documents[1]
    assert documents[0]["positions"] == documents[0]["written"] + sum(documents[0]["dropped"].values()) > 20_000
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()
    assert not list(tmp_path.glob("*.parts"))


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_conversion_goes_on(number: signal.Signals, inputs: list[str], tmp_path: Path) -> None:
    out = tmp_path / "two.plain"
    words = [*inputs, "-o", str(out), "--executor", "threads:1"]
    process = start(words)
    parts = tmp_path / "two.plain.parts"
    while process.poll() is None and len(list(parts.glob("part-*"))) < 3:
        os.sched_yield()
    process.send_signal(number)
    printed = process.communicate(timeout=60)[0]
    if process.returncode == 0:
        pytest.skip("it was done before the signal")
    assert process.returncode == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert number == signal.SIGKILL or "the same command goes on from here" in printed
    assert not out.exists()
    assert parts.exists()
    for arguments in (words, [*inputs, "-o", str(tmp_path / "one.plain")]):
        process = start(arguments)
        printed, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    assert out.read_bytes() == (tmp_path / "one.plain").read_bytes()
    assert not list(tmp_path.glob("*.parts"))


def test_files_of_positions_are_not_divided(inputs: list[str], tmp_path: Path) -> None:
    process = start([inputs[2], "-o", str(tmp_path / "a.plain"), "--executor", "threads:2"])
    assert "only files of games are divided into tasks" in process.communicate(timeout=60)[1]
