"""What is left of a dataset whose making was interrupted; `tests/tasks/test_stopped_jobs.py` goes on with it."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from naive_datasets import docs_text
from rookery import make_dataset, open_dataset
from rookery.data.datasets.making import UNFINISHED, Progress

FILES = 24


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Files of a few games each, the last of many: each file is a task."""
    folder = tmp_path_factory.mktemp("inputs")
    games = ["[Event " + game for game in docs_text().split("[Event ")[1:]]
    for i in range(FILES):
        (folder / f"{i:02d}.pgn").write_text("".join(random.Random(i).choices(games, k=3 if i < FILES - 1 else 14)))
    return [str(path) for path in sorted(folder.iterdir())]


@pytest.mark.skipif(sys.platform == "win32", reason="no limits")
def test_a_full_disk_is_an_error_that_keeps_what_is_done(inputs: list[str], tmp_path: Path) -> None:
    program = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY)); "
    command = [sys.executable, "-c", program + "from rookery.cli import main; main()", "dataset", *inputs]
    words = ["-o", str(tmp_path / "a"), "--split", "1", "--shuffle"]
    stopped = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    assert stopped.returncode == 1
    assert "File too large" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    assert (tmp_path / "a" / UNFINISHED / "journal").read_bytes().count(b"\n") > 1
    for name in "ab":
        make_dataset(inputs, tmp_path / name, split=(1,), shuffle=True)
    a, b = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in "ab")
    assert a == b


def test_a_part_of_another_dataset_is_refused(inputs: list[str], tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_dataset(inputs, tmp_path / "a", watch=stop)
    with pytest.raises(FileNotFoundError, match="expected a dataset"):
        open_dataset(tmp_path / "a")
    with pytest.raises(ValueError, match=r"is of other work \(other stages, other exchanges.*\): .*--force"):
        make_dataset(inputs, tmp_path / "a", unique=True)
    made = make_dataset(inputs, tmp_path / "a")
    with pytest.raises(FileExistsError, match=r"has a dataset of other inputs or options: .*--force"):
        make_dataset(inputs, tmp_path / "a", unique=True)
    again = make_dataset(inputs, tmp_path / "a", unique=True, force=True)
    assert sum(again.rows.values()) < sum(made.rows.values())
    assert {path.name for path in (tmp_path / "a").iterdir()} == {"manifest.json", *(s.file for s in again.shards)}
