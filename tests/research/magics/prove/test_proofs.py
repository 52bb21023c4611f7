"""The prover and its ledger."""

import ast
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from magics.prove import branch
from magics.prove import proof as prove
from magics.prove.ledger import Finished, Ledger, Question
from magics.prove.orders import usual_order
from magics.prove.schedule import Plan, copies_of, levels, plan, plan_for
from published import BISHOPS_WITH_ONE_BIT_LESS, separates
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.magics.forms import is_magic
from rookery.techniques._magics import Factor

pytestmark = pytest.mark.compiler  # wheels have no machine code of searches for factors

FIVE_SQUARES = [s for s in range(64) if len(relevant_occupancy("bishop", s)) == 5]


def _check_published(square: int) -> None:
    natural = len(relevant_occupancy("bishop", square))
    proof = prove.prove("bishop", square, natural - 1)
    exists = SQUARE_NAMES[square] in BISHOPS_WITH_ONE_BIT_LESS
    assert proof.answer == ("factor" if exists else "none"), proof
    if proof.magic is not None:
        assert separates("bishop", square, proof.magic, natural - 1)


def test_published_answers_on_the_lowest_ranks() -> None:
    for square in range(16):
        _check_published(square)


@pytest.mark.slow
def test_published_answers_on_all_bishops_of_five_squares() -> None:
    for square in FIVE_SQUARES:
        _check_published(square)


def searched(p: Plan) -> int | None:
    """The factor that a search of all prefixes finds, if any."""
    s = branch.state_for(p)
    for prefix in range(branch.prefixes(p)):
        branch.stand_at(p, s, prefix)
        if int(branch.search(p, s, np.uint64(1 << 40))) == branch.FOUND:
            return s.found
    return None


def test_small_boards_against_every_factor() -> None:
    """Words of 64 bits with low ones that decide nothing: every factor of a few bits is tried by brute force."""
    random = np.random.default_rng(7)
    answers = set()
    for _ in range(60):
        blockers = sorted(random.choice(np.arange(52, 62), 3, replace=False).tolist())
        subsets = [sum(1 << s for i, s in enumerate(blockers) if n >> i & 1) for n in range(8)]
        reached = {s: int(random.integers(0, 3)) for s in subsets}
        bits = int(random.integers(1, 4))
        expected = [
            m
            for m in range(1 << 64 - blockers[0])
            if len({((s * m & 2**64 - 1) >> 64 - bits, reached[s]) for s in subsets})
            == len({(s * m & 2**64 - 1) >> 64 - bits for s in subsets})
        ]
        order = random.permutation(blockers).tolist()
        found = searched(plan(order, bits, reached, extra=int(random.integers(0, 4))))
        assert (found is not None) == bool(expected)
        assert found is None or found in expected
        answers.add(found is None)
    assert answers == {True, False}


def test_small_boards_with_a_highest_index() -> None:
    random = np.random.default_rng(8)
    answers = set()
    for _ in range(40):
        blockers = sorted(random.choice(np.arange(53, 62), 3, replace=False).tolist())
        subsets = [sum(1 << s for i, s in enumerate(blockers) if n >> i & 1) for n in range(8)]
        reached = {s: int(random.integers(0, 4)) for s in subsets}
        bits, highest = 3, int(random.integers(2, 8))
        expected = [
            m
            for m in range(1 << 64 - blockers[0])
            if max((s * m & 2**64 - 1) >> 61 for s in subsets) <= highest
            and len({((s * m & 2**64 - 1) >> 61, reached[s]) for s in subsets})
            == len({(s * m & 2**64 - 1) >> 61 for s in subsets})
        ]
        found = searched(plan(blockers, bits, reached, highest=highest))
        assert (found is not None) == bool(expected)
        assert found is None or found in expected
        answers.add(found is None)
    assert answers == {True, False}


def test_a_plan_decides_every_bit_once() -> None:
    for piece in ("rook", "bishop"):
        for square in range(64):
            blockers = usual_order(relevant_occupancy(piece, square), square)
            rows = levels(blockers, len(blockers) + 1)
            decided = [p for row in rows for p in range(row.low, row.low + row.width)]
            assert sorted(decided) == list(range(64 - min(blockers)))
            assert [row.blocker for row in rows if row.blocker is not None] == blockers


