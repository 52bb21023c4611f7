"""The benchmark that runs CUDA exports on a device: a dry run as C++, the packed file, and wrong answers."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cuda_device
from rookery.export import export_text

GXX = "g++ -std=c++17 -Wall -Wextra -Werror -O1 -x c++".split()
# Tables in global memory, in constant memory, and none; fills; a state of its own.
NAMES = ("magic-fancy", "kogge-stone", "dumb7fill", "sbamg", "rotated-compact")

needs_gxx = pytest.mark.skipif(not shutil.which("g++"), reason="no g++ here")


def silent(line: str) -> None:
    """Show no progress."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """Return the programs of five techniques, compiled as C++."""
    folder = tmp_path_factory.mktemp("programs")
    return cuda_device.build(GXX, NAMES, folder, silent) | {"nvcc": "none"}, folder


@needs_gxx
def test_a_dry_run_agrees_with_ray_walking(built: tuple[dict[str, Any], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    content, folder = built
    monkeypatch.setattr(cuda_device, "device", lambda: {"device": "dry run", "cuda": "0.0"})
    monkeypatch.setattr(cuda_device, "THREADS", 512)
    monkeypatch.setattr(cuda_device, "SECONDS", 0.0001)
    record = cuda_device.measure(content, folder, silent)
    assert [(row["technique"], row["memory"]) for row in record["programs"]] == [
        ("magic-fancy", "constant"),
        ("magic-fancy", "global"),
        ("kogge-stone", "constant"),
        ("kogge-stone", "global"),
        ("dumb7fill", "constant"),
        ("dumb7fill", "global"),
        ("sbamg", "none"),
        ("rotated-compact", "constant"),
        ("rotated-compact", "global"),
    ]
    for row in record["programs"]:
        assert set(row["rates"]) == {"nothing", *cuda_device.MEASURED}
        assert min(row["rates"].values()) > 0
    assert set(json.loads(json.dumps(record))) == {
        *("benchmark", "command", "device", "cuda", "nvcc", "date", "threads", "self_check", "results", "programs")
    }


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
    if cuda_device.device():
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
