"""Long work that stops at any operation on the disk goes on from whatever is left, and ends with the same bytes.

Each operation of a small run is the crash point once, with each damage that may follow. The work then runs again on a
disk that works. It ends as the undisturbed run did, byte for byte, or with an error that names a file. The default run
takes a sample, by the seed `ROOKERY_CRASH_SEED`; `-m slow` takes all.
"""

from pathlib import Path
from typing import Final

import pytest

import crash_fixtures
from crash_checks import (
    CHANGES,
    ERRORS,
    LOSSES,
    ON_EXECUTORS,
    SEED,
    WITH_INPUTS,
    check_change,
    check_change_before_it_goes_on,
    check_crashes,
    check_executor,
    check_failures,
    check_is_kept,
    check_losses,
    check_other_version,
    check_short_reads,
)
from long_work import WORKS
from privileges import they_count

inputs, out, small = crash_fixtures.inputs, crash_fixtures.out, crash_fixtures.small
SAMPLE_OF_POINTS: Final = 4  # crash points of each work in the default run


SAMPLE_OF_STATES: Final = 2  # of what may be left after each


@pytest.mark.parametrize("work", WORKS)
def test_work_goes_on_after_a_crash(work: str, inputs: Path, out: Path) -> None:
    check_crashes(work, inputs, out, SAMPLE_OF_POINTS, SAMPLE_OF_STATES)


@pytest.mark.slow
@pytest.mark.parametrize("work", WORKS)
def test_work_goes_on_after_every_crash(work: str, inputs: Path, out: Path) -> None:
    for error, number in check_crashes(work, inputs, out, None, None).items():
        print(number, error)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("work", WORKS)
def test_work_goes_on_after_an_error_of_the_disk(work: str, error: str, inputs: Path, out: Path) -> None:
    check_failures(work, ERRORS[error], inputs, out, SAMPLE_OF_POINTS)


@pytest.mark.slow
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("work", WORKS)
def test_work_goes_on_after_every_error_of_the_disk(work: str, error: str, inputs: Path, out: Path) -> None:
    check_failures(work, ERRORS[error], inputs, out, None)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("work", WORKS)
def test_permissions_may_be_lost(work: str, loss: str, inputs: Path, out: Path) -> None:
    if not they_count(out):
        pytest.skip("files without permissions can be read here")
    check_losses(work, loss, inputs, out, 1)


@pytest.mark.slow
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("work", WORKS)
def test_permissions_may_be_lost_at_any_operation(work: str, loss: str, inputs: Path, out: Path) -> None:
    if not they_count(out):
        pytest.skip("files without permissions can be read here")
    check_losses(work, loss, inputs, out, None)


@pytest.mark.parametrize("work", ON_EXECUTORS)
def test_workers_may_lose_and_repeat_tasks(work: str, inputs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_executor(work, SEED, inputs, out, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("work", ON_EXECUTORS)
def test_workers_may_lose_and_repeat_tasks_in_many_ways(
    work: str, seed: int, inputs: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_executor(work, seed, inputs, out, monkeypatch)


@pytest.mark.parametrize("work", ON_EXECUTORS)
def test_workers_of_another_version_refuse_tasks(
    work: str, inputs: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_other_version(work, inputs, out, monkeypatch)


@pytest.mark.parametrize("work", WORKS)
def test_few_bytes_at_a_time_are_read(work: str, inputs: Path, out: Path) -> None:
    check_short_reads(work, inputs, out)


@pytest.mark.parametrize("work", WORKS)
def test_finished_work_is_kept(work: str, inputs: Path, out: Path) -> None:
    check_is_kept(work, inputs, out)


@pytest.mark.parametrize("work", WITH_INPUTS)
def test_inputs_may_change_before_work_goes_on(work: str, inputs: Path, out: Path) -> None:
    check_change_before_it_goes_on(work, inputs, out, 2)


@pytest.mark.slow
@pytest.mark.parametrize("work", WITH_INPUTS)
def test_inputs_may_change_before_work_goes_on_from_any_operation(work: str, inputs: Path, out: Path) -> None:
    check_change_before_it_goes_on(work, inputs, out, None)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("work", WITH_INPUTS)
def test_inputs_may_change(work: str, change: str, inputs: Path, out: Path) -> None:
    check_change(work, change, inputs, out, 2)


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("work", WITH_INPUTS)
def test_inputs_may_change_at_any_operation(work: str, change: str, inputs: Path, out: Path) -> None:
    check_change(work, change, inputs, out, None)