def test_copies_are_cut_at_the_word() -> None:
    assert copies_of(2**63 | 1, 0b110) == 2 + 4


def test_the_count_does_not_depend_on_slices_or_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = prove.prove("bishop", 3)
    monkeypatch.setattr(prove, "_SLICE", np.uint64(500))
    assert prove.prove("bishop", 3)._replace(seconds=0) == whole._replace(seconds=0)
    assert prove.prove("bishop", 3, threads=3)._replace(seconds=0) == whole._replace(seconds=0)


def test_no_prefix_is_begun_after_a_factor() -> None:
    for square in ("h1", "g2", "b8"):
        proofs = [prove.prove("bishop", parse_square(square))._replace(seconds=0) for _ in range(3)]
        assert proofs[0].magic is not None
        assert proofs[0].done == 2
        assert proofs[1:] == proofs[:1] * 2


def test_a_proof_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = prove.prove("bishop", 3)
    with Ledger(tmp_path / "l") as ledger:
        part = prove.prove("bishop", 3, ledger=ledger, most=10)
        assert (part.done, part.answer) == (10, "open")
    with Ledger(tmp_path / "l") as ledger:
        rest = prove.prove("bishop", 3, ledger=ledger)
        assert rest._replace(seconds=0) == whole._replace(seconds=0)
        assert prove.prove("bishop", 3, ledger=ledger) == rest
        question = ledger.questions()[0]
        assert sum(f.nodes for f in ledger.finished(question)) == whole.nodes


def test_an_interrupt_loses_no_finished_prefix(tmp_path: Path) -> None:
    def interrupt(proof: prove.Proof) -> None:
        if proof.done >= 1:
            raise KeyboardInterrupt

    with Ledger(tmp_path / "l") as ledger:
        with pytest.raises(KeyboardInterrupt):
            prove.prove("bishop", 2, ledger=ledger, progress=interrupt)
        assert prove.prove("bishop", 2, ledger=ledger, most=0).done >= 1
        assert prove.prove("bishop", 2, ledger=ledger)._replace(seconds=0) == prove.prove("bishop", 2)._replace(
            seconds=0
        )


def test_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "proofs.sqlite"
    command = [
        sys.executable,
        "-m",
        "rookery",
        "magics",
        "prove",
        "--piece",
        "rook",
        "--square",
        "e6",
        "--threads",
        "1",
    ]
    command += ["--ledger", str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ))
    try:
        deadline = time.monotonic() + 120
        done = 0
        while done < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
            if path.exists():
                with Ledger(path) as ledger:
                    done = sum(len(ledger.finished(q)) for q in ledger.questions())
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert done >= 3
    with Ledger(path) as ledger:
        assert ledger.set_aside is None
        [question] = ledger.questions()
        before = ledger.finished(question)
        after = prove.prove("rook", parse_square("e6"), ledger=ledger, most=1)
        assert after.done == len(before) + 1
        assert ledger.finished(question)[: len(before)] == before


@pytest.mark.parametrize(
    "content", [b"not a database, but long enough to look at" * 100, b"SQLite format 3\0" + b"\7" * 5000, b"x"]
)
def test_a_file_that_is_no_ledger_is_refused_and_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "l"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"^ledger: .*/l: .*; expected a ledger of proofs$"):
        Ledger(path)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("l", content)]


