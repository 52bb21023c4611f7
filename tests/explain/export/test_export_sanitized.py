"""Exports for C, C++ and CUDA (as C++), run with the sanitizers of addresses and of undefined behaviour: no report.

The self-check makes every look-up. Another program passes random occupancies, which have pieces everywhere.
"""

import itertools
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from exports import LOOKUPS, TOOLS, self_check

import rookery
from rookery.bitboards.mappings import MAPPINGS
from rookery.explain.export import export_files
from rookery.kernel import has_pext
from sanitizers import SANITIZERS, lacking
from thinning import few, slow_but

TRAPS: Final = ("-fsanitize=undefined,local-bounds", "-fsanitize-trap=all")  # of clang, which need no library
FAMILY: Final = ("c", "cpp", "cuda")
ALL: Final = tuple(t.name for t in rookery.techniques())
BY_MASK: Final = tuple(name for name in ALL if "pext" in name or "pdep" in name)

RANDOM: Final = """
#include <stdio.h>
#include "rookery_attacks.h"
int main(void) {
    uint64_t state = 1;
    init_attacks();
    for (unsigned long n = 0; n < 200000; n++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t occupied = n < 64 ? 0 : n < 128 ? ~UINT64_C(0) : state ^ (state >> 31) ^ (state << 23);
        uint64_t sq = n & 63;
        if (queen_attacks(sq, occupied) != (rook_attacks(sq, occupied) | bishop_attacks(sq, occupied))) {
            return 1;
        }
    }
    puts("right");
    return 0;
}
"""


def checked(language: str, files: dict[str, str], folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    if why := lacking(TOOLS[language][0]):
        pytest.skip(why)
    return self_check(language, files, folder, *SANITIZERS, *options)


def assert_clean(language: str, files: dict[str, str], folder: Path, *options: str) -> None:
    done = checked(language, files, folder, *options)
    printed = f"{LOOKUPS} look-ups agree with ray walking\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")


@pytest.mark.parametrize(
    ("language", "name"),
    slow_but(itertools.product(FAMILY, ALL), ("c", "magic-fancy"), ("c", "rotated-hyatt-64"), ("cuda", "pext")),
)
def test_no_report(language: str, name: str, tmp_path: Path) -> None:
    assert_clean(language, export_files(language, name), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("mapping", [name for name in MAPPINGS if name != "rank-little-little"])
def test_no_report_in_another_mapping(mapping: str, tmp_path: Path) -> None:
    assert_clean("c", export_files("c", "magic-fancy", mapping), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "name"), [*itertools.product(FAMILY, BY_MASK)])
def test_no_report_with_instructions_of_bmi2(language: str, name: str, tmp_path: Path) -> None:
    if not has_pext():
        pytest.skip("this CPU has no BMI2")
    assert_clean(language, export_files(language, name), tmp_path, "-mbmi2")


@pytest.mark.parametrize("name", few(ALL, 2))
def test_no_report_for_random_occupancies(name: str, tmp_path: Path) -> None:
    done = checked("c", {**export_files("c", name), "selfcheck.c": RANDOM}, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "right\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_no_trap_of_clang(name: str, tmp_path: Path) -> None:
    if not shutil.which("clang"):
        pytest.skip("no clang here")
    for file, text in export_files("c", name, prefix="own").items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    command = ["clang", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", *TRAPS, "own_attacks.c", "own_selfcheck.c"]
    subprocess.run([*command, "-o", "selfcheck"], cwd=tmp_path, check=True)
    done = subprocess.run(["./selfcheck"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{LOOKUPS} look-ups agree with ray walking\n")


@pytest.mark.parametrize("language", slow_but(FAMILY, "c"))
@pytest.mark.parametrize(
    ("right", "wrong", "report"),
    [
        ("(o * magic) >> shift", "((o * magic) >> shift) + 1000000", "out of bounds"),
        (">> shift", ">> (shift + 64)", "shift exponent"),
    ],
)
def test_a_fault_is_reported(language: str, right: str, wrong: str, report: str, tmp_path: Path) -> None:
    files = export_files(language, "magic-fancy")
    name = next(name for name, text in files.items() if right in text)
    files[name] = files[name].replace(right, wrong)
    done = checked(language, files, tmp_path)
    assert done.returncode != 0
    assert f"{name}:" in done.stderr
    assert report in done.stderr
