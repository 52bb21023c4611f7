"""Dask, Ray and loky: real engines on this machine, whose workers are killed while they count."""

import logging
import os
import random
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterable
from pathlib import Path

import chess.pgn
import pytest

from dask_cluster import Cluster
from magics.prove.proof import prove
from rookery import perft, search
from rookery.board.board import Board
from rookery.counting.walk import POSITIONS
from rookery.counting.workers import CountProgress, counting
from rookery.games.search.hits import Hits
from rookery.tasks import open_executor
from rookery.tasks.running import run

pytestmark = pytest.mark.engines
DEPTH_6, DEPTH_7 = 119_060_324, 3_195_901_860


def killing(count: Iterable[CountProgress], cluster: Cluster, kills: int, nodes: int) -> CountProgress:
    """Return the last progress of a count, during which workers are killed.

    One is killed each time that another share of the leaves is counted: kills at fixed times would suit one CPU only.
    """
    killed = 0
    for progress in count:
        if killed < kills and progress.nodes > (killed + 1) * nodes // (kills + 5):
            cluster.kill_one()
            killed += 1
    assert killed == kills
    return progress


@pytest.mark.filterwarnings("default")  # of Dask and of what it uses
def test_dask_counts_the_same_while_workers_are_killed(cluster: Cluster, tmp_path: Path) -> None:
    executor = f"dask:{cluster.address}"
    assert perft("kiwipete", 4, executor=executor) == 4_085_603
    assert prove("bishop", 3, 4, executor=executor).answer == "none"
    file = tmp_path / "count.json"
    begun = counting(Board(), 7, executor=executor, checkpoint=file)
    for progress in begun:
        if progress.done > 30:
            break
    cluster.kill_one()
    begun.close()  # as Ctrl-C does
    end = killing(counting(Board(), 7, executor=executor, checkpoint=file), cluster, 2, DEPTH_7)
    assert end.nodes == DEPTH_7
    assert end.fresh < DEPTH_7


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_a_search_on_a_cluster_finds_the_same(engine: str, request: pytest.FixtureRequest) -> None:
    """Arrays that come from the workers of Dask or Ray are read-only."""
    sample = Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn"
    if engine == "ray":
        pytest.importorskip("ray", reason='needs Ray: pip install ".[ray]"')
        executor = "ray:local"
    else:
        executor = f"dask:{request.getfixturevalue('cluster').address}"
    found = search([sample, sample], "is_mate", executor=executor)
    assert isinstance(found, Hits)
    with sample.open(encoding="utf-8") as file:
        games = [game for game in iter(lambda: chess.pgn.read_game(file), None) if game.end().board().is_checkmate()]
    assert len(found) == 2 * len(games) > 0
    assert list(found.file) == [str(sample)] * 2 * len(games)
    assert sorted(found.game.tolist()) == found.game.tolist()


@pytest.mark.filterwarnings("default")
def test_no_more_tasks_than_allowed_wait_at_the_scheduler(cluster: Cluster) -> None:
    from distributed import Client

    address = cluster.address
    with Client(address, set_as_default=False) as client, open_executor(f"dask:{address}") as executor:
        held = []
        for i, _ in run(executor, abs, range(200), in_flight=10):
            if i % 20 == 0:
                held.append(client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))
    assert max(held) <= 20  # finished tasks leave the scheduler a moment later