@pytest.mark.parametrize("kept", [100, 2000, 4096])
def test_a_damaged_ledger_is_set_aside(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "l"
    question = Question("bishop", "c1", 4, "plan", 64)
    Ledger(path).__exit__(None, None, None)
    content = path.read_bytes()[:kept] + b"\7" * 5000
    for n in (1, 2):
        path.write_bytes(content)
        with Ledger(path, tell=lambda text: None) as ledger:
            assert ledger.set_aside == tmp_path / f"l.damaged-{n}"
            ledger.add(question, [Finished(1, 1, 1, 0.5, None)])
        assert (tmp_path / f"l.damaged-{n}").read_bytes() == content
    with Ledger(path) as ledger:
        assert ledger.set_aside is None
        assert ledger.questions() == [question]


def test_damage_within_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "l"
    with Ledger(path) as ledger:
        question = Question("bishop", "c1", 4, "plan", 4096)
        ledger.add(question, (Finished(n, n, n, 0.5, None) for n in range(4000)))
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    path.write_bytes(content)
    with Ledger(path, tell=lambda text: None) as ledger:
        assert ledger.set_aside == tmp_path / "l.damaged-1"
    assert (tmp_path / "l.damaged-1").read_bytes() == bytes(content)


def test_other_databases_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE mine (a)")
    connection.commit()
    connection.close()
    content = path.read_bytes()
    with pytest.raises(ValueError, match="something else"):
        Ledger(path)
    with pytest.raises(ValueError, match="ledger"):
        Ledger(tmp_path)
    assert path.read_bytes() == content


def test_a_ledger_that_cannot_be_true(tmp_path: Path) -> None:
    with Ledger(tmp_path / "l") as ledger:
        prove.prove("bishop", 3, ledger=ledger, most=1)
        [question] = ledger.questions()
        ledger.add(question, [Finished(63, 1, 1, 0.0, 0x1234)])
        with pytest.raises(ValueError, match="prefix 63 cannot be"):
            prove.prove("bishop", 3, ledger=ledger)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("queen", 0), "piece: 'queen'"),
        (("rook", 64), "square: 64"),
        (("rook", 0, 5), "5 bits have 32 slots; rook a1 needs 49"),
        (("bishop", 0, 0), "bits: 0"),
        (("bishop", 0, 25), "bits: 25"),
    ],
)
def test_impossible_questions(arguments: tuple[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        prove.prove(*arguments)


def test_plans_of_other_questions_differ() -> None:
    digests = {plan_for("bishop", square, 4).digest() for square in FIVE_SQUARES}
    assert len(digests) > 5
    assert (
        plan_for("bishop", 3, 4).digest() == plan_for("bishop", 3, 4).digest() != plan_for("bishop", 3, 4, 3).digest()
    )


def test_found_factors_are_factors() -> None:
    for square in ("a1", "b8", "g7"):
        proof = prove.prove("bishop", parse_square(square))
        assert proof.magic is not None
        assert is_magic(Factor("bishop", square, proof.magic, proof.bits, 0, 0))


def test_proofs_on_executors_are_the_same(tmp_path: Path) -> None:
    for square in (3, 9):
        here = prove.prove("bishop", square, 4)
        with Ledger(tmp_path / f"{square}.sqlite") as ledger:
            begun = prove.prove("bishop", square, 4, ledger=ledger, executor="threads:2", most=3)
            assert begun.done <= 3
            there = prove.prove("bishop", square, 4, ledger=ledger, executor="processes:1")
        assert (there.answer, there.prefixes) == (here.answer, here.prefixes)
        if here.answer == "none":
            assert (there.done, there.nodes, there.tested) == (here.done, here.nodes, here.tested)


def test_a_worker_finds_the_laboratory_by_itself() -> None:
    """A worker of a cluster imports from the folder `src` of its checkout, and not from `research`."""
    program = """
import pickle, sys
from rookery.magics.laboratory import call
assert not any(path.endswith("research") for path in sys.path)
print(call(pickle.loads(bytes.fromhex(sys.argv[1]))))
"""
    p = plan_for("bishop", 9, 4, 15)
    task = ("bishop", 9, 4, 15, branch.name_of(p), (0, 1))
    source = str(Path(__file__).parents[4] / "src")
    asked = pickle.dumps(("prove.proof", "search_prefixes", task)).hex()
    done = subprocess.run(
        [sys.executable, "-c", program, asked],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=True,
    )
    found = ast.literal_eval(done.stdout)
    assert [(number, nodes) for number, nodes, *_ in found] == [f[:2] for f in prove.search_prefixes(task)]
    other = (*task[:4], "1-other", (0,))
    with pytest.raises(ValueError, match=r"a worker searches by plan 2-\w+: expected 1-other: update its checkout"):
        prove.search_prefixes(other)
