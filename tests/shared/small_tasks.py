"""Ranges of a few kilobytes for all commands that divide their files; run as a program, a command with such ranges."""

import sys

from rookery.data.pipeline import inputs as pipeline_inputs
from rookery.data.training.tasks import division
from rookery.games.read import on_executor

SIZE = 10_000  # bytes
SIZES = (
    (on_executor, "RANGE"),
    (division, "RANGE"),
    (pipeline_inputs, "TASK_BYTES"),
)

if __name__ == "__main__":
    from rookery.cli import main

    for module, name in SIZES:
        setattr(module, name, SIZE)
    sys.argv[0] = "rookery"
    main()
