"""Commands whose jobs are killed, interrupted or meet a full disk: they go on, and write the same bytes.

The oracle is the same command in one thread, which nothing disturbed.
"""

import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

import rookery
import small_tasks
from command_line import run
from damaged_games import GAMES, damaged
from game_samples import SAMPLE
from named_executors import executors, needs_engine
from packed import zstd_in_frames
from rookery.tasks import running
from thinning import slow, slow_but

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no signals")
INPUTS = ("damaged.pgn", "packed.pgn.zst", "stored.parquet")
ROWS = ("rows.plain", "rows.binpack", "rows.bin")
# Each command with its inputs and its arguments, in which OUT is a folder.
COMMANDS = {
    "games": (INPUTS, "games -o OUT/games.parquet --errors OUT/bad.jsonl"),
    "annotate": (INPUTS, "annotate -o OUT/rows.csv --features legal_moves,tags --every 3 --errors OUT/bad.jsonl"),
    "annotate lines": (("fens.txt", "fens.arrow"), "annotate -o OUT/rows.parquet --features legal_moves"),
    "dataset": (INPUTS, "dataset -o OUT/dataset --split 0.6,0.2,0.2 --shuffle --unique --shards 6 --value none"),
    "convert games": (INPUTS[:2], "convert -o OUT/rows.plain --errors OUT/bad.jsonl"),
    "convert": (ROWS, "convert -o OUT/rows.bullet --errors OUT/bad.jsonl"),
}
OTHER = {"games": "--strict", "annotate": "--every 2", "dataset": "--seed 7"}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with files of every kind that is divided."""
    rng, folder = random.Random(24), tmp_path_factory.mktemp("in")
    games = [damaged(rng, game) if rng.random() < 0.2 else game for game in GAMES * 6]
    (folder / "damaged.pgn").write_bytes(b"\n\n".join(games) + b"\n")
    (folder / "packed.pgn.zst").write_bytes(zstd_in_frames(SAMPLE.read_bytes() * 4))
    read = rookery.read_pgn(SAMPLE.read_bytes() * 8)
    rookery.write_parquet(read[:60], folder / "stored.parquet", row_group_size=20)
    fens = read[:60].positions().to_fens()
    (folder / "fens.txt").write_text("".join(f"{fen if rng.random() < 0.99 else 'bad'}\n" for fen in fens))
    with pa.ipc.new_file(folder / "fens.arrow", pa.schema([("fen", pa.string())])) as file:
        file.write_table(pa.table({"fen": fens}), 200)
    rows = rookery.ScoredPositions.from_games(read)
    rows = rows[rows.has_score & rows.has_result]
    for name in ROWS:
        rookery.write_training(rows, folder / name)
    text = (folder / ROWS[0]).read_text(encoding="utf-8")
    (folder / ROWS[0]).write_text(text.replace("score 1", "score one", 3), encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in small_tasks.SIZES:
        monkeypatch.setattr(module, name, small_tasks.SIZE)


def words_of(command: str, inputs: Path, out: Path, *more: str) -> list[str]:
    names, words = COMMANDS[command]
    first, *others = words.replace("OUT", str(out)).split()
    return [first, *(str(inputs / name) for name in names), *others, *more]


def written(folder: Path) -> dict[str, bytes]:
    """Return the finished files of a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    unfinished = (".parts", "unfinished", ".rookery-")
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    return {name: content for name, content in found.items() if not any(part in name for part in unfinished)}


class Undisturbed:
    """What each command writes in one thread, and its exit status: some games and rows are bad."""

    def __init__(self, inputs: Path, folder: Path) -> None:
        self.inputs, self.folder = inputs, folder
        self.status: dict[str, int] = {}

    def __call__(self, command: str) -> dict[str, bytes]:
        out = self.folder / command.replace(" ", "-")
        if not out.exists():
            out.mkdir()
            process = started(words_of(command, self.inputs, out))
            printed = process.communicate(timeout=60)[0]
            self.status[command] = process.returncode
            assert process.returncode in (0, 1), printed
        found = written(out)
        assert found
        return found


