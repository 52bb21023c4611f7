"""Without Numba, plain Python answers, one line says so, and what needs a compiler says what to install."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hidden_numba import run_without_numba
from rookery.kernel import entries, entry
from rookery.kernel.settings import has_compiler

LINE = (
    "rookery:0: RuntimeWarning: Numba is not installed: functions run in Python, with the same answers but many times "
    "slower. pip install 'numba>=0.64,<0.69' installs it.\n"
)


def test_plain_python_answers_and_one_line_says_so(tmp_path: Path) -> None:
    done = run_without_numba(
        "import rookery\n"
        "print(rookery.perft('start', 2), len(rookery.Board().legal_moves))\n"
        "print(rookery.Positions.from_fens([rookery.STARTING_FEN]).legal_move_counts().tolist())",
        tmp_path,
    )
    assert (done.stdout, done.stderr) == ("400 20\n[20]\n", LINE)


def test_what_needs_no_kernel_says_nothing(tmp_path: Path) -> None:
    done = run_without_numba("import rookery; print(rookery.square(3, 4))", tmp_path)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("code", "what"),
    [
        *(
            (f"from rookery.cli import main; main({command.split()})", f"rookery {command}")
            for command in ("compile", "doctor", "bench attacks", "bench lanes")
        ),
        (
            "from rookery.shipping.wheels import compile_targets; compile_targets(None, jobs=1)",
            "machine code for wheels",
        ),
        (
            "from rookery.kernel import entry\ndef double(x): return x + x\nentry(double).compile(None, (1,))",
            "compilation of double",
        ),
    ],
)
def test_what_compiles_says_what_to_install(code: str, what: str, tmp_path: Path) -> None:
    done = run_without_numba(code, tmp_path)
    assert done.returncode != 0
    assert f"{what} needs Numba: pip install 'numba>=0.64,<0.69'" in " ".join(done.stderr.split())


@entry
def rows(table: Any) -> Any:
    return table.shape[0]


def test_machine_code_of_a_wheel_serves_all_keys_of_its_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """An array of one row is contiguous in two ways, and one of many rows in one: two keys, but one function."""
    symbol = rows.symbol("(array(<u8, 2d, C))")
    in_wheel = [lambda table: f"machine code for {len(table)}"]
    wheel = SimpleNamespace(numbers={symbol: 0}, take=lambda *_: in_wheel.pop() if in_wheel else None)
    monkeypatch.setattr(entries, "with_arrays", lambda: iter([wheel]))
    for number in (1, 3, 1):
        table = np.zeros((number, 2), np.uint64)
        assert rows.resolve(table)(table) == f"machine code for {number}"


@entry
def doubled(x: Any) -> Any:
    return x + x


@pytest.mark.skipif(has_compiler(), reason="Numba is installed")
def test_a_call_that_runs_in_python_leaves_machine_code_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    symbol = doubled.symbol("(float64)")
    wheel = SimpleNamespace(numbers={symbol: 0}, take=lambda *_: lambda x: "machine code")
    monkeypatch.setattr(entries, "with_arrays", lambda: iter([wheel]))
    assert doubled(2) == 4
    assert doubled(2.0) == "machine code"
