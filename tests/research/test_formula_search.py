"""The search finds the known formulas from nothing, and counts what a search of another kind counts."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from formulas import deepening
from formulas import operations as ops
from formulas.confirmation import confirm
from formulas.deepening import Answer, counterexample, deepen
from formulas.programs import Program, Step
from formulas.questions import QUESTIONS, Question, question
from formulas.sequences import RIGHT, run_sequences, sequences_for
from formulas.state import HITS, state_for
from formulas.value_sets import search
from rookery import geometry
from rookery.kernel import U64
from thinning import few, slow

Words = NDArray[np.uint64]

ROOT = Path(__file__).parents[2]


def answer(name: str, longest: int, folder: Path) -> Answer:
    return deepen(question(name), longest, folder)


def formulas(found: Answer) -> list[str]:
    return [program.formula() for program in found.lengths[-1].shortest]


@pytest.mark.parametrize(
    ("name", "fewest", "formula"),
    few(
        [
            ("ray-with-slider", 3, "(with_r - (r + r)) ^ with_r"),
            ("ray", 2, "(up - r) ^ up"),
            ("line-swap", 5, "byteswap(byteswap(o) - r_swapped) ^ (o - r)"),
            ("line-reverse", 5, "bitreverse(bitreverse(o) - r_reversed) ^ (o - r)"),
            ("line-scan-halves", 5, "(up - (2**63 >> lzcnt(1 | low))) ^ up"),
            ("line-lanes-halves", 4, "(lane_sar(2**63, lzcnt(low)) + up) ^ up"),
        ],
        3,
    ),
)
def test_known_formulas_are_found_from_nothing(name: str, fewest: int, formula: str, tmp_path: Path) -> None:
    """o ^ (o - 2r), the hyperbola in both forms, and the obstruction difference in its shortest form."""
    found = answer(name, fewest, tmp_path)
    assert found.fewest == fewest
    assert formula in formulas(found)
    assert found.none_up_to == fewest - 1


@pytest.mark.parametrize("name", ["line-swap", "line-lanes-halves", "ray-unmasked"])
def test_what_is_found_is_right_by_the_walk_of_the_oracle(name: str, tmp_path: Path) -> None:
    q = question(name)
    found = answer(name, q.longest, tmp_path)
    every = q.cases()
    values = q.values(every)
    rng = np.random.default_rng(3)
    for program in found.lengths[-1].shortest:
        got = program.run(values)
        for i in rng.integers(0, len(every), 300).tolist():
            mover, sq, occupied = str(every.movers[i]), int(every.squares[i]), int(every.occupied[i])
            walk = geometry.ray if mover in geometry.COMPASS else geometry.attacks
            care = walk(mover, sq, 0) if q.masked else (1 << 64) - 1
            assert int(got[i]) & care == walk(mover, sq, occupied)


def _programs(inputs: int, operations: tuple[ops.Operation, ...], length: int) -> list[tuple[Step, ...]]:
    """Return every sequence of operations, by the plainest of loops."""
    choices = [
        [Step(o, a, b) for o in operations for a in range(inputs + n) for b in range(inputs + n)] for n in range(length)
    ]
    return list(itertools.product(*choices))


ALL = (1 << 64) - 1
SMALL = (ops.sub, ops.xor, ops.and_, *ops.DOUBLE)


def _hits(inputs: Words, target: Words, length: int) -> int:
    """Return how many programs the first search finds for a target."""
    state = state_for(inputs, target, np.full(2, ALL, U64), SMALL, length)
    hits, part, parts = 0, 0, 1
    while part < parts:
        parts = search(state, 2, len(inputs), length, part)
        hits += int(state.counts[HITS])
        part += 1
    return hits


def _right_sequences(inputs: Words, target: Words, length: int) -> int:
    """Return how many programs the second search finds for a target."""
    s = sequences_for(inputs, target, np.full(2, ALL, U64), SMALL, length)
    right, part = 0, 0
    while run_sequences(s, len(inputs), length, part):
        right += int(s.counts[RIGHT])
        part += 1
    return right


@pytest.mark.parametrize("length", [2, 3])
def test_no_answer_of_any_program_is_missed(length: int) -> None:
    """Both searches find all that programs of `length` can make on two cases, but no shorter ones, and nothing else."""
    rng = np.random.default_rng(length)
    inputs = rng.integers(0, 1 << 64, (2, 2), U64)
    made = [{tuple(row.tolist()) for row in inputs}]
    for n in range(1, length + 1):
        rows = {tuple(Program(("x", "y"), steps).run(inputs).tolist()) for steps in _programs(2, SMALL, n)}
        made.append(rows - set().union(*made))
    targets = sorted(made[length])
    assert len(targets) > 30
    for row in targets:
        target = np.array(row, U64)
        assert _hits(inputs, target, length) > 0
        assert _right_sequences(inputs, target, length) > 0
        other = target ^ U64(1 << 40)
        assert (_hits(inputs, other, length) > 0) == (_right_sequences(inputs, other, length) > 0)
        assert length == 2 or _hits(inputs, target, length - 1) == _right_sequences(inputs, target, length - 1) == 0


@pytest.mark.parametrize("name", few(["ray-with-slider", "ray-unmasked", "line-swap", "line-lanes-halves"], 2))
def test_the_second_search_agrees(name: str, tmp_path: Path) -> None:
    """It runs every sequence, and none is right on the cases below the least length, where some are."""
    found = answer(name, 4, tmp_path)
    confirmed = confirm(found, 4, tmp_path)
    assert [c.operations for c in confirmed] == [length.operations for length in found.lengths[1:]]
    for confirmation, length in zip(confirmed, found.lengths[1:], strict=True):
        assert (confirmation.right > 0) == (length.hits > 0)
        assert confirmation.programs > length.sets


@pytest.mark.parametrize("step", [16, slow(1)])
def test_the_published_programs_are_right_everywhere(step: int) -> None:
    for q in QUESTIONS:
        if q.movers[0] in ("rook", "bishop", "queen"):  # four million cases; the search itself checks them
            continue
        every = q.cases()
        every = every.take(np.arange(0, len(every.squares), step))
        assert counterexample(q.published, q, every, q.values(every)) == []
        assert q.longest <= len(q.published.steps)


def test_a_wrong_published_program_is_an_error(tmp_path: Path) -> None:
    wrong = question("ray")._replace(known="a = up + r; up ^ a")
    with pytest.raises(AssertionError, match=r"ray: the published program is wrong: up \^ \(up \+ r\); \w+ \d+: 0x"):
        deepen(wrong, 1, tmp_path)


def test_questions_have_names_of_their_own() -> None:
    assert len({q.name for q in QUESTIONS}) == len(QUESTIONS)


def test_an_unknown_question_is_an_error() -> None:
    with pytest.raises(ValueError, match="question: 'knight': expected one of ray-with-slider, ray,"):
        question("knight")


def test_a_length_out_of_range_is_an_error() -> None:
    row = np.zeros((1, 1), U64)
    with pytest.raises(ValueError, match="length: 1: expected 2 to 12 operations"):
        state_for(row, row[0], row[0], SMALL, 1)


def test_equal_inputs_are_an_error() -> None:
    rows = np.zeros((2, 3), U64)
    with pytest.raises(ValueError, match="inputs: two of them are equal in every case"):
        state_for(rows, rows[0], rows[0], SMALL, 2)


def test_counterexamples_join_until_a_program_is_right_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three cases are too few to tell wrong programs apart; those that join lead to the same answer."""
    monkeypatch.setattr(deepening, "FIRST_CASES", 3)
    found = answer("line-swap", 5, tmp_path)
    assert sum(length.rounds for length in found.lengths) > len(found.lengths)
    assert len(found.lengths[-1].cases) > 3
    assert formulas(found) == ["byteswap(byteswap(o) - r_swapped) ^ (o - r)"]


