"""Ctrl-C while an executor counts: a clean message, and files from which the same command goes on."""

import itertools
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import slow_counts
from dask_cluster import Cluster
from rookery.counting.workers import warm_up
from thinning import slow

DELAYS = [i / 10 + 0.05 for i in range(20)]  # seconds
TOTAL = 8_031_647_685  # leaves, published

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def interrupted(command: list[str], state: Path, size: int) -> str:
    """Send SIGINT to a command and its processes, as a terminal does, once a file has a size; return its output."""
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=slow_counts.ENVIRONMENT,
    ) as process:
        deadline = time.monotonic() + 120
        while process.poll() is None and not (state.exists() and state.stat().st_size >= size):
            assert time.monotonic() < deadline, f"{state} does not grow"
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        printed, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in printed + errors, errors
    return printed


def check_interruption(executor: str, folder: Path) -> None:
    warm_up()  # compile before the commands do
    start = [sys.executable, "-c", slow_counts.COMMAND, "perft", "kiwipete", "6", "--executor", executor]
    file = folder / "count.json"
    command = [*start, "--checkpoint", str(file)]
    printed = interrupted(command, file, 1500)
    assert "nodes so far: interrupted" in printed
    assert int(printed.split()[0].replace(",", "")) < TOTAL
    after = subprocess.run(command, capture_output=True, check=True, text=True, env=slow_counts.ENVIRONMENT).stdout
    assert after.startswith(f"{TOTAL:,} nodes")
    assert "of them from the checkpoint" in after

    work = folder / "work"
    command = [*start, "--distinct", "3", "--work", str(work)]
    printed = interrupted(command, work / "perft-6-by-3.journal", 500)
    assert "nodes so far: interrupted after" in printed
    assert "The same command continues from" in printed
    lines = (work / "perft-6-by-3.journal").read_bytes()
    after = subprocess.run(command, capture_output=True, check=True, text=True, env=slow_counts.ENVIRONMENT).stdout
    assert f"{TOTAL:,} nodes" in after
    assert (work / "perft-6-by-3.journal").read_bytes().startswith(lines)  # nothing was counted again


def test_ctrl_c_on_processes(tmp_path: Path) -> None:
    check_interruption("processes:2", tmp_path)


@pytest.mark.filterwarnings("default")
@pytest.mark.engines
def test_ctrl_c_on_dask(cluster: Cluster, tmp_path: Path) -> None:
    check_interruption(f"dask:{cluster.address}", tmp_path)


def has_started_processes(process: "subprocess.Popen[str]") -> bool:
    return bool(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
@pytest.mark.filterwarnings("default")
@pytest.mark.engines
@pytest.mark.parametrize(
    ("executor", "later"),
    [("dask:2", 0.0), ("dask:2", 0.7), ("loky:2", 0.2)]
    + [slow(*case) for case in itertools.product(("dask:2", "loky:2"), DELAYS)],
)
def test_ctrl_c_while_workers_start(executor: str, later: float) -> None:
    module = {"dask:2": "distributed", "loky:2": "loky"}[executor]
    pytest.importorskip(module, reason=f"needs {module}")
    check_quick_end(executor, has_started_processes, later)


@pytest.mark.filterwarnings("default")
@pytest.mark.engines
def test_ctrl_c_while_a_dask_scheduler_does_not_answer() -> None:
    pytest.importorskip("distributed", reason='needs Dask: pip install ".[dask]"')
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"dask:tcp://127.0.0.1:{silent.getsockname()[1]}"
        check_quick_end(address, lambda process: bool(select.select([silent], [], [], 0)[0]), 0.5)


def check_quick_end(executor: str, is_ready: "Callable[[subprocess.Popen[str]], bool]", later: float) -> None:
    """Send SIGINT to a count and its processes, as a terminal does, some seconds after they are ready."""
    command = [sys.executable, "-m", "rookery", "perft", "start", "9", "--executor", executor]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        try:
            deadline = time.monotonic() + 60
            while not is_ready(process):
                assert time.monotonic() < deadline, f"{executor} does not start"
                time.sleep(0.01)
            time.sleep(later)
            os.killpg(process.pid, signal.SIGINT)
            printed, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130, printed
    assert "interrupted" in printed
    assert "Traceback" not in printed
