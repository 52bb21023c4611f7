"""Inputs at which the library failed once: a folder for each target of `pytest -m fuzz`, a file for each fault."""

from pathlib import Path

import pytest

from fuzzing import all_targets, try_input
from fuzzing.driver import regressions

TARGETS = all_targets()
CASES = [pytest.param(name, path, id=f"{name}/{path.name}") for name, path in regressions()]


@pytest.mark.parametrize(("name", "path"), CASES)
def test_what_failed_once(name: str, path: Path) -> None:
    try_input(TARGETS[name], path.read_bytes())
