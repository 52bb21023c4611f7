"""Workers of Dask and Ray that are killed in the middle of an annotate, a conversion and a dataset: the same bytes."""

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ray_workers
import rookery
from dask_cluster import Cluster
from game_samples import SAMPLE
from rookery.data.datasets.making import Progress
from rookery.data.pipeline import inputs, outputs
from rookery.tasks import open_executor
from thinning import slow

pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("default"),  # of Dask, of Ray and of what they use
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc"),
]
KILLS = [2, slow(50)]


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "TASK_BYTES", 100_000)
    monkeypatch.setattr(outputs, "ROW_GROUP", 3_000)


@pytest.fixture(params=["dask", "ray"])
def engine(request: pytest.FixtureRequest) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the name of an executor, and a function that kills one of its workers."""
    if request.param == "dask":
        cluster: Cluster = request.getfixturevalue("cluster")
        yield f"dask:{cluster.address}", cluster.kill_one
        return
    pytest.importorskip("ray", reason='needs Ray: pip install ".[ray]"')
    with open_executor("ray:local"):  # which the call below uses, too
        yield "ray:auto", ray_workers.kill_one


class Killer:
    """A function of progress that kills a worker after some of the tasks, chosen at random."""

    def __init__(self, kill: Callable[[], None], kills: int, tasks: int) -> None:
        self._kill = kill
        self._after = set(random.Random(kills).sample(range(1, tasks - 1), kills))
        self.kills = 0
        self._calls = 0  # one for each task that is done

    def __call__(self, *_: int) -> None:
        """Kill a worker if it is time."""
        self._calls += 1
        if self._calls in self._after:
            self._kill()
            self.kills += 1


def games(path: Path, tasks: int) -> Path:
    """Write a file of games that has some more than this number of tasks."""
    text = SAMPLE.read_bytes()
    path.write_bytes(text * (tasks * 100_000 // len(text) + 10))
    return path


@pytest.mark.parametrize("kills", KILLS)
def test_an_annotate_writes_the_same_bytes(kills: int, engine: tuple[str, Callable[[], None]], tmp_path: Path) -> None:
    executor, kill = engine
    path, tasks = games(tmp_path / "a.pgn", 10 * kills), 10 * kills
    rookery.annotate(path, tmp_path / "right.parquet", "legal_moves,mobility", threads=2)
    killer = Killer(kill, kills, tasks)
    rookery.annotate(path, tmp_path / "out.parquet", "legal_moves,mobility", executor=executor, progress=killer)
    assert killer.kills == kills
    assert (tmp_path / "out.parquet").read_bytes() == (tmp_path / "right.parquet").read_bytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.pgn", "out.parquet", "right.parquet"]


@pytest.mark.parametrize("kills", KILLS)
def test_a_dataset_has_the_same_bytes(kills: int, engine: tuple[str, Callable[[], None]], tmp_path: Path) -> None:
    executor, kill = engine
    path, tasks = games(tmp_path / "a.pgn", 10 * kills), 10 * kills
    killer = Killer(kill, kills, tasks)

    def watch(progress: Progress) -> None:
        if progress.what == "reading":
            killer(progress.done, progress.total)

    for name, options in (("right", {"threads": 2}), ("out", {"executor": executor, "watch": watch})):
        rookery.make_dataset(path, tmp_path / name, shuffle=True, unique=True, shards=4, **options)
    assert killer.kills == kills
    contents = [{one.name: one.read_bytes() for one in (tmp_path / name).iterdir()} for name in ("right", "out")]
    assert contents[0] == contents[1]
    assert len(contents[0]) > 4
