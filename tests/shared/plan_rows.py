"""Rows of training data as the tasks of a plan read them."""

import json
import os
from collections.abc import Sequence
from typing import NamedTuple

from rookery import ScoredPositions, scan
from rookery.data.pipeline.training_rows import SUFFIX, RowsMade, rows_in
from rookery.data.training.text.rows import BadRow


class Found(NamedTuple):
    """Rows, bad rows, messages about damaged files, and the numbers of tasks and of positions that they read."""

    rows: ScoredPositions
    bad: list[BadRow]
    failures: tuple[str, ...]
    tasks: int
    positions: int


def rows_of_plan(
    paths: Sequence[str | os.PathLike[str]], executor: str, query: str | None = None, threads: int = 1
) -> Found:
    """Read files by the tasks of a plan, whose parts hold rows."""
    plan = scan(list(paths)).positions(query)
    ready = plan._ready_for_rows("write_training", "writes", RowsMade("rows"), threads)
    with ready.job(executor, threads, None, "", force=False) as job:
        results = list(ready.read(job, SUFFIX))
        rows = ScoredPositions.concatenate(batch for one in results for batch in rows_in(one.path(SUFFIX)))
        bad = [BadRow(**json.loads(line)) for line in ready.bad_rows(results)]
    positions = sum(one.value["positions"] for one in results)
    return Found(rows, bad, ready.failures(results), len(results), positions)
