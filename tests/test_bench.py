"""The benchmark checks its answers, and the techniques of pure arithmetic come out vectorised."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from rookery.bench import attacks, perft
from rookery.kernel import cpu
from rookery.technique import Technique
from rookery.techniques import technique


def test_a_measurement() -> None:
    told: list[str] = []
    field = [technique("rays"), technique("pext"), technique("kogge-stone")]
    result = attacks.measure(field, positions=256, rounds=3, progress=told.append)
    assert [row["name"] for row in result["techniques"]] == ["rays", "pext", "kogge-stone"]
    for row in result["techniques"]:
        assert row["million_queens_a_second"] > 0
        assert row["one_call_us"] > 0
    assert next(row for row in result["techniques"] if row["name"] == "pext")["ratio_to_pext"] == 1
    assert {"cpu", "llvm_cpu", "vectors", "numba", "python", "date"} <= set(result["machine"])
    assert told[-1] == "round 3 of 3"


def test_pext_is_measured_even_when_not_asked_for() -> None:
    result = attacks.measure([technique("rays")], positions=16, rounds=1)
    assert {row["name"] for row in result["techniques"]} == {"rays", "pext"}


def test_a_wrong_answer_spoils_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Technique.queen

    def sometimes_wrong(self: Technique, square: object, occupied: object, out: object = None) -> object:
        answer = right(self, square, occupied, out)  # type: ignore[arg-type]
        if self.name == "rays" and out is not None:
            out[5] ^= 1  # type: ignore[index]
        return answer

    monkeypatch.setattr(Technique, "queen", sometimes_wrong)
    with pytest.raises(attacks.WrongAnswer, match="rays answered wrongly"):
        attacks.measure([technique("rays")], positions=16, rounds=1)


def test_bad_sizes() -> None:
    with pytest.raises(ValueError, match="expected at least 1"):
        attacks.measure([technique("rays")], positions=0)


def test_perft_beside_the_peers_that_are_installed() -> None:
    """python-chess is: the tests need it. Its rows are quick; perft is not, and is left to the benchmark."""
    told: list[str] = []
    quick = [row for row in perft.rows() if row.peer == "chess"]
    assert [row.what.split(",")[0] for row in quick] == ["list(board.legal_moves)", "Board(fen)"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(perft, "rows", lambda: quick)
        result = perft.measure(rounds=1, progress=told.append)
        assert [row["peer"] for row in result["rows"]] == ["chess", "chess"]
        assert all(row["ours_per_second"] > 0 and row["ratio"] > 0 for row in result["rows"])
        assert told[-1].endswith("round 1 of 1")
        patch.setattr(perft, "rows", lambda: [quick[1]._replace(expected="another")])
        with pytest.raises(attacks.WrongAnswer, match=r"Board\(fen\)"):
            perft.measure(rounds=1)


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64") or "+avx2" not in cpu()[1], reason="registers of AVX2 and AVX-512"
)
@pytest.mark.parametrize(
    "name", ["hyperbola", "hyperbola-bitreverse", "obstruction-difference", "dumb7fill", "kogge-stone"]
)
def test_arithmetic_is_vectorised(name: str) -> None:
    registers = attacks.vector_registers(technique(name))
    widest = "zmm" if "+avx512f" in cpu()[1] else "ymm"
    assert registers[widest] > 100
    walked = attacks.vector_registers(technique("rays"))
    assert walked["zmm"] + walked["ymm"] < 40


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="an x86 target")
def test_arithmetic_is_vectorised_for_avx2_too(tmp_path: Path) -> None:
    code = """
from rookery import technique
from rookery.bench.attacks import vector_registers
for name in ("hyperbola", "hyperbola-bitreverse", "obstruction-difference", "dumb7fill", "kogge-stone"):
    registers = vector_registers(technique(name))
    assert registers["ymm"] > 100 and not registers["zmm"], (name, registers)
"""
    target = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+bmi,+bmi2,+lzcnt,+popcnt"}
    env = {**os.environ, **target, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
