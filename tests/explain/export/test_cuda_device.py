"""The benchmark that runs CUDA exports on a device: a dry run as C++, the packed file, and wrong answers."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cuda_device
import cuda_driver
import cuda_levels
import cuda_registers
from rookery import perft
from rookery.counting.walk import POSITIONS, as_board
from rookery.explain.export import export_text
from thinning import slow

GXX = "g++ -std=c++17 -Wall -Wextra -Werror -O1 -x c++".split()
# Tables in global memory, in constant memory, and none; fills; a state of its own.
NAMES = ("magic-fancy", "kogge-stone", "dumb7fill", "sbamg", "rotated-compact")
PROGRAMS = [
    *((name, memory) for name in ("magic-fancy", "kogge-stone", "dumb7fill") for memory in ("constant", "global")),
    ("sbamg", "none"),
    *(("rotated-compact", memory) for memory in ("constant", "global")),
]

needs_gxx = pytest.mark.skipif(not shutil.which("g++"), reason="no g++ here")


def silent(line: str) -> None:
    """Show no progress."""


@pytest.fixture(scope="module", params=[("magic-fancy", "sbamg"), slow(NAMES)], ids=["two", "five"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """Return the programs of some techniques, compiled as C++."""
    folder = tmp_path_factory.mktemp("programs")
    content = cuda_device.build(GXX, request.param, folder, silent)
    return content | {"nvcc": "none", "levels": "", "positions": cuda_device.rows_of_positions()}, folder


class Levels:
    """A stand-in for a device in a dry run: this CPU counts and writes the levels of positions."""

    def __init__(self, _ptx: str, _capacity: int) -> None:
        """Take what a device needs, and use none of it."""

    def perft(self, row: list[int], depth: int) -> int:
        level = np.array([row], np.uint64)
        for _ in range(depth - 1):
            counts = [cuda_levels.count_moves(level, np.uint64(i)) for i in range(len(level))]
            below = np.zeros((sum(counts), cuda_levels.WORDS), np.uint64)
            start = 0
            for i, count in enumerate(counts):
                assert cuda_levels.make_moves(level, below[start : start + count], np.uint64(i)) == count
                start += count
            level = below
        return sum(int(cuda_levels.count_moves(level, np.uint64(i))) for i in range(len(level)))


class Counter(Levels):
    """A stand-in that counts as the library does, without the kernels of the levels."""

    def perft(self, row: list[int], depth: int) -> int:
        (name,) = (name for name in POSITIONS if list(map(int, as_board(name).words()[:10])) == row)
        return perft(as_board(name), depth)


@needs_gxx
@pytest.mark.parametrize("levels", [Counter, slow(Levels)])
def test_a_dry_run_agrees_with_ray_walking(
    levels: type[Levels], built: tuple[dict[str, Any], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    content, folder = built
    monkeypatch.setattr(cuda_driver, "device", lambda: {"device": "dry run", "cuda": "0.0"})
    monkeypatch.setattr(cuda_driver, "Levels", levels)
    totals = {("start", 3): 8_902, ("kiwipete", 2): 2_039, ("position4", 3): 9_467, ("position5", 2): 1_486}
    monkeypatch.setattr(cuda_device, "TOTALS", totals)
    monkeypatch.setattr(cuda_device, "THREADS", 512)
    monkeypatch.setattr(cuda_device, "SECONDS", 0.0001)
    record = cuda_device.measure(content, folder, silent)
    made = {program["technique"] for program in content["programs"]}
    assert [(row["technique"], row["memory"]) for row in record["programs"]] == [p for p in PROGRAMS if p[0] in made]
    assert len(made) in (2, 5)
    for row in record["programs"]:
        assert set(row["rates"]) == {"nothing", *cuda_device.MEASURED}
        assert min(row["rates"].values()) > 0
    assert set(json.loads(json.dumps(record))) == {
        *("benchmark", "command", "device", "cuda", "nvcc", "date", "threads", "self_check", "results", "perft"),
        "programs",
    }
    assert [(row["position"], row["depth"], row["leaves"]) for row in record["perft"]] == [
        (*key, leaves) for key, leaves in totals.items()
    ]
    monkeypatch.setattr(cuda_device, "TOTALS", {("start", 2): 401})
    with pytest.raises(cuda_device.WrongAnswer, match="perft start 2: expected 401, got 400"):
        cuda_device.measure(content, folder, silent)


@pytest.mark.slow
def test_two_plies_at_once() -> None:
    for name, leaves in (("start", 400), ("kiwipete", 2_039), ("position3", 191), ("position4", 264)):
        row = np.array([list(map(int, as_board(name).words()[:10]))], np.uint64)
        assert cuda_levels.count_two_plies(row, np.uint64(0)) == leaves


@pytest.fixture(scope="module")
def ptx(tmp_path_factory: pytest.TempPathFactory) -> str:
    return cuda_device.levels(tmp_path_factory.mktemp("levels"))


@pytest.mark.slow
def test_the_levels_are_kernels_that_call_nothing_else(ptx: str) -> None:
    assert set(re.findall(r"\.entry (\w+)\(", ptx)) == {"count", "count_two", "expand"}
    assert ".extern" not in ptx


@pytest.mark.slow
def test_the_levels_become_machine_code_without_spills(ptx: str, tmp_path: Path) -> None:
    nvcc = cuda_registers.find_nvcc()
    if nvcc is None:
        pytest.skip('needs nvcc: pip install ".[cuda]"')
    (tmp_path / "levels.ptx").write_text(ptx, encoding="utf-8")
    command = ("-cubin", "-arch=sm_90", "-Xptxas", "-v", "levels.ptx", "-o", "levels.cubin")
    report = cuda_registers.compiled(nvcc, *command, folder=tmp_path)
    assert re.findall(r"(\d+) bytes spill stores", report)
    assert set(re.findall(r"(\d+) bytes spill stores", report)) == {"0"}


@needs_gxx
def test_sets_are_filled_at_once_where_a_technique_can() -> None:
    texts = {name: text for name, _, text in cuda_device.programs(("kogge-stone", "sbamg"))}
    assert "#define ROOKERY_HAS_FILLS" in texts["kogge-stone"]
    assert texts["sbamg"] == export_text("cuda", "sbamg")


WRONG = {
    # what is replaced in the program or in its export, by what, and what the error says
    "self-check": ("rook_attacks(uint64_t sq, uint64_t occupied) {", " occupied &= ~(UINT64_C(1) << 20);", "got 0x"),
    "results of the first threads": ("occupied = word & ((word << 32) | (word >> 32));", " word++;", "expected 0x"),
    "results of all threads": (
        "uint64_t xor_of(uint64_t count) {",
        " if (count > 256) return 1;",
        "the results of right",
    ),
}


@needs_gxx
@pytest.mark.parametrize("mistake", WRONG)
def test_a_wrong_answer_is_noticed(mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, inserted, message = WRONG[mistake]
    export, source = export_text("cuda", "sbamg"), (cuda_device.HERE / "cuda_device.cu").read_text(encoding="utf-8")
    assert (export + source).count(place) == 1
    monkeypatch.setattr(cuda_device, "HERE", tmp_path)
    for name, added in (("right", ""), ("wrong", inserted)):
        text = export.replace(place, place + added)
        (tmp_path / "cuda_device.cu").write_text(source.replace(place, place + added), encoding="utf-8")
        monkeypatch.setattr(cuda_device, "programs", lambda _, name=name, text=text: [(name, "none", text)])
        cuda_device.build(GXX, None, tmp_path, silent)
    content = {"programs": [{"technique": n, "memory": "none", "file": f"{n}-none"} for n in ("right", "wrong")]}
    with pytest.raises(cuda_device.WrongAnswer, match=message):
        cuda_device.run_all(content, tmp_path, 512, 0.0001, silent)


@needs_gxx
def test_the_packed_file_needs_only_python_and_a_driver(built: tuple[dict[str, Any], Path], tmp_path: Path) -> None:
    """Without a device it says so. Run with Python's isolated mode, it imports nothing of this environment."""
    content, folder = built
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    (copy / "content.json").write_text(json.dumps(content), encoding="utf-8")
    cuda_device.pack(copy, tmp_path / "cuda_device.pyz")
    if cuda_driver.device():
        pytest.skip("there is a CUDA device here")
    done = subprocess.run(
        [sys.executable, "-I", "-S", tmp_path / "cuda_device.pyz"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "no CUDA device here: libcuda.so.1 is missing or finds none\n"


def test_expected_results_are_those_of_the_packed_oracle(tmp_path: Path) -> None:
    cuda_device.pack(tmp_path, tmp_path.parent / "oracle.pyz")
    code = (
        "import runpy, sys; sys.path.insert(0, 'oracle.pyz'); "
        "print(runpy.run_path('oracle.pyz', run_name='packed')['expected_results']())"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=tmp_path.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{cuda_device.expected_results()}\n"
