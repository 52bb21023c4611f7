"""Ctrl-C while an executor counts: a clean message, and files from which the same command goes on."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dask_cluster import Cluster
from rookery.counting.perft import warm_up

DEPTH_7, DEPTH_8 = "3,195,901,860 nodes", "84,998,978,956 nodes"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def interrupted(command: list[str], state: Path, size: int) -> str:
    """Send SIGINT to a command and its processes, as a terminal does, once a file has a size; return its output."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
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
    program = [sys.executable, "-m", "rookery", "perft", "start"]
    file = folder / "count.json"
    command = [*program, "8", "--executor", executor, "--checkpoint", str(file)]  # 7 s in two processes of a Zen 5
    printed = interrupted(command, file, 1500)
    assert "nodes so far: interrupted" in printed
    assert int(printed.split()[0].replace(",", "")) < 84_998_978_956
    after = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert after.startswith(DEPTH_8)
    assert "of them from the checkpoint" in after

    work = folder / "work"
    command = [*program, "7", "--executor", executor, "--distinct", "4", "--work", str(work)]
    printed = interrupted(command, work / "perft-7-by-4.journal", 500)
    assert "nodes so far: interrupted after" in printed
    assert "The same command continues from" in printed
    lines = (work / "perft-7-by-4.journal").read_bytes()
    after = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert DEPTH_7 in after
    assert (work / "perft-7-by-4.journal").read_bytes().startswith(lines)  # nothing was counted again


def test_ctrl_c_on_processes(tmp_path: Path) -> None:
    check_interruption("processes:2", tmp_path)


@pytest.mark.filterwarnings("default")
@pytest.mark.engines
def test_ctrl_c_on_dask(cluster: Cluster, tmp_path: Path) -> None:
    check_interruption(f"dask:{cluster.address}", tmp_path)


@pytest.mark.filterwarnings("default")
@pytest.mark.engines
@pytest.mark.parametrize("seconds", [1.0, 1.4, 1.8, 2.5])
def test_ctrl_c_while_dask_starts_workers(seconds: float) -> None:
    pytest.importorskip("distributed", reason='needs Dask: pip install "rookery[dask]"')
    check_quick_end("dask:2", seconds)


@pytest.mark.engines
@pytest.mark.parametrize("seconds", [0.7, 1.5])
def test_ctrl_c_on_loky(seconds: float) -> None:
    pytest.importorskip("loky", reason="needs loky: pip install loky")
    check_quick_end("loky:2", seconds)


@pytest.mark.filterwarnings("default")
@pytest.mark.engines
@pytest.mark.parametrize("seconds", [1.0, 3.0])
def test_ctrl_c_while_a_dask_scheduler_does_not_answer(seconds: float) -> None:
    pytest.importorskip("distributed", reason='needs Dask: pip install "rookery[dask]"')
    with socket.create_server(("127.0.0.1", 0)) as silent:
        check_quick_end(f"dask:tcp://127.0.0.1:{silent.getsockname()[1]}", seconds)


def check_quick_end(executor: str, seconds: float) -> None:
    """Send SIGINT to a count and its processes, as a terminal does, after some seconds."""
    command = [sys.executable, "-m", "rookery", "perft", "start", "9", "--executor", executor]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        try:
            printed, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130, printed
    assert "interrupted" in printed
    assert "Traceback" not in printed