def _command(folder: Path, *arguments: str) -> list[str]:
    script = str(ROOT / "research" / "search_formulas.py")
    return [sys.executable, script, *arguments, "--journals", str(folder), "--out", str(folder / "ledger.json")]


@pytest.mark.slow
def test_a_killed_search_goes_on(tmp_path: Path) -> None:
    """Half of a journal is what a search leaves that was killed; it ends as an undisturbed one."""
    names = ["line-scan-halves"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    subprocess.run(_command(whole, *names), check=True, capture_output=True)
    process = subprocess.Popen(_command(killed, *names), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    journal = killed / "line-scan-halves-5-0.journal"
    end = time.monotonic() + 120
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 5):
        assert process.poll() is None, "the search ended before it was killed"
        assert time.monotonic() < end
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = journal.read_bytes()
    subprocess.run(_command(killed, *names), check=True, capture_output=True)
    assert journal.read_bytes().startswith(before[: before.rindex(b"\n")])
    rows = [json.loads((folder / "ledger.json").read_text()) for folder in (whole, killed)]
    for row in (row for ledger in rows for row in ledger.values()):
        for length in row["lengths"] + row["confirmed"]:
            del length["seconds"]
    assert rows[0] == rows[1]


def test_the_command_names_what_it_expects(tmp_path: Path) -> None:
    done = subprocess.run(_command(tmp_path, "knight"), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "expected one of" in done.stderr


def test_a_question_is_answered_up_to_the_length_that_is_given(tmp_path: Path) -> None:
    q: Question = question("line-reverse-unmasked")
    found = deepen(q, 3, tmp_path)
    assert found.fewest is None
    assert found.none_up_to == 3
    assert [length.operations for length in found.lengths] == [1, 2, 3]