@pytest.fixture(scope="module")
def undisturbed(inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    return Undisturbed(inputs, tmp_path_factory.mktemp("undisturbed"))


def started(words: list[str], before: str = "") -> "subprocess.Popen[str]":
    command = [sys.executable, small_tasks.__file__, *words]
    if before:
        run_after = f"{before}; import runpy, sys; runpy.run_path({small_tasks.__file__!r}, run_name='__main__')"
        command[1:2] = ["-c", run_after]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_tasks(process: "subprocess.Popen[str]", out: Path, tasks: int) -> None:
    """Wait until a journal in the folder has this number of tasks, or the process ends."""
    while process.poll() is None:
        lines = [path.read_bytes().count(b"\n") for path in out.rglob("journal") if path.exists()]
        if lines and lines[0] > tasks:
            return
        time.sleep(0.002)


ON_EXECUTORS = [
    *((command, "threads:2") for command in COMMANDS),
    *slow_but(((command, "processes:2") for command in COMMANDS), ("annotate lines", "processes:2")),
    *(
        pytest.param(command, *executor.values, marks=executor.marks)
        for executor in executors("dask:2", "ray:local", "loky:2")
        for command in ("games", "annotate lines")
    ),
]


@pytest.mark.parametrize(("command", "executor"), ON_EXECUTORS)
def test_every_executor_writes_the_same_bytes(
    command: str, executor: str, inputs: Path, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    right = undisturbed(command)
    words = words_of(command, inputs, tmp_path, "--executor", executor)
    if needs_engine(executor) or executor == "processes:2":
        process = started(words)  # without this process' filters of warnings
        printed = process.communicate(timeout=300)[0]
        assert process.returncode == undisturbed.status[command], printed
    else:
        run(*words, status=undisturbed.status[command])
    assert written(tmp_path) == right
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({name.partition("/")[0] for name in right})


@pytest.mark.parametrize("seed", [1, *map(slow, range(2, 21))])
@pytest.mark.parametrize("command", slow_but(COMMANDS, "annotate lines", "dataset"))
def test_a_stopped_command_goes_on(
    command: str, seed: int, inputs: Path, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    right, rng = undisturbed(command), random.Random(f"{command} {seed}")
    executor = "threads:2" if seed == 1 else rng.choice(["threads:1", "threads:2", "processes:2"])
    words = words_of(command, inputs, tmp_path, "--executor", executor)
    kept = 0
    for number in (signal.SIGINT, signal.SIGKILL) if seed % 2 else (signal.SIGKILL, signal.SIGTERM):
        process = started(words)
        wait_for_tasks(process, tmp_path, kept + rng.randrange(2, 5))
        process.send_signal(number)
        printed = process.communicate(timeout=60)[0]
        if process.returncode == undisturbed.status[command]:
            break  # it was done before the signal
        assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -9}[number], printed
        assert number == signal.SIGKILL or "the same command goes on from here" in printed
        assert all(right[name] == content for name, content in written(tmp_path).items())
        (journal,) = tmp_path.rglob("journal")
        kept = journal.read_bytes().count(b"\n")
        assert kept > 1
    run(*words, status=undisturbed.status[command])
    assert written(tmp_path) == right
    assert not list(tmp_path.rglob("journal"))


# Parts of the other commands are as large as the files that are made of them: with this limit, none would be kept.
@pytest.mark.parametrize("command", ["games", slow("annotate")])
def test_a_full_disk_is_an_error_that_keeps_what_is_done(
    command: str, inputs: Path, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    right = undisturbed(command)
    limit = max(map(len, right.values())) - 1_000
    before = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    before += f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))"
    words = words_of(command, inputs, tmp_path, "--executor", "threads:1")
    process = started(words, before)
    printed = process.communicate(timeout=60)[0]
    assert process.returncode == 1
    assert "File too large" in printed
    assert "Traceback" not in printed
    assert not set(written(tmp_path)) & set(right) - {"bad.jsonl"}
    assert next(iter(tmp_path.rglob("journal"))).read_bytes().count(b"\n") > 1
    run(*words, status=undisturbed.status[command])
    assert written(tmp_path) == right


@pytest.fixture
def interrupted(inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Interrupt jobs in this process after two of their tasks."""
    run_tasks = running.run

    def run_some(*arguments: object, **options: object) -> Iterator[object]:
        for i, result in enumerate(run_tasks(*arguments, **options)):  # type: ignore[arg-type]
            yield result
            if i == 1:
                raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("rookery.tasks.jobs.run", run_some)
        yield


@pytest.mark.parametrize("command", OTHER)
def test_other_work_is_refused(command: str, inputs: Path, tmp_path: Path, interrupted: None) -> None:
    words = words_of(command, inputs, tmp_path, "--executor", "threads:1")
    assert "the same command goes on from here" in run(*words, status=130).output
    refused = run(*words, *OTHER[command].split(), status=2).output
    assert "is of other work" in refused
    assert "--force" in refused
    shutil.copytree(inputs, tmp_path / "in")
    changed = tmp_path / "in" / COMMANDS[command][0][0]
    changed.write_bytes(changed.read_bytes() + b"\n")
    words = words_of(command, tmp_path / "in", tmp_path, "--executor", "threads:1")
    assert "is of other work" in run(*words, status=2).output
