"""Tasks of perft that pause before they count: otherwise a count ends before a test can interrupt it."""

import os
import time
from pathlib import Path
from typing import Any, Final

from rookery.counting import weighted, workers

PAUSE: Final = 0.01  # seconds; a task of distinct positions, of which there are few, pauses 20 times as long
ENVIRONMENT: Final = {  # of processes that import this module
    **os.environ,
    "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]),
}
COMMAND: Final = "import runpy, slow_counts; slow_counts.pause(); runpy.run_module('rookery', run_name='__main__')"

_count_parts, _count_positions = workers.count_parts, weighted.count_positions


def count_parts(task: Any) -> Any:
    time.sleep(PAUSE)
    return _count_parts(task)


def count_positions(task: Any) -> Any:
    time.sleep(20 * PAUSE)
    return _count_positions(task)


def pause() -> None:
    """Let the commands of this process give these tasks to workers, which import this module, too."""
    workers.count_parts = count_parts
    weighted.count_positions = count_positions
