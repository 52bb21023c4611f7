"""Random inputs, for as long as ``--fuzz-seconds`` says: ``pytest -m fuzz``; and a few in each run of the tests."""

import random
from typing import Any

import pytest

from fuzzing import Target, all_targets, try_input
from fuzzing.driver import run

TARGETS = [pytest.param(target, id=name) for name, target in all_targets().items()]
FEW = 10


@pytest.mark.fuzz
@pytest.mark.parametrize("target", TARGETS)
def test_random_inputs(target: Target, request: pytest.FixtureRequest, record_property: Any) -> None:
    options = request.config.option
    seed = random.SystemRandom().randrange(10**6) if options.fuzz_seed is None else options.fuzz_seed
    report = run(target, options.fuzz_seconds, seed)
    record_property("fuzz", str(report))
    assert not report.faults, str(report)


@pytest.mark.parametrize("target", TARGETS)
def test_a_few_inputs(target: Target) -> None:
    for example in range(FEW):
        try_input(target, target.make(random.Random(f"0 {example}")))
