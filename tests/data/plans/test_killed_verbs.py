"""Work of verbs that is killed goes on from the parts that are kept, and its output is the same byte for byte."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from naive_datasets import DOCS
from rookery import scan
from rookery.data.pipeline import outputs

pytest.importorskip("pyarrow")

# Writes a plan as its sinks do; with a number, kills itself before it writes so many results of a verb.
PROGRAM = """
import os, signal, sys
from rookery import scan
from rookery.data.plans import exchanging, verbs

out, source, calls = sys.argv[1], sys.argv[2], int(sys.argv[3])
written = exchanging.write_stream

def write(files, rows):
    global calls
    calls -= 1
    if calls == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    written(files, rows)

exchanging.write_stream = write
exchanging.groups = lambda sizes, most: ((i, i + 1) for i, size in enumerate(sizes) if size)
exchanging.Verb.share = verbs.GroupBy.share = 1 << 20
plan = scan([source] * 2).select("fen", "game", "ply").{steps}
ready = plan._ready(1)
made = []
with ready.job(None, 1, out, ".arrow", force=False) as job:
    print(len(job._journal.results))
    results = list(ready.read(job, ".arrows"))
    ready.write(job, results, out, ".arrow", lambda done, total: None)
job.discard()
"""

STEPS = ["shuffle(1)", "unique(n='count')", "sort('ply')", "group_by('ply').agg('count')"]


def run(out: Path, steps: str, calls: int) -> "subprocess.CompletedProcess[str]":
    program = PROGRAM.replace("{steps}", steps)
    command = [sys.executable, "-c", program, str(out), DOCS, str(calls)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("steps", [STEPS[0], *(pytest.param(one, marks=pytest.mark.slow) for one in STEPS[1:])])
def test_a_killed_verb_goes_on(steps: str, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.arrow", tmp_path / "killed.arrow"
    assert run(whole, steps, 0).returncode == 0
    assert run(killed, steps, 2).returncode == -signal.SIGKILL
    assert not killed.exists()
    again = run(killed, steps, 0)
    assert again.returncode == 0, again.stderr
    assert int(again.stdout) >= 2  # tasks whose parts were kept
    assert killed.read_bytes() == whole.read_bytes()
    assert set(tmp_path.iterdir()) == {killed, whole}


VERBS: Final = {
    "shuffle": lambda plan: plan.shuffle(1),
    "sort": lambda plan: plan.sort("fen"),
    "unique": lambda plan: plan.unique("fen"),
    "group": lambda plan: plan.group_by("ply").agg("count"),
    "head": lambda plan: plan.head(30),
    "sample": lambda plan: plan.sample(20, seed=2),
    "whole sample": lambda plan: plan.sample(10**6),
    "shuffle, head": lambda plan: plan.shuffle(1).head(30),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_goes_on_after_its_parts_were_encoded(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = VERBS[verb](scan(DOCS).positions("ply < 20").select("fen", "ply"))
    whole, stopped = tmp_path / "whole.csv", tmp_path / "stopped.csv"
    expected = plan.write_csv(whole)
    with monkeypatch.context() as patch:
        patch.setattr(outputs, "join_parts", fails)
        with pytest.raises(OSError, match="No space left"):
            plan.write_csv(stopped)
    assert list(tmp_path.glob("stopped.csv.parts/*.csv"))  # encoded parts have replaced streams
    assert plan.write_csv(stopped) == expected
    assert stopped.read_bytes() == whole.read_bytes()
    assert set(tmp_path.iterdir()) == {stopped, whole}


def fails(*_: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
