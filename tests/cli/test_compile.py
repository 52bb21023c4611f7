"""``rookery compile``: all entries there are, compiled once."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

import rookery
from rookery.cli import main
from rookery.shipping import precompiled
from rookery.shipping.precompiled import in_pool, units
from thinning import slow


def test_a_pool_compiles_each_unit_once() -> None:
    happened: list[str] = []

    def work(name: str) -> str:
        happened.append(name)
        time.sleep(0.001)
        return name.upper()

    with ThreadPoolExecutor(8) as pool:
        done = [*in_pool(pool, work, units())]
    assert {name: result for name, result, _ in done} == {name: name.upper() for name in units()}
    assert sorted(happened) == sorted(units())
    assert done[-1][2] == []
    assert any(running for _, _, running in done)
    assert {name for _, _, running in done for name in running} <= {*units()}


FEW = ("bitboards.leapers", "games.methods.duplicates")


@pytest.mark.compiler
def test_what_is_there_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precompiled, "units", lambda: FEW)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(rookery.__file__).parents[1]))
    first = CliRunner().invoke(main, ["compile", "--jobs", "2", "--json"])
    assert first.exit_code == 0, first.output
    document = json.loads(first.stdout)
    assert (document["complete"], document["jobs"]) == (True, 2)
    assert document["compiled"] >= 2
    assert {unit["name"] for unit in document["pieces"]} == {*FEW}
    second = CliRunner().invoke(main, ["compile", "--jobs", "1"])
    assert (second.exit_code, second.stdout) == (0, "All was there.\n")
    refused = CliRunner().invoke(main, ["compile", "--jobs", "0"])
    assert refused.exit_code == 2


def _alive(group: int) -> list[str]:
    """The processes of a group that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, rest = path.read_text().rpartition(")")
        except OSError:  # ended meanwhile
            continue
        state, _, of = rest.split()[:3]
        if int(of) == group and state not in "ZX":
            found.append(path.parent.name)
    return found


@pytest.mark.compiler
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux for processes")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), slow(signal.SIGTERM, 143)])
def test_an_interrupt_ends_it_cleanly(tmp_path: Path, number: int, status: int) -> None:
    source = str(Path(rookery.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source, "NUMBA_CACHE_DIR": str(tmp_path)}
    running = subprocess.Popen(
        [sys.executable, "-m", "rookery", "compile", "--jobs", "1", "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while time.monotonic() < until and not [path for path in tmp_path.rglob("*") if path.is_file()]:
        time.sleep(0.05)
    os.killpg(running.pid, number)
    printed, complaint = running.communicate(timeout=60)
    assert running.returncode == status, complaint
    assert json.loads(printed)["complete"] is False
    assert "Traceback" not in complaint
    until = time.monotonic() + 20
    while time.monotonic() < until and _alive(running.pid):
        time.sleep(0.05)
    assert _alive(running.pid) == []
