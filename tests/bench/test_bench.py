"""The benchmark checks its answers, and the techniques of pure arithmetic come out vectorised."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

import figures
import magic_search as magics
from magics.find.factors import find_all
from magics.prove.proof import prove
from rookery.bench import attacks, games, lanes, perft, turns
from rookery.board.board import Board
from rookery.kernel import cpu
from rookery.kernel.settings import has_full_width
from rookery.magics import FORMS
from rookery.positions.positions import Positions
from rookery.techniques import technique
from rookery.techniques.base import Technique
from rookery.verify import Mismatch, Result
from thinning import slow


@pytest.mark.compiler
def test_a_measurement() -> None:
    printed: list[str] = []
    field = [technique("rays"), technique("pext"), technique("kogge-stone")]
    result = attacks.measure(field, positions=256, rounds=3, progress=printed.append)
    assert [row["name"] for row in result["techniques"]] == ["rays", "pext", "kogge-stone"]
    for row in result["techniques"]:
        assert row["million_queens_a_second"] > 0
        assert row["one_call_us"] > 0
    assert next(row for row in result["techniques"] if row["name"] == "pext")["ratio_to_pext"] == 1
    assert {"cpu", "llvm_cpu", "vectors", "numba", "python", "date"} <= set(result["machine"])
    assert printed[-1] == "round 3 of 3"


@pytest.mark.compiler
def test_pext_is_measured_even_if_not_requested() -> None:
    result = attacks.measure([technique("rays")], positions=16, rounds=1)
    assert {row["name"] for row in result["techniques"]} == {"rays", "pext"}


@pytest.mark.compiler
def test_a_wrong_answer_spoils_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Technique.queen

    def sometimes_wrong(self: Technique, square: object, occupied: object, out: object = None) -> object:
        answer = right(self, square, occupied, out)  # type: ignore[call-overload]
        if self.name == "rays" and out is not None:
            out[5] ^= 1  # type: ignore[index]
        return answer

    monkeypatch.setattr(Technique, "queen", sometimes_wrong)
    with pytest.raises(turns.WrongAnswer, match="rays answered wrongly"):
        attacks.measure([technique("rays")], positions=16, rounds=1)


def test_bad_sizes() -> None:
    with pytest.raises(ValueError, match="expected at least 1"):
        attacks.measure([technique("rays")], positions=0)


def test_perft_is_compared_with_the_installed_peers() -> None:
    """python-chess is: the tests need it. Its rows are quick; perft is not, and is left to the benchmark."""
    printed: list[str] = []
    quick = [row for row in perft.rows() if row.peer == "chess"]
    assert [row.what.split(",")[0] for row in quick] == ["list(board.legal_moves)", "Board(fen)"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(perft, "rows", lambda: quick)
        result = perft.measure(rounds=1, progress=printed.append)
        assert [row["peer"] for row in result["rows"]] == ["chess", "chess"]
        assert all(row["ours_per_second"] > 0 and row["ratio"] > 0 for row in result["rows"])
        assert printed[-1].endswith("round 1 of 1")
        patch.setattr(perft, "rows", lambda: [quick[1]._replace(ours=quick[1].ours._replace(call=Board))])
        with pytest.raises(turns.WrongAnswer, match=r"Board\(fen\)"):
            perft.measure(rounds=1)


SHALLOW = {"PERFTS": (("start", 4), ("kiwipete", 3)), "THREADED": ("start", 5), "HASHED": ("start", 5), "HASH_MB": 1}


@pytest.fixture
def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**SHALLOW, "BEYOND_CACHES": 1}.items():
        monkeypatch.setattr(lanes, name, value)
    monkeypatch.setattr(turns, "SLICE", 0.001)


@pytest.mark.usefixtures("shallow")
@pytest.mark.compiler
def test_lanes() -> None:
    """Every row, with answers that the peers and the scalar generator agree on."""
    printed: list[str] = []
    result = lanes.measure(positions=40, rounds=2, progress=printed.append)
    rows = result["rows"]
    assert (result["positions"], result["rounds"]) == (40, 2)
    beside = {(row["what"], row["peer"]) for row in rows}
    assert len(beside) == len(rows)
    assert beside >= {
        ("legal move counts", "one by one"), ("legal move counts", "chess"), ("perft start 4", "one by one"),
        ("perft kiwipete 3", "one by one"), ("perft start 5, 1 MB of hash table", "no table"),
        ("attacked squares of both sides", "chess"), ("attack maps, 12 boards", "chess"), ("move lists", "chess"),
        ("Positions.from_fens", "chess"), ("Zobrist keys", "chess"), ("planes, 18 channels, uint8", "fill"),
        ("policy masks, leela", "fill"),
    }  # fmt: skip
    for row in rows:
        assert row["ours_per_second"] > 0
        assert row["theirs_per_second"] > 0
        assert row["spread"][0] <= row["ratio"] <= row["spread"][1]
        assert (row["ratio_of"] == "time") == (row["peer"] == "fill")
        assert (row["peer_version"] is None) == (row["peer"] not in ("chess", "chessmg"))
    assert next(row for row in rows if row["peer"] == "one by one" and "perft" in row["what"])["their_work"] == (
        "perft start 3"
    )
    assert printed[-1].endswith("round 2 of 2")


@pytest.mark.usefixtures("shallow")
@pytest.mark.compiler
def test_lanes_without_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "installed", lambda name: None)
    rows = list(lanes.rows(8, quick=True))
    assert {row.peer for row in rows} == {"one by one", "fill", None}
    assert not any("thread" in row.what or "hash" in row.what for row in rows)
    alone = turns.compare(next(row for row in rows if row.what == "move lists"), 1, lambda what: None)
    assert alone["ours_per_second"] > 0
    assert "peer" not in alone


WRONG = {
    "legal_move_counts": "legal move counts: rookery",
    "attacks": "attacked squares of both sides: rookery",
    "attack_maps": "attack maps, 12 boards: rookery",
    "keys": "Zobrist keys: rookery",
    "planes": "planes, 18 channels, uint8: rookery",
    "policy_mask": "policy masks, alphazero: rookery",
}


@pytest.mark.usefixtures("shallow")
@pytest.mark.parametrize("name", WRONG)
@pytest.mark.compiler
def test_a_wrong_answer_spoils_the_lanes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(Positions, name)

    def wrong(self: Positions, *args: Any, **options: Any) -> Any:
        answer = right(self, *args, **options)
        answer.reshape(-1)[-1] ^= 1
        return answer

    monkeypatch.setattr(Positions, name, wrong)
    monkeypatch.setattr(lanes, "installed", lambda name: None)
    with pytest.raises(turns.WrongAnswer, match=WRONG[name]):
        lanes.measure(positions=8, rounds=1, quick=True)


FEW = (magics.Question("bishop d1", ("d1",), 1), magics.Question("two bishops", ("b1", "d1"), 2))


@pytest.fixture
def few_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(magics, "questions", lambda: FEW)


@pytest.mark.usefixtures("few_proofs")
@pytest.mark.compiler
def test_magics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []
    result = magics.measure(seeds=2, rounds=2, progress=printed.append)
    assert [(row["form"], row["factors"], row["seeds"]) for row in result["find"]] == [(f, 128, 2) for f in FORMS]
    assert all(row["worst_ms"] >= row["median_ms"] > 0 for row in result["find"])
    assert result["rounds"] == 2
    d1, two = result["proofs"]
    assert (d1["squares"], d1["factors"], d1["none"], d1["threads"]) == (1, 0, 1, 1)
    assert (two["squares"], two["factors"], two["none"], two["threads"]) == (2, 1, 1, 2)
    assert two["nodes"] > d1["nodes"] > 64
    assert {row["name"]: row["entries"] for row in result["tables"]}["magic-reduced"] == 90_304
    assert "proving two bishops: round 2 of 2" in printed
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "magics.json").write_text(json.dumps(result), encoding="utf-8")
    block = figures.magics()
    assert "| bishop d1, 4 bits | cannot | 1 |" in block
    assert "| two bishops, 4 bits | 1 can, 1 cannot | 2 |" in block
    assert "| `magic-reduced` | 90,304 | 726,528 |" in block


def test_the_questions_about_bishops() -> None:
    c1, d1, every = magics.questions()
    assert (c1.squares, c1.threads, d1.squares, d1.threads) == (("c1",), 1, ("d1",), 1)
    assert (len(every.squares), every.threads) == (44, os.cpu_count())


@pytest.mark.compiler
def test_a_wrong_answer_spoils_the_magics(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_all("black")
    magics.check_factors(found, "black")
    with pytest.raises(turns.WrongAnswer, match="black: rook a1: 0x0000000000000001 is no magic"):
        magics.check_factors([found[0]._replace(magic=1), *found[1:]], "black")
    for few in (found[1:], [found[0]._replace(bits=13), *found[1:]]):
        with pytest.raises(turns.WrongAnswer, match="black: not all 128 magics were found"):
            magics.check_factors(few, "black")
    proof = prove("bishop", 3)
    magics.check_proofs([proof])
    with pytest.raises(turns.WrongAnswer, match="bishop d1: proved open, the atlas says none"):
        magics.check_proofs([proof._replace(done=5)])
    with pytest.raises(turns.WrongAnswer, match="bishop b1: 0x0000000000000001 is no magic"):
        magics.check_proofs([prove("bishop", 1)._replace(magic=1)])
    wrong_table = Mismatch("rook", "a1", 0, 1, 2)
    monkeypatch.setattr(magics, "look_ups", lambda t: Result(t.name, "look-ups", 1, 1, wrong_table))
    monkeypatch.setattr(magics, "questions", lambda: ())
    with pytest.raises(turns.WrongAnswer, match="magic-plain: rook on a1"):
        magics.measure(seeds=1, rounds=1)
    with pytest.raises(ValueError, match="seeds, rounds: 0, 1: expected"):
        magics.measure(seeds=0, rounds=1)


def test_an_answer_that_is_not_given_again_is_wrong() -> None:
    """What a right answer leaves in its array is cleared."""
    expected = np.arange(1, 5)
    out = np.concatenate([expected, expected])
    right = lanes.filled_with(expected)
    assert right(out)
    assert not right(out)


def test_a_peer_that_answers_wrongly_is_refused() -> None:
    def work(answer: int) -> turns.TimedWork:
        return turns.TimedWork(lambda: answer, 1, lanes.equal_to(7))

    with pytest.raises(turns.WrongAnswer, match="sevens: them answered wrongly while it was timed: 8"):
        turns.compare(turns.TimedRow("sevens", "sevens", work(7), work(8), "them"), 1, lambda what: None)


def test_random_positions() -> None:
    positions = lanes.random_positions(300, seed=1)
    assert len(positions) == 300
    assert positions == lanes.random_positions(300, seed=1)
    assert not positions == lanes.random_positions(300, seed=2)  # noqa: SIM201  # there is no other `!=`
    for position in positions:
        assert chess.Board(position.fen()).is_valid()
    with pytest.raises(ValueError, match="positions: 0"):
        next(lanes.rows(0))


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64") or "+avx2" not in cpu()[1], reason="registers of AVX2 and AVX-512"
)
@pytest.mark.parametrize(
    "name", ["hyperbola", "hyperbola-bitreverse", "obstruction-difference", "dumb7fill", "kogge-stone"]
)
@pytest.mark.compiler
def test_arithmetic_is_vectorised(name: str) -> None:
    registers = attacks.vector_registers(technique(name))
    # Where full width is not asked for, LLVM's tuning for the CPU chooses between AVX-512 and AVX2.
    assert (registers["zmm"] if has_full_width() else registers["zmm"] + registers["ymm"]) > 100
    walked = attacks.vector_registers(technique("rays"))
    assert walked["zmm"] + walked["ymm"] < 40


AVX_512 = "+avx,+avx2,+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx512vpopcntdq,+bmi,+bmi2,+lzcnt,+popcnt"
TARGETS = {
    "haswell": ("+avx2,+bmi,+bmi2,+lzcnt,+popcnt", "ymm"),
    "skylake-avx512": (AVX_512.replace("+avx512vpopcntdq,", ""), "ymm"),  # slows its clock for 512 bits
    "emeraldrapids": (AVX_512, "zmm"),
    "znver4": (AVX_512, "zmm"),
}


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="an x86 target")
@pytest.mark.parametrize(
    "target",
    [
        *("haswell", "znver4"),
        *(slow(target) for target in ("skylake-avx512", "emeraldrapids")),
    ],
)
@pytest.mark.compiler
def test_arithmetic_is_vectorised_whoever_made_the_cpu(target: str, tmp_path: Path) -> None:
    """The code is looked at, not run. LLVM's tuning for Intel's prefers 256 bits unless it is asked for all."""
    features, widest = TARGETS[target]
    code = f"""
from rookery import technique
from rookery.bench.attacks import vector_registers
for name in ("hyperbola", "kogge-stone"):
    registers = vector_registers(technique(name))
    assert registers["{widest}"] > 100, (name, registers)
    assert "{widest}" == "zmm" or not registers["zmm"], (name, registers)
"""
    environment = {"NUMBA_CPU_NAME": target, "NUMBA_CPU_FEATURES": features, "NUMBA_CACHE_DIR": str(tmp_path)}
    env = {**os.environ, **environment}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_reading_games_is_compared_with_installed_peers() -> None:
    result = games.measure(megabytes=1, rounds=1)
    rows = {row["what"]: row for row in result["rows"]}
    assert {"headers alone", "two threads compared with one", "positions from the moves of games bare"} <= {*rows}
    assert {"one game in a hundred, by its headers", "games bare written as PGN", "Parquet to positions"} <= {*rows}
    assert all(row["ours_per_second"] > 0 for row in rows.values())