@pytest.mark.filterwarnings("default")
def test_dask_is_left_quietly_while_results_arrive(cluster: Cluster, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(5):
        with pytest.raises(ZeroDivisionError), open_executor(f"dask:{cluster.address}") as executor:
            raise ZeroDivisionError(next(run(executor, bytes, [5_000_000] * 40)))  # other results are on their way
    assert caplog.text == ""


@pytest.mark.filterwarnings("default")
def test_dask_waits_for_tasks_unless_they_are_cancelled(cluster: Cluster) -> None:
    from rookery.tasks.dask_executor import DaskExecutor

    with DaskExecutor(cluster.address) as executor:
        futures = [executor.submit(time.sleep, 0.3) for _ in range(6)]
    assert [future.result(0) for future in futures] == [None] * 6
    for options in {"wait": False}, {"cancel_futures": True}:
        executor = DaskExecutor(cluster.address)
        futures = [executor.submit(time.sleep, 60) for _ in range(6)]
        begin = time.monotonic()
        executor.shutdown(**options)
        assert time.monotonic() - begin < 30
        assert not any(future.done() and not future.cancelled() for future in futures)


@pytest.mark.filterwarnings("default")
def test_dask_runs_a_task_each_time_and_cancels_it(cluster: Cluster) -> None:
    from rookery.tasks.dask_executor import DaskExecutor

    with DaskExecutor(cluster.address) as executor:
        assert len({executor.submit(uuid.uuid4).result(60) for _ in range(3)}) == 3
        busy = [executor.submit(time.sleep, 1) for _ in range(4)]
        late = executor.submit(time.sleep, 600)
        assert late.cancel()
        assert [future.result(60) for future in busy] == [None] * 4
    assert late.cancelled()


def test_what_dask_logs_about_cancelled_tasks_is_no_news(cluster: Cluster, caplog: pytest.LogCaptureFixture) -> None:
    from rookery.tasks.dask_executor import DaskExecutor

    def logged(text: str) -> bool:
        caplog.clear()
        logging.getLogger("distributed.client").warning(text)
        return text in caplog.text

    with DaskExecutor(cluster.address) as executor:
        assert logged("Couldn't gather 1 keys")
        assert logged("anything else")
        assert not logged("Batched Comm Closed <TCP>")
        assert not logged("Failed to reconnect to scheduler after 30 s")
        executor.submit(time.sleep, 0.1).cancel()
        executor.submit(time.sleep, 0.1).result(60)
        assert not logged("Couldn't gather 1 keys")
        assert logged("anything else")
    assert logged("Batched Comm Closed <TCP>")


@pytest.mark.slow  # Dask tries for half a minute to connect again
@pytest.mark.filterwarnings("default")
def test_the_death_of_a_scheduler_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason='needs Dask: pip install ".[dask]"')
    cluster, file = Cluster(tmp_path), tmp_path / "count.json"
    command = [sys.executable, "-m", "rookery", "perft", "start", "8", "--checkpoint", str(file)]
    command += ["--executor", f"dask:{cluster.address}"]
    try:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 120
            while process.poll() is None and not (file.exists() and file.stat().st_size > 500):
                assert time.monotonic() < deadline
                time.sleep(0.1)
            cluster.kill_scheduler()
            _, errors = process.communicate(timeout=120)
    finally:
        cluster.close()
    assert process.returncode == 1
    (line,) = errors.strip().splitlines()
    assert line.startswith("Error: executor: takes no more tasks (ClosedClientError"), line


@pytest.mark.filterwarnings("default")
def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason='needs Dask: pip install ".[dask]"')
    monkeypatch.setattr("rookery.tasks.dask_executor._PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"dask:tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(ValueError, match=rf"^executor: '{address}': no answer within 0.5 s: expected a Dask sch"):
            perft("start", 3, executor=address)


@pytest.mark.filterwarnings("default")
def test_ray_counts_the_same() -> None:
    ray = pytest.importorskip("ray", reason='needs Ray: pip install ".[ray]"')
    with open_executor("ray:local") as executor:
        assert perft("start", 6, executor=executor) == DEPTH_6
        assert prove("bishop", 3, 4, executor=executor).answer == "none"
    assert not ray.is_initialized()


def test_loky_counts_the_same() -> None:
    pytest.importorskip("loky", reason="needs loky: pip install loky")
    assert perft("start", 5, executor="loky:2") == 4_865_609
    with pytest.raises(ZeroDivisionError), open_executor("loky:2") as executor:  # which ends the processes at once
        raise ZeroDivisionError(executor.submit(abs, -1).result())


@pytest.mark.compiler
def test_workers_may_fill_one_empty_cache_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba's own cache has an index that processes overwrite for each other; here each file stands alone."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    program = """
import numpy as np, rookery
t = rookery.technique("hyperbola")
print(int(t.rook(0, 0)).bit_count(), int(t.queen(np.zeros(1, np.uint8), np.zeros(1, np.uint64))[0]).bit_count())
"""
    processes = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate()[0].strip() for process in processes] == [b"14 21"] * 3
    assert len(list(tmp_path.rglob("*.code"))) == 2


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("name", "depth", "nodes", "kills"), [("start", 8, 84_998_978_956, 5), ("kiwipete", 7, 374_190_009_323, 50)]
)
def test_large_counts_on_dask_while_workers_are_killed(
    cluster: Cluster, name: str, depth: int, nodes: int, kills: int, tmp_path: Path
) -> None:
    file = tmp_path / "count.json"
    count = counting(Board(POSITIONS[name]), depth, executor=f"dask:{cluster.address}", checkpoint=file)
    end = killing(count, cluster, kills, nodes)
    assert end.nodes == end.fresh == nodes


@pytest.mark.slow
def test_fifty_coordinators_are_killed(tmp_path: Path) -> None:
    work = str(tmp_path / "work")
    command = [sys.executable, "-m", "rookery", "perft", "start", "8", "--distinct", "5", "--work", work]
    command += ["--executor", "processes:2", "--json"]
    for _ in range(50):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(random.uniform(0.5, 4.0))
            os.kill(process.pid, signal.SIGKILL)
    answer = subprocess.run(command, capture_output=True, check=True).stdout
    assert b'"nodes": 84998978956' in answer
