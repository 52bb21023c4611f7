"""`rookery convert --executor` writes the same file as without."""

import subprocess
import sys
from pathlib import Path

import pytest

from command_line import document
from game_samples import SAMPLE
from rookery.data.pipeline import inputs as inputs_of_plans
from rookery.data.training.tasks import division
from thinning import slow

RANGES = (
    "import sys; from rookery.data.pipeline import inputs; inputs.TASK_BYTES = 10_000; "
    "from rookery.data.training.tasks import division; division.RANGE = 10_000; "
)
COMMAND = "from rookery.cli import main; sys.argv[0] = 'rookery'; main()"


def start(words: list[str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", RANGES + COMMAND, "convert", *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs_of_plans, "TASK_BYTES", 10_000)
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


def test_standard_input_is_read_here(tmp_path: Path) -> None:
    text = "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nmove e2e4\nscore 34\nply 0\nresult 1\ne\n"
    words = ["-", "--from", "plain", "-o", str(tmp_path / "a.vf"), "--executor", "threads:2"]
    process = start(words)
    assert "1 positions read, 1 written" in process.communicate(text, timeout=60)[0]
