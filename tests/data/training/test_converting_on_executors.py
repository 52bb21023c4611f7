"""`rookery convert --executor` writes the same file as without, also after it was killed."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rookery
from command_line import document, run
from game_samples import SAMPLE
from rookery.data.training.tasks import division
from rookery.games.read import on_executor
from thinning import slow

RANGES = (
    "import sys; from rookery.games.read import on_executor; on_executor.RANGE = 10_000; "
    "from rookery.data.training.tasks import division; division.RANGE = 10_000; "
)
COMMAND = "from rookery.cli import main; sys.argv[0] = 'rookery'; main()"


def start(words: list[str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", RANGES + COMMAND, "convert", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_executor, "RANGE", 10_000)
    monkeypatch.setattr(division, "RANGE", 10_000)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "a.pgn").write_bytes(SAMPLE.read_bytes() * 8)
    (folder / "b.pgn").write_bytes(SAMPLE.read_bytes() * 3 + b"\n1. e4 { [%eval 0.2] } Ke3 *\n")
    (folder / "c.csv").write_text("fen,cp,result\n8/8/8/4k3/8/8/4P3/4K3 w - - 0 1,310,1.0\n")
    return [str(folder / name) for name in ("a.pgn", "b.pgn", "c.csv", "b.pgn")]


# What a format changes is the same for all executors: one of them in processes, which take seconds to start.
@pytest.mark.parametrize(
    ("suffix", "executors"),
    [
        (".binpack", ("threads:2",)),
        slow(".binpack", ("processes:2",)),
        (".vf", ("threads:2",)),
        (".plain", ("threads:2",)),
        (".bullet.zst", ("threads:2",)),
    ],
)
def test_the_file_and_the_counts_are_the_same(
    suffix: str, executors: tuple[str, ...], inputs: list[str], small_ranges: None, tmp_path: Path
) -> None:
    documents = []
    for i, options in enumerate([(), *(("--executor", executor) for executor in executors)]):
        found = document("convert", *inputs, "-o", str(tmp_path / f"{i}{suffix}"), *options, status=1)
        assert found["bad"] == 2
        for key in ("out", "seconds"):
            found.pop(key)
        documents.append(found)
        assert (tmp_path / f"{i}{suffix}").read_bytes() == (tmp_path / f"0{suffix}").read_bytes()
    assert all(found == documents[0] for found in documents)
    assert documents[0]["positions"] == documents[0]["written"] + sum(documents[0]["dropped"].values()) > 5_000
    assert not list(tmp_path.glob("*.parts"))


@pytest.fixture(scope="module")
def undisturbed(inputs: list[str], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("undisturbed") / "one.plain"
    run("convert", *inputs, "-o", str(path), status=1)  # two games are bad
    return path.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize("number", [slow(signal.SIGKILL), signal.SIGINT, slow(signal.SIGTERM)])
def test_an_interrupted_conversion_goes_on(
    number: signal.Signals, inputs: list[str], undisturbed: bytes, small_ranges: None, tmp_path: Path
) -> None:
    out = tmp_path / "two.plain"
    words = [*inputs, "-o", str(out), "--executor", "threads:1"]
    process = start(words)
    parts = tmp_path / "two.plain.parts"
    while process.poll() is None and len(list(parts.glob("part-*"))) < 3:
        os.sched_yield()
    process.send_signal(number)
    printed = process.communicate(timeout=60)[0]
    if process.returncode == 1:
        pytest.skip("it was done before the signal")
    assert process.returncode == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert number == signal.SIGKILL or "the same command goes on from here" in printed
    assert not out.exists()
    assert parts.exists()
    run("convert", *words, status=1)
    assert out.read_bytes() == undisturbed
    assert not list(tmp_path.glob("*.parts"))


def positions(folder: Path) -> list[str]:
    """Write files of positions that are divided into tasks of 10,000 bytes or less."""
    rows = rookery.ScoredPositions.from_games(rookery.read_pgn(SAMPLE.read_bytes() * 10))
    rows = rookery.ScoredPositions.concatenate([rows[rows.has_score & rows.has_result]] * 3)
    rookery.write_training(rows, folder / "a.binpack")
    for name in ("b.vf", "c.plain", "d.bin"):
        rookery.write_training(rows[:10_000], folder / name)
    (folder / "c.plain").write_text((folder / "c.plain").read_text().replace("score 1", "score one", 3))
    return [str(folder / name) for name in ("a.binpack", "b.vf", "c.plain", "d.bin")]


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 51))
def test_a_killed_conversion_of_positions_goes_on(seed: int, small_ranges: None, tmp_path: Path) -> None:
    rng = random.Random(seed)
    files = positions(tmp_path)
    out = f"two{rng.choice(['.plain', '.vf.zst', '.binpack', '.bullet'])}"
    words = [*files, "-o", str(tmp_path / out), "--errors", str(tmp_path / "two.jsonl")]
    words += ["--executor", rng.choice(["threads:1", "threads:2", "processes:2"])]
    parts, kills = tmp_path / f"{out}.parts", 0
    for tasks in sorted(rng.sample(range(1, 40), 2 if seed == 1 else 3)):
        process = start(words)
        while process.poll() is None and len(list(parts.glob("part-*.arrow"))) < tasks:
            time.sleep(0.002)
        process.send_signal(rng.choice([signal.SIGKILL, signal.SIGINT]))
        process.communicate(timeout=60)
        kills += process.returncode != 1
        if process.returncode == 1:  # it was done: some rows are bad
            break
        assert not (tmp_path / out).exists()
        assert parts.exists()
    assert kills
    found = document("convert", *words, "--force", status=1)
    one = [*files, "-o", str(tmp_path / out.replace("two", "one")), "--errors", str(tmp_path / "one.jsonl")]
    right = document("convert", *one, status=1)
    for key in ("out", "seconds"):
        found.pop(key)
        right.pop(key)
    assert found == right
    assert found["bad"] == 3
    assert (tmp_path / out).read_bytes() == (tmp_path / out.replace("two", "one")).read_bytes()
    assert (tmp_path / "two.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    assert not list(tmp_path.glob("*.parts"))


def test_standard_input_is_not_divided(tmp_path: Path) -> None:
    words = ["-", "--from", "plain", "-o", str(tmp_path / "a.vf"), "--executor", "threads:2"]
    errors = start(words).communicate(timeout=60)[1]
    assert "expected a file, since tasks may read it again" in errors
