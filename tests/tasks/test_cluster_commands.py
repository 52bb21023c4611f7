"""The commands for a cluster that docs/executors.md lists: a scheduler and workers on loopback, and what is printed."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dask_cluster import free_port

PAGE = (Path(__file__).parents[2] / "docs" / "executors.md").read_text(encoding="utf-8")


@pytest.mark.engines
def test_the_page_counts_on_a_dask_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason='needs Dask: pip install ".[dask]"')
    found = re.search(r"^(dask scheduler .*)\n(dask worker .*)\n(rookery .*)\n(.*)\n```$", PAGE, flags=re.M)
    assert found is not None
    port = str(free_port())
    commands = [line.replace("host:8786", f"127.0.0.1:{port}").replace("8786", port) for line in found.groups()[:3]]
    services = [
        subprocess.Popen(
            [sys.executable, "-m", *shlex.split(line), "--host", "127.0.0.1", "--no-dashboard"],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for line in commands[:2]
    ]
    try:
        command = [sys.executable, "-m", *shlex.split(commands[2])]
        printed = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, text=True).stdout
    finally:
        for service in services:
            service.terminate()  # Dask ends its workers
        for service in services:
            service.wait()
    assert doctest.OutputChecker().check_output(f"{found[4]}\n", printed, doctest.ELLIPSIS), printed
    assert (tmp_path / "perft-7.json").exists()
