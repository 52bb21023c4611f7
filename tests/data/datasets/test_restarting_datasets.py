"""Datasets whose making is killed, interrupted or meets a full disk: they go on, and become the same bytes."""

import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from naive_datasets import docs_text
from named_executors import executors
from rookery import make_dataset, open_dataset
from rookery.data.datasets.making import UNFINISHED, Progress
from thinning import slow

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no signals")
OPTIONS = ("--split", "0.6,0.2,0.2", "--shuffle", "--dedupe", "--shards", "6")
FILES = 24


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Files of a few games each, the last of many: each file is a task."""
    folder = tmp_path_factory.mktemp("inputs")
    games = ["[Event " + game for game in docs_text().split("[Event ")[1:]]
    for i in range(FILES):
        (folder / f"{i:02d}.pgn").write_text("".join(random.Random(i).choices(games, k=3 if i < FILES - 1 else 14)))
    return [str(path) for path in sorted(folder.iterdir())]


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder, but for those that are still being written, or were when their process was killed."""
    files = (path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".rookery-"))
    return {path.name: path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def undisturbed(inputs: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed") / "dataset"
    make_dataset(inputs, folder, split=(0.6, 0.2, 0.2), shuffle=True, dedupe=True, shards=6)
    return contents(folder)


def started(inputs: list[str], folder: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "rookery", "dataset", *inputs, "-o", str(folder), *OPTIONS, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_tasks(process: "subprocess.Popen[str]", folder: Path, tasks: int) -> None:
    """Wait until the journal has this number of tasks, or the process ends."""
    journal = folder / UNFINISHED / "journal"
    while process.poll() is None:
        try:
            if journal.read_bytes().count(b"\n") > tasks:
                return
        except FileNotFoundError:
            pass
        time.sleep(0.002)


def finish(inputs: list[str], folder: Path, *options: str) -> None:
    process = started(inputs, folder, *options)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors


STOPS = [
    ((), signal.SIGINT),
    slow(("--executor", "processes:2"), signal.SIGKILL),
    slow(("--threads", "2"), signal.SIGKILL),
    slow(("--executor", "processes:2"), signal.SIGINT),
]


@pytest.mark.parametrize(("options", "number"), STOPS, ids=str)
def test_what_is_stopped_goes_on(
    options: tuple[str, ...], number: int, inputs: list[str], undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "dataset"
    for tasks in sorted(random.Random(f"{options}{number}").sample(range(1, FILES + 6), 2)):
        process = started(inputs, folder, *options)
        wait_for_tasks(process, folder, tasks)
        process.send_signal(number)
        printed, errors = process.communicate(timeout=60)
        if number == signal.SIGINT and process.returncode:
            assert process.returncode == 130, errors
            assert "interrupted: the same command goes on from here" in printed
        assert all(undisturbed[name] == content for name, content in contents(folder).items())
    finish(inputs, folder, *options)
    assert contents(folder) == undisturbed
    assert not (folder / UNFINISHED).exists()


@pytest.mark.slow
@pytest.mark.parametrize("executor", executors("dask:2", "ray:local"))
def test_clusters_go_on_and_make_the_same_bytes(
    executor: str, inputs: list[str], undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "dataset"
    process = started(inputs, folder, "--executor", executor)
    wait_for_tasks(process, folder, 9)
    process.kill()
    process.communicate(timeout=60)
    finish(inputs, folder, "--executor", executor)
    assert contents(folder) == undisturbed


@pytest.mark.slow
def test_twenty_kills_at_random_times(inputs: list[str], undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    rng = random.Random(7)
    folder = tmp_path / "dataset"
    kills = 0
    while kills < 20:
        process = started(inputs, folder, "--executor", rng.choice(["processes:2", "threads:2", "threads:1"]))
        try:
            process.communicate(timeout=rng.uniform(0.2, 2.5))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
        if folder.exists():
            assert all(undisturbed[name] == content for name, content in contents(folder).items())
            if (folder / "manifest.json").exists():
                folder = tmp_path / f"dataset-{kills}"
    finish(inputs, folder)
    assert contents(folder) == undisturbed


def test_a_full_disk_is_an_error_that_keeps_what_is_done(
    inputs: list[str], undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "dataset"
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, {resource.RLIM_INFINITY}))"
    program = f"{limit}; from rookery.cli import main; main()"
    command = [sys.executable, "-c", program, "dataset", *inputs, "-o", str(folder), *OPTIONS]
    stopped = subprocess.run(command, capture_output=True, text=True, check=False)
    assert stopped.returncode == 1
    assert "File too large" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    assert not (folder / "manifest.json").exists()
    with pytest.raises(FileNotFoundError, match="expected a dataset"):
        open_dataset(folder)
    assert (folder / UNFINISHED / "journal").read_bytes().count(b"\n") > 1
    finish(inputs, folder)
    assert contents(folder) == undisturbed


def test_two_processes_cannot_make_one_dataset(inputs: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "dataset"

    def second(_: object) -> None:
        with pytest.raises(ValueError, match="is in use by another process"):
            make_dataset(inputs, folder)

    make_dataset(inputs, folder, watch=second)


def test_a_part_of_another_dataset_is_refused(inputs: list[str], tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_dataset(inputs, tmp_path / "a", watch=stop)
    with pytest.raises(ValueError, match=r"is of other work \(dedupe was False, now True\): .*--force"):
        make_dataset(inputs, tmp_path / "a", dedupe=True)
    made = make_dataset(inputs, tmp_path / "a")
    with pytest.raises(FileExistsError, match=r"has a dataset of other inputs or options: .*--force"):
        make_dataset(inputs, tmp_path / "a", dedupe=True)
    again = make_dataset(inputs, tmp_path / "a", dedupe=True, force=True)
    assert sum(again.rows.values()) < sum(made.rows.values())
    assert {path.name for path in (tmp_path / "a").iterdir()} == {"manifest.json", *(s.file for s in again.shards)}
