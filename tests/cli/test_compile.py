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
from rookery import precompiled
from rookery.cli import main
from rookery.precompiled import UNITS, in_turn

# Only benchmarks and `rookery doctor` run these.
EXCLUDED = {
    "bench.lanes:count_one_by_one",
    *(
        f"bench.uses.loops:{name}"
        for name in (
            "chain",
            "change_and_look",
            "change_and_look_freely",
            "look_for_all_sliders",
            "look_in_busy_caches",
            "look_on_boards",
            "one_look_up",
        )
    ),
}
NOT_COMPILED = """
import importlib, pkgutil
import rookery
from rookery.kernel import Entry
from rookery.precompiled import UNITS
techniques = {t.name for t in rookery.techniques()}
for unit in UNITS:
    if unit.name not in techniques or unit.name in ("kogge-stone", "magic-fancy"):
        unit.run()
for info in pkgutil.walk_packages(rookery.__path__, "rookery."):
    if not info.name.endswith("__main__"):
        for name, value in vars(importlib.import_module(info.name)).items():
            if isinstance(value, Entry) and value.__module__ == info.name and not value._code:
                print(f"{info.name.removeprefix('rookery.')}:{name}")
"""


def test_the_units_run_every_entry() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(rookery.__file__).parents[1])}
    command = [sys.executable, "-c", NOT_COMPILED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == EXCLUDED


def test_every_technique_is_a_unit() -> None:
    assert len({unit.name for unit in UNITS}) == len(UNITS)
    assert {t.name for t in rookery.techniques()} < {unit.name for unit in UNITS}


def test_units_wait_for_those_that_they_come_after() -> None:
    happened: list[tuple[str, str]] = []

    def work(name: str) -> str:
        happened.append(("begun", name))
        time.sleep(0.001)
        happened.append(("done", name))
        return name.upper()

    names = [unit.name for unit in UNITS]
    with ThreadPoolExecutor(8) as pool:
        results = {name: result for name, result, _ in in_turn(pool, work, names)}
    assert results == {name: name.upper() for name in names}
    assert len(happened) == 2 * len(names)
    after = {unit.name: unit.after for unit in UNITS if unit.after}
    assert len(after) > 10
    for name, first in after.items():
        assert happened.index(("done", first)) < happened.index(("begun", name))
    alone = in_turn(ThreadPoolExecutor(1), work, [*after][:1])  # the other one is not wanted
    assert [name for name, _, _ in alone] == [*after][:1]


FEW = tuple(unit for unit in UNITS if unit.name in ("magics: find", "knights and kings"))


def test_what_is_there_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precompiled, "UNITS", FEW)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(rookery.__file__).parents[1]))
    first = CliRunner().invoke(main, ["compile", "--jobs", "2", "--json"])
    assert first.exit_code == 0, first.output
    document = json.loads(first.stdout)
    assert (document["complete"], document["jobs"]) == (True, 2)
    assert document["compiled"] >= 2
    assert {unit["name"] for unit in document["pieces"]} == {unit.name for unit in FEW}
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


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux for processes")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
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
